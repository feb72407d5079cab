"""The camera's thread: what it tells of recordings, of cameras that come and go, and of its own faults."""

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from queue import SimpleQueue

import numpy as np
import pytest

from companion.camera import sources
from companion.camera.board_place import BoardPlace
from companion.camera.eye import CameraReport, Eye, Saw
from companion.camera.live import follow
from companion.camera.recorded import THROWS, Awaited, Pauses, Waiting, play_throws, recorded_throws
from companion.camera.sources import wait_for_camera
from sentence import verbatim
from vision.board.calibration import load_board
from vision.capture.camera import FolderCamera
from vision.dice.reader import Reader
from vision.errors import CameraLost
from vision.frame import Bgr, Frame
from vision.watch.watcher import LiftedSeen, ThrowSeen

PATIENCE_S = 60.0
THROWS = recorded_throws(THROWS)
QUICK = Pauses(before_s=0.0, doubling_s=0.0, again_s=0.0, cocked_s=0.0, unread_s=0.0, played_s=0.0)


class Inbox:
    """Where the eye puts what it saw."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[CameraReport | Saw] = SimpleQueue()
        self.put = self._queue.put

    def next(self) -> CameraReport | Saw:
        return self._queue.get(timeout=PATIENCE_S)

    def empty(self) -> bool:
        return self._queue.empty()


def in_words(said: CameraReport | Saw) -> tuple[str, str]:
    """The state of the camera, and the sentence in English."""
    assert isinstance(said, CameraReport)
    return said.state, str(said.text)


@pytest.fixture
def looking() -> Iterator[Callable[..., tuple[Eye, Inbox]]]:
    eyes: list[Eye] = []

    def start(look: Callable[[Eye], None]) -> tuple[Eye, Inbox]:
        inbox = Inbox()
        eyes.append(Eye(look, inbox.put))
        eyes[-1].start()
        return eyes[-1], inbox

    yield start
    for eye in eyes:
        eye.close()


def grey(level: int, size: tuple[int, int] = (64, 48)) -> Bgr:
    """A picture that shows something, if it is not white altogether: its left half is darker."""
    bgr = np.full((size[1], size[0], 3), level, np.uint8)
    bgr[:, : size[0] // 2] -= np.uint8(30 if level < 255 else 0)
    return bgr


class Flickering:
    """A live camera with a script: numbers of frames to give, None for a loss; then it waits to be closed."""

    live = True
    name = "rtsp://ann:secret@camera/live"

    def __init__(self, *script: int | None) -> None:
        self._script = list(script)
        self._number = 0
        self.closed = False

    def frames(self) -> Iterator[Frame]:
        while not self.closed:
            if not self._script:
                continue
            step = self._script.pop(0)
            if step is None:
                raise CameraLost("The cable is out.")
            for _ in range(step):
                self._number += 1
                yield Frame(grey(90), self._number / 15, self._number)

    def close(self) -> None:
        self.closed = True


def test_recording_is_followed_to_its_end(looking: Callable[..., tuple[Eye, Inbox]]) -> None:
    throw = next(throw for throw in THROWS if throw.kind == "turn")
    camera = FolderCamera(throw.folder, throw.fps)
    _, inbox = looking(follow(camera, load_board(throw.board), speed=1000))
    first = inbox.next()
    assert in_words(first) == ("recorded", f"{throw.folder} is watching.")
    thrown, lifted, last = inbox.next(), inbox.next(), inbox.next()
    assert isinstance(thrown, Saw)
    assert isinstance(thrown.seeing, ThrowSeen)
    assert thrown.jpeg is not None
    assert thrown.jpeg.startswith(b"\xff\xd8")
    assert isinstance(lifted, Saw)
    assert isinstance(lifted.seeing, LiftedSeen)
    assert lifted.jpeg is None
    assert in_words(last) == ("none", f"{throw.folder} has ended.")


def test_each_loss_and_each_return_is_told_once(looking: Callable[..., tuple[Eye, Inbox]]) -> None:
    board = load_board(THROWS[0].board)
    small = type(board)(
        (64, 48), ((2.0, 2.0), (62.0, 2.0), (62.0, 46.0), (2.0, 46.0)), board.surface_mm, board.bar_mm
    )
    eye, inbox = looking(follow(Flickering(3, None, 5, None, 2), small))
    told = [inbox.next() for _ in range(5)]
    assert [one.state for one in told if isinstance(one, CameraReport)] == [
        "live",
        "lost",
        "live",
        "lost",
        "live",
    ]
    assert in_words(told[1]) == ("lost", "The cable is out. Enter rolls by hand meanwhile.")
    assert all("secret" not in str(one.text) for one in told if isinstance(one, CameraReport))
    assert not eye.ended


class Dazzled(Flickering):
    """A live camera into which a light shines for three seconds; then it sees again."""

    def frames(self) -> Iterator[Frame]:
        while not self.closed and self._number < 60:
            self._number += 1
            level = 255 if 5 < self._number <= 50 else 90 + self._number % 2
            yield Frame(grey(level), self._number / 15, self._number)
        while not self.closed:
            time.sleep(0.01)


def test_pictures_that_show_nothing_are_a_loss_and_not_read(
    looking: Callable[..., tuple[Eye, Inbox]],
) -> None:
    eye, inbox = looking(follow(Dazzled(), None))
    told = [inbox.next() for _ in range(3)]
    assert [one.state for one in told if isinstance(one, CameraReport)] == ["live", "lost", "live"]
    assert isinstance(told[1], CameraReport)
    assert str(told[1].text).startswith("The camera sends only white pictures;")
    assert str(told[1].text).endswith("Enter rolls by hand meanwhile.")
    assert eye.board_place.frames < 20


def test_unknown_board_is_looked_for_and_that_is_said(looking: Callable[..., tuple[Eye, Inbox]]) -> None:
    _, inbox = looking(follow(Flickering(1), None))
    said = inbox.next()
    assert isinstance(said, CameraReport)
    assert "Camera and board" in str(said.text)


@pytest.mark.parametrize("whole", [False, True])
def test_kept_picture_shows_the_board_and_nobody_beside_it(
    looking: Callable[..., tuple[Eye, Inbox]], whole: bool
) -> None:
    import cv2

    throw = THROWS[0]
    board = load_board(throw.board)

    _, inbox = looking(follow(FolderCamera(throw.folder, throw.fps), board, speed=1000, whole=whole))
    inbox.next()
    thrown = inbox.next()
    assert isinstance(thrown, Saw)
    assert isinstance(thrown.seeing, ThrowSeen)
    kept = cv2.imdecode(np.frombuffer(thrown.jpeg or b"", np.uint8), cv2.IMREAD_COLOR)
    assert kept is not None
    size = (kept.shape[1], kept.shape[0])
    assert size == thrown.seeing.frame.size_px
    assert (size == board.image_size) is whole
    dice = Reader().read(kept).dice
    assert len(dice) == 2
    for one, other in zip(thrown.seeing.reading.dice, dice, strict=True):
        assert one.value == other.value
        assert np.abs(np.subtract(one.centre_px, other.centre_px)).max() < 3


class Replaced:
    """A recording in which, once the dice lie there, the board is placed anew and the dice lie on for a second."""

    live = False

    def __init__(self, board_place: BoardPlace) -> None:
        self._of = FolderCamera(THROWS[2].folder, THROWS[2].fps)
        self.name = self._of.name
        self._board_place = board_place
        self.told, self.ended = threading.Event(), threading.Event()

    def frames(self) -> Iterator[Frame]:
        later_s = 0.0
        for frame in self._of.frames():
            yield replace(frame, at_s=frame.at_s + later_s)
            if self.told.is_set() and not later_s:
                corners = self._board_place.corners()
                assert corners is not None
                self._board_place.place([(x + 1.0, y) for x, y in corners])
                for _ in range(15):
                    later_s += 1 / 15
                    yield replace(frame, at_s=frame.at_s + later_s)

    def close(self) -> None:
        self._of.close()
        self.ended.set()


def test_dice_that_lie_while_the_board_is_placed_are_thrown_once() -> None:
    told: list[str] = []
    board_place = BoardPlace()
    camera = Replaced(board_place)

    def put(said: CameraReport | Saw) -> None:
        if isinstance(said, Saw):
            told.append(type(said.seeing).__name__)
            camera.told.set()

    eye = Eye(follow(camera, load_board(THROWS[2].board), speed=1000), put, board_place)
    eye.start()
    assert camera.ended.wait(PATIENCE_S)
    eye.close()
    assert told == ["ThrowSeen", "LiftedSeen"]
    assert board_place.take_placed() is None
    assert board_place.board is not None
    assert board_place.board.corners_px != load_board(THROWS[2].board).corners_px


def test_board_in_the_picture_is_found(looking: Callable[..., tuple[Eye, Inbox]]) -> None:
    throw = THROWS[0]
    _, inbox = looking(follow(FolderCamera(throw.folder, throw.fps), None, speed=1000))
    assert in_words(inbox.next()) == ("recorded", f"{throw.folder} is watching.")
    thrown = inbox.next()
    assert isinstance(thrown, Saw)
    assert isinstance(thrown.seeing, ThrowSeen)
    assert thrown.seeing.reading.board_found


def test_closing_ends_a_camera_that_gives_nothing(looking: Callable[..., tuple[Eye, Inbox]]) -> None:
    camera = Flickering(1)
    eye, inbox = looking(follow(camera, None))
    inbox.next()
    eye.close()
    assert camera.closed
    assert eye.ended


def test_camera_that_cannot_be_used_is_told_in_its_own_words(
    looking: Callable[..., tuple[Eye, Inbox]], capsys: pytest.CaptureFixture[str]
) -> None:
    def look(eye: Eye) -> None:
        raise CameraLost("No cable.")

    eye, inbox = looking(look)
    assert in_words(inbox.next()) == ("lost", "No cable.")
    eye.close()
    assert eye.ended
    assert not eye.failed
    assert eye.turns()
    assert capsys.readouterr().err == ""


def test_camera_is_waited_for_and_its_lack_said_once(
    looking: Callable[..., tuple[Eye, Inbox]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service that starts before its camera must not play recorded throws into somebody's match."""
    monkeypatch.setattr(sources, "FIND_CAMERA_S", 0.01)
    asked: list[bool] = []
    answers: list[str | CameraLost | None] = [
        CameraLost("picamera2 does not answer."),
        None,
        None,
        None,
        None,
        "3",
    ]

    def find(pi: bool) -> str | None:
        asked.append(pi)
        answer = answers[len(asked) - 1]
        if isinstance(answer, CameraLost):
            raise answer
        return answer

    def through(source: str) -> Callable[[Eye], None]:
        return lambda eye: eye.report([CameraReport("live", verbatim(f"{source} is watching."))])

    _, inbox = looking(wait_for_camera(find, through))
    assert [in_words(inbox.next()) for _ in range(3)] == [
        ("lost", "picamera2 does not answer. Enter rolls by hand meanwhile."),
        ("lost", "No camera is plugged in. Enter rolls by hand meanwhile."),
        ("live", "3 is watching."),
    ]
    assert asked == [True] * 3 + [False] * 3
    assert inbox.empty()


def test_waiting_for_a_camera_ends_with_the_program(looking: Callable[..., tuple[Eye, Inbox]]) -> None:
    eye, inbox = looking(wait_for_camera(lambda pi: None, lambda source: lambda eye: None))
    inbox.next()
    assert eye.turns()
    eye.close()
    assert eye.ended


@pytest.mark.parametrize("error", [KeyError("x"), SystemExit(3), MemoryError()])
def test_fault_of_the_eye_is_told_logged_once_and_known(
    looking: Callable[..., tuple[Eye, Inbox]], capsys: pytest.CaptureFixture[str], error: BaseException
) -> None:
    def look(eye: Eye) -> None:
        raise error

    eye, inbox = looking(look)
    name = type(error).__name__
    assert in_words(inbox.next()) == (
        "lost",
        f"The camera watcher has failed: {name}. Enter rolls by hand meanwhile.",
    )
    eye.close()
    assert eye.ended
    assert eye.failed
    said = capsys.readouterr().err
    assert said.count("Traceback") == 1
    assert name in said


@pytest.mark.parametrize(("seen_s", "turns"), [(59.0, True), (61.0, False)])
def test_failed_eye_is_worth_a_new_start_only_if_it_has_seen_well(
    looking: Callable[..., tuple[Eye, Inbox]], seen_s: float, turns: bool
) -> None:
    def look(eye: Eye) -> None:
        eye.beat_s = eye.began_s + seen_s
        raise KeyError("x")

    eye, _ = looking(look)
    eye.close()
    assert eye.turns() is turns


@pytest.mark.parametrize(
    ("began_s_ago", "turned_s_ago", "turns"),
    [(30, 30, True), (61, 61, False), (30, 5, True), (30, 11, False)],
    ids=["still loading", "never began", "turns", "hangs"],
)
def test_eye_that_loads_is_given_longer_than_one_that_hangs(
    began_s_ago: float, turned_s_ago: float, turns: bool
) -> None:
    eye, now_s = Eye(lambda eye: None, lambda said: None), time.monotonic()
    eye.began_s, eye.beat_s = now_s - began_s_ago, now_s - turned_s_ago
    assert eye.turns() is turns


class TestRecordedThrows:
    def test_they_wait_for_the_table_and_are_held_while_it_plays(
        self, looking: Callable[..., tuple[Eye, Inbox]]
    ) -> None:
        waiting = Waiting()
        eye, inbox = looking(play_throws(THROWS, waiting, 1000, QUICK))
        assert inbox.empty()
        waiting.awaited = Awaited("turn", "south")
        thrown = inbox.next()
        assert isinstance(thrown, Saw)
        assert isinstance(thrown.seeing, ThrowSeen)
        waiting.awaited = Awaited(busy=True)
        waiting.handled += 1
        frames = eye.board_place.frames
        eye.stop.wait(0.3)
        assert inbox.empty()
        assert eye.board_place.frames == frames  # the dice lie still until the play is made
        waiting.awaited = Awaited()
        lifted = inbox.next()
        assert isinstance(lifted, Saw)
        assert isinstance(lifted.seeing, LiftedSeen)

    @pytest.mark.parametrize(
        "awaited", [Awaited("opening"), Awaited("turn", "south"), Awaited("turn", "north")], ids=str
    )
    def test_there_are_throws_for_everything_a_table_waits_for(self, awaited: Awaited) -> None:
        assert len([throw for throw in THROWS if throw.fits(awaited)]) >= 2

    @pytest.mark.parametrize("throw", THROWS, ids=lambda throw: throw.folder.name)
    def test_every_bundled_throw_is_seen_once_and_lifted(
        self, looking: Callable[..., tuple[Eye, Inbox]], throw: object
    ) -> None:
        waiting = Waiting()
        _, inbox = looking(play_throws([throw], waiting, 1000, QUICK))  # type: ignore[list-item]
        waiting.awaited = Awaited(throw.kind, throw.roller)  # type: ignore[attr-defined]
        thrown = inbox.next()
        waiting.awaited = Awaited()
        waiting.handled += 1
        lifted = inbox.next()
        assert isinstance(thrown, Saw)
        assert isinstance(lifted, Saw)
        assert (type(thrown.seeing), type(lifted.seeing)) == (ThrowSeen, LiftedSeen)
