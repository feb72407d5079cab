"""Translation of the page's actions (docs/PROTOCOL.md) to events of the game.

Shape (action_shapes.py) and role (permissions.py) of an action are checked before. Every refusal is a GameError with
a sentence; a refusal of the role is a RoleError.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import TypeVar

from companion.errors import BadTextError, GameError, IllegalPlayError, OutOfTurnError, RoleError
from companion.game import events
from companion.game.director import late_points
from companion.game.events import AnyEvent, PlainEvent, PlayEntered
from companion.game.state import MatchOver, Played, Resigning, Rolled, State, check_side
from companion.game.table import Table
from companion.game.throws import early_and_void, played_throw
from companion.game.turns import turn_to_play
from companion.protocol import action_shapes as shapes
from companion.protocol import match_setup
from companion.protocol.permissions import Asker
from companion.protocol.undo_and_amend import amended, undone
from companion.rules.board import Die, Position, Roll, Side, die
from companion.rules.family.profiles import ALL_PROFILES
from companion.rules.moves import carried_out
from companion.rules.notation import Hop, carry_out, find_play, read_hops
from companion.rules.play_legality import Turn
from companion.rules.profile import Profile
from companion.rules.setting_values import ThrownByHand
from sentence import say

_Decision = TypeVar("_Decision", bound=events.Decision)


def event_of(
    action: shapes.Action,
    table: Table,
    asker: Asker,
    profiles: Mapping[str, Profile] = ALL_PROFILES,
    usual: match_setup.Usual | None = None,
) -> AnyEvent:
    """The event of an action; `step` decides whether the rules allow it now.

    Time and source of the event are the asker's; `profiles` and `usual` are for a new match.

    Raises:
        RoleError: the role may not do this, or the answer is the other side's.
        BadShapeError: the correction of an event does not have the shape of the action that it names.
        GameError: the action is impossible now; the sentence gives the reason.
    """
    event: AnyEvent
    match action:
        case shapes.NewMatch():
            event = match_setup.new_match(action, asker, profiles, usual or match_setup.Usual())
        case shapes.Amend():
            event = amended(action, table, asker, _plain)
        case shapes.Undo():
            event = undone(table, asker)
        case _ if table.state is None:
            raise OutOfTurnError(say("No match has begun."))
        case _:
            event = _plain(action, table.state, asker)
    return replace(event, at_ms=asker.at_ms, by=asker.recorded_as)


def _plain(action: shapes.Action, state: State, asker: Asker) -> PlainEvent:
    """The event of an action during a match."""
    match action:
        case shapes.Opening():
            void = _typed_void(action.void, state, asker)
            return events.OpeningThrown(_dice(action.south), _dice(action.north), void)
        case shapes.Roll():
            void = _typed_void(action.void, state, asker)
            return events.RollTyped(Roll.of(*action.dice), action.given_side, void)
        case shapes.Rule():
            return _rule(action, state, asker)
        case shapes.Play():
            return _play(action, state)
        case shapes.NameDoublet():
            return events.DoubletNamed(die(action.number))
        case shapes.Done():
            return events.TurnEnded(action.given_side)
        case shapes.Lift():
            return _lift(action, state)
        case shapes.Double():
            return events.DoubleOffered(action.given_side or asker.seat, tuple(action.partners or ()))
        case shapes.Resign():
            return _resign(action, state)
        case shapes.SetPosition():
            return _with_reason(match_setup.set_position(action, state), action)
        case shapes.NextGame():
            return events.NextGame(action.swap_seats, match_setup.orientation_of(action.orientation))
        case shapes.Clock():
            order = events.ClockOrder(action.order)
            if order is events.ClockOrder.START and isinstance(state.phase, MatchOver):
                raise OutOfTurnError(say("The match is over."))
            return events.ClockSet(order, action.south_ms, action.north_ms, action.why)
        case shapes.Settings():
            return _with_reason(match_setup.settings_changed(action, state), action)
        case shapes.CallDirector():
            return _call_director(action, asker)
    return _answer(action, state, asker)


def _answer(action: shapes.Action, state: State, asker: Asker) -> PlainEvent:
    """The event of an answer to a double, a resignation or a dispute."""
    match action:
        case shapes.Take() | shapes.Pass():
            answer = events.Answer(action.kind)
            return events.DoubleAnswered(answer, _speaker(action, asker), action.partner or "")
        case shapes.Beaver() | shapes.Raccoon():
            return events.DoubleAnswered(events.Answer(action.kind), _speaker(action, asker))
        case shapes.Accept() | shapes.Refuse() if isinstance(state.phase, Resigning):
            reply = events.ResignationAnswered(action.kind == "accept", _speaker(action, asker))
            return _with_reason(reply, action)
        case shapes.Accept() | shapes.Refuse() | shapes.Condone() | shapes.Correct():
            remedy = events.DisputeAnswered(events.Remedy(action.kind), _speaker(action, asker))
            return _with_reason(remedy, action)
    raise BadTextError(say("There is no action “{kind}”.", kind=action.kind))


def _with_reason(
    event: _Decision, action: shapes.Decision | shapes.SetPosition | shapes.Settings
) -> _Decision:
    """The event with the question and the reason of its action."""
    return replace(event, question=action.question, why=action.why)


def _speaker(action: shapes.Sided, asker: Asker) -> Side | None:
    """The side that answers; RoleError if a player answers for the other seat."""
    if asker.seat is not None and action.given_side not in (None, asker.seat):
        raise RoleError(say("Players can answer only for themselves."))
    return asker.seat or action.given_side


def _dice(given: int | list[int] | None) -> tuple[Die, ...]:
    return tuple(die(one) for one in ([given] if isinstance(given, int) else given or ()))


def _rule(action: shapes.Rule, state: State, asker: Asker) -> PlainEvent:
    if action.penalty is not None:
        penalty = _penalty(action.penalty, state, asker)
        return replace(penalty, question=action.question, why=penalty.why or action.why)
    if action.void == "by_hand" and _is_for_director(state, asker):
        return events.DirectorCalled(question=action.question, why=action.why)
    if action.void is not None:
        return events.Overruled(None, _void(action.void), question=action.question, why=action.why)
    if action.dice is None and action.ruling is None:
        raise BadTextError(say("Enter what the roll counts as, or that it is cocked."))
    if action.dice is not None:
        roll: Roll | None = Roll.of(*action.dice)
    else:
        roll = _roll_as_read(state) if action.ruling == "valid" else None
    return events.Overruled(roll, question=action.question, why=action.why)


def _void(given: str | None) -> events.Void | None:
    return events.Void(given) if given else None


def _typed_void(given: str | None, state: State, asker: Asker) -> events.Void | None:
    """Why typed dice do not count; RoleError if only the director may say so."""
    if given == "by_hand" and _is_for_director(state, asker):
        raise RoleError(say("Dice thrown by hand are for the director: enter the roll first, then call him."))
    return _void(given)


def _is_for_director(state: State, asker: Asker) -> bool:
    """Whether dice thrown by hand are for the director to rule on (docs/rules/tournaments.md, row T19)."""
    decides = state.terms.profile.thrown_by_hand is ThrownByHand.DIRECTOR_DECIDES
    return decides and asker.role != "director"


def _penalty(given: shapes.Penalty, state: State, asker: Asker) -> events.PenaltyGiven:
    """The director's penalty points, given or computed from lateness (docs/rules/tournaments.md, row T16)."""
    if asker.role != "director":
        raise RoleError(say("Only the director may award penalty points."))
    if given.minutes is None:
        points = 1 if given.points is None else given.points
        return events.PenaltyGiven(Side(given.to), points, given.why)
    if given.points is not None:
        raise BadTextError(say("A penalty is for minutes of lateness or a number of points, not both."))
    points = late_points(state.terms.profile, given.minutes)
    if points == 0:
        after_min = max(1, state.terms.profile.late_penalty_after_min)
        raise GameError(say("Lateness of less than {after_min} min costs no point.", after_min=after_min))
    return events.PenaltyGiven(Side(given.to), points, given.why, given.minutes)


def _roll_as_read(state: State) -> Roll:
    """The roll read by the camera; BadTextError unless both dice were read."""
    phase, throw = state.phase, state.throw
    if isinstance(phase, (Rolled, Played)):
        if early_and_void(state, phase):
            name = state.called(phase.side)
            raise OutOfTurnError(
                say("The early roll can be counted once {name} has ended the turn.", name=name)
            )
        throw = played_throw(state, phase)
    match [one.face for one in throw.dice] if throw else []:
        case [int(one), int(other)]:
            return Roll.of(one, other)
    raise BadTextError(say("Enter what the dice show."))


def _play(action: shapes.Play, state: State) -> PlayEntered:
    if action.moves is not None:
        steps = tuple((source, target) for source, target in action.moves)
        return _made_by_moves(steps, state) if action.made else PlayEntered(steps)
    if action.result is not None:
        left = _left(action, state.terms.profile)
        return PlayEntered(mine=left.mine, theirs=left.theirs, made=action.made)
    if action.text is not None:
        # A text is the whole play: with lifted dice it ends the turn.
        owed = isinstance(state.phase, Rolled) and state.phase.lifted
        turn = turn_to_play(state)
        if turn is None:
            raise OutOfTurnError(say("There is no roll to be played now."))
        return _play_of_text(action.text, turn, action.made, owed)
    raise BadTextError(say("Give a play as its moves, its text or the resulting position."))


def _made_by_moves(steps: tuple[tuple[int, int], ...], state: State) -> PlayEntered:
    """The play that was made by these moves; by its position if they are impossible one by one, as with a text."""
    turn, entered = turn_to_play(state), PlayEntered(steps, made=True)
    if turn is None or any(source == target for source, target in steps):
        return entered
    try:
        turn.partial_play(steps)
        return entered
    except IllegalPlayError:
        if turn.meant(steps) is not None:
            return entered
    return _illegal_play(turn.position, [Hop(step) for step in steps])


def _left(action: shapes.Play, profile: Profile) -> Position:
    """The position after a play; with `made`, it may have too many checkers."""
    assert action.result is not None
    kind, checkers = profile.positions, profile.checkers
    if not action.made:
        return kind.of_shown(action.result, action.under, checkers=checkers)
    bare = kind.of_shown(action.result, action.under, (0, 0))
    mine, theirs = (max(0, checkers - sum(side[1:])) for side in (bare.mine, bare.theirs))
    return kind.of_shown(action.result, action.under, (mine, theirs))


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
    with suppress(IllegalPlayError):
        if carried_out(position, steps)[0] == left:
            return PlayEntered(steps, made=True)
    return PlayEntered(mine=left.mine, theirs=left.theirs, made=True)


def _lift(action: shapes.Lift, state: State) -> events.Lifted:
    """Lift the dice; OutOfTurnError if the action names a side other than the roller."""
    if isinstance(state.phase, (Rolled, Played)):
        check_side(state, action.given_side, state.phase.side, say("end the turn"))
    return events.Lifted()


def _resign(action: shapes.Resign, state: State) -> events.Resigned:
    side = action.given_side or getattr(state.phase, "side", None)
    if side is None:
        raise BadTextError(say("Say which side resigns."))
    return events.Resigned(side, action.worth, action.points)


def _call_director(action: shapes.CallDirector, asker: Asker) -> events.DirectorCalled:
    if action.over and asker.role == "player":
        raise RoleError(say("Only the scorekeeper or the director can say that the director has come."))
    return _with_reason(events.DirectorCalled(asker.seat or action.given_side, action.over), action)
