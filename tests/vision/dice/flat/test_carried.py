"""What may carry a die: the net sees a checker in a recorded throw, and what is near decides how much counts."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.board.calibration import Board, load_board
from vision.capture.picture import load_picture
from vision.dice.faces import Look, Seen
from vision.dice.finder import Spot
from vision.dice.flat.beneath import Ground
from vision.dice.flat.carried import CARRIED_AT_WALL, CARRIED_IN_FIELD, Carrier, Carrying, may_be, touches
from vision.dice.reader import Reader
from vision.frame import Bgr
from vision.pyramid import Halves

THROWS = Path(__file__).parents[4] / "companion" / "camera" / "recorded_throws"
BOARD = Board((1000, 800), ((0, 0), (1000, 0), (1000, 800), (0, 800)), (500.0, 400.0), 40.0)
"""Two pixels to a millimetre; the middle of the board is the middle of the picture."""
OPEN, AT_WALL, NEAR_WALL = (750.0, 300.0), (995.0, 300.0), (940.0, 300.0)


def seen(at: tuple[float, float] = OPEN, width: float = 29.0, on_die: float = 0.0) -> Seen:
    look = Look(1.0, (0.0,) * 5 + (1.0,), 0.0, (1 - on_die, 0.0, on_die, 0.0), 1.0, 0.0)
    return Seen(Spot(*at, width, 1.0), look)


def picture(colour: tuple[int, int, int]) -> Bgr:
    """A board of one colour but for its middle strip, where the field's colours are taken."""
    bgr = np.full((800, 1000, 3), colour, np.uint8)
    bgr[320:480] = (40, 120, 40)
    return bgr


def doubted(one: Seen, chance: float, colour: tuple[int, int, int] = (40, 60, 160)) -> bool:
    return may_be(chance, one, BOARD, Ground(Halves(picture(colour)), BOARD))


def test_in_the_open_it_takes_more_than_a_suspicion() -> None:
    assert not doubted(seen(), 0.6)
    assert doubted(seen(), 0.9)


def test_with_nothing_but_the_field_around_it_takes_more() -> None:
    green = (40, 120, 40)
    assert not doubted(seen(), CARRIED_IN_FIELD - 0.01, green)
    assert doubted(seen(), CARRIED_IN_FIELD + 0.01, green)


@pytest.mark.parametrize(("at", "is_doubted"), [(AT_WALL, True), (NEAR_WALL, False)])
def test_a_wall_within_a_die_s_width_may_carry_it(at: tuple[float, float], is_doubted: bool) -> None:
    assert doubted(seen(at), CARRIED_AT_WALL + 0.1) == is_doubted
    assert not doubted(seen(at), CARRIED_AT_WALL - 0.1)


def test_what_seems_to_lie_on_a_die_that_is_not_there_lies_on_something() -> None:
    assert doubted(seen(on_die=0.8), 0.3)
    assert not doubted(seen(on_die=0.2), 0.3)


@pytest.mark.parametrize(("widths", "expected"), [(0.5, False), (1.05, True), (1.2, True), (1.4, False)])
def test_dice_touch(widths: float, expected: bool) -> None:
    one, other = seen(), seen((OPEN[0] + 29.0 * widths, OPEN[1]))
    assert touches(one, [one, other]) == expected
    assert not touches(one, [one])


def told(name: str, unfamiliar: bool = False) -> dict[str | None, list[Carrying]]:
    """What a net says of the dice of a recorded throw, by how they rest."""
    bgr, board = load_picture(THROWS / name / "frame_02.jpg"), load_board(THROWS / name / "board.json")
    dice = Reader().read(bgr, board).dice
    spots = [Spot(*die.centre_px, die.box_px[2] - die.box_px[0], 1.0) for die in dice]
    board = replace(board, distortion=None, unfamiliar=unfamiliar)
    out: dict[str | None, list[Carrying]] = {}
    for die, one in zip(dice, Carrier().said(Halves(bgr), spots, board), strict=True):
        out.setdefault(die.rest, []).append(one)
    return out


def chances(name: str, unfamiliar: bool = False) -> dict[str | None, list[float]]:
    """The same, only the chances."""
    return {rest: [one.chance for one in said] for rest, said in told(name, unfamiliar).items()}


@pytest.mark.parametrize("unfamiliar", [False, True])
def test_each_net_sees_what_carries_a_die(unfamiliar: bool) -> None:
    assert min(chances("08_north_checker", unfamiliar)["on_checker"]) > 0.9
    assert max(chances("08_north_checker", unfamiliar)["flat"]) < 0.2


@pytest.mark.parametrize("unfamiliar", [False, True])
def test_each_net_says_what_it_is(unfamiliar: bool) -> None:
    said = told("08_north_checker", unfamiliar)
    (on_checker,), (flat,) = said["on_checker"], said["flat"]
    assert max(on_checker.kinds) == on_checker.kinds[0] > 2
    assert max(flat.kinds) < 0
    assert math.hypot(*flat.lean) < 0.05


@pytest.mark.parametrize("name", sorted(f.name for f in THROWS.iterdir() if (f / "frame_02.jpg").exists()))
@pytest.mark.parametrize("unfamiliar", [False, True])
def test_what_lies_flat_in_a_recorded_throw_is_carried_by_nothing(name: str, unfamiliar: bool) -> None:
    assert max(chances(name, unfamiliar)["flat"]) < 0.5


def test_without_dice_nothing_is_asked() -> None:
    shown = Halves(picture((40, 60, 160)))
    none = replace(seen(), look=replace(seen().look, die=0.3))
    assert Carrier().marked([none], shown, BOARD, Ground(shown, BOARD)) == [none]
