"""Limit on a live camera's silence: one that sends a picture every few seconds is slow, not lost."""


class Pace:
    """Learns the interval between a camera's pictures; `limit_s` is the silence, in seconds, that is not yet a loss."""

    def __init__(self, usual_s: float, most_s: float) -> None:
        """Start with the limit `usual_s`, its minimum; `most_s` is its maximum."""
        self._usual_s, self._most_s = usual_s, most_s
        self.limit_s = usual_s
        self._last: tuple[int, float] | None = None

    def begin(self) -> None:
        """The camera is being reopened; the time until its next picture is no interval."""
        self._last = None

    def took(self, number: int, at_s: float) -> None:
        """Learn from picture `number`, taken at `at_s`; pictures before it may have been skipped."""
        last, self._last = self._last, (number, at_s)
        if last is not None and number > last[0]:
            apart_s = (at_s - last[1]) / (number - last[0])
            self.limit_s = min(max(self._usual_s, 2 * apart_s), self._most_s)

    def silent(self) -> None:
        """The limit passed after a picture. The camera may be slow, or have become slow: double the limit."""
        if self._last is not None:
            self.limit_s = min(2 * self.limit_s, self._most_s)
