"""The cube, the score, results, and the Crawford game."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum

from companion.rules.board import Side
from sentence import Sentence, say

LARGEST_SHOWN = 64
"""The largest number on a cube."""
LARGEST_CUBE = 4096
"""The largest cube that GNU Backgammon reads; nobody plays for more."""
MOST_POINTS = 999_999
"""Bound of a score set by hand in money play, which has no length."""


@dataclass(frozen=True, slots=True)
class Cube:
    """The doubling cube; `owner` may double next, None: it is in the middle, and either side may."""

    value: int = 1
    owner: Side | None = None

    def open_to(self, side: Side) -> bool:
        """Whether this side may turn the cube."""
        return self.owner is None or self.owner is side


@dataclass(frozen=True, slots=True)
class Offer:
    """A double, or a beaver or raccoon on top of one, that awaits its answer.

    Attributes:
        by: the side that doubled first.
        before: the cube before the double.
        turns: how often it has been turned since: 1 a double, 2 a beaver, 3 a raccoon.
    """

    by: Side
    before: Cube
    turns: int = 1

    @property
    def asked(self) -> Side:
        """The side to answer: the opponent of the one who turned the cube last."""
        return self.by.other if self.turns % 2 else self.by

    @property
    def value(self) -> int:
        """The cube's value if the offer is taken."""
        return int(self.before.value * 2**self.turns)

    @property
    def lost_by_passing(self) -> int:
        """Value of the game if the offer is passed: the cube's value before it was turned last."""
        return self.value // 2

    def turned_again(self) -> "Offer":
        """The same offer after a beaver, or a raccoon on the beaver."""
        return Offer(self.by, self.before, self.turns + 1)

    def taken(self) -> Cube:
        """The cube after the take: the side that was doubled first owns it, after beaver and raccoon too.

        Beavers: docs/rules/play.md, row 13; raccoons: docs/rules/tournaments.md, row T8, and
        docs/adr/0040-cube-after-a-raccoon.md.
        """
        return Cube(self.value, self.by.other)


class Worth(IntEnum):
    """Multiple of the cube that a won game counts."""

    SINGLE = 1
    GAMMON = 2
    BACKGAMMON = 3


WORTH_WORDS: Mapping[Worth, Sentence] = {
    Worth.SINGLE: say("single"),
    Worth.GAMMON: say("gammon"),
    Worth.BACKGAMMON: say("backgammon"),
}


class Ending(Enum):
    """Cause of a game's end."""

    BORNE_OFF = "borne_off"
    PASSED = "passed"
    RESIGNED = "resigned"
    SETTLED = "settled"
    TIME = "time"
    PENALTY = "penalty"
    MOTHER_PINNED = "mother_pinned"
    TIE = "tie"


@dataclass(frozen=True, slots=True)
class Result:
    """A game's end; `points` went on the score of `side`.

    A tie, or a game settled for nothing, has no winner: `side` is then the one that played last, or was asked.
    """

    side: Side
    worth: Worth
    cube: int
    points: int
    how: Ending

    @property
    def winner(self) -> Side | None:
        """The side that has won the game; None for a tie and a game settled for nothing."""
        is_drawn = self.how is Ending.TIE or (self.how is Ending.SETTLED and not self.points)
        return None if is_drawn else self.side


@dataclass(frozen=True, slots=True)
class Score:
    """Points won so far."""

    south: int = 0
    north: int = 0

    def of(self, side: Side) -> int:
        """Points of one side."""
        return self.south if side is Side.SOUTH else self.north

    def plus(self, side: Side, points: int) -> "Score":
        """The score after a side has won `points` more."""
        if side is Side.SOUTH:
            return Score(self.south + points, self.north)
        return Score(self.south, self.north + points)

    def swapped(self) -> "Score":
        """The score after the players have changed seats."""
        return Score(self.north, self.south)

    def away(self, side: Side, length: int) -> int:
        """Points that a side still needs to win the match."""
        return max(0, length - self.of(side))

    def winner(self, length: int) -> Side | None:
        """The side that has reached the match length; always None in money play (length 0)."""
        if not length:
            return None
        return next((side for side in Side if self.of(side) >= length), None)


class Crawford(Enum):
    """State of the match relative to its one game without the cube."""

    OFF = "off"
    AHEAD = "ahead"
    NOW = "now"
    PAST = "past"


def crawford_for(before: Crawford, score: Score, length: int) -> Crawford:
    """The Crawford state of the game that begins at this score.

    The Crawford game is the first that begins with a side one point short of the match; later ones have the cube again.
    """
    if before in (Crawford.OFF, Crawford.PAST):
        return before
    if before is Crawford.NOW:
        return Crawford.PAST
    one_away = any(score.away(side, length) == 1 for side in Side)
    return Crawford.NOW if one_away else Crawford.AHEAD
