"""The hub between the table and its visitors."""

import json
import threading

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


def test_a_slow_reader_gets_the_newest_and_holds_nobody_up(page: Page) -> None:
    page.publish(1, lambda visitor: {"seq": 1})
    stream = page.follow(beat_s=0.01)
    assert next(stream).seq == 1
    for seq in range(2, 1000):
        page.publish(seq, lambda visitor: {})
    assert next(stream).seq == 999
    assert next(stream) is None


def test_waiting_readers_are_woken(page: Page) -> None:
    page.publish(1, lambda visitor: {})
    streams = [page.follow(beat_s=30) for _ in range(20)]
    assert {next(stream).seq for stream in streams} == {1}
    seen = []
    threads = [threading.Thread(target=lambda s=s: seen.append(next(s).seq)) for s in streams]
    for thread in threads:
        thread.start()
    page.publish(2, lambda visitor: {})
    for thread in threads:
        thread.join(10)
    assert seen == [2] * 20


def test_same_seq_published_again_is_sent_again(page: Page) -> None:
    page.publish(5, lambda visitor: {})
    stream = page.follow(beat_s=0.01)
    next(stream)
    page.publish(5, lambda visitor: {})
    assert next(stream).seq == 5


def test_closing_ends_the_streams(page: Page) -> None:
    stream = page.follow(beat_s=30)
    ended = threading.Thread(target=lambda: list(stream))
    ended.start()
    page.close()
    ended.join(10)
    assert not ended.is_alive()
    assert list(page.follow(beat_s=30)) == []


@pytest.mark.parametrize("status", [200, 302, 600])
def test_a_refusal_has_a_refusals_status(status: int) -> None:
    with pytest.raises(ValueError, match="400 to 599"):
        refused(status, "No", "No.")
