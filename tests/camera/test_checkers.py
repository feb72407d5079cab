"""Which pictures the checkers are read in."""

from dataclasses import replace

import numpy as np
import pytest

from companion.camera.board_place import BoardPlace
from companion.camera.checkers import AGAIN_S, CheckerEye, Wanted
from companion.camera.live import LiveFrames
from companion.camera.recorded import THROWS, recorded_throws
from companion.rules.board import Position
from tests.support.camera.stored_game import GAMES, PLACE, StoredGame
from vision.board.calibration import load_board
from vision.capture.camera import FolderCamera
from vision.frame import Frame

GAME = StoredGame(GAMES / "rendered_990001.json")
AT_START = 2  # a stored frame of the starting position
START = Position.start()


def frame(at_s: float) -> Frame:
    return Frame(np.full((48, 64, 3), AT_START, np.uint8), at_s, AT_START)


def see(eye: CheckerEye, at_s: float, quiet: bool = True, stirred: bool = False):
    return eye.see(frame(at_s), PLACE, quiet, stirred, False)


def test_board_at_rest_is_read_once_and_once_more_later() -> None:
    eye = CheckerEye(Wanted("dice and checkers"), GAME)
    times_s = (0.0, 0.2, AGAIN_S - 0.1, AGAIN_S + 0.1, AGAIN_S + 5)
    assert [[one.again for one in see(eye, at_s)] for at_s in times_s] == [[False], [], [], [True], []]
    assert see(eye, 20.0, quiet=False) == []
    assert [one.again for one in see(eye, 20.2)] == [False]
    assert [one.again for one in see(eye, 20.4, stirred=True)] == [False]


def test_board_at_rest_is_read_anew_after_people_have_changed_the_record() -> None:
    wanted = Wanted("dice and checkers")
    eye = CheckerEye(wanted, GAME)
    assert [len(see(eye, at_s)) for at_s in (0.0, AGAIN_S + 0.1, 10.0)] == [1, 1, 0]
    wanted.changes += 1
    assert see(eye, 10.2, quiet=False) == []
    times_s = (10.4, 10.6, 10.5 + AGAIN_S, 20.0)
    assert [[one.again for one in see(eye, at_s)] for at_s in times_s] == [[False], [], [True], []]


def test_board_at_rest_is_read_anew_where_it_is_known_at_another_place() -> None:
    eye = CheckerEye(Wanted("dice and checkers"), GAME)
    assert [len(see(eye, at_s)) for at_s in (0.0, AGAIN_S + 0.1, 10.0)] == [1, 1, 0]
    moved = replace(PLACE, bar_mm=PLACE.bar_mm + 1)
    assert len(eye.see(frame(10.2), moved, True, False, False)) == 1
    assert eye.see(frame(10.4), moved, True, False, False) == []


@pytest.mark.parametrize("reads", ["off", "dice"])
def test_checkers_are_not_read_unless_it_is_wanted(reads) -> None:
    assert see(CheckerEye(Wanted(reads), GAME), 0.0) == []


def test_starting_position_is_said_while_it_is_awaited() -> None:
    wanted = Wanted("dice and checkers", START)
    eye = CheckerEye(wanted, GAME)
    (seen,) = see(eye, 0.0)
    assert seen.start is not None
    assert seen.start.orientation.home == "right"
    wanted.start = None
    (seen,) = see(eye, 1.0, stirred=True)
    assert seen.start is None


def test_camera_that_is_off_reports_no_throw_and_goes_on_showing_its_picture() -> None:
    throw = recorded_throws(THROWS)[2]
    place, camera = BoardPlace(), FolderCamera(throw.folder, throw.fps)
    live = LiveFrames(place, camera, load_board(throw.board), wanted=Wanted("off"))
    said = [one for each in camera.frames() for one in live.see(each)]
    assert [str(one.text) for one in said] == [f"{camera.name} is connected; nothing is read from it."]
    assert place.frames > 1
