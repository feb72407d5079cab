"""Match files of any kind as transcripts: text, and `.xg` and `.bgf` through the library `gammonview`.

The library gives a JSON document: games with plies, each with the mover's colour and an action, a checker's step as
{from, pips}; points count from 0, White's bar, to 25, Black's (OGXM's JSON, https://pypi.org/project/gammonview/).
"""

import struct
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from companion.game.state import CubeAction
from companion.records.replay import replay, transcript_in
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
    with_beavers,
)
from companion.rules.board import BAR, CHECKERS, Position
from companion.rules.profile import STARTS

XG_MARK = b"RGMH"
"""The first bytes of a `.xg` file (https://www.extremegammon.com/XGformat.aspx)."""
XG_HEAD, XG_ROW = 8232, 2560
"""Bytes before the thumbnail of a `.xg` file, and of each of its records; the thumbnail's size is at byte 20."""
PACKED = (b"\x1f\x8b", b"\x78\x01", b"\x78\x9c", b"\x78\xda", b":)\n")
"""How the second part of a `.bgf` file begins: gzip, zlib, or Smile unpacked; the first part is a line of JSON."""
MOST_BYTES = 64 << 20
"""Unpacked, many times the size of the longest matches with all their analyses."""
WAYS_OUT = {
    "eXtreme Gammon": "there, save the match as .mat or .txt and take that file",
    "BGBlitz": "there, save the match as .sgf or .mat and take that file",
}
XG, BGF = "eXtreme Gammon", "BGBlitz"
DOUBLE, TAKE, PASS, RESIGNATIONS, PLACED = 21, 22, 23, (27, 28), 31
"""Actions of the library's document; 0 to 20 are rolls."""
CUBE = {DOUBLE: CubeAction.DOUBLE, TAKE: CubeAction.TAKE, PASS: CubeAction.PASS}


def transcript_of(data: bytes) -> Transcript:
    """Read a match file: `.mat`, Jellyfish text, `.sgf`, `.xg` or `.bgf`, told apart by its content.

    Raises:
        BadFileError: it is none of these, it is damaged, or the library for it is not installed.
    """
    program = program_of(data)
    if program == XG:
        _check_xg(data)
        return _converted(data, XG, "convert_xg")
    if program == BGF:
        _unpacked(data.partition(b"\n")[2], BGF)
        return _converted(data, BGF, "convert_bgf")
    try:
        return transcript_in(data.decode("utf-8"))
    except UnicodeDecodeError:
        return transcript_in(data.decode("latin-1"))  # older programs wrote names in it


def program_of(data: bytes) -> str:
    """The program whose own match file this is, by its first bytes; "" for any other file."""
    if data.startswith(XG_MARK):
        return XG
    head, newline, rest = data.partition(b"\n")
    return BGF if newline and head.startswith(b"{") and rest.startswith(PACKED) else ""


def _converted(data: bytes, program: str, name: str) -> Transcript:
    """The transcript of a file by the library's function of this name."""
    out = WAYS_OUT[program]
    try:
        import gvformat
    except ImportError:
        raise BadFileError(
            f"This is a match file of {program}; reading it needs the package gammonview "
            f"(pip install gammonview). Or, {out}."
        ) from None
    convert: Callable[[bytes], Mapping[str, Any]] = getattr(gvformat, name)
    try:
        match = _transcript(convert(data))
        lacks_plays = any(not illegal.play for illegal in replay(match).illegal)
    except BadFileError:
        raise
    except Exception as error:  # a parser of damaged bytes fails with whatever it meets in them
        raise BadFileError(
            f"This match file of {program} cannot be read ({type(error).__name__}): {out}."
        ) from error
    if lacks_plays:  # the library takes the plays of a .xg from their analysis, and gives a dance without one
        raise BadFileError(
            f"This match file of {program} has turns without their plays; analyse it, or, {out}."
        )
    return match


def _unpacked(packed: bytes, program: str) -> bytes:
    """The unpacked bytes, or those given if they are not packed; BadFileError if they are far too many."""
    try:
        data = zlib.decompressobj(47).decompress(packed, MOST_BYTES + 1)  # 47: zlib or gzip
    except zlib.error:
        return packed
    if len(data) > MOST_BYTES:
        raise BadFileError(f"This file of {program} is far larger than any match, once unpacked.")
    return data


def _check_xg(data: bytes) -> None:
    """BadFileError for another start than backgammon's, which the library does not know."""
    if len(data) < XG_HEAD:
        raise BadFileError(f"This match file of eXtreme Gammon is cut short: {WAYS_OUT['eXtreme Gammon']}.")
    (thumbnail,) = struct.unpack_from("<I", data, 20)
    rows = _unpacked(data[XG_HEAD + thumbnail :], "eXtreme Gammon")
    usual = [mine - theirs for mine, theirs in zip(*_usual_start(), strict=True)]
    for at in range(0, len(rows) - XG_ROW + 1, XG_ROW):
        kind, variation = rows[at + 8], struct.unpack_from("<i", rows, at + 96)[0]
        start = list(struct.unpack_from("<26b", rows, at + 21))
        if (kind == 0 and variation) or (kind == 1 and any(start) and start != usual):
            raise BadFileError(
                "This match of eXtreme Gammon does not begin at the start of backgammon: "
                f"{WAYS_OUT['eXtreme Gammon']}."
            )


def _usual_start() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Both sides' checkers at the start, counted from the opponent's bar to one's own."""
    mine = (0, *STARTS["standard"][1:])
    return mine, tuple(reversed(mine))


def _transcript(found: Mapping[str, Any]) -> Transcript:
    games: list[Game] = []
    score = (0, 0)
    for number, game in enumerate(found["games"], 1):
        actions = tuple(with_beavers(_actions(game)))
        games.append(Game(number, score, actions, bool(game.get("is_crawford"))))
        score = games[-1].score_after
    headers = {name: str(found[name]) for name in ("event", "site") if found.get(name)}
    if not games:
        raise BadFileError("This is no match record: there is no game in it.")
    players = str(found["player_white"]), str(found["player_black"])
    return Transcript(players, int(found["match_length"]), tuple(games), headers)


def _actions(game: Mapping[str, Any]) -> Iterator[Action]:
    """The actions of a game; a new move begins when the first player's turn comes again."""
    number, cube = 1, 1
    last: Player = 0
    for ply in game["plies"]:
        kind, player = int(ply["action_id"]), player_of(ply)
        if player == 0 and last == 1:
            number += 1
        last = player
        if 0 <= kind < DOUBLE:
            yield RollMade(player, number, (ply["d1"], ply["d2"]), play_text(ply, player))
        elif kind == PLACED:  # an illegal play whose steps the format cannot hold
            yield RollMade(player, number, (ply["d1"], ply["d2"]), _named_play(ply))
            yield Placed(position_in(ply["set_position"]), 1 if player == 0 else 0, is_play=True)
        elif kind in CUBE:
            cube = 2 * cube if kind == DOUBLE else cube
            yield CubeDecision(player, number, CUBE[kind], cube if kind == DOUBLE else None)
        elif kind in RESIGNATIONS:
            yield Resignation(player, number)
    if game["winner"] in (0, 1) and game["points_won"]:
        yield Won(game["winner"], int(game["points_won"]))


def player_of(ply: Mapping[str, Any]) -> Player:
    return 0 if ply["color"] == 1 else 1


def play_text(ply: Mapping[str, Any], player: Player) -> str:
    """A ply's steps in the mover's own numbering; "" without any."""
    steps = ((25 - one["from"] if player == 0 else one["from"], one["pips"]) for one in ply["moves"])
    return " ".join(f"{_point(source)}/{_point(source - pips)}" for source, pips in steps)


def _point(number: int) -> str:
    return "bar" if number == BAR else "off" if number <= 0 else str(number)


def _named_play(ply: Mapping[str, Any]) -> str:
    """The play as the analysis of a ply names it, "?" where it does not."""
    alternatives = ply.get("analysis", {}).get("alternatives", ())
    return next((one["notation"] for one in alternatives if one.get("is_played")), "") or "?"


def position_in(board: list[int]) -> Position:
    """A position as player 0 sees it: [0] his bar, then his points from 24 down, [25] the opponent's bar, negative."""
    mine = [max(0, board[25 - n]) for n in range(1, 26)]
    theirs = [max(0, -board[n]) for n in range(1, 26)]
    return Position((CHECKERS - sum(mine), *mine), (CHECKERS - sum(theirs), *theirs))
