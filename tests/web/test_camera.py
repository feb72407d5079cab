"""The camera's picture, the board's corners and the record, for the scorekeeper only."""

import pytest
from flask.testing import FlaskClient

from companion.storage.folder import BOARD_FILE
from sentence import say
from tests.support.real_page import RealTable
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


def test_what_the_camera_reads_is_changed_in_play(keeper: FlaskClient, table: RealTable, join) -> None:
    def ask(client: FlaskClient, reads: object) -> int:
        return client.post("/api/camera", json={"reads": reads}).status_code

    assert ask(join(Role.PLAYER, "north"), "off") == 403
    assert ask(keeper, "checkers") == 400
    assert ask(keeper, "dice and checkers") == 200
    state = table.state()
    assert (state["camera"]["reads"], state["checkers"]["keeps"]) == ("dice and checkers", False)
    assert ask(keeper, "off") == 200
    assert (table.wanted.reads, table.state()["checkers"]) == ("off", None)
    table.wanted.refusal = say("In recorded throws only the dice are read.")
    assert ask(keeper, "dice and checkers") == 422
    assert table.wanted.reads == "off"


CORNERS = [[160, 20], [780, 22.5], [790, 500], [150, 505]]


def test_before_the_first_picture(keeper: FlaskClient) -> None:
    assert keeper.get("/api/camera.jpg").status_code == 404
    assert keeper.get("/api/board").get_json() == {"corners": None, "picture": False}
    answer = place(keeper, {"corners": CORNERS})
    assert (answer.status_code, answer.get_json()["detail"]) == (
        422,
        "The camera shows no picture at the moment.",
    )


def test_picture_and_corners(keeper: FlaskClient, table: RealTable) -> None:
    table.shows_board()
    known = table.board_place.corners()
    assert known is not None
    assert keeper.get("/api/camera.jpg").mimetype == "image/jpeg"
    before = {"corners": [list(corner) for corner in known], "picture": True}
    assert keeper.get("/api/board").get_json() == before
    placed = {"corners": CORNERS, "picture": True}
    assert place(keeper, {"corners": CORNERS}).get_json() == placed
    assert keeper.get("/api/board").get_json() == placed
    found = place(keeper, {}).get_json()["corners"]
    assert found == [pytest.approx(corner, abs=20) for corner in known]


def test_why_the_board_cannot_be_placed(keeper: FlaskClient, table: RealTable) -> None:
    table.shows_board()
    table.board_place.refuse(say("Recorded throws come with a board of their own."))
    told = keeper.get("/api/board").get_json()
    assert len(told["corners"]) == 4
    assert told["sentence"] == "Recorded throws come with a board of their own."
    assert place(keeper, {"corners": CORNERS}).status_code == 422


def test_what_is_amiss_with_a_board_that_was_placed(keeper: FlaskClient, table: RealTable, tmp_path) -> None:
    table.shows_board()
    (tmp_path / "table" / BOARD_FILE).mkdir()
    placed = place(keeper, {"corners": CORNERS}).get_json()
    assert placed["corners"] == CORNERS
    assert "will not be known after the next start" in placed["sentence"]


def test_corners_that_cross(keeper: FlaskClient, table: RealTable) -> None:
    table.shows_board()
    before = table.board_place.corners()
    crossed = [CORNERS[at] for at in (1, 0, 2, 3)]
    answer = place(keeper, {"corners": crossed})
    assert (answer.status_code, answer.get_json()["title"]) == (422, "No board")
    assert table.board_place.corners() == before


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
def test_nonsense(keeper: FlaskClient, table: RealTable, body: object) -> None:
    table.shows_board()
    before = table.board_place.corners()
    assert place(keeper, body).status_code == 400
    assert table.board_place.corners() == before


def test_other_origins_and_types(keeper: FlaskClient, table: RealTable) -> None:
    table.shows_board()
    assert place(keeper, {}, Origin="http://evil.example").status_code == 403
    assert keeper.post("/api/board", data="{}").status_code == 415


def test_without_doors(roles: Roles) -> None:
    app = create_app(Page(lambda visitor, body: refused(422, "No", "No.")), roles)
    client = app.test_client()
    client.get(f"/join/{roles.issue(Role.DIRECTOR).code}")
    assert client.get("/api/camera.jpg").status_code == 404
    assert client.get("/api/board").get_json() == {"corners": None, "picture": False}
    assert place(client, {}).status_code == 404
    for path in ("/export/zip", "/sheet", "/api/analysis", "/api/rules", "/api/matches"):
        assert client.get(path).status_code == 404
    assert client.post("/api/analysis", json={}).status_code == 404


def test_twelve_throws_are_for_who_keeps_score(app, join) -> None:
    for client in (app.test_client(), join(Role.VIEWER), join(Role.PLAYER, "north")):
        assert client.get("/api/throws").status_code == 403
        assert client.get("/api/throws/1.jpg").status_code == 403
        assert client.post("/api/throws", json={"order": "begin"}).status_code == 403


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"order": "guess"}, 400),
        ({"order": "dice", "throw": 1}, 400),
        ({"order": "right", "throw": 1, "dice": [6, 4]}, 400),
        ({"order": "dice", "throw": 1, "dice": [7, 4]}, 400),
        ({"order": "dice", "throw": 1, "dice": [6]}, 400),
        ({"order": "right", "throw": -1}, 400),
        ({"order": "right", "throw": 1}, 422),
        ({"order": "stop"}, 200),
        ({"order": "begin"}, 200),
    ],
)
def test_orders_to_the_twelve_throws(keeper: FlaskClient, body: object, status: int) -> None:
    assert keeper.post("/api/throws", json=body).status_code == status


def test_pictures_of_tried_throws(keeper: FlaskClient, table: RealTable) -> None:
    assert keeper.post("/api/throws", json={"order": "begin"}).get_json()["state"] == "waiting"
    assert keeper.get("/api/throws/1.jpg").status_code == 404
    table.thrown(6, 4)
    (thrown,) = keeper.get("/api/throws").get_json()["throws"]
    answer = keeper.get(thrown["picture"])
    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("image/jpeg", "no-store")
    assert answer.data.startswith(b"\xff\xd8")
    other = {"Origin": "http://elsewhere.example"}
    assert keeper.post("/api/throws", json={"order": "stop"}, headers=other).status_code == 403


def test_without_a_camera_there_is_nothing_to_try(roles: Roles) -> None:
    client = create_app(Page(lambda visitor, body: refused(422, "", "")), roles).test_client()
    client.get(f"/join/{roles.issue(Role.SCOREKEEPER).code}")
    assert client.get("/api/throws").status_code == 404
