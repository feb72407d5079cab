"""Honest dice statistics: how often each face and each roll came, and what that does and does not show.

The test is Pearson's chi-square against fair dice. It is only made where every expected count is at least five, since
below that its figures mean nothing.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.game.state import Opening, Played, Rolled, State
from companion.game.step import Table
from companion.game.throws import played_throw
from companion.rules.board import ROLLS, Roll, Side
from companion.rules.referee import Cocked, Unread, Valid

LEAST_EXPECTED = 5.0


@dataclass
class Tally:
    """What somebody's throws came to.

    Attributes:
        rolls: valid rolls, by the roll.
        opening: faces of opening dice, which are thrown singly.
        cocked: throws that did not count.
        unread: throws that could not be read.
        seen: valid rolls that the camera saw; the others were told.
    """

    rolls: Counter[Roll] = field(default_factory=Counter)
    opening: Counter[int] = field(default_factory=Counter)
    cocked: int = 0
    unread: int = 0
    seen: int = 0

    @property
    def faces(self) -> Counter[int]:
        """Every die that counted, by its face."""
        found = Counter(self.opening)
        for roll, count in self.rolls.items():
            found[roll.high] += count
            found[roll.low] += count
        return found

    def add(self, other: "Tally") -> None:
        """Take somebody else's throws in."""
        self.rolls += other.rolls
        self.opening += other.opening
        self.cocked += other.cocked
        self.unread += other.unread
        self.seen += other.seen


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """The outcome of a test; `p` is None where there were too few throws for one."""

    throws: int
    needed: int
    statistic: float
    degrees: int
    p: float | None


def chi_square(counts: Sequence[int], shares: Sequence[float]) -> ChiSquare:
    """Pearson's test of counts against the shares that are expected.

    Args:
        counts: how often each outcome came.
        shares: the probability of each; they add up to 1.
    """
    total, degrees = sum(counts), len(counts) - 1
    needed = math.ceil(LEAST_EXPECTED / min(shares))
    statistic = 0.0
    if total:
        statistic = sum(
            (count - total * share) ** 2 / (total * share)
            for count, share in zip(counts, shares, strict=True)
        )
    p = survival(statistic, degrees) if total >= needed else None
    return ChiSquare(total, needed, statistic, degrees, p)


def survival(statistic: float, degrees: int) -> float:
    """The probability that fair dice give a chi-square of at least this.

    The regularized upper incomplete gamma function by its finite sum: for whole halves it is a Poisson sum, for
    odd degrees one that begins with the complementary error function.
    """
    half = statistic / 2
    if degrees % 2 == 0:
        term = total = math.exp(-half)
        for n in range(1, degrees // 2):
            term *= half / n
            total += term
        return min(1.0, total)
    total = math.erfc(math.sqrt(half))
    term = math.sqrt(half / math.pi) * math.exp(-half) * 2
    for n in range((degrees - 1) // 2):
        total += term
        term *= half / (n + 1.5)
    return min(1.0, total)


# Counting


def tallies(tables: Iterable[Table]) -> dict[str, Tally]:
    """Every player's throws over some matches, by the player's name; what was taken back does not count."""
    found: dict[str, Tally] = {}
    for table in tables:
        for before, after, undone in _steps(table):
            if not undone:
                _count(found, before, after)
    return found


def _steps(table: Table) -> Iterable[tuple[State, State, bool]]:
    for before, entry in zip(table.entries, table.entries[1:], strict=False):
        yield before.state, entry.state, entry.undone or bool(entry.misfit)


def _count(found: dict[str, Tally], before: State, after: State) -> None:
    """Count what became of one throw."""
    throw = after.throw
    if throw is None or throw is before.throw or after.game != before.game:
        return
    ruling = throw.ruling
    if isinstance(before.phase, Opening) and isinstance(ruling, Valid):
        _count_opening(found, after, ruling)
        return
    side = throw.roller
    if side is None:
        return
    tally = found.setdefault(after.name(side), Tally())
    if throw.overruled is not None:
        _uncount(found, before)
    match ruling:
        case Valid(roll=roll):
            tally.rolls[roll] += 1
            tally.seen += 1 if throw.dice else 0
        case Cocked():
            tally.cocked += 1
        case Unread():
            tally.unread += 1


def _count_opening(found: dict[str, Tally], after: State, ruling: Valid) -> None:
    for side, face in ((Side.SOUTH, ruling.south), (Side.NORTH, ruling.north)):
        if face is not None:
            found.setdefault(after.name(side), Tally()).opening[face] += 1


def _uncount(found: dict[str, Tally], before: State) -> None:
    """A throw that a person has overruled counts as what it was ruled to be in the end, once, and for whom."""
    phase = before.phase
    throw = played_throw(before, phase) if isinstance(phase, (Rolled, Played)) else before.throw
    if throw is None or throw.roller is None:
        return
    tally = found.setdefault(before.name(throw.roller), Tally())
    match throw.ruling:
        case Valid(roll=roll) if tally.rolls[roll]:
            tally.rolls[roll] -= 1
            tally.seen -= 1 if throw.dice else 0
        case Cocked() if tally.cocked:
            tally.cocked -= 1
        case Unread() if tally.unread:
            tally.unread -= 1


# Saying


def faces_test(tally: Tally) -> ChiSquare:
    """Do the six faces come equally often?"""
    faces = tally.faces
    return chi_square([faces[face] for face in range(1, 7)], [1 / 6] * 6)


def pairs_test(tally: Tally) -> ChiSquare:
    """Do the 21 rolls come as often as they should, doubles once and all others twice in 36?"""
    return chi_square([tally.rolls[roll] for roll in ROLLS], [roll.weight / 36 for roll in ROLLS])


def sentence(test: ChiSquare, what: str) -> str:
    """What a test shows, and what it does not, in plain words."""
    if test.p is None:
        return f"{what}: {test.throws} are too few to say anything; from {test.needed} on the test means something."
    share = 100 * test.p
    chance = "less than 1" if share < 1 else f"{share:.0f}"
    said = (
        f"{what}: chi-square {test.statistic:.1f} with {test.degrees} degrees of freedom over {test.throws}; "
        f"fair dice would look at least this uneven in {chance} of 100 such samples."
    )
    if test.p < 0.01:
        return (
            said
            + " That is rare, yet it happens with fair dice too, and the more samples one looks at the more often;"
            " it says nothing about who or what made it so."
        )
    return said + " Nothing here speaks against the dice; it does not prove them fair either."


def statistics(by_player: Mapping[str, Tally]) -> dict[str, Any]:
    """Everything that `companion stats` says, as plain data."""
    every = Tally()
    for tally in by_player.values():
        every.add(tally)
    return {
        "all": _said(every),
        "players": {name: _said(tally) for name, tally in by_player.items()},
    }


def _said(tally: Tally) -> dict[str, Any]:
    faces, pairs = faces_test(tally), pairs_test(tally)
    throws = sum(tally.rolls.values())
    attempts = throws + tally.cocked
    return {
        "rolls": throws,
        "seen": tally.seen,
        "cocked": tally.cocked,
        "cocked_share": round(tally.cocked / attempts, 4) if attempts else None,
        "unread": tally.unread,
        "faces": {str(face): tally.faces[face] for face in range(1, 7)},
        "pairs": {f"{roll.high}-{roll.low}": tally.rolls[roll] for roll in ROLLS},
        "doubles": sum(count for roll, count in tally.rolls.items() if roll.is_doubles),
        "faces_test": _test(faces, "Single dice"),
        "pairs_test": _test(pairs, "Rolls"),
    }


def _test(test: ChiSquare, what: str) -> dict[str, Any]:
    return {
        "sample": test.throws,
        "chi_square": round(test.statistic, 3),
        "degrees_of_freedom": test.degrees,
        "p": None if test.p is None else round(test.p, 4),
        "sentence": sentence(test, what),
    }
