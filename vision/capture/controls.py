"""Controls of the cameras that can be set by program: the Pi's own through picamera2, USB cameras through V4L2.

Written from the documentation of libcamera, picamera2, OpenCV and V4L2, and tried on stand-ins with the same calls.
"""

from typing import TYPE_CHECKING, Any

from sentence import say
from vision.capture.lock import Lock, LockState, steady_s
from vision.errors import CameraLost

if TYPE_CHECKING:
    import cv2

KEPT = 0.08
"""Largest relative difference of a kept value when read back: steps of a Pi camera's gain are up to a sixteenth."""


def is_kept(wanted: tuple[float, ...], got: tuple[float, ...], step: float = 0.0) -> bool:
    """Whether the values read back equal those set, to within KEPT or one `step` of the control."""
    return len(wanted) == len(got) and all(
        abs(one - other) <= max(KEPT * abs(one), step) for one, other in zip(wanted, got, strict=True)
    )


_PI_KEYS = {"exposure": "ExposureTime", "gain": "AnalogueGain", "white_balance": "ColourGains"}


class PiControls:
    """Controls of a running `Picamera2`. Its exposures are in microseconds; monochrome cameras have no colour gains."""

    def __init__(self, camera: Any, mains_hz: float) -> None:
        self._camera = camera
        self._mains_hz = mains_hz
        self._reached: dict[str, Any] | None = None
        self._wanted: dict[str, Any] = {}
        self._refused = False

    def meter(self) -> None:
        """Return all controls to libcamera; the value 0 does so in versions without modes."""
        self._reached = None
        self._set({"AeEnable": True, "AwbEnable": True, "ExposureTimeMode": 0, "AnalogueGainMode": 0})
        if "ExposureTimeMode" not in self._camera.camera_controls:
            self._set({"ExposureTime": 0, "AnalogueGain": 0.0})

    def hold(self, scale: float) -> None:
        """Hold the metered values; where the exposure is rounded to whole pulses of a lamp, the gain compensates."""
        if self._reached is None:
            self._reached = self._metadata()
        reached = self._reached
        self._wanted = {key: reached[key] for key in _PI_KEYS.values() if key in reached}
        if "ExposureTime" in reached:
            light_us = reached["ExposureTime"] * scale
            steady_us = steady_s(light_us / 1e6, self._mains_hz) * 1e6
            self._wanted["ExposureTime"] = round(steady_us)
            if "AnalogueGain" in reached and steady_us > 0:
                self._wanted["AnalogueGain"] = self._gain(reached["AnalogueGain"] * light_us / steady_us)
        # From libcamera 0.5 on AeEnable alone is not always obeyed (picamera2 issue 1269): set the modes too.
        switches = {"AeEnable": False, "AwbEnable": False, "ExposureTimeMode": 1, "AnalogueGainMode": 1}
        self._refused = not self._set(switches | self._wanted)

    def _gain(self, gain: float) -> float:
        """Clip a gain to the sensor's range."""
        if "AnalogueGain" not in self._camera.camera_controls:
            return gain
        least, most = self._camera.camera_controls["AnalogueGain"][:2]
        return float(min(max(gain, least), most))

    def read(self) -> Lock:
        """The settings of the newest picture."""
        got = self._metadata()
        held: dict[str, tuple[float, ...]] = {}
        unkept = []
        for part, key in _PI_KEYS.items():
            if key not in self._wanted or key not in self._camera.camera_controls:
                continue
            returned = _numbers(got[key]) if key in got else ()
            if not self._refused and is_kept(_numbers(self._wanted[key]), returned):
                held[part] = tuple(number / 1e6 for number in returned) if part == "exposure" else returned
            else:
                unkept.append(part)
        return Lock(LockState.LOCKED, held, tuple(unkept))

    def _metadata(self) -> dict[str, Any]:
        try:
            return dict(self._camera.capture_metadata())
        except RuntimeError as error:
            raise CameraLost(say("The Pi camera has stopped: {why}.", why=str(error))) from None

    def _set(self, controls: dict[str, Any]) -> bool:
        """Set those controls that this camera and libcamera have (picamera2 refuses any other); False if it refused."""
        known = {key: value for key, value in controls.items() if key in self._camera.camera_controls}
        try:
            self._camera.set_controls(known)
        except RuntimeError:
            return False  # pictures matter more: it goes on metering, and `read` reports all parts as unkept
        return True


def _numbers(value: Any) -> tuple[float, ...]:
    return tuple(map(float, value)) if isinstance(value, tuple | list) else (float(value),)


_UNIT_S = 1e-4
"""Unit of V4L2's exposures: 100 microseconds."""
_NOT_THERE = -1.0
"""OpenCV's value of a control that a camera does not have."""


class UsbControls:
    """Controls of an open V4L2 capture. The settings stay in the camera after closing, until it is unplugged."""

    def __init__(self, capture: "cv2.VideoCapture", mains_hz: float) -> None:
        import cv2

        self._capture = capture
        self._mains_hz = mains_hz
        self._value = {
            "exposure": cv2.CAP_PROP_EXPOSURE,
            "gain": cv2.CAP_PROP_GAIN,
            "white_balance": cv2.CAP_PROP_WB_TEMPERATURE,
            "focus": cv2.CAP_PROP_FOCUS,
        }
        # Automatic of each part: its property, the value for off, the values for on (the second if the first fails).
        # V4L2's exposure modes: 1 manual, 3 automatic with fixed aperture (all that webcams have), 0 automatic.
        self._automatic = {
            "exposure": (cv2.CAP_PROP_AUTO_EXPOSURE, 1.0, (3.0, 0.0)),
            "white_balance": (cv2.CAP_PROP_AUTO_WB, 0.0, (1.0,)),
            "focus": (cv2.CAP_PROP_AUTOFOCUS, 0.0, (1.0,)),
        }
        self._reached: dict[str, float] | None = None
        self._wanted: dict[str, float] = {}

    def meter(self) -> None:
        """Switch on every automatic that the camera has."""
        self._reached = None
        for prop, _, on in self._automatic.values():
            if self._capture.get(prop) != _NOT_THERE:
                any(self._capture.set(prop, value) for value in on)

    def hold(self, scale: float) -> None:
        """Switch the automatics off, then set the metered values; most cameras accept a value only in this order."""
        if self._reached is None:
            self._reached = {part: self._capture.get(prop) for part, prop in self._value.items()}
        self._wanted = {part: value for part, value in self._reached.items() if value != _NOT_THERE}
        if "exposure" in self._wanted:
            steady = steady_s(self._wanted["exposure"] * scale * _UNIT_S, self._mains_hz)
            self._wanted["exposure"] = float(max(1, round(steady / _UNIT_S)))
        for prop, off, _ in self._automatic.values():
            if self._capture.get(prop) != _NOT_THERE:
                self._capture.set(prop, off)
        for part, value in self._wanted.items():
            self._capture.set(self._value[part], value)

    def read(self) -> Lock:
        """The camera's present settings; a white balance without a temperature is held by its switch alone."""
        held: dict[str, tuple[float, ...]] = {}
        unkept = []
        for part, prop in self._value.items():
            switch, off, _ = self._automatic.get(part, (None, 0.0, ()))
            now = _NOT_THERE if switch is None else self._capture.get(switch)
            if part not in self._wanted and now == _NOT_THERE:
                continue
            wanted = (self._wanted[part],) if part in self._wanted else ()
            got = (self._capture.get(prop),) if wanted else ()
            if now in (off, _NOT_THERE) and is_kept(wanted, got, step=1.0):
                held[part] = tuple(value * _UNIT_S for value in got) if part == "exposure" else got
            else:
                unkept.append(part)
        return Lock(LockState.LOCKED, held, tuple(unkept))
