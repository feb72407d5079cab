"""The explanations of a game so far that are still possible, and turns weighed in all of them."""

from typing import NamedTuple

from companion.inference.explaining.candidates import chances
from companion.inference.explaining.turn import TurnInProgress, Weighed
from companion.inference.explaining.weighing import KEPT, WIDE, Weighing
from companion.inference.findings import Line
from companion.inference.views import BoardView, combined
from companion.rules.board import Board

CHANGED = 0.9
"""Least chance of a position for its difference from the one seen before it to count as a change."""


class _Former(NamedTuple):
    """The turn before the one in progress, with the explanations before it and the view that settled it."""

    lines: tuple[Line, ...]
    turn: TurnInProgress
    view: BoardView


class Explanations:
    """The explanations of one game so far.

    Attributes:
        lines: what is still possible, the most likely first.
    """

    def __init__(self, board: Board, weighing: Weighing) -> None:
        """The only one before the first turn, with this board."""
        self.lines: tuple[Line, ...] = (Line(board),)
        self._weighing = weighing
        self._former: _Former | None = None

    @property
    def as_they_are(self) -> Weighed:
        """The explanations with their chances."""
        return Weighed(self.lines, tuple(chances([line.weight for line in self.lines])))

    @property
    def has_former(self) -> bool:
        """Whether there was a turn before the one in progress."""
        return self._former is not None

    def weigh(self, turn: TurnInProgress, view: BoardView, keep: float = KEPT) -> Weighed:
        """Every explanation, continued by the candidates of this turn; those that are less likely than the best by up
        to `keep` nats.
        """
        return self._weigh(self.lines, turn, view, keep)

    def weigh_with_former(self, turn: TurnInProgress, view: BoardView) -> Weighed:
        """This turn and the one before weighed together, with every legal result of both."""
        return self._weigh(self._of_former(), turn, view)

    def _weigh(
        self, lines: tuple[Line, ...], turn: TurnInProgress, view: BoardView, keep: float = KEPT
    ) -> Weighed:
        return self._weighing.weigh(lines, turn, view, self._former and self._former.view, keep)

    def _of_former(self) -> tuple[Line, ...]:
        """Every result of the turn before, the unlikely ones, too."""
        assert self._former is not None, "has_former says so"
        return self._weigh(*self._former, keep=WIDE).lines

    def with_board(self, board: Board) -> tuple[Line, ...]:
        """The explanations with this board, unlikely ones of the turn before if no other has it; () for none."""
        found = tuple(line for line in self.lines if line.board == board)
        if not found and self._former is not None:
            found = tuple(line for line in self._of_former() if line.board == board)
        return found

    def pooled(self, turn: TurnInProgress, view: BoardView | None) -> BoardView | None:
        """The views after a turn as one. The view of the next throw, in which the next play may be made already, and
        the last one before the dice were lifted count if they show the same.
        """
        others = [one for one in (view, turn.lying) if one is not None]
        chosen = list(turn.after) or others[:1]
        if not chosen:
            return None
        board = self.weigh(turn, combined(chosen)).lines[0].board
        for other in others:
            same = other not in chosen and self.weigh(turn, other).lines[0].board == board
            chosen += [other] if same else []
        return combined(chosen)

    def show_change(self, turn: TurnInProgress, view: BoardView) -> bool:
        """Whether checkers were moved since the last views after this turn."""
        before, now = (self.weigh(turn, one) for one in (combined(turn.after), view))
        return now.chances[0] >= CHANGED and now.lines[0].board != before.lines[0].board

    def go_on(self, turn: TurnInProgress, view: BoardView, lines: tuple[Line, ...]) -> None:
        """Continue with these explanations after a turn that this view settled."""
        self._former = _Former(self.lines, turn, view)
        self.lines = lines
