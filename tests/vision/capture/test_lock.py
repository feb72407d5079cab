"""Exposure, gain and white balance: metered, held, read back; dials that refuse, forget or are not there."""

import json
from collections.abc import Callable
from itertools import pairwise

import cv2
import numpy as np
import pytest

from tests.support.standin.picamera2 import METERED, Picamera2
from vision.capture.controls import PiControls, UsbControls
from vision.capture.lock import CHECK_S, FAR_S, FIRST_PAUSE_S, METER_S, Lock, Locker, LockState, steady_s
from vision.frame import Bgr

FPS = 15.0


class Room:
    """A camera before a grey wall, with dials that hold what they are told and a lamp that can be turned."""

    def __init__(self, bias: float = 1.0) -> None:
        self.light = 1.0
        self.at_s = 0.0
        self.told: list[Lock] = []
        self.metered_s: list[float] = []
        self.reading = Lock(LockState.LOCKED, {"exposure": (0.01,)})
        self._bias = bias  # the exposure that it names while metering is so many times the one that it uses
        self._reached: float | None = None
        self._exposure: float | None = None

    def meter(self) -> None:
        self.metered_s.append(self.at_s)
        self._reached = self._exposure = None

    def hold(self, scale: float) -> None:
        if self._reached is None:
            self._reached = self._bias / self.light
        self._exposure = self._reached * scale

    def read(self) -> Lock:
        return self.reading

    def level(self) -> float:
        exposed = 1.0 if self._exposure is None else self.light * self._exposure
        return min(255.0, 110 * exposed ** (1 / 2.2))

    def pass_by(self, locker: Locker, for_s: float, level: float | None = None) -> None:
        """Show the camera's pictures for a while, or others in their place."""
        until_s = self.at_s + for_s
        while self.at_s < until_s:
            self.at_s += 1 / FPS
            locker.see(picture(self.level() if level is None else level), self.at_s)

    def states(self) -> list[LockState]:
        return [lock.state for lock in self.told]


def picture(level: float) -> Bgr:
    return np.full((48, 64, 3), round(level), np.uint8)


def locked(room: Room) -> Locker:
    locker = Locker(room, True, room.told.append)
    room.pass_by(locker, 4.0)
    assert room.told[-1].state is LockState.LOCKED
    return locker


def test_camera_meters_then_holds_and_is_read_back() -> None:
    room = Room()
    locker = Locker(room, True, room.told.append)
    room.pass_by(locker, METER_S)
    assert room.told == [Lock(LockState.METERING)]
    room.pass_by(locker, 2.0)
    assert room.told == [Lock(LockState.METERING), room.reading]
    assert room.metered_s == [0.0]


@pytest.mark.parametrize("bias", [0.2, 0.5, 3.0], ids=["much too dark", "too dark", "too bright"])
def test_exposure_misnamed_by_the_camera_is_put_right(bias: float) -> None:
    room = Room(bias)
    locked(room)
    assert room.level() == pytest.approx(110, rel=0.25)


@pytest.mark.parametrize("light", [0.1, 20.0], ids=["lamp out", "sun in"])
def test_light_that_has_changed_for_good_is_metered_anew(light: float) -> None:
    room = Room()
    locker = locked(room)
    room.light = light
    room.pass_by(locker, FIRST_PAUSE_S + FAR_S)
    assert room.states() == [LockState.METERING, LockState.LOCKED] * 2
    assert room.level() == pytest.approx(110, rel=0.25)


@pytest.mark.parametrize(("light", "for_s"), [(0.1, 3.0), (0.4, 60.0)], ids=["a sleeve", "a cloud"])
def test_what_passes_or_does_little_changes_nothing(light: float, for_s: float) -> None:
    room = Room()
    locker = locked(room)
    room.pass_by(locker, 20.0)
    room.light = light
    room.pass_by(locker, for_s)
    room.light = 1.0
    room.pass_by(locker, 20.0)
    assert room.metered_s == [0.0]


def test_restless_light_does_not_make_the_camera_restless() -> None:
    room = Room()
    locker = locked(room)
    for n in range(120):
        room.light = (0.05, 1.0)[n % 2]
        room.pass_by(locker, 8.0)
    pauses = [later - former for former, later in pairwise(room.metered_s)]
    assert 6 <= len(pauses) <= 11
    assert all(later > 1.3 * former for former, later in pairwise(pauses[1:5]))


def test_covered_lens_is_not_metered() -> None:
    room = Room()
    locker = Locker(room, True, room.told.append)
    room.pass_by(locker, 10.0, level=3)
    assert room.states() == [LockState.METERING]
    room.pass_by(locker, 4.0)
    room.pass_by(locker, 60.0, level=3)
    assert room.metered_s == [0.0]


def test_what_is_lost_later_is_told_once() -> None:
    room = Room()
    locker = locked(room)
    room.reading = Lock(LockState.LOCKED, {}, ("exposure",))
    room.pass_by(locker, 3 * CHECK_S)
    assert room.told[2:] == [room.reading]


@pytest.mark.parametrize(
    ("dials", "wanted", "state"),
    [(True, False, LockState.LEFT), (False, False, LockState.LEFT), (False, True, LockState.OUT_OF_REACH)],
    ids=["not wanted", "stream not wanted", "stream"],
)
def test_camera_that_is_not_to_be_locked_is_left_alone(dials: bool, wanted: bool, state: LockState) -> None:
    room = Room()
    locker = Locker(room if dials else None, wanted, room.told.append)
    room.pass_by(locker, 5.0)
    assert room.told == [Lock(state)]
    assert room.metered_s == []


@pytest.mark.parametrize(
    ("exposure_ms", "mains_hz", "steady_ms"),
    [(2, 50, 2), (9.9, 50, 9.9), (12, 50, 10), (24, 50, 20), (33, 50, 30), (24, 60, 25), (9, 60, 8.333)],
)
def test_exposure_takes_in_whole_pulses_of_the_lamp(
    exposure_ms: float, mains_hz: float, steady_ms: float
) -> None:
    assert steady_s(exposure_ms / 1000, mains_hz) == pytest.approx(steady_ms / 1000, rel=1e-3)


class TestLock:
    def test_it_travels(self) -> None:
        lock = Lock(
            LockState.LOCKED, {"exposure": (0.01,), "white_balance": (1.9, 1.6), "focus": ()}, ("gain",)
        )
        assert Lock.from_json(lock.to_json()) == lock

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "[1]",
            "null",
            "\ufffd\ufffd",
            json.dumps(["open", {}, []]),
            json.dumps(["locked", [], []]),
            json.dumps(["locked", {"smell": [1]}, []]),
            json.dumps(["locked", {"gain": 1}, []]),
            json.dumps(["locked", {"gain": ["a"]}, []]),
            '["locked", {"gain": [NaN]}, []]',
            json.dumps(["locked", {}, [["gain"]]]),
            "[" * 5000,
        ],
    )
    def test_nonsense_is_refused(self, text: str) -> None:
        with pytest.raises(ValueError, match=r"."):
            Lock.from_json(text)


class TestPi:
    @pytest.fixture
    def opened(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], tuple[Picamera2, PiControls]]:
        def make(does: str = "ok") -> tuple[Picamera2, PiControls]:
            monkeypatch.setenv("STANDIN_CAMERA", does)
            monkeypatch.setattr(Picamera2, "pace_s", 0.0)
            camera = Picamera2()
            camera.configure(camera.create_video_configuration({"size": (64, 48), "format": "RGB888"}))
            camera.start()
            return camera, PiControls(camera, 50)

        return make

    @pytest.mark.parametrize("does", ["ok", "old"])
    def test_it_holds_what_it_reached(
        self, opened: Callable[..., tuple[Picamera2, PiControls]], does: str
    ) -> None:
        camera, controls = opened(does)
        controls.meter()
        controls.hold(1.0)
        lock = controls.read()
        # 24 ms become two pulses of a lamp, 20 ms, and the gain makes up for them.
        assert lock.held["exposure"] == (pytest.approx(0.020, rel=0.01),)
        assert lock.held["gain"] == (pytest.approx(2.4),)
        assert lock.held["white_balance"] == METERED["ColourGains"]
        assert lock.unkept == ()
        camera.light = 3.0
        assert controls.read() == lock

    @pytest.mark.parametrize("does", ["ok", "old"])
    def test_it_is_let_go_to_meter_again(
        self, opened: Callable[..., tuple[Picamera2, PiControls]], does: str
    ) -> None:
        camera, controls = opened(does)
        controls.hold(1.0)
        camera.light = 2.0
        controls.meter()
        assert camera.capture_metadata()["ExposureTime"] == 12_000
        controls.hold(1.0)
        assert controls.read().held["exposure"] == (pytest.approx(0.010, rel=0.01),)

    @pytest.mark.parametrize(
        ("does", "held", "unkept"),
        [
            ("mono", {"exposure", "gain"}, set()),
            ("bare", {"exposure", "white_balance"}, set()),
            ("deaf", set(), {"exposure", "gain", "white_balance"}),
            ("stubborn", {"white_balance"}, {"exposure", "gain"}),
        ],
    )
    def test_what_it_does_not_hold_is_named(
        self, opened: Callable[..., tuple[Picamera2, PiControls]], does: str, held: set[str], unkept: set[str]
    ) -> None:
        _, controls = opened(does)
        controls.meter()
        controls.hold(1.0)
        lock = controls.read()
        assert lock.held.keys() == held
        assert set(lock.unkept) == unkept

    def test_gain_stays_within_the_sensor_s(
        self, opened: Callable[..., tuple[Picamera2, PiControls]]
    ) -> None:
        camera, controls = opened()
        camera.light = 24 / 15  # 15 ms become 20 ms, and a gain of 1.5
        controls.hold(0.5)  # of 7.5 ms, which stay
        assert camera.set["AnalogueGain"] == 2.0
        camera.set_controls({"AeEnable": True, "ExposureTimeMode": 0})
        controls.meter()
        camera.light = 24 / 150
        controls.hold(20)
        assert 1.0 <= camera.set["AnalogueGain"] <= 16.0


AUTO, BY_HAND = 3.0, 1.0


DIALS = {
    cv2.CAP_PROP_AUTO_EXPOSURE: AUTO,
    cv2.CAP_PROP_EXPOSURE: 156.0,
    cv2.CAP_PROP_GAIN: 64.0,
    cv2.CAP_PROP_AUTO_WB: 1.0,
    cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
    cv2.CAP_PROP_AUTOFOCUS: 1.0,
    cv2.CAP_PROP_FOCUS: 30.0,
}
RULED_BY = {
    cv2.CAP_PROP_EXPOSURE: (cv2.CAP_PROP_AUTO_EXPOSURE, BY_HAND),
    cv2.CAP_PROP_WB_TEMPERATURE: (cv2.CAP_PROP_AUTO_WB, 0.0),
    cv2.CAP_PROP_FOCUS: (cv2.CAP_PROP_AUTOFOCUS, 0.0),
}


class Webcam:
    """An OpenCV capture on a V4L2 camera: what it has not reads -1 and cannot be set, and while an automatic is on its
    value cannot be set either."""

    def __init__(self, lacks: tuple[int, ...] = (), forgets: tuple[int, ...] = ()) -> None:
        self.now = {prop: value for prop, value in DIALS.items() if prop not in lacks}
        self._forgets = forgets

    def get(self, prop: int) -> float:
        return self.now.get(prop, -1.0)

    def set(self, prop: int, value: float) -> bool:
        if prop not in self.now or value != int(value):
            return False
        if prop == cv2.CAP_PROP_AUTO_EXPOSURE and value not in (AUTO, BY_HAND):
            return False  # a webcam has no aperture to set
        switch, off = RULED_BY.get(prop, (None, 0.0))
        if switch in self.now and self.now[switch] != off:
            return False
        if prop not in self._forgets:
            self.now[prop] = value
        return True


def usb(webcam: Webcam) -> UsbControls:
    return UsbControls(webcam, 50)  # type: ignore[arg-type]


class TestUsb:
    def test_it_holds_what_it_reached(self) -> None:
        webcam = Webcam()
        controls = usb(webcam)
        controls.meter()
        controls.hold(1.0)
        assert controls.read() == Lock(
            LockState.LOCKED,
            {"exposure": (0.02,), "gain": (64.0,), "white_balance": (4600.0,), "focus": (30.0,)},
        )
        assert webcam.now[cv2.CAP_PROP_AUTO_EXPOSURE] == BY_HAND
        controls.meter()
        assert webcam.now[cv2.CAP_PROP_AUTO_EXPOSURE] == AUTO
        assert webcam.now[cv2.CAP_PROP_AUTO_WB] == webcam.now[cv2.CAP_PROP_AUTOFOCUS] == 1.0

    def test_lock_that_is_left_from_last_time_is_taken_off_first(self) -> None:
        webcam = Webcam()
        usb(webcam).hold(1.0)
        webcam.set(cv2.CAP_PROP_EXPOSURE, 2000)
        usb(webcam).meter()
        assert webcam.now[cv2.CAP_PROP_AUTO_EXPOSURE] == AUTO

    @pytest.mark.parametrize(
        ("webcam", "held", "unkept"),
        [
            pytest.param(
                Webcam(lacks=(cv2.CAP_PROP_GAIN, cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_FOCUS)),
                {"exposure", "white_balance"},
                set(),
                id="no gain, no focus",
            ),
            pytest.param(Webcam(lacks=tuple(DIALS)), set(), set(), id="no dials at all"),
            pytest.param(
                Webcam(lacks=(cv2.CAP_PROP_WB_TEMPERATURE,)),
                {"exposure", "gain", "white_balance", "focus"},
                set(),
                id="a switch for the white balance alone",
            ),
            pytest.param(
                Webcam(forgets=(cv2.CAP_PROP_AUTO_EXPOSURE,)),
                {"gain", "white_balance", "focus"},
                {"exposure"},
                id="automatic that stays on",
            ),
            pytest.param(
                Webcam(forgets=(cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_AUTOFOCUS)),
                {"gain", "white_balance"},
                {"exposure", "focus"},
                id="exposure that does not move, focus that does",
            ),
        ],
    )
    def test_what_it_does_not_hold_is_named(self, webcam: Webcam, held: set[str], unkept: set[str]) -> None:
        controls = usb(webcam)
        controls.meter()
        controls.hold(1.0)
        lock = controls.read()
        assert lock.held.keys() == held
        assert set(lock.unkept) == unkept

    def test_exposure_is_put_right_in_whole_units(self) -> None:
        webcam = Webcam()
        controls = usb(webcam)
        controls.hold(1.0)
        controls.hold(0.1)
        assert controls.read().held["exposure"] == (pytest.approx(0.0016),)
