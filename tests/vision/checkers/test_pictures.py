"""Pictures of the points: what is told of checkers drawn on felt, with noise and in another light."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.board.calibration import Board
from vision.checkers.pictures import MOST, PointPictures, pictures_of
from vision.checkers.quadrants import HALF_PX, HIGH, PICTURES, POINT_PX, POINTS, WIDE

BOARD = Board(
    (1280, 720), ((100.0, 50.0), (1180.0, 50.0), (1180.0, 670.0), (100.0, 670.0)), (540.0, 310.0), 30.0
)
FELT, DARK, LIGHT = (60, 90, 40), (35, 30, 30), (225, 235, 240)
ROW = 5
"""Checkers beside each other; more lie on these."""
SCALE = 8
"""Finer than a pixel, for drawing."""


START = {
    6: (5, LIGHT),
    8: (3, LIGHT),
    12: (5, DARK),
    13: (5, LIGHT),
    17: (3, DARK),
    19: (5, DARK),
    24: (2, LIGHT),
}
"""Checkers on other points than the one that is compared."""


def point(count, colour, felt=FELT):
    """A point with so many checkers, the sixth and more on the first ones, a little aside."""
    big = np.full((HALF_PX * SCALE, POINT_PX * SCALE, 3), felt, np.uint8)
    for k in range(count):
        layer, at = divmod(k, ROW)
        middle = (POINT_PX / 2 + 1.2 * layer, 11.5 + 23 * at - 2.5 * layer)
        centre = tuple(round(one * SCALE) for one in middle)
        cv2.circle(big, centre, round((11 + 0.4 * layer) * SCALE), [one * 0.6 for one in colour], -1)
        cv2.circle(big, centre, round((10 + 0.4 * layer) * SCALE), colour, -1)
    return cv2.resize(big, (POINT_PX, HALF_PX), interpolation=cv2.INTER_AREA).astype(float)


def shown(count, colour=LIGHT, seed=1, light=1.0):
    """A board with so many checkers on its ace point.

    Args:
        count: checkers.
        colour: of these checkers, 0 to 255 each.
        seed: of the noise.
        light: factor.
    """
    held = {1: (count, colour), **START}
    points = np.stack([point(*held.get(n, (0, LIGHT))) for n in range(1, POINTS + 1)]) * light
    noise = np.random.default_rng(seed).normal(0, 1.0, points.shape)
    return PointPictures(np.clip(points + noise, 0, 255).astype(np.uint8), BOARD)


def told(now, before, count, colour=LIGHT):
    """What is told of the states of the ace point, as checkers of its colour, by their number."""
    others = {n: (held, 0) if paint is LIGHT else (0, held) for n, (held, paint) in START.items()}
    counts = [others.get(n, (0, 0)) for n in range(1, POINTS + 1)]
    counts[0] = (count, 0) if colour is LIGHT else (0, count)
    row = now.changes_since(before, counts)[1]
    return row[: MOST + 1] if colour is LIGHT else (row[0], *row[MOST + 1 :])


@pytest.mark.parametrize("colour", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("before", "after"), [(0, 1), (1, 0), (0, 2), (3, 2), (2, 4), (4, 5), (5, 6), (6, 5), (6, 7)]
)
def test_checkers_that_came_or_left_are_counted(before, after, colour):
    row = told(shown(after, colour, seed=2), shown(before, colour), before, colour)
    assert row.index(max(row)) == after
    assert row[after] > 1
    assert row[before] == 0


@pytest.mark.parametrize("colour", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("count", [0, 1, 3, 5, 6, 8, 11])
def test_checkers_that_were_left_alone_are_told_in_another_light_too(count, colour):
    for light in (1.0, 0.97, 1.03):
        row = told(shown(count, colour, seed=3, light=light), shown(count, colour), count, colour)
        assert sorted(row)[-2] < -1
        assert row[count] == 0


def test_blot_that_was_hit_is_told():
    counts = [(0, 1), *[(0, 0)] * (POINTS - 1)]
    row = shown(1, LIGHT, seed=2).changes_since(shown(1, DARK), counts)[1]
    assert row.index(max(row)) == 1


def test_nothing_is_told_of_pictures_cut_elsewhere_or_of_points_left_out():
    first, counts = shown(5), [(5, 0), *[(0, 0)] * (POINTS - 1)]
    assert replace(first, board=replace(BOARD, bar_mm=31.0)).changes_since(first, counts) == {}
    assert sorted(first.without({1, 7}).changes_since(first.without({9}), counts)) == [
        n for n in range(1, POINTS + 1) if n not in (1, 7, 9)
    ]


def test_what_is_told_is_bounded():
    rows = shown(5).changes_since(shown(1), [(1, 0), *[(0, 0)] * (POINTS - 1)]).values()
    assert all(-7 <= one <= 7 for row in rows for one in row)


def test_points_are_cut_in_their_order():
    quadrants = np.zeros((PICTURES, HIGH, WIDE, 3), np.uint8)
    quadrants[0, :, (POINT_PX // 2) : (POINT_PX // 2) + POINT_PX] = 200
    cut = pictures_of(quadrants, BOARD).bgr
    assert cut.shape == (POINTS, HALF_PX, POINT_PX, 3)
    assert [n for n, one in enumerate(cut, 1) if one.min() > 0] == [12]
