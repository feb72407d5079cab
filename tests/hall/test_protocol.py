"""The hall's protocol: topics, messages, and the law that nothing is lost, doubled or out of order on any network."""

import random
from collections import deque
from dataclasses import dataclass, field, replace
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game.events import RollTyped
from companion.game.state_machine import step
from companion.game.table import Table
from companion.hall.protocol.holding import Known, Missing, Refused, Taken, judge
from companion.hall.protocol.messages import (
    NOTHING_HELD,
    About,
    Availability,
    BadMessageError,
    Held,
    TableState,
    decoded,
    encoded,
    state_in_short,
)
from companion.hall.protocol.outbox import RETRY_S, WINDOW, Outbox
from companion.hall.protocol.topics import Topics, access_rules, is_name, table_and_kind
from companion.hall.table_link import TableLink
from companion.hall.watch import HallWatch
from companion.protocol.permissions import Asker
from companion.protocol.view import ServiceStatus, camera_view, view_of
from companion.records.rows import GENESIS, Row, problems_of, row_of
from companion.rules.board import Roll
from sentence import say
from tests.support.often import TIMES
from tests.support.selfplay import began


def chain(*lengths: int) -> list[Row]:
    """The rows of matches of these lengths, in the order of the journal."""
    rows: list[Row] = []
    for at, length in enumerate(lengths):
        for number in range(1, length + 1):
            event = RollTyped(Roll(6, 1), at_ms=1000 * at + number)
            rows.append(row_of(event, f"m{at}", number, rows[-1].digest if rows else GENESIS))
    return rows


ROWS = chain(5, 4, 1, 30, 110)
PLACES = {row.digest: at for at, row in enumerate(ROWS)}


@pytest.mark.parametrize(
    ("topic", "found"),
    [
        ("board/v1/club/7/event", ("7", "event")),
        ("board/v1/club/7/about", ("7", "about")),
        ("board/v1/club/7/held", None),
        ("board/v1/club/hub/event", None),
        ("board/v1/club/7/event/x", None),
        ("board/v1/other/7/event", None),
        ("board/v1/club/+/event", None),
        ("x", None),
    ],
)
def test_topic_names_a_table_and_what_it_says(topic, found) -> None:
    assert table_and_kind("club", topic) == found


def test_own_topics_are_understood() -> None:
    topics = Topics("club", "Table-3")
    assert table_and_kind("club", topics.event) == ("Table-3", "event")
    assert table_and_kind("club", topics.state) == ("Table-3", "state")
    assert table_and_kind("club", topics.availability) == ("Table-3", "availability")
    assert topics.held == "board/v1/club/Table-3/held"
    assert not any(map(is_name, ("", "a/b", "+", "#", "ä", "x" * 41)))


def test_access_rules_name_no_topic_of_all_tables_but_for_the_hub() -> None:
    for_tables, for_hub = access_rules("club").split("user hub\n")
    for_hub, for_home = for_hub.split("user home.automation\n")
    assert all(line.startswith("pattern ") and "%u" in line for line in for_tables.split("\n") if line)
    assert [line for line in for_hub.split("\n") if "write" in line] == [
        "topic write board/v1/club/+/held",
        "topic write board/v1/club/+/offer",
        "topic write board/v1/club/+/orders",
        "topic write board/v1/club/+/pictures",
        "topic write homeassistant/binary_sensor/board-club/+/config",
    ]
    assert "topic read board/v1/club/+/held" in for_hub.split("\n")
    assert [line for line in for_home.split("\n") if "write" in line] == [
        "topic readwrite homeassistant/status"
    ]


@pytest.mark.parametrize(
    "data", [b"", b"[]", b"{}", b'{"match": 1}', b"\xff", b"[" * 100_000, b'{"number": "' + b"1" * 300_000]
)
def test_message_that_is_none_is_refused(data) -> None:
    kind = TableState if data == b"{}" else Held
    with pytest.raises(BadMessageError):
        decoded(data, kind)


class Post:
    """A line that keeps what is published, as a broker does."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, bytes]] = []

    def publish(self, topic: str, payload: bytes, *, after: str = "", retain: bool = False) -> None:
        assert retain, topic
        self.sent.append((topic, payload))

    def subscribe(self, *topics: str) -> None:
        pass


def test_table_says_what_it_plays_with_again_when_that_changes() -> None:
    shown: list[dict | None] = [None]
    topics, line = Topics("club", "7"), Post()
    nothing = SimpleNamespace(after=None, first=None)  # nothing is asked of them before the hub has answered
    usual = About("1.2", "s", profile="modern")
    link = TableLink(topics, nothing, nothing, lambda: shown[0], usual, lambda text: None)

    def said() -> list[About]:
        link.turned(line)
        found = [decoded(payload, About) for topic, payload in line.sent if topic == topics.about]
        line.sent.clear()
        return found

    link.connected(line)
    assert said() == [usual]
    view = view_of(Table(), Asker("viewer"), ServiceStatus(seq=1))
    shown[0] = view
    assert said() == [About("1.2", "s", "none", "modern")]
    shown[0] = {**view, "seq": 2}
    assert said() == []
    begun = step(Table(), began(5, "tournament", 0)).table
    lost = camera_view("lost", say("The camera shows no picture at the moment."))
    shown[0] = view_of(begun, Asker("viewer"), ServiceStatus(seq=3, camera=lost))
    assert said() == [About("1.2", "s", "lost", "tournament")]
    link.disconnected("cut")
    link.connected(line)
    assert said() == [About("1.2", "s", "lost", "tournament")]
    assert decoded(b'{"version": "1", "session": "former"}', About) == About("1", "former")


def test_process_for_spectators_shows_what_the_hub_has_on_disk_and_says_nothing() -> None:
    shown: list[dict] = []
    log: list[str] = []
    now = iter(range(100))
    topics, line = Topics("club", "7"), Post()
    first = Held("m1", 3, "a" * 64)
    watch = HallWatch(
        "club",
        {"7": first},
        lambda tables: shown.append({name: (one.status, one.held) for name, one in tables.items()}),
        log.append,
        now_s=lambda: float(next(now)),
    )
    watch.connected(line)
    watch.arrived(line, topics.availability, encoded(Availability("online")), "")
    watch.arrived(line, topics.held, encoded(replace(first, number=4, again=True)), "")
    watch.arrived(line, topics.event, b"{}", "")
    watch.arrived(line, topics.state, b"no state", "")
    watch.arrived(line, Topics("club", "8").availability, encoded(Availability("offline")), "")
    watch.turned(line)
    watch.turned(line)
    four = replace(first, number=4)
    assert shown == [{"7": ("online", four), "8": ("offline", NOTHING_HELD)}]
    watch.disconnected("cut")
    watch.disconnected("cut")
    assert shown[1:] == [{"7": ("offline", four), "8": ("offline", NOTHING_HELD)}] * 2
    watch.connected(line)
    assert [text.partition(" (")[0] for text in log[1:]] == [
        "The broker is not reached",
        "The broker is reached again.",
    ]
    assert line.sent == []


def test_held_is_read_back() -> None:
    held = Held("m1", 7, "a" * 64, again=True, refused=("m0",))
    assert decoded(encoded(held), Held) == held


def at_digest(rows: list[Row]):
    known = {(row.match_id, row.number): row.digest for row in rows}
    return lambda match, number: known.get((match, number))


def as_held(row: Row) -> Held:
    return Held(row.match_id, row.number, row.digest)


def test_row_is_taken_known_missing_or_refused() -> None:
    held, there = as_held(ROWS[2]), at_digest(ROWS[:3])
    judged = [judge(row, after, held, held.digest, there) for row, after in [
        (ROWS[3], ROWS[2].digest),
        (ROWS[1], ROWS[0].digest),
        (ROWS[4], ROWS[3].digest),
        (replace(ROWS[3], body="{}"), ROWS[2].digest),
    ]]  # fmt: skip
    assert [type(one) for one in judged] == [Taken, Known, Missing, Refused]
    assert judge(ROWS[0], GENESIS, NOTHING_HELD, GENESIS, at_digest([])) == Taken(ROWS[0])


def test_other_row_in_the_place_of_one_held_is_refused_and_its_match_with_it() -> None:
    held, there = as_held(ROWS[2]), at_digest(ROWS[:3])
    other = row_of(RollTyped(Roll(5, 5)), "m0", 2, ROWS[0].digest)
    found = judge(other, held.digest, held, held.digest, there)
    assert isinstance(found, Refused)
    assert found.match == "m0"
    forged = row_of(RollTyped(Roll(5, 5)), "m0", 4, "f" * 64)
    assert judge(forged, held.digest, held, held.digest, there).match == "m0"


def test_window_is_kept_and_silence_starts_again() -> None:
    outbox = Outbox()
    assert outbox.room(0.0) == 0
    outbox.take(NOTHING_HELD, 0.0)
    assert outbox.room(0.0) == WINDOW
    outbox.sent(ROWS[:WINDOW], 0.0)
    assert outbox.room(1.0) == 0
    outbox.take(as_held(ROWS[9]), 2.0)
    assert outbox.room(2.0) == 0
    outbox.take(as_held(ROWS[59]), 2.0)
    assert outbox.room(2.0) == 60
    assert outbox.room(2.0 + RETRY_S) == WINDOW
    assert outbox.cursor == as_held(ROWS[59])
    outbox.disconnected()
    assert outbox.room(20.0) == 0


@dataclass
class Net:
    """A table, a hub, and a network that drops, doubles and cuts; the hub's disk keeps what was committed."""

    rng: random.Random
    written: int = 0
    now_s: float = 0.0
    outbox: Outbox = field(default_factory=Outbox)
    up: deque[tuple[Row, str]] = field(default_factory=deque)
    down: deque[Held] = field(default_factory=deque)
    stored: list[Row] = field(default_factory=list)
    digests: dict[tuple[str, int], str] = field(default_factory=dict)
    held: Held = NOTHING_HELD
    last: str = GENESIS

    def send(self) -> None:
        cursor = self.outbox.cursor
        room = self.outbox.room(self.now_s)
        if cursor is None or not room:
            return
        at = PLACES.get(cursor.digest, -1) + 1
        rows = ROWS[at : min(self.written, at + room)]
        after = cursor.digest
        for row in rows:
            for _ in range(self.rng.choice((0, 1, 1, 1, 1, 2))):
                self.up.append((row, after))
            after = row.digest
        self.outbox.sent(rows, self.now_s)

    def receive(self) -> None:
        if self.up:
            row, after = self.up.popleft()
            match judge(row, after, self.held, self.last, lambda *at: self.digests.get(at)):
                case Taken():
                    self.stored.append(row)
                    self.digests[row.match_id, row.number] = row.digest
                    self.held, self.last = as_held(row), row.digest
                    self.down.append(self.held)
                case Known():
                    self.last = row.digest
                    self.down.append(self.held)
                case Missing():
                    self.last = self.held.digest
                    self.down.append(replace(self.held, again=True))
                case Refused(why):
                    raise AssertionError(why)

    def cut(self) -> None:
        self.up.clear()
        self.down.clear()
        self.outbox.disconnected()
        self.down.append(replace(self.held, again=self.rng.random() < 0.5))

    def lose_hub(self) -> None:
        """Kill the hub: what is under way is lost, and it has the last row from disk."""
        self.up.clear()
        self.last = self.held.digest
        self.down.append(replace(self.held, again=True))

    def act(self, what: int) -> None:
        if what == 0:
            self.written = min(len(ROWS), self.written + self.rng.randint(1, 40))
        elif what == 1:
            self.send()
        elif what in (2, 3):
            for _ in range(self.rng.randint(1, 30)):
                self.receive()
        elif what == 4 and self.down:
            held = self.down.popleft()
            if self.rng.random() < 0.8:
                self.outbox.take(held, self.now_s)
        elif what == 5:
            self.now_s += 4.0
        elif what == 6:
            self.cut()
        elif what == 7:
            self.lose_hub()


@settings(max_examples=50 * TIMES, deadline=None)
@given(st.integers(0, 2**32), st.lists(st.integers(0, 7), max_size=150))
def test_nothing_is_lost_doubled_or_out_of_order_whatever_the_network_does(seed, acts) -> None:
    net = Net(random.Random(seed))
    for what in acts:
        net.act(what)
        assert net.stored == ROWS[: len(net.stored)]
    net.cut()
    for _ in range(3000):  # the network holds from now on, but drops and doubles as before
        net.written = len(ROWS)
        net.now_s += 1.0
        while net.down:
            net.outbox.take(net.down.popleft(), net.now_s)
        net.send()
        while net.up:
            net.receive()
        if len(net.stored) == len(ROWS):
            break
    assert net.stored == ROWS
    for match in {row.match_id for row in ROWS}:
        assert problems_of([row for row in net.stored if row.match_id == match]) == []


def view(**changed):
    """The page's state as far as the hall needs it."""
    bank = {"reserve_ms": 60_000, "delay_ms": 12_000}
    return {
        "seq": 5,
        "phase": "rolled",
        "on_roll": "south",
        "asked": None,
        "roll": [6, 4],
        "cube": {"value": 2, "owner": "north", "offered": None, "may_double": False},
        "match": {
            "id": "m1",
            "length": 7,
            "crawford": False,
            "score": {"south": 1, "north": 2},
            "players": {"south": "Ann", "north": "Ben"},
            "profile": "modern",
            "game": 3,
            "winner": None,
            "director": False,
            "head": None,
        },
        "clock": {"running": "south", "south": bank, "north": bank, "at_ms": 1000, "held": False},
        "dispute": None,
        "camera": {"state": "live"},
        "durable": True,
        **changed,
    }


def test_state_in_short_is_read_back_with_the_clock_as_a_deadline() -> None:
    short = state_in_short(view(), "s1")
    assert decoded(encoded(short), TableState) == short
    assert short.clock.ends_ms == 1000 + 12_000 + 60_000
    assert short.match.players.north == "Ben"
    assert short.wanted == ()
    assert len(encoded(short)) < 1000


@pytest.mark.parametrize(
    ("changed", "wanted"),
    [
        ({"camera": {"state": "lost"}}, ("camera",)),
        ({"durable": False}, ("disk",)),
        ({"dispute": {"kind": "illegal_play"}}, ("dispute",)),
        ({"match": {**view()["match"], "director": True}}, ("director",)),
    ],
)
def test_state_in_short_says_why_a_person_is_wanted(changed, wanted) -> None:
    assert state_in_short(view(**changed), "s1").wanted == wanted


def test_table_without_a_match_has_a_state_too() -> None:
    short = state_in_short(view(match=None, clock=None, roll=None, phase="no_match"), "s1")
    assert decoded(encoded(short), TableState) == short
