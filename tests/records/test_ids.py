"""GNU Position ID, Match ID and XGID: every vector in every direction, and what is no id."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import BadPositionError, BadTextError
from companion.records.ids import (
    fields_of,
    gnubgid,
    match_id,
    position_id,
    position_of_id,
    snapshot_of_gnubgid,
    snapshot_of_xgid,
    xgid,
)
from companion.records.snapshot import NOBODY, Snapshot, snapshot_of_fields
from companion.rules.board import Position
from tests.support.collection import read_rows
from tests.support.rules.strategies import any_position

FIELDS = (
    *("pos", "off", "dice", "match_length", "score", "crawford", "jacoby", "cube_value", "cube_owner"),
    *("player_on_roll", "turn", "doubled", "resigned", "gamestate"),
    *("position_id", "match_id", "gnubgid", "xgid"),
)
START = "4HPwATDgc/ABMA"


def test_all_vectors_from_their_fields(collection: Path) -> None:
    for vector in read_rows(collection / "oracle" / "ids_dev.jsonl"):
        fields = {name: vector[name] for name in FIELDS[:14]}
        found = fields_of(snapshot_of_fields(fields))
        assert {name: found[name] for name in FIELDS} == {name: vector[name] for name in FIELDS}


def test_all_vectors_from_their_xgid(collection: Path) -> None:
    for vector in read_rows(collection / "oracle" / "ids_dev.jsonl"):
        found = fields_of(snapshot_of_xgid(vector["xgid"]))
        assert {name: found[name] for name in FIELDS} == {name: vector[name] for name in FIELDS}


def test_all_vectors_from_their_gnubgid_which_does_not_say_which_die_came_first(collection: Path) -> None:
    for vector in read_rows(collection / "oracle" / "ids_dev.jsonl"):
        found = fields_of(snapshot_of_gnubgid(vector["gnubgid"]))
        high_first = sorted(vector["dice"], reverse=True)
        thrown, sorted_ = (":{}{}:".format(*dice) for dice in (vector["dice"], high_first))
        expected = {**vector, "dice": high_first, "xgid": vector["xgid"].replace(thrown, sorted_, 1)}
        assert {name: found[name] for name in FIELDS} == {name: expected[name] for name in FIELDS}


def test_all_vectors_of_doubles_takes_drops_and_resignations(collection: Path) -> None:
    for vector in read_rows(collection / "oracle" / "ids_extra_dev.jsonl"):
        one = snapshot_of_gnubgid(f"{vector['position_id']}:{vector['match_id']}")
        cube, info = vector["cubeinfo"], vector["posinfo"]
        assert one.position.ints() == vector["pos_mover_before"]
        assert one == Snapshot(
            one.position,
            player_on_roll=cube["move"],
            turn=info["turn"],
            dice=tuple(info["dice"]),
            cube_value=cube["cube"],
            cube_owner=cube["cubeowner"],
            match_length=cube["matchto"],
            score=tuple(cube["score"]),
            crawford=bool(cube["crawford"]),
            jacoby=bool(cube["jacoby"]),
            doubled=bool(info["doubled"]),
            resigned=info["resigned"],
            gamestate=info["gamestate"],
        )
        assert gnubgid(one) == f"{vector['position_id']}:{vector['match_id']}"
        assert snapshot_of_fields(fields_of(one)) == one


@st.composite
def snapshots(draw: st.DrawFn) -> Snapshot:
    on_roll, length = draw(st.integers(0, 1)), draw(st.integers(0, 25))
    points = st.integers(0, length - 1 if length else 25)
    doubled = draw(st.booleans())
    dice = (0, 0) if doubled else draw(st.sampled_from([(0, 0), (6, 1), (3, 5), (2, 2)]))
    return Snapshot(
        draw(any_position),
        player_on_roll=on_roll,
        turn=1 - on_roll if doubled else on_roll,
        dice=dice,
        cube_value=1 << draw(st.integers(0, 10)),
        cube_owner=draw(st.sampled_from([NOBODY, 0, 1])),
        match_length=length,
        score=(draw(points), draw(points)),
        crawford=bool(length) and draw(st.booleans()),
        jacoby=not length and draw(st.booleans()),
        beaver=not length and draw(st.booleans()),
        doubled=doubled,
    )


@given(snapshots())
@settings(max_examples=150, deadline=None)
def test_what_is_written_is_read_back(one: Snapshot) -> None:
    assert snapshot_of_xgid(xgid(one)) == one
    assert snapshot_of_xgid(xgid(one).removeprefix("XGID=")) == one
    assert snapshot_of_fields(fields_of(one)) == one
    again = snapshot_of_gnubgid(gnubgid(one))
    assert gnubgid(again) == gnubgid(one)
    assert again.position == one.position
    assert position_of_id(position_id(one.position)) == one.position


def test_the_start_has_its_well_known_id() -> None:
    assert position_id(Position.start()) == START
    assert position_of_id(START) == Position.start()
    assert snapshot_of_gnubgid(START) == Snapshot(Position.start())
    assert match_id(Snapshot(Position.start(), jacoby=True)) == "cAkAAAAAAAAA"


def test_a_double_stays_the_doublers_view_and_is_the_others_decision() -> None:
    asked = snapshot_of_fields({"pos": Position.start().ints(), "player_on_roll": 0, "doubled": 1})
    assert (asked.player_on_roll, asked.turn) == (0, 1)
    assert ":D:" in xgid(asked)


def sixteen() -> str:
    """A position id with sixteen checkers on one point of the opponent's, as no board has them."""
    import base64

    bits = (1 << 16) - 1
    return base64.b64encode(bits.to_bytes(10, "little")).decode().rstrip("=")


def both_on_one_point() -> str:
    """A position id in which both sides stand on the mover's 1-point."""
    return position_id(Position((14, 1, *[0] * 24), (14, *[0] * 23, 1, 0)))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        pytest.param(START[:-1], "13 letters", id="truncated position id"),
        pytest.param(f"{START}:cIkKAAAAAA", "10 letters", id="truncated match id"),
        pytest.param(f"{START}A", "15 letters", id="one letter too many"),
        pytest.param("4HPwATDg*/ABMA", "letter", id="a letter that ids do not have"),
        pytest.param("4HPwATDgä/ABMA", "letter", id="a letter beyond ASCII"),
        pytest.param("/" * 14, "more than such an id", id="more bits than there are"),
        pytest.param("/" * 13 + "w", "ends before", id="ones to the end"),
        pytest.param("AAAAAAAAAAAAAQ", "more in it", id="checkers behind the last bar"),
        pytest.param(f"{START}:cAkAAAAAAAD/", "more than such an id", id="bits no match id has"),
        pytest.param(f"{START}:YAkAAAAAAAAA", "nobody can own", id="an owner that is none"),
        pytest.param(f"{START}:cIkHAAAAAAAA", "die shows", id="a die of seven"),
        pytest.param(f"{START}:cAkBAAAAAAAA", "Either both dice", id="only one die"),
        pytest.param("", "0 letters", id="nothing"),
    ],
)
def test_what_is_no_gnubgid_is_refused(text: str, word: str) -> None:
    with pytest.raises(BadTextError, match=word):
        snapshot_of_gnubgid(text)


def test_impossible_positions_are_refused() -> None:
    with pytest.raises(BadPositionError, match="16"):
        snapshot_of_gnubgid(sixteen())
    with pytest.raises(BadPositionError, match="one point"):
        snapshot_of_gnubgid(both_on_one_point())
    with pytest.raises(BadPositionError, match="16"):
        snapshot_of_xgid("XGID=-b----F-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")


@pytest.mark.parametrize(
    "text",
    [
        "XGID=-b----E-C---eE---c-e----B:0:0:1:00:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----Bz:0:0:1:00:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:2:1:00:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:0:00:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:71:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:60:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:B:0:0:0:0:10",
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:2:7:10",
        "XGID=-b----E-C---eE---c-e----B-:16:0:1:00:0:0:0:7:10",
        "-b----E-C---eE---c-e----B-",
        "",
    ],
)
def test_what_is_no_xgid_is_refused(text: str) -> None:
    with pytest.raises(BadTextError):
        snapshot_of_xgid(text)


@pytest.mark.parametrize(
    "fields",
    [
        {"dice": [7, 1]},
        {"dice": [3]},
        {"dice": [True, 1]},
        {"dice": [3, 0]},
        {"cube_value": 3},
        {"cube_value": 1 << 16},
        {"cube_owner": 2},
        {"player_on_roll": 2},
        {"turn": 1.0},
        {"score": [-1, 0]},
        {"match_length": 1 << 15},
        {"resigned": 4},
        {"gamestate": 5},
        {"crawford": "yes"},
        {"doubled": 1.0},
    ],
    ids=str,
)
def test_fields_that_cannot_be_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(BadTextError):
        snapshot_of_fields({"pos": Position.start().ints(), **fields})
