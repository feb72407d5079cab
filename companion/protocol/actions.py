"""Translation of the page's actions (docs/PROTOCOL.md) to events of the game.

Shape (action_shapes.py) and role (permissions.py) of an action are checked before. Every refusal is a GameError with
a sentence; a refusal of the role is a RoleError.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from companion.errors import BadTextError, GameError, IllegalPlayError, OutOfTurnError, RoleError
from companion.game.corrections import last_undoable
from companion.game.director import late_points
from companion.game.events import (
    Amended,
    Answer,
    AnyEvent,
    ClockOrder,
    ClockSet,
    DirectorCalled,
    DisputeAnswered,
    DoubleAnswered,
    DoubleOffered,
    Event,
    Lifted,
    MatchBegan,
    NextGame,
    OpeningThrown,
    Overruled,
    PenaltyGiven,
    PlainEvent,
    PlayEntered,
    PositionSet,
    Remedy,
    ResignationAnswered,
    Resigned,
    RollTyped,
    SettingsChanged,
    Thrown,
    TurnEnded,
    Undone,
)
from companion.game.state import (
    OnRoll,
    Opening,
    Played,
    Resigning,
    Rolled,
    State,
    check_side,
)
from companion.game.table import Table
from companion.game.throws import early_and_void, played_throw
from companion.game.turns import turn_of
from companion.protocol import action_shapes as shapes
from companion.protocol.action_shapes import Action, read_action
from companion.protocol.match_setup import (
    Usual,
    corrected_beginning,
    new_match,
    next_game_begun,
    set_position,
    settings_changed,
)
from companion.protocol.permissions import Asker, may_take_back
from companion.rules.board import Die, Position, Roll, Side, die
from companion.rules.legality import Turn
from companion.rules.moves import carried_out
from companion.rules.notation import Hop, carry_out, find_play, read_hops
from companion.rules.profile import Profile
from companion.rules.profiles import PROFILES
from sentence import say


def event_of(
    action: Action,
    table: Table,
    asker: Asker,
    profiles: Mapping[str, Profile] = PROFILES,
    usual: Usual | None = None,
) -> AnyEvent:
    """The event of an action; `step` decides whether the rules allow it now.

    Args:
        action: from `read_action`.
        table: the current table, for the mover and for corrected events.
        asker: role, seat and time of the request; they go into the event.
        profiles: rules available for a new match.
        usual: terms of a new match that the action omits.

    Raises:
        RoleError: the role may not do this, or the answer is the other side's.
        BadShapeError: the correction of an event does not have the shape of the action that it names.
        GameError: the action is impossible now; the sentence gives the reason.
    """
    match action:
        case shapes.NewMatch():
            event: AnyEvent = new_match(action, asker, profiles, usual or Usual())
        case shapes.Amend():
            event = _amend(action, table, asker)
        case shapes.Undo():
            event = _undo(table, asker)
        case _:
            event = _plain(action, _state(table), asker)
    return replace(event, at_ms=asker.at_ms, by=asker.recorded_as)


def _undo(table: Table, asker: Asker) -> Undone:
    _state(table)
    last = last_undoable(table)
    if last is not None and not may_take_back(asker.role, last.event):
        raise RoleError(say("That was the director's decision, and is his to take back."))
    return Undone()


def _state(table: Table) -> State:
    if table.state is None:
        raise OutOfTurnError(say("No match has begun."))
    return table.state


def _plain(action: Action, state: State, asker: Asker) -> PlainEvent:
    """The event of an action during a match."""
    match action:
        case shapes.Opening():
            return OpeningThrown(_dice(action.south), _dice(action.north))
        case shapes.Roll():
            return RollTyped(_roll(action.dice), action.given_side)
        case shapes.Rule():
            return _rule(action, state, asker)
        case shapes.Play():
            return _play(action, state)
        case shapes.Done():
            return TurnEnded(action.given_side)
        case shapes.Lift():
            return _lift(action, state)
        case shapes.Double():
            return DoubleOffered(action.given_side or asker.seat)
        case shapes.Resign():
            return _resign(action, state)
        case shapes.SetPosition():
            return set_position(action, state)
        case shapes.NextGame():
            return next_game_begun(action)
        case shapes.Clock():
            return ClockSet(ClockOrder(action.order), action.south_ms, action.north_ms, action.why)
        case shapes.Settings():
            return settings_changed(action, state)
        case shapes.CallDirector():
            return _call_director(action, asker)
    return _answer(action, state, asker)


def _answer(action: Action, state: State, asker: Asker) -> PlainEvent:
    """The event of an answer to a double, a resignation or a dispute."""
    match action:
        case shapes.Take() | shapes.Pass() | shapes.Beaver() | shapes.Raccoon():
            return DoubleAnswered(Answer(action.kind), _speaker(action, asker))
        case shapes.Accept() | shapes.Refuse() if isinstance(state.phase, Resigning):
            return ResignationAnswered(isinstance(action, shapes.Accept), _speaker(action, asker))
        case shapes.Accept() | shapes.Refuse() | shapes.Condone() | shapes.Correct():
            return DisputeAnswered(Remedy(action.kind), _speaker(action, asker))
    raise BadTextError(say("There is no action “{kind}”.", kind=action.kind))


def _speaker(action: shapes.Sided, asker: Asker) -> Side | None:
    """The side that answers; RoleError if a player answers for the other seat."""
    side = action.given_side
    if asker.seat is None:
        return side
    if side is not None and side is not asker.seat:
        raise RoleError(say("A player answers for himself only."))
    return asker.seat


def _dice(given: int | list[int] | None) -> tuple[Die, ...]:
    return tuple(die(one) for one in ([given] if isinstance(given, int) else given or ()))


def _roll(dice: list[int]) -> Roll:
    high, low = (die(one) for one in dice)
    return Roll.of(high, low)


def _rule(action: shapes.Rule, state: State, asker: Asker) -> PlainEvent:
    if action.penalty is not None:
        return _penalty(action.penalty, state, asker)
    if action.dice is not None:
        return Overruled(_roll(action.dice))
    if action.ruling == "cocked":
        return Overruled(None)
    if action.ruling == "valid":
        return Overruled(_roll_as_read(state))
    raise BadTextError(say("Say what the throw counts as, or that it is cocked."))


def _penalty(given: shapes.Penalty, state: State, asker: Asker) -> PenaltyGiven:
    """The director's penalty points, given or computed from lateness (docs/rules/tournaments.md, row T16)."""
    if asker.role != "director":
        raise RoleError(say("Penalty points are for the director to give."))
    if given.minutes is None:
        points = 1 if given.points is None else given.points
        return PenaltyGiven(Side(given.to), points, given.why)
    if given.points is not None:
        raise BadTextError(say("A penalty is for minutes of lateness or a number of points, not both."))
    points = late_points(state.terms.profile, given.minutes)
    if points == 0:
        after_min = max(1, state.terms.profile.late_penalty_after_min)
        raise GameError(say("Lateness of less than {after_min} min costs no point.", after_min=after_min))
    return PenaltyGiven(Side(given.to), points, given.why, given.minutes)


def _roll_as_read(state: State) -> Roll:
    """The roll read by the camera; BadTextError unless both dice were read."""
    phase = state.phase
    if isinstance(phase, (Rolled, Played)) and early_and_void(state, phase):
        raise OutOfTurnError(
            say(
                "The early roll can be counted once {name} has ended the turn.", name=state.called(phase.side)
            )
        )
    throw = played_throw(state, phase) if isinstance(phase, (Rolled, Played)) else state.throw
    match [one.face for one in throw.dice] if throw else []:
        case [int(one), int(other)]:
            return Roll.of(die(one), die(other))
    raise BadTextError(say("Say what the dice show."))


def _play(action: shapes.Play, state: State) -> PlayEntered:
    if action.moves is not None:
        return PlayEntered(tuple((source, target) for source, target in action.moves), made=action.made)
    if action.result is not None:
        left = _left(action.result, state.terms.profile.checkers, action.made)
        return PlayEntered(mine=left.mine, theirs=left.theirs, made=action.made)
    if action.text is not None:
        # A text is the whole play: with lifted dice it ends the turn.
        owed = isinstance(state.phase, Rolled) and state.phase.lifted
        return _play_of_text(action.text, _turn(state), action.made, owed)
    raise BadTextError(say("A play is told by its moves, its text or the position that it leaves."))


def _left(given: list[int], checkers: int, made: bool) -> Position:
    """The position after a play; with `made`, it may have too many checkers."""
    if not made:
        return Position.of_ints(given, checkers=checkers)
    bare = Position.of_ints(given, (0, 0))
    mine, theirs = (max(0, checkers - sum(side[1:])) for side in (bare.mine, bare.theirs))
    return Position.of_ints(given, (mine, theirs))


def _play_of_text(text: str, turn: Turn, made: bool, owed: bool) -> PlayEntered:
    """The play of a text in any usual spelling; IllegalPlayError for an illegal one, unless `made`."""
    hops = read_hops(text)
    try:
        play = find_play(hops, turn.plays())
    except IllegalPlayError:
        if not made:
            # Raises IllegalPlayError with the reason if a single move is at fault.
            turn.partial_play([step for hop in hops for step in pairwise(hop.path)])
            raise
        return _illegal_play(turn.position, hops)
    return PlayEntered(tuple((move.source, move.target) for move in play), made=made or owed)


def _illegal_play(position: Position, hops: Sequence[Hop]) -> PlayEntered:
    """An illegal play by its moves, or by its position if they are impossible one by one."""
    left = carry_out(position, hops)
    steps = tuple(step for hop in hops for step in pairwise(hop.path))
    try:
        by_moves = carried_out(position, steps)[0] == left
    except IllegalPlayError:
        by_moves = False
    return (
        PlayEntered(steps, made=True)
        if by_moves
        else PlayEntered(mine=left.mine, theirs=left.theirs, made=True)
    )


def _turn(state: State) -> Turn:
    """The roll to play, or the roll of a play that may still be changed; OutOfTurnError without one."""
    match state.phase:
        case Rolled(side=side, roll=roll) | OnRoll(side=side, kept=Roll() as roll):
            return turn_of(state, side, roll)
        case Played(side=side, roll=Roll() as roll, before=before):
            return turn_of(replace(state, board=before), side, roll)
    raise OutOfTurnError(say("There is no roll to be played now."))


def _lift(action: shapes.Lift, state: State) -> Lifted:
    """Lift the dice; OutOfTurnError if the action names a side other than the roller."""
    if isinstance(state.phase, (Rolled, Played)):
        check_side(state, action.given_side, state.phase.side, say("end the turn"))
    return Lifted()


def _resign(action: shapes.Resign, state: State) -> Resigned:
    side = action.given_side or getattr(state.phase, "side", None)
    if side is None:
        raise BadTextError(say("Say which side resigns."))
    return Resigned(side, action.worth, action.points)


def _call_director(action: shapes.CallDirector, asker: Asker) -> DirectorCalled:
    if action.over and asker.role == "player":
        raise RoleError(say("Only the scorekeeper or the director can say that the director has been."))
    return DirectorCalled(asker.seat or action.given_side, action.over)


def _amend(action: shapes.Amend, table: Table, asker: Asker) -> Amended:
    """The correction of an earlier event by an action; without `type`, the kind of event stays."""
    if not 1 <= action.event <= len(table.entries):
        raise BadTextError(say("There is no event of this number."))
    entry = table.entries[action.event - 1]
    if isinstance(entry.event, MatchBegan):
        beginning = _correction("new_match", action.to)
        assert isinstance(beginning, shapes.NewMatch)
        to: PlainEvent = replace(corrected_beginning(entry.event, beginning), by=asker.recorded_as)
        return Amended(action.event, to, action.why)
    before = table.entries[action.event - 2].state
    correction = _correction(action.to.get("type") or _kind_of(entry.event, before), action.to)
    event = _plain(correction, before, asker)
    kept = replace(event, at_ms=entry.event.at_ms, by=asker.recorded_as)
    return Amended(action.event, kept, action.why)


def _correction(kind: object, to: Mapping[str, Any]) -> Action:
    return read_action({**to, "type": kind, "seq": 0})


def _kind_of(event: Event, before: State) -> str:
    """The type of action for this kind of event; GameError without one. A throw becomes a typed roll."""
    if isinstance(event, Thrown):
        return "opening" if isinstance(before.phase, Opening) else "roll"
    kinds: Mapping[type, str] = {
        OpeningThrown: "opening",
        RollTyped: "roll",
        Overruled: "rule",
        PlayEntered: "play",
        PositionSet: "set_position",
        NextGame: "next_game",
        PenaltyGiven: "rule",
        SettingsChanged: "settings",
        Resigned: "resign",
    }
    if type(event) not in kinds:
        raise GameError(say("Say with a type what this event should have been."))
    return kinds[type(event)]
