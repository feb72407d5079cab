"""A play in the making: the numbers left, the moves that may come next, and the reason for a refusal.

The searches of companion/rules/plays.py list whole plays; this module follows a play move by move. Both use the same
rule of moving (`moves.movable`), and the tests compare them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from companion.errors import IllegalPlayError
from companion.rules.board import BAR, HOME, OFF, Position, Roll
from companion.rules.family.limits import HEAD, opening_of
from companion.rules.moves import (
    DOUBLET_TIMES,
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
from companion.rules.plays import doublet_times, moving_rules, plays_for
from companion.rules.profile import Profile
from companion.rules.setting_values import BearOffWithMore, Doublets, Entering, LeavingStart, UseOfNumbers
from sentence import Sentence, say


class Line(NamedTuple):
    """One reading of the moves made so far: the position after them, and the numbers left to play.

    Bearing off can have used one number or another, so a half-made play can have several readings.
    """

    packed: Packed
    left: tuple[int, ...]


class Step(NamedTuple):
    """A possible next move in a line: its number and source, and the line after it."""

    number: int
    source: int
    line: Line

    @property
    def target(self) -> int:
        """Place where the checker stops."""
        return max(OFF, self.source - self.number)


@dataclass(frozen=True)
class RollUse:
    """The use of one roll's numbers from one position under one profile's rules.

    `doublets` and `times` are as in `plays_for`.
    """

    profile: Profile
    position: Position
    roll: Roll
    doublets: int = 0
    times: int = DOUBLET_TIMES

    @cached_property
    def start(self) -> Line:
        """The line before any move; numbers in the order of the rules, the optional bottom numbers last."""
        numbers: tuple[int, ...] = self.roll.numbers[: self.times]
        if self.bottom:
            times = doublet_times(self.doublets)
            numbers = (self.roll.high,) * times + (self.bottom,) * times
        return Line(pack(self.position.mine), numbers)

    @cached_property
    def bottom(self) -> int:
        """The bottom number of a doublet by top and bottom, which need not be played (row S5); 0 for other rolls."""
        has_bottom = self.roll.is_doubles and self.profile.doublets is Doublets.TOP_AND_BOTTOM
        return 7 - self.roll.high if has_bottom else 0

    @property
    def goes_on(self) -> bool:
        """Whether the turn may go on after the roll: all its numbers can be played, or need not be.

        docs/rules/family.md, row F23.
        """
        return not self.profile.unplayed_ends_turn or self.most(self.start) == len(self.start.left)

    @property
    def is_lower_first(self) -> bool:
        """Whether the roll has two numbers and the lower comes first."""
        return not self.roll.is_doubles and self.profile.use_of_numbers is UseOfNumbers.LOWER_FIRST

    @cached_property
    def ways(self) -> dict[int, Ways]:
        """Possible moves of each number of the roll on this board."""
        where = places(self.position.mine, self.start.left)
        rules = moving_rules(self.profile, self.position, self.roll)
        return {number: ways(number, self.position, where, rules) for number in set(self.start.left)}

    @cached_property
    def opens(self) -> Callable[[Packed], bool] | None:
        """Whether a result opens a prime, where the play has to and can; None where it need not."""
        opens = opening_of(self.profile, self.position)
        if opens is None:
            return None
        plays = plays_for(self.profile, self.position, self.roll, times=self.times)
        return opens if opens(pack(next(iter(plays)).mine)) else None

    def steps(self, line: Line) -> list[Step]:
        """The next moves after which the whole can still become a legal play."""
        onward = self._steps(line)
        return [step for step in onward if self.can_open(step.line)] if self.opens else onward

    def _steps(self, line: Line) -> list[Step]:
        """The same without the duty to open a prime."""
        most = self.most(line)
        return [
            step
            for number in self.in_order(line)
            if not self.is_lone_lower(line, number, most)
            for step in self.single(line, number)
            if number == self.bottom or self.most(step.line) == most - 1
        ]

    def can_open(self, line: Line) -> bool:
        """Whether the play can still end with the prime opened."""
        onward = self._steps(line)
        if not onward:
            return self.opens is None or self.opens(line.packed)
        return any(self.can_open(step.line) for step in onward)

    def single(self, line: Line, number: int) -> Iterator[Step]:
        """Every move by one number that the rules of moving allow, whatever the remaining numbers."""
        at = line.left.index(number)
        left = line.left[:at] + line.left[at + 1 :]
        for source, step, hit in movable(line.packed, self.ways[number]):
            yield Step(number, source, Line(line.packed + step | hit, left))

    def in_order(self, line: Line) -> list[int]:
        """The numbers that the order of the numbers allows now.

        Row S6: top numbers as long as one can be played, then bottom numbers if a top number was.
        """
        if self.is_lower_first:
            # The higher number need not wait while checkers have to enter (rows S2 and S4).
            enters = bool(line.packed >> 8 * BAR & 255)
            return sorted(line.left) if enters else sorted(line.left)[:1]
        if not self.bottom:
            return list(dict.fromkeys(line.left))
        if self.most(line):
            return [self.roll.high]
        return [self.bottom] if self._played(line, self.roll.high) and self.bottom in line.left else []

    def is_lone_lower(self, line: Line, number: int, most: int) -> bool:
        """Whether only one of the two numbers can be played, and this is the lower while the higher could be."""
        return (
            most == 1
            and number == self.roll.low
            and len(line.left) == 2
            and not self.roll.is_doubles
            and not self.is_lower_first
            and bool(movable(line.packed, self.ways[self.roll.high]))
        )

    def most(self, line: Line) -> int:
        """The most compulsory numbers that can still be played; none after a bottom number."""
        if self._played(line, self.bottom):
            return 0
        compulsory = tuple(number for number in line.left if number != self.bottom)
        return self._most(Line(line.packed, compulsory), BAR)

    def _played(self, line: Line, number: int) -> bool:
        return line.left.count(number) < self.start.left.count(number)

    def _most(self, line: Line, last: int) -> int:
        """The same if every number left is compulsory; equal numbers are tried from the highest place down."""
        if not line.left:
            return 0
        same = len(set(line.left)) == 1 and not self.ways[line.left[0]].rules.in_order
        numbers = line.left[:1] if self.bottom else self.in_order(line)
        most = 0
        for number in numbers:
            for step in self.single(line, number):
                if same and step.source > last:
                    continue
                most = max(most, 1 + self._most(step.line, step.source if same else BAR))
                if most == len(line.left):
                    return most
        return most


class RefusalReason(Enum):
    """Reasons for refusing a move, as sentences; {number} and {other} are numbers of the roll.

    Both players and the director read them in a dispute, so that none speaks to one of them.
    """

    ALL_PLAYED = say("The whole roll has been played.")
    NO_CHECKER = say("There is no checker to move there.")
    ENTER_FIRST = say("A checker on the bar must enter first.")
    TRAY_FIRST = say("The checkers in the tray must be brought in first.")
    BACKWARDS = say("Checkers move from higher points to lower ones.")
    NO_SUCH_NUMBER = say("There is no {number} in this roll.")
    NUMBER_PLAYED = say("The {number} has been played already.")
    PINNED = say("This checker is pinned: it cannot move while an opposing checker is on it.")
    MOTHER = say(
        "The mother (μάνα) is pinned and cannot move; the game goes on while the opponent has checkers on his own "
        "start."
    )
    FIRST_CHECKER = say("The first checker must pass the opponent’s start before any other moves.")
    ONE_FROM_HEAD = say("Only one checker may leave the head (голова) in a turn.")
    FORBIDDEN_PRIME = say("This would block points that must stay open.")
    OPEN_PRIME = say("All the opponent’s checkers are behind the prime: it must be opened.")
    POINT_HELD = say("The opponent holds that point.")
    WAY_HELD = say("The opponent holds the points on the way.")
    NOT_ALL_HOME = say("Checkers are borne off only when all of them are at home.")
    HIGHEST_FIRST = say("With a {number} the checker on the highest point is borne off first.")
    EXACT = say("Bearing off needs the exact number.")
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
    """The verdict on a refused move: the reason, with the numbers that its sentence names."""

    why: RefusalReason
    number: int = 0
    other: int = 0

    @property
    def sentence(self) -> Sentence:
        """The reason with the numbers that it names."""
        return self.why.value.filled(number=self.number, other=self.other)


class NextMove(NamedTuple):
    """A possible next move, and the number it uses (the lowest that fits, when bearing off)."""

    source: int
    target: int
    number: int
    hits: bool


@dataclass(frozen=True)
class PartialPlay:
    """A half-made play: one roll, the moves so far, each allowed when it was made, and the moves that may follow."""

    roll_use: RollUse
    made: Play = ()

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Every reading of the moves so far that can still become a legal play."""
        lines = {self.roll_use.start}
        for move in self.made:
            lines = {
                step.line
                for line in lines
                for step in self.roll_use.steps(line)
                if step.source == move.source and step.target == move.target
            }
        return tuple(lines)

    @cached_property
    def now(self) -> Position:
        """The position after the moves so far."""
        return unpack([self.lines[0].packed], self.roll_use.position)[0]

    @cached_property
    def next(self) -> tuple[NextMove, ...]:
        """The next moves after which the whole remains legal, from the highest checker down."""
        lowest: dict[tuple[int, int], int] = {}
        for line in self.lines:
            for step in self.roll_use.steps(line):
                key = step.source, step.target
                lowest[key] = min(step.number, lowest.get(key, step.number))
        blots = self.now.blots()
        return tuple(
            NextMove(source, target, lowest[source, target], target in blots)
            for source, target in sorted(lowest, reverse=True)
        )

    @property
    def is_complete(self) -> bool:
        """Whether the moves are a whole legal play; in the entry game more may still be allowed."""
        return any(self.roll_use.most(line) == 0 for line in self.lines)

    @property
    def is_over(self) -> bool:
        """Whether the play is complete and nothing more may be played."""
        return self.is_complete and not self.next

    def with_move(self, source: int, target: int) -> "PartialPlay":
        """The play with one more move, or with several of one checker from source to target.

        Raises:
            IllegalPlayError: it is refused; the text gives the reason.
        """
        onward = next(self._onward(source, target), None)
        if onward is None:
            raise IllegalPlayError(next(_reasons(self, source, target)).sentence)
        steps = [(source, source - target) for source, target, *_ in (*self.made, *onward)]
        return replace(self, made=play_of(steps, self.roll_use.position))

    def refusal(self, source: int, target: int) -> Refusal | None:
        """The reason against a next move (or several of one checker), None if it is allowed."""
        allowed = next(self._onward(source, target), None) is not None
        return None if allowed else next(_reasons(self, source, target))

    def _onward(self, source: int, target: int) -> Iterator[tuple[NextMove, ...]]:
        """Sequences of allowed moves of one checker from source to target, short ones first."""
        for move in self.next:
            if (move.source, move.target) == (source, target):
                yield (move,)
        for move in self.next:
            if move.source == source and target < move.target:
                further = self.with_move(move.source, move.target)
                yield from ((move, *rest) for rest in further._onward(move.target, target))


def _reasons(partial: PartialPlay, source: int, target: int) -> Iterator[Refusal]:
    """Reasons against a move that is not allowed, at least one, the plainest first."""
    roll_use, now = partial.roll_use, partial.now
    if partial.made and not partial.next:
        yield Refusal(RefusalReason.ALL_PLAYED)
    if not 1 <= source <= BAR or not now.mine[source]:
        yield Refusal(RefusalReason.NO_CHECKER)
    if now.must_enter and source != BAR:
        is_tray = roll_use.profile.start[BAR] and roll_use.profile.entering is Entering.BEFORE_MOVING
        yield Refusal(RefusalReason.TRAY_FIRST if is_tray else RefusalReason.ENTER_FIRST)
    if not OFF <= target < source:
        yield Refusal(RefusalReason.BACKWARDS)
    if now.pinned >> source & 1:
        yield Refusal(RefusalReason.PINNED)
    if target > OFF and now.is_closed(target):
        yield Refusal(RefusalReason.POINT_HELD)
    if target == OFF and any(now.mine[HOME + 1 :]):
        yield Refusal(RefusalReason.NOT_ALL_HOME)
    left = {number for line in partial.lines for number in line.left}
    fitting = [n for n in left if n == source - target or (target == OFF and n > source)]
    if not fitting:
        yield _no_such_number(partial, source - target)
    for line in partial.lines:
        if fitting and min(fitting) in line.left:
            yield from _reasons_of_rules(roll_use, line, source, min(fitting))


def _no_such_number(partial: PartialPlay, distance: int) -> Refusal:
    """The reason against a distance: it is no number of the roll, its number is played, or its way is blocked."""
    if distance in partial.roll_use.start.left:
        return Refusal(RefusalReason.NUMBER_PLAYED, distance)
    sums = {sum(line.left[:n]) for line in partial.lines for n in range(2, len(line.left) + 1)}
    return Refusal(RefusalReason.WAY_HELD if distance in sums else RefusalReason.NO_SUCH_NUMBER, distance)


def _reasons_of_rules(roll_use: RollUse, line: Line, source: int, number: int) -> Iterator[Refusal]:
    """Reasons against moving by this number: rules of bearing off, of the order, and of the whole roll."""
    other = next((other for other in line.left if other != number), number)
    step = next((one for one in roll_use.single(line, number) if one.source == source), None)
    if step is None and is_limited(roll_use, line, source, number):
        yield Refusal(limit_reason(roll_use, source, line))
        return
    if step is None:
        yield Refusal(_why_not_off(roll_use.profile, source, number), number)
        return
    if number not in roll_use.in_order(line):
        yield _out_of_order(roll_use, line, number, other)
    most = roll_use.most(line)
    if roll_use.is_lone_lower(line, number, most):
        yield Refusal(RefusalReason.MUST_BE_HIGHER, number, roll_use.roll.high)
    if roll_use.opens and step in roll_use._steps(line):
        yield Refusal(RefusalReason.OPEN_PRIME)
    if other != number and most == len(line.left) and not roll_use.roll.is_doubles:
        yield Refusal(RefusalReason.OTHER_LOST, number, other)
    yield Refusal(RefusalReason.FEWER, number, other)


def _why_not_off(profile: Profile, source: int, number: int) -> RefusalReason:
    """The rule of bearing off against a move by this number."""
    if profile.forced_bear_off and source > number:
        return RefusalReason.MUST_BEAR_OFF
    is_exact = profile.bear_off_with_more is BearOffWithMore.NONE
    return RefusalReason.EXACT if is_exact else RefusalReason.HIGHEST_FIRST


def is_limited(roll_use: RollUse, line: Line, source: int, number: int) -> bool:
    """Whether only a further rule of the game forbids the move."""
    free = roll_use.ways[number]._replace(rules=replace(roll_use.ways[number].rules, limit=None))
    return any(way[0] == source for way in movable(line.packed, free))


def limit_reason(roll_use: RollUse, source: int, line: Line) -> RefusalReason:
    """The reason why a further rule of the game forbids a move from this place."""
    mine = line.packed.to_bytes(30, "little")
    leaving = roll_use.profile.leaving_start
    if leaving is LeavingStart.FIRST_CHECKER_PASSES and not any(mine[:12]):
        return RefusalReason.FIRST_CHECKER
    if leaving is LeavingStart.ONE_A_TURN and source == HEAD:
        return RefusalReason.ONE_FROM_HEAD
    return RefusalReason.FORBIDDEN_PRIME


def _out_of_order(roll_use: RollUse, line: Line, number: int, other: int) -> Refusal:
    """The reason why the order of the numbers excludes this one."""
    if roll_use.is_lower_first:
        can = movable(line.packed, roll_use.ways[other])
        return Refusal(RefusalReason.LOWER_FIRST if can else RefusalReason.LOWER_BLOCKED, number, other)
    if number == roll_use.roll.high:
        return Refusal(RefusalReason.TOP_IS_OVER, number)
    why = RefusalReason.TOP_FIRST if roll_use.most(line) else RefusalReason.NO_TOP_PLAYED
    return Refusal(why, number, roll_use.roll.high)
