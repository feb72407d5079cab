"""Stillness: whether a source has been quiet for long enough. Keeps only the last thumb."""

import numpy as np
from numpy.typing import NDArray

from vision.change import stir, thumb
from vision.frame import Frame


class Stillness:
    """Detects that a source has been quiet for long enough.

    Args:
        still_s: seconds without change; 0.35 by docs/COMMANDS.md.
    """

    def __init__(self, still_s: float = 0.35) -> None:
        self._still_s = still_s
        self._last: NDArray[np.int16] | None = None
        self._since_s = 0.0
        self.stirred = True
        """Whether the last frame differed from its predecessor."""

    def feed(self, frame: Frame) -> bool:
        """Take the next frame; whether nothing has moved for `still_s` up to it."""
        now = thumb(frame.bgr)
        last, self._last = self._last, now
        self.stirred = last is None or last.shape != now.shape or stir(last, now).any
        if self.stirred:
            self._since_s = frame.at_s
            return False
        return frame.at_s - self._since_s >= self._still_s - 1e-6
