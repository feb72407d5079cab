"""Listening sockets, and why there can be none on an address."""

import errno
import selectors
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable

from web.errors import NoSuchAddressError, PortTakenError
from web.server.connection import STALLED_S
from web.server.loop import Loop
from web.server.pending import Newcomer

ACCEPTED_AT_ONCE = 1000
"""Most connections accepted before others have their turn."""
_NO_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Listener:
    """A listening socket, plain or for HTTPS, and its `port`.

    Args:
        loop: the loop that calls it.
        sock: the socket, which listens already.
        context: for HTTPS.
        on_accept: called with each accepted socket.
        on_shortage: called when there are no file descriptors for more.
    """

    urgency = (0, 0)

    def __init__(
        self,
        loop: Loop,
        sock: socket.socket,
        context: ssl.SSLContext | None,
        on_accept: Callable[[Newcomer], None],
        on_shortage: Callable[[], None],
    ) -> None:
        self._loop, self._sock, self._context = loop, sock, context
        self._on_accept, self._on_shortage = on_accept, on_shortage
        self.port: int = sock.getsockname()[1]
        self._watched = 0
        sock.setblocking(False)
        # Accepted sockets inherit these, which saves a flood of calls. Without a request a connection ends by a reset,
        # so that nothing of it stays in the kernel.
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # Linux has it
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(STALLED_S * 1000))

    def listen(self, *, on: bool = True) -> None:
        """Accept connections, or leave them waiting; called by the loop."""
        events = selectors.EVENT_READ if on else 0
        if self._sock.fileno() >= 0:
            self._loop.watch(self._sock, self, self._watched, events)
            self._watched = events

    def on_ready(self, events: int) -> None:
        """Accept the connections that wait."""
        for _ in range(ACCEPTED_AT_ONCE):
            try:
                sock, peer = self._sock.accept()
            except BlockingIOError:
                return
            except OSError as trouble:
                if trouble.errno in _NO_FILES:
                    self._on_shortage()
                    self.listen(on=False)  # until the next tick
                    return
                continue  # that visitor has gone already
            address = str(peer[0]), int(peer[1])
            self._on_accept(Newcomer(sock, address, self._context, time.monotonic()))

    def end(self) -> None:
        """Stop listening; called by the loop."""
        self.listen(on=False)
        self._sock.close()

    def close(self) -> None:
        """Stop listening, and return when that is done; called by another thread."""
        done = threading.Event()
        self._loop.call(self.end)
        self._loop.call(done.set)
        done.wait(timeout=5)


def check_port(host: str, port: int, *, shared: bool = False) -> None:
    """Raise PortTakenError if `serve` would, before anything else starts."""
    listening(host, port, shared=shared).close()


def listening(host: str, port: int, *, shared: bool = False) -> socket.socket:
    """A socket that listens on this address and port, 0 for any free one; PortTakenError if that cannot be.

    `shared`: other processes of the same user that ask for it likewise may listen there, too.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if shared:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        listener.bind((host, port))
        listener.listen(4096)
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
            f"{cannot}: another program does. Close it, or choose another port (--port, page.port)."
        )
    if trouble.errno == errno.EACCES:
        return PortTakenError(f"{cannot}: only root may. Choose a port from 1024 on.")
    if isinstance(trouble, socket.gaierror) or trouble.errno in _NOT_HERE:
        return NoSuchAddressError(f"{cannot} ({trouble.strerror}). {_ADDRESSES}")
    return PortTakenError(f"{cannot} ({trouble.strerror}).")


_NOT_HERE = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.EINVAL, errno.ENODEV)
_ADDRESSES = "Choose an address of this machine, or 0.0.0.0 for all it has."
