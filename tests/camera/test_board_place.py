"""The board's place as the page tells it: used by the eye at once, and known after the next start."""

import json
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.camera.board_place import BoardPlace, UnplacedError, board_place_of
from companion.camera.eye import Eye
from companion.camera.live import follow
from companion.camera.recorded import THROWS, recorded_throws
from companion.settings import CameraSettings
from companion.storage.folder import BOARD_FILE
from sentence import NOTHING, verbatim
from vision.board.calibration import load_board
from vision.board.findboard import board_from_corners
from vision.capture.picture import load_picture
from vision.frame import Frame

THROW = recorded_throws(THROWS)[0]
PICTURE = sorted(THROW.folder.glob("*.jpg"))[0]
GREY = Frame(np.full((720, 1280, 3), 90, np.uint8), 0.0, 0)
GREY.bgr[:, :640] += 20  # grey alone would be no picture
CORNERS = ((220.0, 80.0), (1060.0, 80.0), (1080.0, 700.0), (200.0, 700.0))


@pytest.fixture
def seen() -> Frame:
    return Frame(load_picture(str(PICTURE)), 0.0, 0)


def test_nothing_is_shown_or_placed_before_the_first_frame(tmp_path: Path) -> None:
    board_place = BoardPlace(file=tmp_path / "board.json")
    assert board_place.jpeg() is None
    assert board_place.corners() is None
    with pytest.raises(UnplacedError, match="no picture"):
        board_place.place(None)
    assert not (tmp_path / "board.json").exists()


def test_newest_frame_is_a_jpeg_of_its_size() -> None:
    board_place = BoardPlace()
    board_place.show(GREY, board_place.board)
    picture = cv2.imdecode(np.frombuffer(board_place.jpeg() or b"", np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (720, 1280, 3)


def test_corners_are_used_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    board_place = BoardPlace(file=file)
    board_place.show(GREY, board_place.board)
    assert board_place.place(CORNERS) == NOTHING
    assert board_place.corners() == CORNERS
    assert load_board(file).corners_px == CORNERS
    assert board_place.take_placed() is board_place.board
    assert board_place.take_placed() is None


def test_place_from_the_page_goes_before_the_one_that_comes_with_a_frame() -> None:
    board_place, before = BoardPlace(), board_from_corners((1280, 720), [(x + 9, y) for x, y in CORNERS])
    board_place.show(GREY, before)
    board_place.place(CORNERS)
    board_place.show(GREY, before)  # of a frame that was under way
    assert board_place.corners() == CORNERS
    placed = board_place.take_placed()
    assert placed is not None
    board_place.show(GREY, placed)
    assert board_place.corners() == CORNERS
    board_place.show(GREY, before)  # the board was bumped and found again
    assert board_place.corners() == before.corners_px


def test_frames_are_counted() -> None:
    board_place = BoardPlace()
    begun_s = board_place.seen_s
    for _ in range(3):
        board_place.show(GREY, None)
    assert board_place.frames == 3
    assert board_place.seen_s >= begun_s


def test_board_is_found_in_the_picture(tmp_path: Path, seen: Frame) -> None:
    board_place = BoardPlace(file=tmp_path / "board.json")
    board_place.show(seen, board_place.board)
    board_place.place(None)
    known = load_board(THROW.board).for_picture(seen.size_px).corners_px
    assert np.abs(np.subtract(board_place.corners(), known)).max() < 0.02 * seen.size_px[0]


def test_where_no_board_is_to_be_found_it_stays_where_it_was() -> None:
    board_place = BoardPlace()
    board_place.show(GREY, board_place.board)
    board_place.place(CORNERS)
    with pytest.raises(UnplacedError, match="No board was found"):
        board_place.place(None)
    assert board_place.corners() == CORNERS


@pytest.mark.parametrize(
    "corners",
    [CORNERS[::-1], ((0, 0), (1, 0), (1, 1), (0, 1)), ((5, 5),) * 4],
    ids=["wrong way round", "tiny", "one spot"],
)
def test_corners_of_no_board_are_refused_with_a_sentence(corners: tuple[tuple[float, float], ...]) -> None:
    board_place = BoardPlace()
    board_place.show(GREY, board_place.board)
    with pytest.raises(UnplacedError, match=r"\.$"):
        board_place.place(corners)
    assert board_place.board is None


def test_what_was_measured_of_the_board_is_kept_when_it_is_moved(seen: Frame) -> None:
    known = load_board(THROW.board)
    board_place = BoardPlace(known)
    board_place.show(seen, board_place.board)
    moved = [(x + 3, y + 2) for x, y in known.for_picture(seen.size_px).corners_px]
    board_place.place(moved)
    assert board_place.board is not None
    assert (board_place.board.surface_mm, board_place.board.bar_mm) == (known.surface_mm, known.bar_mm)


def test_a_file_that_cannot_be_written_is_said_and_the_board_used(tmp_path: Path) -> None:
    board_place = BoardPlace(file=tmp_path / "missing" / "board.json")
    board_place.show(GREY, board_place.board)
    assert "next start" in str(board_place.place(CORNERS))
    assert board_place.corners() == CORNERS


def test_recorded_throws_keep_their_own_board() -> None:
    board_place = BoardPlace()
    board_place.show(GREY, board_place.board)
    board_place.refuse(verbatim("Recorded throws come with a board of their own."))
    with pytest.raises(UnplacedError, match="of their own"):
        board_place.place(CORNERS)


def test_place_told_on_the_page_is_known_after_the_next_start(tmp_path: Path) -> None:
    first = board_place_of(CameraSettings(), None, tmp_path)
    assert first.recall() == NOTHING
    first.show(GREY, None)
    first.place(CORNERS)
    again = board_place_of(CameraSettings(), None, tmp_path)
    assert again.recall() == NOTHING
    assert again.board is not None
    assert again.board.corners_px == CORNERS
    (tmp_path / BOARD_FILE).write_text("{")
    broken = board_place_of(CameraSettings(), None, tmp_path)
    assert str(broken.recall()).endswith("Looking for the board in the picture.")
    assert broken.board is None


def test_settings_name_the_file_that_is_written(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(THROW.board.read_text())
    board_place = board_place_of(CameraSettings(board=str(file)), load_board(file), tmp_path)
    file.write_text("no board any more")
    assert board_place.recall() == NOTHING  # known already
    board_place.show(GREY, board_place.board)
    board_place.place(CORNERS)
    assert json.loads(file.read_text())["corners_px"] == [list(corner) for corner in CORNERS]
    assert not (tmp_path / BOARD_FILE).exists()


class Slides:
    """A live camera that shows one picture until the test lets it go on, then another."""

    live = True
    name = "slides"

    def __init__(self, *pictures: Frame) -> None:
        self._pictures = pictures
        self.go_on = threading.Event()
        self.closed = threading.Event()

    def frames(self):
        for picture in self._pictures:
            yield picture
            self.go_on.wait(20)
        self.closed.wait(20)

    def close(self) -> None:
        self.go_on.set()
        self.closed.set()


def test_the_eye_reads_with_the_new_place_from_the_next_frame_on(tmp_path: Path) -> None:
    from queue import SimpleQueue

    said: SimpleQueue[object] = SimpleQueue()
    slides = Slides(GREY, GREY)
    board_place = BoardPlace(file=tmp_path / "board.json")
    eye = Eye(follow(slides, None), said.put, board_place)
    eye.start()
    try:
        first = said.get(timeout=20)
        assert "place it in the menu" in str(first.text)  # type: ignore[attr-defined]
        assert not first.board_found  # type: ignore[attr-defined]
        board_place.place(CORNERS)
        slides.go_on.set()
        second = said.get(timeout=20)
        assert str(second.text) == "slides is watching."  # type: ignore[attr-defined]
        assert second.board_found  # type: ignore[attr-defined]
    finally:
        slides.close()
        eye.close()
