"""The board's place as the page tells it: used by the eye at once, and known after the next start."""

import json
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.camera.board_place import BOARD_FILE, Sight, UnplacedError, sight_of
from companion.camera.eye import Eye
from companion.camera.live import follow
from companion.camera.recorded import recorded_throws, throws_folder
from companion.settings import CameraSettings
from sentence import NOTHING, verbatim
from vision.board.calibration import load_board
from vision.board.findboard import board_from_corners
from vision.capture.picture import load_picture
from vision.frame import Frame

THROW = recorded_throws(throws_folder())[0]
PICTURE = sorted(THROW.folder.glob("*.jpg"))[0]
GREY = Frame(np.full((720, 1280, 3), 90, np.uint8), 0.0, 0)
GREY.bgr[:, :640] += 20  # grey alone would be no picture
CORNERS = ((220.0, 80.0), (1060.0, 80.0), (1080.0, 700.0), (200.0, 700.0))


@pytest.fixture
def seen() -> Frame:
    return Frame(load_picture(str(PICTURE)), 0.0, 0)


def test_nothing_is_shown_or_placed_before_the_first_frame(tmp_path: Path) -> None:
    sight = Sight(file=tmp_path / "board.json")
    assert sight.jpeg() is None
    assert sight.corners() is None
    with pytest.raises(UnplacedError, match="no picture"):
        sight.place(None)
    assert not (tmp_path / "board.json").exists()


def test_newest_frame_is_a_jpeg_of_its_size() -> None:
    sight = Sight()
    sight.show(GREY, sight.board)
    picture = cv2.imdecode(np.frombuffer(sight.jpeg() or b"", np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (720, 1280, 3)


def test_corners_are_used_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    sight = Sight(file=file)
    sight.show(GREY, sight.board)
    assert sight.place(CORNERS) == NOTHING
    assert sight.corners() == CORNERS
    assert load_board(file).corners_px == CORNERS
    assert sight.take_placed() is sight.board
    assert sight.take_placed() is None


def test_place_from_the_page_goes_before_the_one_that_comes_with_a_frame() -> None:
    sight, before = Sight(), board_from_corners((1280, 720), [(x + 9, y) for x, y in CORNERS])
    sight.show(GREY, before)
    sight.place(CORNERS)
    sight.show(GREY, before)  # of a frame that was under way
    assert sight.corners() == CORNERS
    placed = sight.take_placed()
    assert placed is not None
    sight.show(GREY, placed)
    assert sight.corners() == CORNERS
    sight.show(GREY, before)  # the board was bumped and found again
    assert sight.corners() == before.corners_px


def test_frames_are_counted() -> None:
    sight = Sight()
    begun_s = sight.seen_s
    for _ in range(3):
        sight.show(GREY, None)
    assert sight.frames == 3
    assert sight.seen_s >= begun_s


def test_board_is_found_in_the_picture(tmp_path: Path, seen: Frame) -> None:
    sight = Sight(file=tmp_path / "board.json")
    sight.show(seen, sight.board)
    sight.place(None)
    known = load_board(THROW.board).for_picture(seen.size_px).corners_px
    assert np.abs(np.subtract(sight.corners(), known)).max() < 0.02 * seen.size_px[0]


def test_where_no_board_is_to_be_found_it_stays_where_it_was() -> None:
    sight = Sight()
    sight.show(GREY, sight.board)
    sight.place(CORNERS)
    with pytest.raises(UnplacedError, match="No board was found"):
        sight.place(None)
    assert sight.corners() == CORNERS


@pytest.mark.parametrize(
    "corners",
    [CORNERS[::-1], ((0, 0), (1, 0), (1, 1), (0, 1)), ((5, 5),) * 4],
    ids=["wrong way round", "tiny", "one spot"],
)
def test_corners_of_no_board_are_refused_with_a_sentence(corners: tuple[tuple[float, float], ...]) -> None:
    sight = Sight()
    sight.show(GREY, sight.board)
    with pytest.raises(UnplacedError, match=r"\.$"):
        sight.place(corners)
    assert sight.board is None


def test_what_was_measured_of_the_board_is_kept_when_it_is_moved(seen: Frame) -> None:
    known = load_board(THROW.board)
    sight = Sight(known)
    sight.show(seen, sight.board)
    moved = [(x + 3, y + 2) for x, y in known.for_picture(seen.size_px).corners_px]
    sight.place(moved)
    assert sight.board is not None
    assert (sight.board.surface_mm, sight.board.bar_mm) == (known.surface_mm, known.bar_mm)


def test_a_file_that_cannot_be_written_is_said_and_the_board_used(tmp_path: Path) -> None:
    sight = Sight(file=tmp_path / "missing" / "board.json")
    sight.show(GREY, sight.board)
    assert "next start" in str(sight.place(CORNERS))
    assert sight.corners() == CORNERS


def test_recorded_throws_keep_their_own_board() -> None:
    sight = Sight()
    sight.show(GREY, sight.board)
    sight.refuse(verbatim("Recorded throws come with a board of their own."))
    with pytest.raises(UnplacedError, match="of their own"):
        sight.place(CORNERS)


def test_place_told_on_the_page_is_known_after_the_next_start(tmp_path: Path) -> None:
    first = sight_of(CameraSettings(), None, tmp_path)
    assert first.recall() == NOTHING
    first.show(GREY, None)
    first.place(CORNERS)
    again = sight_of(CameraSettings(), None, tmp_path)
    assert again.recall() == NOTHING
    assert again.board is not None
    assert again.board.corners_px == CORNERS
    (tmp_path / BOARD_FILE).write_text("{")
    broken = sight_of(CameraSettings(), None, tmp_path)
    assert str(broken.recall()).endswith("The board is looked for in the picture.")
    assert broken.board is None


def test_settings_name_the_file_that_is_written(tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(THROW.board.read_text())
    sight = sight_of(CameraSettings(board=str(file)), load_board(file), tmp_path)
    file.write_text("no board any more")
    assert sight.recall() == NOTHING  # known already
    sight.show(GREY, sight.board)
    sight.place(CORNERS)
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
    sight = Sight(file=tmp_path / "board.json")
    eye = Eye(follow(slides, None), said.put, sight)
    eye.start()
    try:
        first = said.get(timeout=20)
        assert "place it on the page" in str(first.text)  # type: ignore[attr-defined]
        sight.place(CORNERS)
        slides.go_on.set()
        assert str(said.get(timeout=20).text) == "slides is watching."  # type: ignore[attr-defined]
    finally:
        slides.close()
        eye.close()
