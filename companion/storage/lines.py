"""The text file of a match: one row a line, each with its digest; docs/RECORD.md specifies it.

A line is exactly what `line_of` writes. One changed byte makes another line, or one whose digest does not hold.
"""

import json
import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.records.rows import Row, date_of, is_altered, quoted
from companion.storage.folder import MATCH_NAME, MATCHES

_NAME = re.compile(MATCH_NAME, re.ASCII)
_ORDINAL = re.compile(r"(\d{4,12})-", re.ASCII)
_LINE = re.compile(
    r'\{"at_ms":(-?\d{1,18}),"body":(\{.*\}),"digest":"([0-9a-f]{64})","kind":"([A-Za-z]+)",'
    r'"match":("(?:[^"\\]|\\.)*"),"number":(\d{1,18}),"previous":"([0-9a-f]{64})"\}'
)

_TRIES, _TRY_S = 3, 0.02
"""Number of reads of a file that is not whole, and the pause between them."""


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a match file.

    Attributes:
        rows: from the first on, as far as each is as written and follows the one before.
        end: their size, in bytes.
        size: the file's size, in bytes.
    """

    rows: list[Row]
    end: int
    size: int

    @property
    def is_whole(self) -> bool:
        """Whether the file is nothing but its rows."""
        return bool(self.rows) and self.end == self.size


def line_of(row: Row) -> bytes:
    """The line of a row: canonical JSON, its body as an object, with the newline that ends it."""
    match_id = quoted(row.match_id)
    text = (
        f'{{"at_ms":{row.at_ms},"body":{row.body},"digest":"{row.digest}","kind":"{row.kind}",'
        f'"match":{match_id},"number":{row.number},"previous":"{row.previous}"}}\n'
    )
    return text.encode()


def row_in(line: bytes) -> Row | None:
    """The row of a line without its newline; None if the line is not exactly as written."""
    row = parsed(line)
    return None if row is None or is_altered(row) else row


def parsed(line: bytes) -> Row | None:
    """The row of a line, digest unchecked; None if the line is not spelled as `line_of` spells a row."""
    try:
        found = _LINE.fullmatch(line.decode())
        if found is None:
            return None
        at_ms, body, digest, kind, match_id, number, previous = found.groups()
        row = Row(json.loads(match_id), int(number), int(at_ms), kind, body, previous, digest)
        return row if line_of(row) == line + b"\n" else None
    except ValueError:  # half a surrogate pair, which is no text, among them
        return None


def first_match_id(file: Path) -> str | None:
    """The match that a file's first line names, its digest unchecked; None if that line is no row."""
    with file.open("rb") as lines:
        row = parsed(lines.readline().rstrip(b"\n"))
    return None if row is None else row.match_id


def content_of(data: bytes) -> Content:
    """The rows of a match file, up to the first line that is not as written."""
    rows: list[Row] = []
    end = 0
    while (stop := data.find(b"\n", end)) >= 0:
        row = row_in(data[end:stop])
        if row is None or row.number != len(rows) + 1:
            break
        if rows and (row.match_id, row.previous) != (rows[-1].match_id, rows[-1].digest):
            break
        rows.append(row)
        end = stop + 1
    return Content(rows, end, len(data))


def read_match(file: Path) -> Content:
    """The rows of a match file that may be growing at this moment; OSError if it cannot be read."""
    for _ in range(_TRIES):
        content = content_of(file.read_bytes())
        if content.is_whole:
            break
        time.sleep(_TRY_S)  # a line may be written in parts; damage stays
    return content


def match_files(folder: Path) -> list[Path]:
    """The match files of a state folder in the order of writing; OSError if the folder cannot be listed."""
    return [folder / MATCHES / name for name in match_names(folder)]


def match_names(folder: Path) -> list[str]:
    """The names of the match files in the order of writing; of thousands they take far less memory than paths."""
    return sorted(sorted(any_match_names(folder)), key=number_of)


def any_match_names(folder: Path) -> Iterator[str]:
    """The names of the match files in no order, of thousands never all in memory."""
    return filter(_NAME.fullmatch, _names(folder))


def no_files(folder: Path) -> list[str]:
    """What is named as a match file and is no file, in the order of names; a link to a file is one."""
    place = folder / MATCHES
    if not place.is_dir():
        return []
    with os.scandir(place) as found:  # of thousands, asking the disk about each takes many times as long
        return sorted(one.name for one in found if _NAME.fullmatch(one.name) and not one.is_file())


def number_of(name: str) -> int:
    """The number of a match file in the order of writing, from its name."""
    return int(name.partition("-")[0])


def next_name(folder: Path, at_ms: int) -> str:
    """The file name of a new match, after every number used here before, set aside or not."""
    taken = (int(found[1]) for name in _names(folder) if (found := _ORDINAL.match(name)))
    return f"{max(taken, default=0) + 1:04d}-{date_of(at_ms)}.jsonl"


def _names(folder: Path) -> Iterator[str]:
    place = folder / MATCHES
    if place.is_dir():
        with os.scandir(place) as files:
            yield from (file.name for file in files)
