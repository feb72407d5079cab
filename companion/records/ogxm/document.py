"""A match as an OGXM document: the codec's JSON projection (ADR 58).

White is the player who began the match at south. Points are absolute there: White bears off past 24, Black past 1, and
White's bar is 0, Black's 25. A ply that is an illegal play is the position it left, with its dice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from companion.errors import UserError
from companion.game.events import Thrown
from companion.game.state import CubeAction, CubeTurn, GameLog, LogEntry, SetUp, State, TurnMade
from companion.game.table import Table
from companion.records.to_transcript import logs_of, player_of
from companion.rules.board import BAR, Board, Checkers, Side
from companion.rules.cube_and_score import Ending, Result
from companion.rules.profile import STARTS
from sentence import say

Json: TypeAlias = dict[str, Any]

ROLLS = tuple((low, high) for low in range(1, 7) for high in range(low, 7))
"""The rolls in the order of their action numbers, 0 to 20."""
RESIGN, FORFEIT, SET_POSITION, SETTLE, CUBE_SET, NO_ROLL = 27, 29, 31, 34, 36, 37
CUBE_ACTIONS = {
    CubeAction.DOUBLE: 21,
    CubeAction.TAKE: 22,
    CubeAction.PASS: 23,
    CubeAction.BEAVER: 32,
    CubeAction.RACCOON: 33,
}
"""The numbers of the other actions."""
STEP_MS = 10
"""The clock's finest step in a file."""
BLACK, WHITE = 0, 1
PREFIX = "x-companion-"
"""The namespace of our annotations, as the format asks of other programs' keys."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When an entry of the log came about, ms since 1970 UTC, and the SHA-256 of its roll's picture, or ""."""

    at_ms: int
    digest: str = ""


@dataclass
class _Games:
    """The games being written, with what stands beside their plies."""

    white: Side = Side.SOUTH
    times: list[int] = field(default_factory=list)
    annotations: list[Json] = field(default_factory=list)

    def add(self, plies: list[Json], ply: Json, moment: Moment) -> None:
        """Add a ply with its time and the digest of its picture."""
        plies.append(ply)
        if moment.digest:
            note = {"key": f"{PREFIX}picture", "scope": "ply", "ref": len(self.times)}
            self.annotations.append({**note, "value": f"sha256:{moment.digest}"})
        self.times.append(max([moment.at_ms, *self.times[-1:]]))


def _starts() -> Mapping[Checkers, str]:
    """The starts that the format knows, with their names."""
    return {STARTS[name]: name for name in ("hypergammon", "nackgammon", "standard")}


def fits_ogxm(state: State) -> bool:
    """Whether the format has such a game, and its start."""
    return state.fits_files and state.terms.profile.start in _starts()


def fits_mat(state: State) -> bool:
    """Whether .mat and .sgf have such a game: not one that starts with checkers off the board."""
    return state.fits_files and not state.terms.profile.start[25]


def formats_of(state: State) -> list[str]:
    """The formats that can hold a match: other programs know backgammon for two, .ogxm few starts of it."""
    others = [*(("mat", "sgf") if fits_mat(state) else ()), *(("ogxm",) if fits_ogxm(state) else ())]
    return [*others, "json", "zip"]


def document(table: Table) -> Json:
    """The match so far as an OGXM document, unsigned.

    Raises:
        UserError: the format has no such game.
    """
    state = table.state
    assert state is not None
    profile = state.terms.profile
    starts = _starts()
    if fits_mat(state) and not fits_ogxm(state):
        raise UserError(say("No .ogxm can hold a game with this start; export it as mat, sgf or json."))
    if not fits_ogxm(state):
        raise UserError(say("No .ogxm can hold {title}; export it as json.", title=state.title))
    moments, games = moments_of(table), _Games()
    logs = [_game(games, log, result, moments, state) for log, result in logs_of(state)]
    names = (state.name(Side.SOUTH), state.name(Side.NORTH))
    white, black = names[::-1] if state.swapped else names
    money = state.terms.money_play
    found: Json = {
        "ogxm": {"major": 2, "minor": 2},
        "player_white": white,
        "player_black": black,
        "match_length": state.terms.length,
        "crawford": profile.crawford and not money,
        "jacoby": profile.jacoby.holds(money_play=money),
        "beavers": profile.beaver.holds(money_play=money),
        "raccoons": profile.raccoon.holds(money_play=money),
        "variant": "backgammon" if starts[profile.start] == "standard" else starts[profile.start],
        "games": logs,
        "annotations": [
            {"key": f"{PREFIX}match", "scope": "match", "ref": 0, "value": state.terms.match_id},
            {"key": f"{PREFIX}rules", "scope": "match", "ref": 0, "value": profile.name},
            *games.annotations,
        ],
    }
    return found | (_clocked(logs, games.times, table) if games.times else {})


def moments_of(table: Table) -> Mapping[tuple[int, int], Moment]:
    """When each entry of each game's log came about, by game and index; the game's end under the length of its log."""
    digests: dict[str, str] = {}
    known: dict[int, list[Moment]] = {}
    ended: dict[int, Moment] = {}
    for entry in table.entries:
        event, state = entry.event, entry.state
        if isinstance(event, Thrown) and event.evidence.picture and event.evidence.sha256:
            digests[event.evidence.picture] = event.evidence.sha256
        logs = [(log.number, log.entries) for log in state.games[-1:]] + [(state.game, state.log)]
        for number, entries in logs:
            times = known.setdefault(number, [])
            del times[len(entries) :]
            for one in entries[len(times) :]:
                picture = one.picture if isinstance(one, TurnMade) else None
                times.append(Moment(event.at_ms, digests.get(picture or "", "")))
        for log in state.games:
            ended.setdefault(log.number, Moment(event.at_ms))
        for number in [number for number in ended if number > len(state.games)]:
            del ended[number]
    found = {(number, at): one for number, times in known.items() for at, one in enumerate(times)}
    return found | {(number, len(known[number])): one for number, one in ended.items()}


def _clocked(games: Sequence[Json], times: Sequence[int], table: Table) -> Json:
    """The clock's head; each ply gets its time since the first one, in the file's steps."""
    plies = [ply for game in games for ply in game["plies"]]
    for ply, at_ms in zip(plies, times, strict=True):
        ply["timestamp_ms"] = (at_ms - times[0]) // STEP_MS * STEP_MS
    clock, state = table.clock, table.state
    reserve_ms = clock.rules.reserve_ms(state.terms.length, 0) if clock and state else 0
    delay_ms = clock.rules.delay_ms if clock else 0
    head = {"reserve_ms": reserve_ms, "delay_ms": delay_ms, "increment_ms": 0}
    return {"clock_info": head | {"start_timestamp": times[0] // 1000}}


def _game(
    games: _Games,
    log: GameLog,
    result: Result | None,
    moments: Mapping[tuple[int, int], Moment],
    state: State,
) -> Json:
    """One game."""
    games.white = Side.NORTH if log.swapped else Side.SOUTH
    plies: list[Json] = []
    board = state.terms.profile.start_board
    for at, entry in enumerate(log.entries):
        moment = moments[log.number, at]
        if is_implied(log.entries, at):
            continue
        if isinstance(entry, CubeTurn):
            games.add(plies, _cube_turn(log, at, entry), moment)
        elif isinstance(entry, SetUp):
            for ply in _set_up(log, entry, board, games.white):
                games.add(plies, ply, moment)
            board = entry.board
        else:
            if entry.before != board:
                ply = {"action_id": SET_POSITION, "color": _colour(log, entry.side)}
                games.add(plies, ply | {"set_position": absolute(entry.before, games.white)}, moment)
            games.add(plies, _turn(log, entry, games.white), moment)
            board = entry.after
    found: Json = {"plies": plies}
    if result is None:
        return found
    ending = _ending(log, result)
    if ending:
        games.add(plies, ending, moments[log.number, len(log.entries)])
    if result.winner:
        found |= {"winner": 1 - _colour(log, result.winner), "points_won": result.points}
    return found


def is_implied(entries: Sequence[LogEntry], at: int) -> bool:
    """Whether an entry is the take of a beaver: the format has only the play that follows it."""
    return _answers(entries, at, CubeAction.TAKE, CubeAction.BEAVER)


def takes_raccoon(entries: Sequence[LogEntry], at: int) -> bool:
    """Whether an entry is the take of a raccoon: here the cube is his, in the format the doubler's (ADR 40, ADR 58)."""
    return _answers(entries, at, CubeAction.TAKE, CubeAction.RACCOON)


def _answers(entries: Sequence[LogEntry], at: int, answer: CubeAction, *offers: CubeAction) -> bool:
    entry, last = entries[at], entries[at - 1] if at else None
    return (
        isinstance(entry, CubeTurn)
        and entry.action is answer
        and isinstance(last, CubeTurn)
        and last.action in offers
    )


def _cube_turn(log: GameLog, at: int, turn: CubeTurn) -> Json:
    """A cube action.

    A pass after a beaver, which the format lacks, is a resignation; the take of a raccoon, which it lacks too, the cube
    set to its value and its owner by the side that goes on.
    """
    colour = _colour(log, turn.side)
    if takes_raccoon(log.entries, at):
        return {
            "action_id": CUBE_SET,
            "color": 1 - colour,
            "cube_value": turn.value,
            "cube_owner": 1 - colour,
        }
    if _answers(log.entries, at, CubeAction.PASS, CubeAction.BEAVER, CubeAction.RACCOON):
        return {"action_id": RESIGN, "color": colour, "resign_value": 1}
    return {"action_id": CUBE_ACTIONS[turn.action], "color": colour}


def _colour(log: GameLog, side: Side) -> int:
    return WHITE if player_of(log, side) == 0 else BLACK


def absolute(board: Board, white: Side) -> list[int]:
    """The board as 26 counts from White's bar to Black's, White's checkers positive, Black's negative."""
    seen = board.seen_by(white)
    counts = [0] * (BAR + 1)
    for place in range(1, BAR + 1):
        counts[BAR - place] += seen.mine[place]
        counts[place] -= seen.theirs[place]
    return counts


def _set_up(log: GameLog, entry: SetUp, board: Board, white: Side) -> list[Json]:
    """A position and a cube set by hand, as far as each differs."""
    side = entry.on_roll or white
    found: list[Json] = []
    if entry.board != board:
        ply = {"action_id": SET_POSITION, "color": _colour(log, side)}
        found.append(ply | {"set_position": absolute(entry.board, white)})
    owner = {} if entry.cube.owner is None else {"cube_owner": 1 - _colour(log, entry.cube.owner)}
    found.append({"action_id": CUBE_SET, "color": _colour(log, side), "cube_value": entry.cube.value} | owner)
    return found


def _turn(log: GameLog, turn: TurnMade, white: Side) -> Json:
    """A turn: its dice with the moves, or with the position that an illegal play left."""
    colour = _colour(log, turn.side)
    if turn.roll is None:
        return {"action_id": NO_ROLL, "color": colour}
    low, high = turn.roll.low, turn.roll.high
    if turn.fault or turn.play is None:
        left = {"set_position": absolute(turn.after, white), "d1": high, "d2": low, "illegal": True}
        return {"action_id": SET_POSITION, "color": 1 - colour, **left}
    moves = [
        {"from": BAR - move.source if colour == WHITE else move.source, "pips": move.source - move.target}
        for move in turn.play
    ]
    return {"action_id": ROLLS.index((low, high)), "color": colour, "moves": moves}


def _ending(log: GameLog, result: Result) -> Json | None:
    """The ply that ends a game whose last turn does not."""
    loser = 1 - _colour(log, result.side)
    if result.how is Ending.RESIGNED:
        return {"action_id": RESIGN, "color": loser, "resign_value": int(result.worth)}
    if result.how is Ending.SETTLED:
        return {"action_id": SETTLE, "color": loser, "settle_value": float(-result.points)}
    if result.how in (Ending.TIME, Ending.PENALTY):
        return {"action_id": FORFEIT, "color": loser}
    return None
