"""The pages of a hall: who may open them, and what they answer; spectators' delay on every path."""

import codecs
import csv
import io
import json
import re
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from markupsafe import escape

from companion.game.events import OpeningThrown, PositionSet, TimeRanOut
from companion.hall.protocol.draw import Drawn, draw
from companion.hall.protocol.invitation import invitation_in
from companion.hall.protocol.messages import About
from companion.hall.protocol.orders import Answers, OrderAnswer
from companion.protocol.permissions import Asker
from companion.protocol.view import view_of
from companion.records.rows import GENESIS, row_of
from companion.rules.board import Side
from companion.service.hall.pages import draws
from sentence import say
from tests.support.hall.ends import store_in
from tests.support.hall.pages import START_MS, Hub
from tests.support.running import PATIENCE_S, Visitor
from tests.support.selfplay import began
from web.hall.all_pages import WATCH
from web.page import WHOLE
from web.roles import COOKIE, Role
from web.server.serve import serve

DELAY_S = 600


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hub]:
    one = Hub(tmp_path)
    with closing(one.store):
        yield one


@pytest.fixture
def late(tmp_path: Path) -> Iterator[Hub]:
    """A hall whose spectators see everything ten minutes later."""
    one = Hub(tmp_path, DELAY_S)
    with closing(one.store):
        yield one


@pytest.fixture
def beside(tmp_path: Path) -> Iterator[Hub]:
    """A process for spectators."""
    one = Hub(tmp_path, pages=WATCH)
    with closing(one.store):
        yield one


# A process for spectators


@pytest.mark.parametrize("role", [Role.VIEWER, Role.SCOREKEEPER, Role.DIRECTOR])
def test_spectators_port_leads_everybody_to_the_wall(beside: Hub, role: Role) -> None:
    visitor = beside.join(role)
    assert visitor.get("/").headers["Location"] == "/wall"
    assert visitor.get("/wall").status_code == 200


@pytest.mark.parametrize("path", ["desk", "desk/1", "tables", "pairings", "ask", "nowhere"])
def test_what_only_the_hub_has_is_named_with_its_address_there(beside: Hub, path: str) -> None:
    director = beside.join(Role.DIRECTOR)
    for answer in (director.get(f"/{path}"), director.post(f"/{path}")):
        assert answer.status_code == 404
        assert f'<a href="http://localhost:8100/{path}">' in answer.text
        assert "Only spectators’ pages are here" in answer.text
    assert "http://localhost:8100/api/nothing" in director.get("/api/nothing").get_json()["detail"]
    beside.hub_port = None
    assert "the hub, which has the others, does not run now" in director.get(f"/{path}").text


def test_refusal_in_a_hall_offers_nothing_that_only_a_table_has(hall: Hub) -> None:
    refused = hall.join(Role.SCOREKEEPER).get("/pairings")
    assert refused.status_code == 403
    assert "/ask" not in refused.text
    assert "All tables" in refused.text


# Inviting


@pytest.mark.parametrize("role", [Role.VIEWER, Role.SCOREKEEPER])
def test_only_the_director_invites_tables(hall: Hub, role: Role) -> None:
    visitor = hall.join(role)
    assert visitor.get("/tables").status_code == 403
    assert visitor.post("/tables", data={"table": "1"}).status_code == 403
    assert "<li>1</li>" not in hall.join(Role.DIRECTOR).get("/tables").text


def test_invitation_as_code_and_as_file(hall: Hub) -> None:
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


def test_page_names_the_one_step_if_the_broker_does_not_know_an_invitation(hall: Hub) -> None:
    director, step = hall.join(Role.DIRECTOR), "sudo systemctl reload mosquitto"
    assert step not in director.post("/tables", data={"table": "7", "as": "code"}).text
    hall.broker_knows = False
    assert step in director.post("/tables", data={"table": "7", "as": "code"}).text
    assert step not in director.get("/tables").text


def test_invitation_from_another_site_or_for_no_name_is_refused(hall: Hub) -> None:
    director = hall.join(Role.DIRECTOR)
    other = director.post("/tables", data={"table": "1"}, headers={"Origin": "http://elsewhere.test"})
    assert other.status_code == 403
    wrong = director.post("/tables", data={"table": 'a/"b'})
    assert (wrong.status_code, "up to 40 letters" in wrong.text) == (422, True)
    assert 'value="a/&#34;b"' in wrong.text  # to be corrected
    assert "<li>" not in director.get("/tables").text


# Matches


def test_matches_of_all_tables_are_found_by_table_player_and_date(hall: Hub) -> None:
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


def test_match_opens_step_by_step_and_as_a_file(hall: Hub) -> None:
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


def test_only_keepers_see_the_list_the_files_and_matches_that_are_not_on_a_table(hall: Hub) -> None:
    hall.play("2", 20)
    hall.play("2", 3, match="m2")
    viewer, stranger = hall.join(Role.VIEWER), hall.app.test_client()
    for path in ("/matches", "/matches/2.m1", "/api/matches/2.m1/replay", "/matches/2.m2/export/json"):
        assert viewer.get(path).status_code == 403, path
        assert stranger.get(path).status_code == 403, path
    assert viewer.get("/matches/2.m2").status_code == 200
    for path in ("/t/2", "/api/state?table=2", "/matches/2.m2", "/api/state", "/tables"):
        assert stranger.get(path).status_code == 403, path


def test_page_of_a_table_that_the_hall_does_not_have_says_so_and_leads_to_the_wall(hall: Hub) -> None:
    spectator = hall.join(Role.VIEWER)
    answer = spectator.get("/t/3")
    assert (answer.status_code, "There is no such table" in answer.text) == (404, True)
    assert '<a href="/">All tables</a>' in answer.text
    overlay = spectator.get("/t/3/overlay")
    assert (overlay.status_code, "There is no such table" in overlay.text) == (404, True)
    hall.join(Role.DIRECTOR).post("/tables", data={"table": "3"})
    assert spectator.get("/t/3").status_code == 200  # it is awaited
    assert spectator.get("/t/3/overlay").status_code == 200
    hall.play("4", 5)
    assert spectator.get("/t/4").status_code == 200


def test_page_of_a_table_opens_also_before_its_spectators_see_anything(late: Hub) -> None:
    late.play("1", 5)
    assert late.join(Role.VIEWER).get("/t/1").status_code == 200


def test_table_s_page_has_its_last_steps(hall: Hub) -> None:
    hall.play("2", 40)
    viewer = hall.join(Role.VIEWER)
    assert 'data-table="2"' in viewer.get("/t/2").text
    now = viewer.get("/api/state?table=2").get_json()
    assert [table["held"]["number"] for table in now["tables"]] == [40]
    assert (now["shown"]["match"], now["shown"]["length"]) == ("2.m1", 5)
    assert now["shown"]["steps"] == viewer.get("/api/matches/2.m1/replay").get_json()["steps"][-8:]
    assert viewer.get("/api/state?table=3").get_json()["tables"] == []
    assert viewer.get("/t/%3Cb%3E").status_code == 404
    assert "<b>" not in viewer.get("/t/%3Cb%3E").text


def test_last_steps_follow_play_corrections_and_new_matches(hall: Hub) -> None:
    viewer, keeper = hall.join(Role.VIEWER), hall.join(Role.SCOREKEEPER)
    for events, match in ((3, "m1"), (1, "m1"), (20, "m1"), (55, "m1"), (2, "m2"), (30, "m2")):
        hall.play("2", events, match=match)
        for client in (viewer, keeper):
            whole = client.get(f"/api/matches/2.{match}/replay").get_json()["steps"]
            assert client.get("/api/state?table=2").get_json()["shown"]["steps"] == whole[-8:]


# A table's overlay


def whole(client: FlaskClient, table: str = "2") -> dict[str, Any]:
    return client.get(f"/api/state?table={table}&whole").get_json()


def test_overlay_of_a_table_has_the_state_that_the_table_s_own_page_has(hall: Hub) -> None:
    viewer = hall.join(Role.VIEWER)
    link = f"/join/{hall.roles.issue(Role.VIEWER).code}?to=/t/2/overlay?board"
    assert viewer.get(link).headers["Location"] == "/t/2/overlay?board"
    hall.join(Role.DIRECTOR).post("/tables", data={"table": "2"})
    assert 'data-table="2"' in viewer.get("/t/2/overlay").text
    assert hall.app.test_client().get("/t/2/overlay").status_code == 403
    assert (whole(viewer)["phase"], whole(viewer)["match"]) == ("no_match", None)
    for events, match in ((1, "m1"), (30, "m1"), (25, "m1"), (2, "m2")):
        hall.play("2", events, match=match)
        own = view_of(hall.played["2"], Asker("viewer"))
        seen = whole(viewer)
        assert seen.pop("online") is True
        assert seen == {**own, "seq": seen["seq"], "throw": None}
    hall.tables["2"].status = "offline"
    hall.show()
    assert whole(viewer)["online"] is False
    assert whole(viewer, "3")["phase"] == "no_match"


def test_overlay_has_no_pips_and_plays_where_the_rules_withhold_them_from_everybody(hall: Hub) -> None:
    hall.play("2", 20)
    assert whole(hall.join(Role.DIRECTOR))["position"]["pips"]
    hall.play("3", 20, profile="wbgf")
    for role in (Role.VIEWER, Role.SCOREKEEPER, Role.DIRECTOR):
        state = whole(hall.join(role), "3")
        assert (state["position"]["pips"], state["plays"], state["health"]) == (None, None, None)


def test_stream_of_an_overlay_gets_nothing_of_other_tables(hall: Hub) -> None:
    hall.play("1", 5)
    hall.play("2", 5)
    number = hall.page.number
    hall.play("2", 1)
    assert news(hall, after=number, table=f"1{WHOLE}") is None
    sent = news(hall, after=number, table=f"2{WHOLE}")
    assert sent is not None
    assert sent["match"]["players"] == {"south": "Ann", "north": "Ben"}


def test_delay_holds_for_the_overlay_and_its_clock_runs_as_it_ran(late: Hub) -> None:
    viewer, director = late.join(Role.VIEWER), late.join(Role.DIRECTOR)
    late.play("2", 20, clock="simple_delay")
    then = whole(director)
    assert (whole(viewer)["phase"], then["phase"] != "no_match") == ("no_match", True)
    late.later(DELAY_S)
    late.play("2", 20)
    seen = whole(viewer)
    assert seen["clock"] == {**then["clock"], "at_ms": then["clock"]["at_ms"] + 1000 * DELAY_S}
    assert [seen[name] for name in ("match", "position", "history")] == [
        then[name] for name in ("match", "position", "history")
    ]
    assert whole(director)["history"] != then["history"]


def test_results_are_for_what_runs_the_event(hall: Hub) -> None:
    """Of matches that are over; a name that a spreadsheet would take for a formula is a text."""
    hall.play("2", 3, match="m0", south="=cmd()")
    hall.play_out("2", south="=1+1")
    hall.play("3", 9, south="Eve")
    keeper, viewer = hall.join(Role.SCOREKEEPER), hall.join(Role.VIEWER)
    [result] = keeper.get("/results.json").get_json()["results"]
    points = hall.played["2"].state.score
    assert (result["table"], result["match"], result["south"]) == ("2", "m1", "=1+1")
    assert (result["south_points"], result["north_points"]) == (points.south, points.north)
    assert max(points.south, points.north) >= result["length"] == 1
    assert result["head"] == hall.tables["2"].held.digest
    assert result["key"] == ""
    lines = list(csv.DictReader(io.StringIO(keeper.get("/results.csv").get_data().decode("utf-8-sig"))))
    assert [(line["south"], line["head"]) for line in lines] == [("'=1+1", result["head"])]
    assert keeper.get("/results.json?table=3").get_json() == {"results": []}
    assert keeper.get("/results.pdf").status_code == 404
    assert viewer.get("/results.csv").status_code == 403


def test_winner_on_time_is_named_whatever_the_points(hall: Hub) -> None:
    south_lost = [
        began(3, at_ms=START_MS, south="Ann", north="Ben", clock="simple_delay", clock_delay_s=0),
        OpeningThrown((6,), (4,), at_ms=START_MS),
        PositionSet(south_points=2, at_ms=START_MS),
        TimeRanOut(Side.SOUTH, at_ms=START_MS + 3_600_000),
    ]
    digest = GENESIS
    for number, event in enumerate(south_lost, 1):
        row = row_of(event, "m1", number, digest)
        hall.store.add("2", row)
        digest = row.digest
    hall.store.commit()
    keeper = hall.join(Role.SCOREKEEPER)
    [result] = keeper.get("/results.json").get_json()["results"]
    assert (result["south_points"], result["north_points"], result["winner"]) == (2, 0, "north")
    [line] = csv.DictReader(io.StringIO(keeper.get("/results.csv").get_data().decode("utf-8-sig")))
    assert line["winner"] == "north"
    page = keeper.get("/matches").get_data(as_text=True)
    assert "Ben wins the match." in page


def test_record_with_the_former_list_is_listed_anew(tmp_path: Path) -> None:
    """The list of a hub that kept no winners goes, and the matches stay."""
    with closing(store_in(tmp_path / "hall.sqlite")) as store:
        store.add("2", row_of(began(3, at_ms=START_MS), "m1", 1, GENESIS))
        store.commit()
    with closing(sqlite3.connect(tmp_path / "hall.sqlite")) as former:
        former.execute("DROP TABLE match_list")
        former.execute("CREATE TABLE played (board TEXT, at_ms BIGINT)")
        former.execute("CREATE INDEX played_newest ON played (at_ms)")
    with closing(store_in(tmp_path / "hall.sqlite")) as store:
        assert [(line.match, line.events, line.winner) for line in store.listed.all({})] == [("m1", 1, "")]
    with closing(sqlite3.connect(tmp_path / "hall.sqlite")) as now:
        assert now.execute("SELECT name FROM sqlite_master WHERE name LIKE 'played%'").fetchall() == []


# What a stream is sent: the tables that are new to it


def news(hall: Hub, role: Role = Role.VIEWER, after: int = 0, table: str = "") -> dict[str, Any] | None:
    """What a stream that has had the edition of this number is sent."""
    written = hall.page.newest().written(hall.roles.issue(role).visitor, after, table)
    return json.loads(written) if written else None


def names(message: dict[str, Any] | None) -> list[str]:
    return [table["table"] for table in message["tables"]] if message else []


def test_stream_gets_all_tables_once_and_then_those_that_have_changed(hall: Hub) -> None:
    for name in ("1", "2", "10"):
        hall.play(name, 5)
    number = hall.page.number
    assert (names(news(hall)), news(hall)["since"]) == (["1", "2", "10"], 0)
    assert news(hall, after=number) is None
    hall.play("10", 1)
    hall.play("2", 1)
    assert (names(news(hall, after=number)), news(hall, after=number)["since"]) == (["2", "10"], number)
    assert names(news(hall, after=hall.page.number - 1)) == ["2"]
    hall.play("3", 1)
    assert (names(news(hall, after=number)), news(hall, after=number)["since"]) == (["1", "2", "3", "10"], 0)


def test_stream_of_one_table_gets_nothing_of_the_others(hall: Hub) -> None:
    hall.play("1", 5)
    hall.play("2", 5)
    number = hall.page.number
    assert names(news(hall, table="1")) == ["1"]
    hall.play("2", 1)
    assert news(hall, after=number, table="1") is None
    assert names(news(hall, after=number, table="2")) == ["2"]
    assert news(hall, after=number, table="2")["shown"]["steps"][-1]["n"] == 6
    assert news(hall, table="nobody")["tables"] == []


def test_fault_is_news_for_the_director_only(hall: Hub) -> None:
    hall.play("1", 5)
    number = hall.page.number
    hall.tables["1"].fault = "Match m1 differs."
    hall.show()
    assert news(hall, after=number) is None
    assert news(hall, Role.SCOREKEEPER, number) is None
    assert news(hall, Role.DIRECTOR, number)["tables"][0]["fault"] == "Match m1 differs."


def test_what_a_table_plays_with_is_told_to_the_director_only(hall: Hub) -> None:
    hall.play("1", 5)
    number = hall.page.number
    hall.tables["1"].about = About("1.2.0", "s", "live", "tournament")
    hall.show()
    assert news(hall, after=number) is None
    assert news(hall, Role.SCOREKEEPER, number) is None
    about = news(hall, Role.DIRECTOR, number)["tables"][0]["about"]
    told = {"version": "1.2.0", "session": "s", "camera": "live", "profile": "tournament", "address": ""}
    assert about == told


# The delay


def table_of(client: FlaskClient, path: str = "/api/state") -> dict[str, Any]:
    """Table 2 in the hub's state; {} if it is not in it."""
    return next(iter(client.get(path).get_json()["tables"]), {})


def test_delay_holds_for_the_state(late: Hub) -> None:
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


def test_delay_holds_for_the_stream_of_states(late: Hub) -> None:
    late.play("2", 10)
    sent = [
        late.page.newest().written(late.roles.issue(role).visitor) for role in (Role.VIEWER, Role.DIRECTOR)
    ]
    assert [b"Ann" in one for one in sent] == [False, True]
    late.later(DELAY_S)
    assert b"Ann" in late.page.newest().written(late.roles.issue(Role.VIEWER).visitor)


def test_delay_holds_for_the_events(late: Hub) -> None:
    viewer, keeper = late.join(Role.VIEWER), late.join(Role.SCOREKEEPER)
    late.play("2", 12)
    for path in ("/matches/2.m1", "/api/matches/2.m1/replay"):
        assert viewer.get(path).status_code == 404, path
        assert keeper.get(path).status_code == 200, path
    assert viewer.get("/api/state?table=2").get_json()["shown"] is None
    late.later(DELAY_S)
    late.play("2", 30)
    last = viewer.get("/api/matches/2.m1/replay").get_json()["steps"][-1]
    assert last["n"] <= 12 < keeper.get("/api/matches/2.m1/replay").get_json()["steps"][-1]["n"]
    assert viewer.get("/api/state?table=2").get_json()["shown"]["steps"][-1] == last
    late.play("2", 3, match="m2")
    assert viewer.get("/api/matches/2.m2/replay").status_code == 403
    assert viewer.get("/api/matches/2.m1/replay").get_json()["steps"][-1] == last
    assert viewer.get("/matches/2.m1/export/json").status_code == 403


def test_delay_holds_for_the_score_on_a_match_s_page(late: Hub) -> None:
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
def test_hub_has_no_pictures_for_anybody(late: Hub, role: Role) -> None:
    late.play("2", 12)
    late.later(DELAY_S)
    visitor = late.join(role)
    for path in ("/pictures/000012.jpg", "/api/camera.jpg"):
        assert visitor.get(path).status_code == 404
    steps = visitor.get("/api/matches/2.m1/replay").get_json()["steps"]
    assert {one["picture"] for one in steps} == {None}


def test_delayed_clock_runs_as_it_ran(late: Hub) -> None:
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


# A spectator at the desk


def test_spectator_s_cookie_opens_nothing_of_the_director_s(hall: Hub) -> None:
    viewer, director = hall.join(Role.VIEWER), hall.join(Role.DIRECTOR)
    code = hall.roles.issue(Role.DIRECTOR).code
    assert [viewer.get(path).status_code for path in ("/desk", "/tables", "/matches")] == [403] * 3
    assert viewer.post("/tables", data={"table": "1"}).status_code == 403
    asked = viewer.post("/api/act", json={"type": "revoke", "seq": 1, "code": code})
    assert (asked.status_code, asked.get_json()["title"]) == (403, "Not in this role")
    assert [director.get(path).status_code for path in ("/desk", "/tables", "/matches")] == [200] * 3


def test_forged_cookie_is_none(hall: Hub) -> None:
    viewer, director = (hall.roles.issue(role) for role in (Role.VIEWER, Role.DIRECTOR))
    seen, wanted = (hall.roles.cookie(one.visitor) for one in (viewer, director))
    forged = (
        f"{wanted[:-4]}{seen[-4:]}",
        wanted.partition(".")[0],
        seen.replace(viewer.code, director.code),
    )
    for cookie in forged:
        client = hall.app.test_client()
        client.set_cookie(COOKIE, cookie)
        assert client.get("/desk").status_code == 403
        assert client.get("/api/state").status_code == 403


# Pairings


@pytest.mark.parametrize("role", [Role.VIEWER, Role.SCOREKEEPER])
def test_pairings_are_for_the_director(hall: Hub, role: Role) -> None:
    visitor = hall.join(role)
    assert visitor.get("/pairings").status_code == 403
    assert visitor.post("/pairings", data={"list": "1,,Ann,Ben"}).status_code == 403
    assert hall.store.pairings.all() == []


def test_list_is_taken_as_a_whole_or_not_at_all(hall: Hub) -> None:
    director = hall.join(Role.DIRECTOR)
    director.post("/tables", data={"table": "2"})
    wrong = director.post("/pairings", data={"list": "1,2,Ann <b>,Ben\n1,3,Eva,Jun"})
    assert (wrong.status_code, "Line 2: no table “3”" in wrong.text) == (422, True)
    assert "1,3,Eva,Jun" in wrong.text  # to be corrected
    assert hall.store.pairings.all() == []
    other = director.post("/pairings", data={"list": "1,2,Ann,Ben"}, headers={"Origin": "http://e.test"})
    assert other.status_code == 403
    file = (io.BytesIO(b"round;table;player;player;length\n1;2;Ann <b>;Ben;5\n1;;Eva;Jun"), "list.csv")
    assert director.post("/pairings", data={"file": file}).status_code == 303
    page = director.get("/pairings").text
    assert "Ann &lt;b&gt; – Ben" in page
    assert (page.count("· not begun"), "Match to 5 points" in page) == (2, True)
    second = hall.store.pairings.all()[1]
    assert director.post("/pairings", data={"pairing": second.id, "table": "9"}).status_code == 422
    assert director.post("/pairings", data={"pairing": second.id, "table": "2"}).status_code == 303
    second = hall.store.pairings.all()[1]
    assert second.board == "2"
    assert director.post("/pairings", data={"pairing": second.id, "do": "drop"}).status_code == 303
    for do in ("give", "drop"):  # as from a page that was opened before
        answer = director.post("/pairings", data={"pairing": second.id, "do": do})
        assert (answer.status_code, "has changed in the meantime" in answer.text) == (422, True)
    assert [one.south for one in hall.store.pairings.all()] == ["Ann <b>"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_file_of_a_spreadsheet_keeps_its_letters(hall: Hub, encoding: str, separator: str) -> None:
    director = hall.join(Role.DIRECTOR)
    text = "round;table;player;player\r\n1;;Gül;Şükrü\r\n1;;Eva;Mäkinen\r\n".replace(";", separator)
    file = (io.BytesIO(text.encode(encoding)), "list.csv")
    assert director.post("/pairings", data={"file": file}).status_code == 303
    assert [(one.south, one.north) for one in hall.store.pairings.all()] == [
        ("Gül", "Şükrü"),
        ("Eva", "Mäkinen"),
    ]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("1,,Ann,Ben\n1,,Gül,Jun\n".encode("cp1252"), 2),
        ("1,,Ann,Şükrü\n".encode("cp1254"), 1),
        (codecs.BOM_UTF16_LE + b"1\0,", 1),
    ],
)
def test_file_whose_letters_cannot_be_told_is_refused(hall: Hub, content: bytes, line: int) -> None:
    refused = hall.join(Role.DIRECTOR).post("/pairings", data={"file": (io.BytesIO(content), "list.csv")})
    assert (refused.status_code, f"Line {line} is not in UTF-8" in refused.text) == (422, True)
    assert hall.store.pairings.all() == []


@pytest.mark.parametrize(("do", "said"), [("give", "offered again"), ("drop", "pairing is deleted")])
def test_match_in_play_loses_its_pairing_only_after_a_question(hall: Hub, do: str, said: str) -> None:
    director = hall.join(Role.DIRECTOR)
    director.post("/tables", data={"table": "2"})
    director.post("/pairings", data={"list": "1,2,Ann,Ben,5,,Open\n1,,Eva,Jun,5,,Open"})
    hall.play("2", 5)
    pairing = hall.store.pairings.all()[0].id
    hall.store.pairings.begin(pairing, "2", "m1")
    form = {"pairing": pairing, "table": "2", "do": do}
    asked = director.post("/pairings", data=form)
    assert (asked.status_code, "being played at table 2" in asked.text, said in asked.text) == (
        200,
        True,
        True,
    )
    assert hall.store.pairings.of("2", "m1") == ("1", "Open")
    kept = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', asked.text)
    assert dict(kept) | {"do": do} == form | {"sure": "yes"}
    assert f'name="do" value="{do}"' in asked.text
    assert director.post("/pairings", data=form | {"sure": "yes"}).status_code == 303
    assert hall.store.pairings.of("2", "m1") == ("", "")
    assert len(hall.store.pairings.all()) == (2 if do == "give" else 1)


def test_match_that_has_ended_since_the_list_was_shown_keeps_its_pairing_likewise(hall: Hub) -> None:
    director = hall.join(Role.DIRECTOR)
    director.post("/pairings", data={"list": "1,,Ann,Ben,3,,Open"})
    pairing = hall.store.pairings.all()[0].id
    play_off(hall, "Ann")
    hall.store.pairings.begin(pairing, "2", f"m{pairing}")
    asked = director.post("/pairings", data={"pairing": pairing, "do": "drop"})
    assert (asked.status_code, "has been played at table 2" in asked.text) == (200, True)
    assert hall.store.pairings.of("2", f"m{pairing}") == ("1", "Open")


# The draw


def test_list_of_a_large_event_is_taken_as_a_whole_or_not_at_all(hall: Hub) -> None:
    director = hall.join(Role.DIRECTOR)
    lines = [
        f"{number},,Ünal Player {number},Nils Player {number},7,tournament,Open" for number in range(2000)
    ]
    assert director.post("/pairings", data={"list": "\n".join([*lines, "x"])}).status_code == 422
    assert listed(hall) == []
    assert director.post("/pairings", data={"list": "\n".join(lines)}).status_code == 303
    assert len(listed(hall)) == 2000
    again = director.post("/pairings", data={"list": "x" * 1_100_000})
    assert (again.status_code, "too much for the page" in again.text) == (413, True)


def test_long_list_arrives_whole_from_a_browser(hall: Hub) -> None:
    lines = "\n".join(
        f"{number},,Ünal Player {number},Nils Player {number},7,,Open" for number in range(1500)
    )
    with closing(serve(hall.app, "127.0.0.1", 0)) as running:
        code = hall.roles.issue(Role.DIRECTOR).code
        director = Visitor(f"http://127.0.0.1:{running.port}/join/{code}")
        assert director.send_form("/pairings", list=lines) == 303
    assert len(listed(hall)) == 1500


def test_round_robin_of_a_large_event_can_be_taken_over(hall: Hub) -> None:
    director = hall.join(Role.DIRECTOR)
    names = "\n".join(f"Ünal Player {number}" for number in range(60))
    page = director.post("/pairings/draw", data=FORM | {"kind": "round-robin", "names": names}).text
    assert director.post("/pairings/draw", data=proposed(page)).status_code == 303
    assert len(listed(hall)) == 60 * 59 // 2


FORM = {"event": "Club Open", "kind": "swiss", "names": "Ann\nBen <b>\nEva; x\nMax\nZoe"}


def listed(hall: Hub) -> list[tuple[str, str, str, str]]:
    return [(one.event, one.round, one.south, one.north) for one in hall.store.pairings.all()]


def proposed(page: str) -> dict[str, str]:
    """The fields of the form that takes a proposal over."""
    form = page.partition('class="proposal"')[2].partition("</form>")[0]
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form)
    return {name: unescape(value) for name, value in found} | {"do": "take"}


def play_off(hall: Hub, winner: str) -> None:
    """Have every pairing that has not begun played at a table; whoever has this name wins, or south."""
    for one in hall.store.pairings.all():
        if not one.match:
            loser = Side.NORTH if winner != one.north else Side.SOUTH
            match = f"m{one.id}"
            began_at = began(
                3,
                at_ms=START_MS,
                match_id=match,
                south=one.south,
                north=one.north,
                clock="simple_delay",
                clock_delay_s=0,
            )
            dice = (
                ((6,), (4,)) if loser is Side.SOUTH else ((4,), (6,))
            )  # whoever is on roll runs out of time
            events = [
                replace(began_at, pairing=one.id),
                OpeningThrown(*dice, at_ms=START_MS),
                TimeRanOut(loser, at_ms=START_MS + 3_600_000),
            ]
            digest = GENESIS
            for number, event in enumerate(events, 1):
                row = row_of(event, match, number, digest)
                hall.store.add("2", row)
                digest = row.digest
            hall.store.commit()


@pytest.mark.parametrize("role", [Role.VIEWER, Role.SCOREKEEPER])
def test_draw_is_for_the_director(hall: Hub, role: Role) -> None:
    assert hall.join(role).post("/pairings/draw", data=FORM).status_code == 403
    other = hall.join(Role.DIRECTOR).post("/pairings/draw", data=FORM, headers={"Origin": "http://e.test"})
    assert other.status_code == 403


def test_round_is_proposed_and_taken_over_and_the_next_follows_from_the_results(hall: Hub) -> None:
    director = hall.join(Role.DIRECTOR)
    page = director.post("/pairings/draw", data=FORM).text
    assert "Ann – Eva; x" in page
    assert "Ben &lt;b&gt; – Max" in page
    assert "No match, a bye: Zoe" in page
    assert listed(hall) == []  # it is a proposal
    fields = proposed(page)
    assert director.post("/pairings/draw", data=fields).status_code == 303
    assert listed(hall) == [("Club Open", "1", "Ann", "Eva; x"), ("Club Open", "1", "Ben <b>", "Max")]
    again = director.post("/pairings/draw", data=FORM)
    assert (again.status_code, "is in the list already" in again.text) == (422, True)
    play_off(hall, "Max")
    page = director.get("/pairings?again=Club+Open").text
    assert 'value="swiss" selected' in page
    assert "Ann\nBen &lt;b&gt;\nEva; x\nMax\nZoe</textarea>" in page
    page = director.post("/pairings/draw", data=FORM).text
    assert director.post("/pairings/draw", data=proposed(page)).status_code == 303
    second = [frozenset(one[2:]) for one in listed(hall) if one[1] == "2"]
    assert (len(second), {"Ann", "Max", "Zoe"} > set(second[0])) == (2, True)  # winners meet
    assert not {frozenset(("Ann", "Eva; x")), frozenset(("Ben <b>", "Max"))} & set(second)
    page = director.get("/pairings?players=Club+Open").text
    assert "Ann\nMax\nBen &lt;b&gt;\nEva; x</textarea>" in page


def test_everybody_is_answered_while_a_round_is_drawn(hall: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    is_drawing, goes_on = threading.Event(), threading.Event()

    def slow(*given: Any) -> list[Drawn]:
        is_drawing.set()
        assert goes_on.wait(PATIENCE_S)
        return draw(*given)

    monkeypatch.setattr(draws, "draw", slow)
    with closing(serve(hall.app, "127.0.0.1", 0)) as running:
        link = f"http://127.0.0.1:{running.port}/join/"
        director, viewer = (
            Visitor(link + hall.roles.issue(one).code) for one in (Role.DIRECTOR, Role.VIEWER)
        )
        answers: list[tuple[int, str]] = []
        draws_on = threading.Thread(
            target=lambda: answers.append(director.answer_to_form("/pairings/draw", **FORM))
        )
        draws_on.start()
        try:
            assert is_drawing.wait(PATIENCE_S)
            for visitor, path in ((viewer, "/wall"), (director, "/desk"), (director, "/pairings")):
                assert visitor.get(path)[0] == 200
            assert answers == []
        finally:
            goes_on.set()
            draws_on.join()
    assert answers[0][0] == 200


def test_names_from_results_can_be_drawn_whatever_is_in_them(hall: Hub) -> None:
    director = hall.join(Role.DIRECTOR)
    director.post(
        "/pairings",
        data={"list": 'round,table,player,player,length,rules,event\n1,,"von W., Max",Ann,,,Club'},
    )
    play_off(hall, "Ann")
    page = director.get("/pairings?players=Club").text
    names = unescape(page.rpartition("</textarea>")[0].rpartition('aria-describedby="form-of-names">')[2])
    names = names.partition("</textarea>")[0]
    assert names == 'Ann\n"von W., Max"'
    assert "Ann – von W., Max" in director.post("/pairings/draw", data=FORM | {"names": names}).text


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"event": " "}, "An event needs a name"),
        ({"kind": "x"}, "Choose how the event is played"),
        ({"names": "Ann"}, "A draw needs 2 to 512 players"),
        ({"names": "Ann\nBen\nAnn"}, "Line 3: each player once"),
        ({"names": f"Ann\n{'x' * 200}"}, "Line 2: a name has up to"),
        ({"round": "x"}, "A round is a number from 1 to 512"),
        ({"round": "2"}, "The round to be drawn next is 1"),
        ({"round": "9", "kind": "round-robin"}, "No match of this event is left"),
        ({"rules": "none"}, "there are no rules “none”"),
        ({"length": "x"}, "is no length of a match"),
    ],
)
def test_draw_that_cannot_be_made_says_why_and_keeps_what_was_given(
    hall: Hub, changed: dict[str, str], said: str
) -> None:
    answer = hall.join(Role.DIRECTOR).post("/pairings/draw", data=FORM | changed)
    assert (answer.status_code, said in answer.text) == (422, True)
    assert f"{escape((FORM | changed)['names'])}</textarea>" in answer.text
    assert listed(hall) == []


def test_round_robin_draws_all_rounds_or_the_one_that_is_named(hall: Hub) -> None:
    director, form = hall.join(Role.DIRECTOR), FORM | {"kind": "round-robin", "length": "7"}
    lines = proposed(director.post("/pairings/draw", data=form).text)["list"].splitlines()
    assert len(lines) == 1 + 10
    fields = proposed(director.post("/pairings/draw", data=form | {"round": "3"}).text)
    director.post("/pairings/draw", data=fields)
    assert {(one.round, one.length) for one in hall.store.pairings.all()} == {("3", 7)}


def test_player_who_comes_later_has_no_bye(hall: Hub) -> None:
    page = hall.join(Role.DIRECTOR).post("/pairings/draw", data=FORM | {"names": "Ann\nBen\nZoe, 2"}).text
    assert "Ann – Ben" in page
    assert "a bye" not in page


def test_pairing_of_the_round_that_is_not_drawn_is_named(hall: Hub) -> None:
    director = hall.join(Role.DIRECTOR)
    director.post("/pairings", data={"list": "1,,Ann,Ben <b>,,,Club Open"})
    answer = director.post("/pairings/draw", data=FORM)
    assert (answer.status_code, "Ann against Ben &lt;b&gt; in round 1" in answer.text) == (422, True)


def test_swiss_is_named_with_its_command_where_it_is_not_installed(
    hall: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    director, command = hall.join(Role.DIRECTOR), "pip install &#39;board-companion[hall]&#39;"
    assert command not in director.get("/pairings").text
    monkeypatch.setitem(sys.modules, "networkx", None)
    page = director.get("/pairings").text
    assert command in page
    assert '<option value="swiss" disabled>' in page
    answer = director.post("/pairings/draw", data=FORM)
    assert (answer.status_code, "needs the package networkx" in answer.text) == (422, True)
    assert director.post("/pairings/draw", data=FORM | {"kind": "elimination"}).status_code == 200


# Rulings from the desk


@pytest.mark.parametrize("role", [Role.VIEWER, Role.SCOREKEEPER])
def test_only_the_director_rules_from_the_desk(hall: Hub, role: Role) -> None:
    hall.play("2", 5)
    visitor = hall.join(role)
    assert visitor.get("/desk/2").status_code == 403
    assert visitor.post("/desk/2", data={"do": "coming"}).status_code == 403
    assert hall.store.orders.last("2") == []


def test_decision_is_an_order_for_the_table_as_it_is(hall: Hub) -> None:
    hall.play("2", 5)
    director = hall.join(Role.DIRECTOR)
    assert director.get("/desk/9").status_code == 404
    other = director.post("/desk/2", data={"do": "coming"}, headers={"Origin": "http://e.test"})
    assert other.status_code == 403
    for wrong in ({}, {"do": "decide"}, {"do": "penalty", "to": "east"}, {"do": "set", "south": "1:75"}):
        assert director.post("/desk/2", data=wrong).status_code == 422, wrong
    assert hall.store.orders.last("2") == []
    forms = (
        ({"do": "coming"}, {"type": "coming"}),
        (
            {"do": "decide", "why": "Flat", "question": "<b>"},
            {"type": "call_director", "over": True, "question": "<b>", "why": "Flat"},
        ),
        (
            {"do": "penalty", "to": "north", "minutes": "12"},
            {"type": "rule", "penalty": {"to": "north", "minutes": 12}},
        ),
        ({"do": "set", "south": "12:30"}, {"type": "clock", "order": "set", "south_ms": 750_000, "why": ""}),
        ({"do": "stop"}, {"type": "clock", "order": "stop", "why": ""}),
        ({"do": "condone", "why": "Agreed"}, {"type": "condone", "why": "Agreed"}),
    )
    for form, action in forms:
        assert director.post("/desk/2", data=form).status_code == 303
        newest = hall.store.orders.last("2")[0]
        assert (json.loads(newest.action), newest.session, newest.seq) == (action, "s", 5)
    page = director.get("/desk/2").text
    assert page.count("waits for the table") == len(forms)
    assert "&lt;b&gt;: Flat" in page


@pytest.mark.parametrize(
    ("form", "said"),
    [
        (
            {"do": "set", "south": "1:75", "north": "12:30", "why": "Agreed <b>"},
            "times are written like 12:30",
        ),
        ({"do": "penalty", "to": "north", "points": "one", "why": "Late"}, "times are written like 12:30"),
        ({"do": "penalty", "to": "north", "minutes": "12", "at": "m0.5"}, "has changed in the meantime"),
        ({"do": "decide", "question": "Cocked?", "why": "Flat", "at": "m0.5"}, "has changed in the meantime"),
        ({"do": "set", "south": "0:30", "why": "Agreed", "at": "m0.5"}, "has changed in the meantime"),
    ],
)
def test_refused_decision_comes_back_as_it_was_typed_with_the_reason_in_its_form(
    hall: Hub, form: dict[str, str], said: str
) -> None:
    hall.play("2", 5, clock="simple_delay")
    answer = hall.join(Role.DIRECTOR).post("/desk/2", data=form)
    assert answer.status_code == 422
    forms = re.findall(r"<form.*?</form>", answer.text, re.DOTALL)
    [own] = [one for one in forms if f'value="{form["do"]}"' in one]
    others = "".join(one for one in forms if one != own)
    for name, typed in form.items():
        if name not in ("do", "to", "at"):
            assert f'value="{escape(typed)}"' in own, name
            assert f'value="{escape(typed)}"' not in others
    assert said in own
    assert answer.text.count(said) == 1
    if "to" in form:
        assert '<option value="north" selected>' in own


def test_decision_that_the_table_refuses_comes_back_with_the_table_s_sentence(
    hall: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall.play("2", 5)
    given = hall.store.orders.give

    def refused_at_once(*order: Any) -> int | None:
        number = given(*order)
        assert number is not None
        hall.store.answer("2", Answers((OrderAnswer(number, say("Not at this table.").to_json()),)))
        hall.store.commit()
        return number

    monkeypatch.setattr(hall.store.orders, "give", refused_at_once)
    answer = hall.join(Role.DIRECTOR).post("/desk/2", data={"do": "penalty", "to": "south", "why": "Late"})
    form = answer.text.partition("Penalty points go to")[2].partition("</form>")[0]
    assert (answer.status_code, 'value="Late"' in form, "Not at this table." in form) == (422, True, True)


def test_decision_about_another_dispute_or_match_than_was_shown_is_none(hall: Hub) -> None:
    hall.play("2", 5)
    director = hall.join(Role.DIRECTOR)
    at = director.get("/desk/2").text.partition('name="at" value="')[2].partition('"')[0]
    assert at == "m1.5"
    stale = {"do": "condone", "at": "m1.4"}, {"do": "penalty", "to": "north", "at": "m0.5"}
    for form in stale:
        answer = director.post("/desk/2", data=form)
        assert (answer.status_code, "has changed in the meantime" in answer.text) == (422, True)
    assert hall.store.orders.last("2") == []
    good = (
        {"do": "condone", "at": at},
        {"do": "penalty", "to": "north", "at": "m1.4"},
        {"do": "coming", "at": "m0.1"},
    )
    for form in good:
        assert director.post("/desk/2", data=form).status_code == 303
    assert len(hall.store.orders.last("2")) == len(good)


def test_former_decision_names_the_players_of_its_own_match(hall: Hub) -> None:
    hall.play("2", 5, south="Eva")
    director = hall.join(Role.DIRECTOR)
    assert director.post("/desk/2", data={"do": "penalty", "to": "south", "why": "late"}).status_code == 303
    assert "Penalty points: Eva +1: late" in director.get("/desk/2").text
    hall.play("2", 20, match="m2", south="Ann")
    assert "Penalty points: Eva +1: late" in director.get("/desk/2").text
    director.post("/matches/2.m1/delete", data={"sure": "yes"})
    assert "Penalty points: South +1: late" in director.get("/desk/2").text


def test_decision_of_a_former_version_names_the_players_of_the_match_of_its_time(hall: Hub) -> None:
    hall.play("2", 5, south="Eva")
    hall.play("2", 5, match="m2", south="Ann", day=1)
    for at_ms in (START_MS - 1, START_MS + 3000, START_MS + 60_000, START_MS + 86_400_000 + 3000):
        number = hall.store.orders.give("2", "s", 1, "", {"type": "rule", "penalty": {"to": "south"}}, at_ms)
        hall.store._ask("DELETE FROM ruling_match WHERE number = ?", number)  # as it was before there was one
    page = hall.join(Role.DIRECTOR).get("/desk/2").text
    named = re.findall(r"Penalty points: (\w+) \+1", page)
    assert named == [
        "Ann",
        "South",
        "Eva",
        "South",
    ]  # the newest first; between two matches nobody can be named


# What runs the event does not take the results


def test_director_is_told_what_keeps_the_webhook_up_and_nobody_else(hall: Hub) -> None:
    hall.play("1", 5)
    number, outage = hall.page.number, {"host": "event.test", "why": "status 500", "waiting": 2}
    assert hall.join(Role.DIRECTOR).get("/api/state").get_json()["webhook"] is None
    hall.outage = outage
    hall.show()
    assert news(hall, Role.DIRECTOR, number) == {
        "seq": hall.page.number,
        "hall": "club",
        "since": number,
        "tables": [],
        "webhook": outage,
        "trouble": "",
    }
    assert hall.join(Role.DIRECTOR).get("/api/state").get_json()["webhook"] == outage
    for role in (Role.SCOREKEEPER, Role.VIEWER):
        assert news(hall, role, number) is None
        assert "webhook" not in hall.join(role).get("/api/state").get_json()
    number = hall.page.number
    hall.show()
    assert hall.page.number == number  # nothing is new
    hall.outage = None
    hall.show()
    after = news(hall, Role.DIRECTOR, number)
    assert after is not None
    assert after["webhook"] is None


# Deleting a match


@pytest.mark.parametrize("role", [Role.VIEWER, Role.SCOREKEEPER])
def test_only_the_director_deletes_a_match(hall: Hub, role: Role) -> None:
    hall.play("1", 20)
    hall.play("1", 20, match="m2")
    visitor = hall.join(role)
    assert visitor.get("/matches/1.m1/delete").status_code == 403
    assert visitor.post("/matches/1.m1/delete", data={"sure": "yes"}).status_code == 403
    assert hall.store.matches("1") == ["m1", "m2"]


def test_director_deletes_a_match_once_its_table_has_played_on(hall: Hub) -> None:
    director, address = hall.join(Role.DIRECTOR), "/matches/1.m1"
    hall.play("1", 20)
    assert "<form" not in director.get(f"{address}/delete").text.partition("<h2>")[2]
    refused = director.post(f"{address}/delete", data={"sure": "yes"})
    assert (refused.status_code, "once another match has been begun" in refused.text) == (422, True)
    hall.play("1", 1, match="m2")  # begun, and nothing played: the table can go back to the former
    assert director.post(f"{address}/delete", data={"sure": "yes"}).status_code == 422
    hall.play("1", 20, match="m2")
    assert f'href="{address}/delete"' in director.get(address).text
    assert 'id="delete"' in director.get(f"{address}/delete").text
    assert director.post(f"{address}/delete").status_code == 422  # the box is not ticked
    elsewhere = {"Origin": "http://elsewhere.test"}
    assert director.post(f"{address}/delete", data={"sure": "yes"}, headers=elsewhere).status_code == 403
    assert director.get(f"/api{address}/replay").status_code == 200  # so that it is remembered
    gone = director.post(f"{address}/delete", data={"sure": "yes"})
    assert (gone.status_code, gone.headers["Location"]) == (303, "/matches?deleted=1")
    assert "The match is deleted." in director.get("/matches?deleted=1").text
    for path in (address, f"/api{address}/replay", f"{address}/export/mat", f"{address}/delete"):
        assert director.get(path).status_code == 404, path
    assert [one["id"] for one in _listed(director)] == ["m2"]
    assert director.post(f"{address}/delete", data={"sure": "yes"}).status_code == 422
    assert director.get("/t/1").status_code == 200


def _listed(visitor: FlaskClient) -> list[dict[str, str]]:
    return [
        {"id": found}
        for found in re.findall(r'<h2><a href="/matches/1\.(\w+)"', visitor.get("/matches").text)
    ]
