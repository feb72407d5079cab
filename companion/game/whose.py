"""Whose doing an event is, told from the event and the table before it."""

from companion.game.events import (
    AnyEvent,
    DirectorCalled,
    DisputeAnswered,
    DoubleAnswered,
    DoubleOffered,
    Lifted,
    Overruled,
    PenaltyGiven,
    PlayEntered,
    ResignationAnswered,
    Resigned,
    RollTyped,
    Thrown,
    TimeRanOut,
    TurnEnded,
)
from companion.game.state import Doubled, OnRoll, Played, Resigning, Rolled, State
from companion.game.turn import next_to_throw
from companion.rules.options import OpeningRoll
from companion.rules.side import Side


def whose(event: AnyEvent, before: State | None) -> Side | None:
    """Whose doing an event is; None: nobody's, or it cannot be told."""
    match event:
        case RollTyped(side=None) | Thrown():
            return whose_roll(before)
        case DoubleAnswered() | ResignationAnswered():
            return whose_answer(before)
        case TurnEnded(side=None) | PlayEntered() | Overruled() | Lifted() | DoubleOffered():
            return whose_turn(before)
        case (
            RollTyped(side=side)
            | TurnEnded(side=side)
            | Resigned(side=side)
            | DisputeAnswered(side=side)
            | PenaltyGiven(side=side)
            | TimeRanOut(side=side)
            | DirectorCalled(side=side)
        ):
            return side
    return None


def whose_turn(before: State | None) -> Side | None:
    """Who is to roll or to play, or has played and not ended his turn."""
    match before.phase if before else None:
        case OnRoll(side=side) | Rolled(side=side) | Played(side=side):
            return side
        case Doubled(back=back):
            return back.side
    return None


def whose_roll(before: State | None) -> Side | None:
    """Whose a throw is that comes now: one that comes while another's turn has not ended is the next one's."""
    if before is None:
        return None
    match before.phase:
        case Rolled(opening=True, lifted=False, moves=()) as phase if _may_be_thrown_anew(before):
            return phase.side
        case Rolled() | Played() as phase:
            return next_to_throw(before, phase)
    return whose_turn(before)


def _may_be_thrown_anew(state: State) -> bool:
    return state.terms.profile.opening_roll is OpeningRoll.WINNER_CHOOSES


def whose_answer(before: State | None) -> Side | None:
    """Who is to answer a double, a resignation or a settlement."""
    match before.phase if before else None:
        case Doubled(offer=offer):
            return offer.asked
        case Resigning(by=by):
            return by.other
    return None
