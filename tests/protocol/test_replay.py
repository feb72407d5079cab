"""Replay: every step of random matches follows from the one before, and each turn is found by its number."""

import random

import pytest

from companion.game.events import Amended, OpeningThrown, Undone
from companion.protocol.match_summary import match_summary
from companion.protocol.replay import course_of, graded_turns, replay_of
from tests.support.selfplay import began, played_match, with_illegal_plays


def carried(board, side: str, moves) -> list[int]:
    """South's view of the points after moves, in the mover's numbering; hits are left to the caller's positions."""
    points = list(board["points"])
    sign = 1 if side == "south" else -1
    for source, target in moves:
        for place, change in ((source, -1), (target, 1)):
            if 1 <= place <= 24:
                at = place - 1 if side == "south" else 24 - place
                if change > 0 and points[at] * sign < 0:
                    points[at] = 0  # a blot that is hit
                points[at] += sign * change
    return points


@pytest.mark.parametrize("seed", range(8))
def test_moves_lead_from_the_roll_to_the_position_after_it(seed: int) -> None:
    replay = replay_of(course_of(played_match(random.Random(seed), began(5))))
    steps = replay["steps"]
    rolled = [(at, step) for at, step in enumerate(steps) if step["phase"] == "rolled" and step["moves"]]
    assert rolled
    for at, step in rolled:
        assert steps[at + 1]["board"]["points"] == carried(step["board"], step["on_roll"], step["moves"])
    assert [step["n"] for step in steps] == sorted({step["n"] for step in steps})


@pytest.mark.parametrize("seed", range(8))
def test_each_legal_turn_of_a_match_with_illegal_plays_is_found_once(seed: int) -> None:
    table = with_illegal_plays(random.Random(seed), began(5))
    replay = replay_of(course_of(entry.event for entry in table.entries))
    found = {tuple(step["turn"]) for step in replay["steps"] if step["turn"]}
    assert table.state is not None
    every = {(game, at) for game, turns in graded_turns(table.state).items() for at in range(len(turns))}
    assert found <= every
    assert len(found) >= 0.9 * len(every)  # a position set by hand or a lost dispute may hide a roll


def test_undone_steps_are_left_out_and_corrected_ones_shown_as_corrected() -> None:
    events = [
        began(3),
        OpeningThrown((6,), (4,), at_ms=1),
        Undone(at_ms=2),
        OpeningThrown((5,), (4,), at_ms=3),
        Amended(4, OpeningThrown((6,), (1,), at_ms=3), at_ms=4),
    ]
    steps = replay_of(course_of(events))["steps"]
    assert [step["n"] for step in steps] == [1, 4, 5]
    assert steps[1]["roll"] == [6, 1]
    assert "corrected; was: opening: Ann 5, Bob 4" in steps[1]["text"]


def test_summary_shows_the_worst_plays_and_the_luckiest_roll() -> None:
    replay = replay_of(course_of(played_match(random.Random(1), began(3))))
    turns = [step["turn"] for step in replay["steps"] if step["phase"] == "rolled" and step["turn"]]
    plays = [
        {"turn": turn, "played": "a", "best": "b", "loss": 0.01 * at, "luck": -0.1 * at, "equity": 0.5}
        for at, turn in enumerate(turns)
    ]
    plays[1]["luck"] = 0.7
    found = match_summary(replay, plays)
    assert [one["step"]["turn"] for one in found["worst"]] == turns[:-4:-1]
    assert found["joker"] is not None
    assert found["joker"]["step"]["turn"] == turns[1]
    moments = [moment for game in found["swing"] for moment in game]
    sides = [step["on_roll"] for step in replay["steps"] if step["phase"] == "rolled" and step["turn"]]
    assert [moment["equity"] for moment in moments] == [0.5 if side == "south" else -0.5 for side in sides]


def test_steps_of_a_match_that_has_just_begun() -> None:
    replay = replay_of(course_of([began(7)]))
    assert [(step["phase"], step["roll"], step["turn"]) for step in replay["steps"]] == [
        ("opening", None, None)
    ]
