"""Every setting of a profile is obeyed: turning it changes what happens at the table.

The settings and their values come from the profile's own fields, so a new setting, or a new value of an old one, fails
here until a scenario shows what it changes.
"""

from dataclasses import fields
from enum import Enum
from itertools import combinations

import pytest

from companion.errors import GameError
from companion.game.events import (
    NextGame,
    OpeningThrown,
    PlayEntered,
    PositionSet,
    ResignationAnswered,
    Resigned,
    Thrown,
    TimeRanOut,
    WrongStartFound,
)
from companion.game.state import Opening
from companion.game.state_machine import step
from companion.game.table import Table
from companion.game.turns import turn_of
from companion.protocol.permissions import Asker
from companion.rules.board import Roll, Side, checkers_on
from companion.rules.family.profiles import FAMILY
from companion.rules.notation import write_play
from companion.rules.play_legality import Turn
from companion.rules.profile import STARTS, Profile
from companion.rules.referee import DieAtRest, Half, Rest
from tests.support.script import Script, event_from
from tests.support.selfplay import began

TOLD = {"name", "title", "about", "description", "words"}
FIELDS = {one.name: one.default for one in fields(Profile) if one.name not in TOLD}
FAR = {13: 15}  # nobody borne off, nobody in the other's home


def values_to_turn(setting):
    """Every value of a setting; of a number three, of a list of words all of them and all but each one."""
    default = FIELDS[setting]
    if setting == "start":
        return list(STARTS)
    if isinstance(default, bool):
        return [True, False]
    if isinstance(default, int):
        return sorted({0, default, default + 1})
    if isinstance(default, frozenset):
        words = [member.value for member in type(next(iter(default)))]
        return [words, *([word for word in words if word != left_out] for left_out in words)]
    assert isinstance(default, Enum)
    return [member.value for member in type(default)]


def is_taken(script, kind, **more):
    """Whether the table takes the action."""
    try:
        script.do(kind, **more)
    except GameError:
        return False
    return True


def won_by_bearing_off(loser, **overrides):
    """The points for south's last checker borne off while north's checkers are where `loser` says."""
    script = Script(length=9, **overrides).set({1: 1}, loser)
    return script.roll(2, 1).play("1/off").score[0]


def resigned_gammon(script):
    """The points for a gammon that north gives up."""
    return script.do("resign", worth=2, side="north").do("accept").score[0]


def in_money_play_and_in_a_match(outcome):
    return tuple(outcome(length) for length in (0, 9))


def may(action):
    return lambda script: action in script.view["may"]


def doubled(length, **overrides):
    return Script(length=length, **overrides).ready().do("double")


def opening_roll(value):
    """Whether the winner of the opening may play it, and whether he may throw anew."""
    played = is_taken(Script(opening_roll=value).opening(3, 1), "play", text="8/5 6/5")
    return played, is_taken(Script(opening_roll=value).opening(3, 1), "roll", dice=[6, 4])


def ruled_in_both_halves(area):
    """How two throws are ruled: split by the bar; and north's, right of the bar as south sees it."""
    split = Script(roll_area=area).ready().thrown(6, 4, half=Half.LEFT)
    north = Script(roll_area=area).ready().roll(3, 1).play("8/5 6/5").do("done").thrown(6, 4, by=Side.SOUTH)
    return split.view["ruling"], north.view["ruling"]


def opening_ruled(area):
    """How two opening throws are ruled: one die in each half, and both right of the bar as south sees it."""
    each, right = Script(opening_area=area), Script(opening_area=area)
    dice = tuple(DieAtRest(face, Rest.FLAT, Half.RIGHT, 0.0) for face in (3, 1))
    return each.opening_thrown(3, 1).view["ruling"], right.take(Thrown(dice, at_ms=1)).view["ruling"]


def early_roll(value):
    script = Script(premature_roll=value).ready().roll(3, 1).play("8/5 6/5").thrown(6, 4, by=Side.NORTH)
    return script.phase, script.view["waiting"] is None


def thrown_by_hand(value):
    script = Script(thrown_by_hand=value).ready().roll(6, 4)
    said = {"type": "rule", "void": "by_hand"}
    try:
        script.take(event_from(said, script.table, Asker("scorekeeper")))
    except GameError:
        return "refused"
    return script.phase, script.view["match"]["director"]


def orientations_taken(value):
    every = [{"home": home, "south": south} for home in ("right", "left") for south in ("light", "dark")]
    begun = Script(board_lies=value)
    asked = {"profile": "modern", "length": 5, "overrides": {"board_lies": value}}
    return tuple(is_taken(begun, "new_match", orientation=one, **asked) for one in every)


def illegal_play(**overrides):
    return Script(**overrides).ready().roll(3, 1).play("13/7", made=True).do("lift")


def answers(script):
    dispute = script.view["dispute"]
    return dispute and sorted((answer["type"], answer["by"]) for answer in dispute["answers"])


def stands_after(value):
    """Whether an illegal play is still open after the opponent's double, and after his roll."""
    double = illegal_play(illegal_play_stands_after=value).do("double")
    roll = illegal_play(illegal_play_stands_after=value).roll(6, 4)
    return double.view["dispute"] is None, roll.view["dispute"] is None


def wrong_start_found_late(value):
    script = Script(wrong_start_stands_after=value).opening(3, 1).play("8/5 6/5").do("done")
    script.roll(6, 4).play("24/14").do("done")
    south, north = {24: 2, 13: 5, 8: 2, 6: 4, 5: 2}, {24: 1, 14: 1, 13: 4, 8: 4, 6: 5}
    return script.take(WrongStartFound(checkers_on(south), checkers_on(north))).phase


def closed_out(value):
    script = Script(closed_out=value, end_of_turn="clock_pressed")
    return is_taken(script.set({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2) | {13: 3}), "done")


def reserve(**overrides):
    """South's reserve in seconds after a minute's thought at 2-0 in a match of nine."""
    script = Script(length=9).do("set_position", score={"south": 2})
    script.do("settings", overrides={"clock": "simple_delay", **overrides})
    return script.ready().roll(3, 1, after_s=60).view["clock"]["south"]["reserve_ms"] / 1000


def clock_runs(value):
    """Whose time runs with a die on the floor, in a dispute, with the director called, with a resignation open."""

    def timed():
        return Script(clock="simple_delay", clock_stops_for=value).ready()

    scripts = (
        timed().thrown(6, 4, rest=Rest.OFF_BOARD, half=None),
        timed().roll(3, 1).play("13/7", made=True).do("lift"),
        timed().do("call_director"),
        timed().do("resign", worth=1, side="south"),
    )
    return tuple(script.view["clock"]["running"] for script in scripts)


def time_used_up(value):
    script = Script(length=1, clock="simple_delay", reserve_used_up=value).ready()
    return script.take(TimeRanOut(Side.SOUTH, at_ms=script.now_ms + 200_000)).phase


def late(**overrides):
    """North's points for a south that comes from 1 to 20 minutes late."""

    def points(minutes):
        script = Script(length=99, **overrides)
        is_taken(script, "rule", penalty={"to": "north", "minutes": minutes})
        return script.score[1]

    return tuple(points(minutes) for minutes in range(1, 21))


def plays(script):
    return sorted(script.texts())


def last_two(one, other, **overrides):
    """The plays of 4-1 with two checkers left."""
    return plays(Script(**overrides).set({one: 1, other: 1}, FAR).roll(4, 1))


def locked_cube(value):
    return may("double")(Script(cube_after_cocked=value).ready().thrown(6, 4, rest=Rest.LEANING))


def crawford_game(value):
    script = Script(length=3, crawford=value).ready().do("set_position", score={"south": 1}).do("double")
    return may("double")(script.do("pass").do("next_game").opening(3, 1).play("8/5 6/5").do("done"))


def in_family(profile, left, play, **overrides):
    """The result of a game of the family that a play should end, None if it goes on; South plays 2-1."""
    table = Table()
    south, north = ((15 - sum(side.values()), *checkers_on(side)[1:]) for side in left)
    set_ = PositionSet(south, north, Side.SOUTH, roll=Roll.of(2, 1))
    for event in (began(5, profile, **overrides), set_, PlayEntered(play, made=True)):
        table = step(table, event).table
    return getattr(table.state.phase, "result", None)


def kinds_of_games(value):
    """The boards of the first three games, won by nobody's play but by resigning."""
    table, boards = step(Table(), began(9, "portes", rotation=value)).table, []
    for _ in range(3):
        boards.append(table.state.board)
        begin = [OpeningThrown((3,), (1,))] if isinstance(table.state.phase, Opening) else []
        for event in (*begin, Resigned(Side.NORTH), ResignationAnswered(True), NextGame()):
            table = step(table, event).table
    return boards


def begins_next(value):
    table = step(Table(), began(9, "portes", next_game_begins=value)).table
    events = (OpeningThrown((3,), (1,)), Resigned(Side.NORTH), ResignationAnswered(True), NextGame())
    for event in events:
        table = step(table, event).table
    return table.state.phase


def refused(profile, board, roll, moves, **overrides):
    """The reasons against moves in a game of the family, each as the first one."""
    south, north = ((15 - sum(side.values()), *checkers_on(side)[1:]) for side in board)
    table = step(Table(), began(5, profile, **overrides)).table
    table = step(table, PositionSet(south, north, Side.SOUTH, roll=roll)).table
    turn = turn_of(table.state, Side.SOUTH, roll)
    return tuple(str(one and one.why) for one in (turn.partial_play().refusal(*move) for move in moves))


def plays_from_start(profile, **overrides):
    """The plays of 2-1 from the start."""
    changed = FAMILY[profile].with_overrides(overrides)
    return sorted(
        write_play(play) for play in Turn(changed, changed.start_position, Roll.of(2, 1)).plays().values()
    )


FAR_OFF = {3: 15}


def after_doublet(profile="modern", north=FAR_OFF, **overrides):
    """Roll and side on roll after South's fives from his 24-point, and the end of the turn."""
    script = Script(profile, **overrides).south_begins()
    south = [14, *checkers_on({24: 1})[1:]]
    script.take(PositionSet(tuple(south), (15 - sum(north.values()), *checkers_on(north)[1:]), Side.SOUTH))
    text = "24/19" if 11 in north else "24/4"
    if not is_taken(script.roll(5, 5), "play", text=text):
        return "refused"
    is_taken(script, "done")
    return script.view["roll"], script.turn_of


SCENARIOS = {
    "start": lambda v: Script(start=v).state.board,
    "who_begins": lambda v: is_taken(
        Script(who_begins=v, opening_roll="thrown_anew"), "opening", south=[6, 5], north=[2, 1]
    ),
    "opening_roll": opening_roll,
    "next_game_begins": begins_next,
    "rotation": kinds_of_games,
    "game_type": lambda v: step(Table(), began(5, "portes", game_type=v)).table.state.board,
    "leaving_start": lambda v: (
        plays_from_start("fevga", leaving_start=v),
        refused("fevga", ({24: 14, 20: 1}, {24: 15}), Roll.of(2, 1), [(24, 22)], leaving_start=v),
    ),
    "primes": lambda v: tuple(
        refused("fevga", (south, {24: 15}), roll, [move], primes=v)
        for south, roll, move in (
            ({24: 9, 23: 1, 22: 1, 21: 1, 20: 1, 11: 2}, Roll.of(5, 1), (24, 19)),
            ({11: 2, 10: 2, 9: 2, 8: 2, 13: 7}, Roll.of(6, 1), (13, 7)),
            ({10: 2, 9: 2, 8: 2, 7: 2, 6: 2, 16: 5}, Roll.of(5, 1), (16, 11)),
        )
    ),
    "pinned_mother_loses": lambda v: in_family(
        "plakoto", ({3: 1, 6: 14}, {24: 1, 13: 14}), ((3, 1), (6, 5)), pinned_mother_loses=v
    ),
    "bear_off_while_pinned": lambda v: refused(
        "plakoto", ({5: 1, 2: 1}, {20: 2, 13: 13}), Roll.of(2, 1), [(2, 0)], bear_off_while_pinned=v
    ),
    "doublets": lambda v: (plays(Script(doublets=v).ready().roll(6, 6)), after_doublet(doublets=v)),
    "rolls_before_running_on": lambda v: after_doublet("gul_bara", rolls_before_running_on=v),
    "rest_of_doublet": lambda v: after_doublet("jioul", {11: 15}, rest_of_doublet=v),
    "throw_again_after_doublet": lambda v: (
        Script(throw_again_after_doublet=v).ready().roll(6, 6).play("24/18(2) 13/7(2)").do("lift").turn_of
    ),
    "one_two": lambda v: (
        Script("acey_deucey", one_two=v).south_begins().roll(2, 1).play("bar/24 bar/23").view["naming"]
    ),
    "unplayed_ends_turn": lambda v: (
        Script("acey_deucey", unplayed_ends_turn=v)
        .south_begins()
        .set({24: 1}, {2: 2, 3: 13})
        .roll(2, 1)
        .do("done")
        .turn_of
    ),
    "use_of_numbers": lambda v: Script(use_of_numbers=v).set({24: 1}, {2: 2, 13: 13}).roll(3, 1).phase,
    "forced_bear_off": lambda v: last_two(6, 4, forced_bear_off=v),
    "bear_off_with_more": lambda v: tuple(
        last_two(*points, bear_off_with_more=v) for points in ((6, 2), (3, 2))
    ),
    "entering": lambda v: refused(
        "acey_deucey", ({25: 10, 13: 5}, {6: 15}), Roll.of(2, 1), [(13, 12)], entering=v
    ),
    "counts_checkers": lambda v: won_by_bearing_off(FAR, counts_checkers=v),
    "gammon": lambda v: won_by_bearing_off(FAR, gammon=v, backgammon="never"),
    "backgammon": lambda v: tuple(
        won_by_bearing_off(loser, backgammon=v) for loser in ({25: 1, 13: 14}, {20: 1, 13: 14})
    ),
    "cube": lambda v: is_taken(Script(cube=v).ready(), "double"),
    "cube_beyond_64": lambda v: is_taken(
        Script(cube_beyond_64=v).ready().do("set_position", cube={"value": 64, "owner": "south"}), "double"
    ),
    "beaver": lambda v: in_money_play_and_in_a_match(lambda n: is_taken(doubled(n, beaver=v), "beaver")),
    "raccoon": lambda v: in_money_play_and_in_a_match(
        lambda n: is_taken(doubled(n, beaver="everywhere", raccoon=v).do("beaver"), "raccoon")
    ),
    "jacoby": lambda v: in_money_play_and_in_a_match(
        lambda n: resigned_gammon(Script(length=n, jacoby=v).ready())
    ),
    "jacoby_ends_with": lambda v: resigned_gammon(doubled(0, jacoby_ends_with=v)),
    "automatic_doubles": lambda v: Script(length=0, automatic_doubles=v).opening(4, 4).state.cube.value,
    "crawford": crawford_game,
    "cube_after_cocked": locked_cube,
    "roll_area": ruled_in_both_halves,
    "opening_area": opening_ruled,
    "die_on_checker": lambda v: (
        Script(die_on_checker=v).ready().thrown(6, 4, rest=Rest.ON_CHECKER).view["ruling"]
    ),
    "premature_roll": early_roll,
    "thrown_by_hand": thrown_by_hand,
    "board_lies": orientations_taken,
    "end_of_turn": lambda v: Script(end_of_turn=v).ready().thrown(3, 1).play("8/5 6/5").lifted().turn_of,
    "closed_out": closed_out,
    "illegal_play_pointed_out_by": lambda v: answers(illegal_play(illegal_play_pointed_out_by=v)),
    "illegal_play_stands_after": stands_after,
    "wrong_start_stands_after": wrong_start_found_late,
    "clock": lambda v: Script(clock=v).view["clock"],
    "clock_delay_s": lambda v: reserve(clock_delay_s=v),
    "clock_reserve_s_per_point": lambda v: reserve(clock_reserve_s_per_point=v),
    "clock_reserve_s_less_per_point_scored": lambda v: reserve(clock_reserve_s_less_per_point_scored=v),
    "clock_stops_for": clock_runs,
    "reserve_used_up": time_used_up,
    "late_penalty_after_min": lambda v: late(late_penalty_after_min=v),
    "late_penalty_every_min": lambda v: late(late_penalty_every_min=v),
    "late_match_lost_beyond_half": lambda v: (
        Script(length=7, late_match_lost_beyond_half=v).do("rule", penalty={"to": "north", "points": 4}).phase
    ),
    "aids": lambda v: Script(aids=v).ready().roll(3, 1).seen_by("player", Side.SOUTH)["plays"],
}
"""By setting, what happens at the table with one of its values; no two values give the same."""


@pytest.mark.parametrize("setting", FIELDS)
def test_each_value_of_a_setting_has_an_outcome_of_its_own(setting):
    values = values_to_turn(setting)
    assert len(values) > 1, "a setting with one value is none: say it in docs/PROFILES.md"
    outcomes = [(value, SCENARIOS[setting](value)) for value in values]
    alike = [(one, other) for (one, here), (other, there) in combinations(outcomes, 2) if here == there]
    assert alike == []


def test_no_scenario_is_left_of_a_setting_that_is_gone():
    assert set(SCENARIOS) == set(FIELDS)
