"""The way to the journal: what the disk does not take waits in order, and play goes on."""

from contextlib import suppress
from enum import Enum

from companion.events import AnyEvent
from companion.journal import Journal, JournalError


class AtStake(Enum):
    """What is lost if the disk goes on as it does."""

    LATEST = "what happens now, by a power cut or a stop"
    ALL_BY_POWER_CUT = "the whole journal, by a power cut before it is written anew"
    ALL = "the whole journal, by a power cut or a stop"


class Backlog:
    """Keeps events in order, also while the disk does not take them: play goes on and the record catches up."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._waiting: list[tuple[str, AnyEvent]] = []
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

    def keep(self, match_id: str, event: AnyEvent) -> bool:
        """Keep an event behind those that still wait; whether all are on disk now."""
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
