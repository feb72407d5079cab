"""Where the program keeps what must outlive it, and the one lock that keeps a second program out."""

import errno
import fcntl
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from companion.errors import UserError
from companion.restoring import finish, forget_unpacked

NAME = "board-companion"
STARTS_FILE = "starts"
"""Counts the starts with this folder; written once the journal has been opened."""
PROBE_BYTES = 128 << 10
"""A disk that takes this takes a journal that is opened, too."""


class StateFolderError(UserError, OSError):
    """The folder cannot be used; `may_pass` where that is its disk's fault and not that of whoever chose it."""

    may_pass = False


class FolderUnusableError(StateFolderError):
    """It cannot be made or written, whoever else may have it."""


def state_folder(chosen: str = "", environment: Mapping[str, str] = os.environ) -> Path:
    """The folder: the chosen one, else the service's, else the user's by the XDG rules; it may be missing."""
    if chosen:
        return Path(chosen)
    service = environment.get("STATE_DIRECTORY", "").split(":")[0]
    if service:
        return Path(service)
    home = environment.get("XDG_STATE_HOME", "")
    # The rules say that a relative path is to be ignored.
    base = (
        Path(home) if home.startswith("/") else Path(environment.get("HOME") or Path.home()) / ".local/state"
    )
    return base / NAME


class StateFolder:
    """An open state folder; while it is open no second program can open it."""

    def __init__(self, path: Path) -> None:
        """Make the folder where it is missing, try whether it can be written, and lock it.

        Raises:
            StateFolderError: it cannot be made or written, or another program has it.
        """
        self.path = path
        self.pictures = path / "pictures"
        try:
            path.mkdir(parents=True, exist_ok=True)
            lock = path / "lock"
            if lock.exists() and not lock.is_file():  # a pipe would be waited for
                raise OSError(errno.EEXIST, f"{lock.name} is no file")
            self._lock: IO[str] | None = open(lock, "a")  # noqa: SIM115
        except OSError as error:
            raise self._unusable(error) from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise StateFolderError(
                f"Another companion keeps its matches in {path}; stop it first ('systemctl stop {NAME}')."
            ) from None
        forget_unpacked(path)  # before room is looked for: it may take all there is
        probe = path / ".probe"
        try:
            probe.unlink(missing_ok=True)
            try:
                probe.write_bytes(bytes(PROBE_BYTES))
            finally:
                probe.unlink(missing_ok=True)
        except OSError as error:
            self._lock.close()
            raise self._unusable(error) from None
        try:
            finish(path)
        except OSError as error:
            self._lock.close()
            raise StateFolderError(
                f"A backup in {path} could not be put in its place ({error.strerror or error})."
            ) from None
        try:
            self.pictures.mkdir(exist_ok=True)
        except OSError as error:
            self._lock.close()
            raise FolderUnusableError(
                f"There can be no folder {self.pictures} ({error.strerror or error}); move away what is there."
            ) from None

    def _unusable(self, error: OSError) -> FolderUnusableError:
        refusal = FolderUnusableError(
            f"The folder {self.path} cannot be written ({error.strerror or error}); "
            "free it, or choose another with keep.folder in the settings."
        )
        refusal.may_pass = error.errno in (errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EIO)
        return refusal

    def close(self) -> None:
        """Let others in."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None
