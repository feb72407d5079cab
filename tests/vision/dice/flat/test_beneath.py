"""A checker beneath a die is seen by its edge, and by the field that is not seen around it."""

import cv2
import numpy as np
import pytest

from vision.board.calibration import Board
from vision.dice.flat.beneath import Ground, Ring
from vision.dice.flat.supported import CLEAR, DISC, FIELD, LIT
from vision.pyramid import Halves

BOARD = Board((1000, 800), ((0, 0), (1000, 0), (1000, 800), (0, 800)), (500.0, 400.0), 40.0)
"""Two pixels to a millimetre."""


def picture(radius_mm: float | None, off_mm: float = 0.0) -> np.ndarray:
    """A die in the middle of the right half, on a disc, on a field with points."""
    bgr = np.full((800, 1000, 3), (40, 90, 60), np.uint8)
    for x in range(0, 1000, 82):
        tip = np.array([(x, 0), (x + 82, 0), (x + 41, 340)])
        cv2.fillPoly(bgr, [tip], (50, 60, 150), cv2.LINE_AA)
    if radius_mm is not None:
        at = (750 + round(2 * off_mm), 400)
        cv2.circle(bgr, at, round(2 * radius_mm), (200, 210, 220), -1, cv2.LINE_AA)
    cv2.rectangle(bgr, (734, 384), (766, 416), (230, 230, 230), -1)
    noise = np.random.default_rng(1).normal(0, 4, bgr.shape)
    return np.clip(bgr + noise, 0, 255).astype(np.uint8)


def disc_share(bgr: np.ndarray) -> float:
    return Ground(Halves(bgr), BOARD).around((125.0, 0.0)).disc_share


@pytest.mark.parametrize("radius_mm", [14.0, 18.0, 22.0])
@pytest.mark.parametrize("off_mm", [0.0, 6.0])
def test_a_checker_beneath_is_seen(radius_mm: float, off_mm: float) -> None:
    assert disc_share(picture(radius_mm, off_mm)) > DISC


def test_a_bare_field_shows_no_disc() -> None:
    assert disc_share(picture(None)) < DISC


def test_a_checker_beside_the_die_is_not_beneath_it() -> None:
    assert disc_share(picture(18.0, 34.0)) < DISC


def ring(bgr: np.ndarray) -> Ring:
    return Ground(Halves(bgr), BOARD).around((125.0, 0.0)).ring(1.0)


def test_around_a_die_in_the_open_is_the_field() -> None:
    seen = ring(picture(None))
    assert seen.as_lit > LIT
    assert seen.near > FIELD
    assert seen.least > CLEAR


@pytest.mark.parametrize("radius_mm", [16.0, 18.0, 22.0])
@pytest.mark.parametrize("off_mm", [0.0, 6.0, 12.0])
def test_around_a_die_on_a_checker_is_not_only_the_field(radius_mm: float, off_mm: float) -> None:
    seen = ring(picture(radius_mm, off_mm))
    assert seen.near < FIELD
    assert seen.least < CLEAR


@pytest.mark.parametrize("way_mm", [-26.0, 26.0])
def test_a_checker_that_the_die_may_lean_on_leaves_no_clear_turn(way_mm: float) -> None:
    assert ring(picture(17.0, way_mm)).least < CLEAR


def test_a_board_whose_middle_is_not_seen_is_no_witness() -> None:
    tiny = Board((1000, 800), BOARD.corners_px, (16.0, 16.0), 2.0)
    assert Ground(Halves(picture(None)), tiny).around((0.0, 0.0)).ring(1.0) == (0, 0, 0)
