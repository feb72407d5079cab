"""A match as a table of its events, each with the state after it.

Because every entry keeps its state, undo returns to an earlier one, and a correction applies the later events again
(corrections.py; ADR 41).
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from companion.game import events
from companion.game.clock import Clock, ticked
from companion.game.state import MatchOver, Notice, State
from companion.rules.board import Side
from sentence import NOTHING, Sentence

_OF_SETTING_UP = (
    events.MatchBegan,
    events.Amended,
    events.SettingsChanged,
    events.ClockSet,
    events.DirectorCalled,
)


NOT_GIVEN = events.PlayEntered((), made=True)
"""Stands for the play of a roll that a correction of something earlier has made playable: nothing, an illegal play."""


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
        former: of a correction: the entries before it, as they were.
        play: the play that a correction has brought with the roll of this entry, or `NOT_GIVEN`.
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
    former: tuple["Entry", ...] = field(default=(), compare=False, repr=False)
    play: events.PlayEntered | None = None

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

    @property
    def is_untouched(self) -> bool:
        """Whether a match has begun and nothing of it was played: no roll, no position, no penalty."""
        return bool(self.entries) and all(isinstance(entry.event, _OF_SETTING_UP) for entry in self.entries)

    @property
    def is_free(self) -> bool:
        """Whether a hall's match may begin: there is none, or it is over, or untouched and not the hall's itself."""
        if self.state is None or isinstance(self.state.phase, MatchOver):
            return True
        return self.is_untouched and not self.pairing

    @property
    def pairing(self) -> str:
        """The hall's pairing that the match is; "" for none."""
        first = self.entries[0].event if self.entries else None
        return first.pairing if isinstance(first, events.MatchBegan) else ""

    def with_entry(
        self, event: events.AnyEvent, state: State, undoes: int | None = None, former: tuple[Entry, ...] = ()
    ) -> "Table":
        """The table after one more event that leads to this state, with its clock run on."""
        entry = Entry(len(self.entries) + 1, event, state, undoes=undoes, former=former)
        clock = ticked(self.clock, self.entries[-1].state, state, event.at_ms)
        return Table((*self.entries, entry), clock)


class Step(NamedTuple):
    """The table after an event, and notices about it."""

    table: Table
    notices: tuple[Notice, ...] = ()
