"""The cube, the score, results, and the Crawford game."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, IntEnum

from companion.rules.board import Side
from sentence import Sentence, say


@dataclass(frozen=True, slots=True)
class Cube:
    """What the game is worth, and who may double next; owner None: in the middle, either side may."""

    value: int = 1
    owner: Side | None = None

    def open_to(self, side: Side) -> bool:
        """Whether the cube lies where this side may turn it."""
        return self.owner is None or self.owner is side


@dataclass(frozen=True, slots=True)
class Offer:
    """A double, or a beaver or raccoon on top of one, that waits for its answer.

    Attributes:
        by: who doubled first.
        before: the cube before the double.
        turns: how often it has been turned since: 1 a double, 2 a beaver, 3 a raccoon.
    """

    by: Side
    before: Cube
    turns: int = 1

    @property
    def asked(self) -> Side:
        """Who has to answer: the opponent of the one who turned the cube last."""
        return self.by.other if self.turns % 2 else self.by

    @property
    def value(self) -> int:
        """What the cube would show if it is taken."""
        return int(self.before.value * 2**self.turns)

    @property
    def lost_by_passing(self) -> int:
        """What the game counts if it is passed: what the cube showed before it was turned last."""
        return self.value // 2

    def turned_again(self) -> "Offer":
        """The same offer after a beaver, or a raccoon on the beaver."""
        return Offer(self.by, self.before, self.turns + 1)

    def taken(self) -> Cube:
        """The cube after the take: the one who was doubled first owns it, after beaver and raccoon too.

        Source for beavers: RULES.md, «the taker turns it once more at once and keeps it»; for raccoons
        docs/adr/0040-cube-after-a-raccoon.md.
        """
        return Cube(self.value, self.by.other)


class Worth(IntEnum):
    """How often the cube a won game counts."""

    SINGLE = 1
    GAMMON = 2
    BACKGAMMON = 3


WORTH_WORDS: Mapping[Worth, Sentence] = {
    Worth.SINGLE: say("single"),
    Worth.GAMMON: say("gammon"),
    Worth.BACKGAMMON: say("backgammon"),
}


class Ending(Enum):
    """How a game came to its end."""

    BORNE_OFF = "borne_off"
    PASSED = "passed"
    RESIGNED = "resigned"
    SETTLED = "settled"
    TIME = "time"
    PENALTY = "penalty"


@dataclass(frozen=True, slots=True)
class Result:
    """Who won a game, what it was worth and how it ended; `points` is what went on the score."""

    winner: Side
    worth: Worth
    cube: int
    points: int
    how: Ending


@dataclass(frozen=True, slots=True)
class Score:
    """Points won so far."""

    south: int = 0
    north: int = 0

    def of(self, side: Side) -> int:
        """The points of one side."""
        return self.south if side is Side.SOUTH else self.north

    def plus(self, side: Side, points: int) -> "Score":
        """The score after a side has won that many points."""
        if side is Side.SOUTH:
            return Score(self.south + points, self.north)
        return Score(self.south, self.north + points)

    def swapped(self) -> "Score":
        """The score after the players have changed seats."""
        return Score(self.north, self.south)

    def away(self, side: Side, length: int) -> int:
        """The points that a side still needs to win the match."""
        return max(0, length - self.of(side))

    def winner(self, length: int) -> Side | None:
        """Who has reached the match length; nobody ever does in money play (length 0)."""
        if not length:
            return None
        return next((side for side in Side if self.of(side) >= length), None)


class Crawford(Enum):
    """Where a match stands with its one game without the cube."""

    OFF = "off"
    AHEAD = "ahead"
    NOW = "now"
    PAST = "past"


def crawford_for(before: Crawford, score: Score, length: int) -> Crawford:
    """Whether the game that begins at this score is the Crawford game.

    It is the first one that begins with a side one point short of the match; later ones have the cube again.
    """
    if before in (Crawford.OFF, Crawford.PAST):
        return before
    if before is Crawford.NOW:
        return Crawford.PAST
    one_away = any(score.away(side, length) == 1 for side in Side)
    return Crawford.NOW if one_away else Crawford.AHEAD
