"""A value as it was some time ago."""

from collections import deque
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Delayed(Generic[Value]):
    """A value with its past: shown so many seconds after it was put.

    Before the first one is old enough there is none: a hub that has just started does not know what was shown.
    """

    def __init__(self, delay_s: float) -> None:
        self._delay_s = delay_s
        self._values: deque[tuple[float, Value]] = deque()

    def put(self, value: Value, now_s: float) -> None:
        """Note the value of now, unless it is the last one."""
        if not self._values or self._values[-1][1] != value:
            self._values.append((now_s, value))

    def at(self, now_s: float) -> Value | None:
        """The newest value that is old enough; None for none."""
        due_s = now_s - self._delay_s
        while len(self._values) > 1 and self._values[1][0] <= due_s:
            self._values.popleft()
        return self._values[0][1] if self._values and self._values[0][0] <= due_s else None
