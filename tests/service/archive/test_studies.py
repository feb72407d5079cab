"""Analyses kept beside the matches, made by GNU Backgammon at its lowest level."""

import os
import random
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.game.state import GameOver, MatchOver
from companion.game.state_machine import step
from companion.game.table import Table
from companion.protocol.match_summary import match_summary
from companion.protocol.replay import course_of, replay_of
from companion.service.archive import studies
from companion.service.gnubg import analysed, find_gnubg, run_game
from companion.storage.catalogue import Catalogue
from tests.support.selfplay import began, played_match

PATIENCE_S = 120.0


def has_gnubg() -> bool:
    return studies.missing() is None


pytestmark = pytest.mark.skipif(
    not has_gnubg() and not os.environ.get("CI"), reason="GNU Backgammon is missing"
)


def quick(single, plies, cores=1):
    return run_game(single, 0)


def until(check: Callable[[], object]) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while not check():
        assert time.monotonic() < end_s
        time.sleep(0.02)


def table_of(length: int = 1, seed: int = 5) -> Table:
    table = Table()
    for event in played_match(random.Random(seed), began(length), cube=0.0):
        table = step(table, event).table
    return table


def test_analysis_is_kept_and_fits_the_replay(tmp_path: Path) -> None:
    find_gnubg()
    table = table_of()
    assert table.state is not None
    with closing(Catalogue(tmp_path)) as catalogue:
        one = studies.Studies(tmp_path, lambda: catalogue, lambda match: "head", quick)
        assert one.status("m1") == {"state": "none"}
        one.begin(table.state)
        until(lambda: one.status("m1")["state"] in ("done", "failed"))
        kept = studies.Studies(tmp_path, lambda: catalogue, lambda match: "", quick).kept("m1")
        assert kept is not None
        whole = analysed(table.state, 0)
        by_hand = {**whole.to_json(), "plies": kept["report"]["plies"]}
        assert (kept["report"], kept["plays"], kept["head"]) == (by_hand, whole.plays(), "head")
        figures = catalogue.query("SELECT name, decisions FROM figures ORDER BY name")
        assert figures == [("Ann", whole.figures[0].decisions), ("Bob", whole.figures[1].decisions)]
    replay = replay_of(course_of(entry.event for entry in table.entries))
    steps = {tuple(step["turn"]): step for step in replay["steps"] if step["turn"]}
    for play in kept["plays"]:
        assert sorted(steps[tuple(play["turn"])]["roll"]) == sorted(play["dice"])
    found = match_summary(replay, kept["plays"])
    assert [round(play["loss"], 3) for play in found["worst"]] == [play["loss"] for play in by_hand["worst"]][
        :3
    ]


def test_games_are_analysed_as_they_end_and_only_once(tmp_path: Path) -> None:
    runs = []

    def counted(single, plies, cores):
        runs.append(single.games[0].number)
        return quick(single, plies)

    with closing(Catalogue(tmp_path)) as catalogue:
        one = studies.Studies(tmp_path, lambda: catalogue, lambda match: "head", counted)
        table, games = Table(), 0
        for event in played_match(random.Random(2), began(3, aids="withheld"), cube=0.0):
            table = step(table, event).table
            one.follow(table.state)
            if isinstance(table.state.phase, GameOver) and len(table.state.games) > games:
                games = len(table.state.games)
                until(lambda: len(runs) >= games)  # noqa: B023
                assert one.kept("m1") is None  # an aid is not given during the match
        assert isinstance(table.state.phase, MatchOver)
        until(lambda: one.status("m1")["state"] == "done")
        assert runs == list(range(1, len(table.state.games) + 1))
        assert one.kept("m1")["report"]["players"] == ["Ann", "Bob"]
        one.delete("m1")
        assert (one.kept("m1"), one.status("m1")) == (None, {"state": "none"})


def test_match_that_ends_before_its_games_are_analysed_is_done_when_all_of_it_is(tmp_path: Path) -> None:
    over = threading.Event()

    def late(single, plies, cores):
        assert over.wait(PATIENCE_S)
        return quick(single, plies)

    with closing(Catalogue(tmp_path)) as catalogue:
        one = studies.Studies(tmp_path, lambda: catalogue, lambda match: "head", late)
        table = Table()
        for event in played_match(random.Random(2), began(3), cube=0.0):
            table = step(table, event).table
            one.follow(table.state)
        assert len(table.state.games) > 1
        over.set()
        until(lambda: one.status("m1")["state"] == "done")
        moves = [figures["moves"] for figures in one.kept("m1")["report"]["figures"]]
        assert moves == [
            figures["moves"] for figures in analysed(table.state, 0, run=quick).to_json()["figures"]
        ]


def test_match_that_has_just_ended_goes_before_older_ones_with_several_games_at_once(tmp_path: Path) -> None:
    first, runs = threading.Event(), []

    def noted(single, plies, cores):
        runs.append((single.players[0], single.games[0].number, cores))
        assert first.wait(PATIENCE_S)
        return quick(single, plies)

    def course(name, match_id):
        table = Table()
        for event in played_match(random.Random(2), began(3, south=name, match_id=match_id), cube=0.0):
            table = step(table, event).table
            yield table.state

    *_, old = course("Old", "m1")
    assert len(old.games) > 1
    with closing(Catalogue(tmp_path)) as catalogue:
        one = studies.Studies(tmp_path, lambda: catalogue, lambda match: "head", noted)
        one.begin(old)
        until(lambda: runs)
        for state in course("New", "m2"):
            one.follow(state)
        first.set()
        until(lambda: "done" == one.status("m1")["state"] == one.status("m2")["state"])
    numbers, cores = range(1, len(old.games) + 1), len(os.sched_getaffinity(0))
    assert [run[:2] for run in runs if run[0] == "Old"] == [("Old", number) for number in numbers]
    new = runs[1 : 1 + len(numbers)]
    assert sorted(run[:2] for run in new) == [("New", number) for number in numbers]
    at_once = min(cores, len(numbers), 4)
    assert {run[2] for run in new} == {max(1, cores // at_once)}
    assert {run[2] for run in runs if run[0] == "Old"} == {cores}


def test_games_before_the_end_are_analysed_on_one_core(tmp_path: Path) -> None:
    runs = []

    def noted(single, plies, cores):
        runs.append(cores)
        return quick(single, plies)

    with closing(Catalogue(tmp_path)) as catalogue:
        one = studies.Studies(tmp_path, lambda: catalogue, lambda match: "head", noted)
        table = Table()
        for event in played_match(random.Random(2), began(3), cube=0.0):
            table = step(table, event).table
            one.follow(table.state)
            if isinstance(table.state.phase, GameOver):
                break
        until(lambda: runs)
    assert runs == [1]


def test_figures_are_the_same_on_several_cores() -> None:
    table = table_of()
    one, both = (
        analysed(table.state, 0, run=lambda single, plies, cores=cores: run_game(single, plies, cores))
        for cores in (1, 2)
    )
    assert one.to_json() == both.to_json()
    assert one.plays() == both.plays()


def test_figures_come_back_into_a_new_catalogue(tmp_path: Path) -> None:
    table = table_of()
    with closing(Catalogue(tmp_path)) as catalogue:
        one = studies.Studies(tmp_path, lambda: catalogue, lambda match: "head", quick)
        one.keep("m1", analysed(table.state, 0))
        catalogue.query("SELECT 1")
        one.delete("other")
    with closing(Catalogue(tmp_path)) as fresh:
        again = studies.Studies(tmp_path, lambda: fresh, lambda match: "head", quick)
        fresh.put_figures("m1", [])
        again.catalogue_all()
        assert len(fresh.query("SELECT * FROM figures WHERE match_id = 'm1'")) == 2
