"""A journal that is damaged: what can be read of it goes on in a new one, the damaged file is kept."""

import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path

from companion.errors import GameError
from companion.events import AnyEvent
from companion.journal import FILE_NAME, Journal, JournalError
from companion.record import Row, event_of
from companion.state import Level, Notice
from companion.statefolder import STARTS_FILE
from companion.table import Table, fold


def open_journal(folder: Path, *, is_copy: bool = False) -> tuple[Journal, Table, list[Notice]]:
    """The journal of a state folder with the table as its last match leaves it, and what is to be said about it.

    A file that SQLite finds damaged (a card that was pulled out, a partition cut short) is set aside, and what
    can be read of it is carried over, so that whoever plugs the machine in can play. So he can where the last match
    is one that this version cannot replay; that stays in the journal as it is.

    Args:
        folder: the state folder.
        is_copy: it only stands in for another one (`companion.stopgap`), where a damaged file keeps its name so far.

    Raises:
        JournalError: the journal belongs to a later version, or cannot be written.
    """
    path, fresh = folder / FILE_NAME, folder / SALVAGED
    wal = path.with_name(path.name + "-wal")
    if not path.exists() and wal.exists() and wal.stat().st_size:
        path.touch()  # what SQLite keeps beside a journal is what is left of one
    gone = [] if path.exists() else _gone(folder)
    if not fresh.exists() and (not path.exists() or is_sound(path)):
        try:
            journal, table, said = _opened(path)
            return journal, table, gone + said
        except JournalError as error:
            if not _is_damage(error):
                raise
    if not fresh.exists():  # else a power cut came between here and the end
        _salvage(path, fresh)
    aside = set_aside(path) if path.exists() else _aside(path, _asides(path) - 1)
    fresh.rename(path)
    journal, table, said = _opened(path)
    events = sum(match.events for match in journal.matches())
    kept = FILE_NAME if is_copy else aside.name
    damaged = Notice(
        f"The journal was damaged: {events} events could be read and go on; the file is kept as {kept}. "
        "A backup can be put back with 'companion restore'.",
        Level.ALARM,
    )
    return journal, table, [damaged, *said]


SALVAGED = "journal.salvaged.sqlite"
"""There only between the moment when all that can be read is on disk in it, and the moment when it is the journal."""


def _salvage(damaged: Path, fresh: Path) -> None:
    """Make a journal of what can be read of a damaged one, which stays as it is; there as a whole or not at all.

    Raises:
        JournalError: there is no room for it.
    """
    beside = fresh.with_name(f".{fresh.name}.new")
    try:
        for left in fresh.parent.glob(f"{beside.name}*"):
            left.unlink()
        with closing(Journal(beside)) as journal, journal.at_once():
            carry_over(damaged, journal)
        beside.rename(fresh)
    except JournalError:
        raise
    except OSError as error:
        raise JournalError(f"The journal {damaged} is damaged, and {error.strerror or error}.") from error


def _gone(folder: Path) -> list[Notice]:
    """What is to be said of a journal that is not there: nothing where the program has never been started."""
    if not (folder / STARTS_FILE).exists():
        return []
    return [
        Notice(
            "The journal is gone, a new one begins. A backup can be put back with 'companion restore'.",
            Level.ALARM,
        )
    ]


def _opened(path: Path) -> tuple[Journal, Table, list[Notice]]:
    journal = Journal(path)
    try:
        return journal, *table_of(journal)
    except BaseException:
        journal.close()
        raise


def table_of(journal: Journal) -> tuple[Table, list[Notice]]:
    """The table as the journal's last match leaves it; an empty one, and why, where this version cannot replay it."""
    match_id = journal.last_match_id()
    if match_id is None:
        return Table(), []
    try:
        return fold(journal.events(match_id)), []
    except GameError as error:
        why = str(error).rstrip(".")
        said = Notice(
            f"The match {match_id} cannot be replayed ({why}). It is kept as it is, and the table is empty; "
            "if the program has been updated, return to the version before.",
            Level.ALARM,
        )
        return Table(), [said]


CHECKED_BYTES = 32 << 20
"""A journal up to this size, some hundred matches, is checked as a whole at each start: a second on a Pi."""


def is_sound(path: Path) -> bool:
    """Whether a journal file is as long as its header says, and SQLite finds nothing wrong with it and its log.

    Looked at before anything is written: SQLite itself would take some files that were cut short for empty ones.
    An empty file is none of ours: a journal comes to be whole (`Journal`). What a file lacks may stand in the log
    beside it: a disk that fills up, or a power cut, while SQLite folds its log into the file leaves it half done, and
    the next opening does it anew. So a file with a log is too short only if SQLite finds it so.

    Raises:
        JournalError: it is no file, or this user may not read it.
    """
    if not path.is_file():
        raise JournalError(f"The journal {path} cannot be used: it is no file. Move it away.")
    try:
        size_bytes, owed_bytes = path.stat().st_size, _bytes_by_header(path)
        wal = path.with_name(path.name + "-wal")
        has_log = wal.exists() and wal.stat().st_size > 0
    except OSError as error:
        raise JournalError(f"The journal {path} cannot be used: {error.strerror or error}.") from error
    too_short = owed_bytes > size_bytes
    if not size_bytes or (too_short and not has_log):
        return False
    if size_bytes > CHECKED_BYTES and not too_short:
        return True
    try:
        where = f"{path.absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(where, uri=True, timeout=0.5)) as db:
            return bool(db.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except sqlite3.OperationalError:
        return True  # locked, or not to be written: that is no damage, and is said when it is opened
    except sqlite3.DatabaseError:
        return False


def _bytes_by_header(path: Path) -> int:
    """How long the file should be; 0 where its header does not say (SQLite's file format, 1.3)."""
    with path.open("rb") as file:
        head = file.read(100)
    page_bytes, pages = int.from_bytes(head[16:18], "big"), int.from_bytes(head[28:32], "big")
    if head[24:28] != head[92:96]:
        return 0
    return pages * (65536 if page_bytes == 1 else page_bytes)


def _is_damage(error: JournalError) -> bool:
    """SQLite calls the file no database or a malformed one; a full disk or a lock is something else."""
    cause = error.__cause__
    return isinstance(cause, sqlite3.DatabaseError) and not isinstance(
        cause, (sqlite3.OperationalError, sqlite3.ProgrammingError, sqlite3.IntegrityError)
    )


def set_aside(path: Path) -> Path:
    """Rename the damaged file and what belongs to it; its new name."""
    aside = _aside(path, _asides(path))
    for end in ("-wal", "-shm", ""):
        part = path.with_name(path.name + end)
        if part.exists():
            part.rename(aside.with_name(aside.name + end))
    return aside


def _aside(path: Path, number: int) -> Path:
    return path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")


def _asides(path: Path) -> int:
    """The first number under which no damaged file lies."""
    number = 1
    while _aside(path, number).exists():
        number += 1
    return number


def carry_over(damaged: Path, fresh: Journal) -> int:
    """Append every event that can still be read, in order, up to the first of its match that cannot.

    Returns:
        How many those are.
    """
    kept = 0
    broken: set[str] = set()
    numbers: dict[str, int] = {}
    for row in _readable(damaged):
        event = _event(row)
        if event is None or row.number != numbers.get(row.match_id, 0) + 1:
            broken.add(row.match_id)
        if row.match_id in broken or event is None:
            continue
        fresh.append(row.match_id, event)
        numbers[row.match_id] = row.number
        kept += 1
    return kept


def _event(row: Row) -> AnyEvent | None:
    try:
        return event_of(row)
    except GameError:
        return None


def _readable(path: Path) -> "list[Row]":
    """The rows that SQLite still gives, one by one, because one bad page spoils a whole query."""
    rows: list[Row] = []
    with _scratch(path.parent) as scratch:
        copy = Path(scratch) / "copy"
        _copy_padded(path, copy)
        try:
            with closing(sqlite3.connect(copy)) as db:
                db.execute(
                    "PRAGMA writable_schema = ON"
                )  # else a file that was cut short is refused as a whole
                last = _number(db, "SELECT max(id) FROM event") or 1_000_000
                misses = 0
                for number in range(1, last + 1):
                    row = _row(db, number)
                    misses = 0 if row else misses + 1
                    if row:
                        rows.append(row)
                    elif misses > _GIVE_UP:
                        break
        except sqlite3.Error:
            return rows
    return rows


def _scratch(folder: Path) -> "tempfile.TemporaryDirectory[str]":
    """A folder for a moment: where the system has one for that, else where the matches lie."""
    try:
        return tempfile.TemporaryDirectory()
    except FileNotFoundError:  # the root is read-only
        return tempfile.TemporaryDirectory(prefix=".salvage-", dir=folder)


def _copy_padded(path: Path, copy: Path) -> None:
    """A copy to read from, as long as its header says, together with its write-ahead log."""
    data, log = path.read_bytes(), b""
    wal = path.with_name(path.name + "-wal")
    if wal.exists():
        log = wal.read_bytes()
        copy.with_name("copy-wal").write_bytes(log)
    page_bytes = int.from_bytes(data[16:18], "big") or 4096
    missing_bytes = int.from_bytes(data[28:32], "big") * max(page_bytes, 512) - len(data)
    if log and not data:
        missing_bytes = page_bytes  # SQLite deletes the log of an empty file, unread
    copy.write_bytes(data + b"\0" * (missing_bytes if 0 < missing_bytes < 1 << 30 else 0))


_GIVE_UP = 2_000
"""So many ids in a row without a readable event are the end of the file."""


def _number(db: sqlite3.Connection, query: str) -> int | None:
    try:
        found = db.execute(query).fetchone()
    except (sqlite3.Error, UnicodeDecodeError):
        return None
    return int(found[0]) if found and found[0] is not None else None


def _row(db: sqlite3.Connection, number: int) -> Row | None:
    columns = "match_id, number, at_ms, kind, body, previous, digest"
    try:
        found = db.execute(f"SELECT {columns} FROM event WHERE id = ?", (number,)).fetchone()
    except (sqlite3.Error, UnicodeDecodeError):
        return None
    row = Row(*found) if found is not None else None
    return row if row is not None and row.is_whole else None
