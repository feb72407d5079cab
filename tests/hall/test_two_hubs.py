"""Two hubs on one record: one writes it, the other one waits and takes its place; nothing is lost or doubled."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path

import pytest

from companion.hall.record.databases import SQLITE, AnotherHubError, StoreError, database_of
from companion.hall.record.store import Store
from companion.records.rows import GENESIS, row_of
from companion.service.hall import hub as hub_module
from companion.settings import HallSettings, Settings
from tests.support.hall.broker import MISSING, PASSWORDS, PROGRAM, Broker, hub_settings
from tests.support.hall.ends import HALL, Table, table_of, until
from tests.support.hall.postgres import Postgres, missing
from tests.support.often import TIMES
from tests.support.running import PATIENCE_S, Visitor, companion
from tests.support.selfplay import began

needs_postgres = pytest.mark.skipif(bool(missing()), reason=missing())
needs_broker = pytest.mark.skipif(PROGRAM is None or PASSWORDS is None, reason=MISSING)
_NUMBERS = count(1)
WAITS = "Another hub writes the hall's record in PostgreSQL. This one waits to take its place."


@pytest.fixture
def record(server: Postgres) -> str:
    """An empty record's address."""
    name = f"record_{next(_NUMBERS)}"
    with closing(database_of(server.store)) as database:
        database.ask(f"CREATE DATABASE {name}")
    return server.store.replace("/postgres?", f"/{name}?")


def cut(record: str) -> None:
    """Have the server end the connection that holds the record, as a lost network would."""
    with closing(database_of(record)) as other:
        assert other.ask(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database = "
            "(SELECT oid FROM pg_database WHERE datname = current_database())"
        ) == [(True,)]
        until(
            lambda: (
                not other.ask(
                    "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND database = "
                    "(SELECT oid FROM pg_database WHERE datname = current_database())"
                )
            ),
            "the end",
        )


# The connection that writes


@needs_postgres
def test_one_connection_writes_and_what_it_had_not_committed_goes_with_it(record: str) -> None:
    first = row_of(began(5, match_id="m1"), "m1", 1, GENESIS)
    with closing(Store(database_of(record, alone=True))) as one:
        with pytest.raises(AnotherHubError):
            database_of(record, alone=True)
        with closing(Store(database_of(record, read_only=True))) as reader:  # others read beside it
            one.add("1", first)
            cut(record)
            with closing(Store(database_of(record, alone=True))) as two:
                with pytest.raises(StoreError):
                    one.commit()
                for _ in range(2):
                    with pytest.raises(AnotherHubError):
                        one.check()
                    with pytest.raises(AnotherHubError):
                        one.add("1", first)
                assert reader.held() == {}
                two.add("1", first)
                two.commit()
            one.check()  # the other one has ended
            with pytest.raises(AnotherHubError):
                database_of(record, alone=True)
            assert one.digest_at("1", "m1", 1) == first.digest


def test_second_hub_on_a_file_is_refused_also_from_another_folder(tmp_path: Path) -> None:
    store = f"{SQLITE}{tmp_path / 'hall.sqlite'}"
    with closing(database_of(store, alone=True)):
        with pytest.raises(AnotherHubError, match="Another hub writes the record"):
            database_of(store, alone=True)
        database_of(store, read_only=True).close()
    database_of(store, alone=True).close()


@needs_broker
@pytest.mark.parametrize("is_named", [True, False])
def test_second_program_on_a_file_ends_in_a_sentence(tmp_path: Path, broker: Broker, is_named: bool) -> None:
    file = hub_settings(tmp_path, HALL, broker)
    if is_named:
        file.write_text(file.read_text() + f'store = "{SQLITE}{tmp_path / "one.sqlite"}"\n')
    hall = ("hall", "--config", str(file))
    with companion(*hall, home=tmp_path / "one"):
        folder = tmp_path / ("two" if is_named else "one")
        second = subprocess.run(
            [sys.executable, "-m", "companion", *hall],
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
            env={**os.environ, "XDG_STATE_HOME": str(folder), "STATE_DIRECTORY": ""},
        )
        assert (second.returncode, second.stderr.count("\n")) == (2, 1)
        assert "Another hub writes the record" in second.stderr


# The programs


class Hubs:
    """Hubs of one record as processes; the one that writes, and those that wait."""

    def __init__(self, folder: Path, file: Path) -> None:
        self._folder, self._file, self._number = folder, file, 0
        self.waiting: list[Waiting] = []

    def more(self, home: str = "") -> "Waiting":
        """Another hub, on another machine if it has another home."""
        self._number += 1
        one = Waiting(self._file, self._folder / (home or f"hub-{self._number}"))
        self.waiting.append(one)
        return one

    def close(self) -> None:
        for one in self.waiting:
            one.kill()


class Waiting:
    """A hub that may wait for another one."""

    def __init__(self, file: Path, home: Path) -> None:
        self.lines: list[str] = []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", "hall", "--config", str(file)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={**os.environ, "XDG_STATE_HOME": str(home), "STATE_DIRECTORY": ""},
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip())

    @property
    def links(self) -> list[str]:
        """The links printed so far, one each time that it began to write."""
        return [line for line in self.lines if "/join/" in line]

    @property
    def waits(self) -> int:
        """How often it has said that it waits."""
        return sum(line == WAITS for line in self.lines)

    def kill(self) -> None:
        """Kill it, as a power cut does."""
        self.process.kill()
        self.process.wait(PATIENCE_S)
        self._reader.join(PATIENCE_S)
        if self.process.stdout is not None:
            self.process.stdout.close()


@pytest.fixture
def hubs(tmp_path: Path, broker: Broker, record: str) -> Iterator[Hubs]:
    file = hub_settings(tmp_path, HALL, broker)
    file.write_text(file.read_text() + f'store = "{record}"\n')
    with closing(Hubs(tmp_path, file)) as some:
        yield some


def compared(record: str, table: Table) -> None:
    """Everything is held, once, in order, and the chains hold."""
    with closing(Store(database_of(record, read_only=True))) as store:
        last = table.player.journal.last_digest
        until(lambda: (held := store.held().get(table.name)) is not None and held.digest == last, "all of it")
        kept = [row for match in store.matches(table.name) for row in store.rows(table.name, match)]
        assert kept == table.rows()
        assert store.problems(table.name) == []
        ordinals = store._ask("SELECT ordinal FROM event WHERE board = ? ORDER BY ordinal", table.name)
        assert [one for (one,) in ordinals] == list(range(1, len(kept) + 1))


def test_hub_whose_server_goes_away_while_it_begins_begins_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    troubles = [StoreError("The record is gone."), AnotherHubError("Another hub writes.")]
    tried = list[str]()

    class Begins:
        def __init__(self, settings: Settings, folder: Path) -> None:
            tried.append(settings.hall.store)
            if troubles:
                raise troubles.pop(0)

        def run(self) -> bool:
            return False

    monkeypatch.setattr(hub_module, "HallApp", Begins)
    monkeypatch.setattr(hub_module, "AGAIN_S", 0.0)
    server = Settings(hall=HallSettings("mqtt://localhost", "club", store="postgresql:///hall"))
    hub_module.run_hub(server, tmp_path)
    assert len(tried) == 3
    for store, error in (
        ("postgresql:///hall", StoreError("It is none.", is_final=True)),
        ("", StoreError("The disk is full.")),
    ):
        troubles.append(error)
        with pytest.raises(StoreError):
            hub_module.run_hub(Settings(hall=HallSettings("mqtt://localhost", "club", store=store)), tmp_path)


@needs_postgres
@needs_broker
def test_hub_that_waits_takes_the_place_of_a_killed_one_and_nothing_is_lost(
    tmp_path: Path, broker: Broker, player, record: str, hubs: Hubs
) -> None:
    rng = random.Random(21)
    with ExitStack() as parts:
        table = table_of(parts, player, broker, "1")
        writes = hubs.more()
        until(lambda: writes.links, f"the first hub: {writes.lines}")
        for _ in range(3 * TIMES):
            waits = hubs.more()
            until(lambda waits=waits: waits.waits == 1, f"the second: {waits.lines}")
            assert waits.links == []
            for _ in range(rng.randint(20, 60)):
                table.play(rng.randint(1, 4))
                time.sleep(0.005)
            writes.kill()  # kill -9, with events under way
            table.play(10)
            until(lambda waits=waits: waits.links, f"the takeover: {waits.lines}")
            writes = waits
        compared(record, table)
        assert Visitor(writes.links[0]).get("/desk")[0] == 200


@needs_postgres
@needs_broker
def test_hub_that_lost_its_record_to_another_ends_its_pages_and_waits(
    tmp_path: Path, broker: Broker, player, record: str, hubs: Hubs
) -> None:
    with ExitStack() as parts:
        table = table_of(parts, player, broker, "1")
        one = hubs.more()
        until(lambda: one.links, f"the first hub: {one.lines}")
        two = hubs.more()
        until(lambda: two.waits == 1, f"the second: {two.lines}")
        table.play(30)
        visitor = Visitor(one.links[0])
        one.process.send_signal(signal.SIGSTOP)  # as a machine that stands still
        cut(record)
        until(lambda: two.links, f"the takeover: {two.lines}")
        table.play(30)
        one.process.send_signal(signal.SIGCONT)
        until(lambda: one.waits == 1, f"the first: {one.lines}")
        with pytest.raises(ConnectionError):
            visitor.get("/desk")
        table.play(30)
        compared(record, table)
        two.kill()
        until(lambda: len(one.links) == 2, f"{one.lines}")
        table.play(5)
        compared(record, table)


@needs_postgres
@needs_broker
def test_hub_waits_also_on_the_same_machine_with_the_same_codes(hubs: Hubs, tmp_path: Path) -> None:
    one = hubs.more("same")
    until(lambda: one.links, f"the first hub: {one.lines}")
    two = hubs.more("same")
    until(lambda: two.waits == 1, f"the second: {two.lines}")
    one.kill()
    until(lambda: two.links, f"the takeover: {two.lines}")
    assert two.links[0].rpartition("/")[2] == one.links[0].rpartition("/")[2]
    two.process.terminate()
    assert two.process.wait(PATIENCE_S) == 0
