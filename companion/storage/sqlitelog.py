"""What SQLite keeps beside a journal: its write-ahead log and the index to it, judged before SQLite opens them.

SQLite reads a log up to the first frame whose checksum does not hold and takes that for its end: right after a power
cut, which tears the last transaction and nothing else, because each one is on disk before the next begins. A log that
was damaged further back ends there as well, and all events behind that place would be gone without a word.

The formats are those of https://www.sqlite.org/fileformat2.html#the_write_ahead_log and
https://www.sqlite.org/walformat.html; all sizes are in bytes.
"""

import struct
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

BESIDE = ("-wal", "-shm", "-journal")
"""What the names of files beside a journal end with: the log, the index to it, and what a journal without a log has."""
PAGE = 4096
"""A page of a journal."""
HEADER, FRAME = 32, 24 + PAGE
"""The log's header, and one page in it with what is said about it."""
_MAGIC = {b"\x37\x7f\x06\x82": "<", b"\x37\x7f\x06\x83": ">"}
"""How the log begins, and the order of bytes in which its checksums are made."""
TORN = 16
"""An event takes four or five frames. More than so many behind the last whole transaction are not one that was torn."""
_INDEX_VERSION = 3_007_000


class Index(NamedTuple):
    """What the index last knew of the log: so many frames, so many pages of the journal, and the log's salts."""

    frames: int
    pages: int
    salts: bytes


def beside(path: Path, end: str) -> bytes:
    """What lies beside a journal, "-wal" or "-shm"; b"" where there is none. OSError where it cannot be read."""
    part = path.with_name(path.name + end)
    return part.read_bytes() if part.exists() else b""


def has_log(path: Path) -> bool:
    """Whether beside a journal, which need not be there, lies a log with anything in it."""
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > HEADER


def log_is_damaged(path: Path) -> bool:
    """Whether events are missing from the log beside a journal that somebody may be writing to at this moment.

    Raises:
        OSError: one of the files cannot be read.
    """
    for _ in range(3):  # a log that is being written need not be one piece; one that is damaged stays so
        index = beside(path, "-shm")
        if is_whole(beside(path, "-wal"), index, path.stat().st_size // PAGE):
            return False
        time.sleep(0.1)
    return True


def is_whole(log: bytes, index: bytes, pages: int) -> bool:
    """Whether all that was written into the log is in it, but for one transaction that a power cut tore.

    Args:
        log: the write-ahead log; b"" where there is none.
        index: the index as it was before anybody opened the log; a kill leaves it, a power cut may.
        pages: how many the journal itself has.
    """
    known = _known(index)
    if known is not None and not log:
        return known.pages <= pages  # all was folded into the journal: an old index may know less, never more
    if len(log) < HEADER + FRAME:
        return known is None or not known.frames or not known.salts.startswith(log[16:24])
    if not _begins_well(log):
        return False
    committed = _committed(log)
    if known is not None and known.salts == log[16:24] and known.frames > committed:
        return False
    return not _is_more_than_torn(log, committed)


def frames(log: bytes) -> Iterator[tuple[int, bytes]]:
    """Every page in a log that is there in full length, with its number, whether or not its checksum holds."""
    for at in range(HEADER, len(log) - FRAME + 1, FRAME):
        yield int.from_bytes(log[at : at + 4], "big"), log[at + 24 : at + FRAME]


def _known(index: bytes) -> Index | None:
    """What the index says; None where it says nothing that could be right. SQLite keeps its header twice."""
    if len(index) < 136 or index[:48] != index[48:96]:
        return None
    version, _, _, made, frames, pages = struct.unpack_from("=III?xxxII", index)
    return Index(frames, pages, index[32:40]) if version == _INDEX_VERSION and made else None


def _begins_well(log: bytes) -> bool:
    order = _MAGIC.get(log[:4])
    if order is None or int.from_bytes(log[8:12], "big") != PAGE:
        return False
    return struct.pack(">II", *_summed(log[:24], order, 0, 0)) == log[24:HEADER]


def _committed(log: bytes) -> int:
    """How many frames SQLite finds whole: those up to the end of the last transaction before the first broken one."""
    order, salts = _MAGIC[log[:4]], log[16:24]
    first, second = struct.unpack_from(">II", log, 24)
    committed = 0
    for number, at in enumerate(range(HEADER, len(log) - FRAME + 1, FRAME), start=1):
        if log[at + 8 : at + 16] != salts:
            break
        first, second = _summed(log[at : at + 8], order, first, second)
        first, second = _summed(log[at + 24 : at + FRAME], order, first, second)
        if struct.pack(">II", first, second) != log[at + 16 : at + 24]:
            break
        if _ends_transaction(log, at):
            committed = number
    return committed


def _ends_transaction(log: bytes, at: int) -> bool:
    return log[at + 4 : at + 8] != bytes(4)


def _is_more_than_torn(log: bytes, committed: int) -> bool:
    """Whether behind the whole frames lies more than one transaction, or more than one could be."""
    told = ended = 0
    for at in range(HEADER + committed * FRAME, len(log), FRAME):
        if _is_older(log, log[at + 8 : at + 12]):
            continue
        told += 1
        if log[at + 8 : at + 16] == log[16:24]:
            if ended:
                return True
            ended += _ends_transaction(log, at)
    return told > TORN


def _is_older(log: bytes, salt: bytes) -> bool:
    """Whether a frame is left from before the log was begun anew, which raises the first salt by one each time."""
    age = (int.from_bytes(log[16:20], "big") - int.from_bytes(salt, "big")) % (1 << 32)
    return 1 <= age <= int.from_bytes(log[12:16], "big")


def _summed(data: bytes, order: str, first: int, second: int) -> tuple[int, int]:
    """SQLite's running checksum of a log, taken on over more data."""
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for one, other in zip(words[::2], words[1::2], strict=True):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return first, second
