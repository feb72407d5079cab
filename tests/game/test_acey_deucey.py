"""Acey-Deucey through `step`: named doublets, complements, other throws; rows F20 to F24 of docs/rules/family.md."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import BadPositionError, IllegalPlayError, OutOfTurnError
from companion.game.events import (
    Amended,
    DisputeAnswered,
    DoubletNamed,
    Lifted,
    OpeningThrown,
    PlayEntered,
    PositionSet,
    Remedy,
    ResignationAnswered,
    Resigned,
    RollTyped,
    Setting,
    SettingsChanged,
    Thrown,
    TurnEnded,
    Undone,
)
from companion.game.state import GameOver, MatchOver, OnRoll, Played, Rolled, TurnMade
from companion.game.state_machine import fold, step
from companion.game.table import Table
from companion.game.turn_order import side_of
from companion.protocol.permissions import possible_acts
from companion.protocol.replay import Course, replay_of
from companion.records.dice_stats import tallies
from companion.records.rows import event_in, text_of
from companion.rules.board import BAR, Position, Roll, Side
from companion.rules.family.running_on import Part
from companion.rules.referee import DieAtRest, Half, Rest
from tests.support.positions import side
from tests.support.script import Script
from tests.support.selfplay import after, began, played_match, with_illegal_plays

SOUTH, NORTH = Side.SOUTH, Side.NORTH
NAMING = OnRoll(SOUTH, again=True, names=True)
NAMED = Part(SOUTH, named=True)


def begun(profile="acey_deucey", **changes):
    """A match of five points in which South is on roll."""
    return after(Table(), began(5, profile, **changes), OpeningThrown((3,), (1,)))


def rolled(roll, south, north, profile="acey_deucey", **changes):
    """South has thrown with these checkers on the board."""
    table = after(begun(profile, **changes), PositionSet(side(south), side(north), SOUTH))
    return after(table, RollTyped(Roll.of(*roll)))


FREE = ({24: 15}, {8: 15})
"""Nothing is in South's way."""
ONE_TWO = PlayEntered(((24, 22), (24, 23)))
FOURS = PlayEntered(((24, 20),) * 4)


def dice(one, other):
    """A throw in South's right half, as the camera sees it."""
    return Thrown(tuple(DieAtRest(face, Rest.FLAT, Half.RIGHT, 0.0) for face in (one, other)), at_ms=1)


def test_f21_after_2_1_a_doublet_is_named_and_played_and_the_side_throws_again() -> None:
    stepped = step(rolled((2, 1), *FREE), ONE_TWO)
    assert [str(notice.text) for notice in stepped.notices] == ["Ann names a doublet."]
    table = stepped.table
    assert table.state.phase == NAMING
    assert {"name", "undo"} <= set(possible_acts(table))
    assert not {"roll", "play", "done", "double"} & set(possible_acts(table))
    table = after(table, DoubletNamed(4))
    assert table.state.phase == Rolled(SOUTH, Roll.of(4, 4), part=NAMED)
    table = after(table, FOURS)
    assert isinstance(table.state.phase, Played), "the dice still lie"
    table = after(table, Lifted())
    assert table.state.phase == OnRoll(SOUTH, again=True)
    assert table.state.turns == 1
    assert table.state.doublets == (0, 0), "it was not thrown"
    again = after(table, RollTyped(Roll.of(2, 1)), ONE_TWO)
    assert again.state.phase == NAMING, "another 2-1 begins anew"


def test_f21_any_other_roll_passes_the_turn() -> None:
    for roll, moves in (((6, 5), ((24, 18), (24, 19))), ((4, 4), ((24, 20),) * 4)):
        table = after(rolled(roll, *FREE), PlayEntered(moves), TurnEnded())
        assert table.state.phase == OnRoll(NORTH)


def test_f21_a_doublet_of_which_only_a_part_can_be_played_loses_the_throw() -> None:
    table = after(rolled((2, 1), {24: 1, 9: 1, 2: 13}, {13: 2, 7: 13}), PlayEntered(((9, 7), (24, 23))))
    assert table.state.phase == NAMING
    table = after(table, DoubletNamed(6))
    table = after(table, PlayEntered(((23, 17), (17, 11), (11, 5), (7, 1))))
    assert after(table, TurnEnded()).state.phase == OnRoll(SOUTH, again=True)
    lone = rolled((2, 1), {24: 1, 5: 14}, {13: 2, 3: 13})  # North holds South's 12-point
    lone = after(lone, PlayEntered(((5, 3), (5, 4))), DoubletNamed(6), PlayEntered(((24, 18),)))
    assert isinstance(lone.state.phase, Played)
    assert after(lone, TurnEnded()).state.phase == OnRoll(NORTH)


def test_f21_a_named_doublet_that_cannot_be_played_at_all_is_a_dance() -> None:
    lone = rolled((2, 1), {24: 1, 5: 14}, {7: 2, 3: 13})  # North holds South's 18-point
    lone = after(lone, PlayEntered(((5, 3), (5, 4))))
    stepped = step(lone, DoubletNamed(6))
    assert [str(notice.text) for notice in stepped.notices] == ["Ann cannot play 6-6."]
    assert after(stepped.table, Lifted()).state.phase == OnRoll(NORTH)
    lifted = after(lone, Lifted(), DoubletNamed(6))
    assert lifted.state.phase == OnRoll(NORTH), "no dice lie that could be picked up"


def test_f23_2_1_that_cannot_be_played_in_full_passes_the_turn() -> None:
    table = rolled((2, 1), {24: 1}, {3: 2, 4: 13})  # North holds South's 22- and 21-point
    table = after(table, PlayEntered(((24, 23),)), TurnEnded())
    assert table.state.phase == OnRoll(NORTH)
    with pytest.raises(OutOfTurnError, match="No doublet"):
        step(table, DoubletNamed(4))


def test_f22_in_the_european_form_the_complement_follows_each_doublet() -> None:
    table = after(rolled((4, 4), *FREE, profile="acey_europe"), FOURS)
    assert table.state.phase == Rolled(SOUTH, Roll.of(3, 3), part=Part(SOUTH, complement=True))
    table = after(table, PlayEntered(((24, 21),) * 4), TurnEnded())
    assert table.state.phase == OnRoll(SOUTH, again=True)
    assert (table.state.turns, table.state.doublets) == (1, (1, 0))
    named = after(rolled((2, 1), *FREE, profile="acey_europe"), ONE_TWO, DoubletNamed(4), FOURS)
    assert named.state.phase == Rolled(SOUTH, Roll.of(3, 3), part=Part(SOUTH, named=True, complement=True))
    named = after(named, PlayEntered(((24, 21),) * 4), TurnEnded())
    assert named.state.phase == OnRoll(SOUTH, again=True)


def test_f23_without_all_of_a_doublet_no_complement_and_without_all_of_it_no_throw() -> None:
    european = {"profile": "acey_europe"}
    table = rolled((6, 6), {24: 1, 2: 14}, {13: 2, 3: 13}, **european)
    table = after(table, PlayEntered(((24, 18),)), TurnEnded())
    assert table.state.phase == OnRoll(NORTH)
    table = rolled((1, 1), {24: 1, 5: 14}, {11: 2, 8: 13}, **european)  # North holds South's 14-point
    table = after(table, PlayEntered(((24, 23), (23, 22), (22, 21), (21, 20))))
    assert table.state.phase.roll == Roll.of(6, 6)
    assert isinstance(table.state.phase, Played), "20/14 is held, and nothing is borne off: a dance"
    assert after(table, TurnEnded()).state.phase == OnRoll(NORTH)


def test_dice_picked_up_before_the_doublet_is_named() -> None:
    table = after(rolled((2, 1), *FREE), ONE_TWO)
    assert step(table, dice(2, 1)).table is table, "dice that were pushed are no throw"
    table = after(table, Lifted())
    assert table.state.phase.lifted
    table = after(table, dice(5, 3))
    assert table.state.pending.roll == Roll.of(5, 3), "the next throw waits"
    with pytest.raises(OutOfTurnError, match="names a doublet first"):
        step(table, RollTyped(Roll.of(5, 3)))
    table = after(table, DoubletNamed(4))
    assert table.state.phase.is_owed
    assert after(table, FOURS).state.phase == Rolled(SOUTH, Roll.of(5, 3))


def test_dice_picked_up_before_2_1_was_entered() -> None:
    table = after(rolled((2, 1), *FREE), Lifted(), dice(6, 5))
    assert table.state.pending.side is SOUTH, "whoever throws 2-1 throws again"
    table = after(table, ONE_TWO)
    assert table.state.phase == OnRoll(SOUTH, again=True, names=True, lifted=True)
    table = after(table, DoubletNamed(4), FOURS)
    assert table.state.phase == Rolled(SOUTH, Roll.of(6, 5))


def test_a_named_doublet_is_no_throw_for_the_statistics() -> None:
    table = after(begun("acey_europe"), RollTyped(Roll.of(2, 1)), PlayEntered(((25, 24), (25, 23))))
    table = after(table, DoubletNamed(4), PlayEntered(((25, 21),) * 4), PlayEntered(((25, 22),) * 4))
    assert tallies([table])["Ann"].rolls == {Roll.of(2, 1): 1}


def test_an_early_roll_of_a_side_that_does_not_throw_again_is_void() -> None:
    lone = rolled((2, 1), {24: 1, 5: 14}, {7: 2, 3: 13})  # North holds South's 18-point
    table = after(lone, Lifted(), dice(6, 5), PlayEntered(((5, 3), (5, 4))))
    assert table.state.pending.side is SOUTH
    stepped = step(table, DoubletNamed(6))
    assert "It is Bob’s turn: the roll is void." in [str(notice.text) for notice in stepped.notices]
    assert (stepped.table.state.phase, stepped.table.state.pending) == (OnRoll(NORTH), None)


def test_naming_is_asked_for_and_can_be_taken_back() -> None:
    table = after(rolled((2, 1), *FREE), ONE_TWO)
    for event in (TurnEnded(), RollTyped(Roll.of(4, 4))):
        with pytest.raises(OutOfTurnError, match="names a doublet first"):
            step(table, event)
    assert side_of(DoubletNamed(4), table.state) is SOUTH
    named = after(table, DoubletNamed(4))
    with pytest.raises(IllegalPlayError, match="no 5 in this roll"):
        step(named, PlayEntered(((24, 19),)))
    assert after(named, Undone()).state.phase == NAMING
    assert after(named, Undone(), Undone()).state.phase == Rolled(SOUTH, Roll.of(2, 1))
    resigned = after(table, Resigned(SOUTH))
    assert after(resigned, ResignationAnswered(False)).state.phase == NAMING


def test_an_illegal_2_1_is_settled_before_a_doublet_is_named() -> None:
    table = after(rolled((2, 1), *FREE), PlayEntered(((24, 20),), made=True))
    with pytest.raises(OutOfTurnError, match="turn goes on"):
        step(table, TurnEnded())
    assert after(table, DisputeAnswered(Remedy.CONDONE)).state.phase == NAMING
    assert after(table, DisputeAnswered(Remedy.CORRECT)).state.phase == Rolled(SOUTH, Roll.of(2, 1))


def test_a_corrected_doublet_derives_what_follows_again() -> None:
    table = after(rolled((2, 1), *FREE, profile="acey_europe"), ONE_TWO, DoubletNamed(4))
    number = table.entries[-1].number
    table = after(table, FOURS, Amended(number, DoubletNamed(5)))
    assert table.state.phase.roll == Roll.of(5, 5)
    assert table.state.phase.fault, "the fours are an illegal play of it"
    assert table.entries[number].misfit


def test_f20_the_game_knows_what_was_hit() -> None:
    table = after(begun(), RollTyped(Roll.of(6, 5)), PlayEntered(((25, 19), (25, 20))), TurnEnded())
    assert table.state.board.not_entered == (13, 15)
    # North enters and hits on South's 20, his own 5-point
    table = after(table, RollTyped(Roll.of(6, 5)), PlayEntered(((25, 19), (25, 20))), TurnEnded())
    table = after(table, PositionSet(side({25: 12, 20: 1, 13: 2}), side({25: 13, 6: 1, 8: 1}), NORTH))
    assert table.state.board.not_entered == (12, 13), "as many as were not hit before"
    table = after(table, RollTyped(Roll.of(3, 1)), PlayEntered(((8, 5), (6, 5))), TurnEnded())
    assert (table.state.board.south[BAR], table.state.board.not_entered) == (13, (12, 13))
    assert table.state.board.seen_by(SOUTH).must_enter == 1
    told = after(
        table, PositionSet(table.state.board.south, table.state.board.north, SOUTH, not_entered=(13, 12))
    )
    assert told.state.board.not_entered == (13, 12)
    with pytest.raises(IllegalPlayError, match="on the bar must enter first"):
        step(after(table, RollTyped(Roll.of(4, 3))), PlayEntered(((13, 9),)))


FIVE_ON_BAR = {
    "south": [-15, *[0] * 20, 2, 8, 0, 0, 5],
    "north": [-5, 0, 0, -8, -2, *[0] * 20, 15],
}


@pytest.mark.parametrize(
    ("waiting", "on_roll", "most"),
    [
        ({"south": 6, "north": 15}, "south", "5 of the player on roll and 15"),
        ({"south": 16}, "north", "15 .* and 5"),
    ],
)
def test_f20_no_more_wait_than_are_on_the_bar(waiting, on_roll, most) -> None:
    script = Script("acey_deucey").south_begins()
    with pytest.raises(BadPositionError, match=f"at most {most}"):
        script.do("set_position", pos=FIVE_ON_BAR[on_roll], on_roll=on_roll, not_entered=waiting)
    script.do(
        "set_position", pos=FIVE_ON_BAR[on_roll], on_roll=on_roll, not_entered={"south": 5, "north": 15}
    )
    assert script.state.board.not_entered == (5, 15)


def test_f20_the_time_of_entering_stays_during_a_game() -> None:
    table = after(begun(), RollTyped(Roll.of(6, 5)), PlayEntered(((25, 19), (25, 20))), TurnEnded())
    with pytest.raises(Exception, match="middle of a game"):
        step(table, SettingsChanged((Setting("entering", "before_moving"),)))


@pytest.mark.parametrize(
    ("counts", "points", "given_up"), [(False, 1, 1), (True, 14, 15)], ids=["one point", "each checker"]
)
def test_f24_what_a_game_counts(counts, points, given_up) -> None:
    table = rolled((6, 5), {2: 1}, {24: 14}, counts_checkers=counts)
    won = after(table, PlayEntered(((2, 0),)))
    assert won.state.phase.result.points == points
    resigned = after(begun(counts_checkers=counts), Resigned(SOUTH), ResignationAnswered(True))
    assert resigned.state.phase.result.points == given_up


def test_a_game_may_end_before_a_doublet_is_named() -> None:
    table = after(rolled((2, 1), {1: 1, 2: 1}, FREE[1]), PlayEntered(((1, 0), (2, 0))))
    assert isinstance(table.state.phase, GameOver)


def test_the_page_gets_the_question_and_the_history_its_lines() -> None:
    script = Script("acey_deucey").south_begins().roll(2, 1)
    assert script.view["position"]["board"]["not_entered"] == {"south": 15, "north": 15}
    assert not script.view["naming"]
    script.play("bar/23 bar/24")
    view = script.view
    assert (view["phase"], view["on_roll"], view["naming"], view["roll"]) == ("on_roll", "south", True, None)
    assert "name" in view["may"]
    assert "name" not in script.seen_by("viewer")["may"]
    assert view["position"]["board"]["not_entered"] == {"south": 13, "north": 15}
    assert view["position"]["xgid"] == ""
    script.do("name", number=6).play("bar/19(4)")
    part = {"thrower": "south", "times": 4, "named": True, "complement": False}
    assert (script.view["phase"], script.view["roll"], script.view["part"]) == ("played", [6, 6], part)
    script.do("done")
    texts = [line["text"] for line in script.view["history"]]
    at = texts.index("names 6-6")
    assert texts[at - 1 : at + 2] == ["bar/24 bar/23", "names 6-6", "6-6: bar/19(4)"]
    steps = replay_of(Course(script.table, [None] * len(script.table.entries)))["steps"]
    assert "6-6: bar/19(4)" in [one["text"] for one in steps]


@pytest.mark.parametrize("profile", ["acey_deucey", "acey_europe"])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_laws_of_whole_matches(profile, seed) -> None:
    table = fold(played_match(random.Random(seed), began(1, profile)))
    assert isinstance(table.state.phase, MatchOver)
    assert fold(event_in(text_of(entry.event)) for entry in table.entries) == table
    for entry in table.entries:
        seen = entry.state.board.seen_by(SOUTH)
        assert sum(seen.mine) == sum(seen.theirs) == 15
        assert seen.must_enter >= 0
        assert seen.flipped().must_enter >= 0
    for log in table.state.games:
        made = [one for one in log.entries if isinstance(one, TurnMade)]
        for one, following in pairwise(made):
            _follows(one, following, european=profile == "acey_europe")


def _follows(one: TurnMade, following: TurnMade, *, european: bool) -> None:
    """Whose turn follows, and with which numbers, by how much of the roll was played."""
    played_out = len(one.play) == len(one.roll.numbers)
    is_last = one.part is not None and (one.part.complement or not european)
    if one.part is None and one.roll == Roll.of(2, 1) and played_out:
        assert following.part == Part(one.side, named=True)
    elif european and one.roll.is_doubles and not is_last and played_out:
        assert following.part == Part(one.side, named=bool(one.part), complement=True)
        assert following.roll.high + one.roll.high == 7
    else:
        goes_on = played_out and (one.part is not None or (european and one.roll.is_doubles))
        assert following.part is None
        assert following.side is (one.side if goes_on else one.side.other)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_illegal_plays_that_stand_do_not_stop_a_match(seed) -> None:
    table = with_illegal_plays(random.Random(seed), began(1, "acey_europe"))
    assert isinstance(table.state.phase, MatchOver)
    assert not table.state.board.seen_by(SOUTH).problems() & ~Position.start().problems()
