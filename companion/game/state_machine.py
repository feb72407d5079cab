"""The state machine as one pure function from a table and an event to the next table.

States are in state.py, events in events.py, and the transition of each event in transitions.py.
"""

from collections.abc import Iterable
from dataclasses import replace

from companion.errors import OutOfTurnError
from companion.game.clock import clock_for, clock_set, out_of_time
from companion.game.corrections import amend, undo
from companion.game.events import Amended, AnyEvent, ClockSet, MatchBegan, TimeRanOut, Undone
from companion.game.games import match_begun
from companion.game.table import Entry, Step, Table
from companion.game.transitions import advance
from sentence import say


def step(table: Table, event: AnyEvent) -> Step:
    """The table after an event.

    An event that changes nothing returns the same table, by identity, and need not be recorded.

    Raises:
        GameError: the rules do not allow the event.
        OutOfTurnError: no match has begun, or the side that is out of time has time left.
    """
    if isinstance(event, MatchBegan):
        began = match_begun(event)
        return Step(
            Table((Entry(1, event, began.state),), clock_for(began.state, event.at_ms)), began.notices
        )
    state, clock = table.state, table.clock
    if state is None:
        raise OutOfTurnError(say("No match has begun."))
    match event:
        case Amended():
            return amend(table, event)
        case Undone():
            return undo(table, event)
        case ClockSet():
            return Step(replace(table.with_entry(event, state), clock=clock_set(clock, state, event)))
        case TimeRanOut(side=side) if clock is None or out_of_time(clock, event.at_ms) is not side:
            raise OutOfTurnError(say("{name} has time left.", name=state.called(side)))
    transition = advance(state, event)
    if transition.state is state and not transition.notices:
        return Step(table)
    return Step(table.with_entry(event, transition.state), transition.notices)


def fold(events: Iterable[AnyEvent]) -> Table:
    """The table after all events of a record; GameError if one of them is not allowed."""
    table = Table()
    for event in events:
        table = step(table, event).table
    return table
