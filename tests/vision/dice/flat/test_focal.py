"""The camera's focal length, from what the dice show of their sides."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.board.calibration import USUAL_FOCAL, Board
from vision.dice.faces import Look, Seen
from vision.dice.finder import Spot
from vision.dice.flat.focal import UNFAMILIAR, USUAL, FocalEstimate, away_from_others, with_focal, with_lens

BOARD = Board((1280, 720), ((190, 60), (1090, 60), (1090, 660), (190, 660)), (530, 400), 30)
STRANGE = replace(BOARD, unfamiliar=True)
PLACES = ((260.0, 120.0), (1000.0, 580.0), (420.0, 600.0))


def seen(focal: float, places=PLACES, die=0.99, lean=(0.0, 0.0)) -> list[Seen]:
    """Dice that lie flat under a camera of this focal length, the first leaning by `lean`."""
    ups = replace(BOARD, focal=focal).up(np.array(places))
    ups[0] += lean
    values = (0.95, 0.01, 0.01, 0.01, 0.01, 0.01)
    return [
        Seen(
            Spot(x, y, 22.0, 0.9),
            Look(die, values, 0.0, (1.0, 0.0, 0.0, 0.0), 1.0, own_up=(float(u), float(v))),
        )
        for (x, y), (u, v) in zip(places, ups, strict=True)
    ]


def told(dice: list[Seen], board: Board) -> list[Seen]:
    """The same dice as the net sees them that is told the board's up, and takes over a part of it."""
    ups, part = board.up(np.array([(one.spot.x, one.spot.y) for one in dice])), UNFAMILIAR.told
    return [
        replace(
            one,
            look=replace(
                one.look,
                own_up=tuple(((1 - part) * np.array(one.look.own_up) + part * up).tolist()),
            ),
        )
        for one, up in zip(dice, ups, strict=True)
    ]


@given(st.floats(0.5, 2.0))
def test_flat_dice_tell_the_focal_length(focal):
    found = with_focal(BOARD, seen(focal))
    assert found.focal == pytest.approx(focal, rel=0.25)


@given(st.floats(0.6, 2.0))
def test_what_the_net_was_told_is_taken_off_on_a_board_of_an_unknown_make(focal):
    dice = told(seen(focal), STRANGE)
    assert with_focal(STRANGE, dice).focal == pytest.approx(focal, rel=0.2)


@given(focal=st.floats(1.5, 2.5), now=st.floats(0.7, 2.5))
def test_whatever_focal_length_the_net_was_told_the_dice_say_the_same(focal, now):
    board = replace(STRANGE, focal=now)
    found = with_focal(board, told(seen(focal), board)).focal
    assert found == pytest.approx(with_focal(STRANGE, told(seen(focal), STRANGE)).focal)


def test_a_camera_far_away_is_told_from_a_usual_one():
    assert with_focal(BOARD, seen(4.0)).focal > 2.0


def test_a_leaning_die_does_not_decide_for_the_others():
    found = with_focal(BOARD, seen(0.8, lean=(-0.25, -0.2)))
    assert found.focal == pytest.approx(0.8, rel=0.15)


@pytest.mark.parametrize("places", [PLACES, PLACES[:2]], ids=["three", "two"])
@given(focal=st.floats(0.7, 2.0))
def test_a_flat_die_is_where_the_others_say(places, focal):
    dice = seen(focal, places)
    assert away_from_others(BOARD, dice[0], dice) < 0.1


def test_a_die_that_bends_the_focal_length_is_away_from_where_the_others_say():
    """The first leans so that a camera far away would see it flat; the other is near the middle and tells little."""
    places = (PLACES[0], (560.0, 300.0))
    dice = [seen(3.0, places)[0], seen(0.85, places)[1]]
    assert with_focal(BOARD, dice).focal > 1.5
    assert away_from_others(BOARD, dice[0], dice) > 0.15
    assert away_from_others(BOARD, dice[1], dice) < 0.1


def test_dice_under_the_camera_tell_nothing():
    found = with_focal(BOARD, seen(3.0, places=((640.0, 360.0), (641.0, 361.0))))
    assert found.focal == pytest.approx(0.85, rel=0.1)


def test_what_is_hardly_a_die_is_not_asked():
    assert with_focal(BOARD, seen(3.0, die=0.6)) == BOARD
    assert with_focal(BOARD, []).focal == USUAL_FOCAL


def test_a_longer_lens_sees_fewer_sides():
    near, far = (np.hypot(*replace(BOARD, focal=f).up(np.array(PLACES)).T) for f in (0.6, 2.4))
    assert np.all(far < near / 3)
    half = BOARD.for_picture((640, 360))
    assert replace(BOARD, focal=2.4).for_picture((640, 360)).focal == 2.4
    assert half.focal == BOARD.focal


def after(throws: list[list[Seen]]) -> FocalEstimate:
    """What is known of the camera after these throws."""
    known = USUAL
    for throw in throws:
        known = known.with_dice(BOARD, throw)
    return known


@given(st.floats(0.5, 2.0))
def test_some_throws_tell_the_focal_length_well(focal):
    assert not after([seen(focal, PLACES[:2])]).is_known
    known = after([seen(focal, PLACES[:2])] * 12)
    assert known.is_known
    assert known.focal == pytest.approx(focal, rel=0.05)


def test_a_game_goes_on_with_the_lens_that_its_throws_have_said():
    """What the net is told with that lens is taken off, too, so that the length stays where it is."""
    known = USUAL
    for _ in range(60):
        board = known.as_read(STRANGE)
        assert (board.distortion is not None) == known.is_known
        known = known.with_dice(STRANGE, told(seen(1.6, PLACES[:2]), board))
    assert known.is_known
    assert known.focal == pytest.approx(1.6, rel=0.05)


def test_throws_with_a_leaning_die_hardly_bend_it():
    throws = [seen(0.8, PLACES[:2])] * 9 + [seen(0.8, PLACES[:2], lean=(-0.25, -0.2))] * 2
    assert after(throws).focal == pytest.approx(0.8, rel=0.06)


def test_throws_under_the_camera_leave_it_unknown():
    known = after([seen(3.0, places=((640.0, 360.0), (641.0, 361.0)))] * 40)
    assert not known.is_known
    assert known.focal == pytest.approx(0.85, rel=0.1)


def test_a_lens_of_the_focal_length_sees_as_the_board_does():
    lensed = with_lens(BOARD, 1.3)
    assert lensed.up(np.array(PLACES)) == pytest.approx(replace(BOARD, focal=1.3).up(np.array(PLACES)))
    assert with_focal(lensed, seen(3.0)) is lensed
    assert lensed.trusts_lens
    assert not BOARD.trusts_lens
    assert not replace(lensed, doubted=True).trusts_lens
