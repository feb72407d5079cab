"""A checked backup takes the place of what is there; a start after a power cut ends what was begun.

Everything happens inside the state folder: it may be the only place that can be written, and a mount of its own.
"""

import os
import shutil
import tempfile
from pathlib import Path

from companion.storage.errors import JournalError
from companion.storage.lines import MATCHES

OLD, SALVAGED = "journal.sqlite", "journal.salvaged.sqlite"
"""The journal of earlier versions, and what one had begun to put in the place of a damaged one."""
BESIDE = ("-wal", "-shm", "-journal")
"""What the names of files that SQLite keeps beside a journal end with."""
CATALOGUE = tuple(f"catalogue.sqlite{end}" for end in ("", *BESIDE))
_PARTS = ("pictures", "roles.json", OLD, MATCHES)
_FORMER = (*(f"{name}{end}" for name in (OLD, SALVAGED) for end in ("", *BESIDE)), *CATALOGUE, MATCHES)
"""What belongs to the former matches alone; never to be read together with others."""

_UNPACKED = ".unpacking-"


def unpacked_into(folder: Path) -> Path:
    """A new folder within, for a backup that is still to be checked; OSError where it cannot be made."""
    fresh = Path(tempfile.mkdtemp(prefix=_UNPACKED, dir=folder))
    (fresh / "pictures").mkdir()
    return fresh


def forget_unpacked(folder: Path) -> None:
    """Delete what a restore that was killed had unpacked, and match files that a takeover had not finished.

    What cannot be deleted now is tried at the next start.
    """
    for left in (*folder.glob(f"{_UNPACKED}*"), *folder.glob(".taking-over-*")):
        shutil.rmtree(left, ignore_errors=True)


def put_in(fresh: Path, folder: Path) -> Path | None:
    """Let `fresh`, a folder within `folder`, take the place of what is there.

    Returns:
        Where the former state lies now; None where there was none.

    Raises:
        OSError: a part could not be moved; the next start tries again.
    """
    number = 1
    while (folder / f"before-{number}").exists():
        number += 1
    os.sync()
    # Of this one step a power cut leaves all or nothing; `finish` can be repeated from anywhere within.
    fresh.rename(folder / f"restoring-{number}")
    finish(folder)
    before = folder / f"before-{number}"
    return before if before.exists() else None


def place_in(folder: Path, name: str) -> Path:
    """Where a part of the state lies: in what is being put in, where a restore was cut short before it was moved."""
    coming = [place / name for place in sorted(folder.glob("restoring-*")) if (place / name).exists()]
    return coming[-1] if coming else folder / name


def old_journal_in(folder: Path) -> bool:
    """Whether a state folder holds a journal of an earlier version, or something that is left of one."""
    return any(place_in(folder, name).exists() for name in (OLD, f"{OLD}-wal", SALVAGED))


def is_there(folder: Path) -> bool:
    """Whether a state folder holds matches, if only a place for them, or a journal of an earlier version.

    Raises:
        JournalError: this user may not look.
    """
    try:
        return place_in(folder, MATCHES).exists() or old_journal_in(folder)
    except PermissionError:
        raise JournalError(
            f"The matches in {folder} are not this user's to read; ask as their owner."
        ) from None


def finish(folder: Path) -> None:
    """End a restoring that was begun; nothing where there is none."""
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
        for name in CATALOGUE:  # of a look at it meanwhile
            (coming / name).unlink(missing_ok=True)
        coming.rmdir()
        if not any(before.iterdir()):
            before.rmdir()


def _move(part: Path, there: Path) -> None:
    """Move what is there; an empty folder is nothing to keep."""
    if part.is_dir() and not any(part.iterdir()):
        part.rmdir()
    elif part.exists():
        part.rename(there)
