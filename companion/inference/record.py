"""The record of games that were followed in pictures: the events that a scorekeeper would have entered."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from companion.game.disputes import choices
from companion.game.events import (
    AnyEvent,
    DisputeAnswered,
    Lifted,
    MatchBegan,
    NextGame,
    OpeningThrown,
    PlayEntered,
    PositionSet,
    Remedy,
    RollTyped,
)
from companion.game.state import OnRoll, Opening, Played, Rolled
from companion.game.state_machine import step
from companion.game.table import Table
from companion.inference.findings import Kind, Made
from companion.rules.board import Side

BY = "camera"


class _Writer:
    """A table that takes one event after the other, all with the time that was set last."""

    def __init__(self, first: MatchBegan) -> None:
        self.at_ms = first.at_ms
        self.table = step(Table(), first).table

    def take(self, event: AnyEvent) -> None:
        self.table = step(self.table, replace(event, at_ms=self.at_ms, by=BY)).table


def table_of(
    first: MatchBegan, games: Iterable[Sequence[Made]], times_ms: Mapping[tuple[int, int], int]
) -> Table:
    """The table after these games.

    Args:
        first: the beginning of the match.
        games: for each game its turns in order; the likeliest explanation where a turn was not decided.
        times_ms: for the game (from 0) and the turn's number, its time in milliseconds since 1970.

    Raises:
        GameError: the match was over before these games.
    """
    writer = _Writer(first)
    for at, turns in enumerate(games):
        if at:
            writer.take(NextGame())
        for made in turns:
            writer.at_ms = times_ms.get((at, made.number), writer.at_ms)
            _write_turn(writer, made)
    return writer.table


def _write_turn(writer: _Writer, made: Made) -> None:
    """Write one turn; what cannot be written as a roll and a play is written as a position set by hand."""
    state = writer.table.state
    assert state is not None, "a match has begun"
    if made.roll is None or made.kind is Kind.DISORDER:
        _set(writer, made, after=True)
        return
    if isinstance(state.phase, Opening) and not made.roll.is_doubles:
        high, low = (made.roll.high,), (made.roll.low,)
        south_begins = made.side is Side.SOUTH
        writer.take(OpeningThrown(high if south_begins else low, low if south_begins else high))
    else:
        on_roll = isinstance(state.phase, OnRoll) and state.phase.side is made.side
        if not on_roll or state.board != made.before:
            _set(writer, made, after=False)
        writer.take(RollTyped(made.roll, made.side))
    _write_play(writer, made)


def _write_play(writer: _Writer, made: Made) -> None:
    assert writer.table.state is not None, "a match has begun"
    if isinstance(writer.table.state.phase, Rolled) or made.kind is not Kind.LEGAL:
        left = made.after.seen_by(made.side)
        writer.take(PlayEntered(mine=left.mine, theirs=left.theirs, made=True))
    if any(choice.remedy is Remedy.CONDONE for choice in choices(writer.table.state)):
        writer.take(DisputeAnswered(Remedy.CONDONE))
    if isinstance(writer.table.state.phase, Played):
        writer.take(Lifted())


def _set(writer: _Writer, made: Made, after: bool) -> None:
    board, side = (made.after, made.side.other) if after else (made.before, made.side)
    writer.take(PositionSet(board.south, board.north, on_roll=side))
