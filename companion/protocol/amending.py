"""The action that an event of the match stands for: where a correction (`amend`) starts from."""

from collections.abc import Mapping
from typing import Any

from companion.errors import GameError
from companion.game import events
from companion.game.events import AnyEvent, PlayEntered
from companion.game.state import Opening, State
from companion.game.table import Entry
from companion.game.wording import play_of_entry, throw_of
from companion.rules.board import Roll
from companion.rules.notation import write_play
from companion.rules.referee import Valid
from sentence import say

_KINDS: Mapping[type[AnyEvent], str] = {
    events.OpeningThrown: "opening",
    events.RollTyped: "roll",
    events.Overruled: "rule",
    PlayEntered: "play",
    events.PositionSet: "set_position",
    events.NextGame: "next_game",
    events.PenaltyGiven: "rule",
    events.SettingsChanged: "settings",
    events.Resigned: "resign",
}


def kind_of(event: AnyEvent, before: State) -> str:
    """The type of action for this kind of event; GameError without one. A throw becomes a typed roll."""
    if isinstance(event, events.Thrown):
        return "opening" if isinstance(before.phase, Opening) else "roll"
    if type(event) not in _KINDS:
        raise GameError(say("Say with a type what this event should have been."))
    return _KINDS[type(event)]


def action_of(entry: Entry, before: State | None) -> dict[str, Any] | None:
    """The action that would report this entry's event, for `amend` (docs/PROTOCOL.md); `before`: the state before it.

    None for an event without a form on the page, or one that was taken back.
    """
    if entry.undone:
        return None
    match entry.event:
        case events.MatchBegan():
            return {"type": "new_match"}
        case events.OpeningThrown(south=(south,), north=(north,)):
            return {"type": "opening", "south": south, "north": north}
        case events.RollTyped(roll=roll):
            return {"type": "roll", "dice": list(roll)}
        case events.Overruled(roll=Roll() as roll):
            return {"type": "rule", "dice": list(roll)}
        case events.Thrown() as thrown:
            return _throw_as_action(thrown, entry, before)
        case PlayEntered():
            play = play_of_entry(entry, before)
            return {"type": "play", "text": write_play(play)} if play else None
        case events.DoubleAnswered(answer=answer):
            return {"type": answer.value}
        case events.ResignationAnswered(accepted=accepted):
            return {"type": "accept" if accepted else "refuse"}
        case events.Resigned(side=side, worth=worth, points=None):
            return {"type": "resign", "side": side.value, "worth": worth}
        case events.PenaltyGiven(side=side, points=points, why=why):
            return {"type": "rule", "penalty": {"to": side.value, "points": points, "why": why}}
        case events.PositionSet():
            return {"type": "set_position"}
    return None


def _throw_as_action(event: events.Thrown, entry: Entry, before: State | None) -> dict[str, Any] | None:
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
