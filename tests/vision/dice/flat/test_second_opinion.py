"""A second opinion on whether a die lies flat: what settles it, and what it may not do."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.board.calibration import Board, Pinhole, load_board
from vision.capture.picture import load_picture
from vision.dice.candidates import IS_DIE
from vision.dice.evidence import summed
from vision.dice.faces import Look, PipReader, Seen
from vision.dice.finder import Spot
from vision.dice.flat.beneath import Ground
from vision.dice.flat.camera import with_camera, with_lens
from vision.dice.flat.carried import Carrier, Carrying
from vision.dice.flat.flatness import WORDS, FlatnessNet, is_flat
from vision.dice.flat.second_opinion import (
    SURELY,
    Around,
    Fitted,
    Said,
    SecondOpinion,
    _is_in_doubt,
    _leans_on_nothing,
    _settled,
    opinion,
)
from vision.dice.flat.witnesses import USUAL, situation_of
from vision.dice.judge import reading_of
from vision.dice.reader import Reader
from vision.dice.rest import READABLE
from vision.pyramid import Halves

THROWS = Path(__file__).parents[4] / "companion" / "camera" / "recorded_throws"
BOARD = Board((1000, 800), ((0, 0), (1000, 0), (1000, 800), (0, 800)), (500.0, 400.0), 40.0)
"""Two pixels to a millimetre."""
OPEN, AT_WALL, NEAR_WALL, LEFT = (750.0, 300.0), (995.0, 300.0), (940.0, 300.0), (250.0, 300.0)
SHARE = (0.99, 0.005, 0.003, 0.002)
"""Of floor, checker, die and ledge, of a die that plainly lies flat."""


def seen(at: tuple[float, float] = OPEN, flat: bool | None = None, **look: object) -> Seen:
    one = Look(1.0, (0.0,) * 5 + (1.0,), 0.0, (1.0, 0.0, 0.0, 0.0), 1.0, 0.0, flat=flat)
    return Seen(Spot(*at, 29.0, 1.0), replace(one, **look))  # type: ignore[arg-type]


def rest_of(one: Seen) -> str | None:
    return reading_of([one, seen(LEFT)], BOARD).dice[1].rest


def said(carried: float = 0.05, situation: str = "open", **look: object) -> Said:
    """What the nets say; unless told otherwise, that the die plainly lies flat."""
    plain = Look(1.0, (0.0,) * 5 + (0.98,), 0.002, SHARE, 1.0, 1.0)
    third = math.log(carried / (1 - carried) / 3)
    carrying = Carrying(carried, (third, third, third), (0.0, 0.0))
    return Said(replace(plain, **look), carrying, situation)  # type: ignore[arg-type]


def around(near: float = 0.9, least: float = 0.8, disc: float = 0.3) -> Around:
    one = Around(seen().spot, BOARD, None)  # type: ignore[arg-type]
    one.__dict__["words"] = (near, least, disc)
    return one


def test_a_die_lies_flat_if_all_say_so() -> None:
    assert all(opinion(said(situation=situation), around()) is True for situation in SURELY)


@pytest.mark.parametrize(
    "against",
    [{"supports": (0.002, 0.004, 0.5, 0.494)}, {"leaning": 0.9997, "tilt_deg": 12.0}, {"carried": 0.9995}],
    ids=["floor", "leaning", "around"],
)
def test_one_strong_word_against_it_unsettles_it(against: dict[str, object]) -> None:
    words, plain = ((*one.of_nets, *around().words) for one in (said(**against), said()))  # type: ignore[arg-type]
    assert USUAL.chance(words) < USUAL.chance(plain)
    assert all(opinion(said(situation=s, **against), around()) is not True for s in SURELY)  # type: ignore[arg-type]


def test_a_die_that_all_say_is_carried_hardly_lies_flat() -> None:
    against = said(0.998, supports=(0.007, 0.99, 0.002, 0.001), leaning=0.98, tilt_deg=15.0)
    assert opinion(against, around(0.1, 0.0, 0.95)) is False


@pytest.mark.parametrize(
    ("one", "ring", "expected"),
    [
        (said(), around(), False),
        (said(0.7, supports=(0.4, 0.55, 0.03, 0.02)), around(), True),
        (said(0.3, supports=(0.4, 0.55, 0.03, 0.02)), around(), False),
        (said(0.3, supports=(0.4, 0.55, 0.03, 0.02)), around(near=0.4), True),
        (said(0.9, leaning=0.2, supports=(0.9, 0.03, 0.03, 0.04)), around(0.6, 0.2, 0.8), True),
        (said(0.9), around(), False),
        (said(situation="touching", leaning=0.6), around(), True),
        (said(situation="open", leaning=0.6), around(), False),
    ],
    ids=[
        "all say flat", "two see it carried", "one sees a checker", "a checker, and no field around",
        "carried, and not sure enough", "carried, and sure otherwise", "leans on a die", "leans on nothing",
    ],
)  # fmt: skip
def test_one_plain_witness_keeps_back_what_the_sum_says(one: Said, ring: Around, expected: bool) -> None:
    assert _is_in_doubt(one, ring) is expected


SEEMS_TO_LEAN = {"leaning": 0.98, "tilt_deg": 11.0, "supports": (0.15, 0.0, 0.85, 0.0)}
"""On the other die, see `beside`."""


def beside(widths: float) -> Seen:
    return seen((OPEN[0] + widths * 29.0, OPEN[1]))


@pytest.mark.parametrize(
    ("first", "other", "ring", "dice", "expected"),
    [
        ({}, said(), around(), [seen(LEFT)], True),
        ({}, said(0.7, leaning=0.9, tilt_deg=10.0), around(), [seen(LEFT)], True),
        ({}, said(), around(), [beside(2.0)], True),
        ({}, said(), around(), [beside(1.2)], False),
        ({}, said(), around(), [beside(1.5), seen(LEFT)], False),
        ({}, said(), around(), [], False),
        ({"supports": (0.8, 0.2, 0.0, 0.0)}, said(), around(), [seen(LEFT)], False),
        ({}, said(supports=(0.8, 0.2, 0.0, 0.0)), around(), [seen(LEFT)], False),
        ({}, said(0.8), around(), [seen(LEFT)], False),
        ({}, said(), around(near=0.4), [seen(LEFT)], False),
        ({}, said(die=0.93), around(), [seen(LEFT)], False),
        ({}, said(tilt_deg=16.0), around(), [seen(LEFT)], False),
    ],
    ids=[
        "far from all", "both see it lean", "a die two widths away", "a die that it touches", "a third die near",
        "alone, may hide one", "a checker", "a checker, says the other", "carried", "no field around",
        "hardly a die", "leans plainly",
    ],
)  # fmt: skip
def test_a_die_that_could_lean_on_nothing_lies_flat(
    first: dict[str, object], other: Said, ring: Around, dice: list[Seen], expected: bool
) -> None:
    one = seen(**(SEEMS_TO_LEAN | first))  # type: ignore[arg-type]
    assert _leans_on_nothing(one, other, ring, [one, *dice]) is expected


@pytest.mark.parametrize(("widths", "flat"), [(2.2, True), (1.2, False)], ids=["apart", "touching"])
def test_the_rest_of_a_die_does_not_depend_on_one_out_of_reach(widths: float, flat: bool) -> None:
    bgr = np.full((800, 1000, 3), (40, 60, 160), np.uint8)
    one, other = seen(OPEN, **SEEMS_TO_LEAN), beside(widths)  # type: ignore[arg-type]

    class Hearing(SecondOpinion):
        """Hears that both are dice, of which one leans."""

        def said(self, seen, picture, board):  # type: ignore[no-untyped-def]
            leans = said(0.7, leaning=0.9, tilt_deg=10.0, supports=(0.5, 0.0, 0.5, 0.0))
            return {one.spot: leans, other.spot: said()}

        def _fitted(self, *_):  # type: ignore[no-untyped-def]
            return {}

    picture = Halves(bgr)
    given = Hearing(Carrier(), PipReader()).given([one, other], picture, BOARD, Ground(picture, BOARD))
    assert (reading_of(given, BOARD).dice[0].rest == "flat") is flat


class Saying(FlatnessNet):
    """Gives every die the same chance that it lies flat."""

    def __init__(self, chance: float) -> None:
        self.chance = chance

    def chances(self, words):  # type: ignore[no-untyped-def]
        return [self.chance] * len(words)


@pytest.mark.parametrize(
    ("throw", "rest", "still"),
    [("05_south_leaning", "leaning", True), ("08_north_checker", "on_checker", False)],
)
def test_a_die_that_may_lie_flat_by_all_that_is_said_is_called_cocked_only_if_all_looks_see_it_lean(
    throw: str, rest: str, still: bool
) -> None:
    bgr, board = load_picture(THROWS / throw / "frame_02.jpg"), load_board(THROWS / throw / "board.json")
    familiar = replace(board, distortion=None)
    called, doubted = (
        Reader(SecondOpinion(Carrier(), PipReader(), Saying(chance))).read(bgr, familiar).dice
        for chance in (0.05, 0.9)
    )
    assert rest in {die.rest for die in called}
    assert {die.rest for die in doubted} == {"flat", rest if still else None}


@pytest.mark.parametrize(
    ("unfamiliar", "chance", "odds", "flat"),
    [
        (True, 0.999, 1.0, True),
        (True, 0.96, 1.0, False),
        (True, 0.9, 1.0, False),
        (False, 0.999, 1.0, False),
        (True, 0.99, 1.0, True),
        (True, 0.99, 0.1, False),
        (True, 0.999, 0.1, True),
    ],
    ids=[
        "sure",
        "not sure: as it was",
        "hardly",
        "a familiar board",
        "sure enough",
        "not sure enough where few are flat",
        "sure enough there, too",
    ],
)
def test_the_net_that_adds_up_everything_decides_on_a_strange_board(
    unfamiliar: bool, chance: float, odds: float, flat: bool
) -> None:
    bgr = np.full((800, 1000, 3), (40, 60, 160), np.uint8)
    one, other, picture = seen(AT_WALL), seen(LEFT), Halves(bgr)

    class Hearing(SecondOpinion):
        """Hears that one die seems to lean in spite of a floor below it and nothing that carries it."""

        leans = said(0.005, "at a wall", leaning=0.5, tilt_deg=7.0)

        def said(self, seen, picture, board):  # type: ignore[no-untyped-def]
            return {one.spot: self.leans, other.spot: said()}

        def _fitted(self, *_):  # type: ignore[no-untyped-def]
            return {one.spot: Fitted(one.look, self.leans, around(), 0.05)}

    board = replace(BOARD, unfamiliar=unfamiliar)
    hearing = Hearing(Carrier(), PipReader(), Saying(chance))
    given = hearing.given([one, other], picture, board, Ground(picture, board), odds)
    assert given[0].look.flat is flat
    assert given[0].look.wide_values == Hearing.leans.look.values


@pytest.mark.parametrize(
    ("leaning", "chance", "flat"),
    [(0.0, 0.945, True), (0.0, 0.92, None), (0.1, 0.99, None)],
    ids=["not against it", "hardly", "not plainly flat by the first net"],
)
def test_the_net_that_adds_up_everything_settles_what_is_open_on_a_familiar_board(
    leaning: float, chance: float, flat: bool | None
) -> None:
    one, other = seen(OPEN, leaning=leaning), beside(1.1)
    picture = Halves(np.full((800, 1000, 3), (40, 60, 160), np.uint8))

    class Hearing(SecondOpinion):
        """Hears of two dice that touch, of which one may lean on the other."""

        may_lean = said(0.5, "touching", leaning=0.3, supports=(0.9, 0.0, 0.1, 0.0))

        def said(self, seen, picture, board):  # type: ignore[no-untyped-def]
            return {one.spot: self.may_lean, other.spot: said(situation="touching")}

        def _fitted(self, asked, *_):  # type: ignore[no-untyped-def]
            return {die.spot: Fitted(die.look, self.may_lean, around(), 0.05) for die in asked}

    hearing = Hearing(Carrier(), PipReader(), Saying(chance))
    given = hearing.given([one, other], picture, BOARD, Ground(picture, BOARD))
    assert given[0].look.flat is flat


@pytest.mark.parametrize("is_known", [True, False], ids=["lens known", "lens unknown"])
def test_what_all_looks_see_lean_may_be_called_so_where_the_lens_is_known(is_known: bool) -> None:
    one, other = seen(OPEN, leaning=0.9, tilt_deg=13.0), seen(LEFT)
    picture = Halves(np.full((800, 1000, 3), (40, 60, 160), np.uint8))
    board = replace(with_lens(BOARD, Pinhole(0.8)) if is_known else BOARD, doubted=True)

    class Hearing(SecondOpinion):
        """Hears that one die leans, though nothing is seen that carries it."""

        leans = said(0.02, leaning=0.9, tilt_deg=13.0)

        def said(self, seen, picture, board):  # type: ignore[no-untyped-def]
            return {one.spot: self.leans, other.spot: said()}

        def _fitted(self, asked, *_):  # type: ignore[no-untyped-def]
            return {die.spot: Fitted(die.look, self.leans, around(), 0.25) for die in asked}

    hearing = Hearing(Carrier(), PipReader())
    given = hearing.given([one, other], picture, board, Ground(picture, board))
    assert given[0].look.may_be_flat is not is_known


@pytest.mark.parametrize(
    ("leaning", "flat"), [((0.9, 0.9, 0.9, 0.9), False), ((0.9, 0.9, 0.9, 0.7), True)], ids=["all", "not all"]
)
def test_what_all_looks_see_lean_is_not_believed_to_lie_flat(
    leaning: tuple[float, float, float, float], flat: bool
) -> None:
    one, other = seen(OPEN, leaning=leaning[0]), seen(LEFT)
    picture, board = Halves(np.full((800, 1000, 3), (40, 60, 160), np.uint8)), replace(BOARD, unfamiliar=True)

    class Hearing(SecondOpinion):
        """Hears that one die leans."""

        def said(self, seen, picture, board):  # type: ignore[no-untyped-def]
            return {one.spot: said(leaning=leaning[1]), other.spot: said()}

        def _fitted(self, *_):  # type: ignore[no-untyped-def]
            first = replace(one.look, leaning=leaning[2])
            return {one.spot: Fitted(first, said(leaning=leaning[3]), around(), 0.05)}

    hearing = Hearing(Carrier(), PipReader(), Saying(0.999))
    given = hearing.given([one, other], picture, board, Ground(picture, board))
    assert given[0].look.flat is flat


@pytest.mark.parametrize(
    ("first", "other", "flat", "readable"),
    [
        ({"readable": 0.85}, {}, True, True),
        ({"readable": 0.85}, {}, None, False),
        ({"readable": 0.7}, {}, True, False),
        ({"readable": 0.85}, {"readable": 0.7}, True, False),
        ({"readable": 0.85}, {"values": (0.98,) + (0.0,) * 5}, True, False),
        ({"readable": 0.85}, {"values": (0.0,) * 5 + (0.6,)}, True, False),
    ],
    ids=["both see one number", "not flat for sure", "hardly", "the other hardly", "two numbers", "unsure"],
)
def test_a_number_that_both_nets_see_on_a_flat_die_is_readable(
    first: dict[str, object], other: dict[str, object], flat: bool | None, readable: bool
) -> None:
    look = replace(seen().look, values=(0.0,) * 5 + (0.97,), **first)  # type: ignore[arg-type]
    settled = _settled(look, said(**other), flat, bool(flat))  # type: ignore[arg-type]
    assert (settled.readable >= READABLE) is readable


@pytest.mark.parametrize(
    ("first", "other", "expected"),
    [
        ({}, {}, True),
        ({"tilt_deg": 6.5}, {}, False),
        ({}, {"tilt_deg": 6.5}, False),
        ({"leaning": 0.3}, {}, False),
        ({"supports": (0.5, 0.5, 0.0, 0.0)}, {}, False),
        ({}, {"carried": 0.85}, False),
        ({}, {"situation": "touching", "leaning": 0.15, "tilt_deg": 5.0, "carried": 0.5}, False),
    ],
    ids=[
        "all say flat",
        "tilted",
        "tilted, says the other",
        "leans",
        "on a checker",
        "carried",
        "touches, unsure",
    ],
)
def test_with_the_fitted_camera_all_must_say_flat(
    first: dict[str, object], other: dict[str, object], expected: bool
) -> None:
    look = replace(seen().look, **first)  # type: ignore[arg-type]
    assert Fitted(look, said(**other), around(), 0.05).surely_flat is expected  # type: ignore[arg-type]


@pytest.mark.parametrize(("away", "expected"), [(0.08, True), (0.25, False)])
@pytest.mark.parametrize("situation", ["open", "at a wall", "touching"])
def test_a_die_that_bends_the_camera_is_not_flat_by_it(away: float, expected: bool, situation: str) -> None:
    one = Fitted(seen().look, said(situation=situation), around(), away)
    assert one.surely_flat is expected


LEANS: dict[str, object] = {"leaning": 0.9, "tilt_deg": 12.0, "supports": (0.1, 0.0, 0.1, 0.8)}
SEEMS_TO_LEAN: dict[str, object] = {"leaning": 0.3, "tilt_deg": 6.0, "supports": (0.9, 0.0, 0.1, 0.0)}
STANDS: dict[str, object] = {"supports": (0.05, 0.9, 0.03, 0.02)}


@pytest.mark.parametrize(
    ("at", "look", "carried", "ring", "expected"),
    [
        (OPEN, {}, 0.05, around(), True),
        (OPEN, SEEMS_TO_LEAN, 0.05, around(), True),
        (OPEN, LEANS, 0.2, around(), False),
        (AT_WALL, LEANS, 0.998, around(0.4, 0.0), False),
        (OPEN, STANDS, 0.998, around(0.1, 0.0, 0.95), False),
    ],
    ids=[
        "all say flat",
        "seems to lean a little, on nothing",
        "leans far, on nothing",
        "leans on a wall",
        "stands on a checker",
    ],
)
def test_all_that_is_said_with_both_cameras_is_added_up(
    at: tuple[float, float], look: dict[str, object], carried: float, ring: Around, expected: bool
) -> None:
    x, y = ring.up
    lean = math.sin(math.radians(float(str(look.get("tilt_deg", 0.0)))))
    look = {**look, "own_up": (x + lean, y)}
    one, nets = seen(at, **look), said(carried, **look)  # type: ignore[arg-type]
    words = Fitted(one.look, nets, ring, 0.05).words(one, nets, ring, [one, seen(LEFT)])
    assert len(words) == WORDS
    (chance,) = FlatnessNet().chances([words])
    assert bool(is_flat(chance)) is expected


class TakesOver(PipReader):
    """Sees the up of a camera of this focal length, and takes over a part of what it is told instead."""

    part = 0.65

    def __init__(self, focal: float) -> None:
        self.camera = replace(BOARD, camera=Pinhole(focal))

    def again(self, picture, spots, up):  # type: ignore[no-untyped-def]
        true = self.camera.up(np.array([(spot.x, spot.y) for spot in spots]))
        own = (1 - self.part) * true + self.part * up
        return [replace(seen().look, values=SURE, own_up=(x, y)) for x, y in own.tolist()]


SURE = (0.9, 0.02, 0.02, 0.02, 0.02, 0.02)


@pytest.mark.parametrize(("unfamiliar", "times"), [(True, 2), (False, 1)])
@pytest.mark.parametrize("focal", [0.6, 1.8])
def test_where_the_camera_is_is_asked_once_more_on_a_strange_board(
    focal: float, unfamiliar: bool, times: int
) -> None:
    board, net = replace(BOARD, unfamiliar=unfamiliar), TakesOver(focal)
    picture = Halves(np.full((800, 1000, 3), (40, 60, 160), np.uint8))
    spots = [seen(at).spot for at in ((90.0, 90.0), (900.0, 700.0))]

    def looked_at(with_up_of: Board) -> list[Seen]:
        up = with_up_of.up(np.array([(spot.x, spot.y) for spot in spots]))
        return [Seen(spot, look) for spot, look in zip(spots, net.again(picture, spots, up), strict=True)]

    dice = looked_at(board)
    fits = [board]
    for _ in range(2):
        fits.append(with_camera(fits[-1], looked_at(fits[-1])))
    off = [abs(math.log(fit.focal_widths / focal)) for fit in fits]
    assert off == sorted(off, reverse=True)
    fitted = SecondOpinion(Carrier(), net)._fitted(dice, dice, {}, picture, board, Ground(picture, board))
    assert {one.around.board.focal_widths for one in fitted.values()} == {fits[times].focal_widths}


def test_nothing_is_said_of_no_dice() -> None:
    assert FlatnessNet().chances([]) == []


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
        (seen(flat=False, may_be_flat=True, supports=(0.0, 1.0, 0.0, 0.0)), None),
        (seen(flat=False, leaning=0.9, tilt_deg=35.0), "leaning"),
        (seen(may_be_flat=True, leaning=0.9, tilt_deg=35.0), None),
        (seen(may_be_flat=True), "flat"),
    ],
    ids=[
        "none given",
        "flat after all",
        "hardly flat",
        "flat, not leaning",
        "on a checker anyway",
        "on a checker by one net only",
        "leaning anyway",
        "leaning by one net only",
        "flat, as it may be",
    ],
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


@pytest.mark.parametrize(
    ("said", "expected"), [([True, True, False], True), ([True, False, False], False)], ids=str
)
def test_a_die_may_be_flat_that_may_be_in_most_pictures(said: list[bool], expected: bool) -> None:
    assert summed([[seen(may_be_flat=one)] for one in said])[0].look.may_be_flat is expected


class Fearing(Carrier):
    """Gives every die the same chance that something carries it."""

    def __init__(self, chance: float) -> None:
        self.chance = chance

    def chances(self, picture, spots, board):  # type: ignore[no-untyped-def]
        return np.full(len(spots), self.chance)


@pytest.mark.parametrize(
    ("one", "chance", "more", "unfamiliar", "plain"),
    [
        (seen(), 0.1, [], False, True),
        (seen(), 0.1, [seen(AT_WALL, die=0.4)], False, True),
        (seen(), 0.6, [], False, False),
        (seen(), 0.1, [], True, False),
        (seen(), 0.1, [seen(AT_WALL, die=0.6)], False, False),
        (seen(AT_WALL), 0.1, [], False, False),
        (beside(1.1), 0.1, [], False, False),
        (seen(die=0.97), 0.1, [], False, False),
        (seen(leaning=0.1), 0.1, [], False, False),
        (seen(tilt_deg=6.0), 0.1, [], False, False),
        (seen(supports=(0.9, 0.1, 0.0, 0.0)), 0.1, [], False, False),
    ],
    ids=["plain", "beside what is no die", "may be carried", "a strange board", "a third die", "at a wall", "touching",
         "hardly a die", "leaning", "tilted", "on a checker"],
)  # fmt: skip
def test_two_dice_that_plainly_lie_flat_need_no_second_opinion(
    one: Seen, chance: float, more: list[Seen], unfamiliar: bool, plain: bool
) -> None:
    other = seen(OPEN) if one == beside(1.1) else seen(LEFT)
    looks, picture = [one, other, *more], Halves(np.zeros((800, 1000, 3), np.uint8))
    second = SecondOpinion(Fearing(chance), PipReader())
    at_once = second.at_once(looks, picture, replace(BOARD, unfamiliar=unfamiliar))
    assert [look.look.flat for look in at_once] == ([True, True, *(None for _ in more)] if plain else [])


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

    reader = Reader(Listening(Carrier(), PipReader()))
    reader.read(bgr, board)
    familiar = reader.read(bgr, replace(board, distortion=None)).dice
    assert not asked
    strange = reader.read(bgr, replace(board, distortion=None, unfamiliar=True)).dice
    assert len(asked) == 1
    assert [die.rest for die in (*familiar, *strange)] == ["flat"] * 4


def test_what_is_no_die_has_no_opinion() -> None:
    bgr = np.full((800, 1000, 3), (40, 60, 160), np.uint8)
    picture = Halves(bgr)
    none = seen(die=0.3)
    given = SecondOpinion(Carrier(), PipReader()).given([none], picture, BOARD, Ground(picture, BOARD))
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
    given = SecondOpinion(Carrier(), PipReader()).given(looks, picture, board, Ground(picture, board))
    assert [one.look.die > IS_DIE for one in given] == [True, True, False]
