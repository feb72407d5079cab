"""Who is asking, from where, and how often: what stands between the network and the table."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from urllib.parse import urlsplit

from flask import Request

from web.roles import COOKIE, SAFE_COOKIE, Roles
from web.views import Visitor


def visitor_of(request: Request, roles: Roles) -> Visitor | None:
    """Who holds this browser's role cookie; None without a good one."""
    cookie = request.cookies.get(SAFE_COOKIE if request.is_secure else COOKIE)
    return roles.of_cookie(cookie) if cookie else None


def same_origin(request: Request) -> bool:
    """The request comes from a page of ours, or from no page at all (a script, a program)."""
    if request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
        return False
    origin = request.headers.get("Origin")
    return origin is None or urlsplit(origin).netloc.lower() == request.host.lower()


class Limit:
    """So many a second on average, with some saved up for a hasty hand; one bucket for each key.

    Args:
        per_s: how fast a bucket fills.
        burst: how much it holds.
        keys: how many buckets are remembered; the one unused longest goes first.
    """

    def __init__(
        self, per_s: float, burst: float, keys: int = 4096, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_s, self._burst, self._keys, self._now = per_s, burst, keys, now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def allows(self, key: str, cost: float = 1.0) -> bool:
        """Take `cost` from the bucket; False, and nothing taken, when too little is in it."""
        with self._lock:
            now = self._now()
            level, at = self._buckets.pop(key, (self._burst, now))
            level = min(self._burst, level + (now - at) * self._per_s)
            allowed = level >= cost
            self._buckets[key] = (level - cost if allowed else level, now)
            while len(self._buckets) > self._keys:
                self._buckets.popitem(last=False)
            return allowed
