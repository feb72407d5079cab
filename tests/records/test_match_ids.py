"""Ids of matches that go on with an earlier one."""

import pytest

from companion.records.match_ids import continuation_of, earlier_of, original_of

FIRST = "20261123-101500-042"


@pytest.mark.parametrize(
    ("match", "original", "earlier", "following"),
    [
        (FIRST, FIRST, "", f"{FIRST}-2"),
        (f"{FIRST}-2", FIRST, FIRST, f"{FIRST}-3"),
        (f"{FIRST}-12", FIRST, f"{FIRST}-11", f"{FIRST}-13"),
        ("m1", "m1", "", "m1-2"),
    ],
)
def test_ids_of_continuations(match: str, original: str, earlier: str, following: str) -> None:
    assert (original_of(match), earlier_of(match), continuation_of(match)) == (original, earlier, following)
