"""The page's HTTP server: waitress with one thread for each open event stream (docs/adr/0010)."""

import contextlib
import errno
import logging
import socket
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Flask
from waitress import create_server, wasyncore
from waitress.channel import HTTPChannel
from waitress.task import ThreadedTaskDispatcher

from web.errors import NoSuchAddressError, PortTakenError, WebError
from web.page import Page
from web.server.refusals import Parser, Refusal
from web.site import site_of

if TYPE_CHECKING:
    from web.server.tls import TlsFront

SPARE_THREADS = 16  # for all other requests; actions must never wait for a spectator
CONNECTIONS = 1500  # streams, their pages' other connections, and a thousand idle ones
BODY_BYTES = 1024 * 1024  # waitress refuses longer bodies; the app itself allows far less
# a stream with a stalled reader waits once this much is unsent; waitress also keeps up to this much sent data for
# each stream before it begins a new buffer
UNSENT_BYTES = 64 * 1024
STALLED_MS = 20_000  # a stream is dropped when the network has acknowledged nothing for this long


class Channel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection on which the writing thread sends.

    Waitress's own main loop also tries to send the data that a thread is about to send, cannot get the lock, and
    tries again at once; with two hundred streams written at one moment it spins for tenths of a second.
    """

    writing = False
    error_task_class = Refusal
    parser_class = Parser

    def write_soon(self, data: bytes) -> int:
        """Send as much as the socket takes now, and wake the main loop for the rest."""
        self.writing = True
        try:
            return int(super().write_soon(data))
        finally:
            self.writing = False
            if self.total_outbufs_len:
                self.server.pull_trigger()

    def writable(self) -> bool:
        """Whether the main loop should send; a thread that waits for a full buffer to empty needs it, too."""
        if self.writing and self.total_outbufs_len <= self.adj.outbuf_high_watermark:
            return False
        return bool(super().writable())


class Workers(ThreadedTaskDispatcher):  # type: ignore[misc]
    """Worker threads, started when needed and kept.

    The server waits for each new thread until it runs; starting two hundred and more for spectators who may never
    come would delay the first page on a busy machine.
    """

    def __init__(self, most: int) -> None:
        super().__init__()
        self._most = most
        self.logger = logging.getLogger("waitress.workers")
        self.logger.setLevel(logging.ERROR)  # streams cancelled at the end need no log line

    def add_task(self, task: Any) -> None:
        """Queue a task, and start a thread if all are busy and fewer than `most` exist."""
        with self.lock:
            self.queue.append(task)
            self.queue_cv.notify()
            wanted = min(self.active_count + len(self.queue), self._most)
            while self.stop_count == 0 and len(self.threads) < wanted:
                number = len(self.threads)  # no thread ends before all do
                self.threads.add(number)
                self.start_new_thread(self.handler_thread, number)
                self.active_count += 1

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        """End the threads and start no more."""
        self._most = 0
        return bool(super().shutdown(cancel_pending, timeout))


class Running:
    """A running server: its TCP `port` for plain HTTP, and `tls`, its HTTPS listener or None."""

    def __init__(self, server: wasyncore.dispatcher, page: Page, port: int) -> None:
        self.port = port
        self.tls: TlsFront | None = None
        self._server = server
        self._page = page
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.is_set():
            wasyncore.loop(timeout=1.0, map=self._server._map, count=1, use_poll=True)
        for channel in list(self._server._map.values()):
            channel.close()

    def close(self) -> None:
        """End the streams, stop listening and wait until the port is free again."""
        if self._stop.is_set():
            return
        if self.tls is not None:
            self.tls.close()
        self._page.close()
        self._server.task_dispatcher.shutdown(cancel_pending=True, timeout=3)
        self._stop.set()
        with contextlib.suppress(OSError):  # the loop may have stopped already and closed its end
            self._server.pull_trigger()
        self._thread.join(timeout=5)


@dataclass(frozen=True, slots=True)
class Tls:
    """HTTPS beside plain HTTP: its port (0: any free one), and a PEM file with certificate and key."""

    port: int
    certificate: Path


def serve(app: Flask, host: str, port: int, tls: Tls | None = None) -> Running:
    """Start a server on this address, with its own threads; port 0 takes any free one.

    Args:
        app: from `create_app`; its settings have the number of streams.
        tls: settings of HTTPS; None: plain HTTP only.

    Raises:
        PortTakenError: the server cannot listen on the address and port.
        CertificateUnusableError: the file does not hold a certificate with its key.
    """
    running = _plain(app, _listener(host, port))
    if tls is None:
        return running
    from web.server.tls import TlsFront  # imports asyncio, which plain HTTP does not need

    try:
        listener = _listener(host, tls.port)
        inner = ("127.0.0.1" if host == "0.0.0.0" else "::1" if host == "::" else host, running.port)
        running.tls = TlsFront(app, listener, inner, tls.certificate, _drop_stalled())
    except WebError:
        running.close()
        raise
    site_of(app).https_port = running.tls.port
    return running


def _plain(app: Flask, listener: socket.socket) -> Running:
    server = create_server(
        app,
        _dispatcher=Workers(site_of(app).settings.max_streams + SPARE_THREADS),
        sockets=[listener],
        connection_limit=_room_for(CONNECTIONS),
        channel_timeout=60,
        cleanup_interval=10,
        max_request_header_size=16 * 1024,
        max_request_body_size=BODY_BYTES,
        outbuf_high_watermark=UNSENT_BYTES,
        asyncore_use_poll=True,
        ident=None,
    )
    server.channel_class = Channel
    server.adj.socket_options = [*server.adj.socket_options, *_drop_stalled()]
    return Running(server, site_of(app).page, listener.getsockname()[1])


def check_port(host: str, port: int) -> None:
    """Raise PortTakenError if `serve` would, before anything else starts."""
    _listener(host, port).close()


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(1024)
    except (OSError, OverflowError, TypeError, ValueError) as trouble:
        listener.close()
        raise _refused(trouble, host, port) from trouble
    return listener


def _refused(trouble: Exception, host: str, port: int) -> PortTakenError:
    """The reason why the page cannot listen on an address, with a remedy."""
    cannot = f"The page cannot listen on {host[:100]} port {port}"
    if isinstance(trouble, OverflowError):
        return PortTakenError(f"{cannot}: a port is a number from 0 to 65535.")
    if not isinstance(trouble, OSError):  # Python's codec for host names: too long, or an empty label
        return NoSuchAddressError(f"{cannot}: this is no address. {_ADDRESSES}")
    if trouble.errno == errno.EADDRINUSE:
        return PortTakenError(
            f"{cannot}: another program does. Close it, or choose another port with --port or page.port."
        )
    if trouble.errno == errno.EACCES:
        return PortTakenError(f"{cannot}: only root may. Choose a port from 1024 on.")
    if isinstance(trouble, socket.gaierror) or trouble.errno in _NOT_HERE:
        return NoSuchAddressError(f"{cannot} ({trouble.strerror}). {_ADDRESSES}")
    return PortTakenError(f"{cannot} ({trouble.strerror}).")


_NOT_HERE = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.EINVAL, errno.ENODEV)
_ADDRESSES = "Choose an address of this machine, or 0.0.0.0 for all it has."


def _drop_stalled() -> list[tuple[int, int, int]]:
    option = getattr(socket, "TCP_USER_TIMEOUT", None)  # Linux has it
    return [] if option is None else [(socket.IPPROTO_TCP, option, STALLED_MS)]


def _room_for(connections: int) -> int:
    """Raise the limit of open files as far as allowed; returns the number of connections that fit below it."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + 200
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return connections if soft == resource.RLIM_INFINITY else min(connections, soft - 200)
