"""Picture files to arrays, their size checked before decoding; arrays to JPEG."""

import struct
from pathlib import Path

import numpy as np

from vision.errors import BadPicture
from vision.frame import Bgr

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp"})
SMALLEST_PX = 16
"""Least side at which a board or a die can be seen at all."""
MOST_PX = 64_000_000
"""A 64-megapixel photograph decodes to 192 MB; more would starve a Pi with 1 GB."""
MOST_BYTES = 200 << 20
"""No readable picture is larger; a larger file is not read to its end."""

JPEG_QUALITY = 80
"""About 150 kB for 1280 by 720: pips stay clear, and an evening's throws fit into 50 MB."""

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8"
# Start-of-frame markers hold the size; C4, C8 and CC are in the same range but start no frame.
_JPEG_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def load_picture(path: str | Path) -> Bgr:
    """Load a JPEG, PNG or BMP file, turned upright, as (H, W, 3) uint8, blue first.

    Raises:
        BadPicture: unnamed, missing, unreadable, no picture, too small or too large; a pipe, a folder or a device.
    """
    if not str(path):
        raise BadPicture("A picture without a name cannot be read.")
    there = Path(path)
    try:
        # Reading a pipe would block, a device may never end.
        is_other = there.exists() and not there.is_file()
        data = b"" if is_other else _bytes_of(there)
    except FileNotFoundError:
        raise BadPicture(f"There is no file {path}.") from None
    except OSError as error:
        raise BadPicture(f"{path} cannot be read: {error.strerror or error}.") from None
    if is_other:
        raise BadPicture(f"{path} cannot be read: it is no file.")
    if len(data) > MOST_BYTES:
        raise BadPicture(f"{path} is larger than {MOST_BYTES >> 20} MB, too large for a picture.")
    try:
        return decode_picture(data)
    except BadPicture as error:
        raise BadPicture(f"{path} {error}") from None


def _bytes_of(file: Path) -> bytes:
    with file.open("rb") as opened:
        return opened.read(MOST_BYTES + 1)


def decode_picture(data: bytes) -> Bgr:
    """Decode a JPEG, PNG or BMP picture to (H, W, 3) uint8, blue first.

    Raises:
        BadPicture: the text is the end of a sentence that the caller begins with the file's name.
    """
    size = picture_size(data)
    if size is None:
        raise BadPicture("is no JPEG, PNG or BMP picture.")
    width, height = size
    if min(width, height) < SMALLEST_PX:
        raise BadPicture(f"is only {width} by {height} pixels, too small to show a board or a die.")
    if width * height > MOST_PX:
        millions = round(width * height / 1e6)
        raise BadPicture(f"has {millions} megapixels; at most {MOST_PX // 1_000_000} can be read.")
    import cv2

    try:
        bgr = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        bgr = None
    if bgr is None:
        raise BadPicture("is a damaged picture.")
    return np.asarray(bgr, dtype=np.uint8)


def jpeg_of(bgr: Bgr) -> bytes:
    """A picture, (H, W, 3) uint8, blue first, as a JPEG."""
    import cv2

    done, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    assert done, "OpenCV encodes every picture of three channels"
    return data.tobytes()


def picture_size(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels from the file's header, None if it is no known picture."""
    if data.startswith(_PNG) and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return width, height
    if data.startswith(b"BM") and len(data) >= 26:
        width, height = struct.unpack("<ii", data[18:26])
        return abs(width), abs(height)
    if data.startswith(_JPEG):
        return _jpeg_size(data)
    return None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Walk the markers up to the first start of frame."""
    at = 2
    while at + 9 <= len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xFF:  # a fill byte
            at += 1
            continue
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        if marker == 0x01 or 0xD0 <= marker <= 0xD8:  # markers without a body
            at += 2
            continue
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None
