"""A match for replay: one step for each event with a line in the history, as JSON; pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict

from companion.game.clock import Clock
from companion.game.events import AnyEvent, Thrown, Undone
from companion.game.history_lines import line_of, throw_of
from companion.game.state import GameOver, Played, Rolled, State, TurnMade
from companion.game.state_machine import step
from companion.game.table import Entry, Table
from companion.game.turn_order import asked, on_roll, phase_word
from companion.protocol import shapes
from companion.protocol.view import board_map
from companion.records.ids import gnubgid_of, xgid_of
from companion.records.ogxm.ogid import ogid_of
from companion.records.to_transcript import logs_of
from companion.rules.board import Roll, Side
from companion.rules.cube_and_score import Crawford
from companion.rules.family.chouette import points_won
from companion.rules.family.rotation import variant_of_game
from companion.rules.referee import ruling_sentence
from sentence import NOTHING, translatable


class ReplayStep(TypedDict):
    """The table after one event.

    `variant` is the game where a match plays several in turn, else "". `moves` are those of the play that follows a
    roll, in the mover's numbering; `turn` is its game and its number
    among the legal plays of the game, counted from 0, as an analysis numbers them. In a chouette `accounts` has every
    player's points, and `won`, at the end of a game, what he won or lost in it; else they are null.
    """

    n: int
    at_ms: int
    game: int
    variant: str
    side: shapes.Seat | None
    text: str
    reason: str
    dispute: str
    say: shapes.Say
    phase: str
    on_roll: shapes.Seat | None
    asked: shapes.Seat | None
    roll: list[int] | None
    moves: list[list[int]] | None
    turn: list[int] | None
    board: shapes.BoardMap
    pips: shapes.Pair | None
    cube: list[int | str | None]
    score: shapes.Pair
    accounts: dict[str, int] | None
    won: dict[str, int] | None
    crawford: bool
    players: shapes.Players
    clock: shapes.Pair | None
    picture: str | None
    xgid: str
    gnubgid: str
    ogid: str


class Replay(TypedDict):
    """A match for replay; `cube`: it has a cube; `verdicts` are by game and play, see docs/ARCHIVE.md."""

    match: str
    length: int
    over: bool
    orientation: shapes.BoardLie
    cube: bool
    steps: list[ReplayStep]
    verdicts: NotRequired[list[dict[str, Any]]]


class PlayerNames(TypedDict):
    """Players' names, those with most matches first."""

    players: list[str]


@dataclass(frozen=True, slots=True)
class Course:
    """The table after all events of a match, and the clock as it was after each."""

    table: Table
    clocks: Sequence[Clock | None]


def course_of(events: Iterable[AnyEvent], so_far: Course | None = None) -> Course:
    """Follow the events of a match, or the further ones of a course; GameError if one of them is not allowed."""
    table, clocks = (so_far.table, list(so_far.clocks)) if so_far else (Table(), list[Clock | None]())
    for event in events:
        table = step(table, event).table
        clocks += [table.clock] * (len(table.entries) - len(clocks))
    return Course(table, clocks)


def replay_of(course: Course) -> Replay:
    """The match for replay; what was taken back is left out, what was corrected is shown as corrected."""
    state = course.table.state
    assert state is not None, "a match that has begun has a state"
    orientation = state.terms.orientation
    return {
        "match": state.terms.match_id,
        "length": state.terms.length,
        "over": phase_word(state) == "match_over",
        "orientation": {"home": orientation.home, "south": orientation.south},
        "cube": state.terms.profile.cube,
        "steps": list(_steps(course)),
    }


def graded_turns(state: State) -> dict[int, list[TurnMade]]:
    """The legal turns of each game, in the order in which an analysis counts them."""
    return {
        log.number: [entry for entry in log.entries if _is_graded(entry)]  # type: ignore[misc]
        for log, _ in logs_of(state)
    }


def _is_graded(entry: object) -> bool:
    return isinstance(entry, TurnMade) and entry.roll is not None and not entry.fault


def _steps(course: Course) -> Iterator[ReplayStep]:
    turns = _turns_of(course)
    for at in range(len(course.table.entries)):
        yield from _step_at(course, at, turns)


def last_steps(course: Course, most: int) -> list[ReplayStep]:
    """The last steps of a match, at most so many."""
    turns, found = _turns_of(course), list[ReplayStep]()
    for at in reversed(range(len(course.table.entries))):
        found += _step_at(course, at, turns)
        if len(found) == most:
            break
    return found[::-1]


def _turns_of(course: Course) -> dict[int, list[TurnMade]]:
    assert course.table.state is not None
    return graded_turns(course.table.state)


def _step_at(course: Course, at: int, turns: dict[int, list[TurnMade]]) -> list[ReplayStep]:
    """The step of an entry, none if it has no line."""
    entry, entries = course.table.entries[at], course.table.entries
    if entry.undone or isinstance(entry.event, Undone):
        return []
    line = _step(entry, entries[at - 1].state if at else None, course.clocks[at], turns)
    return [line] if line is not None else []


def _step(
    entry: Entry, before: State | None, clock: Clock | None, turns: dict[int, list[TurnMade]]
) -> ReplayStep | None:
    side, text = line_of(entry, before)
    if not text:
        return None
    state = entry.state
    made = _turn_of(state, turns)
    throw = throw_of(before, state) if isinstance(entry.event, Thrown) else None
    reason = ruling_sentence(throw.ruling) if throw else NOTHING
    dispute = state.dispute.text if state.dispute else NOTHING
    roller, variant = on_roll(state), variant_of_game(state.terms.profile, state.game)
    roll = getattr(state.phase, "roll", None)
    return {
        "n": entry.number,
        "at_ms": entry.event.at_ms,
        "game": state.game,
        "variant": str(variant),
        "side": side.value if side else None,
        "text": str(text),
        "reason": str(reason),
        "dispute": str(dispute),
        "say": translatable(text=text, reason=reason, dispute=dispute, variant=variant),
        "phase": phase_word(state),
        "on_roll": roller.value if roller else None,
        "asked": seat.value if (seat := asked(state)) else None,
        "roll": list(roll) if isinstance(roll, Roll) else None,
        "moves": _moves(state, made),
        "turn": list(made[:2]) if made else None,
        "board": board_map(state.board),
        "pips": _pips(state),
        "cube": _cube(state),
        "score": {"south": state.score.south, "north": state.score.north},
        "accounts": dict(state.chouette.accounts) if state.chouette else None,
        "won": points_won(state.chouette) if state.chouette and isinstance(state.phase, GameOver) else None,
        "crawford": state.crawford is Crawford.NOW,
        "players": {"south": state.terms.south, "north": state.terms.north},
        "clock": {"south": clock.south_ms, "north": clock.north_ms} if clock else None,
        "picture": _picture(entry),
        "xgid": xgid_of(state),
        "gnubgid": gnubgid_of(state),
        "ogid": ogid_of(state),
    }


def _turn_of(state: State, turns: dict[int, list[TurnMade]]) -> tuple[int, int, TurnMade] | None:
    """Game, number and turn of a roll to play or a play on the board, if that turn was legal in the end."""
    phase = state.phase
    if not isinstance(phase, (Rolled, Played)):
        return None
    number = sum(map(_is_graded, state.log))
    of_game = turns.get(state.game, [])
    made = of_game[number] if number < len(of_game) else None
    before = phase.before if isinstance(phase, Played) else state.board
    if made is None or (made.side, made.roll, made.before) != (phase.side, phase.roll, before):
        return None
    return state.game, number, made


def _moves(state: State, made: tuple[int, int, TurnMade] | None) -> list[list[int]] | None:
    play = made[2].play if made and isinstance(state.phase, Rolled) else None
    return [[move.source, move.target] for move in play] if play else None


def _pips(state: State) -> shapes.Pair:
    south, north = (state.board.seen_by(side).pip_count() for side in Side)
    return {"south": south, "north": north}


def _cube(state: State) -> list[int | str | None]:
    """Value, owner and offered value."""
    offer = getattr(state.phase, "offer", None)
    owner = state.cube.owner.value if state.cube.owner else None
    return [state.cube.value, owner, offer.value if offer else None]


def _picture(entry: Entry) -> str | None:
    """Address of the picture of a throw, also of one that was corrected later."""
    found = (event.evidence.picture for event in (entry.event, *entry.was) if isinstance(event, Thrown))
    name = next(filter(None, found), None)
    return f"/pictures/{name}" if name else None
