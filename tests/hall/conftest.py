"""Journals with matches, for the tests of the hall."""

import random
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.game.events import AnyEvent, RollTyped
from companion.rules.board import Roll
from companion.storage.journal import Journal
from tests.support.hall.broker import Broker
from tests.support.hall.postgres import Postgres
from tests.support.hall.program import HALL
from tests.support.selfplay import began


class Player:
    """Writes matches of some sixty events into a journal; to the hall an event is a row, whatever it says."""

    def __init__(self, journal: Journal, seed: int) -> None:
        self.journal, self._events = journal, self._matches(seed)

    @staticmethod
    def _matches(seed: int) -> Iterator[tuple[str, AnyEvent]]:
        rng = random.Random(seed)
        for number in count(1):
            match_id, at_ms = f"m{seed}-{number:03d}", 1_700_000_000_000 + 1_000_000 * number
            yield match_id, began(1, at_ms=at_ms, match_id=match_id)
            for roll in range(rng.randint(1, 120)):
                die = lambda: rng.randint(1, 6)  # noqa: E731
                yield match_id, RollTyped(Roll.of(die(), die()), at_ms=at_ms + roll, by="scorekeeper")

    def play(self, events: int = 1) -> None:
        """Write so many events."""
        for _ in range(events):
            self.journal.append(*next(self._events))


@pytest.fixture
def player(tmp_path: Path) -> Iterator[Callable[..., Player]]:
    """Makes players at tables of their own, by the table's name."""
    players = []

    def made(name: str = "1", seed: int = 1) -> Player:
        (tmp_path / name).mkdir(exist_ok=True)
        players.append(Player(Journal(tmp_path / name), seed))
        return players[-1]

    yield made
    for one in players:
        one.journal.close()


@pytest.fixture
def broker(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Broker]:
    """A broker that knows the module's TABLES, else table 1."""
    one = Broker(tmp_path / "broker", HALL, getattr(request.module, "TABLES", ["1"]))
    one.start()
    yield one
    one.kill()


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    """A PostgreSQL of the test's own, ended with its module."""
    with TemporaryDirectory(prefix="companion-pg-") as folder:  # pytest's own can be entered by its user only
        one = Postgres(Path(folder))
        try:
            yield one
        finally:
            one.kill()
