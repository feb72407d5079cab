"""Tables and a hub over a real Mosquitto: whatever is cut or killed, the hub's record has every row once, in order."""

import random
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from companion.hall.broker import Line
from companion.hall.journal_rows import JournalRows
from companion.hall.protocol.messages import NOTHING_HELD, About, encoded
from companion.hall.protocol.topics import Topics
from companion.hall.signatures import SignedLines
from companion.hall.table_link import OFFLINE, ONLINE, TableLink
from tests.support.hall.broker import MISSING, PASSWORDS, PROGRAM, credentials
from tests.support.hall.ends import HALL, Table, check, holds_all, hub_of, table_of, until
from tests.support.often import TIMES

TABLES = ["1", "2", "3"]
"""The tables that the broker knows."""

pytestmark = pytest.mark.skipif(PROGRAM is None or PASSWORDS is None, reason=MISSING)


@pytest.fixture
def parts() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


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
    link = TableLink(topics, rows, SignedLines(tmp_path / "1"), lambda: None, About("0", "s"), said.append)
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


def test_table_that_starts_again_before_its_hall_was_reached_sends_all_that_it_played_since_it_came(
    tmp_path: Path, player
) -> None:
    one = player("1")
    JournalRows(lambda: one.journal, tmp_path / "1", HALL)
    one.play(300)
    assert len(one.journal.archive.matches(counted=False)) > 2
    rows = JournalRows(lambda: one.journal, tmp_path / "1", HALL)
    assert len(rows.after(NOTHING_HELD, 1000)) == 300


def test_cuts_and_kills_lose_nothing(parts, tmp_path, broker, player) -> None:
    rng = random.Random(TIMES)
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
