"""Doubles and their answers (take, pass, beaver), resignations and settlements, and the cube set by hand.

The value and the owner after each answer: `Offer` in companion/rules/cube_and_score.py; what a game is worth: games.py;
the one dispute that holds a double back, a wrong start: disputes.py; the lock after cocked dice and the trigger of an
automatic double: throws.py.
"""

from dataclasses import replace

from companion.errors import GameError, OutOfTurnError
from companion.game import events
from companion.game.disputes import waiting_sentence
from companion.game.events import Answer
from companion.game.games import WON_WORDS, finish, most_worth, party_of, seated
from companion.game.state import (
    CubeAction,
    CubeTurn,
    Doubled,
    OnRoll,
    Played,
    Resigning,
    Rolled,
    SetUp,
    State,
    Transition,
    check_side,
    info,
    warn,
)
from companion.game.turns import made_final, rolled
from companion.rules.board import Side
from companion.rules.cube_and_score import (
    MOST_POINTS,
    WORTH_WORDS,
    Crawford,
    Cube,
    Ending,
    Offer,
    Worth,
)
from companion.rules.family import chouette as rules
from sentence import Sentence, say


def why_no_double(state: State, side: Side) -> Sentence:
    """The reason why this side may not double now, a sentence; empty if it may (docs/rules/play.md, rows 11 and 15)."""
    profile, turn = state.terms.profile, state.phase
    if not profile.cube:
        return say("This game is played without a cube.")
    if not isinstance(turn, OnRoll):
        return say("A double is offered before the roll, in one’s own turn.")
    if turn.side is not side:
        return say("It is {name}’s turn.", name=state.called(turn.side))
    if state.terms.length == 1 and state.crawford is Crawford.NOW:
        return say("In a match to 1 point there is nothing to double.")
    if state.crawford is Crawford.NOW:
        return say("This is the Crawford game: a double is annulled, and play goes on.")
    if turn.first:
        return say("There is no doubling before the first play of the game.")
    if turn.again:
        return say("There is no doubling between a doublet and the throw after it.")
    if turn.locked:
        return say("After cocked dice the cube stays where it is until they are thrown again.")
    if state.chouette is not None:
        if not turnable(state, side):
            return say("This cube cannot be turned now.")
        return waiting_sentence(state.dispute, events.DoubleOffered)
    if not state.cube.open_to(side):
        return say("The cube is {name}’s.", name=state.called(side.other))
    if state.cube.value >= profile.largest_cube:
        return say("The cube cannot be turned beyond {value}.", value=profile.largest_cube)
    return waiting_sentence(state.dispute, events.DoubleOffered)


def double_offered(state: State, event: events.DoubleOffered) -> Transition:
    """Offer a double.

    Raises:
        OutOfTurnError: the side may not double now.
        GameError: of a chouette: it may not turn one of the cubes named.
    """
    turn = state.phase
    side = event.side or (turn.side if isinstance(turn, OnRoll) else None)
    reason = why_no_double(state, side) if side else say("A double is offered before the roll.")
    if reason or side is None or not isinstance(turn, OnRoll):
        raise OutOfTurnError(reason)
    after, notices = made_final(state, side, by_double=True)
    offer = Offer(side, state.cube)
    logged = after.with_logged(CubeTurn(side, CubeAction.DOUBLE, offer.value))
    text = say("{name} doubles to {value}.", name=state.called(side), value=offer.value)
    if logged.chouette is not None:
        logged = _doubled(logged, side, event)
        text = _double_sentence(logged, side)
    return Transition(replace(logged, phase=Doubled(offer, turn), doubled=True), notices).also(info(text))


def turnable(state: State, side: Side) -> tuple[str, ...]:
    """The partners whose cubes this side may turn, in the order of the queue."""
    now, most = state.chouette, state.terms.profile.largest_cube
    if now is None:
        return ()
    stakes = ((name, now.stakes[name]) for name in now.playing)
    return tuple(
        name for name, stake in stakes if stake.owner in (None, party_of(side)) and 2 * stake.cube <= most
    )


def _doubled(state: State, side: Side, event: events.DoubleOffered) -> State:
    """The state with a double on the cubes named, on all that may be turned if none are.

    Raises:
        GameError: one of them cannot be turned by this side.
    """
    assert state.chouette is not None
    can = turnable(state, side)
    names = event.partners or can
    if set(names) - set(can):
        raise GameError(say("This cube cannot be turned now."))
    return seated(state, rules.double(state.chouette, party_of(side), names))


def _double_sentence(state: State, side: Side) -> Sentence:
    """A sentence about the double that awaits its answers."""
    now = state.chouette
    assert now is not None
    if side is Side.SOUTH:
        return say("{name} doubles: {partners} to answer.", name=now.box, partners=now.awaited)
    return say("Doubled by: {partners}. {name} answers cube by cube.", name=now.box, partners=now.awaited)


def _answered_for(now: rules.Chouette, event: events.DoubleAnswered) -> tuple[str, ...]:
    """The partners on whose cubes an answer is: the one it names, else all who are asked."""
    return (event.partner,) if event.partner else now.awaited


def _answered(state: State, offer: Offer, event: events.DoubleAnswered) -> State:
    """The state after an answer on a partner's cube, or the box's on all of them if it names none.

    Raises:
        OutOfTurnError: several partners are asked, and the answer does not say whose it is.
        GameError: no answer is awaited on this cube.
    """
    now = state.chouette
    assert now is not None
    names = _answered_for(now, event)
    if not event.partner and len(names) > 1 and offer.asked is Side.NORTH:
        raise OutOfTurnError(say("Each partner answers for himself: say whose answer it is."))
    for name in names:
        now = rules.answer(now, name, take=event.answer is Answer.TAKE)
    return seated(state, now)


def _answer_sentence(state: State, offer: Offer, event: events.DoubleAnswered) -> Sentence:
    """A sentence about an answer; `state` is the one before it."""
    now = state.chouette
    assert now is not None
    names, label = _answered_for(now, event), event.answer.label
    if offer.asked is Side.NORTH:
        return say("{name}: {answer}.", name=names, answer=label)
    return say("{name}: {answer}. Cube of {partners}.", name=now.box, answer=label, partners=names)


def withdrawn(state: State) -> State:
    """The state without the double that awaits answers; those given stand."""
    if state.chouette is None:
        return state
    return seated(state, replace(state.chouette, doubled=None, asked=frozenset()))


def double_answered(state: State, event: events.DoubleAnswered) -> Transition:
    """Take, pass, beaver or raccoon, as the profile allows (docs/rules/play.md, rows 12 and 13).

    Raises:
        OutOfTurnError: no double is open, the answer is the other side's, or the profile does not allow it.
    """
    phase = state.phase
    if not isinstance(phase, Doubled):
        raise OutOfTurnError(say("No double waits for an answer."))
    offer = phase.offer
    asked, answer = offer.asked, event.answer
    check_side(state, event.side, asked, say("answer"))
    if answer not in answers_to(state, offer):
        raise OutOfTurnError(say("{answer} is not possible here.", answer=answer.label))
    if state.chouette is not None:
        return _cube_answered(state, phase, event)
    if answer is Answer.TAKE:
        return _taken(state, phase)
    if answer is Answer.PASS:
        passed = state.with_logged(CubeTurn(asked, CubeAction.PASS, offer.lost_by_passing))
        return finish(passed, asked.other, Worth.SINGLE, Ending.PASSED, cube=offer.lost_by_passing)
    again, name = offer.turned_again(), state.called(asked)
    logged = state.with_logged(CubeTurn(asked, CubeAction(answer.value), again.value))
    text = say(
        "{name} turns the cube to {value}: {answer}.", name=name, value=again.value, answer=answer.label
    )
    return Transition(replace(logged, phase=Doubled(again, phase.back), taken=True), (info(text),))


def answers_to(state: State, offer: Offer) -> tuple[Answer, ...]:
    """Answers that the profile allows to this double, beaver or raccoon (docs/rules/play.md, row 13; row T8)."""
    if state.chouette is not None:
        return (Answer.TAKE, Answer.PASS)
    profile, money = state.terms.profile, state.terms.money_play
    more = {1: (profile.beaver, Answer.BEAVER), 2: (profile.raccoon, Answer.RACCOON)}.get(offer.turns)
    beyond = offer.turned_again().value > profile.largest_cube
    if more is not None and not beyond and more[0].holds(money_play=money):
        return (Answer.TAKE, Answer.PASS, more[1])
    return (Answer.TAKE, Answer.PASS)


def _cube_answered(state: State, phase: Doubled, event: events.DoubleAnswered) -> Transition:
    """An answer on a cube of a chouette; play goes on once every cube is answered, if a partner still plays."""
    offer = phase.offer
    notice = info(_answer_sentence(state, offer, event))
    logged = state.with_logged(CubeTurn(offer.asked, CubeAction(event.answer.value), offer.value))
    after = _answered(logged, offer, event)
    now = after.chouette
    assert now is not None
    if now.is_over:
        return finish(after, offer.by, Worth.SINGLE, Ending.PASSED).after(notice)
    if now.doubled is not None:
        return Transition(after, (notice,))
    return _back_in_turn(replace(after, phase=phase.back, taken=True)).after(notice)


def _back_in_turn(state: State) -> Transition:
    """Play goes on after a double; an early roll that waited for it counts."""
    if state.pending is None:
        return Transition(state)
    return rolled(state, state.pending.side, state.pending.roll, state.pending.throw)


def _taken(state: State, phase: Doubled) -> Transition:
    cube, owner = phase.offer.taken(), state.called(phase.offer.by.other)
    logged = state.with_logged(CubeTurn(phase.offer.asked, CubeAction.TAKE, cube.value))
    after = replace(logged, cube=cube, phase=phase.back, taken=True)
    notice = info(say("Taken: the cube shows {value} and is {name}’s.", value=cube.value, name=owner))
    return _back_in_turn(after).after(notice)


def resigned(state: State, event: events.Resigned) -> Transition:
    """Offer to resign the game, or to settle it for some points.

    Raises:
        OutOfTurnError: no game is in progress.
        GameError: the settlement is not from 0 to three times the largest cube, or no game has this worth; a
            chouette is not settled like this.
    """
    phase = state.phase
    if not isinstance(phase, (OnRoll, Doubled, Rolled, Played)):
        raise OutOfTurnError(say("There is no game to resign now."))
    if state.chouette is not None and isinstance(phase, Doubled):
        raise OutOfTurnError(say("The double has to be answered first, cube by cube."))
    if state.chouette is not None and event.points is not None:
        raise GameError(say("A chouette is not settled for points: each partner plays for himself."))
    most = 3 * state.terms.profile.largest_cube
    if event.points is not None and not 0 <= event.points <= most:
        raise GameError(say("A settlement is for 0 to {most} points.", most=most))
    worth = Worth(event.worth)
    if worth > most_worth(state.terms.profile):
        raise GameError(say("There is no {worth} in this game.", worth=WORTH_WORDS[worth]))
    name, other, points = state.called(event.side), state.called(event.side.other), event.points
    text = say(
        "{name} resigns {worth}: does {other} accept?",
        name=name,
        worth=WON_WORDS[worth],
        other=other,
    )
    if points is not None:
        text = say("{name} offers to settle: {other} gets {points}.", name=name, other=other, points=points)
    return Transition(replace(state, phase=Resigning(event.side, worth, points, phase)), (warn(text),))


def resignation_answered(state: State, event: events.ResignationAnswered) -> Transition:
    """Accept a resignation, which ends the game, or refuse it; OutOfTurnError if none is open for this side."""
    phase = state.phase
    if not isinstance(phase, Resigning):
        raise OutOfTurnError(say("No resignation waits for an answer."))
    winner = phase.by.other
    check_side(state, event.side, winner, say("answer"))
    back = replace(state, phase=phase.back)
    if not event.accepted:
        return Transition(back, (info(say("{name} refuses: play goes on.", name=state.called(winner))),))
    if phase.points is not None:
        return finish(back, winner, Worth.SINGLE, Ending.SETTLED, points=phase.points)
    return finish(back, winner, phase.worth, Ending.RESIGNED)


def may_double_automatically(state: State) -> bool:
    """Whether equal opening dice turn the cube: in money play, as often as the profile has it (row T8)."""
    profile = state.terms.profile
    two = state.chouette is None
    turns = two and state.terms.money_play and profile.cube and state.cube.value < profile.largest_cube
    return turns and state.automatic < profile.automatic_doubles


def automatic_double(state: State) -> Transition:
    """Turn the cube after equal opening dice; it stays in the middle."""
    cube = Cube(state.cube.value * 2)
    logged = state.with_logged(SetUp(state.board, cube, None))
    text = say("Doubles: the cube is turned to {cube}; roll again for the start.", cube=cube.value)
    return Transition(replace(logged, cube=cube, automatic=state.automatic + 1), (info(text),))


def cube_set(state: State, event: events.PositionSet) -> State:
    """The state with the cube as set by hand; GameError for a cube that this game cannot have."""
    if event.cube_value is None and event.cube_owner is None:
        return state
    if state.chouette is not None:
        raise GameError(say("Each partner of a chouette has a cube of his own; it is not set by hand."))
    value = state.cube.value if event.cube_value is None else event.cube_value
    if value < 1 or value & (value - 1):
        shown = value if abs(value) <= MOST_POINTS else "…"
        raise GameError(say("A cube shows 1, 2, 4 and so on, not {value}.", value=shown))
    if value > state.terms.profile.largest_cube:
        raise GameError(
            say("The cube cannot be turned beyond {value}.", value=state.terms.profile.largest_cube)
        )
    if not state.terms.profile.cube and value > 1:
        raise GameError(say("This game is played without a cube."))
    owner = state.cube.owner
    if event.cube_owner is not None:
        owner = None if event.cube_owner == "middle" else Side(event.cube_owner)
    cube = replace(state.cube, value=value, owner=owner)
    return replace(state, cube=cube, doubled=value > 1, taken=value > 1)
