"""TLS in front of the page: decrypts connections and forwards them to the plain HTTP server.

One thread serves all connections. The plain server learns the visitor's address from the local port of the inner
connection; no header is trusted.
"""

import asyncio
import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from flask import Flask

from web.errors import CertificateUnusableError

HANDSHAKE_S = 10.0
CHUNK_BYTES = 64 * 1024
Wsgi: TypeAlias = Callable[[dict[str, Any], Any], Iterable[bytes]]


def tls_context(certificate: Path) -> ssl.SSLContext:
    """The server's TLS settings; CertificateUnusableError if the file does not hold a certificate with its key."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        if certificate.exists() and not certificate.is_file():  # reading a pipe would block
            raise OSError("it is no file")
        context.load_cert_chain(certificate)
    except (OSError, ssl.SSLError) as trouble:
        raise CertificateUnusableError(
            f"The certificate {certificate} cannot be used ({trouble.strerror or trouble}); "
            "it has to be a PEM file with the certificate and its key."
        ) from trouble
    context.set_alpn_protocols(["http/1.1"])
    return context


class TlsFront:
    """An HTTPS listener; `app` sees its visitors' own addresses and the scheme https."""

    def __init__(
        self,
        app: Flask,
        listener: socket.socket,
        inner: tuple[str, int],
        certificate: Path,
        options: Sequence[tuple[int, int, int]] = (),
    ) -> None:
        """Start to serve on the listener, which is bound already.

        Args:
            app: the plain server's application.
            listener: socket for the TLS connections, closed by `close`.
            inner: host and port of the plain server.
            certificate: a PEM file with certificate and key.
            options: socket options (level, name, value) for the visitors' sockets.

        Raises:
            CertificateUnusableError: the file does not hold a certificate with its key.
        """
        try:
            context = tls_context(certificate)
        except CertificateUnusableError:
            listener.close()
            raise
        self.port: int = listener.getsockname()[1]
        self._peers: dict[int, str] = {}
        self._inner, self._options = inner, options
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._passing: set[asyncio.Task[None]] = set()
        app.wsgi_app = self._with_peer(app.wsgi_app)  # type: ignore[method-assign, assignment]
        self._thread = threading.Thread(target=self._run, args=(listener, context), name="tls", daemon=True)
        self._thread.start()
        self._ready.wait()

    def _with_peer(self, inside: Wsgi) -> Wsgi:
        """Wrap a WSGI application: it gets scheme and address of the outer connection."""

        def outside(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
            peer = self._peers.get(int(environ.get("REMOTE_PORT", 0)))
            if peer is not None:
                environ["wsgi.url_scheme"], environ["REMOTE_ADDR"] = "https", peer
            return inside(environ, start)

        return outside

    def close(self) -> None:
        """Stop listening and drop all connections."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(timeout=5)

    def _run(self, listener: socket.socket, context: ssl.SSLContext) -> None:
        loop = self._loop
        server = loop.run_until_complete(
            asyncio.start_server(
                self._pass,
                sock=listener,
                ssl=context,
                ssl_handshake_timeout=HANDSHAKE_S,
                backlog=1024,
                limit=CHUNK_BYTES,
            )
        )
        self._ready.set()
        try:
            loop.run_forever()
        finally:
            server.close()
            loop.run_until_complete(self._let_go())
            loop.close()

    async def _let_go(self) -> None:
        passing = list(self._passing)
        for task in passing:
            task.cancel()
        await asyncio.gather(*passing, return_exceptions=True)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Copy one visitor's connection in both directions until either side ends it."""
        task = asyncio.current_task()
        assert task is not None
        self._passing.add(task)
        port = 0
        ends = [writer]
        try:
            back, forth = await asyncio.open_connection(*self._inner, limit=CHUNK_BYTES)
            ends.append(forth)
            port = forth.get_extra_info("sockname")[1]
            peer = writer.get_extra_info("peername")
            if peer is None:  # disconnected already
                return
            self._peers[port] = str(peer[0])
            for option in self._options:
                writer.get_extra_info("socket").setsockopt(*option)
            ways = [asyncio.create_task(_copy(reader, forth)), asyncio.create_task(_copy(back, writer))]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)
        except (OSError, asyncio.CancelledError):
            pass  # visitor or server has disconnected: nobody is left to answer
        finally:
            self._peers.pop(port, None)
            for end in ends:
                end.close()
            self._passing.discard(task)


async def _copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(CHUNK_BYTES):
            target.write(data)
            await target.drain()
