"""A journal that is damaged: what can be read of it goes on in a new one, the damaged file is kept."""

import shutil
import tempfile
from contextlib import closing
from pathlib import Path

from companion.errors import GameError
from companion.game.state import Level, Notice
from companion.game.step import Table, fold
from companion.records.rows import Row, event_of
from companion.storage.gleaning import chains_in
from companion.storage.journal import FILE_NAME, SALVAGED, DamagedJournalError, Journal, JournalError
from companion.storage.restoring import is_there, place_in
from companion.storage.soundness import check_files, is_sound, stray_beside
from companion.storage.sqlitelog import BESIDE, beside, has_log
from companion.storage.statefolder import STARTS_FILE
from sentence import say


class UnsalvagedError(JournalError):
    """The journal is damaged, and its disk does not take what goes on; `said` is what is to be said all the same."""

    said: tuple[Notice, ...] = ()


def open_journal(folder: Path, *, is_copy: bool = False) -> tuple[Journal, Table, list[Notice]]:
    """The journal of a state folder with the table as its last match leaves it, and what is to be said about it.

    One that is not as it was written (a card that was pulled out, a partition cut short, a single altered byte) is set
    aside, and what holds of it is carried over, so that whoever plugs the machine in can play. So he can where the last
    match is one that this version cannot replay; that stays in the journal as it is.

    Args:
        folder: the state folder.
        is_copy: it only stands in for another one (`stopgap`), where a damaged file keeps its name so far.

    Raises:
        UnsalvagedError: it is damaged, and there is no room for what goes on.
        JournalError: the journal belongs to a later version, or cannot be written.
    """
    path, fresh = folder / FILE_NAME, folder / SALVAGED
    check_files(path)
    _move_stray(path)
    sound = path.exists() and is_sound(path)
    if fresh.exists() and not _goes_on(fresh, path, sound):
        _put_away(fresh, path)
    if not fresh.exists():
        if not path.exists():
            if has_log(path):
                _begin_empty(path)  # what SQLite keeps beside a journal is what is left of one
            else:
                path.with_name(f"{path.name}-wal").unlink(missing_ok=True)
        gone = [] if path.exists() else _gone(folder)
        if sound or not path.exists():
            try:
                journal, table, said = _opened(path)
                return journal, table, gone + said
            except DamagedJournalError:
                pass  # too long to be looked at as a whole: it is found now
        _salvage(path, fresh)
    return _opened_in_its_place(fresh, path, is_copy=is_copy)


def _opened_in_its_place(fresh: Path, path: Path, *, is_copy: bool) -> tuple[Journal, Table, list[Notice]]:
    """Set aside what is left of the damaged journal, and open the salvaged one under its name."""
    events = len(_events_in(fresh))
    aside = _set_rest_aside(path)
    fresh.rename(path)
    for part in _parts(fresh):  # an index that a look at it made
        part.unlink(missing_ok=True)
    damaged = _damaged(events, FILE_NAME if is_copy else aside.name) if aside else _nearly_gone(events)
    try:
        journal, table, said = _opened(path)
    except JournalError as error:
        refusal = _unsalvaged(path, error)
        refusal.said = (damaged,)  # the next one finds nothing damaged
        raise refusal from error
    return journal, table, [damaged, *said]


def _damaged(events: int, kept: str) -> Notice:
    return Notice(
        say(
            "The journal was damaged: {events} events could be read and go on; the file is kept as "
            "{kept}. A backup can be put back with 'companion restore'.",
            events=events,
            kept=kept,
        ),
        Level.ALARM,
    )


def _nearly_gone(events: int) -> Notice:
    return Notice(
        say(
            "The journal was damaged and is gone: {events} events had been read of it and go on. A "
            "backup can be put back with 'companion restore'.",
            events=events,
        ),
        Level.ALARM,
    )


def _unsalvaged(path: Path, error: OSError) -> UnsalvagedError:
    cause = error.__cause__ if isinstance(error, JournalError) else error
    why = getattr(cause, "strerror", None) or cause or error
    return UnsalvagedError(
        f"The journal {path} is damaged, and what can be read of it cannot go on there ({why})."
    )


def is_damaged(folder: Path) -> bool:
    """Whether the next start would find the journal damaged.

    Raises:
        JournalError: it cannot be looked at, is something else, or has something beside it that is none of it.
    """
    path = place_in(folder, FILE_NAME)
    check_files(path)
    if not path.exists():
        return is_there(folder)
    if (stray := stray_beside(path)) is not None:
        raise JournalError(f"{stray} does not belong to the journal; the next start moves it away.")
    if beside(path, "-journal"):
        return False  # a power cut at the first opening of a backup: the next one undoes what was begun
    if is_sound(path):
        Journal(path, read_only=True).close()
        return False
    return True


def _move_stray(path: Path) -> None:
    """Before SQLite undoes what it takes for half done."""
    stray = stray_beside(path)
    if stray is None:
        return
    number = 1
    while (there := stray.with_name(f"{stray.name}.damaged-{number}")).exists():
        number += 1
    stray.rename(there)


def _goes_on(fresh: Path, path: Path, sound: bool) -> bool:
    """Whether a power cut came before the salvaged journal was put in its place.

    It does where nothing sound is there, and nothing is left of what is there that is not in it. What anybody put
    there, or an earlier start left, must not be trusted unseen.
    """
    return not sound and _is_salvaged(fresh) and _events_in(path) <= _events_in(fresh)


def _put_away(fresh: Path, path: Path) -> None:
    """What is no salvaged journal, or holds what is nowhere else, is kept; another one is nothing more."""
    if not _is_salvaged(fresh) or not _events_in(fresh) <= _events_in(path):
        set_aside(fresh)
        return
    for part in _parts(fresh):
        part.unlink(missing_ok=True)


def _is_salvaged(fresh: Path) -> bool:
    """Whether this is a journal: it came to be whole, or is something else."""
    if not fresh.is_file() or has_log(fresh) or not is_sound(fresh):
        return False
    try:
        Journal(fresh, read_only=True).close()
    except JournalError:
        return False
    return True


def _salvage(damaged: Path, fresh: Path) -> None:
    """Make a journal of what can be read of a damaged one, which stays as it is; there as a whole or not at all.

    Raises:
        UnsalvagedError: there is no room for it.
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
    except OSError as error:
        raise _unsalvaged(damaged, error) from error


def carry_over(damaged: Path, journal: Journal) -> None:
    """Keep every row that is as it was written, in order, up to the first of its match that is not.

    Where a salvaged journal is still to be put in its place, and holds all that can be read, its rows are kept.

    Raises:
        OSError: the damaged file cannot be read at all, or the journal not be written.
    """
    chains, fresh = _chains_in(damaged), damaged.with_name(SALVAGED)
    if fresh.is_file() and _events(chains) <= _events_in(fresh):
        chains = _chains_in(fresh)
    for chain in chains:
        for row in chain:
            journal.adopt(row)


def _chains_in(path: Path) -> list[list[Row]]:
    """What can be read of a journal, or of the log beside it where it is gone."""
    return chains_in(path.read_bytes() if path.exists() else b"", beside(path, "-wal"))


def _events_in(path: Path) -> set[tuple[str, int, str]]:
    return _events(_chains_in(path))


def _events(chains: list[list[Row]]) -> set[tuple[str, int, str]]:
    """What can be told of events whose digests are other ones, where a match before them was lost."""
    return {(row.match_id, row.number, row.body) for chain in chains for row in chain}


def _gone(folder: Path) -> list[Notice]:
    """What is to be said of a journal that is not there: nothing where the program has never been started."""
    if not (folder / STARTS_FILE).exists():
        return []
    return [
        Notice(
            say("The journal is gone, a new one begins. A backup can be put back with 'companion restore'."),
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
            say(
                "The match {match_id} cannot be replayed ({why}). It is kept as it is, and the table is "
                "empty; if the program has been updated, return to the version before.",
                match_id=match_id,
                why=why,
            ),
            Level.ALARM,
        )
        return Table(), [said]


def set_aside(path: Path) -> Path:
    """Rename the damaged file and what belongs to it; its new name.

    The file goes first: without its log it might pass for a sound one that holds less.
    """
    aside = _aside(path, _asides(path))
    _rename(path, aside)
    return aside


def _set_rest_aside(path: Path) -> Path | None:
    """Set aside what is left of a journal that may have been set aside in part; where the file is, if anywhere."""
    last = _asides(path) - 1
    aside = _aside(path, last) if last else None
    log_is_there = aside is not None and aside.with_name(f"{aside.name}-wal").exists()
    if not path.exists() and has_log(path) and (aside is None or log_is_there):
        _begin_empty(path)  # the log is all there is of it
    if path.exists():
        return set_aside(path)
    if aside is not None and has_log(path):  # a power cut came between the file and its log
        _rename(path, aside)
    for part in _parts(path):
        part.unlink(missing_ok=True)
    return aside


def _begin_empty(path: Path) -> None:
    if path.is_symlink():  # its disk may only not be there yet
        raise JournalError(f"The journal {path} leads to {path.readlink()}, which is not there.")
    path.touch()


def _rename(path: Path, aside: Path) -> None:
    for part, there in zip(_parts(path), _parts(aside), strict=True):
        if part.exists():
            part.rename(there)


def _parts(path: Path) -> list[Path]:
    return [path, *(path.with_name(path.name + end) for end in BESIDE)]


def _aside(path: Path, number: int) -> Path:
    return path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")


def _asides(path: Path) -> int:
    """The first number under which no damaged file lies."""
    number = 1
    while _aside(path, number).exists():
        number += 1
    return number
