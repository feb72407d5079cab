"""Undo and correction (`undo`, `amend`) as the page asks for them: their events, and why they are refused.

The page shows the step that an undo would take back (`undo_text`), and fills the form of a correction with the action
that an event stands for (`action_of`). What becomes of the table is in game/corrections.py, how a corrected line reads
in game/history_lines.py.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.errors import BadShapeError, BadTextError, GameError, RoleError
from companion.game import events
from companion.game.corrections import PLAY_NOT_NEEDED, corrected, is_dance_begun, last_undoable
from companion.game.events import AnyEvent, MatchBegan, PlainEvent, PlayEntered
from companion.game.history_lines import play_of_entry, short_line, throw_of
from companion.game.state import Opening, Played, Rolled, State
from companion.game.table import NOT_GIVEN, Entry, Table
from companion.game.throws import dice_each, opening_of_roll, opening_thrower
from companion.protocol import action_shapes as shapes
from companion.protocol.action_shapes import Action, Amend, NewMatch, read_action
from companion.protocol.match_setup import names_of, orientation_of
from companion.protocol.permissions import Asker, RoleName, may_take_back, step_back
from companion.rules.board import Die, Roll, Side
from companion.rules.moves import Play
from companion.rules.notation import write_play
from companion.rules.profile import LABELS
from companion.rules.referee import Cocked, Reason, Unread, Valid
from sentence import NOTHING, Sentence, say, verbatim


def undone(table: Table, asker: Asker) -> events.Undone:
    """The event of an undo; RoleError for a decision of the director that only he may take back."""
    last = step_back(table, asker.role)
    if last is not None and not may_take_back(asker.role, last.event):
        raise RoleError(say("That was the director’s decision; only the director can take it back."))
    if last is not None and isinstance(last.event, events.Amended):
        return events.Undone(last.number)
    return events.Undone(past_calls=last is not None and last is not last_undoable(table, past_calls=False))


_OPENING_DICE = (events.OpeningThrown, events.RollTyped, events.Thrown)


def undo_text(table: Table, role: RoleName = "director") -> Sentence:
    """The step that an undo by this role would take back, in a few words; empty if there is none."""
    entry = step_back(table, role)
    if entry is None:
        return NOTHING
    if isinstance(entry.event, events.Amended):
        return say("correction of event {number}", number=entry.event.number)
    before = table.entries[entry.number - 2].state
    if isinstance(entry.event, PlayEntered):
        return verbatim(_moves_added(entry, before)) or say("a play of which only the outcome is known")
    if isinstance(entry.event, (events.TurnEnded, events.Lifted)):
        return say("end of the turn")
    if isinstance(before.phase, Opening) and isinstance(entry.event, _OPENING_DICE):
        return say("Opening roll")  # without the names, for which the button has no room
    if isinstance(entry.event, events.SettingsChanged):  # without the values, for the same reason
        names = tuple(LABELS.get(change.name, change.name) for change in entry.event.changes)
        return say("settings: {settings}", settings=names)
    if isinstance(entry.event, events.Thrown) and not entry.was:
        throw = throw_of(before, entry.state)
        match throw.ruling if throw else None:
            case Cocked(reasons=(Reason.PREMATURE,)):
                return say("the early roll")
            case Cocked():
                return say("cocked")  # without the reasons, for the same reason
            case Unread():
                return say("unread")
    return short_line(entry, before)


def _moves_added(entry: Entry, before: State) -> str:
    """The moves that came with this step, without those entered before it."""
    left = list(_moves_in(before))
    made = play_of_entry(entry, before) or _moves_in(entry.state)
    added = []
    for move in made:
        if move in left:
            left.remove(move)
        else:
            added.append(move)
    return write_play(tuple(added)) or write_play(made)


def _moves_in(state: State) -> Play:
    match state.phase:
        case Rolled(moves=moves):
            return moves
        case Played(play=play):
            return play or ()
    return ()


# Correction


def amended(
    action: Amend, table: Table, asker: Asker, event_of: Callable[[Action, State, Asker], PlainEvent]
) -> events.Amended:
    """The correction of an earlier event by an action; without `type`, the kind of event stays.

    `event_of` gives the event of the action that it should have been, in the state before it.
    """
    if not 1 <= action.event <= len(table.entries):
        raise BadTextError(say("There is no event of this number."))
    entry = table.entries[action.event - 1]
    before = table.entries[action.event - 2].state
    play = None
    if isinstance(entry.event, events.MatchBegan):
        beginning = read_action({**action.to, "type": "new_match", "seq": 0})
        assert isinstance(beginning, NewMatch)
        event: PlainEvent = _corrected_beginning(entry.event, beginning)
    else:
        to, play = _apart(action.to)
        event = event_of(read_action(_whole_correction(to, entry.event, before)), before, asker)
    kept = replace(event, at_ms=entry.event.at_ms, by=asker.recorded_as)
    correction = events.Amended(action.event, kept, action.why, in_step=True)
    to_play = corrected(table, correction).to_play if play else None
    if play is None:
        return correction
    if to_play is None:
        raise PLAY_NOT_NEEDED
    made = event_of(play, to_play, asker)
    assert isinstance(made, PlayEntered), "see _apart"
    return replace(correction, play=replace(made, at_ms=entry.event.at_ms, by=asker.recorded_as))


def _apart(to: Mapping[str, Any]) -> tuple[Mapping[str, Any], shapes.Play | None]:
    """The fields of a correction, and the play that comes with them; BadShapeError unless that is one."""
    rest = {name: value for name, value in to.items() if name != "play"}
    play = to.get("play")
    if play is None:
        return rest, None
    if not isinstance(play, dict):
        raise BadShapeError("“play” in a correction has the fields of the action “play”.")
    action = read_action({**play, "type": "play", "seq": 0})
    assert isinstance(action, shapes.Play), "its type says so"
    return rest, action


def _corrected_beginning(began: MatchBegan, to: NewMatch) -> MatchBegan:
    """The beginning of a match with other names, length or orientation; BadTextError without any of these.

    `settings` changes the rules instead; it leaves earlier rulings unchanged.
    """
    can = (to.players, to.length, to.orientation)
    if all(one is None for one in can) or to.profile is not None or to.overrides is not None:
        raise BadTextError(
            say("Of a match’s beginning the players, the length and the orientation can be corrected.")
        )
    if began.chouette and (to.players is not None or to.length):
        raise BadTextError(say("The players of a chouette are named at its beginning, and it has no length."))
    south, north = names_of(to.players, began.south, began.north)
    length = began.length if to.length is None else to.length
    orientation = orientation_of(to.orientation) or began.orientation
    return replace(began, south=south, north=north, length=length, orientation=orientation)


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
    events.DoubletNamed: "name",
}
"""The type of action that corrects each kind of event."""


def _whole_correction(to: Mapping[str, Any], event: AnyEvent, before: State) -> dict[str, Any]:
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


# The form of a correction


def action_of(entry: Entry, before: State | None) -> dict[str, Any] | None:
    """The action that would report this entry's event, for `amend` (docs/PROTOCOL.md); `before`: the state before it.

    None for an event without a form on the page, or one that was taken back. `play` is there for a roll that could not
    be played, and for one whose play came with a correction.
    """
    if entry.undone:
        return None
    action = _action_without_play(entry, before)
    if action is None or action["type"] not in ("roll", "rule", "name"):
        return action
    if entry.play is not None and entry.play != NOT_GIVEN:
        play = play_of_entry(entry, before)
        return {**action, "play": {"text": write_play(play)} if play else None}
    return {**action, "play": None} if entry.play or is_dance_begun(entry, before) else action


def _action_without_play(entry: Entry, before: State | None) -> dict[str, Any] | None:
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
        case events.DoubletNamed(number=number):
            return {"type": "name", "number": number}
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
