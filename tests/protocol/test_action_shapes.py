"""The shape of the actions: good ones, bad ones, and the sentence for each field."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import BadShapeError, GameError
from companion.protocol.action_shapes import (
    BY_TYPE,
    LONGEST_MATCH,
    LONGEST_NAME,
    MOST_MOVES,
    SENTENCES,
    Play,
    read_action,
)
from companion.protocol.actions import event_of
from companion.protocol.permissions import Asker
from tests.support.published import components, faults, published
from tests.support.script import Script, Table, event_from

MANY = "x" * 10_000
SMALLEST: dict[str, dict[str, Any]] = {
    "roll": {"dice": [6, 4]},
    "amend": {"event": 1, "to": {}},
    "clock": {"order": "stop"},
    "name": {"number": 6},
    "settings": {"overrides": {"cube": False}},
}
FIELDS = [(kind, field.name) for kind, shape in BY_TYPE.items() for field in msgspec.structs.fields(shape)]


def smallest(kind: str) -> dict[str, Any]:
    return {"type": kind, "seq": 1, **SMALLEST.get(kind, {})}


@pytest.mark.parametrize("kind", sorted(BY_TYPE))
def test_smallest_body_is_an_action_as_published(kind: str) -> None:
    action = read_action(smallest(kind))
    assert (type(action), action.kind, action.seq) == (BY_TYPE[kind], kind, 1)
    assert faults(smallest(kind), BY_TYPE[kind].__name__) == []


@pytest.mark.parametrize(("kind", "name"), FIELDS)
def test_field_of_another_shape_is_refused_with_its_sentence(kind: str, name: str) -> None:
    bodies = [{**smallest(kind), name: value} for value in ({"south": 0.5}, MANY, -1e9, [[[]]], "east")]
    wrong = [body for body in bodies if faults(body, BY_TYPE[kind].__name__, strict=False)]
    assert len(wrong) >= 3
    for body in wrong:
        with pytest.raises(BadShapeError) as refused:
            read_action(body)
        assert str(refused.value) == SENTENCES[name]


@pytest.mark.parametrize("kind", [*SMALLEST, "undo"])
def test_field_that_is_missing_is_refused_with_its_sentence(kind: str) -> None:
    for name in {"seq", *SMALLEST.get(kind, {})}:
        body = {key: value for key, value in smallest(kind).items() if key != name}
        with pytest.raises(BadShapeError) as refused:
            read_action(body)
        assert str(refused.value) == SENTENCES[name]


@pytest.mark.parametrize(
    ("body", "good"),
    [
        ({"type": "play", "seq": 1, "moves": [[5, 1]] * MOST_MOVES}, True),
        ({"type": "play", "seq": 1, "moves": [[5, 1]] * (MOST_MOVES + 1)}, False),
        ({"type": "play", "seq": 1, "moves": [[26, 1]]}, False),
        ({"type": "play", "seq": 1, "moves": [[25, 22, 3]]}, False),
        ({"type": "play", "seq": 1, "made": 1}, False),
        ({"type": "new_match", "seq": 1, "length": LONGEST_MATCH}, True),
        ({"type": "new_match", "seq": 1, "length": LONGEST_MATCH + 1}, False),
        ({"type": "new_match", "seq": 1, "length": 1.5}, False),
        ({"type": "new_match", "seq": 1, "players": {"south": "x" * LONGEST_NAME}}, True),
        ({"type": "new_match", "seq": 1, "players": {"north": "x" * (LONGEST_NAME + 1)}}, False),
        ({"type": "new_match", "seq": 1, "players": {"south": 5}}, False),
        ({"type": "roll", "seq": True, "dice": [1, 2]}, False),
        ({"type": "roll", "seq": -1, "dice": [1, 2]}, False),
        ({"type": "roll", "seq": 1, "dice": [1, 2], "side": None}, True),
        ({"type": "opening", "seq": 1, "south": [3, 1], "north": 2}, True),
        ({"type": "opening", "seq": 1, "south": [3, 1, 2]}, False),
        ({"type": "set_position", "seq": 1, "on_roll": "east"}, False),
        ({"type": "done", "seq": 3, "something": "new"}, True),
        ({"type": "revoke", "seq": 3, "code": "ABC"}, False),
        ({"type": "win", "seq": 1}, False),
        ({"type": ["done"], "seq": 1}, False),
        ([], False),
        (None, False),
    ],
)
def test_body(body: object, good: bool) -> None:
    if good:
        assert read_action(body)
        return
    with pytest.raises(BadShapeError, match=r"\.$"):
        read_action(body)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)


@given(st.sampled_from(FIELDS), json_values)
def test_check_and_document_agree(field: tuple[str, str], value: object) -> None:
    """But for whole numbers written with a point, which JSON Schema takes for whole numbers."""
    kind, name = field
    body = {**smallest(kind), name: value}
    try:
        taken = bool(read_action(body))
    except BadShapeError:
        taken = False
    promised = not faults(body, BY_TYPE[kind].__name__, strict=False)
    assert taken == promised or (promised and ".0" in repr(value))


def test_document_has_every_action() -> None:
    body = published()["paths"]["/api/act"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    mapping = body["discriminator"]["mapping"]
    assert set(mapping) == {*BY_TYPE, "revoke"}
    for kind, where in mapping.items():
        schema = components()[where.rsplit("/", 1)[1]]
        assert schema["properties"]["type"]["enum"] == [kind]
        assert {"type", "seq"} <= set(schema["required"])


def test_name_is_kept_whole() -> None:
    """75 letters once became 60 without a word."""
    name = "Ann " * 18 + "Ann"
    script = Script().do("new_match", players={"south": name, "north": f"  {name} \n"})
    assert script.view["match"]["players"] == {"south": name, "north": name}


def test_correction_that_has_no_shape_is_refused_as_one() -> None:
    table = Script().opening(3, 1).table
    with pytest.raises(BadShapeError, match="A roll is two dice"):
        event_from(
            {"type": "amend", "event": 2, "to": {"type": "roll", "dice": [7]}}, table, Asker("director")
        )


def test_action_without_a_match_is_refused() -> None:
    with pytest.raises(GameError, match="No match has begun"):
        event_of(Play(seq=0, text="8/5"), Table(), Asker("scorekeeper"))
