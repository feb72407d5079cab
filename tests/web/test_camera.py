"""The camera's picture, the board's corners and the record, for the scorekeeper only."""

import pytest
from flask.testing import FlaskClient

from web.app import create_app
from web.page import Page, refused
from web.roles import Role, Roles

PATHS = ("/api/camera.jpg", "/api/board", "/export/mat", "/api/analysis", "/api/rules")


def place(client: FlaskClient, body: object, **headers: str):
    return client.post("/api/board", json=body, headers=headers)


@pytest.mark.parametrize("path", PATHS)
def test_only_who_keeps_the_record(app, join, path: str) -> None:
    for client in (app.test_client(), join(Role.VIEWER), join(Role.PLAYER, "north")):
        answer = client.get(path)
        assert (answer.status_code, answer.mimetype) == (403, "application/problem+json")
        assert place(client, {}).status_code == 403


def test_picture_and_corners(keeper: FlaskClient, table) -> None:
    assert keeper.get("/api/camera.jpg").mimetype == "image/jpeg"
    assert keeper.get("/api/board").get_json() == {"corners": table.corners}
    corners = [[10, 10], [600, 12], [620.5, 350], [5, 340]]
    assert place(keeper, {"corners": corners}).get_json() == {"corners": corners}
    assert table.corners == corners
    assert place(keeper, {}).get_json()["corners"][0] == [70, 50]


def test_what_is_amiss_with_a_board_that_was_placed(keeper: FlaskClient, table) -> None:
    table.caveat = "It could not be kept."
    assert place(keeper, {}).get_json()["sentence"] == "It could not be kept."


def test_corners_that_cross(keeper: FlaskClient, table) -> None:
    before = table.corners
    answer = place(keeper, {"corners": [[600, 10], [10, 12], [620, 350], [5, 340]]})
    assert (answer.status_code, answer.get_json()["detail"]) == (422, "These corners cross each other.")
    assert table.corners == before


@pytest.mark.parametrize(
    "body",
    [
        [],
        {"corners": 4},
        {"corners": [[1, 2]] * 3},
        {"corners": [[1, 2, 3]] * 4},
        {"corners": [["1", "2"]] * 4},
        {"corners": [[1e9, 0]] * 4},
    ],
)
def test_nonsense(keeper: FlaskClient, table, body: object) -> None:
    before = table.corners
    assert place(keeper, body).status_code == 400
    assert table.corners == before


def test_other_origins_and_types(keeper: FlaskClient, table) -> None:
    assert place(keeper, {}, Origin="http://evil.example").status_code == 403
    assert keeper.post("/api/board", data="{}").status_code == 415


def test_without_doors(roles: Roles) -> None:
    app = create_app(Page(lambda visitor, body: refused(422, "No", "No.")), roles)
    client = app.test_client()
    client.get(f"/join/{roles.issue(Role.DIRECTOR).code}")
    assert client.get("/api/camera.jpg").status_code == 404
    assert client.get("/api/board").get_json() == {"corners": None}
    assert place(client, {}).status_code == 404
    for path in ("/export/zip", "/sheet", "/api/analysis", "/api/rules"):
        assert client.get(path).status_code == 404
    assert client.post("/api/analysis", json={}).status_code == 404
