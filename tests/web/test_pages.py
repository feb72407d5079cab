"""The pages, the join link, and what goes with every answer."""

import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from web.languages import LANGUAGES
from web.roles import Role, Roles

STATIC = Path(__file__).resolve().parents[2] / "web" / "static"


@pytest.mark.parametrize("path", ["/", "/watch", "/overlay"])
def test_strangers_are_told_to_use_the_link(app: Flask, path: str) -> None:
    answer = app.test_client().get(path)
    assert answer.status_code == 403
    assert answer.mimetype == "text/html"
    assert "join" in answer.get_data(as_text=True)


@pytest.mark.parametrize(
    ("role", "seat", "to", "lands"),
    [
        (Role.VIEWER, None, "", "/watch"),
        (Role.VIEWER, None, "?to=/overlay", "/overlay"),
        (Role.PLAYER, "south", "", "/"),
        (Role.SCOREKEEPER, None, "", "/"),
        (Role.DIRECTOR, None, "?to=https://evil.example/", "/"),
        (Role.DIRECTOR, None, "?to=//evil.example", "/"),
    ],
)
def test_joining(app: Flask, roles: Roles, role: Role, seat, to: str, lands: str) -> None:
    client = app.test_client()
    answer = client.get(f"/join/{roles.issue(role, seat).code}{to}")
    assert (answer.status_code, answer.headers["Location"]) == (303, lands)
    assert client.get(lands).status_code == 200


def test_viewers_are_sent_to_their_page(join) -> None:
    assert join(Role.VIEWER).get("/").headers["Location"] == "/watch"


def test_wrong_codes_are_slowed_down(app: Flask, roles: Roles) -> None:
    client = app.test_client()
    answers = [client.get(f"/join/GUESS{n}").status_code for n in range(25)]
    assert answers == [404] * 20 + [429] * 5
    assert client.get(f"/join/{roles.issue(Role.VIEWER).code}").status_code == 303


@pytest.mark.parametrize("code", ["%00", "a" * 3000, "<script>alert(1)</script>", "%F0%9F%8E%B2", "..%5c"])
def test_strange_codes(app: Flask, code: str) -> None:
    answer = app.test_client().get(f"/join/{code}")
    assert answer.status_code == 404
    assert b"<script>alert" not in answer.get_data()


@pytest.mark.parametrize("path", ["/", "/watch", "/overlay", "/api/state", "/static/js/table.js", "/nothing"])
def test_every_answer_is_guarded(keeper: FlaskClient, path: str) -> None:
    headers = keeper.get(path, buffered=True).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.parametrize("path", ["/", "/watch", "/overlay", "/nothing"])
def test_nothing_inline_and_nothing_from_outside(keeper: FlaskClient, path: str) -> None:
    text = keeper.get(path).get_data(as_text=True)
    assert re.findall(r"https?://(?!www\.w3\.org)", text) == []
    assert re.findall(r"<style|\sstyle=|\son\w+=", text) == []
    scripts = re.findall(r"<script([^>]*)>", text)
    assert all("src=" in script or 'type="application/json"' in script for script in scripts)
    for address in re.findall(r'(?:src|href)="(/static/[^"#]+)', text):
        assert keeper.get(address, buffered=True).status_code == 200, address


def test_no_file_of_the_page_reaches_outside() -> None:
    for path in STATIC.rglob("*.*"):
        if path.suffix in (".js", ".css", ".svg"):
            assert re.findall(r"https?://(?!www\.w3\.org)", path.read_text()) == [], path


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_cold_load_is_small(keeper: FlaskClient, language: str) -> None:
    keeper.set_cookie("lang", language)
    first = keeper.get("/").get_data()
    total = len(first) + sum(path.stat().st_size for path in STATIC.rglob("*.*"))
    assert total < 300_000


def test_statics_are_asked_for_again_and_answered_shortly(keeper: FlaskClient) -> None:
    first = keeper.get("/static/js/table.js", buffered=True)
    again = keeper.get("/static/js/table.js", headers={"If-None-Match": first.headers["ETag"]}, buffered=True)
    assert again.status_code == 304
