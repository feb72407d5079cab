"""A bump of the board or the camera: everything in the picture has moved by the same shift.

A hand, dice and checkers move parts of the picture; most of it stays where it was.
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
"""A shift below this, about 2 mm, changes no ruling: the dice's places are known no better."""


SURE = 0.12
"""Peak of the correlation, 0 to 1. A board half out of view keeps 0.27, one with an arm over it 0.87; chance: 0.05."""


NUDGE_PX = 40.0
"""Up to here the corners are taken along; a longer way is mostly a turn as well, and the board is looked for anew."""


SIZE_KEPT = 0.2
"""A board found again that differs by more in size is another thing in the picture."""


@dataclass(frozen=True, slots=True)
class Shift:
    """How far the picture has moved, in pixels of the frame, and how sure that is, 0 to 1."""

    x: float
    y: float
    sure: float

    @property
    def px(self) -> float:
        """The length of the way."""
        return float(np.hypot(self.x, self.y))


def shift(before: NDArray[np.int16], after: NDArray[np.int16]) -> Shift:
    """The way from one thumb to another of the same size."""
    one, other = _edges(before), _edges(after)
    window = cv2.createHanningWindow((one.shape[1], one.shape[0]), cv2.CV_32F)
    (x, y), sure = cv2.phaseCorrelate(one, other, window)
    return Shift(x * STEP, y * STEP, float(sure))


def _edges(grey: NDArray[np.int16]) -> NDArray[np.float32]:
    """Edges stay where they are when the light changes."""
    soft = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 1.0)
    size = np.hypot(cv2.Sobel(soft, cv2.CV_32F, 1, 0), cv2.Sobel(soft, cv2.CV_32F, 0, 1))
    return np.ascontiguousarray(size[: _even(size.shape[0]), : _even(size.shape[1])], np.float32)


def _even(length: int) -> int:
    """The largest even length up to this one that OpenCV does not pad: padded to an odd one, its answer is half off."""
    return next(n for n in range(length // 2 * 2, 0, -2) if cv2.getOptimalDFTSize(n) == n)


def bumped(before: NDArray[np.int16], after: NDArray[np.int16]) -> Shift | None:
    """The shift if the whole picture has moved, None if it has not or nobody can say."""
    way = shift(before, after)
    return way if way.px >= LEAST_PX and way.sure >= SURE else None


def found_again(bgr: Bgr, board: Board, way: Shift | None, finder: BoardFinder) -> Board | None:
    """Where the board lies now, with its own measures; None where it is not to be seen."""
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
