"""The hub's record in SQLite: the rows of all tables as they wrote them, and nothing but additions."""

import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

from companion.errors import UserError
from companion.hall.protocol.messages import Held
from companion.records.rows import Row, problems_of

_SCHEMA = """
CREATE TABLE IF NOT EXISTS event (
    board TEXT NOT NULL, ordinal INTEGER NOT NULL, match TEXT NOT NULL, number INTEGER NOT NULL,
    at_ms INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, previous TEXT NOT NULL, digest TEXT NOT NULL,
    PRIMARY KEY (board, ordinal), UNIQUE (board, match, number)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS fault (board TEXT PRIMARY KEY, sentence TEXT NOT NULL, refused TEXT NOT NULL) WITHOUT ROWID;
PRAGMA user_version = 1;
"""
_ROW = "match, number, at_ms, kind, body, previous, digest"


class StoreError(UserError):
    """The hub's record cannot be opened, read or written."""


class Store:
    """An open record; one writer in one thread. Rows added are on disk after `commit`."""

    def __init__(self, file: Path) -> None:
        """Open or create the file; StoreError if that fails."""
        self._file = file
        with self._reported():
            file.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.executescript(_SCHEMA)
        self._lock = threading.Lock()

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"The hall's record {self._file} cannot be used: {error}.") from error

    def held(self) -> dict[str, Held]:
        """The last row of each table, with the matches refused."""
        refused = {
            board: tuple(json.loads(text)) for board, text in self._ask("SELECT board, refused FROM fault")
        }
        last = self._ask(
            "SELECT board, match, number, digest FROM event "
            "WHERE (board, ordinal) IN (SELECT board, max(ordinal) FROM event GROUP BY board)"
        )
        found = {
            board: Held(match, number, digest, refused=refused.get(board, ()))
            for board, match, number, digest in last
        }
        return {**{board: Held(refused=those) for board, those in refused.items()}, **found}

    def faults(self) -> dict[str, str]:
        """What does not hold of a table's record, a sentence by table."""
        return dict(self._ask("SELECT board, sentence FROM fault"))

    def digest_at(self, table: str, match: str, number: int) -> str | None:
        """The digest of a row; None if it is not held."""
        found = self._ask(
            "SELECT digest FROM event WHERE board = ? AND match = ? AND number = ?", table, match, number
        )
        return found[0][0] if found else None

    def rows(self, table: str, match: str) -> list[Row]:
        """The rows of a match in order."""
        return [
            Row(*row)
            for row in self._ask(
                f"SELECT {_ROW} FROM event WHERE board = ? AND match = ? ORDER BY number", table, match
            )
        ]

    def matches(self, table: str) -> list[str]:
        """The matches of a table in the order of their first rows."""
        return [
            match
            for (match,) in self._ask(
                "SELECT match FROM event WHERE board = ? AND number = 1 ORDER BY ordinal", table
            )
        ]

    def firsts(self) -> list[tuple[str, Row, int]]:
        """Of each match its table, its first row, and the number of its rows."""
        return [
            (board, Row(*row), last)
            for board, last, *row in self._ask(
                f"SELECT board, last, {_ROW} FROM event JOIN "
                "(SELECT board AS b, match AS m, max(number) AS last FROM event GROUP BY board, match) "
                "ON board = b AND match = m WHERE number = 1"
            )
        ]

    def problems(self, table: str) -> list[str]:
        """What does not hold of a table's stored chains, a sentence each."""
        return [
            f"{table}, match {match}: {problem}"
            for match in self.matches(table)
            for problem in problems_of(self.rows(table, match))
        ]

    def add(self, table: str, row: Row) -> None:
        """Add a table's next row, to be committed."""
        values = (row.match_id, row.number, row.at_ms, row.kind, row.body, row.previous, row.digest)
        self._begin()
        self._ask(
            f"INSERT INTO event (board, ordinal, {_ROW}) SELECT ?1, "
            "coalesce(max(ordinal), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 FROM event WHERE board = ?1",
            table,
            *values,
        )

    def refuse(self, table: str, sentence: str, matches: tuple[str, ...]) -> None:
        """Note what does not hold of a table's record, to be committed."""
        self._begin()
        self._ask("REPLACE INTO fault VALUES (?, ?, ?)", table, sentence, json.dumps(matches))

    def commit(self) -> None:
        """Put what was added on disk; StoreError if it could not be, and then nothing of it was added."""
        if self._db.in_transaction:
            try:
                self._ask("COMMIT")
            except StoreError:
                self.rollback()
                raise

    def rollback(self) -> None:
        """Forget what was added since the last commit."""
        with suppress(sqlite3.Error):  # a broken disk may have done so already
            self._db.rollback()

    def close(self) -> None:
        """Close the file; what was not committed is not added."""
        with closing(self._db):
            self.rollback()

    def _begin(self) -> None:
        if not self._db.in_transaction:
            self._ask("BEGIN IMMEDIATE")

    def _ask(self, query: str, *values: object) -> list[Any]:
        with self._reported(), self._lock:
            return self._db.execute(query, values).fetchall()
