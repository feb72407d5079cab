"""Pictures of the points, which tell whether checkers came to them or left them since an earlier picture."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board
from vision.checkers.changes import KINDS, MOST_HELD, OTHER_CAME, UNCHANGED, kind_of, said_of_changes
from vision.checkers.quadrants import HALF_PX, POINT_PX, POINTS, RIM_PX, Quadrants, of_places

ROWS = slice(RIM_PX, RIM_PX + HALF_PX)
"""From the rim to the middle of the board."""
COLUMNS = slice(POINT_PX - POINT_PX // 2, POINT_PX + POINT_PX // 2)
"""The point itself, without its neighbours."""
MOST = 15
STATES = 2 * MOST + 1
"""Of a point: empty, 1 to 15 checkers of colour a, 1 to 15 of colour b."""
TRUST = 0.8
"""What is said of a change is multiplied by this: what deceives the net deceived the reading, too."""
ERRS = 0.02
"""Chance that the net errs altogether: it bounds what is said, by about 6 nats."""

OF_SIDES = 3.0
"""The most that is said of whether a blot was hit or others of its side came, in nats: colours tell sides better."""


@dataclass(frozen=True, eq=False)
class PointPictures:
    """The points in a picture.

    Attributes:
        bgr: (24, HALF_PX, POINT_PX, 3) uint8, point 1 first, each from the rim to the middle of the board.
        board: the place of the board by which they were cut.
        left_out: points that are not compared.
    """

    bgr: NDArray[np.uint8]
    board: Board
    left_out: frozenset[int] = frozenset()

    def without(self, points: Collection[int]) -> "PointPictures":
        """The same, but for some points."""
        return replace(self, left_out=self.left_out | frozenset(points))

    def changes_since(
        self, before: "PointPictures", counts: Sequence[tuple[int, int]]
    ) -> Mapping[int, tuple[float, ...]]:
        """How much likelier it is that each point holds what each of its 31 states says than what it held in another
        picture, in nats, by point; {} if the board lay elsewhere in that picture.

        Args:
            before: the other picture.
            counts: checkers of colours a and b on points 1 to 24 in it.
        """
        if before.board != self.board:
            return {}
        said = _bounded(said_of_changes(before.bgr, self.bgr))
        return {
            n: tuple(said[n - 1, min(max(pair), MOST_HELD), list(_kinds(*pair))].tolist())
            for n, pair in enumerate(counts, 1)
            if n not in self.left_out | before.left_out
        }


def _bounded(said: NDArray[np.float32]) -> NDArray[np.float64]:
    """What is said, (…, MOST_HELD + 1, KINDS), with as much doubt as the net deserves."""
    trusted = TRUST * said.astype(np.float64)
    chances = np.exp(trusted - trusted.max(-1, keepdims=True))
    for same, other in ((UNCHANGED, OTHER_CAME), (UNCHANGED + 1, OTHER_CAME + 1)):
        least = chances[..., 1, [same, other]].max(-1) * np.exp(-OF_SIDES)
        for kind in (same, other):
            chances[..., 1, kind] = np.maximum(chances[..., 1, kind], least)
    chances = (1 - ERRS) * chances / chances.sum(-1, keepdims=True) + ERRS / KINDS
    return np.asarray(np.log(chances / chances[..., UNCHANGED : UNCHANGED + 1]), np.float64)


@cache
def _kinds(a: int, b: int) -> tuple[int, ...]:
    """The kind of change by which a point with so many checkers comes to each of its 31 states."""
    held, states = max(a, b), [(k, 0) if k <= MOST else (0, k - MOST) for k in range(STATES)]
    if not held:
        return tuple(kind_of(0, max(pair), 0) for pair in states)
    return tuple(kind_of(held, *(pair if a else pair[::-1])) for pair in states)


def pictures_of(quadrants: Quadrants, board: Board) -> PointPictures:
    """The pictures of points 1 to 24 in the quadrants of one board."""
    return PointPictures(of_places(quadrants)[:POINTS, ROWS, COLUMNS].copy(), board)
