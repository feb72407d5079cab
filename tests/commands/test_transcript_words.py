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
