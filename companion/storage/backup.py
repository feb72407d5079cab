"""Back up the state folder in one file (matches, pictures, join codes, the table's setup, key); restore it."""

import fcntl
import io
import json
import os
import shutil
import tarfile
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion.errors import UserError
from companion.storage.archive import Archive, verify_all
from companion.storage.catalogue import entry_of
from companion.storage.errors import JournalError, UnsalvagedError, as_journal_error, reported_as
from companion.storage.folder import (
    ALIASES,
    BEFORE,
    CATALOGUE_FILES,
    GAPS,
    KEY_FILE,
    LABELS,
    LOCK,
    MATCHES,
    OLD,
    PICTURES,
    RESTORING,
    ROLES_FILE,
    SIGNED,
    TABLE_FILE,
    TAKEN_OVER,
    UNPACKING,
    StateFolder,
    current_state,
    finish_restore,
    give_to_owner,
    has_matches,
    old_journal_in,
    place_in,
)
from companion.storage.lines import line_of, match_files, read_match
from companion.storage.recovery import check_place, new_gaps
from companion.storage.signing import statements_of
from companion.storage.takeover import takes_over_damaged
from companion.storage.unpack import unpack
from companion.storage.wholefile import place_of
from web.errors import RolesFileError
from web.roles import read_codes
from web.setup.table_setup import TableSetup

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
    trouble = _codes_trouble(roles)
    left_out = f"The join codes are left out. {trouble}" if trouble else ""
    with reported_as(UserError, f"The backup {out} cannot be written: {{why}}."):
        place = place_of(out)
        if place.is_relative_to(os.path.realpath(folder)):
            raise UserError(f"The backup {out} must not lie in {folder}, beside the matches themselves.")
        with _scratch(place.parent) as scratch:
            made = scratch / "backup.tar.gz"
            made.touch(0o600)  # join codes are keys
            with tarfile.open(made, "w:gz", compresslevel=3) as archive:
                began_ms = time.time_ns() // 1_000_000
                matches, damage = _add_matches(archive, folder, scratch)
                if not left_out:
                    _add(archive, roles, ROLES_FILE)
                if _is_set_up(place_in(folder, TABLE_FILE)):
                    _add(archive, place_in(folder, TABLE_FILE), TABLE_FILE)
                _add(archive, place_in(folder, KEY_FILE), KEY_FILE)
                for file in sorted(place_in(folder, PICTURES).glob("*.jpg")):
                    _add(archive, file, f"{PICTURES}/{file.name}")
                if signed := _signed_before(current_state(folder), began_ms):
                    _add_bytes(archive, f"{MATCHES}/{SIGNED}", signed)
            made.replace(place)
    return BackupSummary(matches, left_out, damage)


def _codes_trouble(file: Path) -> str:
    """The problem of the join codes, a sentence; "" if they are sound, or there are none.

    UserError if they exist, but cannot be read by this user or at this moment.
    """
    try:
        read_codes(file)
    except FileNotFoundError:
        return ""
    except RolesFileError as error:
        if not error.lasting or isinstance(error.__cause__, PermissionError):
            raise UserError(str(error)) from error
        return str(error)
    return ""


def _is_set_up(file: Path) -> bool:
    """Whether a director has set up the table; not if the file is missing or damaged, or awaits a first visitor."""
    with suppress(OSError, msgspec.DecodeError, UnicodeDecodeError):
        return not msgspec.json.decode(file.read_bytes(), type=TableSetup).open
    return False


def _add_matches(archive: tarfile.TarFile, folder: Path, scratch: Path) -> tuple[int, str]:
    """Add each match's valid rows; returns the number of matches with any, a sentence on damage or ""."""
    state, damaged = current_state(folder), False
    if old_journal_in(folder):
        state, damaged = scratch, takes_over_damaged(folder, scratch)
    entries = []
    for file in match_files(state):
        with as_journal_error(file):
            content = read_match(file)
        damaged = damaged or not content.is_whole
        if content.rows:
            _add_bytes(archive, f"{MATCHES}/{file.name}", b"".join(map(line_of, content.rows)))
            entries.append(entry_of(file, content, counted=False))
    _add_bytes(archive, f"{MATCHES}/{GAPS}", new_gaps(state, entries)[1])
    for name in (ALIASES, LABELS):
        if (state / MATCHES / name).is_file():
            _add_bytes(archive, f"{MATCHES}/{name}", (state / MATCHES / name).read_bytes())
    if not damaged:
        return len(entries), ""
    events = sum(entry.events for entry in entries)
    return len(entries), (
        f"The journal {folder / MATCHES} is damaged: the backup holds the {events} events of it that can be read."
    )


def _signed_before(folder: Path, began_ms: int) -> bytes:
    """The list of signatures without heads signed since the backup began, as it may lack their rows."""
    try:
        lines = (folder / MATCHES / SIGNED).read_bytes().splitlines(keepends=True)
    except FileNotFoundError:
        return b""
    return b"".join(line for line in lines if not _is_head_since(line, began_ms))


def _is_head_since(line: bytes, began_ms: int) -> bool:
    with suppress(ValueError, RecursionError):
        return any(
            one.about == "match" and one.at_ms >= began_ms for one in statements_of([json.loads(line)])
        )
    return False


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
        is_locked = False
        with suppress(OSError):  # another user's, no folder, or on a disk without locks
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
            parts.callback(os.close, handle)
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            is_locked = True
        yield is_locked


def _add(archive: tarfile.TarFile, file: Path, name: str) -> None:
    """Add a file, unless it vanishes: the oldest pictures make room for new ones. Pipes are skipped."""
    if file.is_file():
        with suppress(FileNotFoundError):
            _add_bytes(archive, name, file.read_bytes())


def _add_bytes(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    about = tarfile.TarInfo(name)
    about.size, about.mode = len(data), 0o600
    archive.addfile(about, io.BytesIO(data))


def restore(file: Path, folder: Path) -> tuple[int, Path | None]:
    """Replace the state by a backup; returns its number of matches, and the folder of the former state, if any.

    Raises:
        UserError: the file is no backup, its matches are damaged, or the program is running; nothing is changed.
    """
    text = f"The backup cannot be put into {folder}: {{why}}."
    parts = (folder / PICTURES, folder / LOCK, folder, *folder.parents)
    missing = [part for part in parts if not os.path.lexists(part)]
    with closing(StateFolder(folder)), reported_as(UserError, text), ExitStack() as unfinished:
        unfinished.callback(_take_back, missing)
        fresh = Path(tempfile.mkdtemp(prefix=UNPACKING, dir=folder))
        unfinished.callback(shutil.rmtree, fresh, ignore_errors=True)
        (fresh / PICTURES).mkdir()
        give_to_owner(folder, folder.rglob("*"))  # so that the owner can delete them if this is killed
        unpack(file, fresh)
        matches = _check_unpacked(file, fresh)
        missing.clear()  # from here on the next start can finish it
        give_to_owner(folder, folder.rglob("*"))
        before = _swap_in(fresh, folder)
        give_to_owner(folder, folder.rglob("*"))
    return matches, before


def _take_back(made: Iterable[Path]) -> None:
    """Delete what was made for a refused restore: files, and folders that are still empty."""
    for part in made:
        with suppress(OSError):
            part.rmdir() if part.is_dir() else part.unlink()


def _swap_in(fresh: Path, folder: Path) -> Path | None:
    """Replace the state in `folder` by `fresh`, a folder within it; returns the former state's, if there was any.

    OSError if a part cannot be moved; the next start tries again.
    """
    number = next(
        n for n in count(1) if not any(os.path.lexists(folder / f"{name}{n}") for name in (BEFORE, RESTORING))
    )
    os.sync()
    # This one step is atomic, also in a power cut; `finish_restore` can be repeated from any point of it.
    fresh.rename(folder / f"{RESTORING}{number}")
    finish_restore(folder)
    before = folder / f"{BEFORE}{number}"
    return before if before.exists() else None


def _check_unpacked(file: Path, fresh: Path) -> int:
    """The number of unpacked matches, after a check of every line and of the join codes."""
    if (fresh / OLD).is_file():  # an earlier version's
        try:
            damaged = takes_over_damaged(fresh, fresh)
        except UnsalvagedError:
            raise
        except JournalError:
            raise UserError(
                f"{file} is no backup of ours: its {OLD} is a SQLite file of something else."
            ) from None
        (fresh / f"{Path(OLD).stem}{TAKEN_OVER}.sqlite").unlink()
        if damaged:
            raise UserError(f"The journal in {file} is damaged: not all of it is as it was written.")
    if not (fresh / MATCHES).is_dir():
        raise UserError(f"{file} is no backup of ours: it holds no journal.")
    if _codes_trouble(fresh / ROLES_FILE):
        raise UserError(f"{file} is no backup of ours, or a damaged one: it holds no join codes.")
    if (fresh / TABLE_FILE).exists() and not _is_set_up(fresh / TABLE_FILE):
        raise UserError(
            f"{file} is no backup of ours, or a damaged one: its {TABLE_FILE} is of no table set up."
        )
    with closing(Archive(fresh)) as archive:
        for problem in verify_all(archive):
            raise UserError(f"The journal in {file} is damaged: {problem}")
        matches = len(archive.matches(counted=False))
    for name in CATALOGUE_FILES:
        (fresh / name).unlink(missing_ok=True)
    return matches
