"""Actions of the page to events of the game, as docs/PROTOCOL.md lists them.

Every refusal is a GameError with a sentence; one about the role and not about the game is a RoleError.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal, TypeAlias, cast

from companion.errors import BadTextError, GameError, IllegalPlayError, OutOfTurnError, RoleError
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
from companion.game.step import Table, last_undoable
from companion.game.throws import early_and_void, played_throw
from companion.game.turns import turn_of
from companion.protocol.fields import Act, count_in, dice_in, moves_in, roll_in, side_in, text_in
from companion.protocol.match_setup import (
    Usual,
    corrected_beginning,
    new_match,
    next_game_begun,
    set_position,
    settings_changed,
)
from companion.protocol.permissions import Asker, may_ask, may_take_back
from companion.rules.board import Position, Roll
from companion.rules.legality import Turn
from companion.rules.moves import carried_out
from companion.rules.notation import Hop, carry_out, find_play, read_hops
from companion.rules.profile import Profile
from companion.rules.profiles import PROFILES
from sentence import say


def event_of(
    act: Act,
    table: Table,
    asker: Asker,
    profiles: Mapping[str, Profile] = PROFILES,
    usual: Usual | None = None,
) -> AnyEvent:
    """The event that an action tells; whether the rules allow it now is for `step` to say.

    Args:
        act: `{"type", …}` as docs/PROTOCOL.md lists them.
        table: as it is now, to know whose moves and which event are meant.
        asker: who asks, and the time that the event is to carry.
        profiles: the rules that may be named for a new match.
        usual: what is left out of a new match.

    Raises:
        RoleError: this role may not do that, or it is another side's to answer.
        GameError: the action makes no sense; the sentence says why.
    """
    kind = text_in(act, "type")
    if not may_ask(asker.role, kind):
        raise RoleError(say("A {role} cannot do this.", role=asker.role))
    if kind == "new_match":
        event: AnyEvent = new_match(act, table, asker, profiles, usual or Usual())
    elif kind == "amend":
        event = _amend(act, table, asker)
    elif kind == "undo":
        event = _undo(table, asker)
    else:
        event = _plain(kind, act, _state(table), asker)
    return replace(event, at_ms=asker.at_ms, by=asker.said_by)


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


def _plain(kind: str, act: Act, state: State, asker: Asker) -> PlainEvent:
    handler = _HANDLERS.get(kind)
    if handler is None:
        raise BadTextError(say("There is no action “{kind}”.", kind=kind))
    return handler(act, state, asker)


def _opening(act: Act, state: State, asker: Asker) -> OpeningThrown:
    return OpeningThrown(dice_in(act.get("south")), dice_in(act.get("north")))


def _roll(act: Act, state: State, asker: Asker) -> RollTyped:
    return RollTyped(roll_in(act), side_in(act))


def _rule(act: Act, state: State, asker: Asker) -> PlainEvent:
    if "penalty" in act:
        return _penalty(act["penalty"], state, asker)
    if "dice" in act:
        return Overruled(roll_in(act))
    if act.get("ruling") == "cocked":
        return Overruled(None)
    if act.get("ruling") == "valid":
        phase = state.phase
        if isinstance(phase, (Rolled, Played)) and early_and_void(state, phase):
            raise OutOfTurnError(
                say(
                    "The early roll can be counted once {name} has ended the turn.",
                    name=state.called(phase.side),
                )
            )
        throw = played_throw(state, phase) if isinstance(phase, (Rolled, Played)) else state.throw
        faces = [one.face for one in throw.dice] if throw else []
        if len(faces) != 2 or None in faces:
            raise BadTextError(say("Say what the dice show."))
        return Overruled(Roll.of(cast(int, faces[0]), cast(int, faces[1])))
    raise BadTextError(say("Say what the throw counts as, or that it is cocked."))


def _penalty(given: object, state: State, asker: Asker) -> PenaltyGiven:
    """Penalty points are the director's: {"to", "points" or "minutes", "why"}."""
    if asker.role != "director":
        raise RoleError(say("Penalty points are for the director to give."))
    if not isinstance(given, Mapping):
        raise BadTextError(say("A penalty says to whom how many points go."))
    side, why, late_min = (
        side_in({"side": given.get("to")}),
        text_in(given, "why", ""),
        count_in(given, "minutes"),
    )
    if late_min is not None and "points" in given:
        raise BadTextError(say("A penalty is for minutes of lateness or a number of points, not both."))
    points = given.get("points", 1) if late_min is None else late_points(state.terms.profile, late_min)
    if side is None or isinstance(points, bool) or not isinstance(points, int):
        raise BadTextError(say("A penalty says to whom how many points go."))
    if late_min is not None and points == 0:
        after_min = max(1, state.terms.profile.late_penalty_after_min)
        raise GameError(say("Lateness of less than {minutes} min costs no point.", minutes=after_min))
    return PenaltyGiven(side, points, why, late_min)


def _play(act: Act, state: State, asker: Asker) -> PlayEntered:
    made = act.get("made", False) is True
    if "moves" in act:
        return PlayEntered(moves_in(act), made=made)
    if "result" in act:
        left = _left(act["result"], state.terms.profile.checkers, made)
        return PlayEntered(mine=left.mine, theirs=left.theirs, made=made)
    if "text" in act:
        # A text tells the whole play: where the dice are lifted, nothing more is waited for.
        owed = isinstance(state.phase, Rolled) and state.phase.lifted
        return _play_of_text(text_in(act, "text"), _turn(state), made, owed)
    raise BadTextError(say("A play is told by its moves, its text or the position that it leaves."))


def _left(ints: object, checkers: int, made: bool) -> Position:
    """The position that a play leaves; one that is said to lie on the board may have too many checkers."""
    given = cast(list[int], ints)
    if not made:
        return Position.of_ints(given, checkers=checkers)
    bare = Position.of_ints(given, (0, 0))
    mine, theirs = (max(0, checkers - sum(side[1:])) for side in (bare.mine, bare.theirs))
    return Position.of_ints(given, (mine, theirs))


def _play_of_text(text: str, turn: Turn, made: bool, owed: bool) -> PlayEntered:
    """A play in any usual spelling; one that is not legal only if it is said to lie on the board."""
    hops = read_hops(text)
    try:
        play = find_play(hops, turn.plays())
    except IllegalPlayError:
        if not made:
            # Where one move is to blame this says why.
            turn.making([step for hop in hops for step in pairwise(hop.path)])
            raise
        return _illegal_as_told(turn.position, hops)
    return PlayEntered(tuple((move.source, move.target) for move in play), made=made or owed)


def _illegal_as_told(position: Position, hops: Sequence[Hop]) -> PlayEntered:
    """A play that is not legal by its moves, or where these cannot be made one by one by what it leaves."""
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
    """The roll that is to be played, or that has been and may still be played otherwise."""
    match state.phase:
        case Rolled(side=side, roll=roll) | OnRoll(side=side, kept=Roll() as roll):
            return turn_of(state, side, roll)
        case Played(side=side, roll=Roll() as roll, before=before):
            return turn_of(replace(state, board=before), side, roll)
    raise OutOfTurnError(say("There is no roll to be played now."))


def _end(act: Act, state: State, asker: Asker) -> TurnEnded:
    return TurnEnded(side_in(act))


def _lift(act: Act, state: State, asker: Asker) -> Lifted:
    """Dice lie there for whoever has rolled them; at other times nobody's are meant."""
    side = side_in(act)
    if isinstance(state.phase, (Rolled, Played)):
        check_side(state, side, state.phase.side, say("end the turn"))
    return Lifted()


def _double(act: Act, state: State, asker: Asker) -> DoubleOffered:
    return DoubleOffered(side_in(act) or asker.seat)


def _answered(answer: Answer) -> "Handler":
    return lambda act, state, asker: DoubleAnswered(answer, side_in(act, asker))


def _resign(act: Act, state: State, asker: Asker) -> Resigned:
    side = side_in(act) or getattr(state.phase, "side", None)
    if side is None:
        raise BadTextError(say("Say which side resigns."))
    worth, points = act.get("worth", 1), act.get("points")
    if type(worth) is not int or worth not in (1, 2, 3):
        raise BadTextError(say("A resignation is for a single game, a gammon or a backgammon."))
    if points is not None and type(points) is not int:
        raise BadTextError(say("A settlement is for a whole number of points."))
    return Resigned(side, cast(Literal[1, 2, 3], worth), points)


def _agree(accepted: bool) -> "Handler":
    def handler(act: Act, state: State, asker: Asker) -> PlainEvent:
        if isinstance(state.phase, Resigning):
            return ResignationAnswered(accepted, side_in(act, asker))
        remedy = Remedy.ACCEPT if accepted else Remedy.REFUSE
        return DisputeAnswered(remedy, side_in(act, asker))

    return handler


def _settle(remedy: Remedy) -> "Handler":
    return lambda act, state, asker: DisputeAnswered(remedy, side_in(act, asker))


def _clock(act: Act, state: State, asker: Asker) -> ClockSet:
    orders = {order.value: order for order in ClockOrder}
    order = text_in(act, "order")
    if order not in orders:
        raise BadTextError(say("The clock is told to {list}.", list=", ".join(orders)))
    return ClockSet(
        orders[order], count_in(act, "south_ms"), count_in(act, "north_ms"), text_in(act, "why", "")
    )


def _call_director(act: Act, state: State, asker: Asker) -> DirectorCalled:
    over = act.get("over", False) is True
    if over and asker.role == "player":
        raise RoleError(say("Only the scorekeeper or the director can say that the director has been."))
    return DirectorCalled(asker.seat or side_in(act), over)


def _amend(act: Act, table: Table, asker: Asker) -> Amended:
    """An earlier event in the words of an action; without `type` it stays the kind of event it was."""
    number, to = act.get("event"), act.get("to")
    if type(number) is not int or not 1 <= number <= len(table.entries):
        raise BadTextError(say("There is no event of this number."))
    if not isinstance(to, Mapping):
        raise BadTextError(say("Say what the event should have said."))
    entry = table.entries[number - 1]
    if isinstance(entry.event, MatchBegan):
        beginning = replace(corrected_beginning(entry.event, to), by=asker.said_by)
        return Amended(number, beginning, text_in(act, "why", ""))
    before = table.entries[number - 2].state
    kind = to.get("type") or _kind_of(entry.event, before)
    event = _plain(str(kind), {**to, "type": kind}, before, asker)
    kept = replace(event, at_ms=entry.event.at_ms, by=asker.said_by)
    return Amended(number, kept, text_in(act, "why", ""))


def _kind_of(event: Event, before: State) -> str:
    """The type of action that tells this kind of event; a throw is told as what it counts."""
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


Handler: TypeAlias = Callable[[Act, State, Asker], PlainEvent]


_HANDLERS: Mapping[str, Handler] = {
    "opening": _opening,
    "roll": _roll,
    "rule": _rule,
    "play": _play,
    "done": _end,
    "lift": _lift,
    "double": _double,
    "take": _answered(Answer.TAKE),
    "pass": _answered(Answer.PASS),
    "beaver": _answered(Answer.BEAVER),
    "raccoon": _answered(Answer.RACCOON),
    "resign": _resign,
    "accept": _agree(True),
    "refuse": _agree(False),
    "condone": _settle(Remedy.CONDONE),
    "correct": _settle(Remedy.CORRECT),
    "set_position": set_position,
    "next_game": next_game_begun,
    "clock": _clock,
    "settings": settings_changed,
    "call_director": _call_director,
}
