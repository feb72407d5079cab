"""Taking back, and correcting what lies further back: everything after is derived again, nothing is dropped."""

import random
from dataclasses import replace

import pytest

from companion.errors import GameError, OutOfTurnError, RoleError
from companion.game.events import (
    Amended,
    DoubleAnswered,
    Lifted,
    PlayEntered,
    Resigned,
    RollTyped,
    TurnEnded,
    Undone,
    Void,
)
from companion.game.state import OnRoll
from companion.game.state_machine import fold, step
from companion.game.table import Table
from companion.protocol.permissions import Asker
from companion.protocol.view import view_of
from companion.records.dice_stats import tallies
from companion.records.rows import event_in, text_of
from companion.rules.board import Roll, Side, checkers_on
from companion.rules.referee import Rest
from companion.service.dossier_page import index_html
from sentence import spoken
from tests.support.script import Script, event_from
from tests.support.selfplay import began, played_match
from tests.support.translated import left_english


def number_of(script, kind, nth=0):
    """The number of the nth event of a kind."""
    return [entry.number for entry in script.table.entries if isinstance(entry.event, kind)][nth]


def three_turns():
    """South 3-1, north 6-4, south 5-2; north is to roll."""
    script = Script().opening(3, 1).play("8/5 6/5").do("done")
    return script.turn(6, 4, "24/14").turn(5, 2, "13/8 24/22")


def line(script, number):
    return next(one for one in script.view["history"] if one["n"] == number)


def lasting(script):
    """Whether the record alone leads to this very table."""
    return fold(event_in(text_of(entry_event)) for entry_event in raw(script)) == script.table


def raw(script):
    """The events as they were told, before anything was amended."""
    return [entry.was[0] if entry.was else entry.event for entry in script.table.entries]


def test_undo_goes_back_step_by_step_into_the_turn_before_and_no_further():
    script = three_turns()
    states = [entry.state for entry in script.table.entries]
    for before in reversed(states[-4:-1]):
        assert script.do("undo").state == before
    while "undo" in script.view["may"]:
        script.do("undo")
    assert script.state.turns == 2  # of three that ended; the third could be undone whole
    with pytest.raises(OutOfTurnError, match="director"):
        script.do("undo")
    assert lasting(script)


def test_what_is_taken_back_stays_visible():
    script = Script().ready().roll(3, 1).do("undo")
    assert (script.phase, script.view["roll"]) == ("on_roll", None)
    taken_back = {"t": "undone: {text}", "v": {"text": {"t": "{roll} (entered)", "v": {"roll": "3-1"}}}}
    assert line(script, 3) == {
        "n": 3,
        "game": 1,
        "turn": 1,
        "side": "south",
        "text": "undone: 3-1 (entered)",
        "say": {"text": taken_back},
        "by": "director",
        "question": "",
        "why": "",
        "picture": None,
        "corrected": False,
        "undone": True,
        "misfit": "",
        "action": None,
    }


def test_a_roll_is_corrected_and_the_play_that_no_longer_fits_is_flagged_and_stands():
    script = three_turns()
    roll = number_of(script, RollTyped, 0)
    script.do("amend", event=roll, to={"dice": [6, 3]}, why="misread")
    play = number_of(script, PlayEntered, 1)
    assert "no longer consistent" in line(script, play)["text"]
    assert line(script, roll)["text"] == "6-3 (entered) (corrected; was: 6-4 (entered); reason: misread)"
    assert script.state.board.north[14] == 1  # what lay on the board still lies there
    assert (script.phase, script.turn_of) == ("on_roll", "north")
    assert script.state.log[1].fault
    assert any("No longer consistent" in text for text in script.notice_texts)
    assert lasting(script)


def test_a_corrected_roll_with_which_the_play_still_fits_leaves_no_flag():
    script = Script().opening(3, 1).play("8/5 6/5").do("done").roll(6, 4)
    script.do("amend", event=number_of(script, RollTyped), to={"dice": [6, 2]})
    assert script.view["roll"] == [6, 2]
    assert script.play("24/18 13/11").phase == "played"
    assert lasting(script)


def test_a_play_is_corrected_and_the_later_ones_are_played_from_there():
    script = three_turns()
    script.do("amend", event=number_of(script, PlayEntered, 0), to={"text": "24/23 13/10"})
    assert (script.state.board.south[10], script.state.board.south[5]) == (1, 0)
    assert script.state.board.south[22] == 1
    assert not any(one["misfit"] for one in script.view["history"])
    assert script.turn_of == "north"
    assert lasting(script)


def test_a_corrected_play_stands_beside_what_it_replaced():
    script = three_turns()
    number = number_of(script, PlayEntered, 1)
    script.do("amend", event=number, to={"text": "24/18 13/9"})
    assert line(script, number)["text"] == "24/18 13/9 (corrected; was: 24/14)"
    script.do("amend", event=number, to={"text": "24/14"})
    assert line(script, number)["text"] == "24/14 (corrected; was: 24/14 → 24/18 13/9)"


def test_a_corrected_hit_still_says_that_it_was_one():
    script = Script().opening(6, 2).play("24/18 13/11").do("done").turn(6, 1, "13/7* 8/7")
    number = number_of(script, PlayEntered, 1)
    script.do("amend", event=number, to={"text": "8/2 6/5"})
    assert line(script, number)["text"].endswith("(corrected; was: 13/7* 8/7)")


def test_corrected_names_stand_beside_those_they_replaced():
    script = three_turns().do("amend", event=1, to={"players": {"south": "Ann"}})
    assert line(script, 1)["text"] == (
        "Ann against North, 5 points, Modern backgammon "
        "(corrected; was: South against North, 5 points, Modern backgammon)"
    )


def test_changed_settings_are_named_in_words():
    script = three_turns().do("settings", overrides={"jacoby": "never", "clock_delay_s": 8})
    assert script.view["history"][-1]["text"] == (
        "settings: “Jacoby rule: never”, “Delay of the clock in seconds: 8”"
    )
    assert script.notice_texts == ["Settings changed: Jacoby rule, Delay of the clock in seconds."]
    assert list(left_english(spoken(text=script.notices[0].text))) == []


def test_what_the_director_decided_is_his_to_take_back():
    for ruling in (
        {"kind": "rule", "penalty": {"to": "north", "points": 1, "why": "late"}},
        {"kind": "settings", "overrides": {"beaver": "everywhere"}},
    ):
        script = three_turns().do(**ruling)
        assert "undo" not in script.seen_by("scorekeeper")["may"]
        with pytest.raises(RoleError, match="director’s decision"):
            event_from({"type": "undo"}, script.table, Asker("scorekeeper"))
        assert "undo" in script.seen_by("director")["may"]
        script.do("undo")
        assert "undo" in script.seen_by("scorekeeper")["may"]
        assert script.state.board == three_turns().state.board


def test_before_the_first_match_there_is_nothing_to_take_back():
    for role in ("viewer", "scorekeeper", "director"):
        assert "undo" not in view_of(Table(), Asker(role))["may"]


def test_a_play_that_cannot_be_made_any_more_leaves_the_turns_in_step():
    script = three_turns()
    script.do("amend", event=number_of(script, PlayEntered, 0), to={"text": "24/20"})
    script.do("amend", event=number_of(script, PlayEntered, 2), to={"text": "20/15 24/22"})
    assert not any(one["misfit"] for one in script.view["history"])
    script.do("amend", event=number_of(script, PlayEntered, 0), to={"text": "8/5 6/5"})
    late = number_of(script, PlayEntered, 2)
    assert line(script, late)["misfit"]
    assert script.turn_of == "north"
    script.do("amend", event=late, to={"text": "13/8 24/22"})
    assert not line(script, late)["misfit"]
    assert script.state.board == three_turns().state.board
    assert lasting(script)


def test_the_play_that_replaced_another_one_stays_when_the_roll_is_corrected():
    script = Script().ready().roll(6, 3).play("24/15").play("24/18 13/10")
    board = script.state.board
    script.do("amend", event=number_of(script, RollTyped), to={"dice": [6, 5]})
    assert script.state.board == board
    assert line(script, number_of(script, PlayEntered, 1))["misfit"]


def test_a_cube_action_is_corrected_and_the_game_goes_on():
    script = Script().ready().do("double").do("pass")
    assert script.phase == "game_over"
    number = len(script.table.entries)
    script.do("amend", event=number, to={"type": "take"}, why="he said take")
    assert (script.phase, script.view["cube"]["value"], script.score) == ("on_roll", 2, (0, 0))
    assert lasting(script)


def test_a_resignation_is_corrected_and_the_score_follows():
    script = Script(length=9).ready().do("resign", worth=1, side="north").do("accept")
    number = number_of(script, Resigned)
    script.do("next_game").ready().do("double").do("take")
    script.do("amend", event=number, to={"worth": 2, "side": "north"}, why="it was a gammon")
    assert (script.score, script.view["cube"]["value"]) == ((2, 0), 2)
    assert line(script, number)["text"] == (
        "resigns a gammon (corrected; was: resigns a single game; reason: it was a gammon)"
    )
    assert lasting(script)


def test_a_score_is_corrected():
    script = Script(length=5).ready().do("double").do("pass")
    script.do("set_position", score={"south": 2})
    assert script.score == (2, 0)
    script.do("amend", event=len(script.table.entries), to={"type": "set_position", "score": {"south": 3}})
    assert script.score == (3, 0)


def test_who_began_is_corrected_and_the_turns_change_sides():
    script = three_turns()
    script.do("amend", event=2, to={"south": 1, "north": 3})
    before = three_turns().state.board
    assert (script.state.board.south, script.state.board.north) == (before.north, before.south)
    assert script.turn_of == "south"
    assert lasting(script)


def test_names_and_length_are_corrected():
    script = three_turns()
    script.do("amend", event=1, to={"players": {"south": "Ann"}, "length": 7})
    match = script.view["match"]
    assert (match["players"], match["length"]) == ({"south": "Ann", "north": "North"}, 7)
    assert script.state.board == three_turns().state.board
    assert lasting(script)


def test_only_what_counts_is_corrected():
    script = Script().ready().roll(3, 1).do("undo")
    for event in (3, 4, 99):
        with pytest.raises(GameError):
            script.do("amend", event=event, to={"type": "roll", "dice": [6, 4]})
    with pytest.raises(GameError):
        script.do("amend", event=2, to={"type": "take"})


def test_an_amendment_that_is_not_possible_there_changes_nothing():
    script = three_turns()
    before = script.table
    with pytest.raises(GameError):
        script.do("amend", event=number_of(script, PlayEntered, 1), to={"text": "8/1"})
    assert script.table is before


def test_an_event_is_corrected_twice_and_all_it_said_is_kept():
    script = Script().opening(3, 1).play("8/5 6/5").do("done").roll(6, 4)
    number = number_of(script, RollTyped)
    script.do("amend", event=number, to={"dice": [6, 3]}).do("amend", event=number, to={"dice": [6, 2]})
    assert [event.roll for event in script.table.entries[number - 1].was] == [Roll(6, 4), Roll(6, 3)]
    assert line(script, number)["text"].endswith("(corrected; was: 6-4 (entered) → 6-3 (entered))")
    assert lasting(script)


@pytest.mark.parametrize(
    ("whys", "told"),
    [
        (["", ""], ")"),
        (["misread", ""], "; reason: misread)"),
        (["", "it was a 2"], "; reason: it was a 2)"),
        (["misread", "it was a 2"], "; reason: misread; it was a 2)"),
    ],
    ids=str,
)
def test_the_reasons_stand_beside_what_was_replaced(whys, told):
    script = Script().opening(3, 1).play("8/5 6/5").do("done").roll(6, 4)
    number = number_of(script, RollTyped)
    for low, why in zip((3, 2), whys, strict=True):
        script.do("amend", event=number, to={"dice": [6, low]}, why=why)
    said = "6-2 (entered) (corrected; was: 6-4 (entered) → 6-3 (entered)"
    assert line(script, number)["text"] == said + told
    assert lasting(script)


def test_the_reason_stands_in_the_dossier_too():
    script = three_turns()
    script.do("amend", event=number_of(script, RollTyped), to={"dice": [6, 2]}, why="<b>misread</b>")
    page = index_html((), script.table, ())
    assert "was: 6-4 (entered); reason: &lt;b&gt;misread&lt;/b&gt;)" in page


def test_a_ruling_is_overruled_and_both_stay_visible():
    script = Script().ready().thrown(6, 4, rest=Rest.LEANING).do("rule", dice=[6, 4])
    assert (script.view["ruling"], script.view["roll"]) == ("valid", [6, 4])
    texts = [one["text"] for one in script.view["history"]]
    assert texts[-2:] == ["cocked: a die is cocked against something", "the throw counts as 6-4"]
    away = Script().ready().thrown(6, 4).do("rule", ruling="cocked")
    assert (away.phase, away.view["ruling"]) == ("on_roll", "cocked")
    misread = Script().ready().thrown(6, 4).do("rule", dice=[5, 4]).play("13/4")
    assert misread.state.board.south[4] == 1


def test_a_value_is_corrected_when_the_play_lies_there_already():
    script = Script().ready().thrown(6, 4).play("24/14").do("rule", dice=[6, 3])
    assert (script.phase, script.view["roll"], script.state.board.south[24]) == ("rolled", [6, 3], 2)


def test_the_record_with_corrections_is_the_table_also_in_the_middle():
    script = three_turns()
    script.do("amend", event=number_of(script, RollTyped), to={"dice": [6, 3]}).roll(4, 4)
    events = raw(script)
    assert isinstance(events[-2], Amended)
    assert isinstance(fold(events[:-1]).state.phase, OnRoll)
    assert fold(events) == script.table
    assert isinstance(events[5], TurnEnded) or isinstance(events[6], TurnEnded)


def written(script):
    """The history as it can be read: whose line, and what it says."""
    return [(one["side"], one["text"]) for one in script.view["history"]]


def test_a_play_that_a_correction_has_made_illegal_has_its_reason_once():
    script = Script().opening(3, 1).play("8/5 6/5").do("done").turn(6, 2, "24/18 13/11")
    script.turn(3, 1, "24/20").turn(5, 2, "13/8 6/4")
    script.do("amend", event=number_of(script, PlayEntered, 2), to={"type": "play", "text": "8/7* 8/5"})
    assert written(script)[-2] == (
        "north",
        "13/8 6/4 (no longer consistent: A checker on the bar must enter first.)",
    )
    script = Script().opening(3, 1).play("8/3", made=True).do("done")
    assert "8/3 (not legal: " in written(script)[-1][1]


def test_what_a_correction_leaves_no_room_for_is_flagged_one_by_one_and_can_still_be_read():
    script = Script().opening(3, 1).play("8/5 6/5").do("done").do("double").do("take")
    script.thrown(6, 4, by=Side.NORTH).play("24/14").lifted().thrown(5, 2).play("13/8 24/22").lifted()
    script.do("amend", event=number_of(script, DoubleAnswered), to={"type": "pass"})
    assert script.notice_texts[-1].endswith("No longer consistent: 6-4, 24/14, 5-2, 24/22 13/8.")
    thrown, entered = "Nobody is on roll now.", "There is no roll to be played now."
    assert written(script)[-5:-1] == [
        ("north", f"6-4 (no longer consistent: {thrown})"),
        ("north", f"24/14 (no longer consistent: {entered})"),
        ("south", f"5-2 (no longer consistent: {thrown})"),
        ("south", f"24/22 13/8 (no longer consistent: {entered})"),
    ]
    assert "24/14 (no longer consistent" in index_html((), script.table, ())
    script.do("amend", event=number_of(script, DoubleAnswered), to={"type": "take"})
    assert not any(one["misfit"] for one in script.view["history"])
    assert lasting(script)


@pytest.mark.parametrize("settled", ["stands", "opponent_chooses"])
def test_an_early_roll_has_its_line_under_the_one_who_rolled(settled):
    script = Script(premature_roll=settled).ready().roll(6, 4).play("24/14").thrown(5, 2, by=Side.NORTH)
    assert written(script)[-1] == ("north", "5-2")


def test_a_void_early_roll_is_his_who_rolled_and_no_misreading_of_the_other_ones():
    script = Script().ready().thrown(6, 4).thrown(5, 2, by=Side.NORTH)
    assert written(script)[-1] == (
        "north",
        "does not count: it was rolled before the other had ended the turn",
    )
    with pytest.raises(OutOfTurnError, match="counted once South has ended the turn"):
        script.do("rule", ruling="valid")
    script.do("rule", dice=[6, 3])
    assert (script.turn_of, script.view["roll"]) == ("south", [6, 3])
    assert script.state.throw.roller is Side.SOUTH
    counted = tallies([script.table])
    assert +counted["South"].rolls == {Roll.of(6, 3): 1}
    assert (counted["North"].cocked, +counted["North"].rolls) == (0, {})


@pytest.mark.parametrize("ends", ["done", "lift"])
def test_a_void_early_roll_can_be_counted_once_the_turn_has_ended(ends):
    script = Script().ready().roll(6, 4).play("24/14").thrown(5, 2, by=Side.NORTH).do(ends)
    script.do("rule", ruling="valid")
    assert (script.turn_of, script.view["roll"]) == ("north", [5, 2])
    assert lasting(script)


def test_the_wrong_players_roll_that_is_counted_all_the_same_is_the_other_ones():
    script = Script().ready().roll(6, 2, side="north").do("rule", dice=[6, 2])
    counted = tallies([script.table])
    assert +counted["South"].rolls == {Roll.of(6, 2): 1}
    assert counted["North"].cocked == 0


def test_a_play_told_late_has_its_line_though_the_next_roll_lies_there():
    script = Script().ready().roll(6, 4).do("lift").thrown(5, 2, by=Side.NORTH).play("24/14")
    assert written(script)[-2:] == [("north", "5-2"), ("south", "24/14")]
    assert (script.turn_of, script.view["roll"]) == ("north", [5, 2])


def test_an_early_roll_that_stands_still_counts_when_the_roll_before_it_is_corrected():
    script = Script(premature_roll="stands").ready().roll(6, 4).play("24/14").thrown(5, 2, by=Side.NORTH)
    script.do("rule", dice=[6, 3])
    assert script.view["waiting"] == {"side": "north", "roll": [5, 2]}
    script.play("24/15").lifted()
    assert (script.turn_of, script.view["roll"]) == ("north", [5, 2])


def early_roll_over_an_illegal_play():
    """South has played 6-4 wrongly, and north's early 5-2 stands."""
    script = Script(premature_roll="opponent_chooses").ready().roll(6, 4).play("24/13", made=True)
    return script.thrown(5, 2, by=Side.NORTH).do("accept")


def test_an_early_roll_that_goes_with_an_illegal_play_is_said_to_go():
    script = early_roll_over_an_illegal_play()
    assert script.view["waiting"] == {"side": "north", "roll": [5, 2]}
    script.do("correct")
    assert (script.phase, script.turn_of, script.view["waiting"]) == ("rolled", "south", None)
    assert script.notice_texts[-1] == "With the play before it taken back this no longer counts: North 5-2."
    why = "with the play before it taken back this no longer counts: North 5-2"
    assert written(script)[-1][1] == f"dispute, North: Take it back ({why})"
    assert lasting(script)


def test_a_roll_after_an_illegal_play_goes_with_it_and_one_that_was_not_thrown_does_not():
    script = Script(illegal_play_stands_after="play_completed").ready().roll(6, 4).play("24/13", made=True)
    script.do("done").roll(5, 2).do("correct")
    assert script.notice_texts[-1].endswith("no longer counts: North 5-2.")
    script = Script().ready().roll(6, 4).play("24/13", made=True).do("correct")
    assert script.notice_texts == ["South has to play 6-4 legally."]
    assert written(script)[-1][1] == "dispute, North: Take it back"


def test_rolls_that_a_corrected_start_gives_to_the_other_side_are_flagged_and_count():
    script = three_turns()
    north, south = number_of(script, RollTyped, 0), number_of(script, RollTyped, 1)
    script.do("amend", event=2, to={"south": 1, "north": 3})
    assert script.notice_texts[-1].endswith("No longer consistent: 6-4 (entered), 5-2 (entered).")
    why = "It was North’s roll when it was entered."
    now = line(script, north)
    assert (now["side"], now["misfit"]) == ("south", why)
    assert now["text"] == f"6-4 (entered) (no longer consistent: {why})"
    assert line(script, south)["misfit"] == "It was South’s roll when it was entered."
    assert +tallies([script.table])["South"].rolls == {Roll.of(6, 4): 1}
    script.do("roll", dice=[2, 1]).do("undo")
    assert (script.phase, line(script, south)["undone"]) == ("on_roll", False)
    assert lasting(script)
    script.do("amend", event=2, to={"south": 3, "north": 1})
    assert not any(one["misfit"] for one in script.view["history"])
    assert lasting(script)


def test_a_roll_that_a_corrected_start_makes_void_stays_its_players_and_is_flagged():
    script = Script().opening(3, 1).play("8/5 6/5").do("done").roll(6, 4, side="north")
    number = number_of(script, RollTyped)
    script.do("amend", event=2, to={"south": 1, "north": 3})
    assert (line(script, number)["side"], script.turn_of) == ("north", "south")
    assert script.view["reasons"] == ["wrong_player"]
    why = "It is South’s turn: the roll is void."
    assert line(script, number)["misfit"] == why
    void = "does not count: it was the other’s turn"
    assert line(script, number)["text"] == f"6-4 (entered): {void} (no longer consistent: {why})"
    assert script.notice_texts[-1].endswith("No longer consistent: 6-4 (entered).")
    assert lasting(script)
    script.do("amend", event=2, to={"south": 3, "north": 1})
    assert line(script, number)["misfit"] == ""
    assert (script.phase, script.turn_of) == ("rolled", "north")


def test_a_roll_that_was_void_when_it_was_told_is_no_misfit():
    script = Script().opening(3, 1).play("8/5 6/5").do("done").roll(6, 4, side="south")
    assert script.view["reasons"] == ["wrong_player"]
    script.do("amend", event=2, to={"south": 4, "north": 1})
    assert line(script, number_of(script, RollTyped))["misfit"] == ""


def test_an_early_roll_told_while_a_play_is_owed_is_the_other_ones():
    script = Script().ready().roll(6, 4).do("lift").roll(5, 2)
    assert written(script)[-1] == ("north", "5-2 (entered)")


def test_the_end_of_a_turn_that_a_correction_leaves_no_room_for_has_its_line():
    script = Script().opening(3, 1).play("8/5 6/5").do("done").do("double").do("take")
    script.roll(6, 4).play("24/14").do("done", side="north")
    script.do("amend", event=number_of(script, DoubleAnswered), to={"type": "pass"})
    assert written(script)[-2] == ("north", "ends the turn (no longer consistent: The game is over.)")
    page = index_html((), script.table, ())
    assert "ends the turn (no longer consistent: The game is over.)" in page


def test_a_corrected_event_that_needs_no_line_has_one():
    script = three_turns()
    number = number_of(script, TurnEnded, -1)
    script.do("amend", event=number, to={"type": "lift"})
    corrected = line(script, number)
    assert (corrected["side"], corrected["text"]) == (
        "south",
        "lifts the dice (corrected; was: ends the turn)",
    )


def test_the_dossier_says_in_words_what_needs_no_line():
    script = Script().ready().roll(6, 4).do("play", moves=[[24, 18]]).do("undo").play("24/14").lifted()
    page = index_html((), script.table, ())
    for words in ("part of the play", "a step back", "lifts the dice"):
        assert f"<td>{words}<td>" in page
    assert not any(kind.__name__ in page for kind in (PlayEntered, TurnEnded, Undone, Lifted))


def test_the_history_says_that_a_typed_roll_does_not_count():
    script = Script(length=5).ready().roll(5, 5, side="north")
    line = script.view["history"][-1]
    assert line["text"].startswith("5-5 (entered): ")
    assert "cocked" in line["text"] or "turn" in line["text"]


@pytest.mark.parametrize("more", [{"profile": "spielestart"}, {"overrides": {"cube": False}}])
def test_the_rules_of_a_beginning_are_not_silently_left_out_of_its_correction(more):
    script = Script(length=5)
    with pytest.raises(GameError, match="can be corrected"):
        script.do("amend", event=1, to={"type": "new_match", "length": 7, **more})


# A valid roll that was cocked after all


@pytest.mark.parametrize("by_camera", [False, True])
@pytest.mark.parametrize(("void", "reasons"), [("cocked", set()), ("by_hand", {"by_hand"})])
def test_a_valid_roll_is_amended_to_one_that_does_not_count(by_camera, void, reasons):
    script = Script().ready()
    script = script.thrown(6, 4) if by_camera else script.roll(6, 4)
    number = len(script.table.entries)
    script.do("amend", event=number, to={"dice": [6, 4], "void": void}, why="it leaned")
    assert (script.phase, script.turn_of, script.view["ruling"]) == ("on_roll", "south", "cocked")
    assert script.reasons == reasons
    line = next(one for one in script.view["history"] if one["n"] == number)
    assert line["text"].startswith("6-4 (entered): ")
    assert f"was: 6-4{'' if by_camera else ' (entered)'}; reason: it leaned" in line["text"]
    assert (line["action"]["dice"], line["action"]["void"]) == ([6, 4], void)
    assert script.roll(3, 1).phase == "rolled"


def test_a_play_after_a_roll_that_was_cocked_no_longer_fits():
    script = Script().ready().roll(6, 4).play("24/14").do("done").roll(3, 1)
    number = next(one.number for one in script.table.entries if isinstance(one.event, RollTyped))
    script.do("amend", event=number, to={"dice": [6, 4], "void": "cocked"})
    assert [bool(entry.misfit) for entry in script.table.entries[number : number + 2]] == [True, True]
    assert script.table == fold((entry.was or (entry.event,))[0] for entry in script.table.entries)


def test_a_cocked_roll_locks_the_cube_where_the_rules_say_so():
    script = Script(cube_after_cocked="locked").ready().roll(6, 4)
    script.do("amend", event=len(script.table.entries), to={"dice": [6, 4], "void": "cocked"})
    assert not script.view["cube"]["may_double"]


@pytest.mark.parametrize("profile", ["modern", "spielestart"])
def test_an_opening_that_was_cocked_is_thrown_again(profile):
    script = Script(profile).south_begins()
    dice = script.view["history"][-1]["action"]
    script.do("amend", event=2, to={**dice, "void": "cocked"})
    assert (script.phase, script.view["ruling"]) == ("opening", "cocked")
    assert "cocked (corrected; was: opening: South" in script.view["history"][1]["text"]
    assert script.south_begins().phase in ("rolled", "on_roll")


def test_an_early_roll_that_was_cocked_leaves_the_one_that_is_played():
    script = Script(premature_roll="stands").ready().roll(3, 1).play("8/5 6/5").roll(6, 4, side="north")
    script.do("amend", event=len(script.table.entries), to={"dice": [6, 4], "void": "cocked"})
    assert (script.phase, script.view["roll"], script.view["waiting"]) == ("played", [3, 1], None)
    assert script.do("done").phase == "on_roll"


def test_steps_that_a_correction_left_as_they_were_can_still_be_undone():
    script = Script(length=1).ready().turn(6, 4, "24/14").do("resign", worth=1, side="north").do("accept")
    assert script.phase == "match_over"
    script.do("amend", event=number_of(script, PlayEntered), to={"text": "24/18 13/9"}, why="misread")
    assert script.seen_by("scorekeeper")["undo_text"] == "accepts the resignation"
    script.take(event_from({"type": "undo"}, script.table, Asker("scorekeeper")))
    assert script.phase == "resigning"
    assert lasting(script)


def test_play_entered_after_undoing_up_to_a_correction_can_be_undone():
    """The director corrects the roll of the turn before, its play turns out illegal, and another one is entered."""
    script = three_turns().roll(6, 2).play("24/18 13/11").do("done")
    roll = [entry.number for entry in script.table.entries if isinstance(entry.event, RollTyped)][-2]
    script.do("amend", event=roll, to={"dice": [5, 1]}, why="misread")
    while script.phase != "dispute":
        script.undo_as("scorekeeper")  # the director's own undo would take back the correction
    script.do("correct")
    if script.view["owed"]:
        script.play("13/8 6/5")
    else:
        script.play("13/8 6/5").do("done")
    assert script.view["on_roll"] == "north"
    assert "undo" in script.seen_by("scorekeeper")["may"]
    script.do("undo")
    assert script.view["on_roll"] == "south"
    assert lasting(script)


def test_undo_creeps_back_no_further_by_entering_anew():
    """What was taken back and entered anew can be taken back, and nothing before it."""
    script = three_turns()
    while "undo" in script.view["may"]:
        script.do("undo")
    steps = len([entry for entry in script.table.entries if not entry.undone])
    script.turn(6, 2, "24/18 13/11")
    while "undo" in script.view["may"]:
        script.do("undo")
    standing = [entry for entry in script.table.entries if not entry.undone]
    assert len([one for one in standing if not isinstance(one.event, Undone)]) == len(
        [one for one in script.table.entries[:steps] if not one.undone and not isinstance(one.event, Undone)]
    )
    assert script.state.turns == 2


def test_last_step_that_undo_reaches_is_said():
    """The button goes, and the page says who takes back what lies before; nothing is said where nothing lies before."""
    script = three_turns()
    said = []
    while "undo" in script.view["may"]:
        script.do("undo")
        said.append(script.notice_texts)
    assert said[:-1] == [[]] * (len(said) - 1)
    assert said[-1] == ["Undo goes no further back; the director corrects earlier events in the history."]
    first = Script().opening(3, 1).do("undo")
    assert (first.notice_texts, "undo" in first.view["may"]) == ([], False)


CORRECTIONS = {
    "opening": (2, {"south": 1, "north": 3}),
    "roll": (5, {"dice": [6, 5]}),
    "roll that is void": (5, {"dice": [6, 4], "void": "cocked"}),
    "play": (3, {"text": "24/20"}),
    "names": (1, {"players": {"south": "Ann", "north": "Bob"}}),
}


@pytest.mark.parametrize(("number", "to"), CORRECTIONS.values(), ids=CORRECTIONS)
def test_undo_takes_back_the_directors_correction_and_then_the_step_before_it(number, to):
    script, plain = three_turns(), three_turns()
    was = [(entry.event, entry.state, entry.misfit, entry.meant_for) for entry in script.table.entries]
    script.do("amend", event=number, to=to, why="misread")
    assert script.view["undo_text"] == f"correction of event {number}"
    script.do("undo")
    assert script.notice_texts == [f"The correction of event {number} is taken back."]
    assert [(one.event, one.state, one.misfit, one.meant_for) for one in script.table.entries][
        : len(was)
    ] == was
    assert script.state == plain.state
    assert line(script, len(was) + 1)["undone"]
    assert not line(script, number)["corrected"]
    assert lasting(script)
    assert script.view["undo_text"] == plain.view["undo_text"]
    assert script.do("undo").state == plain.do("undo").state
    assert lasting(script)


@pytest.mark.parametrize("seed", range(6))
def test_a_correction_taken_back_leaves_no_trace(seed):
    rng = random.Random(seed)
    profile = rng.choice(["modern", "plakoto", "acey_deucey", "gul_bara", "spielestart"])
    table = fold(list(played_match(rng, began(1, profile)))[: rng.randint(20, 60)])
    rolls = [entry.number for entry in table.entries if isinstance(entry.event, RollTyped)]
    for number in rng.sample(rolls, min(4, len(rolls))):
        roll, void = Roll.of(rng.randint(1, 6), rng.randint(1, 6)), rng.choice([None, Void.COCKED])
        corrected = step(
            table, Amended(number, replace(table.entries[number - 1].event, roll=roll, void=void))
        ).table
        back = step(corrected, Undone(corrected.entries[-1].number)).table
        assert back.entries[: len(table.entries)] == table.entries
        assert back.state == table.state


def test_corrections_are_taken_back_one_by_one_the_last_first():
    script = three_turns()
    first = script.state
    script.do("amend", event=5, to={"dice": [6, 5]}, why="misread")
    second = script.state
    script.do("amend", event=5, to={"dice": [6, 3]}, why="misread again")
    with pytest.raises(OutOfTurnError, match="not the last thing"):
        script.take(Undone(script.table.entries[-1].number - 1))
    assert script.do("undo").state == second
    assert line(script, 5)["corrected"]
    assert script.do("undo").state == first
    assert lasting(script)


def test_a_correction_can_be_taken_back_once_the_steps_after_it_are():
    script = three_turns().do("amend", event=5, to={"dice": [6, 5]}, why="misread").do("roll", dice=[5, 4])
    assert script.view["undo_text"] == "5-4 (entered)"
    script.do("undo").do("undo")
    assert script.state == three_turns().state
    script.do("amend", event=2, to={"south": 1, "north": 3})
    assert lasting(script), "also where something earlier is corrected afterwards"


def test_undo_of_an_earlier_record_keeps_its_meaning():
    script = Script(length=1).ready().turn(6, 4, "24/14").do("resign", worth=1, side="north").do("accept")
    script.do("amend", event=number_of(script, PlayEntered), to={"text": "24/18 13/9"}, why="misread")
    assert script.take(event_in('{"event": "Undone", "at_ms": 1, "by": "director"}')).phase == "resigning"


def test_undo_is_not_said_to_end_where_a_correction_can_be_taken_back_next():
    script = Script(length=1).ready().turn(6, 4, "24/14").do("resign", worth=1, side="north").do("accept")
    number = number_of(script, Resigned)
    script.do("amend", event=number, to={"worth": 2, "side": "north"}, why="asked")
    script.take(event_from({"type": "undo"}, script.table, Asker("scorekeeper")))  # the acceptance
    assert script.notice_texts == []
    assert script.view["undo_text"] == f"correction of event {number}"


def test_scorekeeper_does_not_take_back_what_the_director_corrected():
    script = Script(length=1).ready().turn(6, 4, "24/14").do("resign", worth=1, side="north").do("accept")
    script.do("amend", event=number_of(script, Resigned), to={"worth": 2, "side": "north"}, why="asked")
    keeper = Asker("scorekeeper")
    script.take(event_from({"type": "undo"}, script.table, keeper))  # the acceptance
    assert "undo" not in script.seen_by("scorekeeper")["may"]
    with pytest.raises(OutOfTurnError):
        script.take(event_from({"type": "undo"}, script.table, keeper))
    assert "undo" in script.view["may"]


@pytest.mark.parametrize("is_over", [False, True])
def test_nobody_compares_the_board_of_a_finished_game(is_over: bool):
    script = three_turns()
    if is_over:
        script.do("resign", worth=3, side="north").do("accept")
    script.do("amend", event=number_of(script, RollTyped), to={"dice": [6, 5]}, why="misread")
    assert any("No longer consistent" in text for text in script.notice_texts)
    assert any("Compare the board" in text for text in script.notice_texts) is not is_over


def test_history_says_to_what_the_clock_was_set():
    script = Script(clock="simple_delay").ready()
    script.do("clock", order="set", south_ms=450_000)
    assert script.view["history"][-1]["text"] == "clock: set: South 7:30"
    script.do("clock", order="set", south_ms=60_000, north_ms=5_000)
    assert script.view["history"][-1]["text"] == "clock: set: South 1:00, North 0:05"


def test_turn_after_a_roll_that_is_made_void_is_not_given_to_the_other_side():
    script = three_turns().turn(5, 4, "14/5")  # north
    before = script.state.board
    roll = number_of(script, RollTyped, 1)  # south's 5-2
    script.do("amend", event=roll, to={"dice": [5, 2], "void": "cocked"}, why="seen by all")
    assert (script.phase, script.turn_of) == ("on_roll", "south")
    plays = {entry.number: entry for entry in script.table.entries if isinstance(entry.event, PlayEntered)}
    assert [entry.number for entry in plays.values() if entry.misfit] == [n for n in plays if n > roll]
    assert (
        line(script, number_of(script, RollTyped, 2))["misfit"] == "It was North’s turn when it was entered."
    )
    assert script.state.board != before
    script.do("roll", dice=[6, 1])
    assert (script.phase, script.turn_of) == ("rolled", "south")
    assert lasting(script)
    script.do("undo")
    script.do("amend", event=roll, to={"dice": [5, 2]}, why="it counts")
    assert not any(one["misfit"] for one in script.view["history"])
    assert (script.state.board, script.turn_of) == (before, "south")


def test_turns_after_a_void_roll_go_on_in_step():
    script = three_turns().turn(5, 4, "14/5").turn(3, 1, "8/5 6/5")  # north, south; north is to roll
    script.do("amend", event=number_of(script, RollTyped, 1), to={"dice": [5, 2], "void": "cocked"})
    last = number_of(script, RollTyped, 3)  # south's 3-1 counts as his next roll
    assert (line(script, last)["side"], line(script, last)["misfit"]) == ("south", "")
    assert (script.phase, script.turn_of) == ("on_roll", "north")


# A roll that could not be played, and the reverse


def danced(profile="modern"):
    """South could not enter with 3-3, north has played 1-1 and south 6-5; north is to roll."""
    script = Script(profile)
    script.set({25: 1, 24: 1, 13: 5, 8: 3, 6: 5}, {24: 3, 22: 2, 13: 2, 8: 3, 4: 2, 3: 3})
    return script.roll(3, 3).do("done").turn(1, 1, "22/21(2) 8/7(2)")


def test_roll_that_can_be_played_after_a_correction_asks_for_its_play_and_changes_nothing_without():
    script = danced()
    before = script.table
    with pytest.raises(GameError, match=r"^South can play 5-2: enter that play with the correction\.$"):
        script.do("amend", event=number_of(script, RollTyped), to={"dice": [5, 2]})
    assert script.table is before


def test_play_comes_with_the_corrected_roll_and_later_turns_go_on_from_it():
    script = danced()
    roll, after = number_of(script, RollTyped), script.state
    assert line(script, roll)["action"] == {"type": "roll", "dice": [3, 3], "play": None}
    script.do("amend", event=roll, to={"dice": [5, 2], "play": {"text": "bar/20 8/6"}}, why="misread")
    assert not any(one["misfit"] for one in script.view["history"])
    assert script.notice_texts == [f"Event {roll} is corrected."]
    assert (script.phase, script.turn_of) == ("on_roll", "south")
    assert [script.state.board.south[point] for point in (25, 20, 8, 6)] == [0, 1, 2, 6]
    assert script.state.board.north == after.board.north
    assert [(one.roll.text, str(one.fault)) for one in script.state.log[1:]] == [("5-2", ""), ("1-1", "")]
    said = "5-2 (entered): bar/20 8/6 (corrected; was: 3-3 (entered); reason: misread)"
    assert line(script, roll)["text"] == said
    assert line(script, roll)["action"]["play"] == {"text": "bar/20 8/6"}
    assert lasting(script)
    assert script.do("undo").state == after


def test_dance_in_long_nardy_is_corrected_with_its_play():
    script = Script("long_nardy")
    script.opening(3, 1)
    both = (checkers_on({24: 14, 11: 1}), checkers_on({24: 13, 17: 1, 6: 1}))
    board = script.state.board.with_checkers(*both)  # North's 17- and 6-points are South's 5- and 18-points
    script.do("set_position", pos=board.seen_by(Side.SOUTH).ints(), on_roll="south")
    script.roll(6, 6).do("done").turn(2, 1, "17/14")
    script.do("amend", event=number_of(script, RollTyped), to={"dice": [4, 3], "play": {"text": "11/4"}})
    assert not any(one["misfit"] for one in script.view["history"])
    assert (script.state.board.south[4], script.state.board.north[14]) == (1, 1)
    assert lasting(script)


@pytest.mark.parametrize(
    ("profile", "right", "goes_on"),
    [
        ("acey_europe", (5, 5), True),
        ("acey_europe", (2, 1), True),
        ("acey_europe", (5, 2), False),
        ("acey_deucey", (5, 5), False),
        ("jioul", (5, 5), True),
        ("jioul", (6, 5), False),
    ],
)
def test_correction_of_a_dance_warns_where_the_turn_then_goes_on(profile, right, goes_on):
    script = Script(profile).opening(3, 1)
    if profile == "jioul":
        script.set({24: 2, 13: 13}, {4: 1, 5: 1, 15: 1, 16: 1, 24: 11})
    else:
        sides = ({25: 1, 24: 1, 13: 13}, {24: 5, 13: 2, 8: 3, 4: 2, 3: 3})
        script.set(*sides, not_entered={"south": 0, "north": 0})  # South's one was hit
    script.roll(4, 3).do("done").roll(6, 5)
    script.play(next(iter(script.texts()))).do("done")
    with pytest.raises(GameError, match=r"can play .*: enter that play with") as refused:
        script.do("amend", event=number_of(script, RollTyped), to={"dice": list(right)})
    assert ("what was entered after it no longer counts" in str(refused.value)) is goes_on


def test_play_that_came_with_a_correction_is_corrected_itself_and_goes_with_a_roll_that_cannot_be_played():
    script, roll = danced(), 3
    after = script.state.board
    script.do("amend", event=roll, to={"dice": [5, 2], "play": {"text": "bar/20 8/6"}})
    with pytest.raises(GameError, match="South can play 5-2"):
        script.do("amend", event=roll, to={"dice": [5, 2]})
    script.do("amend", event=roll, to={"dice": [5, 2], "play": {"text": "bar/20 13/11"}})
    assert script.state.board.south[11] == 1
    script.do("amend", event=roll, to={"dice": [3, 3]})
    assert script.state.board == after
    assert not any(one["misfit"] for one in script.view["history"])
    assert lasting(script)


def test_what_does_not_fit_after_the_play_that_came_with_a_correction_is_named_and_kept():
    script = danced().turn(6, 5, "bar/20 13/7")
    script.do("amend", event=3, to={"dice": [5, 2], "play": {"text": "bar/20 8/6"}})
    assert script.notice_texts[-1].endswith("No longer consistent: bar/20 13/7.")
    late = line(script, number_of(script, PlayEntered, 1))
    assert late["text"] == "bar/20 13/7 (no longer consistent: There is no checker to move there.)"
    assert (script.phase, script.turn_of, script.state.turns) == ("on_roll", "north", 3)
    script.do("amend", event=late["n"], to={**late["action"], "text": "20/9"})
    assert not any(one["misfit"] for one in script.view["history"])
    assert lasting(script)


def test_play_that_came_with_a_correction_is_named_by_its_moves_when_an_earlier_one_makes_it_impossible():
    script = danced()
    script.do("amend", event=3, to={"dice": [5, 2], "play": {"text": "bar/20 8/6"}})
    north = {24: 3, 22: 2, 13: 2, 8: 3, 4: 2, 3: 3}
    other = Script().set({25: 1, 24: 1, 13: 5, 7: 3, 6: 5}, north).view["position"]
    script.do("amend", event=2, to={"pos": other["pos"], "on_roll": "south"})
    assert line(script, 3)["text"] == (
        "5-2 (entered): bar/20 8/6 (corrected; was: 3-3 (entered))"
        " (no longer consistent: The play that was entered cannot be made from here.)"
    )
    assert line(script, 3)["action"]["play"] == {"text": "bar/20 8/6"}
    assert lasting(script)


def test_dance_of_the_turn_in_progress_is_corrected_without_a_play():
    script = Script()
    script.set({25: 1, 24: 1, 13: 5, 8: 3, 6: 5}, {24: 3, 22: 2, 13: 2, 8: 3, 4: 2, 3: 3}).roll(3, 3)
    script.do("amend", event=3, to={"dice": [5, 2]})
    assert script.play("bar/20 8/6").phase == "played"
    assert lasting(script)


@pytest.mark.parametrize(
    ("play", "why"),
    [
        ({"text": "13/8 13/11"}, "bar"),
        ({"moves": [[25, 20]]}, "whole play"),
    ],
    ids=["illegal", "a part"],
)
def test_play_with_a_correction_is_a_whole_legal_one(play, why):
    with pytest.raises(GameError, match=why):
        danced().do("amend", event=3, to={"dice": [5, 2], "play": play})


def test_player_who_moved_nothing_though_he_could_has_made_an_illegal_play():
    script = danced()
    board = script.state.board
    script.do("amend", event=3, to={"dice": [5, 2], "play": {"moves": [], "made": True}})
    assert script.state.board == board
    assert str(script.state.log[1].fault) == "Nothing was played, but 2 numbers can be."
    assert lasting(script)


@pytest.mark.parametrize("roll", [1, 0], ids=["a roll with its own play", "no roll"])
def test_no_play_is_taken_where_none_is_needed(roll):
    script = danced()
    number = number_of(script, RollTyped, 1) if roll else number_of(script, TurnEnded)
    to = {"dice": [2, 1]} if roll else {"type": "lift"}
    with pytest.raises(GameError, match="No play comes with this correction"):
        script.do("amend", event=number, to={**to, "play": {"text": "22/20"}})
    with pytest.raises(GameError):
        script.do("amend", event=number, to={**to, "play": "22/20"})


def test_roll_that_a_correction_of_something_earlier_makes_playable_keeps_its_turn_and_is_flagged():
    script = Script().set({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 4, 8: 3, 6: 5, 25: 1})
    script.turn(3, 1, "8/5 6/5").roll(5, 5)
    assert script.phase == "played", "north cannot enter on the 5-point"
    script.do("done").turn(6, 4, "24/14").turn(2, 1, "bar/23 24/23")
    script.do("amend", event=number_of(script, PlayEntered), to={"text": "24/20"})
    dance = line(script, number_of(script, RollTyped, 1))
    assert dance["misfit"] == "It can be played now; correct it with its play."
    assert script.notice_texts[-1].endswith("No longer consistent: 5-5 (entered).")
    assert (script.phase, script.turn_of, script.state.turns) == ("on_roll", "south", 4)
    assert lasting(script)
    plays = {"text": "bar/20* 13/8(3)"}
    script.do("amend", event=dance["n"], to={**dance["action"], "play": plays})
    assert script.state.turns == 4
    assert not line(script, dance["n"])["misfit"]
    assert lasting(script)
    script.do("undo").do("undo")
    assert not any(one["misfit"] for one in script.view["history"])


def test_missing_play_of_the_turn_just_ended_is_asked_about_as_an_illegal_one():
    script = Script().set({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 4, 8: 3, 6: 5, 25: 1})
    script.turn(3, 1, "8/5 6/5").roll(5, 5).do("done")
    script.do("amend", event=number_of(script, PlayEntered), to={"text": "24/20"})
    assert script.view["dispute"]["kind"] == "illegal_play"
    script.do("correct")
    assert (script.turn_of, script.view["owed"]) == ("north", True)
    assert script.play("bar/20* 13/8(3)").turn_of == "south"
    assert lasting(script)


def test_play_of_a_waiting_roll_comes_with_its_correction():
    script = Script(end_of_turn="dice_picked_up")
    script.set({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 4, 8: 3, 6: 5, 25: 1})
    script.roll(3, 1).lifted().thrown(5, 5, by=Side.NORTH).play("8/5 6/5").lifted()
    script.thrown(6, 4).play("24/14").lifted()
    thrown = next(one for one in script.view["history"] if one["text"] == "5-5")
    with pytest.raises(GameError, match="North can play 4-2"):
        script.do("amend", event=thrown["n"], to={"dice": [4, 2]})
    script.do("amend", event=thrown["n"], to={"dice": [4, 2], "play": {"text": "bar/21 24/22"}})
    assert script.state.board.north[25] == 0
    assert not any(one["misfit"] for one in script.view["history"])
    assert (script.turn_of, script.state.turns) == ("north", 3)
    assert lasting(script)


def test_roll_corrected_to_one_that_cannot_be_played_leaves_its_play_as_an_illegal_one_and_the_turns_in_step():
    script = Script()
    script.set({25: 1, 24: 1, 13: 5, 8: 3, 6: 5}, {24: 3, 22: 2, 13: 2, 8: 3, 4: 2, 3: 3})
    script.turn(5, 2, "bar/20 8/6").turn(1, 1, "22/21(2) 8/7(2)")
    board = script.state.board
    script.do("amend", event=3, to={"dice": [3, 3]})
    assert script.notice_texts[-1].endswith("No longer consistent: bar/20 8/6.")
    assert line(script, 4)["misfit"] == "Nothing can be played with this roll."
    assert (script.state.board, script.turn_of) == (board, "south")
    assert script.state.log[1].fault
    script.do("amend", event=3, to={"dice": [5, 2]})
    assert not any(one["misfit"] for one in script.view["history"])
    assert lasting(script)


def test_corrections_of_earlier_records_keep_their_meaning():
    """Before, the turn of a roll that a correction made playable was open, and the next play did not fit."""
    script = danced()
    script.take(Amended(3, RollTyped(Roll(5, 2))))
    assert (script.phase, script.turn_of) == ("rolled", "north")
    assert line(script, number_of(script, PlayEntered))["misfit"]
