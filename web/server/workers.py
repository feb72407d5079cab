"""Threads that answer requests, each group of visitors with its own, so that none waits for another's."""

import threading
import time
from collections.abc import Callable
from queue import SimpleQueue

Task = Callable[[], None]
YIELD_S = 0.05
"""Longest that a request waits for those that go first, before it is answered all the same."""


class Precedence:
    """Counts the requests under way that go first."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0
        self._none = threading.Event()
        self._none.set()

    def __enter__(self) -> None:
        with self._lock:
            self._count += 1
            self._none.clear()

    def __exit__(self, *trouble: object) -> None:
        with self._lock:
            self._count -= 1
            if not self._count:
                self._none.set()

    def wait(self) -> None:
        """Wait until none is under way, but not for long."""
        self._none.wait(YIELD_S)


class Workers:
    """At most so many threads, started when needed and kept.

    Args:
        name: ends the threads' names.
        most: the most threads.
        precedence: the requests that go first.
        first: whether these do; else they wait for those that do.
        rests: each thread pauses after a request for as long as that took, so that it takes half a processor at most.
    """

    def __init__(
        self, name: str, most: int, precedence: Precedence, *, first: bool = False, rests: bool = False
    ) -> None:
        self._name, self._most = name, most
        self._precedence, self._first, self._rests = precedence, first, rests
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
            if self._first:
                with self._precedence:
                    task()
            else:
                self._precedence.wait()
                task()
            if self._rests:
                time.sleep(time.monotonic() - begun_s)
            self._free.release()
