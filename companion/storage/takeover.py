"""Take over the journal of earlier versions, one SQLite file of all matches, into match files.

All rows that SQLite can read are kept if their digests hold, with the very same digests; the file itself is kept
under another name. An interrupted takeover starts again, and skips the matches already moved.
"""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import takewhile
from operator import attrgetter
from pathlib import Path

from companion.game.state import Level, Notice
from companion.records.rows import Row
from companion.storage.errors import JournalError, UnsalvagedError
from companion.storage.journal import sync_folder
from companion.storage.lines import MATCHES, Content, content_of, line_of, match_files, next_name, parsed
from companion.storage.restoring import BESIDE, OLD, SALVAGED, old_journal_in, place_in
from sentence import say

_SCRATCH = ".taking-over-"
_COLUMNS = "match_id, number, at_ms, kind, body, previous, digest"
_VERSION = 1
_LATEST = 16
"""A higher number is damage and no version."""
_TRACES = (b"CREATE TABLE event", b"event_is_never_changed", b"event_is_never_deleted")
"""Text in the first page of each former journal; damage is unlikely to remove all of it."""
_PAGE = 4096
_SMALLEST = 512
"""Least size of a SQLite file, in bytes; SQLite deletes the log beside a shorter one."""
_LEAST_ROW = 200
"""Least size of a row, in bytes; bounds the number of rows in a file."""


def take_over(source: Path, into: Path) -> list[Notice]:
    """Write the matches of a former journal as match files, and rename it.

    Args:
        source: its state folder.
        into: the state folder for the match files: the same, or a copy; then the journal stays as it is.

    Returns:
        Notices; none if there is no former journal.

    Raises:
        JournalError: it is of a later version, no journal, or unreadable.
        UnsalvagedError: the disk cannot be written.
    """
    if not old_journal_in(source):
        return []
    try:
        for left in into.glob(f"{_SCRATCH}*"):
            shutil.rmtree(left, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix=_SCRATCH, dir=into) as scratch:
            events, is_whole = _write_matches(source, Path(scratch), into)
        kept = _set_aside(source) if source == into else OLD
    except JournalError:
        raise
    except OSError as error:
        raise UnsalvagedError(
            f"The journal {source / OLD} cannot be taken over ({error.strerror or error})."
        ) from error
    if is_whole:
        return [
            Notice(say("Each match now has its own file; the former journal is kept as {kept}.", kept=kept))
        ]
    text = say(
        "The journal was damaged: {events} events could be read and go on; the file is kept as "
        "{kept}. A backup can be put back with 'companion restore'.",
        events=events,
        kept=kept,
    )
    return [Notice(text, Level.ALARM)]


def _write_matches(source: Path, scratch: Path, into: Path) -> tuple[int, bool]:
    """Write new matches; returns the former journal's number of events, and whether it is undamaged."""
    place = place_in(source, MATCHES)
    fresh = (into if into != source else scratch) / MATCHES
    fresh.mkdir(exist_ok=True)
    for file in place.iterdir() if place.is_dir() else ():
        (fresh / file.name).symlink_to(file.resolve())
    written = {_match_in(file): (file, -1) for file in match_files(fresh.parent)}
    is_whole = True
    for name in (SALVAGED, OLD):
        path = place_in(source, name)
        if not path.exists():
            is_whole = is_whole and not path.with_name(f"{name}-wal").exists()
            continue
        with closing(_FormerJournal(path, scratch)) as former:
            for rows in former.matches():
                file, count = written.get(
                    rows[0].match_id, (fresh / next_name(fresh.parent, rows[0].at_ms), 0)
                )
                if 0 <= count < len(rows):
                    file.write_bytes(b"".join(map(line_of, rows)))
                    written[rows[0].match_id] = file, len(rows)
        is_whole = is_whole and former.is_whole
    if into == source:
        _move_in(fresh, place)
    return sum(max(0, count) for _, count in written.values()), is_whole


def _move_in(fresh: Path, place: Path) -> None:
    """Move finished match files to their place; all are on disk before the first is moved."""
    os.sync()
    place.mkdir(exist_ok=True)
    for file in match_files(fresh.parent):
        if not file.is_symlink():
            file.rename(place / file.name)
    sync_folder(place)


def _match_in(file: Path) -> str:
    with file.open("rb") as lines:
        row = parsed(lines.readline().rstrip(b"\n"))
    return row.match_id if row is not None else ""


def _set_aside(folder: Path) -> str:
    """Rename the former journal, and SQLite's files beside it; the log first."""
    number, end = 1, ""
    while any((folder / f"{Path(name).stem}.taken-over{end}.sqlite").exists() for name in (OLD, SALVAGED)):
        number += 1
        end = f"-{number}"
    for name in (OLD, SALVAGED):
        for beside in (*BESIDE, ""):
            if (folder / f"{name}{beside}").exists():
                (folder / f"{name}{beside}").rename(
                    folder / f"{Path(name).stem}.taken-over{end}.sqlite{beside}"
                )
    sync_folder(folder)
    return f"{Path(OLD).stem}.taken-over{end}.sqlite"


class _FormerJournal:
    """A former journal, read through SQLite; it is not changed.

    Attributes:
        is_whole: no damage was found, as far as it has been read.
    """

    def __init__(self, path: Path, scratch: Path) -> None:
        self.is_whole = True
        self._db: sqlite3.Connection | None = None
        self._most = path.stat().st_size // _LEAST_ROW
        wal = path.with_name(f"{path.name}-wal")
        if path.stat().st_size < _SMALLEST:
            self.is_whole = False
            return
        where = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        if wal.exists() and wal.stat().st_size:  # SQLite merges it when it closes: so use a copy
            copy = scratch / path.name
            shutil.copyfile(path, copy)
            shutil.copyfile(wal, copy.with_name(f"{path.name}-wal"))
            where = f"{copy.absolute().as_uri()}?mode=rw"
            self._most += wal.stat().st_size // _LEAST_ROW
        self._open(path, where)

    def _open(self, path: Path, where: str) -> None:
        try:
            self._db = sqlite3.connect(where, uri=True)
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            columns = [row[1] for row in self._db.execute("PRAGMA table_info(event)")]
        except sqlite3.DatabaseError:
            columns, version = [], _VERSION
        if columns[1:] == _COLUMNS.split(", ") and version in (0, _VERSION):
            return
        self.close()
        self._db = None
        with path.open("rb") as file:
            head = file.read(_PAGE)
        is_ours = any(trace in head for trace in _TRACES)
        if version > _VERSION and (version < _LATEST if is_ours else self._is_sound(where)):
            raise JournalError(f"The journal {path} was written by a later version of this program.")
        if not is_ours and self._is_sound(where):
            raise JournalError(f"{path} is no journal: it is a SQLite file of something else. Move it away.")
        self.is_whole = False

    def _is_sound(self, where: str) -> bool:
        with suppress(sqlite3.DatabaseError), closing(sqlite3.connect(where, uri=True)) as db:
            return bool(db.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
        return False

    def close(self) -> None:
        """Close it."""
        if self._db is not None:
            self._db.close()

    def matches(self) -> Iterator[list[Row]]:
        """The rows of each match from its first on, as far as valid; the matches in the order of writing."""
        if self._db is None:
            return
        try:
            sound = self._db.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
        except sqlite3.DatabaseError:
            sound = False
        for rows in self._in_order() if sound else self._one_by_one():
            content = _valid_content(rows)
            self.is_whole = self.is_whole and len(content.rows) == len(rows)
            if content.rows:
                yield content.rows
        self.is_whole = self.is_whole and sound

    def _in_order(self) -> Iterator[list[Row]]:
        assert self._db is not None, "matches are read from an open file"
        first = "SELECT match_id FROM event GROUP BY match_id ORDER BY min(id)"
        for (match_id,) in self._db.execute(first).fetchall():
            query = f"SELECT {_COLUMNS} FROM event WHERE match_id = ? ORDER BY number"
            yield [Row(*columns) for columns in self._db.execute(query, (match_id,))]

    def _one_by_one(self) -> Iterator[list[Row]]:
        """Read each row by its id: a damaged page loses its rows, and no others."""
        assert self._db is not None, "matches are read from an open file"
        matches: dict[str, list[Row]] = {}
        for place in range(1, self._most + 1):
            with suppress(sqlite3.Error, UnicodeDecodeError, OverflowError):
                query = f"SELECT {_COLUMNS} FROM event NOT INDEXED WHERE id = ?"
                for columns in self._db.execute(query, (place,)):
                    row = Row(*columns)
                    if row.is_whole:
                        matches.setdefault(row.match_id, []).append(row)
        yield from matches.values()


def _valid_content(rows: list[Row]) -> Content:
    """The valid rows from the first on, as read from their lines."""
    return content_of(b"".join(map(line_of, takewhile(attrgetter("is_whole"), rows))))
