"""The rulings that the hall's director gives from the desk, and the tables' answers."""

import time
from collections.abc import Callable, Mapping
from typing import Any

from companion.hall.record.order_list import Ordered
from companion.hall.record.store import Store
from sentence import NOTHING, Sentence, say
from web.roles import Visitor

PATIENCE_S, LOOK_S = 2.0, 0.05
"""Longest wait for a table's answer, which takes some tenths of a second, and how often it is looked for."""


class HallRulings:
    """Orders from the desk; callable from any thread.

    Args:
        store: the hall's record.
        changed: called after each order.
        now_ms: wall clock.
        patience_s: longest wait for an answer.
    """

    def __init__(
        self,
        store: Store,
        changed: Callable[[], None] = lambda: None,
        now_ms: Callable[[], int] = lambda: round(time.time() * 1000),
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._orders, self._listed = store.orders, store.listed
        self._changed, self._now_ms, self._patience_s = changed, now_ms, patience_s

    def last(self, table: str) -> list[Mapping[str, Any]]:
        """The last orders to a table, newest first.

        Each with `at`, `by`, `action`, `players` by seat as far as they are known, and `answer`: "waiting", "done" or
        a sentence.
        """
        return [{**_as_json(one), "players": self._players(table, one)} for one in self._orders.last(table)]

    def _players(self, table: str, one: Ordered) -> Mapping[str, str]:
        """The players of the match that an order was for; former versions did not note it, but its number is a time."""
        line = self._listed.get(table, one.match) if one.match else self._listed.at(table, one.number)
        return {"south": line.south, "north": line.north} if line else {}

    def give(self, visitor: Visitor, table: Mapping[str, Any], action: Mapping[str, Any]) -> Sentence:
        """Order an action at a table as its state is, and wait shortly for its answer; a sentence why not, or its."""
        name, state = table["table"], table["state"]
        if state is None:
            return say("Nothing is known of this table yet.")
        match, now_ms = (state["match"] or {}).get("id", ""), self._now_ms()
        number = self._orders.give(name, state["session"], state["seq"], visitor.label, action, now_ms, match)
        if number is None:
            return say("Too much waits for this table’s answer already.")
        self._changed()
        return self._refusal(name, number)

    def _refusal(self, table: str, number: int) -> Sentence:
        """Why the table refused an order; empty if it did not, or has not answered by then."""
        until_s = time.monotonic() + self._patience_s
        while not (
            answered := [one for one in self._orders.last(table) if one.number == number and one.answer]
        ):
            if time.monotonic() >= until_s:
                return NOTHING
            time.sleep(LOOK_S)
        return answered[0].refusal or NOTHING


def _as_json(one: Ordered) -> Mapping[str, Any]:
    return {
        "at": time.strftime("%H:%M", time.localtime(one.number / 1000)),
        "by": one.by,
        "action": one.action,
        "answer": one.refusal or ("done" if one.answer else "waiting"),
    }
