"""The state of docs/PROTOCOL.md for one kind of visitor: the table as JSON, with the shell's part of the state."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from companion.game.clock import Clock
from companion.game.cube import why_no_double
from companion.game.disputes import choices
from companion.game.events import Evidence, Orientation, Thrown
from companion.game.games import counted
from companion.game.state import (
    Doubled,
    GameOver,
    MatchOver,
    OnRoll,
    Opening,
    Resigning,
    Rolled,
    State,
)
from companion.game.table import Entry, Table
from companion.game.throws import dice_each
from companion.game.turn_order import asked, on_roll, phase_word
from companion.game.wording import REASON_TEXTS, flag_of, line_of, ruling_sentence
from companion.protocol.event_as_action import action_of
from companion.protocol.lamps_and_buttons import lamps_of
from companion.protocol.permissions import RoleName, may_now
from companion.protocol.play_view import (
    last_play_of,
    making_of,
    pair,
    plays_of,
    position_of,
    seat,
    seat_of,
    starting_position,
)
from companion.protocol.shapes import (
    Bank,
    BoardLie,
    CameraView,
    CameraWord,
    ClockState,
    CubeState,
    DieRead,
    DisputeOpen,
    GameResult,
    HealthLine,
    HistoryLine,
    MatchState,
    NoticeLine,
    OpeningDice,
    ResignationOpen,
    ThrowRead,
    WaitingRoll,
)
from companion.protocol.shapes import State as Shown
from companion.rules.board import Roll, Side
from companion.rules.cube_and_score import Crawford
from companion.rules.profile_settings import Aids
from companion.rules.referee import DieAtRest, Half, Ruling, Valid
from sentence import NOTHING, Sentence, say, translatable


@dataclass(frozen=True, slots=True)
class Visit:
    """A visitor: the role, and a player's seat."""

    role: RoleName = "scorekeeper"
    seat: Side | None = None


def camera_view(state: CameraWord, text: Sentence) -> CameraView:
    """The camera's state as JSON, with its sentence."""
    return {"state": state, "text": str(text), "say": translatable(text=text)}


NO_CAMERA: CameraView = camera_view("none", say("No camera is used."))


@dataclass(frozen=True, slots=True)
class ServiceStatus:
    """The part of the state that the game does not know.

    Attributes:
        seq: number of this state.
        durable: whether all events are on disk.
        camera: the camera's state.
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


def view_of(table: Table, visit: Visit, status: ServiceStatus | None = None) -> Shown:
    """The state as this visitor may see it."""
    status, state = status or ServiceStatus(), table.state
    withheld = state is not None and aids_withheld(state, visit)
    standing = _standing(state) if state else None
    reason = _reason_text(state) if state else NOTHING
    reasons = _reason_texts(state) if state else []
    return {
        "seq": status.seq,
        "durable": status.durable,
        "phase": phase_word(state) if state else "no_match",
        "on_roll": seat_of(on_roll(state)) if state else None,
        "asked": seat_of(asked(state)) if state else None,
        "may": may_now(table, visit.role, visit.seat),
        "roll": _roll(state) if state else None,
        "opening": _opening(state) if state else None,
        "ruling": standing.word if standing else None,
        "reasons": _reasons(state) if state else [],
        "reason_text": str(reason),
        "reason_texts": [str(one) for one in reasons],
        "say": translatable(reason_text=reason, reason_texts=reasons),
        "throw": _throw(state) if state else None,
        "position": position_of(state, withheld) if state else starting_position(),
        "plays": plays_of(state) if state and not withheld else None,
        "making": making_of(state, withheld) if state else None,
        "last_play": last_play_of(state) if state else None,
        "owed": state is not None and isinstance(state.phase, Rolled) and state.phase.lifted,
        "waiting": _waiting(state) if state else None,
        "cube": _cube(state) if state else {"value": 1, "owner": None, "offered": None, "may_double": False},
        "dispute": _dispute(state) if state else None,
        "resigning": _resigning(state) if state else None,
        "result": _result(state) if state else None,
        "match": _match(state, status.head) if state else None,
        "clock": _clock(table.clock) if state else None,
        "lamps": lamps_of(state, status.camera["state"]),
        "camera": status.camera,
        "aids": "withheld" if state and state.terms.profile.aids is Aids.WITHHELD else "shown",
        "orientation": _lie(state.terms.orientation if state else Orientation()),
        "history": history_of(table, HISTORY, amendable=visit.role == "director"),
        "health": list(status.health) if visit.role == "director" else None,
        "notices": list(status.notices),
    }


def _lie(orientation: Orientation) -> BoardLie:
    return {"home": orientation.home, "south": orientation.south}


def aids_withheld(state: State, visit: Visit) -> bool:
    """Whether the profile withholds plays, pips and hints from this visitor, a player or a viewer (row T17)."""
    return state.terms.profile.aids is Aids.WITHHELD and visit.role in ("viewer", "player")


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


def _reasons(state: State) -> list[str]:
    ruling = _standing(state)
    return [reason.value for reason in ruling.reasons] if ruling else []


def _reason_texts(state: State) -> list[Sentence]:
    ruling = _standing(state)
    return [REASON_TEXTS[reason] for reason in ruling.reasons] if ruling else []


def _reason_text(state: State) -> Sentence:
    if isinstance(state.phase, Opening) and state.phase.unassigned:
        return say("Who threw the {number}?", number=state.phase.unassigned.high)
    return ruling_sentence(_standing(state))


def _standing(state: State) -> Ruling | None:
    """The ruling of the last throw; None for a valid one once its turn is over."""
    ruling = state.throw.ruling if state.throw else None
    waits = isinstance(state.phase, Opening) or state.pending is not None
    return None if isinstance(ruling, Valid) and _roll(state) is None and not waits else ruling


def _waiting(state: State) -> WaitingRoll | None:
    """The early roll, which counts once everything before it is settled."""
    pending = state.pending
    return {"side": seat(pending.side), "roll": [pending.roll.high, pending.roll.low]} if pending else None


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


def _die(die: DieAtRest, evidence: Evidence, at: int) -> DieRead:
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
        "by": seat(dispute.by),
        "text": str(dispute.text),
        "say": translatable(text=dispute.text),
        "answers": [
            {
                "type": choice.remedy.value,
                "label": str(choice.label),
                "say": translatable(label=choice.label),
                "by": seat(choice.by),
            }
            for choice in choices(state)
        ],
    }


def _resigning(state: State) -> ResignationOpen | None:
    phase = state.phase
    if not isinstance(phase, Resigning):
        return None
    worth = phase.worth if phase.points is not None else counted(state, phase.worth)
    return {"by": seat(phase.by), "worth": int(phase.worth), "counts": int(worth), "points": phase.points}


def _result(state: State) -> GameResult | None:
    result = state.phase.result if isinstance(state.phase, (GameOver, MatchOver)) else None
    if result is None:
        return None
    return {
        "winner": seat(result.winner),
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
        "score": pair(state.score.south, state.score.north),
        "players": {"south": state.name(Side.SOUTH), "north": state.name(Side.NORTH)},
        "profile": terms.profile.name,
        "game": state.game,
        "winner": seat(state.phase.winner) if isinstance(state.phase, MatchOver) else None,
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
"""Limit of history lines sent, about those of one game. The export has all of them."""


def history_of(table: Table, most: int | None = None, *, amendable: bool = False) -> list[HistoryLine]:
    """Lines of the history, oldest first; only the last `most`, None: all. `amendable` adds what a correction needs."""
    lines: list[HistoryLine] = []
    for at in range(len(table.entries) - 1, -1, -1):
        if most is not None and len(lines) >= most:
            break
        entry, before = table.entries[at], table.entries[at - 1].state if at else None
        side, text = line_of(entry, before)
        if text:
            action = action_of(entry, before) if amendable else None
            lines.append(_line(entry, side, text, action))
    return lines[::-1]


def _line(entry: Entry, side: Side | None, text: Sentence, action: dict[str, Any] | None) -> HistoryLine:
    misfit = flag_of(entry)
    pictures = [event.evidence.picture for event in (entry.event, *entry.was) if isinstance(event, Thrown)]
    return {
        "n": entry.number,
        "side": seat_of(side),
        "text": str(text),
        "say": translatable(text=text, misfit=misfit),
        "picture": _address(next((picture for picture in pictures if picture), None)),
        "corrected": bool(entry.was),
        "undone": entry.undone,
        "misfit": str(misfit),
        "action": action,
    }
