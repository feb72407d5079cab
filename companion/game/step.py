"""The whole machine as one pure function: a table and an event make the next table.

The table keeps every event as an entry with the state after it. So undo returns to an earlier entry, and a correction
applies the same events again from the corrected one on (ADR 41).
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
    """The table after an event; GameError, with a sentence, when the rules do not allow it.

    The same state comes back, by identity, from an event that changes nothing, such as dice lifted twice.
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
    """What is disputed comes first.

    While the start is disputed nothing is thrown or played. A turn whose position cannot be does not end by a word,
    nor is the next roll told; the dice may be lifted all the same, and a throw that the camera sees waits. While an
    early roll is disputed the turn does not end, and no second dispute is begun over it.
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
    """One event of the match and what it led to.

    Attributes:
        number: its number in the match, from 1.
        event: what happened, as it counts now.
        state: the table after it.
        was: what it said before it was amended, oldest first.
        whys: why it was amended, one for each of `was`; "" where no reason was given.
        undone: it has been taken back.
        undoes: the number of the entry that this step back takes back.
        misfit: why it no longer fits what was amended before it, a sentence.
        whose: whose doing it was when it was told, where after what was amended before it that is no longer so.
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
        """A roll that was told as one side's and by what was amended before it is the other's now."""
        counts = not self.misfit and not self.undone
        return self.meant_for is not None and counts and isinstance(self.event, (RollTyped, Thrown))


@dataclass(frozen=True, slots=True)
class Table:
    """A match from its first event on; without entries no match has begun."""

    entries: tuple[Entry, ...] = ()
    clock: Clock | None = None

    @property
    def state(self) -> State | None:
        """The table as it is now; None: no match."""
        return self.entries[-1].state if self.entries else None


class Step(NamedTuple):
    """The table after an event, and what is to be said about it."""

    table: Table
    notices: tuple[Notice, ...] = ()


def step(table: Table, event: AnyEvent) -> Step:
    """The table after an event.

    An event that changes nothing gives the same table back, by identity, and need not be kept.

    Raises:
        GameError: the rules do not allow it; the table is as it was.
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
    """The table that a record leads to."""
    table = Table()
    for event in events:
        table = step(table, event).table
    return table


def profile_in(event: MatchBegan) -> Profile:
    """The rules of a match as its first event keeps them; BadSettingError when there are none such."""
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
    """The last step that still counts is taken back, as far as the turn before this one.

    Raises:
        OutOfTurnError: there is nothing that may be taken back; the director amends what lies further back.
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
    """The step that an undo takes back; None: there is none that may be."""
    at = _last_undoable(table)
    return None if at is None else table.entries[at]


def _last_undoable(table: Table) -> int | None:
    """The index of the entry that an undo takes back."""
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
    """An earlier event is corrected and everything after it derived again.

    What no longer fits is kept and flagged; a play that is no longer legal lies there as an illegal one.

    Raises:
        GameError: there is no such event, it is none that can be amended, or what it should have said is not
            possible there.
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
        entries.append(_meant_for(state_then.state, old, _derived(entries, old), entries[-1].state))
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
    """An entry after an amended one, derived again from what now lies before it."""
    before = entries[-1].state
    match old.event:
        case Undone():
            assert old.undoes is not None, "a step back knows what it took back"
            return replace(old, state=entries[old.undoes - 2].state)
        case Amended() | ClockSet():
            return replace(old, state=before)
        case MatchBegan():
            raise AssertionError("a match begins with its first event only")
        case event:
            return _derived_plain(before, old, event)


def _meant_for(state_then: State, old: Entry, derived: Entry, before: State) -> Entry:
    """The entry with whose doing it was when it was told on another table, if it would be somebody else's now."""
    then = old.meant_for or side_of(old.event, state_then)
    return replace(derived, meant_for=None if side_of(old.event, before) is then else then)


def _derived_plain(before: State, old: Entry, event: PlainEvent) -> Entry:
    try:
        transition = advance(before, event)
    except GameError as error:
        kept = _kept_in_step(before, old, event)
        return replace(old, state=kept, misfit=error.sentence)
    # every event that was kept had changed something once
    idle = isinstance(event, Thrown) and transition.state is before and not transition.notices
    return replace(
        old, state=transition.state, misfit=NOBODY_ROLLS if idle else _why_void(before, old, transition)
    )


def _why_void(before: State, old: Entry, transition: Transition) -> Sentence:
    """Why a roll that counted when it was told is void now, a sentence; empty for any other event."""
    throw, then = transition.state.throw, old.state.throw
    counted = bool(old.misfit) or (then is not None and isinstance(then.ruling, Valid))
    is_void = throw is not before.throw and throw is not None and not isinstance(throw.ruling, Valid)
    return (
        transition.notices[-1].text
        if isinstance(old.event, RollTyped) and counted and is_void and transition.notices
        else NOTHING
    )


def _kept_in_step(before: State, old: Entry, event: PlainEvent) -> State:
    """A play that no longer fits still was a turn: it lies there as an illegal one, or as no play at all."""
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
