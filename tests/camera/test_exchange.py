"""The camera is exchanged while the program runs: what the new eye sees, and what the old one may not say any more."""

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from companion.camera.board_place import BoardPlace, board_place_of
from companion.camera.checkers import Wanted
from companion.camera.exchange import EyeHolder, Loops
from companion.camera.eye import CameraReport, Report, Saw
from companion.camera.recorded import THROWS, Waiting
from companion.settings import CameraSettings
from companion.storage.folder import BOARD_FILE
from sentence import NOTHING, Sentence, say
from vision.board.calibration import load_board
from vision.capture.camera import FolderCamera
from vision.errors import BadSource, CameraLost
from vision.frame import Frame

PATIENCE_S = 60.0


class Looping:
    """A live camera that shows a recorded throw over and over, until it is closed."""

    live = True

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self._pictures = list(FolderCamera(folder, 5.0).frames())
        self._number = 0
        self.closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        while not self.closed.wait(0.01):
            frame = self._pictures[self._number % len(self._pictures)]
            self._number += 1
            yield Frame(frame.bgr, self._number / 5.0, self._number)

    def close(self) -> None:
        self.closed.set()


class Dead(Looping):
    """A camera that opens and gives no picture."""

    def frames(self) -> Iterator[Frame]:
        raise CameraLost(say("The cable is out."))
        yield


class House:
    """A program's eye with two cameras, "0" and "1", and "9", which gives no picture."""

    def __init__(self, folder: Path, source: str = "0", fixed: Sentence = NOTHING) -> None:
        self.opened: list[Looping] = []
        self.said: list[Report] = []
        self.plugged: str | None = None
        self.waiting, self.wanted = Waiting(), Wanted("dice and checkers")
        settings = CameraSettings(source=source)
        loops = Loops(
            settings,
            self.waiting,
            self.wanted,
            self.said.append,
            print,
            1000.0,
            open_camera=self._open,
            find=lambda pi: self.plugged,
        )
        place = partial(board_place_of, settings, None, folder)
        self.eyes = EyeHolder(loops, loops.of_settings(), place, self.wanted, self.said.append, fixed=fixed)
        self.eyes.start()

    def _open(self, source: str, wanted: CameraSettings) -> Looping:
        shown = {"0": "03_south", "1": "04_north", "9": "03_south"}
        if source not in shown:
            raise BadSource(f"There is no camera {source}.")
        camera = (Dead if source == "9" else Looping)(source, THROWS / shown[source])
        self.opened.append(camera)
        return camera

    @property
    def place(self) -> BoardPlace:
        return self.eyes.eye.board_place

    def until(self, true: Callable[[], object]) -> None:
        end_s = time.monotonic() + PATIENCE_S
        while not true():
            assert time.monotonic() < end_s, self.said
            time.sleep(0.01)

    def watching(self, name: str) -> bool:
        """Whether this camera's loop has reported that it looks."""
        return any(
            isinstance(one, CameraReport) and str(one.text).startswith(f"{name} is") for one in self.said
        )


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path)
    house.until(lambda: house.watching("0"))
    yield house
    house.eyes.close()


def test_other_camera_is_looked_through_at_once(house: House) -> None:
    first, place = house.opened[0], house.place
    assert house.eyes.change("1") == NOTHING
    house.until(lambda: house.watching("1") and house.place.frames)
    assert first.closed.is_set()
    assert house.place is not place  # no picture and no board of the other camera
    assert house.eyes.eye.camera is house.opened[1]


@pytest.mark.parametrize(
    ("choice", "why"),
    [
        ("9", "The cable is out."),
        ("5", "There is no camera 5."),
        ("auto", "No camera is plugged in."),
        ("films/evening", "films/evening is no camera's number or address."),
    ],
)
def test_camera_that_does_not_open_leaves_the_present_one(house: House, choice: str, why: str) -> None:
    eye = house.eyes.eye
    assert str(house.eyes.change(choice)) == why
    assert house.eyes.eye is eye
    assert not house.opened[0].closed.is_set()
    assert all(camera.closed.is_set() for camera in house.opened[1:])
    shown = house.place.frames
    house.until(lambda: house.place.frames > shown)
    assert house.eyes.turns()


def test_present_camera_is_not_opened_twice(house: House) -> None:
    eye, house.plugged = house.eyes.eye, "0"
    assert house.eyes.change("0") == house.eyes.change("auto") == NOTHING
    assert (house.eyes.eye, len(house.opened)) == (eye, 1)


def test_recorded_throws_have_their_own_board_and_a_camera_afterwards_has_its_own(
    house: House, tmp_path: Path
) -> None:
    board = load_board(THROWS / "03_south" / "board.json")
    (tmp_path / BOARD_FILE).write_bytes((THROWS / "03_south" / "board.json").read_bytes())
    house.wanted.reads = "off"
    assert house.eyes.change("recorded") == NOTHING
    assert (house.wanted.reads, bool(house.wanted.refusal)) == ("dice", True)
    assert house.eyes.change("0") == NOTHING
    assert (house.wanted.reads, bool(house.wanted.refusal)) == ("off", False)
    house.until(lambda: house.place.board is not None)
    assert house.place.board is not None
    assert house.place.board.corners_px == board.corners_px


def test_without_a_camera_nothing_is_seen_any_more(house: House) -> None:
    old = house.eyes.eye
    assert house.eyes.change("none") == NOTHING
    old.report([Saw(object(), None)])  # type: ignore[arg-type]  # a reading that was under way
    assert house.said[-1] == CameraReport("none", say("Rolls are entered by hand."))
    assert (house.place.jpeg(), house.eyes.turns()) == (None, True)


def test_camera_named_by_the_settings_is_not_changed(tmp_path: Path) -> None:
    house = House(tmp_path, fixed=say("The settings file names the camera (camera.source); change it there."))
    try:
        assert house.eyes.fixed
        assert "settings file" in str(house.eyes.change("1"))
        assert len(house.opened) <= 1
    finally:
        house.eyes.close()


def test_program_that_ends_does_not_wait_for_a_camera(tmp_path: Path) -> None:
    house = House(tmp_path, "none")
    house.eyes.stop()
    assert str(house.eyes.change("1")) == "The camera shows no picture at the moment."
    assert house.opened[0].closed.is_set()
    house.eyes.close()
