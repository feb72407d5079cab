"""Rules that forbid moves in running games: first checker, head, primes; docs/rules/family.md, rows F5 to F9.

Each works on packed positions (companion/rules/moves.py), where byte n counts the mover's checkers on his place n, and
holds after every single move of a play.
"""

from collections.abc import Callable

from companion.rules.board import OFF, Position, Roll
from companion.rules.moves import Limit, Packed, Way
from companion.rules.profile import Profile
from companion.rules.setting_values import LeavingStart, Primes

HEAD = 24
"""The point on which all checkers of a running game start."""
THEIR_HEAD = 12
_TWO_FROM_HEAD = (Roll(6, 6), Roll(4, 4), Roll(3, 3))
_POINTS = sum(255 << 8 * point for point in range(1, 25))
_LOW_BITS = sum(127 << 8 * point for point in range(1, 25))
_HIGH_BITS = sum(128 << 8 * point for point in range(1, 25))
_OWN_START = sum(128 << 8 * point for point in range(19, 25))
_THEIR_START = sum(128 << 8 * point for point in range(7, 13))
_PASSED = sum(255 << 8 * point for point in range(THEIR_HEAD))
_HALF_ROUND = 8 * 12
_LOWER_HALF = sum(255 << 8 * point for point in range(1, 13))


def limit_of(profile: Profile, position: Position, roll: Roll) -> Limit | None:
    """The further rules of moving of a profile for one turn; None if it has none."""
    limits = [limit for limit in (_of_start(profile, position, roll), _of_primes(profile, position)) if limit]
    if len(limits) < 2:
        return limits[0] if limits else None
    first, second = limits
    return lambda packed, moves: second(packed, first(packed, moves))


def opening_of(profile: Profile, position: Position) -> Callable[[Packed], bool] | None:
    """Whether a play opens the mover's prime, where it has to if it can (row F6); None where nothing has to be opened.

    It has to if all the opponent's checkers are on one point and the mover holds the six points in front of it.
    """
    if profile.primes is not Primes.OWN_START_OPEN:
        return None
    stack = max(range(26), key=lambda place: position.theirs[place])
    ahead = [position.OPPOSITE[place] for place in range(stack - 1, stack - 7, -1) if place > OFF]
    if position.theirs[stack] < profile.checkers or len(ahead) < 6:
        return None
    if not all(position.mine[point] for point in ahead):
        return None
    prime = [255 << 8 * point for point in ahead]
    return lambda packed: not all(packed & point for point in prime)


def _of_start(profile: Profile, position: Position, roll: Roll) -> Limit | None:
    """The rule of leaving the start."""
    match profile.leaving_start:
        case LeavingStart.FREE:
            return None
        case LeavingStart.FIRST_CHECKER_PASSES:
            return None if any(position.mine[:THEIR_HEAD]) else _first_checker
        case LeavingStart.ONE_A_TURN:
            all_there = position.mine[HEAD] == profile.checkers
            return _from_head(position.mine[HEAD] - (2 if all_there and roll in _TWO_FROM_HEAD else 1))


def _first_checker(packed: Packed, moves: list[Way]) -> list[Way]:
    """Until one checker has passed the opponent's start only the foremost may move."""
    if packed & _PASSED:
        return moves
    foremost = ((packed & -packed).bit_length() - 1) // 8
    return [way for way in moves if way[0] == foremost]


def _from_head(floor: int) -> Limit:
    """So many checkers stay on the head."""

    def limit(packed: Packed, moves: list[Way]) -> list[Way]:
        if packed >> 8 * HEAD & 255 > floor:
            return moves
        return [way for way in moves if way[0] != HEAD]

    return limit


def _of_primes(profile: Profile, position: Position) -> Limit | None:
    """The rule against primes: it forbids a move that occupies a point and leaves what is forbidden."""
    match profile.primes:
        case Primes.FREE:
            return None
        case Primes.OWN_START_OPEN:
            return _without(_fills_own_start, _OWN_START, 5) if sum(position.mine[19:25]) >= 6 else None
        case Primes.FOUR_IN_THEIR_START:
            return _without(_five_in_their_start, _THEIR_START, 4)
        case Primes.ONE_AHEAD:
            foremost = next(place for place in range(26) if position.theirs[place])
            return _six_before(foremost) if foremost > 6 else None


def _without(forbidden: Callable[[Packed], Packed], points: Packed, most: int) -> Limit:
    """A limit that excludes moves to a point without own checkers that lead to more of what is forbidden.

    `forbidden` gives it as bits, 0 for none. There can be none after a move unless at least `most` of `points` are held
    before it. What an illegal play has left that was let stand excludes no further move.
    """

    def limit(packed: Packed, moves: list[Way]) -> list[Way]:
        if (_held(packed) & points).bit_count() < most:
            return moves
        allowed, before = [], forbidden(packed)
        for way in moves:
            target = _target(way)
            held = target == OFF or packed >> 8 * target & 255
            if held or not forbidden(packed + way[1]) & ~before:
                allowed.append(way)
        return allowed

    return limit


def _target(way: Way) -> int:
    """The place where a way ends: the highest byte that it adds to, below its source."""
    return ((way[1] + (1 << 8 * way[0])).bit_length() - 1) // 8


def _held(packed: Packed) -> int:
    """The high bit of each byte of a point with a checker."""
    return ((packed & _POINTS) + _LOW_BITS) & _HIGH_BITS


def _fills_own_start(packed: Packed) -> Packed:
    """The points of the mover's starting quarter if all six are his, else none."""
    return _OWN_START if _held(packed) & _OWN_START == _OWN_START else 0


def _five_in_their_start(packed: Packed) -> Packed:
    """The mover's points of the opponent's starting quarter if there are more than four, else none."""
    held = _held(packed) & _THEIR_START
    return held if held.bit_count() > 4 else 0


def _half_round(points: Packed) -> Packed:
    """Points of one side in the other's numbering."""
    lower = points & _LOWER_HALF
    return (points ^ lower) >> _HALF_ROUND | lower << _HALF_ROUND


def _six_before(foremost: int) -> Limit:
    """A limit that excludes six points in a row on the opponent's way, all ahead of his foremost checker."""
    ahead = sum(128 << 8 * point for point in range(1, foremost))

    def rows(packed: Packed) -> Packed:
        row = _half_round(_held(packed)) & ahead
        row &= row >> 8
        row &= row >> 16
        return row & row >> 16

    return _without(rows, _half_round(ahead), 5)
