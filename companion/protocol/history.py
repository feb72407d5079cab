"""The history of a match as the page shows it: a line for everything that has one."""

from collections.abc import Sequence
from typing import Any

from companion.game.events import Thrown
from companion.game.history import flag_of, line_of
from companion.game.table import Entry, Table
from companion.game.turnview import side_word
from companion.rules.side import Side

HISTORY = 120
"""So many lines are sent; a game has about as many. The rest stands in the export."""


def history_of(table: Table, most: int | None = None) -> list[dict[str, Any]]:
    """The lines of the history, oldest first; the last `most` of them."""
    lines: list[dict[str, Any]] = []
    for at in range(len(table.entries) - 1, -1, -1):
        if most is not None and len(lines) >= most:
            break
        entry, before = table.entries[at], table.entries[at - 1].state if at else None
        side, text = line_of(entry, before)
        if text:
            lines.append(_line(entry, side, text))
    return lines[::-1]


def _line(entry: Entry, side: Side | None, text: str) -> dict[str, Any]:
    said: Sequence[Any] = (entry.event, *entry.was)
    pictures = [event.evidence.picture for event in said if isinstance(event, Thrown)]
    name = next((picture for picture in pictures if picture), None)
    return {
        "n": entry.number,
        "side": side_word(side),
        "text": text,
        "picture": f"/pictures/{name}" if name else None,
        "corrected": bool(entry.was),
        "undone": entry.undone,
        "misfit": flag_of(entry),
    }
