"""The state machine as one pure function from a table and an event to the next table.

The table keeps every event as an entry with the state after it. Undo therefore returns to an earlier entry, and a
correction applies the later events again (ADR 41).
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from companion.errors import GameError, OutOfTurnError
from companion.game.clock import Clock, clock_for, clock_set, out_of_time, ticked
from companion.game.cube import double_answered, double_offered, resignation_answered, resigned
from companion.game.director import director_called, penalty, position_set, settings_changed, time_ran_out
from companion.game.disputes import dispute_answered, wrong_start_found
from companion.game.events import (
    Amended,
    AnyEvent,
    ClockSet,
    DirectorCalled,
    DisputeAnswered,
    DoubleAnswered,
    DoubleOffered,
    Lifted,
    MatchBegan,
    NextGame,
    OpeningThrown,
    Overruled,
    PenaltyGiven,
    PlainEvent,
    PlayEntered,
    PositionSet,
    ResignationAnswered,
    Resigned,
    RollTyped,
    SettingsChanged,
    Thrown,
    TimeRanOut,
    TurnEnded,
    Undone,
    WrongStartFound,
)
from companion.game.results import first_game, next_game
from companion.game.state import (
    Dispute,
    DisputeKind,
    Notice,
    Played,
    Rolled,
    State,
    Terms,
    Transition,
    info,
    warn,
)
from companion.game.throws import NOBODY_ROLLS, opening_thrown, overruled, roll_typed, thrown
from companion.game.turn_order import side_of
from companion.game.turns import end_turn, lifted, play_entered, turn_ended
from companion.rules.board import Side
from companion.rules.former import without_former
from companion.rules.profile import Profile
from companion.rules.profiles import PROFILES, title_of
from companion.rules.referee import Valid
from sentence import NOTHING, Sentence, say

_WAIT_FOR_PEOPLE = (OpeningThrown, RollTyped, Overruled, TurnEnded, PlayEntered, DoubleOffered)


def advance(state: State, event: PlainEvent) -> Transition:
    """The state after an event; GameError, with a sentence, if the rules do not allow it.

    An event that changes nothing, such as dice lifted twice, returns the same state, by identity.
    """
    _check_not_waiting(state, event)
    match event:
        case OpeningThrown():
            return opening_thrown(state, event)
        case Thrown():
            return thrown(state, event)
        case RollTyped():
            return roll_typed(state, event)
        case Overruled():
            return overruled(state, event)
        case Lifted():
            return lifted(state, event)
        case TurnEnded():
            return turn_ended(state, event)
        case PlayEntered():
            return play_entered(state, event)
        case DoubleOffered():
            return double_offered(state, event)
        case DoubleAnswered():
            return double_answered(state, event)
        case Resigned():
            return resigned(state, event)
        case ResignationAnswered():
            return resignation_answered(state, event)
        case DisputeAnswered():
            return dispute_answered(state, event)
        case WrongStartFound():
            return wrong_start_found(state, event)
        case PositionSet():
            return position_set(state, event)
        case NextGame():
            return next_game(state, event)
        case PenaltyGiven():
            return penalty(state, event)
        case TimeRanOut():
            return time_ran_out(state, event)
        case SettingsChanged():
            return settings_changed(state, event)
        case DirectorCalled():
            return director_called(state, event)
    raise GameError(say("This cannot happen in the middle of a match."))


def _check_not_waiting(state: State, event: PlainEvent) -> None:
    """Raise OutOfTurnError for an event that has to wait for the open dispute.

    A disputed start allows no throw, play, double or end of the turn. An impossible position allows neither the end
    of the turn nor a typed roll; the dice may still be lifted, and a throw seen by the camera waits. A disputed early
    roll allows neither the end of the turn nor a play that would begin a second dispute.
    """
    match state.dispute:
        case Dispute(kind=DisputeKind.WRONG_START):
            if isinstance(event, (*_WAIT_FOR_PEOPLE, Thrown, Lifted)):
                raise OutOfTurnError(say("First say what becomes of the wrong starting position."))
        case Dispute(kind=DisputeKind.IMPOSSIBLE_POSITION):
            if isinstance(event, (RollTyped, TurnEnded)):
                raise OutOfTurnError(say("First put the checkers right and enter the play."))
        case Dispute(kind=DisputeKind.PREMATURE_ROLL):
            if isinstance(event, TurnEnded) or (isinstance(event, PlayEntered) and event.made):
                raise OutOfTurnError(say("First say what becomes of the early roll."))


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of the match with its result.

    Attributes:
        number: its number in the match, from 1.
        event: the event as it counts now.
        state: the state after it.
        was: its versions before corrections, oldest first.
        whys: the reason of each correction, parallel to `was`; "" without a reason.
        undone: it has been taken back.
        undoes: the number of the entry that this undo takes back.
        misfit: the reason why it no longer fits after an earlier correction, a sentence.
        meant_for: the side it belonged to when it was entered, if an earlier correction has changed that.
    """

    number: int
    event: AnyEvent
    state: State
    was: tuple[AnyEvent, ...] = ()
    whys: tuple[str, ...] = ()
    undone: bool = False
    undoes: int | None = None
    misfit: Sentence = NOTHING
    meant_for: Side | None = None

    @property
    def is_of_other_side(self) -> bool:
        """Whether it is a roll that now counts for the other side because of an earlier correction."""
        counts = not self.misfit and not self.undone
        return self.meant_for is not None and counts and isinstance(self.event, (RollTyped, Thrown))


@dataclass(frozen=True, slots=True)
class Table:
    """A match with all its events; without entries no match has begun."""

    entries: tuple[Entry, ...] = ()
    clock: Clock | None = None

    @property
    def state(self) -> State | None:
        """The current state; None without a match."""
        return self.entries[-1].state if self.entries else None


class Step(NamedTuple):
    """The table after an event, and notices about it."""

    table: Table
    notices: tuple[Notice, ...] = ()


def step(table: Table, event: AnyEvent) -> Step:
    """The table after an event.

    An event that changes nothing returns the same table, by identity, and need not be recorded.

    Raises:
        GameError: the rules do not allow the event.
        OutOfTurnError: no match has begun, or the side that is out of time has time left.
    """
    if isinstance(event, MatchBegan):
        return _begin(event)
    state = table.state
    if state is None:
        raise OutOfTurnError(say("No match has begun."))
    match event:
        case Amended():
            return _amend(table, event)
        case Undone():
            return _undo(table, event)
        case ClockSet():
            clock = clock_set(table.clock, state, event)
            return Step(replace(_with_entry(table, event, state), clock=clock))
        case TimeRanOut() if not _is_out_of_time(table, event):
            raise OutOfTurnError(say("{name} has time left.", name=state.called(event.side)))
    transition = advance(state, event)
    if transition.state is state and not transition.notices:
        return Step(table)
    return Step(_with_entry(table, event, transition.state), transition.notices)


def fold(events: Iterable[AnyEvent]) -> Table:
    """The table after all events of a record; GameError if one of them is not allowed."""
    table = Table()
    for event in events:
        table = step(table, event).table
    return table


def profile_in(event: MatchBegan) -> Profile:
    """The rules of a match from the settings in its first event; BadSettingError if one of them is unknown."""
    base = PROFILES.get(event.profile, PROFILES["modern"])
    named = replace(base, name=event.profile, title=title_of(event.profile))
    return named.with_overrides(without_former({setting.name: setting.value for setting in event.settings}))


def _begin(event: MatchBegan) -> Step:
    if event.length < 0:
        raise GameError(say("A match is for 1 point or more; 0 is money play."))
    terms = Terms(
        event.match_id, event.south, event.north, event.length, profile_in(event), event.orientation
    )
    state = first_game(terms)
    table = Table((Entry(1, event, state),), clock_for(state, event.at_ms))
    return Step(table, (info(say("Throw for the start.")),))


def _with_entry(table: Table, event: AnyEvent, state: State) -> Table:
    before = table.entries[-1].state
    entry = Entry(len(table.entries) + 1, event, state)
    clock = ticked(table.clock, before, state, event.at_ms)
    return Table((*table.entries, entry), clock)


def _is_out_of_time(table: Table, event: TimeRanOut) -> bool:
    return table.clock is not None and out_of_time(table.clock, event.at_ms) is event.side


def _undo(table: Table, event: Undone) -> Step:
    """Take back the last step that still counts, within this turn and the one before.

    Raises:
        OutOfTurnError: there is no such step; the director can correct earlier ones.
    """
    at = _last_undoable(table)
    if at is None:
        raise OutOfTurnError(
            say("There is nothing to take back; the director can correct what lies further back.")
        )
    back = table.entries[at - 1].state
    taken = replace(table.entries[at], undone=True)
    entries = (*table.entries[:at], taken, *table.entries[at + 1 :])
    stepped = _with_entry(replace(table, entries=entries), event, back)
    last = replace(stepped.entries[-1], undoes=taken.number)
    return Step(replace(stepped, entries=(*stepped.entries[:-1], last)))


def last_undoable(table: Table) -> Entry | None:
    """The step that an undo would take back, None if there is none."""
    at = _last_undoable(table)
    return None if at is None else table.entries[at]


def _last_undoable(table: Table) -> int | None:
    """The index of the entry that an undo would take back."""
    furthest = max((entry.state.turns_in_match for entry in table.entries), default=0)
    for at in range(len(table.entries) - 1, 0, -1):
        entry, before = table.entries[at], table.entries[at - 1].state
        if entry.undone or isinstance(entry.event, Undone) or entry.misfit:
            continue
        if isinstance(entry.event, (Amended, ClockSet)) or before.turns_in_match < furthest - 1:
            return None
        return at
    return None


def _amend(table: Table, event: Amended) -> Step:
    """Correct an earlier event and derive everything after it again.

    Events that no longer fit are kept and flagged; a play that is no longer legal counts as an illegal one.

    Raises:
        GameError: there is no such event, it cannot be corrected, or the new version is not possible there.
    """
    at = event.number - 1
    if not 0 <= at < len(table.entries):
        raise GameError(say("There is no event {number} in this match.", number=event.number))
    entry = table.entries[at]
    if entry.undone or isinstance(entry.event, (Undone, Amended)):
        raise GameError(say("What was taken back cannot be corrected; correct the event that counts."))
    amended = _amended_entry(table, at, event.to, event.why)
    entries = [*table.entries[:at], amended]
    for state_then, old in zip(table.entries[at:], table.entries[at + 1 :], strict=False):
        entries.append(_with_side(state_then.state, old, _derived(entries, old), entries[-1].state))
    misfits = [late for late in entries[at + 1 :] if late.misfit or late.is_of_other_side]
    notices = [info(say("Event {number} is corrected.", number=event.number))]
    if misfits:
        numbers = ", ".join(str(late.number) for late in misfits)
        notices.append(
            warn(
                say("What followed was derived again; this no longer fits: event {numbers}.", numbers=numbers)
            )
        )
    again = replace(table, entries=tuple(entries))
    return Step(_with_entry(again, event, entries[-1].state), tuple(notices))


def _amended_entry(table: Table, at: int, to: PlainEvent, why: str) -> Entry:
    entry = table.entries[at]
    was, whys = (*entry.was, entry.event), (*entry.whys, why)
    if at == 0:
        if not isinstance(to, MatchBegan):
            raise GameError(say("The first event of a match is its beginning."))
        return replace(_begin(to).table.entries[0], was=was, whys=whys)
    if isinstance(to, (MatchBegan, Undone)):
        raise GameError(say("An event in the middle of a match cannot become its beginning or a step back."))
    before = table.entries[at - 1].state
    state = before if isinstance(to, ClockSet) else advance(before, to).state
    return replace(entry, event=to, state=state, was=was, whys=whys, misfit=NOTHING, meant_for=None)


def _derived(entries: list[Entry], old: Entry) -> Entry:
    """An entry after a corrected one, derived again from the entries before it."""
    before = entries[-1].state
    match old.event:
        case Undone():
            assert old.undoes is not None, "an undo keeps the number of the entry it took back"
            return replace(old, state=entries[old.undoes - 2].state)
        case Amended() | ClockSet():
            return replace(old, state=before)
        case MatchBegan():
            raise AssertionError("a match begins with its first event only")
        case event:
            return _derived_plain(before, old, event)


def _with_side(state_then: State, old: Entry, derived: Entry, before: State) -> Entry:
    """Remember the side that the event belonged to, if the correction has changed it."""
    then = old.meant_for or side_of(old.event, state_then)
    return replace(derived, meant_for=None if side_of(old.event, before) is then else then)


def _derived_plain(before: State, old: Entry, event: PlainEvent) -> Entry:
    try:
        transition = advance(before, event)
    except GameError as error:
        kept = _kept_in_step(before, old, event)
        return replace(old, state=kept, misfit=error.sentence)
    # every recorded event changed something when it was entered
    idle = isinstance(event, Thrown) and transition.state is before and not transition.notices
    return replace(
        old, state=transition.state, misfit=NOBODY_ROLLS if idle else _why_void(before, old, transition)
    )


def _why_void(before: State, old: Entry, transition: Transition) -> Sentence:
    """The reason why a roll that counted is void now, a sentence; empty for any other event."""
    throw, then = transition.state.throw, old.state.throw
    counted = bool(old.misfit) or (then is not None and isinstance(then.ruling, Valid))
    is_void = throw is not before.throw and throw is not None and not isinstance(throw.ruling, Valid)
    return (
        transition.notices[-1].text
        if isinstance(old.event, RollTyped) and counted and is_void and transition.notices
        else NOTHING
    )


def _kept_in_step(before: State, old: Entry, event: PlainEvent) -> State:
    """The state with a play that no longer fits: it was a turn, so it counts as an illegal play, or as none."""
    was_whole = isinstance(event, PlayEntered) and not isinstance(old.state.phase, Rolled)
    if not was_whole or not isinstance(before.phase, Rolled):
        return before
    assert isinstance(event, PlayEntered)
    try:
        return advance(before, replace(event, made=True)).state
    except GameError:
        return _no_play(before, before.phase).state


def _no_play(state: State, rolled: Rolled) -> Transition:
    fault = say("The play that was entered cannot be made from here.")
    played = Played(rolled.side, rolled.roll, None, state.board, fault, rolled.opening)
    after = replace(state, phase=played)
    return end_turn(after, played) if rolled.lifted else Transition(after)
