"""A match as a table of its events, each with the state after it, and the transition that belongs to an event.

Because every entry keeps its state, undo returns to an earlier one, and a correction applies the later events again
(corrections.py; ADR 41).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from companion.errors import GameError
from companion.game import cube, director, disputes, events, games, throws, turns
from companion.game.clock import Clock, ticked
from companion.game.state import Notice, State, Transition
from companion.rules.board import Side
from sentence import NOTHING, Sentence, say

TRANSITIONS: Mapping[type[events.Event], Callable[..., Transition]] = {
    events.OpeningThrown: throws.opening_thrown,
    events.Thrown: throws.thrown,
    events.RollTyped: throws.roll_typed,
    events.Overruled: throws.overruled,
    events.Lifted: turns.lifted,
    events.TurnEnded: turns.turn_ended,
    events.PlayEntered: turns.play_entered,
    events.DoubleOffered: cube.double_offered,
    events.DoubleAnswered: cube.double_answered,
    events.Resigned: cube.resigned,
    events.ResignationAnswered: cube.resignation_answered,
    events.DisputeAnswered: disputes.dispute_answered,
    events.WrongStartFound: disputes.wrong_start_found,
    events.PositionSet: director.position_set,
    events.NextGame: games.next_game,
    events.PenaltyGiven: director.penalty,
    events.TimeRanOut: director.time_ran_out,
    events.SettingsChanged: director.settings_changed,
    events.DirectorCalled: director.director_called,
}
"""The transition of each event in the middle of a match, a function of the state and the event."""


def advance(state: State, event: events.PlainEvent) -> Transition:
    """The state after an event; GameError, with a sentence, if the rules do not allow it.

    An event that changes nothing, such as dice lifted twice, returns the same state, by identity.
    """
    if type(event) not in TRANSITIONS:
        raise GameError(say("This cannot happen in the middle of a match."))
    disputes.check_not_waiting(state, event)
    return TRANSITIONS[type(event)](state, event)


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of the match with its result.

    Attributes:
        number: its number in the match, from 1.
        event: the event as it counts now; `state` is the one after it.
        was: its versions before corrections, oldest first.
        whys: the reason of each correction, parallel to `was`; "" without a reason.
        undone: it has been taken back.
        undoes: the number of the entry that this undo takes back.
        misfit: the reason why it no longer fits after an earlier correction, a sentence.
        meant_for: the side it belonged to when it was entered, if an earlier correction has changed that.
    """

    number: int
    event: events.AnyEvent
    state: State
    was: tuple[events.AnyEvent, ...] = ()
    whys: tuple[str, ...] = ()
    undone: bool = False
    undoes: int | None = None
    misfit: Sentence = NOTHING
    meant_for: Side | None = None

    @property
    def is_of_other_side(self) -> bool:
        """Whether it is a roll that now counts for the other side because of an earlier correction."""
        counts = not self.misfit and not self.undone
        is_roll = isinstance(self.event, (events.RollTyped, events.Thrown))
        return self.meant_for is not None and counts and is_roll


@dataclass(frozen=True, slots=True)
class Table:
    """A match with all its events; without entries no match has begun."""

    entries: tuple[Entry, ...] = ()
    clock: Clock | None = None

    @property
    def state(self) -> State | None:
        """The current state; None without a match."""
        return self.entries[-1].state if self.entries else None

    def with_entry(self, event: events.AnyEvent, state: State, undoes: int | None = None) -> "Table":
        """The table after one more event that leads to this state, with its clock run on."""
        entry = Entry(len(self.entries) + 1, event, state, undoes=undoes)
        clock = ticked(self.clock, self.entries[-1].state, state, event.at_ms)
        return Table((*self.entries, entry), clock)


class Step(NamedTuple):
    """The table after an event, and notices about it."""

    table: Table
    notices: tuple[Notice, ...] = ()
