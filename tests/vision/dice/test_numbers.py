"""Numbers on faces that mirror a lamp: read where the reading net leaves them open, open where the two nets differ."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.dice.faces import Look, Seen
from vision.dice.finder import Spot
from vision.dice.numbers import NumberReader
from vision.dice.rest import READABLE
from vision.pyramid import Halves
from vision.training.rendered.dice3d import DieLook, DiePose, Panel, View, draw_die, face_value

EDGE_PX, SIZE = 22.0, 120
SKY, LAMP = np.full(3, 0.4, np.float32), np.array([0.2, 0.1, 0.97], np.float32)
BLACK = DieLook(
    body=(0.01, 0.01, 0.012), pip=(0.8, 0.8, 0.75), one=(0.8, 0.8, 0.75), rounding=0.1, ball=0.0, pip_radius=0.1,
    pip_offset=0.25, one_scale=1.0, gloss=0.4, glow=0.0, turned=(False,) * 6, left_handed=False, recess=0.8,
    steepness=3.0,
)  # fmt: skip
SPOT = Spot(SIZE / 2, SIZE / 2, EDGE_PX, 1.0)
OPEN = Look(1.0, (0.1,) * 6, 0.0, (1.0, 0.0, 0.0, 0.0), 1.0, 0.0)


def axes_showing(number: int) -> np.ndarray:
    """The axes of a die that lies flat with this number up, as a little turned."""
    axis, sign = next((a, s) for a in range(3) for s in (1, -1) if face_value(a, s, False) == number)
    up, other = np.zeros(3), np.zeros(3)
    up[axis], other[(axis + 1) % 3] = sign, 1
    rows = np.stack([other, np.cross(up, other), up])
    turned = cv2.Rodrigues(np.array([0.0, 0.0, 0.4]))[0] @ rows
    return np.asarray(turned, np.float32)


def picture_of(number: int, light: float) -> Halves:
    """A black die on green cloth whose face mirrors a lamp that is this bright."""
    canvas = np.ones((SIZE, SIZE, 3), np.float32) * np.array([0.05, 0.2, 0.1], np.float32)
    pose = DiePose(np.array([0, 0, 0.5], np.float32), axes_showing(number))
    panel = Panel((0.0, 0.0), (0.3, 0.3), 0.0, 0.02, 0.02, (light, light, light)) if light else None
    at = (SIZE / 2 - 0.5, SIZE / 2 - 0.5)
    draw_die(canvas, at, View(0.0, EDGE_PX), pose, BLACK, LAMP, np.full(3, 0.6), SKY, 0.5, 8.0, panel=panel)
    linear = cv2.GaussianBlur(canvas[..., ::-1], (0, 0), 0.6)
    return Halves(np.asarray(np.clip(linear, 0, 1) ** (1 / 2.2) * 255, np.uint8))


@pytest.fixture(scope="module")
def numbers() -> NumberReader:
    return NumberReader()


@pytest.mark.parametrize("number", range(1, 7))
@pytest.mark.parametrize("light", [0.0, 0.3, 0.6])
def test_a_number_is_read_on_a_face_that_mirrors_a_lamp(
    number: int, light: float, numbers: NumberReader
) -> None:
    (one,) = numbers.given([Seen(SPOT, OPEN)], picture_of(number, light))
    assert int(np.argmax(one.look.values)) + 1 == number
    assert max(one.look.values) > 0.9


@pytest.mark.parametrize("number", range(1, 7))
def test_a_face_that_is_all_white_has_no_number(number: int, numbers: NumberReader) -> None:
    (one,) = numbers.given([Seen(SPOT, OPEN)], picture_of(number, 9.0))
    assert one.look == OPEN


@pytest.mark.parametrize(
    "look",
    [
        replace(OPEN, values=(0.0, 0.0, 0.0, 0.0, 0.95, 0.0)),
        replace(OPEN, die=0.9),
        replace(OPEN, readable=0.9),
        replace(OPEN, values=(0.0, 0.0, 0.6, 0.0, 0.0, 0.0)),
        replace(OPEN, die=0.1, values=(0.0, 0.0, 0.95, 0.0, 0.0, 0.0)),
        replace(OPEN, readable=0.85, values=(0.0, 0.0, 0.0, 0.0, 0.95, 0.0)),
    ],
    ids=[
        "the same number",
        "not surely a die",
        "covered in part",
        "rather another number",
        "no die",
        "the same number, covered in part",
    ],
)
def test_what_was_read_stays(look: Look, numbers: NumberReader) -> None:
    assert numbers.given([Seen(SPOT, look)], picture_of(5, 0.3)) == [Seen(SPOT, look)]


@pytest.mark.parametrize(("chance", "readable"), [(0.6, 1.0), (0.95, 0.93), (0.6, 0.93)])
def test_number_that_both_nets_see_well_enough_is_read(
    chance: float, readable: float, numbers: NumberReader
) -> None:
    look = replace(OPEN, values=(0.0, 0.02, 0.0, 0.0, chance, 0.0), readable=readable)
    (one,) = numbers.given([Seen(SPOT, look)], picture_of(5, 0.3))
    assert one.look.values[4] > 0.95
    assert one.look.readable >= READABLE


def test_a_number_that_this_net_does_not_see_is_open(numbers: NumberReader) -> None:
    sure = replace(OPEN, values=(0.0, 0.0, 0.95, 0.0, 0.0, 0.0))
    (one,) = numbers.given([Seen(SPOT, sure)], picture_of(5, 0.3))
    assert max(one.look.values) < 0.5


BY_TWO = replace(OPEN, values=(0.0, 0.0, 0.0, 0.0, 0.55, 0.0), readable=0.3)
"""A five to the reading net, which does not say that a number can be read."""
FIVE, SIX = (0.0, 0.0, 0.0, 0.0, 0.95, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 0.95)


@pytest.mark.parametrize(
    ("wide", "read"),
    [
        ({}, False),
        ({"wide_values": FIVE, "wide_readable": 0.8}, True),
        ({"wide_values": SIX, "wide_readable": 0.8}, False),
        ({"wide_values": (0.0, 0.0, 0.0, 0.0, 0.75, 0.0), "wide_readable": 0.8}, True),
        ({"wide_values": (0.0, 0.0, 0.0, 0.0, 0.65, 0.0), "wide_readable": 0.8}, False),
        ({"wide_values": FIVE, "wide_readable": 0.4}, False),
        ({"wide_values": FIVE, "wide_readable": 0.8, "die": 0.93}, False),
        ({"wide_values": FIVE, "wide_readable": 0.8, "values": (0.0, 0.0, 0.0, 0.0, 0.1, 0.4)}, True),
        ({"wide_values": FIVE, "wide_readable": 0.8, "values": (0.0, 0.0, 0.0, 0.0, 0.1, 0.6)}, False),
        (
            {
                "wide_values": (0.0, 0.0, 0.0, 0.0, 0.85, 0.0),
                "wide_readable": 0.8,
                "values": (0.0, 0.0, 0.0, 0.0, 0.1, 0.4),
            },
            False,
        ),
    ],
    ids=[
        "not asked", "sees it, too", "sees another", "sees it well enough", "is not sure", "cannot read it",
        "not surely a die", "the reading net rather sees another", "the reading net sees another",
        "the reading net rather sees another, and this one is not as sure",
    ],
)  # fmt: skip
def test_a_number_that_the_other_nets_see_is_read(
    wide: dict[str, object], read: bool, numbers: NumberReader
) -> None:
    look = replace(BY_TWO, **wide)  # type: ignore[arg-type]
    (one,) = numbers.given([Seen(SPOT, look)], picture_of(5, 0.3))
    assert (max(one.look.values) > 0.9 and one.look.readable >= READABLE) is read
