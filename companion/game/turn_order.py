"""The side on roll, the side that has to answer, and the side that an event belongs to."""

from companion.game import events
from companion.game.state import (
    Dispute,
    DisputeKind,
    Doubled,
    GameOver,
    MatchOver,
    OnRoll,
    Opening,
    Phase,
    Played,
    Resigning,
    Rolled,
    State,
)
from companion.rules.board import Side
from companion.rules.family.bonus import throws_again
from companion.rules.moves import DOUBLET_TIMES
from companion.rules.partial_play import RollUse
from companion.rules.setting_values import OpeningRoll


def next_to_throw(state: State, phase: Rolled | Played) -> Side:
    """The side that throws after this turn: the other, or the same after a doublet or 2-1 (`throws_again`).

    After a doublet that runs on it is the opponent of its thrower, also if he has played the rest of it.
    """
    side, roll, part = phase.side, phase.roll, phase.part
    if part is not None and part.runs_on:
        return part.thrower.other
    if roll is None or not throws_again(state.terms.profile, roll, part):
        return side.other
    board = phase.before if isinstance(phase, Played) else state.board
    times = part.times if part else DOUBLET_TIMES
    goes_on = RollUse(state.terms.profile, board.seen_by(side), roll, times=times).goes_on
    return side if goes_on else side.other


def phase_word(state: State) -> str:
    """The phase in the page's word; a dispute comes first, unless another question has to be answered before it."""
    return "dispute" if _waits_for_dispute(state) else _PHASES[type(state.phase)]


def _waits_for_dispute(state: State) -> bool:
    """Whether an open dispute is the next question.

    A double comes before an illegal play that it does not make final (docs/rules/tournaments.md, row T5): it has to be
    answered, and the play may be taken back until the roll.
    """
    match state.phase, state.dispute:
        case (Resigning() | GameOver() | MatchOver(), _) | (_, None):
            return False
        case Doubled(), Dispute(kind=DisputeKind.ILLEGAL_PLAY):
            return False
    return True


_PHASES: dict[type, str] = {
    Opening: "opening",
    OnRoll: "on_roll",
    Doubled: "doubled",
    Rolled: "rolled",
    Played: "played",
    Resigning: "resigning",
    GameOver: "game_over",
    MatchOver: "match_over",
}


def on_roll(state: State) -> Side | None:
    """The side on roll, also while a double or a resignation is open; None in the opening and between games."""
    phase = state.phase.back if isinstance(state.phase, Resigning) else state.phase
    return _side_of_turn(phase)


def asked(state: State) -> Side | None:
    """The side that has to answer a resignation, a dispute or a double now; None without a question."""
    if state.dispute is not None and _waits_for_dispute(state):
        return state.dispute.by.other
    return side_to_answer(state)


def side_of(event: events.AnyEvent, before: State | None) -> Side | None:
    """The side that an event belongs to; None if it belongs to neither, or to an unknown one."""
    match event:
        case events.RollTyped(side=None) | events.Thrown():
            return side_to_throw(before)
        case events.DoubleAnswered() | events.ResignationAnswered():
            return side_to_answer(before)
        case events.TurnEnded(side=None) | events.PlayEntered() | events.Overruled():
            return side_to_play(before)
        case events.Lifted() | events.DoubletNamed() | events.DoubleOffered():
            return side_to_play(before)
        case events.RollTyped() | events.TurnEnded() | events.Resigned() | events.DisputeAnswered():
            return event.side
        case events.PenaltyGiven() | events.TimeRanOut() | events.DirectorCalled():
            return event.side
    return None


def side_to_play(before: State | None) -> Side | None:
    """The side that has to roll or to play, or has played and not ended its turn."""
    return _side_of_turn(before.phase) if before else None


def _side_of_turn(phase: Phase) -> Side | None:
    match phase:
        case OnRoll(side=side) | Rolled(side=side) | Played(side=side) | Doubled(back=OnRoll(side=side)):
            return side
    return None


def side_to_throw(before: State | None) -> Side | None:
    """The side that a throw belongs to now; before the end of a turn, the side that throws next."""
    if before is None:
        return None
    match before.phase:
        case Rolled() as phase if may_throw_anew(before):
            return phase.side
        case Rolled() | Played() as phase:
            return next_to_throw(before, phase)
    return side_to_play(before)


def may_throw_anew(state: State) -> bool:
    """Whether the winner of the opening throw may now throw both dice instead of playing it."""
    match state.phase:
        case Rolled(opening=True, lifted=False, moves=()):
            return state.terms.profile.opening_roll is OpeningRoll.WINNER_CHOOSES
        case OnRoll(kept=roll):
            return roll is not None
    return False


def side_to_answer(before: State | None) -> Side | None:
    """The side that has to answer a double, a resignation or a settlement."""
    match before.phase if before else None:
        case Doubled(offer=offer):
            return offer.asked
        case Resigning(by=by):
            return by.other
    return None
