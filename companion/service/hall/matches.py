"""The matches in the hub's record: list, replay, files. A match is TABLE.MATCH, as tables name theirs alike."""

import threading
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from companion.errors import GameError, UserError
from companion.game.events import MatchBegan
from companion.game.state import MatchOver
from companion.game.state_machine import fold
from companion.game.table import Table
from companion.hall.store import Store
from companion.protocol.replay import course_of, replay_of
from companion.records.export import score_sheet
from companion.records.rows import Row, date_of, event_of
from companion.rules.setting_values import Aids
from companion.service.dossier import exported
from companion.service.hall.order import in_order
from sentence import Sentence
from web.services import Record

PAGE = 50
"""Matches on one page of the list."""
KINDS = {
    "mat": "text/plain; charset=utf-8",
    "sgf": "application/x-go-sgf; charset=utf-8",
    "ogxm": "application/octet-stream",
    "json": "application/json",
}
"""Content type of each format; a dossier needs the pictures, which the hub does not have."""
KEPT = 128
"""Replays kept in memory: all spectators of a table share one."""


class HallMatches:
    """The matches of all tables; callable from any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._replay = lru_cache(KEPT)(self._replayed)
        self._result = lru_cache(1024)(self._counted)

    def find(self, wanted: Mapping[str, str]) -> Mapping[str, Any]:
        """One page of the matches that fit `table`, `player`, `since` and `until`, newest first."""
        fitting = [
            found
            for board, row, last in self._store.firsts()
            if (found := _line(board, row, last)) and _fits(found, wanted)
        ]
        fitting.sort(key=lambda one: (one["date"], one["at_ms"], in_order(one["table"])), reverse=True)
        page = int(wanted.get("page", "")) if wanted.get("page", "").isdecimal() else 1
        page, pages = max(1, min(page, 10**6)), max(1, -(-len(fitting) // PAGE))
        shown = fitting[(page - 1) * PAGE : page * PAGE]
        lines = [{**one, **self._result(one["table"], one["id"], one["events"])} for one in shown]
        tables = sorted(self._store.held(), key=in_order)
        return {"matches": lines, "total": len(fitting), "page": page, "pages": pages, "tables": tables}

    def about(self, name: str, events: int | None) -> Mapping[str, Any] | None:
        """A match as in the list, as it was after so many events, all for None; None if there is none."""
        board, match = _parts(name)
        rows = self._store.rows(board, match)[:events]
        line = _line(board, rows[0], len(rows)) if rows else None
        return {**line, **self._result(board, match, len(rows))} if line else None

    def replay(self, name: str, events: int | None) -> Mapping[str, Any] | None:
        """A match step by step up to so many events, all for None; without pips where a viewer may not see them."""
        rows = self._store.rows(*_parts(name))
        with self._lock:  # all spectators of a table ask at the same moment, and one of them computes
            return self._replay(*_parts(name), len(rows) if events is None else events, events is None)

    def export(self, name: str, kind: str) -> Record | Sentence | None:
        """A match as a file, or the reason why the format cannot hold it; None: no such match or format."""
        rows = self._store.rows(*_parts(name))
        try:
            if not rows or kind not in KINDS:
                return None
            content = exported(kind, rows, _table_of(rows), lambda picture: None)
        except UserError as error:
            return error.sentence
        except GameError:
            return None
        return Record(f"{name}.{kind}", content, KINDS[kind])

    def _replayed(self, board: str, match: str, events: int, keeps: bool) -> Mapping[str, Any] | None:
        rows = self._store.rows(board, match)[:events]
        try:
            course = course_of(map(event_of, rows)) if rows else None
        except GameError:
            return None  # another version's rules
        if course is None or course.table.state is None:
            return None
        replay, terms = replay_of(course), course.table.state.terms
        over = isinstance(course.table.state.phase, MatchOver)
        withheld = terms.profile.aids is Aids.WITHHELD and not terms.money_play and not over
        for step in replay["steps"]:
            step["picture"] = None  # it is at the table
            step["pips"] = None if withheld and not keeps else step["pips"]
        return replay

    def _counted(self, board: str, match: str, events: int) -> Mapping[str, Any]:
        try:
            table = _table_of(self._store.rows(board, match)[:events])
        except GameError:
            return {"score": {"south": "", "north": ""}, "over": False}
        assert table.state is not None
        over = isinstance(table.state.phase, MatchOver)
        return {"score": score_sheet(table)["score"], "over": over}


def _table_of(rows: list[Row]) -> Table:
    return fold(map(event_of, rows))


def _parts(name: str) -> tuple[str, str]:
    """Table and match in a name; a table's name has no dot."""
    board, _, match = name.partition(".")
    return board, match


def _line(board: str, row: Row, events: int) -> dict[str, Any] | None:
    try:
        began = event_of(row)
    except GameError:
        return None
    if not isinstance(began, MatchBegan):
        return None
    return {
        "match": f"{board}.{row.match_id}",
        "id": row.match_id,
        "table": board,
        "date": date_of(row.at_ms),
        "at_ms": row.at_ms,
        "players": {"south": began.south, "north": began.north},
        "length": began.length,
        "events": events,
    }


def _fits(line: Mapping[str, Any], wanted: Mapping[str, str]) -> bool:
    table, player = wanted.get("table", ""), wanted.get("player", "").strip().casefold()
    since, until = wanted.get("since", ""), wanted.get("until", "")
    return (
        (not table or line["table"] == table)
        and any(player in name.casefold() for name in line["players"].values())
        and (not since or line["date"] >= since)
        and (not until or line["date"] <= until)
    )
