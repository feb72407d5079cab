"""One camera's frames: what is said of them where their shape or their pace changes, and where the board is then."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.camera.board_place import BoardPlace
from companion.camera.checkers import CheckersSeen, Wanted
from companion.camera.eye import CameraReport, Eye, Saw
from companion.camera.live import ELSEWHERE, OTHER_SHAPE, OTHER_SHAPE_S, LiveFrames, follow
from companion.camera.recorded import THROWS, recorded_throws
from companion.rules.board import Position
from tests.support.camera.start_picture import farthest_px, start_picture
from vision.board.calibration import Board, load_board
from vision.board.findboard import BoardFinder
from vision.capture.camera import FolderCamera
from vision.frame import Bgr, Frame

THROW = recorded_throws(THROWS)[2]
PICTURES = [frame.bgr for frame in FolderCamera(THROW.folder, THROW.fps).frames()]
LYING, BARE = PICTURES[-2:]
BOARD = load_board(THROW.board)
LOST = ("lost", f"{OTHER_SHAPE} Enter rolls by hand meanwhile.")
LIVE = ("live", "rtsp://camera/live is watching.")
FPS = 10.0


def taller(bgr: Bgr) -> Bgr:
    """The same in a picture of another shape, three to four."""
    more = (bgr.shape[1] * 3 // 4 - bgr.shape[0]) // 2
    return np.asarray(cv2.copyMakeBorder(bgr, more, more, 0, 0, cv2.BORDER_REFLECT), np.uint8)


def upright(bgr: Bgr) -> Bgr:
    """The picture of a phone that was turned by a quarter."""
    return np.ascontiguousarray(np.rot90(bgr))


def smaller(bgr: Bgr) -> Bgr:
    """The same shape with half the pixels to a side."""
    return np.asarray(cv2.resize(bgr, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)


class Camera:
    """A camera that a test plays; a recording where it is not live."""

    name = "rtsp://camera/live"

    def __init__(self, live: bool = True, *pictures: Bgr) -> None:
        self.live = live
        self._pictures = pictures

    def frames(self) -> Iterator[Frame]:
        for number, bgr in enumerate(self._pictures):
            yield Frame(bgr, number / FPS, number)

    def close(self) -> None:
        """Nothing is held open."""


class Seat:
    """Where a test sits at a camera: it shows pictures and hears what is said."""

    def __init__(self, board: Board | None = BOARD, fixed: bool = False, file: Path | None = None) -> None:
        self.told: list[CameraReport | Saw] = []
        self.board_place = BoardPlace(file=file)
        if file is not None and file.exists():
            assert not self.board_place.recall()
            board = self.board_place.board
        self._live = LiveFrames(self.board_place, Camera(), board, fixed)
        self._chance = np.random.default_rng(5)
        self._number = 0

    def show(self, bgr: Bgr, for_s: float, pace_s: float = 1 / FPS) -> None:
        """A picture for some seconds, as a sensor takes it."""
        for _ in range(round(for_s / pace_s)):
            noisy = np.clip(bgr + self._chance.normal(0, 1.0, bgr.shape), 0, 255).astype(np.uint8)
            self.told += self._live.see(Frame(noisy, self._at_s, self._number))
            self._number += 1
            self._at_s += pace_s

    _at_s = 0.0

    def heard(self) -> list[object]:
        """What was said since the last time, of what was seen its kind."""
        told = [in_words(one) for one in self.told]
        self.told.clear()
        return told


def in_words(one: CameraReport | Saw) -> object:
    """What was seen by its kind, what is said of the camera with the sentence in English."""
    return type(one.seeing).__name__ if isinstance(one, Saw) else (one.state, str(one.text))


def test_board_of_a_file_without_a_lens_is_familiar_once_it_is_found_in_its_place() -> None:
    seat = Seat(replace(BOARD, distortion=None, unfamiliar=True))
    seat.show(BARE, 0.5)
    assert seat.board_place.board == replace(BOARD, distortion=None)
    assert seat.heard() == [LIVE]
    beside = replace(
        BOARD, distortion=None, unfamiliar=True, corners_px=tuple((x + 40, y) for x, y in BOARD.corners_px)
    )
    seat = Seat(beside)
    seat.show(BARE, 0.5)
    assert seat.board_place.board == beside


@pytest.mark.parametrize("turned", [taller, upright])
@pytest.mark.parametrize("board", [BOARD, None], ids=["known", "found"])
def test_camera_that_is_turned_and_turned_back_is_a_loss_and_a_return(
    turned: Callable[[Bgr], Bgr], board: Board | None
) -> None:
    seat = Seat(board)
    seat.show(BARE, 1.0)
    place = seat.board_place.board
    assert seat.heard() == [LIVE]
    seat.show(turned(BARE), 3.0)
    assert seat.heard() == [LOST]
    seat.show(BARE, 0.1)
    assert seat.heard() == [LIVE]
    assert seat.board_place.board == place
    seat.show(LYING, 1.0)
    assert seat.heard() == ["ThrowSeen"]


def test_camera_that_was_turned_to_stay_is_used_once_the_board_is_found_in_its_pictures() -> None:
    seat = Seat()
    seat.show(BARE, 0.5)
    seat.show(taller(BARE), OTHER_SHAPE_S + 0.2)
    assert seat.heard() == [LIVE, LOST, LIVE]
    assert seat.board_place.board is not None
    assert seat.board_place.board.image_size == (960, 720)
    seat.show(BARE, 0.1)
    assert seat.heard() == []
    assert seat.board_place.board.corners_px == BOARD.corners_px, "the former pictures' place is known still"


def test_board_that_the_settings_name_is_not_looked_for_in_other_pictures() -> None:
    seat = Seat(fixed=True)
    seat.show(taller(BARE), OTHER_SHAPE_S + 4.0)
    assert seat.heard() == [LOST]


def test_board_can_be_placed_in_pictures_of_another_shape() -> None:
    seat = Seat(fixed=True)
    seat.show(BARE, 0.5)
    seat.show(taller(BARE), 0.5)
    assert seat.heard() == [LIVE, LOST]
    corners = [(x, y + 90) for x, y in BOARD.corners_px]
    seat.board_place.place(corners)
    seat.show(taller(BARE), 0.5)
    assert seat.heard() == [LIVE]
    assert seat.board_place.corners() == tuple(corners)


def test_same_shape_in_another_size_goes_on_with_the_board_and_the_throw() -> None:
    seat = Seat()
    seat.show(LYING, 1.0)
    assert seat.heard() == [LIVE, "ThrowSeen"]
    seat.show(smaller(LYING), 1.0)
    assert seat.heard() == []
    assert seat.board_place.board == BOARD.for_picture((480, 270))
    seat.show(smaller(BARE), 1.0)
    assert seat.heard() == ["LiftedSeen"]


def test_dice_that_rest_while_the_camera_is_turned_and_turned_back_are_thrown_once() -> None:
    seat = Seat()
    seat.show(LYING, 1.0)
    assert seat.heard() == [LIVE, "ThrowSeen"]
    seat.show(taller(LYING), 2.0)
    assert seat.heard() == [LOST]
    seat.show(LYING, 1.0)
    assert seat.heard() == [LIVE]
    seat.show(BARE, 1.0)
    assert seat.heard() == ["LiftedSeen"]


def test_dice_that_were_lifted_in_pictures_of_another_shape_are_lifted_once() -> None:
    seat = Seat()
    seat.show(LYING, 1.0)
    assert seat.heard() == [LIVE, "ThrowSeen"]
    seat.show(taller(BARE), OTHER_SHAPE_S + 2.0)
    assert seat.heard() == [LOST, LIVE, "LiftedSeen"]
    seat.show(BARE, 1.0)
    seat.show(LYING, 1.0)
    assert seat.heard() == ["ThrowSeen"]


def test_dice_that_were_lifted_while_the_board_was_placed_are_told() -> None:
    seat = Seat()
    seat.show(LYING, 1.0)
    assert seat.heard() == [LIVE, "ThrowSeen"]
    seat.board_place.place([(x + 1, y) for x, y in BOARD.corners_px])
    seat.show(BARE, 1.0)
    assert seat.heard() == ["LiftedSeen"]


def test_recording_of_another_shape_than_its_board_file_ends_with_a_sentence() -> None:
    told: list[CameraReport | Saw] = []
    eye = Eye(lambda eye: None, told.append)
    eye._run(follow(Camera(False, taller(BARE)), BOARD, speed=1000))
    assert [in_words(one) for one in told] == [
        ("lost", "The board file is for pictures of 960x540, this one has 960x720.")
    ]


def test_rare_pictures_are_said_once_and_read() -> None:
    seat = Seat()
    seat.show(BARE, 9.6, pace_s=2.4)
    slow = "It sends only one picture every 2.4 s, so dice are seen late."
    assert seat.heard() == [LIVE, ("live", f"{LIVE[1]} {slow}")]
    seat.show(LYING, 7.2, pace_s=2.4)
    assert seat.heard() == ["ThrowSeen"]
    seat.show(LYING, 0.5)
    assert seat.heard() == [LIVE]


def warped(bgr: Bgr, right_px: float = 0.0, size: float = 1.0) -> Bgr:
    """The picture of a camera that was moved, or that is nearer or farther."""
    high, wide = bgr.shape[:2]
    way = np.array(
        [[size, 0, right_px + (1 - size) * wide / 2], [0, size, (1 - size) * high / 2]], np.float32
    )
    return np.asarray(cv2.warpAffine(bgr, way, (wide, high), borderMode=cv2.BORDER_REFLECT), np.uint8)


def another_board() -> Bgr:
    """A picture of another board, of the same size."""
    picture = cv2.imread(str(RENDERED))
    assert picture is not None
    return np.asarray(cv2.resize(picture, (960, 540)), np.uint8)


RENDERED = Path(__file__).parents[1] / "data" / "vision" / "rendered" / "dev_000059.jpg"
OTHER_PLACE = ("lost", f"{ELSEWHERE} Enter rolls by hand meanwhile.")


@pytest.mark.parametrize(
    "moved", [partial(warped, right_px=20), partial(warped, size=0.9), partial(warped, size=1.1)]
)
def test_board_of_an_earlier_day_that_stands_elsewhere_now_is_said(moved: Callable[[Bgr], Bgr]) -> None:
    seat = Seat()
    seat.show(moved(BARE), 6.5, pace_s=0.5)
    assert seat.heard() == [LIVE, OTHER_PLACE]
    seat.show(moved(LYING), 2.0, pace_s=0.5)
    assert seat.heard() == [], "no roll is read by corners that are wrong"
    corners = seat.board_place.place(None)
    assert not corners
    seat.show(moved(LYING), 2.0, pace_s=0.5)
    assert seat.heard() == [LIVE, "ThrowSeen"]
    seat.show(moved(BARE), 20.0, pace_s=0.5)
    assert seat.heard() == ["LiftedSeen"]


def test_another_board_in_the_stream_is_said_until_the_first_is_back() -> None:
    seat = Seat()
    seat.show(BARE, 1.0, pace_s=0.5)
    seat.show(another_board(), 30.0, pace_s=0.5)
    assert OTHER_PLACE in seat.heard()
    seat.show(BARE, 4.0, pace_s=0.5)
    assert LIVE in seat.heard()


def test_corners_that_a_person_gives_are_used_though_the_board_is_found_elsewhere() -> None:
    seat = Seat()
    seat.show(BARE, 0.5)
    seat.board_place.place([(x + 40, y) for x, y in BOARD.corners_px])
    seat.show(BARE, 20.0, pace_s=0.5)
    assert seat.heard() == [LIVE]


@pytest.mark.parametrize("size", [lambda bgr: bgr, smaller], ids=["same size", "half the size"])
def test_corners_that_a_person_gave_hold_after_a_start_until_the_camera_is_moved(
    tmp_path: Path, size: Callable[[Bgr], Bgr]
) -> None:
    file = tmp_path / "board.json"
    seat = Seat(file=file)
    seat.show(BARE, 0.5)
    seat.board_place.place([(x + 40, y) for x, y in BOARD.corners_px])
    again = Seat(file=file)
    again.show(size(BARE), 20.0, pace_s=0.5)
    assert again.heard() == [LIVE]
    moved = Seat(file=file)
    moved.show(size(warped(BARE, right_px=40)), 10.0, pace_s=0.5)
    assert moved.heard() == [LIVE, OTHER_PLACE]


def test_corners_that_a_person_gave_where_no_board_was_found_hold_after_a_start(tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    seat = Seat(None, file=file)
    seat.board_place.show(Frame(np.full_like(BARE, 90), 0.0, 0), None)
    seat.board_place.place([(x + 40, y) for x, y in BOARD.corners_px])
    again = Seat(file=file)
    again.show(BARE, 20.0, pace_s=0.5)
    assert again.heard() == [LIVE]


@pytest.mark.parametrize("beside", ["", "[[0, 0]]", '"x"', "[[0], [0], [0], [0]]"])
def test_board_file_without_a_finding_beside_it_has_its_board_where_it_is_found(
    tmp_path: Path, beside: str
) -> None:
    file = tmp_path / "board.json"
    kept = json.dumps(BOARD.to_json())[:-1] + (f', "found_beside": {beside}' if beside else "") + "}"
    file.write_text(kept)
    seat = Seat(file=file)
    seat.show(warped(BARE, right_px=20), 6.5, pace_s=0.5)
    assert seat.heard() == [LIVE, OTHER_PLACE]


def test_board_of_the_settings_that_is_found_elsewhere_is_said_and_used() -> None:
    seat = Seat(fixed=True)
    seat.show(warped(BARE, right_px=20), 6.5, pace_s=0.5)
    assert seat.heard() == [LIVE, ("live", f"{LIVE[1]} {ELSEWHERE}")]


@pytest.mark.parametrize("is_found", [True, False], ids=["found", "placed by people"])
def test_starting_position_tells_the_place_of_a_board_that_was_found(
    is_found: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    bgr, place, found = start_picture()
    monkeypatch.setattr(BoardFinder, "find", lambda finder, bgr: found)
    wanted = Wanted("dice and checkers", Position.start())
    board_place = BoardPlace()
    live = LiveFrames(board_place, Camera(), None if is_found else found, wanted=wanted)
    wrong = []
    for number in range(60):
        for one in live.see(Frame(bgr, number / FPS, number)):
            wrong += [one.start.wrong] if isinstance(one, CheckersSeen) and one.start else []
    assert board_place.board is not None
    away = farthest_px(board_place.board, place), farthest_px(found, place)
    assert away[0] < 0.5 * away[1] if is_found else away[0] == away[1]
    assert wrong[0] != ()
    assert (wrong[-1] == ()) is is_found


def test_finder_is_not_asked_about_a_board_that_it_put_beside_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bgr, _, found = start_picture()
    elsewhere = replace(found, corners_px=tuple((x, y + 40.0) for x, y in found.corners_px))
    monkeypatch.setattr(BoardFinder, "find", lambda finder, bgr: found)
    wanted = Wanted("dice and checkers", Position.start())
    live = LiveFrames(BoardPlace(), Camera(), None, wanted=wanted)
    states, chance = [], np.random.default_rng(5)
    while_sought, later = range(60), range(60, 400, 20)
    for number in (*while_sought, *later):
        if number == later[0]:
            monkeypatch.setattr(BoardFinder, "find", lambda finder, bgr: elsewhere)
        noisy = np.clip(bgr + chance.normal(0, 1.0, bgr.shape), 0, 255).astype(np.uint8)
        seen = live.see(Frame(noisy, number / FPS, number))
        states += [one.state for one in seen if isinstance(one, CameraReport)]
    assert states == ["live"]


def test_place_of_a_board_that_people_put_right_meanwhile_is_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    bgr, place, found = start_picture()
    monkeypatch.setattr(BoardFinder, "find", lambda finder, bgr: found)
    wanted = Wanted("dice and checkers", Position.start())
    board_place = BoardPlace()
    live = LiveFrames(board_place, Camera(), None, wanted=wanted)
    for number in range(60):
        if number == 12:
            board_place.place(place.corners_px)
        list(live.see(Frame(bgr, number / FPS, number)))
    assert board_place.board is not None
    assert board_place.board.corners_px == place.corners_px
