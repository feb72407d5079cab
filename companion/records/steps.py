"""Plays in steps that GNU Backgammon carries out as they are written."""

from collections.abc import Sequence

from companion.game.state import TurnMade
from companion.rules.board import BAR, OFF, Checkers, Position
from companion.rules.moves import Move, Play
from companion.rules.moves import after as after_move

MOST_STEPS, LONGEST_STEP = 4, 6
"""GNU Backgammon keeps four moves in a play, each at most as long as a die (tried with 1.07: it drops the rest)."""


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
