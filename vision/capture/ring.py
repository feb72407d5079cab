"""Frames handed from one process to another: three slots in shared memory, the newest frame wins.

The writer never waits for the reader and the reader never for the writer. A slot carries the number of
its frame before and after its pixels are valid, so a torn frame is noticed and left out.
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
_TEXT_AT, TEXT_MOST = 64, 960
_TOLD = struct.Struct("<QI")  # number of what was told last (0: nothing yet, or being written), its length
_TOLD_AT, _TOLD_TEXT_AT, _TOLD_MOST = 1024, 1040, 3000
_SLOTS_AT = 4096
_SLOT = struct.Struct("<QIId")  # number of the frame (0: being written), height, width, seconds
_PIXELS_AT = 64
_SLOT_BYTES = _PIXELS_AT + MOST_WIDTH_PX * MOST_HEIGHT_PX * 3
_SLOTS = 3
SIZE_BYTES = _SLOTS_AT + _SLOTS * _SLOT_BYTES


class GrabState(IntEnum):
    """What the writer is doing."""

    STARTING = 0
    OPENING = 1
    LIVE = 2
    LOST = 3


class RingBroken(Exception):
    """What stands in the shared memory was not written by a sound writer."""


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """A frame taken out: its number counts from 1, at_s is the machine's monotonic clock."""

    number: int
    bgr: Bgr
    at_s: float


def new_ring() -> int:
    """A file descriptor of fresh shared memory that vanishes with its last user."""
    if hasattr(os, "memfd_create"):
        fd = os.memfd_create("frames")
    else:  # not Linux: a nameless file does the same
        with tempfile.TemporaryFile() as file:
            fd = os.dup(file.fileno())
    os.ftruncate(fd, SIZE_BYTES)
    return fd


class RingWriter:
    """The child's end."""

    def __init__(self, fd: int) -> None:
        self._memory = mmap.mmap(fd, SIZE_BYTES)
        self._number = self._told = 0
        self._say(GrabState.STARTING, b"")

    def say(self, state: GrabState, text: str = "") -> None:
        """Publish what the writer is doing, with a sentence for people where something is wrong."""
        self._say(state, text.encode()[:TEXT_MOST])

    def _say(self, state: GrabState, text: bytes) -> None:
        self._memory[_TEXT_AT : _TEXT_AT + len(text)] = text
        _HEAD.pack_into(self._memory, 0, _MAGIC, state, self._number, len(text))

    def tell(self, text: str) -> None:
        """Publish a text beside the frames, in place of the last one; ValueError where it is too long."""
        data = text.encode()
        if len(data) > _TOLD_MOST:
            raise ValueError(f"a text of {len(data)} bytes is too long to be told")
        _TOLD.pack_into(self._memory, _TOLD_AT, 0, 0)
        self._memory[_TOLD_TEXT_AT : _TOLD_TEXT_AT + len(data)] = data
        self._told += 1
        _TOLD.pack_into(self._memory, _TOLD_AT, self._told, len(data))

    def put(self, bgr: Bgr, at_s: float) -> None:
        """Publish a frame as the newest one; ValueError where it is larger than a slot."""
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
    """The parent's end; it believes nothing that it has not checked."""

    def __init__(self, fd: int) -> None:
        self._memory = mmap.mmap(fd, SIZE_BYTES)
        self._told = 0

    def close(self) -> None:
        """Let go of the memory."""
        self._memory.close()

    def state(self) -> tuple[GrabState, str]:
        """What the writer is doing, and its sentence.

        Raises:
            RingBroken: the header is nonsense.
        """
        _, state, _, length = self._head()
        text = self._memory[_TEXT_AT : _TEXT_AT + length].decode(errors="replace")
        return GrabState(state), text

    def _head(self) -> tuple[int, int, int, int]:
        magic, state, newest, length = _HEAD.unpack_from(self._memory, 0)
        if magic == 0:
            return 0, GrabState.STARTING, 0, 0  # the child has not come so far
        if magic != _MAGIC or state > GrabState.LOST or length > TEXT_MOST:
            raise RingBroken("the header of the frames is nonsense")
        return magic, state, newest, length

    def told(self) -> str | None:
        """The text that was told last, where it is another than at the last asking; None otherwise.

        Raises:
            RingBroken: its length is nonsense.
        """
        number, length = _TOLD.unpack_from(self._memory, _TOLD_AT)
        if number in (0, self._told):
            return None
        if length > _TOLD_MOST:
            raise RingBroken("what is told beside the frames is nonsense")
        data = self._memory[_TOLD_TEXT_AT : _TOLD_TEXT_AT + length]
        if _TOLD.unpack_from(self._memory, _TOLD_AT)[0] != number:
            return None  # it is being written at this moment: the next asking brings it
        self._told = number
        return data.decode(errors="replace")

    def newest(self, after: int) -> Taken | None:
        """The newest frame if its number is higher than `after`, copied out; None if there is none.

        Raises:
            RingBroken: the slot is nonsense.
        """
        for _ in range(_SLOTS):
            number = self._head()[2]
            if number <= after:
                return None
            taken = self._take(number)
            if taken is not None:
                return taken
        return None  # overtaken each time: the next bell brings another

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
