"""The checkers and the plays in the state of docs/PROTOCOL.md."""

from dataclasses import replace

from companion.game.state import OnRoll, Played, Rolled, State, TurnMade
from companion.game.turn_order import on_roll
from companion.game.turns import turn_of
from companion.protocol.shapes import (
    BoardMap,
    LastPlay,
    LegalPlay,
    Making,
    NextMove,
    Pair,
    PositionSeen,
    Seat,
)
from companion.records.ids import xgid_of
from companion.rules.board import BAR, OFF, Board, Position, Roll, Side
from companion.rules.legality import Turn
from companion.rules.moves import Play
from companion.rules.notation import write_play

MOST_PLAYS = 400
"""Limit of listed plays. A high doublet of the entry game has tens of thousands; the page follows its moves instead."""
START = Board(Position.start().mine, Position.start().theirs)


def seat_of(side: Side | None) -> Seat | None:
    """A side in the page's word; None for no side."""
    return None if side is None else seat(side)


def seat(side: Side) -> Seat:
    """A side in the page's word."""
    return "south" if side is Side.SOUTH else "north"


def pair(south: int, north: int) -> Pair:
    """A number for each side."""
    return {"south": south, "north": north}


def position_of(state: State, withheld: bool) -> PositionSeen:
    """The checkers; without pip counts if aids are withheld (docs/rules/tournaments.md, row T17)."""
    south, north = (state.board.seen_by(side).pip_count() for side in Side)
    return {
        "xgid": xgid_of(state),
        "pos": state.board.seen_by(on_roll(state) or Side.SOUTH).ints(),
        "pips": None if withheld else pair(south, north),
        "board": board_map(state.board),
    }


def starting_position() -> PositionSeen:
    """The position before a match."""
    position = START.seen_by(Side.SOUTH)
    pips = position.pip_count()
    return {"xgid": "", "pos": position.ints(), "pips": pair(pips, pips), "board": board_map(START)}


def board_map(board: Board) -> BoardMap:
    """The checkers as the page draws them: south's counts on his points positive, north's negative."""
    south, north = board.south, board.north
    return {
        "points": [south[n] - north[25 - n] for n in range(1, 25)],
        "bar": pair(south[BAR], north[BAR]),
        "off": pair(south[OFF], north[OFF]),
    }


def _turn(state: State) -> Turn | None:
    """The roll to play, from the board before it; None without one."""
    match state.phase:
        case Rolled(side=side, roll=roll):
            return turn_of(state, side, roll)
        case OnRoll(side=side, kept=Roll() as roll):
            return turn_of(state, side, roll)
    return None


def plays_of(state: State) -> list[LegalPlay] | None:
    """The legal plays of the roll, sorted by text; None without a roll, or for a doublet with too many."""
    turn = _turn(state)
    if turn is None:
        return None
    plays = turn.plays()
    if turn.is_long and len(plays) > MOST_PLAYS:
        return None
    listed: list[LegalPlay] = [
        {"text": write_play(play), "moves": _pairs(play), "result": left.ints()}
        for left, play in plays.items()
    ]
    return sorted(listed, key=lambda play: play["text"])


def _pairs(play: Play) -> list[list[int]]:
    return [[move.source, move.target] for move in play]


def making_of(state: State, withheld: bool) -> Making | None:
    """The half-made play, or the whole one, to which the entry game may allow more moves; None without a roll."""
    match state.phase:
        case Played(side=side, roll=roll, play=play, before=before, fault=fault) if play is not None:
            if fault or roll is None:
                return _made(play, [], complete=True)
            turn = turn_of(replace(state, board=before), side, roll)
            return _in_making(turn, play, withheld)
        case Rolled(moves=made):
            whole = _turn(state)
            assert whole is not None
            return _in_making(whole, made, withheld)
        case OnRoll(kept=Roll()):
            kept = _turn(state)
            assert kept is not None
            return _in_making(kept, (), withheld)
    return None


def _in_making(turn: Turn, made: Play, withheld: bool) -> Making:
    partial = turn.partial_play([(move.source, move.target) for move in made])
    coming: list[NextMove] = [
        {"from": move.source, "to": move.target, "number": move.number, "hits": move.hits}
        for move in partial.next
    ]
    return _made(made, None if withheld else coming, partial.is_complete)


def _made(play: Play, coming: list[NextMove] | None, complete: bool) -> Making:
    return {
        "moves": _pairs(play),
        "text": write_play(play),
        "next": coming,
        "complete": complete,
        "refused": "",
    }


def last_play_of(state: State) -> LastPlay | None:
    """The turn that ended last; None if the cube or the board was changed after it."""
    last = state.log[-1] if state.log else None
    if not isinstance(last, TurnMade):
        return None
    roll: list[int] | None = [last.roll.high, last.roll.low] if last.roll else None
    return {"side": seat(last.side), "roll": roll, "play": write_play(last.play or ())}
