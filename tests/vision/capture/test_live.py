"""Live cameras: the real capture child against a loopback stream and a stand-in for picamera2."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from tests.support.camera.mjpeg_server import Stage, jpeg, mjpeg_server
from tests.support.camera.rtsp_server import rtsp_server
from tests.support.processes import capture_child
from vision.capture.camera import open_camera
from vision.capture.child import Wanted
from vision.capture.live import LiveCamera, Patience
from vision.capture.lock import LockState
from vision.capture.source import without_secret
from vision.errors import CameraLost
from vision.frame import Frame, is_dark

QUICK = Patience(open_s=3.0, stall_s=0.6, dark_s=0.3, look_s=0.05)
STANDIN = Path(__file__).parents[2] / "support" / "standin"


@pytest.fixture
def stage() -> Iterator[Stage]:
    with mjpeg_server() as stage:
        yield stage


@pytest.fixture
def live() -> Iterator[Callable[[str], LiveCamera]]:
    opened: list[LiveCamera] = []

    def make(source: str) -> LiveCamera:
        opened.append(LiveCamera(Wanted(source, 64, 48, 100.0), QUICK))
        return opened[-1]

    yield make
    for camera in opened:
        camera.close()


def take(camera: LiveCamera, count: int) -> list[Frame]:
    frames = camera.frames()
    return [next(frames) for _ in range(count)]


def drain(frames: Iterator[Frame]) -> None:
    for _ in frames:
        pass


@pytest.mark.parametrize("lengths", [True, False], ids=["with lengths", "without lengths"])
def test_mjpeg_stream_gives_frames(stage: Stage, live: Callable[[str], LiveCamera], lengths: bool) -> None:
    stage.lengths = lengths
    frames = take(live(stage.url), 5)
    assert {frame.size_px for frame in frames} == {(64, 48)}
    assert all(abs(float(frame.bgr.mean()) - 120) < 2 for frame in frames)
    numbers = [frame.number for frame in frames]
    assert numbers == sorted(set(numbers))
    times = [frame.at_s for frame in frames]
    assert times == sorted(times)


def test_newest_frame_wins(stage: Stage, live: Callable[[str], LiveCamera]) -> None:
    camera = live(stage.url)
    frames = camera.frames()
    next(frames)
    stage.picture = jpeg(200)
    while float(next(frames).bgr.mean()) < 190:
        pass  # ends only because old frames do not pile up in front of the new ones
    child = capture_child(os.getpid())
    os.kill(child, signal.SIGSTOP)
    os.kill(child, signal.SIGCONT)
    assert float(next(frames).bgr.mean()) > 190


@pytest.mark.parametrize(
    "harm",
    [
        pytest.param(lambda stage, pid: os.kill(pid, signal.SIGKILL), id="child killed"),
        pytest.param(lambda stage, pid: os.kill(pid, signal.SIGSTOP), id="child stopped"),
        pytest.param(lambda stage, pid: stage.flowing.clear(), id="stream stalls"),
        pytest.param(lambda stage, pid: setattr(stage, "picture", jpeg(3)), id="black frames"),
        pytest.param(lambda stage, pid: setattr(stage, "picture", b"garbage" * 99), id="garbage"),
    ],
)
def test_loss_is_told_once_and_frames_come_back(
    stage: Stage, live: Callable[[str], LiveCamera], harm: Callable[[Stage, int], None]
) -> None:
    camera = live(stage.url)
    frames = camera.frames()
    next(frames)
    pid = capture_child(os.getpid())
    harm(stage, pid)
    with pytest.raises(CameraLost):
        drain(frames)
    stage.picture = jpeg(150)
    stage.flowing.set()
    assert float(next(camera.frames()).bgr.mean()) > 140  # waits, and raises no second time


@pytest.mark.parametrize(
    "harm",
    [
        pytest.param(lambda stage: stage.flowing.clear(), id="stalls"),
        pytest.param(lambda stage: setattr(stage, "picture", jpeg(3)), id="black"),
    ],
)
def test_rtsp_stream_gives_frames_and_its_loss_is_told(harm: Callable[[Stage], None]) -> None:
    """Read by OpenCV's own FFmpeg over TCP; `make faults` times it."""
    with rtsp_server() as stage, closing(LiveCamera(Wanted(stage.url, 64, 48, 100.0))) as camera:
        frames = camera.frames()
        assert abs(float(next(frames).bgr.mean()) - 120) < 2
        stage.picture = jpeg(200)
        while float(next(frames).bgr.mean()) < 190:
            pass  # ends only because the newest frame comes through
        harm(stage)
        with pytest.raises(CameraLost, match=r"stopped sending|black"):
            drain(frames)
        stage.picture = jpeg(150)
        stage.flowing.set()
        assert float(next(camera.frames()).bgr.mean()) > 140  # waits, and raises no second time
        assert "TCP" in next(asked["transport"] for asked in stage.asked if asked["verb"] == "SETUP")


class Script(LiveCamera):
    """A live camera that sees what it is told: reasons of a loss, None for nothing yet, or a frame; then it closes."""

    def __init__(self, settle_s: float, *script: str | Frame | None) -> None:
        super().__init__(Wanted("97"), Patience(settle_s=settle_s))
        self._script = list(script)

    def _wait(self) -> Frame | None:
        step = self._script.pop(0)
        if not self._script:
            self.close()
        if isinstance(step, str):
            raise CameraLost(step)
        return step


def told_by(camera: LiveCamera) -> list[str]:
    """What is said of it until it is closed: each loss in its words, each frame as “frame”."""
    told: list[str] = []
    while not camera._closed.is_set():
        try:
            for _ in camera.frames():
                told.append("frame")
        except CameraLost as lost:
            told.append(str(lost))
    return told


FRAME = Frame(np.full((48, 64, 3), 90, np.uint8), 0.0, 0)


@pytest.mark.parametrize(
    ("settle_s", "script", "told"),
    [
        pytest.param(0.0, ["A", "A", None, "A"], ["A"], id="the same reason once"),
        pytest.param(0.0, ["A", "A", "B", None, "B", "B"], ["A", "B"], id="another reason once"),
        pytest.param(0.0, ["A", "B", "B", "A", "A"], ["A", "B", "A"], id="the first reason again"),
        pytest.param(0.0, ["A", FRAME, "A"], ["A", "frame", "A"], id="the next outage"),
        pytest.param(0.0, ["A", "B", FRAME, "B"], ["A", "B", "frame", "B"], id="the next outage's reason"),
        pytest.param(99.0, ["A", "B", "A", "B", "B"], ["A"], id="a reason that does not settle"),
        pytest.param(99.0, ["A", "B", FRAME, "B"], ["A", "frame", "B"], id="the next outage at once"),
    ],
)
def test_another_reason_of_the_same_outage_is_told(
    settle_s: float, script: list[str | Frame | None], told: list[str]
) -> None:
    assert told_by(Script(settle_s, *script)) == told


def test_camera_that_comes_back_black_says_so(stage: Stage) -> None:
    """First it does not answer, then its lens is covered: the page must not go on naming the cable."""
    stage.status = 503
    patience = Patience(open_s=3.0, stall_s=0.6, dark_s=0.3, settle_s=0.5, look_s=0.05)
    with closing(LiveCamera(Wanted(stage.url, 64, 48, 100.0), patience)) as camera:
        with pytest.raises(CameraLost, match="answers 503"):
            drain(camera.frames())
        stage.picture, stage.status = jpeg(3), 200
        with pytest.raises(CameraLost, match="only black pictures"):
            drain(camera.frames())
        stage.picture = jpeg(150)
        assert float(next(camera.frames()).bgr.mean()) > 140


def test_server_that_goes_and_comes_back(live: Callable[[str], LiveCamera]) -> None:
    with mjpeg_server() as stage:
        port = int(stage.url.split(":")[2].split("/")[0])
        camera = live(stage.url)
        frames = camera.frames()
        next(frames)
    with pytest.raises(CameraLost, match=r"broken off|does not answer|stopped"):
        drain(frames)
    with mjpeg_server(port):
        assert next(camera.frames()).size_px == (64, 48)


def test_camera_that_is_not_there_is_said_at_once(live: Callable[[str], LiveCamera]) -> None:
    with pytest.raises(CameraLost, match="There is no camera 97"):
        next(live("97").frames())


def test_refusing_server_is_quoted(stage: Stage, live: Callable[[str], LiveCamera]) -> None:
    stage.status = 401
    with pytest.raises(CameraLost, match="answers 401"):
        next(live(stage.url).frames())


def test_name_and_password_go_into_the_header(stage: Stage, live: Callable[[str], LiveCamera]) -> None:
    take(live(stage.url.replace("http://", "http://ann:s%3Acret@")), 1)
    assert stage.asked[0]["Authorization"] == "Basic YW5uOnM6Y3JldA=="


def test_close_ends_child_and_frames(stage: Stage, live: Callable[[str], LiveCamera]) -> None:
    camera = live(stage.url)
    frames = camera.frames()
    next(frames)
    pid = capture_child(os.getpid())
    camera.close()
    assert next(frames, None) is None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


class ClosedMeanwhile(LiveCamera):
    """A camera that another thread closes each time it is about to listen to its child."""

    def _running(self):  # type: ignore[no-untyped-def]
        child = super()._running()
        self.close()
        return child


def test_camera_that_is_closed_while_it_listens_ends_in_silence() -> None:
    assert list(ClosedMeanwhile(Wanted("97")).frames()) == []


@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("none", "No Pi camera is found"),
        ("busy", "cannot be opened: Failed to acquire"),
        ("narrow", "does not start"),
        ("fails", "has stopped: Camera frontend"),
    ],
)
def test_pi_camera_says_what_is_wrong(
    live: Callable[[str], LiveCamera], monkeypatch: pytest.MonkeyPatch, does: str, said: str
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(STANDIN), prepend=os.pathsep)
    monkeypatch.setenv("STANDIN_CAMERA", does)
    with pytest.raises(CameraLost, match=said):
        for _ in live("picamera").frames():
            pass


def test_pi_camera_gives_frames_blue_first(
    live: Callable[[str], LiveCamera], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(STANDIN), prepend=os.pathsep)
    frame = next(live("picamera").frames())
    assert frame.size_px == (64, 48)
    assert frame.bgr[0, 0].tolist() == [200, 100, 50]


def test_pi_camera_is_locked_and_says_at_what(
    live: Callable[[str], LiveCamera], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(STANDIN), prepend=os.pathsep)
    camera = live("picamera")
    frames = camera.frames()
    next(frames)
    assert camera.lock.state is LockState.METERING
    while camera.lock.state is LockState.METERING:
        next(frames)  # ends because the pictures go on coming while the camera is being locked
    assert camera.lock.state is LockState.LOCKED
    assert camera.lock.held["exposure"] == (pytest.approx(0.02, rel=0.01),)
    assert camera.lock.unkept == ()


def test_stream_s_camera_is_out_of_reach(stage: Stage, live: Callable[[str], LiveCamera]) -> None:
    camera = live(stage.url)
    take(camera, 1)
    assert camera.lock.state is LockState.OUT_OF_REACH


@pytest.mark.skipif(find_spec("picamera2") is not None, reason="picamera2 is installed here")
def test_without_picamera2_the_remedy_is_said(live: Callable[[str], LiveCamera]) -> None:
    with pytest.raises(CameraLost, match="sudo apt install python3-picamera2"):
        next(live("picamera").frames())


def test_live_names_open_live_cameras() -> None:
    camera = open_camera("rtsp://127.0.0.1:1/none")
    assert camera.live
    camera.close()


@pytest.mark.parametrize(
    ("level", "dark"), [(0, True), (12, True), (13, False), (200, False)], ids=["0", "12", "13", "200"]
)
def test_dark_is_a_level(level: int, dark: bool) -> None:
    assert is_dark(np.full((480, 640, 3), level, np.uint8)) is dark


def test_password_is_not_shown() -> None:
    assert without_secret("rtsp://ann:secret@camera:554/live?token=9") == "rtsp://camera:554/live"
