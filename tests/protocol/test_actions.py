"""The page's actions to events: a whole game by actions alone, roles, and nonsense."""

import json
import random

import pytest

from companion.errors import BadPositionError, BadTextError, GameError, OutOfTurnError, RoleError
from companion.game.events import Amended, OpeningThrown, Overruled, PositionSet, RollTyped, Thrown
from companion.game.state import GameOver, MatchOver, Rolled
from companion.game.state_machine import fold, step
from companion.game.table import Table
from companion.protocol.match_setup import Usual
from companion.protocol.permissions import Asker, may_ask
from companion.protocol.view import view_of
from companion.records.ids import gnubgid, snapshot_of, xgid_of
from companion.records.rows import event_in, text_of
from companion.rules.board import Roll, Side
from companion.rules.referee import DieAtRest, Half, Rest
from companion.rules.setting_values import IllegalPlayStands
from tests.support.often import TIMES
from tests.support.script import Script, event_from

KEEPER = Asker("scorekeeper", at_ms=1_700_000_000_000)
DIRECTOR = Asker("director", at_ms=5)
SOUTH = Asker("player", Side.SOUTH)
NORTH = Asker("player", Side.NORTH)


def act(table, kind, asker=KEEPER, **more):
    """The table after an action."""
    return step(table, event_from({"type": kind, **more}, table, asker)).table


def acts(table, *many):
    for kind, more in many:
        table = act(table, kind, **more)
    return table


def opened(**more):
    table = act(Table(), "new_match", length=5, players={"south": "Ann", "north": "Bob"}, **more)
    return act(table, "opening", south=3, north=1)


def test_a_game_by_actions_alone_from_the_opening_to_a_pass():
    table = opened()
    view = view_of(table, Asker())
    assert (view["phase"], view["on_roll"], view["roll"]) == ("rolled", "south", [3, 1])
    assert {"text": "8/5 6/5", "moves": [[8, 5], [6, 5]]}.items() <= next(
        play for play in view["plays"] if play["text"] == "8/5 6/5"
    ).items()
    table = acts(table, ("play", {"text": "8/5 6/5"}), ("done", {}))
    table = acts(table, ("double", {}), ("take", {}), ("roll", {"dice": [6, 4]}))
    view = view_of(table, Asker())
    assert view["cube"] == {
        "in_play": True,
        "value": 2,
        "owner": "south",
        "offered": None,
        "may_double": False,
    }
    assert view["position"]["xgid"].startswith("XGID=-b---BD-B---eE---c-e----B-:1:1:-1:64:")
    table = acts(table, ("play", {"result": view["plays"][0]["result"]}), ("lift", {}))
    table = acts(table, ("double", {}), ("pass", {}))
    view = view_of(table, Asker())
    assert (view["phase"], view["result"]["points"], view["match"]["score"]) == (
        "game_over",
        2,
        {"south": 2, "north": 0},
    )
    assert "next_game" in view["may"]


def test_equal_opening_dice_are_said_until_a_die_is_thrown_again():
    table = act(Table(), "new_match", length=3, profile="tournament")
    seen = [view_of(table, Asker())["opening"]["again"]]
    for dice in ({"south": 3, "north": 3}, {"south": 2}):
        table = act(table, "opening", **dice)
        seen.append(view_of(table, Asker())["opening"]["again"])
    assert seen == [False, True, False]


def test_the_opening_roll_is_corrected_as_the_opening_also_after_its_play():
    table = act(opened(), "play", text="8/5 6/5")
    for before in (opened(), table):
        assert "opening" in view_of(before, Asker())["may"]
        after = view_of(act(before, "opening", south=2, north=6), Asker())
        assert (after["phase"], after["on_roll"], after["roll"]) == ("rolled", "north", [6, 2])
        assert after["position"]["board"] == view_of(opened(), Asker())["position"]["board"]
    assert "opening" not in view_of(act(table, "done"), Asker())["may"]


@pytest.mark.parametrize("seed", (0, 2) if TIMES == 1 else range(3 * TIMES))  # 1 is a long match: a minute
def test_whole_matches_by_what_the_state_says_may_be_done(seed):
    rng = random.Random(seed)
    table = act(Table(), "new_match", length=3, profile="tournament")
    for _ in range(4000):
        view = view_of(table, Asker())
        if view["phase"] == "match_over":
            break
        back = rng.random() < 0.05
        kinds = [kind for kind in view["may"] if kind in WAYS and (back or kind != "undo")]
        kind = "play" if "play" in kinds and rng.random() < 0.8 else rng.choice(kinds)
        table = act(table, kind, **WAYS[kind](view, rng))
    assert isinstance(table.state.phase, MatchOver)
    assert table == fold([event_in(text_of(entry.event)) for entry in table.entries])


WAYS = {
    "opening": lambda view, rng: {"south": rng.randint(1, 6), "north": rng.randint(1, 6)},
    "roll": lambda view, rng: {"dice": [rng.randint(1, 6), rng.randint(1, 6)], **_whose(view)},
    "play": lambda view, rng: (
        {"moves": rng.choice(view["plays"])["moves"]} if view["plays"] else _again(view)
    ),
    "done": lambda view, rng: {},
    "double": lambda view, rng: {},
    "take": lambda view, rng: {},
    "pass": lambda view, rng: {},
    "beaver": lambda view, rng: {},
    "next_game": lambda view, rng: {},
    "undo": lambda view, rng: {},
}


def _whose(view):
    early = view["phase"] in ("rolled", "played", "dispute") and not view["owed"]
    if early and view["on_roll"]:
        return {"side": "north" if view["on_roll"] == "south" else "south"}
    return {"side": "south"} if view["phase"] == "opening" else {}


def _again(view):
    return {"moves": view["making"]["moves"]}


def test_the_events_carry_time_and_who_said_so():
    event = event_from({"type": "new_match"}, Table(), KEEPER, usual=Usual(length=7, south="Ann"))
    assert (event.at_ms, event.by, event.length, event.south) == (KEEPER.at_ms, "scorekeeper", 7, "Ann")
    assert event.match_id == "20231114-221320-000"
    assert json.loads(text_of(event))["profile"] == "modern"


@pytest.mark.parametrize(
    ("asker", "kind"),
    [
        (Asker("viewer"), "roll"),
        (Asker("viewer"), "call_director"),
        (SOUTH, "roll"),
        (SOUTH, "undo"),
        (SOUTH, "amend"),
        (KEEPER, "amend"),
        (KEEPER, "settings"),
    ],
)
def test_a_role_does_only_what_is_its_own(asker, kind):
    assert not may_ask(asker.role, kind)
    assert kind not in view_of(opened(), Asker(asker.role, asker.seat))["may"]
    assert may_ask("director", kind)


def test_a_player_answers_for_himself_only():
    table = acts(opened(), ("play", {"text": "8/5 6/5"}), ("done", {}), ("double", {}))
    assert view_of(table, Asker("player", Side.NORTH))["may"] == ["call_director"]
    assert view_of(table, Asker("player", Side.SOUTH))["may"] == ["take", "pass", "call_director"]
    assert view_of(table, Asker("viewer"))["may"] == []
    with pytest.raises(RoleError):
        act(table, "take", SOUTH, side="north")
    with pytest.raises(GameError):
        act(table, "take", NORTH)
    assert act(table, "take", SOUTH).state.cube.value == 2


NONSENSE = [
    {},
    {"type": "fly"},
    {"type": 5},
    {"type": "roll"},
    {"type": "roll", "dice": [7, 1]},
    {"type": "roll", "dice": "64"},
    {"type": "opening"},
    {"type": "opening", "south": "3"},
    {"type": "play"},
    {"type": "play", "moves": [[8]]},
    {"type": "play", "moves": [["8", 5]]},
    {"type": "play", "text": "8/9"},
    {"type": "play", "text": "xyzzy"},
    {"type": "play", "result": [1, 2, 3]},
    {"type": "play", "result": [0] * 26},
    {"type": "rule"},
    {"type": "rule", "ruling": "valid"},
    {"type": "rule", "penalty": {}},
    {"type": "set_position", "xgid": "XGID=nonsense"},
    {"type": "set_position", "pos": [1] * 26},
    {"type": "set_position", "cube": {"value": 3}},
    {"type": "set_position", "cube": {"value": 2, "owner": "nobody"}},
    {"type": "set_position", "score": {"south": 5}},
    {"type": "clock", "order": "faster"},
    {"type": "settings", "overrides": {"wings": True}},
    {"type": "settings"},
    {"type": "amend", "event": 99, "to": {}},
    {"type": "amend", "event": 2, "to": 5},
    {"type": "amend", "event": 2, "to": {"type": "fly"}},
    {"type": "resign", "worth": 4},
    {"type": "resign", "worth": 1, "side": "east"},
    {"type": "new_match", "profile": "chess"},
    {"type": "new_match", "length": 1.5},
    {"type": "new_match", "overrides": {"cube": "maybe"}},
    {"type": "new_match", "orientation": {"home": "up"}},
    {"type": "take"},
    {"type": "next_game"},
]


@pytest.mark.parametrize("body", NONSENSE, ids=json.dumps)
def test_nonsense_is_refused_with_a_sentence_and_changes_nothing(body):
    table = opened()
    with pytest.raises(GameError) as refusal:
        step(table, event_from(body, table, DIRECTOR))
    sentence = str(refusal.value)
    assert sentence[0].isupper() or sentence[0] == "“" or sentence[0] == "“"
    assert sentence.endswith(".")
    assert "\n" not in sentence


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ("8/5 6/5", "A checker on the bar must enter first."),
        ("bar/22 13/11", "There is no 2 in this roll."),
        ("bar/22 24/23/22", "The whole roll has been played."),
        ("bar/22", "“bar/22” is only a part of a play: enter the whole one, such as bar/21."),
    ],
)
def test_a_typed_play_is_refused_with_the_reason(said, why):
    table = acts(opened(), ("play", {"text": "8/5 6/5"}), ("done", {}))
    bar = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 1, 1]
    table = acts(table, ("set_position", {"pos": bar, "on_roll": "south"}), ("roll", {"dice": [3, 1]}))
    with pytest.raises(GameError) as refused:
        act(table, "play", text=said)
    assert str(refused.value) == why


def test_an_illegal_play_is_taken_only_when_it_lies_on_the_board():
    table = opened()
    for how in ({"text": "8/3"}, {"moves": [[8, 3]]}):
        with pytest.raises(GameError):
            act(table, "play", **how)
        lying = act(table, "play", made=True, **how)
        assert view_of(lying, Asker())["phase"] == "dispute"
        assert lying.state.board.south[3] == 1


@pytest.mark.parametrize(
    ("profile", "pos", "under", "moves", "why"),
    [
        pytest.param(
            "plakoto",
            {24: -2, 13: 5, 6: 9, 1: -13},
            {24: 1},
            [[24, 18], [18, 13]],
            "this checker is pinned",
            id="a pinned checker",
        ),
        pytest.param(
            "modern",
            {24: 2, 13: 13, 18: -15},
            {},
            [[24, 18]],
            "both sides stand on one point",
            id="a held point",
        ),
    ],
)
def test_an_illegal_play_is_taken_by_its_moves_as_by_its_text(profile, pos, under, moves, why):
    table = acts(act(Table(), "new_match", profile=profile, length=5), ("opening", {"south": 3, "north": 1}))
    seen, pinned = ([places.get(n, 0) for n in range(26)] for places in (pos, under))
    more = {"under": pinned} if under else {}
    table = acts(
        table, ("set_position", {"pos": seen, "on_roll": "south", **more}), ("roll", {"dice": [6, 5]})
    )
    text = " ".join(f"{source}/{target}" for source, target in moves)
    by_moves, by_text = (act(table, "play", made=True, **how) for how in ({"moves": moves}, {"text": text}))
    assert view_of(by_moves, Asker())["dispute"] == view_of(by_text, Asker())["dispute"]
    assert by_moves.state.dispute is not None
    assert why in str(by_moves.state.dispute.text)
    with pytest.raises(GameError):
        act(table, "play", moves=moves)


@pytest.mark.parametrize(
    ("said", "line"),
    [
        pytest.param("8/3", "8/3 (not legal: ", id="one move"),
        pytest.param("13/11 24/23*/22", "24/22 13/11 (not legal: ", id="a hit that was none"),
        pytest.param("13/2", "13/2 (not legal: ", id="further than the roll"),
    ],
)
def test_an_illegal_play_is_remembered_as_it_was_told(said, line):
    lying = act(opened(), "play", text=said, made=True)
    assert view_of(lying, Asker())["history"][-1]["text"].startswith(line)


def test_a_throw_the_camera_misread_is_amended_to_what_it_was():
    dice = (DieAtRest(6, Rest.FLAT, Half.RIGHT), DieAtRest(1, Rest.FLAT, Half.LEFT))
    table = act(Table(), "new_match", length=5)
    table = step(table, Thrown(dice, by="camera", at_ms=9)).table
    amended = event_from({"type": "amend", "event": 2, "to": {"south": 2, "north": 1}}, table, DIRECTOR)
    to = OpeningThrown((2,), (1,), at_ms=9, by="director")
    assert amended == Amended(2, to, at_ms=5, by="director", in_step=True)
    after = step(table, amended).table
    assert after.state.phase == Rolled(Side.SOUTH, Roll(2, 1), opening=True)
    lines = [line["text"] for line in view_of(after, Asker())["history"]]
    assert lines[1] == "opening: South 2, North 1 (corrected; was: 6-1)"


def test_a_ruling_is_overruled_as_said():
    table = opened()
    assert event_from({"type": "rule", "dice": [6, 5]}, table, KEEPER).roll == Roll(6, 5)
    assert event_from({"type": "rule", "ruling": "cocked"}, table, KEEPER) == Overruled(
        None, at_ms=KEEPER.at_ms, by="scorekeeper"
    )


def test_a_position_is_set_by_its_xgid():
    xgid = "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:2:1:0:7:10"
    event = event_from({"type": "set_position", "xgid": xgid}, opened(), KEEPER)
    assert isinstance(event, PositionSet)
    assert (event.cube_value, event.cube_owner, event.south_points, event.north_points) == (2, "south", 2, 1)
    table = step(opened(), event).table
    assert view_of(table, Asker())["position"]["xgid"].split(":")[:5] == xgid.split(":")[:5]


@pytest.mark.parametrize(
    "beside",
    [{"cube": {"value": 64, "owner": "south"}}, {"score": {"south": 2, "north": 0}}, {"crawford": True}],
    ids=lambda beside: next(iter(beside)),
)
def test_wrong_start_with_cube_or_score_is_refused_and_not_taken_in_part(beside):
    start = [0, -2, *[0] * 4, 5, 0, 3, *[0] * 3, -5, 5, *[0] * 3, -3, 1, -5, *[0] * 4, 1, 0]
    body = {"type": "set_position", "pos": start, "on_roll": "south", "wrong_start": True, **beside}
    with pytest.raises(BadTextError, match="set cube and score apart"):
        event_from(body, opened(), KEEPER)


POSITION = "XGID=-b----E-C---eE---c-e----B-:0:0:1"


def test_the_dice_of_an_xgid_are_the_roll_to_be_played():
    xgid = f"{POSITION}:63:2:1:0:5:10"
    table = step(opened(), event_from({"type": "set_position", "xgid": xgid}, opened(), KEEPER)).table
    seen = view_of(table, Asker())
    assert (seen["phase"], seen["on_roll"], seen["roll"]) == ("rolled", "south", [6, 3])
    assert seen["position"]["xgid"] == xgid
    assert seen["history"][-1]["text"] == "position, cube or score set, 6-3 to play"
    assert event_in(text_of(table.entries[-1].event)) == table.entries[-1].event


@pytest.mark.parametrize("name", ["xgid", "gnubgid"])
def test_a_double_that_waits_in_an_id_waits_at_the_table(name):
    there = Script(length=7).ready().do("double")
    said = {"xgid": xgid_of(there.state), "gnubgid": gnubgid(snapshot_of(there.state))}[name]
    here = Script(length=7).do("set_position", **{name: said})
    assert (here.phase, here.view["asked"], here.view["cube"]["offered"]) == ("doubled", "north", 2)
    assert xgid_of(here.state) == xgid_of(there.state)
    assert here.notice_texts == ["The position is set.", "South doubles to 2."]
    assert here.view["history"][-1]["text"] == "position, cube or score set, with a double to answer"
    assert event_in(text_of(here.table.entries[-1].event)) == here.table.entries[-1].event
    here.do("take")
    assert (here.phase, here.turn_of, here.view["cube"]["owner"]) == ("on_roll", "south", "north")


def test_a_double_that_cannot_be_is_refused_with_its_reason():
    with pytest.raises(GameError, match="Crawford game"):
        Script(length=7).do("set_position", xgid=f"{POSITION}:D:6:1:1:7:10")


@pytest.mark.parametrize(
    ("length", "xgid", "why"),
    [
        (5, f"{POSITION}:00:6:1:0:7:10", "of a match of 7 points; this match goes to 5"),
        (9, f"{POSITION}:00:6:1:1:7:10", "of a match of 7 points; this match goes to 9"),
        (0, f"{POSITION}:00:6:1:1:7:10", "of a match of 7 points; this is money play"),
    ],
)
def test_an_xgid_whose_score_is_one_of_another_length_is_refused_with_both_lengths(length, xgid, why):
    with pytest.raises(BadTextError, match=why):
        Script(length=length).do("set_position", xgid=xgid)


@pytest.mark.parametrize(
    "pos",
    [
        pytest.param([0, -2, *[0] * 24], id="south has won"),
        pytest.param([*[0] * 24, 2, 0], id="north has won"),
    ],
)
def test_a_game_that_is_won_is_not_set_up(pos):
    with pytest.raises(BadPositionError, match="borne off everything"):
        act(opened(), "set_position", pos=pos, on_roll="south")
    nearly = [0, -2, *[0] * 22, 2, 0]
    table = act(opened(), "set_position", pos=nearly, on_roll="south")
    assert table.state.board.seen_by(Side.SOUTH).ints() == nearly


def test_withheld_aids_are_not_in_what_players_and_viewers_get():
    table = opened(profile="wbgf")
    for asker in (Asker("viewer"), Asker("player", Side.SOUTH)):
        view = view_of(table, asker)
        assert view["plays"] is view["position"]["pips"] is view["making"]["next"] is None
        assert view["aids"] == "withheld"
    for asker in (Asker("scorekeeper"), Asker("director")):
        view = view_of(table, asker)
        assert view["plays"]
        assert view["making"]["next"]
        assert view["position"]["pips"] == {"south": 167, "north": 167}


def test_typed_rolls_name_whose_they_are():
    table = acts(opened(), ("play", {"text": "8/5 6/5"}), ("done", {}))
    assert event_from({"type": "roll", "dice": [1, 2], "side": "north"}, table, KEEPER) == RollTyped(
        Roll(2, 1), Side.NORTH, at_ms=KEEPER.at_ms, by="scorekeeper"
    )


@pytest.mark.parametrize("side", ["east", "South", 1, ["south"], {"south": 1}, True], ids=str)
def test_the_dice_are_lifted_by_south_or_north(side):
    table = act(opened(), "play", text="8/5 6/5")
    with pytest.raises(BadTextError, match="A side is south or north"):
        act(table, "lift", side=side)


def test_the_other_sides_dice_are_not_there_to_be_lifted():
    table = act(opened(), "play", text="8/5 6/5")
    with pytest.raises(OutOfTurnError, match="Ann may end the turn now, not Bob"):
        act(table, "lift", side="north")
    for more in ({}, {"side": None}, {"side": "south"}):
        after = act(table, "lift", **more)
        assert view_of(after, Asker())["on_roll"] == "north"
        assert act(after, "lift", side="south") is after


def test_a_resignation_is_offered_and_refused_and_accepted():
    table = act(opened(), "resign", worth=2)
    assert view_of(table, Asker())["resigning"] == {"by": "south", "worth": 2, "counts": 2, "points": None}
    assert view_of(act(table, "refuse"), Asker())["phase"] == "rolled"
    after = act(table, "accept")
    assert isinstance(after.state.phase, GameOver)
    assert after.state.score.north == 2


@pytest.mark.parametrize("until", [one.value for one in IllegalPlayStands])
@pytest.mark.parametrize("answer", ["take", "pass"])
def test_a_double_can_be_answered_whatever_becomes_of_an_open_illegal_play(until, answer):
    script = Script(illegal_play_stands_after=until).opening(3, 1).play("8/3", made=True).do("done")
    assert "double" in script.view["may"]
    script.do("double")
    view = script.view
    assert view["cube"]["offered"] == 2
    assert {"take", "pass"} <= set(view["may"])
    assert {"take", "pass"} <= set(script.seen_by("player", Side.SOUTH)["may"])
    script.do(answer)
    after = script.view
    assert (after["cube"]["value"], after["phase"] == "game_over") == (
        (2, False) if answer == "take" else (1, True)
    )
