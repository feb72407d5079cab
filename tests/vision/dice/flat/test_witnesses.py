"""What is said of a die, as numbers."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.board.calibration import Board
from vision.dice.faces import Look, Seen
from vision.dice.finder import DIE_MM, Spot
from vision.dice.flat.carried import Carrying
from vision.dice.flat.witnesses import of_carrying, of_up, of_wall

PART = st.floats(-0.6, 0.6)
PLAIN = Look(1.0, (0.0,) * 5 + (1.0,), 0.0, (1.0, 0.0, 0.0, 0.0), 1.0)


SIDE = 1000
TALL = Board((SIDE, SIDE), ((250, 300), (750, 300), (750, 700), (250, 700)), (500.0, 400.0), 40.0)
"""A pixel to a millimetre, its middle in the picture's."""
NO_WALL = (1.3,) + (0.0,) * 5


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


def die_at(x: float, y: float, width: float = DIE_MM) -> Seen:
    return Seen(Spot(x, y, width, 1.0), PLAIN)


def die_right_of(board: Board, wall_mm: float) -> Seen:
    """A die whose middle is so far right of the left rim; the camera, straight above, sees its upper face where it is
    on the board but for its height."""
    eye = np.array(board.eye_mm)
    at = np.array([wall_mm - board.surface_mm[0] / 2, 30.0])
    seen_at = eye[:2] + (at - eye[:2]) / (1 - DIE_MM / eye[2])
    return die_at(*board.to_px(seen_at[None])[0].tolist(), DIE_MM * board.px_per_mm())


@pytest.mark.parametrize(
    ("lean", "off", "along"),
    [((0.2, 0.0), 0.8, 0.0), ((-0.2, 0.0), -0.8, 0.0), ((0.0, 0.3), 0.0, 1.2), ((0.0, -0.3), 0.0, 1.2)],
    ids=["off it", "into it", "along it", "the other way along it"],
)
def test_a_lean_is_told_off_the_nearest_wall_and_along_it(
    lean: tuple[float, float], off: float, along: float
) -> None:
    said = of_wall(die_right_of(TALL, 0.6 * DIE_MM), TALL, [lean])
    assert said == pytest.approx((0.6, 1.0, 0.0, 0.0, off, along), abs=1e-6)


def test_a_wall_that_a_die_cannot_lean_on_says_only_how_far_it_is() -> None:
    assert of_wall(die_right_of(TALL, 4 * DIE_MM), TALL, [(0.2, 0.1)]) == NO_WALL
    near = of_wall(die_right_of(TALL, 1.1 * DIE_MM), TALL, [(0.2, 0.1)])
    assert near == pytest.approx((1.1, 0.0, 0.0, 0.0, 0.0, 0.0))


@given(st.floats(0.0, 2 * math.pi), st.floats(-0.3, 0.3), st.floats(-0.3, 0.3))
def test_what_a_wall_says_does_not_depend_on_the_camera_s_turn(angle: float, x: float, y: float) -> None:
    middle = np.array([SIDE / 2, SIDE / 2])
    corners = [
        tuple((middle + turned(tuple((np.array(c) - middle).tolist()), angle)).tolist())
        for c in TALL.corners_px
    ]
    board = replace(TALL, corners_px=tuple(corners))
    here = of_wall(die_right_of(TALL, 0.6 * DIE_MM), TALL, [(x, y)])
    there = of_wall(die_right_of(board, 0.6 * DIE_MM), board, [turned((x, y), angle)])
    assert there == pytest.approx(here, abs=1e-3)
