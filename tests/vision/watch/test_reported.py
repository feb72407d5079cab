"""Dice that were reported are reported once, whatever they look like after a bump or with the board placed anew."""

from dataclasses import replace

import numpy as np
import pytest

from vision.change import Stir
from vision.dice.reading import DiceReading, DieReading
from vision.watch.reported import NOTHING_NEW, News, ReportedDice, is_untouched

SIX = DieReading(6, 1.0, (400, 200, 420, 220), (410, 210), (90, 30), 0.0, "flat", "right")
FOUR = DieReading(4, 1.0, (500, 300, 520, 320), (510, 310), (190, -70), 0.0, "flat", "right")
BARE = DiceReading((), False, True)
THROWN, LIFTED, BOTH = News(False, True), News(True, False), News(True, True)


def at(die: DieReading, x_mm: float, y_mm: float, **more: object) -> DieReading:
    """A die pushed by so much, in a picture that has moved as well."""
    assert die.centre_mm is not None
    x, y = die.centre_mm
    px = (die.centre_px[0] + x_mm + 40, die.centre_px[1] - y_mm + 25)
    box = (px[0] - 10, px[1] - 10, px[0] + 10, px[1] + 10)
    return replace(die, centre_mm=(x + x_mm, y + y_mm), centre_px=px, box_px=box, **more)  # type: ignore[arg-type]


def read(*dice: DieReading, doubt: bool = False, board_found: bool = True) -> DiceReading:
    return DiceReading(dice, doubt, board_found)


def reported(first: DiceReading) -> ReportedDice:
    """Dice that have just been reported."""
    dice = ReportedDice()
    assert dice.compare(first) == THROWN
    return dice


def bumped(first: DiceReading) -> ReportedDice:
    """Dice that were reported before the board was bumped and found again."""
    dice = reported(first)
    dice.board_moved()
    dice.lose_places()
    return dice


def placed(first: DiceReading) -> ReportedDice:
    """Dice that were reported before the board was placed anew."""
    dice = reported(first)
    dice.lose_places()
    return dice


PAIR = read(SIX, FOUR)
ELSEWHERE = read(at(SIX, -200, 40), at(FOUR, -260, 90))


@pytest.mark.parametrize(
    ("first", "again"),
    [
        pytest.param(PAIR, read(at(SIX, 0, 0), at(FOUR, 0, 0)), id="camera moved, dice rest"),
        pytest.param(PAIR, read(at(SIX, 14, -9), at(FOUR, 8, 3)), id="dice slid"),
        pytest.param(PAIR, read(at(SIX, 9, 0, value=3), at(FOUR, 0, 0)), id="turned over"),
        pytest.param(PAIR, read(at(SIX, 0, 0), doubt=True), id="one is hidden now"),
        pytest.param(
            read(replace(SIX, rest="leaning"), FOUR),
            read(at(SIX, 3, 3), at(FOUR, 0, 0)),
            id="cocked, fell flat",
        ),
        pytest.param(
            read(replace(SIX, value=None), FOUR, doubt=True),
            read(at(SIX, 2, 0), at(FOUR, 0, 0)),
            id="unread: people say what it is",
        ),
    ],
)
def test_bumped_dice_are_not_reported_again(first: DiceReading, again: DiceReading) -> None:
    dice = bumped(first)
    assert dice.compare(again) == NOTHING_NEW
    assert dice.compare(again) == NOTHING_NEW
    assert dice.compare(BARE) == LIFTED
    assert dice.compare(BARE) == NOTHING_NEW


def test_die_that_was_hidden_after_a_bump_is_no_new_throw_once_it_is_seen() -> None:
    dice = bumped(PAIR)
    assert dice.compare(read(at(SIX, 0, 0))) == NOTHING_NEW
    assert dice.compare(read(at(SIX, 0, 0), at(FOUR, 5, 0))) == NOTHING_NEW
    assert len(dice.seen) == 2


def test_throw_after_a_bump_is_reported() -> None:
    dice = bumped(PAIR)
    assert dice.compare(BARE) == LIFTED
    assert dice.compare(ELSEWHERE) == THROWN
    # Lifted while the board was looked for: the turn has ended all the same.
    assert bumped(PAIR).compare(ELSEWHERE) == BOTH
    nothing = ReportedDice()
    nothing.board_moved()
    assert nothing.compare(PAIR) == THROWN


def test_throw_near_the_bumped_dice_is_reported_once_these_were_seen_again() -> None:
    dice = bumped(PAIR)
    dice.compare(read(at(SIX, 0, 0), at(FOUR, 0, 0)))
    assert dice.compare(read(at(SIX, 20, 20, value=2), at(FOUR, 20, -20, value=1))) == BOTH


def test_third_die_after_a_bump_is_reported() -> None:
    assert bumped(PAIR).compare(read(at(SIX, 0, 0), at(FOUR, 0, 0), at(SIX, -200, 0))) == THROWN


def test_without_a_bump_a_new_throw_near_the_last_one_is_reported() -> None:
    assert reported(PAIR).compare(read(at(SIX, 14, -9), at(FOUR, 8, 3))) == BOTH


@pytest.mark.parametrize(
    ("first", "then"),
    [
        pytest.param(PAIR, PAIR, id="untouched"),
        pytest.param(PAIR, read(SIX), id="one picked up"),
        pytest.param(PAIR, read(replace(SIX, value=1), FOUR, doubt=True), id="read otherwise"),
        pytest.param(read(SIX), read(SIX), id="one die"),
    ],
)
def test_dice_where_they_were_seen_are_nothing_new(first: DiceReading, then: DiceReading) -> None:
    dice = reported(first)
    assert dice.compare(then) == NOTHING_NEW
    assert dice.compare(first) == NOTHING_NEW
    assert dice.compare(BARE) == LIFTED


def test_second_die_beside_the_first_is_a_throw_of_two() -> None:
    assert reported(read(SIX)).compare(PAIR) == THROWN


SETTLED = [
    pytest.param(PAIR, PAIR, True, id="untouched"),
    pytest.param(PAIR, read(SIX, FOUR, doubt=True), True, id="now in doubt"),
    pytest.param(PAIR, read(replace(SIX, value=None), FOUR), True, id="a face is hidden now"),
    pytest.param(read(SIX, FOUR, doubt=True), PAIR, False, id="was in doubt"),
    pytest.param(read(SIX, FOUR, board_found=False), PAIR, False, id="had no board"),
    pytest.param(read(replace(SIX, rest="on_rim"), FOUR), PAIR, False, id="was cocked"),
    pytest.param(PAIR, read(replace(SIX, value=4), FOUR), False, id="another face"),
    pytest.param(PAIR, read(replace(SIX, centre_px=(420, 210)), FOUR), False, id="another place"),
    pytest.param(PAIR, read(SIX), False, id="one is gone"),
]


@pytest.mark.parametrize(("before", "now", "known"), SETTLED)
def test_only_a_settled_throw_that_nobody_touched_is_known_where_the_board_is_placed_anew(
    before: DiceReading, now: DiceReading, known: bool
) -> None:
    assert is_untouched(before, now) is known
    assert placed(before).compare(now) == (NOTHING_NEW if known else THROWN)


def test_dice_lifted_while_the_board_was_placed_are_lifted_once() -> None:
    dice = placed(PAIR)
    assert dice.compare(BARE) == LIFTED
    dice.lose_places()
    assert dice.compare(BARE) == NOTHING_NEW


def test_a_settled_throw_stays_known_however_often_the_board_is_placed() -> None:
    dice = placed(PAIR)
    for reading in (PAIR, read(SIX, FOUR, doubt=True), PAIR):
        assert dice.compare(reading) == NOTHING_NEW
        dice.lose_places()


def change_at(x: int, y: int) -> Stir:
    """A change in one spot of the picture, in pixels of the frame."""
    moved = np.zeros((180, 320), np.bool_)
    moved[y // 4, x // 4] = True
    return Stir(moved, float(moved.mean()))


def test_dice_are_touched_where_they_were_seen() -> None:
    dice = reported(PAIR)
    assert dice.touched(change_at(405, 210))
    assert dice.touched(change_at(515, 310))
    assert not dice.touched(change_at(460, 260))
    dice.lose_places()
    assert not dice.touched(change_at(405, 210))
