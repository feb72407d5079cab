"""Kinds of source names, and the search for a camera; without OpenCV, which takes long to load."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit

from sentence import say
from vision.errors import BadSource, CameraLost


def is_live(source: str) -> bool:
    """Whether the name is a camera or a stream.

    Raises:
        BadSource: an address that is malformed or of an unsupported scheme.
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
    """Whether a URL has a host, and a valid port if any."""
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:  # unclosed brackets, a port that is no number
        return False


def without_secret(url: str) -> str:
    """The address without user name, password and query, fit to show."""
    scheme, mark, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return scheme + mark + host.rpartition("@")[2] + slash + path.partition("?")[0]


def find_camera(pi: bool = True) -> str | None:
    """The name of a connected camera, the Pi's own (if `pi`) before a USB camera; None without any.

    Raises:
        CameraLost: picamera2 is there and does not answer.
    """
    if pi and find_spec("picamera2") is not None and _has_pi_camera():
        return "picamera"
    for node in sorted(Path("/sys/class/video4linux").glob("video*"), key=lambda node: int(node.name[5:])):
        driver = node / "device" / "driver"
        index = node / "index"
        # A Pi has a dozen video nodes for its codecs; a USB camera has two, the first with pictures.
        if driver.resolve().name == "uvcvideo" and index.read_text().strip() == "0":
            return node.name[5:]
    return None


def _has_pi_camera() -> bool:
    """Query picamera2 in a separate process: importing it here would cost seconds and threads."""
    ask = "from picamera2 import Picamera2; print(len(Picamera2.global_camera_info()))"
    try:
        answer = subprocess.run(
            [sys.executable, "-P", "-c", ask], capture_output=True, text=True, timeout=20, check=False
        )
    except subprocess.TimeoutExpired as late:
        raise CameraLost(say("picamera2 does not answer within 20 s.")) from late
    return answer.stdout.strip().isdigit() and int(answer.stdout) > 0
