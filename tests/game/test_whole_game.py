"""One whole game of the modern profile through `step`, from the opening throw to the result."""

import random

import pytest

from companion.errors import IllegalPlayError, OutOfTurnError
from companion.game.events import (
    Answer,
    DoubleAnswered,
    DoubleOffered,
    OpeningThrown,
    PlayEntered,
    RollTyped,
    TurnEnded,
    Undone,
)
from companion.game.state import (
    Doubled,
    GameOver,
    MatchOver,
    OnRoll,
    Opening,
    Played,
    Rolled,
)
from companion.game.state_machine import fold, step
from companion.game.table import Table
from companion.rules.board import Roll, Side
from companion.rules.cube_and_score import Score
from companion.rules.profiles import PROFILES
from tests.support.often import TIMES
from tests.support.selfplay import after, began, played_match


def through(*events, table=None):
    """The table after these events, from none on if none is given."""
    return after(table or Table(), *events)


def roll(one, other):
    return RollTyped(Roll.of(one, other))


def test_an_opening_a_turn_a_double_and_a_pass():
    table = through(began(5), OpeningThrown((3,), (3,)))
    assert table.state.phase == Opening(again=True)
    table = through(OpeningThrown((3,)), OpeningThrown(north=(1,)), table=table)
    assert table.state.phase == Rolled(Side.SOUTH, Roll(3, 1), opening=True)
    table = through(PlayEntered(((8, 5),)), table=table)
    assert isinstance(table.state.phase, Rolled)
    table = through(PlayEntered(((8, 5), (6, 5))), table=table)
    assert isinstance(table.state.phase, Played)
    assert table.state.board.south[5] == 2
    table = through(TurnEnded(), DoubleOffered(), table=table)
    assert isinstance(table.state.phase, Doubled)
    table = through(DoubleAnswered(Answer.PASS), table=table)
    assert isinstance(table.state.phase, GameOver)
    assert table.state.score == Score(north=1)


def test_a_play_that_the_rules_forbid_changes_nothing():
    table = through(began(5), OpeningThrown((3,), (1,)))
    with pytest.raises(IllegalPlayError):
        step(table, PlayEntered(((8, 3),)))
    with pytest.raises(OutOfTurnError):
        step(table, DoubleOffered())
    assert isinstance(table.state.phase, Rolled)


def test_undo_takes_one_step_back_each_time():
    start = through(began(5), OpeningThrown((3,), (1,)))
    half = through(PlayEntered(((8, 5),)), table=start)
    whole = through(PlayEntered(((8, 5), (6, 5))), table=half)
    ended = through(TurnEnded(), table=whole)
    back = ended
    for before in (whole, half, start):
        back = through(Undone(), table=back)
        assert back.state == before.state


@pytest.mark.parametrize("seed", range(4))
def test_a_random_match_ends_and_its_record_gives_the_same_table(seed):
    events = list(played_match(random.Random(seed), began(3)))
    table = fold(events)
    assert isinstance(table.state.phase, MatchOver)
    assert table.state.score.of(table.state.phase.winner) >= 3
    assert table == fold(events)
    for number in (len(events) // 2, len(events)):
        assert fold(events[:number]).state == table.entries[number - 1].state


def test_a_turn_passes_to_the_other_side():
    table = through(
        began(5), OpeningThrown((3,), (1,)), PlayEntered(((8, 5), (6, 5))), TurnEnded(), roll(6, 4)
    )
    assert table.state.phase == Rolled(Side.NORTH, Roll(6, 4))
    table = through(PlayEntered(((24, 14),)), TurnEnded(), table=table)
    assert table.state.phase == OnRoll(Side.SOUTH)
    assert table.state.board.north[14] == 1


@pytest.mark.parametrize("profile", [name for name in PROFILES if name != "spielestart"])
def test_many_random_matches_end_with_their_score_derivable(profile):
    rng = random.Random(f"{profile} {TIMES}")
    for _ in range(10 * TIMES):
        length = rng.choice([0, 1, 3, 5])
        state = fold(played_match(rng, began(length, profile), cube=0.08)).state
        won = {
            side: sum(log.result.points for log in state.games if log.result.winner is side) for side in Side
        }
        assert state.score == Score(won[Side.SOUTH], won[Side.NORTH])
        for log in state.games:
            assert log.result.points == log.result.worth * log.result.cube
