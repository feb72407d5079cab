"""Each look at the machine, with "cannot tell" as an answer."""

import threading
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from companion.camera.board_place import BoardPlace
from companion.camera.eye import Eye
from companion.camera.recorded import THROWS
from companion.service import health
from companion.service.health import Finding, HealthWatch, Verdict
from sentence import verbatim
from vision.capture.camera import FolderCamera
from vision.frame import Frame


@pytest.mark.parametrize(
    ("millidegrees", "verdict"),
    [
        ("51234\n", Verdict.GOOD),
        ("75000", Verdict.WARN),
        ("80000", Verdict.BAD),
        ("warm", Verdict.UNKNOWN),
        (None, Verdict.UNKNOWN),
    ],
)
def test_temperature(tmp_path: Path, millidegrees: str | None, verdict: Verdict) -> None:
    file = tmp_path / "temp"
    if millidegrees is not None:
        file.write_text(millidegrees)
    assert health.temperature(file).verdict is verdict


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("throttled=0x0\n", Verdict.GOOD),
        ("throttled=0x50005\n", Verdict.BAD),
        ("throttled=0x50000\n", Verdict.WARN),
        ("throttled=0x80008\n", Verdict.GOOD),
        ("", Verdict.UNKNOWN),
        ("VCHI initialization failed\n", Verdict.UNKNOWN),
    ],
    ids=["good", "low now", "was low", "only the soft heat limit", "no vcgencmd", "not allowed"],
)
def test_power(answer: str, verdict: Verdict) -> None:
    assert health.power(lambda: answer).verdict is verdict


@pytest.mark.parametrize(
    ("free_bytes", "verdict"), [(10 << 30, Verdict.GOOD), (100 << 20, Verdict.WARN), (1 << 20, Verdict.BAD)]
)
def test_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free_bytes: int, verdict: Verdict) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda path: type("Usage", (), {"free": free_bytes}))
    assert health.disk(tmp_path / "not" / "yet" / "there").verdict is verdict


def test_folder_of_another_user_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)
    found = health.disk(tmp_path)
    assert found.verdict is Verdict.BAD
    assert str(found.text) == f"{tmp_path} cannot be written by this user."
    assert "service’s user" in str(found.remedy)


def test_folder_that_took_nothing_the_last_time_is_not_called_good(tmp_path: Path) -> None:
    assert health.disk(tmp_path, takes=True).verdict is Verdict.GOOD
    found = health.disk(tmp_path, takes=False)
    assert (found.verdict, str(found.text)) == (Verdict.BAD, f"{tmp_path} cannot be written.")


class Watched:
    """A watch over a folder whose disk and eye do as they are told."""

    def __init__(self, folder: Path) -> None:
        self.takes = True
        self.logged: list[str] = []
        self.reported: list[Sequence[Finding]] = []
        self.eye = Eye(lambda eye: None, lambda news: None, BoardPlace())
        self.watch = HealthWatch(
            folder, lambda: self.takes, lambda: self.eye, self.reported.append, self.logged.append
        )

    def look(self) -> dict[str, Verdict]:
        return {finding.what: finding.verdict for finding in self.watch.look()}


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    return Watched(tmp_path)


def test_watch_tells_of_the_disk_what_the_journal_met_with(watched: Watched, tmp_path: Path) -> None:
    assert watched.look()["disk"] is Verdict.GOOD
    watched.takes = False
    assert watched.look()["disk"] is Verdict.BAD
    assert list(tmp_path.iterdir()) == []


def test_watch_logs_what_turns_bad_once(watched: Watched) -> None:
    for takes in (True, False, False, True, False):
        watched.takes = takes
        watched.look()
    assert [line.split()[0] for line in watched.logged] == ["disk", "disk"]


def test_watch_over_an_eye_that_has_failed_leaves_the_log_to_the_keeper(watched: Watched) -> None:
    watched.eye.failed = True
    assert watched.look()["frames"] is Verdict.BAD
    assert watched.logged == []


def test_watch_before_the_camera_is_opened(watched: Watched) -> None:
    found = {finding.what: finding.verdict for finding in watched.watch.at_start()}
    assert found["frames"] is Verdict.UNKNOWN
    assert {"heat", "power", "disk", "clock"} <= set(found)


def test_watch_that_is_closed_reports_nothing(watched: Watched) -> None:
    watched.watch.close()
    watched.watch.start()
    for thread in threading.enumerate():
        if thread.name == "health":
            thread.join()
    assert watched.reported == []


@pytest.mark.parametrize(
    ("now_s", "told", "verdict"),
    [(0.0, False, Verdict.BAD), (2e9, True, Verdict.GOOD), (2e9, False, Verdict.UNKNOWN)],
    ids=["1970", "from the network", "nobody says"],
)
def test_clock(tmp_path: Path, now_s: float, told: bool, verdict: Verdict) -> None:
    mark = tmp_path / "synchronized"
    if told:
        mark.touch()
    assert health.clock(lambda: now_s, mark).verdict is verdict


@pytest.mark.parametrize(
    ("state", "age_s", "verdict"),
    [
        ("live", 0.1, Verdict.GOOD),
        ("live", 3.5, Verdict.BAD),
        ("live", None, Verdict.BAD),
        ("none", None, Verdict.UNKNOWN),
        ("none", 99.0, Verdict.UNKNOWN),
        ("failed", 0.1, Verdict.BAD),
    ],
)
def test_frames(state: str, age_s: float | None, verdict: Verdict) -> None:
    assert health.frames(state, age_s, 15.0).verdict is verdict


def test_camera_whose_pictures_come_far_apart_is_not_called_stale() -> None:
    finding = health.frames("live", 3.5, 0.2, patience_s=10.0)
    assert finding.verdict is Verdict.GOOD
    assert str(finding.text).startswith("0.2 pictures a second")
    assert health.frames("live", 10.5, 0.2, patience_s=10.0).verdict is Verdict.BAD


class Camera:
    """A camera that is open, as the watch looks at it."""

    live = True


def test_camera_that_never_gave_a_picture_is_not_called_good(watched: Watched) -> None:
    watched.eye.camera = Camera()  # type: ignore[assignment]
    assert watched.look()["frames"] is Verdict.BAD
    watched.eye.board_place.show(Frame(np.zeros((48, 64, 3), np.uint8), 0.0, 0), None)
    assert watched.look()["frames"] is Verdict.GOOD


@pytest.mark.parametrize(
    ("held", "unkept", "verdict", "said"),
    [
        pytest.param(
            {"exposure": (0.00998,), "gain": (2.0,), "white_balance": (1.9, 1.6)},
            (),
            Verdict.GOOD,
            "Locked: exposure 1/100 s, gain 2, white balance 1.9/1.6.",
            id="a Pi camera",
        ),
        pytest.param(
            {"exposure": (0.0156,), "white_balance": (4600.0,), "focus": (30.0,)},
            (),
            Verdict.GOOD,
            "Locked: exposure 1/64 s, gain not offered, white balance 4600 K.",
            id="a webcam without a gain",
        ),
        pytest.param(
            {"gain": (64.0,), "white_balance": ()},
            ("exposure",),
            Verdict.WARN,
            "Not all can be locked: exposure not kept, gain 64, white balance as metered. "
            "Keep the light as it is during a match.",
            id="automatic that stays on",
        ),
        pytest.param(
            {"exposure": (1.5,), "gain": (1.0,), "white_balance": (4600.0,)},
            ("focus",),
            Verdict.WARN,
            "Not all can be locked: exposure 1.5 s, gain 1, white balance 4600 K. "
            "The camera keeps refocusing; switch its autofocus off.",
            id="autofocus that stays on",
        ),
        pytest.param(
            {},
            (),
            Verdict.WARN,
            "Not all can be locked: exposure not offered, gain not offered, white balance not offered. "
            "Keep the light as it is during a match.",
            id="no dials",
        ),
    ],
)
def test_exposure(
    held: dict[str, tuple[float, ...]], unkept: tuple[str, ...], verdict: Verdict, said: str
) -> None:
    finding = health.exposure("locked", held, unkept)
    assert finding.verdict is verdict
    assert f"{finding.text} {finding.remedy}".strip() == said


@pytest.mark.parametrize(
    ("state", "verdict"),
    [("left", Verdict.GOOD), ("unreachable", Verdict.UNKNOWN), ("metering", Verdict.UNKNOWN)],
)
def test_exposure_that_is_not_locked(state: str, verdict: Verdict) -> None:
    assert health.exposure(state, {}, ()).verdict is verdict


def test_line_carries_the_remedy() -> None:
    finding = health.Finding("disk", Verdict.BAD, verbatim("Full."), verbatim("Delete something."))
    assert finding.line() == "disk     bad         Full. Delete something."


def test_pictures_are_counted_anew_after_the_camera_was_changed(watched: Watched) -> None:
    frame = Frame(np.zeros((48, 64, 3), np.uint8), 0.0, 0)
    for _ in range(5):
        watched.eye.board_place.show(frame, None)
    watched.look()
    watched.eye = Eye(lambda eye: None, lambda news: None, BoardPlace())
    watched.eye.board_place.show(frame, None)
    watched.eye.camera = camera = FolderCamera(THROWS / "03_south")
    camera.live = True  # as a live one is counted
    found = {one.what: one for one in watched.watch.look()}
    assert not str(found["frames"].text).startswith("-")
    assert found["frames"].verdict is Verdict.GOOD
