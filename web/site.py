"""Settings and shared parts of one application, and its rate limits."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flask import Flask, current_app

from web.crowd.streams import Streams
from web.page import Page
from web.roles import COOKIE, SAFE_COOKIE, Roles
from web.setup.table_setup import SetupFile


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Settings of the page.

    Args:
        max_streams: most event streams kept open for viewers. Further ones have to poll.
        max_strangers: most connections of those who have not shown a role.
        head_s: seconds until the head of a request has to be complete, from the connection or the head's first byte.
        beat_s: seconds between heartbeats of a silent stream; after twice that the page counts as cut off.
        proxies: number of proxies in front whose X-Forwarded headers are trusted.
        acts_per_s: actions a second that one browser may send on average; four times as many in a burst. A script
            that plays a whole match sends a few hundred; only a runaway one sends more.
        guesses_per_min: wrong join codes a minute that one address may try.
        address: start of join links, such as http://board.local; empty: the host name of the request.
        own_host: this machine's name or address in its network; None if the page listens on one address only.
        language: language of a visitor who has chosen none; empty: the first that his browser and we have.
        theme: light, dark or auto, until the visitor chooses.
        voice: whether rolls and cube are called aloud, until the visitor chooses.
        authority: PEM certificate of this machine's own authority, for tablets to trust.
        setup: what is set on the page for the table; None where nothing can be.
        mark: end of the role cookie's name; empty: one of the table's own, that stays as long as its join codes.
        away: what a service raises while the database that it asks is away; None: no service has one.
    """

    max_streams: int = 600
    max_strangers: int = 1500
    head_s: float = 10.0
    beat_s: float = 2.0
    proxies: int = 0
    acts_per_s: float = 500.0
    guesses_per_min: float = 20.0
    address: str = ""
    own_host: Callable[[], str] | None = None
    language: str = ""
    theme: str = "auto"
    voice: bool = False
    authority: bytes | None = None
    setup: SetupFile | None = None
    mark: str = ""
    away: type[Exception] | None = None


class Limit:
    """A rate limit: token buckets, one for each key.

    Args:
        per_s: tokens that a bucket gains a second.
        burst: tokens that a bucket holds.
        keys: buckets kept; the one unused longest goes first.
    """

    def __init__(
        self, per_s: float, burst: float, keys: int = 4096, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_s, self._burst, self._keys, self._now = per_s, burst, keys, now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def allows(self, key: str, cost: float = 1.0) -> bool:
        """Take `cost` tokens from the key's bucket; False, and nothing taken, if it holds too few."""
        with self._lock:
            now = self._now()
            level, at = self._buckets.pop(key, (self._burst, now))
            level = min(self._burst, level + (now - at) * self._per_s)
            allowed = level >= cost
            self._buckets[key] = (level - cost if allowed else level, now)
            while len(self._buckets) > self._keys:
                self._buckets.popitem(last=False)
            return allowed


@dataclass(slots=True)
class Site:
    """The shared parts of one application.

    Attributes:
        page: the newest state of the table, and the channel for actions.
        roles: the join codes.
        settings: as given to `create_app`.
        acts: rate limit of a browser's actions.
        guesses: rate limit of an address's wrong join codes.
        streams: the open event streams.
        https_port: port of the page over HTTPS; 0: none, or not yet.
    """

    page: Page
    roles: Roles
    settings: WebSettings
    acts: Limit
    guesses: Limit
    streams: Streams
    https_port: int = 0

    def cookie_names(self, *, secure: bool) -> tuple[str, str]:
        """Names of the role cookie: this table's own, and the one that every table gave before."""
        name = SAFE_COOKIE if secure else COOKIE
        return f"{name}_{self.settings.mark or self.roles.mark}", name

    def role_cookie(self, cookies: Mapping[str, str], *, secure: bool) -> str:
        """The value of a browser's role cookie; "" without one."""
        own, former = self.cookie_names(secure=secure)
        return cookies.get(own) or cookies.get(former, "")


def site_for(page: Page, roles: Roles, settings: WebSettings) -> Site:
    """The parts for a page with these settings."""
    return Site(
        page,
        roles,
        settings,
        acts=Limit(settings.acts_per_s, 4 * settings.acts_per_s),
        guesses=Limit(settings.guesses_per_min / 60, settings.guesses_per_min),
        streams=Streams(page, roles, settings.max_streams, settings.beat_s),
    )


def site_of(app: Flask) -> Site:
    """The parts of an application made by `create_app`."""
    found: Site = app.extensions["site"]
    return found


def site() -> Site:
    """The parts of the application that handles the present request."""
    return site_of(current_app)
