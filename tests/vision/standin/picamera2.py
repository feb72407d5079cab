"""A stand-in for Raspberry Pi OS's picamera2: the same calls, refusing what the real one refuses.

What it does is set by the environment variable STANDIN_CAMERA: `ok` (or nothing), `none` (no camera is
found), `busy` (it cannot be opened), `fails` (it stops after the third picture), `narrow` (refuses its
configuration). The real library has not been run in these tests.
"""

import os
import time
from typing import Any

import numpy as np

_DOES = os.environ.get("STANDIN_CAMERA", "ok")


class Picamera2:
    """One camera with the calls that the companion makes."""

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        return [] if _DOES == "none" else [{"Model": "standin", "Num": 0}]

    def __init__(self, camera_num: int = 0) -> None:
        if camera_num >= len(self.global_camera_info()):
            raise IndexError("list index out of range")
        if _DOES == "busy":
            raise RuntimeError("Failed to acquire camera: Device or resource busy")
        self._wanted: dict[str, Any] | None = None
        self._running = False
        self._taken = 0

    def create_video_configuration(
        self, main: dict[str, Any], controls: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        if _DOES == "narrow":
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

    def capture_array(self, name: str) -> np.ndarray:
        assert self._running
        assert name == "main"
        self._taken += 1
        if _DOES == "fails" and self._taken > 3:
            raise RuntimeError("Camera frontend has timed out!")
        time.sleep(1 / 30)
        assert self._wanted is not None
        width, height = self._wanted["main"]["size"]
        picture = np.zeros((height, width, 3), np.uint8)
        picture[:] = (200, 100, 50)  # blue first, as the real "RGB888" lies
        return picture

    def stop(self) -> None:
        self._running = False

    def close(self) -> None:
        assert not self._running
