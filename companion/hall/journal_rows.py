"""The rows that a table sends: those on disk after the last row that the hub holds, in the order of the journal."""

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import dropwhile, islice
from pathlib import Path

from companion.hall.protocol.messages import Held
from companion.records.rows import Row, pairing_of
from companion.storage.errors import as_journal_error
from companion.storage.folder import HALL_FIRST
from companion.storage.journal import Journal
from companion.storage.wholefile import write_whole

RECENT = 30
"""Matches among which a pairing is looked for that the hub still offers; the hub learns of each match as it begins."""


class JournalRows:
    """Reads a running program's journal, from another thread than its writer's.

    Args:
        journal: gives the journal in use now.
        folder: the state folder.
        hall: the hall's name.
    """

    def __init__(self, journal: Callable[[], Journal], folder: Path, hall: str) -> None:
        self._journal, self._file, self._hall = journal, folder / HALL_FIRST, hall
        self._newest = journal().last_match_id or ""
        with suppress(OSError):  # noted when the first rows are sent, then
            self.first()

    def after(self, held: Held, most: int) -> list[Row]:
        """At most `most` rows that follow the row held, without the matches that the hub refuses.

        If the journal does not have that row, from the first match on that this hall gets. JournalError if the
        journal cannot be read, OSError if the hall's first match cannot be noted.
        """
        journal = self._journal()
        if held.match and held.match == journal.last_match_id:
            rows = journal.rows(held.match)
            if _has(rows, held):
                return rows[held.number : held.number + most] if held.match not in held.refused else []
        with as_journal_error(journal.path):
            return list(islice(self._from(journal, held), most))

    def _from(self, journal: Journal, held: Held) -> Iterator[Row]:
        matches = [entry.match_id for entry in journal.archive.matches(counted=False) if entry.events]
        if held.match in matches and _has(journal.rows(held.match), held):
            if held.match not in held.refused:
                yield from journal.rows(held.match)[held.number :]
            matches = matches[matches.index(held.match) + 1 :]
        elif matches:
            first = self.first()
            matches = list(dropwhile(lambda match: match != first, matches)) or matches
        for match in matches:
            if match not in held.refused:
                yield from journal.rows(match)

    def of(self, match: str) -> list[Row]:
        """The rows of a match that this hall gets, in order; none of any other. JournalError if they cannot be read."""
        journal, first = self._journal(), self.first()
        with as_journal_error(journal.path):
            known = [entry.match_id for entry in journal.archive.matches(counted=False)]
        ours = known[known.index(first) :] if first in known else known
        return journal.rows(match) if match in ours or match == journal.last_match_id else []

    def pairings(self) -> set[str]:
        """The hall's pairings among the newest matches; JournalError if they cannot be read."""
        journal = self._journal()
        with as_journal_error(journal.path):
            newest = [entry.match_id for entry in journal.archive.newest(RECENT)]
            return {pairing_of(row) for match in newest for row in journal.rows(match)[:1]} - {""}

    def first(self) -> str:
        """The first match that this hall gets: the newest one when the table came to it; "" for all.

        OSError if it cannot be noted.
        """
        known: dict[str, str] = {}
        with suppress(FileNotFoundError, ValueError):
            read = json.loads(self._file.read_bytes())
            known = read if isinstance(read, dict) else {}
        if self._hall not in known:
            known[self._hall] = self._newest
            write_whole(self._file, json.dumps(known).encode())
        return str(known[self._hall])


def _has(rows: list[Row], held: Held) -> bool:
    return 0 < held.number <= len(rows) and held.is_row(rows[held.number - 1])
