"""The likeliest positions of a view without regard to the roll, each side with all its checkers.

A search goes from place to place and keeps the best few assignments for each number of checkers used so far: dynamic
programming with k best.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from heapq import nlargest
from typing import TypeAlias

from companion.inference.views import HEAP, MOST, MoverView
from companion.rules.board import BAR, HOME, OFF, Position

EACH_CHECKER = -3.0
"""For each checker that an illegal play moves, in nats: there are about twenty places for it."""
EARLY_OFF = -6.0
"""For each checker that would be borne off although others are left that are not home: it is more likely hidden."""
HIDDEN_IN_HEAP = -16.0
"""The same where the side has a heap, in which one more hardly shows: no reading of a heap makes up for this alone."""
MOST_OFF = 4
"""Most checkers borne off in a turn."""
TRIED = 5
"""Numbers of checkers tried on a point, the likeliest."""
KEPT = 4
"""Positions kept at each state of the search; legal ones and the one before are left out afterwards."""
MISFIT = 14.0
"""A position fits if the reading is no more surprising than this, in nats: two points read wrongly with certainty."""


_Path: TypeAlias = tuple[float, tuple[int, ...], int]
"""A partial assignment: its weight, the mover's checkers from the bar down, and the bits of the blots hit."""


@lru_cache(maxsize=256)
def likely_positions(view: MoverView, before: Position) -> list[tuple[Position, float]]:
    """Likely positions after any movement of the mover's checkers, each with its prior, which counts the movement.

    The opponent's checkers stay, except that a blot may be hit. What is not on a point or the bar was borne off.
    """
    mine, waiting = before.mine, before.not_entered[0]
    total = sum(mine[1:])
    states: dict[int, list[_Path]] = {
        count: [(view.on_bar(count, min(count, waiting)) + EACH_CHECKER * (mine[BAR] - count), (count,), 0)]
        for count in range(mine[BAR] + 1)
    }
    for n in range(24, 0, -1):
        states = _extended(states, nlargest(TRIED, _options(view, n, before)), total)
    found = [
        (path, _off_early(path[1], mine) * (total - used), total - used)
        for used, paths in states.items()
        if total - used <= MOST_OFF
        for path in paths
    ]
    best = nlargest(KEPT, found, key=lambda one: one[0][0] + one[1] + view.my_off[mine[OFF] + one[2]])
    positions = [(_position(before, path, borne_off), early) for path, early, borne_off in best]
    return [(after, early + moving(before, after)) for after, early in positions]


def _off_early(left: Sequence[int], before: Sequence[int]) -> float:
    """What each checker borne off costs, by those left from the bar down: nothing once all of them are home."""
    return _early(before) if any(left[: BAR - HOME]) else 0.0


def _early(checkers: Sequence[int]) -> float:
    """What each checker of a side costs that is missing while others are not home, by the side's checkers before."""
    return HIDDEN_IN_HEAP if max(checkers[1:BAR]) > HEAP else EARLY_OFF


def _most_on_bar(checkers: Sequence[int]) -> int:
    """How many of a side may be on the bar after unseen turns: where it has a heap, one more than before at most."""
    return checkers[BAR] + 1 if max(checkers[1:BAR]) > HEAP else MOST


def _options(view: MoverView, n: int, position: Position) -> list[tuple[float, int, int, int]]:
    """What may be on the mover's n-point: weight, nearness to what was there, own checkers, and the bit of a hit."""
    before, other = position.mine[n], position.opposing(n)
    if position.is_closed(n):
        return [(view.at(n, position), 0, before, 0)]
    seen, hits = view.mine[n - 1], position.HITS
    if other and not hits:
        seen = (view.theirs[n - 1][other], *(view.above(n, count) for count in range(1, MOST + 1)))
    own = [
        (gain + EACH_CHECKER * max(0, before - count), -abs(count - before), count, other << n if hits else 0)
        for count, gain in enumerate(seen)
    ]
    return [(view.theirs[n - 1][other], 0, 0, 0), *own] if other and hits else own


def _extended(
    states: Mapping[int, list[_Path]], options: Sequence[tuple[float, int, int, int]], total: int
) -> dict[int, list[_Path]]:
    """The partial assignments with one place more."""
    found: dict[int, list[_Path]] = {}
    for gain, _, count, hit in options:
        for used, paths in states.items():
            if used + count <= total:
                more = [(weight + gain, (*counts, count), hits | hit) for weight, counts, hits in paths]
                found.setdefault(used + count, []).extend(more)
    return {used: nlargest(KEPT, paths) for used, paths in found.items()}


def _position(before: Position, path: _Path, borne_off: int) -> Position:
    """The position of an assignment."""
    mine = (before.mine[OFF] + borne_off, *reversed(path[1][1:]), path[1][0])
    theirs = list(before.theirs)
    for n in range(1, 25):
        if path[2] >> n & 1:
            theirs[before.OPPOSITE[n]] = 0
            theirs[BAR] += 1
    return before.with_checkers(mine, tuple(theirs))


def moving(before: Position, after: Position) -> float:
    """The prior of any play by the number of checkers that left their places, whether it is legal or not."""
    left = sum(max(0, old - new) for old, new in zip(before.mine[1:], after.mine[1:], strict=True))
    return EACH_CHECKER * max(1, left)


_Both: TypeAlias = dict[tuple[int, int], tuple[float, tuple[tuple[int, int], ...]]]
"""For each number of checkers used, the mover's and the opponent's: the best weight, and both counts by place."""


def any_position(view: MoverView, before: Position) -> Position:
    """The likeliest position at all, with as many checkers a side as before; those nowhere on it are borne off."""
    mine, theirs = sum(before.mine[1:]), sum(before.theirs[1:])
    sides = (before.mine, before.theirs)
    counts = _free(
        view,
        (mine, theirs),
        (before.mine[OFF], before.theirs[OFF]),
        (_early(sides[0]), _early(sides[1])),
        (_most_on_bar(sides[0]), _most_on_bar(sides[1])),
    )
    used = [sum(column) for column in zip(*counts, strict=True)]
    by_point = (counts[0], *reversed(counts[1:]))
    return before.with_checkers(
        (before.mine[OFF] + mine - used[0], *(one for one, _ in by_point[1:]), counts[0][0]),
        (
            before.theirs[OFF] + theirs - used[1],
            *(by_point[before.OPPOSITE[n]][1] for n in range(1, 25)),
            counts[0][1],
        ),
    )


@lru_cache(maxsize=8)
def _free(
    view: MoverView,
    totals: tuple[int, int],
    off: tuple[int, int],
    early: tuple[float, float],
    bar: tuple[int, int],
) -> tuple[tuple[int, int], ...]:
    """The likeliest checkers of both sides, on the bar and from the mover's 24-point to his 1-point.

    Args:
        view: the checkers.
        totals: how many each side has.
        off: how many each has borne off.
        early: what each one costs that is nowhere, in nats.
        bar: most on each half of the bar.
    """
    mine, theirs = totals
    states: _Both = {
        (one, other): (view.my_bar[one] + view.their_bar[other], ((one, other),))
        for one in range(min(mine, bar[0]) + 1)
        for other in range(min(theirs, bar[1]) + 1)
    }
    for n in range(24, 0, -1):
        states = _both_extended(states, view.mine[n - 1], view.theirs[n - 1], totals)
    missing = {used: (mine - used[0], theirs - used[1]) for used in states}
    gone = {
        used: early[0] * one + early[1] * other + view.my_off[off[0] + one] + view.their_off[off[1] + other]
        for used, (one, other) in missing.items()
    }
    return states[max(states, key=lambda used: states[used][0] + gone[used])][1]


def _both_extended(
    states: _Both,
    mine: Sequence[float],
    theirs: Sequence[float],
    most: tuple[int, int],
) -> _Both:
    """The best assignment of both sides' checkers with one point more."""
    options = [((count, 0), mine[count]) for count in range(MOST + 1)]
    options += [((0, count), theirs[count]) for count in range(1, MOST + 1)]
    found: _Both = {}
    for (one, other), (weight, counts) in states.items():
        for here, gain in options:
            used = one + here[0], other + here[1]
            if used[0] <= most[0] and used[1] <= most[1]:
                old = found.get(used)
                if old is None or weight + gain > old[0]:
                    found[used] = weight + gain, (*counts, here)
    return found
