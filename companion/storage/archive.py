"""The matches of a state folder, for reading: nothing is locked, and nothing but the catalogue is written."""

from pathlib import Path

from companion.game.events import AnyEvent
from companion.records.rows import BadRecordError, Row, event_of
from companion.storage.catalogue import Catalogue, Entry
from companion.storage.errors import DamagedJournalError, JournalError, as_journal_error
from companion.storage.lines import read_match


class Archive:
    """All matches that are kept; whoever writes meanwhile is not disturbed.

    Attributes:
        folder: the state folder.
        catalogue: what is known of each match.
    """

    def __init__(self, folder: Path) -> None:
        """Look at the matches of a folder."""
        self.folder = folder
        self.catalogue = Catalogue(folder)

    def close(self) -> None:
        """Let go of the catalogue."""
        self.catalogue.close()

    def matches(self, *, counted: bool = True) -> list[Entry]:
        """Every match, the oldest first; with score and throws, if `counted`. JournalError where none can be read."""
        with as_journal_error(self.folder):
            return self.catalogue.all(counted=counted)

    def newest(self, most: int, before: str = "") -> list[Entry]:
        """So many matches, the last one first, of those before a match (or of all); errors as for `matches`."""
        with as_journal_error(self.folder):
            return self.catalogue.newest(most, before)

    def file_of(self, match_id: str) -> Path:
        """The file of a match; JournalError where there is no such match."""
        with as_journal_error(self.folder):
            file = self.catalogue.file_of(match_id)
        if file is None:
            raise JournalError(f"There is no match {match_id}.")
        return file

    def rows(self, match_id: str) -> list[Row]:
        """All rows of a match in order.

        Raises:
            DamagedJournalError: its file is not as it was written; `verify` says where.
            JournalError: there is no such match, or its file cannot be read.
        """
        file = self.file_of(match_id)
        with as_journal_error(file):
            _, content = read_match(file)
        if not content.is_whole:
            raise DamagedJournalError(
                f"The record of match {match_id} is damaged; 'companion verify' says where."
            )
        return content.rows

    def events(self, match_id: str) -> list[AnyEvent]:
        """The events of a match in order; errors as for `rows`, also where this version does not know an event."""
        try:
            return [event_of(row) for row in self.rows(match_id)]
        except BadRecordError as error:
            raise JournalError(str(error)) from None
