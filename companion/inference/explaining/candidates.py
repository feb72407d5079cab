"""The possible positions after a roll, each weighed by a view of the checkers."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from math import exp, log
from typing import TypeAlias

from companion.inference.explaining.search import MISFIT, any_position, likely_positions, moving
from companion.inference.views import HEAP, LEAST_OF_HEAP, PILE, UNCOUNTED, MoverView
from companion.rules.board import BAR, ROLLS, Checkers, Position, Roll
from companion.rules.moves import Play
from companion.rules.plays import Plays

PlaysOf: TypeAlias = Callable[[Position, Roll], Plays]
"""The legal plays of a roll under the profile."""

ILLEGAL = log(0.01)
"""An illegal play is made in about one turn of a hundred; the shared games have four."""
NOTHING = log(0.01)
"""The dice were picked up and the checkers stand as before, although something can be played."""
DISORDER = log(1e-8)
"""The opponent's checkers were moved, or a checker is nowhere."""
WORTH_KEEPING = 9.0
"""Candidates less likely than the best by more than this, in nats, are dropped: one in 8,000."""
LITTLE = log(20)
"""A point hardly prefers a position by no more than this, in nats."""
LITTLE_OF_HEAP = 11.0
"""The same of a heap: as much as readings alone may say, which show its height badly; pictures that are compared say
more."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible position after a roll.

    Attributes:
        after: the position, as the mover sees it.
        roll: the roll, None for a position that no known roll explains.
        play: the legal play, () for a dance; None: no legal play leaves this position.
        weight: logarithm of its chance up to a constant.
    """

    after: Position
    roll: Roll | None
    play: Play | None
    weight: float


def candidates(
    view: MoverView, before: Position, rolls: Sequence[Roll], plays_of: PlaysOf, keep: float = WORTH_KEEPING
) -> list[Candidate]:
    """The likely positions after a turn, the most likely first: every legal result, no change, illegal results.

    Args:
        view: the checkers after the turn, in the mover's numbering.
        before: the position before it.
        rolls: the roll, or the possible rolls where the dice were not read; () for all of them.
        plays_of: the profile's legal plays.
        keep: how much less likely than the best a candidate may be, in nats.
    """
    given = rolls or ROLLS
    found = [one for roll in given for one in _legal(view, roll, plays_of(before, roll), len(given), keep)]
    known = {one.after for one in found}
    roll = given[0] if len(given) == 1 else None
    if before not in known:
        found.append(Candidate(before, roll, None, NOTHING + view.fit(before)))
    found += _illegal(view, before, roll, known | {before})
    best = max(one.weight for one in found)
    return sorted((one for one in found if one.weight > best - keep), key=lambda one: -one.weight)


def _legal(view: MoverView, roll: Roll, plays: Plays, rolls: int, keep: float) -> Iterable[Candidate]:
    """The legal results of a roll; all are equally likely beforehand."""
    prior = -log(len(plays)) - log(rolls)
    fits = {after: prior + view.fit(after) for after in plays}
    best = max(fits.values())
    for after, weight in fits.items():
        if weight > best - keep:
            yield Candidate(after, roll, plays[after], weight)


def _illegal(
    view: MoverView, before: Position, roll: Roll | None, known: set[Position]
) -> Iterable[Candidate]:
    """The most likely positions without regard to the roll; where none of them fits, any position at all."""
    found = likely_positions(view, before)
    for after, prior in found:
        if after not in known:
            yield Candidate(after, roll, None, ILLEGAL + prior + view.fit(after))
    others = known.union(after for after, _ in found)
    if all(view.misfit(after) > MISFIT or view.otherwise(after) for after in others):
        after = any_position(view, before)
        if after not in known:
            yield Candidate(after, None, None, DISORDER + view.fit(after))


def lag(view: MoverView, before: Position, after: Position, legal: Iterable[Position]) -> float:
    """How much better another position fits the view than this one, in nats; 0: none does.

    Compared are the legal results, no change, and the likeliest illegal results. How rarely illegal plays are made does
    not count for these, but that they move more checkers than this one, or take some from the board too early.
    """
    fit = view.fit(after)
    best = max(map(view.fit, (*legal, before)))
    moved = moving(before, after)
    illegal = (view.fit(one) + min(0.0, prior - moved) for one, prior in likely_positions(view, before))
    best = max([best, *illegal])
    return max(0.0, best - fit)


def rests_on_little(
    view: MoverView, after: Position, legal: Iterable[Position], misread: Collection[int] = ()
) -> bool:
    """Whether only points that say little tell a position from a legal result: too little to call a play illegal.

    These are points, or a half of the bar, on which the view hardly prefers the position, and points of the mover's
    that are known to be misread.
    """
    for one in legal:
        unclear = [n for n in range(1, BAR) if _is_unclear(view, n, after, one)]
        mine = {*misread, *unclear}
        theirs = {after.OPPOSITE[n] for n in mine}
        if view.bar(after)[0] - view.bar(one)[0] <= LITTLE:
            mine.add(BAR)
        if view.bar(after)[1] - view.bar(one)[1] <= LITTLE:
            theirs.add(BAR)
        if _alike(after.mine, one.mine, mine) and _alike(after.theirs, one.theirs, theirs):
            return True
    return False


def _is_unclear(view: MoverView, n: int, after: Position, other: Position) -> bool:
    """Whether the view hardly prefers a position to another one on a point."""
    fewer, more = sorted((after.mine[n], other.mine[n]))
    is_heap = fewer >= HEAP - 1 and more >= HEAP
    little = LITTLE_OF_HEAP if is_heap else LITTLE
    return (is_heap and more >= PILE) or view.at(n, after) - view.at(n, other) <= little


def _alike(side: Checkers, other: Checkers, unclear: Collection[int]) -> bool:
    """Whether a side's checkers on points and bar differ only on points that are not clear."""
    pairs = enumerate(zip(side[1:], other[1:], strict=True), 1)
    return all(one == two or n in unclear for n, (one, two) in pairs)


def has_uncounted(position: Position) -> bool:
    """Whether some of the mover's checkers are not counted, in a heap or off the board before they enter.

    Then a misread point makes no checker missing elsewhere, so that it can look like an illegal play.
    """
    heap = not position.HITS and max(position.mine[1:BAR]) >= UNCOUNTED
    return heap or position.not_entered[0] > 0


def shows_more(view: MoverView, after: Position) -> bool:
    """Whether a point looks as if more of the mover's checkers were on it than this position has there.

    Heaps and points with opposing checkers are left out. Not needed where the checkers are counted: there the one that
    is too many is missing elsewhere.
    """
    return any(
        max(row[count + 1 :]) > row[count]
        for n, (row, count) in enumerate(zip(view.mine, after.mine[1:BAR], strict=True), 1)
        if count < LEAST_OF_HEAP - 1 and not after.opposing(n)
    )


def chances(weights: Sequence[float]) -> list[float]:
    """Chances from logarithmic weights; [] for none."""
    if not weights:
        return []
    best = max(weights)
    shares = [exp(weight - best) for weight in weights]
    total = sum(shares)
    return [share / total for share in shares]
