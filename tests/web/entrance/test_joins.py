"""Handing out join codes."""

import pytest
from flask.testing import FlaskClient

from web.app import WebSettings, create_app
from web.roles import Role, Roles


def issue(client: FlaskClient, **body: object):
    return client.post("/api/joins", json=body)


def test_scorekeeper_hands_out_lower_roles(keeper: FlaskClient, app) -> None:
    told = issue(keeper, role="player", seat="north", label="Mehmet's phone")
    assert told.status_code == 201
    link = told.get_json()["link"]
    assert link == f"http://localhost/join/{told.get_json()['code']}"
    guest = app.test_client()
    assert guest.get(link).headers["Location"] == "/"
    assert guest.get("/api/state").status_code == 200


def test_nobody_hands_out_more_than_he_has(join, roles: Roles) -> None:
    keeper, director = join(Role.SCOREKEEPER), join(Role.DIRECTOR)
    for role in ("scorekeeper", "director"):
        assert issue(keeper, role=role).status_code == 403
        assert issue(director, role=role).status_code == 201
    for role, seat in ((Role.VIEWER, None), (Role.PLAYER, "south")):
        client = join(role, seat)
        assert issue(client, role="viewer").status_code == 403
        assert client.get("/api/joins").status_code == 403


def test_nobody_sees_the_codes_of_higher_roles(join, roles: Roles) -> None:
    keeper, director, viewer = join(Role.SCOREKEEPER), join(Role.DIRECTOR), join(Role.VIEWER)
    codes = {joining.role: joining.code for joining in roles.all()}
    assert {one["role"] for one in keeper.get("/api/joins").get_json()["joins"]} == {"viewer"}
    assert {one["code"] for one in director.get("/api/joins").get_json()["joins"]} == set(codes.values())
    assert keeper.get(f"/joins/{codes[Role.DIRECTOR]}.svg").status_code == 404
    assert keeper.get(f"/joins/{codes[Role.VIEWER]}.svg").status_code == 200
    assert viewer.get(f"/joins/{codes[Role.VIEWER]}.svg").status_code == 404


def test_ones_own_code_is_told_from_the_others(join, roles: Roles) -> None:
    director = join(Role.DIRECTOR)
    other = roles.issue(Role.DIRECTOR)
    own = {one["code"]: one["own"] for one in director.get("/api/joins").get_json()["joins"]}
    assert own.pop(other.code) is False
    assert list(own.values()) == [True]
    assert issue(director, role="viewer").get_json()["own"] is False


def test_qr_code_is_a_plain_drawing(keeper: FlaskClient) -> None:
    answer = keeper.get(issue(keeper, role="viewer").get_json()["qr"])
    text = answer.get_data(as_text=True)
    assert answer.mimetype == "image/svg+xml"
    assert text.startswith("<svg")
    assert "<script" not in text


@pytest.mark.parametrize(
    "body",
    [{}, [], {"role": "king"}, {"role": "player"}, {"role": "viewer", "seat": "south"}, {"role": 1}],
)
def test_nonsense(keeper: FlaskClient, roles: Roles, body: object) -> None:
    before = roles.all()
    answer = keeper.post("/api/joins", json=body)
    assert (answer.status_code, answer.mimetype) == (400, "application/problem+json")
    assert roles.all() == before


def test_other_origins_and_other_types(keeper: FlaskClient, roles: Roles) -> None:
    before = roles.all()
    foreign = {"Origin": "http://evil.example"}
    assert keeper.post("/api/joins", json={"role": "viewer"}, headers=foreign).status_code == 403
    assert keeper.post("/api/joins", data='{"role": "viewer"}').status_code == 415
    assert roles.all() == before


def test_codes_have_a_limit(keeper: FlaskClient, roles: Roles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.roles.MOST_CODES", 4)
    made = [issue(keeper, role="viewer") for _ in range(4)]
    assert [answer.status_code for answer in made] == [201, 201, 201, 422]
    assert "revoke some" in made[-1].get_json()["detail"]
    assert len(roles.all()) == 4
    assert roles.revoke(made[0].get_json()["code"])
    assert issue(keeper, role="viewer").status_code == 201


@pytest.mark.parametrize(
    ("host", "base"),
    [
        ("127.0.0.1:8000", "http://192.168.1.7:8000"),
        ("localhost", "http://192.168.1.7"),
        ("[::1]:8000", "http://192.168.1.7:8000"),
        ("192.168.1.9:8000", "http://192.168.1.9:8000"),
        ("board.local", "http://board.local"),
    ],
)
def test_links_from_the_machine_s_own_screen_lead_others_to_it(
    table, roles: Roles, host: str, base: str
) -> None:
    client = create_app(table.page, roles, WebSettings(own_host=lambda: "192.168.1.7")).test_client()
    client.get(f"/join/{roles.issue(Role.DIRECTOR).code}", base_url=f"http://{host}")
    listed = client.get("/api/joins", base_url=f"http://{host}").get_json()["joins"]
    assert {one["link"].partition("/join/")[0] for one in listed} == {base}


def test_given_address_stands_in_the_links(table, roles: Roles) -> None:
    app = create_app(table.page, roles, WebSettings(address="http://board.local:8080/"))
    client = app.test_client()
    client.get(f"/join/{roles.issue(Role.DIRECTOR).code}")
    assert issue(client, role="viewer").get_json()["link"].startswith("http://board.local:8080/join/")
