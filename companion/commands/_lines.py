"""JSON lines in, JSON lines out: one answer for each line, and an error never stops the rest."""

import json
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from companion.errors import BadTextError, GameError


def answer_lines(lines: Iterable[bytes], answer: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> int:
    """Print what `answer` makes of each line's object, in order.

    A line that cannot be answered gives {"id", "error"} with one sentence; empty lines are passed over.

    Returns:
        0 when every line was answered, 1 otherwise.
    """
    status = 0
    for line in lines:
        if not line.strip():
            continue
        asked: Mapping[str, Any] = {}
        try:
            asked = _object_of(line)
            answered = {**_id_of(asked), **answer(asked)}
        except GameError as error:
            answered = {"id": asked.get("id"), "error": str(error)}
            status = 1
        print(json.dumps(answered, separators=(",", ":")), flush=True)
    return status


def standard_input() -> Iterable[bytes]:
    """The lines of standard input as they come, undecoded, so that a broken one is one error."""
    return sys.stdin.buffer


def _object_of(line: bytes) -> Mapping[str, Any]:
    """The object that a line holds; BadTextError when it holds none."""
    try:
        found = json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise BadTextError("This line is not JSON.") from None
    if not isinstance(found, dict):
        raise BadTextError("A line holds one JSON object.")
    return found


def _no_constant(name: str) -> None:
    """Refuse NaN and the infinities, which are not JSON."""
    raise ValueError(name)


def _id_of(asked: Mapping[str, Any]) -> dict[str, Any]:
    """The line's own id, given back as it came, where it has one."""
    return {"id": asked["id"]} if "id" in asked else {}
