"""Image pyramid: a picture at full size and at half sizes, each made once on demand."""

import cv2
import numpy as np

from vision.frame import Bgr


class Halves:
    """A picture (H, W, 3) uint8 and its half sizes; averaging over two by two pixels is fast."""

    def __init__(self, bgr: Bgr) -> None:
        self._levels = [bgr]

    def level(self, times: int) -> Bgr:
        """The picture halved `times` times; an odd last row or column is dropped."""
        while len(self._levels) <= times:
            last = self._levels[-1]
            h, w = last.shape[0] // 2, last.shape[1] // 2
            half = cv2.resize(last[: 2 * h, : 2 * w], (w, h), interpolation=cv2.INTER_AREA)
            self._levels.append(np.asarray(half, np.uint8))
        return self._levels[times]
