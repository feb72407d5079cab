"""What a handler of an event answers, and how sentences about sides are made."""

from dataclasses import replace
from typing import NamedTuple

from companion.errors import OutOfTurnError
from companion.game.state import Dispute, Level, Notice, Phase, State
from companion.rules.match import Result
from companion.rules.side import Side


class Told(NamedTuple):
    """The state after an event, and what is to be said about it."""

    state: State
    notices: tuple[Notice, ...] = ()

    def also(self, *notices: Notice) -> "Told":
        """The same with more to say."""
        return Told(self.state, (*self.notices, *notices))


def info(text: str) -> Notice:
    """Something worth a line."""
    return Notice(text, Level.INFO)


def warn(text: str) -> Notice:
    """Something that somebody should look at."""
    return Notice(text, Level.WARN)


def alarm(text: str) -> Notice:
    """Something that stops the game until it is settled."""
    return Notice(text, Level.ALARM)


def to_phase(state: State, phase: Phase) -> State:
    """The same table in another phase."""
    return replace(state, phase=phase)


def with_dispute(state: State, dispute: Dispute | None) -> State:
    """The same table with something to settle, or nothing."""
    return replace(state, dispute=dispute)


def check_side(state: State, given: Side | None, wanted: Side, deed: str) -> None:
    """Raise OutOfTurnError when somebody acts who is not asked."""
    if given is not None and given is not wanted:
        raise OutOfTurnError(f"It is {state.name(wanted)} who may {deed} now, not {state.name(given)}.")


def result_sentence(state: State, result: Result) -> str:
    """One sentence on a game that has just been won."""
    worth = {1: "a single game", 2: "a gammon", 3: "a backgammon"}[result.worth]
    points = "1 point" if result.points == 1 else f"{result.points} points"
    return f"{state.name(result.winner)} wins {worth}: {points}."
