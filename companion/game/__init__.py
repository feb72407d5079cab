"""The state machine of a match: events in, tables out. Nothing here uses a clock, a file or random numbers."""

from companion.game.events import (
    Amended,
    Answer,
    AnyEvent,
    DoubleAnswered,
    DoubleOffered,
    Lifted,
    MatchBegan,
    NextGame,
    OpeningThrown,
    PlayEntered,
    ResignationAnswered,
    Resigned,
    RollTyped,
    Thrown,
    TurnEnded,
    Undone,
)
from companion.game.state import Level, Notice, Phase, State
from companion.game.state_machine import fold, step
from companion.game.table import Entry, Step, Table

__all__ = [
    "Amended",
    "Answer",
    "AnyEvent",
    "DoubleAnswered",
    "DoubleOffered",
    "Entry",
    "Level",
    "Lifted",
    "MatchBegan",
    "NextGame",
    "Notice",
    "OpeningThrown",
    "Phase",
    "PlayEntered",
    "ResignationAnswered",
    "Resigned",
    "RollTyped",
    "State",
    "Step",
    "Table",
    "Thrown",
    "TurnEnded",
    "Undone",
    "fold",
    "step",
]
