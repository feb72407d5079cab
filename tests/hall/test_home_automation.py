"""Home Assistant's discovery: what a home automation finds, reads and may not do, over a real Mosquitto."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import jinja2
import pytest

from companion.hall.broker import HallError, Line, load_credentials
from companion.hall.broker_users import BrokerUsers
from companion.hall.hub import Hub
from companion.hall.protocol.messages import Availability, CubeLine, TableState, decoded, encoded
from companion.hall.protocol.topics import HOME, HUB, Topics, discovery_topic, table_and_kind
from companion.service.hall.home import FILE, keep_home
from tests.support.hall.broker import MISSING, PASSWORDS, PROGRAM, Broker, credentials
from tests.support.hall.ends import store_in, until
from tests.support.hall.program import HALL

TABLES = ["1", "2", HOME]

pytestmark = pytest.mark.skipif(PROGRAM is None or PASSWORDS is None, reason=MISSING)


class Listener:
    """Hears what a user of the broker may hear."""

    def __init__(self, *topics: str) -> None:
        self.topics, self.heard, self.there = topics, dict[str, bytes](), False

    def connected(self, line: Line) -> None:
        if self.topics:
            line.subscribe(*self.topics)
        self.there = True

    def disconnected(self, why: str) -> None:
        self.there = False

    def arrived(self, line: Line, topic: str, payload: bytes, after: str) -> None:
        self.heard[topic] = payload

    def turned(self, line: Line) -> None: ...


@pytest.fixture
def parts() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def connected(parts: ExitStack, broker: Broker, user: str, talk: Any, name: str = "") -> Line:
    line = parts.enter_context(closing(Line(broker.address, credentials(user), talk, name=name)))
    line.start()
    return line


def hub_with(parts: ExitStack, folder: Path, broker: Broker, *, home_automation: bool) -> Line:
    store = parts.enter_context(closing(store_in(folder / "hall.sqlite")))
    hub = Hub(HALL, store, lambda tables: None, lambda text: None, home_automation=home_automation)
    return connected(parts, broker, HUB, hub)


def state(*wanted: str) -> bytes:
    cube = CubeLine(1, None, None)
    return encoded(TableState("s", 1, "no_match", None, None, None, cube, None, None, wanted))


def as_shown(template: str, payload: bytes) -> str:
    """A template as Home Assistant renders it."""
    return jinja2.Environment(autoescape=False).from_string(template).render(value_json=json.loads(payload))


def test_home_assistant_finds_a_sensor_that_is_on_while_the_table_calls(parts, tmp_path, broker) -> None:
    hub_with(parts, tmp_path, broker, home_automation=True)
    home, seat = Listener("homeassistant/#", "board/v1/#"), Listener()
    connected(parts, broker, HOME, home)
    table = connected(parts, broker, "1", seat)
    until(lambda: seat.there and home.there, "the connections")
    topics, found = Topics(HALL, "1"), discovery_topic(HALL, "1")
    table.publish(topics.availability, encoded(Availability("online")), retain=True)
    until(lambda: found in home.heard, "the discovery")
    sensor = json.loads(home.heard[found])
    for wanted, shown in ((("director",), "ON"), ((), "OFF")):
        table.publish(topics.state, state(*wanted), retain=True)
        until(lambda wanted=wanted: home.heard.get(sensor["state_topic"]) == state(*wanted), "the state")
        assert as_shown(sensor["value_template"], home.heard[sensor["state_topic"]]) == shown
    attributes = as_shown(sensor["json_attributes_template"], state("dispute"))
    assert json.loads(attributes) == {"reasons": ["dispute"]}
    available = as_shown(sensor["availability_template"], home.heard[sensor["availability_topic"]])
    assert available == sensor["payload_available"]


def test_what_was_found_goes_away_with_the_setting(parts, tmp_path, broker, player) -> None:
    home = Listener("homeassistant/#")
    connected(parts, broker, HOME, home)
    seat = Listener()
    table = connected(parts, broker, "1", seat)
    until(lambda: seat.there and home.there, "the connections")
    table.publish(Topics(HALL, "1").availability, encoded(Availability("online")), retain=True)
    first = hub_with(parts, tmp_path, broker, home_automation=True)
    until(lambda: bool(home.heard.get(discovery_topic(HALL, "1"))), "the discovery")
    first.close()
    hub_with(parts, tmp_path, broker, home_automation=False)
    until(lambda: home.heard[discovery_topic(HALL, "1")] == b"", "the end of the discovery")


def test_home_automation_writes_nothing_of_the_hall_and_hears_no_events(parts, tmp_path, broker) -> None:
    home, hub, seat = Listener("board/v1/#"), Listener("board/v1/#"), Listener()
    line = connected(parts, broker, HOME, home)
    connected(parts, broker, HUB, hub)
    table = connected(parts, broker, "1", seat)
    until(lambda: home.there and hub.there and seat.there, "the connections")
    topics = Topics(HALL, "1")
    for topic in (topics.state, topics.held, topics.orders, Topics(HALL, HOME).state):
        line.publish(topic, b"forged", retain=True)
    table.publish(topics.event, b"an event")
    table.publish(topics.state, state(), retain=True)  # who subscribes later than this hears it, too
    own = Topics(HALL, HOME).state
    until(lambda: topics.state in hub.heard and {topics.state, own} <= set(home.heard), "the messages")
    assert b"forged" not in {hub.heard[topic] for topic in hub.heard if f"/{HOME}/" not in topic}
    assert set(home.heard) == {topics.state, own}
    assert table_and_kind(HALL, own) is None  # what it writes below its own name is no table's


def test_user_is_made_kept_and_let_in_no_more(tmp_path: Path) -> None:
    users = BrokerUsers(tmp_path / "passwords", HALL, credentials(HUB))
    users.give("1", "x")
    keep_home(users, tmp_path, "PEM", is_wanted=True)
    shown = load_credentials(tmp_path / FILE)
    assert (shown.user, shown.authority, (tmp_path / FILE).stat().st_mode & 0o777) == (HOME, "PEM", 0o600)
    before = (tmp_path / "passwords").read_bytes()
    keep_home(users, tmp_path, "PEM", is_wanted=True)
    assert (tmp_path / "passwords").read_bytes() == before
    assert users.tables() == ["1"]
    keep_home(users, tmp_path, "PEM", is_wanted=False)
    assert HOME.encode() not in (tmp_path / "passwords").read_bytes()
    (tmp_path / FILE).write_text("[]")
    with pytest.raises(HallError, match="JSON object with user"):
        keep_home(users, tmp_path, "PEM", is_wanted=True)
    assert decoded(state("director"), TableState).wanted == ("director",)
