"""A journal that is damaged: what can be read of it goes on in a new one, the damaged file is kept."""

import shutil
import tempfile
from contextlib import closing
from pathlib import Path

from companion.errors import GameError
from companion.gleaning import chains_in
from companion.journal import FILE_NAME, DamagedJournalError, Journal, JournalError
from companion.record import event_of
from companion.soundness import check_files, is_sound
from companion.sqlitelog import HEADER, beside
from companion.state import Level, Notice
from companion.statefolder import STARTS_FILE
from companion.table import Table, fold


def open_journal(folder: Path, *, is_copy: bool = False) -> tuple[Journal, Table, list[Notice]]:
    """The journal of a state folder with the table as its last match leaves it, and what is to be said about it.

    One that is not as it was written (a card that was pulled out, a partition cut short, a single altered byte) is set
    aside, and what holds of it is carried over, so that whoever plugs the machine in can play. So he can where the last
    match is one that this version cannot replay; that stays in the journal as it is.

    Args:
        folder: the state folder.
        is_copy: it only stands in for another one (`companion.stopgap`), where a damaged file keeps its name so far.

    Raises:
        JournalError: the journal belongs to a later version, or cannot be written.
    """
    path, fresh = folder / FILE_NAME, folder / SALVAGED
    _judge_leftovers(path, fresh)
    gone = [] if path.exists() else _gone(folder)
    if not fresh.exists() and (not path.exists() or is_sound(path)):
        try:
            journal, table, said = _opened(path)
            return journal, table, gone + said
        except DamagedJournalError:
            pass  # too long to be looked at as a whole: it is found now
    if not fresh.exists():  # else a power cut came between here and the end
        _salvage(path, fresh)
    aside = set_aside(path) if path.exists() else _aside(path, _asides(path) - 1)
    fresh.rename(path)
    journal, table, said = _opened(path)
    kept = FILE_NAME if is_copy else aside.name
    damaged = Notice(
        f"The journal was damaged: {journal.count()} events could be read and go on; the file is kept as {kept}. "
        "A backup can be put back with 'companion restore'.",
        Level.ALARM,
    )
    return journal, table, [damaged, *said]


SALVAGED = "journal.salvaged.sqlite"
"""There only between the moment when all that can be read is on disk in it, and the moment when it is the journal."""


def is_damaged(folder: Path) -> bool:
    """Whether the next start would find the journal damaged.

    Raises:
        JournalError: it cannot be looked at, or is something else.
    """
    path = folder / FILE_NAME
    check_files(path)
    if not path.exists():
        return _has_log(path)
    if is_sound(path):
        Journal(path, read_only=True).close()
        return False
    return True


def _judge_leftovers(path: Path, fresh: Path) -> None:
    """What a power cut left of a start, or anybody put there, must neither be trusted unseen nor stand in the way."""
    check_files(path)
    if fresh.exists() and not _is_salvaged(fresh):
        set_aside(fresh)
    if path.exists():
        return
    if _has_log(path):
        path.touch()  # what SQLite keeps beside a journal is what is left of one
    elif not fresh.exists():
        path.with_name(f"{path.name}-wal").unlink(missing_ok=True)


def _has_log(path: Path) -> bool:
    wal = path.with_name(f"{path.name}-wal")
    return wal.exists() and wal.stat().st_size > HEADER


def _is_salvaged(fresh: Path) -> bool:
    """Whether this is a journal: it came to be whole, or is something else."""
    if not fresh.is_file() or not is_sound(fresh):
        return False
    try:
        Journal(fresh, read_only=True).close()
    except JournalError:
        return False
    return True


def _salvage(damaged: Path, fresh: Path) -> None:
    """Make a journal of what can be read of a damaged one, which stays as it is; there as a whole or not at all.

    Raises:
        JournalError: there is no room for it.
    """
    prefix = ".salvage-"
    try:
        for left in fresh.parent.glob(f"{prefix}*"):
            shutil.rmtree(left, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix=prefix, dir=fresh.parent) as scratch:
            made = Path(scratch) / FILE_NAME
            with closing(Journal(made)) as journal:
                with journal.at_once():
                    carry_over(damaged, journal)
                journal.fold()
            made.rename(fresh)
    except JournalError:
        raise
    except OSError as error:
        raise JournalError(f"The journal {damaged} is damaged, and {error.strerror or error}.") from error


def carry_over(damaged: Path, journal: Journal) -> None:
    """Keep every row that is as it was written, in order, up to the first of its match that is not.

    Raises:
        OSError: the damaged file cannot be read at all, or the journal not be written.
    """
    for chain in chains_in(damaged.read_bytes(), beside(damaged, "-wal")):
        for row in chain:
            journal.adopt(row)


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
        _fold(journal)
        return journal, *table_of(journal)
    except BaseException:
        journal.close()
        raise


def _fold(journal: Journal) -> None:
    """No evening lives in the log alone; where the disk is full, or somebody reads, the log stays and is as good."""
    try:
        journal.fold()
    except DamagedJournalError:
        raise
    except JournalError:
        pass


def table_of(journal: Journal) -> tuple[Table, list[Notice]]:
    """The table as the journal's last match leaves it; an empty one, and why, where this version cannot replay it."""
    match_id = journal.last_match_id()
    if match_id is None:
        return Table(), []
    try:
        return fold([event_of(row) for row in journal.rows(match_id)]), []
    except GameError as error:
        why = str(error).rstrip(".")
        said = Notice(
            f"The match {match_id} cannot be replayed ({why}). It is kept as it is, and the table is empty; "
            "if the program has been updated, return to the version before.",
            Level.ALARM,
        )
        return Table(), [said]


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
