"""A picture becomes a reading, frames become throws."""

import cv2

from vision.calibration import Board
from vision.errors import BadPicture
from vision.frame import Bgr
from vision.judge import Seen, reading_of
from vision.locate import EDGE_PX, Finder
from vision.pips import PipReader
from vision.reading import DiceReading

DIE_MM = 14.5
"""Dice for backgammon are 12 to 16 mm wide; the finder takes what is up to 1.5 times as large or small."""
FEWEST_PX, MOST_PX = 4, 64_000_000
LOOKED_AT = 10
"""Spots looked at more closely on a known board; two are dice."""
LOOKED_AT_ANYWHERE = 80


class Reader:
    """Reads the dice in single pictures; loaded once, used by one thread."""

    def __init__(self) -> None:
        self._finder = Finder()
        self._pips = PipReader()

    def read(self, bgr: Bgr, board: Board | None = None) -> DiceReading:
        """The dice in a picture (H, W, 3) uint8, on a board where one is known.

        Raises:
            BadPicture: the picture is too small to hold a die.
            BadBoard: the board belongs to pictures of other proportions.
        """
        h, w = bgr.shape[:2]
        if min(h, w) < 24:
            raise BadPicture(f"A picture of {w}x{h} pixels is too small to show dice.")
        if board is None:
            spots = self._finder.search(bgr, max(9.0, max(h, w) / 110), max(h, w) / 5)[:LOOKED_AT_ANYWHERE]
        else:
            board = board.for_picture((w, h))
            edge = DIE_MM * board.px_per_mm()
            spots = self._finder.find(bgr, EDGE_PX / edge)[:LOOKED_AT]
        looks = self._pips.look(bgr, spots)
        return reading_of([Seen(s, k) for s, k in zip(spots, looks, strict=True)], board)


def single_thread() -> None:
    """Keep OpenCV to one core, so that the page and the camera keep theirs."""
    cv2.setNumThreads(1)
