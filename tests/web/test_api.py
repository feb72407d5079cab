"""State, events, actions and pictures over HTTP, and everything that is refused."""

import json
import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.protocol.action_shapes import BY_TYPE
from companion.protocol.shapes import State
from tests.support.published import faults
from tests.support.real_page import RealTable
from web.page import Page
from web.roles import COOKIE, Role, Roles
from web.site import Limit, site_of


def act(client: FlaskClient, **body: Any):
    return client.post("/api/act", json=body)


def problem(answer) -> dict[str, Any]:
    """The refusal, which must be a full one."""
    assert answer.mimetype == "application/problem+json"
    said = answer.get_json()
    assert said["status"] == answer.status_code
    assert said["detail"].endswith(".")
    assert said["title"]
    return said


def test_state_has_its_shape_also_where_much_is_going_on(join, table: RealTable) -> None:
    """A cocked throw, a play in dispute, a resignation, a lost camera, a full disk, time that runs."""
    director, viewer = join(Role.DIRECTOR), join(Role.VIEWER)
    states = []

    def look() -> None:
        for client in (director, viewer, join(Role.PLAYER, "south")):
            states.append(client.get("/api/state").get_json())

    look()
    for aids in ("shown", "withheld"):
        table.do("new_match", overrides={"aids": aids, "clock": "simple_delay"})
        table.thrown(6, 4, why="leaning")
        table.thrown(6, 4)
        look()
        table.do("play", moves=[[24, 18], [13, 5]], made=True)
        look()
        table.do("correct")
        table.do("play", text="24/18 13/9")
        table.do("done")
        table.thrown(6, None)
        table.camera("lost", "The camera gives no pictures.")
        look()
        table.do("rule", dice=[6, 3])
        table.journal.full = True
        table.do("resign", worth=1)
        look()
        table.do("accept")
        look()
        table.journal.full = False
    assert {state["phase"] for state in states} >= {"no_match", "rolled", "on_roll", "resigning", "game_over"}
    assert {state["durable"] for state in states} == {True, False}
    assert any(state["dispute"] for state in states)
    assert [faults(state) for state in states] == [[]] * len(states)


@pytest.mark.parametrize("path", ["/api/state", "/api/events", f"/pictures/{'0' * 32}.jpg"])
def test_strangers_see_nothing(app: Flask, path: str) -> None:
    assert problem(app.test_client().get(path))["status"] == 403


def test_strangers_do_nothing(app: Flask, table) -> None:
    assert problem(act(app.test_client(), type="new_match", seq=table.seq))["status"] == 403
    assert table.acted == []


def test_forged_role_does_nothing(app: Flask, roles: Roles, table) -> None:
    """A viewer's cookie under a director's signature, and the other way round."""
    viewer, director = (roles.cookie(roles.issue(role).visitor) for role in (Role.VIEWER, Role.DIRECTOR))
    client = app.test_client()
    client.set_cookie(COOKIE, director)
    assert client.get("/api/state").status_code == 200
    for code, signature in ((director, viewer), (viewer, director)):
        client.set_cookie(COOKIE, f"{code.split('.')[0]}.{signature.split('.')[1]}")
        assert problem(act(client, type="new_match", seq=table.seq))["status"] == 403
        assert problem(client.get("/api/state"))["status"] == 403
    assert table.acted == []


def test_viewers_do_nothing(join, table) -> None:
    answer = act(join(Role.VIEWER), type="new_match", seq=table.seq)
    assert problem(answer)["status"] == 403
    assert table.acted == []


def test_players_answer_what_they_are_asked(join, keeper: FlaskClient, table) -> None:
    south, north = join(Role.PLAYER, "south"), join(Role.PLAYER, "north")
    act(keeper, type="new_match", seq=table.seq)
    act(keeper, type="opening", south=3, north=1, seq=table.seq)
    act(keeper, type="play", moves=[[8, 5], [6, 5]], seq=table.seq)
    act(keeper, type="done", seq=table.seq)
    act(keeper, type="double", seq=table.seq)
    said = problem(act(north, type="take", seq=table.seq))
    assert (said["status"], said["detail"]) == (422, "South may answer now, not North.")
    assert problem(act(north, type="take", side="south", seq=table.seq))["status"] == 403
    assert problem(act(south, type="done", seq=table.seq))["status"] == 403
    assert act(south, type="take", seq=table.seq).get_json()["cube"]["owner"] == "south"


def test_stale_seq(keeper: FlaskClient, table) -> None:
    seq = table.seq
    assert act(keeper, type="new_match", seq=seq).status_code == 200
    assert problem(act(keeper, type="new_match", seq=seq))["status"] == 409
    assert len(table.acted) == 1


def test_what_the_rules_forbid(keeper: FlaskClient, table) -> None:
    act(keeper, type="new_match", seq=table.seq)
    act(keeper, type="opening", south=3, north=1, seq=table.seq)
    said = problem(act(keeper, type="play", moves=[[24, 1]], seq=table.seq))
    assert (said["status"], said["detail"]) == (422, "The opponent holds that point.")
    assert table.moves == []


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"nonsense", id="no JSON"),
        pytest.param(b"\xff\xfe\x00", id="no text"),
        pytest.param(b"null", id="null"),
        pytest.param(b"[]", id="a list"),
        pytest.param(b'"done"', id="a string"),
        pytest.param(b"{}", id="no type"),
        pytest.param(b'{"type": 5, "seq": 1}', id="type a number"),
        pytest.param(b'{"type": ["done"], "seq": 1}', id="type a list"),
        pytest.param(b'{"type": "win", "seq": 1}', id="unknown type"),
        pytest.param(b'{"type": "done"}', id="no seq"),
        pytest.param(b'{"type": "done", "seq": "1"}', id="seq a string"),
        pytest.param(b'{"type": "done", "seq": NaN}', id="seq not a number"),
        pytest.param(b'{"type": "done", "seq": 1e400}', id="seq infinite"),
        pytest.param(b'{"type": "done", "seq": ' + b"9" * 5000 + b"}", id="seq of 5000 digits"),
        pytest.param(b'{"type": "roll", "seq": 1, "dice": [0, 7]}', id="no such dice"),
        pytest.param(b'{"type": "roll", "seq": 1, "dice": {}}', id="dice an object"),
        pytest.param(b'{"type": "lift", "seq": 1, "side": "east"}', id="lift for no side"),
        pytest.param(b'{"type": "lift", "seq": 1, "side": 1}', id="lift for a number"),
        pytest.param(b"[" * 60_000, id="nested too deep"),
        pytest.param(b'{"type":"play","seq":1,"text":"\\ud800"}', id="half a surrogate pair"),
        pytest.param(b'{"type":"revoke","seq":1}', id="revoke nothing"),
    ],
)
def test_nonsense_is_refused_and_changes_nothing(keeper: FlaskClient, table, data: bytes) -> None:
    before = keeper.get("/api/state").get_data()
    answer = keeper.post("/api/act", data=data, content_type="application/json")
    assert problem(answer)["status"] == 400
    assert keeper.get("/api/state").get_data() == before
    assert table.acted == []


DEEP = (
    '{{"type": "play", "seq": 1, "moves": {0}}}',
    '{{"type": "new_match", "seq": 1, "overrides": {{"x": {0}}}}}',
    '{{"type": "amend", "seq": 1, "event": 1, "to": {{"type": "roll", "dice": {0}}}}}',
    '{{"type": "done", "seq": 1, "unknown": {0}}}',
    '{{"type": "revoke", "seq": 1, "code": {0}}}',
    "{0}",
)


@pytest.mark.parametrize("body", DEEP)
@pytest.mark.parametrize("role", [Role.VIEWER, Role.DIRECTOR])
def test_deep_nesting_is_refused_and_leaves_no_trace(
    join, role: Role, body: str, caplog: pytest.LogCaptureFixture
) -> None:
    client = join(role)
    for deep in (*range(90, 1100, 40), 5000):
        data = body.format("[" * deep + "]" * deep)
        answer = client.post("/api/act", data=data, content_type="application/json")
        assert answer.status_code in (400, 403, 409, 422), deep
    assert caplog.records == []


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_only_json(keeper: FlaskClient, table, kind: str) -> None:
    body = json.dumps({"type": "new_match", "seq": table.seq})
    assert problem(keeper.post("/api/act", data=body, content_type=kind))["status"] == 415
    assert table.acted == []


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://localhost"])
def test_other_origins(keeper: FlaskClient, table, origin: str) -> None:
    body = {"type": "new_match", "seq": table.seq}
    origin = origin if "://" not in origin else origin + ":1"
    assert problem(keeper.post("/api/act", json=body, headers={"Origin": origin}))["status"] == 403
    assert table.acted == []


def test_own_origin(keeper: FlaskClient, table) -> None:
    body = {"type": "new_match", "seq": table.seq}
    assert keeper.post("/api/act", json=body, headers={"Origin": "http://localhost"}).status_code == 200


def test_long_body(keeper: FlaskClient, table) -> None:
    body = {"type": "new_match", "seq": table.seq, "players": {"south": "x" * 100_000}}
    assert problem(keeper.post("/api/act", json=body))["status"] == 413
    assert table.acted == []


def test_script_may_play_a_whole_match_as_fast_as_it_is_answered(keeper: FlaskClient, table) -> None:
    assert {act(keeper, type="done", seq=table.seq).status_code for _ in range(1500)} == {422}


def test_haste(keeper: FlaskClient, app: Flask, table) -> None:
    site_of(app).acts = Limit(1.0, 4.0, now=lambda: 0.0)
    answers = [act(keeper, type="done", seq=table.seq).status_code for _ in range(5)]
    assert answers == [422] * 4 + [429]
    late = act(keeper, type="done", seq=table.seq)
    assert problem(late)["status"] == 429
    assert late.headers["Retry-After"] == "1"


@pytest.mark.parametrize("method", ["get", "put", "delete", "patch"])
def test_wrong_method(keeper: FlaskClient, method: str) -> None:
    assert problem(getattr(keeper, method)("/api/act"))["status"] == 405


def test_unknown_address(keeper: FlaskClient) -> None:
    assert problem(keeper.get("/api/nothing"))["status"] == 404


def test_before_the_table_is_ready(roles: Roles) -> None:
    from web.app import create_app
    from web.page import refused

    client = create_app(Page(lambda visitor, body: refused(422, "No", "No.")), roles).test_client()
    client.get(f"/join/{roles.issue(Role.VIEWER).code}")
    assert problem(client.get("/api/state"))["status"] == 503


@pytest.mark.parametrize(
    "name",
    [
        "../roles.json",
        "..%2froles.json",
        "%2e%2e/roles.json",
        "..\\roles.json",
        ".hidden.png",
        "x.json",
        "64.png.txt",
    ],
)
def test_no_way_out_of_the_pictures(keeper: FlaskClient, app: Flask, name: str) -> None:
    asked = []
    site_of(app).page.picture = lambda wanted: asked.append(wanted)
    assert keeper.get(f"/pictures/{name}").status_code in (404, 308)
    assert asked == []


def test_picture(join, table: RealTable) -> None:
    table.do("new_match")
    table.thrown(6, 4)
    viewer = join(Role.VIEWER)
    answer = viewer.get(viewer.get("/api/state").get_json()["throw"]["picture"])
    assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    assert answer.get_data().startswith(b"\xff\xd8\xff")
    assert viewer.get(f"/pictures/{'0' * 32}.jpg").status_code == 404
    assert answer.headers["Cache-Control"].startswith("private")


def test_revoking(join, roles: Roles, table) -> None:
    viewer, keeper, director = join(Role.VIEWER), join(Role.SCOREKEEPER), join(Role.DIRECTOR)
    codes = {joining.role: joining.code for joining in roles.all()}

    def revoke(client: FlaskClient, code: str) -> int:
        return act(client, type="revoke", seq=table.seq, code=code).status_code

    assert revoke(viewer, codes[Role.SCOREKEEPER]) == 403
    assert revoke(keeper, codes[Role.DIRECTOR]) == 403
    assert revoke(keeper, "NOSUCHCODE") == 422
    assert revoke(keeper, codes[Role.VIEWER]) == 200
    assert viewer.get("/api/state").status_code == 403
    assert revoke(director, codes[Role.SCOREKEEPER]) == 200
    assert keeper.get("/api/state").status_code == 403
    said = act(director, type="revoke", seq=table.seq, code=codes[Role.DIRECTOR])
    assert said.status_code == 403
    assert said.get_json()["detail"] == "You cannot revoke the code that you joined with."


def test_document_names_every_action_and_every_field(app: Flask) -> None:
    told = app.test_client().get("/api/openapi.json").get_json()
    schemas = told["components"]["schemas"]
    assert set(schemas["State"]["properties"]) == set(State.__annotations__)
    mapping = told["paths"]["/api/act"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert set(mapping["discriminator"]["mapping"]) == {*BY_TYPE, "revoke"}
    named = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(told)))
    assert named <= set(schemas)
    routes = {
        re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule).replace("{code}", "{name}")
        for rule in app.url_map.iter_rules()
    }
    assert set(told["paths"]) == {
        path for path in routes if path.startswith(("/api", "/pictures", "/joins", "/signed", "/export"))
    }


def test_cookie_is_kept_from_scripts_and_other_sites(app: Flask, roles: Roles) -> None:
    told = app.test_client().get(f"/join/{roles.issue(Role.VIEWER).code}").headers["Set-Cookie"]
    assert told.startswith(COOKIE)
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= {part.strip() for part in told.split(";")}
    assert "Secure" not in told
