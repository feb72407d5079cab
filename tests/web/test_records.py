"""The record on the page: files to take away, the score sheet, the analysis, the rules to choose from."""

import pytest
from flask.testing import FlaskClient

from web.roles import Role


def begin(client: FlaskClient, table, **players: str) -> None:
    body = {"type": "new_match", "seq": table.seq, "players": players or {"south": "Anna", "north": "Mehmet"}}
    assert client.post("/api/act", json=body).status_code == 200


def test_record_to_take_away(keeper: FlaskClient, table) -> None:
    assert keeper.get("/export/mat").status_code == 404
    begin(keeper, table)
    answer = keeper.get("/export/mat")
    assert answer.get_data() == b"; a record"
    assert answer.headers["Content-Disposition"] == "attachment; filename=m1.mat"
    for name in ("exe", "..", "mat.gz", "%2e%2e%2fetc"):
        assert keeper.get(f"/export/{name}").status_code == 404


def test_format_that_cannot_hold_the_match_says_so(keeper: FlaskClient, table) -> None:
    begin(keeper, table)
    answer = keeper.get("/export/sgf")
    assert (answer.status_code, answer.get_json()["detail"]) == (422, "No .sgf can hold this game.")


@pytest.mark.parametrize("role", [Role.VIEWER, Role.SCOREKEEPER, Role.DIRECTOR])
def test_score_sheet_is_for_everybody_who_has_joined(app, join, keeper, table, role: Role) -> None:
    assert app.test_client().get("/sheet").status_code == 403
    client = join(role)
    assert client.get("/sheet").status_code == 404
    begin(keeper, table)
    text = client.get("/sheet").get_data(as_text=True)
    for said in ("Anna", "Mehmet", "Match to 7", "double passed", "gammon", table.sheet()["head"]):
        assert said in text


def test_names_on_the_score_sheet_are_text(keeper: FlaskClient, table) -> None:
    begin(keeper, table, south="<script>alert(1)</script>", north="&amp;")
    text = keeper.get("/sheet").get_data(as_text=True)
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text


def test_score_sheet_in_german(keeper: FlaskClient, table) -> None:
    begin(keeper, table)
    keeper.set_cookie("lang", "de")
    text = keeper.get("/sheet").get_data(as_text=True)
    assert "Spielprotokoll" in text
    assert "Match bis 7" in text


def test_analysis_is_begun_once_there_is_something_to_analyse(keeper: FlaskClient, table) -> None:
    refused = keeper.post("/api/analysis", json={})
    assert (refused.status_code, refused.mimetype) == (422, "application/problem+json")
    assert refused.get_json()["detail"] == "No game has been finished yet."
    begin(keeper, table)
    assert keeper.post("/api/analysis", json={}).get_json()["state"] == "running"
    assert keeper.get("/api/analysis").get_json()["games"] == 3


def test_analysis_is_begun_from_our_page_only(keeper: FlaskClient, join, table) -> None:
    begin(keeper, table)
    foreign = keeper.post("/api/analysis", json={}, headers={"Origin": "http://evil.example"})
    assert foreign.status_code == 403
    assert keeper.post("/api/analysis", data="{}").status_code == 415
    assert join(Role.PLAYER, "south").post("/api/analysis", json={}).status_code == 403
    assert table.analysis["state"] == "none"


def test_rules_to_choose_from(keeper: FlaskClient) -> None:
    told = keeper.get("/api/rules").get_json()
    assert [one["name"] for one in told["switches"]] == ["aids", "clock", "automatic_doubles"]
