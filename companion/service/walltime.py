"""The time that is written into events: the wall clock, except that it never jumps while it matters.

A Pi without a battery starts with the time of its last shutdown and is set right in the middle of a match;
somebody may set a clock back an hour. Neither may take a player's time or put events out of order.
"""

import time
from collections.abc import Callable

JUMP_MS = 2_000
"""Two clocks of one machine drift apart by milliseconds; more is somebody setting one of them."""


class WallTime:
    """Milliseconds since 1970 that run like the monotonic clock and never run backwards."""

    def __init__(
        self,
        not_before_ms: int = 0,
        wall_s: Callable[[], float] = time.time,
        steady_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin at the wall clock's time, or at the last event's where that lies later."""
        self._wall_s, self._steady_s = wall_s, steady_s
        self._began_s = steady_s()
        self._began_ms = max(not_before_ms, round(wall_s() * 1000))

    def now_ms(self, free_to_jump: bool = True) -> int:
        """The time now; with `free_to_jump` it follows a wall clock that has been set forward.

        Args:
            free_to_jump: no chess clock is running, so a jump takes nobody's time.
        """
        steady_s = self._steady_s()
        now_ms = self._began_ms + round((steady_s - self._began_s) * 1000)
        wall_ms = round(self._wall_s() * 1000)
        if free_to_jump and wall_ms - now_ms > JUMP_MS:
            self._began_s, self._began_ms = steady_s, wall_ms
            return wall_ms
        return now_ms
