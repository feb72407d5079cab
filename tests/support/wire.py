"""A visitor's connection as bytes: what browsers never send, and what they do when the network is bad."""

import http.client
import json
import socket
import time
from typing import Any

PATIENCE_S = 20.0
"""Longest wait for anything on a slow machine; no test measures time with it."""


class Wire:
    """A connection to a page on this machine, from any address of the loopback network."""

    def __init__(self, port: int, source: str = "127.0.0.1", buffer: int = 0) -> None:
        """Connect; `buffer`: size of the socket's receiving buffer in bytes."""
        self.sock = socket.socket()
        if buffer:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.sock.settimeout(PATIENCE_S)
        self.sock.bind((source, 0))
        try:
            self.sock.connect(("127.0.0.1", port))
        except OSError:
            self.sock.close()
            raise
        self._file = self.sock.makefile("rb")

    def __enter__(self) -> "Wire":
        return self

    def __exit__(self, *trouble: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._file.close()
        self.sock.close()

    def ask(
        self, path: str, cookie: str = "", method: str = "GET", body: bytes = b"", **headers: str
    ) -> None:
        """Send a request, without waiting for the answer."""
        rows = {"Host": "board.local", "Cookie": cookie, "Content-Length": str(len(body)), **headers}
        head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in rows.items() if value)
        self.sock.sendall(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)

    def act(self, cookie: str, **action: object) -> tuple[int, Any]:
        """Send an action: status and answer."""
        body = json.dumps(action).encode()
        self.ask("/api/act", cookie, "POST", body, Content_Type="application/json")
        return self.answer()

    def answer(self) -> tuple[int, Any]:
        """Status and body of the next answer, JSON decoded."""
        status = int(self.line().split()[1])
        headers = http.client.parse_headers(self._file)
        body = self._file.read(int(headers["Content-Length"]))
        return status, json.loads(body) if "json" in headers["Content-Type"] else body

    def line(self) -> bytes:
        """The next line of a stream, b"" at its end."""
        return self._file.readline()

    def head(self) -> int:
        """Status of an answer whose body is a stream."""
        status = int(self.line().split()[1])
        while self.line().strip():
            pass
        return status

    def state(self) -> dict[str, Any]:
        """The next state in a stream."""
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s:
            line = self.line()
            assert line, "the stream has ended"
            if line.startswith(b'data: {"'):
                return dict(json.loads(line[6:]))
        raise TimeoutError("no state came")

    def whole(self, length: int) -> bool:
        """Whether more than so many bytes come before the server closes the connection."""
        come = 0
        try:
            while come <= length and (data := self.sock.recv(1 << 20)):
                come += len(data)
        except ConnectionResetError:
            pass
        return come > length

    def ends(self) -> bool:
        """Wait until the server closes the connection; False if it goes on sending."""
        end_s = time.monotonic() + PATIENCE_S
        try:
            while time.monotonic() < end_s:
                if not self.sock.recv(65536):
                    return True
        except ConnectionResetError:
            return True
        return False
