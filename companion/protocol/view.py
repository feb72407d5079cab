"""The state of docs/PROTOCOL.md for one kind of visitor: the table as JSON, with what the shell knows beside it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from companion.game.clock import Clock
from companion.game.cube import why_no_double
from companion.game.disputes import choices
from companion.game.events import Evidence, Orientation, Thrown
from companion.game.history import flag_of, line_of, ruling_sentence
from companion.game.log import TurnMade
from companion.game.results import counted
from companion.game.state import (
    Doubled,
    GameOver,
    MatchOver,
    OnRoll,
    Opening,
    Played,
    Resigning,
    Rolled,
    State,
)
from companion.game.step import Entry, Table
from companion.game.throws import dice_each
from companion.game.turn_order import asked, on_roll, phase_word
from companion.game.turns import turn_of
from companion.protocol.panel import lamps_of
from companion.protocol.permissions import RoleName, may_now
from companion.protocol.shapes import (
    Bank,
    BoardLie,
    BoardMap,
    CameraView,
    ClockState,
    CubeState,
    DieRead,
    DisputeOpen,
    GameResult,
    HealthLine,
    HistoryLine,
    LastPlay,
    LegalPlay,
    Making,
    MatchState,
    NextMove,
    NoticeLine,
    OpeningDice,
    Pair,
    PositionSeen,
    ResignationOpen,
    Seat,
    ThrowRead,
    WaitingRoll,
)
from companion.protocol.shapes import State as Shown
from companion.records.ids import xgid_of
from companion.rules.board import BAR, OFF, Board, Position, Roll, Side
from companion.rules.legality import Turn
from companion.rules.match import Crawford
from companion.rules.moves import Play
from companion.rules.notation import write_play
from companion.rules.options import Aids
from companion.rules.referee import Cocked, Half, LyingDie, Ruling, Unread, Valid

MOST_PLAYS = 400
"""A big doublet of the entry game has tens of thousands of plays: then none are listed, moves are followed."""


START = Board(Position.start().mine, Position.start().theirs)


@dataclass(frozen=True, slots=True)
class Visit:
    """Who looks: the role, and a player's seat."""

    role: RoleName = "scorekeeper"
    seat: Side | None = None


@dataclass(frozen=True, slots=True)
class Around:
    """The part of the state that the game does not know.

    Attributes:
        seq: number of this state.
        durable: everything that happened is on disk.
        camera: the camera's condition.
        notices: sentences to show once.
        head: digest of the last row on disk, for the score sheet.
        health: the machine's condition, shown to the director.
    """

    seq: int = 0
    durable: bool = True
    camera: CameraView = field(default_factory=lambda: NO_CAMERA)
    notices: Sequence[NoticeLine] = ()
    head: str | None = None
    health: Sequence[HealthLine] = ()


NO_CAMERA: CameraView = {"state": "none", "text": "No camera is used."}


def view_of(table: Table, visit: Visit, around: Around | None = None) -> Shown:
    """The state as this visitor may see it."""
    around, state = around or Around(), table.state
    withheld = state is not None and aids_withheld(state, visit)
    return {
        "seq": around.seq,
        "durable": around.durable,
        "phase": phase_word(state) if state else "no_match",
        "on_roll": seat_of(on_roll(state)) if state else None,
        "asked": seat_of(asked(state)) if state else None,
        "may": may_now(table, visit.role, visit.seat),
        "roll": _roll(state) if state else None,
        "opening": _opening(state) if state else None,
        "ruling": _ruling_word(state) if state else None,
        "reasons": _reasons(state) if state else [],
        "reason_text": _reason_text(state) if state else "",
        "throw": _throw(state) if state else None,
        "position": _position(state, withheld) if state else _start(),
        "plays": _plays(state) if state and not withheld else None,
        "making": _making(state, withheld) if state else None,
        "last_play": _last_play(state) if state else None,
        "owed": state is not None and isinstance(state.phase, Rolled) and state.phase.lifted,
        "waiting": _waiting(state) if state else None,
        "cube": _cube(state) if state else {"value": 1, "owner": None, "offered": None, "may_double": False},
        "dispute": _dispute(state) if state else None,
        "resigning": _resigning(state) if state else None,
        "result": _result(state) if state else None,
        "match": _match(state, around.head) if state else None,
        "clock": _clock(table.clock) if state else None,
        "lamps": lamps_of(state, around.camera["state"]),
        "camera": around.camera,
        "aids": "withheld" if state and state.terms.profile.aids is Aids.WITHHELD else "shown",
        "orientation": _lie(state.terms.orientation if state else Orientation()),
        "history": history_of(table, HISTORY),
        "health": list(around.health) if visit.role == "director" else None,
        "notices": list(around.notices),
    }


def _lie(orientation: Orientation) -> BoardLie:
    return {"home": orientation.home, "south": orientation.south}


def aids_withheld(state: State, visit: Visit) -> bool:
    """Whether plays, pips and hints are kept from this visitor: players and viewers, where the profile says so."""
    return state.terms.profile.aids is Aids.WITHHELD and visit.role in ("viewer", "player")


def seat_of(side: Side | None) -> Seat | None:
    """A side in the page's word; None for no side."""
    return None if side is None else _seat(side)


def _seat(side: Side) -> Seat:
    return "south" if side is Side.SOUTH else "north"


def _pair(south: int, north: int) -> Pair:
    return {"south": south, "north": north}


def _roll(state: State) -> list[int] | None:
    phase = state.phase.back if isinstance(state.phase, Resigning) else state.phase
    roll = getattr(phase, "roll", None) or getattr(phase, "kept", None)
    return [roll.high, roll.low] if isinstance(roll, Roll) else None


def _opening(state: State) -> OpeningDice | None:
    if not isinstance(state.phase, Opening):
        return None
    opening = state.phase
    return {
        "south": sum(opening.south) or None,
        "north": sum(opening.north) or None,
        "each": dice_each(state),
    }


def _ruling_word(state: State) -> Literal["valid", "cocked", "unread"] | None:
    match _standing(state):
        case Valid():
            return "valid"
        case Cocked():
            return "cocked"
        case Unread():
            return "unread"
    return None


def _reasons(state: State) -> list[str]:
    ruling = _standing(state)
    return [reason.value for reason in ruling.reasons] if ruling else []


def _reason_text(state: State) -> str:
    if isinstance(state.phase, Opening) and state.phase.unassigned:
        return f"Who threw the {state.phase.unassigned.high}?"
    return ruling_sentence(_standing(state))


def _standing(state: State) -> Ruling | None:
    """The ruling of the last throw; that it counted says nothing any more once its turn is over."""
    ruling = state.throw.ruling if state.throw else None
    waits = isinstance(state.phase, Opening) or state.pending is not None
    return None if isinstance(ruling, Valid) and _roll(state) is None and not waits else ruling


def _waiting(state: State) -> WaitingRoll | None:
    """The roll that was thrown early and counts once everything before it is settled."""
    pending = state.pending
    return {"side": _seat(pending.side), "roll": [pending.roll.high, pending.roll.low]} if pending else None


def _throw(state: State) -> ThrowRead | None:
    throw = state.throw
    if throw is None or not throw.dice:
        return None
    evidence = throw.evidence
    return {
        "dice": [_die(one, evidence, at) for at, one in enumerate(throw.dice)],
        "picture": _address(evidence.picture),
        "size": list(evidence.size_px or (0, 0)),
    }


def _die(die: LyingDie, evidence: Evidence, at: int) -> DieRead:
    half: Literal["left", "right"] | None = None
    if die.half is not None:
        half = "left" if die.half is Half.LEFT else "right"
    return {
        "value": die.face,
        "rest": die.rest.value if die.rest else None,
        "half": half,
        "tilt_deg": die.tilt_deg,
        "confidence": evidence.confidences[at] if at < len(evidence.confidences) else 0.0,
        "box": list(evidence.boxes_px[at]) if at < len(evidence.boxes_px) else None,
    }


def _address(picture: str | None) -> str | None:
    return f"/pictures/{picture}" if picture else None


def _position(state: State, withheld: bool) -> PositionSeen:
    south, north = (state.board.seen_by(side).pip_count() for side in Side)
    return {
        "xgid": xgid_of(state),
        "pos": state.board.seen_by(on_roll(state) or Side.SOUTH).ints(),
        "pips": None if withheld else _pair(south, north),
        "board": _board(state.board),
    }


def _start() -> PositionSeen:
    """The position while no match has begun."""
    position = START.seen_by(Side.SOUTH)
    pips = position.pip_count()
    return {"xgid": "", "pos": position.ints(), "pips": _pair(pips, pips), "board": _board(START)}


def _board(board: Board) -> BoardMap:
    south, north = board.south, board.north
    return {
        "points": [south[n] - north[25 - n] for n in range(1, 25)],
        "bar": _pair(south[BAR], north[BAR]),
        "off": _pair(south[OFF], north[OFF]),
    }


def _turn(state: State) -> Turn | None:
    """The roll that is to be played, from the board before it."""
    match state.phase:
        case Rolled(side=side, roll=roll):
            return turn_of(state, side, roll)
        case OnRoll(side=side, kept=Roll() as roll):
            return turn_of(state, side, roll)
    return None


def _plays(state: State) -> list[LegalPlay] | None:
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


def _making(state: State, withheld: bool) -> Making | None:
    """The half-made play; also a whole one, to which the entry game may let more be added."""
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
    making = turn.making([(move.source, move.target) for move in made])
    coming: list[NextMove] = [
        {"from": move.source, "to": move.target, "number": move.number, "hits": move.hits}
        for move in making.next
    ]
    return _made(made, None if withheld else coming, making.is_complete)


def _made(play: Play, coming: list[NextMove] | None, complete: bool) -> Making:
    return {
        "moves": _pairs(play),
        "text": write_play(play),
        "next": coming,
        "complete": complete,
        "refused": "",
    }


def _last_play(state: State) -> LastPlay | None:
    """The turn that ended last, where nothing has been done with the cube or the board since."""
    last = state.deeds[-1] if state.deeds else None
    if not isinstance(last, TurnMade):
        return None
    roll: list[int] | None = [last.roll.high, last.roll.low] if last.roll else None
    return {"side": _seat(last.side), "roll": roll, "play": write_play(last.play or ())}


def _cube(state: State) -> CubeState:
    side = on_roll(state)
    offered = state.phase.offer.value if isinstance(state.phase, Doubled) else None
    may = side is not None and isinstance(state.phase, OnRoll) and not why_no_double(state, side)
    return {
        "value": state.cube.value,
        "owner": seat_of(state.cube.owner),
        "offered": offered,
        "may_double": may,
    }


def _dispute(state: State) -> DisputeOpen | None:
    dispute = state.dispute
    if dispute is None:
        return None
    return {
        "kind": dispute.kind.value,
        "by": _seat(dispute.by),
        "text": dispute.text,
        "answers": [
            {"type": choice.remedy.value, "label": choice.label, "by": _seat(choice.by)}
            for choice in choices(state)
        ],
    }


def _resigning(state: State) -> ResignationOpen | None:
    phase = state.phase
    if not isinstance(phase, Resigning):
        return None
    worth = phase.worth if phase.points is not None else counted(state, phase.worth)
    return {"by": _seat(phase.by), "worth": int(phase.worth), "counts": int(worth), "points": phase.points}


def _result(state: State) -> GameResult | None:
    result = state.phase.result if isinstance(state.phase, (GameOver, MatchOver)) else None
    if result is None:
        return None
    return {
        "winner": _seat(result.winner),
        "worth": int(result.worth),
        "cube": result.cube,
        "points": result.points,
        "how": result.how.value,
    }


def _match(state: State, head: str | None) -> MatchState:
    terms = state.terms
    return {
        "id": terms.match_id,
        "length": terms.length,
        "crawford": state.crawford is Crawford.NOW,
        "score": _pair(state.score.south, state.score.north),
        "players": {"south": terms.name(Side.SOUTH), "north": terms.name(Side.NORTH)},
        "profile": terms.profile.name,
        "game": state.game,
        "winner": _seat(state.phase.winner) if isinstance(state.phase, MatchOver) else None,
        "director": state.director,
        "head": head,
    }


def _clock(clock: Clock | None) -> ClockState | None:
    if clock is None:
        return None
    return {
        "running": seat_of(clock.running),
        "south": _bank(clock, Side.SOUTH),
        "north": _bank(clock, Side.NORTH),
        "at_ms": clock.at_ms,
        "held": clock.held,
    }


def _bank(clock: Clock, side: Side) -> Bank:
    delay_ms = clock.delay_left_ms if side is clock.turn_of else clock.rules.delay_ms
    return {"reserve_ms": clock.reserve_of(side), "delay_ms": delay_ms}


HISTORY = 120
"""So many lines are sent; a game has about as many. The rest stands in the export."""


def history_of(table: Table, most: int | None = None) -> list[HistoryLine]:
    """The lines of the history, oldest first; the last `most` of them."""
    lines: list[HistoryLine] = []
    for at in range(len(table.entries) - 1, -1, -1):
        if most is not None and len(lines) >= most:
            break
        entry, before = table.entries[at], table.entries[at - 1].state if at else None
        side, text = line_of(entry, before)
        if text:
            lines.append(_line(entry, side, text))
    return lines[::-1]


def _line(entry: Entry, side: Side | None, text: str) -> HistoryLine:
    pictures = [event.evidence.picture for event in (entry.event, *entry.was) if isinstance(event, Thrown)]
    return {
        "n": entry.number,
        "side": seat_of(side),
        "text": text,
        "picture": _address(next((picture for picture in pictures if picture), None)),
        "corrected": bool(entry.was),
        "undone": entry.undone,
        "misfit": flag_of(entry),
    }
