"""Write a file whole or not at all."""

import errno
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from companion.errors import UserError
from companion.storage.errors import reported_as


def place_of(out: Path) -> Path:
    """The place of a file to be written in one step: a link's target, so that the link stays.

    Raises:
        OSError: a folder, a pipe or a device is there; a file must not take its place.
    """
    if out.is_dir():
        raise IsADirectoryError(errno.EISDIR, "it is a folder")
    if out.exists() and not out.is_file():
        raise OSError(errno.EEXIST, "it is no file")
    return Path(os.path.realpath(out))


def write_whole(out: Path, data: bytes) -> None:
    """Write a file whole or not at all, at a link's target; the old file stays until then.

    Raises:
        UserError: it cannot be written; no partial file is left.
    """
    with reported_as(UserError, f"{out} cannot be written: {{why}}."):
        put(place_of(out), data)


def check_place(out: Path) -> None:
    """Raise UserError if a file cannot be written there, as far as that is known beforehand."""
    with reported_as(UserError, f"{out} cannot be written: {{why}}."):
        beside = place_of(out).with_name(f".{out.name}.part")
        beside.touch()
        beside.unlink()


def put(
    place: Path, data: bytes, mode: int = 0o666, finish: Callable[[int], None] = lambda handle: None
) -> None:
    """Write a file beside its place, flush it to disk, rename it; OSError if that fails, with nothing left.

    `mode` is its mode before the umask; `finish` is called with the open file before it takes its place.
    """
    beside = place.with_name(f".{place.name}.part")
    try:
        with open(beside, "wb", opener=lambda path, flags: os.open(path, flags, mode)) as file:
            file.write(data)
            finish(file.fileno())
            file.flush()
            os.fsync(file.fileno())
        beside.rename(place)
    except OSError:
        with suppress(OSError):  # it may not exist
            beside.unlink()
        raise


def put_for_others(place: Path, data: bytes, mode: int) -> None:
    """Write a file durably that another program's user reads: with this mode whatever the umask.

    The group, further permissions and, as root, the owner of a file that is replaced stay. OSError, with the former
    file in its place, if the group cannot be kept.
    """
    before = place.stat() if place.exists() else None
    put_durably(place, data, mode, lambda handle: _as_before(handle, before, mode))


def _as_before(handle: int, before: os.stat_result | None, mode: int) -> None:
    """Give an open file the owner, group and permissions of the file before, and at least this mode."""
    if before is not None:
        if os.geteuid() == 0:
            os.fchown(handle, before.st_uid, -1)
        if before.st_gid != os.fstat(handle).st_gid:
            os.fchown(handle, -1, before.st_gid)
        mode |= stat.S_IMODE(before.st_mode)
    os.fchmod(handle, mode)


def put_durably(
    place: Path, data: bytes, mode: int = 0o666, finish: Callable[[int], None] = lambda handle: None
) -> None:
    """Write a file like `put`, its name flushed to disk as well: a power cut afterwards cannot undo it."""
    put(place, data, mode, finish)
    try:
        sync_folder(place.parent)
    except OSError:
        with suppress(OSError):  # it has to be written again
            place.unlink()
        raise


def delete_durably(place: Path) -> None:
    """Delete a file and flush its folder; OSError if that fails."""
    place.unlink()
    sync_folder(place.parent)


def sync_folder(folder: Path) -> None:
    """Flush a folder's names to disk."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
