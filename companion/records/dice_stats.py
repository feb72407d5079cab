"""Dice statistics: counts of each face and each roll, and a test of what they do and do not show.

The test is Pearson's chi-square against fair dice. It is made only if every expected count is at least five, as its
figures mean nothing below that.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from companion.game import events
from companion.game.state import Opening, Played, Rolled, State, Throw
from companion.game.table import Table
from companion.game.throws import dice_each, played_throw
from companion.rules.board import ROLLS, Roll, Side
from companion.rules.referee import Cocked, Unread, Valid, is_for_the_dice

LEAST_EXPECTED = 5.0


@dataclass
class Tally:
    """Counts of one player's throws.

    Attributes:
        rolls: valid rolls, by roll.
        opening: faces of opening dice, which are thrown singly.
        cocked: throws that did not count for how the dice lay; a roll before or out of its turn, or by hand, is not.
        unread: throws that could not be read.
        seen: valid rolls seen by the camera; the others were entered by hand.
    """

    rolls: Counter[Roll] = field(default_factory=Counter)
    opening: Counter[int] = field(default_factory=Counter)
    cocked: int = 0
    unread: int = 0
    seen: int = 0

    @property
    def faces(self) -> Counter[int]:
        """Count of each face over all dice that counted."""
        found = Counter(self.opening)
        for roll, count in self.rolls.items():
            found[roll.high] += count
            found[roll.low] += count
        return found

    def add(self, other: "Tally") -> None:
        """Add another tally's counts."""
        self.rolls += other.rolls
        self.opening += other.opening
        self.cocked += other.cocked
        self.unread += other.unread
        self.seen += other.seen


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """Result of a test; `p` is None if there were too few throws."""

    throws: int
    needed: int
    statistic: float
    degrees: int
    p: float | None


def chi_square(counts: Sequence[int], shares: Sequence[float]) -> ChiSquare:
    """Pearson's test of counts against expected shares.

    Args:
        counts: count of each outcome.
        shares: probability of each outcome; they add up to 1.
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
    """Probability that fair dice give a chi-square of at least this.

    It is the regularized upper incomplete gamma function as a finite sum: for even degrees a Poisson sum, for odd
    degrees one that begins with the complementary error function.
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
    """Each player's tally over some matches, by the player's name; throws that were undone do not count."""
    found: defaultdict[str, Tally] = defaultdict(Tally)
    for table in tables:
        counting = _Counting(found)
        for before, entry in pairwise(table.entries):
            if not entry.undone and not entry.misfit:
                counting.add(before.state, entry.event, entry.state)
    return dict(found)


_BRINGS_NO_THROW = (events.PositionSet, events.Undone, events.Amended, events.DisputeAnswered)
"""Events after which the last throw is one that was set by hand, or thrown before."""


@dataclass(slots=True)
class _Counting:
    """The counting of one match.

    Attributes:
        found: each player's tally, by name.
        known: throws that are counted, or must not be.
        by_hand: rolls of positions set by hand, which nobody threw here.
        opening: the last opening dice of this game, (player, face).
    """

    found: defaultdict[str, Tally]
    known: list[Throw] = field(default_factory=list)
    by_hand: list[Throw] = field(default_factory=list)
    opening: list[tuple[str, int]] = field(default_factory=list)

    def add(self, before: State, event: events.AnyEvent, after: State) -> None:
        """Count the throw of an event; an overruled or corrected one counts once, as it was ruled last."""
        if after.game != before.game:
            self.opening = []
            return
        self._add_opening(before, event, after)
        throw = after.throw
        if throw is None or throw is before.throw or _is_among(throw, self.known):
            return
        self.known.append(throw)
        if throw.roller is None:
            return
        earlier = _overruled(before) if isinstance(event, events.Overruled) else None
        if isinstance(event, _BRINGS_NO_THROW) or _is_among(earlier, self.by_hand):
            self.by_hand.append(throw)
            return
        _add(self.found, before, earlier, -1)
        _add(self.found, after, throw, 1)

    def _add_opening(self, before: State, event: events.AnyEvent, after: State) -> None:
        """Count the opening dice of an event, instead of those that it corrects or overrules."""
        reopened = isinstance(event, events.Overruled) and isinstance(after.phase, Opening)
        dice = None if dice_each(after) > 1 else _opening_dice(before, event, after)
        if dice is None and not reopened:
            return
        if before.phase in (Opening(), Opening(again=True)) and not reopened:
            self.opening = []  # those before it were equal: they stay counted
        for name, face in self.opening:
            self.found[name].opening[face] -= 1
        self.opening = [(after.name(side), face) for side, face in dice or ()]
        for name, face in self.opening:
            self.found[name].opening[face] += 1


def _is_among(throw: Throw | None, throws: Sequence[Throw]) -> bool:
    return any(throw is one for one in throws)


def _overruled(before: State) -> Throw | None:
    """The throw that a ruling is about."""
    phase = before.phase
    return played_throw(before, phase) if isinstance(phase, (Rolled, Played)) else before.throw


def _opening_dice(before: State, event: events.AnyEvent, after: State) -> list[tuple[Side, int]] | None:
    """The dice of an opening throw after an event that enters some, by side; None after any other event."""
    opening = before.phase if isinstance(before.phase, Opening) else None
    south: Sequence[int] = ()
    north: Sequence[int] = ()
    match event:
        case events.OpeningThrown(void=events.Void()) | events.RollTyped(void=events.Void()) if opening:
            return []
        case events.OpeningThrown():
            known = opening or Opening()
            south, north = event.south or known.south, event.north or known.north
        case events.RollTyped(side=Side() as side, roll=(high, low)) if opening:
            south, north = ((high,), (low,)) if side is Side.SOUTH else ((low,), (high,))
        case events.Thrown() if opening and after.throw and isinstance(after.throw.ruling, Valid):
            ruling = after.throw.ruling
            if ruling.south is not None and ruling.north is not None:
                south, north = (ruling.south,), (ruling.north,)
            elif ruling.roll.is_doubles:
                south, north = (ruling.roll.high,), (ruling.roll.low,)
        case _:
            return None
    return [(side, face) for side, dice in ((Side.SOUTH, south), (Side.NORTH, north)) for face in dice]


def _add(found: defaultdict[str, Tally], state: State, throw: Throw | None, times: int) -> None:
    """Add a throw to its roller's tally, or take it back (-1) if it was counted."""
    if throw is None or throw.roller is None:
        return
    tally = found[state.name(throw.roller)]
    match throw.ruling:
        case Valid(roll=roll) if tally.rolls[roll] + times >= 0:
            tally.rolls[roll] += times
            tally.seen += times if throw.dice else 0
        case Cocked() if is_for_the_dice(throw.ruling) and tally.cocked + times >= 0:
            tally.cocked += times
        case Unread() if tally.unread + times >= 0:
            tally.unread += times


# Report


def faces_test(tally: Tally) -> ChiSquare:
    """Test whether the six faces come equally often."""
    faces = tally.faces
    return chi_square([faces[face] for face in range(1, 7)], [1 / 6] * 6)


def pairs_test(tally: Tally) -> ChiSquare:
    """Test whether the 21 rolls come as often as expected: doubles once, all others twice in 36."""
    return chi_square([tally.rolls[roll] for roll in ROLLS], [roll.weight / 36 for roll in ROLLS])


def sentence(test: ChiSquare, what: str) -> str:
    """A test's result, and its limits, in plain words."""
    if test.p is None:
        few = f"{what}: {test.throws} counted, too few to say anything"
        return f"{few}; the test means something from {test.needed} on."
    share = 100 * test.p
    chance = "less than 1" if share < 1 else f"{share:.0f}"
    verdict = (
        "That is rare, yet it happens with fair dice too, and the more samples one looks at the more often; "
        "it says nothing about who or what made it so."
        if test.p < 0.01
        else "Nothing here speaks against the dice; it does not prove them fair either."
    )
    return (
        f"{what}: chi-square {test.statistic:.1f} with {test.degrees} degrees of freedom over {test.throws}; "
        f"fair dice would look at least this uneven in {chance} of 100 such samples. {verdict}"
    )


def statistics(by_player: Mapping[str, Tally]) -> dict[str, Any]:
    """The output of `companion stats`, as plain data."""
    every = Tally()
    for tally in by_player.values():
        every.add(tally)
    players = {name: _figures(tally) for name, tally in by_player.items()}
    return {"all": _figures(every), "players": players}


def _figures(tally: Tally) -> dict[str, Any]:
    throws = sum(tally.rolls.values())
    attempts = throws + tally.cocked
    return {
        "rolls": throws,
        "seen": tally.seen,
        "cocked": tally.cocked,
        "cocked_share": round(tally.cocked / attempts, 4) if attempts else None,
        "unread": tally.unread,
        "faces": {str(face): tally.faces[face] for face in range(1, 7)},
        "pairs": {roll.text: tally.rolls[roll] for roll in ROLLS},
        "doubles": sum(count for roll, count in tally.rolls.items() if roll.is_doubles),
        "faces_test": _test(faces_test(tally), "Single dice"),
        "pairs_test": _test(pairs_test(tally), "Rolls"),
    }


def _test(test: ChiSquare, what: str) -> dict[str, Any]:
    return {
        "sample": test.throws,
        "chi_square": round(test.statistic, 3),
        "degrees_of_freedom": test.degrees,
        "p": None if test.p is None else round(test.p, 4),
        "sentence": sentence(test, what),
    }
