"""The quadrants of a board and its bar as pictures of one size, which the net reads.

A column of a quadrant's picture runs from beyond the rim, at its top, along a point to beyond the middle of the board;
its six points stand left to right as in the camera's picture, with half a point more on either side. The fifth picture
has the bar's upper half at its left end and its lower half at its right end.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board
from vision.frame import Bgr

POINT_PX, HALF_PX = 24, 126
"""A point's width, and the way from the rim to the middle of the board, in pixels of a quadrant."""
COLUMNS = 6
"""Points of a quadrant."""
WIDE, HIGH, RIM_PX = (COLUMNS + 1) * POINT_PX, 160, 13
"""A quadrant's size, and where the rim is in it."""
NUMBERS = ((12, 11, 10, 9, 8, 7), (6, 5, 4, 3, 2, 1), (13, 14, 15, 16, 17, 18), (19, 20, 21, 22, 23, 24))
"""The points of each quadrant, left to right."""
BAR = len(NUMBERS)
"""The bar's picture, the last one."""
PICTURES = BAR + 1
NO_BAR = slice(2 * POINT_PX, WIDE - 2 * POINT_PX)
"""Columns of the bar's picture that show nothing."""
AT = np.array(
    [next((q, row.index(n)) for q, row in enumerate(NUMBERS) if n in row) for n in range(1, 25)]
    + [(BAR, 0), (BAR, COLUMNS - 1)]
)
"""(26, 2): picture and column of points 1 to 24, of the bar's upper and of its lower half."""
POINTS, PLACES = 24, len(AT)
TOP_MM, BAR_TOP_MM = 9.0, 16.0
"""Height of a checker's upper face over the surface, on a point and on the bar."""
CELL = 12
"""Places in the camera's picture are computed for every 12th pixel and interpolated between."""
BEYOND = 3
"""Pixels around the quadrants that are cut with them."""
MOST_FINER = 1.65
"""Pixels of the camera's picture to one of a quadrant, from which on the picture is made half as large before."""

Quadrants = NDArray[np.uint8]
"""(PICTURES, HIGH, WIDE, 3) uint8."""


class QuadrantCutter:
    """Cuts the quadrants of one board out of pictures of the size that the board has."""

    def __init__(self, board: Board) -> None:
        self.board = board
        finer = board.px_per_mm() * board.point_mm / POINT_PX
        self._shrink = 1
        while finer > MOST_FINER * self._shrink:
            self._shrink *= 2
        maps, size = quadrant_maps(board), np.array(board.image_size)
        x0, y0 = np.clip(maps.min(0).min(0) - BEYOND, 0, size - self._shrink).astype(int)
        x1, y1 = np.clip(maps.max(0).max(0) + BEYOND, 0, size).astype(int)
        self._part = (_whole(y0, y1, self._shrink), _whole(x0, x1, self._shrink))
        maps = (maps - (x0, y0) + np.float32(0.5)) / np.float32(self._shrink) - np.float32(0.5)
        maps = maps.astype(np.float32)
        self._places, self._between = cv2.convertMaps(maps[..., 0], maps[..., 1], cv2.CV_16SC2)

    def cut(self, bgr: Bgr) -> Quadrants:
        """The quadrants of a picture (H, W, 3) uint8."""
        return self._cut(bgr, cv2.INTER_AREA, cv2.INTER_LINEAR)

    def cut_mask(self, mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The quadrants (PICTURES, HIGH, WIDE) of a mask (H, W), not interpolated."""
        return self._cut(mask, cv2.INTER_NEAREST, cv2.INTER_NEAREST)

    def _cut(self, picture: NDArray[np.uint8], smaller: int, how: int) -> NDArray[np.uint8]:
        picture = picture[self._part]
        if self._shrink > 1:
            h, w = picture.shape[0] // self._shrink, picture.shape[1] // self._shrink
            picture = np.asarray(cv2.resize(picture, (w, h), interpolation=smaller), np.uint8)
        flat = cv2.remap(picture, self._places, self._between, how, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(flat, np.uint8).reshape(PICTURES, HIGH, WIDE, *picture.shape[2:])


def _whole(begin: int, end: int, step: int) -> slice:
    """From `begin` to `end` or a little less, so that it holds whole steps, at least one."""
    return slice(begin, begin + max(step, (end - begin) // step * step))


def of_places(quadrants: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The pictures of points 1 to 24 and of the bar's halves, each two points wide: (26, HIGH, 48, …)."""
    wide = 2 * POINT_PX
    return np.stack([quadrants[q, :, k * POINT_PX : k * POINT_PX + wide] for q, k in AT])


def middles_mm(board: Board) -> NDArray[np.float64]:
    """Where points 1 to 24 and the bar's upper and lower half begin at the rim: (26, 3).

    x, y, and 1 where they run upwards or -1 downwards.
    """
    point, bar, half = board.point_mm, board.bar_mm / 2, board.surface_mm[1] / 2
    out = []
    for n in range(1, 25):
        k = n if n <= 12 else 25 - n
        x = bar + (6.5 - k) * point if k <= 6 else -bar - (k - 6.5) * point
        out.append((x, -half, 1.0) if n <= 12 else (x, half, -1.0))
    return np.array([*out, (0.0, half, -1.0), (0.0, -half, 1.0)])


def quadrant_maps(board: Board) -> NDArray[np.float32]:
    """Where the quadrants' pixels are in the picture, (PICTURES * HIGH, WIDE, 2): x and y as OpenCV counts them."""
    across, along = np.arange(0, WIDE + 1, CELL), np.arange(0, HIGH + CELL, CELL)
    x_mm = (across / POINT_PX - 1) * board.point_mm
    y_mm = (along - RIM_PX) / HALF_PX * board.surface_mm[1] / 2
    middles = middles_mm(board)
    half = 2 * POINT_PX // CELL + 1
    grid = np.empty((PICTURES, len(along), len(across), 2))
    for q, (x, y, up) in enumerate(middles[[*(row[0] - 1 for row in NUMBERS), PLACES - 2]]):
        grid[q, ..., 0], grid[q, ..., 1] = x + x_mm, (y + up * y_mm)[:, None]
    x, y, up = middles[PLACES - 1]
    grid[BAR, :, -half:, 0], grid[BAR, :, -half:, 1] = x + x_mm[:half], (y + up * y_mm)[:, None]
    height = np.where(np.arange(PICTURES) < BAR, TOP_MM, BAR_TOP_MM)
    raised = np.concatenate([board.lowered(g.reshape(-1, 2), -h) for g, h in zip(grid, height, strict=True)])
    px = board.to_px(raised).reshape(grid.shape).astype(np.float32) - np.float32(0.5)
    return between(px, HIGH, WIDE).reshape(PICTURES * HIGH, WIDE, 2)


def between(knots: NDArray[np.float32], high: int, wide: int) -> NDArray[np.float32]:
    """Values (N, high, wide, 2) at the middles of pixels, by those at knots (N, rows, columns, 2) every CELL pixels."""
    rows, columns = _weights(high, knots.shape[1]), _weights(wide, knots.shape[2])
    return np.ascontiguousarray(
        np.einsum("rk,nkld,cl->nrcd", rows, knots, columns, optimize=True), np.float32
    )


def _weights(pixels: int, knots: int) -> NDArray[np.float32]:
    """Weights (pixels, knots) by which the middles of pixels lie between knots at every CELL pixels."""
    at = (np.arange(pixels) + 0.5) / CELL
    return np.asarray(np.maximum(0, 1 - np.abs(at[:, None] - np.arange(knots))), np.float32)
