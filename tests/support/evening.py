"""A journal of an evening, as a stop or a kill leaves it, and a look at what a start makes of it once it was harmed."""

import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from companion.game.events import AnyEvent
from companion.records.rows import Row
from companion.storage.journal import FILE_NAME, Journal
from companion.storage.salvage import open_journal
from tests.support.selfplay import began, played_match

LOG, INDEX = f"{FILE_NAME}-wal", f"{FILE_NAME}-shm"
EVENTS = 150


@dataclass(frozen=True, slots=True)
class Evening:
    """State folders with the same events in them.

    Attributes:
        stopped: the program was stopped.
        killed: it was killed, a while after SQLite's log was folded into the file.
        unfolded: it was killed, and everything since the start is in the log alone.
        rows: what was played.
    """

    stopped: Path
    killed: Path
    unfolded: Path
    rows: list[Row]

    def harmed(self, folder: Path, name: str, harm: Callable[[bytes], bytes], into: Path) -> Path:
        """A copy of one of the folders with a file that was harmed."""
        shutil.rmtree(into, ignore_errors=True)
        shutil.copytree(folder, into)
        (into / name).write_bytes(harm((into / name).read_bytes()))
        return into

    def altered(self, old: bytes, new: bytes, into: Path) -> Path:
        """A copy of the stopped one in whose journal some bytes, which must be there, are others."""
        assert old in (self.stopped / FILE_NAME).read_bytes()
        return self.harmed(self.stopped, FILE_NAME, lambda data: data.replace(old, new, 1), into)

    def lost(self, folder: Path) -> tuple[int, bool]:
        """Start with a folder: how many events are gone, and whether it was said and the file kept.

        What is there must be from the beginning of each match, as it was played, and be gone on from.
        """
        journal, _, notices = open_journal(folder)
        with closing(journal):
            assert journal.verify() == []
            texts = [str(notice.text) for notice in notices]
            assert all("The journal was damaged" in text for text in texts), texts
            asides = list(folder.glob("journal.damaged-1.sqlite"))
            assert len(asides) == len(texts)
            kept = 0
            for match_id in journal.match_ids():
                bodies = [row.body for row in journal.rows(match_id)]
                played = [row.body for row in self.rows if row.match_id == match_id]
                assert bodies == played[: len(bodies)]
                kept += len(bodies)
            assert not texts or f"{kept} events could be read" in texts[0]
            journal.append("after", began(3, match_id="after"))
        return len(self.rows) - kept, bool(texts)


def evening(folder: Path, events: int = EVENTS) -> Evening:
    """Play one into folders below this one: sixty events of a match, then the next."""
    made = Evening(*(folder / name for name in ("stopped", "killed", "unfolded")), [])
    made.stopped.mkdir(parents=True)
    live = folder / "live"
    live.mkdir()
    played = list(_events(events))
    with closing(Journal(made.stopped / FILE_NAME)) as journal, closing(Journal(live / FILE_NAME)) as other:
        other._db.execute("PRAGMA wal_autocheckpoint = 0")
        for match_id, event in played:
            made.rows.append(journal.append(match_id, event))
            other.append(match_id, event)
        shutil.copytree(made.stopped, made.killed)
        shutil.copytree(live, made.unfolded)
    return made


def _events(count: int) -> Iterator[tuple[str, AnyEvent]]:
    number = 0
    for match in range(1, count):
        for event in islice(played_match(random.Random(match), began(5, match_id=f"m{match}")), 60):
            yield f"m{match}", replace(event, at_ms=1_790_000_000_000 + 7_000 * number)
            number += 1
            if number == count:
                return
