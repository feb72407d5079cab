"""Our own matches as transcripts for the field's files, with remarks for all that those files cannot express.

Player 0, the left one, is the player who began the match at south. An illegal play that GNU Backgammon would not carry
out as it was made is its roll and the position that it left. A `.mat` file tells a position set by hand with the roll
after it, and never turns the cube down. GNU Backgammon scores a finished game itself; if it would score it differently,
the last play goes into a remark, not into the file.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from companion.errors import GameError
from companion.game.games import worth_of
from companion.game.history_lines import play_text
from companion.game.state import CubeAction, CubeTurn, GameLog, LogEntry, SetUp, State, TurnMade
from companion.records.for_gnubg import (
    columns,
    cube_at_end,
    invented_doubles,
    steps_of,
    turns_down,
    with_final_score,
)
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
from companion.rules.board import Board, Side
from companion.rules.cube_and_score import Crawford, Cube, Ending, Result, Worth
from companion.rules.profile import STARTS
from companion.rules.profiles import PROFILES
from sentence import say


class Remark(NamedTuple):
    """A sentence beside a line of a game; `at` counts the game's lines from 0."""

    game: int
    at: int
    text: str


class Transcription(NamedTuple):
    """A match for a file, and its remarks."""

    transcript: Transcript
    remarks: tuple[Remark, ...]

    def comments(self) -> dict[tuple[int, int], str]:
        """The remarks by game and action, as one comment each."""
        comments: dict[tuple[int, int], str] = {}
        for game, at, text in self.remarks:
            comments[game, at] = f"{comments.get((game, at), '')} {text}".lstrip()
        return comments


@dataclass
class _Page:
    """One game being written.

    Attributes:
        board: as the reader knows it.
        cube: as the reader knows it.
        hides_cube: its cube actions are remarks, as a `.mat` cannot turn the cube down.
        resigned: the file gives its result as a resignation, as the last play is left out.
        is_exact: the reader counts the game's points as the match did.
    """

    log: GameLog
    state: State
    board: Board
    placing: bool
    grading: bool
    lines: list[Action] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    cube: Cube = field(default_factory=Cube)
    hides_cube: bool = False
    resigned: bool = False
    is_exact: bool = True

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
        placing: the file can set position and cube at any time, as SGF can and `.mat` cannot.
        grading: for an analysis: omit an illegal play and set the position after it, since GNU
            Backgammon would find no fault with it.
    """
    profile, money = state.terms.profile, state.terms.money_play
    if not state.fits_files:
        raise GameError(
            say("No other program’s file can hold {title}; export it as json.", title=state.title)
        )
    start = next((name for name in SGF_STARTS if STARTS[name] == profile.start), "standard")
    pages = []
    for log, result in logs_of(state):
        pages.append(_Page(log, state, Board(STARTS[start], STARTS[start]), placing, grading))
        _write(pages[-1], result)
    games = [
        Game(page.log.number, columns(page.log.score, page.log.swapped), tuple(page.lines), page.log.crawford)
        for page in pages
    ]
    remarks = [remark for page in pages for remark in page.remarks]
    games, closing = with_final_score(state, games, is_exact=not pages or pages[-1].is_exact)
    remarks += [Remark(games[-1].number, len(games[-1].actions), text) for text in closing]
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
    if not page.placing and result is not None and turns_down(page.log, page.state.terms.length):
        page.hides_cube = True
        _raise_cube(page, cube_at_end(page.log, page.state.terms.length), result.side)
    for at, entry in enumerate(entries):
        rest = entries[at + 1 :]
        match entry:
            case CubeTurn():
                _write_cube_turn(page, entry, rest)
            case TurnMade(roll=None):
                page.remark(f"{page.name(entry.side)} was closed out and did not roll.")
            case TurnMade():
                _write_turn(page, entry, result, rest)
                page.board = entry.after
            case SetUp():
                _write_set_up(page, entry, rest)
    if result is not None:
        _write_end(page, result)


def _write_cube_turn(page: _Page, turn: CubeTurn, rest: Sequence[LogEntry]) -> None:
    """Write a cube action; of a hidden cube only the pass that ends the game, and the double before it."""
    kind, ends = turn.action, [entry.action for entry in rest if isinstance(entry, CubeTurn)]
    if page.hides_cube:
        if kind is not CubeAction.PASS and ends != [CubeAction.PASS]:
            page.remark(f"{page.name(turn.side)}: {kind.value}, {turn.value}.")
            return
        kind = kind if kind is CubeAction.PASS else CubeAction.DOUBLE
    page.lines.append(CubeDecision(page.player(turn.side), 0, kind, turn.value))
    if kind is CubeAction.TAKE:
        page.cube = Cube(turn.value, turn.side)


# Turns


def _write_turn(page: _Page, turn: TurnMade, result: Result | None, rest: Sequence[LogEntry]) -> None:
    assert turn.roll is not None
    said = f"{page.name(turn.side)}, {turn.roll.text}: {play_text(turn.play)}"
    if not rest and _is_miscounted(page, turn, result):
        page.resigned = True
        page.remark(
            "The last play is only in this remark, and the result counts as a resignation, since GNU Backgammon "
            f"would count the game differently: {said}."
        )
        return  # the roll is omitted too: a reader that finds a single legal play for it makes that by itself
    if turn.before != page.board:
        _place(page, turn.before, page.cube, (turn, *rest))
    if turn.fault and page.grading:
        page.remark(f"{said}. This play was not legal and is not graded: {turn.fault}")
        _place(page, turn.after, page.cube, rest)
        return
    if turn.fault:
        page.remark(f"{said}. This play was not legal and stood: {turn.fault}")
    steps = steps_of(turn)
    if turn.fault and not steps:
        steps = None  # of a roll without a step GNU Backgammon makes a play by itself where there is just one
    text = " ".join(f"{move.source}/{move.target}{'*' if move.hits else ''}" for move in steps or ())
    page.lines.append(RollMade(page.player(turn.side), 0, turn.roll, text))
    if steps is None:
        _place(page, turn.after, page.cube, rest, is_play=True)


def _write_set_up(page: _Page, entry: SetUp, rest: Sequence[LogEntry]) -> None:
    by_hand = "The position or the cube was set by hand, or doubled by equal opening dice."
    page.remark(f"{entry.seen_why} The position is as the camera saw it." if entry.seen_why else by_hand)
    if entry.seen_why and (entry.board, entry.cube) == (page.board, page.cube):
        return
    if page.placing:
        page.cube, page.board = entry.cube, entry.board
        _place(page, entry.board, entry.cube, rest, entry.on_roll)
    elif not page.hides_cube:
        doubler = next((one.side for one in rest if isinstance(one, CubeTurn)), Side.SOUTH)
        _raise_cube(page, entry.cube.value, entry.cube.owner or doubler)


def _raise_cube(page: _Page, value: int, owner: Side) -> None:
    """Bring the reader's cube to a value by invented doubles and takes: he scores the game with it."""
    doubles = list(invented_doubles(page.cube.value, value, page.player(owner)))
    if doubles:
        page.remark(f"The cube showed {value}. The doubles that lead there were made by nobody.")
        page.lines += doubles
        page.cube = Cube(value, owner)


def _place(
    page: _Page,
    board: Board,
    cube: Cube,
    rest: Sequence[LogEntry],
    on_roll: Side | None = None,
    *,
    is_play: bool = False,
) -> None:
    """Set the position in the file, with the side that acts next on roll."""
    following = next((entry.side for entry in rest if isinstance(entry, (TurnMade, CubeTurn))), None)
    side = following or on_roll or Side.SOUTH
    position = board.seen_by(Side.NORTH if page.log.swapped else Side.SOUTH)
    owner = None if cube.owner is None else page.player(cube.owner)
    page.lines.append(Placed(position, page.player(side), cube.value, owner, is_play))


# Result


def _is_miscounted(page: _Page, last: TurnMade, result: Result | None) -> bool:
    """Whether GNU Backgammon would not end the game with this final play, or would score it differently."""
    if result is None or result.how is not Ending.BORNE_OFF:
        return False
    worth = worth_of(last.after, result.side, PROFILES["modern"])
    if page.state.terms.money_play and page.cube.owner is None and worth is not Worth.SINGLE:
        if not page.placing:
            return True  # the reader's own setting decides on Jacoby's rule, and a `.mat` cannot change that
        worth = Worth.SINGLE if page.state.terms.profile.jacoby.holds(money_play=True) else worth
    return worth * page.cube.value != result.points or steps_of(last) is None


def _write_end(page: _Page, result: Result) -> None:
    winner = page.player(result.side)
    if result.how is Ending.SETTLED:
        _write_settlement(page, result)
    if page.resigned or result.how in (Ending.RESIGNED, Ending.SETTLED):
        loser: Player = 1 if winner == 0 else 0
        page.lines.append(Resignation(loser, 0))
    if result.winner:
        page.lines.append(Won(winner, result.points))


def _write_settlement(page: _Page, result: Result) -> None:
    """Write a remark on a settlement, and bring the cube to the value that makes its points a game's."""
    page.remark(f"The players settled for {result.points} points.")
    value = cube_at_end(page.log, page.state.terms.length)
    if result.points > 3 * value or result.points % value:
        page.remark("GNU Backgammon counts another number, as no cube makes a game of so many.")
        page.is_exact = False
    if page.placing and value != page.cube.value:
        page.remark(f"The cube is set to {value}, by nobody, for the settlement.")
        page.cube = Cube(value, result.side)
        _place(page, page.board, page.cube, ())
    elif not page.placing:
        _raise_cube(page, value, result.side)
