"""Roles, and the actions that are possible now."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from companion.game import events
from companion.game.corrections import DIRECTORS_OWN, last_correction, last_undoable
from companion.game.cube import answers_to, why_no_double
from companion.game.disputes import choices, waiting_for
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
from companion.game.table import Entry, Table
from companion.game.turn_order import next_to_throw
from companion.game.turns import is_whole, must_be_settled, need_not_roll
from companion.rules.board import Side
from companion.rules.referee import Valid
from sentence import Sentence, say

RoleName: TypeAlias = Literal["viewer", "player", "scorekeeper", "director"]
PLAYERS_MAY = frozenset(
    {"take", "pass", "beaver", "raccoon", "accept", "refuse", "condone", "correct", "call_director"}
)
"""Actions of a player: answers to questions, and the call for the director (docs/PROTOCOL.md, The actions)."""
DIRECTOR_ONLY = frozenset({"amend", "settings"})
NOT_IN_ROLE: Mapping[RoleName, Sentence] = {
    "viewer": say("Spectators only watch; to play or keep score, ask the director for a code."),
    "player": say(
        "Players answer the cube and settle disputes; for all else ask the scorekeeper, or call the director."
    ),
    "scorekeeper": say("Only the director may do this; call the director."),
}
"""The refusal of an action to a role that may never send it, with the way on."""

_EVENTS: Mapping[str, type[events.Event]] = {
    "opening": events.OpeningThrown,
    "roll": events.RollTyped,
    "rule": events.Overruled,
    "done": events.TurnEnded,
    "lift": events.Lifted,
    "play": events.PlayEntered,
    "name": events.DoubletNamed,
    "double": events.DoubleOffered,
}
"""The event of each type of action that may have to wait for a dispute."""


@dataclass(frozen=True, slots=True)
class Asker:
    """The sender of a request: role, a player's seat, the time of an action, and the name of the join code's holder."""

    role: RoleName = "scorekeeper"
    seat: Side | None = None
    at_ms: int = 0
    name: str = ""

    @property
    def recorded_as(self) -> str:
        """The source of an event in the record (`Event.by`)."""
        role = f"{self.role} {self.seat.value}" if self.seat else self.role
        return f"{role}: {self.name}" if self.name else role


def may_ask(role: RoleName, kind: str) -> bool:
    """Whether a role may ever send this type of action."""
    if role == "player":
        return kind in PLAYERS_MAY
    if role == "scorekeeper":
        return kind not in DIRECTOR_ONLY
    return role == "director"


def may_take_back(role: RoleName, event: events.AnyEvent) -> bool:
    """Whether a role may undo this step."""
    return role == "director" or (may_ask(role, "undo") and not isinstance(event, DIRECTORS_OWN))


def may_now(table: Table, asker: Asker, *, resumable: bool = False) -> list[str]:
    """Types of action that this visitor may send now; `resumable`: there is a match before this one."""
    acts = [*possible_acts(table), *(["resume"] if resumable and table.is_untouched else [])]
    possible = [kind for kind in acts if may_ask(asker.role, kind)]
    if asker.role == "player":
        mine = _asked_acts(table.state, asker.seat) | {"call_director"}
        return [kind for kind in possible if kind in mine]
    last = step_back(table, asker.role)
    barred = last is None or not may_take_back(asker.role, last.event)
    return [kind for kind in possible if kind != "undo"] if barred else possible


def step_back(table: Table, role: RoleName) -> Entry | None:
    """What an undo by this role takes back: the director's correction is his, for others the step before it."""
    correction = last_correction(table) if may_ask(role, "amend") else None
    return correction or last_undoable(table)


def _asked_acts(state: State | None, seat: Side | None) -> set[str]:
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
    waiting = waiting_for(state.dispute)
    found = [kind for kind in _of_phase(state) if _EVENTS.get(kind) not in waiting]
    return found + list(dict.fromkeys(choice.remedy.value for choice in choices(state)))


def possible_acts(table: Table) -> list[str]:
    """Types of action possible now for any role."""
    state = table.state
    if state is None:
        return ["new_match", "revoke"]
    found = possible_in(state)
    if step_back(table, "director") is not None:
        found.append("undo")
    if table.clock is not None:
        found.append("clock")
    if not isinstance(state.phase, MatchOver):
        found.append("set_position")
    return [*found, "amend", "settings", "new_match", "revoke", "call_director"]


def _of_phase(state: State) -> list[str]:
    """Types of action that the phase alone allows."""
    match state.phase:
        case Opening():
            return ["opening", "roll"] + (["rule"] if state.throw else [])
        case OnRoll(names=True):
            return ["name", "resign", "lift"]
        case OnRoll(side=side) as turn:
            found = ["roll", "resign", "lift"] + ([] if why_no_double(state, side) else ["double"])
            found += ["play"] if turn.kept else []
            found += ["done"] if need_not_roll(state, side) else []
            return found + (["rule"] if state.throw and not isinstance(state.throw.ruling, Valid) else [])
        case Doubled(offer=offer):
            answers = [answer.value for answer in answers_to(state, offer)]
            return answers if state.chouette else [*answers, "resign"]
        case Rolled(lifted=True) as rolled:
            return ["play", "roll", "resign", *(["done"] if is_whole(state, rolled) else [])]
        case Rolled() | Played() as phase:
            return _of_a_turn(state, phase)
        case Resigning():
            return ["accept", "refuse"]
        case GameOver():
            return ["next_game"]
    return []


def _of_a_turn(state: State, phase: Rolled | Played) -> list[str]:
    """Types of action before the end of a turn; `roll` is the other side's early roll."""
    is_dance = isinstance(phase, Played) and phase.play == ()
    held = isinstance(phase, Played) and must_be_settled(state, phase)
    found = ["lift", "resign", *([] if is_dance else ["play"]), *([] if held else ["done"])]
    found += [] if phase.part else ["rule"]
    found += ["opening"] if phase.opening else []
    return [*found, "roll"] if next_to_throw(state, phase) is not phase.side else found
