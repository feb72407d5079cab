"""The history as JSON: the last lines for the state, and all lines of one game."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from companion.errors import GameError, OutOfTurnError
from companion.game.events import (
    AnyEvent,
    DirectorCalled,
    DisputeAnswered,
    PenaltyGiven,
    ResignationAnswered,
    Resigned,
    Thrown,
    TimeRanOut,
)
from companion.game.history_lines import decision_of, flag_of, line_of
from companion.game.state import (
    CubeAction,
    CubeTurn,
    DisputeKind,
    Doubled,
    GameOver,
    LogEntry,
    MatchOver,
    OnRoll,
    Opening,
    Resigning,
    SetUp,
    State,
    TurnMade,
)
from companion.game.table import Entry, Table
from companion.game.turn_order import side_to_play
from companion.protocol import shapes
from companion.protocol.undo_and_amend import action_of
from companion.rules.board import Side
from sentence import say, translatable

_ASIDE = (DirectorCalled, DisputeAnswered, PenaltyGiven, ResignationAnswered, Resigned, TimeRanOut)
"""Events that come in either side's turn and take no place of their own in a match file."""

MOST_LINES = 120
"""Limit of history lines sent with the state, about those of one game. `game_history` gives those of any game."""


def last_lines(table: Table, *, amendable: bool) -> list[shapes.HistoryLine]:
    """The last lines of the match, oldest first; `amendable` adds what a correction needs."""
    return list(islice(_newest_first(table, amendable), MOST_LINES))[::-1]


def game_history(table: Table, game: int, *, amendable: bool) -> shapes.GameHistory:
    """All lines of one game of the running match, oldest first.

    Raises:
        OutOfTurnError: no match has begun.
        GameError: the match has no such game.
    """
    state = table.state
    if state is None:
        raise OutOfTurnError(say("No match has begun."))
    if not 1 <= game <= state.game:
        raise GameError(say("There is no such game in this match."))
    lines = [line for line in _newest_first(table, amendable) if line["game"] == game]
    last = next(entry.state for entry in reversed(table.entries) if entry.state.game == game)
    players: shapes.Players = {"south": last.name(Side.SOUTH), "north": last.name(Side.NORTH)}
    return {"game": game, "games": state.game, "players": players, "history": lines[::-1]}


def _newest_first(table: Table, amendable: bool) -> Iterator[shapes.HistoryLine]:
    befores = (None, *(entry.state for entry in table.entries))
    pairs = zip(reversed(table.entries), reversed(befores[:-1]), strict=True)
    return filter(None, (_line(entry, before, amendable) for entry, before in pairs))


def _line(entry: Entry, before: State | None, amendable: bool) -> shapes.HistoryLine | None:
    side, text = line_of(entry, before)
    if not text:
        return None
    misfit, (question, why) = flag_of(entry), decision_of(entry.event)
    pictures = [event.evidence.picture for event in (entry.event, *entry.was) if isinstance(event, Thrown)]
    picture = next(filter(None, pictures), None)
    return {
        "n": entry.number,
        "game": entry.state.game,
        "turn": row_number(before, side, entry.event),
        "side": side.value if side else None,
        "text": str(text),
        "say": translatable(text=text, misfit=misfit),
        "by": entry.event.by,
        "question": question,
        "why": why,
        "picture": f"/pictures/{picture}" if picture else None,
        "corrected": bool(entry.was),
        "undone": entry.undone,
        "misfit": str(misfit),
        "action": action_of(entry, before) if amendable else None,
    }


def row_number(before: State | None, side: Side | None, event: AnyEvent) -> int | None:
    """The number of this side's next row in the field's two columns, south's and north's; None outside of the turns.

    Rows count as in a match file: a turn, a double and its answer take a place each. What takes none, such as a
    resignation, stands in the row of the turn in which it comes, also in the other side's column: a refusal leads back
    into that turn. A chouette's answers to one double are one place, however many partners answer; so are all parts of
    a turn, thrown or not.
    """
    if before is None or side is None or isinstance(before.phase, (Opening, GameOver, MatchOver)):
        return None
    number, last = 0, None
    of_turn = _awaited(before) or side if isinstance(event, _ASIDE) else side
    places = list(_places(before))
    if isinstance(before.phase, Doubled) and _is_answer(before.log[-1]):
        places.pop()  # another answer to this double
    elif before.log and _is_of_turn(before.log[-1], of_turn, _has_part(before)):
        places.pop()  # another part of this turn
    for one in (*places, of_turn):
        if one is not Side.NORTH or last is not Side.SOUTH:
            number += 1
        last = one
    return number


def _awaited(state: State) -> Side | None:
    """The side that the next place is of: who rolls or plays, answers the double, or has rolled too early."""
    if state.dispute is not None and state.dispute.kind is DisputeKind.PREMATURE_ROLL:
        return state.dispute.by
    inner = replace(state, phase=state.phase.back) if isinstance(state.phase, Resigning) else state
    mover = side_to_play(inner)
    return mover.other if mover is not None and isinstance(inner.phase, Doubled) else mover


def _places(state: State) -> Iterator[Side]:
    """The side of each place that the game's log takes; answers and parts of a turn that follow each other are one."""
    former: LogEntry | None = None
    for entry in state.log:
        if isinstance(entry, SetUp):
            continue
        follows = former is not None and (
            (_is_answer(former) and _is_answer(entry))
            or (isinstance(entry, TurnMade) and _is_of_turn(former, entry.side, entry.part is not None))
        )
        if not follows:
            yield entry.side
        former = entry


def _is_of_turn(former: LogEntry, side: Side, is_part: bool) -> bool:
    """Whether a side's next play is of the same turn as the former one: a part that was not thrown, or its own throw
    after what the opponent has left it of a doublet."""
    if not isinstance(former, TurnMade) or former.side is not side:
        return False
    return is_part or (former.part is not None and former.part.thrower is not side)


def _has_part(state: State) -> bool:
    """Whether the numbers to be played, or those that are being played, were not thrown."""
    phase = state.phase.back if isinstance(state.phase, Resigning) else state.phase
    return (isinstance(phase, OnRoll) and phase.names) or getattr(phase, "part", None) is not None


def _is_answer(entry: LogEntry) -> bool:
    return isinstance(entry, CubeTurn) and entry.action in (CubeAction.TAKE, CubeAction.PASS)
