"""Several pictures of resting dice: what they add up to, and what spoils them."""

from dataclasses import replace

import pytest

from vision.board.calibration import Board
from vision.dice.evidence import Evidence, agreed, summed
from vision.dice.faces import Look, Seen
from vision.dice.finder import Spot
from vision.dice.flat.flatness import is_flat
from vision.dice.reading import DiceReading, DieReading

BOARD = Board((640, 360), ((40.0, 30.0), (600.0, 30.0), (600.0, 330.0), (40.0, 330.0)), (560, 420), 40)
SURE, UNSURE, NO_DIE = 0.99, 0.6, 0.2


def die(x: float, value: int = 6, sure: float = SURE, **facts: object) -> Seen:
    """A die seen flat on the right half, 16 px wide, with a number of some certainty."""
    values = tuple(sure if k == value else (1 - sure) / 5 for k in range(1, 7))
    look = Look(0.999, values, 0.0, (1.0, 0.0, 0.0, 0.0), 0.999, 1.0)
    return Seen(Spot(x, 110.0, 16.0, 0.8), replace(look, **facts))


def read(*pictures: tuple[Seen, ...]) -> DiceReading:
    evidence = Evidence()
    return [evidence.reading(seen, BOARD) for seen in pictures][-1]


PAIR, PALE = (die(420), die(500)), (die(420), die(500, sure=UNSURE))


@pytest.mark.parametrize(
    ("pictures", "numbers"),
    [
        ((PAIR,), [6, 6]),
        ((PAIR, PAIR), [6, 6]),
        ((PAIR, (die(421), die(499))), [6, 6]),
        ((PAIR, PALE), [6, None]),
        ((PALE, PAIR), [6, None]),
        ((PALE,) * 9, [6, None]),
        ((PALE, *(PAIR,) * 8), [6, 6]),
        ((PAIR, (die(420), die(500, 5))), [6, None]),
        (((die(420), die(500, 5)), *(PAIR,) * 8), [6, None]),
        ((PAIR, (die(420), die(500, readable=0.6))), [6, None]),
        (((die(420), die(500, readable=0.9)), *(PAIR,) * 8), [6, 6]),
    ],
    ids=[
        "one", "two", "moved by a pixel", "a pale one", "pale first", "pale in all", "pale in one of nine",
        "another number", "another number in one of nine", "unreadable in one", "unreadable in one of nine",
    ],
)  # fmt: skip
def test_number_is_what_most_pictures_show_and_none_denies(
    pictures: tuple[tuple[Seen, ...], ...], numbers: list[int | None]
) -> None:
    reading = read(*pictures)
    assert [one.value for one in reading.dice] == numbers
    assert not reading.doubt
    assert reading.is_open == (None in numbers)


MARK = Seen(Spot(480.0, 250.0, 16.0, 0.5), replace(die(0).look, die=0.95))


@pytest.mark.parametrize(
    ("pictures", "is_open"),
    [
        (((*PAIR, MARK), PAIR), True),
        (((*PAIR, MARK), *(PAIR,) * 2), False),
        ((PAIR, PAIR[:1]), True),
        ((PAIR[:1], *(PAIR,) * 9), True),
        ((PAIR[:1], *(PAIR,) * 19), False),
    ],
    ids=[
        "a mark in one of two",
        "a mark in one of three",
        "one die gone",
        "missed in one of ten",
        "of twenty",
    ],
)
def test_spot_seen_once_is_outvoted_and_a_die_hardly_missed(
    pictures: tuple[tuple[Seen, ...], ...], is_open: bool
) -> None:
    assert read(*pictures).is_open == is_open


def test_lean_in_one_picture_keeps_the_rest_in_doubt() -> None:
    leaning = (die(420), die(500, leaning=0.99, tilt_deg=30.0, supports=(0.0, 0.0, 0.0, 1.0)))
    assert [one.rest for one in read(PAIR, PAIR, leaning, PAIR).dice] == ["flat", None]


DOUBTFUL, TILTED = {"supports": (0.85, 0.15, 0.0, 0.0)}, {"tilt_deg": 6.5}


@pytest.mark.parametrize(
    ("doubts", "pictures", "facts", "rest"),
    [
        (1, 2, {}, None),
        (1, 3, {}, None),
        (1, 4, {}, "flat"),
        (1, 4, TILTED, None),
        (0, 4, TILTED, "flat"),
        (3, 9, {}, None),
    ],
    ids=["one of two", "of three", "of four", "of four, tilted", "none, tilted", "a third"],
)
def test_doubt_that_a_die_lies_flat_is_outvoted_by_many_and_by_the_mean_of_its_tilt(
    doubts: int, pictures: int, facts: dict[str, object], rest: str | None
) -> None:
    sure, doubtful = (die(420), die(500, **facts)), (die(420), die(500, **{**facts, **DOUBTFUL}))
    assert read(*[doubtful] * doubts, *[sure] * (pictures - doubts)).dice[1].rest == rest


def test_pictures_need_not_agree_on_what_a_cocked_die_leans_on() -> None:
    leaning = replace(PAIR[1].look, leaning=0.99, tilt_deg=30.0, supports=(0.0, 0.0, 0.0, 1.0))
    on_bar = replace(PAIR[1].look, supports=(0.0, 0.0, 0.0, 1.0))
    pictures = [(die(420), Seen(Spot(322.0, 110.0, 16.0, 0.8), look)) for look in (leaning, on_bar)]
    assert [read(picture).dice[0].rest for picture in pictures] == ["leaning", "on_bar"]
    assert read(*pictures).dice[0].rest in ("leaning", "on_bar")


def test_two_dice_stay_two_however_the_pictures_are_ordered() -> None:
    near = (die(420), die(430), die(440))
    assert len(summed([near, tuple(reversed(near)), near])) == 3


def lying(x: float, value: int | None = 6, rest: str | None = "flat") -> DieReading:
    return DieReading(value, 0.9, (x, 0.0, x + 16.0, 16.0), (x + 8.0, 8.0), rest=rest, tilt_deg=1.0)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "value", "rest", "doubt"),
    [
        ((lying(0), lying(60)), 6, "flat", False),
        ((lying(2), lying(61)), 6, "flat", False),
        ((lying(0, 5), lying(60)), None, "flat", False),
        ((lying(0, 6, "leaning"), lying(60)), 6, None, False),
        ((lying(0),), 6, "flat", True),
        ((lying(0), lying(60), lying(120)), 6, "flat", True),
        ((lying(0), lying(90)), 6, "flat", False),
    ],
    ids=["alike", "a little aside", "another number", "leaning before", "one less", "one more", "elsewhere"],
)
def test_two_pictures_vote_die_by_die(
    before: tuple[DieReading, ...], value: int | None, rest: str | None, doubt: bool
) -> None:
    last = DiceReading((lying(0), lying(60)), False, True)
    said = agreed(last, [last, DiceReading(before, False, True)])
    assert (said.dice[0].value, said.dice[0].rest, said.doubt) == (value, rest, doubt)
    assert said.dice[1] == (
        last.dice[1]
        if before[1:] and before[1].centre_px[0] < 80
        else replace(last.dice[1], value=None, rest=None, tilt_deg=None)
    )


@pytest.mark.parametrize(
    ("chances", "flat"),
    [
        ((0.995, 0.995, 0.95), True),
        ((0.98, 0.9, 0.9), False),
        ((0.96, 0.96), None),
        ((0.99, None), None),
    ],
    ids=["sure by the mean", "not sure by it", "neither: none is sure", "not asked in one"],
)
def test_chances_that_a_die_lies_flat_are_added_up(
    chances: tuple[float | None, ...], flat: bool | None
) -> None:
    said = [None if one is None else is_flat(one) for one in chances]
    pictures = [(die(420), die(500, flat_chance=one, flat=by)) for one, by in zip(chances, said, strict=True)]
    assert summed(pictures)[1].look.flat is flat
