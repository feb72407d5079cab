"""A WLED controller on this machine: keeps a state, merges what is posted into it, and can hang, refuse or go away."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Wled:
    """The controller.

    Attributes:
        refuses: it answers with 503.
        hangs: it takes requests and answers none until `answers` is set.
        arrived: a request that hangs has come.
    """

    def __init__(self, leds: int = 60, port: int = 0) -> None:
        self.refuses = self.hangs = False
        self.answers, self.arrived = threading.Event(), threading.Event()
        self.leds, self._changed = leds, threading.Condition()
        self._state: dict[str, Any] = {"on": False, "bri": 128, "seg": []}
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer._wait()
                told = {"/json/info": outer._info(), "/json/state": outer._state}
                self._reply(told.get(self.path))

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer._wait()
                fits = self.path == "/json/state" and self.headers["Content-Type"] == "application/json"
                if fits and not outer.refuses:
                    outer._take(json.loads(body))
                self._reply({"success": True} if fits else None)

            def _reply(self, told: Any) -> None:
                self.send_response(503 if outer.refuses else 404 if told is None else 200)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                with suppress(ConnectionError):  # the program did not wait for the answer
                    self.wfile.write(json.dumps(told).encode())

            def log_message(self, *words: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def close(self) -> None:
        """Go away: connections are refused from now on."""
        self.answers.set()
        self._server.shutdown()
        self._server.server_close()

    def halves(self) -> list[tuple[int, int, bool, int | None]]:
        """Start, stop, lit, and the effect of each segment."""
        parts = sorted(self._state["seg"], key=lambda one: one["id"])
        return [(one["start"], one["stop"], one["on"], one.get("fx")) for one in parts]

    def shows(self, south: str, north: str, patience_s: float = 20.0) -> bool:
        """Wait until the lights with these names were sent; False if they are not in time."""
        wanted = {"south": south, "north": north}
        with self._changed:
            return self._changed.wait_for(lambda: self._state.get("board") == wanted, patience_s)

    def _info(self) -> dict[str, Any]:
        return {"ver": "0.15.0", "leds": {"count": self.leds}, "brand": "WLED"}

    def _wait(self) -> None:
        if self.hangs:
            self.arrived.set()
            self.answers.wait()

    def _take(self, given: dict[str, Any]) -> None:
        """Merge as WLED does: a segment's keys into the segment with its id, other keys into the state."""
        with self._changed:
            there = {one["id"]: one for one in self._state["seg"]}
            for part in given.pop("seg", []):
                assert 0 <= part["start"] < part["stop"] <= self.leds
                there.setdefault(part["id"], {}).update(part)
            self._state = {**self._state, **given, "seg": list(there.values())}
            self._changed.notify_all()


@contextmanager
def wled(leds: int = 60, port: int = 0) -> Iterator[Wled]:
    """A controller for a test."""
    one = Wled(leds, port)
    try:
        yield one
    finally:
        one.close()
