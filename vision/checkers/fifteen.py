"""The points of a reading settled together: each side has fifteen checkers, most often all of them in play."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.checkers.reading import CHECKERS, BoardReading, PointChances

Array = NDArray[np.float64]

ALL_IN_PLAY = 0.8
"""The chance that no checker of a side is borne off; the rest is shared evenly by 1 to 15."""
NOT_WORTH = 1e-5
"""Chances below this are left out."""
TOTALS = CHECKERS + 1
MORE = np.subtract.outer(np.arange(TOTALS), np.arange(TOTALS))
"""(16, 16): by how many checkers the first total exceeds the second."""
BY = (np.arange(TOTALS)[:, None, None] == MORE).reshape(TOTALS, -1).T.astype(np.float64)
"""(256, 16): 1 where the first total exceeds the second by so many."""


def settled(reading: BoardReading) -> BoardReading:
    """The reading with chances that take the fifteen into account: a heap is told from the other points.

    Those who weigh whole positions themselves need the reading as it was, where each point speaks for itself.
    """
    items = [*reading.points, *reading.bar]
    chances = np.array([one.chances for one in items])
    chances[chances <= NOT_WORTH] = 0
    first = np.where(MORE >= 0, chances[:, np.maximum(MORE, 0)], 0.0)
    second = np.where(MORE > 0, chances[:, CHECKERS + np.maximum(MORE, 0)], 0.0)
    before, after = _so_far(first, second), _still(first, second)
    weight = np.empty_like(chances)
    weight[:, :TOTALS] = (after @ before.transpose(0, 2, 1)).reshape(len(items), -1) @ BY
    weight[:, TOTALS:] = ((after.transpose(0, 2, 1) @ before).reshape(len(items), -1) @ BY)[:, 1:]
    chances *= weight
    whole = chances.sum(1)
    out = [
        one if one.covered or total <= 0 else PointChances(mine / total)
        for one, mine, total in zip(items, chances, whole, strict=True)
    ]
    return replace(reading, points=tuple(out[:-2]), bar=(out[-2], out[-1]))


def _so_far(first: Array, second: Array) -> Array:
    """Chances of both sides' totals on the places before each one, (N, 16, 16).

    `first` and `second`, (N, 16, 16), say how a place changes one side's total; an empty place is in `first`.
    """
    out = np.zeros_like(first)
    out[0, 0, 0] = 1.0
    for k in range(len(first) - 1):
        table = first[k] @ out[k] + out[k] @ second[k].T
        out[k + 1] = table / max(float(table.sum()), 1e-300)
    return out


def _still(first: Array, second: Array) -> Array:
    """What the places after each one say of both totals including that one, (N, 16, 16)."""
    total = np.full(TOTALS, (1 - ALL_IN_PLAY) / CHECKERS)
    total[CHECKERS] = ALL_IN_PLAY
    out = np.empty_like(first)
    out[-1] = np.outer(total, total)
    for k in range(len(first) - 1, 0, -1):
        table = first[k].T @ out[k] + out[k] @ second[k]
        out[k - 1] = table / max(float(table.max()), 1e-300)
    return out
