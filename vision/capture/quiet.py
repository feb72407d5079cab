"""Keeps C libraries from writing to standard error, which is for our own sentences only."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr


@contextmanager
def libraries_silent() -> Iterator[None]:
    """Discard the messages of FFmpeg, libjpeg and libpng about a broken file; Python's own output still arrives.

    They write to descriptor 2 itself, so it is redirected for the whole process: use this in a command that does one
    thing, not in one thread among several. It does nothing where standard error is closed.
    """
    try:
        kept_fd = os.dup(2)
    except OSError:
        yield
        return
    nowhere_fd = os.open(os.devnull, os.O_WRONLY)
    with open(os.dup(kept_fd), "w", buffering=1, errors="backslashreplace") as speaking:
        ours = sys.stderr is sys.__stderr__
        sys.stderr.flush()
        os.dup2(nowhere_fd, 2)
        try:
            with redirect_stderr(speaking if ours else sys.stderr):
                yield
        finally:
            os.dup2(kept_fd, 2)
            os.close(kept_fd)
            os.close(nowhere_fd)
