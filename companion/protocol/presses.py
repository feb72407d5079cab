"""What a button means where the table stands: a press and the shown state make an action, or none."""

from collections.abc import Mapping
from typing import Any

Action = Mapping[str, Any]
WITH_CUBE = ("double", "take", "pass")
"""What a cube button does; a press that began before the turn or the double does nothing."""


def action_of(button: str, held: bool, state: Mapping[str, Any]) -> Action | None:
    """The action of a press, in the words of docs/PROTOCOL.md; None where the button means nothing now.

    What can be done says `may` and never the phase alone: a turn can also be ended while something is disputed.

    Args:
        button: `south_turn`, `north_turn`, `south_cube`, `north_cube` or `director`.
        held: it was held down, which for a cube button means pass.
        state: the state that the page shows to the scorekeeper.
    """
    may = state["may"]
    if button == "director":
        return {"type": "call_director"}
    side, _, kind = button.partition("_")
    if kind == "turn":
        return {"type": "done"} if "done" in may and state["on_roll"] == side else None
    # In a dispute `asked` is who has to settle it; whose the double is to answer the table says itself.
    if "take" in may and (state["phase"] == "dispute" or state["asked"] == side):
        return {"type": "pass" if held else "take"}
    if not held and "double" in may and state["on_roll"] == side:
        return {"type": "double"}
    return None
