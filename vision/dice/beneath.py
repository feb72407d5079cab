"""Whether there is a checker beneath a die: a disc of one colour around it in the picture, seen square from above."""

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
_TURN = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
_OUT = np.stack([np.cos(_TURN), np.sin(_TURN)], 1)
_CENTRES = np.concatenate([off * _OUT[:: 4 if off else AROUND] for off in OFF_MM])


def disc_share(bgr: Bgr, board: Board, at_mm: tuple[float, float]) -> float:
    """The part of a checker's outline to be seen around a die, 0 to 1, of the likeliest disc that could carry it.

    A place counts if the disc has its usual colour inside the outline there, and another one outside.

    Args:
        bgr: (H, W, 3) uint8.
        board: where the board lies in the picture.
        at_mm: of the die on the board.
    """
    square = _square(bgr, board, at_mm)
    inside, outside = (
        _CENTRES[:, None, None] + (RADII_MM + way)[:, None, None] * _OUT for way in (-ACROSS_MM, ACROSS_MM)
    )
    seen = np.linalg.norm(inside, axis=-1) > DIE_REACH_MM
    enough = seen.sum(-1) >= LEAST_SEEN
    if not enough.any():
        return 0.0
    seen, within, beyond = seen[enough], _at(square, inside[enough]), _at(square, outside[enough])
    usual = np.nanmedian(np.where(seen[..., None], within, np.nan), axis=1, keepdims=True)
    step = np.linalg.norm(beyond - usual, axis=-1)
    edge = seen & (step > FAINT) & (np.linalg.norm(within - usual, axis=-1) < ALIKE * step)
    return float((edge.sum(-1) / seen.sum(-1)).max())


def _square(bgr: Bgr, board: Board, at_mm: tuple[float, float]) -> NDArray[np.float32]:
    """The board around a place in L*a*b*, a pixel to a millimetre, Y down as in a picture."""
    y, x = np.mgrid[-REACH : REACH + 1, -REACH : REACH + 1].astype(np.float64)
    px = board.to_px(np.stack([x.ravel() + at_mm[0], at_mm[1] - y.ravel()], 1)).astype(np.float32) - 0.5
    at = px.reshape(2 * REACH + 1, 2 * REACH + 1, 2)
    cut = cv2.remap(bgr, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.cvtColor(cv2.GaussianBlur(cut, (0, 0), 1.0), cv2.COLOR_BGR2LAB), np.float32)


def _at(square: NDArray[np.float32], places: NDArray[np.float64]) -> NDArray[np.float32]:
    """The colours (…, 3) at places (…, 2) in mm from the square's middle."""
    x, y = np.moveaxis(np.clip(np.round(places + REACH), 0, 2 * REACH).astype(int), -1, 0)
    return np.asarray(square[y, x])
