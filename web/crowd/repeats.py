"""A log that reports the same failure once a minute: whoever can cause it could fill the disk with it."""

import logging
import time
import traceback
from collections.abc import Callable

EVERY_S = 60.0
FRAMES = 12
"""Innermost frames of a traceback that are logged; a runaway recursion has a thousand."""
MOST_KINDS = 200


class OncePerMinute(logging.Filter):
    """Lets one record of each failure pass in a minute, with the number of those since, and shortens its traceback."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now_s = now_s
        self._seen: dict[object, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to log the record."""
        kind, trouble, trace = record.exc_info or (None, None, None)
        frames = traceback.extract_tb(trace)
        where = (kind, frames[-1].filename, frames[-1].lineno) if frames else record.msg
        now_s = self._now_s()
        at_s, others = self._seen.get(where, (-EVERY_S, 0))
        if now_s - at_s < EVERY_S:
            self._seen[where] = at_s, others + 1
            return False
        if len(self._seen) >= MOST_KINDS:
            self._seen.clear()
        self._seen[where] = now_s, 0
        if trouble is not None:
            record.exc_text = "".join(
                traceback.format_exception(kind, trouble, trace, limit=-FRAMES)
            ).rstrip()
        if others:
            record.msg = f"{record.getMessage()} ({others} more times since the last report)"
            record.args = ()
        return True
