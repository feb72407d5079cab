"""JSON lines in, JSON lines out: one answer for each line; an error never stops the rest."""

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO

from companion.errors import BadTextError, GameError
from sentence import verbatim

MOST_BYTES = 1 << 20
"""Limit of a line: a usual one has a thousand bytes, one that carries thousands of results a hundred times as many."""
MOST_SAID = 300
"""Longest error in characters, whatever it quotes."""


def answer_lines(
    lines: BinaryIO, answer: Callable[[Mapping[str, Any]], Mapping[str, Any]], most_bytes: int = MOST_BYTES
) -> int:
    """Print the `answer` to each line's object, in order; at most one line is held in memory.

    A line without an answer, also an empty one, gives {"id", "error"} with one sentence.

    Returns:
        0 if every line was answered, 1 otherwise.
    """
    status = 0
    for line, whole in _cut_lines(lines, most_bytes):
        known: dict[str, Any] = {}
        try:
            if not whole:
                raise BadTextError(verbatim(f"This line is longer than {most_bytes} bytes."))
            request = _object_of(line)
            if isinstance(request.get("id"), (list, dict)):
                raise BadTextError(verbatim("“id” is a text or a number."))
            known = {"id": request["id"]} if "id" in request else {}
            answered = {**known, **answer(request)}
        except GameError as error:
            answered = {"id": known.get("id", _legible_id(line)), "error": str(error)[:MOST_SAID]}
            status = 1
        print(json.dumps(answered, separators=(",", ":")), flush=True)
    return status


def _cut_lines(lines: BinaryIO, most_bytes: int) -> Iterator[tuple[bytes, bool]]:
    """Each line, and whether it is whole: the rest of a line that is too long is skipped."""
    while line := lines.readline(most_bytes + 1):
        whole = len(line) <= most_bytes or line.endswith(b"\n")
        yield line, whole
        while not whole:
            rest = lines.readline(most_bytes)
            whole = not rest or rest.endswith(b"\n")


def _object_of(line: bytes) -> dict[str, Any]:
    """The JSON object in a line; BadTextError if there is none."""
    try:
        text = line.decode("utf-8-sig").strip()
        found = json.loads(text, parse_constant=_finite, parse_float=_finite, object_pairs_hook=_each_once)
    except BadTextError:
        raise
    except (ValueError, RecursionError):
        fault = "This line is not JSON." if line.strip() else "This line is empty."
        raise BadTextError(verbatim(fault)) from None
    if not isinstance(found, dict):
        raise BadTextError(verbatim("A line holds one JSON object."))
    return found


def _finite(text: str) -> float:
    """A number; ValueError for NaN and the infinities, also written as 1e999, which JSON cannot represent."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object's fields; BadTextError if two have one name, as either could be meant."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        twice = next(name for name, times in Counter(name for name, _ in pairs).items() if times > 1)
        raise BadTextError(verbatim(f"There are two fields “{twice[:60]}” in this line."))
    return fields


_ID = re.compile(rb'"id"\s*:\s*("(?:[^"\\]|\\.){0,200}"|-?[0-9]{1,30}(?=\s*[,}\s]))')


def _legible_id(line: bytes) -> Any:
    """The id of a line that is not valid as a whole, if the id itself is legible; None otherwise."""
    found = _ID.search(line[:MOST_BYTES])
    try:
        return json.loads(found[1].decode()) if found else None
    except ValueError:
        return None
