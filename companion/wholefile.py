"""A file written whole or not at all."""

import errno
import os
from contextlib import suppress
from pathlib import Path

from companion.errors import UserError


def write_whole(out: Path, data: bytes) -> None:
    """Put a file on disk beside its place first, then there in one step; what stood there stays until then.

    Raises:
        UserError: it cannot be written; nothing half-written is left.
    """
    beside = out.parent / f".{out.name}.part"
    try:
        if out.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        if out.exists() and not out.is_file():
            raise OSError(errno.EEXIST, "it is no file")
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(out)
    except OSError as error:
        with suppress(OSError):  # it may not even have come to be
            beside.unlink()
        raise UserError(f"{out} cannot be written: {error.strerror or error}.") from None
