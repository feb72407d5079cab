"""What a table signs reaches the hub, which names each contradiction to the rows; without a broker."""

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

import pytest

from companion.game.events import RollTyped
from companion.hall.hub import TWIN, TWIN_S, Hub
from companion.hall.journal_rows import JournalRows
from companion.hall.protocol.messages import About, encoded
from companion.hall.protocol.topics import Topics
from companion.hall.record.databases import SqliteDatabase, StoreError
from companion.hall.record.store import Store
from companion.hall.signatures import AT_ONCE, SignedLines, message_of
from companion.hall.table_link import TableLink
from companion.records.rows import GENESIS, Row, row_of
from companion.rules.board import Roll
from companion.storage.folder import KEY_FILE, MATCHES, SIGNED
from companion.storage.lines import line_of
from companion.storage.signing import Signing, Statement, read_statements
from tests.hall.conftest import Player

TOPICS = Topics("club", "1")


@dataclass
class Post:
    """Carries each end's messages to the other one, at once and in order; keeps them for the test."""

    sent: list[tuple[str, bytes, str]] = field(default_factory=list)

    def subscribe(self, *topics: str) -> None:
        """All that is sent comes to the other end."""

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, after: str = "") -> None:
        self.sent.append((topic, payload, after))

    def taken(self) -> list[tuple[str, bytes, str]]:
        sent, self.sent = self.sent, []
        return sent


class Hall:
    """A hub and one table that signs, with nothing but a post between them."""

    def __init__(self, folder: Path, player: Player) -> None:
        self.player, self.folder = player, player.journal.path.parent
        self.signing = Signing(self.folder)
        self.signing.begin(player.journal.last_match_id)
        self.store = Store(SqliteDatabase(folder / "hall.sqlite"))
        self.hub = Hub("club", self.store, lambda tables: None, lambda text: None)
        self.up, self.down = Post(), Post()
        rows = JournalRows(lambda: player.journal, self.folder, "club")
        signed = SignedLines(self.folder)
        self.table = TableLink(TOPICS, rows, signed, lambda: None, About("0", "s"), lambda text: None)
        self.connect()

    def connect(self) -> None:
        self.table.connected(self.up)
        self.hub.connected(self.down)
        self.talk()

    def talk(self) -> None:
        """Carry messages until nobody says anything more."""
        while True:
            self.hub.turned(self.down)
            self.table.turned(self.up)
            if not (self.up.sent or self.down.sent):
                return
            for message in self.up.taken():
                self.hub.arrived(self.down, *message)
            self.hub.turned(self.down)
            for message in self.down.taken():
                self.table.arrived(self.up, *message)

    def play(self, events: int = 20, *, sign: bool = True) -> Row:
        """Play, sign the last row, and let all of it arrive."""
        self.player.play(events)
        row = self.player.journal.rows(self.player.journal.last_match_id)[-1]
        if sign:
            self.signing.sign(row)
        self.talk()
        return row

    def send(self, *statements: Statement) -> None:
        """Send these as the table."""
        self.hub.arrived(self.down, TOPICS.signed, message_of(list(statements)), "")
        self.talk()

    @property
    def fault(self) -> str:
        return self.hub.tables["1"].fault


@pytest.fixture
def hall(tmp_path: Path, player) -> Iterator[Hall]:
    one = Hall(tmp_path, player("1"))
    with closing(one.store):
        yield one


def test_what_is_signed_arrives_and_holds(hall: Hall) -> None:
    rows = [hall.play() for _ in range(8)]
    for row in rows:
        [head] = hall.store.heads_at("1", row.match_id, row.number)
        assert head == row.digest
    assert hall.fault == ""
    assert hall.store.problems("1") == []
    assert hall.store.signer("1") == read_statements(hall.folder)[0][0].key


def test_row_that_follows_the_last_one_needs_no_look_at_the_rows_that_are_held(
    hall: Hall, monkeypatch
) -> None:
    hall.play(1, sign=False)
    match, asked, digest_at = hall.player.journal.last_match_id, [], hall.store.digest_at
    monkeypatch.setattr(hall.store, "digest_at", lambda *at: (asked.append(at), digest_at(*at))[1])
    hall.play(6, sign=False)
    assert hall.player.journal.last_match_id == match
    assert hall.store.rows("1", match) == hall.player.journal.rows(match)
    assert len(hall.store.rows("1", match)) >= 7
    assert asked == []
    first = hall.store.rows("1", match)[0]
    hall.hub.arrived(
        hall.down, TOPICS.event, line_of(first).rstrip(b"\n"), GENESIS
    )  # of an earlier one it does ask
    assert asked == [("1", match, 1)]


def test_long_list_arrives_in_parts_and_once(hall: Hall) -> None:
    hall.hub.disconnected("a pause")
    hall.table.disconnected("a pause")
    for _ in range(AT_ONCE + 5):
        hall.player.play(3)
        hall.signing.sign(hall.player.journal.rows(hall.player.journal.last_match_id)[-1])
    hall.connect()
    signed = read_statements(hall.folder)[0]
    assert hall.hub.tables["1"].held.signed == signed[-1].signature
    assert (
        len([one for match in hall.store.matches("1") for one in hall.store.statements("1", match)])
        == len(signed) - 1
    )
    hall.connect()
    assert hall.fault == ""


def test_row_that_was_signed_otherwise_is_named(hall: Hall) -> None:
    row = hall.play()
    other = row_of(RollTyped(Roll(6, 6), at_ms=1), row.match_id, row.number, row.previous)
    hall.signing.sign(other)
    hall.talk()
    assert hall.fault == f"Event {row.number} of match {row.match_id} is not the one that was signed."
    assert hall.store.problems("1") != []


def test_row_that_comes_after_another_signature_is_named(hall: Hall) -> None:
    row = hall.play()
    coming = row_of(RollTyped(Roll(6, 6), at_ms=1), row.match_id, row.number + 1, row.digest)
    hall.signing.sign(row_of(RollTyped(Roll(5, 5), at_ms=1), row.match_id, row.number + 1, row.digest))
    hall.talk()
    assert hall.fault == ""
    hall.hub.arrived(hall.down, TOPICS.event, line_of(coming).rstrip(b"\n"), row.digest)
    assert "is not the one that was signed" in hall.fault


def test_forged_signature_is_named(hall: Hall) -> None:
    row = hall.play()
    good = read_statements(hall.folder)[0][-1]
    hall.send(replace(good, number=row.number + 1, head="f" * 64))
    assert hall.fault == f"Event {row.number + 1} of match {row.match_id} has a signature that is none."
    assert hall.store.heads_at("1", row.match_id, row.number + 1) == []


def test_other_key_is_named_unless_the_table_was_invited_anew(hall: Hall) -> None:
    hall.play()
    (hall.folder / KEY_FILE).unlink()
    hall.signing = Signing(hall.folder)
    hall.signing.begin(hall.player.journal.last_match_id)
    hall.store.forget_signer("1")
    row = hall.play()
    assert hall.fault == ""
    assert hall.store.heads_at("1", row.match_id, row.number) == [row.digest]
    (hall.folder / KEY_FILE).unlink()
    hall.signing = Signing(hall.folder)
    hall.signing.begin(hall.player.journal.last_match_id)
    row = hall.play()
    assert "is signed with another key than the table's" in hall.fault
    assert hall.store.heads_at("1", row.match_id, row.number) == []
    hall.connect()
    assert "another key" in hall.fault
    hall.store.forget_signer("1")  # the remedy that the fault names
    hall.hub.invited("1")
    hall.hub.invited("7")  # which has not been there yet, and is not shown by this
    hall.talk()
    assert (hall.fault, hall.store.faults(), list(hall.hub.tables)) == ("", {"1": ""}, ["1"])
    hall.play()
    assert hall.fault == ""


def test_new_key_alone_is_named_in_a_sentence_of_its_own(hall: Hall) -> None:
    hall.play()
    (hall.folder / KEY_FILE).unlink()
    signing = Signing(hall.folder)
    signing.begin(hall.player.journal.last_match_id)
    hall.send(next(one for one in reversed(read_statements(hall.folder)[0]) if one.about == "key"))
    assert hall.fault == "It signs with another key than the table's; a new invitation would let it in."


def test_two_machines_with_the_name_of_one_table_are_named(tmp_path: Path) -> None:
    """A code that was used twice: the broker lets in the newer one and cuts the older one off, again and again."""
    said, now_s = list[str](), [0.0]
    with closing(Store(SqliteDatabase(tmp_path / "hall.sqlite"))) as store:
        hub = Hub("club", store, lambda tables: None, said.append, now_s=lambda: now_s[0])

        def start(session: str) -> str:
            hub.arrived(Post(), TOPICS.about, encoded(About("0", session)), "")
            hub.turned(Post())
            return str(hub.tables["1"].as_json("1")["fault"])

        assert [start(one) for one in ("a", "b", "b", "c")] == [""] * 4  # one machine, started again
        assert start("b") == TWIN
        assert start("c") == TWIN
        assert said == [f"Table 1: {TWIN}"]
        now_s[0] += TWIN_S + 1
        hub.turned(Post())
        assert hub.tables["1"].as_json("1")["fault"] == ""


def test_match_before_the_hall_is_not_its_business(tmp_path: Path, player) -> None:
    one, signing = player("1"), Signing(tmp_path / "1")
    signing.begin(None)
    while one.journal.last_match_id != "m1-003":
        one.play()
        signing.sign(one.journal.rows(one.journal.last_match_id)[-1])
    hall = Hall(tmp_path, one)
    with closing(hall.store):
        assert hall.store.matches("1") == ["m1-003"]
        assert {
            one.match for one in SignedLines(hall.folder).after("", "m1-003") if one.about == "match"
        } == {"m1-003"}


def test_director_is_told_what_keeps_the_hub_up(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    clock = count(10**9)
    monkeypatch.setattr(hall.hub, "_now_s", lambda: next(clock))
    monkeypatch.setattr(hall.hub, "_show", lambda tables: shown.append(hall.hub.trouble))

    def fail() -> None:
        raise StoreError("The disk is full.")

    hall.play()
    with monkeypatch.context() as broken:
        broken.setattr(hall.store, "commit", fail)
        hall.hub.turned(hall.down)
        hall.hub.turned(hall.down)
    assert shown[-1] == "record"
    hall.play()
    assert shown[-1] == ""
    hall.hub.disconnected("it does not answer")
    assert shown[-1] == "broker"
    hall.connect()
    assert shown[-1] == ""
    assert shown.count("record") == 1  # once, not at each turn


def test_list_that_cannot_be_read_stops_no_row(hall: Hall) -> None:
    (hall.folder / MATCHES / SIGNED).write_bytes(b"\xff\n{}\n[]\n" + b"[" * 99_999 + b"\n")
    row = hall.play(sign=False)
    assert hall.store.digest_at("1", row.match_id, row.number) == row.digest


@pytest.mark.parametrize(
    "payload", [b"", b"[]", b"{}", b"\xff", b"[1]", b"[" * 100_000, b'[{"about":"match"}]']
)
def test_no_message_of_a_table_ends_the_hub(payload: bytes, hall: Hall) -> None:
    for topic in (TOPICS.signed, TOPICS.event, TOPICS.state, TOPICS.about, TOPICS.availability):
        hall.hub.arrived(hall.down, topic, payload, "")
    hall.play()
    assert hall.fault == ""


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_name_that_a_database_cannot_keep_is_refused(name: str, hall: Hall) -> None:
    row = hall.play()
    text = line_of(replace(row, match_id="NAME")).replace(b'"NAME"', json.dumps(name).encode()).rstrip(b"\n")
    hall.hub.arrived(hall.down, TOPICS.event, text, row.digest)
    hall.play()
    assert set(hall.store.matches("1")) <= {"m1-001", "m1-002", "m1-003"}


def test_record_changed_on_the_hubs_disk_is_named(hall: Hall, tmp_path: Path) -> None:
    hall.play()
    database = SqliteDatabase(tmp_path / "hall.sqlite")
    database.ask("UPDATE event SET body = ? WHERE number = 3", '{"dice":[6,6]}')
    database.close()
    assert "Match m1-001: Event 3 has been altered." in hall.store.problems("1")
    hall.hub.report("1", "Match m: x")
    hall.talk()
    assert hall.fault == "Match m: x"
