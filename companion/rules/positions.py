"""Positions of the other games: pinning (Plakoto), running (Fevga), blocking (Jioul) and entering ones (Acey-Deucey).

All keep each side's checkers in its owner's numbering (ADR 2). docs/rules/family.md, rows F1, F2, F17 and F20.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

from companion.errors import BadPositionError
from companion.rules.board import BAR, CHECKERS, OFF, Checkers, GameWord, Position, Problem
from sentence import say


@dataclass(frozen=True, slots=True)
class RunningPosition(Position):
    """Both sides' checkers where both travel the same way round and one checker holds a point.

    My n-point is the opponent's (n + 12)- or (n - 12)-point: his start, his 24-point, is my 12-point.
    """

    OPPOSITE: ClassVar[tuple[int, ...]] = (0, *range(13, 25), *range(1, 13), 25)
    HITS: ClassVar[bool] = False
    GAME: ClassVar[GameWord] = "running"

    def is_closed(self, point: int) -> bool:
        """Whether an opposing checker holds my n-point."""
        return self.theirs[self.OPPOSITE[point]] > 0

    def blots(self) -> set[int]:
        """No point: nothing is hit."""
        return set()


@dataclass(frozen=True, slots=True)
class BlockingPosition(Position):
    """Both sides' checkers where the sides travel against each other and one checker holds a point."""

    HITS: ClassVar[bool] = False
    GAME: ClassVar[GameWord] = "blocking"

    def is_closed(self, point: int) -> bool:
        """Whether an opposing checker holds my n-point."""
        return self.opposing(point) > 0

    def blots(self) -> set[int]:
        """No point: nothing is hit."""
        return set()


@dataclass(frozen=True, slots=True)
class PinningPosition(Position):
    """Both sides' checkers where a single checker is pinned, not hit, by opposing ones that land on it.

    Where both sides have checkers on a point, one of them has one, which is pinned. It is mine where `pinned` says so
    and the opponent's elsewhere; with one checker each only `pinned` distinguishes the two.
    """

    pinned: int = 0

    HITS: ClassVar[bool] = False
    GAME: ClassVar[GameWord] = "pinning"

    @classmethod
    def with_pins(cls, mine: Checkers, theirs: Checkers, pinned: int) -> Self:
        """The position with these checkers and pins."""
        return cls(mine, theirs, pinned)

    @classmethod
    def of_shown(
        cls,
        ints: Sequence[int],
        under: Sequence[int] | None = None,
        off: Sequence[int] | None = None,
        checkers: int = CHECKERS,
    ) -> Self:
        """The position of the 26 signed ints of the mover's view as they are seen from above.

        Args:
            ints: as `of_ints`; on a point with a pinned checker only the checkers above it.
            under: 26 ints: 1 where a pinned checker is the mover's, -1 where it is the opponent's; None: nowhere.
            off: borne off by [mover, opponent]; None: the rest up to `checkers`.
            checkers: number of checkers of each side.

        Raises:
            BadPositionError: as `of_ints`, or a pinned checker without an opposing one above it.
        """
        seen = Position.of_ints(ints, (0, 0))
        mine, theirs, pinned = list(seen.mine), list(seen.theirs), 0
        for point, one in enumerate(_checked_under(ints, under or [0] * 26)):
            mine[point] += one > 0
            theirs[25 - point] += one < 0
            pinned |= (one > 0) << point
        left = off or (checkers - sum(mine), checkers - sum(theirs))
        if min(left) < 0:
            raise BadPositionError(say("A side has more than {checkers} checkers.", checkers=checkers))
        return cls((left[0], *mine[1:]), (left[1], *theirs[1:]), pinned)

    def ints(self) -> list[int]:
        """The 26 signed ints of the mover's view, as they are seen from above: without the pinned checkers."""
        seen = Position.ints(self)
        under = self.under()
        return [
            count if not one else -self.opposing(point) if one > 0 else self.mine[point]
            for point, (count, one) in enumerate(zip(seen, under, strict=True))
        ]

    def under(self) -> list[int]:
        """26 ints of the mover's view: 1 where a pinned checker is his, -1 where it is the opponent's."""
        return [
            0 if not self._is_shared(point) else 1 if self.pinned >> point & 1 else -1 for point in range(26)
        ]

    def flipped(self) -> Self:
        """The same board as the opponent sees it."""
        theirs = sum(1 << 25 - point for point, one in enumerate(self.under()) if one < 0)
        return type(self)(self.theirs, self.mine, theirs)

    def with_checkers(self, mine: Checkers, theirs: Checkers) -> Self:
        """The same side's view after a change of the checkers.

        On a point that both sides are on the single checker is pinned; of two single ones mine if it was before.
        """
        changed, pinned = type(self)(mine, theirs), 0
        for point in filter(changed._is_shared, range(1, 25)):
            was_mine = mine[point] == 1 and bool(self.pinned >> point & 1)
            pinned |= (was_mine or changed.opposing(point) > 1) << point
        return type(self)(mine, theirs, pinned)

    def share_unseen(self, positions: Iterable[Position]) -> None:
        """Give positions that a play of mine may leave the same pinned checkers of mine."""
        for position in positions:
            _set_pinned(position, self.pinned)

    def is_closed(self, point: int) -> bool:
        """Whether two opposing checkers hold my n-point, or one on top of mine."""
        return self.opposing(point) > 1 or bool(self.pinned >> point & 1)

    def blots(self) -> set[int]:
        """No point: nothing is hit."""
        return set()

    def problems(self, checkers: int = CHECKERS) -> Problem:
        """All faults of this position; a point that both sides are on has one pinned checker."""
        found = Position.problems(self, checkers) & ~Problem.BOTH_ON_ONE_POINT
        for point, one in enumerate(self.under()):
            alone = self.mine[point] if one > 0 else self.opposing(point)
            found |= Problem.BOTH_ON_ONE_POINT if one and alone != 1 else Problem(0)
            found |= Problem.BOTH_ON_ONE_POINT if self.pinned >> point & 1 and not one else Problem(0)
        return found

    def _is_shared(self, point: int) -> bool:
        """Whether both sides have checkers on my n-point."""
        return OFF < point < BAR and self.mine[point] > 0 and self.opposing(point) > 0


@dataclass(frozen=True, slots=True)
class EnteringPosition(Position):
    """Both sides' checkers where those that have not entered yet need not do so before others move.

    Place 25 holds them together with those that were hit, which enter first. A side's play decides nothing about
    that: what enters is first of all what was hit, and what the opponent hits is added.

    Attributes:
        not_entered: checkers of mine, and of the opponent's, on place 25 that were not hit.
    """

    not_entered: tuple[int, int] = (0, 0)

    @classmethod
    def at_start(cls, start: Checkers) -> Self:
        """The position at the start of a game: nothing was hit."""
        return cls(start, start, (start[BAR], start[BAR]))

    def with_not_entered(self, counts: tuple[int, int]) -> Self:
        """The position with these counts, or fewer where fewer checkers are on place 25."""
        mine, theirs = (
            max(0, min(count, side[BAR]))
            for count, side in zip(counts, (self.mine, self.theirs), strict=True)
        )
        return type(self)(self.mine, self.theirs, (mine, theirs))

    def flipped(self) -> Self:
        """The same board as the opponent sees it."""
        return type(self)(self.theirs, self.mine, self.not_entered[::-1])

    def with_checkers(self, mine: Checkers, theirs: Checkers) -> Self:
        """The same side's view after a change of the checkers: what is new on place 25 was hit."""
        return type(self)(mine, theirs).with_not_entered(self.not_entered)

    def share_unseen(self, positions: Iterable[Position]) -> None:
        """Give positions that a play of mine may leave their counts: mine cannot grow, the opponent's stay."""
        mine, theirs = self.not_entered
        for position in positions:
            _set_not_entered(position, (min(mine, position.mine[BAR]), theirs))


_set_not_entered = vars(EnteringPosition)["not_entered"].__set__
_set_pinned = vars(PinningPosition)["pinned"].__set__


def _checked_under(ints: Sequence[int], under: Sequence[int]) -> Sequence[int]:
    """The pinned checkers; BadPositionError unless there are 26 of -1, 0, 1, each with opposing checkers above it."""
    if not isinstance(under, (list, tuple)) or len(under) != 26 or set(map(repr, under)) - {"-1", "0", "1"}:
        raise BadPositionError(say("The pinned checkers are a list of 26 numbers, -1, 0 or 1."))
    if any(one * count > 0 or (one and not count) for one, count in zip(under, ints, strict=True)):
        raise BadPositionError(say("A pinned checker has an opposing one above it."))
    if under[OFF] or under[BAR]:
        raise BadPositionError(say("A checker is pinned on a point, not on the bar."))
    return under
