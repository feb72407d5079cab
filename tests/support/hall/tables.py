"""Simulated tables of a hall: random legal players, a journal on disk, and the link that a real table has."""

import random
from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

from companion.game.events import AnyEvent, DirectorCalled, Undone
from companion.game.state import MatchOver
from companion.game.state_machine import step
from companion.game.table import Table
from companion.hall.broker import Line
from companion.hall.journal_rows import JournalRows
from companion.hall.protocol.messages import About
from companion.hall.protocol.topics import Topics
from companion.hall.signatures import SignedLines
from companion.hall.table_link import OFFLINE, TableLink
from companion.protocol.permissions import Asker
from companion.protocol.view import ServiceStatus, view_of
from companion.storage.journal import Journal
from tests.support.hall.broker import Broker, credentials
from tests.support.selfplay import any_event, began

NAMES = (
    "Ann",
    "Ben",
    "Chiara",
    "Deniz",
    "Eeva",
    "Farid",
    "Gül",
    "Haruka",
    "Ines",
    "Jun",
    "Kemal",
    "Maximiliane von W.",
)
PROFILES = ("modern", "tournament")


class SimulatedTable:
    """A table that plays on and on.

    Attributes:
        events: events played so far.
        matches: matches begun so far.
        log: what its link has said.
        corrects: whether it takes the last event of its match back once it is over, and plays on from there.
    """

    def __init__(self, folder: Path, hall: str, name: str, broker: Broker, seed: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.journal, self.table, self.events, self.log = Journal(folder), Table(), 0, list[str]()
        self._rng, self.corrects, self.matches = random.Random(seed), False, 0
        self._coming = self._played(name)
        topics = Topics(hall, name)
        rows = JournalRows(lambda: self.journal, folder, hall)
        link = TableLink(
            topics, rows, SignedLines(folder), self.view, About("0", f"{name}-{seed}"), self.log.append
        )
        shown = credentials(name, broker.authority)
        self.line = Line(broker.address, shown, link, (topics.availability, OFFLINE))
        self.line.start()

    def view(self) -> Mapping[str, Any]:
        """The page's state."""
        return view_of(self.table, Asker("viewer"), ServiceStatus(seq=self.events))

    def play(self, at_ms: int) -> None:
        """Play an event: on disk, then shown, as the keeper does."""
        match_id, event = self._coming.send(at_ms)
        self.journal.append(match_id, event)
        self.table = step(self.table, event).table
        self.events += 1
        self.line.wake()

    def _played(self, name: str) -> Any:
        played = self._matches(name)
        next(played)
        return played

    def _matches(self, name: str) -> Any:
        at_ms = yield None
        for number in count(1):
            match_id, self.matches = f"{name}-{number:04d}", number
            south, north = self._rng.sample(NAMES, 2)
            length, profile = self._rng.choice((3, 5, 7)), self._rng.choice(PROFILES)
            event: AnyEvent = began(length, profile, at_ms, match_id, south, north)
            at_ms = yield match_id, event
            while (event := self._next(at_ms)) is not None:
                at_ms = yield match_id, event

    @property
    def is_over(self) -> bool:
        """Whether the match on the table is over."""
        return self.table.state is not None and isinstance(self.table.state.phase, MatchOver)

    def _next(self, at_ms: int) -> AnyEvent | None:
        """The next event, now and then a call for the director; None after a match."""
        state = self.table.state
        assert state is not None
        if self.is_over:
            is_corrected, self.corrects = self.corrects, False
            return Undone(at_ms=at_ms) if is_corrected else None
        if state.director:
            return DirectorCalled(over=True, at_ms=at_ms, by="director")
        if self._rng.random() < 0.01:
            return DirectorCalled(at_ms=at_ms, by="scorekeeper")
        return any_event(self.table, self._rng, at_ms)

    def close(self) -> None:
        """End it."""
        self.line.close()
        self.journal.close()


def simulated(folder: Path, hall: str, names: list[str], broker: Broker) -> Iterator[Any]:
    """Tables of these names, each as a context that closes it."""
    for seed, name in enumerate(names):
        yield closing(SimulatedTable(folder / name, hall, name, broker, seed))
