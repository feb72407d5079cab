"""The 24 points and the two halves of the bar as upright strips of one size, which the net reads.

A strip runs from beyond the rim, at its top, along the point to beyond the middle of the board; it is two points wide.
Strips 0 to 23 are points 1 to 24, 24 is the bar's upper half, 25 its lower half.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board
from vision.frame import Bgr

POINT_PX, HALF_PX = 24, 126
"""A point's width, and the way from the rim to the middle of the board, in a strip's pixels."""
WIDE, HIGH, RIM_PX = 2 * POINT_PX, 160, 13
"""A strip's size, and where the rim is in it."""
STRIPS = 26
TOP_MM, BAR_TOP_MM = 9.0, 16.0
"""Height of a checker's upper face over the surface, on a point and on the bar."""
CELL = 16
"""Places are computed for every 16th pixel and interpolated between."""

Strips = NDArray[np.uint8]
"""(26, HIGH, WIDE, 3) uint8."""


def strip_middles_mm(board: Board) -> NDArray[np.float64]:
    """Where each strip begins at the rim, and which way it runs: (26, 3) x, y, and 1 upwards or -1 downwards."""
    point, bar, half = point_width_mm(board), board.bar_mm / 2, board.surface_mm[1] / 2
    out = []
    for n in range(1, 25):
        k = n if n <= 12 else 25 - n
        x = bar + (6.5 - k) * point if k <= 6 else -bar - (k - 6.5) * point
        out.append((x, -half, 1.0) if n <= 12 else (x, half, -1.0))
    return np.array([*out, (0.0, half, -1.0), (0.0, -half, 1.0)])


def point_width_mm(board: Board) -> float:
    """A point's width."""
    return (board.surface_mm[0] - board.bar_mm) / 12


def strip_maps(board: Board) -> NDArray[np.float32]:
    """Where each pixel of the strips is in the picture, (26 * HIGH, WIDE, 2): x and y as OpenCV counts them."""
    across = np.arange(0, WIDE + 1, CELL)
    along = np.arange(0, HIGH + 1, CELL)
    x_mm = (across - WIDE / 2) / POINT_PX * point_width_mm(board)
    y_mm = (along - RIM_PX) / HALF_PX * board.surface_mm[1] / 2
    middles = strip_middles_mm(board)
    grid = np.empty((STRIPS, len(along), len(across), 2))
    grid[..., 0] = middles[:, 0, None, None] + x_mm
    grid[..., 1] = middles[:, 1, None, None] + middles[:, 2, None, None] * y_mm[:, None]
    height = np.where(np.arange(STRIPS) < 24, TOP_MM, BAR_TOP_MM)
    raised = np.concatenate([board.lowered(g.reshape(-1, 2), -h) for g, h in zip(grid, height, strict=True)])
    px = board.to_px(raised).reshape(grid.shape).astype(np.float32) - np.float32(0.5)
    rows, columns = _weights(HIGH, len(along)), _weights(WIDE, len(across))
    full = np.einsum("rk,nkld,cl->nrcd", rows, px, columns, optimize=True)
    return np.ascontiguousarray(full.reshape(STRIPS * HIGH, WIDE, 2), np.float32)


def _weights(pixels: int, knots: int) -> NDArray[np.float32]:
    """Weights (pixels, knots) by which the middles of pixels lie between knots at every CELL pixels."""
    at = (np.arange(pixels) + 0.5) / CELL
    return np.asarray(np.maximum(0, 1 - np.abs(at[:, None] - np.arange(knots))), np.float32)


def cut_strips(
    bgr: Bgr, board: Board, maps: NDArray[np.float32] | None = None, nearest: bool = False
) -> Strips:
    """The strips of a picture (H, W, 3) uint8.

    Arguments:
        bgr: the picture.
        board: the board in it.
        maps: `strip_maps(board)`, where they are known already.
        nearest: do not interpolate.
    """
    maps = strip_maps(board) if maps is None else maps
    shrink = max(1, int(board.px_per_mm() * point_width_mm(board) / POINT_PX + 0.35))
    if shrink > 1:
        h, w = bgr.shape[0] // shrink, bgr.shape[1] // shrink
        even = bgr[: h * shrink, : w * shrink]
        how = cv2.INTER_NEAREST if nearest else cv2.INTER_AREA
        bgr = np.asarray(cv2.resize(even, (w, h), interpolation=how), np.uint8)
        maps = (maps + np.float32(0.5)) / np.float32(shrink) - np.float32(0.5)
    how = cv2.INTER_NEAREST if nearest else cv2.INTER_LINEAR
    flat = cv2.remap(bgr, maps[..., 0], maps[..., 1], how, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8).reshape(STRIPS, HIGH, WIDE, -1)
