"""Frames passed between processes: three slots in shared memory, the newest frame wins.

The writer never waits for the reader and the reader never for the writer. A slot carries the number of
its frame before and after its pixels are valid, so the reader detects a torn frame and skips it. The
sentence beside the frames is numbered, too, and read again where it was being written.
"""

import mmap
import os
import struct
import tempfile
from dataclasses import dataclass
from enum import IntEnum
from math import isfinite

import numpy as np
import numpy.typing as npt

from vision.frame import Bgr

MOST_WIDTH_PX, MOST_HEIGHT_PX = 3840, 2160
"""A 4K picture; untouched pages of the slots take no memory."""

_MAGIC = 0x42434152
_HEAD = struct.Struct("<IIQI")  # magic, state, number of the newest frame (0: none yet), length of the text
_SAID, _SAID_AT = struct.Struct("<Q"), 32  # how often the head was written (0: being written)
_TEXT_AT, TEXT_MOST = 64, 960
_READ_AGAIN = 8  # at most, where the writer was writing the head meanwhile
_NOTE = struct.Struct("<QI")  # number of the note published last (0: none yet, or being written), its length
_NOTE_AT, _NOTE_TEXT_AT, _NOTE_MOST = 1024, 1040, 3000
_SLOTS_AT = 4096
_SLOT = struct.Struct("<QIId")  # number of the frame (0: being written), height, width, seconds
_PIXELS_AT = 64
_SLOT_BYTES = _PIXELS_AT + MOST_WIDTH_PX * MOST_HEIGHT_PX * 3
_SLOTS = 3
SIZE_BYTES = _SLOTS_AT + _SLOTS * _SLOT_BYTES


class GrabState(IntEnum):
    """State of the writer."""

    STARTING = 0
    OPENING = 1
    LIVE = 2
    LOST = 3


class RingBroken(Exception):
    """The shared memory holds data that no sound writer wrote."""


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """A frame copied out: `number` counts from 1, `bgr` is (H, W, 3) uint8, `at_s` the machine's monotonic clock."""

    number: int
    bgr: Bgr
    at_s: float


def new_ring() -> int:
    """Create shared memory that vanishes with its last user; return its file descriptor."""
    if hasattr(os, "memfd_create"):
        fd = os.memfd_create("frames")
    else:  # not Linux: an unnamed file does the same
        with tempfile.TemporaryFile() as file:
            fd = os.dup(file.fileno())
    os.ftruncate(fd, SIZE_BYTES)
    return fd


class RingWriter:
    """The child's end."""

    def __init__(self, fd: int) -> None:
        self._memory = mmap.mmap(fd, SIZE_BYTES)
        self._number = self._note_number = self._said = 0
        self._say(GrabState.STARTING, b"")

    def say(self, state: GrabState, text: str = "") -> None:
        """Publish the writer's state, with a sentence for people if something is wrong."""
        self._say(state, text.encode()[:TEXT_MOST])

    def _say(self, state: GrabState, text: bytes) -> None:
        _SAID.pack_into(self._memory, _SAID_AT, 0)
        self._memory[_TEXT_AT : _TEXT_AT + len(text)] = text
        _HEAD.pack_into(self._memory, 0, _MAGIC, state, self._number, len(text))
        self._said += 1
        _SAID.pack_into(self._memory, _SAID_AT, self._said)

    def tell(self, text: str) -> None:
        """Publish a note beside the frames, replacing the last one; ValueError if it is too long."""
        data = text.encode()
        if len(data) > _NOTE_MOST:
            raise ValueError(f"a text of {len(data)} bytes is too long to be told")
        _NOTE.pack_into(self._memory, _NOTE_AT, 0, 0)
        self._memory[_NOTE_TEXT_AT : _NOTE_TEXT_AT + len(data)] = data
        self._note_number += 1
        _NOTE.pack_into(self._memory, _NOTE_AT, self._note_number, len(data))

    def put(self, bgr: Bgr, at_s: float) -> None:
        """Publish a frame, (H, W, 3) uint8, as the newest one; ValueError if it is larger than a slot."""
        height, width = bgr.shape[:2]
        if bgr.nbytes > _SLOT_BYTES - _PIXELS_AT:
            raise ValueError(f"a frame of {width} by {height} pixels is larger than a slot")
        number = self._number + 1
        at = _SLOTS_AT + number % _SLOTS * _SLOT_BYTES
        _SLOT.pack_into(self._memory, at, 0, height, width, at_s)
        start = at + _PIXELS_AT
        target: npt.NDArray[np.uint8] = np.frombuffer(self._memory, np.uint8, bgr.nbytes, start)
        np.copyto(target.reshape(bgr.shape), bgr)
        _SLOT.pack_into(self._memory, at, number, height, width, at_s)
        self._number = number
        self._say(GrabState.LIVE, b"")


class RingReader:
    """The parent's end; it checks all it reads."""

    def __init__(self, fd: int) -> None:
        self._memory = mmap.mmap(fd, SIZE_BYTES)
        self._note_number = 0

    def close(self) -> None:
        """Release the memory."""
        self._memory.close()

    def state(self) -> tuple[GrabState, str]:
        """The writer's state and its sentence; none where the writer never finishes writing one.

        Raises:
            RingBroken: the header is malformed.
        """
        for _ in range(_READ_AGAIN):
            (before,) = _SAID.unpack_from(self._memory, _SAID_AT)
            _, state, _, length = self._head()
            text = self._memory[_TEXT_AT : _TEXT_AT + length]
            if before and _SAID.unpack_from(self._memory, _SAID_AT)[0] == before:
                return GrabState(state), text.decode(errors="replace")
        return GrabState(self._head()[1]), ""

    def _head(self) -> tuple[int, int, int, int]:
        magic, state, newest, length = _HEAD.unpack_from(self._memory, 0)
        if magic == 0:
            return 0, GrabState.STARTING, 0, 0  # the child has not written it yet
        if magic != _MAGIC or state > GrabState.LOST or length > TEXT_MOST:
            raise RingBroken("the header of the frames is nonsense")
        return magic, state, newest, length

    def told(self) -> str | None:
        """The note published last if it is new since the last call, else None.

        Raises:
            RingBroken: its length is impossible.
        """
        number, length = _NOTE.unpack_from(self._memory, _NOTE_AT)
        if number in (0, self._note_number):
            return None
        if length > _NOTE_MOST:
            raise RingBroken("what is told beside the frames is nonsense")
        data = self._memory[_NOTE_TEXT_AT : _NOTE_TEXT_AT + length]
        if _NOTE.unpack_from(self._memory, _NOTE_AT)[0] != number:
            return None  # being written right now: the next call returns it
        self._note_number = number
        return data.decode(errors="replace")

    def newest(self, after: int) -> Taken | None:
        """A copy of the newest frame if its number is higher than `after`, else None.

        Raises:
            RingBroken: the slot is malformed.
        """
        for _ in range(_SLOTS):
            number = self._head()[2]
            if number <= after:
                return None
            taken = self._take(number)
            if taken is not None:
                return taken
        return None  # overtaken each time: the next bell brings a newer one

    def _take(self, number: int) -> Taken | None:
        at = _SLOTS_AT + number % _SLOTS * _SLOT_BYTES
        before, height, width, at_s = _SLOT.unpack_from(self._memory, at)
        if before != number:
            return None
        if not 0 < height * width * 3 <= _SLOT_BYTES - _PIXELS_AT or not isfinite(at_s):
            raise RingBroken("a frame's size is nonsense")
        start = at + _PIXELS_AT
        raw = bytearray(self._memory[start : start + height * width * 3])
        if _SLOT.unpack_from(self._memory, at)[0] != number:
            return None
        bgr = np.frombuffer(raw, np.uint8).reshape(height, width, 3)
        return Taken(number, bgr, at_s)
