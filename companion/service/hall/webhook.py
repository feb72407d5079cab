"""The hub's webhook: results and calls, posted as JSON to what runs the event, until they are taken."""

import json
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from queue import Empty, SimpleQueue
from typing import Any
from urllib.parse import urlsplit

from companion.errors import UserError
from companion.hall.broker import HallError, is_this_machine
from companion.hall.hub import HallTable
from companion.hall.protocol.messages import TableState
from companion.hall.record.hook_list import HookList, result_id
from companion.records.match_ids import earlier_of
from companion.service.hall.pages.matches import HallMatches

TIMEOUT_S = 10.0
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 300.0
"""Waits between tries: the first one, and the longest, each twice the one before."""
LOOK_S = 5.0
"""Seconds between looks for new results, while no table says anything."""
PASSING = frozenset({408, 425, 429})
"""Refusals (4xx) that another try may mend; of any other the message is given up."""


def check_webhook(url: str) -> None:
    """HallError unless the address is https://…, or http://… on this very machine."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port = "", 0
    if not host or port == 0 or parts.scheme not in ("http", "https") or parts.username:
        raise HallError(f"{url} is no address for results: write https://HOST/PATH.")
    if parts.scheme == "http" and not is_this_machine(host):
        raise HallError(f"{url} has no TLS, which another machine needs: write https://{host}.")


class Webhook:
    """Posts each result and each call once it is taken with a status of 2xx, in their order, from a thread of its own.

    Args:
        url: checked by `check_webhook`.
        hall: the hall's name.
        hooks: the messages that wait.
        matches: of the hall.
        log: writes a line about an outage, at its begin and its end.
        first_wait_s: wait before the second try.
        changed: called when `outage` has changed, from the webhook's thread.

    Attributes:
        outage: what the desk is told while messages wait: `host`, `why`, how many are `waiting`; None while none do.
    """

    def __init__(
        self,
        url: str,
        hall: str,
        hooks: HookList,
        matches: HallMatches,
        log: Callable[[str], None],
        first_wait_s: float = FIRST_WAIT_S,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self.outage: Mapping[str, Any] | None = None
        self._changed = changed
        self._url, self._hall, self._hooks, self._matches, self._log = url, hall, hooks, matches, log
        self._first_wait_s = self._wait_s = first_wait_s
        self._news, self._closing = threading.Event(), threading.Event()
        self._calls: dict[str, bool] = {}
        self._called: SimpleQueue[tuple[str, TableState, int]] = SimpleQueue()
        self._playing: frozenset[str] = frozenset()
        self._trouble = ""
        self._thread = threading.Thread(target=self._run, name="webhook", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """End the thread; what waits is posted after the next start."""
        self._closing.set()
        self._news.set()
        if self._thread.is_alive():
            self._thread.join(TIMEOUT_S + 1)

    def notice(self, tables: Mapping[str, HallTable]) -> None:
        """Note who calls the director now, and which matches are in play; from the hub's thread."""
        for name, table in tables.items():
            calls = table.state is not None and "director" in table.state.wanted
            if table.state is not None and calls and not self._calls.get(name, False):
                self._called.put((name, table.state, round(time.time() * 1000)))
                self._news.set()
            self._calls[name] = calls
        playing = frozenset(
            f"{name}.{table.held.match}"
            for name, table in tables.items()
            if not (table.state and table.state.match and table.state.match.winner)
        )
        if playing != self._playing:
            self._playing = playing
            self._news.set()

    def _put_call(self, name: str, state: TableState, at_ms: int) -> None:
        players = (
            {"south": state.match.players.south, "north": state.match.players.north} if state.match else None
        )
        call = {"kind": "call", "hall": self._hall, "table": name, "at_ms": at_ms, "players": players}
        self._put(f"call.{name}.{state.session}.{state.seq}", call, at_ms)

    def _put(self, name: str, body: Mapping[str, Any], now_ms: int) -> None:
        self._hooks.put(name, json.dumps({**body, "id": name}, ensure_ascii=False), now_ms)

    def _run(self) -> None:
        while not self._closing.is_set():
            self._news.clear()
            try:
                self._look()
                is_taken = self._post_all()
            except UserError as error:
                self._warn(str(error))
                is_taken = False
            if is_taken:
                self._wait_s = self._first_wait_s
                self._news.wait(LOOK_S)
            else:
                self._closing.wait(self._wait_s)
                self._wait_s = min(2 * self._wait_s, LONGEST_WAIT_S)

    def _look(self) -> None:
        """Put the calls and results that are new: a corrected result is another one."""
        now_ms = round(time.time() * 1000)
        with suppress(Empty):
            while True:
                self._put_call(*self._called.get_nowait())
        for result in self._matches.news(self._playing):
            table, match = result["table"], result["match"]
            name = result_id(table, match, result["head"])
            former = self._hooks.last_result(table, match, name)
            if not former and (earlier := earlier_of(match)):
                former = self._hooks.last_result(table, earlier, name)
            self._put(name, {"kind": "result", "hall": self._hall, **result, "replaces": former}, now_ms)
        if lost := self._hooks.give_up(now_ms):
            self._log(f"{lost} messages for {self._host} were given up: too old, or too many.")

    def _post_all(self) -> bool:
        """Post what waits; whether all of it has been taken."""
        while not self._closing.is_set() and (waiting := self._hooks.first()):
            trouble, is_final = self._post(waiting.body.encode(), waiting.id)
            if trouble and not is_final:
                self._warn(f"{self._host} does not take results ({trouble}). They wait.")
                self._show({"host": self._host, "why": trouble, "waiting": self._hooks.count()})
                return False
            if trouble:
                self._log(f"{self._host} refuses {waiting.id} ({trouble}); it is given up.")
            elif self._trouble:
                self._log(f"{self._host} takes results again.")
                self._trouble = ""
            self._hooks.done(waiting.id)
        if not self._closing.is_set():
            self._show(None)
        return True

    def _show(self, outage: Mapping[str, Any] | None) -> None:
        if outage != self.outage:
            self.outage = outage
            self._changed()

    def _post(self, body: bytes, name: str) -> tuple[str, bool]:
        """Post a message: what is wrong, "" if it was taken, and whether another try is of no use."""
        parts = urlsplit(self._url)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        line = kind(parts.hostname or "", parts.port, timeout=TIMEOUT_S)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        headers = {"Content-Type": "application/json; charset=utf-8", "Idempotency-Key": f'"{name}"'}
        try:
            line.request("POST", path, body, headers)
            status = line.getresponse().status
        except (OSError, HTTPException, ssl.CertificateError) as error:
            return str(error) or type(error).__name__, False
        finally:
            line.close()
        if 200 <= status < 300:
            return "", True
        return f"status {status}", 400 <= status < 500 and status not in PASSING

    @property
    def _host(self) -> str:
        """The receiver for the log, without its path, which may be a secret."""
        return urlsplit(self._url).netloc

    def _warn(self, text: str) -> None:
        """Log a trouble once, until it is over or another one comes."""
        if text != self._trouble:
            self._log(text)
        self._trouble = text
