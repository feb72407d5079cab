"""The hub between the table and its visitors."""

import json

import pytest

from web.errors import NotReadyError
from web.page import Page, refused
from web.roles import Role, Visitor

VIEWER, KEEPER = Visitor(Role.VIEWER), Visitor(Role.SCOREKEEPER)


@pytest.fixture
def page() -> Page:
    return Page(lambda visitor, body: refused(422, "No", "No."))


def test_nothing_before_the_first_state(page: Page) -> None:
    with pytest.raises(NotReadyError):
        page.state(VIEWER)


def test_state_is_written_once_for_each_kind_of_visitor(page: Page) -> None:
    asked = []

    def view(visitor: Visitor):
        asked.append(visitor)
        return {"seq": 7, "phase": visitor.role.value}

    page.publish(7, view)
    edition = page.newest()
    lines = {edition.written(Visitor(Role.VIEWER, None, code)) for code in ("A", "B", "C")}
    assert [json.loads(line) for line in lines] == [{"seq": 7, "phase": "viewer"}]
    assert json.loads(edition.written(KEEPER)) == {"seq": 7, "phase": "scorekeeper"}
    assert asked == [VIEWER, KEEPER]  # without codes: no state may depend on one


def test_listeners_hear_of_every_change(page: Page) -> None:
    heard: list[int] = []
    page.on_change(lambda: heard.append(page.number))
    for seq in (1, 5, 5):  # the same seq published again is another edition
        page.publish(seq, lambda visitor: {})
    assert heard == [1, 2, 3]
    assert page.newest().seq == 5


@pytest.mark.parametrize("status", [200, 302, 600])
def test_a_refusal_has_a_refusals_status(status: int) -> None:
    with pytest.raises(ValueError, match="400 to 599"):
        refused(status, "No", "No.")
