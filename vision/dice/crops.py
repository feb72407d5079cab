"""Crops around a spot, rotated and scaled for the nets."""

import cv2
import numpy as np

from vision.board.calibration import Points
from vision.dice.finder import Spot
from vision.frame import Bgr
from vision.pyramid import Halves

LEAST_SCALE = 0.55
"""Below this scale the picture is halved first: warping does not average."""


def cut(picture: Halves, spot: Spot, turn: Points, edge_px: float, size: int) -> Bgr:
    """Crop the square (size, size, 3) uint8 around a spot: rotated by `turn` (2, 2), the face `edge_px` wide."""
    scale = edge_px / max(spot.width, 2.0)
    level = 0
    while scale * 2**level < LEAST_SCALE and min(picture.level(level).shape[:2]) > size:
        level += 1
    (a, b), (c, d) = (turn * (scale * 2**level)).tolist()
    x, y, middle = spot.x / 2**level - 0.5, spot.y / 2**level - 0.5, size / 2 - 0.5
    m = np.array([[a, b, middle - (a * x + b * y)], [c, d, middle - (c * x + d * y)]])
    out = cv2.warpAffine(
        picture.level(level), m, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(out, np.uint8)


def turn_of(up: Points | None, mirrored: bool) -> Points:
    """Matrix (2, 2) that rotates up (2,) to the right, the identity without `up`; `mirrored` adds a reflection."""
    if up is None:
        return np.array([[0.0, 1.0], [1.0, 0.0]]) if mirrored else np.eye(2)
    far = max(1e-9, float(np.hypot(*up)))
    c, s = up / far if far > 1e-6 else (1.0, 0.0)
    return np.array([[c, s], [s, -c]]) if mirrored else np.array([[c, s], [-s, c]])


def placed(spot: Spot, off: Points, log_edge: float, farthest: float, most_missized: float) -> Spot:
    """The spot moved by `off` (2,), in widths, and resized by `log_edge`, a natural logarithm, as a net says.

    `farthest` and `most_missized` limit both, in the same units, to the range that the net was trained on.
    """
    off = off * min(1.0, farthest / max(1e-6, float(np.hypot(*off))))
    stretch = float(np.exp(np.clip(log_edge, -most_missized, most_missized)))
    return Spot(
        spot.x + float(off[0]) * spot.width,
        spot.y + float(off[1]) * spot.width,
        spot.width * stretch,
        spot.score,
    )
