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
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, fields, replace
from heapq import nlargest
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any

from companion.errors import GameError
from companion.game.state import MatchOver
from companion.game.state_machine import fold
from companion.records.dice_stats import Tally, tallies
from companion.records.export import score_sheet
from companion.records.match_ids import earlier_of
from companion.records.rows import Row, date_of, event_of
from companion.rules.board import ROLLS
from companion.storage.folder import CATALOGUE, CATALOGUE_FILES, MATCHES, give_to_owner
from companion.storage.lines import (
    Content,
    any_match_names,
    first_match_id,
    match_names,
    number_of,
    read_match,
)
from sentence import NOTHING, Sentence, say

_VERSION = 8
"""Increased whenever a column, or the count in one, changes: an older catalogue is rebuilt."""
_AT_ONCE = 100
"""Number of entries read in one query; a list of thousands is never in memory as a whole."""
_TAIL_BYTES = 1024
"""Longest rest of a line from its digest on: kind, match, number, previous."""
_LOCKED_S = 0.5
"""Longest wait for another program's write; entries that cannot be stored then are stored later."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The catalogue's entry for one match; a column of the table for each field.

    Attributes:
        file: name of its file.
        size: of the file, in bytes.
        mtime_ns: its last write, in nanoseconds since 1970.
        match_id: the match; the file's name if no line names it.
        previous: the digest of the row before, as in its first row.
        head: digest of its last row.
        events: count of valid rows.
        date, began_ms: the day it began (UTC), and the moment, in milliseconds since 1970.
        length: points played for; 0 is money play.
        over: 1 if the match has been played to its end, else 0.
        winner: "south" or "north", whoever won the match, by points or not; "" for nobody.
        rolls: throws by player, as JSON (`tallies_of`).
        counted: number of events counted into score and throws; 0 if not counted yet.
        accounts: of a chouette, points by player, as JSON; "{}" of two players.
        untouched: 1 if nothing was played in it yet, else 0.
        problem: the reason why it cannot be listed, a sentence; "" if it can.
        earlier: the match that it goes on with, which is not counted beside it; "" for none.
    """

    file: str
    size: int
    mtime_ns: int
    match_id: str
    previous: str = ""
    head: str = ""
    events: int = 0
    date: str = ""
    began_ms: int = 0
    south: str = ""
    north: str = ""
    length: int = 0
    profile: str = ""
    south_points: int = 0
    north_points: int = 0
    over: int = 0
    winner: str = ""
    rolls: str = "{}"
    counted: int = 0
    accounts: str = "{}"
    untouched: int = 0
    problem: str = ""
    earlier: str = ""

    @property
    def is_counted(self) -> bool:
        """Whether score and throws cover all its events, or it has none to be listed."""
        return self.counted == self.events or bool(self.problem)

    @property
    def is_chouette(self) -> bool:
        """Whether more than two players played it."""
        return self.accounts != "{}"

    def is_of(self, about: os.stat_result) -> bool:
        """Whether its file still has the same size and time."""
        return (self.size, self.mtime_ns) == (about.st_size, about.st_mtime_ns)

    def as_json(self) -> dict[str, Any]:
        """The match as in lists (docs/PROTOCOL.md), as plain data; or the reason it cannot be listed."""
        if self.problem:
            return {"match": self.match_id, "error": self.problem}
        accounts = json.loads(self.accounts) if self.is_chouette else {}
        return {
            "match": self.match_id,
            "date": self.date,
            "players": {"south": self.south, "north": self.north},
            **({"chouette": accounts} if accounts else {}),
            "length": self.length,
            "profile": self.profile,
            "score": {"south": self.south_points, "north": self.north_points},
            "over": bool(self.over),
            "winner": self.winner or None,
            "events": self.events,
            "head": self.head,
        }


_COLUMNS = ", ".join(field.name for field in fields(Entry))
_values = attrgetter(*(field.name for field in fields(Entry)))
_INSERT = f"REPLACE INTO match VALUES ({', '.join('?' * (len(fields(Entry)) + 1))})"
_SCHEMA = f"""
BEGIN IMMEDIATE;
CREATE TABLE match ({_COLUMNS}, checksum, PRIMARY KEY (file)) WITHOUT ROWID;
CREATE INDEX match_by_id ON match (match_id);
CREATE VIEW counted_match AS
    SELECT * FROM match WHERE match_id NOT IN (SELECT earlier FROM match);
CREATE VIEW player AS
    SELECT match_id, date, 'south' AS side, south AS name, over, winner = 'south' AS won
    FROM counted_match WHERE accounts = '{{}}' UNION ALL
    SELECT match_id, date, 'north', north, over, winner = 'north' FROM counted_match WHERE accounts = '{{}}' UNION ALL
    SELECT match_id, date, '', who.key, over, 0 FROM counted_match, json_each(accounts) AS who;
CREATE VIEW roll AS
    SELECT match_id, date, who.key AS player, roll.key AS roll, roll.value AS times
    FROM counted_match AS match, json_each(match.rolls) AS who, json_each(who.value, '$.rolls') AS roll;
CREATE TABLE figures (match_id, name, decisions, error, luck, PRIMARY KEY (match_id, name)) WITHOUT ROWID;
PRAGMA user_version = {_VERSION};
COMMIT;
"""


class Catalogue:
    """The catalogue of a state folder; safe for several threads, and for several programs.

    Attributes:
        trouble: a notice about it, to be shown once; NOTHING without one.
    """

    def __init__(self, folder: Path) -> None:
        """Open it, or make it; never fails."""
        self._folder, self._path = folder, folder / CATALOGUE
        self._lock = threading.RLock()
        self._is_closed = False
        self.trouble: Sentence = NOTHING
        self._db = self._open()

    def _open(self) -> sqlite3.Connection:
        may_write = (self._folder / MATCHES).is_dir() and os.access(self._folder, os.W_OK)
        if not self._is_plain():
            self._note_unusable("it is no file")
            may_write = False
        for _ in range(2 if may_write else 0):  # once more after a damaged one was deleted
            try:
                return _connect(self._path)
            except sqlite3.OperationalError as error:
                self._note_unusable(error)
                break
            except (sqlite3.Error, ValueError):
                self._delete_damaged()
        return self._open_private()

    def _is_plain(self) -> bool:
        """Whether its files are files, or not there: SQLite waits for ever for the other end of a pipe."""
        files = [self._folder / name for name in CATALOGUE_FILES]
        return all(file.is_file() or not os.path.lexists(file) for file in files)

    def _open_private(self) -> sqlite3.Connection:
        """A catalogue for this program alone, with the entries of the one on disk if readable."""
        db = _with_functions(sqlite3.connect("", check_same_thread=False, isolation_level="IMMEDIATE"))
        db.executescript(_SCHEMA)
        where = f"{self._path.absolute().as_uri()}?mode=ro&immutable=1"
        if not self._is_plain():
            return db
        with suppress(sqlite3.Error, ValueError), closing(sqlite3.connect(where, uri=True)) as there:
            _check_version(there)
            with db:
                db.executemany(_INSERT, there.execute(f"SELECT {_COLUMNS}, checksum FROM match"))
        return db

    def _note_unusable(self, error: sqlite3.Error | str) -> None:
        self.trouble = say(
            "The catalogue {path} cannot be used ({why}); matches are listed without it.",
            path=str(self._path),
            why=str(error),
        )

    def _delete_damaged(self) -> None:
        self.trouble = say("The catalogue {path} was damaged and is made anew.", path=str(self._path))
        with suppress(OSError):
            for name in CATALOGUE_FILES:
                (self._folder / name).unlink(missing_ok=True)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._is_closed = True
            self._db.close()

    def query(self, query: str, *values: object) -> list[Any]:
        """The rows of a query with its values (one mapping: by name); a failed one is repeated on a new catalogue."""
        given: Any = values[0] if values and isinstance(values[0], dict) else values
        with self._lock:
            if self._is_closed:
                return []
            try:
                return self._db.execute(query, given).fetchall()
            except sqlite3.OperationalError as error:
                self._db.close()
                self._db = self._open_private()
                self._note_unusable(error)
            except sqlite3.DatabaseError:
                self._remake()
            return self._db.execute(query, given).fetchall()

    def _remake(self) -> None:
        with self._lock:
            self._db.close()
            self._delete_damaged()
            self._db = self._open()

    def links(self, names: Iterable[str]) -> Iterator[Entry]:
        """The chain through these files as it was catalogued: their entries without counts, no file looked at."""
        names = iter(names)
        while some := list(islice(names, _AT_ONCE)):
            query = f"SELECT file, match_id, events, previous, head FROM match WHERE file IN ({_marks(some)})"
            known = {row[0]: row for row in self.query(query, *some)}
            for name in filter(known.__contains__, some):
                _, match_id, events, previous, head = known[name]
                yield Entry(name, 0, 0, match_id, events=events, previous=previous, head=head)

    def files(self) -> set[str]:
        """The names of the files with an entry."""
        return {name for (name,) in self.query("SELECT file FROM match")}

    def gone(self, names: Sequence[str]) -> list[str]:
        """The files with an entry that are not among these."""
        there = "SELECT value FROM json_each(?)"
        rows = self.query(f"SELECT file FROM match WHERE file NOT IN ({there})", json.dumps(names))
        return [name for (name,) in rows]

    def entries(self, files: Sequence[str]) -> dict[str, Entry]:
        """The entries of some files by file name, even if the files have changed since."""
        rows = self.query(f"SELECT {_COLUMNS}, checksum FROM match WHERE file IN ({_marks(files)})", *files)
        if any(_checksum(row[:-1]) != row[-1] for row in rows):
            self._remake()
            return {}
        return {row[0]: Entry(*row[:-1]) for row in rows}

    def put(self, entries: Iterable[Entry]) -> None:
        """Store entries; those that cannot be stored now are made again later."""
        rows = [(*values, _checksum(values)) for values in map(_values, entries)]
        with self._lock, suppress(sqlite3.Error), self._db:
            self._db.executemany(_INSERT, rows)

    def forget(self, files: Iterable[str]) -> None:
        """Drop entries of deleted files."""
        names = [(name,) for name in files]
        if names:  # else there is nothing to lock the catalogue for
            with self._lock, suppress(sqlite3.Error), self._db:
                self._db.executemany("DELETE FROM match WHERE file = ?", names)

    def all(self, *, counted: bool = True) -> Iterator[Entry]:
        """Every match in the order of writing, read again if its file has changed.

        Args:
            counted: with score and throws; a match not counted yet is replayed for them.

        Raises:
            OSError: the folder cannot be read.
        """
        names = match_names(self._folder)
        self.forget(self.gone(names))
        return self.current(names, counted=counted)

    def refresh(self, most: int) -> int:
        """Bring the entries up to date, the newest first, reading at most `most` files; returns how many are left.

        Raises:
            OSError: the folder cannot be read.
        """
        stale, known = list[str](), 0
        names = any_match_names(self._folder)
        while some := list(islice(names, _AT_ONCE)):
            entries = self._sizes(some)
            known += len(entries)
            for name in some:
                about = os.stat(
                    os.path.join(self._folder, MATCHES, name)
                )  # a Path takes longer than its file
                if entries.get(name) != (about.st_size, about.st_mtime_ns):
                    stale.append(name)
        if known < self.query("SELECT count(*) FROM match")[0][0]:
            self.forget(self.gone(match_names(self._folder)))
        for _ in self.current(sorted(stale, key=number_of, reverse=True)[:most]):
            pass
        return max(0, len(stale) - most)

    def _sizes(self, files: Sequence[str]) -> dict[str, tuple[int, int] | None]:
        """Size and time of those of some files that have an entry; None if it is not counted yet."""
        query = f"""
            SELECT file, size, mtime_ns, counted = events OR problem <> ''
            FROM match WHERE file IN ({_marks(files)})
        """
        return {
            name: (size, at_ns) if done else None for name, size, at_ns, done in self.query(query, *files)
        }

    def put_figures(self, match_id: str, rows: Iterable[tuple[str, int, float, float]]) -> None:
        """Store each player's name, decisions, error and luck (in equity) in an analysed match."""
        with self._lock, suppress(sqlite3.Error), self._db:
            self._db.execute("DELETE FROM figures WHERE match_id = ?", (match_id,))
            self._db.executemany(
                "REPLACE INTO figures VALUES (?, ?, ?, ?, ?)", [(match_id, *row) for row in rows]
            )

    def newest(self, most: int, before: str = "") -> Iterator[Entry]:
        """At most `most` matches, newest first, of those before a match (or of all)."""
        names = any_match_names(self._folder)
        if before and (found := self.query("SELECT file FROM match WHERE match_id = ?", before)):
            oldest = min(number_of(name) for (name,) in found)
            names = (name for name in names if number_of(name) < oldest)
        return self.current(nlargest(most, names, key=number_of))

    def current(self, names: Iterable[str], *, counted: bool = True) -> Iterator[Entry]:
        """The entries of some files, each made again if there is no valid one."""
        names = iter(names)
        while some := list(islice(names, _AT_ONCE)):
            known = self.entries(some)
            for name in some:
                yield self._current_of(name, known.get(name), counted=counted)

    def _current_of(self, name: str, known: Entry | None, *, counted: bool) -> Entry:
        about = os.stat(os.path.join(self._folder, MATCHES, name))  # a Path takes longer than its file
        fits = known is not None and known.is_of(about)
        if known is not None and fits and (known.is_counted or not counted):
            return known
        file = self._folder / MATCHES / name
        if known is not None and not fits and known.size == about.st_size and known.head:
            with file.open("rb") as lines:
                lines.seek(max(0, about.st_size - _TAIL_BYTES))
                fits = known.head.encode() in lines.read()  # a copied or restored file
            if fits:
                known = replace(known, mtime_ns=about.st_mtime_ns)
                self.put([known])
        if known is not None and fits and (known.is_counted or not counted):
            return known
        fresh = entry_of(file, read_match(file), counted=counted)
        self.put([fresh])
        return fresh

    def file_of(self, match_id: str) -> Path | None:
        """The file of a match; None if there is none."""
        place = self._folder / MATCHES
        for (name,) in self.query("SELECT file FROM match WHERE match_id = ? ORDER BY file DESC", match_id):
            if (place / name).is_file():
                return place / str(name)
        known = self.files()
        unknown = [name for name in match_names(self._folder) if name not in known]
        found = (
            entry.file
            for entry in self.current(reversed(unknown), counted=False)
            if entry.match_id == match_id
        )
        return next((place / name for name in found), None)


def entry_of(file: Path, content: Content, *, counted: bool = True) -> Entry:
    """The entry of a match file from its content; with score and throws, if `counted`."""
    about, rows = file.stat(), content.rows
    match_id = rows[0].match_id if rows else first_match_id(file) or file.stem
    mtime_ns = about.st_mtime_ns if content.size == about.st_size else 0  # being written: to be read again
    entry = Entry(file.name, content.size, mtime_ns, match_id, earlier=earlier_of(match_id))
    if not content.is_whole:
        entry = replace(
            entry, problem=f"The record of match {match_id} is damaged; 'companion verify' says where."
        )
    if not rows:
        return entry
    entry = replace(
        entry,
        previous=rows[0].previous,
        head=rows[-1].digest,
        events=len(rows),
        date=date_of(rows[0].at_ms),
        began_ms=rows[0].at_ms,
    )
    return with_result(entry, rows) if counted and not entry.problem else entry


def with_result(entry: Entry, rows: Sequence[Row]) -> Entry:
    """The entry with the result of its rows: players, score, every throw."""
    try:
        table = fold(map(event_of, rows))
    except GameError as error:
        why = f"The record of match {entry.match_id} cannot be replayed: {error}"
        return replace(entry, counted=entry.events, problem=why)
    assert table.state is not None, "a match that has begun has a state"
    sheet: Any = score_sheet(table)
    throws = {
        name: {
            "rolls": {roll.text: times for roll, times in tally.rolls.items() if times},
            "opening": tally.opening,
            "others": {"cocked": tally.cocked, "unread": tally.unread, "seen": tally.seen},
        }
        for name, tally in tallies([table]).items()
    }
    return replace(
        entry,
        south=sheet["players"]["south"],
        north=sheet["players"]["north"],
        length=sheet["length"],
        profile=sheet["profile"],
        south_points=sheet["score"]["south"],
        north_points=sheet["score"]["north"],
        over=int(isinstance(table.state.phase, MatchOver)),
        winner=sheet["winner"] or "",
        rolls=json.dumps(throws, ensure_ascii=False, sort_keys=True),
        counted=entry.events,
        accounts=json.dumps(sheet.get("chouette", {}), ensure_ascii=False),
        untouched=int(table.is_untouched),
    )


_ROLLS = {roll.text: roll for roll in ROLLS}


def tallies_of(entries: Iterable[Entry]) -> dict[str, Tally]:
    """Every player's throws over some matches, by the player's name (`companion.records.dice_stats`)."""
    sums: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for entry in entries:
        for name, kinds in json.loads(entry.rolls).items():
            for kind, counts in kinds.items():
                sums[name][kind].update(counts)
    return {
        name: Tally(
            Counter({_ROLLS[text]: times for text, times in kinds["rolls"].items()}),
            Counter({int(face): times for face, times in kinds["opening"].items()}),
            **kinds["others"],
        )
        for name, kinds in sums.items()
    }


def _connect(path: Path) -> sqlite3.Connection:
    """Open the catalogue on disk, or create it; ValueError if it is foreign or of another version."""
    fresh = not path.exists()
    db = sqlite3.connect(path, check_same_thread=False, isolation_level="IMMEDIATE", timeout=_LOCKED_S)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA cache_size = -256")
        _with_functions(db)
        if fresh:
            give_to_owner(path.parent, [path.with_name(name) for name in CATALOGUE_FILES])
            db.executescript(_SCHEMA)
        _check_version(db)
        return db
    except BaseException:
        db.close()
        raise


def _with_functions(db: sqlite3.Connection) -> sqlite3.Connection:
    """The connection with `folded(text)`, a text without upper and lower case, in any script."""
    db.create_function("folded", 1, lambda text: str(text).casefold(), deterministic=True)
    return db


def _check_version(db: sqlite3.Connection) -> None:
    version = db.execute("PRAGMA user_version").fetchone()[0]
    columns = [row[1] for row in db.execute("PRAGMA table_info(match)")]
    if version != _VERSION or ", ".join(columns) != f"{_COLUMNS}, checksum":
        raise ValueError("another version's")


def _marks(values: Sequence[object]) -> str:
    """A mark for each value, as in a query."""
    return ", ".join("?" * len(values))


def _checksum(values: tuple[Any, ...]) -> int:
    return zlib.crc32(repr(values).encode())
