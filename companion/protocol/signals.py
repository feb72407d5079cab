"""How the lamps burn: whose turn, whose cube, and what became of the throw."""

from companion.game.state import Doubled, Played, Rolled, State
from companion.game.table import Table
from companion.game.turn import next_to_throw
from companion.game.turnview import on_roll
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
