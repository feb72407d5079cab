"""Replace the state by a checked backup; a start after a power cut finishes it.

All is done in the state folder: it may be the only writable place, and a mount of its own.
"""

import os
import shutil
import tempfile
from pathlib import Path

from companion.storage.errors import JournalError
from companion.storage.lines import MATCHES

OLD, SALVAGED = "journal.sqlite", "journal.salvaged.sqlite"
"""The journal of earlier versions, and an unfinished replacement for a damaged one."""
BESIDE = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite keeps beside a journal."""
CATALOGUE = tuple(f"catalogue.sqlite{end}" for end in ("", *BESIDE))
_PARTS = ("pictures", "roles.json", OLD, MATCHES)
_FORMER = (*(f"{name}{end}" for name in (OLD, SALVAGED) for end in ("", *BESIDE)), *CATALOGUE, MATCHES)
"""Parts of the former matches alone; never to be read together with others."""

_UNPACKED = ".unpacking-"


def unpack_folder(folder: Path) -> Path:
    """A new folder in it, for a backup still to be checked; OSError if it cannot be made."""
    fresh = Path(tempfile.mkdtemp(prefix=_UNPACKED, dir=folder))
    (fresh / "pictures").mkdir()
    return fresh


def forget_unpacked(folder: Path) -> None:
    """Delete the unpacked files of a killed restore, and the match files of an unfinished takeover.

    The next start tries again if some cannot be deleted.
    """
    for left in (*folder.glob(f"{_UNPACKED}*"), *folder.glob(".taking-over-*")):
        shutil.rmtree(left, ignore_errors=True)


def swap_in(fresh: Path, folder: Path) -> Path | None:
    """Replace the state in `folder` by `fresh`, a folder within it.

    Returns:
        The folder of the former state; None if there was none.

    Raises:
        OSError: a part could not be moved; the next start tries again.
    """
    number = 1
    while (folder / f"before-{number}").exists():
        number += 1
    os.sync()
    # This one step is atomic, also in a power cut; `finish_restore` can be repeated from any point of it.
    fresh.rename(folder / f"restoring-{number}")
    finish_restore(folder)
    before = folder / f"before-{number}"
    return before if before.exists() else None


def place_in(folder: Path, name: str) -> Path:
    """The place of a part of the state; in the new state, if a restore was interrupted before moving it."""
    coming = [place / name for place in sorted(folder.glob("restoring-*")) if (place / name).exists()]
    return coming[-1] if coming else folder / name


def old_journal_in(folder: Path) -> bool:
    """Whether a state folder has a journal of an earlier version, or remains of one."""
    return any(place_in(folder, name).exists() for name in (OLD, f"{OLD}-wal", SALVAGED))


def has_matches(folder: Path) -> bool:
    """Whether a state folder has a folder of matches, even if empty, or an earlier version's journal.

    Raises:
        JournalError: access is denied.
    """
    try:
        return place_in(folder, MATCHES).exists() or old_journal_in(folder)
    except PermissionError:
        raise JournalError(
            f"The matches in {folder} are not this user's to read; ask as their owner."
        ) from None


def finish_restore(folder: Path) -> None:
    """Finish an interrupted restore, if there is one."""
    for coming in sorted(folder.glob("restoring-*")):
        before = folder / coming.name.replace("restoring", "before")
        before.mkdir(exist_ok=True)
        if (coming / MATCHES).exists() or (coming / OLD).exists():
            for name in _FORMER:
                _move(folder / name, before / name)
        for name in _PARTS:
            if (coming / name).exists():
                _move(folder / name, before / name)
                (coming / name).rename(folder / name)
        for name in CATALOGUE:  # made by a reader
            (coming / name).unlink(missing_ok=True)
        coming.rmdir()
        if not any(before.iterdir()):
            before.rmdir()


def _move(part: Path, there: Path) -> None:
    """Move a part, if it exists; an empty folder is deleted."""
    if part.is_dir() and not any(part.iterdir()):
        part.rmdir()
    elif part.exists():
        part.rename(there)
