"""Our own matches as transcripts for the field's files, with remarks for all that those files cannot express.

Player 0, the left one, is the player who began the match at south. A `.mat` file holds moves, but no position set by
hand and no play that is not made of moves: such a game is written up to there, with its result. GNU Backgammon scores a
finished game itself; if it would score it differently, the last play goes into a remark, not into the file.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.game.games import worth_of
from companion.game.state import CubeAction, CubeTurn, GameLog, LogEntry, SetUp, State, TurnMade
from companion.game.wording import play_text
from companion.records.transcript import (
    SGF_STARTS,
    Action,
    CubeDecision,
    Game,
    Placed,
    Player,
    Resignation,
    RollMade,
    Transcript,
    Won,
)
from companion.rules.board import BAR, OFF, Board, Checkers, Position, Side
from companion.rules.cube_and_score import Crawford, Cube, Ending, Result, Worth
from companion.rules.moves import Move, Play
from companion.rules.moves import after as after_move
from companion.rules.profile import STARTS
from companion.rules.profiles import PROFILES

MOST_STEPS, LONGEST_STEP = 4, 6
"""GNU Backgammon keeps four moves in a play, each at most as long as a die (tried with 1.07: it drops the rest)."""


class Remark(NamedTuple):
    """A sentence beside a line of a game; `at` counts the game's lines from 0."""

    game: int
    at: int
    text: str


class Transcription(NamedTuple):
    """A match for a file, and its remarks."""

    transcript: Transcript
    remarks: tuple[Remark, ...]


@dataclass
class _Page:
    """One game being written."""

    log: GameLog
    state: State
    board: Board
    placing: bool
    grading: bool
    lines: list[Action] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    cut: bool = False
    cube: Cube = field(default_factory=Cube)

    def player(self, side: Side) -> Player:
        """The player of a side in this game."""
        return player_of(self.log, side)

    def name(self, side: Side) -> str:
        """The name of the player of a side."""
        return self.log.south if side is Side.SOUTH else self.log.north

    def remark(self, text: str) -> None:
        """Add a remark beside the next line."""
        self.remarks.append(Remark(self.log.number, len(self.lines), text))


def transcribe(state: State, *, placing: bool, grading: bool = False) -> Transcription:
    """The match so far, the game in progress included.

    Args:
        state: the table.
        placing: the file can set a position by hand, as SGF can and `.mat` cannot.
        grading: for an analysis: omit an illegal play and set the position after it, since GNU
            Backgammon would find no fault with it.
    """
    games, remarks = [], []
    profile, money = state.terms.profile, state.terms.money_play
    named = (name for name in ("nackgammon", "hypergammon") if STARTS[name] == profile.start)
    start = next(named, "standard")
    for log, result in logs_of(state):
        page = _Page(log, state, Board(STARTS[start], STARTS[start]), placing, grading)
        _write(page, result)
        south, north = log.score.south, log.score.north
        score = (north, south) if log.swapped else (south, north)
        games.append(Game(log.number, score, tuple(page.lines), log.crawford))
        remarks += page.remarks
    names = (state.name(Side.SOUTH), state.name(Side.NORTH))
    rules = ["Crawford"] if profile.crawford and not money else []
    rules += ["Jacoby"] if profile.jacoby.holds(money_play=money) else []
    rules += [SGF_STARTS[start]] if start != "standard" else []
    rules = rules if profile.cube else ["NoCube", *rules]
    players, headers = names[::-1] if state.swapped else names, {"rules": ":".join(rules)}
    transcript = Transcript(players, state.terms.length, tuple(games), headers, start)
    return Transcription(transcript, tuple(remarks))


def player_of(log: GameLog, side: Side) -> Player:
    """The player of a side in a game: 0 for the one who began the match at south."""
    return 0 if (side is Side.SOUTH) is not log.swapped else 1


def logs_of(state: State) -> Iterator[tuple[GameLog, Result | None]]:
    """Logs of all finished games with their results, and of the game in progress with None."""
    for log in state.games:
        yield log, log.result
    if len(state.games) < state.game and state.log:
        nobody = Result(Side.SOUTH, Worth.SINGLE, state.cube.value, 0, Ending.SETTLED)
        names = (state.name(Side.SOUTH), state.name(Side.NORTH))
        crawford = state.crawford is Crawford.NOW
        log = GameLog(state.game, *names, state.score, crawford, state.log, nobody, state.swapped)
        yield log, None


def _write(page: _Page, result: Result | None) -> None:
    """Write all lines of a game."""
    entries = page.log.entries
    miscounted = _miscounted_play(page, result)
    for at, entry in enumerate(entries):
        match entry:
            case CubeTurn():
                page.lines.append(CubeDecision(page.player(entry.side), 0, entry.action, entry.value))
                if entry.action is CubeAction.TAKE:
                    page.cube = Cube(entry.value, entry.side)
            case TurnMade(roll=None):
                page.remark(f"{page.name(entry.side)} was closed out and did not roll.")
            case TurnMade():
                _write_turn(page, entry, miscounted is entry, entries[at + 1 :])
                page.board = entry.after
            case SetUp():
                _write_set_up(page, entry, entries[at + 1 :])
    if result is not None:
        _write_end(page, result, resigned=miscounted is not None)


# Turns


def _write_turn(page: _Page, turn: TurnMade, miscounted: bool, rest: Sequence[LogEntry]) -> None:
    assert turn.roll is not None
    said = f"{page.name(turn.side)}, {turn.roll.text}: {play_text(turn.play)}"
    if page.cut:
        page.remark(said + (f" (not legal: {turn.fault})" if turn.fault else ""))
        return
    if miscounted:
        page.remark(
            "The last play is only in this remark, and the result counts as a resignation, since GNU Backgammon "
            f"would count the game differently: {said}."
        )
        return  # the roll is omitted too: a reader that finds a single legal play for it makes that by itself
    if turn.fault and page.grading:
        page.remark(f"{said}. This play was not legal and is not graded: {turn.fault}")
        _place(page, turn.after, page.cube, rest)
        return
    steps = steps_of(turn)
    if turn.fault:
        page.remark(f"{said}. This play was not legal and stood: {turn.fault}")
    if steps is not None or page.placing:
        text = " ".join(f"{move.source}/{move.target}{'*' if move.hits else ''}" for move in steps or ())
        page.lines.append(RollMade(page.player(turn.side), 0, turn.roll, text))
        if steps is None:
            _place(page, turn.after, page.cube, rest)
    else:
        _cut(page)
        _begin_at_least(page, turn)


def _cut(page: _Page) -> None:
    page.cut = True
    page.remark(
        "What followed cannot be told by moves; the turns after this stand here, the file only has the cube."
    )


def _write_set_up(page: _Page, entry: SetUp, rest: Sequence[LogEntry]) -> None:
    page.remark("The position or the cube was set by hand, or doubled by equal opening dice.")
    if page.placing:
        page.cube = entry.cube
        _place(page, entry.board, entry.cube, rest, entry.on_roll)
        return
    if not page.cut and entry.board != page.board:
        _cut(page)
        _begin_at_least(page, next((one for one in rest if isinstance(one, TurnMade) and one.roll), None))
    doubler = next((one.side for one in rest if isinstance(one, CubeTurn)), Side.SOUTH)
    _raise_cube(page, entry.cube.value, entry.cube.owner or doubler)
    page.board = entry.board


def _raise_cube(page: _Page, value: int, owner: Side) -> None:
    """Bring the reader's cube to a value by invented doubles and takes: he scores the game with it."""
    times = (value // page.cube.value).bit_length() - 1
    if times < 1:
        return
    page.remark(f"The cube showed {value}. The doubles that lead there were made by nobody.")
    for left in range(times - 1, -1, -1):
        taker = owner if left % 2 == 0 else owner.other
        page.lines.append(CubeDecision(page.player(taker.other), 0, CubeAction.DOUBLE, value >> left))
        page.lines.append(CubeDecision(page.player(taker), 0, CubeAction.TAKE, value >> left))
    page.cube = Cube(value, owner)


def _begin_at_least(page: _Page, turn: TurnMade | None) -> None:
    """Write the first roll of a game without any line, as the reader would find no result in it."""
    if not page.lines and turn is not None and turn.roll is not None:
        page.lines.append(RollMade(page.player(turn.side), 0, turn.roll, ""))


def _place(
    page: _Page, board: Board, cube: Cube, rest: Sequence[LogEntry], on_roll: Side | None = None
) -> None:
    """Set the position in the file, with the side that acts next on roll."""
    following = next((entry.side for entry in rest if isinstance(entry, (TurnMade, CubeTurn))), None)
    side = following or on_roll or Side.SOUTH
    position = board.seen_by(Side.NORTH if page.log.swapped else Side.SOUTH)
    owner = None if cube.owner is None else page.player(cube.owner)
    page.lines.append(Placed(position, page.player(side), cube.value, owner))


def steps_of(turn: TurnMade) -> Play | None:
    """The play in steps that GNU Backgammon can carry out, None if that is impossible.

    It joins the steps of one checker and splits moves again by the dice, which an illegal play does not follow.
    (Tried with 1.07: it drops such a play, or silently makes another of it.)
    """
    before, after = turn.before.seen_by(turn.side), turn.after.seen_by(turn.side)
    moves = turn.play if turn.play is not None else _moves_between(before.mine, after.mine)
    if moves is None:
        return None
    steps: list[Move] = []
    position = before
    for move in moves:
        for step in _short_steps(position, move):
            if step.source <= step.target or len(steps) == MOST_STEPS:
                return None
            steps.append(step)
            hits = step.target != OFF and position.theirs[25 - step.target] == 1  # by a reader without rules
            position = after_move(position, step._replace(hits=hits))
    if position != after or (turn.fault and not _taken_as_written(turn, steps)):
        return None
    return tuple(steps)


def _taken_as_written(turn: TurnMade, steps: Sequence[Move]) -> bool:
    """Whether GNU Backgammon carries out an illegal play step by step, instead of making another of it."""
    assert turn.roll is not None
    if {step.target for step in steps} & {step.source for step in steps}:
        return False
    if turn.roll.is_doubles:
        return all(step.source - step.target == turn.roll.high for step in steps)
    return len(steps) <= 2


def _moves_between(before: Checkers, after: Checkers) -> Play | None:
    """Moves that take one side's checkers from `before` to `after`, the highest first; None if one would go
    backwards."""
    left = [place for place in range(BAR, -1, -1) for _ in range(max(0, before[place] - after[place]))]
    come = [place for place in range(BAR, -1, -1) for _ in range(max(0, after[place] - before[place]))]
    if len(left) != len(come) or any(source <= target for source, target in zip(left, come, strict=True)):
        return None
    return tuple(Move(source, target) for source, target in zip(left, come, strict=True))


def _short_steps(position: Position, move: Move) -> list[Move]:
    """A move in steps no longer than a die, over points where it hits nothing on the way."""
    steps, at = [], move.source
    while at - move.target > LONGEST_STEP:
        reach = range(max(at - LONGEST_STEP, 1), at)
        stop = next((place for place in reach if not position.theirs[25 - place]), None)
        if stop is None:
            return [move]
        steps.append(Move(at, stop))
        at = stop
    return [*steps, Move(at, move.target)]


# Result


def _miscounted_play(page: _Page, result: Result | None) -> TurnMade | None:
    """The final play, if GNU Backgammon would score the game differently because of it; else None."""
    last = page.log.entries[-1] if page.log.entries else None
    if result is None or result.how is not Ending.BORNE_OFF or not isinstance(last, TurnMade):
        return None
    money = page.state.terms.money_play
    worth = worth_of(last.after, result.winner, PROFILES["modern"])
    doubled = any(isinstance(entry, CubeTurn) or _is_raised(page, entry) for entry in page.log.entries)
    if money and not doubled and not page.placing and worth is not Worth.SINGLE:
        return last  # the reader's own setting decides on Jacoby's rule, and a `.mat` cannot change that
    if money and not doubled and page.state.terms.profile.jacoby.holds(money_play=True):
        worth = Worth.SINGLE
    return None if worth * result.cube == result.points else last


def _is_raised(page: _Page, entry: LogEntry) -> bool:
    """Whether this set-up makes the file raise the cube by invented doubles."""
    return isinstance(entry, SetUp) and not page.placing and entry.cube.value > 1


def _write_end(page: _Page, result: Result, *, resigned: bool) -> None:
    """Write the result; `resigned`: the file gives it as a resignation, as it has no last play to end the game."""
    winner = page.player(result.winner)
    if result.how is Ending.SETTLED:
        _raise_cube(page, _cube_for(page, result), result.winner)
    if resigned or result.how in (Ending.RESIGNED, Ending.SETTLED):
        loser: Player = 1 if winner == 0 else 0
        page.lines.append(Resignation(loser, 0))
    if result.how is Ending.SETTLED:
        page.remark(f"The players settled for {result.points} points.")
    if result.points:  # a game settled for nothing has no winner
        page.lines.append(Won(winner, result.points))


def _cube_for(page: _Page, result: Result) -> int:
    """The cube that makes a settlement a single game, a gammon or a backgammon, or at least enough to end the match.

    Without such a value the cube stays as it is: the next game's score is right all the same.
    """
    cube, points, length = page.cube.value, result.points, page.state.terms.length
    score = page.log.score.south if result.winner is Side.SOUTH else page.log.score.north
    ends = 0 < length <= score + points
    for value in (cube << times for times in range(8)):
        if points in (value, 2 * value, 3 * value) or (ends and points <= 3 * value):
            return value
    return cube
