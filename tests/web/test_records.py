"""The record on the page: files to take away, the score sheet, the analysis, the rules to choose from."""

import io
import json
import zipfile
from pathlib import Path

import pytest
import segno
from flask.testing import FlaskClient

from companion.records.replay import replay, transcript_in
from companion.rules.cube_and_score import Ending
from tests.support.real_page import RealTable
from tests.support.records.analysis import path_with_gnubg
from web.records import endings
from web.roles import Role


def play_two_games(table: RealTable) -> None:
    """Anna wins a gammon by resignation, Mehmet a game by a double that is passed."""
    table.begin()
    table.do("play", text="24/18 13/9")
    table.do("done")
    table.do("resign", side="north", worth=2)
    table.do("accept")
    table.do("next_game")
    table.do("opening", south=6, north=4)
    table.do("play", text="24/18 13/9")
    table.do("done")
    table.do("double")
    table.do("pass")


def test_record_to_take_away(keeper: FlaskClient, table: RealTable) -> None:
    assert keeper.get("/export/mat").status_code == 404
    play_two_games(table)
    match = table.state()["match"]
    files = {kind: keeper.get(f"/export/{kind}") for kind in ("mat", "sgf", "json", "zip")}
    for kind, answer in files.items():
        assert answer.status_code == 200
        assert answer.headers["Content-Disposition"] == f"attachment; filename={match['id']}.{kind}"
    for kind in ("mat", "sgf"):
        transcript = transcript_in(files[kind].get_data(as_text=True))
        found = replay(transcript)
        assert (len(transcript.games), found.plays, found.illegal) == (2, 2, [])
    record = json.loads(files["json"].get_data())
    assert (record["match"], record["head"]) == (match["id"], match["head"])
    with zipfile.ZipFile(io.BytesIO(files["zip"].get_data())) as archive:
        assert json.loads(archive.read("events.json")) == record
    for name in ("exe", "..", "mat.gz", "%2e%2e%2fetc"):
        assert keeper.get(f"/export/{name}").status_code == 404


@pytest.mark.parametrize(
    ("profile", "title"),
    [("spielestart", "Entry game (Spielestart)"), ("acey_deucey", "Acey-Deucey")],
    ids=str,
)
def test_format_that_cannot_hold_the_match_says_so(
    keeper: FlaskClient, table: RealTable, profile: str, title: str
) -> None:
    table.do("new_match", profile=profile)
    answer = keeper.get("/export/sgf")
    assert answer.status_code == 422
    said = answer.get_json()["detail"]
    assert said.startswith("No .sgf can hold ")
    assert title in said
    assert said.endswith("; export it as json or zip.")


def test_every_ending_of_a_game_is_said_in_words(app) -> None:
    with app.test_request_context():
        assert set(endings()) == {ending.value for ending in Ending}
        assert not set(endings().values()) & {ending.value for ending in Ending if "_" in ending.value}


@pytest.mark.parametrize("role", [Role.VIEWER, Role.SCOREKEEPER, Role.DIRECTOR])
def test_score_sheet_is_for_everybody_who_has_joined(app, join, table: RealTable, role: Role) -> None:
    assert app.test_client().get("/sheet").status_code == 403
    client = join(role)
    assert client.get("/sheet").status_code == 404
    play_two_games(table)
    text = client.get("/sheet").get_data(as_text=True)
    head = table.state()["match"]["head"]
    for said in ("Anna", "Mehmet", "Match to 7", "double passed", "gammon", "resigned", head):
        assert said in text


@pytest.mark.parametrize("role", [Role.VIEWER, Role.SCOREKEEPER])
def test_the_signed_statement_is_a_qr_code_for_everybody_who_has_joined(
    app, join, table: RealTable, role: Role
) -> None:
    client = join(role)
    assert client.get("/signed/1.svg").status_code == 404
    play_two_games(table)
    signed = table.state()["match"]["signed"]
    address = f"/signed/{signed['number']}.svg"
    assert app.test_client().get(address).status_code == 403
    drawn = io.BytesIO()
    code = segno.make(signed["statement"], error="l", micro=False)
    code.save(drawn, kind="svg", border=4, dark="#111", light="#fff", omitsize=True, xmldecl=False)
    answer = client.get(address)
    assert (answer.status_code, answer.mimetype, answer.data) == (200, "image/svg+xml", drawn.getvalue())
    statement = json.loads(signed["statement"])
    assert (statement["head"], statement["key"]) == (signed["head"], signed["key"])
    assert client.get(f"/signed/{signed['number'] - 1}.svg").status_code == 404
    assert address in client.get("/sheet").get_data(as_text=True)


def test_names_on_the_score_sheet_are_text(keeper: FlaskClient, table: RealTable) -> None:
    table.do("new_match", players={"south": "<script>alert(1)</script>", "north": "&amp;"})
    text = keeper.get("/sheet").get_data(as_text=True)
    assert "<script>alert" not in text
    assert "&lt;script&gt;alert(1)" in text


def test_score_sheet_in_german(keeper: FlaskClient, table: RealTable) -> None:
    table.begin()
    keeper.set_cookie("lang", "de")
    text = keeper.get("/sheet").get_data(as_text=True)
    assert "Spielprotokoll" in text
    assert "Match bis 7" in text


def test_analysis_is_begun_once_there_is_something_to_analyse(
    keeper: FlaskClient, table: RealTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", path_with_gnubg(tmp_path))
    table.begin()
    refused = keeper.post("/api/analysis", json={})
    assert (refused.status_code, refused.mimetype) == (422, "application/problem+json")
    assert refused.get_json()["detail"] == "No game has been finished yet."
    play_two_games(table)
    assert keeper.get("/api/analysis").get_json() == {"state": "none", "why": ""}
    assert keeper.post("/api/analysis", json={}).get_json()["state"] == "running"
    assert table.study.begun.wait(20)
    under_way = keeper.get("/api/analysis").get_json()
    assert (under_way["state"], under_way["done"], under_way["games"]) == ("running", 1, 3)
    table.analysed()
    done = keeper.get("/api/analysis").get_json()
    assert (done["state"], done["report"]["players"]) == ("done", ["Anna", "Mehmet"])


def test_analysis_is_begun_from_our_page_only(keeper: FlaskClient, join, table: RealTable) -> None:
    play_two_games(table)
    foreign = keeper.post("/api/analysis", json={}, headers={"Origin": "http://evil.example"})
    assert foreign.status_code == 403
    assert keeper.post("/api/analysis", data="{}").status_code == 415
    assert join(Role.PLAYER, "south").post("/api/analysis", json={}).status_code == 403
    assert keeper.get("/api/analysis").get_json()["state"] == "none"


def test_rules_to_choose_from(keeper: FlaskClient, table: RealTable) -> None:
    rules = keeper.get("/api/rules").get_json()
    profiles = {one["name"]: one["settings"] for one in rules["profiles"]}
    switches = {one["name"]: one["values"] for one in rules["switches"]}
    assert {"modern", "wbgf", "spielestart"} <= set(profiles)
    assert all(set(settings) == set(switches) for settings in profiles.values())
    assert switches["aids"] == ["shown", "withheld"]
    assert (rules["usual"]["length"], rules["now"]) == (7, None)
    table.do("new_match", profile="wbgf", overrides={"automatic_doubles": 2})
    assert keeper.get("/api/rules").get_json()["now"] == {**profiles["wbgf"], "automatic_doubles": 2}


def test_matches_that_were_kept_are_listed_for_scorekeeper_and_director(
    keeper: FlaskClient, join, table: RealTable
) -> None:
    assert keeper.get("/api/matches").get_json() == {"matches": []}
    for length in (1, 3, 5):
        table.begin(length=length)
    last, second, first = keeper.get("/api/matches").get_json()["matches"]
    assert [one["length"] for one in (first, second, last)] == [1, 3, 5]
    assert (first["players"], first["events"]) == ({"south": "Anna", "north": "Mehmet"}, 2)
    for query, listed in {
        "most=1": [last],
        "most=1000": [last, second, first],
        f"before={second['match']}": [first],
    }.items():
        assert keeper.get(f"/api/matches?{query}").get_json()["matches"] == listed
    assert join(Role.VIEWER).get("/api/matches").status_code == 403


@pytest.mark.parametrize("most", ["many", "", "0", "-1", "1.5", "1001", "9" * 5000, "١"])
def test_number_of_matches_that_is_none_is_refused_with_a_sentence(keeper: FlaskClient, most: str) -> None:
    answer = keeper.get("/api/matches", query_string={"most": most})
    assert answer.status_code == 422
    assert answer.get_json()["detail"] == "“most” is a whole number from 1 to 1000."


def test_earlier_games_are_given_one_by_one_to_everybody(keeper: FlaskClient, join, table: RealTable) -> None:
    assert keeper.get("/api/history?game=1").status_code == 422
    table.begin(length=5)
    table.do("resign", side="north", worth=1)
    table.do("accept")
    table.do("next_game")
    table.do("opening", south=2, north=5)
    first = join(Role.VIEWER).get("/api/history?game=1").get_json()
    assert (first["game"], first["games"]) == (1, 2)
    assert [line["text"] for line in first["history"]][1:] == [
        "opening: Anna 6, Mehmet 4",
        "resigns a single game",
        "accepts the resignation",
    ]
    assert all(line["action"] is None for line in first["history"])
    second = join(Role.DIRECTOR).get("/api/history?game=2").get_json()["history"]
    assert [line["text"] for line in second] == ["next game", "opening: Anna 2, Mehmet 5"]
    assert second[1]["action"] == {"type": "opening", "south": 2, "north": 5}
    for number in ("3", "0", "one"):
        assert keeper.get(f"/api/history?game={number}").status_code == 422
