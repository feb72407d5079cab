"""How long a live camera may be silent: one that sends a picture every few seconds is slow and not lost."""


class Pace:
    """Learns how far apart a camera's pictures come; `limit_s` is the silence, in seconds, that is none to speak of."""

    def __init__(self, usual_s: float, most_s: float) -> None:
        """Begin with `usual_s`, the least there is; `most_s` is the most that is learned."""
        self._usual_s, self._most_s = usual_s, most_s
        self.limit_s = usual_s
        self._last: tuple[int, float] | None = None

    def begin(self) -> None:
        """The camera is opened anew: how long that takes says nothing."""
        self._last = None

    def took(self, number: int, at_s: float) -> None:
        """A picture came, the camera's `number`-th, also where some before it were left out."""
        last, self._last = self._last, (number, at_s)
        if last is not None and number > last[0]:
            apart_s = (at_s - last[1]) / (number - last[0])
            self.limit_s = min(max(self._usual_s, 2 * apart_s), self._most_s)

    def silent(self) -> None:
        """It was silent for too long after a picture. It may be slow, or slow now: it is given twice as long next."""
        if self._last is not None:
            self.limit_s = min(2 * self.limit_s, self._most_s)
