"""The way to the journal: what the disk does not take waits in order, and play goes on."""

import threading
from collections.abc import Callable
from contextlib import suppress
from enum import Enum

from companion.game.events import AnyEvent
from companion.records.rows import Row, row_of, text_of
from companion.storage.journal import Journal, JournalError


class AtStake(Enum):
    """What is lost if the disk goes on as it does."""

    LATEST = "what happens now, by a power cut or a stop"
    ALL_BY_POWER_CUT = "the whole journal, by a power cut before it is written anew"
    ALL = "the whole journal, by a power cut or a stop"


class Backlog:
    """Keeps events in order, also while the disk does not take them: play goes on and the record catches up."""

    def __init__(self, journal: Journal, tell: Callable[[bool], None] = lambda lacking: None) -> None:
        """Write into a journal; `tell` hears whether it lacks something whenever that changes."""
        self._journal, self._tell = journal, tell
        self._waiting: list[tuple[str, AnyEvent]] = []
        self._lacking = False
        self._lock = threading.Lock()
        self.trouble = ""
        self.head = journal.last_digest()

    @property
    def durable(self) -> bool:
        """Everything that happened is on disk."""
        return not self._waiting

    @property
    def missing(self) -> int:
        """How many events are not on disk yet."""
        return len(self._waiting)

    @property
    def at_stake(self) -> AtStake:
        """What is at stake while not everything is on disk."""
        if not self._journal.is_astray:
            return AtStake.LATEST
        return AtStake.ALL_BY_POWER_CUT if self.trouble == self._journal.astray else AtStake.ALL

    def rows(self, match_id: str) -> list[Row]:
        """All rows of a match, those that wait as they are going to be written; from any thread.

        Raises:
            JournalError: the journal cannot be read.
        """
        with self._lock:
            rows, ends, last = self._journal.rows(match_id), dict[str, tuple[int, str]](), ""
            for number, (waiting_id, event) in enumerate(self._waiting):
                if number == 0 and waiting_id == match_id and rows and rows[-1].body == text_of(event):
                    continue  # it was written after all
                count, previous = ends.get(waiting_id) or self._journal.end_of(waiting_id)
                row = row_of(event, waiting_id, count + 1, previous if count else last or previous)
                ends[waiting_id], last = (row.number, row.digest), row.digest
                if waiting_id == match_id:
                    rows.append(row)
            return rows

    def keep(self, match_id: str, event: AnyEvent) -> bool:
        """Keep an event behind those that still wait; whether all are on disk now."""
        with self._lock:
            self._waiting.append((match_id, event))
        return self.catch_up()

    def is_in_place(self) -> bool:
        """Whether the journal is where it was; `trouble` says so if not, and `catch_up` writes it anew."""
        try:
            if self._journal.is_in_place():
                return True
            self.trouble = self._journal.astray
        except JournalError as error:
            self.trouble = str(error)
        return False

    def catch_up(self) -> bool:
        """Try to write what waits; whether all is on disk now. `trouble` says what stands in the way."""
        with self._lock:
            caught_up = self._caught_up()
            if self._lacking is caught_up:
                self._lacking = not caught_up
                self._tell(self._lacking)
            return caught_up

    def _caught_up(self) -> bool:
        try:
            self._journal.put_in_place()
            while self._waiting:
                match_id, event = self._waiting[0]
                self.head = self._journal.append(match_id, event, retry=bool(self.trouble)).digest
                del self._waiting[0]
        except JournalError as error:
            self.trouble = str(error)
            with suppress(JournalError):  # a disk that does not even say is in trouble already
                self._journal.is_in_place()  # more may be at stake than what waits
            return False
        self.trouble = ""
        return True

    def close(self) -> str:
        """Write what is not on disk yet, and let go of the journal; what is lost by that, in a sentence, else ""."""
        self.catch_up()
        try:
            self._journal.close()
        except JournalError as error:
            return f"{error} Events never written: {self.missing}." if self._waiting else str(error)
        if self._waiting:
            return f"{self.trouble.rstrip('.')}. Events lost with this stop: {self.missing}."
        return ""
