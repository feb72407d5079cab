"""The plays that a search has found, and the parts that every search is made of."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from companion.rules.moves import (
    Packed,
    Play,
    Ways,
    after_each_below,
    movable,
    pack,
    pack_after,
    play_of,
    unpack,
)
from companion.rules.position import BAR, OFF, Checkers, Position

Steps: TypeAlias = list[tuple[int, int]]
"""The (source, number) of each move of a play, in the order in which they can be made."""


class Plays(Mapping[Position, Play]):
    """The legal plays of one roll: {the position that a play leaves: the play}, not flipped.

    A roll with which nothing can be played holds one play, the dance: {position: ()}. So it is never empty,
    and «may they leave this?» is always `after in plays`. Positions and plays are made when asked for.

    Attributes:
        position: where the play begins.
        numbers_used: how many numbers every legal play uses; 0 is a dance.
    """

    __slots__ = ("_found", "_positions", "_spell", "numbers_used", "position")

    def __init__(
        self, position: Position, found: Collection[Packed], used: int, spell: Callable[[Packed], Steps]
    ) -> None:
        self.position = position
        self.numbers_used = used
        self._found = found
        self._spell = spell
        self._positions: list[Position] | None = None

    def __len__(self) -> int:
        return len(self._all())

    def __iter__(self) -> Iterator[Position]:
        if self._positions is None:
            self._positions = unpack(self._all(), self.position.theirs)
        return iter(self._positions)

    def __contains__(self, after: object) -> bool:
        if not isinstance(after, Position):
            return False
        packed = pack_after(self.position, after)
        return packed is not None and self._holds(packed)

    def __getitem__(self, after: Position) -> Play:
        packed = pack_after(self.position, after)
        if packed is None or not self._holds(packed):
            raise KeyError(after)
        return play_of(self._spell(packed), self.position.theirs)

    def _all(self) -> Collection[Packed]:
        return self._found

    def _holds(self, packed: Packed) -> bool:
        return packed in self._found

    @property
    def is_dance(self) -> bool:
        """Nothing can be played."""
        return not self.numbers_used


def listed(position: Position, found: Collection[Packed], orders: Sequence[tuple[Ways, ...]]) -> Plays:
    """Plays that were found by playing the numbers in one of these orders; nothing found is a dance."""
    if not found:
        return Plays(position, [pack(position.mine)], 0, lambda packed: [])
    return Plays(position, found, len(orders[0]), lambda packed: _steps_to(packed, position, orders))


def _steps_to(packed: Packed, position: Position, orders: Sequence[tuple[Ways, ...]]) -> Steps:
    """How a position that was found is reached, higher sources first where that makes no difference."""
    start = pack(position.mine)
    paths = [path for order in orders for path in _paths(start, packed, order)]
    any_order = len(orders) > 1 and not orders[0][0].rules.forced
    return sorted(paths[0], reverse=True) if any_order else paths[0]


def _paths(before: Packed, after: Packed, to_play: tuple[Ways, ...]) -> Iterator[Steps]:
    """Every way from one position to the other that uses these numbers in this order."""
    if not to_play:
        if before == after:
            yield []
        return
    for source, step, hit in movable(before, to_play[0]):
        for rest in _paths(before + step | hit, after, to_play[1:]):
            yield [(source, to_play[0].number), *rest]


def one_number(start: Packed, ways: Ways, times: int) -> list[list[Packed]]:
    """What can be reached by one number: [start], after one move, after two, as far as it can be played.

    Each position comes once, because the moves are made from the highest place down: which checkers moved
    can be read off the position, and in that order they can always be made.
    """
    levels = [[start]]
    reached = [(start, BAR)]
    while len(levels) <= times:
        reached = [after for one, last in reached for after in after_each_below(one, ways, last)]
        if not reached:
            break
        levels.append([one for one, _ in reached])
    return levels


def steps_of_one_number(mine: Checkers, packed: Packed, number: int) -> Steps:
    """Which checkers moved by one number, from the highest place down.

    Whatever has left a place, more than it came with, was moved from there.
    """
    left = packed.to_bytes(30, "little")
    moved = [0] * (BAR + 1 + number)
    for place in range(BAR, OFF, -1):
        moved[place] = mine[place] + moved[place + number] - left[place]
    return [(place, number) for place in range(BAR, OFF, -1) for _ in range(moved[place])]
