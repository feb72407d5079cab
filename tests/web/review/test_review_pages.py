"""The pages of a review: who may answer, and what they pass on."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from sentence import NOTHING, Sentence, say
from web.app import create_app
from web.page import Page, refused
from web.review.pages import review
from web.roles import Role, Roles
from web.services import Services


class Reviewed:
    """A review of no turns that notes what it is told; it refuses a play in words."""

    def __init__(self) -> None:
        self.told: list[tuple[str, ...]] = []

    def look(self, name: str) -> Mapping[str, Any]:
        return {"turns": [], "doubts": 0, "card": None, "out": "r.mat", "may_undo": True}

    def answer(self, name: str, choice: str) -> Sentence:
        self.told.append(("answer", name, choice))
        return NOTHING

    def typed(self, name: str, roll: str, play: str) -> Sentence:
        return say("“{play}” is no legal play with this roll.", play=play)

    def not_played(self, name: str) -> Sentence:
        self.told.append(("not played", name))
        return NOTHING

    def undo(self) -> Sentence:
        self.told.append(("undo",))
        return NOTHING

    def close(self) -> None:
        self.told.append(("close",))

    def picture(self, number: int) -> bytes | None:
        return b"\xff\xd8" if number == 3 else None


@pytest.fixture
def reviewed() -> Reviewed:
    return Reviewed()


@pytest.fixture
def client_of(reviewed: Reviewed, tmp_path: Path) -> Any:
    """A client in a role; None: one that has not joined."""
    roles = Roles(tmp_path / "roles.json")
    page = Page(lambda visitor, body: refused(403, "No", "No."), services=Services(review=reviewed))
    app = create_app(page, roles, of=(review,))

    def begin(role: Role | None) -> FlaskClient:
        client = app.test_client()
        if role is not None:
            client.get(f"/join/{roles.standing(role, None).code}")
        return client

    return begin


POSTS = (("/turns/1.1", {"choice": "one"}), ("/turns/1.1", {"none": "yes"}), ("/undo", {}), ("/done", {}))


@pytest.mark.parametrize("role", [None, Role.VIEWER], ids=["a stranger", "a viewer"])
def test_only_who_keeps_score_sees_and_answers(role: Role | None, client_of: Any, reviewed: Reviewed) -> None:
    client = client_of(role)
    assert [client.get(path).status_code for path in ("/", "/pictures/3")] == [403, 403]
    assert {client.post(path, data=given).status_code for path, given in POSTS} == {403}
    assert reviewed.told == []


def test_answers_are_passed_on(client_of: Any, reviewed: Reviewed) -> None:
    client = client_of(Role.SCOREKEEPER)
    assert client.get("/").status_code == 200
    assert [client.post(path, data=given).status_code for path, given in POSTS] == [303, 303, 303, 200]
    assert reviewed.told == [("answer", "1.1", "one"), ("not played", "1.1"), ("undo",), ("close",)]


def test_refusal_is_said_on_the_page(client_of: Any) -> None:
    answer = client_of(Role.SCOREKEEPER).post("/turns/1.1", data={"roll": "3-1", "play": "8/3"})
    assert answer.status_code == 422
    assert "“8/3” is no legal play with this roll." in answer.text


def test_another_site_answers_nothing(client_of: Any, reviewed: Reviewed) -> None:
    client = client_of(Role.SCOREKEEPER)
    foreign = {"Origin": "http://elsewhere.example"}
    assert {client.post(path, data=given, headers=foreign).status_code for path, given in POSTS} == {403}
    assert reviewed.told == []


def test_picture_that_is_not_kept_is_not_there(client_of: Any) -> None:
    client = client_of(Role.SCOREKEEPER)
    assert [client.get(f"/pictures/{number}").status_code for number in (3, 4)] == [200, 404]


def test_refused_entry_is_shown_again(
    client_of: Any, reviewed: Reviewed, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = {
        "name": "1.1",
        "game": 1,
        "turn": 1,
        "side": "south",
        "roll": "3-1",
        "at": "",
        "why": None,
        "said": False,
    }
    card |= {
        "before": 3,
        "after": None,
        "choices": [],
        "lies": {"home": "right", "south": "light"},
        "unseen": False,
    }
    looked = {"turns": [], "doubts": 1, "card": card, "out": "r.mat", "may_undo": False}
    monkeypatch.setattr(reviewed, "look", lambda name: looked)
    answer = client_of(Role.SCOREKEEPER).post("/turns/1.1", data={"roll": "6-2", "play": '13/20 "'})
    assert answer.status_code == 422
    assert 'value="6-2"' in answer.text
    assert 'value="13/20 &#34;"' in answer.text


@pytest.mark.parametrize(
    ("path", "target"), [("/turns/1.6", "/?turn=1.6"), ("/undo", "/"), ("/done", "/")], ids=str
)
def test_address_of_a_button_that_is_loaded_leads_to_the_page(
    path: str, target: str, client_of: Any, reviewed: Reviewed
) -> None:
    answer = client_of(Role.SCOREKEEPER).get(path)
    assert (answer.status_code, answer.headers["Location"]) == (303, target)
    assert client_of(Role.VIEWER).get(path).status_code == 403
    assert reviewed.told == []
