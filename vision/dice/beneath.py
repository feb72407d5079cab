"""Whether there is a checker beneath a die: a disc's edge around it in the picture, seen square from above."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board
from vision.frame import Bgr

REACH = 44
"""Of the looked at square, in mm and in its pixels, from the die's middle to its sides."""
RADII_MM = np.arange(13.0, 24.0)
"""Of checkers, on boards whose points are 41 mm wide."""
OFF_MM = (0.0, 4.0, 8.0, 12.0)
"""How far off a checker's middle the die on it may have its own; further off it would fall."""
DIE_REACH_MM = 11.0
"""What is nearer to its middle belongs to the die."""
SQUARE_ON = 0.9
"""The cosine between the way in which the picture changes and the radius: less is no disc's edge."""
FAINT = 12.0
"""Of 255 levels, over two pixels: what changes less is no edge."""
LEAST_SEEN = 30
"""Of AROUND places on a circle, that are not the die's."""
AROUND = 48


def disc_share(bgr: Bgr, board: Board, at_mm: tuple[float, float]) -> float:
    """The part of a checker's edge that is to be seen around a die, 0 to 1, of the likeliest disc that could carry it.

    Args:
        bgr: (H, W, 3) uint8.
        board: where the board lies in the picture.
        at_mm: of the die on the board.
    """
    ways, strength = _changes(_square(bgr, board, at_mm))
    faint = max(FAINT, float(np.median(strength)))
    turn = np.linspace(0, 2 * np.pi, AROUND, endpoint=False)
    out = np.stack([np.cos(turn), np.sin(turn)], 1)
    centres = np.array([(r * np.cos(a), r * np.sin(a)) for r in OFF_MM for a in turn[:: 4 if r else AROUND]])
    places = centres[:, None, None] + RADII_MM[None, :, None, None] * out
    seen = np.linalg.norm(places, axis=-1) > DIE_REACH_MM
    x, y = np.clip(np.round(places + REACH), 0, 2 * REACH).astype(int).transpose(3, 0, 1, 2)
    square_on = np.abs((ways[y, x] * out).sum(-1)) > SQUARE_ON
    edge = (square_on & (strength[y, x] > faint) & seen).sum(-1)
    share = np.where(seen.sum(-1) >= LEAST_SEEN, edge / np.maximum(seen.sum(-1), 1), 0)
    return float(share.max())


def _square(bgr: Bgr, board: Board, at_mm: tuple[float, float]) -> NDArray[np.float32]:
    """The board around a place, a pixel to a millimetre, Y down as in a picture."""
    y, x = np.mgrid[-REACH : REACH + 1, -REACH : REACH + 1].astype(np.float64)
    px = board.to_px(np.stack([x.ravel() + at_mm[0], at_mm[1] - y.ravel()], 1)).astype(np.float32) - 0.5
    at = px.reshape(2 * REACH + 1, 2 * REACH + 1, 2)
    cut = cv2.remap(bgr, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(cut, (0, 0), 1.0), np.float32)


def _changes(square: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Where to the picture changes most (H, W, 2), of length 1, and how much (H, W), in the channel that does most."""
    ways = np.stack([cv2.Sobel(square, cv2.CV_32F, *way) for way in ((1, 0), (0, 1))], -1)
    strength = np.linalg.norm(ways, axis=-1)
    most = strength.argmax(2)[..., None]
    way = np.take_along_axis(ways, most[..., None], 2)[:, :, 0]
    length = np.take_along_axis(strength, most, 2)[..., 0]
    return way / np.maximum(length, 1e-3)[..., None], length
