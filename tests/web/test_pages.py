"""The pages, the join link, and what goes with every answer."""

import re
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from web import pages
from web.app import WebSettings, create_app
from web.languages import LANGUAGES
from web.roles import Role, Roles

STATIC = Path(__file__).resolve().parents[2] / "web" / "static"


@pytest.mark.parametrize("path", ["/", "/watch", "/overlay", "/clock", "/text"])
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
        (Role.VIEWER, None, "?to=/overlay?board", "/overlay?board"),
        (
            Role.VIEWER,
            None,
            "?to=/overlay?top.right.small.light.board",
            "/overlay?top.right.small.light.board",
        ),
        (Role.VIEWER, None, "?to=/overlay?", "/overlay"),
        (Role.VIEWER, None, "?to=/overlay?huge", "/watch"),
        (Role.VIEWER, None, "?to=/wall?4", "/watch"),
        (Role.VIEWER, None, "?to=/clock", "/clock"),
        (Role.PLAYER, "south", "", "/"),
        (Role.SCOREKEEPER, None, "", "/"),
        (Role.DIRECTOR, None, "?to=https://evil.example/", "/"),
        (Role.DIRECTOR, None, "?to=//evil.example", "/"),
        (Role.DIRECTOR, None, "?to=/overlay%0A", "/"),
        (Role.DIRECTOR, None, "?to=/t/../overlay", "/"),
    ],
)
def test_joining(app: Flask, roles: Roles, role: Role, seat, to: str, lands: str) -> None:
    client = app.test_client()
    answer = client.get(f"/join/{roles.issue(role, seat).code}{to}")
    assert (answer.status_code, answer.headers["Location"]) == (303, lands)
    assert client.get(lands).status_code == 200


BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def test_lower_role_asks_before_it_takes_the_place_of_a_higher(app: Flask, roles: Roles) -> None:
    tablet = app.test_client()
    tablet.get(f"/join/{roles.standing(Role.SCOREKEEPER).code}", headers=BROWSER)
    link = f"/join/{roles.standing(Role.VIEWER).code}"
    question = tablet.get(link, headers=BROWSER)
    assert (question.status_code, "Set-Cookie" in question.headers) == (200, False)
    assert '<form method="post">' in question.get_data(as_text=True)
    assert tablet.get("/").status_code == 200  # still the scorekeeper's
    evil = tablet.post(link, headers={"Origin": "http://evil.example"})
    assert (evil.status_code, "Set-Cookie" in evil.headers) == (403, False)
    assert tablet.post(link, headers={"Origin": "http://localhost"}).headers["Location"] == "/watch"
    assert tablet.get("/").headers["Location"] == "/watch"


@pytest.mark.parametrize("accept", ["*/*", "application/json", "image/*", ""])
def test_lower_role_is_never_taken_silently(app: Flask, roles: Roles, accept: str) -> None:
    program = app.test_client()
    program.get(f"/join/{roles.standing(Role.DIRECTOR).code}")
    link = f"/join/{roles.standing(Role.SCOREKEEPER).code}"
    refusal = program.get(link, headers={"Accept": accept})
    assert (refusal.status_code, refusal.mimetype) == (409, "application/problem+json")
    assert "Set-Cookie" not in refusal.headers
    assert "POST" in refusal.get_json()["detail"]
    assert program.post(link).status_code == 303


def test_equal_and_higher_roles_are_not_asked(app: Flask, roles: Roles) -> None:
    client = app.test_client()
    for role, headers in (
        (Role.VIEWER, BROWSER),
        (Role.SCOREKEEPER, BROWSER),
        (Role.SCOREKEEPER, BROWSER),
    ):
        assert client.get(f"/join/{roles.standing(role).code}", headers=headers).status_code == 303


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("192.168.1.7:8000", 404),
        ("[fe80::1%25eth0]:8000", 404),
        ("localhost:8000", 404),
        ("board", 404),
        ("board.local", 404),
        ("BOARD.Fritz.Box.", 404),
        ("evil.example", 421),
        ("board.local.evil.example", 421),
        ("192.168.1.7.evil.example", 421),
        ("notlocal", 404),
        ("evil.notlocal", 421),
    ],
)
def test_names_that_may_be_another_site_s_are_refused(app: Flask, host: str, status: int) -> None:
    """A page of evil.example could point its own name at this machine and would then be of the same origin."""
    assert app.test_client().get("/nothing", headers={"Host": host}).status_code == status


def test_names_from_the_settings_and_behind_a_proxy(table, roles: Roles) -> None:
    for settings in (WebSettings(address="https://board.club.example/"), WebSettings(proxies=1)):
        client = create_app(table.page, roles, settings).test_client()
        headers = {"Host": "board.club.example"}
        assert client.get("/nothing", headers=headers).status_code == 404
    refusal = create_app(table.page, roles).test_client().get("/api/state", headers=headers)
    assert (refusal.status_code, refusal.get_json()["title"]) == (421, "Wrong host")


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


def loaded_with(text: str) -> set[Path]:
    """The static files that a page loads: those it names, and what its scripts import."""
    found: set[Path] = set()
    wanted = [STATIC / name for name in re.findall(r'(?:src|href)="/static/v-\w+/([^"#]+)', text)]
    while wanted:
        path = wanted.pop().resolve()
        if path in found:
            continue
        found.add(path)
        if path.suffix == ".js":
            wanted += [
                path.parent / name
                for name in re.findall(r"""(?:from|import) '(\.[^']+)'""", path.read_text())
            ]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_cold_load_is_small(keeper: FlaskClient, language: str) -> None:
    keeper.set_cookie("lang", language)
    first = keeper.get("/").get_data()
    loaded = loaded_with(first.decode())
    assert {path.name for path in loaded} > {"page.css", "board.css", "table.js", "menu.js", "say.js"}
    assert len(first) + sum(path.stat().st_size for path in loaded) < 300_000


def test_files_that_a_page_names_are_kept_until_they_change(keeper: FlaskClient) -> None:
    text = keeper.get("/").get_data(as_text=True)
    named = set(re.findall(r'(?:src|href)="(/static/[^"#]+)', text))
    assert len(named) > 30
    for address in named:
        answer = keeper.get(address, buffered=True)
        assert answer.status_code == 200, address
        assert (answer.cache_control.immutable, answer.cache_control.max_age) == (True, 31536000), address


def test_a_page_of_an_earlier_version_gets_the_files_of_this_one(keeper: FlaskClient) -> None:
    now = keeper.get("/static/js/table.js", buffered=True)
    asked = keeper.get("/static/v-01234567/js/table.js", buffered=True)
    assert asked.get_data() == now.get_data()
    assert not asked.cache_control.immutable
    assert keeper.get("/static/v-01234567/../../app.py").status_code == 404


def test_address_of_the_files_changes_with_any_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "STATIC", tmp_path)
    known = set()
    for name, text in [("a.js", ""), ("a.js", "1"), ("b.js", "1"), ("b.js", "2")]:
        (tmp_path / name).write_text(text)
        known.add(pages.version.__wrapped__())
    assert len(known) == 4


def test_statics_are_asked_for_again_and_answered_shortly(keeper: FlaskClient) -> None:
    first = keeper.get("/static/js/table.js", buffered=True)
    again = keeper.get("/static/js/table.js", headers={"If-None-Match": first.headers["ETag"]}, buffered=True)
    assert again.status_code == 304
