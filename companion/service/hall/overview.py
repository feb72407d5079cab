"""The hall's state for its pages: all tables now, and for spectators as they were some time ago."""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from companion.hall.delay import Delayed
from companion.hall.hub import HallTable
from companion.service.hall.order import in_order
from web.page import Page, State
from web.roles import Role, Visitor


class Overview:
    """Publishes the tables. Every other path to what is played takes what may be seen from here: `held` of a table.

    Args:
        page: gets the states.
        hall: the hall's name.
        delay_s: seconds after which spectators and players see a table; scorekeeper and director see it at once.
        now_s: monotonic clock.
    """

    def __init__(
        self, page: Page, hall: str, delay_s: float, now_s: Callable[[], float] = time.monotonic
    ) -> None:
        self._page, self._hall, self._delay_s, self._now_s = page, hall, delay_s, now_s
        self._past: defaultdict[str, Delayed[dict[str, Any]]] = defaultdict(lambda: Delayed(delay_s))
        self._seq = 0
        self._published: object = None

    def show(self, tables: Mapping[str, HallTable]) -> None:
        """Publish the tables, if what somebody sees has changed."""
        names = sorted(tables, key=in_order)
        live = [msgspec.to_builtins(tables[name].as_json(name)) for name in names]
        plain = [
            {**table, "fault": ""} for table in live
        ]  # what does not hold is the director's business only
        kept = plain
        if self._delay_s:
            plain = self._late(plain)
        if self._published == (live, plain):
            return
        self._published = (live, plain)
        self._seq += 1
        seq, hall = self._seq, self._hall
        shown = {Role.DIRECTOR: live, Role.SCOREKEEPER: kept}

        def view(visitor: Visitor) -> State:
            return {"seq": seq, "hall": hall, "tables": shown.get(visitor.role, plain)}

        self._page.publish(seq, view)

    def _late(self, tables: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The tables as they were, their clocks to be compared with the time of now."""
        now_s, found = self._now_s(), []
        for table in tables:
            past = self._past[table["table"]]
            past.put(table, now_s)
            if then := past.at(now_s):
                found.append(_with_clock_later(then, round(1000 * self._delay_s)))
        return found


def _with_clock_later(table: dict[str, Any], by_ms: int) -> dict[str, Any]:
    state = table["state"]
    if not state or not state["clock"] or state["clock"]["ends_ms"] is None:
        return table
    clock = {**state["clock"], "ends_ms": state["clock"]["ends_ms"] + by_ms}
    return {**table, "state": {**state, "clock": clock}}
