"""Reports of everything the watcher saw: a throw with its picture, a lifting, a bump, faulty pictures."""

import cv2
import numpy as np
import pytest

from companion.camera.eye import CameraReport, Saw, lost
from companion.camera.reports import FAULT_TEXTS, reports_of
from vision.board.calibration import Board
from vision.dice.reading import DiceReading, DieReading
from vision.frame import Frame
from vision.watch.blank import Fault
from vision.watch.watcher import BoardMoved, LiftedSeen, ThrowSeen

FRAME = Frame(np.full((480, 640, 3), 90, np.uint8), 0.0, 0)
BOARD = Board((640, 480), ((140, 130), (500, 130), (500, 350), (140, 350)), (560, 420), 40)
SIX = DieReading(6, 1.0, (400, 200, 420, 220), (410, 210), (90, 30), 0.0, "flat", "right")
THROW = ThrowSeen(DiceReading((SIX,), False, True), FRAME)


def size_of(jpeg: bytes | None) -> tuple[int, int]:
    """Width and height of a picture that is kept."""
    picture = cv2.imdecode(np.frombuffer(jpeg or b"", np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return picture.shape[1], picture.shape[0]


def test_throw_is_reported_with_a_picture_that_its_boxes_fit() -> None:
    (saw,) = reports_of([THROW], BOARD, whole=False)
    assert isinstance(saw, Saw)
    assert isinstance(saw.seeing, ThrowSeen)
    wide, high = size_of(saw.jpeg)
    assert (wide, high) == saw.seeing.frame.size_px
    assert wide < 640
    x0, y0, x1, y1 = saw.seeing.reading.dice[0].box_px
    assert (x1 - x0, y1 - y0) == (20, 20)
    assert 0 <= x0 < x1 <= wide
    assert 0 <= y0 < y1 <= high


def test_whole_picture_is_kept_where_it_is_wanted() -> None:
    (saw,) = reports_of([THROW], BOARD, whole=True)
    assert isinstance(saw, Saw)
    assert saw.seeing is THROW
    assert size_of(saw.jpeg) == (640, 480)


def test_picture_of_which_nothing_may_be_kept_is_not() -> None:
    nothing = ThrowSeen(DiceReading((), True, False), FRAME)
    (saw,) = reports_of([nothing], None, whole=False)
    assert isinstance(saw, Saw)
    assert (saw.seeing, saw.jpeg) == (nothing, None)


def test_reports_keep_the_order_of_the_seeings() -> None:
    lifted = LiftedSeen(FRAME)
    reports = reports_of([lifted, THROW], BOARD, whole=True)
    assert [one.seeing for one in reports if isinstance(one, Saw)] == [lifted, THROW]
    assert isinstance(reports[0], Saw)
    assert reports[0].jpeg is None


@pytest.mark.parametrize(("board", "state"), [(None, "lost"), (BOARD, "live")])
def test_bump_is_a_loss_until_the_board_is_found(board: Board | None, state: str) -> None:
    (said,) = reports_of([BoardMoved(FRAME, board)], BOARD, whole=False)
    assert isinstance(said, CameraReport)
    assert said.state == state


@pytest.mark.parametrize("fault", Fault)
def test_every_fault_of_pictures_has_a_sentence(fault: Fault) -> None:
    said = lost(FAULT_TEXTS[fault])
    assert said.state == "lost"
    assert str(said.text).endswith("Enter rolls by hand meanwhile.")
