"""The legal plays of one turn, whatever the profile: what the referee asks of the rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.dice import Roll
from companion.errors import IllegalPlayError
from companion.plays import Move, Play, legal_plays
from companion.position import BAR, HOME, OFF, Position
from companion.profile import Profile


@dataclass(frozen=True, slots=True)
class Turn:
    """A roll to be played: the rules, where the checkers stand, the roll, the mover's doublets before it."""

    profile: Profile
    position: Position
    roll: Roll
    doublets: int = 0

    def plays(self) -> Mapping[Position, Play]:
        """Every legal play by the position it leaves."""
        return legal_plays(self.position, self.roll)

    def is_legal(self, left: Position) -> bool:
        """Whether a legal play leaves this position."""
        return left in self.plays()

    def play_leaving(self, left: Position) -> Play | None:
        """A legal play that leaves this position; None: there is none."""
        return self.plays().get(left)

    @property
    def is_dance(self) -> bool:
        """Nothing can be played."""
        return self.plays().get(self.position) == ()

    def single_steps(self, steps: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
        """The same moves with each step that one checker made with several numbers taken apart."""
        whole = tuple(steps)
        if all(source - target in self.roll.numbers or target == OFF for source, target in whole):
            return whole
        for play in self.plays().values():
            if _joined(play) == sorted(whole):
                return tuple((move.source, move.target) for move in play)
        return whole

    def next_moves(self, made: Play) -> tuple[Move, ...]:
        """The moves that may come next so that the whole can still become a legal play."""
        return tuple(move for move, _ in self._next(made))

    def _next(self, made: Play) -> list[tuple[Move, Position]]:
        position, left = self.position, list(self.roll.numbers)
        for move in made:
            position = after(position, move)
        goals = set(self.plays())
        for move in made:
            number = move.source - move.target
            left.remove(number if number in left else max(left))
        return [
            (move, after(position, move))
            for number in dict.fromkeys(left)
            for move in moves(position, number)
            if goals & set(_reach(after(position, move), _without(left, number)))
        ]

    def refusal(self, play: Play) -> str:
        """Why a half-made play cannot become a legal one, a sentence; "" when it can."""
        made: Play = ()
        for move in play:
            if move not in self.next_moves(made):
                return "With this move the roll could not be played legally."
            made = (*made, move)
        return ""

    def fault_of(self, play: Play) -> str:
        """Why a play that lies on the board is not legal, a sentence."""
        return self.refusal(play) or "More of the roll could have been played."


def _without(numbers: Sequence[int], number: int) -> list[int]:
    left = list(numbers)
    left.remove(number)
    return left


def _reach(position: Position, numbers: Sequence[int]) -> list[Position]:
    """Every position that can be reached with some of these numbers in any order."""
    found = [position]
    for number in dict.fromkeys(numbers):
        for move in moves(position, number):
            found += _reach(after(position, move), _without(numbers, number))
    return found


def _joined(play: Play) -> list[tuple[int, int]]:
    """The play with moves of one checker that follow each other made one step."""
    steps: list[tuple[int, int]] = []
    for move in play:
        if steps and steps[-1][1] == move.source:
            steps[-1] = (steps[-1][0], move.target)
        else:
            steps.append((move.source, move.target))
    return sorted(steps)


def carried_out(position: Position, steps: Sequence[tuple[int, int]]) -> tuple[Position, Play]:
    """The position after some moves, whether the rules allow them or not, with the hits they make.

    Raises:
        IllegalPlayError: a move that cannot be made with checkers at all: none stands there, the target is no
            place on the board, or two or more opposing checkers hold it.
    """
    play: list[Move] = []
    for source, target in steps:
        move = _carried(position, source, target)
        play.append(move)
        position = after(position, move)
    return position, tuple(play)


def _carried(position: Position, source: int, target: int) -> Move:
    if not (OFF < source <= BAR and OFF <= target <= 24) or source == target:
        raise IllegalPlayError(f"{source}/{target} is no move on a board.")
    if not position.mine[source]:
        place = "on the bar" if source == BAR else f"on the {source} point"
        raise IllegalPlayError(f"There is no checker of the mover's {place}.")
    opposing = position.theirs[25 - target] if target != OFF else 0
    if opposing > 1:
        raise IllegalPlayError(f"The {target} point is held by {opposing} opposing checkers.")
    return Move(source, target, opposing == 1)


def after(position: Position, move: Move) -> Position:
    """The position that a move leaves; a checker that was hit stands on its owner's bar."""
    mine, theirs = list(position.mine), list(position.theirs)
    mine[move.source] -= 1
    mine[move.target] += 1
    if move.hits:
        theirs[25 - move.target] -= 1
        theirs[BAR] += 1
    return Position(tuple(mine), tuple(theirs))


def moves(position: Position, number: int) -> list[Move]:
    """Every move of one checker by one number in the modern game."""
    mine, theirs = position.mine, position.theirs
    found = []
    for source in [BAR] if mine[BAR] else range(24, 0, -1):
        target = source - number
        if not mine[source]:
            continue
        if target > OFF and theirs[25 - target] < 2:
            found.append(Move(source, target, theirs[25 - target] == 1))
        elif target <= OFF and not any(mine[HOME + 1 :]) and (target == OFF or not any(mine[source + 1 :])):
            found.append(Move(source, OFF))
    return found
