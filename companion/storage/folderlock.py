"""The lock on a state folder: it keeps a second program out, and tells others that something is not in the folder yet.

Both need no room on its disk, and end with the program that has them.
"""

import errno
import fcntl
import os
import struct
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

LOCK = "lock"
LACKING = (
    "A companion is running with {folder}, and its disk does not take all that happens: "
    "what is only in memory is not in here. The page exports all of it."
)
_NOBODY = 0
"""Locks of an open file, not of a process, name no process (fcntl(2), «Open file description locks»)."""


class FolderLock:
    """A state folder's lock, held."""

    def __init__(self, folder: Path) -> None:
        """Take it; where the disk takes nothing, on the lock's file as it lies there.

        Raises:
            BlockingIOError: another program has it.
            OSError: there is no such file, and none can be made.
        """
        file = folder / LOCK
        if file.exists() and not file.is_file():  # a pipe would be waited for
            raise OSError(errno.EEXIST, f"{file.name} is no file")
        try:
            self._file: IO[str] = open(file, "a+")  # noqa: SIM115
        except OSError:
            if not file.is_file():
                raise
            self._file = open(file)  # noqa: SIM115
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise BlockingIOError(error.errno, error.strerror) from None

    def is_of(self, folder: Path) -> bool:
        """Whether it is held, and its file still bears its name in this folder."""
        try:
            return not self._file.closed and os.path.samestat(
                os.stat(folder / LOCK), os.fstat(self._file.fileno())
            )
        except OSError:  # it is gone, or so is the way to it: taking it anew tells
            return False

    def tell(self, lacking: bool) -> None:
        """Let other programs know whether the folder lacks something that this one has; `lacks` hears of it."""
        if not self._file.closed:
            with suppress(OSError):  # on a disk without such locks others cannot be told; play goes on
                fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, _span(fcntl.F_RDLCK if lacking else fcntl.F_UNLCK))

    def close(self) -> None:
        """Let others in."""
        self._file.close()


def is_held(folder: Path) -> bool:
    """Whether a program has the folder; to know it the lock is taken for a moment, so never without need."""

    def ask(file: IO[str]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False

    return _asked(folder, ask)


def lacks(folder: Path) -> bool:
    """Whether a running program has something that this folder's disk has not taken yet."""

    def ask(file: IO[str]) -> bool:
        answer = fcntl.fcntl(file, fcntl.F_OFD_GETLK, _span(fcntl.F_WRLCK))
        return bool(struct.unpack_from("h", answer)[0] != fcntl.F_UNLCK)

    return _asked(folder, ask)


def _asked(folder: Path, ask: Callable[[IO[str]], bool]) -> bool:
    lock = folder / LOCK
    try:
        if not lock.is_file():
            return False
        with lock.open() as file:
            return ask(file)
    except OSError:  # another user's, or on a disk without locks: nothing is known of it
        return False


def _span(kind: int) -> bytes:
    """The first byte of the file, as Linux's `struct flock` with 64-bit offsets."""
    return struct.pack("hhqqi4x", kind, os.SEEK_SET, 0, 1, _NOBODY)
