"""Replay of a foreign match file: finds illegal plays. An illegal play stands as it was made."""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from companion.errors import BadTextError, IllegalPlayError
from companion.records.mat import read_mat
from companion.records.sgf import read_sgf
from companion.records.transcript import (
    SIDES,
    BadFileError,
    CubeSaid,
    Game,
    Placed,
    Player,
    RollMade,
    Said,
    Transcript,
    Won,
)
from companion.rules.board import BAR, OFF, Position, Roll
from companion.rules.legality import Turn
from companion.rules.moves import carried_out
from companion.rules.notation import Hop, find_play, read_hops
from companion.rules.plays import Plays, legal_plays
from companion.rules.profile import STARTS
from companion.rules.profiles import PROFILES

_STEPS = re.compile(r"(?P<path>(?:bar|off|\d{1,2})\*?(?:/(?:bar|off|\d{1,2})\*?)+)(?:\((?P<count>[1-4])\))?")
_NAME = re.compile(r"bar|off|\d+")
_PLACES = {"bar": BAR, "off": OFF}


@dataclass(frozen=True, slots=True)
class Illegal:
    """An illegal play."""

    game: int
    move: int
    player: Player
    dice: tuple[int, int]
    play: str
    why: str

    def to_json(self) -> dict[str, Any]:
        """The output of `companion replay`."""
        return {
            "game": self.game,
            "move": self.move,
            "side": SIDES[self.player],
            "dice": list(self.dice),
            "play": self.play,
            "why": self.why,
        }


@dataclass
class Replayed:
    """Result of a replay; `plays` counts dances too."""

    games: int = 0
    plays: int = 0
    illegal: list[Illegal] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


@dataclass
class _Board:
    """Position and cube of a game; `view` is the player who sees `position` as his own."""

    position: Position
    view: Player = 0
    cube: int = 1
    owner: Player | None = None

    def seen_by(self, player: Player) -> Position:
        """The position as this player sees it."""
        return self.position if player == self.view else self.position.flipped()


def replayed(transcript: Transcript) -> Replayed:
    """Replay every game of a transcript."""
    found = Replayed(games=len(transcript.games))
    start = Position(STARTS[transcript.start], STARTS[transcript.start])
    for game in transcript.games:
        _play_through(game, start, found)
    return found


def _play_through(game: Game, start: Position, found: Replayed) -> None:
    board = _Board(start)
    for at, deed in enumerate(game.deeds):
        match deed:
            case RollMade():
                given_up = deed.text == "" and _ends_here(game, at)
                if not given_up or _dance(board, deed):
                    found.plays += 1
                    _make(board, deed, game, found)
            case Placed():
                board.position, board.view = deed.position, 0
                board.cube, board.owner = deed.cube_value, deed.cube_owner
            case CubeSaid():
                _turn_cube(board, deed, game, found)


def _ends_here(game: Game, at: int) -> bool:
    """Whether only the game's end follows: a roll without a play was then given up, not danced."""
    rest = game.deeds[at + 1 :]
    return all(
        isinstance(deed, Won) or (isinstance(deed, CubeSaid) and deed.what is Said.RESIGNS) for deed in rest
    )


def _dance(board: _Board, deed: RollMade) -> bool:
    return legal_plays(board.seen_by(deed.player), Roll.of(*deed.dice)).is_dance


def _make(board: _Board, deed: RollMade, game: Game, found: Replayed) -> None:
    """Carry out a play, and record it if it is illegal."""
    position = board.seen_by(deed.player)
    roll = Roll.of(*deed.dice)
    left, why = _left(position, legal_plays(position, roll), deed.text)
    if why and left != position:
        why = str(Turn(PROFILES["modern"], position, roll).fault_of(left)) or why
    if why:
        found.illegal.append(Illegal(game.number, deed.number, deed.player, deed.dice, deed.text, why))
    board.position, board.view = left, deed.player


def _left(position: Position, plays: Plays, text: str) -> tuple[Position, str]:
    """The position after a play, and why the play is illegal ("" if it is legal)."""
    try:
        hops = read_hops(text)
        exact = _step_by_step(position, plays, hops)
        if exact is not None:
            return exact, ""
        play = find_play(hops, plays)
    except (BadTextError, IllegalPlayError) as error:
        return _as_written(position, text), str(error)
    return carried_out(position, [(move.source, move.target) for move in play])[0], ""


def _as_written(position: Position, text: str) -> Position:
    """The position after the checkers moved as written, backwards too; impossible steps are skipped.

    The rest of the game is played from the position after an illegal play.
    """
    for source, target in _steps_written(text):
        with suppress(IllegalPlayError):
            position, _ = carried_out(position, [(source, target)])
    return position


def _steps_written(text: str) -> Iterator[tuple[int, int]]:
    for word in _STEPS.finditer(text.lower()):
        places = [_PLACES[name] if name in _PLACES else int(name) for name in _NAME.findall(word["path"])]
        for _ in range(int(word["count"] or 1)):
            yield from pairwise(places)


def _step_by_step(position: Position, plays: Plays, hops: Sequence[Hop]) -> Position | None:
    """The position after the hops one by one, None if that is illegal.

    A file that writes out every step (SGF does) does not star its hits: a step that ends on a blot hits it. Taken
    as a whole the play could be understood as going around the blot.
    """
    steps = [(hop.source, hop.target) for hop in hops if len(hop.path) == 2]
    if len(steps) < len(hops):
        return None
    try:
        left, _ = carried_out(position, steps)
    except IllegalPlayError:
        return None
    return left if left in plays else None


def _turn_cube(board: _Board, deed: CubeSaid, game: Game, found: Replayed) -> None:
    """Follow the cube; a double without access to it becomes a remark."""
    if deed.what is Said.DOUBLES:
        if board.owner is not None and board.owner != deed.player:
            whose = SIDES[deed.player]
            found.remarks.append(f"Game {game.number}, move {deed.number}: {whose} doubles without the cube.")
        board.cube *= 2
    elif deed.what is Said.TAKES:
        board.owner = deed.player
    elif deed.what in (Said.BEAVERS, Said.RACCOONS):
        board.cube *= 2
        board.owner = deed.player if deed.what is Said.BEAVERS else board.owner


def summary(file: str, transcript: Transcript) -> Mapping[str, Any]:
    """The output of `companion replay`."""
    found = replayed(transcript)
    winner = transcript.winner
    return {
        "file": file,
        "games": found.games,
        "plays": found.plays,
        "illegal": [illegal.to_json() for illegal in found.illegal],
        "match_length": transcript.length,
        "score": list(transcript.score),
        "winner": None if winner is None else SIDES[winner],
        "players": list(transcript.players),
        "remarks": [*transcript.remarks, *found.remarks],
    }


def transcript_in(text: str) -> Transcript:
    """Read the text of a `.mat`, Jellyfish or SGF file.

    Raises:
        BadFileError: the text is of another kind, or damaged.
    """
    bare = text.lstrip("\ufeff \t\r\n")
    if not bare:
        raise BadFileError("The file is empty.")
    if "\x00" in text:
        raise BadFileError("This is no text, so no match record.")
    return read_sgf(text) if bare.startswith("(;") or bare.startswith("(") else read_mat(text)
