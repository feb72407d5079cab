"""`companion ids`: convert GNU Position ID, Match ID and XGID into each other, one JSON object a line."""

import argparse
import sys
from collections.abc import Mapping
from typing import Any

from companion.errors import BadTextError, shown
from sentence import verbatim

HELP = "turn position and match ids given as JSON lines into each other"
DESCRIPTION = (
    'Reads JSON lines with "gnubgid", "xgid", or "pos" and the other fields, and answers each '
    "with all of them. Each line has one answer: a bad or empty one an error, the rest go on, exit status 1."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--json", action="store_true", help="JSON lines, as always with this command")


def run(args: argparse.Namespace) -> int:
    """Answer standard input line by line; returns 1 if a line was bad."""
    from companion.commands._lines import answer_lines

    return answer_lines(sys.stdin.buffer, _answer)


def _answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """All ids and fields that follow from those of one line.

    Raises:
        BadTextError, BadPositionError: they are impossible, or contradict each other.
    """
    from companion.records.ids import fields_of, gnubgid, snapshot_of_gnubgid, snapshot_of_xgid, xgid
    from companion.records.snapshot import snapshot_of_fields

    found = []
    if "pos" in request:
        found.append(snapshot_of_fields(request))
    if "gnubgid" in request:
        found.append(snapshot_of_gnubgid(_text(request, "gnubgid")))
    elif "position_id" in request:
        ids = [_text(request, name) for name in ("position_id", "match_id") if name in request]
        found.append(snapshot_of_gnubgid(":".join(ids)))
    if "xgid" in request:
        found.append(snapshot_of_xgid(_text(request, "xgid")))
    if not found:
        raise BadTextError(verbatim("The line has neither “gnubgid” nor “xgid” nor “pos”."))
    for other in found[1:]:
        if gnubgid(other) != gnubgid(found[0]) and xgid(other) != xgid(found[0]):
            raise BadTextError(verbatim("The ids and fields of this line contradict each other."))
    return fields_of(found[0])


def _text(request: Mapping[str, Any], name: str) -> str:
    """A text field; BadTextError if it is no text."""
    if not isinstance(request[name], str):
        raise BadTextError(verbatim(f"“{name}” is a text, not {shown(request[name])}."))
    return str(request[name])
