"""The hall's state for its pages: all tables now, and for spectators as they were some time ago."""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import msgspec

from companion.hall.delay import Delayed
from companion.hall.hub import HallTable
from companion.service.hall.pages.table_names import in_order
from web.page import WHOLE, Page, State
from web.roles import Role, Visitor

ALL, TOLD = "*", "told*"
"""Stand for the list of tables, and for what the director is told of webhook and hub; no table has these names."""
OfMatch: TypeAlias = Callable[[str, Mapping[str, Any], Visitor], Mapping[str, Any]]
"""What is to be seen of a table's match, by the table, what is held of it, and the visitor."""
NOT_YET: Mapping[str, Any] = {"match": "", "number": 0}
"""What is held of a table of which nothing is to be seen yet."""


class Overview:
    """Publishes the tables. Every other path to what is played takes what may be seen from here: `held` of a table.

    Args:
        page: gets the states.
        hall: the hall's name.
        delay_s: seconds after which spectators and players see a table; scorekeeper and director see it at once.
        tails: the last steps of a table's match.
        wholes: its state as the table's own page has it (docs/PROTOCOL.md).
        now_s: monotonic clock.
        number: least number of the next edition; of several processes behind one address the time, so that a browser
            that asks one and then another takes the newer state.
    """

    def __init__(
        self,
        page: Page,
        hall: str,
        delay_s: float,
        tails: OfMatch,
        wholes: OfMatch,
        now_s: Callable[[], float] = time.monotonic,
        number: Callable[[], int] = lambda: 0,
    ) -> None:
        self._number = number
        self._page, self._hall, self._delay_s, self._now_s = page, hall, delay_s, now_s
        self._past: defaultdict[str, Delayed[dict[str, Any]]] = defaultdict(lambda: Delayed(delay_s))
        self._tails, self._wholes = tails, wholes
        self._seq = 0  # the page's number of the edition as well: nobody else publishes here
        self._published: dict[Role, dict[str, dict[str, Any]]] = {}
        self._changes: dict[Role, dict[str, int]] = {}
        self._told: Mapping[str, Any] = {}

    def show(
        self, tables: Mapping[str, HallTable], outage: Mapping[str, Any] | None = None, trouble: str = ""
    ) -> None:
        """Publish the tables, and to the director what keeps webhook or hub up, if what somebody sees has changed."""
        told = {"webhook": outage, "trouble": trouble}
        names = sorted(tables, key=in_order)
        live = [msgspec.to_builtins(tables[name].as_json(name)) for name in names]
        kept = [
            {**table, "fault": "", "about": None, "picture": None} for table in live
        ]  # what does not hold, what a table runs on, and its picture, is the director's business only
        shown = {
            Role.DIRECTOR: live,
            Role.SCOREKEEPER: kept,
            Role.VIEWER: self._late(kept) if self._delay_s else kept,
        }
        if not self._note_changes(shown, told):
            return
        seq, hall, changes = self._seq, self._hall, {role: dict(one) for role, one in self._changes.items()}
        tails, whole = self._tails, self._whole
        by_name = {role: {one["table"]: one for one in tables} for role, tables in shown.items()}

        def view(visitor: Visitor) -> State:
            seen = {"seq": seq, "hall": hall, "tables": shown.get(visitor.role, shown[Role.VIEWER])}
            return {**seen, **told} if visitor.role is Role.DIRECTOR else seen

        def since(visitor: Visitor, after: int, part: str) -> State | None:
            role = visitor.role if visitor.role in shown else Role.VIEWER
            at = changes[role]
            if part:
                name = part.removesuffix(WHOLE)
                one = by_name[role].get(name)
                new = [one] if one and (not after or at[name] > after) else []
                if name != part:
                    return whole(name, new, visitor) | {"seq": seq} if new or not after else None
                last = tails(part, new[0]["held"], visitor) if new else None
                return {"seq": seq, "hall": hall, "tables": new, "shown": last} if new or not after else None
            first = 0 if at[ALL] > after else after  # another table, or one less: all of them, in their order
            new = [one for one in shown[role] if at[one["table"]] > first]
            more = told if role is Role.DIRECTOR else {}
            if not new and first and at.get(TOLD, 0) <= first:
                return None
            return {"seq": seq, "hall": hall, "since": first, "tables": new, **more}

        self._page.publish(seq, view, since)

    def _whole(self, name: str, seen: list[dict[str, Any]], visitor: Visitor) -> dict[str, Any]:
        """A table's own state for its overlay, its clock to be compared with the time of now.

        `seen`: the table as this visitor sees it, nothing if he does not yet.
        """
        table: Mapping[str, Any] = seen[0] if seen else {"held": NOT_YET, "status": "offline"}
        state = {**self._wholes(name, table["held"], visitor), "online": table["status"] == "online"}
        if state["clock"] and visitor.role.rank < Role.SCOREKEEPER.rank:
            late_ms = round(1000 * self._delay_s)
            state["clock"] = {**state["clock"], "at_ms": state["clock"]["at_ms"] + late_ms}
        return state

    def _note_changes(self, shown: Mapping[Role, list[dict[str, Any]]], told: Mapping[str, Any]) -> bool:
        """Note what is new for whom in the next edition; whether there is anything."""
        seq, is_new = max(self._seq + 1, self._number()), not self._seq
        if told != self._told:
            self._changes.setdefault(Role.DIRECTOR, {ALL: seq})[TOLD] = seq
            self._told, is_new = told, True
        for role, tables in shown.items():
            before, at = self._published.get(role, {}), self._changes.setdefault(role, {ALL: seq})
            now = {table["table"]: table for table in tables}
            if list(before) != list(now):
                at[ALL], is_new = seq, True
            for name, table in now.items():
                if table != before.get(name):
                    at[name], is_new = seq, True
            self._published[role] = now
        self._seq = seq if is_new else self._seq
        return is_new

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
