"""The matches in the hub's record: list, replay, files. A match is TABLE.MATCH, as tables name theirs alike."""

import csv
import io
import json
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager
from functools import lru_cache
from typing import Any

from companion.errors import GameError, UserError
from companion.game.state import MatchOver, State
from companion.game.state_machine import fold
from companion.game.table import Table
from companion.hall.record.match_list import PAGE, Listed
from companion.hall.record.store import Store
from companion.protocol.permissions import Asker
from companion.protocol.replay import Course, ReplayStep, course_of, last_steps, replay_of
from companion.protocol.view import view_of
from companion.records.rows import Row, date_of, event_of, moment_of
from companion.rules.setting_values import Aids
from companion.service.dossier import exported
from companion.service.hall.pages.kept_replays import KeptReplays
from companion.service.hall.pages.table_names import in_order
from sentence import NOTHING, Sentence, say
from web.roles import Role, Visitor
from web.services import Record

KINDS = {
    "mat": "text/plain; charset=utf-8",
    "sgf": "application/x-go-sgf; charset=utf-8",
    "ogxm": "application/octet-stream",
    "json": "application/json",
}
"""Content type of each format; a dossier needs the pictures, which the hub does not have."""
RESULT = (
    "table",
    "match",
    "date",
    "over_at",
    "south",
    "north",
    "length",
    "south_points",
    "north_points",
    "head",
    "key",
    "round",
    "event",
    "winner",
)
"""The fields of a result."""
MOST_RESULTS = 5000
NEWS_MS = 2 * 86_400_000
"""Age of the matches whose results are news: two days, by their begin."""
LAST = 8
"""Steps of a match that a table's page shows: the last plays."""
NO_MATCH: Mapping[str, Any] = {"match": "", "steps": []}
KEPT = 128
"""Last steps and states kept in memory: all spectators of a table share one."""


class HallMatches:
    """The matches of all tables; callable from any thread."""

    def __init__(
        self,
        store: Store,
        writer: Callable[[], AbstractContextManager[Store]] | None = None,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        """Of the record `store`; `writer` opens it by another connection, in which a match is deleted as a whole.

        `changed` is called after a deletion.
        """
        self._store, self._writer, self._changed = store, writer, changed
        self._lock = threading.Lock()
        self._replays = KeptReplays()
        self._tail = lru_cache(KEPT)(self._tail_of)
        self._whole = lru_cache(KEPT)(self._whole_of)
        self._given: dict[tuple[str, str], int] = {}
        self._courses: dict[tuple[str, bool], tuple[str, int, Course]] = {}

    def find(self, wanted: Mapping[str, str]) -> Mapping[str, Any]:
        """One page of the matches that fit `table`, `player`, `since` and `until`, newest first."""
        asked = wanted.get("page", "")
        page = max(1, min(int(asked), 10**6)) if asked.isdecimal() else 1
        found, total = self._store.listed.find(wanted, page)
        pages = max(1, -(-total // PAGE))
        lines = [self._as_json(self._counted(line)) for line in found]
        tables = sorted(self._store.held(), key=in_order)
        return {"matches": lines, "total": total, "page": page, "pages": pages, "tables": tables}

    def results(self, wanted: Mapping[str, str], kind: str) -> Record | None:
        """The results of the matches that fit and are over, newest first, as "csv" or "json"; None: no such format.

        Each names the time of its last event, and the digest of it with the key that signed it; "" if it is not signed.
        """
        lines = [line for each in self._store.listed.all(wanted) if (line := self._counted(each)).ended]
        results = [self._result(line) for line in lines[:MOST_RESULTS]]
        if kind == "json":
            content = json.dumps({"results": results}, ensure_ascii=False, indent=1).encode()
            return Record("results.json", content, "application/json")
        if kind != "csv":
            return None
        out = io.StringIO()
        writer = csv.DictWriter(out, RESULT)
        writer.writeheader()
        writer.writerows({key: _cell(value) for key, value in one.items()} for one in results)
        return Record("results.csv", out.getvalue().encode("utf-8-sig"), "text/csv; charset=utf-8")

    def news(self, playing: Collection[str]) -> Iterator[Mapping[str, Any]]:
        """The results of the last days' matches that are over and have grown since they were given here the last time.

        `playing` are matches (TABLE.MATCH) that are on a table and not over.
        """
        listed = list(self._store.listed.all({"since": date_of(round(time.time() * 1000) - NEWS_MS)}))
        recent = {(line.board, line.match) for line in listed}
        self._given = {at: events for at, events in self._given.items() if at in recent}
        for line in listed:
            at = line.board, line.match
            if self._given.get(at) != line.events and ".".join(at) not in playing:
                counted = self._counted(line)
                if counted.ended:
                    yield self._result(counted)
                self._given[at] = counted.events

    def _result(self, line: Listed) -> dict[str, Any]:
        [last] = self._store.rows_between(line.board, line.match, line.events, line.events)
        signed = [
            one.key for one in self._store.statements(line.board, line.match) if one.head == last.digest
        ]
        over = moment_of(last.at_ms)
        values = (
            *(line.board, line.match, line.day, over.isoformat(timespec="seconds") if over else ""),
            *(line.south, line.north, line.length, line.south_points, line.north_points),
            *(last.digest, signed[-1] if signed else ""),
            *self._store.pairings.of(line.board, line.match),
            line.winner,
        )
        return dict(zip(RESULT, values, strict=True))

    def about(self, name: str, events: int | None) -> Mapping[str, Any] | None:
        """A match as in the list, as it was after so many events, all for None; None if there is none."""
        line = self._store.listed.get(*parts_of(name))
        if line is None:
            return None
        if events is not None and events < line.events:
            return self._as_json(_counted(line._replace(events=events), self._rows(line)[:events]))
        return self._as_json(self._counted(line))

    def replay(self, name: str, events: int | None) -> Mapping[str, Any] | None:
        """A match step by step up to so many events, all for None; without pips where a viewer may not see them."""
        rows = self._store.rows(*parts_of(name))
        with self._lock:  # all spectators of a table ask at the same moment, and one of them computes
            board, match = parts_of(name)
            seen = board, match, len(rows) if events is None else events, events is None
            return self._replays.get(seen, lambda: self._replayed(*seen))

    def tail(self, board: str, held: Mapping[str, Any], visitor: Visitor) -> Mapping[str, Any]:
        """The last steps of the match on a table, as far as the visitor may see it: `held` names the last row."""
        keeps = visitor.role.rank >= Role.SCOREKEEPER.rank
        with self._lock:
            return self._tail(board, held["match"], held["number"], keeps)

    def whole(self, board: str, held: Mapping[str, Any], visitor: Visitor) -> Mapping[str, Any]:
        """The state of a table as its own page has it for spectators, as far as the visitor may see it."""
        keeps = visitor.role.rank >= Role.SCOREKEEPER.rank
        with self._lock:
            return self._whole(board, held["match"], held["number"], keeps)

    def _course(self, board: str, match: str, number: int, keeps: bool) -> Course | None:
        """Follows the match on from where it was the last time: all its spectators are at nearly the same event.

        None before a match, and for one of another version's rules.
        """
        begun, so_far = 0, None
        for keeper in (
            keeps,
            not keeps,
        ):  # without a delay both see the same event, and share the course so far
            known, at, course = self._courses.get((board, keeper), ("", 0, None))
            if known == match and begun < at <= number:
                begun, so_far = at, course
        try:
            rows = self._store.rows_between(board, match, begun + 1, number)
            course = course_of(map(event_of, rows), so_far)
        except GameError:
            return None
        if course.table.state is None:
            return None
        self._courses[board, keeps] = match, number, course
        return course

    def _whole_of(self, board: str, match: str, number: int, keeps: bool) -> Mapping[str, Any]:
        course = self._course(board, match, number, keeps)
        view = view_of(course.table if course else Table(), Asker("viewer"))
        return {**view, "throw": None}  # its picture is at the table

    def _tail_of(self, board: str, match: str, number: int, keeps: bool) -> Mapping[str, Any]:
        course = self._course(board, match, number, keeps)
        if course is None or course.table.state is None:
            return NO_MATCH
        lie = course.table.state.terms.orientation
        steps = _as_seen(last_steps(course, LAST), course.table.state, keeps=keeps)
        return {
            "match": f"{board}.{match}",
            "length": course.table.state.terms.length,
            "orientation": {"home": lie.home, "south": lie.south},
            "cube": course.table.state.terms.profile.cube,
            "steps": steps,
        }

    def may_delete(self, name: str) -> bool:
        """Whether a match can be deleted: its table has played on in another one, so that it cannot come back there."""
        board, match = parts_of(name)
        matches = self._store.matches(board)
        later = matches[matches.index(match) + 1 :] if match in matches else []
        return self._writer is not None and any(self._is_played(board, each) for each in reversed(later))

    def _is_played(self, board: str, match: str) -> bool:
        try:
            return not _table_of(self._store.rows(board, match)).is_untouched
        except GameError:  # of another version, which may have it on its table
            return False

    def delete(self, name: str) -> Sentence:
        """Delete a match with all that the record says of it; a sentence why not, else an empty one."""
        if self._store.listed.get(*parts_of(name)) is None:
            return say("There is no match {match}.", match=name[:80])
        if self._writer is None or not self.may_delete(name):
            return say("It can be deleted once another match has been begun and its first roll made.")
        with self._writer() as record:
            record.delete(*parts_of(name), round(time.time() * 1000))
        with self._lock:
            self._replays.forget()
            self._tail.cache_clear()
            self._whole.cache_clear()
            board, match = parts_of(name)
            self._courses = {
                at: one for at, one in self._courses.items() if (at[0], one[0]) != (board, match)
            }
        self._changed()
        return NOTHING

    def export(self, name: str, kind: str) -> Record | Sentence | None:
        """A match as a file, or the reason why the format cannot hold it; None: no such match or format."""
        rows = self._store.rows(*parts_of(name))
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
        replay = replay_of(course)
        _as_seen(replay["steps"], course.table.state, keeps=keeps)
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
            "winner": line.winner or None,
            "won": _won(line),
            "signed": self._store.digest_at(line.board, line.match, line.events) in heads,
        }


def _won(line: Listed) -> Sentence:
    """Who won the match, whatever the points; empty for nobody."""
    names = {"south": line.south, "north": line.north}
    return say("{name} wins the match.", name=names[line.winner]) if line.winner else NOTHING


def _cell(value: object) -> object:
    """A value for a spreadsheet, which takes a name that begins like a formula for one."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r") else value


def _as_seen(steps: list[ReplayStep], state: State, *, keeps: bool) -> list[ReplayStep]:
    """The steps without pictures, which are at the table, and without pips where a viewer may not see them."""
    terms, over = state.terms, isinstance(state.phase, MatchOver)
    withheld = terms.profile.aids is Aids.WITHHELD and not terms.money_play and not over
    for step in steps:
        step["picture"] = None
        step["pips"] = None if withheld and not keeps else step["pips"]
    return steps


def _counted(line: Listed, rows: list[Row]) -> Listed:
    """The line with the points as of these rows; rows of another version count nothing."""
    line = line._replace(counted=len(rows))
    try:
        state = _table_of(rows).state
    except GameError:
        return line
    if state is None:
        return line
    winner = state.phase.winner.value if isinstance(state.phase, MatchOver) else ""
    line = line._replace(south_points=state.score.south, north_points=state.score.north)
    return line._replace(ended=int(bool(winner)), winner=winner)


def _table_of(rows: list[Row]) -> Table:
    return fold(map(event_of, rows))


def parts_of(name: str) -> tuple[str, str]:
    """Table and match in a name; a table's name has no dot."""
    board, _, match = name.partition(".")
    return board, match
