"""The exact place of a board on which a known position stands: the start of a game.

On boards of makes that were not learned the finder puts a corner up to a point's width beside its place. Then checkers
are counted on the wrong points, and dice beside a rim seem to lean on it. The checkers of a known position tell better
where the points are: the board is moved, in one way after the other, to the middle of the places that show it.
"""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, TypeAlias

import cv2
import numpy as np

from vision.board.calibration import Board
from vision.board.findboard import BAR_SHARE, board_from_corners
from vision.checkers.reading import BoardReading, Counts, state_of
from vision.errors import BadBoard
from vision.frame import Bgr

CORNERS = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64)
"""Of the surface, clockwise from the top left, in parts of its width and height."""
Way: TypeAlias = tuple[tuple[int, int], int, int]
"""How an edge is moved: its corners, the axis across it, and 1 to move both alike, -1 to turn it about its middle."""
EDGES = (((0, 3), 0), ((1, 2), 0), ((0, 1), 1), ((3, 2), 1))
WAYS: tuple[Way | None, ...] = (*((edge, axis, turn) for turn in (1, -1) for edge, axis in EDGES), None)
"""The left, right, top and bottom edge moved, then turned; None: the bar made wider."""
STEPS = (0.02, 0.02, 0.01)
"""Parts of the surface's width or height: all ways are tried with the first, then with the next."""
USUAL = 0.04
"""How far, in the same parts, the finder puts an edge beside its place: of two places that fit alike the nearer one is
likelier."""
MOST, DROP = 4, 3.0
"""Most steps to either side, and how much less well than the best place the last one fits, in nats."""
LEAST = 1e-3
"""Least chance of a point: one that shows something else costs 6.9 nats."""
CLEAR = -1.0
"""A board that fits better, in nats, is left as it is. Of six rendered games none fits less well than -0.1; of four
painted ones those whose corners are off by 0.8, 3, 4 and 7 % of the width fit by -1.3, -1.4, -17 and -27."""
GAIN, ENOUGH = 0.5, -8.0
"""How much better a place must fit to be taken, and how well at least: people may have set up one point wrongly."""


class Reads(Protocol):
    """A reader of checkers."""

    def read(self, bgr: Bgr, board: Board) -> BoardReading:
        """Read a picture, (H, W, 3) uint8, without a look that was learned."""
        ...


class Alignment:
    """Moves a board to where a picture shows a known position, in steps of up to nine readings, 27 of them at most.

    Attributes:
        board: its place so far.
    """

    def __init__(self, reader: Reads, bgr: Bgr, board: Board, known: Sequence[Counts]) -> None:
        """Begin with the board as it was found in a picture (H, W, 3) uint8.

        `known` are the 24 numbers of checkers of colours a and b that stand there, point 1 first.
        """
        self.board = board
        self._reader, self._bgr = reader, bgr
        self._states = [state_of(a, b) for a, b in known]
        self._began = self._fit(board)
        self._off = dict.fromkeys(WAYS, 0.0)  # how far it was moved in each way
        self._left = [] if self._began >= CLEAR else [(step, way) for step in STEPS for way in WAYS]

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to try; from the start where the position is clear."""
        return not self._left

    def go_on(self) -> None:
        """Move the board in the next way."""
        step, way = self._left.pop(0)
        seen = [(0.0, self._fit(self.board) - self._far(way, 0.0))]
        for by in (step, -step):
            for number in range(1, MOST + 1):
                board = _moved(self.board, way, number * by)
                if board is None:
                    break
                seen.append((number * by, self._fit(board) - self._far(way, number * by)))
                if seen[-1][1] < max(fit for _, fit in seen) - DROP:
                    break
        best = max(fit for _, fit in seen)
        weights = [math.exp(fit - best) for _, fit in seen]
        middle = sum(by * weight for (by, _), weight in zip(seen, weights, strict=True)) / sum(weights)
        moved = _moved(self.board, way, middle)
        if moved is not None:
            self.board, self._off[way] = moved, self._off[way] + middle

    def _far(self, way: Way | None, by: float) -> float:
        """What it costs, in nats, to move the board once more in a way."""
        return ((self._off[way] + by) / USUAL) ** 2 / 2

    def found(self) -> Board | None:
        """The board at its exact place; None where it is left as it was found."""
        if self._began >= CLEAR:
            return None
        return self.board if self._fit(self.board) >= max(self._began + GAIN, ENOUGH) else None

    def _fit(self, board: Board) -> float:
        """The logarithm of the chance that each point holds what is known."""
        points = self._reader.read(self._bgr, board).points
        chances = (float(one.chances[state]) for one, state in zip(points, self._states, strict=True))
        return sum(math.log(max(chance, LEAST)) for chance in chances)


def _moved(board: Board, way: Way | None, by: float) -> Board | None:
    """The board moved in a way, by a part of its width or height; None if that is no board."""
    share, corners = board.bar_mm / board.surface_mm[0], np.array(board.corners_px)
    if way is None:
        share += by
    else:
        (first, second), axis, turn = way
        places = CORNERS.copy()
        places[first, axis] += by
        places[second, axis] += by * turn
        onto = cv2.getPerspectiveTransform(CORNERS.astype(np.float32), corners.astype(np.float32))
        corners = cv2.perspectiveTransform(places[None], onto)[0]
    if not 0 <= share <= BAR_SHARE[1]:
        return None
    try:
        moved = board_from_corners(board.image_size, corners.tolist(), share)
    except BadBoard:
        return None
    return replace(moved, unfamiliar=board.unfamiliar)
