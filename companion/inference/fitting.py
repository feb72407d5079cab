"""Whether a turn or a board fits what a view shows of the checkers."""

from companion.inference.decisions import Decisions
from companion.inference.explaining.candidates import has_uncounted, lag, rests_on_little, shows_more
from companion.inference.explaining.search import MISFIT
from companion.inference.explaining.weighing import Weighing
from companion.inference.findings import Kind, Made
from companion.inference.views import HEAP, MOST, PILE, SURPRISE, BoardView, MoverView
from companion.rules.board import BAR, HOME, OFF, Board, Position, Side

UNSETTLED = 4.5
"""Largest misfit, in nats, of a point that an open turn before it may have changed, for which no other play of this
turn speaks; for any other point it is SURPRISE."""
RIVALLED = 1.5
"""How much better, in nats, another position may fit than one that is accepted. That illegal plays are rare must not
outweigh what is seen."""


class Fitting:
    """Compares turns and boards of one game with views of its checkers.

    Attributes:
        misread: South's points on which the game's first view clearly shows something else than its board; they will be
            misread again.
    """

    def __init__(self, weighing: Weighing, decisions: Decisions) -> None:
        self.misread: frozenset[int] = frozenset()
        self._weighing, self._decisions = weighing, decisions

    def fits(self, made: Made, view: BoardView) -> bool:
        """Whether a turn explains the reading, and no other position does clearly better."""
        explained = self.explains(made, view) and self._lag(made, view) <= RIVALLED
        return explained and self.counts_heaps(made, view) and self.is_told_without_piles(made)

    def is_told_without_piles(self, made: Made) -> bool:
        """Whether a legal play is told by more than a pile: neither does another legal play leave the same but for
        checkers in a pile and off the board, nor did it put one on a pile that may have been borne off.
        """
        before, after = made.before.seen_by(made.side), made.after.seen_by(made.side)
        if made.kind is not Kind.LEGAL or made.roll is None or max(after.mine[1:BAR]) < PILE - 1:
            return True
        if _puts_on_pile(before, after) and not any(after.mine[HOME + 1 :]):
            return False
        legal = self._weighing.plays(before, made.roll)
        return not any(one != after and _alike_but_for_piles(one, after) for one in legal)

    def counts_heaps(self, made: Made, view: BoardView) -> bool:
        """Whether the reading tells how many checkers an illegal play in the bear-off left in each heap: one of them
        may have been borne off where no roll says how many are.
        """
        before, after = (board.seen_by(made.side).mine for board in (made.before, made.after))
        if made.kind is not Kind.ILLEGAL or any(after[HOME + 1 :]):
            return True
        seen = self._weighing.seen(view, made.side)
        rows, fewer = seen.mine, seen.my_off[after[OFF]] - seen.my_off[min(after[OFF] + 1, MOST)]
        heaps = [n for n in range(1, HOME + 1) if after[n] >= HEAP]
        return all(
            rows[n - 1][after[n]] - rows[n - 1][after[n] - 1] + fewer
            > (SURPRISE if after[n] == before[n] else UNSETTLED)
            for n in heaps
        )

    def explains(self, made: Made, view: BoardView) -> bool:
        """Whether the position after a turn explains the whole reading, each point by itself, and more closely those
        that may have changed in open turns since the last position that is certain.
        """
        mover = self._weighing.seen(view)
        boards = (self._decisions.certain(made.number), made.before, made.after)
        certain, before, after = (board.seen_by(Side.SOUTH) for board in boards)
        left = [n for n in range(1, 25) if before.on(n) == after.on(n) != certain.on(n)]
        near = not mover.otherwise(after)
        near = near and all(
            _is_certain(n, mover, after) or _is_heap_of_rest(n, mover, certain, after) for n in left
        )
        if near and has_uncounted(made.before.seen_by(made.side)):
            near = not shows_more(self._weighing.seen(view, made.side), made.after.seen_by(made.side))
        return near and mover.misfit(after) <= MISFIT

    def shows_fault(self, made: Made, view: BoardView) -> bool:
        """Whether a play is legal, or its fault is one that this view shows."""
        if made.kind is Kind.LEGAL or made.roll is None:
            return True
        before, after = made.before.seen_by(made.side), made.after.seen_by(made.side)
        misread = self.misread
        if made.side is Side.NORTH:
            misread = frozenset(before.OPPOSITE[n] for n in misread)
        legal = self._weighing.plays(before, made.roll)
        seen = self._weighing.seen(view, made.side)
        return not (has_uncounted(before) or rests_on_little(seen, after, legal, misread))

    def otherwise(self, board: Board, view: BoardView) -> frozenset[int]:
        """South's points on which a view clearly shows something else than this board."""
        return self._weighing.seen(view).otherwise(board.seen_by(Side.SOUTH))

    def shows(self, board: Board, view: BoardView) -> bool:
        """Whether a view shows this board, as a whole."""
        return self._misfit(board, view) <= MISFIT

    def shows_clearly(self, board: Board, view: BoardView) -> bool:
        """Whether a board that no play explains is shown without a doubt on any point: a reading that errs elsewhere
        errs there, too.
        """
        return self._misfit(board, view) <= UNSETTLED

    def is_another(self, board: Board, view: BoardView, earlier: BoardView | None) -> bool:
        """Whether a view shows another board: as a whole, or on some points as the view before it did."""
        if not self.shows(board, view):
            return True
        shown = [self.otherwise(board, one) for one in (view, earlier) if one]
        return len(shown) > 1 and not shown[0].isdisjoint(shown[1])

    def _misfit(self, board: Board, view: BoardView) -> float:
        return self._weighing.seen(view).misfit(board.seen_by(Side.SOUTH))

    def _lag(self, made: Made, view: BoardView) -> float:
        before, after = made.before.seen_by(made.side), made.after.seen_by(made.side)
        legal = self._weighing.plays(before, made.roll) if made.roll else ()
        return lag(self._weighing.seen(view, made.side), before, after, legal)


def _alike_but_for_piles(one: Position, other: Position) -> bool:
    """Whether two positions of the mover differ only in how many of his checkers lie in piles and off the board."""
    return one.theirs == other.theirs and all(
        mine == then or (min(mine, then) >= PILE - 1 and n < BAR)
        for n, (mine, then) in enumerate(zip(one.mine, other.mine, strict=True))
        if n != OFF
    )


def _puts_on_pile(before: Position, after: Position) -> bool:
    """Whether one of the mover's piles has more checkers than before."""
    return any(
        now >= PILE and now > then for then, now in zip(before.mine[1:BAR], after.mine[1:BAR], strict=True)
    )


def _is_heap_of_rest(n: int, view: MoverView, certain: Position, after: Position) -> bool:
    """Whether a heap must hold what the other points of its side leave: nothing was borne off since a position that is
    certain, and no other heap of the side may hold one checker more.
    """
    own = after.mine[n] > 0
    side, then = (after.mine, certain.mine) if own else (after.theirs, certain.theirs)
    return (
        n not in view.covered
        and side[OFF] == then[OFF]
        and sum(count > HEAP for count in side[1:BAR]) == 1
        and view.surprise(n, after) <= UNSETTLED
    )


def _is_certain(n: int, view: MoverView, position: Position) -> bool:
    """Whether a point that an open turn changed is seen to hold this: a covered one would fit everything, and of a heap
    it is not seen how many lie below.
    """
    in_sight = n not in view.covered and max(position.on(n)) <= HEAP
    return in_sight and view.surprise(n, position) <= UNSETTLED
