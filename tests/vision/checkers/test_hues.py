"""Whose checkers these are by their hue: discs in gloss, in shadow and in another light."""

import numpy as np
import pytest

from vision.checkers.hues import MOST, Hues, discs_of
from vision.checkers.quadrants import HIGH, PICTURES, PLACES, POINT_PX, RIM_PX, WIDE

WHITE, RED, GREY = np.array([210.0, 230, 240]), np.array([30.0, 30, 190]), np.array([80.0, 88, 92])
PIXELS = 253
EACH = 7
"""Checkers of each side in the known position."""


def discs(colour, count=EACH, seed=1, light=1.0, gloss=0.0):
    """So many checkers of a colour in a light, of which a lamp makes a part white, less towards the rest."""
    rng = np.random.default_rng(seed)
    share = np.clip(gloss * 1.6 - np.linspace(0, 1, PIXELS), 0, 1)[:, None]
    shown = colour * light * (1 - share) + 255 * share
    noise = rng.normal(0, 3.0, (count, PIXELS, 3)) + rng.normal(0, 4.0, (count, 1, 1))
    return np.clip(shown + noise, 0, 255).astype(np.uint8)


def learned(first=WHITE, second=RED):
    shown = np.concatenate([discs(first, seed=2), discs(second, seed=3)])
    return Hues.learned(shown, np.arange(2 * EACH) >= EACH, np.array([first, second]))


def said(hues, shown, first=0.5):
    """What is said of each checker while all else leaves it open."""
    return hues.said(shown, np.full(len(shown), first), np.ones(len(shown), bool))


@pytest.mark.parametrize("gloss", [0.0, 0.3, 0.6, 0.8])
def test_dark_checker_that_mirrors_a_lamp_is_told_by_its_edge(gloss):
    assert said(learned(), discs(RED, gloss=gloss)).max() < -2


@pytest.mark.parametrize("light", [0.4, 0.7, 1.0, 1.05])
def test_light_checker_is_told_in_shadow_too(light):
    assert said(learned(), discs(WHITE, light=light)).min() > 1


def test_what_hues_say_is_bounded():
    assert np.abs(said(learned(), np.concatenate([discs(RED), discs(WHITE)]))).max() <= MOST


def test_sides_of_one_hue_are_not_told():
    assert not said(learned(WHITE, GREY), discs(GREY)).any()


def test_sides_that_the_start_shows_mixed_are_not_told():
    """What looked the other way round in the known position tells nothing later."""
    shown = np.concatenate([discs(RED, seed=2), discs(WHITE, seed=3)])
    hues = Hues.learned(shown, np.arange(2 * EACH) >= EACH, np.array([WHITE, RED]))
    assert not said(hues, discs(RED)).any()


@pytest.mark.parametrize("tint", [(1.0, 0.9, 0.8), (0.8, 0.95, 1.0)], ids=["cold", "warm"])
def test_light_of_another_hue_is_allowed_for_where_light_checkers_are_known(tint):
    shown = np.concatenate([discs(WHITE * tint, count=4), discs(RED * tint, count=4)])
    first = np.array([0.999] * 4 + [0.5] * 4)
    told = learned().said(shown, first, np.ones(8, bool))
    assert told[:4].min() > 1
    assert told[4:].max() < -2


def test_discs_are_of_the_checker_at_the_rim():
    quadrants = np.zeros((PICTURES, HIGH, WIDE, 3), np.uint8)
    quadrants[0, RIM_PX : RIM_PX + POINT_PX, POINT_PX // 2 : POINT_PX // 2 + POINT_PX] = 200
    shown = discs_of(quadrants)
    assert len(shown) == PLACES
    bright = [n for n, one in enumerate(shown, 1) if one.min() > 0]
    assert bright == [12]
