"""The matches in the hub's record: list, replay, files. A match is TABLE.MATCH, as tables name theirs alike."""

import threading
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from companion.errors import GameError, UserError
from companion.game.state import MatchOver
from companion.game.state_machine import fold
from companion.game.table import Table
from companion.hall.match_list import PAGE, Listed
from companion.hall.store import Store
from companion.protocol.replay import course_of, replay_of
from companion.records.rows import Row, event_of
from companion.rules.setting_values import Aids
from companion.service.dossier import exported
from companion.service.hall.order import in_order
from sentence import Sentence
from web.services import Record

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

    def find(self, wanted: Mapping[str, str]) -> Mapping[str, Any]:
        """One page of the matches that fit `table`, `player`, `since` and `until`, newest first."""
        asked = wanted.get("page", "")
        page = max(1, min(int(asked), 10**6)) if asked.isdecimal() else 1
        found, total = self._store.listed.find(wanted, page)
        pages = max(1, -(-total // PAGE))
        lines = [self._as_json(self._counted(line)) for line in found]
        tables = sorted(self._store.held(), key=in_order)
        return {"matches": lines, "total": total, "page": page, "pages": pages, "tables": tables}

    def about(self, name: str, events: int | None) -> Mapping[str, Any] | None:
        """A match as in the list, as it was after so many events, all for None; None if there is none."""
        line = self._store.listed.get(*_parts(name))
        if line is None:
            return None
        if events is not None and events < line.events:
            return self._as_json(_counted(line._replace(events=events), self._rows(line)[:events]))
        return self._as_json(self._counted(line))

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

    def _rows(self, line: Listed) -> list[Row]:
        return self._store.rows(line.board, line.match)

    def _counted(self, line: Listed) -> Listed:
        """The line with the points as of all rows there are, which the list keeps."""
        if line.counted == line.events:
            return line
        rows = self._rows(line)
        line = _counted(line._replace(events=len(rows)), rows)
        self._store.listed.count(line)
        return line

    def _as_json(self, line: Listed) -> dict[str, Any]:
        heads = self._store.heads_at(line.board, line.match, line.events)
        return {
            "match": f"{line.board}.{line.match}",
            "id": line.match,
            "table": line.board,
            "date": line.day,
            "at_ms": line.at_ms,
            "players": {"south": line.south, "north": line.north},
            "length": line.length,
            "events": line.events,
            "score": {"south": line.south_points, "north": line.north_points},
            "over": bool(line.ended),
            "signed": self._store.digest_at(line.board, line.match, line.events) in heads,
        }


def _counted(line: Listed, rows: list[Row]) -> Listed:
    """The line with the points as of these rows; rows of another version count nothing."""
    line = line._replace(counted=len(rows))
    try:
        state = _table_of(rows).state
    except GameError:
        return line
    if state is None:
        return line
    over = int(isinstance(state.phase, MatchOver))
    return line._replace(south_points=state.score.south, north_points=state.score.north, ended=over)


def _table_of(rows: list[Row]) -> Table:
    return fold(map(event_of, rows))


def _parts(name: str) -> tuple[str, str]:
    """Table and match in a name; a table's name has no dot."""
    board, _, match = name.partition(".")
    return board, match
