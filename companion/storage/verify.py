"""Whether the record is as it was written: every line of every match, and that the matches follow each other."""

from collections.abc import Iterator

from companion.records.rows import Row, problems_of
from companion.storage.archive import Archive
from companion.storage.catalogue import entry_of
from companion.storage.lines import content_of, line_of, match_files, parsed
from companion.storage.recovery import breaks_in, known_gaps


def verify(archive: Archive, match_id: str, head: str | None = None) -> list[str]:
    """Everything that is wrong with a match, a sentence each; empty when its chain holds.

    Args:
        archive: the matches.
        match_id: which one.
        head: the digest of its last row as printed on its score sheet, to notice a cut tail.

    Raises:
        JournalError: there is no such match, or its file cannot be read.
    """
    return problems_in(archive.file_of(match_id).read_bytes(), head)


def verify_all(archive: Archive) -> Iterator[str]:
    """Everything that is wrong with any match, and where one does not follow the one before it."""
    entries = []
    for file in match_files(archive.folder):
        data = file.read_bytes()
        entry = entry_of(file, content_of(data), counted=False)
        entries.append(entry)
        yield from (f"Match {entry.match_id}: {problem}" for problem in problems_in(data))
    known = known_gaps(archive.folder)
    for match_id, previous in breaks_in(entries):
        if (match_id, previous) not in known:
            yield f"Match {match_id} does not follow the one before it."


def problems_in(data: bytes, head: str | None = None) -> list[str]:
    """Everything that is wrong with a match file's content."""
    lines = data.split(b"\n")
    rest = lines.pop()
    rows = [_row(number, line) for number, line in enumerate(lines, start=1)]
    found = problems_of(rows, head)
    if rows and any(row.match_id != rows[0].match_id for row in rows):
        found.append("Lines of another match are among them.")
    if rest or not rows:
        found.append(f"Event {len(rows) + 1} was not written to its end." if rest else "The file is empty.")
    return found


def _row(number: int, line: bytes) -> Row:
    """The row of a line; one that no digest fits where the line is not exactly as it was written."""
    row = parsed(line)
    if row is not None and line_of(row) == line + b"\n":
        return row
    return Row(row.match_id if row else "", row.number if row else number, 0, "", "", "", "")
