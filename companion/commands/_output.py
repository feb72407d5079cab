"""Standard output and error of a program that continues even if nothing reads its output.

With a log on a full disk, or a pipe whose reader has gone or hangs, the line is lost and play goes on.
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
"""Longest wait for a busy reader; a reader that hangs is waited for only once."""
AT_ONCE_BYTES = 4096
"""A pipe that is ready takes this much without blocking (POSIX's PIPE_BUF on Linux)."""


class Outlet(io.TextIOBase):
    """Writes whole lines to a file descriptor, and drops those that cannot be written."""

    def __init__(self, fd: int) -> None:
        """Write to `fd`, which stays open."""
        self._fd = fd
        self._begun = ""
        self._failed = False
        self._patience_s = PATIENCE_S
        self._mutex = threading.Lock()

    def writable(self) -> bool:
        """Always True."""
        return True

    def fileno(self) -> int:
        """The file descriptor."""
        return self._fd

    def write(self, text: str) -> int:
        """Take a text; complete lines are written at once, the rest is kept for later. Never raises OSError."""
        with self._mutex:
            lines, newline, self._begun = (self._begun + text).rpartition("\n")
            self._send(lines + newline)
        return len(text)

    def flush(self) -> None:
        """Write the kept incomplete line."""
        with self._mutex:
            begun, self._begun = self._begun, ""
            self._send(begun)

    def end(self) -> None:
        """If a write has failed, redirect the descriptor to the null device, so that later writers do not fail."""
        if self._failed:
            with open(os.devnull, "w") as nowhere:
                os.dup2(nowhere.fileno(), self._fd)

    def _send(self, text: str) -> None:
        data = text.encode(errors="backslashreplace")
        while data:
            try:
                if not select.select([], [self._fd], [], self._patience_s)[1]:
                    self._patience_s = 0.0
                    return
                data = data[os.write(self._fd, data[:AT_ONCE_BYTES]) :]
            except OSError:  # a full disk, a reader who has gone: the error cannot be reported anywhere
                self._failed = True
                return
            self._patience_s = PATIENCE_S


@contextmanager
def unhindered() -> Iterator[None]:
    """Replace standard output and error by outlets: inside, printing can neither fail nor hang."""
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
    """An outlet in place of a stream, the null device if there is none; a stream without a file is kept."""
    if stream is None:
        return open(os.devnull, "w")
    try:
        stream.flush()
        return Outlet(stream.fileno())  # type: ignore[return-value]
    except OSError:
        return stream
