"""The event that each button makes at each moment, and the lamps."""

import random

import pytest

from companion.game.events import (
    Answer,
    DirectorCalled,
    DoubleAnswered,
    DoubleOffered,
    PlayEntered,
    TurnEnded,
)
from companion.game.state_machine import step
from companion.game.table import Table
from companion.protocol.lamps_and_buttons import (
    CAPTAIN_ONLY,
    TOO_EARLY,
    cube_question,
    event_of_button,
    event_of_press,
    lamps_of,
    lights_of,
)
from companion.protocol.shapes import Lamps
from companion.rules.board import Side
from companion.rules.family.profiles import FAMILY
from companion.rules.referee import Rest
from sentence import Sentence
from tests.support.script import Script
from tests.support.selfplay import began, moved_forward, played_match

SOUTH, NORTH = Side.SOUTH, Side.NORTH
TAKEN, PASSED = DoubleAnswered(Answer.TAKE, NORTH), DoubleAnswered(Answer.PASS, NORTH)


def rolled() -> Script:
    return Script().opening(3, 1)


def played() -> Script:
    return rolled().play("8/5 6/5")


def ready() -> Script:
    return Script().ready()


def disputed_and_doubled() -> Script:
    """North doubles while south's illegal play of the turn before is still open."""
    return rolled().play("8/3", made=True).do("done").do("double")


SITUATIONS = {
    "rolled": rolled,
    "played": played,
    "ready": ready,
    "doubled": lambda: ready().do("double"),
    "taken": lambda: ready().do("double").do("take"),
    "over with an owned cube": lambda: ready().do("double").do("take").do("resign", worth=1).do("accept"),
    "illegal play": lambda: rolled().play("8/3", made=True),
    "before the opening": Script,
    "game over": lambda: ready().do("double").do("pass"),
    "no cube": lambda: Script(cube=False).ready(),
    "closed out": lambda: Script(closed_out="need_not_roll", end_of_turn="clock_pressed").set(
        {25: 1, 6: 14}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 12: 3}
    ),
}


@pytest.mark.parametrize(
    ("situation", "side", "kind", "held", "event"),
    [
        ("played", SOUTH, "turn", False, TurnEnded(SOUTH)),
        ("rolled", SOUTH, "turn", False, TurnEnded(SOUTH)),
        ("played", NORTH, "turn", False, None),
        ("ready", SOUTH, "turn", False, None),
        ("closed out", SOUTH, "turn", False, TurnEnded(SOUTH)),
        ("before the opening", SOUTH, "turn", False, None),
        ("doubled", SOUTH, "turn", False, None),
        ("illegal play", SOUTH, "turn", False, TurnEnded(SOUTH)),
        ("illegal play", NORTH, "turn", False, None),
        ("game over", SOUTH, "turn", False, None),
        ("ready", SOUTH, "cube", False, DoubleOffered(SOUTH)),
        ("ready", SOUTH, "cube", True, None),
        ("ready", NORTH, "cube", False, None),
        ("no cube", SOUTH, "cube", False, None),
        ("rolled", SOUTH, "cube", False, None),
        ("doubled", NORTH, "cube", False, TAKEN),
        ("doubled", NORTH, "cube", True, PASSED),
        ("doubled", SOUTH, "cube", False, None),
        ("doubled", SOUTH, "cube", True, None),
        ("taken", SOUTH, "cube", False, None),
        ("before the opening", None, "director", False, DirectorCalled()),
        ("rolled", None, "director", True, DirectorCalled()),
    ],
)
def test_press_means(situation, side, kind, held, event) -> None:
    assert event_of_press(SITUATIONS[situation]().state, side, kind, held) == event


@pytest.mark.parametrize(("side", "kind"), [(SOUTH, "turn"), (NORTH, "cube")])
def test_button_without_a_match_means_nothing(side, kind) -> None:
    assert event_of_press(None, side, kind, False) is None


def test_event_of_a_press_is_taken_by_the_table() -> None:
    """A double that is offered while an illegal play is open can be answered by its button."""
    script = disputed_and_doubled()
    assert (script.phase, script.view["asked"]) == ("doubled", "south")
    event = event_of_press(script.state, SOUTH, "cube", False)
    assert event == DoubleAnswered(Answer.TAKE, SOUTH)
    assert script.take(event).state.cube.value == 2


def lit(lamps: Lamps) -> dict[str, object]:
    return {name: state for name, state in lamps.items() if state != "off"}


@pytest.mark.parametrize(
    ("situation", "camera", "burning"),
    [
        ("ready", "live", {"south_turn": "on"}),
        ("doubled", "live", {"north_turn": "on", "cube_north": "blink"}),
        ("taken", "live", {"south_turn": "on", "cube_north": "on"}),
        ("over with an owned cube", "live", {}),
        ("illegal play", "live", {"north_turn": "on", "look": "blink"}),
        ("ready", "lost", {"south_turn": "on", "look": "blink"}),
        ("illegal play", "lost", {"north_turn": "on", "look": "blink"}),
    ],
)
def test_lamps(situation, camera, burning) -> None:
    assert lit(lamps_of(SITUATIONS[situation]().state, camera)) == burning


def test_lost_camera_lights_a_lamp_without_a_match() -> None:
    assert lit(lamps_of(None, "lost")) == {"look": "blink"}
    assert lit(lamps_of(None)) == {}


@pytest.mark.parametrize(("since_s", "is_early"), [(9.9, True), (10.0, False)])
def test_press_of_the_cube_from_before_the_question_is_too_early(since_s: float, is_early: bool) -> None:
    for situation, button in (("ready", "south_cube"), ("doubled", "north_cube")):
        state = SITUATIONS[situation]().state
        assert cube_question(state) is not None
        found = event_of_button(state, button, held=False, since_s=since_s, asked_s=10.0)
        assert (found == TOO_EARLY) == is_early
        assert found is not None


def test_press_of_another_button_is_never_too_early() -> None:
    found = event_of_button(SITUATIONS["ready"]().state, "director", held=False, since_s=0.0, asked_s=10.0)
    assert found == DirectorCalled()


@pytest.mark.parametrize(
    ("situation", "south", "north"),
    [
        ("before the opening", "turn", "turn"),
        ("ready", "turn", None),
        ("rolled", "roll", None),
        ("played", "roll", None),
        ("doubled", None, "cube"),
        ("taken", "turn", None),
        ("illegal play", "unread", "unread"),
        ("game over", "winner", None),
    ],
)
def test_lights_of_each_half(situation: str, south: str | None, north: str | None) -> None:
    lights = lights_of(SITUATIONS[situation]().state)
    assert (lights.get(SOUTH), lights.get(NORTH)) == (south, north)


def test_lights_without_a_match() -> None:
    assert lights_of(None) == {}


def test_lights_of_a_throw_that_does_not_count_and_of_one_that_is_not_read() -> None:
    cocked = ready().thrown(6, 4, rest=Rest.ON_CHECKER)
    assert lights_of(cocked.state) == {SOUTH: "cocked"}
    unread = ready().thrown(6, None)
    assert lights_of(unread.state) == {SOUTH: "unread", NORTH: "unread"}


def test_lights_while_a_play_is_owed_are_the_next_sides() -> None:
    assert lights_of(rolled().do("done").state) == {NORTH: "turn"}


def test_lights_of_a_game_that_nobody_won() -> None:
    settled = ready().do("resign", points=0, side="south").do("accept")
    assert lights_of(settled.state) == {}


def chouette() -> Script:
    """Four players; the team is on roll after Ann's, the box's, first play."""
    script = Script()
    script.do("new_match", chouette=["Ann", "Bob", "Cem", "Dora"])
    return script.opening(3, 1).play("8/5 6/5").do("done")


def pressed(script: Script, side: Side, held: bool = False) -> Script | Sentence | None:
    """The table after a press of a cube button, or what is said instead."""
    event = event_of_press(script.state, side, "cube", held)
    return event if event is None or isinstance(event, Sentence) else script.take(event)


def test_cube_button_of_a_team_is_the_captains_and_its_lamp_everybodys() -> None:
    script = chouette().turn(6, 2, "24/18 13/11").do("double")
    assert lamps_of(script.state)["cube_north"] == "blink"
    pressed(script, NORTH)
    assert script.state.chouette.awaited == ("Cem", "Dora")
    assert script.state.chouette.stakes["Bob"].cube == 2
    assert pressed(script, NORTH, held=True) == CAPTAIN_ONLY
    assert lamps_of(script.state)["cube_north"] == "blink", "two partners have to answer"
    script.do("pass", partner="Cem")
    assert pressed(script, NORTH) == CAPTAIN_ONLY, "also for the last one"
    script.do("take", partner="Dora")
    assert lamps_of(script.state)["cube_north"] == "on"


def test_captain_doubles_by_his_button_for_himself_and_the_box_answers_all() -> None:
    script = chouette()
    pressed(script, NORTH)
    assert script.state.chouette.awaited == ("Bob",)
    script.do("take", partner="Bob")
    assert pressed(script, NORTH) == CAPTAIN_ONLY, "his cube is the box's now"
    script.do("double", partners=["Cem", "Dora"])
    pressed(script, SOUTH)
    assert [script.state.chouette.stakes[name].cube for name in ("Cem", "Dora")] == [2, 2]


@pytest.mark.parametrize("profile", ["portes", *FAMILY])
def test_lamp_light_and_turn_button_are_of_the_side_whose_checkers_move_in_each_game_of_the_family(
    profile: str,
) -> None:
    table, moved, ended = Table(), set(), set()
    for event in played_match(random.Random(22), began(1, profile), cube=0):
        before, table = table.state, step(table, event).table
        if isinstance(event, PlayEntered) and (side := moved_forward(before.board, table.state.board)):
            moved.add(side)
            assert lit(lamps_of(before)) == {f"{side.value}_turn": "on", "valid": "on"}
            assert lights_of(before) == {side: "roll"}
        if isinstance(event, TurnEnded):
            (side,) = (one for one in Side if lamps_of(before)[f"{one.value}_turn"] == "on")
            ended.add(side)
            assert event_of_press(before, side, "turn", False) == TurnEnded(side)
            assert event_of_press(before, side.other, "turn", False) is None
        if before is not None:
            assert not any(event_of_press(before, one, "cube", False) for one in Side), "there is no cube"
    assert moved == ended == {*Side}
    assert lights_of(table.state) == {table.state.phase.winner: "winner"}
    assert not {"south_turn", "north_turn"} & lit(lamps_of(table.state)).keys()
