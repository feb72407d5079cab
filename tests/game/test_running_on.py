"""Turns after a doublet that runs on, through `step`: rows F18 and F19 of docs/rules/family.md."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import IllegalPlayError, OutOfTurnError
from companion.game.events import (
    Amended,
    DisputeAnswered,
    Lifted,
    OpeningThrown,
    Overruled,
    PlayEntered,
    PositionSet,
    Remedy,
    RollTyped,
    TurnEnded,
    Undone,
)
from companion.game.state import GameOver, MatchOver, OnRoll, Played, Rolled, TurnMade
from companion.game.state_machine import fold, step
from companion.game.table import Table
from companion.game.turns import turn_to_play
from companion.protocol.permissions import possible_acts
from companion.protocol.replay import Course, replay_of
from companion.records.rows import event_in, text_of
from companion.rules.board import Roll, Side
from companion.rules.family.running_on import Part
from tests.support.positions import side
from tests.support.script import Script
from tests.support.selfplay import after, began, played_match, with_illegal_plays

SOUTH, NORTH = Side.SOUTH, Side.NORTH


def thrown(roll, south, north, profile="jioul", **changes):
    """South has thrown a doublet with these checkers on the board."""
    begun = after(Table(), began(5, profile, **changes), OpeningThrown((3,), (1,)))
    return after(begun, PositionSet(side(south), side(north), SOUTH), RollTyped(Roll.of(roll, roll)))


def numbers(state):
    """Side, number and most plays of the numbers to be played now."""
    part = state.phase.part
    return state.phase.side, state.phase.roll.high, part.times if part else 4


FREE = ({24: 15}, {2: 15})
"""Nothing is in South's way."""


def test_f18_the_next_numbers_follow_by_themselves() -> None:
    table = thrown(4, *FREE)
    table = after(table, PlayEntered(((24, 20),) * 4))
    assert numbers(table.state) == (SOUTH, 5, 4)
    assert table.state.phase.part == Part(SOUTH)
    table = after(table, PlayEntered(((24, 19),) * 4))
    assert numbers(table.state) == (SOUTH, 6, 4)
    table = after(table, PlayEntered(((24, 18),) * 4))
    assert isinstance(table.state.phase, Played), "the dice still lie"
    table = after(table, Lifted())
    assert table.state.phase == OnRoll(NORTH)
    assert [(one.roll.text, bool(one.part)) for one in table.state.log if isinstance(one, TurnMade)] == [
        ("4-4", False),
        ("5-5", True),
        ("6-6", True),
    ]
    assert table.state.turns == 1
    assert table.state.doublets == (1, 0)


def test_f18_sixes_end_with_six_and_other_rolls_do_not_run_on() -> None:
    table = after(thrown(6, *FREE), PlayEntered(((24, 18),) * 4))
    assert isinstance(table.state.phase, Played)
    assert after(table, TurnEnded()).state.phase == OnRoll(NORTH)
    begun = after(Table(), began(5, "jioul"), OpeningThrown((3,), (1,)), RollTyped(Roll.of(6, 5)))
    played = after(begun, PlayEntered(((24, 18), (24, 19))))
    assert isinstance(played.state.phase, Played)


def test_f18_in_gul_bara_not_in_the_first_three_rolls_of_a_side() -> None:
    table = after(Table(), began(5, "gul_bara"), OpeningThrown((3,), (1,)))
    for _ in range(3):
        for _ in Side:
            table = after(table, RollTyped(Roll.of(1, 1)))
            table = after(table, PlayEntered(tuple(_any_moves(table))))
            assert isinstance(table.state.phase, Played)
            table = after(table, TurnEnded())
    table = after(table, RollTyped(Roll.of(1, 1)))
    table = after(table, PlayEntered(tuple(_any_moves(table))))
    assert numbers(table.state) == (SOUTH, 2, 4)


def _any_moves(table):
    """The moves of some legal play."""
    play = next(iter(turn_to_play(table.state).plays().values()))
    return [(move.source, move.target) for move in play]


def test_f19_the_rest_passes_to_the_opponent_before_his_own_throw() -> None:
    # South's two checkers play two fives, 19 to 14 to 9; North holds South's 4-point, his own 21-point
    table = thrown(5, {19: 1, 2: 14}, {21: 1, 13: 2, 1: 12})
    table = after(table, PlayEntered(((19, 14), (14, 9))))
    assert isinstance(table.state.phase, Played), "his own turn ends as ever"
    assert "rule" in possible_acts(table)
    stepped = step(table, TurnEnded())
    assert [str(notice.text) for notice in stepped.notices] == ["Bob plays what Ann could not: 5, 2 times."]
    state = stepped.table.state
    assert numbers(state) == (NORTH, 5, 2)
    assert not state.phase.is_owed
    assert "done" not in possible_acts(stepped.table)
    table = after(stepped.table, PlayEntered(((13, 8),)), PlayEntered(((13, 8), (13, 8))))
    assert numbers(table.state) == (NORTH, 6, 4)
    table = after(table, PlayEntered(tuple(_any_moves(table))))
    assert table.state.phase == OnRoll(NORTH), "then he throws himself"


def test_f19_what_neither_can_play_is_lost() -> None:
    # South's 19, 18 and 17 are North's 6, 7 and 8; North's 13, 12 and 11 are South's 12, 13 and 14: no five for anybody
    table = thrown(5, {19: 1, 18: 1, 17: 13}, {13: 13, 12: 1, 11: 1})
    state = table.state
    assert isinstance(state.phase, Played)
    assert state.phase.play == ()
    table = after(table, Lifted())
    parts = [(one.side, one.roll.high, one.part and one.part.times) for one in table.state.log[1:]]
    assert parts == [(SOUTH, 5, None), (NORTH, 5, 4)]
    assert numbers(table.state) == (NORTH, 6, 4), "his sixes are free"


def test_f19_the_rest_is_lost_where_the_rules_say_so() -> None:
    table = thrown(5, {19: 1, 2: 14}, {21: 1, 13: 2, 1: 12}, rest_of_doublet="lost")
    table = after(table, PlayEntered(((19, 14), (14, 9))), TurnEnded())
    assert table.state.phase == OnRoll(NORTH)


def test_an_early_roll_waits_until_the_rest_is_played() -> None:
    table = thrown(5, {19: 1, 2: 14}, {21: 1, 13: 2, 1: 12})
    table = after(table, PlayEntered(((19, 14), (14, 9))), TurnEnded(), RollTyped(Roll.of(2, 1), NORTH))
    assert table.state.pending is not None
    table = after(table, PlayEntered(((13, 8), (13, 8))))
    assert table.state.pending is not None
    table = after(table, PlayEntered(tuple(_any_moves(table))))
    assert table.state.phase == Rolled(NORTH, Roll.of(2, 1))


def test_dice_lifted_early_leave_every_part_owed() -> None:
    table = after(thrown(5, *FREE), Lifted(), PlayEntered(((24, 19),) * 4))
    assert table.state.phase.is_owed
    assert numbers(table.state) == (SOUTH, 6, 4)
    assert after(table, PlayEntered(((24, 18),) * 4)).state.phase == OnRoll(NORTH)


def test_a_game_may_end_in_a_part() -> None:
    table = thrown(5, {5: 4, 6: 1}, {23: 15})
    table = after(table, PlayEntered(((6, 1), (5, 0), (5, 0), (5, 0))))
    assert numbers(table.state) == (SOUTH, 6, 4)
    table = after(table, PlayEntered(((5, 0), (1, 0))))
    assert isinstance(table.state.phase, GameOver)
    assert table.state.turns == 1


def test_undo_and_refusal_stay_within_a_part() -> None:
    table = after(thrown(4, *FREE), PlayEntered(((24, 20),) * 4))
    with pytest.raises(IllegalPlayError, match="no 4 in this roll"):
        step(table, PlayEntered(((24, 20),)))
    with pytest.raises(OutOfTurnError, match="overruled"):
        step(table, Overruled(Roll.of(2, 1)))
    assert "rule" not in possible_acts(table)
    assert "undo" in possible_acts(table)
    assert after(table, Undone()).state.phase == Rolled(SOUTH, Roll.of(4, 4))


def test_an_illegal_part_is_settled_before_the_doublet_runs_on() -> None:
    table = after(thrown(4, *FREE), PlayEntered(((24, 20), (24, 17)), made=True))
    with pytest.raises(OutOfTurnError, match="turn goes on"):
        step(table, TurnEnded())
    assert step(table, Lifted()).table is table
    let_stand = after(table, DisputeAnswered(Remedy.CONDONE))
    assert numbers(let_stand.state) == (SOUTH, 5, 4)
    taken_back = after(table, DisputeAnswered(Remedy.CORRECT))
    assert taken_back.state.phase == Rolled(SOUTH, Roll.of(4, 4))


def test_a_corrected_throw_derives_its_parts_again() -> None:
    table = thrown(4, *FREE)
    number = table.entries[-1].number
    table = after(table, PlayEntered(((24, 20),) * 4), PlayEntered(((24, 19),) * 4))
    table = after(table, Amended(number, RollTyped(Roll.of(5, 5))))
    rolls = [one.roll.text for one in table.state.log if isinstance(one, TurnMade)]
    assert rolls[0] == "5-5", "the fours are an illegal play of 5-5, which counts as a turn"


def test_the_page_gets_the_part_and_the_replay_shows_each() -> None:
    script = Script("jioul").take(OpeningThrown((3,), (1,)))
    script.do("roll", dice=[4, 4]).do("play", moves=[[24, 20]] * 4)
    view = script.view
    part = {"thrower": "south", "times": 4, "named": False, "complement": False}
    assert (view["phase"], view["roll"], view["part"]) == ("rolled", [5, 5], part)
    assert [play["text"] for play in view["plays"]]
    script.do("play", moves=[[24, 19]] * 4).do("play", moves=[[24, 18]] * 4).do("done")
    assert script.view["part"] is None
    texts = [line["text"] for line in script.view["history"]]
    assert texts[-4:-1] == ["24/20(4)", "5-5: 24/19(4)", "6-6: 24/18(4)"] or texts[-3:] == [
        "24/20(4)",
        "5-5: 24/19(4)",
        "6-6: 24/18(4)",
    ]
    steps = replay_of(Course(script.table, [None] * len(script.table.entries)))["steps"]
    assert "6-6: 24/18(4)" in [one["text"] for one in steps]


@pytest.mark.parametrize("profile", ["gul_bara", "jioul"])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_laws_of_whole_matches(profile, seed) -> None:
    events = list(played_match(random.Random(seed), began(1, profile)))
    table = fold(events)
    assert isinstance(table.state.phase, MatchOver)
    assert fold(event_in(text_of(event)) for event in events) == table
    for log in table.state.games:
        made = [one for one in log.entries if isinstance(one, TurnMade)]
        assert sum(one.part is None for one in made) == table.state.turns
        for one, following in pairwise(made):
            if following.part is None:
                assert following.side is not (one.part.thrower if one.part else one.side)
            else:
                assert following.roll.is_doubles
                assert following.roll.high - one.roll.high in (0, 1)
            if one.part:
                assert len(one.play) <= one.part.times


@given(seed=st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_illegal_plays_that_stand_do_not_stop_a_match(seed) -> None:
    table = with_illegal_plays(random.Random(seed), began(1, "jioul"))
    assert isinstance(table.state.phase, MatchOver)
