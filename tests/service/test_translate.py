"""Leaf words to game words and back."""

from dataclasses import replace

import numpy as np
import pytest

from companion.camera.recorded import Awaited
from companion.game.events import Evidence, Lifted, Thrown
from companion.game.state_machine import step
from companion.game.table import Table
from companion.protocol.lamps_and_buttons import lamps_of
from companion.protocol.permissions import Asker
from companion.protocol.view import ServiceStatus
from companion.records.rows import event_in, text_of
from companion.rules.board import Side
from companion.rules.referee import DieAtRest, Half, Rest
from companion.service.translate import asker_of, awaited_of, dice_at_rest, seen_of, state_of
from tests.support.published import faults
from tests.support.script import event_from
from tests.support.selfplay import began
from vision.dice.reading import DiceReading, DieReading
from vision.frame import Frame
from vision.watch.watcher import LiftedSeen, ThrowSeen
from web.roles import Role, Visitor

KEEPER = Visitor(Role.SCOREKEEPER)
READING = DiceReading(
    (
        DieReading(6, 0.99, (1, 2, 3, 4), (2, 3), (10.0, 20.0), 1.0, "flat", "left"),
        DieReading(None, 0.4, (5, 6, 7, 8), (6, 7)),
    ),
    doubt=True,
    board_found=True,
)


def told(table, kind, **more):
    return step(table, event_from({"type": kind, **more}, table, Asker("scorekeeper", at_ms=1000))).table


def frame():
    return Frame(np.zeros((720, 1280, 3), np.uint8), 0.0, 0)


def test_a_reading_becomes_dice_that_lie():
    assert dice_at_rest(READING) == (
        DieAtRest(6, Rest.FLAT, Half.LEFT, 1.0),
        DieAtRest(None, None, None, None),
    )


def test_what_was_seen_becomes_an_event_with_its_evidence():
    event = seen_of(ThrowSeen(READING, frame()), Evidence("a.jpg", "f" * 64), 7)
    assert isinstance(event, Thrown)
    assert (event.dice, event.doubt, event.board_found, event.at_ms, event.by) == (
        dice_at_rest(READING),
        True,
        True,
        7,
        "camera",
    )
    assert event.evidence == Evidence(
        "a.jpg", "f" * 64, (1280, 720), ((1, 2, 3, 4), (5, 6, 7, 8)), (0.99, 0.4)
    )
    assert seen_of(LiftedSeen(frame()), Evidence(), 8) == Lifted(at_ms=8, by="camera")


def scenes():
    """Tables in every phase, by name."""
    table = Table()
    yield "no match", table
    table = told(table, "new_match", length=3, players={"south": "Ann", "north": "Bob"})
    yield "opening", table
    table = step(table, seen_of(ThrowSeen(READING, frame()), Evidence("a.jpg"), 7)).table
    yield "unread", table
    table = told(table, "opening", south=4, north=2)
    yield "rolled", table
    half = told(table, "play", moves=[[8, 4]])
    yield "half made", half
    yield "owed", told(half, "lift")
    yield "illegal", told(table, "play", text="8/3", made=True)
    table = told(table, "play", text="8/4 6/4")
    yield "played", table
    table = told(table, "done")
    yield "on roll", table
    yield "resigning", told(table, "resign", worth=1)
    doubled = told(table, "double")
    yield "doubled", doubled
    table = told(doubled, "pass")
    yield "game over", table
    table = told(table, "next_game")
    table = told(table, "set_position", score={"south": 2})
    table = told(table, "opening", south=4, north=2)
    yield "match over", told(told(table, "resign", worth=1, side="north"), "accept")


SCENES = dict(scenes())


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("visitor", [KEEPER, Visitor(Role.VIEWER), Visitor(Role.PLAYER, "north")])
def test_the_state_has_the_shape_that_the_document_promises(name, visitor):
    state = state_of(SCENES[name], ServiceStatus(3), visitor)
    assert faults(state) == []
    assert (state["seq"], state["durable"], state["camera"]["state"]) == (3, True, "none")


@pytest.mark.parametrize(
    ("name", "awaited"),
    [
        ("no match", Awaited()),
        ("opening", Awaited("opening")),
        ("unread", Awaited("opening", None, "unread")),
        ("rolled", Awaited(None, None, "valid", busy=True)),
        ("on roll", Awaited("turn", "north", "valid", may_double=True)),
        ("doubled", Awaited(None, None, "valid")),
        ("owed", Awaited(None, None, "valid", owed=True)),
        ("game over", Awaited(None, None, "valid", over=True)),
        ("match over", Awaited(None, None, "valid", over=True)),
    ],
)
def test_recorded_throws_are_chosen_by_what_the_table_awaits(name, awaited):
    assert awaited_of(SCENES[name]) == awaited


def test_the_entry_game_awaits_both_dice_of_one_side_for_the_start():
    table = step(Table(), began(profile="spielestart")).table
    assert awaited_of(table) == Awaited("turn", "south")


@pytest.mark.parametrize(
    ("name", "lit"),
    [
        ("no match", {}),
        ("opening", {}),
        ("unread", {"look": "on"}),
        ("rolled", {"south_turn": "on", "valid": "on"}),
        ("owed", {"north_turn": "on", "valid": "on", "look": "on"}),
        ("illegal", {"north_turn": "on", "look": "blink"}),
        ("on roll", {"north_turn": "on"}),
        ("doubled", {"south_turn": "on", "cube_south": "blink"}),
    ],
)
def test_the_lamps_tell_whose_turn_and_what_became_of_the_throw(name, lit):
    burning = {lamp: how for lamp, how in lamps_of(SCENES[name].state).items() if how != "off"}
    assert burning == lit


def test_a_players_seat_is_his_side():
    player = asker_of(Visitor(Role.PLAYER, "south"), 5)
    assert (player.role, player.seat, player.at_ms) == ("player", Side.SOUTH, 5)
    event = event_from({"type": "take"}, told(SCENES["on roll"], "double"), player)
    assert (event.side, event.by) == (Side.SOUTH, "player south")


def test_the_record_and_the_page_have_the_chances_of_a_die_that_was_not_read_and_of_no_other() -> None:
    chances = (0.1, 0.0, 0.62345, 0.1, 0.1, 0.07655)
    sure, open_ = READING.dice
    reading = replace(
        READING, dice=(replace(sure, chances=(0.0,) * 5 + (1.0,)), replace(open_, chances=chances))
    )
    event = seen_of(ThrowSeen(reading, frame()), Evidence("a.jpg", "f" * 64), 7)
    assert isinstance(event, Thrown)
    assert event.evidence.chances == ((), (0.1, 0.0, 0.623, 0.1, 0.1, 0.077))
    assert event_in(text_of(event)) == event
    view = state_of(step(told(Table(), "new_match"), event).table, ServiceStatus(), KEEPER)
    assert faults(view) == []
    assert view["throw"] is not None
    assert [die["chances"] for die in view["throw"]["dice"]] == [None, [0.1, 0.0, 0.623, 0.1, 0.1, 0.077]]
    assert (view["ruling"], view["roll"]) == ("unread", None), "it is asked all the same"


def test_events_without_chances_are_spelled_as_before_there_were_any() -> None:
    event = seen_of(ThrowSeen(READING, frame()), Evidence("a.jpg", "f" * 64), 7)
    assert "chances" not in text_of(event)
    assert event_in(text_of(event)) == event
