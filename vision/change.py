"""The change from one picture to another, at a quarter of the size.

Sources differ in noise and exposure, so a change is measured against the frame's own noise and not against a fixed
number, and an even change of the light is no change.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Bgr

STEP = 4
"""Every fourth pixel of every fourth row: a die 12 px wide still covers nine samples."""


LEAST_CHANGE = 14
"""Grey levels out of 255; sensor noise is lower in three frames of four, see `_threshold`."""


MOST_NOISE = 45
"""Grey levels out of 255; a larger difference is not noise of any camera that can read dice."""


CLUSTER = 4
"""Least number of changed pixels in a 3x3 window: single pixels are noise, a die or a finger is a cluster."""


@dataclass(frozen=True, slots=True)
class Stir:
    """The changed parts between two pictures.

    Attributes:
        moved: (h, w) bool at a quarter of the size: True where the picture changed.
        share: 0 to 1, the part of the picture that changed.
    """

    moved: NDArray[np.bool_]
    share: float

    @property
    def any(self) -> bool:
        """Whether anything changed at all."""
        return self.share > 0

    def box_px(self) -> tuple[int, int, int, int] | None:
        """The bounding box of all change, x0, y0, x1, y1 in pixels of the frame; None if nothing changed."""
        rows, columns = np.nonzero(self.moved)
        if not len(rows):
            return None
        x0, x1, y0, y1 = columns.min(), columns.max() + 1, rows.min(), rows.max() + 1
        return int(x0) * STEP, int(y0) * STEP, int(x1) * STEP, int(y1) * STEP


def thumb(bgr: Bgr) -> NDArray[np.int16]:
    """The green of every fourth pixel, (H/4, W/4) int16: wide enough for differences (uint8 would wrap)."""
    return bgr[STEP // 2 :: STEP, STEP // 2 :: STEP, 1].astype(np.int16)


def colour_thumb(bgr: Bgr) -> NDArray[np.int16]:
    """All three colours of the same pixels, (H/4, W/4, 3) int16: a red die on red felt hardly changes the green."""
    return bgr[STEP // 2 :: STEP, STEP // 2 :: STEP].astype(np.int16)


def stir(before: NDArray[np.int16], after: NDArray[np.int16]) -> Stir:
    """The change from one thumb, (h, w) or (h, w, 3) int16, to another of the same size; of any colour counts."""
    planes = (after - before)[..., None] if after.ndim == 2 else after - before
    moved = np.logical_or.reduce([_moved(plane) for plane in np.moveaxis(planes, 2, 0)])
    return Stir(moved, float(moved.mean()))


def _moved(change: NDArray[np.int16]) -> NDArray[np.bool_]:
    """Where one colour changed, of its change (h, w)."""
    change = change - np.int16(np.median(change[::4, ::4]))
    size = np.abs(change)
    out = size > _threshold(size)
    near = cv2.boxFilter(out.astype(np.uint8), cv2.CV_16S, (3, 3), normalize=False)
    return np.asarray(near >= CLUSTER, np.bool_)


def _threshold(size: NDArray[np.int16]) -> float:
    """Threshold in grey levels: six times the median change, the frame's own noise, capped at `MOST_NOISE`."""
    return min(max(float(LEAST_CHANGE), 6.0 * float(np.median(size[::3, ::3]))), float(MOST_NOISE))
