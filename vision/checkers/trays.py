"""Pictures of what lies beside the board's corner points, where most boards have trays for checkers borne off.

How many lie in a stack is hard to see; that one was put there is not, as nothing else is put there in most games.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import log

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board
from vision.checkers.quadrants import CELL, HALF_PX, POINT_PX, TOP_MM, between
from vision.frame import Bgr

CORNERS = (1, 12, 13, 24)
"""The points beside which trays are looked at."""
WIDE_PX = 2 * POINT_PX
"""From the surface's edge over the divider and the tray: two points' widths."""
BEYOND_PX = 13
"""From the surface's edge to beyond the rim at its end."""
HIGH_PX = BEYOND_PX + 107
"""To where a cube may stand in the middle of the board's side: a sixth of the half is left out there."""
PART = (9, 9)
"""Pixels over which a change is averaged: less than half a checker."""
WIDE = 0.9
"""Share of the tray that changed by less than what is taken for the change on the whole."""
DARKEST = 8.0
"""Added to each level, of 0 to 255, before the light of both pictures is made equal."""
LEAST_IN_SIGHT = 0.5
"""Least share of a tray inside the picture for it to tell anything."""
OF_TRAY = 2.27, 1.27, -5.91
"""Weights of the logarithms of the largest change and of that on the whole, in grey levels, and a constant, so that the
sum is how much likelier it is that a checker was put there, in nats. Fitted by `vision/training/nets/trays.py` to 21
games of two renderers: 172 trays to which checkers came, and 8,280 that were left alone."""
AT_MOST = 4.0
"""Bound of that sum: stacks are put straight, and cups stand in trays."""


@dataclass(frozen=True, eq=False)
class TrayPicture:
    """What lies beside a corner point in a picture.

    Attributes:
        bgr: (HIGH_PX, WIDE_PX, 3) uint8, from the rim at the point towards the middle, from the surface outwards.
        in_sight: (HIGH_PX, WIDE_PX) bool, what of it is inside the picture.
        board: the place of the board by which it was cut.
    """

    bgr: NDArray[np.uint8]
    in_sight: NDArray[np.bool_]
    board: Board

    def change_since(self, before: "TrayPicture") -> float | None:
        """How much likelier it is that checkers were put there since another picture than that none was, in nats; None
        if the board lay elsewhere in that picture, or the tray is hardly in the picture.
        """
        if before.board != self.board or self.in_sight.mean() < LEAST_IN_SIGHT:
            return None
        most, wide = self.words_since(before)
        return min(OF_TRAY[0] * most + OF_TRAY[1] * wide + OF_TRAY[2], AT_MOST)

    def words_since(self, before: "TrayPicture") -> tuple[float, float]:
        """What speaks for it: the logarithms of the largest change of the mean colour, and of the wide one."""
        now, then = (one.bgr.astype(np.float32) + DARKEST for one in (self, before))
        light = np.median((now / then)[self.in_sight], 0)
        change = now - np.minimum(then * light, 255 + DARKEST)
        parts = np.abs(cv2.blur(change, PART)).max(2)[self.in_sight]
        return log(float(parts.max()) + 1), log(float(np.quantile(parts, WIDE)) + 1)


class TrayCutter:
    """Cuts the trays of one board out of pictures of the size that the board has."""

    def __init__(self, board: Board) -> None:
        self.board = board
        maps = between(np.stack([_knots(board, corner) for corner in CORNERS]), HIGH_PX, WIDE_PX)
        wide, high = board.image_size
        inside = (maps > 0).all(-1) & (maps[..., 0] < wide - 1) & (maps[..., 1] < high - 1)
        self._in_sight = dict(zip(CORNERS, inside, strict=True))
        flat = maps.reshape(-1, WIDE_PX, 2)
        self._places, self._between = cv2.convertMaps(flat[..., 0], flat[..., 1], cv2.CV_16SC2)

    def cut(self, bgr: Bgr) -> Mapping[int, TrayPicture]:
        """The trays of a picture (H, W, 3) uint8, by their corner points."""
        flat = cv2.remap(bgr, self._places, self._between, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        trays = np.asarray(flat, np.uint8).reshape(len(CORNERS), HIGH_PX, WIDE_PX, 3)
        return {
            corner: TrayPicture(one, self._in_sight[corner], self.board)
            for corner, one in zip(CORNERS, trays, strict=True)
        }


def _knots(board: Board, corner: int) -> NDArray[np.float32]:
    """Where every CELL-th pixel of a tray begins in the picture, (rows, columns, 2): x and y as OpenCV counts them."""
    right, up = (1 if corner in (1, 24) else -1), (1 if corner in (1, 12) else -1)
    out = np.arange(0, WIDE_PX + 1, CELL) / POINT_PX * board.point_mm
    along = ((np.arange(0, HIGH_PX + 1, CELL) - BEYOND_PX) / HALF_PX - 1) * board.surface_mm[1] / 2
    mm = np.empty((len(along), len(out), 2))
    mm[..., 0] = right * (board.surface_mm[0] / 2 + out)
    mm[..., 1] = (up * along)[:, None]
    px = board.to_px(board.lowered(mm.reshape(-1, 2), -TOP_MM)).reshape(mm.shape)
    return np.asarray(px, np.float32) - np.float32(0.5)
