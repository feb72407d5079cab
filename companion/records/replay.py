"""Replay of a foreign match file: finds illegal plays. An illegal play stands as it was made."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from companion.errors import BadTextError, IllegalPlayError
from companion.game.state import CubeAction
from companion.records.mat.reader import read_mat
from companion.records.sgf import read_sgf
from companion.records.transcript import (
    SIDES,
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
)
from companion.rules.board import BAR, OFF, Checkers, Position, Roll
from companion.rules.moves import carried_out, moves_between
from companion.rules.notation import Hop, find_play, read_hops, write_play
from companion.rules.play_legality import Turn
from companion.rules.plays import Plays, legal_plays
from companion.rules.profile import STARTS
from companion.rules.profiles import PROFILES

_STEPS = re.compile(r"(?P<path>(?:bar|off|\d{1,2})\*?(?:/(?:bar|off|\d{1,2})\*?)+)(?:\((?P<count>[1-4])\))?")
_NAME = re.compile(r"bar|off|\d{1,2}")
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
class ReplayResult:
    """Result of a replay; `plays` counts dances too."""

    plays: int = 0
    illegal: list[Illegal] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def replay(transcript: Transcript) -> ReplayResult:
    """Replay every game of a transcript."""
    found = ReplayResult()
    for game in transcript.games:
        _replay_game(game, STARTS[transcript.start], found)
    return found


@dataclass
class _Cube:
    """The cube as a file tells it; `offered` is its value in an exchange that is not ended, which `doubler` began.

    Whatever the exchange, its owner afterwards is the other player: who takes a double or a raccoon, or beavers.
    """

    value: int = 1
    owner: Player | None = None
    offered: int | None = None
    doubler: Player = 0

    def turn(self, decision: CubeDecision) -> Iterator[str]:
        """Take a decision; what is wrong with it, as the end of a sentence."""
        if not decision.turns_cube:
            if self.offered is None:
                yield "answers a double that was not made"
            elif decision.kind is CubeAction.TAKE:
                self._end()
            self.offered = None
            return
        if self.offered is None:
            self.doubler = decision.player
            if self.owner == opponent_of(decision.player):
                yield "doubles without the cube"
        before = self.offered or self.value
        if decision.value is not None and decision.value != 2 * before:
            yield f"turns the cube from {before} to {decision.value}"
        self.offered = decision.value or 2 * before

    def _end(self) -> None:
        assert self.offered is not None
        self.value, self.owner, self.offered = self.offered, opponent_of(self.doubler), None

    def roll(self) -> Iterator[str]:
        """Whether a roll may follow; what is wrong with it."""
        if self.offered is not None:
            self._end()
            yield "rolls before the double is answered"

    def win(self, points: int) -> Iterator[str]:
        """What is wrong with the points of a game."""
        if points not in (self.value, 2 * self.value, 3 * self.value):
            yield f"wins {points} points with the cube at {self.value}"


def _replay_game(game: Game, start: Checkers, found: ReplayResult) -> None:
    """Replay a game; a turn, a position, a cube or points that do not follow from what was before become a remark."""
    position = Position(start, start)  # as player 0 sees it
    cube = _Cube()
    number = 1
    last: Player | None = None
    for at, action in enumerate(game.actions):
        if isinstance(action, Placed):
            if not action.is_play:
                cube, last = _Cube(action.cube_value, action.cube_owner), None
                if action.position != position:
                    found.remarks.append(f"Game {game.number}, move {number}: a position is set by hand.")
            position = action.position
            continue
        wrong: Iterable[str] = ()
        match action:
            case RollMade(player=player):
                wrong = cube.roll()
                if player == last and not _is_closed_out(position if player == 0 else position.flipped()):
                    wrong = [*wrong, "rolls twice in a row"]
                last = player
                left = _after(position if player == 0 else position.flipped(), action, game, at, found)
                position = left if player == 0 else left.flipped()
            case CubeDecision():
                wrong = cube.turn(action)
            case Won():
                wrong = cube.win(action.points)
        number = getattr(action, "number", number)
        for what in wrong:
            found.remarks.append(f"Game {game.number}, move {number}: {SIDES[action.player]} {what}.")


def _is_closed_out(position: Position) -> bool:
    """Whether the opponent waits on the bar before six closed points, and so need not roll."""
    return position.theirs[BAR] > 0 and all(position.mine[point] > 1 for point in range(1, 7))


def _after(position: Position, made: RollMade, game: Game, at: int, found: ReplayResult) -> Position:
    """The position after a play, legal or not, both as the mover sees it; counts the play, and keeps an illegal one."""
    roll = Roll.of(*made.dice)
    plays = legal_plays(position, roll)
    left_by_illegal = position_left(made, game.actions[at + 1 :], is_dance=plays.is_dance)
    if left_by_illegal is not None:
        found.plays += 1
        why = str(Turn(PROFILES["modern"], position, roll).fault_of(left_by_illegal))
        play = moves_between(position.mine, left_by_illegal.mine)
        text = made.text or ("" if play is None else write_play(play))
        found.illegal.append(Illegal(game.number, made.number, made.player, made.dice, text, why))
        return left_by_illegal
    # A roll without a play before the end of the game was given up, not danced.
    ends = all(isinstance(action, (Won, Resignation)) for action in game.actions[at + 1 :])
    if not made.text and ends and not plays.is_dance:
        return position
    found.plays += 1
    left, why = _left(position, plays, made.text)
    if why and left != position:
        why = str(Turn(PROFILES["modern"], position, roll).fault_of(left)) or why
    if why:
        found.illegal.append(Illegal(game.number, made.number, made.player, made.dice, made.text, why))
    return left


def position_left(made: RollMade, following: Sequence[Action], *, is_dance: bool) -> Position | None:
    """The position that a file gives for an illegal play, as the mover sees it; None if it gives none.

    Args:
        made: the roll.
        following: what comes after it in the game.
        is_dance: no play was possible. If one was, and the file has none but a position, it is what the play left:
            so our SGF files of November 2026 had it.
    """
    placed = following[0] if following else None
    if not isinstance(placed, Placed) or not (placed.is_play or (not made.text and not is_dance)):
        return None
    return placed.position if made.player == 0 else placed.position.flipped()


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


def play_of(position: Position, roll: Roll, text: str) -> tuple[Position, bool, bool]:
    """The position after a play of a file, as the mover sees it; whether the play is legal, and the roll a dance."""
    plays = legal_plays(position, roll)
    left, why = _left(position, plays, text)
    return left, not why, plays.is_dance


def _as_written(position: Position, text: str) -> Position:
    """The position after the checkers moved as written, backwards too; impossible steps are skipped.

    The rest of the game is played from the position after an illegal play.
    """
    for word in _STEPS.finditer(text.lower()):
        places = [_PLACES[name] if name in _PLACES else int(name) for name in _NAME.findall(word["path"])]
        for step in [*pairwise(places)] * int(word["count"] or 1):
            with suppress(IllegalPlayError):
                position, _ = carried_out(position, [step])
    return position


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


def summary(file: str, transcript: Transcript) -> Mapping[str, Any]:
    """The output of `companion replay`."""
    found = replay(transcript)
    winner = transcript.winner
    return {
        "file": file,
        "games": len(transcript.games),
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
    if text.startswith("OGXM"):
        raise BadFileError("This is an .ogxm file; 'companion verify FILE' checks it.")
    if "\x00" in text:
        raise BadFileError("This is no text, so no match record.")
    return read_sgf(text) if bare.startswith("(") else read_mat(text)
