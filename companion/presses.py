"""What a button means where the table stands: a press and the shown state make an action, or none."""

from collections.abc import Mapping
from typing import Any

Action = Mapping[str, Any]


def action_of(button: str, held: bool, state: Mapping[str, Any]) -> Action | None:
    """The action of a press, in the words of docs/PROTOCOL.md; None where the button means nothing now.

    Args:
        button: `south_turn`, `north_turn`, `south_cube`, `north_cube` or `director`.
        held: it was held down, which for a cube button means pass.
        state: the state that the page shows.
    """
    if button == "director":
        return {"type": "call_director"}
    side, _, kind = button.partition("_")
    if kind == "turn":
        return {"type": "done"} if state["on_roll"] == side and state["phase"] in _TURN else None
    if state["phase"] == "doubled" and state["asked"] == side:
        return {"type": "pass" if held else "take"}
    if not held and state["on_roll"] == side and state["cube"]["may_double"]:
        return {"type": "double"}
    return None


_TURN = frozenset({"rolled", "played"})
"""Phases in which there is a turn to end; whether it may be ended the table says itself."""
