"""The journal on disk: an append-only, hash-chained table of events in SQLite; docs/RECORD.md specifies it.

A row is on disk before `append` returns (WAL, synchronous=FULL), and SQLite never shows half of one.
"""

import sqlite3
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from companion.errors import UserError
from companion.game.events import AnyEvent, MatchBegan
from companion.records.rows import (
    GENESIS,
    BadRecordError,
    Row,
    chain_holds,
    digest_of,
    event_of,
    problems_of,
    row_of,
    text_of,
)
from companion.storage.sqlitelog import BESIDE, PAGE

FILE_NAME = "journal.sqlite"
SALVAGED = "journal.salvaged.sqlite"
"""There only between the moment when all that can be read of a damaged one is on disk in it, and that when it is the
journal (`companion.storage.salvage`)."""
_VERSION = 1
"""A later version changes the schema as well, if only by a comment in it: the number alone is a byte that may be
damaged, and is not believed where the schema is this version's to the letter."""
_NO_VERSION = 16
"""There will be no such version for a long time: a file that says so is damaged."""
_FOLD_PAGES = 200
"""SQLite's log is folded into the file whenever it has so many pages, about fifty events: an evening does not live in
the log alone, and a card has few and ordered writes."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS event (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    match_id TEXT    NOT NULL,
    number   INTEGER NOT NULL,
    at_ms    INTEGER NOT NULL,
    kind     TEXT    NOT NULL,
    body     TEXT    NOT NULL,
    previous TEXT    NOT NULL,
    digest   TEXT    NOT NULL UNIQUE,
    UNIQUE (match_id, number)
) STRICT;
CREATE TRIGGER IF NOT EXISTS event_is_never_changed BEFORE UPDATE ON event
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER IF NOT EXISTS event_is_never_deleted BEFORE DELETE ON event
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""
_COLUMNS = "match_id, number, at_ms, kind, body, previous, digest"


_TRACES = (b"CREATE TABLE event", b"event_is_never_changed", b"event_is_never_deleted")
"""What stands in the first page of each journal; damage does not take all of it at once."""


class JournalError(UserError, OSError):
    """The journal cannot be read or written; the text is a sentence."""


class DamagedJournalError(JournalError):
    """The file is there and can be read, but is not as it was written."""


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """One match in the journal, by its first and last rows."""

    match_id: str
    began: MatchBegan
    events: int
    last_ms: int
    head: str


class Journal:
    """An open journal; one writer, any number of readers in other processes.

    Attributes:
        path: the SQLite file.
        hold: asked before anything is written in play (`companion.storage.statefolder`): makes sure that the folder is
            there and this program's, a UserError where it is not, and tells whether it was so all the time.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Open the journal, making it where it is missing and may be written.

        Args:
            path: the SQLite file.
            read_only: look at it without writing; it has to be there.

        Raises:
            DamagedJournalError: it is damaged.
            JournalError: it is missing, of a later version, something else, or cannot be written.
        """
        self.path = path
        self.hold: Callable[[], bool] = lambda: True
        self._lock = threading.Lock()
        self._tail: dict[str, tuple[int, str]] = {}
        self._astray = self._left = self._away = False
        self._end: str | None = None
        self._known: list[tuple[int, int] | None] = []
        if read_only and not path.is_file():
            raise JournalError(f"There is no journal at {path}.")
        with as_journal_error(path):
            if not read_only and not path.exists():
                self._make(path.resolve())
            self._db = self._opened(read_only)
            if not read_only:
                self._known = self._there()

    def _make(self, path: Path) -> None:
        """An empty journal, there as a whole or not at all: a file of no length is never a fresh one."""
        wal = path.with_name(path.name + "-wal")
        if wal.exists():
            raise JournalError(f"The journal {path} cannot be used: only {wal.name} is left of it.")
        with tempfile.TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent) as scratch:
            beside = Path(scratch) / path.name
            with closing(sqlite3.connect(beside, isolation_level=None)) as db:
                db.execute("PRAGMA synchronous = FULL")
                db.execute(f"PRAGMA page_size = {PAGE}")
                db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {_VERSION}; COMMIT;")
            beside.rename(path)

    def _opened(self, read_only: bool) -> sqlite3.Connection:
        where = f"{self.path.absolute().as_uri()}?mode={'ro' if read_only else 'rwc'}"
        db = sqlite3.connect(where, uri=True, check_same_thread=False, isolation_level=None, timeout=0.5)
        try:
            self._look_whose(db)
            if not read_only:
                db.execute("PRAGMA journal_mode = WAL")
                db.execute("PRAGMA synchronous = FULL")
                db.execute(f"PRAGMA wal_autocheckpoint = {_FOLD_PAGES}")
                db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} PRAGMA user_version = {_VERSION}; COMMIT;")
                self._end = _end_of(db)
        except BaseException:
            db.close()
            raise
        return db

    def _look_whose(self, db: sqlite3.Connection) -> None:
        if _schema_in(db) == _schema():
            return
        version = db.execute("PRAGMA user_version").fetchone()[0]
        named = db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'event'").fetchone()
        if (named is None or not 0 <= version < _NO_VERSION) and is_ours(self.path):
            raise DamagedJournalError(f"The journal {self.path} is damaged.")
        if version > _VERSION:
            raise JournalError(f"The journal {self.path} was written by a later version of this program.")
        if named is None:
            raise JournalError(
                f"{self.path} is no journal: it is a SQLite file of something else. Move it away."
            )

    def close(self) -> None:
        """Let go of the file; one that was deleted in use is written anew before.

        Raises:
            JournalError: it could not be, and all of it is lost; the text says how much.
        """
        with self._lock, as_journal_error(self.path):
            try:
                if self._known and not self._is_in_place():
                    self._write_anew_or_lose()
            finally:
                self._known = []
                self._db.close()

    def _write_anew_or_lose(self) -> None:
        try:
            with as_journal_error(self.path):
                self._hold_on()
                self._write_anew()
        except JournalError as error:
            if not self._known or self._away:
                return  # all of it is on disk, where the next start looks for it
            raise JournalError(f"{str(error).rstrip('.')}. {self._what_is_lost()}") from error

    def _what_is_lost(self) -> str:
        """What ends with a journal that is not in its place; whatever still is goes on with the next start."""
        file_stays, log_stays = (
            now == ours for now, ours in zip(self._there()[:2], self._known[:2], strict=True)
        )
        if file_stays:
            return "What stood in its log alone may be lost with this stop."
        count = "SELECT count(DISTINCT match_id), count(*) FROM event"
        matches, events = self._db.execute(count).fetchone()
        spared = ", but for what its log still holds" if log_stays else ""
        return (
            f"The whole journal is lost with this stop{spared}; matches in it: {matches}, events: {events}."
        )

    def is_in_place(self) -> bool:
        """Whether the files in use still bear their names; `put_in_place` writes those that do not anew.

        Raises:
            JournalError: the disk does not say, or the folder is another program's by now.
        """
        with self._lock, as_journal_error(self.path):
            in_place = self._is_in_place()
            self._hold_on()
            return in_place

    def put_in_place(self) -> None:
        """Write the journal anew if it was seen to be deleted or replaced in use.

        Raises:
            JournalError: it could not be written; it can be tried again.
        """
        with self._lock, as_journal_error(self.path):
            self._hold_on()
            if self._astray:
                self._write_anew()

    @property
    def is_astray(self) -> bool:
        """Whether it was seen to be deleted or replaced, and has not been written anew; not with its whole disk."""
        return self._astray and not self._away

    @property
    def astray(self) -> str:
        """What is said of a journal that is not in its place."""
        return f"The journal {self.path} was deleted or replaced while it was in use."

    def _hold_on(self) -> None:
        """Make sure that nobody else has the folder, nor has had it and written into this file."""
        self._away = False
        try:
            self._left = not self.hold() or self._left
        except UserError as error:
            self._away = getattr(error, "is_away", False)
            raise JournalError(str(error)) from error
        if self._left and not self._astray:
            if _end_of(self._db) != self._end:
                raise JournalError(f"Another program has written into the journal {self.path}.")
            self._left = False

    def _is_in_place(self) -> bool:
        self._astray = self._astray or self._there() != self._known
        return not self._astray

    def _there(self) -> list[tuple[int, int] | None]:
        """Which files bear the names of the journal, its log and its index: their devices and inodes."""
        found: list[tuple[int, int] | None] = []
        for end in ("", "-wal", "-shm"):
            try:
                about = self.path.with_name(self.path.name + end).stat()
                found.append((about.st_dev, about.st_ino))
            except FileNotFoundError:
                found.append(None)
        return found

    def _write_anew(self) -> None:
        """Put a copy of what is open in place; the system keeps it until it is closed, although its names are gone.

        Can be repeated from wherever it failed. Meanwhile the copy bears the name under which the next start finds it.
        """
        path = self.path.resolve()
        fresh = path.with_name(SALVAGED)
        if self._known:
            with tempfile.TemporaryDirectory(prefix=f".{path.name}-", dir=path.parent) as scratch:
                with closing(sqlite3.connect(Path(scratch) / path.name)) as copy:
                    self._db.backup(copy)
                    copy.execute("PRAGMA journal_mode = DELETE")
                (Path(scratch) / path.name).rename(fresh)
            self._set_other_aside(path)
            self._known = []
            self._db.close()
        if fresh.exists():
            for end in BESIDE:
                path.with_name(path.name + end).unlink(missing_ok=True)
            fresh.rename(path)
        self._db = self._opened(read_only=False)
        self._known, self._astray = self._there(), False

    def _set_other_aside(self, path: Path) -> None:
        """What somebody put in the journal's place is not ours to delete."""
        if self._there()[0] in (None, self._known[0]):
            return
        number = 1
        while (aside := path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")).exists():
            number += 1
        for end, found, ours in zip(("", "-wal", "-shm"), self._there(), self._known, strict=True):
            if found not in (None, ours):
                path.with_name(path.name + end).rename(aside.with_name(aside.name + end))

    def fold(self) -> None:
        """Bring what SQLite keeps beside the file into it, and leave nothing there.

        Raises:
            JournalError: the disk is full, or somebody reads meanwhile; nothing is lost by it.
        """
        with self._lock, as_journal_error(self.path):
            busy = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
        if busy:
            raise JournalError(f"The journal {self.path} cannot be used: database is locked.")

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """What is appended meanwhile is one write; all of it or nothing. For whoever has the journal to himself."""
        with as_journal_error(self.path):
            self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._tail.clear()
            self._db.execute("ROLLBACK")
            raise
        with as_journal_error(self.path):
            self._db.execute("COMMIT")

    def append(self, match_id: str, event: AnyEvent, *, retry: bool = False) -> Row:
        """Keep an event behind the last one of its match; on disk when this returns.

        Args:
            match_id: whose match it belongs to.
            event: what happened.
            retry: this very event failed a moment ago; if it is on disk all the same it is not kept twice.

        Raises:
            JournalError: it could not be written, and nothing of it is in the journal; or the file has been deleted or
                replaced meanwhile, and the next try writes it anew; or the folder is another program's by now.
        """
        with self._lock, as_journal_error(self.path):
            self._hold_on()
            if self._astray:
                self._write_anew()
            number, previous = self._end_of(match_id)
            if retry and (kept := self._kept_after_all(match_id, event)) is not None:
                return kept
            row = row_of(event, match_id, number + 1, previous)
            values = (row.match_id, row.number, row.at_ms, row.kind, row.body, row.previous, row.digest)
            self._tail.clear()  # known again only once the row is on disk
            self._insert(values)
            self._tail[match_id] = (row.number, row.digest)
            self._end = row.digest
            if not self._is_in_place():
                raise JournalError(self.astray)
            return row

    def adopt(self, row: Row) -> None:
        """Keep the next row of a match from another journal; its digest is the same where all before it came along.

        Raises:
            JournalError: it could not be written.
        """
        with self._lock, as_journal_error(self.path):
            number, previous = self._end_of(row.match_id)
            assert row.number == number + 1, "a match comes along from its first row on"
            told = (row.match_id, row.number, row.at_ms, row.kind, row.body, previous)
            digest = digest_of(*told)
            self._insert((*told, digest))
            self._tail[row.match_id] = (row.number, digest)

    def _insert(self, values: tuple[object, ...]) -> None:
        """Write a row; when the disk is full, once more after the write-ahead log was folded into the file."""
        statement = f"INSERT INTO event ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)"
        try:
            self._db.execute(statement, values)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_FULL:
                raise
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._db.execute(statement, values)

    def end_of(self, match_id: str) -> tuple[int, str]:
        """Number and digest of the match's last row; (0, the journal's last digest) before its first."""
        with self._lock, as_journal_error(self.path):
            return self._end_of(match_id)

    def _end_of(self, match_id: str) -> tuple[int, str]:
        if match_id in self._tail:
            return self._tail[match_id]
        query = "SELECT number, digest FROM event WHERE match_id = ? ORDER BY number DESC LIMIT 1"
        last = self._db.execute(query, (match_id,)).fetchone()
        if last is not None:
            return int(last[0]), str(last[1])
        return 0, _end_of(self._db) or GENESIS

    def _kept_after_all(self, match_id: str, event: AnyEvent) -> Row | None:
        query = f"SELECT {_COLUMNS} FROM event WHERE match_id = ? ORDER BY number DESC LIMIT 1"
        last = self._db.execute(query, (match_id,)).fetchone()
        row = Row(*last) if last is not None else None
        return row if row is not None and row.body == text_of(event) else None

    def rows(self, match_id: str) -> list[Row]:
        """All rows of a match in order, as they are kept; JournalError when they cannot be read."""
        return self._rows("WHERE match_id = ? ORDER BY number", match_id)

    def _rows(self, rest: str, *values: object) -> list[Row]:
        with self._lock, as_journal_error(self.path):
            found = self._db.execute(f"SELECT {_COLUMNS} FROM event {rest}", values).fetchall()
        return [Row(*columns) for columns in found]

    def events(self, match_id: str) -> list[AnyEvent]:
        """The events of a match in order.

        Raises:
            JournalError: a row cannot be read; `verify` says which and why.
        """
        try:
            return [event_of(row) for row in self.rows(match_id)]
        except BadRecordError as error:
            raise JournalError(str(error)) from None

    def matches(self) -> list[MatchSummary]:
        """Every match whose beginning can be read, the oldest first."""
        last = "id IN (SELECT max(id) FROM event GROUP BY match_id)"
        ends = {row.match_id: row for row in self._rows(f"WHERE {last}")}
        found = []
        for first in self._rows("WHERE number = 1 ORDER BY id"):
            end = ends[first.match_id]
            try:
                began = event_of(first)
            except BadRecordError:
                continue
            if not end.is_whole:
                raise JournalError(f"The journal {self.path} is damaged; 'companion verify' says where.")
            if isinstance(began, MatchBegan):
                found.append(MatchSummary(first.match_id, began, end.number, end.at_ms, end.digest))
        return found

    def count(self) -> int:
        """How many events are kept."""
        with self._lock, as_journal_error(self.path):
            return int(self._db.execute("SELECT count(*) FROM event").fetchone()[0])

    def match_ids(self) -> list[str]:
        """Every match of which a row is there, readable or not, the oldest first."""
        first = "id IN (SELECT min(id) FROM event GROUP BY match_id)"
        named = [row.match_id for row in self._rows(f"WHERE {first} ORDER BY id")]
        return [match_id for match_id in named if type(match_id) is str]  # a damaged file may give bytes

    def last_match_id(self) -> str | None:
        """The match that was played last; None in an empty journal."""
        found = self._rows("ORDER BY id DESC LIMIT 1")
        return found[0].match_id if found else None

    def last_digest(self) -> str | None:
        """The digest of the last row; None in an empty journal."""
        found = self._rows("ORDER BY id DESC LIMIT 1")
        return found[0].digest if found else None

    def verify(self, match_id: str | None = None, head: str | None = None) -> list[str]:
        """Everything that is wrong with a match's chain, or with every match's; empty when all holds.

        Args:
            match_id: which match; None: all of them, and that they follow each other.
            head: the digest of the match's last row as printed on its score sheet.

        Raises:
            JournalError: the file is so damaged that it cannot be read.
        """
        if match_id is None:
            return self._damage() + self._problems_of_all() + self._strange_schema()
        rows = self.rows(match_id)
        found = problems_of(rows, head) if rows else [f"There is no match {match_id}."]
        return self._damage() + found + self._strange_schema()

    def is_as_written(self, *, whole: bool = True) -> bool:
        """Whether file and chain hold; this version need not understand the events.

        Args:
            whole: look at all of the file, which takes the longer the more matches there are; else at the last match.

        Raises:
            JournalError: the file cannot be read; DamagedJournalError where it is damaged.
        """
        if self._strange_schema():
            return False
        if whole:
            return not self._damage() and chain_holds(self._rows("ORDER BY id"))
        rows = self._rows(
            "WHERE match_id = (SELECT match_id FROM event ORDER BY id DESC LIMIT 1) ORDER BY id"
        )
        return chain_holds(rows, rows[0].previous if rows else GENESIS)

    def _problems_of_all(self) -> list[str]:
        every = self._rows("ORDER BY id")
        matches: dict[str, list[Row]] = {}
        found, before = [], GENESIS
        for row in every:
            if row.match_id not in matches and row.previous != before:
                found.append(f"Match {row.match_id} does not follow the one before it.")
            matches.setdefault(row.match_id, []).append(row)
            before = row.digest
        for match_id, rows in matches.items():
            found += [f"Match {match_id}: {problem}" for problem in problems_of(rows)]
        return found

    def _damage(self) -> list[str]:
        """What SQLite itself finds wrong with the file."""
        with self._lock, as_journal_error(self.path):
            said = self._db.execute("PRAGMA integrity_check(5)").fetchall()
        return [f"The file is damaged: {line[0]}" for line in said if line[0] != "ok"]

    def _strange_schema(self) -> list[str]:
        """What would keep SQLite from writing, though it reads: a letter in a table's text, or the last number."""
        used = "SELECT group_concat(name || ' ' || quote(seq)) FROM sqlite_sequence"
        with self._lock, as_journal_error(self.path):
            if _schema_in(self._db) != _schema():
                return ["The file is damaged: its schema is not as it was written."]
            last, said = self._db.execute(f"SELECT max(id), ({used}) FROM event").fetchone()
        expected = None if last is None else f"event {last}"
        return [] if said == expected else ["The file is damaged: its last number is not as it was written."]


def _end_of(db: sqlite3.Connection) -> str | None:
    """The digest of the last row of all."""
    last = db.execute("SELECT digest FROM event ORDER BY id DESC LIMIT 1").fetchone()
    return str(last[0]) if last else None


def _schema_in(db: sqlite3.Connection) -> list[tuple[object, ...]]:
    """What SQLite keeps of a file's tables and guards, to the letter; not on which page each begins."""
    found = db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").fetchall()
    return [tuple(row) for row in found]


@cache
def _schema() -> list[tuple[object, ...]]:
    """The same of a journal as it is made."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript(_SCHEMA)
        return _schema_in(db)


@contextmanager
def as_journal_error(path: Path) -> Iterator[None]:
    """SQLite's errors as one sentence each."""
    try:
        yield
    except JournalError:
        raise
    except OSError as error:
        raise JournalError(f"The journal {path} cannot be used: {error.strerror or error}.") from error
    except (sqlite3.Error, UnicodeDecodeError, OverflowError) as error:
        kind = JournalError if _is_passing(error) else DamagedJournalError
        raise kind(f"The journal {path} cannot be used: {error}.") from error


_PASSING = {
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_NOLFS,
    sqlite3.SQLITE_AUTH,
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_MISUSE,
}
"""What is wrong with the disk, the machine or whoever asks, and not with what the file says."""


def _is_passing(error: Exception) -> bool:
    """Python gives no code to what it cannot decode itself, nor to its own misuse."""
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(error, sqlite3.ProgrammingError) or (code is not None and code & 0xFF in _PASSING)


def is_ours(path: Path) -> bool:
    """Whether the beginning of a file has anything of a journal."""
    with path.open("rb") as file:
        head = file.read(PAGE)
    return any(trace in head for trace in _TRACES)
