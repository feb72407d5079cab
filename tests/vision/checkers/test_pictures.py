"""Pictures of single points: what is told of heaps drawn on felt, with noise and in another light."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.board.calibration import Board
from vision.checkers.pictures import AT_MOST, PointPicture, pictures_of
from vision.checkers.quadrants import HALF_PX, HIGH, PICTURES, POINT_PX, POINTS, WIDE

BOARD = Board(
    (1280, 720), ((100.0, 50.0), (1180.0, 50.0), (1180.0, 670.0), (100.0, 670.0)), (540.0, 310.0), 30.0
)
FELT, DARK, LIGHT = (60, 90, 40), (35, 30, 30), (225, 235, 240)
ROW = 5
"""Checkers beside each other; more lie on these."""
SCALE = 8
"""Finer than a pixel, for drawing."""


def heap(count, colour=LIGHT, seed=1, light=1.0):
    """A point with a heap of so many checkers, the sixth and more on the first ones, a little aside.

    Args:
        count: checkers.
        colour: of the checkers, 0 to 255 each.
        seed: of the noise.
        light: factor.
    """
    big = np.full((HALF_PX * SCALE, POINT_PX * SCALE, 3), FELT, np.uint8)
    for k in range(count):
        layer, at = divmod(k, ROW)
        middle = (POINT_PX / 2 + 1.2 * layer, 11.5 + 23 * at - 2.5 * layer)
        centre = tuple(round(one * SCALE) for one in middle)
        cv2.circle(big, centre, round((11 + 0.4 * layer) * SCALE), [one * 0.6 for one in colour], -1)
        cv2.circle(big, centre, round((10 + 0.4 * layer) * SCALE), colour, -1)
    small = cv2.resize(big, (POINT_PX, HALF_PX), interpolation=cv2.INTER_AREA).astype(float) * light
    noise = np.random.default_rng(seed).normal(0, 1.0, small.shape)
    return PointPicture(np.clip(small + noise, 0, 255).astype(np.uint8), BOARD)


@pytest.mark.parametrize("colour", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("before", "after"), [(5, 6), (6, 5), (6, 7), (9, 8), (8, 6)])
def test_checker_that_came_to_a_heap_or_left_it_is_told(before, after, colour):
    told = heap(after, colour, seed=2).change_since(heap(before, colour), is_heap=True)
    assert told is not None
    assert told > 1


@pytest.mark.parametrize("colour", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("count", [5, 6, 8, 11])
def test_heap_that_was_left_alone_is_told_in_another_light_too(count, colour):
    for light in (1.0, 0.97, 1.03):
        told = heap(count, colour, seed=3, light=light).change_since(heap(count, colour), is_heap=True)
        assert told is not None
        assert told < -1


@pytest.mark.parametrize("colour", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("before", "after"), [(0, 1), (1, 0), (0, 2), (3, 2), (2, 4)])
def test_checker_that_came_to_a_few_or_left_them_is_told(before, after, colour):
    told = heap(after, colour, seed=2).change_since(heap(before, colour), is_heap=False)
    assert told is not None
    assert told > 1


@pytest.mark.parametrize("colour", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("count", [0, 1, 3])
def test_few_that_were_left_alone_are_told_in_another_light_too(count, colour):
    for light in (1.0, 0.97, 1.03):
        now = heap(count, colour, seed=3, light=light)
        told = now.change_since(heap(count, colour), is_heap=False)
        assert told is not None
        assert told < 0


def test_what_is_told_is_bounded_and_nothing_is_told_of_pictures_cut_elsewhere():
    first = heap(5)
    assert first.change_since(first, is_heap=True) == AT_MOST[0]
    other = replace(first, board=replace(BOARD, bar_mm=31.0))
    assert other.change_since(first, is_heap=True) is None


def test_points_are_cut_in_their_order():
    quadrants = np.zeros((PICTURES, HIGH, WIDE, 3), np.uint8)
    quadrants[0, :, (POINT_PX // 2) : (POINT_PX // 2) + POINT_PX] = 200
    cut = pictures_of(quadrants, BOARD)
    assert len(cut) == POINTS
    bright = [n for n, one in enumerate(cut, 1) if one.bgr.min() > 0]
    assert bright == [12]
    assert cut[0].bgr.shape == (HALF_PX, POINT_PX, 3)
