"""How long an action takes while thousands of connections without a role are held open against the page.

Run as `python -m tests.bench.load.siege [--strangers N] [--seconds S] [--way WAY]`. The besiegers are a process of
their own, at a low priority as they would not compute on this machine: each of their connections says nothing, or sends
a byte every 6 to 10 s, and is opened again as soon as it was dropped.
"""

import argparse
import asyncio
import json
import math
import multiprocessing
import os
import random
import resource
import selectors
import socket
import ssl
import statistics
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.bench.load.page import _join, table

HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
"""The beginning of a TLS client hello."""
WAYS = {
    "idle": (b"", 1),
    "a byte every 6 to 10 s": (b"GET /api/state HTTP/1.1\r\nHost: x\r\nX: ", 1),
    "the same from 50 addresses": (b"GET /api/state HTTP/1.1\r\nHost: x\r\nX: ", 50),
    "the same from the scorekeeper's address": (b"GET /api/state HTTP/1.1\r\nHost: x\r\nX: ", 0),
    "slow bodies": (b"POST /api/act HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n{", 1),
    "half a TLS handshake, HTTPS": (HELLO, 1),
    "idle after a TLS handshake, HTTPS": (b"", 1),
    "whole requests as fast as they are answered": (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", 1),
}
FLOOD = "whole requests as fast as they are answered"
SHAKEN = "idle after a TLS handshake, HTTPS"


class Besiegers:
    """Connections that are held open, and opened again when they are dropped."""

    def __init__(self, port: int, count: int, way: str) -> None:
        self._port, self._count = port, count
        self._begin, self._sources = WAYS[way]
        self._flood = way == FLOOD
        self._context = _unchecked() if way == SHAKEN else None
        self._selector = selectors.DefaultSelector()
        self._due: dict[socket.socket, float] = {}

    def run(self, opened: Any) -> None:
        """Go on until killed; `opened` counts the connections that were ever made."""
        while True:
            for _ in range(min(200, self._count - len(self._due))):
                self._open()
                opened.value += 1
            for key, events in self._selector.select(0.05):
                self._on_ready(key.fileobj, events)  # type: ignore[arg-type]
            now_s = time.monotonic()
            for line, due_s in list(self._due.items()):
                if now_s > due_s:
                    self._due[line] = now_s + random.uniform(6, 10)
                    self._send(line, b"x" if self._begin and not self._flood else b"")

    def _open(self) -> None:
        line = socket.socket()
        line.setblocking(False)
        line.bind((f"127.0.0.{2 + random.randrange(self._sources) if self._sources else 1}", 0))
        line.connect_ex(("127.0.0.1", self._port))
        self._due[line] = time.monotonic() + random.uniform(6, 10)
        self._selector.register(line, selectors.EVENT_WRITE)

    def _on_ready(self, line: socket.socket, events: int) -> None:
        if events & selectors.EVENT_WRITE:
            self._connected(line)
            return
        try:
            data = line.recv(65536)  # a TLS socket goes on with its handshake
        except (BlockingIOError, ssl.SSLWantReadError):
            return
        except OSError:
            data = b""
        if not data:
            self._drop(line)
        elif self._flood:
            self._send(line, self._begin)

    def _connected(self, line: socket.socket) -> None:
        if self._context is None:
            self._selector.modify(line, selectors.EVENT_READ)
            self._send(line, self._begin)
            return
        self._drop(line, close=False)
        try:
            line = self._context.wrap_socket(line, do_handshake_on_connect=False)
            line.do_handshake()
        except ssl.SSLWantReadError:
            pass
        except OSError:
            line.close()
            return
        self._due[line] = math.inf
        self._selector.register(line, selectors.EVENT_READ)

    def _send(self, line: socket.socket, data: bytes) -> None:
        try:
            line.send(data)
        except BlockingIOError:
            pass
        except OSError:
            self._drop(line)

    def _drop(self, line: socket.socket, *, close: bool = True) -> None:
        if self._due.pop(line, None) is not None:
            self._selector.unregister(line)
            if close:
                line.close()


def _unchecked() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def _besiege(port: int, count: int, way: str, opened: Any) -> None:
    _allow_files(count + 200)
    os.nice(19)
    Besiegers(port, count, way).run(opened)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as sock:
        return int(sock.getsockname()[1])


def _allow_files(count: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(soft, count), hard) if hard > 0 else count, hard))


async def _request(port: int, head: str, body: bytes, context: ssl.SSLContext | None) -> dict[str, Any]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
    writer.write(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body)
    answer = await reader.read()
    writer.close()
    head_, _, content = answer.partition(b"\r\n\r\n")
    if int(head_.split(b" ", 2)[1]) != 200:
        raise RuntimeError(f"{answer[:300]!r}")
    return dict(json.loads(content))


async def _act(
    port: int, cookie: str, seconds: float, context: ssl.SSLContext | None
) -> tuple[list[float], int]:
    """Act every 0.3 s over a new connection: seconds for each action with its look at the state, and failures."""
    took, failed = [], 0
    end_s = time.monotonic() + seconds
    head = f"Host: 127.0.0.1:{port}\r\nCookie: {cookie}\r\nContent-Type: application/json\r\n"
    while time.monotonic() < end_s:
        begun_s = time.perf_counter()
        try:
            async with asyncio.timeout(20):
                state = await _request(port, f"GET /api/state HTTP/1.1\r\n{head}", b"", context)
                body = json.dumps({"type": "new_match", "seq": state["seq"]}).encode()
                middle_s = time.perf_counter()
                await _request(port, f"POST /api/act HTTP/1.1\r\n{head}", body, context)
        except (OSError, RuntimeError, TimeoutError, IndexError) as trouble:
            print(repr(trouble)[:300], file=sys.stderr)
            failed += 1
        else:
            took += [middle_s - begun_s, time.perf_counter() - middle_s]
        await asyncio.sleep(0.3)
    return took, failed


def measure(way: str, strangers: int, seconds: float) -> dict[str, Any]:
    """Besiege the whole program in one way, while the scorekeeper acts over the same kind of connection."""
    safe = _free_port() if way.endswith("HTTPS") else 0
    server = [sys.executable, "-m", "tests.bench.load.house", *([str(safe)] if safe else [])]
    with table(server) as (port, codes, pid):
        cookie, context = asyncio.run(_join(port, codes["scorekeeper"])), None
        if safe:
            port, context, cookie = safe, _unchecked(), f"__Host-{cookie}"
        opened = multiprocessing.Value("l", 0)
        besiegers = multiprocessing.Process(target=_besiege, args=(port, strangers, way, opened), daemon=True)
        besiegers.start()
        try:
            time.sleep(1)
            took, failed = asyncio.run(_act(port, cookie, seconds, context))
            files = len(list(Path(f"/proc/{pid}/fd").iterdir()))
            memory = next(
                row for row in Path(f"/proc/{pid}/status").read_text().splitlines() if "VmHWM" in row
            )
        finally:
            besiegers.terminate()
            with suppress(ValueError):
                besiegers.join(5)
        return {
            "way": way,
            "requests": len(took),
            "failed": failed,
            "median_ms": round(1000 * statistics.median(took)),
            "worst_ms": round(1000 * max(took)),
            "opened": opened.value,
            "open_files": files,
            "memory_mb": int(memory.split()[1]) // 1024,
        }


def report(strangers: int = 5000, seconds: float = 25.0) -> str:
    """A table of all ways."""
    rows = [measure(way, strangers, seconds) for way in WAYS]
    head = (
        f"{strangers:,} connections without a role, held open by a process on the same machine for {seconds:.0f} s and "
        "opened again when dropped; the scorekeeper's requests meanwhile, each over a new connection.\n\n"
        "| the connections | requests | failed | median ms | worst ms | connections opened | open files | memory MB |\n"
        "|---|---|---|---|---|---|---|---|\n"
    )
    return head + "\n".join("| " + " | ".join(str(value) for value in row.values()) + " |" for row in rows)


def main() -> None:
    """Measure one way or all, and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--strangers", type=int, default=5000)
    parser.add_argument("--seconds", type=float, default=25.0)
    parser.add_argument("--way", choices=list(WAYS))
    asked = parser.parse_args()
    if asked.way:
        print(json.dumps(measure(asked.way, asked.strangers, asked.seconds)))
    else:
        print(report(asked.strangers, asked.seconds))


if __name__ == "__main__":
    main()
