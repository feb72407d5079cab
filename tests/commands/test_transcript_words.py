"""What `companion transcribe` prints for people."""

from typing import Any

import pytest

from companion.commands._transcript import in_words


@pytest.mark.parametrize(
    ("line", "words"),
    [
        pytest.param({"event": "start", "south": "a"}, "the starting position", id="as it should be"),
        pytest.param(
            {"event": "start", "south": "b", "wrong": [6, 13]},
            "the starting position; these points are not set up: 6, 13",
            id="two points not set up",
        ),
    ],
)
def test_the_start_in_words(line: dict[str, Any], words: str) -> None:
    assert in_words(line) == words


def thrown(
    ruling: str, values: list[int | None], *reasons: str, roll: list[int] | None = None
) -> dict[str, Any]:
    dice = [{"value": value} for value in values]
    return {"event": "roll", "ruling": ruling, "roll": roll, "reasons": list(reasons), "dice": dice}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        pytest.param(thrown("valid", [1, 3], roll=[3, 1]), "valid: 3-1", id="written as its play has it"),
        pytest.param(thrown("cocked", [1, 3], "leaning"), "cocked (leaning): 1 3", id="the dice as they lie"),
        pytest.param(thrown("unread", [None, 3], "doubt"), "unread (doubt): ? 3", id="one not read"),
        pytest.param(thrown("unread", [], "no_dice"), "unread (no_dice): no dice", id="none"),
    ],
)
def test_a_throw_in_words(line: dict[str, Any], words: str) -> None:
    assert in_words(line) == words
