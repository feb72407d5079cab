"""The two sides: found by how checkers look, the lighter first."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.checkers.sides import MOST_OF_COLOURS, chance_of_first, find_sides, spread_of, with_colours

LIGHT, DARK = np.array([200.0, 220, 230]), np.array([30.0, 20, 25])


def board(seed: int, first: int, second: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Looks, colours, weights and trust of `first` dark points, `second` light ones and ten empty ones."""
    rng = np.random.default_rng(seed)
    middles = np.array([[-2.0] * 4 + [0.5] * 4, [2.0] * 4 + [-0.5] * 4])
    side = np.array([0] * first + [1] * second + [0] * 10)
    looks = middles[side] + rng.normal(0, 0.15, (len(side), 8))
    colours = np.where(side[:, None] == 0, DARK, LIGHT) + rng.normal(0, 4, (len(side), 3))
    weights = np.array([0.99] * (first + second) + [0.01] * 10)
    return looks, colours, weights, np.ones(len(side))


@settings(deadline=None)
@given(st.integers(0, 999), st.integers(1, 8), st.integers(1, 8))
def test_two_sides_are_found_and_the_lighter_is_first(seed: int, dark: int, light: int) -> None:
    looks, colours, weights, trust = board(seed, dark, light)
    sides = find_sides(looks, colours, weights, trust)
    assert sides is not None
    first = chance_of_first(looks, sides.looks, sides.certain)
    assert first[:dark].max() < 0.01
    assert first[dark : dark + light].min() > 0.99
    assert np.abs(np.subtract(sides.colours[0], LIGHT)).max() < 20


@pytest.mark.parametrize(("dark", "light"), [(5, 0), (0, 3), (1, 0), (0, 0)])
def test_checkers_that_all_look_the_same_are_no_two_sides(dark: int, light: int) -> None:
    assert find_sides(*board(3, dark, light)) is None


def test_colours_of_one_brightness_leave_open_which_is_the_lighter() -> None:
    looks, _, weights, trust = board(3, 4, 4)
    sides = find_sides(looks, np.full((18, 3), 90.0), weights, trust)
    assert sides is not None
    assert sides.certain == pytest.approx(0.5)
    assert chance_of_first(looks, sides.looks, sides.certain)[:8] == pytest.approx(np.full(8, 0.5), abs=0.01)


@pytest.mark.parametrize(
    ("first", "colour", "is_first"),
    [(0.9, DARK, False), (0.1, LIGHT, True), (0.5, DARK, False), (0.98, DARK, True), (0.9, LIGHT / 2, True)],
    ids=["seen wrongly", "the other", "not told apart", "surer than colours", "in a shadow"],
)
def test_colours_of_the_start_tell_whose_checkers_these_are(
    first: float, colour: np.ndarray, is_first: bool
) -> None:
    rng = np.random.default_rng(5)
    second = np.arange(14) >= 7
    shown = np.where(second[:, None], DARK, LIGHT) * rng.uniform(0.7, 1.1, (14, 1))
    sides = tuple(LIGHT), tuple(DARK)
    (told,) = with_colours(np.array([first]), colour[None], sides, spread_of(shown, second))
    assert bool(told > 0.5) is is_first


def test_colours_that_lie_apart_within_a_side_tell_little_and_never_more_than_their_bound() -> None:
    half, dark, sides = np.array([0.5]), DARK[None], (tuple(LIGHT), tuple(DARK))
    told = [float(with_colours(half, dark, sides, np.full(3, spread))[0]) for spread in (0.1, 2.0, 20.0)]
    assert np.isclose(told[0], 1 / (1 + np.exp(MOST_OF_COLOURS)))
    assert told[0] < told[1] < told[2] < 0.5
    assert told[2] > 0.45


@pytest.mark.parametrize(("first", "expected"), [(0.0, 0.0), (1.0, 1.0)])
def test_what_looks_tell_for_certain_is_kept(first: float, expected: float) -> None:
    told = with_colours(np.array([first]), DARK[None], (tuple(LIGHT), tuple(DARK)), np.ones(3))
    assert np.isclose(told[0], expected, atol=1e-6)
