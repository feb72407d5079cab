"""Tables and a hub over a real Mosquitto: whatever is cut or killed, the hub's record has every row once, in order."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from companion.hall.broker import Line
from companion.hall.hub import Hub
from companion.hall.journal_rows import JournalRows
from companion.hall.protocol.messages import About, encoded
from companion.hall.protocol.topics import HUB, Topics
from companion.hall.store import Store
from companion.hall.table_link import OFFLINE, ONLINE, TableLink
from companion.records.rows import Row
from tests.hall.conftest import Player
from tests.support.broker import MISSING, PASSWORDS, PROGRAM, Broker, Cable, credentials
from tests.support.often import TIMES

pytestmark = pytest.mark.skipif(PROGRAM is None or PASSWORDS is None, reason=MISSING)
HALL = "club"
PATIENCE_S = 60.0


def until(true: Callable[[], bool], what: str) -> None:
    """Wait until something is true."""
    end_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end_s, what
        time.sleep(0.02)


class Table:
    """A table with its journal, linked to the hall over a cable of its own."""

    def __init__(self, name: str, player: Player, broker: Broker) -> None:
        self.name, self.player = name, player
        self.cable = Cable(broker.address)
        self._folder = player.journal.path.parent
        self.log: list[str] = []
        self.line = self._linked()

    def _linked(self) -> Line:
        topics = Topics(HALL, self.name)
        rows = JournalRows(lambda: self.player.journal, self._folder, HALL)
        link = TableLink(topics, rows, lambda: None, About("0", str(time.monotonic())), self.log.append)
        will = topics.availability, OFFLINE
        line = Line(self.cable.address, credentials(self.name), link, will)
        line.start()
        return line

    def play(self, events: int) -> None:
        """Write events, and tell the link as the page does."""
        self.player.play(events)
        self.line.wake()

    def restart(self) -> None:
        """End the program and start it again."""
        self.line.close()
        self.line = self._linked()

    def rows(self) -> list[Row]:
        """All rows of its journal."""
        archive = self.player.journal.archive
        return [row for match in archive.matches(counted=False) for row in archive.rows(match.match_id)]

    def close(self) -> None:
        self.line.close()
        self.cable.close()


class RunningHub:
    """A hub with its store, over a cable of its own."""

    def __init__(self, folder: Path, broker: Broker) -> None:
        self.cable, self._file = Cable(broker.address), folder / "hall.sqlite"
        self.log: list[str] = []
        self._begin()

    def _begin(self) -> None:
        self.store = Store(self._file)
        self.hub = Hub(HALL, self.store, lambda tables: None, self.log.append)
        self.line = Line(self.cable.address, credentials(HUB), self.hub)
        self.line.start()

    def restart(self) -> None:
        """Lose all that is not on disk, as a killed program does, and start again."""
        self.close_line()
        self._begin()

    def close_line(self) -> None:
        self.line.close()
        self.store.close()

    def close(self) -> None:
        self.close_line()
        self.cable.close()

    def rows(self, table: str) -> list[Row]:
        """The rows of a table in the order in which they were taken."""
        with closing(Store(self._file)) as store:
            return [row for match in store.matches(table) for row in store.rows(table, match)]


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    one = Broker(tmp_path / "broker", HALL, ["1", "2", "3"])
    one.start()
    yield one
    one.kill()


@pytest.fixture
def parts() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def hub_of(parts: ExitStack, tmp_path: Path, broker: Broker) -> RunningHub:
    return parts.enter_context(closing(RunningHub(tmp_path, broker)))


def table_of(parts: ExitStack, player, broker: Broker, name: str, seed: int = 1) -> Table:
    return parts.enter_context(closing(Table(name, player(name, seed), broker)))


def holds_all(hub: RunningHub, table: Table) -> bool:
    held, last = hub.hub.tables.get(table.name), table.player.journal.last_digest
    return held is not None and held.held.digest == last


def check(hub: RunningHub, *tables: Table) -> None:
    """Everything arrives, once and in order, and each chain holds."""
    for table in tables:
        until(lambda table=table: holds_all(hub, table), f"{table.name}: {table.log} {hub.log}")
        rows = table.rows()
        assert hub.rows(table.name) == rows[-len(hub.rows(table.name)) :]
        assert hub.store.problems(table.name) == []


def test_events_reach_the_hub_as_they_are_played(parts, tmp_path, broker, player) -> None:
    hub = hub_of(parts, tmp_path, broker)
    table = table_of(parts, player, broker, "1")
    table.play(30)
    check(hub, table)
    assert hub.rows("1") == table.rows()
    assert hub.hub.tables["1"].status == "online"
    table.line.close()
    until(lambda: hub.hub.tables["1"].status == "offline", "the last will")


def test_what_was_played_before_the_hall_is_not_its_business(parts, tmp_path, broker, player) -> None:
    hub, one = hub_of(parts, tmp_path, broker), player("1")
    while one.journal.last_match_id != "m1-003":
        one.play()
    table = parts.enter_context(closing(Table("1", one, broker)))
    until(lambda: holds_all(hub, table), "the first match of the hall")
    assert {row.match_id for row in hub.rows("1")} == {"m1-003"}
    while one.journal.last_match_id != "m1-005":
        table.play(1)
    check(hub, table)
    assert {row.match_id for row in hub.rows("1")} == {"m1-003", "m1-004", "m1-005"}


def test_table_that_was_away_for_a_week_catches_up(parts, tmp_path, broker, player) -> None:
    hub = hub_of(parts, tmp_path, broker)
    table = table_of(parts, player, broker, "1")
    table.play(3)
    check(hub, table)
    table.line.close()
    table.player.play(500)
    table.restart()
    check(hub, table)
    assert hub.rows("1") == table.rows()


def test_new_hub_gets_all_again_from_the_first_match_of_the_hall(parts, tmp_path, broker, player) -> None:
    hub = hub_of(parts, tmp_path, broker)
    table = table_of(parts, player, broker, "1")
    table.play(200)
    check(hub, table)
    other = tmp_path / "other"
    hub.line.close()
    anew = hub_of(parts, other, broker)
    check(anew, table)
    assert anew.rows("1") == table.rows()


def test_journal_that_was_put_back_goes_on_with_the_next_match(parts, tmp_path, broker, player) -> None:
    hub = hub_of(parts, tmp_path, broker)
    table = table_of(parts, player, broker, "1")
    table.play(40)
    check(hub, table)
    before = hub.rows("1")
    match = before[-1].match_id
    table.line.close()
    file = sorted((tmp_path / "1" / "matches").glob("*.jsonl"))[-1]
    lines = file.read_bytes().splitlines(keepends=True)
    last = len(lines) - min(3, len(lines) - 1)
    table.player.journal.close()
    file.write_bytes(b"".join(lines[:last]))
    again = parts.enter_context(closing(Table("1", player("1", seed=2), broker)))
    again.play(300)
    until(lambda: holds_all(hub, again), f"{again.log} {hub.log}")
    rows = hub.rows("1")
    assert rows[: len(before)] == before
    assert {row.match_id for row in rows[len(before) :]} >= {"m2-001", "m2-002"}
    assert hub.store.problems("1") == []
    assert match not in {row.match_id for row in rows[len(before) :]}


def test_table_cannot_write_as_another_one(parts, tmp_path, broker, player) -> None:
    hub = hub_of(parts, tmp_path, broker)
    one, two = (table_of(parts, player, broker, name, seed) for name, seed in (("1", 1), ("2", 2)))
    one.play(5)
    two.play(5)
    check(hub, one, two)
    for topic in (Topics(HALL, "2").availability, Topics(HALL, "2").held):
        one.line.publish(topic, OFFLINE, retain=True)
    two.play(5)
    one.play(5)
    check(hub, one, two)
    assert hub.hub.tables["2"].status == "online"


def test_wrong_password_is_said_once_and_let_nowhere_in(parts, tmp_path, broker, player) -> None:
    hub = hub_of(parts, tmp_path, broker)
    said: list[str] = []
    topics = Topics(HALL, "1")
    rows = JournalRows(lambda: player("1").journal, tmp_path / "1", HALL)
    link = TableLink(topics, rows, lambda: None, About("0", "s"), said.append)
    wrong = credentials("1").__class__("1", "wrong")
    with closing(Line(broker.address, wrong, link)) as line:
        line.start()
        until(lambda: bool(said), "the refusal")
        assert "Not authorized" in said[0]
    assert "1" not in hub.hub.tables


def test_retained_messages_outlive_the_broker(parts, tmp_path, broker, player) -> None:
    table = table_of(parts, player, broker, "1")
    until(lambda: table.line._client is not None and table.line._client.is_connected(), "a connection")
    time.sleep(1.5)  # Mosquitto writes its file once a second
    broker.kill()
    broker.start()
    hub = hub_of(parts, tmp_path, broker)
    until(lambda: hub.hub.tables.get("1") is not None and hub.hub.tables["1"].about is not None, "the birth")
    assert encoded(hub.hub.tables["1"].about)
    assert ONLINE != OFFLINE


def test_cuts_and_kills_lose_nothing(parts, tmp_path, broker, player) -> None:
    rng = random.Random(21)
    hub = hub_of(parts, tmp_path, broker)
    tables = [table_of(parts, player, broker, str(number), number) for number in (1, 2, 3)]
    ends = [hub, *tables]
    for cut in range(12 * TIMES):
        for table in tables:
            table.play(rng.randint(0, 25))
        time.sleep(rng.choice((0.0, 0.02, 0.1, 0.4)))
        match rng.choice(("table", "table", "cable", "cable", "hub", "hub", "broker")):
            case "table":
                rng.choice(tables).restart()
            case "cable":
                one = rng.choice(ends)
                one.cable.cut()
                rng.choice(tables).play(rng.randint(0, 150))
                one.cable.mend()
            case "hub":
                hub.restart()
            case "broker":
                broker.kill()
                rng.choice(tables).play(rng.randint(0, 150))
                broker.start()
        if cut % 6 == 5:
            check(hub, *tables)
    check(hub, *tables)
    for table in tables:
        assert hub.rows(table.name) == table.rows()
