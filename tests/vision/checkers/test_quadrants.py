"""Quadrants: each point is cut where it is, whichever way the board lies in the picture."""

import cv2
import numpy as np
import pytest

from vision.board.calibration import Board
from vision.checkers.quadrants import (
    HALF_PX,
    HIGH,
    PLACES,
    POINT_PX,
    POINTS,
    RIM_PX,
    QuadrantCutter,
    middles_mm,
    of_places,
)

SIZE = (900, 700)
CORNERS = {
    "straight": ((100.0, 60.0), (800.0, 60.0), (800.0, 640.0), (100.0, 640.0)),
    "aslant": ((140.0, 90.0), (790.0, 40.0), (850.0, 620.0), (80.0, 660.0)),
    "half a turn": ((800.0, 640.0), (100.0, 640.0), (100.0, 60.0), (800.0, 60.0)),
}


def board_at(corners: tuple[tuple[float, float], ...]) -> Board:
    return Board(SIZE, corners, (540.0, 430.0), 40.0)


@pytest.mark.parametrize("name", CORNERS)
def test_the_place_of_a_checker_at_the_rim_is_at_the_rim_of_its_picture(name: str) -> None:
    board = board_at(CORNERS[name])
    picture = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    middles = middles_mm(board)
    places = middles[:24, :2] + np.c_[np.zeros(24), middles[:24, 2] * 20]
    px = board.to_px(board.lowered(places, -9.0))
    for n, (x, y) in enumerate(px):
        cv2.circle(picture, (round(x), round(y)), 9, (10 * n + 10, 255, 0), -1)
    places = of_places(QuadrantCutter(board).cut(picture))
    assert places.shape == (PLACES, HIGH, 2 * POINT_PX, 3)
    row = RIM_PX + round(HALF_PX * 20 / 215)
    seen = places[:POINTS, row - 1 : row + 1, POINT_PX - 1 : POINT_PX + 1].reshape(POINTS, -1, 3).mean(1)
    assert np.abs(seen[:, 0] - (10 * np.arange(24) + 10)).max() < 3
    assert seen[:, 1].min() > 245


def test_points_are_numbered_as_the_commands_have_them() -> None:
    middles = middles_mm(board_at(CORNERS["straight"]))
    where = {n: (middles[n - 1, 0] > 0, middles[n - 1, 1] > 0) for n in (1, 6, 7, 12, 13, 18, 19, 24)}
    assert where == {
        1: (True, False), 6: (True, False), 7: (False, False), 12: (False, False),
        13: (False, True), 18: (False, True), 19: (True, True), 24: (True, True),
    }  # fmt: skip
    outer = np.abs(middles[[0, 11, 12, 23], 0])
    assert np.allclose(outer, outer[0])
    assert outer[0] > np.abs(middles[[5, 6, 17, 18], 0]).max()


@pytest.mark.parametrize("shift", [(-400, 0), (700, 500), (0, -690)])
def test_a_board_that_leaves_the_picture_shows_the_picture_s_edge(shift: tuple[int, int]) -> None:
    corners = tuple((x + shift[0], y + shift[1]) for x, y in CORNERS["straight"])
    picture = np.full((SIZE[1], SIZE[0], 3), 77, np.uint8)
    assert np.unique(of_places(QuadrantCutter(board_at(corners)).cut(picture))).tolist() == [77]
