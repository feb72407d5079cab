"""Facts and doubt: when a look is sure, when it is not, and what is left out."""

from dataclasses import replace

import pytest

from vision.board.calibration import Board, Distortion
from vision.dice.candidates import without_nested
from vision.dice.faces import Look, Seen
from vision.dice.finder import Spot
from vision.dice.judge import reading_of

BOARD = Board((1000, 800), ((0, 0), (1000, 0), (1000, 800), (0, 800)), (500.0, 400.0), 40.0)
"""Two pixels to a millimetre; the middle of the board is the middle of the picture."""

LENS = Distortion(((800.0, 0.0, 500.0), (0.0, 800.0, 400.0), (0.0, 0.0, 1.0)), (0.0,) * 5)
MEASURED = replace(BOARD, distortion=LENS)
"""The same through a lens that is known, and bends nothing."""

FLAT = Look(1.0, (0.0, 0.0, 0.0, 0.0, 0.0, 1.0), 0.001, (0.999, 0.001, 0.0, 0.0), 1.0, 0.0)
RIGHT, LEFT, BAR = (750.0, 400.0), (250.0, 400.0), (500.0, 300.0)
OUT, FAR_OUT = (750.0, 850.0), (750.0, 885.0)


def seen(at: tuple[float, float] = RIGHT, width: float = 29.0, **look: object) -> Seen:
    return Seen(Spot(*at, width, 0.9), replace(FLAT, **look))


@pytest.mark.parametrize(
    ("one", "rest", "value"),
    [
        (seen(), "flat", 6),
        (seen(leaning=0.98), "leaning", 6),
        (seen(leaning=0.45), None, 6),
        (seen(supports=(0.01, 0.99, 0.0, 0.0)), "on_checker", 6),
        (seen(supports=(0.1, 0.9, 0.0, 0.0), leaning=0.1), "on_checker", 6),
        (seen(supports=(0.52, 0.48, 0.0, 0.0)), None, 6),
        (seen(supports=(0.9, 0.1, 0.0, 0.0)), None, 6),
        (seen(supports=(0.97, 0.03, 0.0, 0.0)), "flat", 6),
        (seen(at=(866.0, 296.0), supports=(0.0, 0.0, 1.0, 0.0)), "on_die", 6),
        (seen(supports=(0.4, 0.0, 0.6, 0.0)), "flat", 6),
        (seen(supports=(0.05, 0.0, 0.95, 0.0)), None, 6),
        (seen(at=(813.0, 300.0), supports=(0.2, 0.0, 0.8, 0.0)), None, 6),
        (seen(at=(813.0, 300.0), supports=(0.4, 0.0, 0.6, 0.0)), "flat", 6),
        (seen(at=(813.0, 300.0), supports=(0.4, 0.0, 0.6, 0.0), tilt_deg=4.0), None, 6),
        (seen(at=(866.0, 296.0), supports=(0.4, 0.0, 0.6, 0.0)), None, 6),
        (seen(at=(884.0, 300.0), supports=(0.06, 0.0, 0.94, 0.0)), "on_die", 6),
        (seen(at=(888.0, 300.0), supports=(0.06, 0.0, 0.94, 0.0)), None, 6),
        (seen(at=(804.0, 300.0), supports=(0.2, 0.0, 0.8, 0.0), leaning=0.2), None, 6),
        (seen(at=(813.0, 300.0), supports=(0.2, 0.0, 0.8, 0.0), leaning=0.9), "on_die", 6),
        (seen(supports=(0.6, 0.0, 0.0, 0.4)), "flat", 6),
        (seen(at=(995.0, 400.0), supports=(0.5, 0.0, 0.5, 0.0)), "flat", 6),
        (seen(at=(995.0, 400.0), supports=(0.5, 0.0, 0.5, 0.0), leaning=0.05), None, 6),
        (seen(at=(995.0, 400.0), supports=(0.2, 0.0, 0.8, 0.0)), "on_rim", 6),
        (seen(at=(975.0, 400.0), supports=(0.0, 0.0, 0.0, 1.0)), "on_rim", 6),
        (seen(supports=(0.05, 0.0, 0.0, 0.95)), None, 6),
        (seen(at=BAR), "on_bar", 6),
        (seen(at=OUT), "off_board", 6),
        (seen(at=OUT, leaning=0.98), "off_board", 6),
        (seen(at=(750.0, 815.0), leaning=0.98), "leaning", 6),
        (seen(values=(0.0, 0.0, 0.0, 0.0, 0.5, 0.5)), "flat", None),
        (seen(values=(0.0, 0.0, 0.0, 0.0, 0.5, 0.5), leaning=0.99), "leaning", None),
    ],
    ids=[
        "flat",
        "leaning",
        "perhaps leaning",
        "on a checker",
        "on a checker, barely",
        "perhaps on a checker",
        "hardly on a checker, but not out of the question",
        "not on a checker",
        "on a die",
        "too far from the other to lie on it",
        "seen on a die that is too far away",
        "seen on a die beside it, and hardly on the floor",
        "seen flat on a die that it is not above",
        "seen on a die that it is not above, with a hint of leaning",
        "perhaps on a die that it is above",
        "on a die, as far off its middle as it can lie",
        "seen on a die beside it, further off than it can lie on it",
        "seen on a die beside it, perhaps leaning",
        "leaning on a die beside it",
        "too far from any ledge to lie on one",
        "raised at a wall, and nothing else",
        "raised at a wall, with a hint of leaning",
        "plainly raised at a wall",
        "on the rim",
        "raised where no ledge is",
        "on the bar",
        "beside the board",
        "leaning beside the board",
        "leaning on the rim",
        "a number not settled",
        "a number that does not matter",
    ],
)
def test_how_a_die_rests(one: Seen, rest: str | None, value: int | None) -> None:
    reading = reading_of([one, seen(at=(850.0, 300.0))], MEASURED)
    die = next(d for d in reading.dice if d.centre_px == (one.spot.x, one.spot.y))
    assert (die.rest, die.value) == (rest, value)
    assert not reading.doubt  # what is not settled of one die is said of that die


@pytest.mark.parametrize(
    ("one", "rest"),
    [
        (seen(), "flat"),
        (seen(leaning=0.98, tilt_deg=17.0), None),
        (seen(leaning=0.98, tilt_deg=30.0), "leaning"),
        (seen(at=(985.0, 400.0), leaning=0.98, tilt_deg=17.0), "leaning"),
        (seen(supports=(0.34, 0.66, 0.0, 0.0)), None),
        (seen(supports=(0.1, 0.9, 0.0, 0.0)), "on_checker"),
        (seen(at=BAR), None),
        (seen(at=BAR, supports=(0.1, 0.0, 0.0, 0.9)), "on_bar"),
    ],
    ids=[
        "flat",
        "leaning a little, on nothing",
        "leaning as on a checker",
        "leaning a little at a wall",
        "perhaps on a checker",
        "on a checker",
        "flat where the bar may be",
        "raised on the bar",
    ],
)
def test_where_the_lens_is_not_known_more_is_in_doubt(one: Seen, rest: str | None) -> None:
    reading = reading_of([one, seen(at=(850.0, 300.0))], BOARD)
    die = next(d for d in reading.dice if d.centre_px == (one.spot.x, one.spot.y))
    assert die.rest == rest


def test_where_the_lens_is_not_known_leaning_needs_a_tilt_that_is_surely_measured() -> None:
    at_wall = seen(at=(985.0, 400.0), leaning=0.98, tilt_deg=5.7)
    assert reading_of([at_wall], MEASURED).dice[0].rest == "leaning"
    assert reading_of([at_wall], BOARD).dice[0].rest is None


def test_a_small_chance_of_a_checker_counts_less_in_the_open_where_the_lens_is_not_known() -> None:
    perhaps = {"supports": (0.92, 0.08, 0.0, 0.0)}
    in_the_open, at_wall = seen(**perhaps), seen(at=(985.0, 400.0), **perhaps)
    assert reading_of([in_the_open], BOARD).dice[0].rest == "flat"
    assert reading_of([in_the_open], MEASURED).dice[0].rest is None
    assert reading_of([at_wall], BOARD).dice[0].rest is None


def test_a_heap_without_a_number_hides_no_die_where_the_lens_is_not_known() -> None:
    heap = seen(supports=(0.0, 0.0, 1.0, 0.0), values=(1 / 6,) * 6)
    assert len(reading_of([heap], BOARD).dice) == 1
    assert len(reading_of([heap], MEASURED).dice) == 2
    assert len(reading_of([replace(heap, look=replace(heap.look, values=FLAT.values))], BOARD).dice) == 2


def test_what_is_much_larger_than_a_certain_die_is_none() -> None:
    checker = seen(at=LEFT, width=60.0, die=0.95)
    assert len(reading_of([seen(), checker], BOARD).dice) == 1
    assert len(reading_of([seen(), replace(checker, spot=Spot(*LEFT, 36.0, 0.9))], BOARD).dice) == 2


@pytest.mark.parametrize("board", [BOARD, MEASURED], ids=["lens unknown", "lens known"])
@pytest.mark.parametrize(("die", "rest"), [(0.95, None), (0.995, "leaning")])
def test_what_shows_no_number_and_is_not_surely_a_die_makes_nothing_cocked(
    board: Board, die: float, rest: str | None
) -> None:
    one = seen(die=die, leaning=0.99, tilt_deg=40.0, readable=0.1)
    assert reading_of([one], board).dice[0].rest == rest


@pytest.mark.parametrize(
    ("one", "rest", "sure"),
    [
        (seen(leaning=0.98, tilt_deg=30.0), "leaning", None),
        (seen(supports=(0.01, 0.99, 0.0, 0.0)), "on_checker", None),
        (seen(at=BAR, supports=(0.0, 0.0, 0.0, 1.0)), "on_bar", None),
        (seen(at=OUT), "off_board", None),
        (seen(at=FAR_OUT), "off_board", "off_board"),
        (seen(), "flat", "flat"),
    ],
    ids=["leaning", "on a checker", "on the bar", "beside the board", "far beside the board", "flat"],
)
def test_on_an_unfamiliar_board_no_support_is_sure(one: Seen, rest: str, sure: str | None) -> None:
    unfamiliar = replace(MEASURED, unfamiliar=True)
    assert reading_of([one], MEASURED).dice[0].rest == rest
    assert reading_of([one], unfamiliar).dice[0].rest == sure
    assert unfamiliar.for_picture((500, 400)).unfamiliar


@pytest.mark.parametrize(
    ("other", "unfamiliar", "doubt"),
    [
        (seen(at=LEFT, flat=True), True, False),
        (seen(at=LEFT, flat=False), True, True),
        (seen(at=FAR_OUT), True, False),
        (seen(at=LEFT, leaning=0.45), False, False),
    ],
    ids=["both lie flat", "one may be no die", "one off the board", "a familiar board"],
)
def test_what_may_be_no_die_on_an_unfamiliar_board_splits_no_throw(
    other: Seen, unfamiliar: bool, doubt: bool
) -> None:
    reading = reading_of([seen(flat=True), other], replace(BOARD, unfamiliar=unfamiliar))
    assert len(reading.dice) == 2
    assert reading.doubt is doubt


def test_a_leaning_die_found_by_two_of_its_faces_is_one_die() -> None:
    pair = [seen(leaning=0.98), seen(at=LEFT)]
    assert len(reading_of([*pair, seen(at=(RIGHT[0] + 20.0, RIGHT[1]), leaning=0.98)], BOARD).dice) == 2
    assert len(reading_of([*pair, seen(at=(RIGHT[0] + 32.0, RIGHT[1]), leaning=0.98)], BOARD).dice) == 3


@pytest.mark.parametrize(
    ("at", "half"), [(RIGHT, "right"), (LEFT, "left"), (BAR, None), (OUT, None)], ids=str
)
def test_halves_are_as_the_picture_shows_them(at: tuple[float, float], half: str | None) -> None:
    assert reading_of([seen(at=at)], BOARD).dice[0].half == half


def test_what_may_be_a_die_on_the_surface_is_a_doubt() -> None:
    pair = [seen(), seen(at=(850.0, 300.0), die=0.95)]
    assert reading_of([*pair, seen(at=LEFT, die=0.7)], BOARD).doubt
    assert not reading_of([*pair, seen(at=OUT, die=0.97)], BOARD).doubt
    assert not reading_of([*pair, seen(at=LEFT, die=0.05)], BOARD).doubt


def test_beside_two_plain_dice_a_third_must_be_one() -> None:
    pair = [seen(), seen(at=(850.0, 300.0))]
    blank = (0.2, 0.2, 0.2, 0.2, 0.1, 0.1)
    assert len(reading_of([*pair, seen(at=LEFT, die=0.9, values=blank)], BOARD).dice) == 2
    assert len(reading_of([*pair, seen(at=LEFT, die=0.9)], BOARD).dice) == 3
    assert len(reading_of([*pair, seen(at=LEFT, die=0.995, values=blank)], BOARD).dice) == 3
    assert len(reading_of([*pair, seen(at=LEFT, die=0.95, width=18.0)], BOARD).dice) == 2
    assert not reading_of([*pair, seen(at=LEFT, die=0.7)], BOARD).doubt
    assert len(reading_of([pair[0], seen(at=LEFT, die=0.9, values=blank)], BOARD).dice) == 2


@pytest.mark.parametrize(
    ("hints", "rest"),
    [
        ({}, "flat"),
        ({"tilt_deg": 7.5}, "flat"),
        ({"leaning": 0.12}, "flat"),
        ({"supports": (0.95, 0.05, 0.0, 0.0)}, "flat"),
        ({"tilt_deg": 6.9, "leaning": 0.1}, None),
        ({"tilt_deg": 7.5, "supports": (0.95, 0.05, 0.0, 0.0)}, None),
        ({"leaning": 0.12, "supports": (0.942, 0.058, 0.0, 0.0)}, None),
    ],
)
def test_small_hints_count_together_where_the_lens_is_not_known(
    hints: dict[str, object], rest: str | None
) -> None:
    assert reading_of([seen(**hints), seen(at=LEFT)], BOARD).dice[1].rest == rest
    assert reading_of([seen(**hints), seen(at=LEFT)], MEASURED).dice[1].rest == "flat"


@pytest.mark.parametrize(("width", "doubt"), [(29.0, False), (36.0, False), (41.0, True), (53.0, True)])
def test_two_that_differ_in_size_are_not_two_dice(width: float, doubt: bool) -> None:
    beside = seen(at=(800.0, 200.0), width=width)
    assert reading_of([seen(), beside], BOARD).doubt is doubt
    assert reading_of([seen(at=OUT), seen(), beside], BOARD).doubt is doubt, (
        "what lies outside is none of them"
    )


@pytest.mark.parametrize("board", [BOARD, MEASURED], ids=["lens not known", "lens known"])
def test_the_middle_of_a_checker_is_no_die(board: Board) -> None:
    pair = [seen(), seen(at=(850.0, 300.0))]
    glint = seen(at=LEFT, width=60.0)  # 30 mm
    assert reading_of([*pair, glint], board) == reading_of(pair, board)
    assert not reading_of([glint], board).dice


def test_large_dice_of_a_travel_board_are_two() -> None:
    pair = [seen(width=60.0), seen(at=(850.0, 250.0), width=58.0)]
    assert [die.value for die in reading_of(pair, BOARD).dice] == [6, 6]


@pytest.mark.parametrize("board", [BOARD, MEASURED])
def test_a_gap_between_checkers_is_no_die(board: Board) -> None:
    """Narrower than any die: alone or two of them, beside dice or where none lie."""
    untold = (0.0, 0.0, 0.0, 0.0, 0.5, 0.2)
    gaps = [seen(at=at, width=12.0, values=untold) for at in ((850.0, 700.0), (700.0, 700.0))]
    maybe = seen(at=(600.0, 700.0), width=12.0, values=untold, die=0.7)
    for some in (gaps[:1], gaps, [*gaps, maybe]):
        reading = reading_of(some, board)
        assert (reading.dice, reading.doubt) == ((), False)
        assert len(reading_of([*some, seen(), seen(at=LEFT)], board).dice) == 2


def test_small_dice_that_show_their_numbers_are_two() -> None:
    small = [seen(at=at, width=12.0) for at in (RIGHT, (850.0, 300.0))]
    assert [die.value for die in reading_of(small, BOARD).dice] == [6, 6]
    assert reading_of(small[:1], BOARD).dice == ()


def test_a_pair_that_lies_ready_beside_the_board_is_not_counted() -> None:
    pair = [seen(), seen(at=(850.0, 300.0))]
    ready = [seen(at=OUT), seen(at=(800.0, 870.0))]
    assert len(reading_of([*pair, *ready], BOARD).dice) == 2
    assert len(reading_of([seen(), ready[0]], BOARD).dice) == 2
    assert len(reading_of([*pair, seen(at=LEFT)], BOARD).dice) == 3


def test_pips_within_a_die_are_no_dice() -> None:
    pip = seen(at=(756.0, 394.0), width=9.0, die=0.8)
    assert [s.spot.width for s in without_nested([pip, seen()])] == [29.0]


def test_a_die_on_a_die_is_a_second_one() -> None:
    assert len(without_nested([seen(), seen(at=(764.0, 404.0))])) == 2
    assert len(without_nested([seen(), seen(at=(757.0, 402.0))])) == 1


def test_without_a_board_dice_are_read_but_have_no_place() -> None:
    reading = reading_of([seen()], None)
    assert not reading.board_found
    assert (reading.dice[0].value, reading.dice[0].half, reading.dice[0].centre_mm) == (6, None, None)


def test_a_die_at_a_wall_must_be_plainly_flat() -> None:
    at_rim = (750.0, 788.0)
    assert reading_of([seen(leaning=0.28)], MEASURED).dice[0].rest == "flat"
    assert reading_of([seen(at=at_rim, leaning=0.28)], BOARD).dice[0].rest is None
    assert reading_of([seen(at=at_rim, leaning=0.001)], BOARD).dice[0].rest == "flat"


def test_a_die_alone_on_a_die_hides_the_other() -> None:
    upper = seen(supports=(0.5, 0.0, 0.5, 0.0))
    dice = reading_of([upper], BOARD).dice
    assert {(die.rest, die.value) for die in dice} == {("on_die", 6), (None, None)}
    assert {die.half for die in dice} == {"right"}
    assert len(reading_of([upper, seen(at=(764.0, 404.0))], BOARD).dice) == 2


@pytest.mark.parametrize(
    ("on_die", "board", "is_one"), [(0.12, MEASURED, False), (0.2, BOARD, True), (0.3, BOARD, False)]
)
def test_without_the_lens_a_die_alone_must_lie_more_plainly_on_another(
    on_die: float, board: Board, is_one: bool
) -> None:
    dice = reading_of([seen(supports=(1 - on_die, 0.0, on_die, 0.0))], board).dice
    assert len(dice) == (1 if is_one else 2)


def test_of_two_dice_on_each_other_the_one_that_leans_more_lies_above() -> None:
    on_die = {"supports": (0.0, 0.0, 1.0, 0.0), "leaning": 0.9}
    both = [seen(tilt_deg=11.0, **on_die), seen(at=(780.0, 400.0), tilt_deg=28.0, **on_die)]
    assert [(die.rest, die.tilt_deg) for die in reading_of(both, MEASURED).dice] == [
        (None, None), ("on_die", 28.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("leaning", "measured", "said"), [(0.01, 8.4, 4.0), (0.99, 2.1, 6.0), (0.99, 23.6, 24.0)], ids=str
)
def test_the_tilt_is_said_on_the_side_that_was_judged(leaning: float, measured: float, said: float) -> None:
    die = reading_of([seen(leaning=leaning, tilt_deg=measured)], MEASURED).dice[0]
    assert die.tilt_deg == said


def test_without_a_board_dice_are_of_one_size() -> None:
    pair = [seen(), seen(at=(850.0, 300.0), width=24.0)]
    pip = seen(at=(100.0, 100.0), width=9.0)
    both_in_one = seen(at=(800.0, 350.0), width=70.0)
    reading = reading_of([*pair, pip, both_in_one], None)
    assert [d.box_px[2] - d.box_px[0] for d in reading.dice] == [29.0, 24.0]
    assert not reading.doubt


def test_without_a_board_something_like_a_die_is_a_doubt() -> None:
    reading = reading_of([seen(), seen(at=(850.0, 300.0), die=0.9)], None)
    assert [die.value for die in reading.dice] == [6, None]
    assert reading.doubt


@pytest.mark.parametrize(
    ("ups", "values"),
    [
        ([(0.1, -0.4), (0.0, -0.1)], [6, 6]),
        ([(0.1, -0.4), (-0.3, 0.45)], [None, None]),
        ([(0.0, 0.6), (0.0, 0.55)], [None, None]),
        ([(0.0, 0.6)], [None]),
        ([(0.6, 0.0)], [6]),
        ([(0.0, -0.1), (-0.3, -0.1), (0.5, -0.1)], [6, None, None]),
    ],
    ids=[
        "upright",
        "one camera cannot see both",
        "fronts",
        "a front alone",
        "from the side",
        "two of three apart",
    ],
)
def test_a_front_is_not_read_for_an_upper_face(
    ups: list[tuple[float, float]], values: list[int | None]
) -> None:
    reading = reading_of([seen(at=(100.0 * k, 100.0), own_up=up) for k, up in enumerate(ups)], None)
    assert [die.value for die in reading.dice] == values


@pytest.mark.parametrize(
    ("below", "own_up", "dice"),
    [(26.0, (0.1, 0.6), 1), (26.0, (0.1, -0.4), 2), (31.0, (0.1, 0.6), 2)],
    ids=["its own front", "a die behind another", "too far away"],
)
def test_the_front_of_a_die_is_no_other_die(below: float, own_up: tuple[float, float], dice: int) -> None:
    """The second face lies in the picture below an upper one that is 29 pixels wide."""
    faces = [seen(at=(100.0, 100.0), own_up=(0.0, -0.4)), seen(at=(100.0, 100.0 + below), own_up=own_up)]
    assert len(reading_of(faces, None).dice) == dice


def test_an_open_number_has_the_chances_of_all_six() -> None:
    look = seen(values=(0.0, 0.1, 0.0, 0.0, 0.3, 0.1))
    (die,) = reading_of([look], BOARD).dice
    assert die.value is None
    assert die.chances == pytest.approx((0.0, 0.2, 0.0, 0.0, 0.6, 0.2))
    assert "chances" not in die.to_json()
    (unknown,) = reading_of([seen(values=(0.0,) * 6)], BOARD).dice
    assert (unknown.value, unknown.chances) == (None, ())
