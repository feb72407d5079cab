"""The catalogue of all matches, so that a list or the statistics need not read every match file.

A cache in SQLite beside the match files, never the truth: it may be deleted at any time. An entry is valid as long as
its file has the same size, and the same time or the same last digest; each has a checksum. A damaged catalogue is
rebuilt; if there can be none on disk, a private one serves as long as the program runs.
"""

import json
import os
import sqlite3
import threading
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from companion.errors import GameError
from companion.game.events import MatchBegan
from companion.game.state import MatchOver
from companion.game.step import fold
from companion.records.dice_stats import Tally, tallies
from companion.records.export import score_sheet
from companion.records.rows import Row, event_of
from companion.rules.board import ROLLS
from companion.storage.lines import MATCHES, Content, date_of, match_files, parsed, read_match
from sentence import NOTHING, Sentence, say

NAME = "catalogue.sqlite"
PARTS = (NAME, f"{NAME}-wal", f"{NAME}-shm")
_VERSION = 1
"""Increased whenever a column, or the count in one, changes: an older catalogue is rebuilt."""
_TAIL_BYTES = 1024
"""Longest rest of a line from its digest on: kind, match, number, previous."""
_LOCKED_S = 0.5
"""Longest wait for another program's write; entries that cannot be stored then are stored later."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The catalogue's entry for one match.

    Attributes:
        file: name of its file.
        size: of the file, in bytes.
        mtime_ns: its last write, in nanoseconds since 1970.
        match_id: the match; the file's name if no line names it.
        previous: the digest of the row before, as in its first row.
        head: digest of its last row.
        events: count of valid rows.
        last_ms: time of the last one, in milliseconds since 1970.
        date: the day it began (UTC).
        south: the player's name; so is `north`.
        length: points played for; 0 is money play.
        profile: the rules.
        south_points: the score; so is `north_points`.
        over: the match has been played to its end.
        rolls: throws by player, as JSON (`tallies_of`).
        counted: number of events counted into score and throws; 0 if not counted yet.
        problem: the reason why it cannot be listed, a sentence; "" if it can.
    """

    file: str
    size: int
    mtime_ns: int
    match_id: str
    previous: str = ""
    head: str = ""
    events: int = 0
    last_ms: int = 0
    date: str = ""
    south: str = ""
    north: str = ""
    length: int = 0
    profile: str = ""
    south_points: int = 0
    north_points: int = 0
    over: bool = False
    rolls: str = "{}"
    counted: int = 0
    problem: str = ""

    @property
    def is_counted(self) -> bool:
        """Whether score and throws cover all its events."""
        return self.counted == self.events

    def as_json(self) -> dict[str, Any]:
        """The match as in lists (docs/PROTOCOL.md), as plain data; or the reason it cannot be listed."""
        if self.problem:
            return {"match": self.match_id, "error": self.problem}
        return {
            "match": self.match_id,
            "date": self.date,
            "players": {"south": self.south, "north": self.north},
            "length": self.length,
            "profile": self.profile,
            "score": {"south": self.south_points, "north": self.north_points},
            "over": self.over,
            "events": self.events,
            "head": self.head,
        }


_COLUMNS = ", ".join(field.name for field in fields(Entry))
_SCHEMA = f"""
CREATE TABLE match ({_COLUMNS}, checksum, PRIMARY KEY (file)) WITHOUT ROWID;
CREATE INDEX match_by_id ON match (match_id);
CREATE VIEW player AS
    SELECT match_id, date, 'south' AS side, south AS name, south_points AS points, north_points AS against, over
    FROM match UNION ALL
    SELECT match_id, date, 'north', north, north_points, south_points, over FROM match;
CREATE VIEW roll AS
    SELECT match_id, date, who.key AS player, roll.key AS roll, roll.value AS times
    FROM match, json_each(match.rolls) AS who, json_each(who.value, '$.rolls') AS roll;
PRAGMA user_version = {_VERSION};
"""


class Catalogue:
    """The catalogue of a state folder; safe for several threads, and for several programs.

    Attributes:
        trouble: a notice about it, to be shown once; NOTHING without one.
    """

    def __init__(self, folder: Path) -> None:
        """Open it, or make it; never fails."""
        self._folder = folder
        self._lock = threading.RLock()
        self._is_closed = False
        self.trouble: Sentence = NOTHING
        self._db = self._open()

    def _open(self) -> sqlite3.Connection:
        path = self._folder / NAME
        may_write = (self._folder / MATCHES).is_dir() and os.access(self._folder, os.W_OK)
        if not may_write:
            return self._open_private()
        for _ in range(2):  # once more after a damaged one was deleted
            try:
                return _connect(path)
            except sqlite3.OperationalError as error:
                self.trouble = _unusable_notice(path, error)
                return self._open_private()
            except (sqlite3.Error, ValueError):
                self.trouble = _remade_notice(path)
                with suppress(OSError):
                    _delete(self._folder)
        return self._open_private()

    def _open_private(self) -> sqlite3.Connection:
        """A catalogue for this program alone, with the entries of the one on disk if readable."""
        db = _create_tables(sqlite3.connect("", check_same_thread=False, isolation_level=None))
        where = f"{(self._folder / NAME).absolute().as_uri()}?mode=ro&immutable=1"
        with suppress(sqlite3.Error, ValueError), closing(sqlite3.connect(where, uri=True)) as there:
            _check_version(there)
            db.executemany(
                f"INSERT INTO match VALUES ({_placeholders(len(fields(Entry)) + 1)})",
                there.execute(f"SELECT {_COLUMNS}, checksum FROM match"),
            )
        return db

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._is_closed = True
            self._db.close()

    def _query(self, query: str, *values: object) -> list[Any]:
        """The rows of a query; if it fails, it is repeated on a new or private catalogue."""
        with self._lock:
            if self._is_closed:
                return []
            try:
                return self._db.execute(query, values).fetchall()
            except sqlite3.OperationalError as error:
                self._use_private(error)
            except sqlite3.DatabaseError:
                self._remake()
            return self._db.execute(query, values).fetchall()

    def _use_private(self, error: sqlite3.Error) -> None:
        self._db.close()
        self._db = self._open_private()
        self.trouble = _unusable_notice(self._folder / NAME, error)

    def _remake(self) -> None:
        self._db.close()
        with suppress(OSError):
            _delete(self._folder)
        self._db = self._open()
        self.trouble = _remade_notice(self._folder / NAME)

    def stamps(self) -> dict[str, tuple[int, int]]:
        """Size in bytes and time in ns of each file at its cataloguing."""
        return {
            name: (size, mtime_ns)
            for name, size, mtime_ns in self._query("SELECT file, size, mtime_ns FROM match")
        }

    def entry(self, file: str) -> Entry | None:
        """The entry of a file, even if the file has changed since; else None."""
        found = list(self._entries("WHERE file = ?", file))
        return found[0] if found else None

    def _entries(self, rest: str, *values: object) -> Iterator[Entry]:
        rows = self._query(f"SELECT {_COLUMNS}, checksum FROM match {rest}", *values)
        if any(_checksum(row[:-1]) != row[-1] for row in rows):
            with self._lock:
                self._remake()
            return
        yield from map(_entry, rows)

    def put(self, entries: Iterable[Entry]) -> None:
        """Store entries; those that cannot be stored now are made again later."""
        rows = [_row(entry) for entry in entries]
        with self._lock, suppress(sqlite3.Error):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                self._db.executemany(
                    f"REPLACE INTO match VALUES ({_placeholders(len(fields(Entry)) + 1)})", rows
                )
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def forget(self, files: Iterable[str]) -> None:
        """Drop entries of deleted files."""
        with self._lock, suppress(sqlite3.Error):
            self._db.executemany("DELETE FROM match WHERE file = ?", [(name,) for name in files])

    def all(self, *, counted: bool = True) -> list[Entry]:
        """Every match in the order of writing, read again if its file has changed.

        Args:
            counted: with score and throws; a match not counted yet is replayed for them.

        Raises:
            OSError: the folder cannot be read.
        """
        known = {entry.file: entry for entry in self._entries("")}
        files = match_files(self._folder)
        self.forget(known.keys() - {file.name for file in files})
        return [self._current(file, known.get(file.name), counted=counted) for file in files]

    def newest(self, most: int, before: str = "") -> list[Entry]:
        """At most `most` matches, newest first, of those before a match (or of all)."""
        files = match_files(self._folder)
        if before:
            names = {name for (name,) in self._query("SELECT file FROM match WHERE match_id = ?", before)}
            at = next((n for n, file in enumerate(files) if file.name in names), len(files))
            files = files[:at]
        return [self._current(file, self.entry(file.name)) for file in reversed(files[-most:])]

    def _current(self, file: Path, known: Entry | None, *, counted: bool = True) -> Entry:
        """The entry of a file, made again if there is no valid one."""
        about = file.stat()
        fits = known is not None and (known.size, known.mtime_ns) == (about.st_size, about.st_mtime_ns)
        if known is not None and not fits and known.size == about.st_size and known.head:
            fits = known.head.encode() in _tail(file)  # a copied or restored file
            known = replace(known, mtime_ns=about.st_mtime_ns)
            if fits:
                self.put([known])
        if known is not None and fits and (known.is_counted or known.problem or not counted):
            return known
        fresh = entry_of(file, read_match(file)[1], counted=counted)
        self.put([fresh])
        return fresh

    def file_of(self, match_id: str) -> Path | None:
        """The file of a match; None if there is none."""
        for (name,) in self._query("SELECT file FROM match WHERE match_id = ? ORDER BY file DESC", match_id):
            file = self._folder / MATCHES / str(name)
            if file.is_file():
                return file
        known = self.stamps()
        for file in reversed(match_files(self._folder)):
            if file.name not in known and self._current(file, None, counted=False).match_id == match_id:
                return file
        return None


def _tail(file: Path) -> bytes:
    """The end of a match file, with the digest of its last row."""
    with file.open("rb") as lines:
        lines.seek(max(0, file.stat().st_size - _TAIL_BYTES))
        return lines.read()


def entry_of(file: Path, content: Content, *, counted: bool = True) -> Entry:
    """The entry of a match file from its content; with score and throws, if `counted`."""
    about, rows = file.stat(), content.rows
    entry = Entry(file.name, about.st_size, about.st_mtime_ns, _match_id_of(file, content))
    if content.size != about.st_size:
        entry = replace(entry, size=content.size, mtime_ns=0)  # being written: to be read again
    if not content.is_whole:
        text = f"The record of match {entry.match_id} is damaged; 'companion verify' says where."
        entry = replace(entry, problem=text)
    if not rows:
        return entry
    first, last = rows[0], rows[-1]
    entry = replace(
        entry,
        previous=first.previous,
        head=last.digest,
        events=len(rows),
        last_ms=last.at_ms,
        date=date_of(first.at_ms),
    )
    return with_result(entry, rows) if counted and not entry.problem else entry


def _match_id_of(file: Path, content: Content) -> str:
    if content.rows:
        return content.rows[0].match_id
    with file.open("rb") as lines:
        row = parsed(lines.readline().rstrip(b"\n"))
    return row.match_id if row is not None else file.stem


def with_result(entry: Entry, rows: Sequence[Row]) -> Entry:
    """The entry with the result of its rows: players, score, every throw."""
    try:
        table = fold([event_of(row) for row in rows])
    except GameError as error:
        why = f"The record of match {entry.match_id} cannot be replayed: {error}"
        return replace(entry, counted=entry.events, problem=why)
    began = table.entries[0].event
    assert isinstance(began, MatchBegan), "a match begins with its first event"
    assert table.state is not None, "a match that has begun has a state"
    sheet: Any = score_sheet(table)
    return replace(
        entry,
        south=sheet["players"]["south"],
        north=sheet["players"]["north"],
        length=began.length,
        profile=began.profile,
        south_points=sheet["score"]["south"],
        north_points=sheet["score"]["north"],
        over=isinstance(table.state.phase, MatchOver),
        rolls=json.dumps(_tallies_as_json(tallies([table])), ensure_ascii=False, sort_keys=True),
        counted=entry.events,
    )


def _tallies_as_json(found: Mapping[str, Tally]) -> dict[str, Any]:
    return {
        name: {
            "rolls": {f"{roll.high}-{roll.low}": times for roll, times in tally.rolls.items() if times},
            "opening": {str(face): times for face, times in tally.opening.items()},
            "cocked": tally.cocked,
            "unread": tally.unread,
            "seen": tally.seen,
        }
        for name, tally in found.items()
    }


_ROLLS = {f"{roll.high}-{roll.low}": roll for roll in ROLLS}


def tallies_of(entries: Iterable[Entry]) -> dict[str, Tally]:
    """Every player's throws over some matches, by the player's name (`companion.records.dice_stats`)."""
    found: dict[str, dict[str, Any]] = {}
    for entry in entries:
        for name, counts in json.loads(entry.rolls).items():
            total = found.setdefault(name, {"rolls": {}, "opening": {}, "cocked": 0, "unread": 0, "seen": 0})
            for kind in ("rolls", "opening"):
                sums = total[kind]
                for what, times in counts[kind].items():
                    sums[what] = sums.get(what, 0) + times
            for kind in ("cocked", "unread", "seen"):
                total[kind] += counts[kind]
    return {name: _tally(total) for name, total in found.items()}


def _tally(counts: Mapping[str, Any]) -> Tally:
    return Tally(
        Counter({_ROLLS[text]: times for text, times in counts["rolls"].items()}),
        Counter({int(face): times for face, times in counts["opening"].items()}),
        counts["cocked"],
        counts["unread"],
        counts["seen"],
    )


def _unusable_notice(path: Path, error: sqlite3.Error) -> Sentence:
    return say(
        "The catalogue {path} cannot be used ({why}); matches are listed without it.",
        path=str(path),
        why=str(error),
    )


def _remade_notice(path: Path) -> Sentence:
    return say("The catalogue {path} was damaged and is made anew.", path=str(path))


def _connect(path: Path) -> sqlite3.Connection:
    """Open the catalogue on disk, or create it; ValueError if it is foreign or of another version."""
    fresh = not path.exists()
    db = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=_LOCKED_S)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA cache_size = -256")
        if fresh:
            _give_to_owner(path)
            return _create_tables(db)
        _check_version(db)
        return db
    except BaseException:
        db.close()
        raise


def _create_tables(db: sqlite3.Connection) -> sqlite3.Connection:
    db.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
    return db


def _check_version(db: sqlite3.Connection) -> None:
    version = db.execute("PRAGMA user_version").fetchone()[0]
    columns = [row[1] for row in db.execute("PRAGMA table_info(match)")]
    if version != _VERSION or ", ".join(columns) != f"{_COLUMNS}, checksum":
        raise ValueError("another version's")


def _delete(folder: Path) -> None:
    for name in PARTS:
        (folder / name).unlink(missing_ok=True)


def _give_to_owner(path: Path) -> None:
    """Give root's files in the service's folder to the folder's owner."""
    if os.geteuid() == 0:
        about = path.parent.stat()
        for name in PARTS:
            with suppress(FileNotFoundError):
                os.chown(path.with_name(name), about.st_uid, about.st_gid)


_values = attrgetter(*(field.name for field in fields(Entry)))
_OVER = [field.name for field in fields(Entry)].index("over")


def _row(entry: Entry) -> tuple[Any, ...]:
    """The table row for an entry: its values, and their checksum."""
    values = _values(entry)
    values = (*values[:_OVER], int(entry.over), *values[_OVER + 1 :])
    return *values, _checksum(values)


def _checksum(values: tuple[Any, ...]) -> int:
    return zlib.crc32(repr(values).encode())


def _entry(row: tuple[Any, ...]) -> Entry:
    """The entry of a row with a checked checksum."""
    values = list(row[:-1])
    values[_OVER] = bool(values[_OVER])
    return Entry(*values)


def _placeholders(count: int) -> str:
    return ", ".join("?" * count)
