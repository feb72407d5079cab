"""Pending connections of an address that has too many already: read from only after a check of what they sent.

A flood must not cost more than its acceptance, and must not keep out a scorekeeper behind the same address. So these
sockets wait, unread, until they are old enough for a request to have arrived; then one look at it decides.
"""

import re
import socket
import ssl
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

WAIT_S = 0.25
"""After its connection a browser's request is there within this time, in any network that a table is in."""
MOST = 500
"""Most pending connections; beyond that the oldest is decided on early."""
EXCHANGED_PER_S = 100
"""Newcomers taken in a second who have shown no role but sent a whole request, or the beginning of TLS: some of them
want to join."""
PEEK_BYTES = 8192
_COOKIE = re.compile(rb"\r\ncookie:([^\r]*)\r\n", re.IGNORECASE)


class Newcomer(NamedTuple):
    """A socket of which nothing has been read; `context` for HTTPS."""

    sock: socket.socket
    address: tuple[str, int]
    context: ssl.SSLContext | None
    at_s: float


class Pending:
    """The pending connections, oldest first.

    Args:
        welcome: accepts a connection.
        has_role: whether the value of a Cookie header holds a valid role.
        on_refusal: called with the address of each connection refused.
    """

    def __init__(
        self,
        welcome: Callable[[Newcomer], None],
        has_role: Callable[[bytes], bool],
        on_refusal: Callable[[str], None],
    ) -> None:
        self._welcome, self._has_role, self._on_refusal = welcome, has_role, on_refusal
        self._waiting: deque[Newcomer] = deque()
        self._tokens, self._tokens_at_s = 0.0, 0.0

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, newcomer: Newcomer) -> None:
        """Accept a connection that shows a role at once; keep any other pending."""
        newcomer.sock.setblocking(False)
        if self._shows_role(self._peek(newcomer), newcomer):
            self._welcome(newcomer)
            return
        self._waiting.append(newcomer)
        if len(self._waiting) > MOST:
            self._decide()

    def decide_due(self, now_s: float) -> None:
        """Accept or refuse every connection that has been pending for `WAIT_S`."""
        while self._waiting and now_s - self._waiting[0].at_s >= WAIT_S:
            self._decide()

    def close(self) -> None:
        """Refuse all."""
        while self._waiting:
            self._waiting.popleft().sock.close()

    def _decide(self) -> None:
        newcomer = self._waiting.popleft()
        data = self._peek(newcomer)
        if self._shows_role(data, newcomer) or (_is_whole(data, newcomer) and self._has_token()):
            self._welcome(newcomer)
        else:
            self._on_refusal(newcomer.address[0])
            newcomer.sock.close()

    def _peek(self, newcomer: Newcomer) -> bytes:
        with suppress(OSError):
            return newcomer.sock.recv(PEEK_BYTES, socket.MSG_PEEK)
        return b""

    def _shows_role(self, data: bytes, newcomer: Newcomer) -> bool:
        found = _COOKIE.search(data) if newcomer.context is None else None
        return found is not None and self._has_role(found[1])

    def _has_token(self) -> bool:
        now_s = time.monotonic()
        gained = (now_s - self._tokens_at_s) * EXCHANGED_PER_S
        self._tokens, self._tokens_at_s = min(EXCHANGED_PER_S, self._tokens + gained), now_s
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


def _is_whole(data: bytes, newcomer: Newcomer) -> bool:
    """Whether this is the whole head of a request, or for HTTPS a whole TLS record with a hello."""
    if newcomer.context is None:
        return b"\r\n\r\n" in data
    return data[:1] == b"\x16" and len(data) >= 5 + int.from_bytes(data[3:5], "big")
