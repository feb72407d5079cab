"""Whether there is a checker beneath a die: a disc of one colour around it in the picture, seen square from above."""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board
from vision.frame import Bgr

REACH = 44
"""Of the looked at square, in mm and in its pixels, from the die's middle to its sides."""
RADII_MM = np.arange(14.0, 21.6, 0.75)
"""Of checkers, on boards whose points are 41 mm wide."""
OFF_MM = (0.0, 4.0, 8.0, 12.0, 16.0)
"""How far off a checker's middle the die on it may have its own; further off it would fall."""
DIE_REACH_MM = 11.5
"""What is nearer to its middle belongs to the die."""
ACROSS_MM = 3.0
"""Inside and outside the disc's edge the colours are compared so far from it."""
FAINT = 7.0
"""Of L*a*b*: colours that differ by less are the same."""
ALIKE = 0.6
"""Inside a disc its colour changes by less than this part of the step at its edge."""
LEAST_SEEN = 20
"""Of AROUND places on a circle, that are not the die's."""
AROUND = 48
SIDE = 2 * REACH + 1


class _Circles(NamedTuple):
    """All outlines that are looked at, AROUND places each, as indices into the flat square."""

    inside: NDArray[np.int64]  # (N, AROUND)
    outside: NDArray[np.int64]  # (N, AROUND)
    seen: NDArray[np.bool_]  # (N, AROUND): not covered by the die


def _circles() -> _Circles:
    turn = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    out = np.stack([np.cos(turn), np.sin(turn)], 1)
    centres = np.concatenate([off * out[:: 4 if off else AROUND] for off in OFF_MM])
    inside, outside = (
        (centres[:, None, None] + (RADII_MM + way)[:, None, None] * out).reshape(-1, AROUND, 2)
        for way in (-ACROSS_MM, ACROSS_MM)
    )
    seen = np.linalg.norm(inside, axis=-1) > DIE_REACH_MM
    enough = seen.sum(-1) >= LEAST_SEEN
    return _Circles(_index(inside[enough]), _index(outside[enough]), seen[enough])


def _index(places: NDArray[np.float64]) -> NDArray[np.int64]:
    """Indices into the flat square of places (…, 2) in mm from its middle."""
    x, y = np.moveaxis(np.clip(np.round(places + REACH), 0, SIDE - 1).astype(np.int64), -1, 0)
    return np.asarray(y * SIDE + x)


CIRCLES = _circles()


def disc_share(bgr: Bgr, board: Board, at_mm: tuple[float, float]) -> float:
    """The part of a checker's outline to be seen around a die, 0 to 1, of the likeliest disc that could carry it.

    A place counts if the disc has its usual colour inside the outline there, and another one outside.

    Args:
        bgr: (H, W, 3) uint8.
        board: where the board lies in the picture.
        at_mm: of the die on the board.
    """
    colours = _square(bgr, board, at_mm).reshape(-1, 3)
    within, beyond, seen = colours[CIRCLES.inside], colours[CIRCLES.outside], CIRCLES.seen
    usual = _medians(within, seen)[:, None]
    step, change = _square_sums(beyond - usual), _square_sums(within - usual)
    edge = seen & (step > FAINT**2) & (change < ALIKE**2 * step)
    return float((edge.sum(-1) / seen.sum(-1)).max())


def _square_sums(ways: NDArray[np.float32]) -> NDArray[np.float32]:
    """The squared lengths (N, AROUND) of differences (N, AROUND, 3)."""
    return np.asarray(np.einsum("nak,nak->na", ways, ways), np.float32)


def _medians(colours: NDArray[np.uint8], seen: NDArray[np.bool_]) -> NDArray[np.float32]:
    """The median colours (N, 3) of those (N, AROUND, 3) that are seen (N, AROUND)."""
    ordered = np.sort(np.where(seen[..., None], colours, np.uint8(255)), axis=1)
    count, each = seen.sum(1), np.arange(len(seen))
    middle = ordered[each, (count - 1) // 2].astype(np.float32) + ordered[each, count // 2]
    return np.asarray(middle / 2, np.float32)


def _square(bgr: Bgr, board: Board, at_mm: tuple[float, float]) -> NDArray[np.uint8]:
    """The board around a place in L*a*b*, a pixel to a millimetre, Y down as in a picture."""
    y, x = np.mgrid[-REACH : REACH + 1, -REACH : REACH + 1].astype(np.float64)
    px = board.to_px(np.stack([x.ravel() + at_mm[0], at_mm[1] - y.ravel()], 1)).astype(np.float32) - 0.5
    at = px.reshape(SIDE, SIDE, 2)
    cut = cv2.remap(bgr, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(cv2.GaussianBlur(cut, (0, 0), 1.0), cv2.COLOR_BGR2LAB), np.uint8)
