"""Board search in an ordinary picture: eight points, the corners of the playing surface and of its bar.

The net (`models/corners.onnx`, trained by `vision/training/corners.py`) gives a heat map for each point, in the picture
and in three mirrored copies. One point that contradicts the others is moved to the place they imply. If the points do
not fit a board, none is found.
"""

import math
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from sentence import say
from vision.board.calibration import Board, Points
from vision.errors import BadBoard
from vision.frame import Bgr
from vision.net import load_net

WIDE, HIGH, STRIDE = 320, 240, 4
POINT_MM = 41.0
"""Points of tournament boards are 39 to 44 mm wide: a surface is twelve of them plus the bar."""
BAR_SHARE = (0.03, 0.16)
"""Width of the bar over that of the surface; boards have 6 to 9 %, narrow travel boards less, club boards more."""
ASPECT = (0.55, 1.15)
"""Height over width of the surface; boards for tables have 0.72 to 0.85."""
MIRRORED = {
    None: [0, 1, 2, 3, 4, 5, 6, 7], 1: [1, 0, 3, 2, 5, 4, 7, 6], 0: [3, 2, 1, 0, 7, 6, 5, 4],
    -1: [2, 3, 0, 1, 6, 7, 4, 5],
}  # fmt: skip
"""For each of OpenCV's flip codes, the point that each point becomes."""
BAR_SHARES = tuple(np.arange(0.04, 0.13, 0.01).tolist())
OUTLIER = 0.02
"""As a part of the picture's width: a point farther than this from the place that the others imply is discarded."""
APART = 0.012
"""As a part of the picture's width: the four looks agree to within this on all points but one; on rendered boards to
within half of it, without a board hardly ever."""
SURE = 0.25
"""Least heat of a corner, 0 to 1. Measured on boards and on photographs without one: see docs/RESULTS.md."""

MODEL = Path(__file__).parents[1] / "models" / "corners.onnx"


class BoardFinder:
    """The corner net, loaded once; not thread-safe."""

    def __init__(self, model: Path = MODEL) -> None:
        self._net = load_net(model)

    def find(self, bgr: Bgr) -> Board | None:
        """The board in a picture (H, W, 3) uint8, None if there is none or it is uncertain."""
        points, heat, apart = self.points(bgr)
        if float(heat.min()) < SURE or float(np.sort(apart)[-2]) > APART * bgr.shape[1]:
            return None
        try:
            return board_from_points((bgr.shape[1], bgr.shape[0]), agreeing(points, OUTLIER * bgr.shape[1]))
        except BadBoard:
            return None

    def points(self, bgr: Bgr) -> tuple[Points, NDArray[np.float32], NDArray[np.float64]]:
        """Medians over four looks at a picture (H, W, 3) uint8: the eight points (8, 2) in pixels, surface first; their
        heat (8,), 0 to 1; the spread between the looks (8,), in pixels."""
        h, w = bgr.shape[:2]
        fit = min(WIDE / w, HIGH / h)
        size = (max(1, round(w * fit)), max(1, round(h * fit)))
        canvas = np.full((HIGH, WIDE, 3), 114, np.uint8)
        left, top = (WIDE - size[0]) // 2, (HIGH - size[1]) // 2
        canvas[top : top + size[1], left : left + size[0]] = cv2.resize(
            bgr, size, interpolation=cv2.INTER_AREA
        )
        places, hot = [], []
        for way, order in MIRRORED.items():
            seen = canvas if way is None else cv2.flip(canvas, way)
            heat = 1 / (
                1 + np.exp(-self._net(np.asarray(cv2.dnn.blobFromImage(seen, 1 / 255), np.float32))[0])
            )
            at = np.array([_peak(m) for m in heat])[order] * STRIDE
            if way in (1, -1):
                at[:, 0] = WIDE - at[:, 0]
            if way in (0, -1):
                at[:, 1] = HIGH - at[:, 1]
            places.append((at - [left, top]) * [w / size[0], h / size[1]])
            hot.append(heat.max((1, 2))[order])
        points = np.median(places, 0)
        apart = np.median(np.linalg.norm(np.subtract(places, points), axis=2), 0)
        return points, np.median(hot, 0).astype(np.float32), apart


def agreeing(points: Points, outlier_px: float) -> Points:
    """The eight points (8, 2), in pixels, moved half the way to the flat board with the best fitting bar.

    Half the way only, as a lens bends straight lines; an outlier moves the whole way.

    Raises:
        BadBoard: more than one point is an outlier.
    """
    best = (math.inf, points)
    for share in BAR_SHARES:
        bar = [(0.5 + side * share / 2, y) for y in (0, 1) for side in (-1, 1)]
        flat = np.array([(0, 0), (1, 0), (1, 1), (0, 1), bar[0], bar[1], bar[3], bar[2]], np.float64)
        onto, _ = cv2.findHomography(flat, points, cv2.RANSAC, outlier_px / 2)
        if onto is None:
            continue
        there = cv2.perspectiveTransform(flat[None], onto)[0]
        off = float(np.minimum(np.linalg.norm(there - points, axis=1), 2 * outlier_px).sum())
        if off < best[0]:
            best = (off, there)
    far = np.linalg.norm(best[1] - points, axis=1) > outlier_px
    if far.sum() > 1 or best[0] == math.inf:
        raise BadBoard(say("The points found do not lie as a board's do."))
    return np.asarray(np.where(far[:, None], best[1], (best[1] + points) / 2), np.float64)


def _peak(heat: NDArray[np.float32]) -> tuple[float, float]:
    """Peak of a heat map (h, w) to a fraction of a cell, the mean over the 5x5 around the maximum: x and y in cells."""
    i, j = np.unravel_index(int(heat.argmax()), heat.shape)
    y0, x0 = max(0, int(i) - 2), max(0, int(j) - 2)
    near = heat[y0 : y0 + 5, x0 : x0 + 5].astype(np.float64) ** 2
    yy, xx = np.mgrid[y0 : y0 + near.shape[0], x0 : x0 + near.shape[1]]
    total = float(near.sum())
    return float((xx * near).sum() / total) + 0.5, float((yy * near).sum() / total) + 0.5


def board_from_points(size: tuple[int, int], points: Points) -> Board:
    """The board with these eight points (8, 2), in a picture of `size` (width, height).

    Raises:
        BadBoard: the points do not fit a board.
    """
    corners, bar = points[:4], points[4:]
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    flat = cv2.getPerspectiveTransform(corners.astype(np.float32), unit)
    on = cv2.perspectiveTransform(bar[None].astype(np.float64), flat)[0]
    share = float((on[1, 0] - on[0, 0] + on[2, 0] - on[3, 0]) / 2)
    level = float(np.abs(on[:, 1] - [0, 0, 1, 1]).max())
    middle = float(
        np.abs(on[:, 0] - [0.5 - share / 2, 0.5 + share / 2, 0.5 + share / 2, 0.5 - share / 2]).max()
    )
    if not BAR_SHARE[0] <= share <= BAR_SHARE[1] or level > 0.06 or middle > 0.05:
        raise BadBoard(say("The points found do not lie as a board's do."))
    return _board(size, corners.tolist(), share)


def board_from_corners(size: tuple[int, int], corners: Sequence[Sequence[float]]) -> Board:
    """The board with these four corners of the surface, in pixels; the bar is assumed to be as wide as a point.

    Raises:
        BadBoard: the corners describe no board.
    """
    return _board(size, corners, 1 / 13)


def _board(size: tuple[int, int], corners: Sequence[Sequence[float]], bar_share: float) -> Board:
    if len(corners) != 4:
        raise BadBoard(say("A board has four corners."))
    width = 12 * POINT_MM / (1 - bar_share)
    sides = [math.dist(corners[i], corners[(i + 1) % 4]) for i in range(4)]
    if sides[0] + sides[2] <= 0:
        raise BadBoard(say("The corners lie all on one spot."))
    aspect = (sides[1] + sides[3]) / (sides[0] + sides[2])
    if not ASPECT[0] <= aspect <= ASPECT[1]:
        raise BadBoard(
            say(
                "The corners enclose a field {aspect} times as high as wide; boards have 0.7 to 0.9.",
                aspect=f"{aspect:.2f}",
            )
        )
    points = tuple((float(p[0]), float(p[1])) for p in corners)
    return Board(size, points, (width, width * aspect), width * bar_share)
