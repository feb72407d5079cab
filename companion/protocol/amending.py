"""The correction of an event (`amend`): the action that the event stands for, and the one that it should have been."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.errors import GameError
from companion.game import events
from companion.game.events import AnyEvent, PlayEntered
from companion.game.history_lines import play_of_entry, throw_of
from companion.game.state import Opening, State
from companion.game.table import Entry
from companion.game.throws import dice_each, opening_of_roll, opening_thrower
from companion.rules.board import Die, Roll, Side
from companion.rules.notation import write_play
from companion.rules.referee import Valid
from sentence import say


def action_of(entry: Entry, before: State | None) -> dict[str, Any] | None:
    """The action that would report this entry's event, for `amend` (docs/PROTOCOL.md); `before`: the state before it.

    None for an event without a form on the page, or one that was taken back.
    """
    if entry.undone:
        return None
    match entry.event:
        case events.MatchBegan():
            return {"type": "new_match"}
        case events.OpeningThrown() | events.RollTyped() | events.Thrown() as event if _in_opening(before):
            assert before is not None
            return _as_opening(before, *_opening_dice(event, entry, before)) | _void_of(event)
        case events.RollTyped(roll=roll) as event:
            return {"type": "roll", "dice": list(roll)} | _void_of(event)
        case events.Overruled(roll=Roll() as roll):
            return {"type": "rule", "dice": list(roll)}
        case events.Overruled() if not _in_opening(before):
            return {"type": "rule", "dice": []}
        case events.Thrown() as thrown:
            return _throw_as_action(thrown, entry, before)
        case PlayEntered():
            play = play_of_entry(entry, before)
            return {"type": "play", "text": write_play(play)} if play else None
        case events.DoubleAnswered(answer=answer, partner=partner):
            return {"type": answer.value, **({"partner": partner} if partner else {})}
        case events.ResignationAnswered(accepted=accepted):
            return {"type": "accept" if accepted else "refuse"}
        case events.Resigned(side=side, worth=worth, points=None):
            return {"type": "resign", "side": side.value, "worth": worth}
        case events.PenaltyGiven(side=side, points=points, why=why):
            return {"type": "rule", "penalty": {"to": side.value, "points": points, "why": why}}
        case events.PositionSet():
            return {"type": "set_position"}
        case events.Amended(number=number):
            return {"type": "amend", "event": number}
    return None


def _void_of(event: events.OpeningThrown | events.RollTyped | events.Thrown) -> dict[str, Any]:
    """The field `void` of a typed roll that does not count."""
    void = None if isinstance(event, events.Thrown) else event.void
    return {"void": void.value} if void else {}


def _throw_as_action(event: events.Thrown, entry: Entry, before: State | None) -> dict[str, Any] | None:
    """The action of a throw, with null for a die that was not read; None for a throw out of turn."""
    throw = throw_of(before, entry.state)
    if throw is None and not entry.misfit:
        return None
    ruling = throw.ruling if throw else None
    if isinstance(ruling, Valid):
        return {"type": "roll", "dice": list(ruling.roll)}
    faces = [one.face for one in event.dice]
    side = {"side": throw.roller.value} if throw and throw.roller else {}
    return {"type": "roll", "dice": faces if len(faces) == 2 else [], **side}


def _in_opening(before: State | None) -> bool:
    return before is not None and isinstance(before.phase, Opening)


def _as_opening(before: State, south: Sequence[Die], north: Sequence[Die]) -> dict[str, Any]:
    """The action `opening` of these dice: a die, or both where each side throws two; null for one that is not known."""
    each = dice_each(before)
    south_dice, north_dice = ([*dice, *[None] * each][:each] for dice in (south, north))
    if each == 1:
        return {"type": "opening", "south": south_dice[0], "north": north_dice[0]}
    return {"type": "opening", "south": south_dice, "north": north_dice}


def _opening_dice(
    event: events.OpeningThrown | events.RollTyped | events.Thrown, entry: Entry, before: State
) -> tuple[Sequence[Die], Sequence[Die]]:
    """South's and north's opening dice as this event has them; empty for a side whose dice it does not give."""
    assert isinstance(before.phase, Opening)
    if isinstance(event, events.OpeningThrown):
        return event.south or before.phase.south, event.north or before.phase.north
    if isinstance(event, events.RollTyped):
        thrown = opening_of_roll(before, event.roll, event.side or Side.SOUTH)
        return thrown.south or before.phase.south, thrown.north or before.phase.north
    ruling = entry.state.throw.ruling if entry.state.throw else None
    if not isinstance(ruling, Valid):
        return (), ()
    if ruling.south is not None and ruling.north is not None:
        return (ruling.south,), (ruling.north,)
    thrower = opening_thrower(before, before.phase)
    if thrower is None:
        return (), ()
    both = (ruling.roll.high, ruling.roll.low)
    return (both, before.phase.north) if thrower is Side.SOUTH else (before.phase.south, both)


# The action that a correction asks for

_NO_VERSIONS = ("new_match", "undo", "amend")
"""Actions that no event in the middle of a match can become by a correction."""

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
"""The type of action that corrects each kind of event."""


def whole_correction(to: Mapping[str, Any], event: AnyEvent, before: State) -> dict[str, Any]:
    """The fields of a correction, with the type and the side of the event where they are not given.

    `before` is the state before the event. GameError if no event in the middle of a match can become that.
    """
    kind, side = to.get("type") or _kind_of(event, before, to), {}
    if kind in _NO_VERSIONS:
        raise GameError(
            say(
                "“{kind}” cannot be the corrected version of an event: name what was thrown, played or decided.",
                kind=kind,
            )
        )
    if kind == "roll" and isinstance(event, events.RollTyped) and event.side is not None:
        side = {"side": event.side.value}
    return {**side, **to, "type": kind, "seq": 0}


def _kind_of(event: AnyEvent, before: State, to: Mapping[str, Any]) -> str:
    """The type of action for this kind of event; GameError without one. A throw becomes a typed roll.

    In the opening a roll is corrected by the dice of both sides, or by two dice for the side that it names.
    """
    if isinstance(before.phase, Opening) and isinstance(event, (events.Thrown, events.RollTyped)):
        return "roll" if "dice" in to and isinstance(event, events.RollTyped) else "opening"
    if isinstance(event, events.Thrown):
        return "roll"
    if type(event) not in _KINDS:
        raise GameError(say("Say with a type what this event should have been."))
    return _KINDS[type(event)]
