"""Whether a video file ends before its container says so: AVI, MP4 and MOV, Matroska and WebM.

Each begins with chunks that tell their length. A file that was cut off is shorter than the last of them says; one whose
recording was not ended tells no length, and cannot be known to be cut off.
Sources: Microsoft's AVI RIFF file reference; ISO/IEC 14496-12, 4.2; RFC 8794, 6 and RFC 9559, 5.
"""

from pathlib import Path
from typing import BinaryIO

_EBML, _SEGMENT = b"\x1a\x45\xdf\xa3", b"\x18\x53\x80\x67"
_BOXES = frozenset({b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"moof", b"styp", b"sidx"})
MOST_BOXES = 1_000_000


def is_cut_off(file: Path) -> bool:
    """Whether a file is shorter than its container says; False where that cannot be known.

    Raises:
        OSError: the file cannot be read.
    """
    size = file.stat().st_size
    with file.open("rb") as opened:
        start = opened.read(12)
        if start[:4] == b"RIFF" and len(start) == 12:
            return int.from_bytes(start[4:8], "little") + 8 > size
        if start[:4] == _EBML:
            return _matroska_end(opened) > size
        if start[4:8] in _BOXES:
            return _last_box_end(opened, size) > size
    return False


def _last_box_end(opened: BinaryIO, size: int) -> int:
    """Where the last box of an MP4 ends by its own length."""
    at = 0
    for _ in range(MOST_BOXES):
        opened.seek(at)
        head = opened.read(16)
        if len(head) < 8:
            return at + 8 if head else at
        length = int.from_bytes(head[:4], "big")
        if length == 1 and len(head) == 16:
            length = int.from_bytes(head[8:], "big")
        if length < 8:  # 0: to the file's end
            return size
        at += length
        if at >= size:
            return at
    return size


def _matroska_end(opened: BinaryIO) -> int:
    """Where a Matroska file's segment ends by its own length; 0 where it tells none."""
    opened.seek(4)
    header = _number(opened)
    if header is None:
        return 0
    opened.seek(header, 1)
    if opened.read(4) != _SEGMENT:
        return 0
    length = _number(opened)
    return 0 if length is None else opened.tell() + length


def _number(opened: BinaryIO) -> int | None:
    """The next number of variable length; None for an unknown length, and at the file's end."""
    first = opened.read(1)
    if not first or not first[0]:
        return None
    more = 8 - first[0].bit_length()
    rest = opened.read(more)
    value = int.from_bytes(bytes([first[0] & (0x7F >> more)]) + rest, "big")
    return None if len(rest) < more or value == (1 << 7 * (more + 1)) - 1 else value
