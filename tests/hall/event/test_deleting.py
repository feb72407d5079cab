"""A match deleted at the hub: nothing of it is left but the line that says so, and its table does not bring it back."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.game.events import OpeningThrown
from companion.hall.hub import Hub
from companion.hall.protocol.pairings import Pairing
from companion.hall.record.databases import Database, SqliteDatabase, StoreError, database_of
from companion.hall.record.deletion_list import Deleted
from companion.hall.record.store import Store
from companion.records.rows import GENESIS, Row, row_of
from companion.storage.lines import line_of
from tests.support.hall.postgres import Postgres, missing
from tests.support.selfplay import began

START_MS = 1_770_000_000_000
TABLES = ("event", "statement", "picture", "picture_asked", "match_list", "pairing")


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    if request.param == "sqlite":
        return SqliteDatabase(tmp_path / "hall.sqlite")
    if missing():
        pytest.skip(missing())
    server: Postgres = request.getfixturevalue("server")
    one = database_of(server.store)
    for table in (
        "picture",
        "picture_asked",
        "event",
        "statement",
        "match_list",
        "pairing",
        "hook",
        "deletion",
    ):
        one.ask(f"DROP TABLE IF EXISTS {table}")
    return one


@pytest.fixture
def store(database: Database) -> Iterator[Store]:
    with closing(Store(database)) as one:
        yield one


def chain(*matches: str, pairing: str = "") -> list[Row]:
    """A match's begin and opening throw, for each."""
    rows: list[Row] = []
    for match in matches:
        events = (
            began(5, "modern", START_MS, match, "Ann", "Ben"),
            OpeningThrown((6,), (1,), at_ms=START_MS + 1),
        )
        for number, event in enumerate(events, 1):
            rows.append(row_of(event, match, number, rows[-1].digest if rows else GENESIS))
    return rows


ROWS = chain("m1", "m2", "m3")


def filled(store: Store, database: Database) -> None:
    """Three matches, of the second a picture, a signature, a pairing and a result that waits to be posted."""
    for row in ROWS:
        store.add("1", row)
    store.commit()
    store.pairings.put([Pairing("1", "1", "Ann", "Ben"), Pairing("2", "1", "Ann", "Eva")])
    database.ask("UPDATE pairing SET match = 'm2' WHERE round = '1'")
    database.ask("INSERT INTO picture VALUES ('1', 'm2', 2, 0, 3, ?)", b"abc")
    database.ask("INSERT INTO picture_asked VALUES ('1', 'm2', 1, 0, 'director', '')")
    database.ask("INSERT INTO statement VALUES ('1', 'm2', 2, 'x', '{}')")
    for match in ("m2", "m20"):
        store.hooks.put(f"result.1.{match}.{'0' * 16}", '{"south": "Ann"}', 0)


def test_nothing_is_left_of_a_match_but_the_line_without_names(store: Store, database: Database) -> None:
    filled(store, database)
    assert store.delete("1", "m2", 77)
    for table in TABLES:
        left = database.ask(f"SELECT count(*) FROM {table} WHERE board = '1' AND match = 'm2'")
        assert [tuple(one) for one in left] == [(0,)], table
    assert store.deletions.of("1") == [Deleted("m2", ROWS[2].previous, ROWS[3].digest, 2, 77)]
    assert store.matches("1") == ["m1", "m3"]
    assert store.rows("1", "m1") + store.rows("1", "m3") == [*ROWS[:2], *ROWS[4:]]
    assert store.problems("1") == []
    assert [one.round for one in store.pairings.all()] == ["2"]
    waiting = store.hooks.first()
    assert waiting is not None
    assert waiting.id.startswith("result.1.m20.")  # another match, whose name begins alike
    assert not store.delete("1", "m2", 78)
    assert not store.delete("2", "m1", 78)


def test_deletion_that_fails_deletes_nothing(store: Store, database: Database) -> None:
    filled(store, database)
    database.ask("DROP TABLE hook")
    with pytest.raises(StoreError):
        store.delete("1", "m2", 77)
    assert store.rows("1", "m2") == ROWS[2:4]
    assert store.deletions.of("1") == []


class Post:
    """A line that keeps what is published."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, bytes]] = []

    def publish(self, topic: str, payload: bytes, *, after: str = "", retain: bool = False) -> None:
        self.sent.append((topic, payload))

    def subscribe(self, *topics: str) -> None:
        pass


def test_table_that_sends_a_deleted_match_again_does_not_bring_it_back(store: Store) -> None:
    line, log = Post(), list[str]()
    for row in ROWS[:4]:
        store.add("1", row)
    store.commit()
    store.delete("1", "m1", 77)
    hub = Hub("club", store, lambda tables: None, log.append)
    hub.connected(line)
    after = ""
    for row in ROWS:  # its journal was put back, or the hub's answer was lost
        hub.arrived(line, "board/v1/club/1/event", line_of(row).rstrip(b"\n"), after)
        after = row.digest
    hub.turned(line)
    assert store.matches("1") == ["m2", "m3"]
    assert store.rows("1", "m2") + store.rows("1", "m3") == ROWS[2:]
    held = [json.loads(payload) for topic, payload in line.sent if topic.endswith("/held")]
    assert held[-1]["digest"] == ROWS[-1].digest
    assert (log, store.faults()) == ([], {})
