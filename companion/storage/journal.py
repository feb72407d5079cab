"""The journal: the one writer of a state folder's match files; docs/RECORD.md specifies them.

A row is on disk before `append` returns: one write, then fsync. The remains of a failed write are cut off before the
next one. The newest match files are held open, so that those deleted in play can be written again.
"""

import errno
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from companion.errors import UserError
from companion.game.events import AnyEvent
from companion.records.rows import GENESIS, Row, row_of
from companion.storage.archive import Archive
from companion.storage.catalogue import entry_of
from companion.storage.errors import JournalError, as_journal_error
from companion.storage.folder import DAMAGED, MATCHES
from companion.storage.lines import Content, content_of, line_of, match_names, next_name
from companion.storage.wholefile import delete_durably, put_durably

HELD = 200
"""Number of newest match files held open: an evening, and the tournament before it."""


@dataclass(slots=True)
class _OpenFile:
    """An open match file: its name, its descriptor, and its size as last written, in bytes."""

    path: Path
    handle: int
    size: int

    @property
    def is_in_place(self) -> bool:
        """Whether the file still has its name."""
        try:
            return os.path.samestat(self.path.stat(), os.fstat(self.handle))
        except FileNotFoundError:
            return False

    @property
    def is_complete(self) -> bool:
        """Whether all written bytes can be read under its name; False if that is unknown."""
        with suppress(OSError):
            return self.is_in_place and os.fstat(self.handle).st_size >= self.size
        return False

    @property
    def is_as_written(self) -> bool:
        """Whether it has its name, and the size as last written."""
        return self.is_in_place and os.fstat(self.handle).st_size == self.size

    def content(self) -> bytes:
        """Its content, even if it was deleted."""
        return os.pread(self.handle, self.size, 0)


def _opened(path: Path) -> _OpenFile:
    handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
    return _OpenFile(path, handle, os.fstat(handle).st_size)


class Journal:
    """The open journal of a state folder; one writer, any number of readers (`companion.storage.archive`).

    Attributes:
        archive: all matches, to be read.
        path: the folder of the match files.
        hold: called before each write in play (`StateFolder.hold`): ensures that the folder exists and is this
            program's, else raises UserError; returns whether it was so all the time.
    """

    def __init__(self, folder: Path, *, read_only: bool = False) -> None:
        """Open the journal of a state folder; damage must be repaired first (`companion.storage.recovery`).

        If `read_only`, nothing is written, and a damaged match has its valid rows only. JournalError if the files
        cannot be read or written.
        """
        self.path = folder / MATCHES
        self.hold: Callable[[], bool] = lambda: True
        self._folder, self._read_only = folder, read_only
        self._lock = threading.RLock()
        self._open_files: list[_OpenFile] = []
        self._rows: list[Row] = []  # of the match being written, the last of the open files
        self._is_torn = False  # a partial line may follow them in the file
        self._displaced = self._lapsed = self._disk_gone = False
        with as_journal_error(self.path):
            try:
                self._open()
            except BaseException:
                self._close_files()
                raise
        self.archive = Archive(folder)

    def _open(self) -> None:
        """Open the newest files; if read-only, only read the newest match with a valid row."""
        if self._read_only:
            newest = map(self.path.joinpath, reversed(match_names(self._folder)))
            self._rows = next(filter(None, (content_of(file.read_bytes()).rows for file in newest)), [])
            return
        self.path.mkdir(exist_ok=True)
        for name in match_names(self._folder)[-HELD:]:
            self._open_files.append(_opened(self.path / name))
        if self._open_files:
            self._rows = content_of(self._open_files[-1].content()).rows

    def _close_files(self) -> None:
        while self._open_files:
            os.close(self._open_files.pop().handle)

    # Reading

    @property
    def last_match_id(self) -> str | None:
        """The match played last; None in an empty journal."""
        return self._rows[0].match_id if self._rows else None

    @property
    def last_row(self) -> Row | None:
        """The last row; None in an empty journal."""
        return self._rows[-1] if self._rows else None

    @property
    def last_digest(self) -> str | None:
        """The digest of the last row; None in an empty journal."""
        return self._rows[-1].digest if self._rows else None

    def end_of(self, match_id: str) -> tuple[int, str]:
        """Number and digest of the match's last row; (0, the journal's last digest) before its first."""
        with self._lock:
            number = self._rows[-1].number if match_id == self.last_match_id else 0
            return number, self.last_digest or GENESIS

    def rows(self, match_id: str) -> list[Row]:
        """All rows of a match in order; none if there is no such match. JournalError if they cannot be read."""
        with self._lock:
            if match_id == self.last_match_id:
                return list(self._rows)
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
            self.put_in_place()
            self._check_last()
            number, previous = self.end_of(match_id)
            row = row_of(event, match_id, number + 1, previous)
            if number:
                self._write(self._open_files[-1], row)
            else:
                self._begin([row])
            self._catalogue_last()
            return row

    def adopt(self, match_id: str, events: Sequence[AnyEvent]) -> None:
        """Write a new match with all its events at once; on disk when this returns. JournalError as for `append`."""
        with self._lock, as_journal_error(self.path):
            if self._read_only:
                raise OSError(errno.EROFS, os.strerror(errno.EROFS))
            self.put_in_place()
            self._check_last()
            rows: list[Row] = []
            for event in events:
                previous = rows[-1].digest if rows else self.last_digest or GENESIS
                rows.append(row_of(event, match_id, len(rows) + 1, previous))
            self._begin(rows)
            self._catalogue_last()

    def _catalogue_last(self) -> None:
        last = self._open_files[-1]
        with suppress(OSError):  # a cache: the next list sees that the file has changed
            content = Content(self._rows, last.size, last.size)
            self.archive.catalogue.put([entry_of(last.path, content, counted=False)])

    def _check_last(self) -> None:
        self._displaced = not self._last_is_in_place()
        if self._displaced:
            raise JournalError(self.displaced_text)

    def _write(self, last: _OpenFile, row: Row) -> None:
        """Append a line; a part of it, written to a full disk, is cut off now or before the next line."""
        if self._is_torn:
            os.ftruncate(last.handle, last.size)
        line = line_of(row)
        self._is_torn = True
        try:
            if os.write(last.handle, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(last.handle)
        except OSError:
            with suppress(OSError):
                os.ftruncate(last.handle, last.size)
                os.fsync(last.handle)
                self._is_torn = False
            raise
        if not last.is_in_place:
            self._check_last()  # the write into the old file has no effect yet
        last.size += len(line)
        self._is_torn = False
        self._rows.append(row)

    def _begin(self, rows: list[Row]) -> None:
        """Write the file of a new match, with its first rows or not at all."""
        self.path.mkdir(exist_ok=True)
        path = self.path / next_name(self._folder, rows[0].at_ms)
        put_durably(path, b"".join(map(line_of, rows)))
        self._open_files.append(_opened(path))
        self._rows, self._is_torn = rows, False
        if len(self._open_files) > HELD:
            os.close(self._open_files.pop(0).handle)

    def rows_before(self, match_id: str) -> list[Row]:
        """All rows of the match written before this one; none if it is not among the newest, or not as written."""
        with self._lock, as_journal_error(self.path):
            later = None
            for file in reversed(self._open_files):
                if later == match_id:
                    before = content_of(file.content())
                    return before.rows if before.is_whole else []
                later = next((row.match_id for row in content_of(file.content()).rows), "")
            return []

    def withdraw(self, match_id: str) -> None:
        """Delete the last match, which was begun by mistake, and go on with the one before it.

        The caller has made sure that nothing was played in it. The chain holds: the match before has its last row as
        it was.

        Raises:
            JournalError: it is not the last match, there is none before it, or the disk does not allow it.
        """
        with self._lock, as_journal_error(self.path):
            if self._read_only:
                raise OSError(errno.EROFS, os.strerror(errno.EROFS))
            self.put_in_place()
            self._check_last()
            if match_id != self.last_match_id or len(self._open_files) < 2:
                raise JournalError("There is no match before this one.")
            before = content_of(self._open_files[-2].content())
            if not before.is_whole:
                raise JournalError(
                    "The record of the match before is damaged; 'companion verify' says where."
                )
            last = self._open_files[-1]
            delete_durably(last.path)
            os.close(self._open_files.pop().handle)
            self._rows, self._is_torn = before.rows, False
            with suppress(OSError):
                self.archive.catalogue.forget([last.path.name])

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
        """Whether the open files still have their names; `put_in_place` writes the others again.

        JournalError if the disk is unreadable, or the folder is another program's now.
        """
        if self._read_only:
            return True
        with self._lock, as_journal_error(self.path):
            self._check_files()
            self._check_hold()
            return not self._displaced

    def put_in_place(self) -> None:
        """Write files found deleted or replaced in use again; JournalError if that fails, to be tried again."""
        if self._read_only:
            return
        with self._lock, as_journal_error(self.path):
            self._check_hold()
            if self._displaced:
                self._rewrite()

    def _check_files(self) -> None:
        in_place = self._last_is_in_place() and all(file.is_in_place for file in self._open_files[:-1])
        self._displaced = self._displaced or not in_place

    def _last_is_in_place(self) -> bool:
        """Whether the running match's file has its name and its size as last written."""
        if not self._open_files:
            return True
        last = self._open_files[-1]
        return last.is_in_place if self._is_torn else last.is_as_written

    def _check_hold(self) -> None:
        """Check that no other program has the folder, or had it and wrote into the running match."""
        self._disk_gone = False
        try:
            self._lapsed = not self.hold() or self._lapsed
        except UserError as error:
            self._disk_gone = getattr(error, "is_away", False)
            raise JournalError(str(error)) from error
        if self._lapsed and self._open_files and not self._is_torn:
            last = self._open_files[-1]
            if last.is_in_place and last.size < os.fstat(last.handle).st_size:
                raise JournalError(f"Another program has written into the journal {self.path}.")
        self._lapsed = False

    def _rewrite(self) -> None:
        """Write every displaced file again, the oldest first; after a failure it can be repeated."""
        self.path.mkdir(exist_ok=True)
        for at, file in enumerate(self._open_files):
            is_last = at == len(self._open_files) - 1
            if self._last_is_in_place() if is_last else file.is_in_place:
                continue
            content = b"".join(map(line_of, self._rows)) if is_last else file.content()
            if file.path.exists():
                file.path.rename(free_name(file.path))
            put_durably(file.path, content)
            self._open_files[at] = _opened(file.path)
            os.close(file.handle)
        self._is_torn = self._displaced = False

    @contextmanager
    def alone(self, path: Path) -> Iterator[None]:
        """Lock the journal while a finished match is repaired; its file is closed if it changed."""
        with self._lock:
            yield
            for file in [file for file in self._open_files[:-1] if file.path == path]:
                if not file.is_as_written:
                    self._open_files.remove(file)
                    os.close(file.handle)

    def delete(self, path: Path) -> None:
        """Delete the file of a match that is not the last one written.

        Raises:
            JournalError: it is the last one, or nothing can be written.
        """
        with self._lock, as_journal_error(self.path):
            if self._read_only:
                raise OSError(errno.EROFS, os.strerror(errno.EROFS))
            self.put_in_place()
            if self._open_files and self._open_files[-1].path == path:
                raise JournalError("The last match cannot be deleted before another one has begun.")
            for file in [file for file in self._open_files if file.path == path]:
                self._open_files.remove(file)
                os.close(file.handle)
            delete_durably(path)
            self.archive.catalogue.forget([path.name])

    def close(self) -> None:
        """Close the files, after writing those again that were deleted in use.

        JournalError if that fails; its text gives the number of lost events.
        """
        with self._lock:
            try:
                if self._open_files:
                    self._rewrite_or_report()
            finally:
                self._close_files()
                self.archive.close()

    def _rewrite_or_report(self) -> None:
        try:
            with as_journal_error(self.path):
                self._check_files()
                if self._displaced:
                    self.put_in_place()
        except JournalError as error:
            lost = [file for file in self._open_files if not file.is_complete]
            if not lost or self._disk_gone:
                return  # all of it is on disk, for the next start
            events = sum(file.content().count(b"\n") for file in lost)
            raise JournalError(
                f"{str(error).rstrip('.')}. Matches lost with this stop: {len(lost)}, events in them: {events}."
            ) from error


def free_name(path: Path) -> Path:
    """The first free name for a file set aside as damaged."""
    names = (path.with_name(f"{path.stem}{DAMAGED}{number}{path.suffix}") for number in count(1))
    return next(name for name in names if not name.exists())
