"""The table as the page shows it: the state of docs/PROTOCOL.md as plain data, for one kind of visitor."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from companion.game.clock import Clock
from companion.game.cube import why_no_double
from companion.game.disputes import choices
from companion.game.events import Thrown
from companion.game.history import REASON_TEXTS, flag_of, line_of, ruling_sentence
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
from companion.game.turn_order import asked, on_roll, phase_word, side_word
from companion.game.turns import turn_of
from companion.protocol.corrections import action_of
from companion.protocol.panel import lamps_of
from companion.protocol.permissions import RoleName, may_now
from companion.records.ids import xgid_of
from companion.rules.board import BAR, OFF, Board, Position, Roll, Side
from companion.rules.legality import Turn
from companion.rules.match import Crawford
from companion.rules.moves import Play
from companion.rules.notation import write_play
from companion.rules.options import Aids
from companion.rules.referee import Cocked, Ruling, Unread, Valid
from sentence import Sentence, say, spoken

Json: TypeAlias = dict[str, Any]


MOST_PLAYS = 400
"""A big doublet of the entry game has tens of thousands of plays: then none are listed, moves are followed."""


START = Board(Position.start().mine, Position.start().theirs)


@dataclass(frozen=True, slots=True)
class Visit:
    """Who looks: the role, and a player's seat."""

    role: RoleName = "scorekeeper"
    seat: Side | None = None


def view_of(table: Table, visit: Visit) -> Json:
    """Everything about the table that this visitor may see; what the shell knows is added by translate.py."""
    state = table.state
    if state is None:
        return {**_nothing(), "may": may_now(table, visit.role, visit.seat), "lamps": lamps_of(table)}
    withheld = aids_withheld(state, visit)
    return {
        "phase": phase_word(state),
        "on_roll": side_word(on_roll(state)),
        "asked": side_word(asked(state)),
        "may": may_now(table, visit.role, visit.seat),
        "roll": _roll(state),
        "opening": _opening(state),
        **_ruling(state),
        "throw": _throw(state),
        "position": _position(state, withheld),
        "plays": None if withheld else _plays(state),
        "making": _making(state, withheld),
        "owed": isinstance(state.phase, Rolled) and state.phase.lifted,
        "waiting": _waiting(state),
        "cube": _cube(state),
        "dispute": _dispute(state),
        "resigning": _resigning(state),
        "result": _result(state),
        "match": _match(state),
        "clock": _clock(table.clock),
        "lamps": lamps_of(table),
        "aids": state.terms.profile.aids.value,
        "orientation": {"home": state.terms.orientation.home, "south": state.terms.orientation.south},
        "history": history_of(table, HISTORY),
    }


def aids_withheld(state: State, visit: Visit) -> bool:
    """Whether plays, pips and hints are kept from this visitor: players and viewers, where the profile says so."""
    return state.terms.profile.aids is Aids.WITHHELD and visit.role in ("viewer", "player")


def _roll(state: State) -> list[int] | None:
    phase = state.phase.back if isinstance(state.phase, Resigning) else state.phase
    roll = getattr(phase, "roll", None) or getattr(phase, "kept", None)
    return [roll.high, roll.low] if isinstance(roll, Roll) else None


def _opening(state: State) -> Json | None:
    if not isinstance(state.phase, Opening):
        return None
    opening = state.phase
    return {
        "south": sum(opening.south) or None,
        "north": sum(opening.north) or None,
        "each": dice_each(state),
    }


def _ruling(state: State) -> Json:
    ruling = _standing(state)
    words = {Valid: "valid", Cocked: "cocked", Unread: "unread"}
    text = ruling_sentence(ruling)
    reason_texts = [REASON_TEXTS[reason] for reason in ruling.reasons] if ruling else []
    if isinstance(state.phase, Opening) and state.phase.unassigned:
        text = say("Who threw the {number}?", number=state.phase.unassigned.high)
    return {
        "ruling": words[type(ruling)] if ruling else None,
        "reasons": [reason.value for reason in ruling.reasons] if ruling else [],
        **spoken(reason_text=text, reason_texts=reason_texts),
    }


def _standing(state: State) -> Ruling | None:
    """The ruling of the last throw; that it counted says nothing any more once its turn is over."""
    ruling = state.throw.ruling if state.throw else None
    waits = isinstance(state.phase, Opening) or state.pending is not None
    return None if isinstance(ruling, Valid) and _roll(state) is None and not waits else ruling


def _waiting(state: State) -> Json | None:
    """The roll that was thrown early and counts once what is before it is settled."""
    pending = state.pending
    return {"side": pending.side.value, "roll": [pending.roll.high, pending.roll.low]} if pending else None


def _throw(state: State) -> Json | None:
    throw = state.throw
    if throw is None or not throw.dice:
        return None
    evidence = throw.evidence
    dice = []
    for at, one in enumerate(throw.dice):
        dice.append(
            {
                "value": one.face,
                "rest": one.rest.value if one.rest else None,
                "half": one.half.value if one.half else None,
                "tilt_deg": one.tilt_deg,
                "confidence": evidence.confidences[at] if at < len(evidence.confidences) else 0.0,
                "box": list(evidence.boxes_px[at]) if at < len(evidence.boxes_px) else None,
            }
        )
    picture = f"/pictures/{evidence.picture}" if evidence.picture else None
    return {"dice": dice, "picture": picture, "size": list(evidence.size_px or (0, 0))}


def _position(state: State, withheld: bool) -> Json:
    side = on_roll(state) or Side.SOUTH
    position = state.board.seen_by(side)
    south, north = state.board.south, state.board.north
    pips = {one.value: state.board.seen_by(one).pip_count() for one in Side}
    return {
        "xgid": xgid_of(state),
        "pos": position.ints(),
        "pips": None if withheld else pips,
        "board": {
            "points": [south[n] - north[25 - n] for n in range(1, 25)],
            "bar": {"south": south[BAR], "north": north[BAR]},
            "off": {"south": south[OFF], "north": north[OFF]},
        },
    }


def _turn(state: State) -> Turn | None:
    """The roll that is to be played, from the board before it."""
    match state.phase:
        case Rolled(side=side, roll=roll):
            return turn_of(state, side, roll)
        case OnRoll(side=side, kept=Roll() as roll):
            return turn_of(state, side, roll)
    return None


def _plays(state: State) -> list[Json] | None:
    turn = _turn(state)
    if turn is None:
        return None
    plays = turn.plays()
    if turn.is_long and len(plays) > MOST_PLAYS:
        return None
    listed = [
        {"text": write_play(play), "moves": _pairs(play), "result": left.ints()}
        for left, play in plays.items()
    ]
    return sorted(listed, key=lambda play: str(play["text"]))


def _pairs(play: Play) -> list[list[int]]:
    return [[move.source, move.target] for move in play]


def _making(state: State, withheld: bool) -> Json | None:
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


def _in_making(turn: Turn, made: Play, withheld: bool) -> Json:
    making = turn.making([(move.source, move.target) for move in made])
    coming = [
        {"from": move.source, "to": move.target, "number": move.number, "hits": move.hits}
        for move in making.next
    ]
    return _made(made, None if withheld else coming, making.is_complete)


def _made(play: Play, coming: list[Json] | None, complete: bool) -> Json:
    return {
        "moves": _pairs(play),
        "text": write_play(play),
        "next": coming,
        "complete": complete,
        "refused": "",
    }


def _cube(state: State) -> Json:
    side = on_roll(state)
    offered = state.phase.offer.value if isinstance(state.phase, Doubled) else None
    may = side is not None and isinstance(state.phase, OnRoll) and not why_no_double(state, side)
    return {
        "value": state.cube.value,
        "owner": side_word(state.cube.owner),
        "offered": offered,
        "may_double": may,
    }


def _dispute(state: State) -> Json | None:
    dispute = state.dispute
    if dispute is None:
        return None
    answers = [
        {"type": choice.remedy.value, **spoken(label=choice.label), "by": choice.by.value}
        for choice in choices(state)
    ]
    return {
        "kind": dispute.kind.value,
        "by": dispute.by.value,
        **spoken(text=dispute.text),
        "answers": answers,
    }


def _resigning(state: State) -> Json | None:
    phase = state.phase
    if not isinstance(phase, Resigning):
        return None
    worth = phase.worth if phase.points is not None else counted(state, phase.worth)
    return {"by": phase.by.value, "worth": int(phase.worth), "counts": int(worth), "points": phase.points}


def _result(state: State) -> Json | None:
    result = state.phase.result if isinstance(state.phase, (GameOver, MatchOver)) else None
    if result is None:
        return None
    return {
        "winner": result.winner.value,
        "worth": int(result.worth),
        "cube": result.cube,
        "points": result.points,
        "how": result.how.value,
    }


def _match(state: State) -> Json:
    terms = state.terms
    return {
        "id": terms.match_id,
        "length": terms.length,
        "crawford": state.crawford is Crawford.NOW,
        "score": {"south": state.score.south, "north": state.score.north},
        "players": {"south": terms.name(Side.SOUTH), "north": terms.name(Side.NORTH)},
        "profile": terms.profile.name,
        "game": state.game,
        "winner": state.phase.winner.value if isinstance(state.phase, MatchOver) else None,
        "director": state.director,
    }


def _clock(clock: Clock | None) -> Json | None:
    if clock is None:
        return None
    sides = {}
    for side in Side:
        delay_ms = clock.delay_left_ms if side is clock.turn_of else clock.rules.delay_ms
        sides[side.value] = {"reserve_ms": clock.reserve_of(side), "delay_ms": delay_ms}
    return {"running": side_word(clock.running), **sides, "at_ms": clock.at_ms, "held": clock.held}


def _nothing() -> Json:
    """The state while no match has begun."""
    position = START.seen_by(Side.SOUTH)
    return {
        **dict.fromkeys(
            (
                "on_roll",
                "asked",
                "roll",
                "opening",
                "ruling",
                "throw",
                "plays",
                "making",
                "dispute",
                "waiting",
            )
        ),
        **dict.fromkeys(("resigning", "result", "match", "clock")),
        "phase": "no_match",
        "reasons": [],
        "reason_text": "",
        "reason_texts": [],
        "position": {
            "xgid": "",
            "pos": position.ints(),
            "pips": {"south": 167, "north": 167},
            "board": {
                "points": [START.south[n] - START.north[25 - n] for n in range(1, 25)],
                "bar": {"south": 0, "north": 0},
                "off": {"south": 0, "north": 0},
            },
        },
        "owed": False,
        "cube": {"value": 1, "owner": None, "offered": None, "may_double": False},
        "aids": "shown",
        "orientation": {"home": "right", "south": "light"},
        "history": [],
    }


HISTORY = 120
"""So many lines are sent; a game has about as many. The rest stands in the export."""


def history_of(table: Table, most: int | None = None) -> list[dict[str, Any]]:
    """The lines of the history, oldest first; the last `most` of them."""
    lines: list[dict[str, Any]] = []
    for at in range(len(table.entries) - 1, -1, -1):
        if most is not None and len(lines) >= most:
            break
        entry, before = table.entries[at], table.entries[at - 1].state if at else None
        side, text = line_of(entry, before)
        if text:
            lines.append({**_line(entry, side, text), "action": action_of(entry, before)})
    return lines[::-1]


def _line(entry: Entry, side: Side | None, text: Sentence) -> dict[str, Any]:
    said: Sequence[Any] = (entry.event, *entry.was)
    pictures = [event.evidence.picture for event in said if isinstance(event, Thrown)]
    name = next((picture for picture in pictures if picture), None)
    return {
        "n": entry.number,
        "side": side_word(side),
        **spoken(text=text, misfit=flag_of(entry)),
        "picture": f"/pictures/{name}" if name else None,
        "corrected": bool(entry.was),
        "undone": entry.undone,
    }
