"""How a roll may be spent, move by move: which numbers are left, and which of them may come next.

The searches of companion/rules/plays.py list whole plays; here a play is followed as it is made. Both stand on
the same rule of moving (`moves.movable`), and the tests hold them against each other.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from companion.rules.dice import Roll
from companion.rules.moves import Packed, Ways, movable, pack, places, ways
from companion.rules.options import Doublets, UseOfNumbers
from companion.rules.plays import bear_off_rules, times_played
from companion.rules.position import BAR, OFF, Position
from companion.rules.profile import Profile


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
