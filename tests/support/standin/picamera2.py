"""A stand-in for Raspberry Pi OS's picamera2, with the same calls and refusals as the real one.

The environment variable STANDIN_CAMERA selects its behaviour: `ok` (or nothing), `none` (no camera is
found), `busy` (it cannot be opened), `fails` (it stops after the third picture), `narrow` (refuses its
configuration), `old` (a libcamera without modes for exposure and gain), `mono` (no colours, so no white balance),
`bare` (metadata without the gain), `deaf` (refuses every control), `stubborn` (takes them and goes on
metering). These tests do not run the real library.
"""

import os
import time
from typing import Any

import numpy as np

METERED = {"ExposureTime": 24_000, "AnalogueGain": 2.0, "ColourGains": (1.9, 1.6)}
"""Result of its own metering in the initial light: exposure in µs, gain, gains of red and blue."""


def _does() -> str:
    return os.environ.get("STANDIN_CAMERA", "ok")


class Picamera2:
    """One camera with the calls that the companion makes, before a white wall."""

    pace_s = 1 / 30

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return [] if _does() == "none" else [{"Model": "standin", "Num": 0}]

    def __init__(self, camera_num: int = 0) -> None:
        if camera_num >= len(self.global_camera_info()):
            raise IndexError("list index out of range")
        self._does = _does()
        if self._does == "busy":
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        self._wanted: dict[str, Any] | None = None
        self._running = False
        self._taken = 0
        self.light = 1.0
        self.set: dict[str, Any] = {"AeEnable": True, "AwbEnable": True}

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        """Each control with its minimum, maximum and default."""
        known: dict[str, tuple[Any, Any, Any]] = {
            "AeEnable": (False, True, True),
            "ExposureTime": (75, 11_000_000, 20_000),
            "AnalogueGain": (1.0, 16.0, 1.0),
        }
        if self._does != "mono":
            known |= {"AwbEnable": (False, True, None), "ColourGains": (0.0, 32.0, None)}
        if self._does != "old":
            known |= {"ExposureTimeMode": (0, 1, 0), "AnalogueGainMode": (0, 1, 0)}
        return known

    def set_controls(self, controls: dict[str, Any]) -> None:
        strange = controls.keys() - self.camera_controls.keys()
        if strange or self._does == "deaf":
            raise RuntimeError(f"Control {min(strange or controls)} is not advertised by libcamera")
        self.set |= controls

    def capture_metadata(self) -> dict[str, Any]:
        assert self._running
        metadata = METERED | {
            "ExposureTime": METERED["ExposureTime"] / self.light,
            "SensorTimestamp": self._taken,
        }
        if self._is_fixed():
            metadata |= {
                key: value for key, value in self.set.items() if key in ("ExposureTime", "AnalogueGain")
            }
            metadata["ExposureTime"] = metadata["ExposureTime"] // 19 * 19  # a sensor counts in lines
        if not self.set["AwbEnable"] and self._does != "stubborn":
            metadata["ColourGains"] = self.set["ColourGains"]
        if self._does == "bare":
            del metadata["AnalogueGain"]
        if self._does == "mono":
            del metadata["ColourGains"]
        return metadata

    def create_video_configuration(
        self, main: dict[str, Any], controls: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        if self._does == "narrow":
            raise RuntimeError("lores stream dimensions may not exceed main stream")
        assert set(main) == {"size", "format"}
        assert main["format"] == "RGB888"
        return {"main": main, "controls": controls or {}}

    def configure(self, wanted: dict[str, Any]) -> None:
        assert not self._running
        self._wanted = wanted

    def start(self) -> None:
        assert self._wanted is not None
        self._running = True

    def _is_fixed(self) -> bool:
        """Whether exposure and gain are manual: in an old libcamera if they are not 0, in a new one by their mode."""
        if self._does == "old":
            return bool(self.set.get("ExposureTime"))
        return self._does != "stubborn" and self.set.get("ExposureTimeMode") == 1

    def capture_array(self, name: str) -> np.ndarray:
        assert self._running
        assert name == "main"
        self._taken += 1
        if self._does == "fails" and self._taken > 3:
            raise RuntimeError("Camera frontend has timed out!")
        time.sleep(self.pace_s)
        assert self._wanted is not None
        width, height = self._wanted["main"]["size"]
        picture = np.zeros((height, width, 3), np.uint8)
        picture[:] = (200, 100, 50)  # blue first, as in the real "RGB888"
        return np.clip(picture * self._exposed() ** (1 / 2.2), 0, 255).astype(np.uint8)

    def _exposed(self) -> float:
        """The exposure as a part of the metered one."""
        metadata = METERED | self.capture_metadata()
        wanted = METERED["ExposureTime"] * METERED["AnalogueGain"]
        return float(self.light * metadata["ExposureTime"] * metadata["AnalogueGain"] / wanted)

    def stop(self) -> None:
        self._running = False

    def close(self) -> None:
        assert not self._running
