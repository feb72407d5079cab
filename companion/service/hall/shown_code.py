"""The hub's invitation as its QR code, held before the table's camera."""

import time
from collections.abc import Callable
from contextlib import closing

from companion.hall.broker import HallError
from companion.hall.protocol.invitation import CODE, Invitation
from companion.service.hall.joining import read_invitation

LOOK_S = 60.0
"""Longest look for the code."""
WIDTH_PX, HEIGHT_PX = 1920, 1080
"""The code has some hundred modules each way."""


def shown_invitation(
    source: str,
    tell: Callable[[str], None],
    look_s: float = LOOK_S,
    now_s: Callable[[], float] = time.monotonic,
) -> Invitation:
    """The invitation whose QR code is held before a camera.

    Args:
        source: its name as in the settings; "auto" for the one that is plugged in.
        tell: tells the person before the camera what is wrong, while it is looked for.
        look_s: how long it is looked for, in a recording to its end.

    Raises:
        HallError: none was seen.
        BadSource, CameraLost: the camera cannot be used.
    """
    from vision.capture.camera import open_camera
    from vision.capture.qr_code import QrReader
    from vision.capture.source import find_camera

    name = find_camera() if source == "auto" else source
    if name is None:
        raise HallError("No camera is plugged in; give the code or the file instead.")
    reader, until_s, other = QrReader(), now_s() + look_s, ""
    with closing(open_camera(name, width=WIDTH_PX, height=HEIGHT_PX, lock=False)) as camera:
        for frame in camera.frames():
            text = reader.read(frame.bgr)
            if text.startswith(CODE):
                return read_invitation(text)
            if text and text != other:
                tell(
                    "This QR code is no invitation of a hall: hold the one of the hub's page /tables before the camera."
                )
            other = text or other
            if now_s() > until_s:
                break
    raise HallError(
        "No invitation was seen: hold its QR code before the camera, sharp and flat, so that it fills half of the "
        "picture's height."
    )
