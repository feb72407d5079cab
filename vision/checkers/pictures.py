"""Pictures of single points, which tell whether a checker came to a point or left it.

How many checkers lie in a heap is hard to see, and so is a dark checker on a dark point; that one was put there or
taken away is not. A point that nobody touched looks the same in the next picture, but for noise, an even change of the
light, and shadows.
"""

from dataclasses import dataclass
from functools import cached_property
from math import log

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board
from vision.checkers.quadrants import HALF_PX, POINT_PX, POINTS, RIM_PX, Quadrants, of_places

ROWS = slice(RIM_PX, RIM_PX + HALF_PX)
"""From the rim to the middle of the board."""
COLUMNS = slice(POINT_PX - POINT_PX // 2, POINT_PX + POINT_PX // 2)
"""The point itself, without its neighbours."""
MIDDLE = slice(4, -4)
"""Columns of the point where a neighbour's checkers and their shadows are rarely seen."""
NEAR = (9, 9)
"""Pixels over which a change is measured: less than half a checker."""
LEAST_EDGE = 1.0
"""Grey levels of 255; a point of one colour shows no more than this."""
WIDE = 0.9
"""Share of the point that changed by less than what is taken for the change on the whole."""
SLIGHT = 0.02
"""Added to both measures of the change: less cannot be told from noise."""
OF_HEAP = 1.85, 2.36, 6.46
"""Weights of the logarithms of the largest change of a heap and of that on the whole, and a constant, so that the sum
is how much likelier a change of the number is, in nats. Fitted by `vision/training/nets/changes.py` to the heaps of 32
games of two renderers: 712 that a checker came to or left, and 3,744 that were left alone."""
PART = (15, 15)
"""Pixels over which the change of a point with few checkers is averaged: a part of a checker, and more than a die."""
OF_FEW = -0.30, 3.11, -5.28
"""The same of a point with few checkers, fitted to 8,381 that changed and 143,602 that did not."""
AT_MOST = -5.0, 2.0
"""Bounds of that sum, in nats. That a point looks as it did can hardly deceive. That it does not may be a hand that put
it straight, as the next pictures show, too."""


@dataclass(frozen=True, eq=False)
class PointPicture:
    """One point in a picture.

    Attributes:
        bgr: (HALF_PX, POINT_PX, 3) uint8, from the rim to the middle of the board.
        board: the place of the board by which it was cut.
    """

    bgr: NDArray[np.uint8]
    board: Board

    @cached_property
    def _edges(self) -> NDArray[np.float32]:
        return _spread(self.bgr.astype(np.float32))

    def change_since(self, before: "PointPicture", is_heap: bool) -> float | None:
        """How much likelier it is that a checker came to this point, a heap or not, or left it since another picture
        than that none did, in nats; None if the board lay elsewhere in that picture.
        """
        if before.board != self.board:
            return None
        most, wide = self.words_since(before, is_heap)
        of_most, of_wide, constant = OF_HEAP if is_heap else OF_FEW
        return min(max(of_most * most + of_wide * wide + constant, AT_MOST[0]), AT_MOST[1])

    def words_since(self, before: "PointPicture", is_heap: bool) -> tuple[float, float]:
        """What speaks for a change since another picture: the logarithms of the largest and of the wide change.

        Of a heap each is measured against the edges that both pictures show: dark checkers on a dark field change
        little. Of few checkers it is the change of the mean colour, in grey levels: edges of grain and pips hardly
        change that.
        """
        return self._words_of_heap(before) if is_heap else self._words_of_few(before)

    def _words_of_heap(self, before: "PointPicture") -> tuple[float, float]:
        change = self.bgr.astype(np.float32) - before.bgr
        change -= np.median(change, (0, 1))
        changed, edges = _spread(change), np.minimum(self._edges, before._edges)
        most = float(changed.max()) / max(float(edges.max()), LEAST_EDGE)
        wide = float(np.quantile(changed, WIDE)) / max(float(np.quantile(edges, WIDE)), LEAST_EDGE)
        return log(most + SLIGHT), log(wide + SLIGHT)

    def _words_of_few(self, before: "PointPicture") -> tuple[float, float]:
        change = self.bgr.astype(np.float32) - before.bgr
        change -= np.median(change, (0, 1))
        parts = np.abs(cv2.blur(change, PART)).max(2)
        return log(float(parts.max()) + 1), log(float(np.quantile(parts, WIDE)) + 1)


def pictures_of(quadrants: Quadrants, board: Board) -> tuple[PointPicture, ...]:
    """The pictures of points 1 to 24 in the quadrants of one board."""
    return tuple(PointPicture(one[ROWS, COLUMNS].copy(), board) for one in of_places(quadrants)[:POINTS])


def _spread(levels: NDArray[np.float32]) -> NDArray[np.float32]:
    """The standard deviation over small parts of a point's picture (rows, columns, 3), in its middle columns."""
    mean = cv2.boxFilter(levels, -1, NEAR)
    spread = np.sqrt(np.maximum(cv2.boxFilter(levels * levels, -1, NEAR) - mean * mean, 0))
    return np.asarray(spread[:, MIDDLE].mean(2), np.float32)
