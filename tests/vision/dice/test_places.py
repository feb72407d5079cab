"""Where dice are on the board: the nearest wall."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.board.calibration import Board
from vision.dice.places import Place, nearest_wall, wall_mm_of

BOARD = Board((1000, 800), ((0, 0), (1000, 0), (1000, 800), (0, 800)), (500.0, 400.0), 40.0)
"""Rims at x = -250, 250 and y = -200, 200; the bar from x = -20 to 20."""


@pytest.mark.parametrize(
    ("place", "away_mm", "off", "kind"),
    [
        ((240.0, 10.0), 10.0, (-1.0, 0.0), "short rim"),
        ((-245.0, 10.0), 5.0, (1.0, 0.0), "short rim"),
        ((100.0, 192.0), 8.0, (0.0, -1.0), "long rim"),
        ((-100.0, -170.0), 30.0, (0.0, 1.0), "long rim"),
        ((31.0, 0.0), 11.0, (1.0, 0.0), "bar"),
        ((-31.0, 0.0), 11.0, (-1.0, 0.0), "bar"),
        ((15.0, 0.0), 5.0, (-1.0, 0.0), "bar"),
        ((255.0, 0.0), -5.0, (-1.0, 0.0), "short rim"),
    ],
    ids=["right", "left", "above", "below", "right of the bar", "left of it", "over it", "beyond the rim"],
)
def test_the_nearest_wall(place: Place, away_mm: float, off: tuple[float, float], kind: str) -> None:
    wall = nearest_wall(place, BOARD)
    assert (wall.away_mm, wall.off, wall.kind) == (pytest.approx(away_mm), off, kind)


@given(st.floats(-249, 249), st.floats(-199, 199))
def test_the_way_back_from_the_wall_leads_to_it(x: float, y: float) -> None:
    wall = nearest_wall((x, y), BOARD)
    there = (x - wall.away_mm * wall.off[0], y - wall.away_mm * wall.off[1])
    assert wall_mm_of(there, BOARD) == pytest.approx(0.0, abs=1e-9)
    assert math.hypot(*wall.off) == 1.0
