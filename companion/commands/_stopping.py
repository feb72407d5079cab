"""Ctrl-C that ends a loop between two of its steps, so that what was done so far can be kept."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Self


class Stoppable:
    """While it is entered, Ctrl-C during a step takes effect at its end; KeyboardInterrupt comes there, or at once."""

    def __init__(self) -> None:
        self._in_step = self._asked = False

    def __enter__(self) -> Self:
        """Take the signal over, where this is the program's main thread."""
        self._is_main = threading.current_thread() is threading.main_thread()
        if self._is_main:
            self._before = signal.signal(signal.SIGINT, self._stop)
        return self

    def __exit__(self, *_: object) -> None:
        """Give the signal back."""
        if self._is_main:
            signal.signal(signal.SIGINT, self._before)

    @contextmanager
    def step(self) -> Iterator[None]:
        """A step that is not to be cut off."""
        self._in_step = True
        try:
            yield
        finally:
            self._in_step = False
        if self._asked:
            raise KeyboardInterrupt

    def _stop(self, number: int, frame: FrameType | None) -> None:
        if not self._in_step:
            raise KeyboardInterrupt
        self._asked = True
