"""Roles, and the actions that are possible now."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from companion.game.cube import answers_to, why_no_double
from companion.game.disputes import choices
from companion.game.events import AnyEvent, PenaltyGiven, SettingsChanged
from companion.game.state import (
    Dispute,
    DisputeKind,
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
from companion.game.step import Table, last_undoable
from companion.game.turns import is_whole, need_not_roll, would_win_illegally
from companion.rules.board import Side
from companion.rules.referee import Valid

RoleName: TypeAlias = Literal["viewer", "player", "scorekeeper", "director"]
PLAYERS_MAY = frozenset(
    {"take", "pass", "beaver", "raccoon", "accept", "refuse", "condone", "correct", "call_director"}
)
"""Actions of a player: answers to questions, and the call for the director (docs/PROTOCOL.md, The actions)."""
DIRECTOR_ONLY = frozenset({"amend", "settings"})
RULED = (PenaltyGiven, SettingsChanged)
"""Decisions of the director, which only he may take back."""


@dataclass(frozen=True, slots=True)
class Asker:
    """The sender of a request: role, a player's seat, and time."""

    role: RoleName
    seat: Side | None = None
    at_ms: int = 0

    @property
    def recorded_as(self) -> str:
        """The source of an event in the record (`Event.by`)."""
        return f"{self.role} {self.seat.value}" if self.seat else self.role


def may_ask(role: RoleName, kind: str) -> bool:
    """Whether a role may ever send this type of action."""
    if role == "player":
        return kind in PLAYERS_MAY
    if role == "scorekeeper":
        return kind not in DIRECTOR_ONLY
    return role == "director"


def may_take_back(role: RoleName, event: AnyEvent) -> bool:
    """Whether a role may undo this step."""
    return role == "director" or (may_ask(role, "undo") and not isinstance(event, RULED))


def may_now(table: Table, role: RoleName, seat: Side | None) -> list[str]:
    """Types of action that this visitor may send now."""
    possible = possible_acts(table)
    if role == "player":
        mine = asked_acts(table.state, seat) | {"call_director"}
        possible = [kind for kind in possible if kind in mine]
    last = last_undoable(table)
    if last is None or not may_take_back(role, last.event):
        possible = [kind for kind in possible if kind != "undo"]
    return [kind for kind in possible if may_ask(role, kind)]


def asked_acts(state: State | None, seat: Side | None) -> set[str]:
    """Types of answer that this seat may give now."""
    if state is None:
        return set()
    found = {choice.remedy.value for choice in choices(state) if choice.by is seat}
    match state.phase:
        case Doubled(offer=offer) if offer.asked is seat:
            found |= {answer.value for answer in answers_to(state, offer)}
        case Resigning(by=by) if by is not seat:
            found |= {"accept", "refuse"}
    return found


def possible_in(state: State | None) -> list[str]:
    """Types of action possible in this state for any role, without those that need the whole table."""
    if state is None:
        return []
    found = [kind for kind in _of_phase(state) if kind not in _stopped_by(state.dispute)]
    return found + list(dict.fromkeys(choice.remedy.value for choice in choices(state)))


def possible_acts(table: Table) -> list[str]:
    """Types of action possible now for any role."""
    state = table.state
    if state is None:
        return ["new_match", "revoke"]
    found = possible_in(state)
    if last_undoable(table) is not None:
        found.append("undo")
    if table.clock is not None:
        found.append("clock")
    if not isinstance(state.phase, MatchOver):
        found.append("set_position")
    return [*found, "amend", "settings", "new_match", "revoke", "call_director"]


def _stopped_by(dispute: Dispute | None) -> frozenset[str]:
    """Types of action that have to wait for the dispute."""
    return _STOPPED.get(dispute.kind, frozenset()) if dispute else frozenset()


_STOPPED: Mapping[DisputeKind, frozenset[str]] = {
    DisputeKind.WRONG_START: frozenset({"opening", "roll", "rule", "done", "lift", "play", "double"}),
    DisputeKind.IMPOSSIBLE_POSITION: frozenset({"roll", "done"}),
    DisputeKind.PREMATURE_ROLL: frozenset({"done"}),
}


def _of_phase(state: State) -> list[str]:
    """Types of action that the phase alone allows."""
    match state.phase:
        case Opening():
            return ["opening", "roll"] + (["rule"] if state.throw else [])
        case OnRoll(side=side) as turn:
            found = ["roll", "resign", "lift"] + ([] if why_no_double(state, side) else ["double"])
            found += ["play"] if turn.kept else []
            found += ["done"] if need_not_roll(state, side) else []
            return found + (["rule"] if state.throw and not isinstance(state.throw.ruling, Valid) else [])
        case Doubled(offer=offer):
            return [*(answer.value for answer in answers_to(state, offer)), "resign"]
        case Rolled(lifted=True) as rolled:
            return ["play", "roll", "resign", *(["done"] if is_whole(state, rolled) else [])]
        case Rolled():
            return ["play", "rule", "done", "lift", "resign", *(["opening"] if state.phase.opening else [])]
        case Played(play=(), opening=opening):
            return ["done", "lift", "rule", "resign", *(["opening"] if opening else [])]
        case Played() as played:
            done = [] if would_win_illegally(state, played) else ["done"]
            return ["play", *done, "lift", "rule", "resign", *(["opening"] if played.opening else [])]
        case Resigning():
            return ["accept", "refuse"]
        case GameOver():
            return ["next_game"]
    return []
