"""Fallback for a disk that cannot be written: events wait in memory in order, and play goes on.

If the state folder cannot be written at the start (a read-only card, a full disk), its matches are only read, and a
copy of its small files replaces it. The folder is tried again and again; as soon as it can be written, the events of
the meantime are written there.
"""

import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from enum import Enum
from pathlib import Path

from companion.game.events import AnyEvent
from companion.game.state import Notice
from companion.game.table import Table
from companion.records.rows import Row, row_of
from companion.storage.errors import JournalError, UnsalvagedError, as_journal_error
from companion.storage.folder import (
    BOARD_FILE,
    CERTIFICATES,
    MATCHES,
    PICTURES,
    ROLES_FILE,
    STARTS_FILE,
    STOPGAP,
    TABLE_FILE,
    FolderHeldError,
    FolderLock,
    StateFolder,
    StateFolderError,
    current_state,
    old_journal_in,
    place_in,
)
from companion.storage.journal import Journal
from companion.storage.pictures import Pictures
from companion.storage.recovery import open_journal, open_read_only
from companion.storage.signing import Signing
from companion.storage.takeover import take_over

SMALL_FILES = (ROLES_FILE, TABLE_FILE, BOARD_FILE, STARTS_FILE)
"""The files copied: a start reads or changes them."""


class AtStake(Enum):
    """The loss if the disk stays as it is."""

    LATEST = "what happens now, by a power cut or a stop"
    ALL_BY_POWER_CUT = "the whole journal, by a power cut before it is written anew"
    ALL = "the whole journal, by a power cut or a stop"


class Backlog:
    """Keeps events in order while the disk cannot be written: play goes on and the record catches up.

    Attributes:
        journal: the journal in use now.
        trouble: the reason why events wait, a sentence; "" if none do.
        head: the digest of the last row on disk.
        withholds: events wait for `release`, in memory only: a match that may never have been wanted.
    """

    def __init__(
        self,
        journal: Journal,
        on_lacking: Callable[[bool], None] = lambda lacking: None,
        open_late: Callable[[], Journal] | None = None,
        signing: Signing | None = None,
    ) -> None:
        """Write into a journal.

        Args:
            journal: for writing, or for reading only.
            on_lacking: called with whether the journal lacks events, whenever that changes.
            open_late: opens it for writing if it is for reading only; JournalError while that is impossible.
            signing: signs the last row of each match, and rows that end a game; None: nothing is signed.
        """
        self.journal, self._on_lacking, self._open_late = journal, on_lacking, open_late
        self.signing = signing
        self._waiting: list[tuple[str, AnyEvent, bool]] = []
        self._lacking = False
        self._lock = threading.Lock()
        self.trouble = ""
        self.head = journal.last_digest
        self.withholds = False

    @property
    def missing(self) -> int:
        """Number of events not on disk yet."""
        return len(self._waiting)

    @property
    def is_writable(self) -> bool:
        """Whether the journal has been opened for writing."""
        return self._open_late is None

    @property
    def at_stake(self) -> AtStake:
        """The possible loss while events wait."""
        if not self.journal.is_displaced:
            return AtStake.LATEST
        return AtStake.ALL_BY_POWER_CUT if self.trouble == self.journal.displaced_text else AtStake.ALL

    def rows(self, match_id: str) -> list[Row]:
        """All rows of a match, waiting ones as they will be written; from any thread. JournalError if unreadable."""
        with self._lock:
            rows, ends, last = self.journal.rows(match_id), dict[str, tuple[int, str]](), ""
            for waiting_id, event, _ in self._waiting:
                count, previous = ends.get(waiting_id) or self.journal.end_of(waiting_id)
                row = row_of(event, waiting_id, count + 1, previous if count else last or previous)
                ends[waiting_id], last = (row.number, row.digest), row.digest
                if waiting_id == match_id:
                    rows.append(row)
            return rows

    def keep(self, match_id: str, event: AnyEvent, *, ends: bool = False) -> bool:
        """Append an event after the waiting ones; whether all are on disk now.

        `ends`: a game or the match is over after it, so that its row is signed.
        """
        with self._lock:
            self._waiting.append((match_id, event, ends))
        return self.catch_up()

    def adopt(self, match_id: str, events: Sequence[AnyEvent], *, ends: bool) -> None:
        """Write a new match with all its events at once; JournalError if the disk does not take it now.

        `ends`: a game or the match is over after them, so that the last row is signed.
        """
        with self._lock:
            if not self._write_waiting():
                raise JournalError(self.trouble)
            before = self.journal.last_row
            self.journal.adopt(match_id, events)
            if before is not None:
                self._sign(before)
            if ends and self.journal.last_row is not None:
                self._sign(self.journal.last_row)
            self.head = self.journal.last_digest

    def withdraw(self, match_ids: Sequence[str]) -> None:
        """Delete the last matches, oldest first, that were begun by mistake; JournalError if that fails."""
        with self._lock:
            for match_id in reversed(match_ids):
                if match_id == self.journal.last_match_id:
                    self.journal.withdraw(match_id)
                self._waiting = [one for one in self._waiting if one[0] != match_id]
            self.head = self.journal.last_digest
            if self.signing is not None:
                self.signing.withdraw(match_ids)

    def release(self) -> None:
        """Write what is withheld with the next event."""
        self.withholds = False

    def drop(self) -> None:
        """Forget the events that are withheld."""
        with self._lock:
            self._waiting, self.withholds = [], False

    def is_in_place(self) -> bool:
        """Whether the journal is in place; if not, `trouble` is set, and `catch_up` writes it again."""
        try:
            if self.journal.is_in_place():
                return True
            self.trouble = self.journal.displaced_text
        except JournalError as error:
            self.trouble = str(error)
        return False

    def catch_up(self) -> bool:
        """Try to write waiting events; whether all are on disk now. `trouble` is the reason if not."""
        with self._lock:
            caught_up = self._write_waiting()
            if self._lacking is caught_up:
                self._lacking = not caught_up
                self._on_lacking(self._lacking)
            return caught_up

    def _write_waiting(self) -> bool:
        try:
            if self._open_late is not None and self._waiting and not self.withholds:
                self.journal, self._open_late = self._open_late(), None
            self.journal.put_in_place()
            while self._waiting and not self.withholds:
                match_id, event, ends = self._waiting[0]
                before = self.journal.last_row
                row = self.journal.append(match_id, event)
                self.head = row.digest
                del self._waiting[0]
                if before is not None and before.match_id != match_id:
                    self._sign(before)
                if ends:
                    self._sign(row)
        except JournalError as error:
            self.trouble = str(error)
            with suppress(JournalError):  # an unreadable disk is in trouble already
                self.journal.is_in_place()  # more may be at stake than the waiting events
            return False
        self.trouble = ""
        if self.signing is not None:
            self.signing.catch_up()
        return True

    def _sign(self, row: Row) -> None:
        if self.signing is not None:
            self.signing.sign(row)

    def close(self) -> str:
        """Write the waiting events, and close the journal; returns a sentence on what is lost by that, else "".

        What is withheld is forgotten.
        """
        if self.withholds:
            self.drop()
        self.catch_up()
        try:
            self.journal.close()
        except JournalError as error:
            return f"{error} Events never written: {self.missing}." if self._waiting else str(error)
        if self._waiting:
            return f"{self.trouble.rstrip('.')}. Events lost with this stop: {self.missing}."
        return ""


class FallbackFolder:
    """Stand-in for a state folder that cannot be written; deleted by `close`.

    Attributes:
        path: the copy of the folder's small files.
        pictures: the folder of new pictures; old ones stay in place.
        refusal: the reason the folder cannot be used.
        lock: the folder's, or None without one.
    """

    def __init__(
        self, folder: Path, refusal: StateFolderError, environment: Mapping[str, str] = os.environ
    ) -> None:
        """Copy the files for a start to the service's runtime folder, or to the system's temporary folder.

        The folder itself is locked meanwhile, unless it has no lock file and none can be made.

        Raises:
            FolderHeldError: another program has it.
            StateFolderError: the refusal, if there is no room for a copy either.
        """
        self.refusal, self._folder = refusal, folder
        self.lock: FolderLock | None = None
        place = environment.get("RUNTIME_DIRECTORY", "").split(":")[0] or None
        with ExitStack() as parts:
            try:
                self.lock = parts.enter_context(closing(FolderLock(folder)))
            except FolderHeldError:
                raise
            except OSError:
                pass  # the folder has no lock file
            try:
                scratch = parts.enter_context(tempfile.TemporaryDirectory(prefix=STOPGAP, dir=place))
                self.path = Path(scratch) / folder.name
                self.pictures = self.path / PICTURES
                self.pictures.mkdir(parents=True)
                for name in SMALL_FILES:
                    if (file := place_in(folder, name)).is_file():
                        shutil.copy2(file, self.path)
                if (folder / CERTIFICATES).is_dir():
                    shutil.copytree(folder / CERTIFICATES, self.path / CERTIFICATES)
            except (OSError, shutil.Error):
                raise refusal from None
            self._parts = parts.pop_all()

    def mark_lacking(self, lacking: bool) -> None:
        """Publish to other programs whether the folder lacks events."""
        if self.lock is not None:
            self.lock.mark_lacking(lacking)

    def open_read_only(self) -> tuple[Journal, Table, list[Notice]]:
        """The journal for reading, the table after it, and notices; errors as for `opened_journal`.

        A journal of an earlier version is taken over into the copy.
        """
        if not old_journal_in(self._folder):
            return open_read_only(current_state(self._folder))
        try:
            notices = take_over(self._folder, self.path)
        except UnsalvagedError:
            raise self.refusal from None
        journal, table, troubles = open_read_only(self.path)
        return journal, table, notices + troubles

    def open_late(self, seen: Journal, pictures: Pictures) -> Journal:
        """The journal for writing, in the folder itself, which is locked from now on; the pictures move there too.

        JournalError if that is not possible yet, or if the journal is no longer as `seen` at the start.
        """
        with ExitStack() as held, as_journal_error(self._folder / MATCHES):
            state = held.enter_context(closing(StateFolder(self._folder, self.lock)))
            journal = held.enter_context(closing(open_journal(self._folder)[0]))
            journal.hold = state.hold
            if journal.last_digest != seen.last_digest:
                raise JournalError(f"The journal {journal.path} cannot be used: it has changed meanwhile.")
            pictures.move_to(state.pictures)
            self._parts.push(held.pop_all())
            return journal

    def close(self) -> None:
        """Delete the copy."""
        self._parts.close()


def opened_folder(folder: Path) -> StateFolder | FallbackFolder:
    """The state folder, or a copy if its disk is unwritable.

    Raises:
        StateFolderError: it is missing, another program has it, or it must not be written.
    """
    try:
        return StateFolder(folder)
    except StateFolderError as refusal:
        if not refusal.may_pass or not folder.is_dir():
            raise
        return FallbackFolder(folder, refusal)


def opened_journal(
    state: StateFolder | FallbackFolder, folder: Path
) -> tuple[StateFolder | FallbackFolder, Journal, Table, list[Notice]]:
    """The journal of an opened folder; read-only if its disk has no room to repair it or take it over.

    Args:
        state: the folder from `opened_folder`; closed if a copy takes its place.
        folder: the state folder itself.

    Raises:
        JournalError: it cannot be read.
        StateFolderError: there is no room for a copy either.
    """
    if isinstance(state, FallbackFolder):
        return state, *state.open_read_only()
    try:
        journal, table, notices = open_journal(state.path)
        journal.hold = state.hold
        return state, journal, table, notices
    except UnsalvagedError as error:
        state.close()
        copy = FallbackFolder(folder, StateFolderError(str(error)))
    try:
        return copy, *copy.open_read_only()
    except BaseException:
        copy.close()
        raise
