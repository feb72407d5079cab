"""Standard output and error of a program that goes on whether or not anybody takes what it says.

A log on a full disk, a pipe whose reader has gone or stands still: the line is lost, and play is not.
"""

import io
import os
import select
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

PATIENCE_S = 0.2
"""A reader who is busy is waited for so long; one who stands still only once."""
AT_ONCE_BYTES = 4096
"""A pipe that takes anything takes so much without waiting (POSIX's PIPE_BUF on Linux)."""


class Outlet(io.TextIOBase):
    """Writes whole lines to a file descriptor; what cannot be written is dropped."""

    def __init__(self, fd: int) -> None:
        """Write to `fd`, which stays open."""
        self._fd = fd
        self._begun = ""
        self._failed = False
        self._patience_s = PATIENCE_S
        self._mutex = threading.Lock()

    def writable(self) -> bool:
        """It takes everything."""
        return True

    def fileno(self) -> int:
        """The file descriptor."""
        return self._fd

    def write(self, text: str) -> int:
        """Take a text; what ends a line is written at once."""
        with self._mutex:
            lines, newline, self._begun = (self._begun + text).rpartition("\n")
            self._send(lines + newline)
        return len(text)

    def flush(self) -> None:
        """Write what has no end of a line yet."""
        with self._mutex:
            begun, self._begun = self._begun, ""
            self._send(begun)

    def end(self) -> None:
        """Whoever writes there afterwards is not hindered by what hindered us."""
        if self._failed:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._fd)
            os.close(nowhere)

    def _send(self, text: str) -> None:
        data = text.encode(errors="backslashreplace")
        while data:
            try:
                if not select.select([], [self._fd], [], self._patience_s)[1]:
                    self._patience_s = 0.0
                    return
                data = data[os.write(self._fd, data[:AT_ONCE_BYTES]) :]
            except OSError:  # a full disk, a reader who has gone: there is nobody to tell
                self._failed = True
                return
            self._patience_s = PATIENCE_S


@contextmanager
def unhindered() -> Iterator[None]:
    """While this lasts nothing that is printed can fail or stand still."""
    before = sys.stdout, sys.stderr
    meanwhile = [_outlet(stream) for stream in before]
    sys.stdout, sys.stderr = meanwhile
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        for outlet in meanwhile:
            if isinstance(outlet, Outlet):
                outlet.end()


def _outlet(stream: TextIO | None) -> TextIO:
    """An outlet in a stream's place, nowhere where there is none; a stream without a file stays."""
    if stream is None:
        return open(os.devnull, "w")
    try:
        stream.flush()
        return Outlet(stream.fileno())  # type: ignore[return-value]
    except OSError:
        return stream
