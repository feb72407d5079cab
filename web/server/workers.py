"""Threads that answer requests, each group of visitors with its own, so that none waits for another's."""

import threading
import time
from collections.abc import Callable
from queue import SimpleQueue

Task = Callable[[], None]


class Workers:
    """At most so many threads, started when needed and kept.

    With `rests` each pauses after a task for as long as the task took: those who are less important than others must
    not take all of the processor.
    """

    def __init__(self, name: str, most: int, *, rests: bool = False) -> None:
        self._name, self._most, self._rests = name, most, rests
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._free = threading.Semaphore(0)
        self._started = 0

    def add(self, task: Task) -> None:
        """Queue a task, which must not raise; called by one thread only."""
        if not self._free.acquire(blocking=False) and self._started < self._most:
            self._started += 1
            threading.Thread(target=self._run, name=f"web-{self._name}", daemon=True).start()
        self._tasks.put(task)

    def close(self) -> None:
        """End each thread after its present task."""
        for _ in range(self._started):
            self._tasks.put(None)

    def _run(self) -> None:
        while task := self._tasks.get():
            begun_s = time.monotonic()
            task()
            if self._rests:
                time.sleep(time.monotonic() - begun_s)
            self._free.release()
