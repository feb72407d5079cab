"""Reading of the dice in single pictures: find, refine, look at faces, judge."""

from dataclasses import replace

import cv2
import numpy as np

from vision.board.calibration import Board
from vision.change import STEP, Stir
from vision.dice.beneath import disc_share
from vision.dice.faces import MODEL_ANYWHERE as PIPS_ANYWHERE
from vision.dice.faces import PipReader, Seen
from vision.dice.finder import DIE_MM, EDGE_PX, MODEL_ANYWHERE, NEAR, Finder, Spot
from vision.dice.judge import reading_of
from vision.dice.pyramid import Halves
from vision.dice.reading import DiceReading
from vision.errors import BadPicture
from vision.frame import Bgr

LOOKED_AT = 10
"""Spots examined on a known board. Two are dice; if the finder sees them they are among these, even on a board whose
rim is inlaid with pip-like ornaments."""
WORTH_A_LOOK = 0.45
"""Least score relative to the best spot's. Hardly any die found on the rendered boards had less."""
LOOKED_AT_ANYWHERE = 120
EDGE_SHARE = 0.4
"""In widths: a spot whose middle is closer to the picture's edge is no die, or one that nobody could read."""
FRESH_SHARE = 0.1
"""Least part of a spot's square that differs from the picture without dice. A die of the board's own colour still has a
shadow and pips."""


SEEMS_ON, DISC = 0.35, 0.6
"""Where the lens is not known, a die that seems to lie on a checker as much as the one is in doubt unless as much of
a disc's edge as the other is to be seen around it: of 14 rendered dice on checkers 11 show more, of 165 on the floor
a quarter."""


class Reader:
    """Reads the dice in single pictures; loaded once, used by one thread."""

    def __init__(self) -> None:
        self._finder = Finder()
        self._finder_anywhere = Finder(MODEL_ANYWHERE)
        self._pips = PipReader()
        self._pips_anywhere = PipReader(PIPS_ANYWHERE)

    def read(self, bgr: Bgr, board: Board | None = None, since: Stir | None = None) -> DiceReading:
        """Read the dice in a picture (H, W, 3) uint8, on a board if one is known.

        Args:
            bgr: the picture.
            board: the board's place in it.
            since: change since a picture without dice; a spot without change is no die.

        Raises:
            BadPicture: the picture is too small to hold a die.
            BadBoard: the board belongs to pictures of other proportions.
        """
        h, w = bgr.shape[:2]
        if min(h, w) < 24:
            raise BadPicture(f"A picture of {w}x{h} pixels is too small to show dice.")
        picture = Halves(bgr)
        if board is None:
            spots = self._finder_anywhere.search(picture, max(9.0, max(h, w) / 110), max(h, w) / 5, 0.15)
            spots = [spot for spot in _fresh(spots, since)[:LOOKED_AT_ANYWHERE] if _inside(spot, w, h)]
            return reading_of(self._pips_anywhere.look(picture, spots), None)
        board = board.for_picture((w, h))
        edge = DIE_MM * board.px_per_mm()
        spots = _fresh(self._finder.find(picture, EDGE_PX / edge, near=NEAR), since)[:LOOKED_AT]
        spots = [spot for spot in spots if spot.score >= WORTH_A_LOOK * spots[0].score]
        up = board.up(np.array([(s.x, s.y) for s in spots])) if spots else None
        seen = self._pips.look(picture, spots, up)
        if board.distortion is None:
            seen = [_without_disc(one, bgr, board) for one in seen]
        return reading_of(seen, board)


def _without_disc(one: Seen, bgr: Bgr, board: Board) -> Seen:
    """The look, in doubt whether the die lies on a checker if it seems to and none is to be seen."""
    floor, checker, die, ledge = one.look.supports
    if checker < SEEMS_ON:
        return one
    (x, y) = board.lowered(board.to_mm(np.array([(one.spot.x, one.spot.y)])), DIE_MM)[0]
    if disc_share(bgr, board, (float(x), float(y))) >= DISC:
        return one
    shared = (floor + checker) / 2
    return replace(one, look=replace(one.look, supports=(shared, shared, die, ledge)))


def _inside(spot: Spot, w: int, h: int) -> bool:
    """Whether the middle of the face is in the picture, and not at its very edge."""
    edge = EDGE_SHARE * spot.width
    return edge < spot.x < w - edge and edge < spot.y < h - edge


def _fresh(spots: list[Spot], since: Stir | None) -> list[Spot]:
    """The spots that changed."""
    return spots if since is None else [spot for spot in spots if _changed(since, spot) >= FRESH_SHARE]


def _changed(since: Stir, spot: Spot) -> float:
    """The part of a spot's square that changed, 0 to 1."""
    x0, y0, x1, y1 = (
        max(0, round((v + way * spot.width / 2) / STEP))
        for v, way in ((spot.x, -1), (spot.y, -1), (spot.x, 1), (spot.y, 1))
    )
    square = since.moved[y0 : y1 + 1, x0 : x1 + 1]
    return float(square.mean()) if square.size else 0.0


def single_thread() -> None:
    """Keep OpenCV to one core, so that page and camera keep theirs."""
    cv2.setNumThreads(1)
