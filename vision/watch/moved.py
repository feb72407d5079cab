"""Detects a bump of the board or the camera: the whole picture has moved by one shift.

A hand, dice and checkers move only parts of the picture.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board
from vision.board.findboard import UPRIGHT, BoardFinder
from vision.change import STEP
from vision.frame import Bgr

LEAST_PX = 4.0
"""A smaller shift, about 2 mm, changes no ruling: the places of dice are not known more exactly."""


SURE = 0.12
"""Least correlation peak, 0 to 1. A board half out of view has 0.27, one under an arm 0.87, unrelated pictures 0.05."""


NUDGE_PX = 40.0
"""Up to this shift the corners are moved along; a larger one is usually a rotation too: the board is searched again."""


SIZE_KEPT = 0.2
"""Largest relative change in area of a board found again; beyond it, another object was found."""


@dataclass(frozen=True, slots=True)
class Shift:
    """The picture's shift in pixels of the frame, and its certainty, 0 to 1."""

    x: float
    y: float
    sure: float

    @property
    def px(self) -> float:
        """Length of the shift, in pixels."""
        return float(np.hypot(self.x, self.y))


def shift(before: NDArray[np.int16], after: NDArray[np.int16]) -> Shift:
    """The shift from one thumb, (h, w) int16, to another of the same size."""
    one, other = _edges(before), _edges(after)
    window = cv2.createHanningWindow((one.shape[1], one.shape[0]), cv2.CV_32F)
    (x, y), sure = cv2.phaseCorrelate(one, other, window)
    return Shift(x * STEP, y * STEP, float(sure))


def _edges(grey: NDArray[np.int16]) -> NDArray[np.float32]:
    """The edges of a thumb, (h, w) float32 with even sides; a change of light does not move them."""
    soft = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 1.0)
    size = np.hypot(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1))
    return np.ascontiguousarray(size[: _even(size.shape[0]), : _even(size.shape[1])], np.float32)


def _even(length: int) -> int:
    """The largest even length up to this one that OpenCV does not pad: padded to an odd one, its result is half off."""
    return next(n for n in range(length // 2 * 2, 0, -2) if cv2.getOptimalDFTSize(n) == n)


def bumped(before: NDArray[np.int16], after: NDArray[np.int16]) -> Shift | None:
    """The shift between two thumbs, (h, w) int16, if the whole picture has moved; None if not, or if it is unclear."""
    way = shift(before, after)
    return way if way.px >= LEAST_PX and way.sure >= SURE else None


def found_again(bgr: Bgr, board: Board, way: Shift | None, finder: BoardFinder) -> Board | None:
    """The board at its new place, with its own measures; None if it is not in the picture, (H, W, 3) uint8."""
    if way is not None and way.px <= NUDGE_PX:
        corners = tuple((x + way.x, y + way.y) for x, y in board.corners_px)
        return replace(board, corners_px=corners)
    found = finder.find(bgr, UPRIGHT)
    if found is None:
        return None
    old, new = (cv2.contourArea(np.array(b.corners_px, np.float32)) for b in (board, found))
    if abs(new / old - 1) > SIZE_KEPT:
        return None
    return replace(board, corners_px=found.corners_px)
