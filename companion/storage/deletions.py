"""The record of deleted matches, in the file of known breaks (docs/RECORD.md): the chain goes on through each."""

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from companion.storage.lines import GAPS, MATCHES
from companion.storage.wholefile import put, sync_folder


@dataclass(frozen=True, slots=True)
class Deletion:
    """A match that a person deleted; nothing in it names a player.

    Attributes:
        deleted: id of the match.
        previous: the `previous` of its first row.
        head: digest of its last row.
        events: number of its rows.
        at_ms: time of the deletion, milliseconds since 1970 UTC.
        by: role of the person.
    """

    deleted: str
    previous: str
    head: str
    events: int
    at_ms: int
    by: str


def deletions_in(folder: Path) -> list[Deletion]:
    """The deletions noted in a state folder, oldest first; a line that is none is passed over."""
    found = []
    with suppress(FileNotFoundError):
        for line in (folder / MATCHES / GAPS).read_bytes().splitlines():
            with suppress(ValueError, KeyError, TypeError, RecursionError):
                noted = json.loads(line)
                deleted, previous, head, by = (
                    str(noted[name]) for name in ("deleted", "previous", "head", "by")
                )
                found.append(Deletion(deleted, previous, head, int(noted["events"]), int(noted["at_ms"]), by))
    return found


def note_deletion(folder: Path, deletion: Deletion) -> None:
    """Add a deletion to the file, durably; OSError if it cannot be written."""
    file = folder / MATCHES / GAPS
    before = file.read_bytes() if file.exists() else b""
    put(file, before + json.dumps(asdict(deletion), sort_keys=True).encode() + b"\n")
    sync_folder(file.parent)
