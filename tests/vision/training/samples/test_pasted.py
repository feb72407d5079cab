"""Dice of photographs put onto a rendered board: as the board's camera would see them, where the truth says."""

from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.training.samples.test_moved import CAMERA, CHECKERS, DIE_MM, FIELD, die
from vision.training.rendered.scenes import TrueDie
from vision.training.samples.moved import outline
from vision.training.samples.pasted import RealDie, pasted, real_dice, replaced
from vision.training.samples.sample import Sample, project, seen_along

SIDE, TOP, TABLE = (0, 0, 120), (0, 0, 250), (90, 160, 90)


def photographed(own_up: tuple[float, float], width: float = 50.0) -> RealDie:
    """A red die on a green table, its darker sides away from where its up points."""
    picture = np.full((300, 300, 3), TABLE, np.uint8)
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * width / 2 + 150
    for corners, colour in ((square - np.array(own_up) * width, SIDE), (square, TOP)):
        cv2.fillConvexPoly(picture, np.round(corners).astype(np.int32), colour)
    known = TrueDie(4, (150.0, 150.0), width, "flat", 0.0, 90.0, own_up, own_up)
    return real_dice([Sample(picture, (known,), "photo", "one")])[0]


@pytest.fixture
def board() -> tuple[np.ndarray, dict[str, Any]]:
    dice = [die(-150, 60), die(60, -80), die(150, 90)]
    known = {"dice": dice, "checkers_mm": CHECKERS, "board_mm": FIELD, "camera": CAMERA}
    return np.full((800, 1000, 3), 40, np.uint8), known


def redness(picture: np.ndarray) -> np.ndarray:
    blue, _, red = cv2.split(picture.astype(np.int16))
    return np.asarray(red - blue)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("own_up", [(0.2, 0.0), (0.0, -0.15), (-0.12, 0.0)])
def test_dice_are_where_the_truth_says_and_seen_as_there(
    board: tuple[np.ndarray, dict[str, Any]], own_up: tuple[float, float], seed: int
) -> None:
    picture, known = board
    changed, dice = pasted(picture, known, [photographed(own_up)], np.random.default_rng(seed), 5)
    assert dice
    on_checkers = project(CAMERA, np.add(CHECKERS, (0, 0, FIELD["checker_t"] + DIE_MM)))
    radius = FIELD["checker_d"] / 2 * 1500 / 900
    red = redness(changed)
    for one in dice:
        x, y = (round(v) for v in one.centre_px)
        near = float(np.linalg.norm(on_checkers - (x, y), axis=1).min())
        assert (near < 1.1 * radius) == (one.rest == "on_checker")
        assert one.value == 4
        assert one.up == one.own_up
        assert np.hypot(*one.up) == pytest.approx(np.hypot(*own_up))
        across = one.width_px / 2
        assert red[y, x] > 180
        side = np.array([x, y]) - np.array(one.up) / np.hypot(*one.up) * (
            across + 0.5 * np.hypot(*one.up) * 2 * across
        )
        assert 40 < red[round(side[1]), round(side[0])] < 180


def test_photographs_die_that_no_camera_of_the_board_sees_so_stays_away(
    board: tuple[np.ndarray, dict[str, Any]],
) -> None:
    picture, known = board
    changed, dice = pasted(picture, known, [photographed((0.9, 0.0))], np.random.default_rng(1), 5)
    assert not dice
    assert (changed == picture).all()


def test_small_dice_and_those_of_unknown_up_are_left_out() -> None:
    of_unknown_up = TrueDie(4, (50.0, 50.0), 30.0, "flat", 0.0, 90.0)
    small = TrueDie(4, (50.0, 50.0), 10.0, "flat", 0.0, 90.0, (0.0, 0.1), (0.0, 0.1))
    assert (
        real_dice([Sample(np.zeros((100, 100, 3), np.uint8), (of_unknown_up, small), "photo", "two")]) == []
    )


def test_throw_is_replaced_die_by_die(board: tuple[np.ndarray, dict[str, Any]]) -> None:
    picture, known = board
    throw = {**known, "dice": known["dice"][:2]}
    for one in throw["dice"]:
        cv2.fillConvexPoly(
            picture, cv2.convexHull(np.round(outline(one, known)).astype(np.int32)), (250, 0, 0)
        )
    ups = [
        seen_along(CAMERA, (*one["centre_mm"][:2], DIE_MM), np.array([0, 0, 1.0])) for one in throw["dice"]
    ]
    shown = replaced(picture, throw, [photographed(up) for up in ups], np.random.default_rng(1))
    assert shown is not None
    changed, values = shown
    assert values == [4, 4]
    for one in throw["dice"]:
        x, y = np.round(np.mean(one["top_face_px"], 0)).astype(int)
        assert redness(changed)[y, x] > 180
    assert redness(changed).min() > -60  # nothing of the blue ones is left


@pytest.mark.parametrize(
    ("state", "up"),
    [
        pytest.param("tilted", (0.2, 0.0), id="it leaned"),
        pytest.param("flat", (0.9, 0.0), id="seen otherwise"),
    ],
)
def test_throw_that_cannot_be_replaced_is_none(
    board: tuple[np.ndarray, dict[str, Any]], state: str, up: tuple[float, float]
) -> None:
    picture, known = board
    throw = {**known, "dice": [{**known["dice"][0], "state": state}]}
    assert replaced(picture, throw, [photographed(up)], np.random.default_rng(1)) is None
