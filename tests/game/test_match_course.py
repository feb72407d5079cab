"""The course of a match beyond one game: resignations, settlements, seats, Crawford, matches joined in the middle."""

import random

import pytest

from companion.errors import BadTextError, GameError, OutOfTurnError, RoleError
from companion.game.state_machine import fold
from companion.protocol.permissions import Asker
from companion.records.export import mat_text, score_sheet, sgf_text
from companion.records.replay import replay, transcript_in
from companion.records.rows import event_in, text_of
from companion.rules.board import Position, Side
from tests.support.script import Script, event_from

START = {24: 2, 13: 5, 8: 3, 6: 5}
STARTED = Position.start().ints()


def replays(script):
    """Whether the record alone leads to this very table."""
    raw = (entry.was[0] if entry.was else entry.event for entry in script.table.entries)
    return fold(event_in(text_of(event)) for event in raw) == script.table


def gives_up(script, worth=1, side="south"):
    return script.do("resign", worth=worth, side=side).do("accept")


@pytest.mark.parametrize(
    ("profile", "length", "cube", "worth", "points"),
    [
        ("modern", 9, 1, 1, 1),
        ("modern", 9, 1, 2, 2),
        ("modern", 9, 1, 3, 3),
        ("modern", 9, 4, 2, 8),
        ("modern", 9, 4, 3, 12),
        ("modern", 0, 1, 2, 1),
        ("modern", 0, 1, 3, 1),
        ("modern", 0, 2, 3, 6),
        ("vip", 0, 1, 2, 2),
        ("tournament", 9, 2, 2, 4),
        ("tavla", 9, 1, 1, 1),
        ("spielestart", 9, 1, 1, 1),
    ],
)
def test_resignation_accepted_is_worth_what_was_offered_times_the_cube(profile, length, cube, worth, points):
    script = Script(profile, length).south_begins()
    if cube > 1:
        script.ready().do("set_position", cube={"value": cube, "owner": "north"})
    gives_up(script, worth)
    assert (script.score, script.view["result"]["points"]) == ((0, points), points)
    assert script.view["result"]["how"] == "resigned"
    assert replays(script)


@pytest.mark.parametrize(
    ("profile", "worth"), [("tavla", 2), ("tavla", 3), ("spielestart", 2), ("spielestart", 3)]
)
def test_resignation_of_more_than_the_game_knows_is_refused(profile, worth):
    script = Script(profile).south_begins()
    with pytest.raises(GameError, match=r"There is no (gammon|backgammon)"):
        script.do("resign", worth=worth)


@pytest.mark.parametrize(
    "begin",
    [
        lambda: Script().ready(),
        lambda: Script().ready().roll(3, 1),
        lambda: Script().ready().roll(3, 1).play("8/5 6/5"),
        lambda: Script().ready().do("double"),
        lambda: Script().ready().roll(3, 1).do("lift"),
    ],
    ids=["to roll", "rolled", "played", "doubled", "owed"],
)
def test_resignation_refused_leaves_everything_as_it_was(begin):
    script = begin()
    before = script.state
    script.do("resign", worth=2, side="south")
    assert (script.phase, script.view["asked"]) == ("resigning", "north")
    with pytest.raises(OutOfTurnError):
        script.do("accept", side="south")
    assert script.do("refuse", side="north").state == before


def test_resignation_is_answered_by_the_other_player_and_nobody_else():
    script = Script().ready().do("resign", worth=1, side="south")
    assert {"accept", "refuse"} <= set(script.seen_by("player", Side.NORTH)["may"])
    assert not {"accept", "refuse"} & set(script.seen_by("player", Side.SOUTH)["may"])
    with pytest.raises(RoleError):
        event_from({"type": "accept", "side": "north"}, script.table, Asker("player", Side.SOUTH))


@pytest.mark.parametrize(
    ("length", "points", "over"), [(0, 0, False), (0, 3, False), (5, 2, False), (5, 5, True), (5, 7, True)]
)
def test_settlement_is_worth_what_was_settled_whatever_the_cube_shows(length, points, over):
    script = Script("tournament", length).ready().do("set_position", cube={"value": 8, "owner": "south"})
    script.do("resign", points=points, side="north")
    assert script.view["resigning"]["points"] == points
    script.do("accept")
    assert (script.score, script.view["result"]["how"]) == ((points, 0), "settled")
    assert script.phase == ("match_over" if over else "game_over")
    assert script.view["match"]["winner"] == ("south" if over else None)
    assert replays(script)


def test_settlement_refused_is_played_on():
    script = Script(length=0).ready().do("resign", points=2, side="south").do("refuse")
    assert (script.phase, script.score) == ("on_roll", (0, 0))
    with pytest.raises(GameError, match="whole number of points"):
        script.do("resign", points=-1, side="south")


def ann_and_bob():
    names = {"players": {"south": "Ann", "north": "Bob"}}
    return Script(length=7).do("amend", event=1, to=names)


def test_seats_changed_between_games_the_points_go_with_the_player():
    script = ann_and_bob()
    gives_up(script.ready(), 2, side="north")
    assert script.score == (2, 0)
    script.do("next_game", swap_seats=True)
    assert script.view["match"]["players"] == {"south": "Bob", "north": "Ann"}
    assert script.score == (0, 2)
    gives_up(script.ready(), 1, side="north")
    assert script.score == (1, 2)
    script.do("next_game", swap_seats=True, orientation={"home": "left", "south": "dark"})
    assert (script.view["match"]["players"]["south"], script.score) == ("Ann", (2, 1))
    assert script.view["orientation"] == {"home": "left", "south": "dark"}
    assert [game["winner"] for game in score_sheet(script.table)["games"]] == ["Ann", "Bob"]
    assert replays(script)


def test_seats_changed_the_files_keep_each_player_in_his_column():
    script = ann_and_bob()
    gives_up(script.opening(3, 1).play("8/5 6/5").do("done"), 2, side="north")
    script.do("next_game", swap_seats=True).opening(3, 1).play("8/5 6/5").do("done")
    gives_up(script, 1, side="north")
    for text in (mat_text(script.table), sgf_text(script.table)):
        match = transcript_in(text)
        assert (match.players, match.score) == (("Ann", "Bob"), (2, 1))
        assert replay(match).illegal == []


def test_seats_changed_penalties_and_clock_go_with_the_player():
    script = Script(length=7, clock="simple_delay").ready()
    script.do("clock", order="set", south_ms=100_000, north_ms=200_000)
    script.do("rule", penalty={"to": "north", "points": 2})
    gives_up(script, 1, side="south")
    script.do("next_game", swap_seats=True)
    clock = script.view["clock"]
    assert (clock["south"]["reserve_ms"], clock["north"]["reserve_ms"]) == (200_000, 100_000)
    script.do("rule", penalty={"to": "south", "points": 2})  # the same player's second time
    assert script.view["match"]["winner"] == "south"


def test_colours_changed_between_games_only_where_the_profile_has_it():
    for profile, allowed in (("modern", True), ("vip", False)):
        script = gives_up(Script(profile).ready())
        if allowed:
            script.do("next_game", orientation={"home": "left", "south": "dark"})
            assert script.view["orientation"]["south"] == "dark"
        else:
            with pytest.raises(GameError):
                script.do("next_game", orientation={"home": "left", "south": "dark"})


def test_crawford_is_one_game_and_not_again_when_the_other_comes_one_short():
    script = Script(length=3).ready().do("set_position", score={"south": 1})
    gives_up(script, 1, side="north")
    script.do("next_game")
    assert (script.score, script.view["match"]["crawford"]) == ((2, 0), True)
    gives_up(script.ready(), 1, side="south")
    script.do("next_game")
    assert (script.score, script.view["match"]["crawford"]) == ((2, 1), False)
    assert script.ready().view["cube"]["may_double"]
    gives_up(script, 1, side="south")
    assert script.do("next_game").view["match"]["crawford"] is False
    assert script.score == (2, 2)
    assert script.ready().view["cube"]["may_double"]
    assert replays(script)


def test_money_play_goes_on_game_by_game_without_end():
    script = Script(length=0)
    for game in range(1, 6):
        assert script.view["match"]["game"] == game
        gives_up(script.ready(), 1, side="south" if game % 2 else "north")
        assert script.phase == "game_over"
        script.do("next_game")
    assert script.score == (2, 3)
    assert script.view["match"]["crawford"] is False


def test_a_match_that_is_over_has_no_next_game():
    script = gives_up(Script(length=1).ready())
    assert (script.phase, script.view["match"]["winner"]) == ("match_over", "north")
    assert "next_game" not in script.view["may"]
    with pytest.raises(OutOfTurnError, match="match is over"):
        script.do("next_game")
    with pytest.raises(OutOfTurnError):
        Script(length=1).ready().do("next_game")


def joined(**more):
    """A match found at 3-2 to 5, cube on 2 at north's side, south to roll from a position in the middle."""
    script = Script(length=5)
    told = {"cube": {"value": 2, "owner": "north"}, "score": {"south": 3, "north": 2}, **more}
    return script.set({13: 3, 8: 4, 6: 5, 4: 3}, {20: 2, 13: 4, 8: 4, 6: 5}, **told)


def test_joined_in_the_middle_it_is_played_on_from_there():
    script = joined()
    assert (script.phase, script.turn_of, script.score) == ("on_roll", "south", (3, 2))
    assert script.view["cube"] == {
        "in_play": True,
        "value": 2,
        "owner": "north",
        "offered": None,
        "may_double": False,
    }
    script.turn(6, 1, "13/7 8/7")
    assert script.view["cube"]["may_double"]
    script.do("double").do("pass")
    assert (script.score, script.phase) == ((3, 4), "game_over")
    assert script.do("next_game").view["match"]["crawford"]
    assert replays(script)


def test_joined_in_the_middle_by_a_gnubg_id_or_an_xgid():
    script = joined()
    again = Script(length=5).do("set_position", xgid=script.view["position"]["xgid"])
    for name in ("pos", "board"):
        assert again.view["position"][name] == script.view["position"][name]
    assert (again.score, again.view["cube"]) == (script.score, script.view["cube"])


def test_the_roll_that_lies_there_stays_when_the_position_is_set():
    script = Script(length=5).ready()
    script.do("set_position", pos=script.view["position"]["pos"], on_roll="north", dice=[2, 5])
    assert (script.phase, script.view["on_roll"], script.view["roll"]) == ("rolled", "north", [5, 2])
    assert replays(script)


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ({}, "Say who is on roll"),
        ({"on_roll": "south", "pos": STARTED, "wrong_start": True}, "A wrong start says only"),
    ],
)
def test_a_roll_is_set_with_its_side_and_not_with_a_wrong_start(rest, said):
    with pytest.raises(BadTextError, match=said):
        Script(length=5).ready().do("set_position", dice=[2, 5], **rest)


def test_joined_in_the_middle_the_files_say_so_and_are_read_back():
    script = joined().turn(6, 1, "13/7 8/7").do("double").do("pass")
    match = transcript_in(sgf_text(script.table))
    assert match.games[0].score == (3, 2)
    assert replay(match).illegal == []
    assert transcript_in(mat_text(script.table)).score == (3, 4)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"score": {"south": 5}}, "below 5"),
        ({"score": {"south": 9, "north": 9}}, "below 5"),
        ({"cube": {"value": 3}}, "1, 2, 4"),
        ({"cube": {"value": 0}}, "1, 2, 4"),
        ({"crawford": True}, "one point short"),
    ],
    ids=str,
)
def test_joined_in_the_middle_with_what_cannot_be_is_refused(more, why):
    script = Script(length=5)
    before = script.table
    with pytest.raises(GameError, match=why):
        script.set(START, START, **more)
    assert script.table is before


def test_joined_in_the_middle_of_the_crawford_game_or_after_it():
    for crawford in (True, False):
        script = joined(score={"south": 4, "north": 2}, crawford=crawford, cube={"value": 1})
        assert script.view["match"]["crawford"] is crawford
        assert script.view["cube"]["may_double"] is not crawford


def test_penalty_points_between_two_games_can_end_the_match():
    script = Script(length=3).ready().do("set_position", score={"north": 2})
    script.do("resign", worth=1, side="north").do("accept")
    script.do("rule", penalty={"to": "north", "points": 1, "why": "late"})
    assert (script.phase, script.view["match"]["winner"]) == ("match_over", "north")
    assert "North gets 1 penalty point: late." in script.notice_texts
    assert replays(script)


@pytest.mark.parametrize(("limit", "value"), [(0, 1), (1, 2), (2, 4)])
def test_automatic_doubles_follow_equal_dice_that_the_camera_sees(limit, value):
    script = Script(length=0, automatic_doubles=limit)
    for number in (4, 2, 6):
        script.opening_thrown(number, number)
    assert (script.view["cube"]["value"], script.view["cube"]["owner"]) == (value, None)
    assert script.opening_thrown(3, 1).phase == "rolled"


def test_a_long_match_is_the_sum_of_its_games():
    rng = random.Random(7)
    script, points = Script(length=25), [0, 0]
    while script.phase != "match_over":
        loser, worth = rng.choice(["south", "north"]), rng.randint(1, 3)
        gives_up(script.ready(), worth, side=loser)
        points[0 if loser == "north" else 1] += worth
        assert script.score == tuple(points)
        if script.phase == "game_over":
            script.do("next_game")
    assert max(points) >= 25
    assert sum(game["points"] for game in score_sheet(script.table)["games"]) == sum(points)
