"""Events of the history as actions, from which the page begins a correction."""

from typing import Any

from companion.game.events import (
    DoubleAnswered,
    MatchBegan,
    OpeningThrown,
    Overruled,
    PenaltyGiven,
    PlayEntered,
    PositionSet,
    ResignationAnswered,
    Resigned,
    RollTyped,
    Thrown,
)
from companion.game.state import Opening, State
from companion.game.table import Entry
from companion.game.wording import play_of_entry, throw_of
from companion.rules.board import Roll
from companion.rules.notation import write_play
from companion.rules.referee import Valid


def action_of(entry: Entry, before: State | None) -> dict[str, Any] | None:
    """The action that would report this event, for `amend` (docs/PROTOCOL.md).

    Args:
        entry: the event, with the state after it.
        before: the state before it.

    Returns:
        {"type", ...}; None for an event without a form on the page, or one that was taken back.
    """
    if entry.undone:
        return None
    match entry.event:
        case MatchBegan():
            return {"type": "new_match"}
        case OpeningThrown(south=(south,), north=(north,)):
            return {"type": "opening", "south": south, "north": north}
        case RollTyped(roll=roll):
            return {"type": "roll", "dice": list(roll)}
        case Overruled(roll=Roll() as roll):
            return {"type": "rule", "dice": list(roll)}
        case Thrown() as thrown:
            return _throw(thrown, entry, before)
        case PlayEntered():
            play = play_of_entry(entry, before)
            return {"type": "play", "text": write_play(play)} if play else None
        case DoubleAnswered(answer=answer):
            return {"type": answer.value}
        case ResignationAnswered(accepted=accepted):
            return {"type": "accept" if accepted else "refuse"}
        case Resigned(side=side, worth=worth, points=None):
            return {"type": "resign", "side": side.value, "worth": worth}
        case PenaltyGiven(side=side, points=points, why=why):
            return {"type": "rule", "penalty": {"to": side.value, "points": points, "why": why}}
        case PositionSet():
            return {"type": "set_position"}
    return None


def _throw(event: Thrown, entry: Entry, before: State | None) -> dict[str, Any] | None:
    """The action of a throw; None if it does not count, or for opening dice of unknown throwers."""
    throw = throw_of(before, entry.state)
    ruling = throw.ruling if throw else None
    faces = [one.face for one in event.dice]
    if before is not None and isinstance(before.phase, Opening):
        if not isinstance(ruling, Valid) or ruling.south is None:
            return None
        return {"type": "opening", "south": ruling.south, "north": ruling.north}
    if isinstance(ruling, Valid):
        return {"type": "roll", "dice": list(ruling.roll)}
    return {"type": "roll", "dice": faces} if entry.misfit and len(faces) == 2 and all(faces) else None
