"""What a die may lean on is within its reach; what is not, does not count."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.board.calibration import Board
from vision.dice.faces import Look, Seen
from vision.dice.finder import DIE_MM, Spot
from vision.dice.flat.supported import HALF_DIAGONAL, STEEPEST_DEG, is_out_of_reach, reach

BOARD = Board((1000, 800), ((0, 0), (1000, 0), (1000, 800), (0, 800)), (500.0, 400.0), 40.0)
"""Two pixels to a millimetre."""
OPEN, WIDTH = (750.0, 400.0), 29.0
TILTS = st.floats(0.0, STEEPEST_DEG)
TURNS = st.floats(0.0, 2 * math.pi)


def seen(at: tuple[float, float], die: float = 1.0) -> Seen:
    look = Look(die, (0.0,) * 5 + (1.0,), 0.0, (1.0, 0.0, 0.0, 0.0), 1.0, 0.0)
    return Seen(Spot(*at, WIDTH, 1.0), look)


def away(widths: float, turn: float) -> tuple[float, float]:
    return OPEN[0] + widths * WIDTH * math.cos(turn), OPEN[1] + widths * WIDTH * math.sin(turn)


def out_of_reach(tilt_deg: float, *others: Seen, at: tuple[float, float] = OPEN) -> bool:
    return is_out_of_reach(Spot(*at, WIDTH, 1.0), tilt_deg, [seen(at), *others], BOARD)


def corners(tilt_deg: float, turn: float) -> np.ndarray:
    """Of a cube of edge 1, from the middle of its upper face, which lies turned and then leans to the right."""
    cube = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-1.0, 0.0)])
    c, s = math.cos(turn), math.sin(turn)
    turned = cube @ np.array([(c, s, 0), (-s, c, 0), (0, 0, 1)])
    c, s = math.cos(math.radians(tilt_deg)), math.sin(math.radians(tilt_deg))
    return np.asarray(turned @ np.array([(c, 0, -s), (0, 1, 0), (s, 0, c)]))


@given(TILTS, TURNS)
def test_no_corner_of_a_leaning_die_is_beyond_its_reach(tilt_deg: float, turn: float) -> None:
    along = np.hypot(*corners(tilt_deg, turn)[:, :2].T)
    assert along.max() <= reach(tilt_deg) + 1e-9


@given(TILTS)
def test_one_that_leans_cornerwise_uses_all_of_it(tilt_deg: float) -> None:
    along = np.hypot(*corners(tilt_deg, math.pi / 4)[:, :2].T)
    assert along.max() == pytest.approx(reach(tilt_deg))


@given(st.floats(0.0, 90.0), TURNS)
def test_a_die_two_widths_away_is_out_of_reach_however_the_die_leans(tilt_deg: float, turn: float) -> None:
    assert out_of_reach(tilt_deg, seen(away(2.0, turn)))


@given(st.floats(0.0, 90.0), TURNS, st.floats(0.5, 2 * HALF_DIAGONAL))
def test_a_die_that_may_touch_it_corner_to_corner_is_within_reach(
    tilt_deg: float, turn: float, widths: float
) -> None:
    assert not out_of_reach(tilt_deg, seen(away(widths, turn)))


def test_what_leans_more_reaches_farther() -> None:
    other = seen(away(1.7, 0.3))
    assert out_of_reach(5.0, other)
    assert not out_of_reach(20.0, other)


def test_what_may_be_a_die_counts_and_what_is_none_does_not() -> None:
    assert not out_of_reach(5.0, seen(away(1.2, 0.0), die=0.5))
    assert out_of_reach(5.0, seen(away(1.2, 0.0), die=0.4))


@pytest.mark.parametrize(
    ("edges", "tilt_deg", "expected"),
    [(0.5, 0.0, False), (0.7, 0.0, False), (0.95, 5.0, True), (0.95, 13.0, False), (1.3, 50.0, True)],
    ids=["against it", "cornerwise against it", "too far for its tilt", "leaning on it", "too far for any"],
)
@pytest.mark.parametrize("wall_mm", [250.0, 20.0], ids=["rim", "bar"])
def test_a_wall_is_within_reach_of_a_die_that_leans_enough(
    wall_mm: float, edges: float, tilt_deg: float, expected: bool
) -> None:
    x = wall_mm + edges * WIDTH / 2 * (1 if wall_mm < 100 else -1)
    assert out_of_reach(tilt_deg, at=seen_at(x)) is expected


def seen_at(x_mm: float) -> tuple[float, float]:
    """Where the upper face of a die is seen that stands there, on the middle line of the board."""
    px = np.arange(500.0, 1001.0)
    lifted = np.interp(x_mm, [_stands(x) for x in px.tolist()], px)
    return float(lifted), 400.0


def _stands(x_px: float) -> float:
    return float(BOARD.lowered(BOARD.to_mm(np.array([(x_px, 400.0)])), DIE_MM)[0, 0])
