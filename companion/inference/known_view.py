"""The last view of a board that is known, to which later ones are compared."""

from companion.game.events import Orientation
from companion.inference.views import BoardView, physical_counts, physical_point, recalled
from companion.rules.board import Board


class KnownView:
    """A view and the board that it shows; none at first."""

    def __init__(self, orientation: Orientation) -> None:
        self._orientation = orientation
        self._known: tuple[BoardView, Board] | None = None

    def take(self, view: BoardView, board: Board) -> None:
        """Compare with this view from now on."""
        self._known = view, board

    def compared(self, view: BoardView) -> BoardView:
        """A later view, corrected by this one."""
        if self._known is None:
            return view
        before, board = self._known
        return recalled(view, before, physical_counts(board, self._orientation))

    def take_in_part(self, view: BoardView, board: Board, contradicting: frozenset[int]) -> None:
        """Compare with this view from now on, but on south's points where it contradicts the board with what was known
        before, if anything was; such a point that has changed since says nothing.
        """
        if self._known is None:
            self.take(view, board)
            return
        before, known = self._known
        points = {physical_point(n, self._orientation) for n in contradicting}
        counts = [physical_counts(one, self._orientation) for one in (known, board)]
        rows = [
            row if n not in points else then if was == now else (0.0,) * len(row)
            for n, (row, then, was, now) in enumerate(
                zip(view.points, before.points, *counts, strict=True), 1
            )
        ]
        pictures = tuple(None if n in points else one for n, one in enumerate(view.pictures, 1))
        self._known = BoardView(tuple(rows), view.bar, view.covered, pictures), board
