"""Devices of the capture process: USB camera, MJPEG stream, other streams, Pi camera.

`grab` takes the next frame off the device (and may block), `retrieve` returns the frame last grabbed as
(H, W, 3) uint8, blue first, `close` releases the device. `controls` is None where the controls are out of reach, as
a stream's are.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from sentence import say
from vision.capture.controls import PiControls, UsbControls
from vision.capture.lock import Controls
from vision.capture.source import without_secret
from vision.errors import CameraLost
from vision.frame import Bgr

if TYPE_CHECKING:
    import cv2

CONNECT_S = 2.0
"""Time limit for a stream's host to answer before the next attempt: back-off and connecting together stay under 5 s."""


class Device(Protocol):
    """A live source of frames."""

    @property
    def controls(self) -> Controls | None:
        """Its controls; None where they are out of reach."""

    def grab(self) -> None:
        """Take the next frame; CameraLost if there is none."""

    def retrieve(self) -> Bgr:
        """The frame last grabbed, (H, W, 3) uint8, blue first; CameraLost if it cannot be decoded."""

    def close(self) -> None:
        """Release the device."""


def open_device(source: str, width: int, height: int, fps: float, mains_hz: float) -> Device:
    """Open a camera number, `/dev/video…`, `picamera`, `picamera:1`, or a stream's URL.

    Args:
        source: the name.
        width, height, fps: requested of a camera, in pixels and frames a second; a stream is taken as it is.
        mains_hz: frequency of the mains that feed the lamps.

    Raises:
        CameraLost: the device is missing or does not answer.
    """
    if source == "picamera" or source.startswith("picamera:"):
        return PiCamera(int(source.partition(":")[2] or 0), width, height, fps, mains_hz)
    if "://" not in source:
        return UsbCamera(source, width, height, fps, mains_hz)
    if source.split("://")[0].lower() in {"http", "https"}:
        from vision.capture.mjpeg import MjpegStream, NotMjpeg

        try:
            return MjpegStream(source, CONNECT_S)
        except NotMjpeg:
            return Stream(source)
    return Stream(source)


class _Capture:
    """An OpenCV capture: the common part of USB cameras and streams."""

    controls: Controls | None = None

    def __init__(self, capture: "cv2.VideoCapture", name: str) -> None:
        self._capture = capture
        self._name = name
        if not capture.isOpened():
            capture.release()
            raise CameraLost(
                say("{name} cannot be opened; is it plugged in, switched on and not in other use?", name=name)
            )

    def grab(self) -> None:
        if not self._capture.grab():
            raise CameraLost(say("{name} has stopped sending pictures.", name=self._name))

    def retrieve(self) -> Bgr:
        sound, bgr = self._capture.retrieve()
        if not sound or bgr is None:
            raise CameraLost(say("{name} sends pictures that cannot be decoded.", name=self._name))
        return np.asarray(bgr, dtype=np.uint8)

    def close(self) -> None:
        self._capture.release()


class UsbCamera(_Capture):
    """A USB camera by number or device path."""

    def __init__(self, source: str, width: int, height: int, fps: float, mains_hz: float) -> None:
        device = f"/dev/video{source}" if source.isdigit() else source
        if not Path(device).exists():
            raise CameraLost(say("There is no camera {source}; is it plugged in?", source=source))
        import cv2

        capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
        if capture.isOpened():
            # Motion JPEG: raw 720p does not fit through USB 2 at 15 frames a second.
            capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
            capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
            capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
            capture.set(cv2.CAP_PROP_FPS, fps)
            capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        super().__init__(capture, f"Camera {source}")
        self.controls = UsbControls(capture, mains_hz)


class Stream(_Capture):
    """Any other stream that FFmpeg can read: RTSP, or video over HTTP."""

    def __init__(self, url: str) -> None:
        # OpenCV reads this when it opens: RTSP over TCP loses no packets; guessing the rate takes no seconds.
        os.environ.setdefault(
            "OPENCV_FFMPEG_CAPTURE_OPTIONS", "rtsp_transport;tcp|fflags;nobuffer|analyzeduration;500000"
        )
        import cv2

        # The read limit ends a wait that the parent does not see; the parent kills a silent child sooner.
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, 4000, cv2.CAP_PROP_READ_TIMEOUT_MSEC, 20_000]
        super().__init__(cv2.VideoCapture(url, cv2.CAP_FFMPEG, limits), f"The stream {without_secret(url)}")


class PiCamera:
    """The Raspberry Pi's own camera, through picamera2 (Raspberry Pi OS's package)."""

    def __init__(self, number: int, width: int, height: int, fps: float, mains_hz: float) -> None:
        try:
            from picamera2 import Picamera2
        except ImportError:
            raise CameraLost(
                say(
                    "picamera2 is not installed here: run 'sudo apt install python3-picamera2' on Raspberry "
                    "Pi OS, and make the environment with --system-site-packages."
                )
            ) from None
        if number >= len(Picamera2.global_camera_info()):
            raise CameraLost(
                say("No Pi camera is found; is the ribbon cable in, contacts towards the board?")
            )
        try:
            self._camera: Any = Picamera2(number)
        except (RuntimeError, IndexError) as error:  # picamera2 has no error types of its own
            raise CameraLost(say("The Pi camera cannot be opened: {why}.", why=str(error))) from None
        try:
            # "RGB888" is libcamera's name for bytes in the order blue, green, red.
            main = {"size": (width, height), "format": "RGB888"}
            wanted = self._camera.create_video_configuration(main=main, controls={"FrameRate": fps})
            self._camera.configure(wanted)
            self._camera.start()
        except (RuntimeError, ValueError) as error:
            self._camera.close()
            raise CameraLost(say("The Pi camera does not start: {why}.", why=str(error))) from None
        self.controls: Controls = PiControls(self._camera, mains_hz)
        self._bgr: Bgr | None = None

    def grab(self) -> None:
        try:
            array = self._camera.capture_array("main")
        except RuntimeError as error:
            raise CameraLost(say("The Pi camera has stopped: {why}.", why=str(error))) from None
        self._bgr = np.asarray(array, dtype=np.uint8)[:, :, :3]

    def retrieve(self) -> Bgr:
        if self._bgr is None:
            raise CameraLost(say("The Pi camera has sent no picture yet."))
        return np.ascontiguousarray(self._bgr)

    def close(self) -> None:
        self._camera.stop()
        self._camera.close()
