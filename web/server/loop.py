"""The server's event loop: one thread, all sockets, nothing that blocks."""

import logging
import selectors
import socket
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Protocol

log = logging.getLogger("web.server")
AT_ONCE = 32
"""Most sockets served before a new look at which are ready; the most urgent come first."""


class Handler(Protocol):
    """The owner of a socket."""

    @property
    def urgency(self) -> tuple[int, int]:
        """Of several sockets that are ready those with the smallest come first."""

    def on_ready(self, events: int) -> None:
        """Read or write: the socket is ready for one of the events that it was registered for."""


class Loop:
    """Calls the owners of sockets that are ready, and functions from other threads.

    Args:
        on_tick: called with the monotonic time, again and again; returns the seconds until its next call.
    """

    def __init__(self, on_tick: Callable[[float], float]) -> None:
        self._on_tick = on_tick
        self._selector = selectors.DefaultSelector()
        self._calls: deque[Callable[[], None]] = deque()
        self._awake, self._waker = socket.socketpair()
        for end in (self._awake, self._waker):
            end.setblocking(False)
        self._selector.register(self._awake, selectors.EVENT_READ)
        self._ended = False

    def watch(self, sock: socket.socket, handler: Handler, before: int, events: int) -> None:
        """Watch the socket for these events (selectors.EVENT_*, 0: none) instead of those before."""
        if events == before:
            return
        if not before:
            self._selector.register(sock, events, handler)
        elif events:
            self._selector.modify(sock, events, handler)
        else:
            self._selector.unregister(sock)

    def call(self, function: Callable[[], None]) -> None:
        """Have the loop call a function soon; from any thread. After the loop's end nothing is called."""
        self._calls.append(function)
        with suppress(OSError):  # awake already (its buffer is full), or ended
            self._waker.send(b"\0")

    def _safely(self, function: Callable[[], None]) -> None:
        """Call a function; a fault in it must not end the service for all others."""
        try:
            function()
        except Exception:
            log.exception("The page's server failed")

    def end(self) -> None:
        """End `run`; called by the loop itself."""
        self._ended = True

    def run(self) -> None:
        """Serve until `end` was called."""
        tick_at = 0.0
        while not self._ended:
            ready = self._selector.select(max(0.0, tick_at - time.monotonic()) if not self._calls else 0)
            if len(ready) > AT_ONCE:
                ready = sorted(ready, key=lambda one: one[0].data.urgency if one[0].data else (-1, 0))[
                    :AT_ONCE
                ]
            for key, events in ready:
                if key.data is None:
                    self._awake.recv(4096)
                elif key.fileobj.fileno() >= 0:  # type: ignore[union-attr]  # else closed by an earlier one
                    self._safely(partial(key.data.on_ready, events))
            for _ in range(len(self._calls)):
                self._safely(self._calls.popleft())
            now_s = time.monotonic()
            if now_s >= tick_at:
                tick_at = now_s + self._on_tick(now_s)
        self._selector.close()
        self._awake.close()
        self._waker.close()
