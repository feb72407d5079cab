"""A picture with its time and number."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Bgr: TypeAlias = NDArray[np.uint8]
"""A colour picture, (H, W, 3) uint8, blue first, row 0 at the top."""

DARK_LEVEL = 12
"""A covered lens gives noise below this grey level; a room in which dice can be seen gives far more."""


def same_shape(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Whether pictures of these sizes, width and height, have the same proportions, within a hundredth."""
    fx, fy = one[0] / other[0], one[1] / other[1]
    return abs(fx - fy) <= 0.01 * fx


def is_dark(bgr: Bgr) -> bool:
    """Whether a picture, (H, W, 3) uint8, is black everywhere on a coarse grid."""
    return int(bgr[::16, ::16].max()) <= DARK_LEVEL


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture as its source delivered it; ValueError for an array of another shape or dtype.

    Attributes:
        bgr: (H, W, 3) uint8, blue first; read-only by convention.
        at_s: seconds of the source's own time, 0 near its first frame, never decreasing.
        number: counts from 0; a live source skips the numbers of dropped frames.
    """

    bgr: Bgr
    at_s: float
    number: int

    def __post_init__(self) -> None:
        if self.bgr.dtype != np.uint8 or self.bgr.ndim != 3 or self.bgr.shape[2] != 3:
            raise ValueError(f"bgr must be (H, W, 3) uint8, but is {self.bgr.shape} {self.bgr.dtype}")

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.bgr.shape[1], self.bgr.shape[0]
