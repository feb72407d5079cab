"""Whole games and matches of the other games through `step`: rows F1 to F12 of docs/rules/family.md."""

import json
import random
from collections import Counter
from dataclasses import replace

import pytest

from companion.errors import BadSettingError, BadTextError, GameError, IllegalPlayError
from companion.game.events import (
    NextGame,
    OpeningThrown,
    PlayEntered,
    PositionSet,
    RollTyped,
    Setting,
    SettingsChanged,
    TurnEnded,
)
from companion.game.games import match_begun
from companion.game.state import GameOver, MatchOver, OnRoll, Opening
from companion.game.state_machine import fold, step
from companion.game.table import Table
from companion.protocol.lamps_and_buttons import lights_of
from companion.protocol.permissions import Asker
from companion.protocol.view import view_of
from companion.records.export import score_sheet
from companion.records.ids import gnubgid_of, xgid_of
from companion.records.ogxm.ogid import ogid_of
from companion.records.rows import event_in, text_of
from companion.records.to_transcript import transcribe
from companion.rules.board import Position, Roll, Side
from companion.rules.cube_and_score import Ending, Score
from companion.rules.family.profiles import ALL_PROFILES, FAMILY
from companion.rules.profile import STARTS
from companion.rules.profiles import profile_of
from companion.rules.setting_values import GameType
from companion.settings import SettingsError, parse_settings
from tests.support.positions import side
from tests.support.script import Script
from tests.support.selfplay import after, began, played_match


def through(*events, table=None):
    """The table after these events, from none on if none is given."""
    return after(table or Table(), *events)


def with_board(profile, south, north, length=5):
    """A table with these checkers and South on roll."""
    set_ = PositionSet(side(south), side(north), Side.SOUTH)
    return through(began(length, profile), OpeningThrown((3,), (1,)), set_)


@pytest.mark.parametrize("profile", FAMILY)
def test_whole_matches_end_with_the_points_that_were_won(profile):
    seen = Counter()
    for seed in range(4):
        state = fold(played_match(random.Random(seed), began(3, profile))).state
        assert isinstance(state.phase, MatchOver)
        won = {one: sum(log.result.points for log in state.games if log.result.winner is one) for one in Side}
        assert state.score == Score(won[Side.SOUTH], won[Side.NORTH])
        seen.update((log.result.how, log.result.points) for log in state.games)
        assert all(log.result.worth <= 2 and log.result.cube == 1 for log in state.games)
    if profile == "plakoto":
        assert seen[Ending.MOTHER_PINNED, 2]


@pytest.mark.parametrize("profile", FAMILY)
def test_the_record_gives_the_same_match(profile):
    events = list(played_match(random.Random(9), began(3, profile)))
    assert fold(event_in(text_of(event)) for event in events) == fold(events)


def test_f1_both_begin_on_their_24_points_and_one_checker_holds_a_point():
    table = through(began(3, "fevga"), OpeningThrown((3,), (1,)), RollTyped(Roll.of(6, 6)))
    assert table.state.board.north[24] == 15
    table = through(PlayEntered(((24, 18),)), TurnEnded(), RollTyped(Roll.of(5, 1)), table=table)
    with pytest.raises(IllegalPlayError, match="first checker"):
        step(table, PlayEntered(((24, 19), (24, 23))))
    with pytest.raises(IllegalPlayError, match="holds"):
        through(
            PlayEntered(((24, 18),)),
            TurnEnded(),
            RollTyped(Roll.of(6, 5)),
            PlayEntered(((18, 12),)),
            table=table,
        )


def test_f2_a_pin_is_remembered_where_one_checker_is_on_one():
    table = with_board("plakoto", {10: 1, 5: 14}, {18: 1, 13: 14})
    table = through(RollTyped(Roll.of(2, 1)), PlayEntered(((10, 8), (5, 4))), table=table)
    assert table.state.board.pinned == 0
    table = with_board("plakoto", {10: 1, 5: 14}, {18: 1, 13: 14})
    table = through(RollTyped(Roll.of(2, 1)), PlayEntered(((10, 7),)), TurnEnded(), table=table)
    assert table.state.board.seen_by(Side.NORTH).pinned == 1 << 18
    table = through(RollTyped(Roll.of(6, 5)), table=table)
    with pytest.raises(IllegalPlayError, match="pinned"):
        step(table, PlayEntered(((18, 12),)))


@pytest.mark.parametrize(
    ("south", "north", "play", "how", "score"),
    [
        pytest.param(
            {3: 1, 6: 14}, {24: 1, 13: 14}, ((3, 1), (6, 5)), Ending.MOTHER_PINNED, (2, 0), id="won"
        ),
        pytest.param(
            {24: 1, 6: 13, 3: 1}, {24: 1, 1: 2, 13: 12}, ((3, 1), (6, 5)), Ending.TIE, (0, 0), id="a tie"
        ),
    ],
)
def test_f4_a_pinned_mother_ends_the_game(south, north, play, how, score):
    table = with_board("plakoto", south, north)
    table = through(RollTyped(Roll.of(2, 1)), PlayEntered(play), table=table)
    assert isinstance(table.state.phase, GameOver)
    result = table.state.phase.result
    assert (result.how, result.points) == (how, max(score))
    assert table.state.score == Score(*score)
    won = how is not Ending.TIE
    assert result.winner is (Side.SOUTH if won else None)
    assert view_of(table, Asker("viewer"))["result"]["winner"] == ("south" if won else None)
    assert score_sheet(table)["games"][0]["winner"] == (table.state.name(Side.SOUTH) if won else None)
    assert lights_of(table.state) == ({Side.SOUTH: "winner"} if won else {})


def test_f4_notice_and_card_say_why_a_pinned_mother_does_not_end_the_game():
    table = with_board("plakoto", {24: 1, 3: 1, 6: 13}, {24: 1, 13: 14})
    pinned = step(through(RollTyped(Roll.of(2, 1)), PlayEntered(((3, 1), (6, 5))), table=table), TurnEnded())
    assert [str(one.text) for one in pinned.notices] == [
        "Bob’s mother is pinned: the game goes on while Ann has checkers on Ann’s own start."
    ]
    table = through(RollTyped(Roll.of(6, 5)), table=pinned.table)
    rules = view_of(table, Asker("viewer"))["making"]["restrictions"]
    assert [(one["from"], one["text"]) for one in rules] == [
        (
            [24],
            "The mother (μάνα) is pinned and cannot move; "
            "the game goes on while the opponent has checkers on his own start.",
        )
    ]
    further = through(PlayEntered(((13, 7), (13, 8))), TurnEnded(), RollTyped(Roll.of(2, 1)), table=table)
    assert step(through(PlayEntered(((6, 4), (6, 5))), table=further), TurnEnded()).notices == ()


def test_f4_without_a_mother_a_pinned_last_checker_is_one_like_others():
    table = with_board("plakoto", {24: 1, 3: 1, 6: 13}, {24: 1, 13: 14})
    off = SettingsChanged((Setting("pinned_mother_loses", False),))
    table = through(off, RollTyped(Roll.of(2, 1)), PlayEntered(((3, 1), (6, 5))), table=table)
    pinned = step(table, TurnEnded())
    assert pinned.notices == ()
    table = through(RollTyped(Roll.of(6, 5)), table=pinned.table)
    (rule,) = view_of(table, Asker("viewer"))["making"]["restrictions"]
    assert "is pinned: it cannot move" in rule["text"]


def test_a_game_settled_for_nothing_has_no_winner() -> None:
    script = Script("portes", length=3).south_begins().do("resign", side="south", points=0).do("accept")
    assert script.notice_texts == ["The game is settled for nothing: nobody wins it."]
    assert script.view["result"]["winner"] is None
    script.do("next_game")
    assert script.view["phase"] == "opening", "the winner of the last one would begin"


def test_f10_tavli_plays_three_games_in_turn():
    table, types = Table(), []
    for event in played_match(random.Random(3), began(7, "tavli")):
        table = step(table, event).table
        if len(types) < table.state.game:
            types.append(table.state.terms.profile.game_type)
            assert table.state.terms.profile.name == "tavli"
    turn = [GameType.HITTING, GameType.PINNING, GameType.RUNNING]
    assert len(types) > 3
    assert types == [turn[n % 3] for n in range(len(types))]


@pytest.mark.parametrize("length", [3, 5, 7])
def test_f10_a_tavli_to_three_five_or_seven_ends_with_the_game_that_brings_the_points(length: int) -> None:
    ends = Counter()
    for seed in range(5):
        table = Table()
        for event in played_match(random.Random(seed), began(length, "tavli"), cube=0):
            assert not isinstance(getattr(table.state, "phase", None), MatchOver)
            table = step(table, event).table
        state, before = table.state, table.state.games[:-1]
        winner = state.phase.winner
        won = Counter()
        for game in before:
            won[game.result.winner] += game.result.points
        assert max(won[Side.SOUTH], won[Side.NORTH]) < length
        assert won[winner] + state.games[-1].result.points >= length
        assert state.game >= length / 2, "a game counts two points at most"
        ends[state.games[-1].result.winner is winner] += 1
    assert ends == {True: 5}


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("game_type", "running"),
        ("primes", "own_start_open"),
        ("leaving_start", "one_a_turn"),
        ("pinned_mother_loses", True),
        ("start", "nackgammon"),
        ("game_type", "hitting"),
        ("primes", "free"),
        ("leaving_start", "free"),
        ("pinned_mother_loses", False),
        ("start", "standard"),
    ],
)
def test_f10_settings_that_each_game_of_tavli_brings_are_refused(key: str, value: object) -> None:
    with pytest.raises(BadSettingError, match=f"brings its own “{key}”"):
        Script("tavli", **{key: value})
    with pytest.raises(BadSettingError, match=f"brings its own “{key}”"):
        Script("tavli").do("settings", overrides={key: value})
    with pytest.raises(BadSettingError, match=f"brings its own “{key}”"):
        profile_of("club", {"based_on": "tavli", key: value}, ALL_PROFILES)
    with pytest.raises(SettingsError, match=f"line 3: .*brings its own “{key}”"):
        parse_settings(f'[match]\nprofile = "tavli"\noverrides = {{ {key} = {json.dumps(value)} }}', "x.toml")


def test_f10_tavli_takes_what_its_games_have_in_common() -> None:
    script = Script("tavli", gammon=False, bear_off_while_pinned=True)
    assert (script.state.terms.profile.gammon, script.state.terms.profile.positions) == (False, Position)


def test_f10_record_of_a_match_that_had_such_a_setting_is_still_read() -> None:
    begun = Script("tavli").table.entries[0].event
    changed = tuple(
        replace(one, value="nackgammon") if one.name == "start" else one for one in begun.settings
    )
    assert (
        step(Table(), replace(begun, settings=changed)).table.state.terms.profile.start == STARTS["standard"]
    )


def test_f3_bearing_off_while_pinned_is_a_setting_of_the_whole_match():
    table = Table()
    for event in played_match(random.Random(3), began(7, "tavli", bear_off_while_pinned=True)):
        table = step(table, event).table
        assert table.state.terms.profile.bear_off_while_pinned
    assert table.state.game > 1


def test_f11_the_winner_of_a_game_begins_the_next():
    table = with_board("tavli", {2: 1}, {24: 15})
    table = through(RollTyped(Roll.of(6, 5)), PlayEntered(((2, 0),)), table=table)
    assert isinstance(table.state.phase, GameOver)
    assert through(NextGame(), table=table).state.phase == OnRoll(Side.SOUTH, first=True)
    swapped = through(NextGame(swap_seats=True), table=table)
    assert swapped.state.phase == OnRoll(Side.NORTH, first=True)
    assert swapped.state.score == Score(0, 2)
    nardy = with_board("long_nardy", {2: 1}, {24: 15})
    nardy = through(RollTyped(Roll.of(6, 5)), PlayEntered(((2, 0),)), NextGame(), table=nardy)
    assert nardy.state.phase == Opening()


@pytest.mark.parametrize("profile", [name for name in FAMILY if name != "tavli" and FAMILY[name].gammon])
@pytest.mark.parametrize(("left", "points"), [({24: 15}, 2), ({24: 14}, 1)])
def test_f12_a_game_counts_two_if_the_loser_bore_off_nobody(profile, left, points):
    table = with_board(profile, {2: 1}, left)
    table = through(RollTyped(Roll.of(6, 5)), PlayEntered(((2, 0),)), table=table)
    assert table.state.phase.result.points == points


def test_the_kind_of_game_stays_during_a_game():
    table = with_board("plakoto", {10: 1, 5: 14}, {19: 1, 1: 14})
    with pytest.raises(GameError, match="middle of a game"):
        step(table, SettingsChanged((Setting("pinned_mother_loses", False), Setting("game_type", "hitting"))))


@pytest.mark.parametrize("profile", FAMILY)
def test_no_other_programs_file_is_written(profile):
    state = fold([began(3, profile), OpeningThrown((3,), (1,))]).state
    with pytest.raises(GameError, match="export it as json"):
        transcribe(state, placing=True)


@pytest.mark.parametrize("profile", FAMILY)
def test_the_page_offers_and_begins_each(profile):
    state = Script(profile).state
    assert state.terms.profile.name == profile
    assert match_begun(began(3, profile)).state.terms.profile == state.terms.profile
    if state.terms.profile.positions is not Position:
        assert (xgid_of(state), gnubgid_of(state), ogid_of(state)) == ("", "", "")
        with pytest.raises(BadTextError, match="No id can hold a position"):
            Script(profile).do("set_position", gnubgid="4HPwATDgc/ABMA")


def test_games_in_turn_are_refused_for_a_profile_whose_base_has_what_each_of_them_brings() -> None:
    with pytest.raises(BadSettingError, match="brings its own “start”"):
        profile_of("evening", {"based_on": "plakoto", "rotation": "tavli"}, ALL_PROFILES)
    assert profile_of("evening", {"based_on": "portes", "rotation": "tavli"}, ALL_PROFILES)


@pytest.mark.parametrize(
    ("south", "north"),
    [
        ({24: 1, 6: 14}, {1: 1, 13: 14}),
        ({6: 14, 1: 1}, {24: 1, 13: 14}),
        ({24: 1, 6: 13, 1: 1}, {24: 1, 13: 13, 1: 1}),
    ],
    ids=["south's mother", "north's mother", "both"],
)
def test_f4_position_in_which_a_pinned_mother_has_ended_the_game_is_not_set(
    south: dict[int, int], north: dict[int, int]
) -> None:
    script = Script("plakoto").south_begins()
    before = script.state
    pinned = tuple(point for point in (24,) if south.get(24) and north.get(1))
    checkers = [(15 - sum(one.values()), *(one.get(n, 0) for n in range(1, 26))) for one in (south, north)]
    with pytest.raises(GameError, match="A mother is pinned and the game is over"):
        script.take(PositionSet(*checkers, on_roll=Side.SOUTH, pinned=pinned))
    assert script.state is before
