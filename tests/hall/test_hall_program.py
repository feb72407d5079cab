"""The real programs of a hall: `companion hall`, and `companion run` at a table of it."""

import json
import time
from contextlib import ExitStack, closing
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from companion.game.events import RollTyped
from companion.hall.broker import Address, Credentials, HallError, Line, address_in, load_credentials
from companion.hall.record.databases import database_of
from companion.hall.record.store import Store, StoreError
from companion.records.rows import GENESIS, row_of
from companion.rules.board import Roll
from companion.service.certificate import own_certificate
from companion.service.hall.link import link_to_hall
from companion.service.hall.pages.table_names import in_order
from companion.settings import parse_settings
from companion.storage.folder import AUTHORITY
from companion.storage.journal import Journal
from companion.storage.lines import line_of, match_files
from tests.support.hall.broker import (
    HOST,
    MISSING,
    PASSWORDS,
    PROGRAM,
    Broker,
    credentials,
    free_port,
    hub_settings,
)
from tests.support.hall.ends import store_in
from tests.support.hall.program import HALL, table_settings
from tests.support.running import Visitor, companion, next_act, one_command, start
from tests.support.selfplay import began
from web.page import Page

TABLES = ["1", "2"]
"""The tables that the broker knows."""

needs_mosquitto = pytest.mark.skipif(PROGRAM is None or PASSWORDS is None, reason=MISSING)


def held_of(hub: Visitor, table: str, number: int) -> dict:
    """The table on the hub's wall, once the hub holds so many of its events."""

    def there(state):
        return [one for one in state["tables"] if one["table"] == table and one["held"]["number"] >= number]

    return there(hub.wait(there))[0]


@needs_mosquitto
def test_table_and_hub_are_killed_and_the_hall_has_every_event(tmp_path: Path, broker: Broker) -> None:
    table_file, hub_file = table_settings(tmp_path, broker, "1"), hub_settings(tmp_path, HALL, broker)
    run, hall = ("run", "--config", str(table_file)), ("hall", "--config", str(hub_file))
    place = tmp_path / "table" / "board-companion"
    with companion(*run, home=tmp_path / "table") as table, companion(*hall, home=tmp_path / "hub") as hub:
        keeper = table.visitor()
        for number in range(8):
            keeper.act(**kind(next_act(keeper.state(), number)))
        found = held_of(hub.visitor(), "1", 8)
        assert found["status"] == "online"
        about = found["about"]
        assert (about["version"], about["camera"]) == (
            version("board-companion"),
            keeper.state()["camera"]["state"],
        )
        assert about["profile"] == keeper.state()["match"]["profile"]
        assert found["state"]["match"]["players"] == {"south": "South", "north": "North"}
        hub.kill()
        for number in range(8, 16):
            keeper.act(**kind(next_act(keeper.state(), number)))
        table.kill()
    with companion(*run, home=tmp_path / "table") as table, companion(*hall, home=tmp_path / "hub") as hub:
        keeper = table.visitor()
        for number in range(16, 20):
            keeper.act(**kind(next_act(keeper.state(), number)))
        lines = match_files(place)[-1].read_bytes()
        held_of(hub.visitor(), "1", lines.count(b"\n"))
        assert hub.stop() == 0
        assert table.stop() == 0
    with closing(store_in(tmp_path / "hub" / "board-companion" / "hall" / "hall.sqlite")) as store:
        [match] = store.matches("1")
        assert b"".join(map(line_of, store.rows("1", match))) == lines
        assert store.problems("1") == []


@needs_mosquitto
@pytest.mark.parametrize("delay_s", [0, 3600])
def test_spectators_have_processes_of_their_own_behind_one_address(
    tmp_path: Path, broker: Broker, delay_s: int
) -> None:
    table_file, hub_file = table_settings(tmp_path, broker, "1"), hub_settings(tmp_path, HALL, broker)
    with hub_file.open("a") as settings:
        settings.write(f"delay_s = {delay_s}\n")
    home, port = tmp_path / "hub", free_port()
    watch = ("hall", "--spectators", "--port", str(port), "--config", str(hub_file))
    with pytest.raises(AssertionError, match=r"exit status 2: .*The hall.s record .* unable to open"):
        start(*watch, home=home)  # there is no record to be read yet
    with ExitStack() as parts:
        table = parts.enter_context(companion("run", "--config", str(table_file), home=tmp_path / "table"))
        hub = parts.enter_context(companion("hall", "--config", str(hub_file), home=home))
        keeper, director = table.visitor(), hub.visitor()
        for number in range(8):
            keeper.act(**kind(next_act(keeper.state(), number)))
        held_of(director, "1", 8)
        both = [parts.enter_context(companion(*watch, home=home)) for _ in range(2)]
        assert [urlsplit(one.link).port for one in both] == [port, port]
        viewer, late = both[0].visitor(), both[1].visitor()
        director.port = port  # the same code is good there
        # Each request is a connection of its own, which either process may get.
        [seen] = director.wait(
            lambda state: [one for one in state["tables"] if one["state"] and one["status"] == "online"]
        )["tables"]
        assert seen["held"]["number"] >= 8
        assert seen["state"]["match"]["players"] == {"south": "South", "north": "North"}
        for number in range(8, 12):
            keeper.act(**kind(next_act(keeper.state(), number)))
        held_of(director, "1", 12)
        match = director.state()["tables"][0]["held"]["match"]
        assert [director.get(path)[0] for path in ("/wall", f"/matches/1.{match}", "/desk", "/tables")] == [
            *(200, 200),
            *(404, 404),
        ]
        assert f"http://{director.host}:{urlsplit(hub.link).port}/desk" in director.get("/desk")[1].decode()
        for one in (viewer, late):
            shown = [] if delay_s else held_of(one, "1", 12)
            assert bool(one.state()["tables"]) is bool(shown)
            assert one.get(f"/api/matches/1.{match}/replay")[0] == (404 if delay_s else 200)
        assert both[0].stop() == 0
        assert held_of(director, "1", 12)  # the other one answers
        table.stop()
        director.wait(lambda state: state["tables"][0]["status"] == "offline")
        assert hub.stop() == 0
        assert both[1].stop() == 0
    with closing(store_in(home / "board-companion" / "hall" / "hall.sqlite")) as store:
        assert store.problems("1") == []


def test_database_that_is_to_read_only_refuses_every_change(tmp_path: Path) -> None:
    file = tmp_path / "a folder" / "hall.sqlite"
    with pytest.raises(StoreError, match="unable to open"):
        database_of(f"sqlite:///{file}", read_only=True)
    with closing(store_in(file)) as store:
        store.add("1", row_of(began(3), "m1", 1, GENESIS))
        store.commit()
        with closing(Store(database_of(f"sqlite:///{file}", read_only=True))) as other:
            [line] = other.listed.all({})
            other.listed.count(line._replace(winner="south"))
            assert [one.winner for one in store.listed.all({})] == [""]
            store.add("1", row_of(began(3), "m2", 1, GENESIS))
            store.commit()
            assert other.held()["1"].match == "m2"
            with pytest.raises(StoreError, match="readonly"):
                other.refuse("1", "It differs.", ())


def kind(act: dict) -> dict:
    return {"kind": act.pop("type"), **act}


@needs_mosquitto
def test_wall_is_for_everybody_who_joined_and_the_desk_for_the_director(
    tmp_path: Path, broker: Broker
) -> None:
    file = hub_settings(tmp_path, HALL, broker)
    with companion("hall", "--config", str(file), home=tmp_path / "hub") as hub:
        director = hub.visitor()
        roles = json.loads((tmp_path / "hub" / "board-companion" / "hall" / "roles.json").read_text())
        code = next(one["code"] for one in roles["codes"] if one["role"] == "viewer")
        viewer = Visitor(hub.link.partition("/join/")[0] + f"/join/{code}")
        assert [viewer.get(path)[0] for path in ("/wall", "/desk", "/", "/api/state")] == [200, 403, 303, 200]
        assert [director.get(path)[0] for path in ("/wall", "/desk", "/table")] == [200, 200, 404]
        assert viewer.state() == {"seq": director.state()["seq"], "hall": HALL, "since": 0, "tables": []}
        status, answer = director.post({"type": "roll", "seq": 1})
        assert (status, answer["title"]) == (403, "Not here")


@needs_mosquitto
@pytest.mark.filterwarnings("ignore:unclosed <ssl:ResourceWarning")  # paho leaves it to the garbage collector
def test_tls_with_the_hall_s_own_authority_and_no_other(tmp_path: Path) -> None:
    ours, other = tmp_path / "ours", tmp_path / "other"
    certificate = own_certificate(ours, ["localhost", HOST])
    own_certificate(other, ["localhost", HOST])
    broker = Broker(tmp_path / "broker", HALL, ["1"], certificate)
    broker.start()
    try:
        for folder, refused in ((ours, False), (other, True)):
            talk = Heard()
            known = credentials("1")
            shown = Credentials(known.user, known.password, (folder / AUTHORITY).read_text())
            with closing(Line(broker.address, shown, talk)) as line:
                line.start()
                talk.wait()
            assert ("certificate" in talk.said[0].lower()) is refused, talk.said
    finally:
        broker.kill()


class Heard:
    """A talk that only notes whether it was connected."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def connected(self, line: Line) -> None:
        self.said.append("connected")

    def disconnected(self, why: str) -> None:
        self.said.append(why)

    def arrived(self, line: Line, topic: str, payload: bytes, after: str) -> None:
        raise AssertionError(topic)

    def turned(self, line: Line) -> None:
        pass

    def wait(self) -> None:
        for _ in range(1000):
            if self.said:
                return
            time.sleep(0.02)
        raise AssertionError("nothing was said")


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("mqtts://hall.local", Address("hall.local", 8883, True)),
        ("mqtts://10.0.0.1:18883", Address("10.0.0.1", 18883, True)),
        ("mqtt://localhost", Address("localhost", 1883, False)),
        ("mqtt://127.0.0.1:1884", Address("127.0.0.1", 1884, False)),
        ("mqtt://[::1]", Address("::1", 1883, False)),
        ("mqtt://hall.local", None),
        ("mqtt://10.0.0.1", None),
        ("http://hall.local", None),
        ("hall.local", None),
        ("mqtts://u:p@hall.local", None),
        ("mqtts://hall.local:99999", None),
        ("mqtts://[::1", None),
        ("", None),
    ],
)
def test_broker_s_address_has_tls_unless_it_is_this_machine(url, found) -> None:
    if found is None:
        with pytest.raises(HallError):
            address_in(url)
    else:
        assert address_in(url) == found


@pytest.mark.parametrize("text", [None, "", "[]", '{"user": "1"}', '{"user": 1, "password": "x"}'])
def test_credentials_that_are_none_are_one_sentence(text, tmp_path: Path) -> None:
    file = tmp_path / "c.json"
    if text is not None:
        file.write_text(text)
    with pytest.raises(HallError, match=r"^(The credentials .*c\.json|.*c\.json holds no credentials)"):
        load_credentials(file)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('broker = "mqtt://10.0.0.1"\nname = "x"\ntable = "1"\ncredentials = "c"', r"line 2: .* has no TLS"),
        ('broker = "mqtt://localhost"\ntable = "1"', r"hall\.name is up to 40"),
        ('broker = "mqtt://localhost"\nname = "x"\ntable = "a/b"', r"line 4: hall\.table is up to 40"),
        ('broker = "mqtt://localhost"\nname = "x"\ntable = "hub"', r"line 4: hall\.table .* not “hub”"),
        ('broker = "mqtt://localhost"\nname = "x"\ntable = "1"', r"needs hall\.credentials"),
        (
            'broker = "mqtt://localhost"\nname = "x"\ntable = "1"\ncredentials = "no"',
            r"line 5: .* cannot be read",
        ),
    ],
)
def test_settings_of_a_hall_that_cannot_be_are_named_with_their_line(lines, said, tmp_path: Path) -> None:
    settings = parse_settings(f"[hall]\n{lines}\n", "s.toml", tmp_path)
    with closing(Journal(tmp_path)) as journal, pytest.raises(HallError, match=said):
        link_to_hall(settings, tmp_path, lambda: journal, Page(lambda *a: None))


def test_without_a_hall_in_the_settings_there_is_no_link(tmp_path: Path) -> None:
    for text in ("", '[hall]\nbroker = "mqtt://localhost"\nname = "x"\n'):
        settings = parse_settings(text, "s.toml", tmp_path)
        assert link_to_hall(settings, tmp_path, lambda: None, Page(lambda *a: None)) is None


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("", "The hub needs its hall in the settings"),
        ('broker = "mqtt://localhost"\nname = "x"\nstore = "mysql://x"', "but must be sqlite:///FILE"),
    ],
)
def test_hub_that_cannot_start_is_one_sentence(lines, said, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    file = tmp_path / "s.toml"
    file.write_text(f'[page]\nhost = "127.0.0.1"\nport = 0\n[hall]\n{lines}\n')
    done = one_command("hall", "--config", str(file))
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert said in done.stderr


def test_tables_are_in_the_order_of_their_numbers() -> None:
    names = ["10", "2", "B-10", "B-9", "1", "A-1"]
    assert sorted(names, key=in_order) == ["1", "2", "10", "A-1", "B-9", "B-10"]


def test_store_keeps_what_was_committed_and_nothing_twice(tmp_path: Path) -> None:
    first = row_of(RollTyped(Roll(6, 1)), "m1", 1, GENESIS)
    second = row_of(RollTyped(Roll(5, 1)), "m1", 2, first.digest)
    with closing(store_in(tmp_path / "hall.sqlite")) as store:
        store.add("1", first)
        store.commit()
        store.add("1", second)
    with closing(store_in(tmp_path / "hall.sqlite")) as store:
        assert store.rows("1", "m1") == [first]
        assert store.held()["1"].is_row(first)
        with pytest.raises(StoreError):
            store.add("1", first)
        store.rollback()
        store.refuse("1", "Match m0 differs.", ("m0",))
        store.commit()
        assert store.held()["1"].refused == ("m0",)
        assert store.faults() == {"1": "Match m0 differs."}


def test_store_in_the_place_of_a_folder_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"^The hall's record .* cannot be used"):
        store_in(tmp_path)
