"""The lamps that a table shows, and the action that a button means."""

from collections.abc import Mapping
from typing import Any

from companion.game.state import Doubled, Played, Rolled, State
from companion.game.step import Table
from companion.game.turn_order import next_to_throw, on_roll
from companion.rules.referee import Cocked, Unread, Valid


def lamps_of(table: Table) -> dict[str, str]:
    """How the lamps burn: whose turn, whose cube, and what became of the throw."""
    state = table.state
    lamps = dict.fromkeys(
        ("south_turn", "north_turn", "cube_south", "cube_north", "valid", "again", "look"), "off"
    )
    if state is None:
        return lamps
    side = on_roll(state)
    if isinstance(state.phase, Rolled) and state.phase.lifted:
        side = next_to_throw(state, state.phase)
    if side is not None:
        lamps[f"{side.value}_turn"] = "on"
    if state.cube.owner is not None:
        lamps[f"cube_{state.cube.owner.value}"] = "on"
    if isinstance(state.phase, Doubled):
        lamps[f"cube_{state.phase.offer.asked.value}"] = "blink"
    _light_ruling(state, lamps)
    return lamps


def _light_ruling(state: State, lamps: dict[str, str]) -> None:
    ruling = state.throw.ruling if state.throw else None
    if isinstance(ruling, Valid) and isinstance(state.phase, (Rolled, Played)):
        lamps["valid"] = "on"
    if isinstance(ruling, Cocked):
        lamps["again"] = "on"
    if isinstance(ruling, Unread) or (isinstance(state.phase, Rolled) and state.phase.lifted):
        lamps["look"] = "on"
    if state.dispute is not None or state.director:
        lamps["look"] = "blink"


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
