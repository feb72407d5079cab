"""Crops around a spot, turned and scaled as the nets want them."""

import cv2
import numpy as np

from vision.board.calibration import Points
from vision.dice.finder import Spot
from vision.dice.pyramid import Halves
from vision.frame import Bgr

LEAST_SCALE = 0.55
"""What is shrunk further than this is halved first: warping does not average."""


def cut(picture: Halves, spot: Spot, turn: Points, edge_px: float, size: int) -> Bgr:
    """The square (size, size, 3) around a spot, its directions changed by `turn` (2, 2), its face so wide."""
    scale = edge_px / max(spot.width, 2.0)
    level = 0
    while scale * 2**level < LEAST_SCALE and min(picture.level(level).shape[:2]) > size:
        level += 1
    m = np.zeros((2, 3))
    m[:, :2] = turn * scale * 2**level
    m[:, 2] = size / 2 - 0.5 - m[:, :2] @ (np.array([spot.x, spot.y]) / 2**level - 0.5)
    out = cv2.warpAffine(
        picture.level(level), m, (size, size), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(out, np.uint8)


def turn_of(up: Points | None, mirrored: bool) -> Points:
    """What is done to the picture's directions (2, 2): up is turned to the right, or the picture by a quarter."""
    if up is None:
        return np.array([[0.0, 1.0], [1.0, 0.0]]) if mirrored else np.eye(2)
    far = max(1e-9, float(np.hypot(*up)))
    c, s = up / far if far > 1e-6 else (1.0, 0.0)
    return np.array([[c, s], [s, -c]]) if mirrored else np.array([[c, s], [-s, c]])


def placed(spot: Spot, off: Points, log_edge: float, farthest: float, most_missized: float) -> Spot:
    """The spot where a net says it should be: so far off (2,) in widths, so much larger as a natural logarithm.

    What it says of places farther off than it has learned, in the same units, is cut to that.
    """
    off = off * min(1.0, farthest / max(1e-6, float(np.hypot(*off))))
    stretch = float(np.exp(np.clip(log_edge, -most_missized, most_missized)))
    return Spot(
        spot.x + float(off[0]) * spot.width,
        spot.y + float(off[1]) * spot.width,
        spot.width * stretch,
        spot.score,
    )
