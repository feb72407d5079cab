"""Plays, cube values and scores in a file that GNU Backgammon carries out, and counts as the match did.

It counts a game as the cube times 1, 2 or 3, and a match by the score before its last game and that game's points.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count

from companion.game.state import CubeAction, CubeTurn, GameLog, MatchOver, SetUp, State, TurnMade
from companion.records.transcript import Action, CubeDecision, Game, Player, Won, opponent_of
from companion.rules.board import OFF, Position, Side
from companion.rules.cube_and_score import LARGEST_CUBE, Ending, Score
from companion.rules.moves import Move, Play, moves_between
from companion.rules.moves import after as after_move

_CUBES = tuple(1 << times for times in range(LARGEST_CUBE.bit_length()))
"""Values of a cube that GNU Backgammon reads."""
MOST_STEPS, LONGEST_STEP = 4, 6
"""GNU Backgammon keeps four moves in a play, each at most as long as a die (tried with 1.07: it drops the rest)."""


def cube_values(log: GameLog) -> Iterator[int]:
    """The values of the cube in a game, in order."""
    yield 1
    for entry in log.entries:
        if isinstance(entry, SetUp):
            yield entry.cube.value
        elif isinstance(entry, CubeTurn) and entry.action is CubeAction.TAKE:
            yield entry.value


def cube_at_end(log: GameLog, length: int) -> int:
    """The cube in a finished game's file that makes the game's points a single game, a gammon or a backgammon.

    For a settlement it is any such value, or one that is at least enough to end the match, or else 1: to count too many
    points could end a match that went on.
    """
    result = log.result
    if result.how is not Ending.SETTLED:
        return result.cube
    points, *_, last = result.points, *cube_values(log)
    score = log.score.south if result.side is Side.SOUTH else log.score.north
    ends = 0 < length <= score + points
    for value in (last, *_CUBES):
        if points in (0, value, 2 * value, 3 * value):
            return value
    return next(1 << times for times in count() if 3 << times >= points) if ends else 1


def turns_down(log: GameLog, length: int) -> bool:
    """Whether the cube ever goes down in the game, which no `.mat` can say."""
    values = [*cube_values(log), cube_at_end(log, length)]
    return values != sorted(values)


def invented_doubles(before: int, value: int, owner: Player) -> Iterator[CubeDecision]:
    """Doubles and takes that bring the cube from one value to a higher one, which this player takes last."""
    times = max(0, (value // before).bit_length() - 1)
    for left in range(times - 1, -1, -1):
        taker = owner if left % 2 == 0 else opponent_of(owner)
        yield CubeDecision(opponent_of(taker), 0, CubeAction.DOUBLE, value >> left)
        yield CubeDecision(taker, 0, CubeAction.TAKE, value >> left)


def columns(score: Score, swapped: bool) -> tuple[int, int]:
    """A score as (player 0, player 1); `swapped`: player 0 is at north."""
    return (score.north, score.south) if swapped else (score.south, score.north)


def with_final_score(state: State, games: list[Game], *, is_exact: bool) -> tuple[list[Game], list[str]]:
    """The games, with one more without a roll if the last does not lead to the match's score; and remarks on the last.

    Penalty points that end the match become a game that is won by a double; other points stand in the heading of a game
    without an action.

    Args:
        state: the table.
        games: all games with an action, as the file has them.
        is_exact: GNU Backgammon counts the last one as the match did.
    """
    score, phase, remarks = columns(state.score, state.swapped), state.phase, []
    finished, unfinished = games[: len(state.games)], games[len(state.games) :]
    if isinstance(phase, MatchOver) and phase.result is not None:
        return games, []
    if isinstance(phase, MatchOver):
        champion: Player = 0 if (phase.winner is Side.SOUTH) is not state.swapped else 1
        if 0 < state.terms.length <= score[champion]:
            added = _penalty_game(len(games) + 1, score, champion, state.terms.length, finished)
            remarks = [
                "The match ended by penalty points, which are written here as a double that was passed."
            ]
            return [*finished, *(replace(game, score=added.score) for game in unfinished), added], remarks
        how = "on time" if phase.how is Ending.TIME else "by penalty points"
        winner = state.name(phase.winner)
        remarks = [f"{winner} wins the match {how}. GNU Backgammon finds no winner, as no score says so."]
    reached = games[-1].score_after if games else (0, 0)
    if unfinished or (reached == score and is_exact and (games or not remarks)):
        return games, remarks
    return [*games, Game(len(games) + 1, score, ())], [*remarks, "This game only has the score."]


def _penalty_game(
    number: int, final: tuple[int, int], champion: Player, length: int, games: Sequence[Game]
) -> Game:
    """A game of penalty points that ended the match: a double, passed, at the cube that makes them so many.

    Args:
        number: its own.
        final: the match's last score.
        champion: the winner of the match.
        length: of the match; the score before this game is below it.
        games: the finished games.
    """
    before = games[-1].score_after[champion] if games else 0
    least = final[champion] - length + 1
    points = next(
        (one for one in _CUBES if least <= one <= final[champion] - before),
        next(one for one in _CUBES if one >= least),
    )
    had = final[champion] - points
    score = (had, final[1]) if champion == 0 else (final[0], had)
    passed = (
        CubeDecision(champion, 0, CubeAction.DOUBLE, 2 * points),
        CubeDecision(opponent_of(champion), 0, CubeAction.PASS, 2 * points),
    )
    actions: tuple[Action, ...] = (*invented_doubles(1, points, champion), *passed, Won(champion, points))
    return Game(number, score, actions)


def steps_of(turn: TurnMade) -> Play | None:
    """The play in steps that GNU Backgammon can carry out, None if that is impossible.

    It joins the steps of one checker and splits moves again by the dice, which an illegal play does not follow.
    (Tried with 1.07: it drops such a play, or silently makes another of it.)
    """
    before, after = turn.before.seen_by(turn.side), turn.after.seen_by(turn.side)
    moves = turn.play if turn.play is not None else moves_between(before.mine, after.mine)
    if moves is None:
        return None
    steps: list[Move] = []
    position = before
    for move in moves:
        for step in _short_steps(position, move):
            if step.source <= step.target or len(steps) == MOST_STEPS:
                return None
            hits = step.target != OFF and position.theirs[25 - step.target] == 1  # by a reader without rules
            steps.append(step._replace(hits=hits))
            position = after_move(position, steps[-1])
    if position != after or (turn.fault and not _taken_as_written(turn, steps)):
        return None
    return tuple(steps)


def _taken_as_written(turn: TurnMade, steps: Sequence[Move]) -> bool:
    """Whether GNU Backgammon carries out an illegal play step by step, instead of making another of it."""
    assert turn.roll is not None
    if {step.target for step in steps} & {step.source for step in steps}:
        return False
    if any(step.source - step.target > LONGEST_STEP for step in steps):
        return False
    if turn.roll.is_doubles:
        return all(step.source - step.target == turn.roll.high for step in steps)
    if len(steps) < 2:
        return True
    # Of a first step as long as both dice, or off the board beyond the higher, it makes two, and forgets the second.
    source, target, _ = steps[0]
    length = source - target
    makes_two = length == sum(turn.roll) or (target == OFF and length > turn.roll.high)
    return len(steps) == 2 and not makes_two


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
