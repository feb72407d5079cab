"""A second, slow statement of the family's rules, on stacks of checkers as they stand on a board.

It shares nothing with `companion`, so a mistake would have to be made twice. A board is 25 texts: the stacks on the
mover's points 1 to 24, the lowest checker first, `m` the mover's and `t` the opponent's; in front of them, under 0, the
mover's checkers borne off. Every order of every move is tried.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

Stacks = tuple[str, ...]


class Game(NamedTuple):
    """The rules of one game.

    Attributes:
        lands: whether a checker of the mover's may land on this stack.
        may_move: whether a move is allowed, from the stacks at the start of the turn, before and after it, its
            source, and the roll.
        must: whether a play has to be chosen where it can be, from the stacks before and after it; None: no duty.
    """

    lands: Callable[[str], bool]
    may_move: Callable[[Stacks, Stacks, Stacks, int, tuple[int, int]], bool]
    must: Callable[[Stacks, Stacks], bool] | None = None


def mine(board: Stacks) -> list[int]:
    """The mover's points, one for each checker on the board."""
    return [point for point in range(1, 25) for one in board[point] if one == "m"]


def opponents_way(point: int) -> int:
    """Points to go for an opposing checker of a running game: he starts on the mover's 12-point."""
    return (point - 13) % 24 + 1


def single_moves(
    game: Game, begun: Stacks, board: Stacks, number: int, roll: tuple[int, int]
) -> Iterator[Stacks]:
    """The boards after one checker has moved by one number."""
    pinned = any("m" in stack and stack.endswith("t") for stack in board[1:])
    for source in range(1, 25):
        if not board[source].endswith("m"):
            continue
        target, after = source - number, list(board)
        after[source] = after[source][:-1]
        if target >= 1:
            if not game.lands(board[target]):
                continue
            after[target] += "m"
        else:
            if max(mine(board)) > 6 or pinned or (target < 0 and source != max(mine(board))):
                continue
            after[0] += "m"
        if game.may_move(begun, board, tuple(after), source, roll):
            yield tuple(after)


def reached(
    game: Game, board: Stacks, numbers: tuple[int, ...], roll: tuple[int, int]
) -> tuple[int, set[Stacks]]:
    """The most of these numbers that can be played in this order, and the boards after them."""
    boards = {board}
    for played, number in enumerate(numbers):
        following = {after for one in boards for after in single_moves(game, board, one, number, roll)}
        if not following:
            return played, boards
        boards = following
    return len(numbers), boards


def plays(game: Game, board: Stacks, high: int, low: int, times: int = 4) -> tuple[int, set[Stacks]]:
    """The number of numbers that must be played, and every board that a legal play may leave.

    `times`: how often the number of a doublet is played.
    """
    roll = (high, low)
    orders = [(high,) * times] if high == low else [(high, low), (low, high), (high,), (low,)]
    found = [reached(game, board, order, roll) for order in orders]
    most = max(count for count, _ in found)
    if most == 1 and high != low:
        found = [one for one in found[2:] if one[0]][:1]
    results = set().union(*(boards for count, boards in found if count == most))
    if game.must:
        wanted = {after for after in results if game.must(board, after)}
        results = wanted or results
    return most, results


def _pins(stack: str) -> bool:
    return stack.count("t") < 2 and not (stack.startswith("m") and stack.endswith("t"))


def _empty_of_theirs(stack: str) -> bool:
    return "t" not in stack


def _any_move(begun: Stacks, board: Stacks, after: Stacks, source: int, roll: tuple[int, int]) -> bool:
    return True


def _held(board: Stacks, points: range) -> int:
    return sum("m" in board[point] for point in points)


def _newly_held(board: Stacks, after: Stacks, points: range = range(1, 25)) -> bool:
    return any("m" in after[point] and "m" not in board[point] for point in points)


def _first_passes(board: Stacks, source: int) -> bool:
    """A checker has passed the opponent's 12-point already, or this is the foremost one."""
    return bool(board[0]) or min(mine(board)) < 12 or source == min(mine(board))


def _fevga(begun: Stacks, board: Stacks, after: Stacks, source: int, roll: tuple[int, int]) -> bool:
    full = _newly_held(board, after, range(19, 25)) and _held(after, range(19, 25)) == 6
    return _first_passes(board, source) and not full


def _moultezim(begun: Stacks, board: Stacks, after: Stacks, source: int, roll: tuple[int, int]) -> bool:
    too_many = _newly_held(board, after, range(7, 13)) and _held(after, range(7, 13)) > 4
    return _first_passes(board, source) and not too_many


_OWN = {opponents_way(own): own for own in range(1, 25)}
"""The mover's number of the point that the opponent has so many points to go from."""
_ROWS = [(lowest, [_OWN[one] for one in range(lowest, lowest + 6)]) for lowest in range(1, 20)]
"""Six points in a row on the opponent's way: his lowest number of them, and the mover's numbers."""


def _long_nardy(begun: Stacks, board: Stacks, after: Stacks, source: int, roll: tuple[int, int]) -> bool:
    two = len(begun[24]) == 15 and roll in ((3, 3), (4, 4), (6, 6))
    if len(begun[24]) - len(after[24]) > (2 if two else 1):
        return False
    if not _newly_held(board, after) or "".join(board).count("t") < 15:
        return True  # with one borne off, one is ahead of every prime
    foremost = min(opponents_way(point) for point in range(1, 25) if "t" in board[point])
    return not any(
        foremost > lowest + 5
        and all("m" in after[point] for point in row)
        and not all("m" in board[point] for point in row)
        for lowest, row in _ROWS
    )


def _opens(board: Stacks, after: Stacks) -> bool:
    """Whether no duty to open a prime stands, or it is done."""
    for point in range(1, 25):
        if board[point].count("t") == 15:
            ahead = [opponents_way(point) - step for step in range(1, 7)]
            if min(ahead) < 1 or not all("m" in board[_OWN[one]] for one in ahead):
                return True
            return not all("m" in after[_OWN[one]] for one in ahead)
    return True


GAMES = {
    "plakoto": Game(_pins, _any_move),
    "fevga": Game(_empty_of_theirs, _fevga, _opens),
    "moultezim": Game(_empty_of_theirs, _moultezim),
    "long_nardy": Game(_empty_of_theirs, _long_nardy),
    "gul_bara": Game(_empty_of_theirs, _any_move),
    "jioul": Game(_empty_of_theirs, _any_move),
}
"""The games by the name of their profile."""
