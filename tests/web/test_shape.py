"""Shapes of JSON values."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from web.openapi import ACTIONS
from web.shape import fault

PLAY = ACTIONS["play"]
ROLL = ACTIONS["roll"]


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("roll", {"type": "roll", "seq": 1, "dice": [6, 4]}),
        ("play", {"type": "play", "seq": 1, "moves": []}),
        ("play", {"type": "play", "seq": 1, "moves": [[25, 22], [6, 0]], "made": True}),
        ("play", {"type": "play", "seq": 1, "text": "bar/22 6/off"}),
        ("opening", {"type": "opening", "seq": 0, "south": 3}),
        ("set_position", {"type": "set_position", "seq": 0, "on_roll": None, "xgid": "XGID=-"}),
        ("done", {"type": "done", "seq": 3, "something": "new"}),
    ],
)
def test_good(kind: str, body: object) -> None:
    assert fault(body, ACTIONS[kind]) is None


@pytest.mark.parametrize(
    ("kind", "body", "part"),
    [
        ("roll", [], "type object"),
        ("roll", {"type": "roll", "seq": 1}, "lacks “dice”"),
        ("roll", {"type": "roll", "dice": [1, 2]}, "lacks “seq”"),
        ("roll", {"type": "roll", "seq": True, "dice": [1, 2]}, "“seq” must be of type integer"),
        ("roll", {"type": "roll", "seq": 1.0, "dice": [1, 2]}, "“seq” must be of type integer"),
        ("roll", {"type": "roll", "seq": -1, "dice": [1, 2]}, "“seq” must lie between"),
        ("roll", {"type": "roll", "seq": 1, "dice": [1, 7]}, "Entry 2 of “dice” must lie between 1 and 6"),
        ("play", {"type": "play", "seq": 1, "moves": [[26, 1]]}, "Entry 1 of entry 1 of “moves” must lie"),
        ("roll", {"type": "roll", "seq": 1, "dice": [1]}, "too many or too few"),
        ("roll", {"type": "roll", "seq": 1, "dice": [1, "2"]}, "type integer"),
        ("play", {"type": "play", "seq": 1, "moves": [[26, 1]]}, "between 0 and 25"),
        ("play", {"type": "play", "seq": 1, "moves": [[5, 1]] * 9}, "too many"),
        ("play", {"type": "play", "seq": 1, "text": "8" * 121}, "too long"),
        ("play", {"type": "play", "seq": 1, "text": "\ud800"}, "half a character"),
        ("play", {"type": "play", "seq": 1, "made": 1}, "type boolean"),
        ("set_position", {"type": "set_position", "seq": 1, "on_roll": "east"}, "one of"),
        ("done", {"type": "done", "seq": 3, "\udfff": 1}, "half a character"),
        ("new_match", {"type": "new_match", "seq": 1, "players": {"south": 5}}, "“south” must be of type"),
        ("done", {"type": "done", "seq": 1} | {str(n): n for n in range(101)}, "too many fields"),
    ],
)
def test_bad(kind: str, body: object, part: str) -> None:
    assert part in (fault(body, ACTIONS[kind]) or "nothing wrong")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)


@given(json_values, st.sampled_from(sorted(ACTIONS)))
def test_any_value_is_judged_without_trouble(value: object, kind: str) -> None:
    wrong = fault(value, ACTIONS[kind])
    assert wrong is None or wrong.endswith(".")


@given(json_values)
def test_strangers_can_be_shut_out(value: object) -> None:
    closed = {"type": "object", "properties": {}, "additionalProperties": False}
    assert (fault(value, closed) is None) == (value == {} and isinstance(value, dict))
