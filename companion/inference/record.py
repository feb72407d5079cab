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
from companion.rules.board import Board, Roll, Side

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
        for number, made in enumerate(turns):
            writer.at_ms = times_ms.get((at, made.number), writer.at_ms)
            _write_turn(writer, made, turns[number + 1] if number + 1 < len(turns) else None)
    return writer.table


def _write_turn(writer: _Writer, made: Made, following: Made | None) -> None:
    """Write one turn; one that cannot be written as a roll and a play as its roll, if that is known, and the position
    that was seen. A play that is only the best guess is followed by its position with the remark that it is not sure.
    """
    state = writer.table.state
    assert state is not None, "a match has begun"
    if made.roll is not None:
        _write_roll(writer, made, made.roll)
    if made.roll is not None and (made.kind is Kind.LEGAL or not made.is_open):
        _write_play(writer, made)
        now = writer.table.state
        if not made.is_open or now is None or not isinstance(now.phase, OnRoll):
            return
    side = made.side if made.kind is Kind.MISSED else made.side.other
    _set(writer, made.after, following.side if following else side, _why_set(made))


def _write_roll(writer: _Writer, made: Made, roll: Roll) -> None:
    state = writer.table.state
    assert state is not None, "a match has begun"
    if isinstance(state.phase, Opening) and not roll.is_doubles:
        high, low = (roll.high,), (roll.low,)
        south_begins = made.side is Side.SOUTH
        writer.take(OpeningThrown(high if south_begins else low, low if south_begins else high))
        return
    on_roll = isinstance(state.phase, OnRoll) and state.phase.side is made.side
    if not on_roll or state.board != made.before:
        _set(writer, made.before, made.side, OUT_OF_TURN)
    writer.take(RollTyped(roll, made.side))


def _write_play(writer: _Writer, made: Made) -> None:
    assert writer.table.state is not None, "a match has begun"
    if isinstance(writer.table.state.phase, Rolled) or made.kind is not Kind.LEGAL:
        left = made.after.seen_by(made.side)
        writer.take(PlayEntered(mine=left.mine, theirs=left.theirs, made=True))
    if any(choice.remedy is Remedy.CONDONE for choice in choices(writer.table.state)):
        writer.take(DisputeAnswered(Remedy.CONDONE))
    if isinstance(writer.table.state.phase, Played):
        writer.take(Lifted())


def _set(writer: _Writer, board: Board, side: Side, why: str) -> None:
    writer.take(PositionSet(board.south, board.north, on_roll=side, why=why))


OUT_OF_TURN = "The throws that were seen do not follow each other by turns."


def _why_set(made: Made) -> str:
    """Why a position is written instead of a play."""
    if made.kind is Kind.MISSED:
        return "The throws of several turns were not seen."
    if made.roll is None:
        return "A throw was not seen or not read."
    return f"What {made.side.value} played with {made.roll.text} is not sure."
