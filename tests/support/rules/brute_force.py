"""A second, brute-force implementation of the rules: every order of every move, on 26 signed ints and a count off.

It shares nothing with `companion`, so that a mistake would have to be made twice. A board is (pos, off): `pos` as in
the oracle, the mover's checkers above zero; `off` his own borne-off checkers.
"""

from collections.abc import Iterator
from typing import TypeAlias

Board: TypeAlias = tuple[tuple[int, ...], int]


def single_moves(
    board: Board, number: int, any_checker: bool = False, forced: bool = False
) -> Iterator[Board]:
    """The boards after one checker has moved by one number."""
    pos, off = board
    borne, moved = [], []
    for source in range(25, 0, -1):
        if pos[source] <= 0 or (pos[25] and source != 25):
            continue
        target = source - number
        after = list(pos)
        after[source] -= 1
        if target >= 1:
            if pos[target] <= -2:
                continue
            if pos[target] == -1:
                after[target] = 0
                after[0] -= 1
            after[target] += 1
            moved.append((tuple(after), off))
        elif all(pos[place] <= 0 for place in range(7, 26)):
            highest = max(place for place in range(1, 26) if pos[place] > 0)
            if target == 0 or any_checker or source == highest:
                borne.append((tuple(after), off + 1))
    yield from borne
    if not (forced and borne):
        yield from moved


def sequences(board: Board, numbers: tuple[int, ...], **rules: bool) -> Iterator[tuple[int, Board]]:
    """Every way to play these numbers in this order as far as possible: (number of numbers played, the board)."""
    stuck = True
    if numbers:
        for after in single_moves(board, numbers[0], **rules):
            stuck = False
            for count, end in sequences(after, numbers[1:], **rules):
                yield count + 1, end
    if stuck:
        yield 0, board


def modern(board: Board, one: int, other: int, **rules: bool) -> tuple[int, set[Board]]:
    """The number of numbers that must be played, and every board that a legal play may leave."""
    if one == other:
        found = set(sequences(board, (one,) * 4, **rules))
    else:
        found = set(sequences(board, (one, other), **rules)) | set(sequences(board, (other, one), **rules))
    most = max(count for count, _ in found)
    if most == 1 and one != other:
        higher = {(1, end) for end in single_moves(board, max(one, other), **rules)}
        lower = {(1, end) for end in single_moves(board, min(one, other), **rules)}
        found = higher or lower
    return most, {end for count, end in found if count == most}


def spielestart(board: Board, one: int, other: int, doublets: int) -> tuple[int, set[Board]]:
    """As `modern`, for the entry game."""
    rules = {"any_checker": True}
    if one == other:
        return _doublet(board, one, 4 if doublets else 2)
    low, high = sorted((one, other))
    found: set[tuple[int, Board]] = set()
    for after in single_moves(board, low, **rules):
        found.add((1, after))
        found |= {(2, end) for end in single_moves(after, high, **rules)}
    if board[0][25]:  # the higher number enters, and so need not wait for the lower
        for after in single_moves(board, high, **rules):
            found.add((1, after))
            found |= {(2, end) for end in single_moves(after, low, **rules)}
    most = max((count for count, _ in found), default=0)
    return most, {end for count, end in found if count == most} or {board}


def _doublet(board: Board, top: int, times: int) -> tuple[int, set[Board]]:
    """As many top numbers as possible, then any of the bottom numbers."""
    tops = set(sequences(board, (top,) * times, any_checker=True))
    most = max(count for count, _ in tops)
    reached = {end for count, end in tops if count == most}
    if not most:
        return 0, {board}
    found = set(reached)
    for _ in range(times):
        reached = {end for one in reached for end in single_moves(one, 7 - top, any_checker=True)}
        found |= reached
    return most, found
