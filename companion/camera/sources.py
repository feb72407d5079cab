"""Opens the camera named by the settings, or waits until one is plugged in. Loads OpenCV only then."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.camera.eye import Eye, Look, lost
from sentence import NOTHING, say
from vision.errors import CameraLost

if TYPE_CHECKING:
    from companion.settings import CameraSettings
    from vision.capture.camera import Camera

FIND_CAMERA_S = 2.0
"""Interval between searches while no camera is plugged in; a camera found gives pictures within 5 s."""
ASK_PI = 3
"""Number of searches that include the Pi's own camera: it cannot be plugged in later, but may be late at boot."""


def open_as_set(source: str, wanted: "CameraSettings") -> "Camera":
    """The named source, a live one with the size, pace and lock of the settings.

    Raises:
        BadSource: there is no such source.
    """
    from vision.capture.camera import open_camera

    return open_camera(
        source,
        width=wanted.width,
        height=wanted.height,
        live_fps=wanted.fps,
        lock=wanted.lock,
        mains_hz=wanted.mains_hz,
    )


def wait_for_camera(find: Callable[[bool], str | None], through: Callable[[str], Look]) -> Look:
    """Wait for a camera to be plugged in, then look through it; meanwhile the game goes on by hand.

    Args:
        find: names a camera that is plugged in; True: search for the Pi's own as well, which takes seconds.
        through: makes the look through the camera of that name.
    """

    def look(eye: Eye) -> None:
        reported, searches = NOTHING, 0
        while not eye.stop.is_set():
            why = say("No camera is plugged in.")
            try:
                source = find(searches < ASK_PI)
            except CameraLost as error:
                source, why = None, error.sentence
            if source is not None:
                through(source)(eye)
                return
            if why != reported:
                reported = why
                eye.report([lost(why)])
            searches += 1
            eye.beat()
            eye.stop.wait(FIND_CAMERA_S)

    return look
