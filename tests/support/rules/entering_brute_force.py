"""A second, slow statement of Acey-Deucey's moves, checker by checker.

It shares nothing with `companion`. A board is two lists of places, one for each checker in its owner's numbering: 0
borne off, 1 to 24 the points, HIT on the bar, WAITING not entered yet. Every order of every move is tried.
"""

from collections.abc import Iterator
from typing import NamedTuple

HIT, WAITING = 98, 99


class Checkers(NamedTuple):
    """The places of both sides' checkers, sorted."""

    mine: tuple[int, ...]
    theirs: tuple[int, ...]


def single_moves(board: Checkers, number: int, exact: bool) -> Iterator[Checkers]:
    """The boards after one checker has moved by one number; `exact`: bearing off needs the exact number."""
    mine, theirs = board
    movers = {HIT} if HIT in mine else set(mine) - {0}
    for place in movers:
        target = (25 if place in (HIT, WAITING) else place) - number
        if target <= 0:
            if max(mine) > 6 or (target < 0 and (exact or place < max(mine))):
                continue
            target = 0
        there = theirs.count(25 - target) if target else 0
        if there >= 2:
            continue
        own, others = list(mine), list(theirs)
        own[own.index(place)] = target
        if there:
            others[others.index(25 - target)] = HIT
        yield Checkers(tuple(sorted(own)), tuple(sorted(others)))


def plays(board: Checkers, high: int, low: int, exact: bool) -> tuple[int, set[Checkers]]:
    """The number of numbers that must be played, and every board that a legal play may leave."""
    orders = [(high,) * 4] if high == low else [(high, low), (low, high), (high,), (low,)]
    found = []
    for order in orders:
        boards, used = {board}, 0
        for number in order:
            following = {after for one in boards for after in single_moves(one, number, exact)}
            if not following:
                break
            boards, used = following, used + 1
        found.append((used, boards))
    most = max(used for used, _ in found)
    if most == 1 and high != low:
        found = [one for one in found[2:] if one[0]][:1]
    return most, set().union(*(boards for used, boards in found if used == most))
