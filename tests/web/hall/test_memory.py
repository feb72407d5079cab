"""What the hub's pages keep in memory: bounded by the matches in play and by a number, not by what was played."""

import gc
from collections.abc import Iterator
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from companion.game.table import Entry
from companion.service.hall.pages import kept_replays
from companion.service.hall.pages.kept_replays import KeptReplays
from companion.service.hall.pages.matches import HallMatches
from tests.support.hall.pages import Hub
from web.roles import Role, Visitor

VIEWER, DIRECTOR = Visitor(Role.VIEWER), Visitor(Role.DIRECTOR)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hub]:
    one = Hub(tmp_path)
    with closing(one.store):
        yield one


def entries(hall: Hub) -> int:
    """How many events with the state after each are in memory, without those of the simulated tables."""
    gc.collect()
    theirs = {id(entry) for table in hall.played.values() for entry in table.entries}
    return sum(isinstance(one, Entry) and id(one) not in theirs for one in gc.get_objects())


def look(matches: HallMatches, match: str, number: int, *visitors: Visitor) -> None:
    for visitor in visitors:
        held = {"match": match, "number": number}
        assert matches.tail("2", held, visitor)["steps"]
        assert matches.whole("2", held, visitor)["match"]


def test_of_the_matches_of_a_table_only_the_one_in_play_is_in_memory(hall: Hub) -> None:
    matches, before = HallMatches(hall.store), entries(hall)
    for match, events in (("m1", 60), ("m2", 80), ("m3", 40)):
        for _ in range(events // 20):
            hall.play("2", 20, match=match, length=21)
            look(matches, match, hall.tables["2"].held.number, VIEWER)
        assert entries(hall) - before == events


def test_spectators_and_director_share_the_match_in_memory(hall: Hub) -> None:
    matches, before = HallMatches(hall.store), entries(hall)
    for _ in range(3):
        hall.play("2", 20, length=21)
        number = hall.tables["2"].held.number
        look(matches, "m1", number, VIEWER, DIRECTOR)
        hall.play("2", 1)
        look(matches, "m1", number + 1, DIRECTOR, VIEWER)
    assert entries(hall) - before == 63


def test_what_spectators_see_later_is_not_what_the_director_sees(hall: Hub) -> None:
    matches = HallMatches(hall.store)
    hall.play("2", 40, length=21)
    look(matches, "m1", 40, DIRECTOR)
    late = matches.tail("2", {"match": "m1", "number": 20}, VIEWER)
    assert late["steps"][-1]["n"] <= 20
    assert late == HallMatches(hall.store).tail("2", {"match": "m1", "number": 20}, VIEWER)


def test_deleted_match_is_not_in_memory(hall: Hub) -> None:
    matches, before = HallMatches(hall.store, lambda: nullcontext(hall.store)), entries(hall)
    hall.play("2", 30, length=21)
    look(matches, "m1", 30, VIEWER)
    hall.play("2", 30, match="m2", length=21)
    assert not str(matches.delete("2.m1"))
    assert entries(hall) == before


def steps() -> int:
    """How many steps of replays are in memory."""
    gc.collect()
    return sum(isinstance(one, dict) and "gnubgid" in one for one in gc.get_objects())


def test_replays_of_a_growing_match_are_bounded_by_their_steps(
    hall: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_replays, "MOST_STEPS", 100)
    matches, before = HallMatches(hall.store), steps()
    for _ in range(12):
        hall.play("2", 5, length=21)
        assert matches.replay("2.m1", None)
    assert 0 < steps() - before <= 100


def replay(count: int) -> dict[str, list[int]]:
    return {"steps": [0] * count}


def test_replay_asked_for_last_is_kept_however_long_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_replays, "MOST_STEPS", 50)
    kept, made = KeptReplays(), list[int]()

    def ask(match: int, length: int = 20) -> None:
        def make() -> dict[str, list[int]]:
            made.append(match)
            return replay(length)

        assert kept.get(("2", f"m{match}", length, True), make) == replay(length)

    for match in (1, 2, 1, 3, 1):  # 2 goes before 1, which was asked for again
        ask(match)
    assert (made, kept.steps) == ([1, 2, 3], 40)
    ask(2)
    assert made == [1, 2, 3, 2]
    for _ in range(2):
        ask(9, length=300)
    assert (made, kept.steps) == ([1, 2, 3, 2, 9], 300)


def test_match_without_a_replay_is_not_kept() -> None:
    kept = KeptReplays()
    assert kept.get(("2", "m1", 5, True), lambda: None) is None
    assert kept.get(("2", "m1", 5, True), lambda: replay(5)) == replay(5)


def test_results_that_are_no_news_any_more_are_forgotten(hall: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that would be news again is given again; what posts it knows its id."""
    matches = HallMatches(hall.store)

    def news(age_ms: int) -> list[str]:
        monkeypatch.setattr("companion.service.hall.pages.matches.NEWS_MS", age_ms)
        return [str(result["match"]) for result in matches.news(())]

    hall.play_out("2")
    assert (news(2**40), news(2**40)) == (["m1"], [])
    assert news(-(2**40)) == []
    assert news(2**40) == ["m1"]
