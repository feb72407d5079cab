"""Every legal play of a roll, keyed by the position it leaves."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from companion.dice import Roll
from companion.position import BAR, HOME, OFF, Position


class Move(NamedTuple):
    """One checker moved by one number, in the mover's numbering; the bar is 25, borne off 0."""

    source: int
    target: int
    hits: bool = False


Play: TypeAlias = tuple[Move, ...]
"""Everything done with one roll; () is a dance."""


def legal_plays(position: Position, roll: Roll) -> Mapping[Position, Play]:
    """Every legal play of the modern game, keyed by the position it leaves (not flipped).

    A roll with which nothing can be played gives one play, the dance: {position: ()}. So the mapping is
    never empty, and «is this what they left legal?» is always `after in legal_plays(position, roll)`.
    """
    best: dict[Position, Play] = {position: ()}
    length = 0
    orders = [roll.numbers] if roll.is_doubles else [(roll.high, roll.low), (roll.low, roll.high)]
    for numbers in orders:
        reached: dict[Position, Play] = {position: ()}
        for played, number in enumerate(numbers, start=1):
            reached = {
                after(before, move): (*play, move)
                for before, play in reached.items()
                for move in moves(before, number)
            }
            if not reached:
                break
            if played > length:
                best, length = reached, played
            elif played == length and played > 1:
                best = {**reached, **best}
    return best


def moves(position: Position, number: int) -> list[Move]:
    """Every move of one checker by one number that the rules of moving allow, the highest first."""
    mine, theirs = position.mine, position.theirs
    found = []
    for source in [BAR] if mine[BAR] else range(24, 0, -1):
        if not mine[source]:
            continue
        target = source - number
        if target > OFF:
            if theirs[25 - target] < 2:
                found.append(Move(source, target, theirs[25 - target] == 1))
        elif not any(mine[HOME + 1 :]) and (target == OFF or not any(mine[source + 1 :])):
            found.append(Move(source, OFF))
    return found


def after(position: Position, move: Move) -> Position:
    """The position that a move leaves; a checker that was hit stands on its owner's bar."""
    mine, theirs = list(position.mine), position.theirs
    mine[move.source] -= 1
    mine[move.target] += 1
    if move.hits:
        hit = list(theirs)
        hit[25 - move.target] -= 1
        hit[BAR] += 1
        theirs = tuple(hit)
    return Position(tuple(mine), theirs)
