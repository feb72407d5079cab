"""A chouette at the table: box at South, team at North; docs/rules/family.md, rows F13 to F16."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import GameError, OutOfTurnError
from companion.game.state_machine import fold
from companion.protocol.permissions import Asker
from companion.protocol.replay import course_of, replay_of
from companion.protocol.view import view_of
from companion.records.export import mat_text, score_sheet
from companion.records.rows import event_in, text_of
from companion.rules.board import Position, Side
from companion.rules.family.chouette import points_won
from tests.support.often import TIMES
from tests.support.script import DIRECTOR, Script, event_from

FIVE = ["Ann", "Bob", "Cem", "Dora", "Eva"]
TAKE, PASS = True, False


def begun(players=tuple(FIVE), **more):
    """A chouette with its opening play made; the team is on roll."""
    script = Script()
    script.do("new_match", chouette=list(players), **more)
    return script.opening(3, 1).play("8/5 6/5").do("done")


def seen(script):
    """The players on the page by name."""
    return {one["name"]: one for one in view_of(script.table, DIRECTOR)["chouette"]}


def accounts(script):
    return [script.state.chouette.accounts[name] for name in script.state.chouette.queue]


def answer(script, *answers):
    for name, take in answers:
        script.do("take" if take else "pass", partner=name)
    return script


def test_box_and_captain_sit_at_the_board() -> None:
    script = begun()
    assert (script.state.terms.south, script.state.terms.north) == ("Ann", "Bob")
    assert script.state.terms.money_play
    assert [one["role"] for one in seen(script).values()] == [
        "box",
        "captain",
        "partner",
        "partner",
        "partner",
    ]
    assert view_of(script.table, DIRECTOR)["match"]["variant"] == "Chouette"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"chouette": ["Ann", "Bob"]}, "3 to 8 players"),
        ({"chouette": ["Ann", "Bob", " Ann "]}, "a name of his own"),
        ({"chouette": ["Ann", "Bob", " "]}, "a name of his own"),
        ({"chouette": [f"P{n}" for n in range(9)]}, "3 to 8 players"),
        ({"chouette": FIVE, "length": 5}, "money play"),
        ({"chouette": FIVE, "profile": "tavla"}, "Tavla has none"),
        ({"chouette": FIVE, "profile": "tavli"}, "needs a game with a cube"),
        ({"chouette": FIVE, "profile": "tavli", "overrides": {"cube": True}}, "Tavli is several in turn"),
        ({"chouette": FIVE, "overrides": {"cube": False}}, "cannot be switched off"),
    ],
    ids=str,
)
def test_what_makes_no_chouette_is_refused(given, why) -> None:
    with pytest.raises(GameError, match=why):
        Script().do("new_match", **given)


def test_partners_double_each_for_himself_and_the_box_answers_cube_by_cube() -> None:
    script = begun().do("double", partners=["Bob", "Dora"])
    assert [name for name, one in seen(script).items() if one["asked"]] == ["Bob", "Dora"]
    assert view_of(script.table, DIRECTOR)["asked"] == "south"
    answer(script, ("Bob", TAKE), ("Dora", PASS))
    players = seen(script)
    assert players["Bob"]["cube"] == {"value": 2, "owner": "box"}
    assert players["Cem"]["cube"] == {"value": 1, "owner": None}
    assert (players["Dora"]["won"], players["Dora"]["account"], players["Ann"]["account"]) == (1, 1, -1)
    assert view_of(script.table, DIRECTOR)["phase"] == "on_roll"
    script.roll(6, 2)  # the team goes on with its roll


def test_box_doubles_all_and_each_partner_answers() -> None:
    script = begun().turn(6, 2, "24/18 13/11").do("double")
    answer(script, ("Eva", PASS), ("Bob", PASS), ("Cem", TAKE), ("Dora", TAKE))
    assert script.state.terms.north == "Cem"  # the captain passed; the next who plays moves for the team
    assert accounts(script) == [2, -1, 0, 0, -1]
    script.roll(6, 1)


def test_nobody_plays_while_answers_are_awaited() -> None:
    script = answer(begun().do("double"), ("Bob", TAKE))
    may = view_of(script.table, DIRECTOR)["may"]
    assert {"take", "pass"} <= set(may)
    assert not {"roll", "play", "double", "resign"} & set(may)
    for kind, more in (("roll", {"dice": [6, 1]}), ("double", {}), ("resign", {"side": "south"})):
        with pytest.raises(GameError):
            script.do(kind, **more)
    with pytest.raises(GameError, match="No answer is awaited"):
        answer(script, ("Bob", PASS))


def test_partners_do_not_answer_together() -> None:
    script = begun().turn(6, 2, "24/18 13/11").do("double")
    with pytest.raises(OutOfTurnError, match="Each partner answers for himself"):
        script.do("take")
    answer(script, ("Bob", TAKE), ("Cem", TAKE), ("Dora", TAKE)).do("pass")  # one is left: it is his
    assert accounts(script) == [1, 0, 0, 0, -1]


def test_history_says_who_answers_on_whose_cube() -> None:
    script = answer(begun().do("double", partners=["Cem", "Bob"]), ("Cem", TAKE), ("Bob", PASS))
    script.turn(6, 2, "24/18 13/11").do("double", partners=["Dora", "Eva"])
    answer(script, ("Eva", TAKE), ("Dora", PASS))
    lines = [(line["side"], line["text"]) for line in view_of(script.table, DIRECTOR)["history"]]
    assert [line for line in lines if "take" in line[1] or "pass" in line[1]] == [
        ("south", "take on Cem’s cube"),
        ("south", "pass on Bob’s cube"),
        (None, "Eva: take"),
        (None, "Dora: pass"),
    ]


def test_each_partner_answers_in_his_own_name_also_the_captain_and_the_last_one() -> None:
    script = answer(
        begun().turn(6, 2, "24/18 13/11").do("double"), ("Bob", PASS), ("Dora", TAKE), ("Eva", TAKE)
    )
    script.do("pass")  # only Cem's answer is missing
    history = view_of(script.table, DIRECTOR)["history"][-4:]
    said = [(None, "Bob: pass"), (None, "Dora: take"), (None, "Eva: take"), (None, "Cem: pass")]
    assert [(line["side"], line["text"]) for line in history] == said
    steps = replay_of(course_of(entry.event for entry in script.table.entries))["steps"][-4:]
    assert [(one["side"], one["text"]) for one in steps] == said


def test_corrected_answer_names_its_partner_once() -> None:
    script = answer(begun().turn(6, 2, "24/18 13/11").do("double"), ("Dora", TAKE))
    number = script.table.entries[-1].number
    script.do("amend", event=number, to={"type": "pass", "partner": "Dora"})
    line = next(line for line in view_of(script.table, DIRECTOR)["history"] if line["n"] == number)
    assert (line["side"], line["text"]) == (None, "Dora: pass (corrected; was: Dora: take)")


def test_box_may_answer_all_cubes_at_once() -> None:
    script = begun().do("double").do("take")
    assert {one["cube"]["value"] for one in seen(script).values() if one["cube"]} == {2}


def test_game_is_over_when_every_partner_passes() -> None:
    script = begun().turn(6, 2, "24/18 13/11").do("double")
    answer(script, *((name, PASS) for name in FIVE[1:]))
    assert view_of(script.table, DIRECTOR)["phase"] == "game_over"
    assert accounts(script) == [4, -1, -1, -1, -1]
    assert "Ann +4, Bob -1, Cem -1, Dora -1, Eva -1" in " ".join(script.notice_texts)


@pytest.mark.parametrize(
    ("loser", "queue", "points"),
    [
        ("south", ["Bob", "Cem", "Dora", "Eva", "Ann"], [2, 1, 1, 1, -5]),
        ("north", ["Ann", "Cem", "Dora", "Eva", "Bob"], [5, -1, -1, -1, -2]),
    ],
)
def test_queue_moves_on_and_accounts_stay(loser, queue, points) -> None:
    script = answer(begun().do("double", partners=["Bob"]), ("Bob", TAKE))
    script.do("resign", side=loser, worth=1).do("accept").do("next_game")
    assert list(script.state.chouette.queue) == queue
    assert accounts(script) == points
    assert [script.state.terms.south, script.state.terms.north] == queue[:2]
    assert {one["cube"]["value"] for one in seen(script).values() if one["cube"]} == {1}
    assert script.state.score.south == script.state.score.north == 0


def test_gammon_counts_only_on_a_cube_that_was_turned() -> None:
    script = answer(begun().do("double", partners=["Bob"]), ("Bob", TAKE))
    script.do("resign", side="south", worth=2).do("accept")
    assert accounts(script) == [-7, 4, 1, 1, 1]  # Jacoby's rule holds for each cube by itself


@pytest.mark.parametrize(
    ("kind", "more", "why"),
    [
        ("resign", {"side": "south", "points": 3}, "not settled for points"),
        ("set_position", {"cube": {"value": 4}}, "a cube of his own"),
        ("set_position", {"score": {"south": 2}}, "accounts and no score"),
        ("rule", {"penalty": {"to": "south", "points": 1}}, "accounts and no score"),
        ("settings", {"overrides": {"cube": False}}, "cannot be switched off"),
        ("double", {"partners": ["Ann"]}, "cannot be turned"),
        ("double", {"partners": ["Zoe"]}, "cannot be turned"),
        ("amend", {"event": 1, "to": {"players": {"south": "Zoe"}}}, "named at its beginning"),
        ("amend", {"event": 1, "to": {"length": 7}}, "named at its beginning"),
    ],
    ids=str,
)
def test_what_a_chouette_has_not_is_refused(kind, more, why) -> None:
    with pytest.raises(GameError, match=why):
        begun().do(kind, **more)


def test_players_keep_their_seats_in_the_next_game() -> None:
    script = begun().do("resign", side="south", worth=1).do("accept")
    with pytest.raises(OutOfTurnError, match="the box sits at South"):
        script.do("next_game", swap_seats=True)


def test_clock_is_left_off() -> None:
    assert begun(overrides={"clock": "simple_delay"}).table.clock is None


def test_position_set_by_hand_takes_back_a_double_that_is_not_answered() -> None:
    script = answer(begun().do("double"), ("Bob", PASS))
    script.do("set_position", on_roll="south")
    assert script.state.chouette.doubled is None
    assert script.state.chouette.accounts["Bob"] == 1
    script.roll(6, 1)


def test_each_answer_is_taken_back_by_itself() -> None:
    script = answer(begun().do("double"), ("Bob", PASS), ("Cem", PASS), ("Dora", TAKE), ("Eva", TAKE))
    script.do("undo").do("undo").do("undo")
    assert accounts(script) == [-1, 1, 0, 0, 0]
    assert script.state.chouette.asked == {"Cem", "Dora", "Eva"}


def test_game_begun_anew_after_a_wrong_start_gives_back_what_was_won() -> None:
    script = begun()
    wrong = [*Position.start().ints()]
    wrong[6], wrong[7] = wrong[6] - 1, wrong[7] + 1
    answer(script.do("double"), ("Bob", PASS), ("Cem", PASS), ("Dora", TAKE), ("Eva", TAKE))
    script.do("set_position", wrong_start=True, pos=wrong, on_roll="south").do("correct")
    assert accounts(script) == [0, 0, 0, 0, 0]
    assert {one["cube"]["value"] for one in seen(script).values() if one["cube"]} == {1}


def test_players_answer_on_their_phones() -> None:
    script = begun().turn(6, 2, "24/18 13/11").do("double")
    north = Asker("player", Side.NORTH, at_ms=script.now_ms)
    assert {"take", "pass"} <= set(view_of(script.table, north)["may"])
    script.take(event_from({"type": "take", "partner": "Cem"}, script.table, north))
    assert seen(script)["Cem"]["cube"] == {"value": 2, "owner": "team"}


def test_no_other_program_can_hold_it() -> None:
    with pytest.raises(GameError, match="Chouette"):
        mat_text(begun().table)


def test_two_players_are_recorded_as_before() -> None:
    script = Script().opening(3, 1).play("8/5 6/5").do("done").do("double").do("take")
    texts = [text_of(entry.event) for entry in script.table.entries]
    assert not any(word in text for text in texts for word in ("chouette", "partner"))
    assert view_of(script.table, DIRECTOR)["chouette"] is None


def act(script, rng):
    """A random legal action of a chouette."""
    view = view_of(script.table, DIRECTOR)
    may, plays = view["may"], view["plays"]
    if {"take", "pass"} <= set(may):
        asked = [name for name, one in seen(script).items() if one["asked"]]
        return answer(script, (rng.choice(asked), rng.random() < 0.7))
    if "next_game" in may:
        return script.do("next_game")
    if view["phase"] == "opening":
        return script.opening(*rng.sample(range(1, 7), 2))
    if "accept" in may:
        return script.do(rng.choice(["accept", "refuse"]))
    if "double" in may and rng.random() < 0.4:
        can = [name for name, one in seen(script).items() if one["may_double"]]
        named = rng.sample(can, rng.randint(1, len(can)))
        return script.do("double", **rng.choice([{}, {"partners": named}]))
    if "resign" in may and rng.random() < 0.1:
        return script.do("resign", side=rng.choice(["south", "north"]), worth=rng.randint(1, 3))
    if plays and "play" in may:
        script.do("play", moves=rng.choice(plays)["moves"])
        borne_off = "done" not in view_of(script.table, DIRECTOR)["may"]  # the last checker ends the game
        return script if borne_off else script.do("done")
    if "done" in may:
        return script.do("done")
    return script.roll(rng.randint(1, 6), rng.randint(1, 6))


def parted():
    """A game in which the box wins with cubes of 1 and 4, and has passed one of 1."""
    script = answer(begun(FIVE[:4]).do("double", partners=["Dora", "Cem"]), ("Dora", TAKE), ("Cem", PASS))
    script.turn(6, 2, "24/18 13/11").do("double", partners=["Dora"])
    return answer(script, ("Dora", TAKE)).do("resign", side="north", worth=1).do("accept")


def test_game_of_a_chouette_has_every_players_points_and_no_figures_that_hold_for_one_cube_only() -> None:
    script = parted()
    assert (seen(script)["Dora"]["won"], accounts(script)) == (-4, [4, -1, 1, -4])
    game = score_sheet(script.table)["games"][0]
    assert game["accounts"] == {"Ann": 4, "Bob": -1, "Cem": 1, "Dora": -4}
    assert [game[key] for key in ("winner", "worth", "cube", "points", "how")] == [*[None] * 4, "resigned"]
    result = view_of(script.table, DIRECTOR)["result"]
    assert [result[key] for key in ("winner", "worth", "cube", "points")] == [None] * 4


def test_replay_has_the_accounts_at_each_step_and_each_players_result_at_the_end_of_a_game() -> None:
    steps = replay_of(course_of(entry.event for entry in parted().do("next_game").table.entries))["steps"]
    assert steps[0]["accounts"] == dict.fromkeys(FIVE[:4], 0)
    [passed] = [one for one in steps if one["text"] == "pass on Cem’s cube"]
    assert (passed["accounts"], passed["won"]) == ({"Ann": -1, "Bob": 0, "Cem": 1, "Dora": 0}, None)
    end, following = steps[-2:]
    assert end["accounts"] == end["won"] == {"Ann": 4, "Bob": -1, "Cem": 1, "Dora": -4}
    assert (following["accounts"], following["won"]) == (end["accounts"], None)
    two = replay_of(course_of(entry.event for entry in Script().table.entries))["steps"][0]
    assert (two["accounts"], two["won"]) == (None, None)


def test_game_in_which_all_cubes_went_alike_has_the_figures_of_each() -> None:
    script = begun().do("double").do("take").do("resign", side="south", worth=2).do("accept")
    game = score_sheet(script.table)["games"][0]
    assert game["accounts"] == {"Ann": -16, "Bob": 4, "Cem": 4, "Dora": 4, "Eva": 4}
    assert [game[key] for key in ("winner", "worth", "cube", "points")] == ["Bob", 2, 2, 4]
    assert view_of(script.table, DIRECTOR)["result"]["winner"] == "north"


def test_accounts_of_all_games_are_the_sums_of_their_rows() -> None:
    rng, script = random.Random(22), Script()
    script.do("new_match", chouette=FIVE)
    while script.state.game <= 12:
        act(script, rng)
    games = score_sheet(script.table)["games"]
    won = {name: sum(game["accounts"][name] for game in games) for name in FIVE}
    assert won == {
        name: now - points_won(script.state.chouette)[name]
        for name, now in script.state.chouette.accounts.items()
    }


@settings(max_examples=TIMES, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_accounts_sum_to_nought_and_the_record_replays(seed) -> None:
    rng, script = random.Random(seed), Script()
    script.do("new_match", chouette=FIVE)
    while script.state.game <= (50 if TIMES > 1 else 10):
        act(script, rng)
        assert sum(script.state.chouette.accounts.values()) == 0
        assert (script.state.chouette.doubled is None) == (not script.state.chouette.asked)
    again = fold(event_in(text_of(entry.event)) for entry in script.table.entries)
    assert again.state == script.state
