"""Unpack a backup: plain files of known names, each bounded before any of it is read."""

import errno
import gzip
import os
import re
import shutil
import tarfile
import zlib
from pathlib import Path

from companion.errors import UserError
from companion.storage.errors import reported_as
from companion.storage.folder import (
    ALIASES,
    GAPS,
    KEY_FILE,
    LABELS,
    MATCH_NAME,
    MATCHES,
    OLD,
    PICTURES,
    ROLES_FILE,
    SIGNED,
    TABLE_FILE,
)

_BESIDE = "|".join(map(re.escape, (ALIASES, GAPS, LABELS, SIGNED)))
_MEMBERS = (
    (re.compile(rf"{MATCHES}/(?:{MATCH_NAME}|{_BESIDE})", re.ASCII), 64 << 20),
    (re.compile(rf"{PICTURES}/[0-9a-f]{{32}}\.jpg"), 64 << 20),
    (re.compile(re.escape(ROLES_FILE)), 1 << 20),
    (re.compile(re.escape(TABLE_FILE)), 1 << 16),
    (re.compile(re.escape(KEY_FILE)), 1 << 12),
    (re.compile(re.escape(OLD)), 1 << 30),
)
"""The members of a backup, an earlier version's too, and the most bytes of each; anything else is refused."""
_MOST_RATIO, _SLACK_BYTES = 100, 4 << 20
"""A backup unpacks to at most this many times its size, and the slack: rows shrink to an eighth, pictures hardly."""
_EXTENDED_BYTES = 64 << 10
"""Most bytes of a pax header, which older backups have for times of files."""
_BLOCK, _PART_BYTES, _DISK_BLOCK = tarfile.BLOCKSIZE, 1 << 20, 4096


def unpack(file: Path, into: Path) -> None:
    """Write the members of a backup into an empty folder.

    Raises:
        UserError: the file cannot be read, is no backup, is damaged or too large.
        OSError: the folder cannot be written, or its disk has no room.
    """
    with reported_as(UserError, f"The backup {file} cannot be read: {{why}}."):
        if file.exists() and not file.is_file() and not file.is_dir():
            raise UserError(f"The backup {file} cannot be read: it is no file.")  # reading a pipe would block
        packed = file.open("rb")
    with packed, gzip.open(packed) as archive:
        try:
            _unpack(file, archive, into, _MOST_RATIO * os.fstat(packed.fileno()).st_size + _SLACK_BYTES)
            if archive.read(_PART_BYTES).strip(b"\0") or archive.read(1):  # at its end is gzip's checksum
                raise EOFError
        except (tarfile.TarError, gzip.BadGzipFile, EOFError, zlib.error):
            raise UserError(f"{file} is no backup of ours, or a damaged one.") from None


def _unpack(file: Path, archive: gzip.GzipFile, into: Path, most_bytes: int) -> None:
    free_bytes, taken_bytes = shutil.disk_usage(into).free, 0
    while (member := _next_member(archive)) is not None:
        name, size = member.name, member.size
        limits = [most for pattern, most in _MEMBERS if pattern.fullmatch(name)]
        if not limits or member.type not in (tarfile.REGTYPE, tarfile.AREGTYPE):
            raise UserError(f"{file} is no backup of ours: it holds {name[:60]!a}.")
        taken_bytes += max(size, _DISK_BLOCK)
        if not 0 <= size <= limits[0] or taken_bytes > most_bytes:
            raise UserError(f"{file} is no backup of ours: {name} in it is too large.")
        if taken_bytes > free_bytes:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if (into / name).exists():
            raise UserError(f"{file} is no backup of ours: it holds {name} twice.")
        _copy(archive, size, into / name)


def _next_member(archive: gzip.GzipFile) -> tarfile.TarInfo | None:
    """The header of the next member, extended headers skipped; None at the end of the archive.

    Only a member's plain header counts: what an extended one says besides leads to a header that is none.
    """
    while (block := archive.read(_BLOCK)) != bytes(_BLOCK):
        member = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
        if member.type != tarfile.XHDTYPE or not 0 <= member.size <= _EXTENDED_BYTES:
            return member
        archive.read(member.size + -member.size % _BLOCK)
    return None


def _copy(archive: gzip.GzipFile, size: int, place: Path) -> None:
    """Write the next `size` bytes, readable by their owner only; EOFError if there are fewer."""
    place.parent.mkdir(exist_ok=True)
    place.touch(0o600)
    padding = -size % _BLOCK
    with place.open("wb") as out:
        while size:
            part = archive.read(min(size, _PART_BYTES))
            if not part:
                raise EOFError
            out.write(part)
            size -= len(part)
    archive.read(padding)
