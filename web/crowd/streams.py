"""The open event streams: who has one, and what is sent on each (docs/adr/0011).

One thread writes for all streams, and an edition once for each role and seat. A stream has at most one message under
way; a reader who was slow gets the newest edition next, so nothing queues.
"""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence

from web.crowd.places import Places
from web.crowd.repeats import OncePerMinute
from web.errors import WebError
from web.page import Edition, Page
from web.roles import Role, Roles, Visitor

RECONNECT_MS = 700  # the page is current within two seconds of the network's return
BEAT_CHECKS = 4
"""Looks at the streams in the time between two heartbeats."""
ACTING_STREAMS = 32
"""Streams kept for each role that acts; the newest always gets one."""
STREAM = "board_companion.stream"
"""In a request's environ the function that takes the stream which the answer begins."""
GONE = b"event: gone\ndata: \n\n"

log = logging.getLogger("web.streams")
log.addFilter(OncePerMinute())


class Stream:
    """One visitor's event stream.

    Attributes:
        visitor: role, seat and code that it was opened with.
        key: the code and the visitor's address.
        part: the part of the state that it follows; "" for all.
        sight: the same for all streams that see the same; a text, as its hash is computed once.
        seen: number of the last edition sent on it, or that had nothing new for it.
        sent_s: when something was sent on it last.
        idle: all that was to be sent has been handed to the network.
        displaced: it has lost its place to another.
        send: sends bytes to the visitor, and the end of the stream after the last; called by the server's loop only.
    """

    def __init__(self, visitor: Visitor, address: str, part: str = "") -> None:
        self.visitor = visitor
        self.key = f"{visitor.code} {address}"
        self.part = part
        self.sight = f"{part} {visitor!r}"
        self.seen = 0
        self.sent_s = time.monotonic()
        self.idle = self.displaced = False
        self.send: Callable[[bytes, bool], None] = lambda data, last: None


Batch = Sequence[tuple[Stream, bytes, bool]]
"""Streams with the bytes to be sent on each, and whether these are the last."""


class Streams:
    """All open event streams.

    Args:
        page: the states to be sent.
        roles: the codes; a stream ends when its own is revoked.
        most_viewers: streams for viewers; beyond that a newcomer from an address with few streams takes one from an
            address with many, and others have to poll.
        beat_s: seconds after which a stream on which nothing was sent gets a heartbeat.
    """

    def __init__(self, page: Page, roles: Roles, most_viewers: int, beat_s: float) -> None:
        self._page, self._roles, self._beat_s = page, roles, beat_s
        self._places: Mapping[Role, Places[Stream]] = {
            role: Places(most_viewers if role is Role.VIEWER else min(ACTING_STREAMS, most_viewers))
            for role in Role
        }
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._closed = False
        self._deliver: Callable[[Batch], None] = lambda batch: None

    @property
    def most(self) -> int:
        """The most streams that may be open at once."""
        return sum(places.most for places in self._places.values())

    @property
    def most_viewers(self) -> int:
        """The most streams that viewers may have open at once."""
        return self._places[Role.VIEWER].most

    def shrink(self, share: float) -> None:
        """Allow this share of the streams only, for want of file descriptors."""
        for places in self._places.values():
            places.most = max(2, int(places.most * share))

    def enter(self, visitor: Visitor, address: str, part: str = "") -> Stream | None:
        """A place for the visitor's stream; None if there is none for a viewer."""
        stream = Stream(visitor, address, part)
        places = self._places[visitor.role]
        with self._lock:
            displaced = None
            if places.full:
                displaced = places.yields(stream.key)
                if displaced is None and visitor.role is Role.VIEWER:
                    return None
                displaced = displaced or places.oldest()
                places.leave(displaced.key, displaced)
            places.enter(stream.key, stream)
        if displaced is not None:
            displaced.displaced = True
            self._deliver([(displaced, b"", True)])
        return stream

    def leave(self, stream: Stream) -> None:
        """Take back the stream's place."""
        with self._lock:
            self._places[stream.visitor.role].leave(stream.key, stream)

    def opening(self) -> bytes:
        """The first bytes of every stream."""
        return b"retry: %d\n\n" % RECONNECT_MS + _beat()

    def ready(self, stream: Stream) -> None:
        """All bytes sent on the stream are on their way: it may get the next, which it does at once if it is behind."""
        stream.idle = True
        if stream.seen < self._page.number:
            self._wake.set()

    def start(self, deliver: Callable[[Batch], None]) -> None:
        """Start the thread that writes; it calls `deliver` with what is to be sent."""
        self._deliver, self._closed = deliver, False
        self._page.on_change(self._wake.set)
        threading.Thread(target=self._run, name="streams", daemon=True).start()

    def close(self) -> None:
        """End the thread."""
        self._closed = True
        self._wake.set()

    def _run(self) -> None:
        while not self._closed:
            self._wake.wait(self._beat_s / BEAT_CHECKS)
            self._wake.clear()
            batch = self._batch(time.monotonic())
            if batch:
                self._deliver(batch)

    def _batch(self, now_s: float) -> Batch:
        """The next message for each stream that can take one; those that act first."""
        edition, batch = self._page.newest_or_none(), []
        number, late_s = edition.number if edition else 0, now_s - self._beat_s
        with self._lock:
            streams = [
                stream
                for role in reversed(Role)
                for stream in self._places[role]
                if stream.idle and (stream.seen < number or stream.sent_s <= late_s)
            ]
        messages: dict[tuple[str, int], bytes] = {}
        has_parts = edition is not None and edition.has_parts
        for stream in streams:
            after = stream.seen if has_parts else 0
            key = stream.sight, after
            if key not in messages:
                messages[key] = self._message(edition, stream.visitor, after, stream.part)
            message = messages[key]
            if message is not GONE and stream.seen == number:
                message = b""
            stream.seen = number
            if message or stream.sent_s <= late_s:
                stream.idle, stream.sent_s = False, now_s
                batch.append((stream, message or _beat(), message is GONE))
        return batch

    def _message(self, edition: Edition | None, visitor: Visitor, after: int, part: str) -> bytes:
        """The edition for this visitor; GONE if his code was revoked; nothing if there is nothing that can be shown."""
        try:
            if self._roles.lookup(visitor.code) is None:
                return GONE
        except WebError:  # the file cannot be read now; nothing was revoked by that
            pass
        if edition is None:
            return b""
        try:
            written = edition.written(visitor, after, part)
            return b"id: %d\ndata: %b\n\n" % (edition.seq, written) if written else b""
        except Exception:  # the next state may be shown again, so the streams go on
            log.exception("The state cannot be sent to the streams")
            return b""


def _beat() -> bytes:
    """The stream's heartbeat, with the server's time (ms since 1970) to which the state's clock refers."""
    return b"event: beat\ndata: %d\n\n" % round(time.time() * 1000)
