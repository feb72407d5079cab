"""Where frames come from: one seam for cameras, streams, video files and folders of pictures."""

import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

import numpy as np

from vision.devices import without_secret
from vision.errors import BadSource, CameraLost
from vision.frame import Frame
from vision.picture import SUFFIXES, load_picture

FOLDER_FPS = 5.0


class Camera(Protocol):
    """A source of frames.

    Attributes:
        name: as the user named it.
        live: it runs on by itself, may drop frames, and may come back after a loss.
    """

    name: str
    live: bool

    def frames(self) -> Iterator[Frame]:
        """The frames in order; ends with the source. CameraLost where a live source gives none."""

    def close(self) -> None:
        """Let go of the source."""


class FolderCamera:
    """The pictures of a folder, in the order of their names, at a steady pace; a single picture is one frame."""

    live = False

    def __init__(self, folder: str | Path, fps: float = FOLDER_FPS) -> None:
        """Look at the folder; BadSource where it holds no picture or the pace is no pace."""
        self.name = str(folder)
        if not 0 < fps <= 1000:
            raise BadSource(f"{fps:g} frames a second is no pace.")
        self._fps = fps
        self._files = _pictures(Path(folder))
        if not self._files:
            raise BadSource(f"There are no pictures in the folder {folder}.")

    def frames(self) -> Iterator[Frame]:
        """Every picture once; BadPicture at one that is damaged."""
        for number, file in enumerate(self._files):
            yield Frame(load_picture(file), number / self._fps, number)

    def close(self) -> None:
        """Nothing is held open."""


def _pictures(place: Path) -> list[Path]:
    """The pictures in a folder by their names, or the one picture that is meant."""
    if not place.is_dir():
        return [place]
    try:
        found = [file for file in place.iterdir() if file.suffix.lower() in SUFFIXES]
    except OSError as error:
        raise BadSource(f"The folder {place} cannot be read: {error.strerror or error}.") from None
    return sorted(found, key=lambda file: file.name)


class VideoFile:
    """The frames of a video file, with the file's own times."""

    live = False

    def __init__(self, file: str | Path) -> None:
        """Open the file; BadSource where it is no video."""
        import cv2

        self.name = str(file)
        cv2.utils.logging.setLogLevel(
            cv2.utils.logging.LOG_LEVEL_SILENT
        )  # a file that is no video is said by us, in one sentence
        self._capture = cv2.VideoCapture(str(file))
        if not self._capture.isOpened():
            raise BadSource(f"{file} is neither a video nor a folder of pictures.")
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self._fps = fps if 0 < fps <= 1000 else 25.0

    def frames(self) -> Iterator[Frame]:
        """Every frame once; BadSource where the file holds none."""
        import cv2

        number, last_s = 0, 0.0
        while True:
            sound, bgr = self._capture.read()
            if not sound or bgr is None:
                break
            at_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            if number and not last_s < at_s < last_s + 10:  # containers without times count frames instead
                at_s = last_s + 1 / self._fps
            last_s = at_s if number else 0.0
            yield Frame(np.asarray(bgr, dtype=np.uint8), last_s, number)
            number += 1
        if number == 0:
            raise BadSource(f"There are no pictures in the video {self.name}.")

    def close(self) -> None:
        """Close the file."""
        self._capture.release()


def open_camera(
    source: str,
    *,
    fps: float | None = None,
    width: int = 1280,
    height: int = 720,
    live_fps: float = 15.0,
    lock: bool = True,
    mains_hz: float = 50.0,
) -> Camera:
    """The camera that a name means: a number, `/dev/video…`, `picamera`, a stream's URL, a file, a folder.

    Args:
        source: the name.
        fps: the pace of a folder of pictures, frames a second; 5 if left out.
        width, height: asked of a live camera, in pixels.
        live_fps: a live camera's frames beyond this are dropped.
        lock: a live camera's exposure, gain and white balance are held once they have been metered.
        mains_hz: of the electricity that feeds the lamps.

    Raises:
        BadSource: the name means nothing that is there.
    """
    if is_live(source):
        from vision.capture import LiveCamera
        from vision.grab import Wanted

        return LiveCamera(Wanted(source, width, height, live_fps, lock, mains_hz))
    path = Path(source)
    if not source:
        raise BadSource("No camera, file or folder is named.")
    if path.is_dir() or (path.is_file() and path.suffix.lower() in SUFFIXES):
        return FolderCamera(path, FOLDER_FPS if fps is None else fps)
    if path.is_file():
        return VideoFile(path)
    raise BadSource(f"There is no camera, file or folder {source}.")


def is_live(source: str) -> bool:
    """Does the name mean a camera or a stream?

    Raises:
        BadSource: an address of a kind that nobody can read.
    """
    if "://" in source:
        scheme = source.split("://")[0].lower()
        if scheme not in {"http", "https", "rtsp", "rtsps", "rtmp", "tcp", "udp"}:
            raise BadSource(f"A camera's address begins with http:// or rtsp://, not with {scheme}://.")
        if not _is_address(source):
            raise BadSource(
                f"{without_secret(source)} is no address; one looks like http://192.168.1.20:8080/video."
            )
        return True
    number = source.removeprefix("picamera:")
    if source == "picamera" or (source != number and number.isdigit()):
        return True
    return (source.isascii() and source.isdigit()) or source.startswith("/dev/video")


def _is_address(url: str) -> bool:
    """Is there a host in it, and is its port one?"""
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:  # brackets that do not close, a port that is no number
        return False


def paced(frames: Iterable[Frame], stop: threading.Event, speed: float = 1.0) -> Iterator[Frame]:
    """Recorded frames at the pace of their times, `speed` times as fast; ends early when `stop` is set.

    None is dropped: a reader that is slower than the recording slows it down, and after a pause of more than
    a second it goes on from there.
    """
    last_s: float | None = None
    due_s = time.monotonic()
    for frame in frames:
        due_s = max(due_s, time.monotonic() - 1.0) + (
            0.0 if last_s is None else (frame.at_s - last_s) / speed
        )
        last_s = frame.at_s
        if stop.wait(max(0.0, due_s - time.monotonic())):
            return
        yield frame


def find_camera() -> str | None:
    """The name of a camera that is plugged in, the Pi's own before a USB camera; None without any."""
    from importlib.util import find_spec

    if find_spec("picamera2") is not None and _has_pi_camera():
        return "picamera"
    for node in sorted(Path("/sys/class/video4linux").glob("video*"), key=lambda node: int(node.name[5:])):
        driver = node / "device" / "driver"
        index = node / "index"
        # A Pi shows a dozen video nodes for its codecs; a USB camera shows two, the first with pictures.
        if driver.resolve().name == "uvcvideo" and index.read_text().strip() == "0":
            return node.name[5:]
    return None


def _has_pi_camera() -> bool:
    """Ask picamera2 in a process of its own: importing it here would take seconds and threads."""
    import subprocess
    import sys

    ask = "from picamera2 import Picamera2; print(len(Picamera2.global_camera_info()))"
    try:
        answer = subprocess.run(
            [sys.executable, "-c", ask], capture_output=True, text=True, timeout=20, check=False
        )
    except subprocess.TimeoutExpired as late:
        raise CameraLost("picamera2 does not answer within 20 s.") from late
    return answer.stdout.strip().isdigit() and int(answer.stdout) > 0
