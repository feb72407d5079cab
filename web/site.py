"""The parts of one application that its request handlers share."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from flask import Flask, current_app

from web.page import Page
from web.roles import Roles


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Settings of the page.

    Args:
        max_streams: how many event streams are kept open; each costs a thread. More are sent to polling.
        beat_s: how often a silent stream says that it is alive; after twice that the page is cut off.
        proxies: how many proxies stand in front, whose X-Forwarded headers are believed. None, unless said.
        acts_per_s: how many actions a second one browser may send in the long run; four times that at once. A script
            that plays a whole match gets a few hundred through; only a runaway one reaches more.
        guesses_per_min: how many wrong join codes a minute one address may try.
        address: what join links begin with, such as http://board.local; empty: as the visitor calls us.
        language: of a visitor who has chosen none; empty: the first that his browser and we have.
        theme: light, dark or auto, for who has not chosen.
        voice: rolls and cube are called aloud, for who has not chosen.
        authority: the PEM certificate of this machine's own authority, for tablets that are to trust it.
    """

    max_streams: int = 240
    beat_s: float = 2.0
    proxies: int = 0
    acts_per_s: float = 500.0
    guesses_per_min: float = 20.0
    address: str = ""
    language: str = ""
    theme: str = "auto"
    voice: bool = False
    authority: bytes | None = None


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


@dataclass(slots=True)
class Site:
    """The parts of one application.

    Attributes:
        page: the newest state of the table, and the way for actions.
        roles: the join codes.
        settings: as given to `create_app`.
        acts: how fast one browser may send actions.
        guesses: how fast one address may try join codes.
        streams: how many more event streams may be opened.
        https_port: where the page is served over HTTPS; 0: nowhere, or not yet.
    """

    page: Page
    roles: Roles
    settings: WebSettings
    acts: Limit
    guesses: Limit
    streams: threading.BoundedSemaphore
    https_port: int = 0


def site_for(page: Page, roles: Roles, settings: WebSettings) -> Site:
    """The parts that go by the settings."""
    return Site(
        page,
        roles,
        settings,
        acts=Limit(settings.acts_per_s, 4 * settings.acts_per_s),
        guesses=Limit(settings.guesses_per_min / 60, settings.guesses_per_min),
        streams=threading.BoundedSemaphore(settings.max_streams),
    )


def site_of(app: Flask) -> Site:
    """The parts of an application made by `create_app`."""
    found: Site = app.extensions["site"]
    return found


def site() -> Site:
    """The parts of the application that answers the present request."""
    return site_of(current_app)
