"""Painted boards are what their plan says, and families that are held out are never painted for learning."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.training.painted.boards import paint
from vision.training.painted.plan import Plan, random_plan
from vision.training.painted.scene import random_shot

SEEDS = st.integers(0, 2**31)


def _area(u: np.ndarray, v: np.ndarray) -> float:
    """Of the parallelogram of two ways in the picture, above nought where the second is clockwise of the first."""
    return float(u[0] * v[1] - u[1] * v[0])


@given(seed=SEEDS, held_out=st.booleans())
def test_a_plan_is_of_the_families_asked_for(seed: int, held_out: bool) -> None:
    assert random_plan(np.random.default_rng(seed), held_out).held_out == held_out


@given(seed=SEEDS)
def test_the_halves_are_equally_wide_and_the_bar_lies_between_them(seed: int) -> None:
    plan = random_plan(np.random.default_rng(seed))
    (a, b), (c, d) = plan.halves
    assert b - a == pytest.approx(d - c)
    assert c - b == pytest.approx(plan.bar_mm)
    assert d - a == pytest.approx(plan.size_mm[0])
    x0, y0, x1, y1 = plan.outer
    assert x0 <= a < d <= x1
    assert y0 <= -plan.size_mm[1] / 2 < plan.size_mm[1] / 2 <= y1


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_the_eight_points_lie_in_the_picture_as_on_a_board(seed: int) -> None:
    rng = np.random.default_rng(seed)
    plan = random_plan(rng)
    seen = random_shot(rng, plan, (320, 240), True).on(plan.marks)
    left, right, right_low, left_low, bar_left, bar_right, _, bar_left_low = seen
    assert left[0] < bar_left[0] <= bar_right[0] < right[0]
    assert _area(right - left, left_low - left) > 0, "clockwise as the picture shows them"
    assert abs(_area(bar_left - left, right - left)) < 1e-6 * np.linalg.norm(right - left) ** 2, "on one line"
    assert np.linalg.norm(right_low - left_low) > 0
    assert bar_left_low[1] > bar_left[1]


def test_a_seed_paints_the_same_picture_again() -> None:
    one, two = (paint(np.random.default_rng(7), (320, 240)) for _ in range(2))
    assert np.array_equal(one.picture, two.picture)
    assert one.points is not None
    assert np.array_equal(one.points, two.points if two.points is not None else 0)


@pytest.mark.parametrize(
    ("upright", "board"), [(False, True), (True, False)], ids=["turned too far", "no board"]
)
def test_nothing_is_to_be_found_without_an_upright_board(upright: bool, board: bool) -> None:
    painted = paint(np.random.default_rng(3), (320, 180), upright=upright, board=board)
    assert painted.points is None
    assert painted.picture.shape == (180, 320, 3)


def test_a_wide_bar_parts_the_openings_and_a_printed_one_does_not() -> None:
    frames = Plan("pointed", "frames", "rim", (520.0, 400.0), 28.0, 20.0, 15.0, (0.0, 40.0), 9.0, 10.0)
    sheet = Plan("pointed", "line", "sheet", (492.0, 400.0), 0.0, 20.0, 0.0, (0.0, 0.0), 9.0, 0.0)
    assert [len(plan.openings) for plan in (frames, sheet)] == [3, 1]
