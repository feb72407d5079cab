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
LOCK = "lock"
PROBE_BYTES = 128 << 10
"""A disk that takes this takes a journal that is opened, too."""


class StateFolderError(UserError, OSError):
    """The folder cannot be used; `may_pass` where that is its disk's fault and not that of whoever chose it."""

    may_pass = False


class FolderHeldError(StateFolderError):
    """Another program has it."""


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
            FolderHeldError: another program has it.
            StateFolderError: it cannot be made or written.
        """
        self.path = path
        self.pictures = path / "pictures"
        self._lock: IO[str] | None = self._taken(parents=True)
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

    def hold(self) -> bool:
        """Make sure in play that the folder is still this program's; one that was deleted is made and locked anew.

        Its parent has to be there: nothing is made in the place of a whole disk that was taken away.

        Returns:
            Whether nobody else can have had it since.

        Raises:
            FolderHeldError: another program has it by now.
            StateFolderError: it cannot be made or written.
        """
        assert self._lock is not None, "the folder is open"
        if self._bears_its_name(self._lock):
            return True
        lock = self._taken(parents=False)
        self._lock.close()
        self._lock = lock
        return False

    def _bears_its_name(self, lock: IO[str]) -> bool:
        try:
            return os.path.samestat(os.stat(self.path / LOCK), os.fstat(lock.fileno()))
        except OSError:  # it is gone, or so is the way to it: taking it anew tells
            return False

    def _taken(self, *, parents: bool) -> IO[str]:
        """The lock's file, held; the folder is made where it is missing, its parents too if so wished."""
        file = self.path / LOCK
        try:
            self.path.mkdir(mode=0o700, parents=parents, exist_ok=True)
            if file.exists() and not file.is_file():  # a pipe would be waited for
                raise OSError(errno.EEXIST, f"{file.name} is no file")
            lock = open(file, "a")  # noqa: SIM115
        except OSError as error:
            raise self._unusable(error) from None
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            lock.close()
            raise FolderHeldError(
                f"Another companion keeps its matches in {self.path}; stop it first ('systemctl stop {NAME}')."
            ) from None
        return lock

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
