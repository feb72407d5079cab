"""Sides by the direction of their colours from grey: gloss, shadow, a lamp's hue, and colours that do not tell."""

import numpy as np
import pytest

from vision.checkers.directions import MOST, NO_DIRECTIONS, Directions

AMBER, OLIVE, BLACK, IVORY = (
    np.array(one, float) for one in ((48, 132, 207), (73, 122, 105), (30, 30, 32), (210, 225, 232))
)
EACH, PIXELS = 6, 200


def discs(colour, gloss=0.0, light=1.0, count=EACH, seed=1):
    """Checkers of a colour, (count, PIXELS, 3), that mirror so much white, in so much light, with noise."""
    rng = np.random.default_rng(seed)
    shown = colour * light + gloss + rng.normal(0, 4, (count, PIXELS, 3)) + rng.normal(0, 2, (count, 1, 3))
    return np.clip(shown, 0, 255).astype(np.uint8)


def learned(first=AMBER, second=OLIVE):
    shown = np.concatenate([discs(first, seed=2), discs(second, seed=3)])
    return Directions.learned(shown, np.arange(2 * EACH) >= EACH)


def said(directions, shown, first=0.5):
    return directions.said(shown, np.full(len(shown), first), np.ones(len(shown), bool))


@pytest.mark.parametrize(
    ("gloss", "light"),
    [(0, 1.0), (45, 1.0), (90, 0.6), (0, 0.3)],
    ids=["plain", "gloss", "more gloss", "shadow"],
)
def test_sides_are_told_in_gloss_and_in_shadow(gloss, light):
    assert said(learned(), discs(AMBER, gloss, light)).min() > 2
    assert said(learned(), discs(OLIVE, gloss, light)).max() < -2


@pytest.mark.parametrize(
    ("first", "second"),
    [(IVORY, AMBER), (AMBER, BLACK), (AMBER, AMBER * 0.5)],
    ids=["a pale side", "a black side", "two shades"],
)
def test_sides_of_no_colour_or_of_one_are_not_told(first, second):
    directions = learned(first, second)
    assert directions == NO_DIRECTIONS
    assert np.isnan(said(directions, discs(second))).all()


def test_checker_without_colour_is_not_told():
    assert np.isnan(said(learned(), discs(BLACK))).all()


def test_side_of_many_colours_does_not_tell():
    shown = np.concatenate([discs(AMBER, count=3), discs(OLIVE[::-1], count=3), discs(OLIVE)])
    assert Directions.learned(shown, np.arange(2 * EACH) >= EACH) == NO_DIRECTIONS


@pytest.mark.parametrize("tint", [(1.0, 0.95, 0.85), (0.85, 0.95, 1.0)], ids=["cold", "warm"])
def test_light_of_another_hue_is_allowed_for_where_first_checkers_are_known(tint):
    shown = np.concatenate([discs(AMBER * tint, count=4), discs(OLIVE * tint, count=4)])
    told = learned().said(shown, np.array([0.999] * 4 + [0.5] * 4), np.ones(8, bool))
    assert told[:4].min() > 1
    assert told[4:].max() < -1


def test_pixels_that_are_full_are_left_out():
    """In a spot of light the channels end at 255, which turns the direction."""
    shown = discs(AMBER)
    shown[:, : PIXELS // 2] = 255, 255, 255
    shown[:, PIXELS // 2 : PIXELS * 3 // 4] = 100, 255, 255
    assert said(learned(), shown).min() > 2


def test_what_directions_say_is_bounded():
    assert np.abs(said(learned(), np.concatenate([discs(AMBER), discs(OLIVE)]))).max() <= MOST
