"""Whether a journal is as it was written; looked at before anything is written, and without changing a byte of it."""

from contextlib import closing
from pathlib import Path

from companion.storage.journal import DamagedJournalError, Journal, JournalError, is_ours
from companion.storage.sqlitelog import BESIDE, PAGE, beside, is_whole, log_is_damaged

CHECKED_BYTES = 32 << 20
"""A journal up to this size, some hundred matches, is checked as a whole at each start: a second on a Pi."""
_SMALLEST = 512
"""No SQLite file is shorter than the smallest page, in bytes. SQLite deletes the log of one that is, unread."""


def is_readable(path: Path) -> bool:
    """Whether SQLite may be let at a journal, which somebody may be writing to, without passing over or losing its log.

    Raises:
        JournalError: it cannot be looked at.
    """
    try:
        size_bytes = path.stat().st_size
        return size_bytes >= _SMALLEST and stray_beside(path) is None and not log_is_damaged(path)
    except OSError as error:
        raise JournalError(f"The journal {path} cannot be used: {error.strerror or error}.") from error


def is_sound(path: Path) -> bool:
    """Whether a journal is as long as its header says, SQLite finds nothing wrong with it, and its chain holds.

    An empty file is none of ours: a journal comes to be whole (`Journal`). What a file lacks may stand in the log
    beside it: a disk that fills up, or a power cut, while SQLite folds its log into the file leaves it half done, and
    the next opening does it anew. So a file with a log is too short only if SQLite finds it so. The log itself is
    judged by `companion.storage.sqlitelog`, because SQLite takes any damage in it for its end.

    Raises:
        JournalError: it is no file, or this user may not read it.
    """
    check_files(path)
    try:
        index, log, size_bytes = beside(path, "-shm"), beside(path, "-wal"), path.stat().st_size
        with path.open("rb") as file:
            head = file.read(100)
        strange = not _begins_as_ours(head) and is_ours(path)
    except OSError as error:
        raise JournalError(f"The journal {path} cannot be used: {error.strerror or error}.") from error
    too_short = _bytes_by_header(head) > size_bytes
    if size_bytes < _SMALLEST or strange or (too_short and (not log or size_bytes < PAGE)):
        return False
    if not is_whole(log, index, size_bytes // PAGE):
        return False
    try:
        with closing(Journal(path, read_only=True)) as journal:
            return journal.is_as_written(whole=too_short or size_bytes <= CHECKED_BYTES)
    except DamagedJournalError:
        return False
    except JournalError:
        return True  # locked, of a later version, something else: that is no damage, and is said when it is opened


def stray_beside(path: Path) -> Path | None:
    """What lies where a journal without a log would have its own: SQLite would take it for what is to be undone.

    Ours have a log from their first opening on. A backup has none until then, and what is there is SQLite's own.

    Raises:
        OSError: it cannot be looked at.
    """
    stray = path.with_name(f"{path.name}-journal")
    if not stray.exists() or not stray.stat().st_size or not path.exists():
        return None
    with path.open("rb") as file:
        return None if file.read(20)[18:] == b"\1\1" else stray


def check_files(path: Path) -> None:
    """Look whether what is there of a journal and beside it are files.

    Raises:
        JournalError: one is a folder or a pipe, or this user may not look.
    """
    for part in (path, *(path.with_name(path.name + end) for end in BESIDE)):
        try:
            if part.exists() and not part.is_file():
                raise JournalError(f"The journal {part} cannot be used: it is no file. Move it away.")
        except PermissionError as error:
            raise JournalError(f"The journal {part} cannot be used: {error.strerror}.") from error


def _begins_as_ours(head: bytes) -> bool:
    """Whether what never changes in the header of a journal is as it is made (SQLite's file format, 1.3).

    That is the name of the format, the page's size, how it is read and written, what is kept free in a page, how its
    tree is filled, the format of its tables, that nothing is moved by itself, and that texts are UTF-8.
    """
    return (
        head[:18] == b"SQLite format 3\0" + PAGE.to_bytes(2, "big")
        and head[18:20] in (b"\1\1", b"\2\2")
        and head[20:24] == b"\0\x40\x20\x20"
        and head[44:48] == b"\0\0\0\4"
        and head[52:60] == b"\0\0\0\0\0\0\0\1"
    )


def _bytes_by_header(head: bytes) -> int:
    """How long the file should be; 0 where its header does not say."""
    page_bytes, pages = int.from_bytes(head[16:18], "big"), int.from_bytes(head[28:32], "big")
    if head[24:28] != head[92:96]:
        return 0
    return pages * (65536 if page_bytes == 1 else page_bytes)
