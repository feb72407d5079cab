"""The clock as a function of times that it is told."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game.clock import Clock, ClockRules, at, out_of_time, run
from companion.game.events import PlayEntered, TimeRanOut
from companion.game.state import MatchOver
from companion.game.state_machine import step
from companion.game.table import Table
from companion.rules.board import Side
from companion.rules.family.profiles import FAMILY
from tests.support.selfplay import began, moved_forward, played_match

RULES = ClockRules(delay_ms=12_000)
FRESH = Clock(RULES, 60_000, 60_000)


def test_the_reserve_is_two_minutes_a_point_less_one_for_each_point_scored():
    assert ClockRules().reserve_ms(7, 0) == 14 * 60_000
    assert ClockRules().reserve_ms(7, 3) == 11 * 60_000
    assert ClockRules().reserve_ms(1, 9) == 0
    assert ClockRules(fixed_reserve_ms=5).reserve_ms(7, 3) == 5


def test_the_delay_runs_down_first_then_the_reserve():
    running = run(FRESH, Side.SOUTH, 0)
    assert (at(running, 12_000).south_ms, at(running, 12_000).delay_left_ms) == (60_000, 0)
    assert at(running, 13_500).south_ms == 58_500
    assert at(running, 10**9).south_ms == 0
    assert out_of_time(running, 72_000) is Side.SOUTH
    assert out_of_time(running, 71_999) is None


def test_without_a_reserve_there_still_is_the_delay_of_whose_turn_it_is():
    empty = Clock(RULES, 0, 0)
    assert out_of_time(empty, 10**6) is None
    running = run(empty, Side.NORTH, 0)
    assert [out_of_time(running, ms) for ms in (11_999, 12_000)] == [None, Side.NORTH]


def test_the_other_side_gets_a_whole_delay_and_a_stop_gives_none():
    south = run(FRESH, Side.SOUTH, 0)
    stopped = run(south, None, 5_000)
    assert at(stopped, 10**6).delay_left_ms == 7_000
    assert run(stopped, Side.SOUTH, 10**6).delay_left_ms == 7_000
    assert run(stopped, Side.NORTH, 10**6).delay_left_ms == 12_000


def test_a_wall_clock_set_back_takes_nobodys_time():
    running = run(FRESH, Side.SOUTH, 50_000)
    back = at(running, 1_000)
    assert (back.south_ms, back.delay_left_ms) == (60_000, 12_000)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from([None, *Side]), st.integers(0, 30_000)), max_size=12))
def test_time_is_only_ever_used_and_only_by_the_side_it_runs_for(steps):
    clock, now_ms = FRESH, 0
    for side, passes_ms in steps:
        clock = run(clock, side, now_ms)
        now_ms += passes_ms
        later = at(clock, now_ms)
        for one in Side:
            used = clock.reserve_of(one) - later.reserve_of(one)
            assert 0 <= used <= (passes_ms if one is side else 0)
        halfway = at(at(clock, now_ms - passes_ms // 2), now_ms)
        assert halfway == later
        clock = later


@pytest.mark.parametrize("profile", ["portes", *FAMILY])
def test_the_time_of_the_side_whose_checkers_move_runs_in_each_game_of_the_family(profile: str) -> None:
    table, late = Table(), None
    for event in played_match(random.Random(7), began(1, profile, clock="simple_delay"), cube=0):
        before, clock = table.state, table.clock
        at_ms = 20 * event.at_ms  # each event 20 s after the one before: more than a delay
        table = step(table, replace(event, at_ms=at_ms)).table
        if isinstance(event, PlayEntered) and (side := moved_forward(before.board, table.state.board)):
            assert clock.running is side
            spent = {one: clock.reserve_of(one) - table.clock.reserve_of(one) for one in Side}
            assert spent[side.other] == 0
            assert spent[side] > 0 or not clock.reserve_of(side) or clock.delay_left_ms > 0
            if late is None and out_of_time(table.clock, at_ms + 300_000):
                late = step(table, TimeRanOut(table.clock.running, at_ms=at_ms + 300_000)).table
                assert isinstance(late.state.phase, MatchOver)
                assert late.state.phase.winner is table.clock.running.other
    assert late is not None
    assert isinstance(table.state.phase, MatchOver)
    assert table.clock.running is None
