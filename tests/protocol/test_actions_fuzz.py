"""Whatever stands in an action: an event, or a sentence; never a crash."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import GameError
from companion.game.events import (
    Answer,
    DirectorCalled,
    DoubleAnswered,
    DoubleOffered,
    NextGame,
    OpeningThrown,
    PenaltyGiven,
    PlayEntered,
    ResignationAnswered,
    Resigned,
    RollTyped,
    TurnEnded,
)
from companion.game.state_machine import step
from companion.game.table import Table
from companion.protocol.permissions import Asker
from companion.records.rows import event_in, text_of
from companion.rules.board import Roll, Side
from tests.support.often import TIMES
from tests.support.script import event_from
from tests.support.selfplay import began

ABSURD = st.sampled_from([-(2**63), 2**31, 10**20, 2**14284, 1e308, -0.0, "\ud800", "\0", "0" * 5000])
JSON = st.recursive(
    st.one_of(
        *(st.none(), st.booleans(), st.integers(-5, 30), st.floats(allow_nan=False), st.text(max_size=5)),
        ABSURD,
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(
            st.sampled_from(["south", "north", "value", "owner", "home", "to", "type", "x"]),
            inner,
            max_size=3,
        ),
    ),
    max_leaves=6,
)
WORDS = """
new_match opening roll rule play undo done lift double take pass beaver raccoon resign accept refuse condone correct
set_position next_game clock settings call_director revoke resume
"""
NAMES = """
dice south north side moves text result made ruling penalty worth points pos on_roll cube score crawford xgid gnubgid
wrong_start players length profile overrides orientation swap_seats order south_ms north_ms why over question void
"""
TYPES, FIELDS = WORDS.split(), NAMES.split()
ACTS = st.builds(
    lambda kind, fields: {"type": kind, **fields},
    st.sampled_from(TYPES),
    st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=3),
)
AMENDS = st.builds(
    lambda event, to: {"type": "amend", "event": event, "to": to}, st.integers(0, 6), st.one_of(JSON, ACTS)
)


def tables():
    table = step(Table(), began(5)).table
    yield table
    for event in (
        OpeningThrown((3,), (1,)),
        PlayEntered(((8, 5), (6, 5))),
        TurnEnded(),
        RollTyped(Roll(6, 4)),
        PlayEntered(((13, 7), (8, 3)), made=True),
        TurnEnded(),
        DoubleOffered(),
        DoubleAnswered(Answer.TAKE),
        DirectorCalled(),
        DirectorCalled(over=True),
        Resigned(Side.SOUTH, 2),
        ResignationAnswered(True),
        NextGame(),
        PenaltyGiven(Side.SOUTH, 5),
    ):
        table = step(table, event).table
        yield table


TABLES = [Table(), *tables()]


@pytest.mark.parametrize("at", range(len(TABLES)))
@settings(deadline=None, max_examples=60 * TIMES)
@given(act=st.one_of(ACTS, AMENDS, JSON.map(lambda value: {"type": value})))
def test_an_action_is_an_event_or_a_sentence(at, act):
    table = TABLES[at]
    refusal = "."
    try:
        event = event_from(act, table, Asker("director", at_ms=1))
        assert event_in(text_of(event)) == event
        after = step(table, event).table
        assert after.state is not None
    except GameError as error:
        refusal = str(error)
    assert refusal.endswith((".", "?"))
    assert "Traceback" not in refusal
