"""Event streams over real connections: what they carry, who gets one, and what a slow reader costs."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from flask import Flask

from tests.support.real_page import RealTable
from tests.support.wire import Wire
from web.crowd.places import Places
from web.page import Page
from web.roles import Role, Roles, Visitor
from web.server.serve import Running, serve

Follow = Callable[..., Wire]


@pytest.fixture
def running(app: Flask) -> Iterator[Running]:
    server = serve(app, "127.0.0.1", 0)
    yield server
    server.close()


@pytest.fixture
def follow(running: Running, roles: Roles) -> Iterator[Follow]:
    """Open a stream in a role, past its head; status 503 is left to be read."""
    with ExitStack() as opened:

        def followed(role: Role = Role.VIEWER, source: str = "127.0.0.1", buffer: int = 0) -> Wire:
            wire = opened.enter_context(Wire(running.port, source, buffer))
            wire.ask("/api/events", cookie_of(roles, role))
            return wire

        yield followed


def in_turn(follow: Follow, count: int, role: Role = Role.VIEWER) -> list[Wire]:
    """Streams of which each has its place before the next is asked for: requests sent together come in any order."""
    streams = []
    for _ in range(count):
        streams.append(follow(role))
        streams[-1].state()
    return streams


def cookie_of(roles: Roles, role: Role) -> str:
    return f"board_role={roles.cookie(roles.standing(role).visitor)}"


def test_stream_begins_with_the_present_state(follow: Follow, table: RealTable) -> None:
    stream = follow(Role.SCOREKEEPER)
    assert stream.head() == 200
    lines = [stream.line() for _ in range(7)]
    assert lines[:3] == [b"retry: 700\n", b"\n", b"event: beat\n"]
    assert lines[5] == b"id: %d\n" % table.seq
    assert json.loads(lines[6].removeprefix(b"data: "))["seq"] == table.seq


@pytest.mark.parametrize("last", ["1", "999999", "x"])
def test_whoever_comes_back_gets_the_present_state_at_once(
    running: Running, roles: Roles, table: RealTable, last: str
) -> None:
    with Wire(running.port) as stream:
        stream.ask("/api/events", cookie_of(roles, Role.VIEWER), Last_Event_ID=last)
        assert stream.state()["seq"] == table.seq


def test_stream_beats_and_tells_changes(follow: Follow, table: RealTable) -> None:
    stream = follow()
    stream.state()
    while stream.line() != b"event: beat\n":
        pass
    table.notice("Look here.")
    assert stream.state()["notices"][-1]["text"] == "Look here."


def test_stream_ends_when_its_code_is_revoked(follow: Follow, roles: Roles) -> None:
    stream = follow()
    stream.state()
    roles.revoke(roles.standing(Role.VIEWER).code)
    while stream.line() != b"event: gone\n":
        pass
    assert stream.ends()


def test_each_role_sees_its_own_state(follow: Follow, table: RealTable) -> None:
    table.begin()
    may = {role: follow(role).state()["may"] for role in (Role.VIEWER, Role.SCOREKEEPER, Role.DIRECTOR)}
    assert may[Role.VIEWER] == []
    assert "play" in may[Role.SCOREKEEPER]
    assert "settings" in set(may[Role.DIRECTOR]) - set(may[Role.SCOREKEEPER])


def test_viewers_leave_streams_to_those_who_act(follow: Follow, table: RealTable) -> None:
    viewers = [follow() for _ in range(4)]  # as many as this page has for viewers
    for viewer in viewers:
        viewer.state()
    full = follow()
    status, problem = full.answer()
    assert (status, problem["title"]) == (503, "Full house")
    acting = [follow(role) for role in (Role.SCOREKEEPER, Role.DIRECTOR) for _ in range(4)]
    for stream in acting:
        stream.state()
    table.notice("Everybody hears this.")
    for stream in (*viewers, *acting):
        assert stream.state()["notices"][-1]["text"] == "Everybody hears this."


def test_newcomer_takes_a_stream_from_the_address_with_most(follow: Follow) -> None:
    greedy = in_turn(follow, 4)
    other = follow(source="127.0.0.2")
    other.state()
    assert greedy[0].ends()
    assert follow().answer()[0] == 503
    assert follow(source="127.0.0.2").head() == 200
    assert follow(source="127.0.0.2").answer()[0] == 503  # two each: nobody has more than his share


def test_scorekeeper_always_gets_a_stream(follow: Follow) -> None:
    streams = in_turn(follow, 4, Role.SCOREKEEPER)
    assert follow(Role.SCOREKEEPER).state()
    assert streams[0].ends()


def test_closed_stream_leaves_its_place(follow: Follow, roles: Roles, running: Running) -> None:
    streams = [follow() for _ in range(4)]
    for stream in streams:
        stream.state()
    streams[0].close()
    while (again := follow()).head() != 200:
        pass
    assert again.state()


def test_head_request_takes_no_place(follow: Follow, running: Running, roles: Roles) -> None:
    with Wire(running.port) as wire:
        for _ in range(10):
            wire.ask("/api/events", cookie_of(roles, Role.VIEWER), "HEAD")
            assert wire.head() == 200
    assert all(follow().state() for _ in range(4))


def test_streams_need_no_threads_of_their_own(follow: Follow) -> None:
    follow(Role.SCOREKEEPER).state()
    before = threading.active_count()
    streams = [follow() for _ in range(4)]
    for stream in streams:
        stream.state()
    assert threading.active_count() <= before + 4  # the viewers' workers, who answer all their requests


def test_reader_who_stalls_gets_the_newest_and_holds_nobody_up(follow: Follow, table: RealTable) -> None:
    table.begin()
    slow, quick = follow(buffer=4096), follow()
    seen = [quick.state()["seq"]]
    for n in range(400):  # far more than the sockets' buffers take
        table.notice(f"Notice {n}.")
    while seen[-1] < table.seq:
        seen.append(quick.state()["seq"])
    late = [slow.state()["seq"]]
    while late[-1] < table.seq:
        late.append(slow.state()["seq"])
    assert late == sorted(set(late))
    assert len(late) < 400


def test_stream_survives_a_state_that_cannot_be_shown(
    app: Flask, follow: Follow, table: RealTable, caplog: pytest.LogCaptureFixture
) -> None:
    stream = follow()
    seq = stream.state()["seq"]

    def broken(visitor: Visitor) -> dict[str, object]:
        raise ValueError("no state")

    page: Page = table.page
    page.publish(seq + 1, broken)
    while stream.line() != b"event: beat\n":
        pass
    page.publish(seq + 2, lambda visitor: {"seq": seq + 2})
    assert stream.state() == {"seq": seq + 2}
    assert [one.levelname for one in caplog.records if one.name == "web.streams"] in ([], ["ERROR"])


class TestPlaces:
    """Who gives way."""

    def test_oldest_of_the_key_with_most(self) -> None:
        places: Places[str] = Places(4)
        for key, holder in (("a", "a1"), ("b", "b1"), ("b", "b2"), ("c", "c1")):
            assert not places.full
            places.enter(key, holder)
        assert places.full
        assert places.oldest() == "b1"
        assert places.yields("d") == "b1"
        assert places.yields("a") is None  # it would have as many
        places.leave("b", "b1")
        places.leave("b", "never came")
        assert len(places) == 3
        assert sorted(places) == ["a1", "b2", "c1"]
        assert places.oldest() == "a1"
