"""Pictures of trays: what is told of checkers drawn beside a board, with noise and in another light."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.board.calibration import Board
from vision.checkers.trays import AT_MOST, CORNERS, TrayCutter, TrayPicture

BOARD = Board(
    (1280, 720), ((200.0, 60.0), (1080.0, 60.0), (1080.0, 660.0), (200.0, 660.0)), (540.0, 360.0), 30.0
)
"""A point is 71 px wide."""
WOOD, LIGHT, DARK = (40, 70, 110), (225, 235, 240), (35, 30, 30)
AT = {1: (1150, 610), 12: (130, 610), 13: (130, 110), 24: (1150, 110)}
"""Where the first checker borne off lies beside each corner point, in the picture."""


def picture(off=0, corner=1, colour=LIGHT, seed=1, light=1.0, height=0):
    """A table with so many checkers borne off, one beside the other, or in one stack so many checkers high."""
    bgr = np.full((720, 1280, 3), WOOD, np.uint8)
    x, y = AT[corner]
    for k in range(off):
        across, up = (4 * k, 0) if height else (0, 70 * k if corner > 12 else -70 * k)
        cv2.circle(bgr, (x + across, y + up), 34, [one * 0.6 for one in colour], -1)
        cv2.circle(bgr, (x + across, y + up), 32, colour, -1)
    noise = np.random.default_rng(seed).normal(0, 2.0, bgr.shape)
    return np.clip(bgr * light + noise, 0, 255).astype(np.uint8)


def told(before, after, corner=1, board=BOARD):
    cutter = TrayCutter(board)
    return cutter.cut(after)[corner].change_since(cutter.cut(before)[corner])


@pytest.mark.parametrize("colour", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize(("before", "after"), [(0, 1), (0, 2), (1, 2), (2, 3)])
def test_checkers_borne_off_are_told_at_each_corner(before, after, corner, colour):
    then, now = picture(before, corner, colour), picture(after, corner, colour, seed=2)
    assert told(then, now, corner) > 2
    assert all(told(then, now, other) < 0 for other in CORNERS if other != corner)


@pytest.mark.parametrize("colour", [LIGHT, DARK], ids=["light", "dark"])
def test_checker_on_a_stack_is_told(colour):
    assert told(picture(3, colour=colour, height=1), picture(4, colour=colour, height=1, seed=2)) > 0


@pytest.mark.parametrize("light", [0.9, 1.0, 1.1])
@pytest.mark.parametrize("off", [0, 1, 3])
def test_tray_that_was_left_alone_is_told_in_another_light_too(off, light):
    assert told(picture(off), picture(off, seed=2, light=light)) < -1


def test_what_is_told_is_bounded_and_nothing_is_told_of_pictures_cut_elsewhere():
    assert told(picture(0), picture(3)) == AT_MOST
    before = TrayCutter(BOARD).cut(picture())[1]
    moved = TrayCutter(replace(BOARD, bar_mm=31.0)).cut(picture())[1]
    assert isinstance(moved, TrayPicture)
    assert moved.change_since(before) is None


def test_tray_outside_the_picture_tells_nothing():
    wide = replace(BOARD, corners_px=((10.0, 60.0), (1270.0, 60.0), (1270.0, 660.0), (10.0, 660.0)))
    assert told(picture(0), picture(1), board=wide) is None
