"""The camera, from what the dice show of their sides."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.board.calibration import USUAL_CAMERA, Board, Pinhole
from vision.board.findboard import board_from_corners
from vision.dice.faces import Look, Seen
from vision.dice.finder import Spot
from vision.dice.flat.camera import KEPT, TOLD, UNKNOWN, CameraEstimate, camera_of, with_camera, with_lens

BOARD = Board((1280, 720), ((190, 60), (1090, 60), (1090, 660), (190, 660)), (530, 400), 30)
STRANGE = replace(BOARD, unfamiliar=True)
PLACES = ((260.0, 120.0), (1000.0, 580.0), (420.0, 600.0))
ELSEWHERE = np.array([(230.0, 620.0), (640.0, 360.0), (1050.0, 100.0)])
CAMERAS = st.builds(
    Pinhole,
    st.floats(0.6, 2.0),
    stretch=st.just(0.0),
    right=st.floats(-0.12, 0.12),
    down=st.floats(-0.12, 0.12),
)


def seen(camera: Pinhole | float, places=PLACES, die=0.99, lean=(0.0, 0.0)) -> list[Seen]:
    """Dice that lie flat under this camera, or one of this focal length, the first leaning by `lean`."""
    ups = replace(BOARD, camera=Pinhole(camera) if isinstance(camera, float) else camera).up(np.array(places))
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
    ups = board.up(np.array([(one.spot.x, one.spot.y) for one in dice]))
    return [
        replace(
            one,
            look=replace(
                one.look, own_up=tuple(((1 - TOLD) * np.array(one.look.own_up) + TOLD * up).tolist())
            ),
        )
        for one, up in zip(dice, ups, strict=True)
    ]


def off_by(board: Board, camera: Pinhole) -> float:
    """How far up is off where no die lies, the mean, on a board as seen by this camera."""
    true = replace(BOARD, camera=camera).up(ELSEWHERE)
    return float(np.hypot(*(board.up(ELSEWHERE) - true).T).mean())


def away(board: Board, one: Seen, dice: list[Seen]) -> float:
    return camera_of(board, [one], dice)[1][0]


@given(st.floats(0.5, 2.0))
def test_flat_dice_tell_the_focal_length(focal):
    found = with_camera(BOARD, seen(focal))
    assert found.focal_widths == pytest.approx(focal, rel=0.25)
    assert found.camera[1:] == (0.0, 0.0, 0.0)


@given(st.floats(0.6, 2.0))
def test_what_the_net_was_told_is_taken_off_on_a_board_of_an_unknown_make(focal):
    dice = told(seen(focal), STRANGE)
    assert with_camera(STRANGE, dice).focal_widths == pytest.approx(focal, rel=0.2)


@given(focal=st.floats(1.5, 2.5), now=st.floats(0.7, 2.5))
def test_whatever_focal_length_the_net_was_told_the_dice_say_the_same(focal, now):
    board = replace(STRANGE, camera=Pinhole(now))
    found = with_camera(board, told(seen(focal), board)).focal_widths
    assert found == pytest.approx(with_camera(STRANGE, told(seen(focal), STRANGE)).focal_widths)


def test_a_camera_far_away_is_told_from_a_usual_one():
    assert with_camera(BOARD, seen(4.0)).focal_widths > 2.0


def test_a_leaning_die_does_not_decide_for_the_others():
    found = with_camera(BOARD, seen(0.8, lean=(-0.25, -0.2)))
    assert found.focal_widths == pytest.approx(0.8, rel=0.15)


@pytest.mark.parametrize("places", [PLACES, PLACES[:2]], ids=["three", "two"])
@given(focal=st.floats(0.7, 2.0))
def test_a_flat_die_is_where_the_others_say(places, focal):
    dice = seen(focal, places)
    assert away(BOARD, dice[0], dice) < 0.1


def test_a_die_that_bends_the_focal_length_is_away_from_where_the_others_say():
    """The first leans so that a camera far away would see it flat; the other is near the middle and tells little."""
    places = (PLACES[0], (560.0, 300.0))
    dice = [seen(3.0, places)[0], seen(0.85, places)[1]]
    assert with_camera(BOARD, dice).focal_widths > 1.5
    assert away(BOARD, dice[0], dice) > 0.15
    assert away(BOARD, dice[1], dice) < 0.1


def test_a_die_that_is_not_plain_is_compared_with_all_others():
    faint = seen(0.8, lean=(0.3, 0.0), die=0.6)[0]
    others = seen(0.8)[1:]
    assert away(BOARD, faint, [faint, *others]) == pytest.approx(0.3, abs=0.05)


def test_with_a_lens_a_die_is_compared_with_the_board():
    lensed = with_lens(BOARD, Pinhole(1.3))
    dice = seen(1.3, lean=(0.2, 0.0))
    found, far = camera_of(lensed, dice, dice)
    assert found is lensed
    assert far == pytest.approx([0.2, 0.0, 0.0], abs=1e-6)


def test_dice_under_the_camera_tell_nothing():
    found = with_camera(BOARD, seen(3.0, places=((640.0, 360.0), (641.0, 361.0))))
    assert found.focal_widths == pytest.approx(0.85, rel=0.1)


def test_what_is_hardly_a_die_is_not_asked():
    assert with_camera(BOARD, seen(3.0, die=0.6)) == BOARD
    assert with_camera(BOARD, []).camera == USUAL_CAMERA


def test_a_longer_lens_sees_fewer_sides():
    near, far = (np.hypot(*replace(BOARD, camera=Pinhole(f)).up(np.array(PLACES)).T) for f in (0.6, 2.4))
    assert np.all(far < near / 3)
    half = BOARD.for_picture((640, 360))
    assert replace(BOARD, camera=Pinhole(2.4)).for_picture((640, 360)).camera == Pinhole(2.4)
    assert half.camera == BOARD.camera


def after(throws: list[list[Seen]], board: Board = BOARD) -> CameraEstimate:
    """What is known of the camera after these throws."""
    known = UNKNOWN
    for throw in throws:
        known = known.with_dice(board, throw)
    return known


@settings(deadline=None, max_examples=20)
@given(st.floats(0.5, 2.0))
def test_some_throws_tell_the_focal_length_well(focal):
    assert not after([seen(focal, PLACES[:2])]).is_known
    known = after([seen(focal, PLACES[:2])] * 12)
    assert known.is_known
    assert known.camera.focal == pytest.approx(focal, rel=0.05)


@settings(deadline=None, max_examples=20)
@given(CAMERAS)
def test_the_throws_of_a_game_say_where_the_axis_of_a_camera_is(camera):
    """What the net is told with that camera is taken off, too, so that it stays where it is."""
    known = UNKNOWN
    for _ in range(12):
        board = known.as_read(STRANGE)
        assert (board.distortion is not None) == known.is_known
        known = known.with_dice(STRANGE, told(seen(camera), board))
    assert known.is_known
    assert off_by(known.as_read(STRANGE), camera) < 0.04
    assert known.camera.focal == pytest.approx(camera.focal, rel=0.2)


def test_on_a_familiar_board_they_say_the_focal_length_alone():
    camera = after([seen(Pinhole(0.9, right=0.05))] * 6).camera
    assert camera[1:] == (0.0, 0.0, 0.0)
    assert camera.focal == pytest.approx(0.9, rel=0.2)


def test_the_shape_of_a_board_helps_to_tell_a_stretched_picture():
    """Of the same dice under the camera, which tell nothing."""
    below = [replace(one, spot=Spot(640.0, 360.0, 22.0, 0.9)) for one in seen(0.8)]
    dice = [replace(one, look=replace(one.look, own_up=(0.0, 0.0))) for one in below]
    high = replace(STRANGE, corners_px=((340, 60), (940, 60), (940, 660), (340, 660)), surface_mm=(400, 400))
    assert after([dice], high).camera.stretch < -0.05
    assert abs(after([dice], STRANGE).camera.stretch) < 0.05


def test_the_shape_of_a_board_seen_over_a_corner_tells_the_focal_length():
    """Only by one its sides are square to each other. The dice, under the camera, tell nothing."""
    tilt, spin = np.radians(35), np.radians(45)
    turn = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    c, s = np.cos(spin), np.sin(spin)
    corners = np.array([(-265, 207), (265, 207), (265, -207), (-265, -207)]) @ np.array([[c, s], [-s, c]])
    for focal in (0.7, 1.6):
        space = np.c_[corners * (1, -1), np.zeros(4)] @ turn.T + (0, 0, 1300.0 * focal)
        px = space[:, :2] / space[:, 2:] * focal * 1280 + (640, 360)
        board = board_from_corners((1280, 720), px.tolist())
        assert board.unfamiliar
        plain = seen(0.8)[:1]
        leaning = [replace(one, look=replace(one.look, own_up=(3.0, 3.0))) for one in plain]
        assert after([leaning], board).camera.focal == pytest.approx(focal, rel=0.3)


def test_what_is_kept_of_a_long_game_is_bounded():
    known = UNKNOWN
    for _ in range(50):
        known = known.with_dice(BOARD, seen(0.9))
    assert len(known.shown) == KEPT


def test_throws_with_a_leaning_die_hardly_bend_it():
    throws = [seen(0.8, PLACES[:2])] * 9 + [seen(0.8, PLACES[:2], lean=(-0.25, -0.2))] * 2
    assert after(throws).camera.focal == pytest.approx(0.8, rel=0.06)


def test_throws_under_the_camera_leave_it_unknown():
    known = after([seen(3.0, places=((640.0, 360.0), (641.0, 361.0)))] * 40)
    assert not known.is_known
    assert known.camera.focal == pytest.approx(0.85, rel=0.1)


def test_a_lens_of_the_camera_sees_as_the_board_does():
    camera = Pinhole(1.3, 0.05, -0.1, 0.04)
    lensed = with_lens(BOARD, camera)
    assert lensed.up(np.array(PLACES)) == pytest.approx(replace(BOARD, camera=camera).up(np.array(PLACES)))
    assert with_camera(lensed, seen(3.0)) is lensed
    assert lensed.trusts_lens
    assert not BOARD.trusts_lens
    assert not replace(lensed, doubted=True).trusts_lens
