"""The published shape of the state, and the states that there are."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game.events import ClockOrder, ClockSet, DirectorCalled, Evidence, Thrown
from companion.game.state_machine import step
from companion.game.table import Table
from companion.protocol.permissions import Asker
from companion.protocol.rules_menu import rules_menu
from companion.protocol.shapes import State, UsualMatch
from companion.protocol.view import ServiceStatus, camera_view, view_of
from companion.rules.board import Side
from companion.rules.family.profiles import ALL_PROFILES
from companion.rules.referee import DieAtRest, Half, Rest
from companion.service.health import Finding, Verdict
from sentence import say
from tests.support.published import components, faults
from tests.support.script import Script
from tests.support.selfplay import began, played_match, with_illegal_plays

ASKERS = (Asker("viewer"), Asker("player", Side.NORTH), Asker("scorekeeper"), Asker("director"))
AROUND = ServiceStatus(
    7,
    False,
    camera_view("lost", say("The camera is lost.")),
    [{"n": 1, "text": "Look here.", "say": {}, "level": "warn"}],
    "f" * 64,
    {"number": 5, "head": "f" * 64, "key": "e" * 64, "statement": "signed"},
    [Finding("heat", Verdict.UNKNOWN, say("It is warm.")).row()],
)


def wrong(table: Table) -> list[str]:
    return [fault for asker in ASKERS for fault in faults(view_of(table, asker, AROUND))]


@settings(max_examples=8, deadline=None)
@given(
    profile=st.sampled_from(sorted(ALL_PROFILES)),
    length=st.sampled_from([0, 1, 3]),
    seed=st.integers(0, 2**16),
    clock=st.booleans(),
)
def test_states_of_random_matches_are_as_published(profile: str, length: int, seed: int, clock: bool) -> None:
    rng, table = random.Random(seed), Table()
    changes = {"clock": "simple_delay"} if clock else {}
    events = list(played_match(rng, began(length, profile, **changes), games=2))
    looks = set(rng.sample(range(len(events)), min(6, len(events)))) | {0, len(events) - 1}
    for at, event in enumerate(events):
        table = step(table, event).table
        assert at not in looks or wrong(table) == []


@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**16))
def test_states_with_illegal_plays_are_as_published(seed: int) -> None:
    assert wrong(with_illegal_plays(random.Random(seed), began(1))) == []


def camera() -> Thrown:
    dice = (DieAtRest(6, Rest.FLAT, Half.LEFT, 0.5), DieAtRest(None, None, None, None))
    evidence = Evidence(
        "a.jpg", "f" * 64, (640, 480), ((1.0, 2.0, 3.0, 4.0), (5.0, 6.0, 7.0, 8.5)), (0.9, 0.4)
    )
    return Thrown(dice, doubt=True, evidence=evidence, by="camera")


SCENES = {
    "no match": lambda: Table(),
    "a throw that is not read": lambda: Script().ready().take(camera()).table,
    "half a play": lambda: Script().opening(3, 1).do("play", moves=[[8, 5]]).table,
    "an illegal play": lambda: Script().opening(3, 1).play("8/3", made=True).table,
    "a resignation": lambda: Script().ready().do("resign", worth=2).table,
    "a settlement": lambda: Script(length=0).ready().do("resign", points=2).table,
    "the clock, held": lambda: (
        Script(clock="simple_delay").ready().take(ClockSet(ClockOrder.STOP)).take(DirectorCalled()).table
    ),
    "a correction": lambda: (
        Script().opening(3, 1).play("8/5 6/5").do("amend", event=2, to={"south": 1, "north": 6}).table
    ),
    "a premature roll": lambda: (
        Script(premature_roll="opponent_chooses").opening(3, 1).do("roll", dice=[6, 5], side="north").table
    ),
}


@pytest.mark.parametrize("name", SCENES)
def test_scene_is_as_published(name: str) -> None:
    assert wrong(SCENES[name]()) == []


@pytest.mark.parametrize(
    ("component", "fields"),
    [
        ("State", set(State.__annotations__)),
        ("Making", {"moves", "text", "next", "complete", "refused", "restrictions"}),
        ("DieRead", {"value", "rest", "half", "tilt_deg", "confidence", "box", "chances"}),
        ("DisputeOpen", {"kind", "by", "text", "say", "roll", "answers"}),
        (
            "HistoryLine",
            {
                "n",
                "game",
                "turn",
                "side",
                "text",
                "say",
                "by",
                "question",
                "why",
                "picture",
                "corrected",
                "undone",
                "misfit",
                "action",
            },
        ),
        ("ResignationOpen", {"by", "worth", "counts", "points"}),
        ("ClockState", {"running", "south", "north", "at_ms", "held"}),
        ("LastPlay", {"side", "roll", "play"}),
    ],
)
def test_document_names_every_field(component: str, fields: set[str]) -> None:
    schema = components()[component]
    assert set(schema["properties"]) == set(schema["required"]) == fields


def test_validator_finds_what_is_not_promised() -> None:
    state = view_of(Table(), Asker())
    assert faults({**state, "seq": -1})
    assert faults({**state, "something": 1})
    assert faults({name: value for name, value in state.items() if name != "clock"})


def test_rules_are_as_published() -> None:
    usual: UsualMatch = {
        "profile": "modern",
        "length": 5,
        "players": {"south": "", "north": ""},
        "overrides": {"cube": False},
        "orientation": {"home": "right", "south": "light"},
    }
    assert faults(rules_menu(usual, None), "Rules") == []
    assert faults(rules_menu(usual, ALL_PROFILES["spielestart"]), "Rules") == []


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        pytest.param(lambda: Script().opening(3, 1), None, id="nothing yet"),
        pytest.param(
            lambda: Script().opening(3, 1).play("8/5 6/5").do("done"),
            {"side": "south", "roll": [3, 1], "play": "8/5 6/5"},
            id="a turn",
        ),
        pytest.param(
            lambda: Script().opening(3, 1).play("8/5 6/5").do("done").do("double"), None, id="a double since"
        ),
        pytest.param(
            lambda: Script().opening(3, 1).play("8/5 6/5").do("done").ready(), None, id="set up since"
        ),
        pytest.param(
            lambda: (
                Script()
                .set({25: 1, 6: 14}, {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 12: 3})
                .roll(6, 5)
                .do("done")
            ),
            {"side": "south", "roll": [6, 5], "play": ""},
            id="a dance",
        ),
    ],
)
def test_last_play(last, expected) -> None:
    assert last().view["last_play"] == expected


def test_last_play_is_taken_back_with_its_turn() -> None:
    script = Script().opening(3, 1).play("8/5 6/5").do("done").do("undo")
    assert script.view["last_play"] is None
