"""The webhook: results and calls posted to a receiver on this machine, once each, whatever it answers at first."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.game.events import AnyEvent, OpeningThrown, ResignationAnswered, Resigned, Undone
from companion.hall.broker import HallError
from companion.hall.record.hook_list import LONGEST_MS, MOST_WAITING
from companion.records.rows import GENESIS, row_of
from companion.rules.board import Side
from companion.service.hall.pages.matches import HallMatches
from companion.service.hall.webhook import Webhook, check_webhook
from tests.support.hall import pages as hall_pages
from tests.support.hall.broker import free_port
from tests.support.hall.ends import store_in, until
from tests.support.hall.pages import START_MS
from tests.support.hall.receiver import Receiver
from tests.support.selfplay import began
from web.roles import Role


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    one = Receiver()
    yield one
    one.end()


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[hall_pages.Hub]:
    monkeypatch.setattr(
        "companion.service.hall.pages.matches.NEWS_MS", 2**40
    )  # the test's matches have a fixed day
    one = hall_pages.Hub(tmp_path)
    with closing(one.store):
        yield one


def webhook_to(
    port: int, hall: hall_pages.Hub, log: list[str], changed: Callable[[], None] = lambda: None
) -> Webhook:
    """Started, and closed by the caller."""
    url = f"http://127.0.0.1:{port}/secret?key=1"
    matches = HallMatches(hall.store)
    one = Webhook(url, "club", hall.store.hooks, matches, log.append, first_wait_s=0.05, changed=changed)
    one.notice(hall.tables)
    one.start()
    return one


def test_results_and_calls_are_posted_once_each(hall: hall_pages.Hub, receiver: Receiver) -> None:
    log = list[str]()
    hall.play_out("2", "m1")
    hall.play("3", 5)
    with closing(webhook_to(receiver.server_port, hall, log)) as webhook:
        until(lambda: len(receiver.got) == 1, "the result")
        result = receiver.got[0]
        named = result["kind"], result["hall"], result["table"], result["match"]
        assert named == ("result", "club", "2", "m1")
        assert 1 in (result["south_points"], result["north_points"])
        hall.tables["3"].state = replace(hall.tables["3"].state, wanted=("director",))
        for _ in range(3):
            webhook.notice(hall.tables)
        until(lambda: len(receiver.got) == 2, "the call")
        call = receiver.got[1]
        assert (call["kind"], call["table"]) == ("call", "3")
        assert call["players"] == {"south": "Ann", "north": "Ben"}
    hall.play_out("4", "m9")
    with closing(webhook_to(receiver.server_port, hall, log)):  # started again, the call still open
        until(lambda: len(receiver.got) == 3, "the next result")
    assert [one["table"] for one in receiver.got] == ["2", "3", "4"]
    assert set(receiver.asked) == {"/secret?key=1"}
    assert log == []


def test_corrected_result_is_posted_anew_and_what_it_replaces_stays_in_the_record(
    hall: hall_pages.Hub, receiver: Receiver
) -> None:
    """Also after the next round was drawn: what was drawn stays, and results and list of wins are the new ones."""
    log, digest, number = list[str](), GENESIS, 0

    def play(*events: AnyEvent) -> None:
        nonlocal digest, number
        for event in events:
            number += 1
            row = row_of(event, "m1", number, digest)
            hall.store.add("2", row)
            digest = row.digest
        hall.store.commit()

    def resigned(side: Side) -> tuple[AnyEvent, AnyEvent]:
        return Resigned(side, at_ms=START_MS), ResignationAnswered(True, at_ms=START_MS)

    start = began(1, at_ms=START_MS, south="Ann", north="Ben"), OpeningThrown((6,), (1,), at_ms=START_MS)
    play(*start, *resigned(Side.SOUTH))
    with closing(webhook_to(receiver.server_port, hall, log)):
        until(lambda: len(receiver.got) == 1, "the result")
    director = hall.join(Role.DIRECTOR)
    assert (
        director.post("/pairings", data={"list": "2,,Ben,Eva"}).status_code == 303
    )  # the winner's next match
    before = hall.store.rows("2", "m1")
    play(Undone(at_ms=START_MS), Undone(at_ms=START_MS), *resigned(Side.NORTH))
    with closing(webhook_to(receiver.server_port, hall, log)):
        until(lambda: len(receiver.got) == 2, "the corrected result")
    first, second = receiver.got
    assert (first["winner"], second["winner"]) == ("north", "south")
    assert (first["match"], first["table"]) == (second["match"], second["table"])
    assert first["id"] != second["id"]
    assert (first["replaces"], second["replaces"]) == ("", first["id"])
    [result] = director.get("/results.json").get_json()["results"]
    assert (result["winner"], result["head"]) == ("south", digest)
    assert hall.store.rows("2", "m1")[: len(before)] == before
    assert hall.store.problems("2") == []
    assert [(one.south, one.north) for one in hall.store.pairings.all()] == [("Ben", "Eva")]
    assert log == []


def test_receiver_that_is_away_or_refuses_for_now_gets_all_of_it_later(hall: hall_pages.Hub) -> None:
    log, port = list[str](), free_port()
    for match in ("m1", "m2", "m3"):
        hall.play_out("2", match)
    shown = list[Mapping[str, Any] | None]()
    with closing(webhook_to(port, hall, log, lambda: shown.append(webhook.outage))) as webhook:
        until(lambda: len(log) == 1, "the outage")
        receiver = Receiver(port, 503, 302, 429)
        try:
            until(lambda: len(receiver.got) == 3, "all results")
            until(lambda: "takes results again" in log[-1], "the end of the outage")
            until(lambda: shown[-1] is None, "the desk's word of it")  # which comes after the log's
        finally:
            receiver.end()
    said = [one for one in shown if one]
    assert {(one["host"], one["waiting"]) for one in said} == {(f"127.0.0.1:{port}", 3)}
    assert {one["why"] for one in said} >= {"status 503"}
    assert receiver.asked == ["/secret?key=1"] * 6
    assert {one["match"] for one in receiver.got} == {"m1", "m2", "m3"}
    assert "secret" not in "".join(log)


def test_message_that_is_refused_for_good_is_given_up_and_the_next_one_goes_on(
    hall: hall_pages.Hub, receiver: Receiver
) -> None:
    log = list[str]()
    receiver.answers = [422]
    hall.play_out("2", "m1")
    hall.play_out("2", "m2")
    with closing(webhook_to(receiver.server_port, hall, log)):
        until(lambda: len(receiver.got) == 1, "the other result")
    assert len(receiver.asked) == 2
    assert "refuses result.2." in log[0]


def test_result_of_a_match_that_was_taken_up_again_replaces_the_former_match_s(
    hall: hall_pages.Hub, receiver: Receiver
) -> None:
    log = list[str]()
    for match in ("20261123-101500-042", "20261123-101500-042-2", "20261123-101500-043"):
        hall.play_out("2", match)
        with closing(webhook_to(receiver.server_port, hall, log)):
            until(lambda match=match: receiver.got[-1:] and receiver.got[-1]["match"] == match, "the result")
    first, second, other = receiver.got
    assert (first["replaces"], second["replaces"], other["replaces"]) == ("", first["id"], "")


def test_what_waits_is_bounded_in_number_and_age(tmp_path: Path) -> None:
    with closing(store_in(tmp_path / "hall.sqlite")) as store:
        store.hooks._ask("BEGIN")  # a thousand files written to disk one by one would take a minute
        for number in range(MOST_WAITING + 2):
            store.hooks.put(f"x{number}", "{}", 10)
        store.hooks.put("x5", "{}", 10)
        assert store.hooks.give_up(20) == 2
        assert store.hooks.first().id == "x2"
        store.hooks.put("new", "{}", LONGEST_MS)
        assert store.hooks.give_up(LONGEST_MS + 11) == MOST_WAITING
        assert store.hooks.first().id == "new"
        store.hooks.put("x5", "{}", LONGEST_MS)
        store.hooks.done("new")
        assert store.hooks.first() is None


@pytest.mark.parametrize(
    ("url", "is_taken"),
    [
        ("https://event.test/hook?key=1", True),
        ("http://localhost:8080/x", True),
        ("http://127.0.0.1/x", True),
        ("http://event.test/x", False),
        ("https://user:word@event.test/", False),
        ("ftp://localhost/", False),
        ("https://", False),
        ("https://[::1", False),
        ("event.test", False),
    ],
)
def test_address_has_tls_unless_it_is_this_machine(url: str, is_taken: bool) -> None:
    if is_taken:
        check_webhook(url)
    else:
        with pytest.raises(HallError):
            check_webhook(url)
