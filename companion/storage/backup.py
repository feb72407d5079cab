"""Back up the state folder (matches, pictures, join codes) in one file; restore it."""

import fcntl
import gzip
import io
import os
import re
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from companion.errors import UserError
from companion.game.state import Level
from companion.storage.archive import GAPS, Archive, verify_all
from companion.storage.catalogue import entry_of
from companion.storage.errors import as_journal_error
from companion.storage.folder import StateFolder
from companion.storage.join_codes import ROLES_FILE, codes_trouble
from companion.storage.lines import MATCHES, Content, match_files, read_match
from companion.storage.recovery import check_place, gaps_file, new_gaps
from companion.storage.restoring import (
    CATALOGUE,
    OLD,
    has_matches,
    old_journal_in,
    place_in,
    swap_in,
    unpack_folder,
)
from companion.storage.takeover import take_over
from companion.storage.wholefile import place_of

_MEMBER = re.compile(
    rf"{MATCHES}/(?:\d{{4,12}}-[0-9a-z-]{{8,12}}|gaps)\.jsonl|{re.escape(OLD)}|roles\.json|pictures/[0-9a-f]{{32}}\.jpg"
)
"""The members of a backup, an earlier version's too; anything else is refused, paths with `..` included."""

READ_BYTES = 1 << 20
_SCRATCH = ".board-companion-backup-"


class BackupSummary(NamedTuple):
    """Summary of a backup: its number of matches.

    `left_out` is a sentence if the join codes are missing, `damage` if matches are damaged; "" otherwise.
    """

    matches: int
    left_out: str
    damage: str


def back_up(folder: Path, out: Path) -> BackupSummary:
    """Write a backup; the program may be running.

    Raises:
        UserError: there are no matches, or the file cannot be written or would be inside the state folder; no
            partial file is left.
    """
    if not has_matches(folder):
        raise UserError(f"There are no matches in {folder}.")
    check_place(folder)
    roles = place_in(folder, ROLES_FILE)
    trouble = codes_trouble(roles.parent)
    left_out = f"The join codes are left out. {trouble}" if trouble else ""
    try:
        place = place_of(out)
        if place.is_relative_to(os.path.realpath(folder)):
            raise UserError(f"The backup {out} must not lie in {folder}, beside the matches themselves.")
        with _scratch(place.parent) as scratch:
            made = scratch / "backup.tar.gz"
            made.touch(0o600)  # join codes are keys
            with tarfile.open(made, "w:gz", compresslevel=3) as archive:
                matches, damage = _add_matches(archive, folder, scratch)
                if not left_out:
                    _add(archive, roles, ROLES_FILE)
                for file in sorted(place_in(folder, "pictures").glob("*.jpg")):
                    _add(archive, file, f"pictures/{file.name}")
            made.replace(place)
    except UserError:
        raise
    except OSError as error:
        raise UserError(f"The backup {out} cannot be written: {error.strerror or error}.") from None
    return BackupSummary(matches, left_out, damage)


def _add_matches(archive: tarfile.TarFile, folder: Path, scratch: Path) -> tuple[int, str]:
    """Add each match's valid rows; returns the number of matches with any, a sentence on damage or ""."""
    state, damaged, events = place_in(folder, MATCHES).parent, False, 0
    if old_journal_in(folder):
        state = scratch
        damaged = any(notice.level is Level.ALARM for notice in take_over(folder, scratch))
    entries = []
    for file in match_files(state):
        data, content = _read(file)
        damaged = damaged or not content.is_whole
        events += len(content.rows)
        if content.rows:
            _add_bytes(archive, f"{MATCHES}/{file.name}", data[: content.end])
            entries.append(entry_of(file, content, counted=False))
    _add_bytes(archive, f"{MATCHES}/{GAPS}", gaps_file(state, new_gaps(state, entries)))
    matches = len(entries)
    if not damaged:
        return matches, ""
    return matches, (
        f"The journal {folder / MATCHES} is damaged: the backup holds the {events} events of it that can be read."
    )


def _read(file: Path) -> tuple[bytes, Content]:
    """A match file's bytes and rows; JournalError if unreadable."""
    with as_journal_error(file):
        return read_match(file)


@contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    """A scratch folder beside the backup; deletes those of killed backups, but none that is in use."""
    for left in folder.glob(f"{_SCRATCH}*"):
        with _locked(left) as is_mine:
            if is_mine:
                shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=_SCRATCH, dir=folder) as made, _locked(Path(made)):
        yield Path(made)


@contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Lock a folder, at most until this process ends; False if another has it or it cannot be locked."""
    with ExitStack() as parts:
        try:
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            parts.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_locked = True
        except OSError:  # another user's, no folder, or on a disk without locks
            is_locked = False
        yield is_locked


def _add(archive: tarfile.TarFile, file: Path, name: str) -> None:
    """Add a file, unless it vanishes: the oldest pictures make room for new ones. Pipes are skipped."""
    if file.exists() and not file.is_file():
        return
    try:
        _add_bytes(archive, name, file.read_bytes())
    except FileNotFoundError:
        return


def _add_bytes(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    about = tarfile.TarInfo(name)
    about.size, about.mode = len(data), 0o600
    archive.addfile(about, io.BytesIO(data))


def restore(file: Path, folder: Path) -> tuple[int, Path | None]:
    """Replace the state by a backup; the former state is moved aside, not deleted.

    Returns:
        The number of matches, and the folder of the former state, if there was any.

    Raises:
        UserError: the file is no backup, its matches are damaged, or the program is running.
    """
    lock = StateFolder(folder)
    try:
        fresh = unpack_folder(folder)
    except OSError as error:
        lock.close()
        raise UserError(f"The backup cannot be put into {folder}: {error.strerror or error}.") from None
    try:
        _give_to_owner(folder)  # so that the owner can delete unpacked files if this is killed
        _unpack(file, fresh)
        matches = _check_unpacked(file, fresh)
        _give_to_owner(folder)
        before = swap_in(fresh, folder)
        _give_to_owner(folder)
    except UserError:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    except OSError as error:
        shutil.rmtree(fresh, ignore_errors=True)
        raise UserError(f"The backup cannot be put into {folder}: {error.strerror or error}.") from None
    finally:
        lock.close()
    return matches, before


def _unpack(file: Path, fresh: Path) -> None:
    if file.exists() and not file.is_file() and not file.is_dir():
        raise UserError(f"The backup {file} cannot be read: it is no file.")  # reading a pipe would block
    try:
        with gzip.open(file) as unzipped, tarfile.open(fileobj=unzipped) as archive:
            for member in archive:
                if not member.isfile() or not _MEMBER.fullmatch(member.name):
                    raise UserError(f"{file} is no backup of ours: it holds {member.name[:60]!a}.")
                data = archive.extractfile(member)
                assert data is not None, "a plain file has content"
                (fresh / member.name).parent.mkdir(exist_ok=True)
                (fresh / member.name).touch(0o600)
                (fresh / member.name).write_bytes(data.read())
            while unzipped.read(READ_BYTES):
                pass  # gzip compares its checksum only at the end
    except (FileNotFoundError, IsADirectoryError) as error:
        raise UserError(f"The backup {file} cannot be read: {error.strerror}.") from None
    except (tarfile.TarError, gzip.BadGzipFile, EOFError, zlib.error):
        raise UserError(f"{file} is no backup of ours, or a damaged one.") from None


def _check_unpacked(file: Path, fresh: Path) -> int:
    """The number of unpacked matches, after a check of every line and of the join codes."""
    if (fresh / OLD).is_file():  # an earlier version's
        damaged = any(notice.level is Level.ALARM for notice in take_over(fresh, fresh))
        (fresh / f"{Path(OLD).stem}.taken-over.sqlite").unlink()
        if damaged:
            raise UserError(f"The journal in {file} is damaged: not all of it is as it was written.")
    if not (fresh / MATCHES).is_dir():
        raise UserError(f"{file} is no backup of ours: it holds no journal.")
    if codes_trouble(fresh):
        raise UserError(f"{file} is no backup of ours, or a damaged one: it holds no join codes.")
    with closing(Archive(fresh)) as archive:
        for problem in verify_all(archive):
            raise UserError(f"The journal in {file} is damaged: {problem}")
        matches = len(archive.matches(counted=False))
    for name in CATALOGUE:
        (fresh / name).unlink(missing_ok=True)
    return matches


def _give_to_owner(folder: Path) -> None:
    """Give root's files in the service's folder to the folder's owner."""
    if os.geteuid() == 0:
        owner = folder.stat()
        for part in folder.rglob("*"):
            os.chown(part, owner.st_uid, owner.st_gid, follow_symlinks=False)  # a link may lead anywhere
