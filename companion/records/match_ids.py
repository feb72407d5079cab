"""Ids of matches that go on with an earlier one: the id of the first with a number, -2, -3 and so on."""

import re

_ID = re.compile(r"(.+?-\d{3})(?:-(\d+))?")
"""The id that a match was begun with, and the number of its continuation."""


def original_of(match_id: str) -> str:
    """The id of the match whose beginning this one has; its own if it goes on with none."""
    return _parts(match_id)[0]


def continuation_of(match_id: str) -> str:
    """The id of the match that goes on with this one."""
    original, number = _parts(match_id)
    return f"{original}-{number + 1}"


def earlier_of(match_id: str) -> str:
    """The id of the match that this one goes on with; "" if it goes on with none."""
    original, number = _parts(match_id)
    return "" if number == 1 else original if number == 2 else f"{original}-{number - 1}"


def _parts(match_id: str) -> tuple[str, int]:
    found = _ID.fullmatch(match_id)
    return (found[1], int(found[2] or 1)) if found else (match_id, 1)
