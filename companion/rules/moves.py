"""One move of one checker: its effect on a position, and a fast search over thousands of moves.

A search works on one whole number instead of a `Position`: byte n of it counts the mover's checkers on his place n
(0 off, 1 to 24, 25 the bar), and bit 208 + n is set if the blot on his n-point was hit. To move is to add a constant;
to be the same position is to be the same number. That is enough, because during one play nothing else changes: the
opponent's points stay made, and a blot that was hit leaves its point open.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import compress
from struct import Struct
from typing import NamedTuple, TypeAlias

from companion.errors import BadPositionError, IllegalPlayError
from companion.rules.board import BAR, HOME, OFF, Checkers, Position, positions_of
from sentence import say

DOUBLET_TIMES = 4
"""How often the number of a doublet is played."""
Packed: TypeAlias = int
"""The mover's checkers and the blots he has hit, as one whole number (see above)."""
Way: TypeAlias = tuple[int, int, int]
"""A move of one checker by a certain number: its source, the addend to a packed position, and the bit of the hit."""


class Move(NamedTuple):
    """One checker moved by one number, in the mover's numbering; the bar (or tray) is 25, borne off 0."""

    source: int
    target: int
    hits: bool = False


Play: TypeAlias = tuple[Move, ...]
"""All moves of one roll; () is a dance."""


Limit: TypeAlias = Callable[[Packed, list[Way]], list[Way]]
"""A rule that forbids moves: those of a number at a position, reduced to the allowed ones."""


@dataclass(frozen=True, slots=True)
class MovingRules:
    """A profile's rules of moving and of bearing off.

    Attributes:
        any_checker: a number higher than needed may take any checker it reaches, not the highest only.
        forced: a number that can bear off has to.
        while_pinned: a pinned checker at home does not keep the others from being borne off.
        limit: a further rule of moving for this turn.
        exact: bearing off needs the exact number.
        not_entered: how many of the checkers on the bar need not enter before others move.
    """

    any_checker: bool = False
    forced: bool = False
    while_pinned: bool = False
    limit: Limit | None = None
    exact: bool = False
    not_entered: int = 0

    @property
    def in_order(self) -> bool:
        """Whether the order of the moves can matter, so that a search has to try each."""
        return self.forced or self.limit is not None


class Ways(NamedTuple):
    """All possible moves of one number on a board, for a whole play."""

    number: int
    enter: list[Way]
    across: list[Way]
    off: list[Way]
    rules: MovingRules


MODERN = MovingRules()
_PLACES = tuple(range(1, BAR + 1))
_HITS_FROM = 8 * 26
_BYTES = 30
_CHECKERS = Struct("26B4x")
_OUTSIDE_HOME = sum(255 << 8 * place for place in range(HOME + 1, BAR + 1))
_ABOVE = [sum(255 << 8 * place for place in range(point + 1, BAR + 1)) for point in range(BAR + 1)]


def _way(source: int, number: int, hits: bool) -> Way:
    """The move of one checker from one place by one number."""
    target = max(OFF, source - number)
    return source, (1 << 8 * target) - (1 << 8 * source), 1 << _HITS_FROM + target if hits else 0


_LANDING = [[_way(source, number, hits=False) for source in range(26)] for number in range(7)]
_HITTING = [[_way(source, number, hits=True) for source in range(26)] for number in range(7)]
_BEARING_OFF = [_LANDING[number][number:OFF:-1] for number in range(7)]


def ways(number: int, position: Position, places: Iterable[int], rules: MovingRules) -> Ways:
    """The possible moves of a number from these places on this board.

    Two or more opposing checkers close a point; a single one is hit. Other games: `_ways_without_hits`.

    Args:
        number: 1 to 6.
        position: before the play.
        places: places at which the mover's checkers are or may stop.
        rules: the profile's rules of moving.
    """
    if not position.HITS:
        return _ways_without_hits(number, position, places, rules)
    theirs = position.theirs
    by_landing = _LANDING[number], _HITTING[number]
    return Ways(
        number,
        [by_landing[theirs[number]][BAR]] if theirs[number] < 2 else [],
        [
            by_landing[there][source]
            for source in places
            if source > number and (there := theirs[25 - source + number]) < 2
        ],
        _bearing_off(number, rules),
        rules,
    )


def _bearing_off(number: int, rules: MovingRules) -> list[Way]:
    """The moves that bear off by a number, from its own point down, or from that point alone."""
    return _BEARING_OFF[number][:1] if rules.exact else _BEARING_OFF[number]


def _ways_without_hits(number: int, position: Position, places: Iterable[int], rules: MovingRules) -> Ways:
    """The same where nothing is hit: a pinned checker cannot move, and may keep the others from being borne off."""
    landing, pinned = _LANDING[number], position.pinned
    return Ways(
        number,
        [] if position.is_closed(BAR - number) else [landing[BAR]],
        [
            landing[source]
            for source in places
            if source > number and not pinned >> source & 1 and not position.is_closed(source - number)
        ],
        [
            way
            for way in _bearing_off(number, rules)
            if not pinned or (rules.while_pinned and not pinned >> way[0] & 1)
        ],
        rules,
    )


def movable(packed: Packed, ways: Ways) -> list[Way]:
    """The moves that a number allows now: the rules of moving, all in one place.

    Checkers on the bar enter first, but for those not entered yet, if the rules let them wait. Bearing off needs all
    checkers at home, and the number itself or a higher one from the highest point (from any point, if the rules allow
    it). A game's own limits come last. The position after `way` is `packed + way.step | way.hit`.
    """
    number, enter, across, off, rules = ways
    counts = packed.to_bytes(_BYTES, "little")
    if counts[BAR] > rules.not_entered:
        return enter
    moving = [way for way in across if counts[way[0]]]
    if not packed & _OUTSIDE_HOME:
        bearing_off = [
            way
            for way in off
            if counts[way[0]] and (way[0] == number or rules.any_checker or not packed & _ABOVE[way[0]])
        ]
        moving = bearing_off if rules.forced and bearing_off else moving + bearing_off
    return rules.limit(packed, moving) if rules.limit else moving


def after_each(packed: Packed, ways: Ways) -> list[Packed]:
    """The position after each move that `movable` allows."""
    counts = packed.to_bytes(_BYTES, "little")
    # neither entering nor bearing off
    if packed & _OUTSIDE_HOME and not counts[BAR] and ways.rules.limit is None:
        return [packed + step | hit for source, step, hit in ways.across if counts[source]]
    return [packed + step | hit for _, step, hit in movable(packed, ways)]


def after_each_below(packed: Packed, ways: Ways, last: int) -> list[tuple[Packed, int]]:
    """The same for the checkers on place `last` and below it, each with its source."""
    counts = packed.to_bytes(_BYTES, "little")
    plain = packed & _OUTSIDE_HOME and not counts[BAR]
    return [
        (packed + step | hit, source)
        for source, step, hit in (ways.across if plain else movable(packed, ways))
        if source <= last and counts[source]
    ]


def places(mine: Checkers, numbers: Iterable[int]) -> set[int]:
    """Places at which the mover's checkers are or may stop on the way."""
    found = set(compress(_PLACES, mine[1:]))
    for number in numbers:
        found.update([place - number for place in found if place > number])
    return found


def pack(mine: Checkers) -> Packed:
    """One side's checkers as one whole number; BadPositionError if a count is below 0 or above 255."""
    try:
        return int.from_bytes(bytes(mine), "little")
    except ValueError:
        raise BadPositionError(say("Some point has too many checkers, or fewer than none.")) from None


def pack_after(position: Position, after: Position) -> Packed | None:
    """A position after the mover's play, packed; None if the opponent's checkers cannot have come there."""
    hits = 0
    mine, theirs = position.not_entered
    unseen = position.pinned, (min(mine, after.mine[BAR]), theirs)
    if type(after) is not type(position) or (after.pinned, after.not_entered) != unseen:
        return None
    if after.theirs != position.theirs:
        if not position.HITS:
            return None
        before_after = enumerate(zip(position.theirs, after.theirs, strict=True))
        hits = sum(
            1 << 25 - point for point, (was, now) in before_after if was == 1 and now == 0 < point < BAR
        )
    if min(after.mine) < 0 or _after_hits(position.theirs, hits) != after.theirs:
        return None
    return pack(after.mine) | hits << _HITS_FROM


def unpack(packed: Collection[Packed], position: Position) -> list[Position]:
    """The positions of packed ones that can follow this one."""
    theirs = position.theirs
    after_hits = {hits: _after_hits(theirs, hits) for hits in {one >> _HITS_FROM for one in packed}}
    mines = _CHECKERS.iter_unpack(b"".join([one.to_bytes(_BYTES, "little") for one in packed]))
    all_theirs = [after_hits[one >> _HITS_FROM] for one in packed]
    return positions_of(mines, all_theirs, position)


def _after_hits(theirs: Checkers, hits: int) -> Checkers:
    """The opponent's checkers with the hit blots on the bar; bit n of `hits` is the mover's n-point."""
    return with_hits(theirs, [point for point in range(1, 25) if hits >> point & 1]) if hits else theirs


def with_hits(theirs: Checkers, points: Iterable[int]) -> Checkers:
    """The opponent's checkers after a hit on each of these points, in the mover's numbering."""
    left = list(theirs)
    for point in points:
        left[25 - point] -= 1
        left[BAR] += 1
    return tuple(left)


def moved(mine: Checkers, steps: Iterable[tuple[int, int]]) -> Checkers:
    """One side's checkers after these (source, target) steps; a count below 0 where there was none to move."""
    left = list(mine)
    for source, target in steps:
        left[source] -= 1
        left[target] += 1
    return tuple(left)


def play_of(steps: Iterable[tuple[int, int]], position: Position) -> Play:
    """A play from its (source, number) steps in the order of moving, with what it hits in this position."""
    made = []
    blots = position.blots()
    for source, number in steps:
        target = max(OFF, source - number)
        made.append(Move(source, target, target in blots))
        blots.discard(target)
    return tuple(made)


def carried_out(position: Position, steps: Sequence[tuple[int, int]]) -> tuple[Position, Play]:
    """The position after some moves, legal or not, and the moves with their hits.

    Raises:
        IllegalPlayError: a move that is physically impossible: no checker at the source, a target that is no
            place on the board, or two or more opposing checkers on it.
    """
    play: list[Move] = []
    for source, target in steps:
        if not (OFF < source <= BAR and OFF <= target <= 24) or source == target:
            raise IllegalPlayError(
                say("{source}/{target} is no move on a board.", source=source, target=target)
            )
        if not position.mine[source]:
            place = say("on the bar") if source == BAR else say("on the {source} point", source=source)
            raise IllegalPlayError(say("There is no checker of the mover’s {place}.", place=place))
        held = position.opposing(target) if target != OFF else 0
        if position.pinned >> source & 1:
            raise IllegalPlayError(
                say("The checker on the {source} point is pinned and cannot move.", source=source)
            )
        if target != OFF and position.is_closed(target) and held < 2:
            raise IllegalPlayError(say("The opponent holds the {target} point.", target=target))
        if held > 1:
            raise IllegalPlayError(
                say(
                    "The {target} point is held by {opposing} opposing checkers.",
                    target=target,
                    opposing=held,
                )
            )
        play.append(Move(source, target, held == 1 and position.HITS))
        position = after(position, play[-1])
    return position, tuple(play)


def after(position: Position, move: Move) -> Position:
    """The position after a move; a hit checker is on its owner's bar."""
    theirs = with_hits(position.theirs, [move.target]) if move.hits else position.theirs
    return position.with_checkers(moved(position.mine, [(move.source, move.target)]), theirs)


def moves_between(before: Checkers, after: Checkers) -> Play | None:
    """Moves that take one side's checkers from `before` to `after`, the highest first; None if one would go
    backwards."""
    left = [place for place in range(BAR, -1, -1) for _ in range(max(0, before[place] - after[place]))]
    come = [place for place in range(BAR, -1, -1) for _ in range(max(0, after[place] - before[place]))]
    if len(left) != len(come) or any(source <= target for source, target in zip(left, come, strict=True)):
        return None
    return tuple(Move(source, target) for source, target in zip(left, come, strict=True))
