"""The points of a reading settled together: each side has fifteen checkers, most often all of them in play."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.checkers.reading import CHECKERS, BoardReading, PointChances, counts_of

Array = NDArray[np.float64]

ALL_IN_PLAY = 0.8
"""The chance that no checker of a side is borne off; the rest is shared evenly by 1 to 15."""
NOT_WORTH = 1e-7
"""Chances below this are left out."""


def settled(reading: BoardReading) -> BoardReading:
    """The reading with chances that take the fifteen into account: a heap is told from the other points.

    Those who weigh whole positions themselves need the reading as it was, where each point speaks for itself.
    """
    items = [*reading.points, *reading.bar]
    states = [
        [
            (int(k), *counts_of(int(k)), float(item.chances[k]))
            for k in np.flatnonzero(item.chances > NOT_WORTH)
        ]
        for item in items
    ]
    before = [np.zeros((CHECKERS + 1, CHECKERS + 1))]
    before[0][0, 0] = 1.0
    for item in states:
        before.append(_after(before[-1], item))
    total = np.full(CHECKERS + 1, (1 - ALL_IN_PLAY) / CHECKERS)
    total[CHECKERS] = ALL_IN_PLAY
    rest = np.outer(total, total)
    out = []
    for item, one, sofar in zip(states[::-1], items[::-1], before[-2::-1], strict=True):
        chances = np.zeros_like(one.chances)
        for k, a, b, chance in item:
            chances[k] = chance * float((_part(sofar, a, b) * rest[a:, b:]).sum())
        whole = chances.sum()
        out.append(one if one.covered or whole <= 0 else PointChances(chances / whole))
        rest = _before(rest, item)
    out.reverse()
    return replace(reading, points=tuple(out[:-2]), bar=(out[-2], out[-1]))


def _part(table: Array, a: int, b: int) -> Array:
    return table[: CHECKERS + 1 - a, : CHECKERS + 1 - b]


def _after(table: Array, item: list[tuple[int, int, int, float]]) -> Array:
    """Chances of both totals, (16, 16), with one more point."""
    out = np.zeros_like(table)
    for _, a, b, chance in item:
        out[a:, b:] += chance * _part(table, a, b)
    return out / max(float(out.sum()), 1e-300)


def _before(rest: Array, item: list[tuple[int, int, int, float]]) -> Array:
    """What the rest of the board says of both totals, (16, 16), with one more point in the rest."""
    out = np.zeros_like(rest)
    for _, a, b, chance in item:
        _part(out, a, b)[...] += chance * rest[a:, b:]
    return out / max(float(out.max()), 1e-300)
