"""The list of transitions: one for each event, and the right one."""

import typing

import pytest

from companion.game.events import ClockSet, MatchBegan, PlainEvent, Undone
from companion.game.transitions import TRANSITIONS


def test_each_event_of_the_game_has_a_transition():
    assert set(TRANSITIONS) == set(typing.get_args(PlainEvent)) - {MatchBegan, ClockSet, Undone}


@pytest.mark.parametrize("kind", TRANSITIONS, ids=lambda kind: kind.__name__)
def test_transition_takes_its_event(kind):
    assert typing.get_type_hints(TRANSITIONS[kind])["event"] is kind
