"""One visitor's connection: TLS, HTTP/1.1 by h11, and what a visitor may take in time and bytes."""

import itertools
import logging
import math
import selectors
import socket
import ssl
import struct
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from typing import Protocol

import h11

from web.crowd.streams import Stream, Streams
from web.server.loop import Loop
from web.server.refusals import refusal
from web.server.wsgi import Answer, Request

IDLE_S = 60.0
"""Between two requests of a visitor who has joined."""
BODY_S = 30.0
STALLED_S = 20.0
"""A visitor is dropped when the network has taken nothing of an answer for this long."""
LINGER_S = 2.0
"""The last answer waits so long for the visitor to close: a reset would take it from him unread."""
HEAD_BYTES = 16 * 1024
BODY_BYTES = 1024 * 1024
"""Of longer bodies nothing is kept; the app refuses them, as all above 64 kB, in the visitor's language."""
KEPT_BYTES = 64 * 1024
"""Most bytes of a body that are kept; of a longer one the app gets the length only, and needs no more to refuse it."""
UPLOADS = (b"/matches/open", b"/pairings", b"/pairings/draw")
"""Addresses whose bodies are kept whole, of visitors who may act: match files of other programs, lists of a hall."""
STRANGERS_BYTES = 4 * 1024
"""The same for strangers, whom the app refuses whatever they send."""
PATIENCE_BYTES = 64 * 1024 * 1024
"""Most bytes of an oversized body that are received and dropped: a client cut off while sending never reads why."""
CHUNK_BYTES = 64 * 1024
TURN_BYTES = 256 * 1024
"""Most bytes sent on a connection before the others have their turn."""
STREAM_BUFFER_BYTES = 64 * 1024
"""The kernel's buffer for a stream whose reader is slow; without it that would be megabytes for each."""

READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
_LATER = (BlockingIOError, InterruptedError, ssl.SSLWantReadError, ssl.SSLWantWriteError)
log = logging.getLogger("web.server")


class Stage(Enum):
    """What a connection is doing."""

    HANDSHAKE = auto()
    READING = auto()
    WORKING = auto()
    SENDING = auto()
    STREAMING = auto()
    LINGERING = auto()
    CLOSED = auto()


class Owner(Protocol):
    """The server, as a connection sees it."""

    loop: Loop
    streams: Streams
    head_s: float

    def recognise(self, connection: "Connection", head: h11.Request) -> bool:
        """Give the connection a place by the role in its cookie; whether its visitor may ask so much."""

    def work(self, connection: "Connection", request: Request) -> None:
        """Have a worker answer the request, with `Connection.answer` in the loop."""

    def release(self, connection: "Connection") -> None:
        """Take back the connection's place in its room: it has closed, or is a stream now."""

    def forget(self, connection: "Connection") -> None:
        """The connection has closed."""


_numbers = itertools.count(1)


@dataclass(slots=True)
class Place:
    """A connection's place: the room it is in, and its key there.

    Strangers are who has shown no role; `may_act`: his role is more than that of a viewer.
    """

    room: str
    key: str
    stranger: bool = True
    may_act: bool = False


class Connection:
    """A connection from its acceptance to its end; all methods are called by the loop."""

    def __init__(
        self, owner: Owner, sock: socket.socket, peer: tuple[str, int], tls: ssl.SSLContext | None
    ) -> None:
        """Take over an accepted socket; OSError if the visitor has gone already."""
        self._owner, self._sock = owner, sock
        self.peer, self.secure = peer, tls is not None
        self.place = Place("", "")
        self._number = next(_numbers)
        self._head: h11.Request | None = None
        self._body, self._length = bytearray(), 0
        self._too_long = self._idle = self._last = self._heard = False
        self._out: deque[memoryview] = deque()
        self._stream: Stream | None = None
        self._watched = 0
        self._until = time.monotonic() + self._owner.head_s
        self._stage = Stage.READING
        if tls is not None:
            sock.getpeername()  # fails if the visitor has gone; wrap_socket would leave the socket open then
            self._sock = tls.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
            self._stage = Stage.HANDSHAKE
        self._watch()

    @cached_property
    def _http(self) -> h11.Connection:
        """The state of the protocol, made for those who send something."""
        return h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)

    @property
    def urgency(self) -> tuple[int, int]:
        """Those who have joined first; of strangers the newest, who may be about to show a role."""
        return (2, -self._number) if self.place.stranger else (1, 0)

    @property
    def unsent(self) -> int:
        """Bytes that wait for the visitor to read."""
        return sum(len(part) for part in self._out)

    @property
    def busy(self) -> bool:
        """Whether a request is being answered."""
        return self._stage in (Stage.WORKING, Stage.SENDING)

    def on_ready(self, events: int) -> None:
        """Go on reading or writing."""
        self._guarded(lambda: self._go_on(events))

    def expire(self, now_s: float) -> None:
        """Close the connection if its time is up; a first request that waits to be read has more time."""
        if now_s <= self._until:
            return
        if self._is_overlooked():
            self._until = now_s + self._owner.head_s
        else:
            self.close()

    def _is_overlooked(self) -> bool:
        """Whether something has come of which nothing was read: the server had no time, not the visitor."""
        if self._stage is not Stage.READING or self._heard or self.secure:
            return False
        with suppress(OSError):
            return bool(self._sock.recv(1, socket.MSG_PEEK))
        return False

    def answer(self, answer: Answer | None) -> None:
        """Send the answer to the present request; None: the server could not make one."""
        if self._stage is Stage.WORKING:
            self._guarded(lambda: self._refuse(500) if answer is None else self._answer(answer))
        elif answer is not None and answer.stream is not None:
            self._owner.streams.leave(answer.stream)

    def send(self, data: bytes, last: bool) -> None:
        """Send the next bytes of the stream; the end of the stream follows the last, at once if there are none."""
        if self._stage is Stage.STREAMING and last and (self._out or not data):
            self.close()
        elif self._stage is Stage.STREAMING:
            self._last = last
            self._guarded(lambda: self._send(data))

    def close(self) -> None:
        """End the connection at once."""
        if self._stage is Stage.CLOSED:
            return
        self._stage = Stage.CLOSED
        self._watch()
        self._sock.close()
        self._out.clear()
        if self._stream is not None:
            self._owner.streams.leave(self._stream)
        self._owner.release(self)
        self._owner.forget(self)

    def _guarded(self, step: Callable[[], None]) -> None:
        """Take a step; whatever fails in it ends this connection only."""
        try:
            step()
        except OSError:  # the visitor has gone, or speaks no TLS
            self.close()
        except Exception:
            log.exception("A connection failed")
            self.close()

    def _go_on(self, events: int) -> None:
        if self._stage is Stage.HANDSHAKE:
            self._shake_hands()
        elif self._out and events & WRITE:
            self._flush()
        elif events & READ:
            self._read()

    def _shake_hands(self) -> None:
        assert isinstance(self._sock, ssl.SSLSocket)
        try:
            self._sock.do_handshake()
        except ssl.SSLWantReadError:
            return
        except ssl.SSLWantWriteError:
            self._watch(WRITE)
            return
        except ssl.SSLError:  # the visitor speaks no TLS, or none that we do; he has been sent the reason
            self._linger()
            return
        self._stage = Stage.READING
        self._watch()

    # The request

    def _read(self) -> None:
        try:
            data = self._sock.recv(CHUNK_BYTES)
        except _LATER:
            return
        self._heard = True
        if not data:
            self.close()
        elif self._stage is Stage.READING:
            if self._idle:
                self._idle, self._until = False, time.monotonic() + self._owner.head_s
            self._http.receive_data(data)
            self._advance()

    def _advance(self) -> None:
        """Take what has come in of the request."""
        while self._stage is Stage.READING:
            try:
                event = self._http.next_event()
            except h11.RemoteProtocolError as error:
                self._refuse(error.error_status_hint)
                return
            if isinstance(event, h11.Request):
                self._begin(event)
            elif isinstance(event, h11.Data):
                self._take(event.data)
            elif isinstance(event, h11.EndOfMessage):
                self._complete()
            else:
                if self._http.they_are_waiting_for_100_continue:
                    goes_on = h11.InformationalResponse(status_code=100, headers=[], reason="Continue")
                    self._out.append(memoryview(self._http.send(goes_on) or b""))
                    self._flush()
                return

    def _begin(self, head: h11.Request) -> None:
        self._head, self._body, self._length, self._too_long = head, bytearray(), 0, False
        self._until = time.monotonic() + BODY_S
        if sum(len(name) + len(value) + 4 for name, value in head.headers) + len(head.target) > HEAD_BYTES:
            self._refuse(431)
            return
        if self.place.stranger:  # until now its end was to be a reset, see serve.py
            self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 0, 0))
        if not self._owner.recognise(self, head):
            self._refuse(429)
            return
        length = next((int(value) for name, value in head.headers if name == b"content-length"), 0)
        if length > BODY_BYTES:
            self._too_long, self._length = True, length
            if length > PATIENCE_BYTES or self._http.they_are_waiting_for_100_continue:
                self._refuse(413)

    def _take(self, data: bytes) -> None:
        if self._too_long:
            return
        self._length += len(data)
        if self._length > BODY_BYTES:
            self._refuse(413)
        elif self._length <= self._kept_bytes:
            self._body += data
        else:
            self._body.clear()

    @property
    def _kept_bytes(self) -> int:
        """Most bytes of this request's body that are kept."""
        if self.place.stranger:
            return STRANGERS_BYTES
        is_upload = self._head is not None and self._head.target in UPLOADS and self.place.may_act
        return BODY_BYTES if is_upload else KEPT_BYTES

    def _complete(self) -> None:
        assert self._head is not None
        self._stage, self._until = Stage.WORKING, math.inf
        self._watch()
        head = self._head
        request = Request(
            head.method.decode("latin-1"),
            head.target.decode("latin-1"),
            head.http_version.decode("latin-1"),
            [(name.decode("latin-1"), value.decode("latin-1")) for name, value in head.headers],
            bytes(self._body),
            self._length,
            self.peer,
            self.secure,
        )
        self._owner.work(self, request)

    # The answer

    def _answer(self, answer: Answer) -> None:
        assert self._head is not None
        bare = self._head.method == b"HEAD"
        if answer.stream is not None:
            if not bare and answer.status == 200:
                self._begin_stream(answer, answer.stream)
                return
            self._owner.streams.leave(answer.stream)
        head = h11.Response(status_code=answer.status, headers=answer.headers, reason=answer.reason)
        parts = [self._http.send(head)]
        if answer.body and not bare:
            parts.append(self._http.send(h11.Data(data=answer.body)))
        parts.append(self._http.send(h11.EndOfMessage()))
        self._stage = Stage.SENDING
        self._send(*(part or b"" for part in parts))

    def _refuse(self, status: int) -> None:
        """Answer a request that cannot be read, and close: with a page if a person's browser asks for one."""
        self._http.send_failed()
        self._stage = Stage.SENDING
        bare, page = False, False
        if self._head is not None:
            bare = self._head.method == b"HEAD"
            page = any(name == b"accept" and b"text/html" in value for name, value in self._head.headers)
        self._send(refusal(status, bare=bare, page=page))

    def _begin_stream(self, answer: Answer, stream: Stream) -> None:
        self._stage, self._stream = Stage.STREAMING, stream
        self._last = stream.displaced
        self._owner.release(self)
        self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, STREAM_BUFFER_BYTES)
        stream.send = self.send
        rows = [(b"connection", b"close"), *answer.headers]
        head = b"".join(b"%b: %b\r\n" % row for row in rows)
        self._send(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n" + self._owner.streams.opening())

    def _send(self, *parts: bytes) -> None:
        self._until = time.monotonic() + STALLED_S
        self._out.extend(memoryview(part) for part in parts if part)
        self._flush()

    def _flush(self) -> None:
        left = TURN_BYTES
        while self._out and left > 0:
            try:
                sent = self._sock.send(self._out[0])
            except _LATER:
                break
            left -= sent
            if self._stage is not Stage.READING:  # a body has its own limit
                self._until = time.monotonic() + STALLED_S
            if sent == len(self._out[0]):
                self._out.popleft()
            else:
                self._out[0] = self._out[0][sent:]
        self._watch()
        if not self._out:
            self._sent()

    def _sent(self) -> None:
        """Everything is on its way: wait for the next request, the next message of the stream, or the end."""
        ends = self._last if self._stage is Stage.STREAMING else self._http.our_state is not h11.DONE
        if self._stage in (Stage.STREAMING, Stage.SENDING) and ends:
            self._linger()
        elif self._stage is Stage.STREAMING and self._stream is not None:
            self._until = math.inf
            self._owner.streams.ready(self._stream)
        elif self._stage is Stage.SENDING:
            self._http.start_next_cycle()
            self._stage, self._head, self._idle = Stage.READING, None, True
            self._until = time.monotonic() + (self._owner.head_s if self.place.stranger else IDLE_S)
            self._watch()
            self._advance()

    def _linger(self) -> None:
        """Say that nothing follows, and wait until the visitor has closed."""
        if self._stream is not None:
            self._owner.streams.leave(self._stream)
        self._stage, self._until = Stage.LINGERING, time.monotonic() + LINGER_S
        if isinstance(self._sock, ssl.SSLSocket):
            with suppress(OSError, ValueError):
                self._sock.unwrap()
        self._sock.shutdown(socket.SHUT_WR)
        self._watch()

    def _watch(self, events: int | None = None) -> None:
        """Have the loop watch for what this stage needs, or for `events`."""
        if events is None:
            idle = self._stage in (Stage.WORKING, Stage.SENDING, Stage.CLOSED)
            events = (0 if idle else READ) | (WRITE if self._out and self._stage is not Stage.CLOSED else 0)
        self._owner.loop.watch(self._sock, self, self._watched, events)
        self._watched = events
