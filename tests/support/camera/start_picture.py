"""A picture of a starting position, whose board was found beside its place."""

from functools import cache

import numpy as np

from companion.camera.recorded_game import FILM
from vision.board.calibration import Board
from vision.board.findboard import BoardFinder, board_from_corners
from vision.capture.camera import open_camera
from vision.frame import Bgr

ASIDE = ((50.0, 4.0), (0.0, 0.0), (0.0, 0.0), (42.0, -3.0))
"""How far from their places the corners are found, in pixels: a point is 64 wide."""


@cache
def start_picture() -> tuple[Bgr, Board, Board]:
    """The first picture of the demo's film, the board's place in it, and one beside it."""
    frame = next(iter(open_camera(str(FILM / "game.webm")).frames()))
    place = BoardFinder().find(frame.bgr)
    assert place is not None
    corners = np.array(place.corners_px) + ASIDE
    found = board_from_corners(place.image_size, corners.tolist(), place.bar_mm / place.surface_mm[0])
    return frame.bgr, place, found


def farthest_px(one: Board, other: Board) -> float:
    """The largest distance of two boards' corners, in pixels."""
    return float(np.linalg.norm(np.array(one.corners_px) - other.corners_px, axis=1).max())
