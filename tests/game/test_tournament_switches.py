"""A scripted match for each row of docs/rules/tournaments.md, named after it, with each of its values."""

import pytest

from companion.errors import BadSettingError, GameError, OutOfTurnError, RoleError
from companion.protocol.permissions import Asker
from companion.rules.board import Side
from companion.rules.referee import Half, Rest
from tests.support.rules.rules_pages import TOURNAMENTS, rows_of
from tests.support.script import Script, event_from

START = {24: 2, 13: 5, 8: 3, 6: 5}


@pytest.mark.parametrize(("value", "ruling"), [("cocked", "cocked"), ("valid", "valid")])
def test_die_on_a_checker(value, ruling):
    script = Script(die_on_checker=value).ready().thrown(6, 4, rest=Rest.ON_CHECKER)
    assert script.view["ruling"] == ruling
    assert (script.phase == "rolled") is (ruling == "valid")


@pytest.mark.parametrize(
    ("area", "split", "wrong"),
    [
        ("right_half", "cocked", "cocked"),
        ("whole_surface", "valid", "valid"),
        ("home_half", "cocked", "cocked"),
    ],
)
def test_roll_area(area, split, wrong):
    assert Script(roll_area=area).ready().thrown(6, 4, half=Half.LEFT).view["ruling"] == split
    assert Script(roll_area=area).ready().thrown(6, 4, by=Side.NORTH).view["ruling"] == wrong
    assert Script(roll_area=area).ready().thrown(6, 4).view["ruling"] == "valid"


def test_roll_area__the_home_half_is_where_the_board_has_its_homes():
    script = Script(roll_area="home_half").ready()
    assert script.thrown(6, 4).play("24/14").do("done").thrown(6, 4, by=Side.SOUTH).view["ruling"] == "valid"


def early(value):
    """South has played and not ended his turn; north rolls."""
    script = Script(premature_roll=value).ready().roll(3, 1).play("8/5 6/5")
    return script.thrown(6, 4, by=Side.NORTH)


def test_premature_roll__void():
    script = early("void")
    assert (script.reasons, script.phase) == ({"premature"}, "played")
    assert script.do("done").phase == "on_roll"


def test_premature_roll__stands():
    script = early("stands")
    assert (script.phase, script.turn_of) == ("played", "south")
    script.play("24/20").do("done")  # with foreknowledge
    assert (script.turn_of, script.view["roll"]) == ("north", [6, 4])
    assert script.view["phase"] == "rolled"


def test_premature_roll__opponent_chooses():
    script = early("opponent_chooses")
    assert (script.phase, script.view["asked"]) == ("dispute", "south")
    assert {answer["by"] for answer in script.view["dispute"]["answers"]} == {"south"}
    with pytest.raises(OutOfTurnError):
        script.do("done")
    with pytest.raises(OutOfTurnError):
        script.do("accept", side="north")
    stands = early("opponent_chooses").do("accept").play("24/20").do("done")
    assert stands.view["roll"] == [6, 4]
    again = early("opponent_chooses").do("refuse").do("done")
    assert (again.turn_of, again.phase, again.view["roll"]) == ("north", "on_roll", None)


def test_premature_roll__typed_for_the_side_that_was_early():
    script = Script(premature_roll="stands").ready().roll(3, 1).roll(6, 4, side="north")
    assert script.phase == "rolled"
    assert script.play("8/5 6/5").do("done").view["roll"] == [6, 4]


def wrong(who, after="valid_roll"):
    """South's play is not legal, and the dice are up."""
    script = Script(illegal_play_pointed_out_by=who, illegal_play_stands_after=after).ready()
    return script.roll(3, 1).play("13/7", made=True).do("lift")


def test_who_must_point_out_an_illegal_play__both():
    answers = wrong("both").view["dispute"]["answers"]
    assert {(answer["type"], answer["by"]) for answer in answers} == {
        ("correct", "north"),
        ("correct", "south"),
    }
    with pytest.raises(OutOfTurnError):
        wrong("both").do("condone")
    assert wrong("both").do("correct", side="south").turn_of == "south"


@pytest.mark.parametrize(
    ("who", "takers"),
    [("nobody", {"north"}), ("responsible", {"north", "south"})],
    ids=["nobody", "responsible"],
)
def test_who_must_point_out_an_illegal_play__the_opponent_may_condone(who, takers):
    answers = wrong(who).view["dispute"]["answers"]
    assert {answer["by"] for answer in answers if answer["type"] == "correct"} == takers
    assert {answer["by"] for answer in answers if answer["type"] == "condone"} == {"north"}
    assert wrong(who).do("condone").view["dispute"] is None


def test_who_must_point_out_an_illegal_play__responsible_for_ones_own():
    assert wrong("responsible").do("correct", side="south").turn_of == "south"
    with pytest.raises(OutOfTurnError):
        wrong("nobody").do("correct", side="south")


def test_an_illegal_play_stands_after__a_valid_roll():
    assert wrong("nobody", "valid_roll").do("double").view["dispute"]
    assert wrong("nobody", "valid_roll").roll(6, 4).view["dispute"] is None


def test_an_illegal_play_stands_after__a_valid_roll_or_double():
    assert wrong("nobody", "valid_roll_or_double").do("double").view["dispute"] is None
    assert wrong("nobody", "valid_roll_or_double").roll(6, 4).view["dispute"] is None


@pytest.mark.parametrize("after", ["valid_roll", "play_completed"])
@pytest.mark.parametrize("answer", ["take", "pass"])
def test_a_double_that_leaves_an_illegal_play_open_is_answered_first(after, answer):
    script = wrong("nobody", after).do("double")
    assert (script.phase, script.view["asked"]) == ("doubled", "south")
    assert {"take", "pass", "correct", "condone"} <= set(script.view["may"])
    assert {"take", "pass"} <= set(script.seen_by("player", Side.SOUTH)["may"])
    script.do(answer)
    if answer == "pass":
        assert (script.phase, script.score) == ("game_over", (0, 1))
    else:
        assert (script.phase, script.view["asked"]) == ("dispute", "north")
        assert script.roll(6, 4).view["cube"]["value"] == 2


@pytest.mark.parametrize("answered", [False, True])
def test_an_illegal_play_taken_back_after_a_double_annuls_it(answered):
    script = wrong("nobody", "valid_roll").do("double")
    script = script.do("take") if answered else script
    script.do("correct")
    assert (script.turn_of, script.view["owed"], script.view["cube"]["value"]) == ("south", True, 1)
    assert "this no longer counts: North’s double to 2." in script.notice_texts[-1]
    assert script.play("8/5 6/5").view["cube"]["may_double"]


def test_a_play_that_a_double_made_final_stays_final_when_the_roll_after_it_is_overruled():
    script = wrong("nobody", "valid_roll_or_double").do("double").do("take").roll(6, 4)
    assert script.do("rule", ruling="cocked").view["dispute"] is None
    assert wrong("nobody", "valid_roll").roll(6, 4).do("rule", ruling="cocked").view["dispute"]


def test_an_illegal_play_stands_after__the_opponents_play_completed():
    script = wrong("nobody", "play_completed").roll(6, 4)
    assert script.view["dispute"]
    script.play("24/14")
    withdrawn = script.do("correct")
    assert (withdrawn.turn_of, withdrawn.view["roll"], withdrawn.view["owed"]) == ("south", [3, 1], True)
    assert withdrawn.play("8/5 6/5").phase == "on_roll"
    assert withdrawn.roll(2, 1).turn_of == "north"
    final = wrong("nobody", "play_completed").roll(6, 4).play("24/14").do("done")
    assert final.view["dispute"] is None
    assert final.notice_texts == ["North has played on: the illegal play stands."]


def started_wrong(stands_after):
    script = Script(wrong_start_stands_after=stands_after).opening(3, 1).play("8/5 6/5").do("done")
    return script, {24: 2, 13: 5, 8: 2, 6: 4, 5: 2}, {24: 2, 13: 4, 8: 4, 6: 5}


def found(script, south, north):
    from companion.game.events import WrongStartFound
    from companion.rules.board import checkers_on

    return script.take(WrongStartFound(checkers_on(south), checkers_on(north)))


@pytest.mark.parametrize("value", ["second_turn_begun", "second_roll_moved"])
def test_a_wrong_starting_position_stands_after(value):
    script, south, north = started_wrong(value)
    found(script, south, north)
    assert (script.phase, script.view["dispute"]["kind"]) == ("dispute", "wrong_start")
    with pytest.raises(OutOfTurnError):
        script.roll(6, 4)
    assert script.do("condone").phase == "on_roll"
    corrected = found(*started_wrong(value)).do("correct")
    assert (corrected.phase, corrected.state.board.south[8]) == ("opening", 3)


@pytest.mark.parametrize(("value", "final"), [("second_turn_begun", False), ("second_roll_moved", True)])
def test_a_wrong_starting_position_stands_after__the_second_play(value, final):
    script, south, north = started_wrong(value)
    script.roll(6, 4).play("24/14").do("done")
    found(script, south, {**north, 24: 1, 14: 1})
    assert (script.phase == "on_roll") is final
    late, south, north = started_wrong(value)
    late.roll(6, 4).play("24/14").do("done").roll(2, 1)
    found(late, south, {**north, 24: 1, 14: 1})
    assert late.view["dispute"] is None
    assert late.phase == "rolled"


@pytest.mark.parametrize(("value", "may_double"), [("locked", False), ("free", True)])
def test_cube_after_a_cocked_roll(value, may_double):
    script = Script(cube_after_cocked=value).ready().thrown(6, 4, rest=Rest.LEANING)
    assert script.view["cube"]["may_double"] is may_double
    if not may_double:
        with pytest.raises(OutOfTurnError, match="cocked"):
            script.do("double")
        script.thrown(6, 4).play("24/14").do("done")
        assert script.view["cube"]["may_double"]


def test_cube_after_a_cocked_roll__doubt_locks_nothing():
    script = Script(cube_after_cocked="locked").ready().thrown(6, 4, face=None)
    assert script.view["ruling"] == "unread"
    assert script.view["cube"]["may_double"]


@pytest.mark.parametrize(
    ("option", "value", "length", "on"),
    [
        ("beaver", "money_play", 0, True),
        ("beaver", "money_play", 5, False),
        ("beaver", "everywhere", 5, True),
        ("beaver", "never", 0, False),
    ],
)
def test_options_of_money_play__beaver(option, value, length, on):
    script = Script(length=length, **{option: value}).ready().do("double")
    assert ("beaver" in script.view["may"]) is on


@pytest.mark.parametrize(
    ("ends", "resigned_to", "points"),
    [
        ("double_taken", "nothing", 1),
        ("double_taken", "a double", 1),
        ("double_taken", "a beaver", 2),
        ("double_taken", "a taken double", 4),
        ("double_offered", "nothing", 1),
        ("double_offered", "a double", 2),
        ("double_offered", "a beaver", 2),
        ("double_offered", "a taken double", 4),
    ],
)
def test_options_of_money_play__jacoby_ends_with_a_double_that_is_taken_or_offered(ends, resigned_to, points):
    script = Script(length=0, beaver="money_play", jacoby_ends_with=ends).ready()
    for kind in {
        "a double": ["double"],
        "a beaver": ["double", "beaver"],
        "a taken double": ["double", "take"],
    }.get(resigned_to, []):
        script.do(kind)
    assert (
        script.do("resign", worth=2, side="north").view["resigning"]["counts"] * script.state.cube.value
        == points
    )
    assert script.do("accept").score == (points, 0)


def test_options_of_money_play__jacoby_holds_again_in_the_next_game():
    script = Script(length=0).ready().do("double").do("take").do("resign", worth=1, side="north").do("accept")
    script.do("next_game").ready().do("resign", worth=2, side="north").do("accept")
    assert script.score == (3, 0)


def test_options_of_money_play__raccoon():
    script = Script(length=0, beaver="money_play", raccoon="money_play").ready().do("double").do("beaver")
    assert "raccoon" in script.view["may"]
    script.do("raccoon")
    assert (script.view["asked"], script.view["cube"]["offered"]) == ("north", 8)
    assert script.view["may"][:2] == ["take", "pass"]
    assert script.do("take").view["cube"] == {
        "in_play": True,
        "value": 8,
        "owner": "north",
        "offered": None,
        "may_double": False,
    }
    passed = Script(length=0, beaver="money_play", raccoon="money_play").ready().do("double").do("beaver")
    assert passed.do("raccoon").do("pass").score == (4, 0)


@pytest.mark.parametrize(("limit", "value"), [(0, 1), (1, 2), (2, 4)])
def test_options_of_money_play__automatic(limit, value):
    script = Script(length=0, automatic_doubles=limit)
    for _ in range(3):
        script.opening(4, 4)
    assert script.view["cube"]["value"] == value
    assert script.view["cube"]["owner"] is None
    assert Script(length=5, automatic_doubles=limit).opening(4, 4).view["cube"]["value"] == 1


def test_options_of_money_play__jacoby_is_not_ended_by_an_automatic_one():
    script = Script(length=0, automatic_doubles=1).opening(4, 4)
    script.set({1: 1}, {6: 5, 13: 10}).do("set_position", cube={"value": 2})
    assert script.state.automatic == 1
    single = Script(length=0, automatic_doubles=1).opening(4, 4).opening(3, 1)
    single.do("resign", worth=2).do("accept")
    assert single.score == (0, 2)


@pytest.mark.parametrize(("crawford", "doubles"), [(True, False), (False, True)])
def test_options_of_money_play__crawford(crawford, doubles):
    script = Script(length=3, crawford=crawford).ready().do("set_position", score={"south": 1})
    script.do("double").do("pass").do("next_game").opening(3, 1).play("8/5 6/5").do("done")
    assert script.view["cube"]["may_double"] is doubles


def test_a_double_in_the_crawford_game__is_annulled_and_play_goes_on():
    script = Script(length=3).ready().do("set_position", score={"south": 1}).do("double").do("pass")
    script.do("next_game").opening(3, 1).play("8/5 6/5").do("done")
    with pytest.raises(OutOfTurnError, match="annulled, and play goes on"):
        script.do("double")
    assert script.roll(6, 4).view["cube"]["value"] == 1


def test_dice__with_a_clock_one_pair():
    assert "one shared pair with a clock" in " ".join(Script("usbgf").state.terms.profile.description.split())
    with pytest.raises(
        BadSettingError, match="no longer a setting: a pair each and one shared pair are refereed"
    ):
        Script(dice="shared_pair")


def test_end_of_turn__dice_picked_up():
    script = Script(end_of_turn="dice_picked_up").ready().thrown(3, 1).play("8/5 6/5").lifted()
    assert script.turn_of == "north"


def test_end_of_turn__clock_pressed():
    script = Script(end_of_turn="clock_pressed").ready().thrown(3, 1).play("8/5 6/5").lifted()
    assert (script.phase, script.turn_of) == ("played", "south")
    assert script.do("done").turn_of == "north"


def test_closed_out__need_not_roll():
    script = Script(closed_out="need_not_roll", end_of_turn="clock_pressed")
    script.set({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2) | {13: 3})
    assert "done" in script.view["may"]
    assert script.do("done").turn_of == "north"
    assert script.state.log[-1].roll is None
    open_point = Script(closed_out="need_not_roll", end_of_turn="clock_pressed")
    open_point.set({25: 1, 6: 14}, dict.fromkeys(range(2, 7), 2) | {13: 5})
    assert "done" not in open_point.view["may"]
    with pytest.raises(OutOfTurnError, match="has not rolled"):
        open_point.do("done")


def test_closed_out__must_roll():
    script = Script().set({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2) | {13: 3})
    with pytest.raises(OutOfTurnError, match="has not rolled"):
        script.do("done")
    assert (script.roll(6, 5).phase, script.view["making"]["text"]) == ("played", "")


def timed(**overrides):
    return Script(clock="simple_delay", **overrides)


def reserves(script):
    return tuple(script.view["clock"][side]["reserve_ms"] // 1000 for side in ("south", "north"))


def test_clock__off():
    assert Script().view["clock"] is None


def test_clock__two_minutes_a_point_less_one_for_each_point_scored():
    assert reserves(timed(length=7)) == (840, 840)
    script = Script(length=7).do("set_position", score={"south": 2, "north": 1})
    script.do("settings", overrides={"clock": "simple_delay"})
    assert reserves(script) == (660, 660)
    assert reserves(timed(length=7, clock_reserve_s_per_point=60)) == (420, 420)


def test_clock__the_delay_counts_down_first_and_is_not_added():
    script = timed().opening(3, 1).play("8/5 6/5", after_s=10).do("done", after_s=1)
    assert reserves(script) == (600, 600)
    assert script.view["clock"]["running"] == "north"
    script.roll(6, 4, after_s=20)
    assert reserves(script) == (600, 592)
    assert script.view["clock"]["north"]["delay_ms"] == 0
    script.play("24/14", after_s=3).do("done", after_s=1)
    assert reserves(script) == (600, 588)
    assert script.view["clock"]["south"]["delay_ms"] == 12_000


def test_clock__runs_for_the_one_who_is_asked():
    script = timed().ready().do("double")
    assert script.view["clock"]["running"] == "north"
    assert script.do("take").view["clock"]["running"] == "south"


def test_clock__each_money_game_begins_with_the_reserve_of_a_point():
    script = timed(length=0)
    assert reserves(script) == (120, 120)
    script.opening(3, 1).play("8/5 6/5", after_s=60).do("done")
    assert reserves(script)[0] < 120
    script.do("resign", worth=3, side="south").do("accept").do("next_game")
    assert reserves(script) == (120, 120)


def running(script):
    return script.view["clock"]["running"]


def test_clock_stops_for__between_games_and_in_the_opening():
    script = timed(length=9)
    assert running(script) is None
    assert running(script.opening(3, 1)) == "south"
    assert running(script.do("resign", worth=1).do("accept")) is None
    before = reserves(script)
    assert reserves(script.do("next_game", after_s=500)) == before


def test_clock_stops_for__dice_off_the_table_but_not_for_cocked_ones():
    script = timed().ready().thrown(6, 4, rest=Rest.OFF_BOARD, half=None)
    assert running(script) is None
    assert running(script.thrown(6, 4, rest=Rest.LEANING)) == "south"
    assert running(timed(clock_stops_for=[]).ready().thrown(6, 4, rest=Rest.OFF_BOARD, half=None)) == "south"


def test_clock_stops_for__a_dispute():
    script = timed().ready().roll(3, 1).play("13/7", made=True).do("lift")
    assert running(script) is None
    before = reserves(script)
    assert running(script.do("condone", after_s=300)) == "north"
    assert reserves(script) == before


def test_clock_stops_for__calling_the_director():
    script = timed().ready().do("call_director")
    assert (running(script), script.view["match"]["director"]) == (None, True)
    assert running(script.do("call_director", over=True)) == "south"


def test_clock_stops_for__a_break():
    script = timed().ready().do("clock", order="stop", why="break")
    assert (running(script), script.view["clock"]["held"]) == (None, True)
    script.roll(3, 1, after_s=600)
    assert running(script) is None
    assert running(script.do("clock", order="start")) == "south"
    assert reserves(script.do("clock", order="set", south_ms=5000)) == (5, 600)


def test_clock__a_step_back_gives_no_time_back():
    script = timed().ready().roll(3, 1, after_s=100)
    spent = reserves(script)
    assert reserves(script.do("undo")) == (spent[0] - 1, spent[1])


@pytest.mark.parametrize(("value", "phase"), [("match_lost", "match_over"), ("director_decides", "on_roll")])
def test_reserve_used_up(value, phase):
    from companion.game.events import TimeRanOut

    script = timed(length=1, reserve_used_up=value).ready()
    with pytest.raises(OutOfTurnError, match="has time left"):
        script.take(TimeRanOut(Side.SOUTH, at_ms=script.now_ms + 1000))
    script.take(TimeRanOut(Side.SOUTH, at_ms=script.now_ms + 200_000))
    assert script.phase == phase
    if value == "match_lost":
        assert script.view["match"]["winner"] == "north"
    else:
        assert script.view["match"]["director"]


def test_clock_is_not_started_after_the_match():
    script = timed(length=1).ready().do("resign", side="south", worth=1).do("accept")
    assert script.phase == "match_over"
    with pytest.raises(OutOfTurnError, match="The match is over"):
        script.do("clock", order="start")


def test_time_that_was_taken_back_does_not_run_out_again_at_once():
    from companion.game.clock import out_of_time
    from companion.game.events import TimeRanOut

    script = timed(length=1, reserve_used_up="match_lost").ready()
    script.now_ms += 200_000
    script.take(TimeRanOut(Side.SOUTH, at_ms=script.now_ms)).do("undo")
    assert script.phase == "on_roll"
    assert script.table.clock.held
    assert out_of_time(script.table.clock, script.now_ms + 600_000) is None
    script.do("clock", order="set", south_ms=60_000).do("clock", order="start")
    assert script.table.clock.running is Side.SOUTH


@pytest.mark.parametrize(
    ("after_min", "every_min", "minutes", "points"),
    [
        (5, 5, 5, 1),
        (5, 5, 9, 1),
        (5, 5, 10, 2),
        (5, 5, 24, 4),
        (10, 5, 12, 1),
        (5, 0, 60, 1),
        (0, 10, 1, 1),
        (1, 1, 3, 3),
    ],
)
def test_late_arrival__points_follow_from_the_minutes(after_min, every_min, minutes, points):
    script = Script(length=25, late_penalty_after_min=after_min, late_penalty_every_min=every_min)
    script.do("rule", penalty={"to": "north", "minutes": minutes, "why": "traffic"})
    late = "1 minute late" if minutes == 1 else f"{minutes} minutes late"
    said = "1 penalty point" if points == 1 else f"{points} penalty points"
    assert script.score == (0, points)
    assert script.notice_texts == [f"North gets {said}: {late}, traffic."]
    assert script.view["history"][-1]["text"] == f"{said} ({late}, traffic)"


@pytest.mark.parametrize(("after_min", "minutes"), [(5, 4), (10, 9), (0, 0), (5, 0)])
def test_late_arrival__not_late_enough_costs_nothing(after_min, minutes):
    script = Script(late_penalty_after_min=after_min)
    with pytest.raises(GameError, match=f"less than {max(1, after_min)} min costs no point"):
        script.do("rule", penalty={"to": "north", "minutes": minutes})
    with pytest.raises(GameError, match="not both"):
        script.do("rule", penalty={"to": "north", "minutes": 20, "points": 1})
    assert script.score == (0, 0)


def test_late_arrival__a_correction_of_the_minutes_corrects_the_points():
    script = Script(length=25).do("rule", penalty={"to": "north", "minutes": 12})
    script.do("amend", event=2, to={"penalty": {"to": "north", "minutes": 17}})
    assert script.score == (0, 3)


def test_late_arrival__one_point_short_of_the_match_begins_with_the_crawford_game():
    script = Script(length=2).do("rule", penalty={"to": "north", "minutes": 5})
    assert (script.score, script.view["match"]["crawford"]) == ((0, 1), True)
    script.opening(3, 1).play("8/5 6/5").do("done")
    with pytest.raises(OutOfTurnError, match="Crawford"):
        script.do("double")
    later = Script(length=2).opening(3, 1).do("rule", penalty={"to": "north", "minutes": 5})
    assert not later.view["match"]["crawford"]
    next_one = Script(length=3).opening(3, 1).do("resign", side="south").do("accept").do("next_game")
    assert next_one.do("rule", penalty={"to": "north", "points": 1}).view["match"]["crawford"]


def test_late_arrival__a_late_start_has_less_reserve():
    script = Script(length=7, clock="simple_delay").do("rule", penalty={"to": "north", "minutes": 10})
    reserves = [script.view["clock"][side]["reserve_ms"] for side in ("south", "north")]
    assert reserves == [12 * 60_000] * 2
    in_play = Script(length=7, clock="simple_delay").opening(3, 1)
    before = in_play.view["clock"]["north"]
    assert in_play.do("rule", penalty={"to": "north", "points": 1}).view["clock"]["north"] == before


def test_late_arrival__penalty_points_by_the_director():
    script = Script(length=7)
    script.do("rule", penalty={"to": "north", "points": 2, "why": "ten minutes late"})
    assert script.score == (0, 2)
    assert "ten minutes late" in script.notice_texts[0]
    script.do("rule", penalty={"to": "north", "points": 2})
    assert (script.phase, script.view["match"]["winner"]) == ("match_over", "north")
    kept = Script(length=7, late_match_lost_beyond_half=False)
    assert kept.do("rule", penalty={"to": "north", "points": 4}).phase == "opening"
    keeper = Script(length=7)
    from companion.protocol.permissions import Asker
    from tests.support.script import event_from

    with pytest.raises(RoleError):
        event_from({"type": "rule", "penalty": {"to": "north"}}, keeper.table, Asker("scorekeeper"))


@pytest.mark.parametrize(("value", "hidden"), [("shown", False), ("withheld", True)])
def test_aids(value, hidden):
    script = Script(aids=value).opening(3, 1)
    for view in (script.seen_by("viewer"), script.seen_by("player", Side.SOUTH)):
        assert (view["plays"] is None) is hidden
        assert (view["position"]["pips"] is None) is hidden
        assert (view["making"]["next"] is None) is hidden
    assert script.seen_by("scorekeeper")["plays"]


def test_dispute__leave_everything_as_it_is():
    script = Script().ready().roll(3, 1).play("13/7", made=True).do("lift")
    before = script.state.board, script.state.cube
    script.do("call_director")
    assert (script.state.board, script.state.cube) == before
    assert "Leave everything as it is" in script.notice_texts[0]
    lines = [line["text"] for line in script.view["history"]]
    assert any("not legal" in line for line in lines)
    assert lines[-1] == "the director is called"


def test_an_impossible_position_has_to_be_corrected():
    script = Script().ready().roll(3, 1)
    sixteen = [0, -2, 0, 0, 0, 2, 4, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]
    with pytest.raises(GameError):
        script.do("play", result=sixteen)
    script.do("play", result=sixteen, made=True)
    assert script.view["dispute"]["kind"] == "impossible_position"
    assert {answer["type"] for answer in script.view["dispute"]["answers"]} == {"correct"}
    assert "too many checkers" in script.view["dispute"]["text"]
    assert script.do("correct").phase == "rolled"
    again = script.do("play", result=sixteen, made=True).play("8/5 6/5")
    assert (again.phase, again.view["dispute"]) == ("played", None)


def by_hand(value):
    return Script(thrown_by_hand=value).ready().roll(6, 4)


def test_dice_cup__a_throw_by_hand_is_made_again():
    script = by_hand("void").do("rule", void="by_hand")
    assert (script.phase, script.view["ruling"], script.reasons) == ("on_roll", "cocked", {"by_hand"})
    assert script.view["reason_text"] == (
        "The roll does not count: it was thrown by hand and not from a cup. Roll both dice again."
    )
    assert script.view["history"][-1]["text"] == "the throw does not count, it was thrown by hand"
    assert script.roll(3, 1).phase == "rolled"


def test_dice_cup__the_director_decides():
    script = by_hand("director_decides")
    called = event_from({"type": "rule", "void": "by_hand", "question": "Cup?"}, script.table, Asker())
    script.take(called)
    assert (script.phase, script.view["match"]["director"]) == ("rolled", True)
    assert script.view["history"][-1]["question"] == "Cup?"
    assert script.do("rule", void="by_hand").reasons == {"by_hand"}


@pytest.mark.parametrize(
    "action", [{"type": "roll", "dice": [3, 1]}, {"type": "opening", "south": 3}], ids=["roll", "opening"]
)
def test_dice_cup__the_director_decides_about_typed_dice_as_well(action):
    script = Script(thrown_by_hand="director_decides")
    if action["type"] == "roll":
        script.ready()
    action |= {"void": "by_hand"}
    with pytest.raises(RoleError, match="for the director"):
        event_from(action, script.table, Asker())
    assert event_from(action | {"void": "cocked"}, script.table, Asker()).void.value == "cocked"
    assert script.take(event_from(action, script.table, Asker("director"))).reasons == {"by_hand"}


def test_dice_cup__a_throw_by_hand_counts():
    with pytest.raises(GameError, match="may be thrown by hand"):
        by_hand("stands").do("rule", void="by_hand")
    assert by_hand("stands").do("rule", void="cocked").reasons == set()


@pytest.mark.parametrize("name", ["wbgf", "usbgf"])
def test_the_federations_profiles_lock_the_cube_and_withhold_aids(name):
    script = Script(name).ready().thrown(6, 4, rest=Rest.LEANING)
    assert not script.view["cube"]["may_double"]
    assert script.seen_by("viewer")["position"]["pips"] is None


def test_wbgf__both_must_point_an_illegal_play_out_and_usbgf_takes_dice_on_checkers():
    assert wrong("both").state.terms.profile.illegal_play_pointed_out_by.value == "both"
    script = Script("wbgf").ready().roll(3, 1).play("13/7", made=True).do("lift")
    assert {answer["type"] for answer in script.view["dispute"]["answers"]} == {"correct"}
    assert Script("usbgf").ready().thrown(6, 4, rest=Rest.ON_CHECKER).view["ruling"] == "valid"


def test_settings_are_changed_in_the_middle_and_impossible_ones_refused():
    script = Script().ready().do("settings", overrides={"die_on_checker": "valid"})
    assert script.thrown(6, 4, rest=Rest.ON_CHECKER).view["ruling"] == "valid"
    with pytest.raises(BadSettingError):
        script.do("settings", overrides={"raccoon": "everywhere"})
    with pytest.raises(GameError):
        script.do("settings", overrides={"start": "hypergammon"})


def test_every_row_has_its_match():
    rows = rows_of(TOURNAMENTS, "T")
    assert [row.number for row in rows] == [f"T{number}" for number in range(1, 20)]
    named = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    for row in rows:
        assert any(name == row.name or name.startswith(f"{row.name}__") for name in named), row
