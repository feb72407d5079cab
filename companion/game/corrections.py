"""Undo, and the correction of an earlier event with everything after it derived again (ADR 41)."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from companion.errors import GameError, IllegalPlayError, OutOfTurnError
from companion.game import events
from companion.game.games import match_begun
from companion.game.history_lines import flag_of, quiet_words, short_line
from companion.game.state import (
    GameOver,
    MatchOver,
    Opening,
    Played,
    Resigning,
    Rolled,
    State,
    Transition,
    info,
    warn,
)
from companion.game.table import NOT_GIVEN, Entry, Step, Table
from companion.game.throws import NOBODY_ROLLS
from companion.game.transitions import advance
from companion.game.turn_order import next_to_throw, side_of
from companion.game.turns import end_turn, is_in_parts
from companion.rules.board import Roll
from companion.rules.referee import Valid
from companion.rules.setting_values import Doublets
from sentence import NOTHING, Sentence, say


def undo(table: Table, event: events.Undone) -> Step:
    """Take back the last step that still counts, within this turn and the one before; lost time stops the clock.

    Raises:
        OutOfTurnError: there is no such step; the director can correct earlier ones. Or the correction to be taken back
            is not the last thing that was done.
    """
    if event.correction is not None:
        return _correction_undone(table, event)
    last = last_undoable(table, past_calls=event.past_calls)
    if last is None:
        raise OutOfTurnError(say("There is nothing to undo; the director can correct earlier events."))
    at = last.number - 1
    entries = (*table.entries[:at], replace(last, undone=True), *table.entries[at + 1 :])
    back, clock = _with_calls(table.entries[at - 1].state, entries[at + 1 :]), table.clock
    if isinstance(last.event, events.TimeRanOut) and clock is not None:
        clock = replace(clock, held=True)  # the reserve is still used up: it would run out again at once
    after = replace(table, entries=entries, clock=clock).with_entry(event, back, undoes=last.number)
    is_last = not (last_undoable(after) or last_correction(after)) and any(map(_is_step, after.entries[1:]))
    return Step(after, (info(_NO_FURTHER),) if is_last else ())


_NO_FURTHER = say("Undo goes no further back; the director corrects earlier events in the history.")
_NO_STEPS = (events.Undone, events.ClockSet, events.Amended)
"""A clock stays stopped or started, and a correction stays, but the steps before it can be taken back.

A correction itself is taken back by its number only: records from before that was possible keep their meaning.
"""

DIRECTORS_OWN = (events.PenaltyGiven, events.SettingsChanged)
"""Decisions that only the director may take back."""


def last_undoable(table: Table, *, past_calls: bool = True) -> Entry | None:
    """The step that an undo would take back, None if there is none; see `Undone` for `past_calls`."""
    counts = _is_step if past_calls else _stands
    furthest = _furthest(table, counts)
    for entry, before in pairwise(reversed(table.entries)):
        if not counts(entry):
            continue
        is_corrected = bool(entry.was)  # corrected again in the history
        return None if is_corrected or before.state.turns_in_match < furthest - 1 else entry
    return None


def _stands(entry: Entry) -> bool:
    """Whether the entry is a step that counts."""
    return not (entry.undone or entry.misfit or isinstance(entry.event, _NO_STEPS))


def _is_step(entry: Entry) -> bool:
    """Whether the entry can be taken back: a call of the director is ended by his visit, not by an undo."""
    return _stands(entry) and not isinstance(entry.event, events.DirectorCalled)


def _with_calls(back: State, since: Iterable[Entry]) -> State:
    """A state gone back to, with the calls of the director since then, which stand."""
    calls = [one.event for one in since if isinstance(one.event, events.DirectorCalled) and not one.undone]
    return replace(back, director=not calls[-1].over) if calls else back


def _furthest(table: Table, counts: Callable[[Entry], bool]) -> int:
    """Number of turns that the match had before the undos that came last, or has now.

    An undo reaches into the turn before that one: several in a row go no further than one by one. What is entered after
    them begins anew, so that it can be taken back however far they went.
    """
    turns = 0
    for entry in reversed(table.entries):
        turns = max(turns, entry.state.turns_in_match)
        if counts(entry):
            break
    return turns


def last_correction(table: Table) -> Entry | None:
    """The correction that an undo would take back: it is the last thing done that still counts; None without one."""
    for entry in reversed(table.entries):
        if not entry.undone and not isinstance(entry.event, (events.Undone, events.ClockSet)):
            return entry if isinstance(entry.event, events.Amended) else None
    return None


def _correction_undone(table: Table, event: events.Undone) -> Step:
    """Take back a correction: everything before it stands again as it did; steps taken back since stay taken back."""
    last = last_correction(table)
    if last is None or last.number != event.correction:
        raise OutOfTurnError(say("This correction is not the last thing that was done."))
    assert isinstance(last.event, events.Amended), "see last_correction"
    at = last.number - 1
    entries = [
        replace(one, undone=now.undone) for one, now in zip(last.former, table.entries[:at], strict=True)
    ]
    entries.append(replace(last, undone=True, state=entries[-1].state))
    for before_then, old in pairwise(table.entries[at:]):
        entries.append(_derived(entries, old, before_then.state, may_shift=False))
    notice = info(say("The correction of event {number} is taken back.", number=last.event.number))
    back = replace(table, entries=tuple(entries))
    return Step(back.with_entry(event, entries[-1].state, undoes=last.number), (notice,))


def amend(table: Table, event: events.Amended) -> Step:
    """Correct an earlier event and derive everything after it again.

    Events that no longer fit are kept and flagged; a play that is no longer legal counts as an illegal one. So does the
    missing play of a roll that can be played only now.

    Raises:
        GameError: there is no such event, it cannot be corrected, or the new version is not possible there; or its
            roll is to be played now, and `event` has no play, or it has one that is not needed.
    """
    entries, to_play, is_missing = corrected(table, event)
    if to_play is not None and is_missing:
        raise play_needed(to_play)
    if to_play is None and event.play is not None:
        raise PLAY_NOT_NEEDED
    at = event.number - 1
    notices = [info(say("Event {number} is corrected.", number=event.number))]
    if table.clock is not None and isinstance(event.to, events.OpeningThrown):
        notices.append(info(say("The clock keeps the time that has run; the director can set it.")))
    misfits = [
        short_line(late, before.state) or quiet_words(late.event)
        for before, late in pairwise(entries[at:])
        if flag_of(late)
    ]
    if misfits:
        if isinstance(entries[-1].state.phase, (GameOver, MatchOver)):  # the checkers are put away
            text = say("No longer consistent: {events}.", events=tuple(misfits))
        else:
            text = say(
                "Compare the board with the page. No longer consistent: {events}.", events=tuple(misfits)
            )
        notices.append(warn(text))
    again = replace(table, entries=tuple(entries))
    return Step(again.with_entry(event, entries[-1].state, former=table.entries), tuple(notices))


class Correction(NamedTuple):
    """The entries after a correction, the state in which its roll is to be played, and whether that play is missing.

    `to_play` is None if the correction needs no play: the roll has one of its own in the history, or it is no roll.
    """

    entries: list[Entry]
    to_play: State | None
    is_missing: bool


def play_needed(state: State) -> GameError:
    """The refusal of a correction without the play that it makes necessary.

    It warns where the side then plays on or throws again, so that the turns entered after its dance were not the next.
    """
    phase = state.phase
    assert isinstance(phase, Rolled), "only a roll is to be played"
    missing = say(
        "{name} can play {roll}: enter that play with the correction.",
        name=state.called(phase.side),
        roll=phase.roll.text,
    )
    runs_on = state.terms.profile.doublets is Doublets.RUNNING_ON and is_in_parts(state)
    if not runs_on and next_to_throw(state, phase) is not phase.side:
        return GameError(missing)
    return GameError(
        say(
            "{missing} The turn then goes on, and what was entered after it no longer counts.",
            missing=missing,
        )
    )


PLAY_NOT_NEEDED = GameError(say("No play comes with this correction: correct the one in the history."))


def corrected(table: Table, event: events.Amended) -> Correction:
    """Derive the entries after a correction, the earlier ones included.

    Raises:
        GameError: as `amend`, but for a missing play.
    """
    at = event.number - 1
    amended = _amended(table, event)
    entries, to_play, is_missing = [*table.entries[:at]], None, False
    may_shift = at == 0 or isinstance(table.entries[at - 1].state.phase, Opening)
    then = table.entries[at - 1].state if at else None
    early = amended.state.pending if then is None or amended.state.pending is not then.pending else None
    for old in table.entries[at:]:
        is_first = old.number == event.number
        entry = amended if is_first or then is None else _derived(entries, old, then, may_shift)
        is_own = is_first or (early is not None and entry.state.throw is early.throw)
        if then is not None and (old.play or is_dance_begun(old, then)) and _is_to_be_played(entry.state):
            is_owed = isinstance(entry.state.phase, Rolled) and _has_ended(table, old)
            if is_own and to_play is None:
                to_play, is_missing = entry.state, is_owed and event.play is None
                entry = _with_play(entry, event.play, strictly=True) if event.play else entry
            else:
                entry = _in_step(entry, old, may_be_added=event.in_step and is_owed)
        entries.append(entry)
        then = old.state
    return Correction(entries, to_play, is_missing and event.in_step)


def _amended(table: Table, event: events.Amended) -> Entry:
    """The entry of the corrected event."""
    at = event.number - 1
    if not 0 <= at < len(table.entries):
        raise GameError(say("There is no event {number} in this match.", number=event.number))
    entry = table.entries[at]
    if entry.undone or isinstance(entry.event, (events.Undone, events.Amended)):
        raise GameError(say("An undone event cannot be corrected; correct the one that counts."))
    to = event.to
    if isinstance(to, events.MatchBegan) and isinstance(entry.event, events.MatchBegan):
        # a match that was continued has another id than the one that it began with
        to = replace(to, match_id=entry.event.match_id)
    state = _state_after(table.entries[at - 1].state if at else None, to)
    return Entry(event.number, to, state, (*entry.was, entry.event), (*entry.whys, event.why))


def is_dance_begun(entry: Entry, before: State | None) -> bool:
    """Whether a dance began with this entry."""
    return _is_dance(entry.state) and (before is None or entry.state.phase is not before.phase)


def _is_dance(state: State) -> bool:
    match state.phase:
        case Played(roll=Roll(), play=(), fault=fault):
            return not fault
    return False


def _is_to_be_played(state: State) -> bool:
    """Whether a roll is to be played from the start, or cannot be."""
    return _is_dance(state) or (isinstance(state.phase, Rolled) and not state.phase.moves)


def _has_ended(table: Table, dance: Entry) -> bool:
    """Whether the turn of this dance had ended by itself, and not by another roll that took its place."""
    if dance.undone:
        return False
    for later in table.entries[dance.number :]:
        phase = later.state.phase
        is_in_it = (phase.back if isinstance(phase, Resigning) else phase) is dance.state.phase
        if not later.undone and not is_in_it:
            logged = later.state.log[len(dance.state.log) :]
            return later.state.turns_in_match > dance.state.turns_in_match or bool(logged)
    return False


def _in_step(entry: Entry, old: Entry, *, may_be_added: bool) -> Entry:
    """The entry with the play that a former correction brought, or one that stands for the missing play."""
    play = old.play
    if play is None or play == NOT_GIVEN:
        play = NOT_GIVEN if isinstance(entry.state.phase, Rolled) and (play or may_be_added) else None
    return _with_play(entry, play, strictly=False) if play else replace(entry, play=None)


def _with_play(entry: Entry, play: events.PlayEntered, *, strictly: bool) -> Entry:
    """The entry of a roll with a play of its own; a play that is not legal counts as an illegal one unless `strictly`.

    Raises:
        GameError: the play is not legal, and not said to have been made; or it is only a part of one.
    """
    before = entry.state
    try:
        state = advance(before, play).state
    except GameError:
        if strictly:
            raise
        try:
            state = advance(before, replace(play, made=True)).state
        except GameError:
            state = _no_play(before, before.phase).state if isinstance(before.phase, Rolled) else before
    if strictly and isinstance(state.phase, Rolled) and len(state.log) == len(before.log):
        raise IllegalPlayError(say("Enter the whole play of the roll."))
    return replace(entry, state=state, play=play)


def _state_after(before: State | None, to: events.PlainEvent) -> State:
    """The state after the new version of an event; None: before the first event."""
    if before is None:
        if not isinstance(to, events.MatchBegan):
            raise GameError(say("The first event of a match is its beginning."))
        return match_begun(to).state
    if isinstance(to, (events.MatchBegan, events.Undone)):
        raise GameError(say("An event in the middle of a match cannot become its beginning or a step back."))
    return before if isinstance(to, events.ClockSet) else advance(before, to).state


def _derived(entries: list[Entry], old: Entry, before_then: State, may_shift: bool) -> Entry:
    """An entry after a corrected one, derived again from the entries before it.

    It remembers the side that the event belonged to when it was entered, if the correction has changed it. What was the
    other side's then does not fit, unless the start itself is corrected (`may_shift`): every turn is the other side's
    then, and it counts so.
    """
    before = entries[-1].state
    then = old.meant_for or side_of(old.event, before_then)
    meant_for = None if side_of(old.event, before) is then else then
    match old.event:
        case events.Undone(correction=int()):
            return replace(old, state=before, meant_for=meant_for)
        case events.Undone():
            assert old.undoes is not None, "an undo keeps the number of the entry it took back"
            back = _with_calls(entries[old.undoes - 2].state, entries[old.undoes :])
            return replace(old, state=back, meant_for=meant_for)
        case events.Amended() | events.ClockSet():
            return replace(old, state=before, meant_for=meant_for)
        case event:
            state, misfit = _replayed(before, old, event)
            counts = not misfit and state is not before
            if meant_for is not None and counts and not (may_shift or old.is_of_other_side):
                state = _kept_in_step(before, old, event)
                misfit = say("It was {name}’s turn when it was entered.", name=before.called(meant_for))
            return replace(old, state=state, misfit=misfit, meant_for=meant_for)


def _replayed(before: State, old: Entry, event: events.PlainEvent) -> tuple[State, Sentence]:
    """The state after an old event, and the reason why it no longer fits or its roll is void now, or NOTHING."""
    try:
        state, notices = advance(before, event)
    except GameError as error:
        return _kept_in_step(before, old, event), error.sentence
    # every recorded event changed something when it was entered
    if isinstance(event, events.Thrown) and state is before and not notices:
        return state, NOBODY_ROLLS
    throw, then = state.throw, old.state.throw
    counted = bool(old.misfit) or (then is not None and isinstance(then.ruling, Valid))
    is_void = throw is not before.throw and throw is not None and not isinstance(throw.ruling, Valid)
    is_void_now = isinstance(event, events.RollTyped) and counted and is_void
    return state, notices[-1].text if is_void_now and notices else NOTHING


def _kept_in_step(before: State, old: Entry, event: events.PlainEvent) -> State:
    """The state with a play that no longer fits: it was a turn, so it counts as an illegal play, or as none.

    One that replaced another play of its turn replaces it as an illegal one, too.
    """
    if not isinstance(event, events.PlayEntered) or not isinstance(before.phase, (Rolled, Played)):
        return before
    match old.state.phase:
        case Rolled(moves=moves) if (
            moves or not event.moves
        ):  # half made; the last move may begin the next part
            return before
    try:
        return advance(before, replace(event, made=True)).state
    except GameError:
        return _no_play(before, before.phase).state if isinstance(before.phase, Rolled) else before


def _no_play(state: State, rolled: Rolled) -> Transition:
    fault = say("The play that was entered cannot be made from here.")
    # nobody was asked about it, so nothing waits for an answer
    played = Played(
        rolled.side, rolled.roll, None, state.board, fault, rolled.opening, condoned=True, part=rolled.part
    )
    after = replace(state, phase=played)
    return end_turn(after, played, lifted=True) if rolled.lifted else Transition(after)
