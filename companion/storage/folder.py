"""The state folder: its place, the names in it, and the lock that keeps a second program out.

A backup takes the place of the state within the folder, which may be the only writable place and a mount of its own;
a start after a power cut finishes that.
"""

import errno
import fcntl
import os
import shutil
import struct
from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import IO

from companion.errors import UserError
from companion.storage.errors import JournalError, reported_as

NAME = "board-companion"
MATCHES = "matches"
"""The folder of the match files, written by `companion.storage.journal`; their lines: `companion.storage.lines`."""
GAPS = "gaps.jsonl"
"""Among them: known breaks of the chain, where matches were lost, and matches deleted on purpose
(`companion.storage.archive`, `recovery`)."""
ALIASES = "aliases.json"
"""Among them: names that count as another player's (`companion.storage.listing`)."""
LABELS = "labels.json"
"""Among them: the event of each match that has one (`companion.storage.listing`)."""
SIGNED = "signed.jsonl"
"""Among them: what this table has signed (`companion.storage.signing`)."""
MATCH_NAME = r"\d{4,12}-(?:\d{4,6}-\d\d-\d\d|undated)\.jsonl"
"""Pattern of a match file's name: its number in the order of writing, and the day it began."""
CATALOGUE = "catalogue.sqlite"
"""A cache of what the match files hold (`companion.storage.catalogue`)."""
ANALYSES = "analyses"
"""GNU Backgammon's verdicts on matches, which can be deleted at any time (`companion.service.archive.studies`)."""
OPENED = "opened"
"""Match files of other programs, opened on the page (`companion.service.archive.opened`)."""
HALL_FIRST = "hall.json"
"""For each hall the first match that it gets; what was played before is not its business
(`companion.hall.journal_rows`)."""
HALL = "hall"
"""A hub's own folder (`companion.service.hall`)."""
HALL_STORE = "hall.sqlite"
"""In it: the rows of all tables (`companion.hall.record.store`)."""
BROKER, PASSWORDS, ACCESS = "broker", "passwords", "access"
"""In it: the folder of Mosquitto's users, with the file of their passwords and that of their access rules
(`companion.hall.broker_users`)."""
LOCK = "lock"
"""Its lock says who holds the folder, its content the port of the holder's page."""
PROBE = ".probe"
STARTS_FILE = "starts"
"""Count of the starts with this folder; written after the journal was opened (`companion.service.app`)."""
ROLES_FILE = "roles.json"
"""The join codes (`web.roles`)."""
KEY_FILE = "table.key"
"""This table's private key (`companion.storage.signing`)."""
PICTURES = "pictures"
"""The folder of the throws' pictures (`companion.storage.pictures`)."""
TABLE_FILE = "table.json"
"""What the director has set on the page for the table (`web.setup.table_setup`)."""
BOARD_FILE = "board.json"
"""The place of the board, unless the settings name another file (`companion.camera.board_place`)."""
CERTIFICATES = "https"
AUTHORITY, AUTHORITY_KEY, PAGE_CERTIFICATE = "authority.pem", "authority.key", "page.pem"
CERTIFIED_NAMES = "names.txt"
"""In it: this machine's own authority, its key, the page's certificate, and the host names that the certificate is for
(`companion.service.certificate`)."""
OLD, SALVAGED = "journal.sqlite", "journal.salvaged.sqlite"
"""The journal of earlier versions, and an unfinished replacement for a damaged one."""
BESIDE = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite keeps beside another."""
FORMER_FILES = tuple(f"{name}{end}" for name in (OLD, SALVAGED) for end in ("", *BESIDE))
CATALOGUE_FILES = tuple(f"{CATALOGUE}{end}" for end in ("", *BESIDE))
UNPACKING, TAKING_OVER = ".unpacking-", ".taking-over-"
"""Beginnings of the names of unfinished folders: a restore's, a takeover's."""
RESTORING, BEFORE = "restoring-", "before-"
"""Beginnings of the names, with the same number, of the state that a restore puts in place, while that is not finished,
and of what it replaces, which is kept (`companion.storage.backup`)."""
TAKEN_OVER = ".taken-over"
"""In the name of an earlier version's journal whose events are in match files now (`companion.storage.takeover`)."""
DAMAGED = ".damaged-"
"""Before the number in the name of a file that was set aside, because part of it cannot be read."""
STOPGAP = "stopgap-"
"""Beginning of the name of the folder, outside this one, that stands in while the disk cannot be used (fallback.py)."""
SCREEN_LINK = "link"
"""In the service's runtime folder: the link for a screen on this machine (`companion.service.app`)."""
HALL_CREDENTIALS = "hall-table.json"
"""Beside the settings file: this table's credentials at a hall (`companion.service.hall.joining`)."""
_RESTORED = (PICTURES, ROLES_FILE, TABLE_FILE, KEY_FILE, OLD, MATCHES)
_MATCHES_ALONE = (*FORMER_FILES, *CATALOGUE_FILES, MATCHES)
"""Parts of the former matches; never to be read together with others."""

PROBE_BYTES = 128 << 10
"""Size of the write test: enough room to open a journal."""
LACKING = (
    "A companion is running with {folder}, and its disk does not take all that happens: "
    "what is only in memory is not in here. The page exports all of it."
)


class StateFolderError(UserError, OSError):
    """The folder cannot be used; `may_pass` if the cause is its disk and not the chosen path.

    `is_away` if its disk was removed in play: its content is not lost by that.
    """

    may_pass = is_away = False


class FolderHeldError(StateFolderError):
    """Another program has it."""


class FolderUnusableError(StateFolderError):
    """It cannot be made or written, locked or not."""


def state_folder(chosen: str = "", environment: Mapping[str, str] = os.environ) -> Path:
    """The chosen folder, else the service's, else the user's by the XDG rules; it may be missing."""
    named = chosen or environment.get("STATE_DIRECTORY", "").split(":")[0]
    if named:
        return Path(named)
    home = environment.get("XDG_STATE_HOME", "")
    if not home.startswith("/"):  # by the XDG rules a relative path is ignored
        return Path(environment.get("HOME") or Path.home()) / ".local/state" / NAME
    return Path(home) / NAME


# What is in it


def place_in(folder: Path, name: str) -> Path:
    """The place of a part of the state; in the new state, if a restore was interrupted before moving it."""
    coming = [place / name for place in _unfinished(folder) if (place / name).exists()]
    return coming[-1] if coming else folder / name


def current_state(folder: Path) -> Path:
    """The folder that has the folder of matches: this one, or the new state if a restore was interrupted."""
    return place_in(folder, MATCHES).parent


def old_journal_in(folder: Path) -> bool:
    """Whether a state folder has a journal of an earlier version, or remains of one."""
    return any(place_in(folder, name).exists() for name in (OLD, f"{OLD}-wal", SALVAGED))


def has_matches(folder: Path) -> bool:
    """Whether a state folder has a folder of matches or an earlier version's journal; JournalError if forbidden."""
    try:
        return place_in(folder, MATCHES).exists() or old_journal_in(folder)
    except PermissionError:
        raise JournalError(
            f"The matches in {folder} are not this user's to read; ask as their owner."
        ) from None


def give_to_owner(folder: Path, files: Iterable[Path]) -> None:
    """Give root's files in the service's folder to the folder's owner."""
    if os.geteuid() == 0:
        owner = folder.stat()
        for file in files:
            with suppress(FileNotFoundError):
                os.chown(file, owner.st_uid, owner.st_gid, follow_symlinks=False)  # a link may lead anywhere


def finish_restore(folder: Path) -> None:
    """Finish an interrupted restore, if there is one; OSError if a part cannot be moved."""
    for coming in _unfinished(folder):
        before = _before(coming)
        before.mkdir(exist_ok=True)
        if (coming / MATCHES).exists() or (coming / OLD).exists():
            for name in _MATCHES_ALONE:
                _move(folder / name, before / name)
        for name in _RESTORED:
            if (coming / name).exists():
                _move(folder / name, before / name)
                (coming / name).rename(folder / name)
        for name in CATALOGUE_FILES:  # made by a reader
            (coming / name).unlink(missing_ok=True)
        for left in coming.iterdir():  # nothing of ours, and nothing that may keep every start from working
            left.rename(before / left.name)
        coming.rmdir()
        if not any(before.iterdir()):
            before.rmdir()


def _unfinished(folder: Path) -> list[Path]:
    """The folders of interrupted restores, oldest first."""
    found = sorted(folder.glob(f"{RESTORING}*"))
    return [place for place in found if place.is_dir() and not place.is_symlink()]


def _before(coming: Path) -> Path:
    """The folder for what an unfinished restore replaces."""
    return coming.with_name(coming.name.replace(RESTORING, BEFORE))


def restore_trouble(folder: Path) -> str:
    """What keeps an interrupted restore from being finished, a sentence; "" if nothing does."""
    for coming in _unfinished(folder):
        before = _before(coming)
        if os.path.lexists(before) and not before.is_dir():
            return f"{before} is no folder: an interrupted restore cannot be finished."
        for name in (MATCHES, PICTURES):
            if all((place / name).exists() for place in (coming, before, folder)):
                return f"{before / name} is in the way of the interrupted restore {coming.name}."
    return ""


def _move(part: Path, there: Path) -> None:
    """Move a part, if it exists; an empty folder is deleted."""
    if part.is_dir() and not part.is_symlink() and not any(part.iterdir()):
        part.rmdir()
    elif os.path.lexists(part):
        part.rename(there)


# Its lock


class FolderLock:
    """A state folder's lock, held."""

    def __init__(self, folder: Path) -> None:
        """Lock it; on a read-only disk through the existing lock file.

        Raises:
            FolderHeldError: another program has it.
            OSError: there is no lock file, and none can be made.
        """
        file = folder / LOCK
        if file.exists() and not file.is_file():  # opening a pipe would block
            raise OSError(errno.EEXIST, f"{file.name} is no file")
        try:
            self._file: IO[str] = open(file, "a+")  # noqa: SIM115
        except OSError:
            if not file.is_file():
                raise
            self._file = open(file)  # noqa: SIM115
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            if not isinstance(error, BlockingIOError):  # on a disk without locks
                raise
            raise FolderHeldError(
                f"Another companion keeps its matches in {folder}; stop it first: Ctrl-C in its terminal, "
                f"'systemctl stop {NAME}' for the service."
            ) from None

    def is_of(self, folder: Path) -> bool:
        """Whether it is held, and its file still has its name in this folder."""
        try:
            return not self._file.closed and os.path.samestat(
                os.stat(folder / LOCK), os.fstat(self._file.fileno())
            )
        except OSError:  # it or its folder is gone: locking it again shows that
            return False

    def mark_lacking(self, lacking: bool) -> None:
        """Publish whether the folder lacks events of this program; other programs read it with `lacks`."""
        if not self._file.closed:
            with suppress(OSError):  # a disk without such locks: others do not learn it; play goes on
                fcntl.fcntl(self._file, fcntl.F_OFD_SETLK, _span(fcntl.F_RDLCK if lacking else fcntl.F_UNLCK))

    def close(self) -> None:
        """Let others in."""
        self._file.close()


def is_held(folder: Path) -> bool:
    """Whether a program has the folder; the check takes the lock for a moment, so use it only if needed."""
    try:
        if (folder / LOCK).is_file():
            FolderLock(folder).close()
    except FolderHeldError:
        return True
    except OSError:  # another user's, or on a disk without locks: unknown
        return False
    return False


def lacks(folder: Path) -> bool:
    """Whether a running program has events that are not on this folder's disk yet."""
    lock = folder / LOCK
    try:
        if not lock.is_file():
            return False
        with lock.open() as file:
            answer = fcntl.fcntl(file, fcntl.F_OFD_GETLK, _span(fcntl.F_WRLCK))
    except OSError:  # another user's, or on a disk without locks: unknown
        return False
    return bool(struct.unpack_from("h", answer)[0] != fcntl.F_UNLCK)


def leave_port(folder: Path, port: int) -> None:
    """Write the page's port into the lock of the folder, which this program has, for `port_of_page`."""
    with suppress(OSError):  # a disk that takes nothing: others do not learn it
        if (folder / LOCK).is_file():
            (folder / LOCK).write_text(f"{port}\n")


def port_of_page(folder: Path) -> int | None:
    """The port of the page of the program that has the folder; None if no program has it, or none was left."""
    with suppress(OSError, ValueError):  # another user's
        if (folder / LOCK).is_file():
            port = int((folder / LOCK).read_text())
            return port if is_held(folder) else None
    return None


def _span(kind: int) -> bytes:
    """The first byte of the file, as Linux's `struct flock` with 64-bit offsets.

    Process 0: a lock of an open file belongs to no process (fcntl(2), “Open file description locks”).
    """
    return struct.pack("hhqqi4x", kind, os.SEEK_SET, 0, 1, 0)


class StateFolder:
    """An open state folder; no second program can open it meanwhile."""

    def __init__(self, path: Path, lock: FolderLock | None = None) -> None:
        """Make the folder if it is missing, check that it can be written, and lock it.

        A `lock` that this program has already is used, and not closed by this object.

        Raises:
            FolderHeldError: another program has it.
            StateFolderError: it cannot be made or written.
        """
        self.path, self.pictures = path, path / PICTURES
        self._lacking = False
        with ExitStack() as parts:
            self._is_lent = lock is not None and lock.is_of(path)
            if lock is None or not self._is_lent:
                lock = self._take_lock(parents=True)
                parts.callback(lock.close)
            self._lock = lock
            self._make_ready()
            self._disk = path.stat().st_dev
            parts.pop_all()

    def _make_ready(self) -> None:
        """Check that the folder can be written, finish an interrupted restore, and make the pictures' folder."""
        probe = self.path / PROBE
        try:
            for left in (*self.path.glob(f"{UNPACKING}*"), *self.path.glob(f"{TAKING_OVER}*")):
                shutil.rmtree(left, ignore_errors=True)  # before the check for room: it may take all there is
            probe.unlink(missing_ok=True)
            try:
                probe.write_bytes(bytes(PROBE_BYTES))
            finally:
                probe.unlink(missing_ok=True)
        except OSError as error:
            raise self._unusable(error) from None
        with reported_as(
            StateFolderError, f"A backup in {self.path} could not be put in its place ({{why}})."
        ):
            finish_restore(self.path)
        text = f"There can be no folder {self.pictures} ({{why}}); move away what is there."
        with reported_as(FolderUnusableError, text):
            self.pictures.mkdir(exist_ok=True)

    def hold(self) -> bool:
        """Ensure in play that the folder is still this program's; whether no other program can have had it.

        A deleted one is made and locked again, but nothing is made in the place of a removed disk.

        Raises:
            FolderHeldError: another program has it now.
            StateFolderError: it cannot be made or written, or its disk is not there.
        """
        if self._lock.is_of(self.path):
            return True
        self._check_disk()
        lock = self._take_lock(parents=False)
        self._lock.close()
        self._lock, self._is_lent = lock, False
        self.mark_lacking(self._lacking)
        return False

    def _check_disk(self) -> None:
        """Refuse to make the folder on another disk than it was on."""
        there = self.path if self.path.exists() else self.path.parent
        try:
            is_away = there.stat().st_dev != self._disk and not has_matches(self.path)
        except OSError as error:
            raise self._unusable(error) from None
        if is_away:
            refusal = FolderUnusableError(f"The disk with {self.path} is not there; put it back.")
            refusal.is_away = True
            raise refusal

    def mark_lacking(self, lacking: bool) -> None:
        """Publish to other programs whether the folder lacks events."""
        self._lacking = lacking
        self._lock.mark_lacking(lacking)

    def _take_lock(self, *, parents: bool) -> FolderLock:
        """Lock the folder; it is made if missing, with `parents` its parents too."""
        try:
            self.path.mkdir(mode=0o700, parents=parents, exist_ok=True)
            return FolderLock(self.path)
        except FolderHeldError:
            raise
        except OSError as error:
            raise self._unusable(error) from None

    def _unusable(self, error: OSError) -> FolderUnusableError:
        refusal = FolderUnusableError(
            f"The folder {self.path} cannot be written ({error.strerror or error}); "
            "free it, or choose another with keep.folder in the settings."
        )
        refusal.may_pass = error.errno in (errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EIO)
        return refusal

    def close(self) -> None:
        """Let others in."""
        if not self._is_lent:
            self._lock.close()
