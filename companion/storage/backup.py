"""The state folder as one file, and back: journal, pictures and join codes."""

import fcntl
import gzip
import io
import os
import re
import shutil
import sqlite3
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from companion.errors import UserError
from companion.storage.join_codes import ROLES_FILE, codes_trouble
from companion.storage.journal import FILE_NAME, DamagedJournalError, Journal, JournalError, as_journal_error
from companion.storage.restoring import is_there, place_in, put_in, unpacked_into
from companion.storage.salvage import carry_over
from companion.storage.soundness import check_files, is_readable, is_sound
from companion.storage.statefolder import StateFolder
from companion.storage.wholefile import place_of

_MEMBER = re.compile(rf"{re.escape(FILE_NAME)}|roles\.json|pictures/[0-9a-f]{{32}}\.jpg")
"""What belongs into a backup; anything else in one is refused, paths that climb included."""

READ_BYTES = 1 << 20
_SCRATCH = ".board-companion-backup-"


class Written(NamedTuple):
    """What a backup holds: so many matches.

    `left_out` says which join codes it does not hold and why, `damage` that the journal is damaged; "" where not so.
    """

    matches: int
    left_out: str
    damage: str


def back_up(folder: Path, out: Path) -> Written:
    """Write a backup; the program may be running meanwhile.

    Raises:
        UserError: there is nothing to keep, or the file cannot be written or would lie among what is kept; nothing
            half-written is left.
    """
    if not is_there(folder):
        raise UserError(f"There are no matches in {folder}.")
    roles = place_in(folder, ROLES_FILE)
    trouble = codes_trouble(roles.parent)
    left_out = f"The join codes are left out. {trouble}" if trouble else ""
    try:
        place = place_of(out)
        if place.is_relative_to(os.path.realpath(folder)):
            raise UserError(f"The backup {out} must not lie in {folder}, beside the matches themselves.")
        with _scratch(place.parent) as scratch:
            copy, damage = _copy_journal(place_in(folder, FILE_NAME), scratch)
            with closing(Journal(copy, read_only=True)) as journal:
                matches = len(journal.matches())
            made = scratch / "backup.tar.gz"
            made.touch(0o600)  # join codes are keys
            with tarfile.open(made, "w:gz", compresslevel=3) as archive:
                archive.add(copy, FILE_NAME)
                if not left_out:
                    _add(archive, roles, ROLES_FILE)
                for file in sorted(place_in(folder, "pictures").glob("*.jpg")):
                    _add(archive, file, f"pictures/{file.name}")
            made.replace(place)
    except OSError as error:
        cause = error.__cause__
        if isinstance(error, UserError) and getattr(cause, "sqlite_errorcode", None) not in _OF_WRITING:
            raise
        why = cause if isinstance(error, UserError) else error.strerror or error
        raise UserError(f"The backup {out} cannot be written: {why}.") from None
    return Written(matches, left_out, damage)


_OF_WRITING = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_TRUNCATE,
}
"""What SQLite says where a file takes no more; the journal that is backed up is only read."""


@contextmanager
def _of_the_copy() -> Iterator[None]:
    """What keeps a copy from being written is no fault of the journal's: it is said of the backup."""
    try:
        yield
    except DamagedJournalError:
        raise  # as it was copied
    except JournalError as error:
        cause = error.__cause__ or error
        if getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_READONLY:
            raise DamagedJournalError(
                str(error)
            ) from error  # the copy is ours to write, but for what stands in it
        raise OSError(getattr(cause, "strerror", None) or str(cause)) from error


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    """A folder beside the backup; what a backup that was killed left of its own goes, one that is written stays."""
    for left in folder.glob(f"{_SCRATCH}*"):
        with _held(left) as is_mine:
            if is_mine:
                shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=_SCRATCH, dir=folder) as made, _held(Path(made)):
        yield Path(made)


@contextmanager
def _held(folder: Path) -> Iterator[bool]:
    """Hold a folder, at most for as long as this process lives; whether that can be, and nobody else does."""
    with ExitStack() as parts:
        try:
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            parts.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            held = True
        except OSError:  # another user's, no folder, or on a disk that knows no locks
            held = False
        yield held


def _copy_journal(source: Path, scratch: Path) -> tuple[Path, str]:
    """SQLite's own copy: whole, whoever writes meanwhile. Of a damaged journal what holds of it, and what to say."""
    check_files(source)
    copy, salvaged, whole = (scratch / name for name in (FILE_NAME, "salvaged.sqlite", "whole.sqlite"))
    try:
        if source.exists() and is_readable(source):
            _copied(source, copy)
            if is_sound(copy):
                return copy, ""
    except DamagedJournalError:
        pass  # as where only its chain does not hold
    with _of_the_copy():
        with closing(Journal(salvaged)) as journal:
            with journal.at_once():
                carry_over(source, journal)
            events = journal.count()
        _copied(salvaged, whole)
    return (
        whole,
        f"The journal {source} is damaged: the backup holds the {events} events of it that can be read.",
    )


def _copied(source: Path, copy: Path) -> None:
    where = f"{source.absolute().as_uri()}?mode=ro"
    with closing(sqlite3.connect(copy)) as there:
        with as_journal_error(source), closing(sqlite3.connect(where, uri=True)) as here:
            here.backup(there)
        with _of_the_copy(), as_journal_error(copy):
            there.execute("PRAGMA journal_mode = DELETE")


def _add(archive: tarfile.TarFile, file: Path, name: str) -> None:
    """Add a file that may vanish meanwhile: the oldest pictures make room for new ones. A pipe is no picture."""
    if file.exists() and not file.is_file():
        return
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return
    about = tarfile.TarInfo(name)
    about.size, about.mode = len(data), 0o600
    archive.addfile(about, io.BytesIO(data))


def restore(file: Path, folder: Path) -> tuple[int, Path | None]:
    """Put a backup where the state lies; what was there is moved aside, not deleted.

    Returns:
        How many matches are there now, and where the former state lies, if there was any.

    Raises:
        UserError: the file is no backup, its journal is damaged, or the program is running.
    """
    lock = StateFolder(folder)
    try:
        fresh = unpacked_into(folder)
    except OSError as error:
        lock.close()
        raise UserError(f"The backup cannot be put into {folder}: {error.strerror or error}.") from None
    try:
        _give_to_owner(folder)  # who can delete what is unpacked, should this be killed meanwhile
        _unpack(file, fresh)
        matches = _checked(file, fresh)
        _give_to_owner(folder)
        before = put_in(fresh, folder)
        _give_to_owner(folder)
    except OSError as error:
        shutil.rmtree(fresh, ignore_errors=True)
        if isinstance(error, UserError):
            raise
        raise UserError(f"The backup cannot be put into {folder}: {error.strerror or error}.") from None
    except UserError:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    finally:
        lock.close()
    return matches, before


def _unpack(file: Path, fresh: Path) -> None:
    if file.exists() and not file.is_file() and not file.is_dir():
        raise UserError(f"The backup {file} cannot be read: it is no file.")  # a pipe would be waited for
    try:
        with gzip.open(file) as unzipped, tarfile.open(fileobj=unzipped) as archive:
            for member in archive:
                if not member.isfile() or not _MEMBER.fullmatch(member.name):
                    raise UserError(f"{file} is no backup of ours: it holds {member.name[:60]!a}.")
                data = archive.extractfile(member)
                assert data is not None, "a plain file has content"
                (fresh / member.name).touch(0o600)
                (fresh / member.name).write_bytes(data.read())
            while unzipped.read(READ_BYTES):
                pass  # only at its end does gzip compare what it gave with its checksum
    except (FileNotFoundError, IsADirectoryError) as error:
        raise UserError(f"The backup {file} cannot be read: {error.strerror}.") from None
    except (tarfile.TarError, gzip.BadGzipFile, EOFError, zlib.error):
        raise UserError(f"{file} is no backup of ours, or a damaged one.") from None


def _checked(file: Path, fresh: Path) -> int:
    """The number of matches in the unpacked journal, once its chain and the join codes have been checked."""
    if not (fresh / FILE_NAME).is_file():
        raise UserError(f"{file} is no backup of ours: it holds no journal.")
    if codes_trouble(fresh):
        raise UserError(f"{file} is no backup of ours, or a damaged one: it holds no join codes.")
    with closing(Journal(fresh / FILE_NAME, read_only=True)) as journal:
        problems = journal.verify()
        if problems:
            raise UserError(f"The journal in {file} is damaged: {problems[0]}")
        return len(journal.matches())


def _give_to_owner(folder: Path) -> None:
    """What root puts into the service's folder belongs to the service."""
    if os.geteuid() == 0:
        owner = folder.stat()
        for part in folder.rglob("*"):
            os.chown(part, owner.st_uid, owner.st_gid, follow_symlinks=False)  # a link may lead anywhere
