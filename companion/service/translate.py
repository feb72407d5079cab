"""Translation between the leaf packages' and the game's types: dice, buttons, visitors, notices, the page's state."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from companion.camera.recorded import Awaited
from companion.game.cube import why_no_double
from companion.game.events import Evidence, Lifted, Thrown
from companion.game.state import GameOver, Level, MatchOver, Notice, OnRoll, Opening, Rolled
from companion.game.table import Table
from companion.game.throws import opening_thrower
from companion.game.turn_order import phase_word
from companion.protocol.permissions import Asker
from companion.protocol.shapes import NoticeLine, State
from companion.protocol.view import ServiceStatus, view_of
from companion.rules.board import Side, die
from companion.rules.referee import DieAtRest, Half, Rest
from sentence import translatable

if TYPE_CHECKING:
    from vision.dice.reading import DiceReading
    from vision.watch.watcher import LiftedSeen, ThrowSeen
    from web.roles import Visitor

_LEVELS: Mapping[Level, Literal["info", "warn", "alarm"]] = {
    Level.INFO: "info",
    Level.WARN: "warn",
    Level.ALARM: "alarm",
}


def dice_at_rest(reading: "DiceReading") -> tuple[DieAtRest, ...]:
    """The dice of a reading in the referee's type."""
    return tuple(
        DieAtRest(
            die(one.value) if one.value is not None else None,
            Rest(one.rest) if one.rest is not None else None,
            Half(one.half) if one.half is not None else None,
            one.tilt_deg,
        )
        for one in reading.dice
    )


def seen_of(seeing: "ThrowSeen | LiftedSeen", evidence: Evidence, at_ms: int) -> Thrown | Lifted:
    """The event of a throw or a lifting; the evidence names the picture, which is the throw's frame."""
    from vision.watch.watcher import ThrowSeen

    if not isinstance(seeing, ThrowSeen):
        return Lifted(at_ms=at_ms, by="camera")
    reading = seeing.reading
    kept = replace(
        evidence,
        size_px=seeing.frame.size_px,
        boxes_px=tuple(_rounded(one.box_px) for one in reading.dice),
        confidences=tuple(round(float(one.confidence), 3) for one in reading.dice),
        chances=chances_of(reading),
    )
    return Thrown(dice_at_rest(reading), reading.doubt, reading.board_found, kept, at_ms=at_ms, by="camera")


def chances_of(reading: "DiceReading") -> tuple[tuple[float, ...], ...]:
    """For each die that was not read the chances of its numbers; () if there is none."""
    chances = tuple(
        tuple(round(float(chance), 3) for chance in one.chances) if one.value is None else ()
        for one in reading.dice
    )
    return chances if any(chances) else ()


def _rounded(box_px: "tuple[float, float, float, float]") -> "tuple[float, float, float, float]":
    x0, y0, x1, y1 = (round(float(edge), 1) for edge in box_px)
    return x0, y0, x1, y1


def asker_of(visitor: "Visitor", at_ms: int = 0) -> Asker:
    """A visitor in the game's type, with the time of his action in ms since 1970."""
    seat = Side(visitor.seat) if visitor.seat else None
    return Asker(visitor.role.value, seat, at_ms, visitor.label)


def state_of(table: Table, status: ServiceStatus, visitor: "Visitor") -> State:
    """What `view_of` in companion/protocol/view.py shows this visitor."""
    return view_of(table, asker_of(visitor), status)


def notice_line(number: int, notice: Notice) -> NoticeLine:
    """A notice in the page's JSON."""
    return {
        "n": number,
        "text": str(notice.text),
        "say": translatable(text=notice.text),
        "level": _LEVELS[notice.level],
    }


def awaited_of(table: Table) -> Awaited:
    """The table's next need, in the terms that choose recorded throws."""
    state = table.state
    if state is None:
        return Awaited()
    ruling = state.throw.ruling.word if state.throw else None
    word = phase_word(state)
    match state.phase:
        case Opening(unassigned=None) as opening:
            roller = opening_thrower(state, opening)
            return Awaited("turn" if roller else "opening", roller.value if roller else None, ruling)
        case OnRoll(side=side) if word == "on_roll":
            return Awaited("turn", side.value, ruling, may_double=not why_no_double(state, side))
        case Rolled(lifted=False):
            return Awaited(None, None, ruling, busy=True)
        case Rolled(lifted=True) if word != "dispute":
            return Awaited(None, None, ruling, owed=True)
        case GameOver() | MatchOver():
            return Awaited(None, None, ruling, over=True)
    return Awaited(None, None, ruling, disputed=word == "dispute")
