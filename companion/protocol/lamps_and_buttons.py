"""The lamps and lights of a table, and the event of a button press.

hardware/lamps.py lights, blinks and beeps as said here, hardware/strip.py shows the lights. hardware/buttons.py queues
the wires' edges into the keeper's inbox and makes presses of them; `Keeper._press` asks here which event a press is.
One that began before the question was shown is too early.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, TypeAlias

from companion.game.cube import turnable
from companion.game.events import Answer, DirectorCalled, DoubleAnswered, DoubleOffered, PlainEvent, TurnEnded
from companion.game.state import Doubled, GameOver, MatchOver, OnRoll, Opening, Played, Rolled, State
from companion.game.turn_order import asked, next_to_throw, on_roll, phase_word
from companion.protocol.permissions import possible_in
from companion.protocol.shapes import CameraWord, Lamps, LampState
from companion.rules.board import Side
from companion.rules.cube_and_score import Result
from companion.rules.referee import Cocked, Ruling, Unread, Valid
from sentence import Sentence, say

Light: TypeAlias = Literal["turn", "roll", "cocked", "unread", "cube", "winner"]
ButtonKind: TypeAlias = Literal["turn", "cube", "director"]
BUTTONS: Mapping[str, tuple[Side | None, ButtonKind]] = {
    "south_turn": (Side.SOUTH, "turn"),
    "north_turn": (Side.NORTH, "turn"),
    "south_cube": (Side.SOUTH, "cube"),
    "north_cube": (Side.NORTH, "cube"),
    "director": (None, "director"),
}
"""Side and kind of each button, by its name in hardware/wiring.py."""


def lamps_of(state: State | None, camera: CameraWord = "none") -> Lamps:
    """Lamps of turn, cube and ruling; `look` also blinks for a lost camera."""
    ruling = state.throw.ruling if state and state.throw else None
    to_act = _to_act(state) if state else None
    is_to_be_played = (
        state is not None and isinstance(state.phase, (Rolled, Played)) and state.dispute is None
    )
    counts = is_to_be_played and isinstance(ruling, Valid)
    look = _look(state, ruling) if state else "off"
    return {
        "south_turn": _lit(to_act is Side.SOUTH),
        "north_turn": _lit(to_act is Side.NORTH),
        "cube_south": _cube(state, Side.SOUTH),
        "cube_north": _cube(state, Side.NORTH),
        "valid": _lit(counts),
        "again": _lit(isinstance(ruling, Cocked)),
        "look": "blink" if look == "off" and camera == "lost" else look,
    }


def _lit(on: bool) -> LampState:
    return "on" if on else "off"


def _to_act(state: State) -> Side | None:
    """The side that has to answer, else the side on roll; while a play is owed, the side that throws next."""
    if answering := asked(state):
        return answering
    if isinstance(state.phase, Rolled) and state.phase.lifted:
        return next_to_throw(state, state.phase)
    return on_roll(state)


def _cube(state: State | None, side: Side) -> LampState:
    if state is None:
        return "off"
    if isinstance(state.phase, Doubled) and state.phase.offer.asked is side:
        return "blink"
    is_over = isinstance(state.phase, (GameOver, MatchOver))
    return _lit(state.cube.owner is side and not is_over)


def _look(state: State, ruling: Ruling | None) -> LampState:
    if state.dispute is not None or state.director:
        return "blink"
    owed = isinstance(state.phase, Rolled) and state.phase.is_owed
    return _lit(owed or isinstance(ruling, Unread))


def lights_of(state: State | None) -> Mapping[Side, Light]:
    """The light of each side's half of an LED strip; a side without one is dark.

    What needs everybody comes first, then the winner, then a question to one side, then the ruling and the turn.
    """
    if state is None:
        return {}
    ruling = state.throw.ruling if state.throw else None
    if state.dispute is not None or state.director or isinstance(ruling, Unread):
        return dict.fromkeys(Side, "unread")
    match state.phase:
        case GameOver(result=Result(points=0)):
            return {}
        case MatchOver(winner=Side() as winner) | GameOver(result=Result(winner=Side() as winner)):
            return {winner: "winner"}
        case Opening():
            return dict.fromkeys(Side, "cocked" if isinstance(ruling, Cocked) else "turn")
    if answering := asked(state):
        return {answering: "cube"}
    mover, is_owed = _to_act(state), isinstance(state.phase, Rolled) and state.phase.is_owed
    if mover is None:
        return {}
    if isinstance(ruling, Cocked):
        return {mover: "cocked"}
    counts = isinstance(state.phase, (Rolled, Played)) and not is_owed
    return {mover: "roll" if counts else "turn"}


TOO_EARLY = say("A press that began before the turn or the double counts for nothing: press again.")
CAPTAIN_ONLY = say("The cube button is the captain’s: the other partners double, take and pass on the page.")


def event_of_button(
    state: State | None, button: str, *, held: bool, since_s: float, asked_s: float
) -> PlainEvent | Sentence | None:
    """The event of a press, the sentence that refuses it, or None if the button has no function now.

    Args:
        state: the table's.
        button: its name in hardware/wiring.py.
        held: it was held, which passes a double.
        since_s: the beginning of the press, in seconds.
        asked_s: the time since when `cube_question` has been shown; a press before that was meant for something else.
    """
    event = event_of_press(state, *BUTTONS[button], held)
    is_of_cube = isinstance(event, (DoubleOffered, DoubleAnswered))
    return TOO_EARLY if is_of_cube and since_s < asked_s else event


def cube_question(state: State | None) -> object:
    """The turn (a double) or offer that a press of a cube button would answer; None if neither."""
    match state:
        case State(phase=OnRoll(side=side)):
            return state.terms.match_id, state.game, state.turns_in_match, side
        case State(phase=Doubled(offer=offer)):
            return offer
    return None


def event_of_press(
    state: State | None, side: Side | None, kind: ButtonKind, held: bool
) -> PlainEvent | Sentence | None:
    """The event of a press in time, or the sentence that refuses it; None if the button has no function now.

    The possible actions decide, not the phase alone: a turn can also end during a dispute. `side` is that of the
    button, None for the director's; `held` passes a double.
    """
    if kind == "director":
        return DirectorCalled()
    if state is None or side is None:
        return None
    possible, to_act = possible_in(state), on_roll(state) is side
    if kind == "turn":
        return TurnEnded(side) if "done" in possible and to_act else None
    # In a dispute `asked` is the side that has to settle it; `step` checks the side that answers a double.
    if "take" in possible and (phase_word(state) == "dispute" or asked(state) is side):
        return _of_captain(state, DoubleAnswered(Answer.PASS if held else Answer.TAKE, side))
    return _of_captain(state, DoubleOffered(side)) if not held and "double" in possible and to_act else None


def _of_captain(state: State, event: DoubleAnswered | DoubleOffered) -> PlainEvent | Sentence:
    """The press of a cube button; at the team's side of a chouette it is the captain's, for his own cube."""
    now = state.chouette
    if now is None or event.side is not Side.NORTH:
        return event
    if isinstance(event, DoubleAnswered):
        return replace(event, partner=now.captain) if now.captain in now.asked else CAPTAIN_ONLY
    return (
        replace(event, partners=(now.captain,))
        if now.captain in turnable(state, Side.NORTH)
        else CAPTAIN_ONLY
    )
