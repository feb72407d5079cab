"""Attacks on a hall over a real Mosquitto: each is refused, and the record stays as it was."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.game.events import RollTyped
from companion.hall.broker import Address, Credentials, Line
from companion.hall.protocol.messages import About, encoded
from companion.hall.protocol.topics import HUB, Topics
from companion.hall.table_link import OFFLINE, ONLINE
from companion.records.rows import GENESIS, Row, row_of
from companion.rules.board import Roll
from companion.service.certificate import own_certificate
from companion.storage.folder import AUTHORITY
from companion.storage.lines import line_of
from tests.support.hall.broker import HOST, MISSING, PASSWORDS, PROGRAM, Broker, credentials
from tests.support.hall.ends import HALL, RunningHub, Table, check, hub_of, table_of, until

TABLES = ["1", "2"]
"""The tables that the broker knows."""

pytestmark = pytest.mark.skipif(PROGRAM is None or PASSWORDS is None, reason=MISSING)


@pytest.fixture
def parts() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


class Thief:
    """A client with a table's credentials that sends what it likes, and notes what it gets."""

    def __init__(self, to: Address, shown: Credentials) -> None:
        self.heard: list[str] = []
        self.said: list[str] = []
        self.line = Line(to, shown, self)
        self.line.start()

    def connected(self, line: Line) -> None:
        self.said.append("connected")
        line.subscribe("#", f"board/v1/{HALL}/+/event", f"board/v1/{HALL}/2/held")

    def disconnected(self, why: str) -> None:
        self.said.append(why)

    def arrived(self, line: Line, topic: str, payload: bytes, after: str) -> None:
        self.heard.append(topic)

    def turned(self, line: Line) -> None:
        pass

    def send(self, hub: RunningHub, *rows: tuple[Row, str]) -> None:
        """Send rows under the own name, each after a digest, and wait until the hub has judged them."""
        topics = Topics(HALL, "1")
        for status in (OFFLINE, ONLINE):
            wanted = "online" if status is ONLINE else "offline"
            self.line.publish(topics.availability, status, retain=True)
            until(lambda wanted=wanted: hub.hub.tables["1"].status == wanted, wanted)
            if status is OFFLINE:
                for row, after in rows:
                    self.line.publish(topics.event, line_of(row).rstrip(b"\n"), after=after)

    def close(self) -> None:
        self.line.close()


def thief_at(parts: ExitStack, broker: Broker, table: Table) -> Thief:
    """A thief with the credentials of a table, whose own program is ended."""
    table.line.close()
    thief = parts.enter_context(closing(Thief(broker.address, credentials(table.name))))
    until(lambda: "connected" in thief.said, "the thief")
    return thief


def following(rows: list[Row]) -> Row:
    """A well-made row that follows the last one."""
    last = rows[-1]
    return row_of(RollTyped(Roll(6, 6)), last.match_id, last.number + 1, last.digest)


def test_table_that_writes_under_another_one_s_name_is_not_heard(parts, tmp_path, broker, player) -> None:
    hub = hub_of(parts, tmp_path, broker)
    one, two = (table_of(parts, player, broker, name, seed) for name, seed in (("1", 1), ("2", 2)))
    one.play(5)
    two.play(5)
    check(hub, one, two)
    theirs = Topics(HALL, "2")
    rows, born = hub.rows("2"), hub.hub.tables["2"].about
    forged = following(rows)
    one.line.publish(theirs.event, line_of(forged).rstrip(b"\n"), after=rows[-1].digest)
    one.line.publish(theirs.availability, OFFLINE, retain=True)
    one.line.publish(theirs.about, encoded(About("9", "forged")), retain=True)
    one.line.publish(f"board/v1/{HALL}/{HUB}/event", line_of(forged).rstrip(b"\n"))
    one.play(5)  # sent after them on the same connection
    check(hub, one)
    assert hub.rows("2") == rows
    assert (hub.hub.tables["2"].status, hub.hub.tables["2"].about) == ("online", born)
    assert set(hub.hub.tables) == {"1", "2"}
    two.play(5)
    check(hub, two)


def test_table_hears_nothing_of_the_others(parts, tmp_path, broker, player) -> None:
    hub = hub_of(parts, tmp_path, broker)
    one, two = (table_of(parts, player, broker, name, seed) for name, seed in (("1", 1), ("2", 2)))
    one.play(2)
    check(hub, one)
    thief = thief_at(parts, broker, one)
    two.play(20)
    check(hub, two)
    thief.send(hub)
    until(lambda: Topics(HALL, "1").held in thief.heard, "its own answer")
    assert set(thief.heard) == {Topics(HALL, "1").held}


def replaced(rows: list[Row]) -> tuple[Row, str]:
    """Another roll in the place of one that is held, its digest computed anew."""
    at = len(rows) // 2
    forged = row_of(RollTyped(Roll(6, 6)), rows[at].match_id, rows[at].number, rows[at - 1].digest)
    return forged, rows[-1].digest


def altered(rows: list[Row]) -> tuple[Row, str]:
    """A row that follows, whose content was changed and its digest was not."""
    return replace(following(rows), body='{"dice":[6,6]}'), rows[-1].digest


def unchained(rows: list[Row]) -> tuple[Row, str]:
    """A row that says to follow another one than the last."""
    last = rows[-1]
    return row_of(RollTyped(Roll(6, 6)), last.match_id, last.number + 1, "f" * 64), last.digest


@pytest.mark.parametrize(
    ("forged", "said"),
    [(replaced, "differs from"), (altered, "has been altered"), (unchained, "does not follow")],
)
def test_forged_result_is_refused_and_named(forged, said, parts, tmp_path, broker, player) -> None:
    hub = hub_of(parts, tmp_path, broker)
    one = table_of(parts, player, broker, "1")
    one.play(30)
    check(hub, one)
    rows = hub.rows("1")
    thief_at(parts, broker, one).send(hub, forged([row for row in rows if row.match_id == rows[-1].match_id]))
    assert said in hub.hub.tables["1"].fault
    assert hub.store.faults() == {"1": hub.hub.tables["1"].fault}
    assert hub.rows("1") == rows
    assert hub.store.problems("1") == []


def test_replayed_week_changes_nothing(parts, tmp_path, broker, player) -> None:
    hub = hub_of(parts, tmp_path, broker)
    one = table_of(parts, player, broker, "1")
    one.play(300)
    check(hub, one)
    rows, held = hub.rows("1"), hub.hub.tables["1"].held
    assert len({row.match_id for row in rows}) > 2
    after = [GENESIS, *(row.digest for row in rows)]
    again = list(zip(rows, after, strict=False))
    thief = thief_at(parts, broker, one)
    thief.send(hub, *again, *reversed(again), *again[:50])
    assert hub.rows("1") == rows
    assert (hub.hub.tables["1"].held, hub.hub.tables["1"].fault) == (held, "")
    thief.close()
    one.restart()
    one.play(20)
    check(hub, one)


@pytest.mark.filterwarnings("ignore:unclosed <ssl:ResourceWarning")  # paho leaves it to the garbage collector
@pytest.mark.parametrize(("name", "vouches"), [("elsewhere.test", "own"), (HOST, "other")])
def test_broker_with_a_certificate_for_another_name_or_of_another_authority_is_none(
    name: str, vouches: str, tmp_path: Path
) -> None:
    certificate = own_certificate(tmp_path / "own", [name])
    own_certificate(tmp_path / "other", [name])
    broker = Broker(tmp_path / "broker", HALL, ["1"], certificate)
    broker.start()
    try:
        authority = (tmp_path / vouches / AUTHORITY).read_text()
        known = credentials("1")
        with closing(Thief(broker.address, Credentials(known.user, known.password, authority))) as table:
            until(lambda: bool(table.said), "an answer")
            assert "certificate" in table.said[0].lower()
    finally:
        broker.kill()


@pytest.mark.filterwarnings("ignore:unclosed <ssl:ResourceWarning")
def test_broker_without_tls_where_tls_is_wanted_gets_no_password(tmp_path: Path) -> None:
    authority = own_certificate(tmp_path, [HOST]).with_name(AUTHORITY).read_text()
    known, got = credentials("1"), list[bytes]()
    with socket.create_server((HOST, 0)) as listener:

        def answer() -> None:
            there, _ = listener.accept()
            with there:
                got.append(there.recv(65536))
                there.sendall(b"\x20\x03\x00\x00\x00")  # what a broker answers that takes a plain connection

        threading.Thread(target=answer, daemon=True).start()
        address = Address(HOST, listener.getsockname()[1], tls=True)
        with closing(Thief(address, Credentials(known.user, known.password, authority))) as table:
            until(lambda: bool(table.said), "an answer")
    assert got[0][:2] == b"\x16\x03"  # a TLS handshake, and nothing else
    assert known.password.encode() not in b"".join(got)
