"""Two ways to read one picture: what one leaves open the other says, and where they contradict there is doubt."""

from dataclasses import replace

import pytest

from vision.board.calibration import Board
from vision.dice.flat.both_ways import SURELY_BRIGHTENED, either, is_only_rest_open, settled
from vision.dice.reading import DiceReading, DieReading, Rest


def die(
    x: float, value: int | None = 6, rest: Rest | None = "flat", tilt_deg: float | None = 1.0
) -> DieReading:
    return DieReading(
        value, 0.98, (x, 10, x + 20, 30), (x + 10, 20), rest=rest, half="right", tilt_deg=tilt_deg
    )


def reading(*dice: DieReading, doubt: bool = False) -> DiceReading:
    return DiceReading(dice, doubt, board_found=True)


PLAIN = reading(die(100), die(200, 3))
OPEN = reading(die(100), die(200, 3, None, None))
HARDLY_FLAT = reading(die(100), replace(die(200, 3, None, None), may_be_flat=False))
NOTHING = reading()
COCKED = reading(die(100), die(200, 3, "leaning", 9.0))
PLAINLY_COCKED = reading(die(100), die(200, 3, "leaning", 20.0))
ON_CHECKER = reading(die(100), die(200, 3, "on_checker"))
ON_BAR = reading(die(100), die(200, 3, "on_bar"))
ELSEWHERE = reading(die(100), die(300, 3))


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        (PLAIN, PLAIN, PLAIN),
        (OPEN, PLAIN, PLAIN),
        (OPEN, COCKED, COCKED),
        (reading(die(100), doubt=True), PLAIN, PLAIN),
        (NOTHING, PLAIN, PLAIN),
        (OPEN, NOTHING, NOTHING),
        (COCKED, PLAIN, None),
        (PLAINLY_COCKED, PLAIN, None),
        (COCKED, OPEN, None),
        (ON_CHECKER, OPEN, None),
        (PLAINLY_COCKED, OPEN, PLAINLY_COCKED),
        (COCKED, HARDLY_FLAT, COCKED),
        (ON_CHECKER, HARDLY_FLAT, ON_CHECKER),
        (ON_BAR, OPEN, ON_BAR),
        (ON_BAR, PLAIN, None),
        (COCKED, ON_CHECKER, COCKED),
        (COCKED, reading(die(100, rest="leaning"), die(200, 3, "on_die")), COCKED),
        (COCKED, ELSEWHERE, None),
        (reading(die(100), die(200, 4, "on_checker")), PLAIN, None),
    ],
)
def test_either_way_to_read_settles_what_the_other_leaves_open(
    one: DiceReading, other: DiceReading, said: DiceReading | None
) -> None:
    assert either(one, other) == (said if said is not None else replace(one, doubt=True))


def test_number_that_the_first_way_leaves_open_stays_in_doubt() -> None:
    untold = reading(die(100, None), die(200, 3))
    assert either(untold, PLAIN) == replace(PLAIN, doubt=True)
    assert either(untold, COCKED) == COCKED


def test_only_two_flat_dice_with_their_numbers_are_plain() -> None:
    assert PLAIN.is_plain
    others = [OPEN, NOTHING, COCKED, ON_CHECKER, reading(die(100)), replace(PLAIN, doubt=True)]
    others += [reading(die(100), die(200, None)), reading(die(100), die(200), die(300))]
    assert not any(one.is_plain for one in others)


def sure(*dice: DieReading, chance: float | None = SURELY_BRIGHTENED) -> DiceReading:
    return reading(*(replace(one, flat_chance=chance) for one in dice))


@pytest.mark.parametrize(
    ("open_one", "brightened", "counts"),
    [
        (OPEN, sure(die(100), die(200, 3)), True),
        (OPEN, sure(die(100), die(200, 3), chance=SURELY_BRIGHTENED - 0.001), False),
        (OPEN, sure(die(100), die(200, 3), chance=None), False),
        (OPEN, replace(sure(die(100), die(200, 3)), doubt=True), False),
        (OPEN, sure(die(100), die(200, 3), die(300, 2)), False),
        (OPEN, sure(die(100), die(200, 3, "leaning", 9.0)), False),
        (OPEN, sure(die(100, 5), die(200, 3)), False),
        (OPEN, sure(die(100), die(300, 3)), True),
        (PLAIN, sure(die(100), die(300, 3)), False),
        (replace(PLAIN, doubt=True), sure(die(100), die(200, 3)), False),
        (reading(die(100), die(200, None)), sure(die(100), die(200, 3)), True),
        (reading(die(100), die(200, None)), sure(die(100), die(300, 3)), True),
        (reading(die(100)), sure(die(100), die(200, 3)), True),
        (reading(die(100), die(200, 3), die(300, 2)), sure(die(100), die(200, 3)), False),
        (reading(die(100), die(200, 3), die(300, 1, None)), sure(die(100), die(200, 3)), True),
    ],
)
def test_brightened_picture_settles_only_what_it_is_sure_of(
    open_one: DiceReading, brightened: DiceReading, counts: bool
) -> None:
    assert settled(open_one, brightened, SURELY_BRIGHTENED) == (brightened if counts else open_one)


BOARD = Board((1000, 800), ((0, 0), (1000, 0), (1000, 800), (0, 800)), (500.0, 400.0), 40.0)


def at(x: float, die: DieReading) -> DieReading:
    """The die at this distance to the right of the bar's middle, in mm."""
    return replace(die, centre_mm=(x, 0.0))


@pytest.mark.parametrize(
    ("one", "is_so"),
    [
        (OPEN, True),
        (reading(die(100, 6, None), die(200, 3, None)), True),
        (PLAIN, False),
        (replace(OPEN, doubt=True), False),
        (reading(die(100), die(200, None)), False),
        (reading(die(100), die(200, None, None)), False),
        (reading(die(100), die(200, 3, "leaning", 9.0)), False),
        (reading(die(100, 6, None), die(200, 3, "on_checker")), False),
        (reading(die(100, 6, None)), False),
        (reading(die(100, 6, None), die(200, 3), die(300, 1)), False),
    ],
)
def test_only_how_two_read_dice_rest_is_open(one: DiceReading, is_so: bool) -> None:
    away = replace(one, dice=tuple(at(60.0 + 50 * k, die) for k, die in enumerate(one.dice)))
    assert is_only_rest_open(away, BOARD) is is_so


@pytest.mark.parametrize(
    ("right_mm", "is_so"),
    [(60.0, True), (20.0 + 13.9, False), (20.0 + 14.1, True), (250.0 - 13.9, False), (0.0, False)],
)
def test_a_die_at_a_wall_may_lean_on_it(right_mm: float, is_so: bool) -> None:
    there = replace(at(right_mm, die(200, 3, None)), half="right" if right_mm > BOARD.bar_mm / 2 else None)
    one = reading(at(100.0, die(100)), there)
    assert is_only_rest_open(one, BOARD) is is_so
