"""One reading of the checkers as chances, and its likelihood for a position.

Points are physical, as seen in the picture: 1 the bottom right corner, 12 the bottom left one, 24 the top right one.
Colour a is the lighter one. A point has 31 classes: 0 empty, 1 to 15 checkers of colour a, 16 to 30 are 1 to 15 of
colour b.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import exp, log, sqrt
from typing import Any, Protocol, TypeAlias

from companion.game.events import Orientation
from companion.rules.board import BAR, HOME, OFF, Board, Checkers, Position, Side

Logs: TypeAlias = tuple[float, ...]
"""Natural logarithms of chances, one for each class."""

POINTS = 24
MOST = 15
"""Most checkers of one colour on a point."""
CLASSES = 2 * MOST + 1
MIXED = 0.01
"""Share of an even distribution mixed into each reading: one point read wrongly with certainty costs 8 nats at most,
so that no single point decides alone against two others."""
HEAP, HEAP_MIXED = 5, 0.1
"""Of a point with this many checkers or more: the share of its chances that goes to one checker fewer and one more.
A checker that lies on others may hide them, or hardly show itself, in every picture."""
TALL = 7
"""Least of a tall heap, which looks alike with one checker more or fewer: that it looks as it did says as little as its
reading. Of five or six, and in the bear-off, the comparison tells more."""
PILE, OF_PILE = 11, 2.0
"""Fewest checkers of which some lie in a third layer, and the most, in nats, that a view says of how many do: one more
hardly shows in any picture."""
UNCOUNTED, HEAP_COUNTS = 8, 8.0
"""Where nothing is hit fifteen checkers begin on one point. The pictures hardly count a heap of so many or more: each
number from here up has the same chance, this part of the chance of any heap."""
LEAST_OF_HEAP = 4
"""Fewest checkers that such a heap is read as."""
COUNTED_UNDER = 0.3
"""Chance that a pinned checker is counted with those above it. Its colour is not seen."""
BAR_MIXED = 0.2
"""The same for the bar: a hit checker is often laid beside the board, and dice or the cube lie on the bar."""
SURPRISE = 6.0
"""Largest misfit of one point, in nats, of a board that a view shows. In the bear-off a single point may be all that
tells a legal play from an illegal one; and one that was left alone but reads clearly otherwise than in the record tells
that the record is wrong there."""


UNCLEAR = 1.0
"""A surprise that is no larger, in nats, needs no explanation."""


class PointPictures(Protocol):
    """Pictures of the points: `vision.checkers.pictures.PointPictures`, or something that behaves so in a test."""

    def changes_since(self, before: Any, counts: Sequence[tuple[int, int]]) -> Mapping[int, Logs]:
        """How much likelier it is that each point is of each class than that it is as it was in another picture, in
        nats; of physical points that can be compared.

        Args:
            before: the other picture.
            counts: checkers of colours a and b on each physical point in it.
        """
        ...

    def without(self, points: Collection[int]) -> "PointPictures":
        """The same, but for some points."""
        ...


class Tray(Protocol):
    """A picture of a tray: `vision.checkers.trays.TrayPicture`, or something that behaves so in a test."""

    def change_since(self, before: Any) -> float | None:
        """How much likelier it is that checkers were put there since another picture than that none was, in nats; None
        if these two cannot be compared.
        """
        ...


NOT_TOLD: Logs = (0.0,) * (MOST + 1)
"""Of the checkers of a side off the board, where nothing tells how many they are."""


@dataclass(frozen=True, slots=True)
class BoardView:
    """A reading of the checkers in one quiet picture, or several combined.

    Attributes:
        points: for each physical point, 1 first, the logarithms of its 31 classes; all 0 where it is covered.
        bar: for colour a and for b, the logarithms of 0 to 15 checkers on the bar; all 0 where it is covered.
        covered: the physical points that are covered.
        pictures: of the physical points; of a view that was not corrected or combined.
        trays: pictures of what lies beside corner points, by physical point; likewise.
        off: for colour a and for b, how the logarithms of 0 to 15 checkers off the board change by this view.
    """

    points: tuple[Logs, ...]
    bar: tuple[Logs, Logs]
    covered: frozenset[int] = frozenset()
    pictures: PointPictures | None = field(default=None, compare=False, repr=False)
    trays: Mapping[int, Tray] = field(default_factory=dict, compare=False, repr=False)
    off: tuple[Logs, Logs] = (NOT_TOLD, NOT_TOLD)

    @classmethod
    def of(
        cls,
        points: Sequence[Sequence[float] | None],
        bar: Sequence[Sequence[float] | None] = (None, None),
        pictures: PointPictures | None = None,
        trays: Mapping[int, Tray] | None = None,
    ) -> "BoardView":
        """The view of a reading.

        Args:
            points: 24 distributions over 31 classes; None: covered.
            bar: two distributions over 0 to 15 checkers, of colour a and of b; None: unknown.
            pictures: of the points.
            trays: of corner points, by point.

        Raises:
            ValueError: another number of points or classes.
        """
        if len(points) != POINTS or any(one is not None and len(one) != CLASSES for one in points):
            raise ValueError(f"a reading has {POINTS} points with {CLASSES} classes each")
        if len(bar) != 2 or any(one is not None and len(one) != MOST + 1 for one in bar):
            raise ValueError(f"the bar has two colours with {MOST + 1} counts each")
        rows = tuple(_logs(one and _with_heaps(one), CLASSES, MIXED) for one in points)
        a, b = (_logs(one, MOST + 1, BAR_MIXED) for one in bar)
        covered = frozenset(n for n, one in enumerate(points, 1) if one is None)
        return cls(rows, (a, b), covered, pictures, trays or {})


def _with_heaps(chances: Sequence[float]) -> list[float]:
    """The chances of a point, those of heaps shared with the counts beside them."""
    out = list(chances)
    for first in (0, MOST):
        for count in range(HEAP, MOST + 1):
            for near in (count - 1, count + 1):
                if HEAP <= near <= MOST:
                    moved = HEAP_MIXED / 2 * chances[first + count]
                    out[first + near] += moved
                    out[first + count] -= moved
    return out


def _logs(chances: Sequence[float] | None, classes: int, mixed: float) -> Logs:
    if chances is None:
        return (0.0,) * classes
    total = sum(chances)
    return tuple(log((1 - mixed) * chance / total + mixed / classes) for chance in chances)


def combined(views: Sequence[BoardView]) -> BoardView:
    """Several views of one position as one.

    A misreading comes from light and shadow and usually recurs in the next picture. Therefore n views of a point count
    as the square root of n independent ones.

    Raises:
        ValueError: there is no view.
    """
    if not views:
        raise ValueError("there is no view to combine")
    points = tuple(_pooled([view.points[at] for view in views]) for at in range(POINTS))
    a, b = (_pooled([view.bar[colour] for view in views]) for colour in (0, 1))
    off = tuple(_pooled([view.off[colour] for view in views]) for colour in (0, 1))
    covered = frozenset.intersection(*(view.covered for view in views))
    return BoardView(points, (a, b), covered, off=(off[0], off[1]))


def _pooled(rows: Sequence[Logs]) -> Logs:
    seen = [row for row in rows if any(row)]
    if not seen:
        return rows[0]
    weight = 1 / sqrt(len(seen))
    return tuple(weight * sum(column) for column in zip(*seen, strict=True))


SHARP = 4
"""Exponent of the overlap of two readings: 0.9 counts as much alike, 0.5 as different."""
UNCHANGED = 0.9
"""Chance that a point still holds what it held if it looks exactly as it did then. It bounds what the comparison may
say against a checker that was taken from a high stack, which hardly changes its look: 2.3 nats."""


UNTOUCHED = -2.0
"""A point that is taken for covered is as it was if its picture says so by more than this, in nats."""
MISREAD = 0.1
"""A heap that was read as what it held with less than this chance is misread, and will be again: of a later reading
only that it is a heap counts.
"""
MOST_CHANGED = 10
"""Points that look otherwise than before, at most, for that to count: a turn changes eight, and shadows of what lies
there now some more."""


def recalled(view: BoardView, before: BoardView, counts: Sequence[tuple[int, int]]) -> BoardView:
    """A view corrected by an earlier one of a known position: a point that is read as it was then is unchanged, unless
    its picture tells otherwise.

    Stacks are misread by their light, their order and their height, and dark checkers on dark points not seen, time
    after time in the same way. The pictures of both views tell more than their readings, see `_changes`; so they do of
    a point that is taken for covered, as one in a hard shadow often is.

    Args:
        view: the view to correct.
        before: the earlier view.
        counts: checkers of colours a and b on each physical point at that time.
    """
    rows = []
    changes = _changes(view, before, counts)
    for n, (now, then, (a, b)) in enumerate(zip(view.points, before.points, counts, strict=True), 1):
        known, told = a or (MOST + b if b else 0), changes.get(n, UNTOLD)
        change = max(one for k, one in enumerate(told) if k != known)
        if not any(now) and change < UNTOUCHED:
            rows.append(told)
            continue
        if not any(now) or not any(then):
            rows.append(now)
            continue
        chances = [exp(one) for one in now]
        alike = UNCHANGED * sum(map(min, chances, map(exp, then))) ** SHARP / exp(max(0.0, change))
        unchanged = [alike if one == known else 0.0 for one in range(CLASSES)]
        if max(a, b) >= TALL and change >= 0:
            unchanged = _with_heaps(unchanged)
        if max(a, b) >= HEAP and exp(then[known]) < MISREAD:
            chances = _without_count(chances, MOST if b else 0)
        mixed = [(1 - alike) * chance + other for chance, other in zip(chances, unchanged, strict=True)]
        row = tuple(log(one) + more for one, more in zip(mixed, told, strict=True))
        rows.append(_with_pile_in_doubt(row, MOST if b else 0) if max(a, b) >= PILE - 1 else row)
    return BoardView(tuple(rows), view.bar, view.covered)


def _without_count(chances: Sequence[float], first: int) -> list[float]:
    """The chances of a point, those of a side's heaps shared evenly; its class of n checkers is `first` + n."""
    heaps = range(first + LEAST_OF_HEAP, first + MOST + 1)
    share = sum(chances[k] for k in heaps) / len(heaps)
    return [share if k in heaps else one for k, one in enumerate(chances)]


def _with_pile_in_doubt(row: Logs, first: int) -> Logs:
    """The row of a point, in which a side's pile may have one checker more or fewer; its class of n checkers is
    `first` + n.
    """
    pile = range(first + PILE - 1, first + MOST + 1)
    least = max(row[k] for k in pile) - OF_PILE
    return tuple(max(one, least) if k in pile else one for k, one in enumerate(row))


UNTOLD: Logs = (0.0,) * CLASSES
"""Of a point whose pictures are not compared."""


def _changes(view: BoardView, before: BoardView, counts: Sequence[tuple[int, int]]) -> Mapping[int, Logs]:
    """How much likelier it is that points are of each class than that they are as they were, by the pictures of two
    views, in nats.

    Where more points have changed than a turn can change, light or camera did; then none is told to have changed.
    """
    if view.pictures is None or before.pictures is None:
        return {}
    changes = view.pictures.changes_since(before.pictures, counts)
    if sum(max(one) > 0 for one in changes.values()) > MOST_CHANGED:
        return {n: tuple(min(one, 0.0) for one in row) for n, row in changes.items()}
    return changes


def read_alike(view: BoardView, before: BoardView) -> tuple[bool, ...]:
    """Whether the same is likeliest on each physical point in two views; no where it is covered in one of them."""
    return tuple(
        any(now) and any(then) and now.index(max(now)) == then.index(max(then))
        for now, then in zip(view.points, before.points, strict=True)
    )


def physical_point(point: int, orientation: Orientation) -> int:
    """The physical point of south's n-point."""
    if orientation.home == "right":
        return point
    return 13 - point if point <= 12 else 37 - point


def colour_of(side: Side, orientation: Orientation) -> int:
    """0 if a side has colour a, the lighter one, 1 if it has colour b."""
    return int((side is Side.SOUTH) != (orientation.south == "light"))


@dataclass(frozen=True, slots=True)
class MoverView:
    """A view in the numbering of the side on roll.

    Attributes:
        mine: for each own point, 1 first, the logarithms of 0 to 15 own checkers there and none of the opponent's.
        theirs: the same for the opponent's checkers, still in the mover's numbering.
        my_bar, their_bar: the same for the bar.
        covered: own points that are covered.
        my_off, their_off: what the view tells of 0 to 15 checkers off the board.
    """

    mine: tuple[Logs, ...]
    theirs: tuple[Logs, ...]
    my_bar: Logs
    their_bar: Logs
    covered: frozenset[int]
    my_off: Logs = NOT_TOLD
    their_off: Logs = NOT_TOLD

    def at(self, n: int, position: Position) -> float:
        """The logarithm of the chance of what is seen on the mover's n-point, given the position."""
        own, other = position.mine[n], position.opposing(n)
        if own and other:
            pinned = bool(position.pinned >> n & 1)
            return _above_pinned(self.theirs[n - 1], other) if pinned else self.above(n, own)
        return self.theirs[n - 1][other] if other else self.mine[n - 1][own]

    def above(self, n: int, count: int) -> float:
        """The same for so many own checkers above a pinned one."""
        return _above_pinned(self.mine[n - 1], count)

    def on_bar(self, count: int, waiting: int) -> float:
        """The same for so many own checkers on place 25, of which some wait to enter and lie anywhere."""
        return _on_bar(self.my_bar, count, waiting)

    def bar(self, position: Position) -> tuple[float, float]:
        """The logarithms of the chances of what is seen of the mover's bar and of the opponent's, given a position."""
        waiting = position.not_entered
        return (
            self.on_bar(position.mine[BAR], waiting[0]),
            _on_bar(self.their_bar, position.theirs[BAR], waiting[1]),
        )

    def fit(self, position: Position) -> float:
        """The logarithm of the chance of this reading, given the position."""
        mine, theirs, opposite = position.mine, position.theirs, position.OPPOSITE
        total = sum(self.bar(position)) + self.my_off[mine[OFF]] + self.their_off[theirs[OFF]]
        for n in range(1, POINTS + 1):
            own, other = mine[n], theirs[opposite[n]]
            if own and other:
                total += self.at(n, position)
            else:
                total += self.theirs[n - 1][other] if other else self.mine[n - 1][own]
        return total

    def surprise(self, n: int, position: Position) -> float:
        """How much less likely a position is on the mover's n-point than what is likeliest there, in nats; 0 for a heap
        that is seen as a heap and must hold what the side's other points leave.
        """
        found = max(*self.mine[n - 1], *self.theirs[n - 1]) - self.at(n, position)
        return 0.0 if found > UNCLEAR and self._holds_rest(n, position) else found

    def _holds_rest(self, n: int, position: Position) -> bool:
        """Whether the n-point holds a heap, as it seems, whose number the side's others tell: from above two rows of
        checkers, one on the other, look like one.
        """
        mine, other = position.mine[n], position.opposing(n)
        side, row = (position.mine, self.mine[n - 1]) if mine else (position.theirs, self.theirs[n - 1])
        return (
            max(mine, other) > HEAP
            and not (mine and other)
            and row.index(max(row)) >= HEAP
            and max(row) >= max(*self.mine[n - 1], *self.theirs[n - 1])
            and is_told_by_rest(side)
        )

    def misfit(self, position: Position) -> float:
        """How much less likely a position is on all points than what is likeliest on each, in nats."""
        return sum(self.surprise(n, position) for n in range(1, POINTS + 1))

    def otherwise(self, position: Position) -> frozenset[int]:
        """The points on which something else than this position is clearly shown."""
        return frozenset(n for n in range(1, POINTS + 1) if self.surprise(n, position) > SURPRISE)


def is_told_by_rest(side: Checkers) -> bool:
    """Whether a side's other checkers tell how many its heap holds: it has but one, and none can be borne off."""
    return sum(count >= HEAP for count in side[1:BAR]) == 1 and any(side[HOME + 1 :])


def _above_pinned(row: Logs, count: int) -> float:
    """The logarithm of the chance of a point's reading, given so many checkers above a pinned one."""
    more = min(count + 1, MOST)
    return log((1 - COUNTED_UNDER) * exp(row[count]) + COUNTED_UNDER * exp(row[more]))


def _on_bar(row: Logs, count: int, waiting: int) -> float:
    """The logarithm of the chance of what is seen on the bar; while checkers wait to enter, it says nothing."""
    return log(sum(map(exp, row)) / len(row)) if waiting else row[count]


def _heaps_uncounted(row: Logs) -> Logs:
    """The logarithms of 0 to 15 checkers of a colour, where the number of a heap is not seen."""
    heap = log(sum(map(exp, row[LEAST_OF_HEAP:])) / HEAP_COUNTS)
    return (*row[:UNCOUNTED], *(heap,) * (MOST + 1 - UNCOUNTED))


def seen_by(
    view: BoardView, side: Side, orientation: Orientation, kind: type[Position] = Position
) -> MoverView:
    """A view in the numbering of a side, in a game of a kind."""
    return _seen_by(view, side, orientation, kind.OPPOSITE, kind.HITS)


@lru_cache(maxsize=16)
def _seen_by(
    view: BoardView, side: Side, orientation: Orientation, opposite: tuple[int, ...], hits: bool
) -> MoverView:
    own = colour_of(side, orientation)
    numbers = range(1, POINTS + 1) if side is Side.SOUTH else opposite[1 : POINTS + 1]
    where = [physical_point(n, orientation) for n in numbers]
    rows = [view.points[point - 1] for point in where]
    light = tuple(row[: MOST + 1] for row in rows)
    dark = tuple((row[0], *row[MOST + 1 :]) for row in rows)
    if not hits:
        covers = [not any(row) for row in rows]
        light, dark = (
            tuple(row if hidden else _heaps_uncounted(row) for row, hidden in zip(one, covers, strict=True))
            for one in (light, dark)
        )
    mine, theirs = (light, dark) if own == 0 else (dark, light)
    covered = frozenset(n for n, point in enumerate(where, 1) if point in view.covered)
    return MoverView(
        mine, theirs, view.bar[own], view.bar[1 - own], covered, view.off[own], view.off[1 - own]
    )


def physical_counts(board: Board, orientation: Orientation) -> list[tuple[int, int]]:
    """Checkers of colour a and of colour b on each physical point, 1 first, without those that are pinned."""
    counts = [(0, 0)] * POINTS
    south_is_b = colour_of(Side.SOUTH, orientation)
    for n, count in enumerate(board.seen_by(Side.SOUTH).ints()[1:BAR], 1):
        pair = max(count, 0), max(-count, 0)
        counts[physical_point(n, orientation) - 1] = pair[::-1] if south_is_b else pair
    return counts
