"""The journal: the one writer of a state folder's match files; docs/RECORD.md specifies them.

A row is on disk before `append` returns: one write, then fsync. The remains of a failed write are cut off before the
next one. The newest match files are held open, so that those deleted in play can be written again.
"""

import errno
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from companion.errors import UserError
from companion.game.events import AnyEvent
from companion.records.rows import GENESIS, Row, row_of
from companion.storage.archive import Archive
from companion.storage.catalogue import entry_of
from companion.storage.errors import JournalError, as_journal_error
from companion.storage.lines import MATCHES, Content, content_of, line_of, match_files, next_name

HELD = 200
"""Number of newest match files held open: an evening, and the tournament before it."""


@dataclass(slots=True)
class _Held:
    """An open match file: its name, its descriptor, its device and inode, and its size as last written."""

    path: Path
    handle: int
    file: tuple[int, int]
    size: int

    @property
    def is_in_place(self) -> bool:
        """Whether the file still has its name."""
        try:
            about = self.path.stat()
        except FileNotFoundError:
            return False
        return (about.st_dev, about.st_ino) == self.file

    @property
    def is_complete(self) -> bool:
        """Whether all written bytes can be read under its name; False if that is unknown."""
        with suppress(OSError):
            return self.is_in_place and os.fstat(self.handle).st_size >= self.size
        return False

    @property
    def is_as_written(self) -> bool:
        """Whether it has the size as last written."""
        return os.fstat(self.handle).st_size == self.size

    def content(self) -> bytes:
        """Its content, even if it was deleted."""
        return os.pread(self.handle, self.size, 0)


@dataclass(slots=True)
class _Running:
    """The match being written: its rows, and whether a partial line may follow them in the file."""

    rows: list[Row] = field(default_factory=list)
    torn: bool = False


class Journal:
    """The open journal of a state folder; one writer, any number of readers (`companion.storage.archive`).

    Attributes:
        archive: all matches, to be read.
        path: the folder of the match files.
        hold: called before each write in play (`StateFolder.hold`): ensures that the folder exists and is this
            program's, else raises UserError; returns whether it was so all the time.
    """

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        """Open the journal; damage must be repaired first (`companion.storage.recovery`).

        Args:
            folder: the state folder; the folder of match files is made in it.
            read_only: never write; a damaged match has its valid rows only.

        Raises:
            JournalError: the files cannot be read or written.
        """
        self.path = folder / MATCHES
        self.hold: Callable[[], bool] = lambda: True
        self._folder, self._read_only = folder, read_only
        self._lock = threading.RLock()
        self._held: list[_Held] = []
        self._running = _Running()
        self._displaced = self._lapsed = self._disk_gone = False
        with as_journal_error(self.path):
            if not read_only:
                self.path.mkdir(exist_ok=True)
            try:
                self._open(match_files(folder))
            except BaseException:
                self._close_files()
                raise
        self.archive = Archive(folder)

    def _open(self, files: list[Path]) -> None:
        """Open the newest files; if read-only, only the newest with a valid row, or else the oldest."""
        if not self._read_only:
            self._held = [self._open_file(file) for file in files[-HELD:]]
            if self._held:
                self._running.rows = content_of(self._held[-1].content()).rows
            return
        for file in reversed(files):
            self._close_files()
            self._held = [self._open_file(file)]
            self._running.rows = content_of(self._held[0].content()).rows
            if self._running.rows:
                return

    def _open_file(self, path: Path) -> _Held:
        flags = os.O_RDONLY if self._read_only else os.O_RDWR | os.O_APPEND
        handle = os.open(path, flags | os.O_CLOEXEC)
        about = os.fstat(handle)
        return _Held(path, handle, (about.st_dev, about.st_ino), about.st_size)

    def _close_files(self) -> None:
        for one in self._held:
            os.close(one.handle)
        self._held = []

    # Reading

    @property
    def last_match_id(self) -> str | None:
        """The match played last; None in an empty journal."""
        return self._running.rows[0].match_id if self._running.rows else None

    @property
    def last_digest(self) -> str | None:
        """The digest of the last row; None in an empty journal."""
        return self._running.rows[-1].digest if self._running.rows else None

    def end_of(self, match_id: str) -> tuple[int, str]:
        """Number and digest of the match's last row; (0, the journal's last digest) before its first."""
        with self._lock:
            number = self._running.rows[-1].number if match_id == self.last_match_id else 0
            return number, self.last_digest or GENESIS

    def rows(self, match_id: str) -> list[Row]:
        """All rows of a match in order; none if there is no such match. JournalError if they cannot be read."""
        with self._lock:
            if match_id == self.last_match_id:
                return list(self._running.rows)
        return self.archive.rows(match_id) if self.archive.catalogue.file_of(match_id) else []

    # Writing

    def append(self, match_id: str, event: AnyEvent) -> Row:
        """Append an event to its match; on disk when this returns.

        The match is the one written last, or a new one; never an older one.

        Raises:
            JournalError: it could not be written, and no part of it will be read; or a file was deleted or
                replaced, and the next try writes it again; or the folder is another program's now.
        """
        with self._lock, as_journal_error(self.path):
            if self._read_only:
                raise OSError(errno.EROFS, os.strerror(errno.EROFS))
            self._check_hold()
            if self._displaced:
                self._rewrite()
            self._check_in_place()
            number, previous = self.end_of(match_id)
            row = row_of(event, match_id, number + 1, previous)
            if number:
                self._write(self._held[-1], row)
            else:
                self._begin(row)
            self._catalogue()
            return row

    def _check_in_place(self) -> None:
        self._displaced = not self._last_is_in_place()
        if self._displaced:
            raise JournalError(self.displaced_text)

    def _write(self, last: _Held, row: Row) -> None:
        """Append a line; a part of it, written to a full disk, is cut off now or before the next line."""
        if self._running.torn:
            os.ftruncate(last.handle, last.size)
        line = line_of(row)
        self._running.torn = True
        try:
            if os.write(last.handle, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(last.handle)
        except OSError:
            with suppress(OSError):
                os.ftruncate(last.handle, last.size)
                os.fsync(last.handle)
                self._running.torn = False
            raise
        if not last.is_in_place:
            self._check_in_place()  # the write into the old file has no effect yet
        last.size += len(line)
        self._running.torn = False
        self._running.rows.append(row)

    def _begin(self, row: Row) -> None:
        """Write the file of a new match, with its first row or not at all."""
        self.path.mkdir(exist_ok=True)
        path = self.path / next_name(self._folder, row.at_ms)
        put_file(path, line_of(row))
        self._held.append(self._open_file(path))
        self._running = _Running([row])
        if len(self._held) > HELD:
            os.close(self._held.pop(0).handle)

    def _catalogue(self) -> None:
        last = self._held[-1]
        with suppress(OSError):  # a cache: the next list sees that the file has changed
            content = Content(self._running.rows, last.size, last.size)
            self.archive.catalogue.put([entry_of(last.path, content, counted=False)])

    # In its place

    @property
    def is_displaced(self) -> bool:
        """Whether files were found deleted or replaced and not written again yet; False if their disk is gone."""
        return self._displaced and not self._disk_gone

    @property
    def displaced_text(self) -> str:
        """The sentence on deleted or replaced files."""
        return f"The journal {self.path} was deleted or replaced while it was in use."

    def is_in_place(self) -> bool:
        """Whether the held files still have their names; `put_in_place` writes the others again.

        Raises:
            JournalError: the disk is unreadable, or the folder is another program's now.
        """
        if self._read_only:
            return True
        with self._lock, as_journal_error(self.path):
            self._check_files()
            self._check_hold()
            return not self._displaced

    def put_in_place(self) -> None:
        """Write files found deleted or replaced in use again.

        Raises:
            JournalError: it could not be written; it can be tried again.
        """
        if self._read_only:
            return
        with self._lock, as_journal_error(self.path):
            self._check_hold()
            if self._displaced:
                self._rewrite()

    def _check_files(self) -> None:
        gone = not self._last_is_in_place() or not all(one.is_in_place for one in self._held[:-1])
        self._displaced = self._displaced or gone

    def _last_is_in_place(self) -> bool:
        """Whether the running match's file has its name and its size as last written."""
        if not self._held:
            return True
        last = self._held[-1]
        return last.is_in_place and (self._running.torn or last.is_as_written)

    def _check_hold(self) -> None:
        """Check that no other program has the folder, or had it and wrote into the running match."""
        self._disk_gone = False
        try:
            self._lapsed = not self.hold() or self._lapsed
        except UserError as error:
            self._disk_gone = getattr(error, "is_away", False)
            raise JournalError(str(error)) from error
        if self._lapsed and self._held:
            last = self._held[-1]
            if last.is_in_place and last.size < os.fstat(last.handle).st_size and not self._running.torn:
                raise JournalError(f"Another program has written into the journal {self.path}.")
        self._lapsed = False

    def _rewrite(self) -> None:
        """Write every displaced file again, the oldest first; after a failure it can be repeated."""
        self.path.mkdir(exist_ok=True)
        for at, one in enumerate(self._held):
            is_last = at == len(self._held) - 1
            if one.is_in_place and (not is_last or self._last_is_in_place()):
                continue
            content = b"".join(map(line_of, self._running.rows)) if is_last else one.content()
            if one.path.exists():
                one.path.rename(free_name(one.path))
            put_file(one.path, content)
            self._held[at] = self._open_file(one.path)
            os.close(one.handle)
        self._running.torn = self._displaced = False

    @contextmanager
    def alone(self, file: Path) -> Iterator[None]:
        """Lock the journal while a finished match is repaired; its file is closed if it changed."""
        with self._lock:
            yield
            for one in [one for one in self._held[:-1] if one.path == file]:
                if not (one.is_in_place and one.is_as_written):
                    self._held.remove(one)
                    os.close(one.handle)

    def close(self) -> None:
        """Close the files, after writing those again that were deleted in use.

        Raises:
            JournalError: that failed; the text gives the number of lost events.
        """
        with self._lock, as_journal_error(self.path):
            try:
                if self._held and not self._read_only:
                    self._rewrite_or_report()
            finally:
                self._close_files()
                self.archive.close()

    def _rewrite_or_report(self) -> None:
        try:
            with as_journal_error(self.path):
                self._check_files()
                if self._displaced:
                    self._check_hold()
                    self._rewrite()
        except JournalError as error:
            lost = [one for one in self._held if not one.is_complete]
            if not lost or self._disk_gone:
                return  # all of it is on disk, for the next start
            events = sum(one.content().count(b"\n") for one in lost)
            raise JournalError(
                f"{str(error).rstrip('.')}. Matches lost with this stop: {len(lost)}, events in them: {events}."
            ) from error


def put_file(path: Path, content: bytes) -> None:
    """Write a new file whole or not at all, its name on disk too; OSError if that fails."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.rename(path)
    except OSError:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise
    try:
        sync_folder(path.parent)
    except OSError:
        with suppress(OSError):  # after a power cut it may be missing: so it must be made again
            path.unlink()
        raise


def sync_folder(folder: Path) -> None:
    """Flush a folder's names to disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def aside_of(path: Path, number: int) -> Path:
    """A name for a file set aside as damaged."""
    return path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")


def free_name(path: Path) -> Path:
    """The first such name that is free."""
    number = 1
    while aside_of(path, number).exists():
        number += 1
    return aside_of(path, number)
