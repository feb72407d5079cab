"""Sources of frames: one interface for cameras, streams, video files and folders of pictures."""

import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

import numpy as np

from vision.capture.containers import is_cut_off
from vision.capture.picture import SUFFIXES, load_picture
from vision.capture.source import is_live
from vision.errors import BadPicture, BadSource
from vision.frame import Frame

FOLDER_FPS = 5.0


class Camera(Protocol):
    """A source of frames.

    Attributes:
        name: as the user gave it.
        live: runs on by itself, may drop frames, and may come back after a loss.
    """

    name: str
    live: bool

    def frames(self) -> Iterator[Frame]:
        """The frames in order, until the source ends; CameraLost when a live source delivers none."""

    def close(self) -> None:
        """Release the source."""


class FolderCamera:
    """Pictures of a folder, sorted by name, at a steady frame rate; a single picture is one frame."""

    live = False

    def __init__(self, folder: str | Path, fps: float = FOLDER_FPS) -> None:
        """List the folder; BadSource if it holds no picture or `fps` is not in (0, 1000]."""
        self.name = str(folder)
        if not 0 < fps <= 1000:
            raise BadSource(f"{fps:g} frames a second is no pace.")
        self._fps = fps
        self._files = _pictures(Path(folder))
        self._next = 0
        if not self._files:
            raise BadSource(f"There are no pictures in the folder {folder}.")

    def frames(self) -> Iterator[Frame]:
        """Each picture once; BadPicture at a damaged one, after which another call gives those behind it."""
        while self._next < len(self._files):
            number = self._next
            self._next += 1
            yield Frame(load_picture(self._files[number]), number / self._fps, number)

    def close(self) -> None:
        """Do nothing: no file stays open."""


def _pictures(place: Path) -> list[Path]:
    """The pictures of a folder sorted by name, or the single picture `place`."""
    if not place.is_dir():
        return [place]
    try:
        found = [file for file in place.iterdir() if file.suffix.lower() in SUFFIXES and not file.is_dir()]
    except OSError as error:
        raise BadSource(f"The folder {place} cannot be read: {error.strerror or error}.") from None
    return sorted(found, key=lambda file: file.name)


class VideoFile:
    """Frames of a video file, with the file's own times."""

    live = False

    def __init__(self, file: str | Path) -> None:
        """Open the file; BadSource if it is no video."""
        import cv2

        self.name = str(file)
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # BadSource reports the fault
        self._capture = cv2.VideoCapture(str(file))
        if not self._capture.isOpened():
            raise BadSource(f"{file} is neither a video nor a folder of pictures.")
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self._fps = fps if 0 < fps <= 1000 else 25.0
        self._ended = False

    def frames(self) -> Iterator[Frame]:
        """Each frame once; BadSource if the file holds none, BadPicture behind the last one of a video cut off."""
        import cv2

        number, last_s = 0, 0.0
        while not self._ended:
            sound, bgr = self._capture.read()
            if not sound or bgr is None:
                break
            at_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            if number and not last_s < at_s < last_s + 10:  # the container has no times: count frames
                at_s = last_s + 1 / self._fps
            last_s = at_s if number else 0.0
            yield Frame(np.asarray(bgr, dtype=np.uint8), last_s, number)
            number += 1
        if self._ended:
            return
        if number == 0:
            raise BadSource(f"There are no pictures in the video {self.name}.")
        self._ended = True
        if is_cut_off(Path(self.name)):
            raise BadPicture(f"The video {self.name} is cut off; it ends after {last_s:.1f} s.")

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
    """Open a source by name: a number, `/dev/video…`, `picamera`, a stream's URL, a file, a folder.

    Args:
        source: the name.
        fps: frame rate of a folder of pictures, per second; None: 5.
        width, height: requested from a live camera, in pixels.
        live_fps: maximum frame rate of a live camera; frames beyond it are dropped.
        lock: hold a live camera's exposure, gain and white balance once they have been metered.
        mains_hz: frequency of the mains that feed the lamps.

    Raises:
        BadSource: no such camera, file or folder, or no name at all.
    """
    if is_live(source):
        from vision.capture.child import Wanted
        from vision.capture.live import LiveCamera

        return LiveCamera(Wanted(source, width, height, live_fps, lock, mains_hz))
    path = Path(source)
    if not source:
        raise BadSource("No camera, file or folder is named.")
    if path.is_dir() or (path.is_file() and path.suffix.lower() in SUFFIXES):
        return FolderCamera(path, FOLDER_FPS if fps is None else fps)
    if path.is_file():
        return VideoFile(path)
    raise BadSource(f"There is no camera, file or folder {source}.")


def paced(frames: Iterable[Frame], stop: threading.Event, speed: float = 1.0) -> Iterator[Frame]:
    """Recorded frames at the pace of their times, `speed` times as fast; ends early when `stop` is set.

    No frame is dropped: a reader slower than the recording slows it down, and after a pause of more than
    a second the recording resumes at its pace.
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
