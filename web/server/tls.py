"""HTTPS in front of the page: takes TLS connections and passes what is in them to the plain server beside it.

One thread serves all of them. The plain server is told who really asks, by the port that the inner connection comes
from; no header is believed.
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
    """How the page speaks TLS; CertificateUnusableError where the file holds no certificate with its key."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        if certificate.exists() and not certificate.is_file():  # a pipe would be waited for
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
    """A listener for HTTPS; `app` hears of its visitors as if they had come directly."""

    def __init__(
        self,
        app: Flask,
        listener: socket.socket,
        inner: tuple[str, int],
        certificate: Path,
        options: Sequence[tuple[int, int, int]] = (),
    ) -> None:
        """Answer on the listener, which is bound already.

        Args:
            app: the application that the plain server runs.
            listener: takes the TLS connections; closed with this.
            inner: where the plain server listens.
            certificate: a PEM file with certificate and key.
            options: for the visitors' sockets.

        Raises:
            CertificateUnusableError: the file is no such thing.
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
        app.wsgi_app = self._told(app.wsgi_app)  # type: ignore[method-assign, assignment]
        self._thread = threading.Thread(target=self._run, args=(listener, context), name="tls", daemon=True)
        self._thread.start()
        self._ready.wait()

    def _told(self, inside: Wsgi) -> Wsgi:
        def outside(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
            peer = self._peers.get(int(environ.get("REMOTE_PORT", 0)))
            if peer is not None:
                environ["wsgi.url_scheme"], environ["REMOTE_ADDR"] = "https", peer
            return inside(environ, start)

        return outside

    def close(self) -> None:
        """Stop listening and let all connections go."""
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
        """One visitor's connection, both ways until either side ends it."""
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
            if peer is None:  # hung up by now
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
            pass  # the visitor, or the server, is gone: there is nobody to tell
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
