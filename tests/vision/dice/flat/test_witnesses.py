"""What is said of a die, as numbers."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.dice.faces import Look
from vision.dice.flat.carried import Carrying
from vision.dice.flat.witnesses import of_carrying, of_up

PART = st.floats(-0.6, 0.6)
PLAIN = Look(1.0, (0.0,) * 5 + (1.0,), 0.0, (1.0, 0.0, 0.0, 0.0), 1.0)


def look(own_up: tuple[float, float]) -> Look:
    return Look(PLAIN.die, PLAIN.values, PLAIN.leaning, PLAIN.supports, PLAIN.readable, own_up=own_up)


def turned(way: tuple[float, float], angle: float) -> tuple[float, float]:
    c, s = math.cos(angle), math.sin(angle)
    return way[0] * c - way[1] * s, way[0] * s + way[1] * c


@given(PART, PART)
def test_a_die_whose_up_is_the_board_s_is_not_away_from_it(x: float, y: float) -> None:
    *away, long = of_up([look((x, y))] * 2, (x, y))
    assert away == [0.0] * 4
    assert long == pytest.approx(3 * math.hypot(x, y))


@given(PART, PART, st.floats(0.05, 0.8), st.floats(0, 2 * math.pi))
def test_how_far_up_is_away_does_not_depend_on_the_camera_s_turn(
    x: float, y: float, long: float, angle: float
) -> None:
    here = of_up([look((x, y))], (long, 0.0))
    there = of_up([look(turned((x, y), angle))], turned((long, 0.0), angle))
    assert there == pytest.approx(here, abs=1e-9)


@pytest.mark.parametrize(
    ("own_up", "along", "across"),
    [((0.4, 0.0), 0.1, 0.0), ((0.2, 0.0), -0.1, 0.0), ((0.3, 0.1), 0.0, 0.1), ((0.3, -0.1), 0.0, 0.1)],
    ids=["leans away", "leans towards the camera", "to one side", "to the other"],
)
def test_a_lean_is_told_along_up_and_across_it(
    own_up: tuple[float, float], along: float, across: float
) -> None:
    assert of_up([look(own_up)], (0.3, 0.0))[:2] == pytest.approx((4 * along, 4 * across))


def test_what_carries_a_die_is_told_by_kind() -> None:
    said = of_carrying(Carrying(0.9, (1.0, -2.0, 0.5), (0.1, 0.2)))
    assert said == pytest.approx((1.0, -2.0, 0.5, 0.4, 0.8))
