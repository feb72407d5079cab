"""Measures what decides whether dice can be read in a picture: their size, focus, light, noise, and the view.

Everything is measured on the playing surface, where points and checkers give edges in all directions.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board
from vision.dice.finder import DIE_MM
from vision.dice.reading import DieReading
from vision.errors import BadBoard
from vision.frame import Bgr

FINE_PX, COARSE_PX = 1.0, 2.0
"""Smoothings between which slopes are compared; the finer one keeps noise from seeming sharp."""
LEAST_BLUR_PX = 0.4
"""No picture of a sensor is sharper: each pixel is a mean over its own width."""
EDGE_SHARE, STEEP_SHARE = 0.5, 0.2
"""Edges are looked for in the first part of the tiles, those that span the most levels, and in each direction measured
in the second part of these, the steepest: points, checkers and dice have edges in all directions."""
FLAT_SHARE = 0.25
"""Noise is measured in this part of the tiles, those that span the fewest levels."""
CLIPPED = 250
"""From this level on in all three colours nothing is left of what a lamp shines on."""
LEAST_TILES = 12
"""Fewer tiles say nothing about a picture: a board fills hundreds."""


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a picture shows of the conditions; None where it could not be measured.

    Attributes:
        die_px: width of a die.
        fills: the part of the picture's width or height that the board takes, the larger one, 0 to 1.
        blur_px: standard deviation of the blur of its edges, in the direction where it is largest.
        smear: that blur over the one in the direction where it is smallest.
        light: level of the brightest parts, 0 to 255.
        contrast: levels between the darkest and the brightest parts.
        noise: standard deviation of the noise, in levels.
        clipped: the part of the surface that is blown out, 0 to 1.
        glare: the part of the surface that is blown out in one piece, 0 to 1.
        die_contrast: levels between the darkest and the brightest parts of the faintest die.
        slant_deg: angle between the camera's view of the board's middle and the view from straight above.
        outside: the part of the surface that is outside of the picture, 0 to 1.
    """

    die_px: float | None = None
    fills: float | None = None
    blur_px: float | None = None
    smear: float | None = None
    light: float | None = None
    contrast: float | None = None
    noise: float | None = None
    clipped: float | None = None
    glare: float | None = None
    die_contrast: float | None = None
    slant_deg: float | None = None
    outside: float | None = None


def conditions_of(bgr: Bgr, board: Board | None, dice: Sequence[DieReading] = ()) -> Conditions:
    """Measure a picture (H, W, 3) uint8 with the board and the dice in it; without a board almost nothing is known."""
    try:
        board = board and board.for_picture((bgr.shape[1], bgr.shape[0]))
    except BadBoard:
        board = None
    if board is None:
        return Conditions()
    h, w = bgr.shape[:2]
    corners = np.array(board.corners_px, np.float32)
    (x0, y0), (x1, y1) = (int(v) for v in corners.min(0)), (math.ceil(v) for v in corners.max(0))
    x0, y0, x1, y1 = max(0, x0), max(0, y0), min(w, x1), min(h, y1)
    seen = [die.box_px[2] - die.box_px[0] for die in dice if die.value is not None]
    die_px = float(np.median(seen)) if seen else DIE_MM * board.px_per_mm()
    view = Conditions(
        die_px=die_px,
        fills=max((x1 - x0) / w, (y1 - y0) / h),
        slant_deg=board.slant_deg(),
        outside=_outside(corners, w, h),
    )
    if x1 - x0 < 2 * die_px or y1 - y0 < 2 * die_px:
        return view
    part = bgr[y0:y1, x0:x1]
    inside = np.zeros(part.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.round(corners - (x0, y0)).astype(np.int32), 1)
    grey = cv2.cvtColor(part, cv2.COLOR_BGR2GRAY).astype(np.float32)
    on = grey[inside > 0]
    dark, bright = (float(v) for v in np.percentile(on, (2, 98)))
    blur_px, smear, noise = _sharpness(grey, inside, die_px)
    clipped, glare = _blown_out(part, inside)
    contrasts = [c for c in (_contrast(bgr, die) for die in dice) if c is not None]
    return Conditions(
        view.die_px,
        view.fills,
        blur_px,
        smear,
        bright,
        bright - dark,
        noise,
        clipped,
        glare,
        min(contrasts, default=None),
        view.slant_deg,
        view.outside,
    )


def _outside(corners: NDArray[np.float32], w: int, h: int) -> float:
    """The part of a quadrilateral (4, 2) outside of a picture."""
    whole = float(cv2.contourArea(corners))
    frame = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32)
    shared, _ = cv2.intersectConvexConvex(corners, frame)
    return max(0.0, 1.0 - float(shared) / whole)


def _blown_out(part: Bgr, inside: NDArray[np.uint8]) -> tuple[float, float]:
    """The part of the surface that is blown out, and that of its largest piece."""
    blown = np.asarray((part.min(2) >= CLIPPED) & (inside > 0), np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(blown, connectivity=4)
    largest = int(stats[1:, cv2.CC_STAT_AREA].max(initial=0))
    whole = max(1, int(inside.sum()))
    return int(blown.sum()) / whole, largest / whole


def _sharpness(
    grey: NDArray[np.float32], inside: NDArray[np.uint8], die_px: float
) -> tuple[float | None, float | None, float | None]:
    """The blur in the direction where it is largest, how much larger than where it is smallest, and the noise.

    The surface is cut into tiles of a die's width. An edge blurred by s is as steep as 1 / s; smoothed by FINE_PX and
    by COARSE_PX, the two slopes of a tile's steepest edge tell s, whatever the contrast.
    """
    side = max(4, round(die_px))
    whole = _tiles(inside, side).min((1, 3)) > 0
    tiles = _tiles(grey, side)
    span = tiles.max((1, 3)) - tiles.min((1, 3))
    noise = _noise(grey, span, whole, side)
    if int(whole.sum()) < LEAST_TILES:
        return None, None, noise
    edges = whole & (span >= np.quantile(span[whole], 1 - EDGE_SHARE))
    fine, coarse = _slopes(grey, FINE_PX, side), _slopes(grey, COARSE_PX, side)
    blurs = []
    for one, other in zip(fine, coarse, strict=True):
        strong = edges & (one >= np.quantile(one[edges], 1 - STEEP_SHARE))
        ratio = float(np.median(one[strong] / np.maximum(other[strong], 1e-6)))
        blurs.append(_blur_of(ratio))
    return max(blurs), max(blurs) / min(blurs), noise


def _slopes(grey: NDArray[np.float32], smooth_px: float, side: int) -> list[NDArray[np.float32]]:
    """The steepest slope of each tile in four directions, after smoothing."""
    soft = cv2.GaussianBlur(grey, (0, 0), smooth_px)
    along, down = np.zeros_like(soft), np.zeros_like(soft)
    along[:, 1:-1] = (soft[:, 2:] - soft[:, :-2]) / 2
    down[1:-1] = (soft[2:] - soft[:-2]) / 2
    slant = math.sqrt(0.5)
    ways = (along, down, (along + down) * slant, (along - down) * slant)
    return [_tiles(np.abs(way), side).max((1, 3)) for way in ways]


def _blur_of(ratio: float) -> float:
    """The blur of an edge by the ratio of its slopes after smoothing by FINE_PX and by COARSE_PX."""
    r2 = max(ratio**2, 1.0 + 1e-3)
    return math.sqrt(max((COARSE_PX**2 - r2 * FINE_PX**2) / (r2 - 1), LEAST_BLUR_PX**2))


def _noise(
    grey: NDArray[np.float32], span: NDArray[np.float32], whole: NDArray[np.bool_], side: int
) -> float | None:
    """Standard deviation of the noise, from differences within blocks of two by two pixels in the plainest tiles."""
    if int(whole.sum()) < LEAST_TILES:
        return None
    plain = whole & (span <= np.quantile(span[whole], FLAT_SHARE))
    high, wide = (length // 2 * 2 for length in grey.shape)
    a, b = grey[:high:2, :wide:2], grey[:high:2, 1:wide:2]
    c, d = grey[1:high:2, :wide:2], grey[1:high:2, 1:wide:2]
    mask = np.repeat(np.repeat(plain, side, 0), side, 1)[:high:2, :wide:2]
    detail = np.abs(a - b - c + d)[: mask.shape[0], : mask.shape[1]] / 2
    return float(np.sqrt((detail[mask[: detail.shape[0], : detail.shape[1]]] ** 2).mean()))


def _tiles(plane: NDArray[np.float32] | NDArray[np.uint8], side: int) -> NDArray[np.float32]:
    """A plane (h, w) as tiles (rows, side, columns, side); what is left at the right and below is dropped."""
    rows, columns = plane.shape[0] // side, plane.shape[1] // side
    cut = plane[: rows * side, : columns * side]
    return np.asarray(cut.reshape(rows, side, columns, side), np.float32)


def _contrast(bgr: Bgr, die: DieReading) -> float | None:
    """Levels between a die's darkest and brightest parts; None for one at the picture's edge."""
    x0, y0, x1, y1 = (round(v) for v in die.box_px)
    face = bgr[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)]
    if face.size == 0:
        return None
    spread = np.percentile(face.reshape(-1, 3), (5, 95), axis=0)
    return float((spread[1] - spread[0]).max())
