"""The rows of a journal found in its bare bytes, whatever has become of the file around them.

A damaged header, a tree that leads nowhere or a file cut short keep SQLite from rows that are there. Each row says by
its digest whether it is what was written, so it is believed wherever it lies: in the file, or in any page of the log.

The format of a row is that of https://www.sqlite.org/fileformat2.html#record_format: the length of its header, a type
for each column, then the columns. No other table of ours has two texts next to each other that are as long as digests.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from companion.records.rows import GENESIS, Row, is_altered
from companion.storage.sqlitelog import PAGE, frames

_SIGN = b"\x81\x0d\x81\x0d"
"""How the header of a row of ours ends: two texts of 64 letters."""
_HEADERS = range(10, 18)
"""How long such a header can be, in bytes."""
_WIDTHS = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)
"""How many bytes a column of each type below 10 takes."""
_LOCAL_MAX, _LOCAL_MIN = PAGE - 35, (PAGE - 12) * 32 // 255 - 23
"""How much of a row lies in its own page at most, and at least where the rest lies in further ones."""
_LONGEST = 1 << 16
"""No row of ours is longer, in bytes."""


@dataclass(frozen=True, slots=True)
class Gleaned:
    """A row, and its place in the order of writing."""

    place: int
    row: Row


def chains_in(data: bytes, log: bytes) -> list[list[Row]]:
    """The rows of each match from its first on, as far as each follows the one before; the matches in their order.

    Args:
        data: the journal's file, or what is left of it.
        log: the write-ahead log beside it; b"" where there is none.
    """
    matches: dict[str, list[Gleaned]] = {}
    for found in rows_in(data, log):
        matches.setdefault(found.row.match_id, []).append(found)
    in_order = sorted(matches.values(), key=_middle)
    return [chain for found in in_order if (chain := _chain([one.row for one in found]))]


def _middle(found: list[Gleaned]) -> int:
    """The place of a match: that of the row in its middle, because a single place may be damaged."""
    return sorted(one.place for one in found)[len(found) // 2]


def _chain(rows: list[Row]) -> list[Row]:
    """The rows of one match that follow each other from the first on."""
    by_number: dict[int, list[Row]] = {}
    for row in rows:
        by_number.setdefault(row.number, []).append(row)
    chain: list[Row] = []
    while following := [
        row for row in by_number.get(len(chain) + 1, []) if not chain or row.previous == chain[-1].digest
    ]:
        chain.append(following[0])
    return chain


def rows_in(data: bytes, log: bytes) -> list[Gleaned]:
    """Every row that is as it was written, once, wherever it lies."""
    known: dict[bytes, Gleaned] = {}
    for raw in (data, log):
        at = raw.find(_SIGN)
        while at >= 0:
            for start, types in _headers(raw, at + len(_SIGN)):
                for content in _contents(raw, start, at + len(_SIGN), types, (data, log)):
                    if content[-len(GENESIS) :] in known:
                        continue
                    row = _row(content, types)
                    if row is not None:
                        known[content[-len(GENESIS) :]] = Gleaned(_place(raw, start), row)
            at = raw.find(_SIGN, at + 1)
    return list(known.values())


def _headers(raw: bytes, end: int) -> Iterator[tuple[int, list[int]]]:
    """Where the header that ends here may begin, and the types of its columns behind the first, which is nothing."""
    for length in _HEADERS:
        start = end - length
        if start >= 0 and raw[start : start + 2] == bytes((length, 0)):
            types = _numbers(raw[start + 2 : end])
            if len(types) == 7:
                yield start, types


def _numbers(raw: bytes) -> list[int]:
    """SQLite's numbers of seven bits a byte, one behind the other."""
    found, number = [], 0
    for byte in raw:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:
            found.append(number)
            number = 0
    return found


def _place(raw: bytes, start: int) -> int:
    """The number of the row, which stands before its header; the bytes of a number but the last are marked."""
    marked = takewhile(lambda at: at >= 0 and raw[at] >= 0x80, range(start - 2, start - 10, -1))
    first = min(marked, default=start - 1)
    return (_numbers(raw[first:start]) or [0])[0]


def _width(kind: int) -> int:
    return _WIDTHS[kind] if kind < len(_WIDTHS) else (kind - 12) // 2


def _contents(
    raw: bytes, start: int, end: int, types: list[int], pages: tuple[bytes, bytes]
) -> Iterator[bytes]:
    """The columns of a row as they stand one behind the other: more than one where further pages are there twice."""
    wanted = sum(map(_width, types))
    whole = wanted + end - start
    if whole > _LONGEST:
        return
    if whole <= _LOCAL_MAX:
        yield raw[end : end + wanted]
        return
    local = _LOCAL_MIN + (whole - _LOCAL_MIN) % (PAGE - 4)
    stop = start + (local if local <= _LOCAL_MAX else _LOCAL_MIN)
    following = int.from_bytes(raw[stop : stop + 4], "big")
    for rest in _further(following, wanted - (stop - end), pages):
        yield raw[end:stop] + rest


def _further(number: int, wanted: int, pages: tuple[bytes, bytes]) -> Iterator[bytes]:
    """What further pages hold of a row, from this one on."""
    data, log = pages
    images = {page for logged, page in frames(log) if logged == number}
    if 0 < number <= len(data) // PAGE:
        images.add(data[(number - 1) * PAGE : number * PAGE])
    for image in images:
        if wanted <= PAGE - 4:
            yield image[4 : 4 + wanted]
        else:
            for rest in _further(int.from_bytes(image[:4], "big"), wanted - (PAGE - 4), pages):
                yield image[4:] + rest


def _row(content: bytes, types: list[int]) -> Row | None:
    """The row that these columns make; None where they are not as they were written."""
    values: list[int | str] = []
    at = 0
    for kind in types:
        column = content[at : at + _width(kind)]
        at += len(column)
        if kind in (8, 9):
            values.append(kind - 8)
        elif 1 <= kind <= 6:
            values.append(int.from_bytes(column, "big", signed=True))
        elif kind > 12 and kind % 2:
            try:
                values.append(column.decode())
            except UnicodeDecodeError:
                return None
        else:
            return None
    row = Row(*values)  # type: ignore[arg-type]  # whether they fit is what is looked at next
    return None if not row.is_whole or is_altered(row) else row
