"""The board: two sides, two dice, and the checkers' positions.

Each side counts its checkers in its own numbering, from its 24-point to its 1-point (ADR 2).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, Flag, auto
from typing import ClassVar, Literal, NamedTuple, Self, TypeAlias, cast

from companion.errors import BadPositionError, BadTextError, shown
from sentence import NOTHING, Sentence, say


class Side(Enum):
    """A seat at the table; the camera sees south at the bottom of the picture."""

    SOUTH = "south"
    NORTH = "north"

    @property
    def other(self) -> "Side":
        """The opponent."""
        return Side.NORTH if self is Side.SOUTH else Side.SOUTH


Die: TypeAlias = Literal[1, 2, 3, 4, 5, 6]


def die(number: int) -> Die:
    """The number as a die's face.

    Raises:
        BadTextError: the number is not 1 to 6.
    """
    if type(number) is not int or not 1 <= number <= 6:
        raise BadTextError(say("A die shows 1 to 6, not {given}.", given=shown(number)))
    return cast(Die, number)


class Roll(NamedTuple):
    """Two dice that count; the higher first, so that 3-1 and 1-3 are one roll."""

    high: Die
    low: Die

    @classmethod
    def of(cls, one: int, other: int) -> "Roll":
        """The roll of two faces in any order; BadTextError if a face is not 1 to 6."""
        a, b = die(one), die(other)
        return cls(a, b) if a >= b else cls(b, a)

    @property
    def is_doubles(self) -> bool:
        """Whether both dice show the same number."""
        return self.high == self.low

    @property
    def numbers(self) -> tuple[Die, ...]:
        """The numbers to be played: two, or four with doubles."""
        return (self.high,) * 4 if self.is_doubles else (self.high, self.low)

    @property
    def text(self) -> str:
        """The roll as people say it: 6-4."""
        return f"{self.high}-{self.low}"

    @property
    def weight(self) -> int:
        """Number of the 36 throws that give this roll."""
        return 1 if self.is_doubles else 2


ROLLS: tuple[Roll, ...] = tuple(Roll.of(a, b) for a in range(1, 7) for b in range(1, a + 1))
GameWord: TypeAlias = Literal["hitting", "pinning", "running", "blocking"]
"""Types of game, as the setting `game_type` names them."""
Checkers: TypeAlias = tuple[int, ...]
"""One side's checkers in its own numbering: [0] borne off, [1..24] points, [25] bar (or start tray)."""
OFF = 0
BAR = 25
HOME = 6
"""The highest point of a home board, in its owner's numbering."""
CHECKERS = 15
"""Checkers of a side, unless its profile differs."""


class Problem(Flag):
    """Faults of a position, which may have several or none."""

    MINE_TOO_MANY = auto()
    MINE_TOO_FEW = auto()
    THEIRS_TOO_MANY = auto()
    THEIRS_TOO_FEW = auto()
    BOTH_ON_ONE_POINT = auto()
    BELOW_ZERO = auto()
    BOTH_WON = auto()
    NOBODY_CAN_EVER_MOVE = auto()


PROBLEM_TEXTS: Mapping[Problem, Sentence] = {
    Problem.MINE_TOO_MANY: say("the player on roll has too many checkers"),
    Problem.MINE_TOO_FEW: say("the player on roll has too few checkers"),
    Problem.THEIRS_TOO_MANY: say("the opponent has too many checkers"),
    Problem.THEIRS_TOO_FEW: say("the opponent has too few checkers"),
    Problem.BOTH_ON_ONE_POINT: say("both sides stand on one point"),
    Problem.BELOW_ZERO: say("there are fewer than no checkers somewhere"),
    Problem.BOTH_WON: say("both sides have borne off everything"),
    Problem.NOBODY_CAN_EVER_MOVE: say("both sides wait on the bar before a closed home board"),
}


@dataclass(frozen=True, slots=True)
class Position:
    """Both sides' checkers, each in its OWNER's numbering; `mine` is always the side on roll.

    My n-point is the opponent's (25 - n)-point. The constructor takes any numbers, so that it can hold a board
    that was read wrongly; `problems` names the faults. Games with other rules have subclasses (positions.py).

    Attributes:
        OPPOSITE: the opponent's number of each of my points; the places 0 and 25 have none.
        HITS: whether a checker that lands on a single opposing one hits it.
        GAME: the type of game, as the setting `game_type` names it.
    """

    mine: Checkers
    theirs: Checkers

    OPPOSITE: ClassVar[tuple[int, ...]] = tuple(25 - point for point in range(26))
    HITS: ClassVar[bool] = True
    GAME: ClassVar[GameWord] = "hitting"

    @classmethod
    def start(cls) -> "Position":
        """The usual starting position: 24:2, 13:5, 8:3, 6:5 for both sides."""
        return cls.symmetric({24: 2, 13: 5, 8: 3, 6: 5})

    @classmethod
    def at_start(cls, start: Checkers) -> Self:
        """The position at the start of a game, with these checkers for both sides."""
        return cls(start, start)

    @classmethod
    def symmetric(cls, points: Mapping[int, int]) -> "Position":
        """The position with the same checkers for both sides, given as {point: count}; 25 is the bar or tray."""
        side = checkers_on(points)
        return cls(side, side)

    @classmethod
    def of_ints(cls, ints: Sequence[int], off: Sequence[int] | None = None, checkers: int = CHECKERS) -> Self:
        """The position of the 26 signed ints of the mover's view.

        Args:
            ints: [0] minus the opponent's checkers on the bar (or in the tray), [1..24] the mover's
                points, plus for the mover's checkers and minus for the opponent's, [25] the mover's bar.
            off: borne off by [mover, opponent]; None: the rest up to `checkers`.
            checkers: number of checkers of each side.

        Raises:
            BadPositionError: these are not 26 whole numbers, or more checkers than a side has.
        """
        _check_ints(ints)
        mine = [0, *(max(n, 0) for n in ints[1:25]), ints[25]]
        theirs = [0, *(max(-ints[point], 0) for point in cls.OPPOSITE[1:25]), -ints[0]]
        mine[OFF], theirs[OFF] = (
            (checkers - sum(mine), checkers - sum(theirs)) if off is None else _checked_off(off)
        )
        for name, side in ((say("The player on roll"), mine), (say("The opponent"), theirs)):
            if side[OFF] < 0:
                count = shown(checkers - side[OFF])
                raise BadPositionError(
                    say(
                        "{name} has {count} checkers, more than {checkers}.",
                        name=name,
                        count=count,
                        checkers=checkers,
                    )
                )
        return cls(tuple(mine), tuple(theirs))

    @classmethod
    def of_shown(
        cls,
        ints: Sequence[int],
        under: Sequence[int] | None = None,
        off: Sequence[int] | None = None,
        checkers: int = CHECKERS,
    ) -> Self:
        """The position of `ints` and `under`; BadPositionError as `of_ints`, or for a pinned checker."""
        if under is not None and any(under):
            raise BadPositionError(say("No checker is pinned in this game."))
        return cls.of_ints(ints, off, checkers)

    def ints(self) -> list[int]:
        """The 26 signed ints of the mover's view; they omit borne-off checkers, and pinned ones."""
        opposing = (self.theirs[point] for point in self.OPPOSITE[1:25])
        points = (mine - theirs for mine, theirs in zip(self.mine[1:25], opposing, strict=True))
        return [-self.theirs[BAR], *points, self.mine[BAR]]

    def flipped(self) -> Self:
        """The same board as the opponent sees it."""
        return type(self)(self.theirs, self.mine)

    def with_checkers(self, mine: Checkers, theirs: Checkers) -> Self:
        """The same side's view after a change of the checkers."""
        return type(self)(mine, theirs)

    @classmethod
    def with_pins(cls, mine: Checkers, theirs: Checkers, pinned: int) -> Self:
        """The position with these checkers and pins; a game without pinning has none."""
        return cls(mine, theirs)

    def under(self) -> list[int] | None:
        """26 ints of the mover's view: 1 where a pinned checker is his, -1 where it is the opponent's; None without
        pinning."""
        return None

    @property
    def pinned(self) -> int:
        """My points on which my only checker is pinned: bit n for the n-point."""
        return 0

    @property
    def not_entered(self) -> tuple[int, int]:
        """My checkers, and the opponent's, on place 25 that were not hit, and need not enter before others move."""
        return 0, 0

    def with_not_entered(self, counts: tuple[int, int]) -> Self:
        """The position with these counts; a game in which all checkers enter before others move has none."""
        return self

    def told_not_entered(self, counts: tuple[int, int]) -> Self:
        """The position with these counts; BadPositionError if more wait than this game and place 25 allow."""
        told = self.with_not_entered(counts)
        if told.not_entered == counts:
            return told
        most = self.with_not_entered((self.mine[BAR], self.theirs[BAR])).not_entered
        if not any(most):
            raise BadPositionError(say("No checker waits here that was not hit."))
        raise BadPositionError(
            say(
                "Not entered and not hit are at most {mine} of the player on roll and {theirs} of the opponent.",
                mine=most[0],
                theirs=most[1],
            )
        )

    @property
    def must_enter(self) -> int:
        """Number of my checkers that have to enter before any other moves."""
        return self.mine[BAR] - self.not_entered[0]

    def share_unseen(self, positions: Iterable["Position"]) -> None:
        """Give positions that a play of mine may leave what their checkers alone do not say."""

    def on(self, n: int) -> tuple[int, int, int]:
        """What lies on my n-point: my checkers, opposing ones, and 1 if one of mine is pinned."""
        return self.mine[n], self.opposing(n), self.pinned >> n & 1

    def opposing(self, point: int) -> int:
        """Number of opposing checkers on my n-point."""
        return self.theirs[self.OPPOSITE[point]]

    def is_closed(self, point: int) -> bool:
        """Whether no checker of mine may land on my n-point."""
        return self.opposing(point) > 1

    def blots(self) -> set[int]:
        """My numbers of the points with a single opposing checker, which can be hit."""
        return {self.OPPOSITE[point] for point in range(1, 25) if self.theirs[point] == 1}

    def pip_count(self) -> int:
        """Pips that the side on roll still needs; a checker on the bar counts 25."""
        return sum(point * count for point, count in enumerate(self.mine))

    @property
    def is_won(self) -> bool:
        """Whether the side on roll has borne off everything."""
        return self.mine[OFF] > 0 and not any(self.mine[1:])

    def problems(self, checkers: int = CHECKERS) -> Problem:
        """All faults of this position; Problem(0) if it is possible on a board."""
        found = Problem(0)
        if min(*self.mine, *self.theirs) < 0:
            found |= Problem.BELOW_ZERO
        for side, many, few in (
            (self.mine, Problem.MINE_TOO_MANY, Problem.MINE_TOO_FEW),
            (self.theirs, Problem.THEIRS_TOO_MANY, Problem.THEIRS_TOO_FEW),
        ):
            found |= many if sum(side) > checkers else few if sum(side) < checkers else Problem(0)
        if any(self.mine[n] > 0 and self.opposing(n) > 0 for n in range(1, 25)):
            found |= Problem.BOTH_ON_ONE_POINT
        if self.is_won and self.flipped().is_won:
            found |= Problem.BOTH_WON
        if all(side.must_enter and min(side.mine[1 : HOME + 1]) >= 2 for side in (self, self.flipped())):
            found |= Problem.NOBODY_CAN_EVER_MOVE
        return found


def points_in(mask: int) -> tuple[int, ...]:
    """The points of a mask such as `pinned`: those whose bit is set."""
    return tuple(point for point in range(1, 25) if mask >> point & 1)


_set_mine, _set_theirs = vars(Position)["mine"].__set__, vars(Position)["theirs"].__set__


def positions_of(mines: Iterable[Checkers], theirs: Iterable[Checkers], before: Position) -> list[Position]:
    """Many positions that follow another, at once, from the checkers of both sides in parallel.

    A frozen dataclass guards every attribute it sets, which doubles the time of listing plays; here the
    slots are filled directly.
    """
    new, kind, set_mine, set_theirs = object.__new__, type(before), _set_mine, _set_theirs
    found = []
    for one, other in zip(mines, theirs, strict=True):
        position = new(kind)
        set_mine(position, one)
        set_theirs(position, other)
        found.append(position)
    before.share_unseen(found)
    return found


def checkers_on(points: Mapping[int, int]) -> Checkers:
    """One side's checkers from {point: count}, with 0 for borne off and 25 for the bar."""
    return tuple(points.get(place, 0) for place in range(26))


def problem_sentence(problems: Problem) -> Sentence:
    """All problems in one sentence for people; empty without any."""
    texts = tuple(PROBLEM_TEXTS[problem] for problem in problems)
    return say("This cannot stand on a board: {problems}.", problems=texts) if texts else NOTHING


def _check_ints(ints: Sequence[int]) -> None:
    """Raise BadPositionError unless these are 26 whole numbers with the bars on the right side of zero."""
    if not isinstance(ints, (list, tuple)) or len(ints) != 26:
        raise BadPositionError(say("A position is a list of 26 whole numbers."))
    if any(type(n) is not int for n in ints):
        raise BadPositionError(say("A position holds whole numbers only."))
    if ints[0] > 0:
        raise BadPositionError(
            say("The opponent’s bar is written 0 or below, not {given}.", given=shown(ints[0]))
        )
    if ints[25] < 0:
        raise BadPositionError(
            say("The mover’s bar is written 0 or above, not {given}.", given=shown(ints[25]))
        )


def _checked_off(off: Sequence[int]) -> tuple[int, int]:
    """The two borne-off counts; BadPositionError unless they are two whole numbers from 0 up."""
    if not isinstance(off, (list, tuple)) or len(off) != 2:
        raise BadPositionError(say("The borne-off checkers are a list of two whole numbers."))
    if any(type(n) is not int or n < 0 for n in off):
        raise BadPositionError(say("The borne-off checkers are two whole numbers from 0 up."))
    return off[0], off[1]


@dataclass(frozen=True, slots=True)
class Board:
    """Both sides' checkers by seat, each in its owner's numbering.

    Attributes:
        kind: the kind of position that each side sees.
        pinned: south's pinned checkers, as in `Position`; the rest of what is pinned follows.
        not_entered: south's and north's checkers that wait without having been hit.
    """

    south: Checkers
    north: Checkers
    kind: type[Position] = Position
    pinned: int = 0
    not_entered: tuple[int, int] = (0, 0)

    @classmethod
    def of(cls, side: Side, position: Position) -> "Board":
        """The board that this side sees as `position`."""
        seen = position if side is Side.SOUTH else position.flipped()
        return cls(seen.mine, seen.theirs, type(seen), seen.pinned, seen.not_entered)

    def with_checkers(self, south: Checkers, north: Checkers) -> "Board":
        """The board of the same kind with other checkers."""
        return Board.of(Side.SOUTH, self.seen_by(Side.SOUTH).with_checkers(south, north))

    def seen_by(self, side: Side) -> Position:
        """The board as this side sees it."""
        south = self.kind.with_pins(self.south, self.north, self.pinned).with_not_entered(self.not_entered)
        return south if side is Side.SOUTH else south.flipped()

    def moves_only(self, side: Side, after: "Board") -> bool:
        """Whether only checkers of this side moved from here to another board, others at most being hit."""
        theirs, left = (board.seen_by(side.other).mine[1:BAR] for board in (self, after))
        own = self.seen_by(side).mine != after.seen_by(side).mine
        return own and all(now in (was, 0) and was - now < 2 for was, now in zip(theirs, left, strict=True))
