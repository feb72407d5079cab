"""The pages of a hall: who may open them, and what they answer; spectators' delay on every path."""

import json
import random
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.game.state_machine import step
from companion.game.table import Table
from companion.hall.broker import Credentials
from companion.hall.broker_users import BrokerUsers
from companion.hall.hub import HallTable
from companion.hall.protocol.invitation import invitation_in
from companion.hall.protocol.messages import Held, state_in_short
from companion.hall.store import Store
from companion.protocol.permissions import Asker
from companion.protocol.view import ServiceStatus, view_of
from companion.records.rows import GENESIS, row_of
from companion.service.hall.inviting import Invitations
from companion.service.hall.matches import HallMatches
from companion.service.hall.overview import Overview
from companion.settings import HallSettings
from tests.support.selfplay import any_event, began
from web.app import create_app
from web.hall.all_pages import HALL
from web.page import Page, refused
from web.roles import Role, Roles
from web.services import HallServices, Services

DELAY_S = 600
START_MS = 1_770_000_000_000


@dataclass
class Hall:
    """A hub's pages without its broker: a test plays at the tables, and turns the clock."""

    folder: Path
    delay_s: int = 0
    now_s: float = 1000.0
    tables: dict[str, HallTable] = field(default_factory=dict)
    played: dict[str, Table] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.store = Store(self.folder / "hall.sqlite")
        hub, matches = Credentials("hub", "x", "PEM"), HallMatches(self.store)
        made = Invitations(
            HallSettings("mqtts://hall.local", "club"),
            hub,
            BrokerUsers(self.folder / "passwords", "club", hub),
        )
        services = HallServices(
            made.tables, made.invite, matches.find, matches.about, matches.replay, matches.export
        )
        self.page = Page(
            lambda visitor, body: refused(403, "Not here", "No."), services=Services(hall=services)
        )
        self.overview = Overview(self.page, "club", self.delay_s, lambda: self.now_s)
        self.roles = Roles(self.folder / "roles.json")
        self.app: Flask = create_app(self.page, self.roles, of=HALL)
        self._rng = random.Random(7)
        self.show()

    def show(self) -> None:
        """What the hub does at each turn."""
        self.overview.show(self.tables)

    def later(self, seconds: float) -> None:
        """Let time pass."""
        self.now_s += seconds
        self.show()

    def play(self, name: str, events: int, match: str = "m1", south: str = "Ann", day: int = 0) -> None:
        """Play so many events at a table, of a new match if it is another one than before."""
        known = self.tables.setdefault(name, HallTable(status="online"))
        table = self.played[name] if known.held.match == match else Table()
        held = known.held if known.held.match == match else Held(match)
        for _ in range(events):
            at_ms = START_MS + 86_400_000 * day + 1000 * held.number
            event = (
                any_event(table, self._rng, at_ms)
                if held.number
                else began(5, "modern", at_ms, match, south, "Ben")
            )
            row = row_of(event, match, held.number + 1, held.digest if held.number else GENESIS)
            self.store.add(name, row)
            table = step(table, event).table
            held = Held(match, row.number, row.digest)
        self.store.commit()
        self.played[name], known.held = table, held
        view = view_of(table, Asker("viewer"), ServiceStatus(seq=held.number))
        known.state = state_in_short(view, "s")
        self.show()

    def join(self, role: Role) -> FlaskClient:
        """A browser that has joined in this role."""
        client = self.app.test_client()
        assert client.get(f"/join/{self.roles.issue(role).code}").status_code == 303
        return client


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    one = Hall(tmp_path)
    with closing(one.store):
        yield one


@pytest.fixture
def late(tmp_path: Path) -> Iterator[Hall]:
    """A hall whose spectators see everything ten minutes later."""
    one = Hall(tmp_path, DELAY_S)
    with closing(one.store):
        yield one


# Inviting


@pytest.mark.parametrize("role", [Role.VIEWER, Role.SCOREKEEPER])
def test_only_the_director_invites_tables(hall: Hall, role: Role) -> None:
    visitor = hall.join(role)
    assert visitor.get("/tables").status_code == 403
    assert visitor.post("/tables", data={"table": "1"}).status_code == 403
    assert "<li>1</li>" not in hall.join(Role.DIRECTOR).get("/tables").text


def test_invitation_as_code_and_as_file(hall: Hall) -> None:
    director = hall.join(Role.DIRECTOR)
    shown = director.post("/tables", data={"table": "7", "as": "code"})
    code = shown.text.partition("join-hall ")[2].partition("<")[0]
    assert (invitation_in(code.encode()).table, invitation_in(code.encode()).authority) == ("7", "PEM")
    assert "data:image/svg+xml" in shown.text
    assert shown.headers["Cache-Control"] == "no-store"
    file = director.post("/tables", data={"table": "7", "as": "file"})
    assert file.headers["Content-Disposition"] == "attachment; filename=club-7.json"
    assert json.loads(file.data)["password"] != invitation_in(code.encode()).password
    assert "<li>7</li>" in director.get("/tables").text


def test_invitation_from_another_site_or_for_no_name_is_refused(hall: Hall) -> None:
    director = hall.join(Role.DIRECTOR)
    other = director.post("/tables", data={"table": "1"}, headers={"Origin": "http://elsewhere.test"})
    assert other.status_code == 403
    assert director.post("/tables", data={"table": "a/b"}).status_code == 422
    assert "<li>" not in director.get("/tables").text


# Matches


def test_matches_of_all_tables_are_found_by_table_player_and_date(hall: Hall) -> None:
    hall.play("2", 30, south="Chiara")
    hall.play("10", 20, day=1)
    hall.play("10", 5, match="m2", south="Eve <b>", day=2)
    keeper = hall.join(Role.SCOREKEEPER)

    def found(query: str) -> list[str]:
        text = keeper.get(f"/matches?{query}").text
        names = ("2.m1", "10.m1", "10.m2")
        at = {name: text.find(f'href="/matches/{name}"') for name in names}
        return sorted((name for name in names if at[name] >= 0), key=at.__getitem__)

    assert found("") == ["10.m2", "10.m1", "2.m1"]
    assert found("table=10") == ["10.m2", "10.m1"]
    assert found("player=chia") == ["2.m1"]
    assert found("player=nobody") == []
    assert found("since=2026-02-03") == ["10.m2", "10.m1"]
    assert found("until=2026-02-02") == ["2.m1"]
    assert found("page=99") == []
    assert "Eve &lt;b&gt;" in keeper.get("/matches").text


def test_match_opens_step_by_step_and_as_a_file(hall: Hall) -> None:
    hall.play("2", 30)
    keeper = hall.join(Role.SCOREKEEPER)
    assert 'data-match="2.m1"' in keeper.get("/matches/2.m1").text
    replay = keeper.get("/api/matches/2.m1/replay").get_json()
    assert replay["steps"][-1]["n"] <= 30
    assert "Ann" in keeper.get("/matches/2.m1/export/mat").text
    assert json.loads(keeper.get("/matches/2.m1/export/json").data)["rows"][-1]["number"] == 30
    wrong = (
        "/matches/2.m9",
        "/matches/3.m1",
        "/matches/x",
        "/api/matches/2.m9/replay",
        "/matches/2.m1/export/zip",
    )
    assert [keeper.get(path).status_code for path in wrong] == [404] * len(wrong)


def test_only_keepers_see_the_list_the_files_and_matches_that_are_not_on_a_table(hall: Hall) -> None:
    hall.play("2", 20)
    hall.play("2", 3, match="m2")
    viewer, stranger = hall.join(Role.VIEWER), hall.app.test_client()
    for path in ("/matches", "/matches/2.m1", "/api/matches/2.m1/replay", "/matches/2.m2/export/json"):
        assert viewer.get(path).status_code == 403, path
        assert stranger.get(path).status_code == 403, path
    assert viewer.get("/matches/2.m2").status_code == 200
    for path in ("/t/2", "/api/tables/2", "/matches/2.m2", "/api/state", "/tables"):
        assert stranger.get(path).status_code == 403, path


def test_table_s_page_has_its_last_steps(hall: Hall) -> None:
    hall.play("2", 40)
    viewer = hall.join(Role.VIEWER)
    assert 'data-table="2"' in viewer.get("/t/2").text
    now = viewer.get("/api/tables/2").get_json()
    assert (now["match"], now["held"]["number"], now["length"]) == ("2.m1", 40, 5)
    assert now["steps"] == viewer.get("/api/matches/2.m1/replay").get_json()["steps"][-8:]
    assert viewer.get("/api/tables/3").status_code == 404
    assert viewer.get("/t/%3Cb%3E").status_code == 200
    assert "<b>" not in viewer.get("/t/%3Cb%3E").text


# The delay


def table_of(client: FlaskClient, path: str = "/api/state") -> dict[str, Any]:
    """Table 2 in the hub's state; {} if it is not in it."""
    return next(iter(client.get(path).get_json()["tables"]), {})


def test_delay_holds_for_the_state(late: Hall) -> None:
    viewer, keeper, director = map(late.join, (Role.VIEWER, Role.SCOREKEEPER, Role.DIRECTOR))
    late.play("2", 10)
    assert table_of(viewer) == {}
    for live in (keeper, director):
        assert table_of(live)["held"]["number"] == 10
    late.later(DELAY_S - 100)
    late.play("2", 10)
    assert table_of(viewer) == {}
    late.later(100)
    assert table_of(viewer)["held"] == {"match": "m1", "number": 10}
    assert table_of(viewer)["state"]["seq"] == 10
    late.later(DELAY_S - 101)
    assert table_of(viewer)["held"]["number"] == 10
    late.later(1)
    assert (table_of(viewer)["held"]["number"], table_of(viewer)["state"]["seq"]) == (20, 20)


def test_delay_holds_for_the_stream_of_states(late: Hall) -> None:
    late.play("2", 10)
    sent = [
        late.page.newest().written(late.roles.issue(role).visitor) for role in (Role.VIEWER, Role.DIRECTOR)
    ]
    assert [b"Ann" in one for one in sent] == [False, True]
    late.later(DELAY_S)
    assert b"Ann" in late.page.newest().written(late.roles.issue(Role.VIEWER).visitor)


def test_delay_holds_for_the_events(late: Hall) -> None:
    viewer, keeper = late.join(Role.VIEWER), late.join(Role.SCOREKEEPER)
    late.play("2", 12)
    for path in ("/api/tables/2", "/matches/2.m1", "/api/matches/2.m1/replay"):
        assert viewer.get(path).status_code == 404, path
        assert keeper.get(path).status_code == 200, path
    late.later(DELAY_S)
    late.play("2", 30)
    last = viewer.get("/api/matches/2.m1/replay").get_json()["steps"][-1]
    assert last["n"] <= 12 < keeper.get("/api/matches/2.m1/replay").get_json()["steps"][-1]["n"]
    assert viewer.get("/api/tables/2").get_json()["steps"][-1] == last
    late.play("2", 3, match="m2")
    assert viewer.get("/api/matches/2.m2/replay").status_code == 403
    assert viewer.get("/api/matches/2.m1/replay").get_json()["steps"][-1] == last
    assert viewer.get("/matches/2.m1/export/json").status_code == 403


def test_delay_holds_for_the_score_on_a_match_s_page(late: Hall) -> None:
    viewer, keeper = late.join(Role.VIEWER), late.join(Role.SCOREKEEPER)
    late.play("2", 12)
    late.later(DELAY_S)
    before = "<title>Ann 0 – 0 Ben"
    assert before in keeper.get("/matches/2.m1").text
    for _ in range(100):
        late.play("2", 5)
        if before not in keeper.get("/matches/2.m1").text:
            break
    assert before not in keeper.get("/matches/2.m1").text
    assert before in viewer.get("/matches/2.m1").text


@pytest.mark.parametrize("role", [Role.VIEWER, Role.SCOREKEEPER, Role.DIRECTOR])
def test_hub_has_no_pictures_for_anybody(late: Hall, role: Role) -> None:
    late.play("2", 12)
    late.later(DELAY_S)
    visitor = late.join(role)
    for path in ("/pictures/000012.jpg", "/api/camera.jpg"):
        assert visitor.get(path).status_code == 404
    steps = visitor.get("/api/matches/2.m1/replay").get_json()["steps"]
    assert {one["picture"] for one in steps} == {None}


def test_delayed_clock_runs_as_it_ran(late: Hall) -> None:
    viewer = late.join(Role.VIEWER)
    late.play("2", 3)
    state = late.tables["2"].state
    assert state is not None
    ends_ms = START_MS + 60_000
    clock = {"reserve_ms": {"south": 1, "north": 2}, "running": "south", "ends_ms": ends_ms}
    late.tables["2"].state = type(state)(**{**vars_of(state), "clock": clock})
    late.show()
    late.later(DELAY_S)
    assert table_of(viewer)["state"]["clock"]["ends_ms"] == ends_ms + 1000 * DELAY_S


def vars_of(state: Any) -> dict[str, Any]:
    return {name: getattr(state, name) for name in state.__slots__}
