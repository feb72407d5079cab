"""The chi-square test and what is said about it."""

import random
from collections import Counter, defaultdict

import pytest

from companion.game.events import RollTyped
from companion.game.state_machine import step
from companion.game.table import Table
from companion.game.turn_order import on_roll
from companion.records.dice_stats import (
    Tally,
    chi_square,
    faces_test,
    pairs_test,
    sentence,
    statistics,
    survival,
    tallies,
)
from companion.rules.board import ROLLS, Roll, Side
from companion.rules.family.profiles import FAMILY
from companion.rules.referee import Rest
from tests.support.script import Script
from tests.support.selfplay import began, played_match

SET = "XGID=-b----E-C---eE---c-e----B-:0:0:1:64:0:0:0:5:10"
"""The starting position, with 6-4 to play."""


@pytest.mark.parametrize(
    ("statistic", "degrees", "p"),
    [
        (3.841, 1, 0.05),
        (5.991, 2, 0.05),
        (11.070, 5, 0.05),
        (15.086, 5, 0.01),
        (31.410, 20, 0.05),
        (37.566, 20, 0.01),
        (0.0, 5, 1.0),
        (0.0, 20, 1.0),
    ],
)
def test_the_tail_of_chi_square_is_that_of_the_tables(statistic, degrees, p):
    assert survival(statistic, degrees) == pytest.approx(p, abs=2e-5)


def test_a_test_on_counts():
    test = chi_square([10, 20, 30, 40, 50, 30], [1 / 6] * 6)
    assert test.statistic == pytest.approx(33.3333, abs=1e-3)
    assert (test.throws, test.degrees, test.needed) == (180, 5, 30)


def thrown(rng, count, loaded=False):
    tally = Tally()
    for _ in range(count):
        first = 6 if loaded and rng.random() < 0.3 else rng.randint(1, 6)
        tally.rolls[Roll.of(first, rng.randint(1, 6))] += 1
    return tally


def test_fair_dice_pass_and_loaded_dice_do_not():
    rng = random.Random(6)
    alarms = sum((faces_test(thrown(rng, 200)).p or 1) < 0.05 for _ in range(200))
    assert 2 <= alarms <= 20
    assert faces_test(thrown(rng, 300, loaded=True)).p < 0.01
    assert pairs_test(thrown(rng, 2000)).p > 0.001


def test_too_small_a_sample_is_not_judged():
    few = thrown(random.Random(1), 100)
    assert pairs_test(few).p is None
    assert "too few" in sentence(pairs_test(few), "Rolls")
    assert pairs_test(few).needed == 180


def test_the_sentences_never_accuse():
    loaded = sentence(faces_test(thrown(random.Random(2), 400, loaded=True)), "Single dice")
    assert "says nothing about who" in loaded
    fair = sentence(faces_test(thrown(random.Random(3), 400)), "Single dice")
    assert "does not prove them fair" in fair


def test_a_tally_of_nothing_is_told_without_fault():
    told = statistics({})
    assert told["all"]["rolls"] == 0
    assert told["all"]["cocked_share"] is None
    assert set(told["all"]["pairs"]) == {f"{roll.high}-{roll.low}" for roll in ROLLS}


def counted(script):
    return statistics(tallies([script.table]))["players"]["North"]


def test_a_roll_before_or_out_of_its_turn_is_not_cocked():
    early = Script().ready().roll(3, 1).play("8/5 6/5").thrown(6, 4, by=Side.NORTH)
    assert early.reasons == {"premature"}
    wrong = Script().ready().roll(6, 2, side="north")
    assert wrong.reasons == {"wrong_player"}
    for script in (early, wrong):
        assert (counted(script)["cocked"], counted(script)["cocked_share"]) == (0, None)


def test_of_a_cocked_and_an_early_roll_one_is_cocked():
    script = Script().ready().roll(3, 1).play("8/5 6/5").thrown(6, 4, by=Side.NORTH).do("done")
    script.thrown(6, 4, by=Side.NORTH, rest=Rest.LEANING).roll(6, 4)
    assert (counted(script)["cocked"], counted(script)["rolls"], counted(script)["cocked_share"]) == (
        1,
        1,
        0.5,
    )


def openings(script):
    """The opening faces of each player, as they count."""
    found = tallies([script.table])
    return {name: {face: n for face, n in tally.opening.items() if n} for name, tally in found.items()}


def rolls(script):
    """All rolls that count, of both players."""
    return sorted(roll.text for tally in tallies([script.table]).values() for roll in tally.rolls.elements())


ONE_OPENING = {"South": {6: 1}, "North": {2: 1}}


@pytest.mark.parametrize(
    ("script", "faces"),
    [
        pytest.param(lambda: Script().opening(6, 2), ONE_OPENING, id="typed"),
        pytest.param(lambda: Script().opening_thrown(6, 2), ONE_OPENING, id="seen"),
        pytest.param(lambda: Script().opening(3, 1).opening(6, 2), ONE_OPENING, id="corrected at once"),
        pytest.param(lambda: Script().opening_thrown(3, 1).opening(6, 2), ONE_OPENING, id="seen, corrected"),
        pytest.param(
            lambda: Script().opening(3, 1).play("8/5 6/5").opening(6, 2),
            ONE_OPENING,
            id="corrected after its play",
        ),
        pytest.param(
            lambda: Script().opening(3, 1).do("amend", event=2, to={"south": 6, "north": 2}),
            ONE_OPENING,
            id="corrected by the director",
        ),
        pytest.param(
            lambda: Script().opening_thrown(3, 1).do("rule", ruling="cocked").opening(6, 2),
            ONE_OPENING,
            id="overruled",
        ),
        pytest.param(lambda: Script().opening(3, 1).do("undo").opening(6, 2), ONE_OPENING, id="undone"),
        pytest.param(
            lambda: Script().do("opening", south=5).do("opening", south=6).do("opening", north=2),
            ONE_OPENING,
            id="one die after the other",
        ),
        pytest.param(lambda: Script().roll(6, 2, side="south"), ONE_OPENING, id="typed as a roll"),
        pytest.param(
            lambda: Script().opening(4, 4).opening(6, 2),
            {"South": {4: 1, 6: 1}, "North": {4: 1, 2: 1}},
            id="equal dice first",
        ),
        pytest.param(
            lambda: Script().opening_thrown(4, 4).opening_thrown(6, 2),
            {"South": {4: 1, 6: 1}, "North": {4: 1, 2: 1}},
            id="equal dice first, seen",
        ),
        pytest.param(
            lambda: Script().opening_thrown(4, 4).do("rule", ruling="cocked").opening(6, 2),
            ONE_OPENING,
            id="equal dice overruled",
        ),
    ],
)
def test_opening_dice_count_as_they_were_ruled_last(script, faces):
    assert openings(script()) == faces


def test_opening_dice_of_each_game_count():
    script = Script().opening(6, 2).do("resign").do("accept").do("next_game").opening(6, 2)
    assert openings(script) == {"South": {6: 2}, "North": {2: 2}}


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        pytest.param(
            lambda: Script().ready().roll(6, 4).do("set_position", xgid=SET),
            ["6-4"],
            id="set after the throw",
        ),
        pytest.param(lambda: Script().do("set_position", xgid=SET), [], id="set"),
        pytest.param(
            lambda: Script().do("set_position", xgid=SET).do("rule", dice=[5, 4]), [], id="set and overruled"
        ),
        pytest.param(
            lambda: Script().do("set_position", xgid=SET).play("24/14").do("done").turn(2, 1, "13/10"),
            ["2-1"],
            id="set and played on",
        ),
        pytest.param(lambda: Script().ready().roll(6, 4).do("rule", dice=[6, 3]), ["6-3"], id="overruled"),
        pytest.param(
            lambda: Script().ready().turn(3, 1, "8/5 6/5").roll(6, 4).do("undo"), ["3-1"], id="undone"
        ),
        pytest.param(
            lambda: (
                Script().ready().turn(3, 1, "8/5 6/5").roll(6, 4).do("undo").do("undo").do("undo").do("undo")
            ),
            [],
            id="all undone",
        ),
        pytest.param(
            lambda: (
                Script()
                .ready()
                .roll(3, 1)
                .play("13/7", made=True)
                .do("lift")
                .roll(6, 4)
                .do("undo")
                .do("correct")
            ),
            ["3-1"],
            id="play taken back",
        ),
        pytest.param(
            lambda: Script().ready().roll(3, 1).do("lift").thrown(6, 4, by=Side.NORTH).play("8/5 6/5"),
            ["3-1", "6-4"],
            id="a roll that waited",
        ),
        pytest.param(
            lambda: (
                Script(premature_roll="stands")
                .ready()
                .roll(3, 1)
                .play("8/5 6/5")
                .thrown(6, 4, by=Side.NORTH)
                .do("done")
            ),
            ["3-1", "6-4"],
            id="an early roll that stands",
        ),
    ],
)
def test_each_roll_counts_once_and_one_of_a_set_position_not_at_all(script, expected):
    assert rolls(script()) == expected


def test_a_roll_amended_to_cocked_or_thrown_by_hand_is_no_roll():
    cocked = Script().ready().roll(6, 4)
    cocked.do("amend", event=3, to={"dice": [6, 4], "void": "cocked"}).roll(3, 1)
    found = statistics(tallies([cocked.table]))["players"]["South"]
    assert (found["rolls"], found["cocked"], found["pairs"]["6-4"], found["pairs"]["3-1"]) == (1, 1, 0, 1)
    by_hand = Script().ready().roll(6, 4).do("rule", void="by_hand").roll(3, 1)
    found = statistics(tallies([by_hand.table]))["players"]["South"]
    assert (found["rolls"], found["cocked"], found["pairs"]["6-4"]) == (1, 0, 0)


def test_an_opening_amended_to_cocked_has_no_dice_that_count():
    script = Script().opening(4, 4).opening(3, 1)
    script.do("amend", event=3, to={"south": 3, "north": 1, "void": "cocked"}).opening(6, 5)
    assert openings(script) == {"South": {4: 1, 6: 1}, "North": {4: 1, 5: 1}}


@pytest.mark.parametrize("profile", ["portes", *FAMILY])
def test_what_was_thrown_and_nothing_else_is_counted_in_each_game_of_the_family(profile: str) -> None:
    """Neither what a doublet runs on to, nor a named doublet or a complement is a throw."""
    table, thrown = Table(), defaultdict(Counter)
    for event in played_match(random.Random(5), began(1, profile), cube=0):
        if isinstance(event, RollTyped):
            thrown[table.state.name(on_roll(table.state))][event.roll] += 1
        table = step(table, event).table
    assert len(thrown) == 2
    assert {name: +tally.rolls for name, tally in tallies([table]).items()} == dict(thrown)
