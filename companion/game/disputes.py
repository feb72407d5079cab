"""Disputes: what waits for them, the answers, the sides that may give them, the time limits and the consequences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from companion.errors import BadPositionError, OutOfTurnError
from companion.game.events import (
    DisputeAnswered,
    DoubleOffered,
    DoubletNamed,
    Event,
    Lifted,
    OpeningThrown,
    Overruled,
    PlayEntered,
    Remedy,
    RollTyped,
    Thrown,
    TurnEnded,
    WrongStartFound,
)
from companion.game.games import begun_anew
from companion.game.state import (
    CubeAction,
    CubeTurn,
    Dispute,
    DisputeKind,
    GameOver,
    MatchOver,
    OnRoll,
    Opening,
    Pending,
    Played,
    Rolled,
    SetUp,
    State,
    Transition,
    alarm,
    info,
    warn,
)
from companion.game.turns import cannot_play, dance_of, end_turn, must_be_settled
from companion.rules.board import Board, Checkers, Side, problem_sentence
from companion.rules.family.outcome import outcome_of
from companion.rules.moves import Play
from companion.rules.setting_values import PointedOutBy, WrongStartStands
from sentence import NOTHING, Sentence, joined, say


@dataclass(frozen=True, slots=True)
class Choice:
    """A possible answer to a dispute, and the side that may give it."""

    remedy: Remedy
    by: Side
    label: Sentence


_WAITING: Mapping[DisputeKind, tuple[frozenset[type[Event]], Sentence]] = {
    DisputeKind.WRONG_START: (
        frozenset(
            {
                OpeningThrown,
                Thrown,
                RollTyped,
                Overruled,
                Lifted,
                TurnEnded,
                PlayEntered,
                DoubletNamed,
                DoubleOffered,
            }
        ),
        say("First settle the wrong starting position."),
    ),
    DisputeKind.IMPOSSIBLE_POSITION: (
        frozenset({RollTyped, TurnEnded}),
        say("First correct the checkers and enter the play."),
    ),
    DisputeKind.PREMATURE_ROLL: (frozenset({TurnEnded}), say("First settle the early roll.")),
}
"""Events that have to wait for a dispute of this kind, and the sentence that refuses them.

While a position is impossible, the dice may be lifted, and a throw seen by the camera waits by itself.
"""


def waiting_for(dispute: Dispute | None) -> frozenset[type[Event]]:
    """Kinds of event that have to wait for this dispute."""
    return _WAITING[dispute.kind][0] if dispute and dispute.kind in _WAITING else frozenset()


def waiting_sentence(dispute: Dispute | None, kind: type[Event]) -> Sentence:
    """The reason why this kind of event has to wait for this dispute; empty if it need not."""
    return _WAITING[dispute.kind][1] if dispute and kind in waiting_for(dispute) else NOTHING


def check_not_waiting(state: State, event: Event) -> None:
    """Raise OutOfTurnError for an event that has to wait for the open dispute.

    While an early roll is disputed, that includes a play on the board, which could begin a second dispute.
    """
    dispute = state.dispute
    if dispute is None:
        return
    is_made = isinstance(event, PlayEntered) and event.made
    is_second = is_made and dispute.kind is DisputeKind.PREMATURE_ROLL
    if type(event) in waiting_for(dispute) or is_second:
        raise OutOfTurnError(_WAITING[dispute.kind][1])


def choices(state: State) -> tuple[Choice, ...]:
    """Answers that the profile allows to the open dispute, each with the side that may give it."""
    dispute = state.dispute
    if dispute is None:
        return ()
    opponent = dispute.by.other
    match dispute.kind:
        case DisputeKind.ILLEGAL_PLAY:
            return _about_a_play(state, dispute)
        case DisputeKind.PREMATURE_ROLL:
            stands = Choice(Remedy.ACCEPT, opponent, say("The roll stands"))
            return (stands, Choice(Remedy.REFUSE, opponent, say("Roll again")))
        case DisputeKind.WRONG_START:
            anew = tuple(Choice(Remedy.CORRECT, side, say("Start again")) for side in Side)
            return (*anew, *(Choice(Remedy.CONDONE, side, say("Play on")) for side in Side))
        case DisputeKind.IMPOSSIBLE_POSITION:
            return tuple(Choice(Remedy.CORRECT, side, say("Correct it")) for side in Side)


def _about_a_play(state: State, dispute: Dispute) -> tuple[Choice, ...]:
    """Answers to an illegal play (docs/rules/play.md, row 23; docs/rules/tournaments.md, row T4).

    Legal moves: both sides must point it out, so both may have it taken back and neither may let it stand.
    Responsible moves: each side answers for its own play, so the player too may take it back, and the opponent may
    let it stand. Otherwise only the opponent decides.
    """
    opponent, who = dispute.by.other, state.terms.profile.illegal_play_pointed_out_by
    takers = (opponent,) if who is PointedOutBy.NOBODY else (opponent, dispute.by)
    answers = tuple(Choice(Remedy.CORRECT, side, say("Take it back")) for side in takers)
    if who is PointedOutBy.BOTH:
        return answers
    return (*answers, Choice(Remedy.CONDONE, opponent, say("Let it stand")))


def dispute_answered(state: State, event: DisputeAnswered) -> Transition:
    """Settle the open dispute.

    Raises:
        OutOfTurnError: no dispute is open, or this side may not give this answer.
    """
    dispute, open_to = state.dispute, choices(state)
    if dispute is None:
        raise OutOfTurnError(say("Nothing is disputed."))
    fitting = [choice for choice in open_to if choice.remedy is event.remedy]
    if not fitting:
        raise OutOfTurnError(
            say("This cannot be answered by “{remedy}” under these rules.", remedy=event.remedy.label)
        )
    if event.side is not None and all(choice.by is not event.side for choice in fitting):
        raise OutOfTurnError(say("{name} has to answer this.", name=state.called(fitting[0].by)))
    is_correct, after = event.remedy is Remedy.CORRECT, replace(state, dispute=None)
    match dispute.kind:
        case DisputeKind.ILLEGAL_PLAY:
            return _taken_back(state, dispute) if is_correct else _condoned(state, dispute)
        case DisputeKind.PREMATURE_ROLL:
            return _early_roll_settled(state, dispute, event.remedy is Remedy.ACCEPT)
        case DisputeKind.WRONG_START if is_correct:
            after, text = begun_anew(state), say("The checkers are set up again: roll for the start.")
        case DisputeKind.WRONG_START:
            text = say("Play goes on from this position.")
        case DisputeKind.IMPOSSIBLE_POSITION:
            text = say("Correct the checkers and enter the play.")
    return Transition(after, (info(text),))


def _taken_back(state: State, dispute: Dispute) -> Transition:
    """Return to the state before the play; later changes of score, penalties and settings stay."""
    back = dispute.back
    assert back is not None, "a dispute about a play keeps the state before it"
    phase = back.phase
    assert isinstance(phase, Rolled)
    turn_over = not isinstance(state.phase, Played) or state.phase.side is not dispute.by
    restored = replace(
        back,
        terms=state.terms,
        score=state.score,
        penalties=state.penalties,
        director=state.director,
        phase=replace(phase, lifted=phase.lifted or turn_over),
    )
    text = say("{name} has to play {roll} legally.", name=state.called(dispute.by), roll=phase.roll.text)
    notice, transition = info(text), Transition(restored)
    dance = dance_of(restored, phase)
    if dance is not None:
        notice = cannot_play(state, dispute.by, phase.roll)
        transition = (
            end_turn(restored, dance, lifted=True)
            if turn_over
            else Transition(replace(restored, phase=dance))
        )
    void = void_after(state)
    if not void:
        return transition.also(notice)
    text = say("With the play before it taken back this no longer counts: {void}.", void=void)
    return transition.also(notice, warn(text))


def void_after(state: State) -> tuple[Sentence, ...]:
    """Doubles and rolls after the open illegal play that become void if it is taken back: “North 5-2”, or none."""
    dispute = state.disputed(DisputeKind.ILLEGAL_PLAY)
    if dispute is None:
        return ()
    found: list[Rolled | Played | Pending] = []
    match state.phase:
        case Rolled() | Played() as phase if phase.side is not dispute.by:
            found.append(phase)
    if state.pending is not None:
        found.append(state.pending)
    rolls = tuple(joined(state.called(one.side), one.roll.text) for one in found if one.roll)
    logged = state.log[len(dispute.back.log) :] if dispute.back else ()
    doubles = (one for one in logged if isinstance(one, CubeTurn) and one.action is CubeAction.DOUBLE)
    named = (
        say("{name}’s double to {value}", name=state.called(one.side), value=one.value) for one in doubles
    )
    return (*named, *rolls)


def _condoned(state: State, dispute: Dispute) -> Transition:
    after = replace(state, dispute=None)
    notice = info(say("The illegal play stands."))
    match state.phase:
        case Played(side=side) as played if side is dispute.by:
            stands = replace(played, condoned=True)
            after = replace(after, phase=stands)
            if must_be_settled(state, played):
                assert dispute.back is not None, "a dispute about a play keeps the state before it"
                lifted = isinstance(dispute.back.phase, Rolled) and dispute.back.phase.lifted
                return end_turn(after, stands, lifted=lifted).also(notice)
    return Transition(after, (notice,))


def _early_roll_settled(state: State, dispute: Dispute, stands: bool) -> Transition:
    early = dispute.early
    assert early is not None, "a dispute about an early roll keeps the roll"
    after = replace(state, dispute=dispute.over)
    if stands:
        return Transition(replace(after, pending=early), (info(say("The early roll stands.")),))
    return Transition(after, (info(say("{name} rolls again.", name=state.called(early.side))),))


def wrong_start_found(state: State, event: WrongStartFound) -> Transition:
    """Report a wrong starting position, with the board as found (docs/rules/tournaments.md, row T6).

    Raises:
        OutOfTurnError: no game is in progress.
        BadPositionError: the board is impossible.
    """
    if isinstance(state.phase, (Opening, GameOver, MatchOver)):
        raise OutOfTurnError(say("No game is being played."))
    found = checked_board(state, event.south, event.north)
    logged = state.with_logged(SetUp(found, state.cube, None))
    after = _on_found_board(replace(logged, board=found))
    if _start_is_final(state):
        text = say("The wrong start was found too late: play goes on from the board as it is.")
        return Transition(after, (warn(text),))
    text = say("The game was started from a wrong position. Start again, or play on?")
    dispute = Dispute(DisputeKind.WRONG_START, Side.SOUTH, text)
    return Transition(replace(after, dispute=dispute), (alarm(text),))


def _on_found_board(state: State) -> State:
    """The turn as far as it still makes sense on the board as found."""
    match state.phase:
        case Played() as played:
            play: Play | None = () if played.play == () else None
            return replace(state, phase=replace(played, before=state.board, play=play))
        case Rolled() as rolled:
            return replace(state, phase=dance_of(state, rolled) or replace(rolled, moves=()))
    return state


def checked_board(
    state: State,
    south: Checkers,
    north: Checkers,
    pinned: Sequence[int] | None = None,
    not_entered: tuple[int, int] | None = None,
) -> Board:
    """The board of these checkers; BadPositionError, with all its faults, if it is impossible.

    Args:
        state: the board before it.
        south: south's checkers.
        north: north's checkers.
        pinned: the points on which south's single checker is pinned; None: of two single ones the one that was before.
        not_entered: both sides' checkers that wait without having been hit; None: as many as before.
    """
    before = state.board
    if pinned is not None:
        before = Board(south, north, before.kind, sum(1 << point for point in pinned if 1 <= point <= 24))
    if not_entered is not None:
        before = replace(before, south=south, north=north, not_entered=not_entered)
    board = before.with_checkers(south, north)
    problems = board.seen_by(Side.SOUTH).problems(state.terms.profile.checkers)
    if problems:
        raise BadPositionError(problem_sentence(problems))
    if any(board.seen_by(side).is_won for side in Side):
        raise BadPositionError(say("A side has borne off everything; this game is over."))
    if outcome_of(state.terms.profile, board.seen_by(Side.SOUTH)) is not None:
        raise BadPositionError(say("A mother is pinned and the game is over."))
    return board


def _start_is_final(state: State) -> bool:
    """Whether a wrong start can no longer be corrected (docs/rules/tournaments.md, row T6)."""
    if state.terms.profile.wrong_start_stands_after is WrongStartStands.SECOND_ROLL_MOVED:
        return state.turns >= 2
    begun = not isinstance(state.phase, OnRoll)
    return state.turns > 2 or (state.turns == 2 and begun)
