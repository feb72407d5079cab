"""Take over the journal of earlier versions, one SQLite file of all matches, into match files.

All rows that SQLite can read are kept if their digests hold, with the very same digests; the file itself is kept
under another name. An interrupted takeover starts again, and skips the matches already moved.
"""

import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import count, starmap, takewhile
from operator import attrgetter
from pathlib import Path

from companion.game.state import Level, Notice, alarm, info
from companion.records.rows import Row
from companion.storage.errors import JournalError, UnsalvagedError, reported_as
from companion.storage.folder import (
    FORMER_FILES,
    MATCHES,
    OLD,
    SALVAGED,
    TAKEN_OVER,
    TAKING_OVER,
    old_journal_in,
    place_in,
)
from companion.storage.lines import content_of, first_match_id, line_of, match_files, next_name
from companion.storage.wholefile import sync_folder
from sentence import say

_COLUMNS = "match_id, number, at_ms, kind, body, previous, digest"
_TRACES = (b"CREATE TABLE event", b"event_is_never_changed", b"event_is_never_deleted")
"""Text in the first page of each former journal; damage is unlikely to remove all of it."""
_PAGE = 4096
_MOST_TEXT = 64 << 20
"""Most bytes of a value: a hand-made file could name larger ones than memory holds."""
_LEAST_ROW = 200
"""Least size of a row, in bytes; bounds the number of rows in a file."""


def take_over(source: Path, into: Path) -> list[Notice]:
    """Write the matches of a former journal as match files; returns notices, none if there is no former journal.

    The state folder `into` is the same, where the journal is then renamed, or a copy: then it stays as it is.

    Raises:
        JournalError: it is no journal, or unreadable.
        UnsalvagedError: the disk cannot be written.
    """
    if not old_journal_in(source):
        return []
    with reported_as(UnsalvagedError, f"The journal {source / OLD} cannot be taken over ({{why}})."):
        for left in into.glob(f"{TAKING_OVER}*"):
            shutil.rmtree(left, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix=TAKING_OVER, dir=into) as scratch:
            events, is_whole = _write_matches(source, Path(scratch), into)
        kept = _set_aside(source) if source == into else OLD
    if is_whole:
        return [
            info(say("Each match now has its own file; the former journal is kept as {kept}.", kept=kept))
        ]
    return [damaged_notice(events, kept)]


def takes_over_damaged(source: Path, into: Path) -> bool:
    """Take over a former journal, if there is one; whether it was damaged."""
    return any(notice.level is Level.ALARM for notice in take_over(source, into))


def damaged_notice(events: int, kept: str) -> Notice:
    """The notice of a damaged file, kept under this name, of which so many events could be read."""
    return alarm(
        say(
            "The journal was damaged: {events} events could be read and go on; the file is kept as "
            "{kept}. A backup can be put back with 'companion restore'.",
            events=events,
            kept=kept,
        )
    )


def _write_matches(source: Path, scratch: Path, into: Path) -> tuple[int, bool]:
    """Write new matches; returns the former journal's number of events, and whether it is undamaged."""
    place = place_in(source, MATCHES)
    fresh = (into if into != source else scratch) / MATCHES
    fresh.mkdir(exist_ok=True)
    for file in place.iterdir() if place.is_dir() else ():
        (fresh / file.name).symlink_to(file.resolve())
    written = {first_match_id(file): (file, -1) for file in match_files(fresh.parent)}
    is_whole = True
    for name in (SALVAGED, OLD):
        path = place_in(source, name)
        if not path.exists():
            is_whole = is_whole and not path.with_name(f"{name}-wal").exists()
            continue
        with closing(_FormerJournal(path, scratch)) as former:
            for rows in former.matches():
                match_id = rows[0].match_id
                file, known = written.get(match_id, (fresh / next_name(fresh.parent, rows[0].at_ms), 0))
                if 0 <= known < len(rows):
                    file.write_bytes(b"".join(map(line_of, rows)))
                    written[match_id] = file, len(rows)
        is_whole = is_whole and former.is_whole
    if into == source:
        _move_in(fresh, place)
    return sum(max(0, events) for _, events in written.values()), is_whole


def _move_in(fresh: Path, place: Path) -> None:
    """Move finished match files to their place; all are on disk before the first is moved."""
    os.sync()
    place.mkdir(exist_ok=True)
    for file in match_files(fresh.parent):
        if not file.is_symlink():
            file.rename(place / file.name)
    sync_folder(place)


def _set_aside(folder: Path) -> str:
    """Rename the former journal, and SQLite's files beside it, the log first; returns the journal's new name."""

    def aside(name: str, number: int) -> Path:
        stem, _, rest = name.rpartition(".sqlite")
        return folder / f"{stem}{TAKEN_OVER}{f'-{number}' if number > 1 else ''}.sqlite{rest}"

    number = next(n for n in count(1) if not any(aside(name, n).exists() for name in (OLD, SALVAGED)))
    for name in sorted(FORMER_FILES, key=len, reverse=True):
        if (folder / name).exists():
            (folder / name).rename(aside(name, number))
    sync_folder(folder)
    return aside(OLD, number).name


class _FormerJournal:
    """A former journal, read through SQLite; it is not changed.

    Attributes:
        is_whole: no damage was found, as far as it has been read.
    """

    def __init__(self, path: Path, scratch: Path) -> None:
        self._path = path
        self._most = path.stat().st_size // _LEAST_ROW
        where = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        wal = path.with_name(f"{path.name}-wal")
        if wal.exists() and wal.stat().st_size:  # SQLite merges it when it closes: so use a copy
            copy = scratch / path.name
            shutil.copyfile(path, copy)
            shutil.copyfile(wal, copy.with_name(wal.name))
            where = f"{copy.absolute().as_uri()}?mode=rw"
            self._most += wal.stat().st_size // _LEAST_ROW
        try:
            self._db = sqlite3.connect(where, uri=True)
        except sqlite3.DatabaseError as error:
            raise OSError(errno.EIO, str(error)) from error
        self._db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MOST_TEXT)
        # A text that is no UTF-8 is altered: its row's digest shows that.
        self._db.text_factory = lambda data: data.decode(errors="replace")
        self.is_whole = self._has_rows()

    def close(self) -> None:
        """Close it."""
        self._db.close()

    def _has_rows(self) -> bool:
        """Whether it has the table of rows; JournalError if it is an undamaged file of something else."""
        columns, made = [], ""
        with suppress(sqlite3.DatabaseError):
            columns = [row[1] for row in self._db.execute("PRAGMA table_info(event)")]
            found = self._db.execute("SELECT sql FROM sqlite_schema WHERE name = 'event'").fetchall()
            made = str(found[0][0]) if found else ""
        # A view or a virtual table of this name could have rows without end.
        if columns[1:] == _COLUMNS.split(", ") and made.startswith("CREATE TABLE"):
            return True
        with self._path.open("rb") as file:
            head = file.read(_PAGE)
        if head.startswith(b"SQLite") and not any(trace in head for trace in _TRACES) and self._is_sound():
            raise JournalError(
                f"{self._path} is no journal: it is a SQLite file of something else. Move it away."
            )
        return False

    def _is_sound(self) -> bool:
        with suppress(sqlite3.DatabaseError):
            return bool(self._db.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok")
        return False

    def matches(self) -> Iterator[list[Row]]:
        """The rows of each match from its first on, as far as valid; the matches in the order of writing."""
        if not self.is_whole:
            return
        self.is_whole = self._is_sound()
        try:
            for rows in self._in_order() if self.is_whole else self._one_by_one():
                typed = takewhile(attrgetter("is_whole"), rows)
                valid = content_of(b"".join(map(line_of, typed))).rows
                self.is_whole = self.is_whole and len(valid) == len(rows) > 0
                if valid:
                    yield valid
        except sqlite3.DataError:  # a value is too large
            self.is_whole = False

    def _in_order(self) -> Iterator[list[Row]]:
        first = "SELECT match_id FROM event GROUP BY match_id ORDER BY min(id)"
        for (match_id,) in self._db.execute(first).fetchall():
            query = f"SELECT {_COLUMNS} FROM event WHERE match_id = ? ORDER BY number"
            yield list(starmap(Row, self._db.execute(query, (match_id,))))

    def _one_by_one(self) -> Iterator[list[Row]]:
        """Read each row by its id: a damaged page loses its rows, and no others."""
        found: dict[str, list[Row]] = {}
        query = f"SELECT {_COLUMNS} FROM event NOT INDEXED WHERE id = ?"
        for number in range(1, self._most + 1):
            with suppress(sqlite3.Error, OverflowError):
                for row in starmap(Row, self._db.execute(query, (number,))):
                    if row.is_whole:
                        found.setdefault(row.match_id, []).append(row)
        yield from found.values()
