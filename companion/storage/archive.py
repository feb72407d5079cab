"""Read and verify the matches of a state folder: locks nothing, and writes nothing but the catalogue."""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from companion.game.events import AnyEvent
from companion.records.rows import GENESIS, BadRecordError, Row, event_of, problems_of
from companion.storage.catalogue import Catalogue, Entry, entry_of
from companion.storage.errors import JournalError, as_journal_error
from companion.storage.folder import GAPS, MATCHES
from companion.storage.lines import content_of, match_files, parsed, read_match
from companion.storage.wholefile import put, sync_folder


class Archive:
    """All recorded matches of a state folder, and their catalogue; a concurrent writer is not disturbed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.catalogue = Catalogue(folder)

    def close(self) -> None:
        """Close the catalogue."""
        self.catalogue.close()

    def matches(self, *, counted: bool = True) -> list[Entry]:
        """Every match, oldest first; with score and throws, if `counted`. JournalError if they cannot be read."""
        with as_journal_error(self.folder):
            return list(self.catalogue.all(counted=counted))

    def newest(self, most: int, before: str = "") -> Iterator[Entry]:
        """At most `most` matches, newest first, before a match (or of all); errors as for `matches`."""
        with as_journal_error(self.folder):
            yield from self.catalogue.newest(most, before)

    def file_of(self, match_id: str) -> Path:
        """The file of a match; JournalError if there is no such match."""
        with as_journal_error(self.folder):
            file = self.catalogue.file_of(match_id)
        if file is None:
            raise JournalError(f"There is no match {match_id}.")
        return file

    def rows(self, match_id: str) -> list[Row]:
        """All rows of a match in order; JournalError if there is none, or it is unreadable or not as written."""
        file = self.file_of(match_id)
        with as_journal_error(file):
            content = read_match(file)
        if not content.is_whole:
            raise JournalError(f"The record of match {match_id} is damaged; 'companion verify' says where.")
        return content.rows

    def events(self, match_id: str) -> list[AnyEvent]:
        """The events of a match in order; errors as for `rows`, and for events unknown to this version."""
        try:
            return [event_of(row) for row in self.rows(match_id)]
        except BadRecordError as error:
            raise JournalError(str(error)) from None


@dataclass(frozen=True, slots=True)
class Deletion:
    """A match that a person deleted; nothing in it names a player.

    Attributes:
        deleted: id of the match.
        previous: the `previous` of its first row.
        head: digest of its last row.
        events: number of its rows.
        at_ms: time of the deletion, milliseconds since 1970 UTC.
        by: role of the person.
    """

    deleted: str
    previous: str
    head: str
    events: int
    at_ms: int
    by: str


def deletions_in(folder: Path) -> list[Deletion]:
    """The deletions noted in a state folder, oldest first; a line that is none is passed over."""
    found = []
    with suppress(FileNotFoundError):
        for line in (folder / MATCHES / GAPS).read_bytes().splitlines():
            with suppress(ValueError, KeyError, TypeError, RecursionError):
                noted = json.loads(line)
                deleted, previous, head, by = (
                    str(noted[name]) for name in ("deleted", "previous", "head", "by")
                )
                found.append(Deletion(deleted, previous, head, int(noted["events"]), int(noted["at_ms"]), by))
    return found


def note_deletion(folder: Path, deletion: Deletion) -> None:
    """Add a deletion to the file, durably; OSError if it cannot be written."""
    file = folder / MATCHES / GAPS
    before = file.read_bytes() if file.exists() else b""
    put(file, before + json.dumps(asdict(deletion), sort_keys=True).encode() + b"\n")
    sync_folder(file.parent)


def breaks_in(entries: Iterable[Entry], deleted: Iterable[Deletion] = ()) -> list[tuple[str, str]]:
    """Each match that does not follow the one before it, with its first row's `previous`; in order of writing.

    The chain goes on through a match that was deleted on purpose.
    """
    found, before = [], GENESIS
    heads = {one.previous: one.head for one in deleted}
    for entry in entries:
        if entry.events:
            while entry.previous != before and before in heads:
                before = heads.pop(before)
            if entry.previous != before:
                found.append((entry.match_id, entry.previous))
            before = entry.head
    return found


def known_gaps(folder: Path) -> set[tuple[str, str]]:
    """The breaks already reported at a start; JournalError if the file cannot be read."""
    found, file = set(), folder / MATCHES / GAPS
    with as_journal_error(file), suppress(FileNotFoundError):
        for line in file.read_bytes().splitlines():
            with suppress(ValueError, KeyError, TypeError, RecursionError):
                noted = json.loads(line)
                found.add((str(noted["match"]), str(noted["previous"])))
    return found


def verify(archive: Archive, match_id: str, head: str | None = None) -> list[str]:
    """The problems of a match, a sentence each; empty if its chain holds.

    The `head` is the digest of its last row as printed on its score sheet; it detects a cut tail. JournalError if
    there is no such match, or its file cannot be read.
    """
    return problems_in(archive.file_of(match_id).read_bytes(), head)


def verify_all(archive: Archive) -> Iterator[str]:
    """The problems of every match, and the matches that do not follow the one before."""
    entries = []
    for file in match_files(archive.folder):
        data = file.read_bytes()
        entry = entry_of(file, content_of(data), counted=False)
        entries.append(entry)
        yield from (f"Match {entry.match_id}: {problem}" for problem in problems_in(data))
    known = known_gaps(archive.folder)
    for match_id, previous in breaks_in(entries, deletions_in(archive.folder)):
        if (match_id, previous) not in known:
            yield f"Match {match_id} does not follow the one before it."


def problems_in(data: bytes, head: str | None = None) -> list[str]:
    """The problems of a match file's content."""
    lines = data.split(b"\n")
    rest = lines.pop()
    rows = [
        parsed(line) or Row("", number, 0, "", "", "", "")  # no row has an empty digest
        for number, line in enumerate(lines, start=1)
    ]
    found = problems_of(rows, head)
    if any(row.match_id != rows[0].match_id for row in rows):
        found.append("Lines of another match are among them.")
    if rest or not rows:
        found.append(f"Event {len(rows) + 1} was not written to its end." if rest else "The file is empty.")
    return found
