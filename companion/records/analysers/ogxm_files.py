"""An OGXM file as a transcript, by the reference codec (ADR 58); its plies are those that match_files.py reads."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from itertools import islice
from typing import Any

from companion.records.analysers.match_files import play_text, player_of, position_in
from companion.records.analysers.to_events import SeveralMatchesError
from companion.records.ogxm.document import (
    CUBE_ACTIONS,
    CUBE_SET,
    FORFEIT,
    RESIGN,
    ROLLS,
    SET_POSITION,
    SETTLE,
)
from companion.records.transcript import (
    Action,
    BadFileError,
    CubeDecision,
    Game,
    Placed,
    Player,
    Resignation,
    RollMade,
    Transcript,
    Won,
    opponent_of,
    with_beavers,
)

MARK = b"OGXM"
"""The first bytes of a file."""
SIGNS = "0123456789abcdefghijklmnop"
"""An OGID's letters of the 26 places, from White's bar to Black's."""
STARTS = {"backgammon": "standard", "nackgammon": "nackgammon", "hypergammon": "hypergammon"}
CUBE = {number: kind for kind, number in CUBE_ACTIONS.items()}
ENDS = (RESIGN, RESIGN + 1, FORFEIT, SETTLE)


def ogxm_transcript(data: bytes) -> Transcript:
    """Read an OGXM file.

    Raises:
        SeveralMatchesError: it is a stream of matches.
        BadFileError: the codec cannot read it, or it has another game's start.
    """
    import ogxm

    members = list[bytes]()
    with suppress(
        ogxm.StreamError
    ):  # what is no stream may be a file nevertheless, or else is refused as one
        members += islice(ogxm.iter_stream(BytesIO(data)), 2)
    if len(members) > 1:
        raise SeveralMatchesError("This file has several matches.")
    try:
        document = ogxm.binary_to_json(data)
    except (ogxm.OgxmError, ValueError) as error:
        raise BadFileError(f"This .ogxm file cannot be read: {error}.") from error
    if document.get("variant", "backgammon") not in STARTS:
        raise BadFileError("This .ogxm file is of another game, not of backgammon.")
    if not document.get("games"):
        raise BadFileError("This is no match record: there is no game in it.")
    if not document.get("replay_complete"):
        raise BadFileError("This .ogxm file is damaged: its plays cannot be replayed.")
    return _transcript(document)


def _transcript(document: Mapping[str, Any]) -> Transcript:
    games: list[Game] = []
    score = (0, 0)
    for number, game in enumerate(document["games"], 1):
        actions = list(with_beavers(_actions(game["plies"])))
        if game.get("winner") in (0, 1) and game.get("points_won"):
            actions.append(Won(game["winner"], int(game["points_won"])))
        games.append(Game(number, score, tuple(actions), bool(game.get("is_crawford"))))
        score = games[-1].score_after
    names = str(document.get("player_white", "")), str(document.get("player_black", ""))
    start = STARTS[document.get("variant", "backgammon")]
    headers = {"rules": "Jacoby"} if document.get("jacoby") else {"rules": ""}
    return Transcript(names, int(document["match_length"]), tuple(games), headers, start)


def _actions(plies: Sequence[Mapping[str, Any]]) -> Iterator[Action]:
    """The actions of a game; an illegal play is a roll with the position that it left."""
    for at, ply in enumerate(plies):
        kind, player, number = int(ply["action_id"]), player_of(ply), at // 2 + 1
        if 0 <= kind < len(ROLLS):
            yield RollMade(player, number, (ply["d1"], ply["d2"]), play_text(ply, player))
        elif kind == SET_POSITION and ply.get("illegal"):  # its colour is the side's that is on roll after it
            yield RollMade(opponent_of(player), number, (ply["d1"], ply["d2"]), "")
            yield replace(_placed(ply, player), is_play=True)
        elif kind in (SET_POSITION, CUBE_SET):
            yield _placed(ply, player)
        elif kind in CUBE:
            yield CubeDecision(player, number, CUBE[kind])
        elif kind in ENDS:
            yield Resignation(player, number)


def _placed(ply: Mapping[str, Any], on_roll: Player) -> Placed:
    """The position and the cube after a ply, as the codec has replayed them."""
    white, black, cube = ply["ogid_after"].split(":")[:3]
    owner: Player | None = {"W": 0, "B": 1}.get(cube[0])  # type: ignore[assignment]
    board = [white.count(sign) - black.count(sign) for sign in SIGNS]
    return Placed(position_in(board), on_roll, 1 << int(cube[1:-1], 36), owner)
