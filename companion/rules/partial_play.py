"""A play in the making: the numbers that are left, the moves that may come next, and why one is refused.

The searches of companion/rules/plays.py list whole plays; here a play is followed move by move. Both use the same rule
of moving (`moves.movable`), and the tests compare them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from companion.errors import IllegalPlayError
from companion.rules.board import BAR, HOME, OFF, Position, Roll
from companion.rules.moves import (
    Packed,
    Play,
    Ways,
    movable,
    pack,
    places,
    play_of,
    unpack,
    ways,
)
from companion.rules.notation import write_play
from companion.rules.options import Doublets, UseOfNumbers
from companion.rules.plays import bear_off_rules, times_played
from companion.rules.profile import Profile
from sentence import Sentence, say


class Line(NamedTuple):
    """One reading of the moves made so far: where they led, and the numbers they leave to be played.

    Bearing off can have used one number or another, so a half-made play can have several readings.
    """

    packed: Packed
    left: tuple[int, ...]


class Step(NamedTuple):
    """A move that may come next in a line: its number and source, and the line it leads to."""

    number: int
    source: int
    line: Line

    @property
    def target(self) -> int:
        """Where the checker comes to stand."""
        return max(OFF, self.source - self.number)


@dataclass(frozen=True)
class Spending:
    """One roll to be spent from one position under one profile's rules."""

    profile: Profile
    position: Position
    roll: Roll
    doublets: int = 0

    @cached_property
    def start(self) -> Line:
        """Nothing played yet; the numbers in the order of the rules, the optional bottom numbers last."""
        times = times_played(self.profile, self.doublets)
        if not self.roll.is_doubles:
            numbers: tuple[int, ...] = tuple(self.roll)
        elif self.has_bottom:
            numbers = (self.roll.high,) * times + (7 - self.roll.high,) * times
        else:
            numbers = self.roll.numbers
        return Line(pack(self.position.mine), numbers)

    @property
    def has_bottom(self) -> bool:
        """The roll is a doublet whose bottom numbers count."""
        return self.roll.is_doubles and self.profile.doublets is Doublets.TOP_AND_BOTTOM

    @property
    def is_lower_first(self) -> bool:
        """The roll has two numbers of which the lower comes first."""
        return not self.roll.is_doubles and self.profile.use_of_numbers is UseOfNumbers.LOWER_FIRST

    @cached_property
    def ways(self) -> dict[int, Ways]:
        """What each number of the roll could do on this board."""
        where = places(self.position.mine, self.start.left)
        rules = bear_off_rules(self.profile)
        return {number: ways(number, self.position.theirs, where, rules) for number in set(self.start.left)}

    def steps(self, line: Line) -> list[Step]:
        """The moves that may come next so that the whole can still become a legal play."""
        most = self.most(line)
        found = []
        for number in self.in_order(line):
            if self.is_lone_lower(line, number, most):
                continue
            optional = self.is_optional(number)
            for step in self.single(line, number):
                if optional or self.most(step.line) == most - 1:
                    found.append(step)
        return found

    def single(self, line: Line, number: int) -> Iterator[Step]:
        """Every move by one number that the rules of moving allow, whatever becomes of the rest."""
        at = line.left.index(number)
        left = line.left[:at] + line.left[at + 1 :]
        for source, step, hit in movable(line.packed, self.ways[number]):
            yield Step(number, source, Line(line.packed + step | hit, left))

    def in_order(self, line: Line) -> list[int]:
        """The numbers whose turn it can be now, as far as the order of the numbers goes."""
        if self.is_lower_first:
            # A higher number does not wait while checkers have to enter (rules 2 and 4).
            enters = bool(line.packed >> 8 * BAR & 255)
            return sorted(line.left) if enters else sorted(line.left)[:1]
        if self.has_bottom:
            return self._top_or_bottom(line)
        return list(dict.fromkeys(line.left))

    def _top_or_bottom(self, line: Line) -> list[int]:
        """Top numbers as long as one can be played, then bottom numbers if a top number was (rule 6)."""
        top, bottom = self.roll.high, 7 - self.roll.high
        if self.most(line):
            return [top]
        played_top = line.left.count(top) < self.start.left.count(top)
        return [bottom] if played_top and bottom in line.left else []

    def is_optional(self, number: int) -> bool:
        """The number need not be played, even if it can be."""
        return self.has_bottom and number != self.roll.high

    def is_lone_lower(self, line: Line, number: int, most: int) -> bool:
        """Only one of the two numbers can be played, and this is the lower while the higher could be."""
        return (
            most == 1
            and number == self.roll.low
            and len(line.left) == 2
            and not self.roll.is_doubles
            and not self.is_lower_first
            and bool(movable(line.packed, self.ways[self.roll.high]))
        )

    def most(self, line: Line) -> int:
        """How many of the numbers that must be played, if they can be, still can be."""
        if self._bottom_begun(line):
            return 0
        compulsory = [number for number in line.left if not self.is_optional(number)]
        return self._most(Line(line.packed, tuple(compulsory)), BAR)

    def _bottom_begun(self, line: Line) -> bool:
        """A bottom number has been played, after which no top number may follow."""
        bottom = 7 - self.roll.high
        return self.has_bottom and line.left.count(bottom) < self.start.left.count(bottom)

    def _most(self, line: Line, last: int) -> int:
        """The same, every compulsory number counted; equal numbers are tried from the highest place down."""
        if not line.left:
            return 0
        same = len(set(line.left)) == 1 and not self.profile.forced_bear_off
        numbers = line.left[:1] if self.has_bottom else self.in_order(line)
        most = 0
        for number in numbers:
            for step in self.single(line, number):
                if same and step.source > last:
                    continue
                most = max(most, 1 + self._most(step.line, step.source if same else BAR))
                if most == len(line.left):
                    return most
        return most


class Why(Enum):
    """Why a move is refused, as a template for the player; {number} and {other} are numbers of the roll."""

    ALL_PLAYED = say("The whole roll has been played.")
    NO_CHECKER = say("You have no checker there.")
    ENTER_FIRST = say("You must enter from the bar first.")
    TRAY_FIRST = say("You must bring in the checkers from the tray first.")
    BACKWARDS = say("Checkers move from higher points to lower ones.")
    NO_SUCH_NUMBER = say("There is no {number} in this roll.")
    NUMBER_PLAYED = say("The {number} has been played already.")
    POINT_HELD = say("The opponent holds that point.")
    WAY_HELD = say("The opponent holds the points on the way.")
    NOT_ALL_HOME = say("You may bear off only when all your checkers are at home.")
    HIGHEST_FIRST = say("With a {number} you bear off from your highest point first.")
    MUST_BEAR_OFF = say("With this {number} a checker must be borne off.")
    LOWER_FIRST = say("The lower number comes first: the {other}.")
    LOWER_BLOCKED = say("The {other} cannot be played, so the {number} may not be played either.")
    TOP_FIRST = say("The top number comes first: a {other} can still be played.")
    TOP_IS_OVER = say("After a bottom number no top number may follow.")
    NO_TOP_PLAYED = say("No {other} could be played, so no {number} may be played either.")
    MUST_BE_HIGHER = say("Only one of the two numbers can be played, and it must be the {other}.")
    OTHER_LOST = say("With this {number} the {other} could no longer be played.")
    FEWER = say("After this move fewer of the numbers could be played than possible.")
    NOTHING_PLAYABLE = say("Nothing can be played with this roll.")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A verdict on a move that may not be made: why, with the numbers that the sentence names."""

    why: Why
    number: int = 0
    other: int = 0

    @property
    def sentence(self) -> Sentence:
        """The reason with the numbers that it names."""
        return self.why.value.filled(number=self.number, other=self.other)


class NextMove(NamedTuple):
    """A move that may come next, and the number it uses (the lowest that does, when bearing off)."""

    source: int
    target: int
    number: int
    hits: bool


@dataclass(frozen=True)
class Making:
    """A play that is being made with one roll: what has been moved, and what may follow.

    Attributes:
        profile: the rules.
        position: where the play began, as the mover sees it.
        roll: what was thrown.
        doublets: the mover's doublets in this game before this roll (only the entry game asks).
        made: the moves so far; every one of them was allowed when it was made.
    """

    profile: Profile
    position: Position
    roll: Roll
    doublets: int = 0
    made: Play = ()

    @classmethod
    def of_moves(
        cls,
        profile: Profile,
        position: Position,
        roll: Roll,
        moves: Iterable[tuple[int, int]],
        doublets: int = 0,
    ) -> "Making":
        """A play after these (source, target) moves; a step of several numbers by one checker is taken apart.

        Raises:
            IllegalPlayError: one of them is refused; the text says why.
        """
        making = cls(profile, position, roll, doublets)
        for source, target in moves:
            making = making.with_move(source, target)
        return making

    @cached_property
    def spending(self) -> Spending:
        """The roll and how it may be spent."""
        return Spending(self.profile, self.position, self.roll, self.doublets)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Every reading of the moves made so far that can still become a legal play."""
        lines = {self.spending.start}
        for move in self.made:
            lines = {
                step.line
                for line in lines
                for step in self.spending.steps(line)
                if step.source == move.source and step.target == move.target
            }
        return tuple(lines)

    @cached_property
    def now(self) -> Position:
        """Where the checkers stand after the moves made so far."""
        return unpack([self.lines[0].packed], self.position.theirs)[0]

    @cached_property
    def next(self) -> tuple[NextMove, ...]:
        """The moves that may come next so that the whole remains legal, from the highest checker down."""
        lowest: dict[tuple[int, int], int] = {}
        for line in self.lines:
            for step in self.spending.steps(line):
                key = step.source, step.target
                lowest[key] = min(step.number, lowest.get(key, step.number))
        return tuple(
            NextMove(source, target, lowest[source, target], self._hits(target))
            for source, target in sorted(lowest, reverse=True)
        )

    @property
    def is_complete(self) -> bool:
        """What has been made is a whole legal play; in the entry game more may be allowed all the same."""
        return any(self.spending.most(line) == 0 for line in self.lines)

    @property
    def is_over(self) -> bool:
        """It is complete and nothing more may be played."""
        return self.is_complete and not self.next

    @property
    def text(self) -> str:
        """The moves so far in our notation."""
        return write_play(self.made)

    def with_move(self, source: int, target: int) -> "Making":
        """The play with one more move, or with several of one checker that lead from source to target.

        Raises:
            IllegalPlayError: it is refused; the text says why.
        """
        onward = next(self._onward(source, target), None)
        if onward is None:
            raise IllegalPlayError(self._reason(source, target).sentence)
        steps = [(move.source, move.source - move.target) for move in self.made]
        steps += [(move.source, move.source - move.target) for move in onward]
        return replace(self, made=play_of(steps, self.position.theirs))

    def without_last(self) -> "Making":
        """The play with its last move taken back; unchanged when there is none."""
        return replace(self, made=self.made[:-1])

    def refusal(self, source: int, target: int) -> Refusal | None:
        """Why a move (or several of one checker) may not come next; None when it may."""
        allowed = next(self._onward(source, target), None) is not None
        return None if allowed else self._reason(source, target)

    def _reason(self, source: int, target: int) -> Refusal:
        """The plainest reason against a move that is not allowed."""
        return next(_reasons(self, source, target), Refusal(Why.FEWER))

    def _onward(self, source: int, target: int) -> Iterator[tuple[NextMove, ...]]:
        """The sequences of allowed moves by which one checker gets from source to target, short ones first."""
        for move in self.next:
            if (move.source, move.target) == (source, target):
                yield (move,)
        for move in self.next:
            if move.source == source and target < move.target:
                further = self.with_move(move.source, move.target)
                yield from ((move, *rest) for rest in further._onward(move.target, target))

    def _hits(self, point: int) -> bool:
        """An opposing blot stands on the mover's point now."""
        return point > OFF and self.now.theirs[25 - point] == 1


def _reasons(making: Making, source: int, target: int) -> Iterator[Refusal]:
    """What speaks against a move, the plainest reason first."""
    spending, now = making.spending, making.now
    if making.made and not making.next:
        yield Refusal(Why.ALL_PLAYED)
    if not 1 <= source <= BAR or not now.mine[source]:
        yield Refusal(Why.NO_CHECKER)
    if now.mine[BAR] and source != BAR:
        yield Refusal(Why.TRAY_FIRST if making.profile.start[BAR] else Why.ENTER_FIRST)
    if not OFF <= target < source:
        yield Refusal(Why.BACKWARDS)
    if target > OFF and now.theirs[25 - target] > 1:
        yield Refusal(Why.POINT_HELD)
    if target == OFF and any(now.mine[HOME + 1 :]):
        yield Refusal(Why.NOT_ALL_HOME)
    number = _number_meant(making, source, target)
    if number is None:
        yield _no_such_number(making, source - target)
    else:
        for line in making.lines:
            if number in line.left:
                yield from _reasons_of_rules(spending, line, source, number)


def _number_meant(making: Making, source: int, target: int) -> int | None:
    """The number left in the roll that such a move would use; None: there is none."""
    left = sorted({number for line in making.lines for number in line.left})
    fitting = [n for n in left if n == source - target or (target == OFF and n > source)]
    return fitting[0] if fitting else None


def _no_such_number(making: Making, distance: int) -> Refusal:
    """Why a distance cannot be moved: it is no number of the roll, or its number or its way is closed."""
    everything = making.spending.start.left
    if distance in everything:
        return Refusal(Why.NUMBER_PLAYED, distance)
    sums = {sum(line.left[:n]) for line in making.lines for n in range(2, len(line.left) + 1)}
    return Refusal(Why.WAY_HELD) if distance in sums else Refusal(Why.NO_SUCH_NUMBER, distance)


def _reasons_of_rules(spending: Spending, line: Line, source: int, number: int) -> Iterator[Refusal]:
    """What the rules of bearing off, of the order and of the whole roll have against moving by this number."""
    others = [other for other in line.left if other != number]
    other = others[0] if others else number
    step = next((one for one in spending.single(line, number) if one.source == source), None)
    if step is None:
        forced = spending.profile.forced_bear_off and source > number
        yield Refusal(Why.MUST_BEAR_OFF if forced else Why.HIGHEST_FIRST, number)
        return
    if number not in spending.in_order(line):
        yield _out_of_order(spending, line, number, other)
    most = spending.most(line)
    if spending.is_lone_lower(line, number, most):
        yield Refusal(Why.MUST_BE_HIGHER, number, spending.roll.high)
    if others and most == len(line.left) and not spending.roll.is_doubles:
        yield Refusal(Why.OTHER_LOST, number, other)
    yield Refusal(Why.FEWER, number, other)


def _out_of_order(spending: Spending, line: Line, number: int, other: int) -> Refusal:
    """Why it is not this number's turn."""
    if spending.is_lower_first:
        can = movable(line.packed, spending.ways[other])
        return Refusal(Why.LOWER_FIRST if can else Why.LOWER_BLOCKED, number, other)
    if number == spending.roll.high:
        return Refusal(Why.TOP_IS_OVER, number)
    can_top = spending.most(line) > 0
    return Refusal(Why.TOP_FIRST if can_top else Why.NO_TOP_PLAYED, number, spending.roll.high)
