"""Events to rows and back, and what the chain notices."""

import dataclasses
import json
import random
from typing import get_args

import pytest

from companion.game import events as ev
from companion.records.rows import (
    GENESIS,
    BadRecordError,
    Row,
    event_from,
    event_in,
    event_of,
    problems_of,
    row_of,
    text_of,
)
from companion.rules.board import Roll, Side
from companion.rules.referee import DieAtRest, Half, Rest
from tests.support.selfplay import began, played_match

START = tuple(5 if n in (6, 13) else 3 if n == 8 else 2 if n == 24 else 0 for n in range(26))
ONE_OF_EACH = [
    began(7, at_ms=1_700_000_000_000, south="Ünal “Ü”", north="山田"),
    ev.OpeningThrown((3,), (), at_ms=1, by="scorekeeper"),
    ev.Thrown(
        (DieAtRest(6, Rest.FLAT, Half.LEFT, 1.5), DieAtRest(None, None, None, None)),
        doubt=True,
        evidence=ev.Evidence("a.jpg", "f" * 64, (1280, 720), ((1, 2.5, 3, 4), (5, 6, 7, 8)), (0.5, 1)),
        by="camera",
    ),
    ev.RollTyped(Roll(6, 4), Side.NORTH),
    ev.Overruled(None),
    ev.Overruled(Roll(2, 2)),
    ev.Lifted(),
    ev.TurnEnded(Side.SOUTH),
    ev.PlayEntered(((8, 5), (6, 5))),
    ev.PlayEntered(mine=START, theirs=START, made=True),
    ev.DoubletNamed(6, at_ms=1, by="scorekeeper"),
    ev.DoubleOffered(),
    ev.DoubleAnswered(ev.Answer.BEAVER, Side.NORTH),
    ev.Resigned(Side.SOUTH, 3),
    ev.Resigned(Side.SOUTH, 1, 2),
    ev.ResignationAnswered(True),
    ev.DisputeAnswered(ev.Remedy.CONDONE, Side.NORTH),
    ev.WrongStartFound(START, START),
    ev.Undone(),
    ev.Undone(7),
    ev.Undone(past_calls=True),
    ev.PositionSet(START, START, Side.NORTH, 2, "middle", 3, 4, False),
    ev.NextGame(True, ev.Orientation("left", "dark")),
    ev.PenaltyGiven(Side.NORTH, 1, "late"),
    ev.ClockSet(ev.ClockOrder.SET, 1, None, "break"),
    ev.TimeRanOut(Side.SOUTH),
    ev.SettingsChanged((ev.Setting("cube", False), ev.Setting("clock_stops_for", ("dispute",)))),
    ev.DirectorCalled(Side.NORTH),
    ev.Amended(3, ev.RollTyped(Roll(5, 4)), "misread"),
    ev.Amended(9, ev.PlayEntered(((8, 5),), made=True)),
]


def chained(events, match_id="m1"):
    rows, previous = [], GENESIS
    for number, event in enumerate(events, 1):
        rows.append(row_of(event, match_id, number, previous))
        previous = rows[-1].digest
    return rows


def test_the_examples_hold_every_kind_of_event():
    assert {type(event) for event in ONE_OF_EACH} == set(get_args(ev.AnyEvent))


@pytest.mark.parametrize("event", ONE_OF_EACH, ids=lambda event: type(event).__name__)
def test_an_event_is_read_back_as_it_was(event):
    assert event_in(text_of(event)) == event
    assert event_of(row_of(event, "m1", 1, GENESIS)) == event


def test_whole_matches_are_read_back():
    events = list(played_match(random.Random(5), began(5)))
    assert [event_of(row) for row in chained(events)] == events
    assert problems_of(chained(events)) == []


@pytest.mark.parametrize(
    "data",
    [
        pytest.param([], id="a list"),
        pytest.param({}, id="nothing"),
        pytest.param({"event": "Thing"}, id="an unknown kind"),
        pytest.param({"event": ["Undone"]}, id="a list for a kind"),
        pytest.param({"event": "Undone", "at_ms": "1"}, id="text for a number"),
        pytest.param({"event": "Undone", "at_ms": True}, id="truth for a number"),
        pytest.param({"event": "Undone", "extra": 1}, id="an unknown field"),
        pytest.param({"event": "Undone", "": 1}, id="a field without a name"),
        pytest.param(
            {"event": "Thrown", "dice": [{"face": 1, "rest": "flat"}, {"face": 2, "extra": 1}]},
            id="an unknown field inside a list",
        ),
        pytest.param({"event": "NextGame", "orientation": {"x": 1}}, id="an unknown field inside"),
        pytest.param({"event": "Undone", "\ud800": 1}, id="half a character for a field"),
        pytest.param({"event": "TurnEnded", "side": "\ud800"}, id="half a character for a side"),
        pytest.param({"event": "PenaltyGiven", "side": "south", "points": 1.0}, id="a fraction for a count"),
        pytest.param({"event": "RollTyped"}, id="a field missing"),
        pytest.param({"event": "RollTyped", "roll": [7, 1]}, id="a die of seven"),
        pytest.param({"event": "RollTyped", "roll": [6]}, id="half a roll"),
        pytest.param({"event": "TurnEnded", "side": "east"}, id="no such side"),
        pytest.param(
            {"event": "Amended", "number": 1, "to": {"event": "Amended"}}, id="amending an amendment"
        ),
        pytest.param(
            {
                "event": "Amended",
                "number": 1,
                "to": {"event": "Amended", "number": 1, "to": {"event": "Undone"}},
            },
            id="amending a whole amendment",
        ),
        pytest.param({"event": "Amended", "number": 1}, id="an amendment to nothing"),
        pytest.param(
            {"event": "Amended", "number": 1, "to": {"event": "Undone"}, "x": 1},
            id="an unknown field of an amendment",
        ),
    ],
)
def test_what_is_not_exactly_an_event_is_refused(data):
    with pytest.raises(BadRecordError):
        event_from(data)
    with pytest.raises(BadRecordError):
        event_in("{" if data == [] else json.dumps(data))


def test_every_change_of_what_a_row_says_is_noticed():
    rows = chained(ONE_OF_EACH)
    for at, row in enumerate(rows):
        for field in dataclasses.fields(row):
            value = getattr(row, field.name)
            changed = value + 1 if isinstance(value, int) else "x" + value[1:]
            altered = [*rows[:at], dataclasses.replace(row, **{field.name: changed}), *rows[at + 1 :]]
            assert problems_of(altered), (row.number, field.name)


@pytest.mark.parametrize(
    "kind", [bytes, lambda text: None, lambda text: 1.5], ids=["bytes", "nothing", "float"]
)
@pytest.mark.parametrize("name", [field.name for field in dataclasses.fields(Row)])
def test_a_column_of_another_kind_is_an_altered_row(name, kind):
    rows = chained(ONE_OF_EACH[:3])
    value = getattr(rows[1], name)
    damaged = dataclasses.replace(rows[1], **{name: kind(str(value).encode())})
    found = problems_of([rows[0], damaged, rows[2]])
    assert ("altered" in found[0]) or name == "number"
    with pytest.raises(BadRecordError, match="damaged"):
        event_of(damaged)


def test_a_missing_row_a_swap_and_a_cut_tail_are_noticed():
    rows = chained(ONE_OF_EACH)
    for at in range(len(rows) - 1):
        assert problems_of([*rows[:at], *rows[at + 1 :]])
    assert problems_of([rows[1], rows[0], *rows[2:]])
    assert problems_of(rows[:-1]) == []
    assert problems_of(rows[:-1], head=rows[-1].digest)
    assert problems_of(rows, head=rows[-1].digest) == []
    assert problems_of(rows, head=rows[3].digest) == [
        f"The head given belongs to event 4: {len(rows) - 4} more follow."
    ]


def test_a_row_rewritten_with_its_digest_breaks_the_next_link():
    rows = chained(ONE_OF_EACH)
    forged = row_of(ev.RollTyped(Roll(6, 6), Side.NORTH), "m1", 4, rows[2].digest)
    assert problems_of([*rows[:3], forged, *rows[4:]]) == ["Event 5 does not follow the one before it."]
