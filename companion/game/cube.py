"""Doubles and their answers (take, pass, beaver), resignations and settlements, and the cube set by hand.

The value and the owner after each answer: `Offer` in companion/rules/cube_and_score.py; what a game is worth: games.py;
the one dispute that holds a double back, a wrong start: disputes.py.
"""

from dataclasses import replace

from companion.errors import GameError, OutOfTurnError
from companion.game import events
from companion.game.disputes import waiting_sentence
from companion.game.events import Answer
from companion.game.games import WON_WORDS, finish, most_worth
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
from sentence import Sentence, say


def why_no_double(state: State, side: Side) -> Sentence:
    """The reason why this side may not double now, a sentence; empty if it may (docs/rules/play.md, rows 11 and 15)."""
    profile, turn = state.terms.profile, state.phase
    if not profile.cube:
        return say("This game is played without a cube.")
    if not isinstance(turn, OnRoll):
        return say("A double is offered before the roll, in one's own turn.")
    if turn.side is not side:
        return say("It is {name}'s turn.", name=state.called(turn.side))
    if state.crawford is Crawford.NOW:
        return say("This is the Crawford game: a double is annulled, and play goes on.")
    if turn.first:
        return say("There is no doubling before the first play of the game.")
    if turn.again:
        return say("There is no doubling between a doublet and the throw after it.")
    if turn.locked:
        return say("After cocked dice the cube stays where it is until they are thrown again.")
    if not state.cube.open_to(side):
        return say("The cube is {name}'s.", name=state.called(side.other))
    if state.cube.value >= profile.largest_cube:
        return say("The cube cannot be turned beyond {value}.", value=profile.largest_cube)
    return waiting_sentence(state.dispute, events.DoubleOffered)


def double_offered(state: State, event: events.DoubleOffered) -> Transition:
    """Offer a double; OutOfTurnError, with the reason, if the side may not double now."""
    turn = state.phase
    side = event.side or (turn.side if isinstance(turn, OnRoll) else None)
    reason = why_no_double(state, side) if side else say("A double is offered before the roll.")
    if reason or side is None or not isinstance(turn, OnRoll):
        raise OutOfTurnError(reason)
    after, notices = made_final(state, side, by_double=True)
    offer = Offer(side, state.cube)
    logged = after.with_logged(CubeTurn(side, CubeAction.DOUBLE, offer.value))
    text = say("{name} doubles to {value}.", name=state.called(side), value=offer.value)
    return Transition(replace(logged, phase=Doubled(offer, turn), doubled=True), notices).also(info(text))


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
    profile, money = state.terms.profile, state.terms.money_play
    more = {1: (profile.beaver, Answer.BEAVER), 2: (profile.raccoon, Answer.RACCOON)}.get(offer.turns)
    beyond = offer.turned_again().value > profile.largest_cube
    if more is not None and not beyond and more[0].holds(money_play=money):
        return (Answer.TAKE, Answer.PASS, more[1])
    return (Answer.TAKE, Answer.PASS)


def _taken(state: State, phase: Doubled) -> Transition:
    cube, owner = phase.offer.taken(), state.called(phase.offer.by.other)
    logged = state.with_logged(CubeTurn(phase.offer.asked, CubeAction.TAKE, cube.value))
    after = replace(logged, cube=cube, phase=phase.back, taken=True)
    notice = info(say("Taken: the cube shows {value} and is {name}'s.", value=cube.value, name=owner))
    if after.pending is None:
        return Transition(after, (notice,))
    return rolled(after, after.pending.side, after.pending.roll, after.pending.throw).after(notice)


def resigned(state: State, event: events.Resigned) -> Transition:
    """Offer to resign the game, or to settle it for some points.

    Raises:
        OutOfTurnError: no game is in progress.
        GameError: the settlement is not from 0 to three times the largest cube, or no game has this worth.
    """
    phase = state.phase
    if not isinstance(phase, (OnRoll, Doubled, Rolled, Played)):
        raise OutOfTurnError(say("There is no game to resign now."))
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
    turns = state.terms.money_play and profile.cube and state.cube.value < profile.largest_cube
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
