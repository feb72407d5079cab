"""A journal of an evening, and its recovery by a start after damage."""

import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from companion.game.events import AnyEvent
from companion.records.rows import Row
from companion.storage.archive import Archive, verify_all
from companion.storage.journal import Journal
from companion.storage.lines import match_files
from companion.storage.recovery import open_journal
from tests.support.selfplay import began, played_match

EVENTS = 150


@dataclass(frozen=True, slots=True)
class Evening:
    """A state folder with three matches, of 60, 60 and 30 events, and their rows."""

    folder: Path
    rows: list[Row]

    def copy(self, into: Path) -> Path:
        """Copy the matches to another folder, without the catalogue."""
        shutil.rmtree(into, ignore_errors=True)
        return Path(shutil.copytree(self.folder, into, ignore=shutil.ignore_patterns("catalogue*")))

    def harmed(self, match: int, harm: Callable[[bytes], bytes], into: Path) -> Path:
        """A copy with one match's file, counted from 0, damaged by `harm`."""
        folder = self.copy(into)
        file = match_files(folder)[match]
        file.write_bytes(harm(file.read_bytes()))
        return folder

    def lost(self, folder: Path) -> tuple[int, int]:
        """Start with a folder; returns the numbers of lost events, and of damaged files kept.

        Asserts that the kept rows are as played, and that a further match can be recorded.
        """
        journal, _, notices = open_journal(folder)
        with closing(journal):
            texts = [str(notice.text) for notice in notices]
            # A power cut between setting a match aside and noting the gap leaves the gap to be said.
            assert all("The journal was damaged" in text or "are gone" in text for text in texts), texts
            assert len(list(folder.glob("matches/*.damaged-*.jsonl"))) == len(texts)
            kept = [row for match_id in ids(folder) for row in journal.rows(match_id)]
            assert kept == [row for row in self.rows if row in kept], "what goes on is as it was played"
            journal.append("after", began(3, match_id="after"))
        assert problems(folder) == []
        return len(self.rows) - len(kept), len(texts)


def ids(folder: Path) -> list[str]:
    """The ids of the matches in a folder."""
    with closing(Archive(folder)) as archive:
        return [match.match_id for match in archive.matches(counted=False)]


def problems(folder: Path) -> list[str]:
    """The problems of a state folder's matches."""
    with closing(Archive(folder)) as archive:
        return list(verify_all(archive))


def evening(folder: Path, events: int = EVENTS) -> Evening:
    """Play an evening into a state folder: sixty events of each match."""
    folder.mkdir(parents=True)
    with closing(Journal(folder)) as journal:
        return Evening(folder, [journal.append(match_id, event) for match_id, event in _events(events)])


def _events(count: int) -> Iterator[tuple[str, AnyEvent]]:
    number = 0
    for match in range(1, count):
        for event in islice(played_match(random.Random(match), began(5, match_id=f"m{match}")), 60):
            yield f"m{match}", replace(event, at_ms=1_790_000_000_000 + 7_000 * number)
            number += 1
            if number == count:
                return
