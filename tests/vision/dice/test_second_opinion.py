"""A second opinion on whether a die lies flat: what settles it, and what it may not do."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.board.calibration import Board, load_board
from vision.capture.picture import load_picture
from vision.dice.beneath import field_of
from vision.dice.carried import Carrier
from vision.dice.evidence import summed
from vision.dice.faces import Look, Seen
from vision.dice.finder import Spot
from vision.dice.pyramid import Halves
from vision.dice.reader import Reader
from vision.dice.rest import IS_DIE, reading_of
from vision.dice.second_opinion import SURELY, WITNESSES, SecondOpinion, chance_flat, opinion, situation_of

THROWS = Path(__file__).parents[3] / "companion" / "camera" / "recorded_throws"
BOARD = Board((1000, 800), ((0, 0), (1000, 0), (1000, 800), (0, 800)), (500.0, 400.0), 40.0)
"""Two pixels to a millimetre."""
OPEN, AT_WALL, NEAR_WALL, LEFT = (750.0, 300.0), (995.0, 300.0), (940.0, 300.0), (250.0, 300.0)
FLAT = (5.0, -5.0, -6.0, -6.0, 0.2, -3.0, 0.9, 0.8, 0.3)
"""What is said of a die that plainly lies flat."""


def seen(at: tuple[float, float] = OPEN, flat: bool | None = None, **look: object) -> Seen:
    one = Look(1.0, (0.0,) * 5 + (1.0,), 0.0, (1.0, 0.0, 0.0, 0.0), 1.0, 0.0, flat=flat)
    return Seen(Spot(*at, 29.0, 1.0), replace(one, **look))  # type: ignore[arg-type]


def rest_of(one: Seen) -> str | None:
    return reading_of([one, seen(LEFT)], BOARD).dice[1].rest


def test_a_die_lies_flat_if_all_say_so() -> None:
    assert all(opinion(FLAT, situation) is True for situation in SURELY)


@pytest.mark.parametrize(("witness", "word"), [("floor", -6.0), ("leaning", 8.0), ("around", 7.0)])
def test_one_strong_word_against_it_unsettles_it(witness: str, word: float) -> None:
    at = WITNESSES.index(witness)
    words = (*FLAT[:at], word, *FLAT[at + 1 :])
    assert chance_flat(words) < chance_flat(FLAT)
    assert all(opinion(words, situation) is not True for situation in SURELY)


def test_a_die_that_all_say_is_carried_hardly_lies_flat() -> None:
    assert opinion((-5.0, 4.0, 5.0, -2.0, 3.0, 6.0, 0.1, 0.0, 0.95), "open") is False


@pytest.mark.parametrize(
    ("at", "beside", "expected"),
    [
        (OPEN, LEFT, "open"),
        (AT_WALL, LEFT, "at a wall"),
        (NEAR_WALL, LEFT, "open"),
        (OPEN, (OPEN[0] + 31.0, OPEN[1]), "touching"),
        (OPEN, (OPEN[0] + 42.0, OPEN[1]), "open"),
    ],
    ids=["open", "at a wall", "near a wall", "touching", "beside"],
)
def test_where_a_die_is(at: tuple[float, float], beside: tuple[float, float], expected: str) -> None:
    assert situation_of(seen(at), [seen(at), seen(beside)], BOARD) == expected


@pytest.mark.parametrize(
    ("one", "expected"),
    [
        (seen(), "flat"),
        (seen(flat=True, carried=True), "flat"),
        (seen(flat=False), None),
        (seen(flat=True, leaning=0.9, tilt_deg=12.0), "flat"),
        (seen(flat=False, supports=(0.0, 1.0, 0.0, 0.0)), "on_checker"),
    ],
    ids=["none given", "flat after all", "hardly flat", "flat, not leaning", "on a checker anyway"],
)
def test_the_opinion_settles_a_doubt_and_raises_one(one: Seen, expected: str | None) -> None:
    assert rest_of(one) == expected


def test_a_die_that_lies_flat_has_a_tilt_of_one_that_does() -> None:
    tilt_deg = reading_of([seen(flat=True, leaning=0.9, tilt_deg=12.0)], BOARD).dice[0].tilt_deg
    assert tilt_deg is not None
    assert tilt_deg < 5


def test_a_die_alone_that_hides_another_stays_on_it() -> None:
    dice = reading_of([seen(flat=True, supports=(0.5, 0.0, 0.5, 0.0))], BOARD).dice
    assert {die.rest for die in dice} == {"on_die", None}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([True, True, None], True),
        ([True, None, None], None),
        ([True, True, False], None),
        ([False, False, True], False),
        ([None, None], None),
    ],
    ids=str,
)
def test_several_pictures_have_one_opinion(said: list[bool | None], expected: bool | None) -> None:
    assert summed([[seen(flat=one)] for one in said])[0].look.flat is expected


def test_where_the_lens_is_known_nobody_asks() -> None:
    bgr, board = (
        load_picture(THROWS / "03_south" / "frame_02.jpg"),
        load_board(THROWS / "03_south" / "board.json"),
    )
    asked: list[Board] = []

    class Listening(SecondOpinion):
        def said(self, seen, picture, board):  # type: ignore[no-untyped-def]
            asked.append(board)
            return super().said(seen, picture, board)

    reader = Reader(Listening(Carrier()))
    reader.read(bgr, board)
    assert not asked
    dice = reader.read(bgr, replace(board, distortion=None)).dice
    assert len(asked) == 1
    assert [die.rest for die in dice] == ["flat", "flat"]


def test_what_is_no_die_has_no_opinion() -> None:
    bgr = np.full((800, 1000, 3), (40, 60, 160), np.uint8)
    picture = Halves(bgr)
    none = seen(die=0.3)
    given = SecondOpinion(Carrier()).given([none], picture, bgr, BOARD, field_of(picture, BOARD))
    assert given == [none]


def test_what_one_net_alone_takes_for_a_die_is_none() -> None:
    bgr = load_picture(THROWS / "03_south" / "frame_02.jpg")
    board = replace(load_board(THROWS / "03_south" / "board.json"), distortion=None)
    dice = [
        Spot(*die.centre_px, die.box_px[2] - die.box_px[0], 1.0) for die in Reader().read(bgr, board).dice
    ]
    bare = Spot(dice[0].x, dice[0].y + 3 * dice[0].width, dice[0].width, 1.0)
    looks = [Seen(spot, seen(die=0.99).look) for spot in (*dice, bare)]
    picture = Halves(bgr)
    given = SecondOpinion(Carrier()).given(looks, picture, bgr, board, field_of(picture, board))
    assert [one.look.die > IS_DIE for one in given] == [True, True, False]
