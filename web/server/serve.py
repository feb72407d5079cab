"""The page's HTTP server: one thread for all connections, a few that answer requests (docs/adr/0011)."""

import logging
import secrets
import socket
import ssl
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import h11
from flask import Flask

from web.crowd.repeats import OncePerMinute
from web.crowd.streams import Batch
from web.errors import WebError
from web.roles import Role, Visitor
from web.server.connection import Connection
from web.server.listen import Listener, listening
from web.server.loop import Loop
from web.server.pending import WAIT_S, Newcomer, Pending
from web.server.rooms import ACTING, PROGRAM, STRANGERS, Rooms, room_of
from web.server.tls import tls_context
from web.server.workers import Precedence, Workers
from web.server.wsgi import Answer, Request, answer_to
from web.site import Limit, site_of

THREADS = {STRANGERS: 1, Role.VIEWER.value: 4, ACTING: 10, PROGRAM: 1}
"""Threads that answer the requests of each room; an action may wait for the disk for seconds."""
FIRST = (ACTING, PROGRAM)
"""Rooms whose requests go before the others'."""
REQUESTS: Mapping[str, tuple[float, float]] = {STRANGERS: (50.0, 600.0), Role.VIEWER.value: (200.0, 2000.0)}
"""Requests a second from one address, and in a burst: a hall's whole audience may be behind one address, and join at
one moment."""
HASTY_S = 2.0
"""Newcomers from an address that asked too much stay pending for so long."""
SENT_AT_ONCE = 50
"""Streams written before other connections have their turn."""
SWEEP_S = 0.5
"""Seconds between two looks at the connections' deadlines."""
UNSENT_BYTES = 64 * 1024 * 1024
"""Most bytes of answers to strangers and viewers, all together, that wait for their readers."""
CLOSING_S = 3.0
"""Answers under way have so long when the server stops."""
SWITCH_S = 0.001
"""How soon a thread yields to one that waits. With Python's 5 ms an action, which waits for the interpreter's lock a
dozen times, took four times as long beside a flood of requests."""
CHECK_COOKIE = "board_check"
log = logging.getLogger("web.server")
log.addFilter(OncePerMinute())


@dataclass(frozen=True, slots=True)
class Tls:
    """HTTPS beside plain HTTP: its port (0: any free one), and a PEM file with certificate and key."""

    port: int
    certificate: Path


class Running:
    """A running server.

    Attributes:
        port: TCP port of plain HTTP.
        tls: the HTTPS listener, or None.
        check_cookie: with it this program's own requests have places of their own.
    """

    def __init__(
        self, app: Flask, plain: socket.socket, safe: tuple[socket.socket, ssl.SSLContext] | None
    ) -> None:
        sys.setswitchinterval(min(SWITCH_S, sys.getswitchinterval()))
        self._app, self._site = app, site_of(app)
        site = self._site
        self._roles, self.streams = site.roles, site.streams
        self.loop = Loop(self._tick)
        self.rooms = Rooms(site.settings.max_strangers, self.streams)
        self.pending = Pending(self.welcome, self._has_role, self.rooms.count_drop)
        self._sweep_at = 0.0
        precedence = Precedence()
        self._workers = {
            room: Workers(room, most, precedence, first=room in FIRST, rests=room == STRANGERS)
            for room, most in THREADS.items()
        }
        limits = {} if site.settings.proxies else REQUESTS  # behind a proxy all visitors share its address
        self._requests = {room: Limit(*rate) for room, rate in limits.items()}
        self._hasty: dict[
            str, float
        ] = {}  # addresses that asked too much, and until when their newcomers wait
        self._connections: set[Connection] = set()
        self.head_s = site.settings.head_s
        self._check = secrets.token_hex(16)
        self.check_cookie = f"{CHECK_COOKIE}={self._check}"
        calls = self._take, self.rooms.drop_stranger
        self._plain = Listener(self.loop, plain, None, *calls)
        self.tls = Listener(self.loop, *safe, *calls) if safe else None
        self._listeners = [one for one in (self._plain, self.tls) if one]
        self.port = self._plain.port
        self._close_at: float | None = None
        for listener in self._listeners:
            listener.listen()
        self.streams.start(lambda batch: self.loop.call(partial(self._deliver, batch)))
        self._thread = threading.Thread(target=self.loop.run, name="web", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the streams, stop listening and wait until the port is free again."""
        self.streams.close()
        self.loop.call(self._begin_to_close)
        self._thread.join(timeout=CLOSING_S + 2)
        for workers in self._workers.values():
            workers.close()

    def _begin_to_close(self) -> None:
        for listener in self._listeners:
            listener.end()
        self.pending.close()
        self._close_at = time.monotonic() + CLOSING_S
        self._close_idle()

    def _close_idle(self) -> None:
        """Close what is not just being answered; after the last one the loop ends."""
        late = time.monotonic() > (self._close_at or 0.0)
        for connection in list(self._connections):
            if late or not connection.busy:
                connection.close()
        if not self._connections:
            self.loop.end()

    def _tick(self, now_s: float) -> float:
        """Do what is due; returns the seconds until something may be due again."""
        self.pending.decide_due(now_s)
        if now_s < self._sweep_at:
            return WAIT_S / 5 if len(self.pending) else SWEEP_S
        self._sweep_at = now_s + SWEEP_S
        for connection in list(self._connections):
            connection.expire(now_s)
        self._drop_slow_readers()
        self._hasty = {address: until_s for address, until_s in self._hasty.items() if until_s > now_s}
        self.rooms.report(now_s)
        if self._close_at is not None:
            self._close_idle()
        else:
            for listener in self._listeners:
                listener.listen()
        return 0.0

    def _drop_slow_readers(self) -> None:
        """Close the strangers' and viewers' connections with most unsent bytes while these hold too many."""
        many = (STRANGERS, Role.VIEWER.value)
        slow = [(one.unsent, one) for one in self._connections if one.place.room in many and one.unsent]
        total = sum(unsent for unsent, _ in slow)
        for unsent, connection in sorted(slow, key=lambda one: -one[0]):
            if total <= UNSENT_BYTES:
                return
            total -= unsent
            connection.close()

    # What listeners and connections call, in the loop

    def _take(self, newcomer: Newcomer) -> None:
        address = newcomer.address[0]
        if self.rooms.is_crowded(address) or self._hasty.get(address, 0.0) > newcomer.at_s:
            self.pending.add(newcomer)
        else:
            self.welcome(newcomer)

    def welcome(self, newcomer: Newcomer) -> None:
        """Take in an accepted connection; one of the oldest strangers goes if there are too many."""
        newcomer.sock.setblocking(False)
        try:
            connection = Connection(self, newcomer.sock, newcomer.address, newcomer.context)
        except (OSError, ValueError):  # the visitor has gone already
            newcomer.sock.close()
            return
        self._connections.add(connection)
        self.rooms.enter(connection, STRANGERS)

    def recognise(self, connection: Connection, head: h11.Request) -> bool:
        """Give the connection a place by the role in its cookie; whether its visitor may ask so much."""
        for name, value in head.headers:
            if name == b"cookie":
                cookies = _cookies(value)
                visitor = self._visitor(cookies, secure=connection.secure)
                if visitor is not None:
                    self.rooms.enter(connection, room_of(visitor.role), visitor.code)
                elif self._is_own(cookies):
                    self.rooms.enter(connection, PROGRAM)
        limit = self._requests.get(connection.place.room)
        if limit is None or limit.allows(connection.place.key):
            return True
        self._hasty[connection.peer[0]] = time.monotonic() + HASTY_S
        return False

    def _visitor(self, cookies: Mapping[str, str], *, secure: bool) -> Visitor | None:
        return self._roles.remembered(self._site.role_cookie(cookies, secure=secure))

    def _is_own(self, cookies: Mapping[str, str]) -> bool:
        return secrets.compare_digest(cookies.get(CHECK_COOKIE, "").encode(), self._check.encode())

    def _has_role(self, header: bytes) -> bool:
        cookies = _cookies(header)
        return self._visitor(cookies, secure=False) is not None or self._is_own(cookies)

    def work(self, connection: Connection, request: Request) -> None:
        """Have a worker of the connection's room answer the request."""
        self._workers[connection.place.room].add(partial(self._work, connection, request))

    def release(self, connection: Connection) -> None:
        """Take back the connection's place in its room."""
        self.rooms.leave(connection)

    def forget(self, connection: Connection) -> None:
        """The connection has closed."""
        self._connections.discard(connection)

    def _work(self, connection: Connection, request: Request) -> None:
        answer: Answer | None = None
        try:
            answer = answer_to(self._app, request, self.port)
        except Exception:  # Flask answers what fails in it; this is a fault of the server
            log.exception("A request could not be answered")
        self.loop.call(partial(connection.answer, answer))

    def _deliver(self, batch: Batch) -> None:
        """Send the messages of the streams, a few at a time."""
        for stream, data, last in batch[:SENT_AT_ONCE]:
            stream.send(data, last)
        if len(batch) > SENT_AT_ONCE:
            self.loop.call(partial(self._deliver, batch[SENT_AT_ONCE:]))


def _cookies(header: bytes) -> dict[str, str]:
    """The cookies in the value of a Cookie header."""
    return dict(part.strip().partition("=")[::2] for part in header.decode("latin-1").split(";"))


def serve(app: Flask, host: str, port: int, tls: Tls | None = None, *, shared: bool = False) -> Running:
    """Start a server on this address, with its own threads; port 0 takes any free one.

    Args:
        app: from `create_app`; its settings have the number of streams.
        tls: settings of HTTPS; None: plain HTTP only.
        shared: other processes may serve on the same ports.

    Raises:
        PortTakenError: the server cannot listen on the address and port.
        CertificateUnusableError: the file does not hold a certificate with its key.
    """
    plain, safe = listening(host, port, shared=shared), None
    try:
        if tls is not None:
            context = tls_context(tls.certificate)
            safe = listening(host, tls.port, shared=shared), context
    except WebError:
        plain.close()
        raise
    running = Running(app, plain, safe)
    site_of(app).https_port = running.tls.port if running.tls else 0
    return running
