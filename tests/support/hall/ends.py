"""A table and a hub over a real Mosquitto, each on a cable of its own that can be cut."""

import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from companion.hall.broker import Line
from companion.hall.hub import Hub
from companion.hall.journal_rows import JournalRows
from companion.hall.picture_sender import PictureSender
from companion.hall.pictures import PictureRules
from companion.hall.protocol.messages import About
from companion.hall.protocol.topics import HUB, Topics
from companion.hall.record.databases import SqliteDatabase
from companion.hall.record.store import Store
from companion.hall.signatures import SignedLines
from companion.hall.table_link import OFFLINE, TableLink
from companion.records.rows import Row
from tests.hall.conftest import Player
from tests.support.hall.broker import Broker, Cable, credentials

HALL = "club"
PATIENCE_S = 60.0


def store_in(file: Path) -> Store:
    """The record in a file."""
    return Store(SqliteDatabase(file))


def until(true: Callable[[], bool], what: str) -> None:
    """Wait until something is true."""
    end_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end_s, what
        time.sleep(0.02)


class Table:
    """A table with its journal, linked to the hall over a cable of its own."""

    def __init__(
        self,
        name: str,
        player: Player,
        broker: Broker,
        load: Callable[[str], bytes | None] = lambda name: None,
        gives: bool = True,
    ) -> None:
        self.name, self.player = name, player
        self._load, self._gives = load, gives
        self.view: Mapping[str, Any] | None = None  # the page's state
        self.cable = Cable(broker.address)
        self._folder = player.journal.path.parent
        self.log: list[str] = []
        self.line = self._linked()

    def _linked(self) -> Line:
        topics = Topics(HALL, self.name)
        rows = JournalRows(lambda: self.player.journal, self._folder, HALL)
        link = TableLink(
            topics,
            rows,
            SignedLines(self._folder),
            lambda: self.view,
            About("0", str(time.monotonic())),
            self.log.append,
            pictures=PictureSender(rows, self._load, self._gives),
        )
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

    def __init__(self, folder: Path, broker: Broker, rules: PictureRules = PictureRules()) -> None:  # noqa: B008
        self._rules = rules
        self.cable, self._file = Cable(broker.address), folder / "hall.sqlite"
        self.log: list[str] = []
        self._begin()

    def _begin(self) -> None:
        self.store = store_in(self._file)
        self.hub = Hub(HALL, self.store, lambda tables: None, self.log.append, pictures=self._rules)
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
        with closing(store_in(self._file)) as store:
            return [row for match in store.matches(table) for row in store.rows(table, match)]


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
        until(lambda table=table, rows=rows: hub.rows(table.name)[-1:] == rows[-1:], "the commit")
        assert hub.rows(table.name) == rows[-len(hub.rows(table.name)) :]
        assert hub.store.problems(table.name) == []
