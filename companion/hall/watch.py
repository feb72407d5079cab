"""What a process for spectators hears of a hall: the tables' states, and what the hub has on disk; it says nothing."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace

from companion.hall.broker import Line
from companion.hall.hub import SHOW_S, HallTable
from companion.hall.protocol.messages import Availability, BadMessageError, Held, TableState, decoded
from companion.hall.protocol.topics import FOR_WATCH, ROOT, table_and_kind


class HallWatch:
    """The overview of a hall without its record's writer.

    Args:
        hall: the hall's name.
        held: the last row of each table in the record, which is on disk.
        show: called with all tables, by name, after each change.
        log: writes a line about an outage, at its begin and its end.
        each_turn: call `show` at each turn as well, for those who see the tables later.
        now_s, now_ms: monotonic clock in seconds, wall clock in milliseconds.
    """

    def __init__(
        self,
        hall: str,
        held: Mapping[str, Held],
        show: Callable[[Mapping[str, HallTable]], None],
        log: Callable[[str], None],
        each_turn: bool = False,
        now_s: Callable[[], float] = time.monotonic,
        now_ms: Callable[[], int] = lambda: round(time.time() * 1000),
    ) -> None:
        self._hall, self._show, self._log, self._each_turn = hall, show, log, each_turn
        self._now_s, self._now_ms = now_s, now_ms
        self.tables = {name: HallTable(one) for name, one in held.items()}
        self._is_away, self._changed, self._shown_s = False, True, float("-inf")

    def connected(self, line: Line) -> None:
        """Listen to all tables, and to what the hub tells them."""
        if self._is_away:
            self._log("The broker is reached again.")
        self._is_away = False
        self._all_offline()  # whoever is there has left it with the broker
        line.subscribe(*(f"{ROOT}/{self._hall}/+/{kind}" for kind in FOR_WATCH))

    def disconnected(self, why: str) -> None:
        """Say that the tables are out of reach."""
        if not self._is_away:
            self._log(f"The broker is not reached ({why}). Spectators see what was played before.")
        self._is_away = True
        self._all_offline()
        self._publish()

    def arrived(self, line: Line, topic: str, payload: bytes, after: str) -> None:
        """Take what a table or the hub says; one that is none of the hall's is ignored."""
        found = table_and_kind(self._hall, topic, FOR_WATCH)
        if found is None or not payload:
            return
        name, kind = found
        table = self.tables.setdefault(name, HallTable())
        try:
            if kind == "held":
                table.held = replace(decoded(payload, Held), again=False)
            elif kind == "state":
                table.state = decoded(payload, TableState)
            else:
                status = decoded(payload, Availability).status
                if status != table.status:
                    table.status, table.since_ms = status, self._now_ms()
        except BadMessageError as error:
            self._log(f"Table {name}: {error}")
        self._changed = True

    def turned(self, line: Line) -> None:
        """Show what has changed."""
        self._publish()

    def _all_offline(self) -> None:
        for table in self.tables.values():
            table.status = "offline"
        self._changed = True

    def _publish(self) -> None:
        now_s = self._now_s()
        if (self._changed or self._each_turn) and now_s - self._shown_s >= SHOW_S:
            self._changed, self._shown_s = False, now_s
            self._show(self.tables)
