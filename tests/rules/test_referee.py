"""What a throw is worth, row by row."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.board import Roll, Side
from companion.rules.referee import (
    Cocked,
    DieAtRest,
    Half,
    Reason,
    Rest,
    RollArea,
    RollingRules,
    ThrowKind,
    Unread,
    Valid,
    right_half,
    rule,
)

MODERN = RollingRules()
ANYWHERE = RollingRules(area=RollArea.WHOLE_SURFACE, opening_area=RollArea.HOME_HALF)
R, L = Half.RIGHT, Half.LEFT


def die(face=6, rest=Rest.FLAT, half=R, tilt_deg=0.0):
    return DieAtRest(face, rest, half, tilt_deg)


GOOD = die(4)


@pytest.mark.parametrize(
    ("other", "reasons"),
    [
        pytest.param(die(rest=Rest.LEANING), {"leaning"}, id="leaning"),
        pytest.param(die(tilt_deg=5.1), {"leaning"}, id="tilted more than five degrees"),
        pytest.param(die(rest=Rest.ON_CHECKER), {"on_checker"}, id="on a checker"),
        pytest.param(die(rest=Rest.ON_CHECKER, tilt_deg=9.0), {"leaning"}, id="tilted on a checker"),
        pytest.param(die(rest=Rest.ON_DIE), {"on_die"}, id="on the other die"),
        pytest.param(
            die(rest=Rest.ON_DIE, tilt_deg=20.0), {"on_die", "leaning"}, id="tilted on the other die"
        ),
        pytest.param(die(rest=Rest.ON_BAR, half=None), {"on_bar"}, id="on the bar"),
        pytest.param(die(rest=Rest.ON_RIM), {"on_rim"}, id="on the rim"),
        pytest.param(die(rest=Rest.ON_RIM, half=None), {"on_rim", "off_board"}, id="outside, on the rim"),
        pytest.param(die(rest=Rest.OFF_BOARD, half=None), {"off_board"}, id="off the board"),
        pytest.param(die(half=L), {"split_halves"}, id="split halves"),
        pytest.param(
            die(rest=Rest.LEANING, half=L), {"split_halves", "leaning"}, id="leaning in the other half"
        ),
        pytest.param(die(None, rest=Rest.LEANING), {"leaning"}, id="leaning, its value unread"),
        pytest.param(die(rest=None, tilt_deg=30.0), {"leaning"}, id="tilted, its place unread"),
    ],
)
def test_a_pair_with_something_against_it_is_cocked(other, reasons):
    for pair in itertools.permutations((GOOD, other)):
        ruling = rule(pair, MODERN, roller=Side.SOUTH)
        assert isinstance(ruling, Cocked)
        assert {reason.value for reason in ruling.reasons} == reasons


@pytest.mark.parametrize(
    ("dice", "reasons"),
    [
        pytest.param((), {"no_dice"}, id="no dice"),
        pytest.param((GOOD,), {"one_die"}, id="one die"),
        pytest.param((die(rest=Rest.LEANING),), {"one_die", "leaning"}, id="one leaning die"),
        pytest.param((GOOD, GOOD, GOOD), {"more_than_two"}, id="three dice"),
        pytest.param((GOOD, die(None)), {"doubt"}, id="a value unread"),
        pytest.param((GOOD, die(rest=None)), {"doubt"}, id="a place unread"),
        pytest.param((GOOD, die(half=None)), {"doubt"}, id="a half unread"),
    ],
)
def test_what_does_not_settle_the_matter_is_unread(dice, reasons):
    ruling = rule(dice, MODERN, roller=Side.SOUTH)
    assert isinstance(ruling, Unread)
    assert {reason.value for reason in ruling.reasons} == reasons


def test_the_readers_doubt_is_never_overruled():
    assert rule((GOOD, GOOD), MODERN, doubt=True) == Unread((Reason.DOUBT,))
    assert rule((GOOD, die(rest=Rest.LEANING)), MODERN, doubt=True) == Unread((Reason.LEANING, Reason.DOUBT))


def test_dice_on_a_table_without_a_board_are_unread():
    dice = (die(half=None), die(half=None))
    assert rule(dice, MODERN, board_found=False) == Unread((Reason.NO_BOARD,))


@pytest.mark.parametrize(
    ("roller", "half", "verdict"),
    [
        (Side.SOUTH, R, Valid(Roll(6, 4))),
        (Side.NORTH, L, Valid(Roll(6, 4))),
        (Side.SOUTH, L, Cocked((Reason.WRONG_HALF,))),
        (Side.NORTH, R, Cocked((Reason.WRONG_HALF,))),
        (None, L, Valid(Roll(6, 4))),
        (None, R, Valid(Roll(6, 4))),
    ],
)
def test_both_dice_lie_in_the_rollers_right_half(roller, half, verdict):
    assert rule((die(4, half=half), die(6, half=half)), MODERN, roller=roller) == verdict


def test_where_the_whole_surface_counts_one_die_may_lie_in_each_half():
    dice = (die(4, half=L), die(6, half=R))
    assert rule(dice, ANYWHERE, roller=Side.SOUTH) == Valid(Roll(6, 4))
    assert rule((die(4, half=L), die(6, half=L)), ANYWHERE, roller=Side.SOUTH) == Valid(Roll(6, 4))


def test_where_dice_on_checkers_count_they_still_lie_in_a_half():
    rules = RollingRules(on_checker_counts=True)
    assert rule((die(4, Rest.ON_CHECKER), die(6)), rules, roller=Side.SOUTH) == Valid(Roll(6, 4))
    wrong = rule((die(4, Rest.ON_CHECKER, L), die(6)), rules, roller=Side.SOUTH)
    assert wrong == Cocked((Reason.SPLIT_HALVES,))


def test_an_opening_throw_is_one_die_in_each_right_half():
    assert rule((die(2, half=L), die(5, half=R)), MODERN, kind=ThrowKind.OPENING) == Valid(Roll(5, 2), 5, 2)
    same = rule((die(2), die(5)), MODERN, kind=ThrowKind.OPENING)
    assert same == Cocked((Reason.WRONG_HALF,))


def test_an_opening_thrown_into_the_home_boards_does_not_say_whose_die_is_which():
    pair = (die(2), die(5))
    assert rule(pair, ANYWHERE, kind=ThrowKind.OPENING, home=R) == Valid(Roll(5, 2))
    assert rule(pair, ANYWHERE, kind=ThrowKind.OPENING, home=L) == Cocked((Reason.WRONG_HALF,))


DICE = st.builds(
    DieAtRest,
    st.sampled_from([None, 1, 2, 3, 4, 5, 6]),
    st.sampled_from([None, *Rest]),
    st.sampled_from([None, *Half]),
    st.sampled_from([None, 0.0, 4.9, 5.1, 40.0]),
)


@settings(deadline=None, max_examples=300)
@given(
    st.lists(DICE, max_size=3),
    st.sampled_from([None, *Side]),
    st.sampled_from(list(ThrowKind)),
    st.booleans(),
    st.booleans(),
)
def test_only_two_known_flat_dice_in_their_place_are_ever_valid(dice, roller, kind, doubt, board_found):
    ruling = rule(dice, MODERN, roller=roller, kind=kind, doubt=doubt, board_found=board_found)
    if isinstance(ruling, Valid):
        assert not doubt
        assert board_found
        one, other = dice
        assert {one.rest, other.rest} == {Rest.FLAT}
        assert all(d.tilt_deg is None or d.tilt_deg <= 5 for d in dice)
        assert ruling.roll == Roll.of(one.face, other.face)
        if kind is ThrowKind.TURN:
            assert one.half is other.half
            assert roller is None or one.half is right_half(roller)
    else:
        assert ruling.reasons
    assert (
        rule(list(reversed(dice)), MODERN, roller=roller, kind=kind, doubt=doubt, board_found=board_found)
        == ruling
    )
