"""Keeps libraries written in C from talking on standard error, where only our own sentences belong."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr


@contextmanager
def libraries_silent() -> Iterator[None]:
    """What FFmpeg, libjpeg and libpng say about a broken file goes nowhere; Python's own words still arrive.

    They write to descriptor 2 itself, so that one is led aside for the whole process: for a command that does one
    thing, not for one thread among several. Where standard error is closed there is nothing to do.
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
