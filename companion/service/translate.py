"""Leaf words to game words and back, and nothing else: what was seen, what a visitor asks, what the page shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from companion.camera.recorded import Awaited
from companion.game.events import AnyEvent, Evidence, Lifted, Thrown
from companion.game.state import OnRoll, Opening, Played, Rolled
from companion.game.step import Table
from companion.game.throws import whose_opening_throw
from companion.game.turn_order import phase_word
from companion.protocol.actions import event_of
from companion.protocol.match_setup import Usual
from companion.protocol.panel import lamps_of
from companion.protocol.permissions import Asker
from companion.protocol.view import Visit, view_of
from companion.rules.board import Side, die
from companion.rules.profile import Profile
from companion.rules.profiles import PROFILES
from companion.rules.referee import Half, LyingDie, Rest, Ruling, Valid

if TYPE_CHECKING:
    from vision.dice.reading import DiceReading, DieReading
    from vision.watch.watcher import LiftedSeen, ThrowSeen
    from web.views import CameraView, Notice, State, Visitor

__all__ = [
    "Around",
    "awaited_of",
    "lamps_of",
    "lying_dice",
    "ruling_words",
    "seen_of",
    "state_of",
    "told_of",
]


@dataclass(frozen=True, slots=True)
class Around:
    """What the shell knows and the game does not.

    Attributes:
        seq: number of this state.
        durable: everything that happened is on disk.
        camera: how the camera is doing, in the page's words.
        notices: sentences to show once.
        head: digest of the last row on disk, for the score sheet.
    """

    seq: int
    durable: bool = True
    camera: "CameraView | Mapping[str, str] | None" = None
    notices: "Sequence[Notice] | Sequence[Mapping[str, object]]" = ()
    head: str | None = None


def lying_dice(reading: "DiceReading") -> tuple[LyingDie, ...]:
    """The dice of a reading as the referee asks for them."""
    return tuple(_lying(one) for one in reading.dice)


def _lying(one: "DieReading") -> LyingDie:
    return LyingDie(
        die(one.value) if one.value is not None else None,
        Rest(one.rest) if one.rest is not None else None,
        Half(one.half) if one.half is not None else None,
        one.tilt_deg,
    )


def seen_of(seeing: "ThrowSeen | LiftedSeen", evidence: Evidence, at_ms: int) -> Thrown | Lifted:
    """The event of a throw or a lifting; the evidence already names the picture, which is the throw's frame."""
    from vision.watch.watcher import ThrowSeen

    if not isinstance(seeing, ThrowSeen):
        return Lifted(at_ms=at_ms, by="camera")
    reading = seeing.reading
    kept = replace(
        evidence,
        size_px=seeing.frame.size_px,
        boxes_px=tuple(_rounded(one.box_px) for one in reading.dice),
        confidences=tuple(round(float(one.confidence), 3) for one in reading.dice),
    )
    return Thrown(lying_dice(reading), reading.doubt, reading.board_found, kept, at_ms=at_ms, by="camera")


def _rounded(box_px: "tuple[float, float, float, float]") -> "tuple[float, float, float, float]":
    x0, y0, x1, y1 = (round(float(edge), 1) for edge in box_px)
    return x0, y0, x1, y1


def told_of(
    body: Mapping[str, Any],
    table: Table,
    visitor: "Visitor",
    at_ms: int,
    profiles: Mapping[str, Profile] = PROFILES,
    usual: Usual | None = None,
) -> AnyEvent:
    """The event of a visitor's action.

    Raises:
        RoleError: this visitor may not do that (403).
        GameError: it makes no sense, or not now (422).
    """
    seat = Side(visitor.seat) if visitor.seat else None
    return event_of(body, table, Asker(visitor.role.value, seat, at_ms), profiles, usual)


def state_of(table: Table, around: Around, visitor: "Visitor") -> "State":
    """The state of docs/PROTOCOL.md as this visitor may see it."""
    seat = Side(visitor.seat) if visitor.seat else None
    camera = around.camera or {"state": "none", "text": "No camera is used."}
    told = {
        "seq": around.seq,
        "durable": around.durable,
        "camera": dict(camera),
        "notices": list(around.notices),
    }
    view = view_of(table, Visit(visitor.role.value, seat))
    if view["match"] is not None:
        view["match"]["head"] = around.head
    return cast("State", {**told, **view})


def awaited_of(table: Table) -> Awaited:
    """What the table waits for, in the words by which recorded throws are chosen."""
    state = table.state
    if state is None:
        return Awaited()
    ruling = ruling_words(state.throw.ruling) if state.throw else None
    word = phase_word(state)
    match state.phase:
        case Opening(unassigned=None) as opening:
            roller = whose_opening_throw(state, opening)
            return Awaited("turn" if roller else "opening", roller.value if roller else None, ruling)
        case OnRoll(side=side) if word == "on_roll":
            return Awaited("turn", side.value, ruling)
        case Rolled(lifted=False) | Played():
            return Awaited(None, None, ruling, busy=True)
    return Awaited(None, None, ruling)


def ruling_words(ruling: Ruling) -> str:
    """A ruling in the page's word."""
    return "valid" if isinstance(ruling, Valid) else type(ruling).__name__.lower()
