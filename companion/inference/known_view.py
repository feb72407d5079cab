"""The last view of a board that is known, to which later ones are compared."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import exp, log

from companion.game.events import Orientation
from companion.inference.views import (
    MOST,
    NOT_TOLD,
    BoardView,
    Logs,
    colour_of,
    physical_counts,
    physical_point,
    recalled,
)
from companion.rules.board import OFF, Board, Side

USED = 0.8
"""Chance that checkers borne off are put beside the side's own ace point, before any was."""
SURELY = 4.0
"""Most that is believed of that, or of the contrary, in nats."""


@dataclass(frozen=True, slots=True)
class Trays:
    """What a game has told of its trays.

    Attributes:
        used: how much likelier it is that checkers borne off are put beside their side's ace point than elsewhere, in
            nats.
    """

    used: float = log(USED / (1 - USED))

    def off(
        self, view: BoardView, before: BoardView, board: Board, orientation: Orientation
    ) -> tuple[Logs, Logs]:
        """For colours a and b, how the logarithms of the chances of 0 to 15 checkers off the board change by a view.

        Args:
            view: the view.
            before: an earlier one.
            board: the board that it showed.
            orientation: how the board lies.
        """
        used = 1 / (1 + exp(-self.used))
        rows = [NOT_TOLD, NOT_TOLD]
        for side, told in _changes(view, before, board, orientation).items():
            more, then = log(used * exp(told) + 1 - used), board.seen_by(side).mine[OFF]
            rows[colour_of(side, orientation)] = tuple(
                more if count > then else 0.0 for count in range(MOST + 1)
            )
        return rows[0], rows[1]

    def after(
        self, view: BoardView, before: BoardView, board: Board, then: Board, orientation: Orientation
    ) -> "Trays":
        """What is known after a view of a board that is certain: whether trays change when checkers are borne off.

        Args:
            view: the view.
            before: an earlier one.
            board: what the view shows.
            then: what the earlier one showed.
            orientation: how the board lies.
        """
        used = self.used
        for side, told in _changes(view, before, board, orientation).items():
            if board.seen_by(side).mine[OFF] > then.seen_by(side).mine[OFF]:
                used = min(max(used + told, -SURELY), SURELY)
        return Trays(used)


BEFORE_BEARING_OFF = Trays()
"""Before any checker was borne off."""


def _changes(
    view: BoardView, before: BoardView, board: Board, orientation: Orientation
) -> Mapping[Side, float]:
    """How much likelier it is that each side's tray got checkers, in nats; of trays that can be compared."""
    found = {}
    for side, ace in ((Side.SOUTH, 1), (Side.NORTH, board.kind.OPPOSITE[1])):
        corner = physical_point(ace, orientation)
        now, then = view.trays.get(corner), before.trays.get(corner)
        told = now.change_since(then) if now is not None and then is not None else None
        if told is not None:
            found[side] = told
    return found


class KnownView:
    """A view and the board that it shows; none at first."""

    def __init__(self, orientation: Orientation, trays: Trays = BEFORE_BEARING_OFF) -> None:
        self._orientation, self._trays = orientation, trays
        self._known: tuple[BoardView, Board] | None = None

    def take(self, view: BoardView, board: Board) -> None:
        """Compare with this view from now on."""
        if self._known is not None:
            before, then = self._known
            self._trays = self._trays.after(view, before, board, then, self._orientation)
        self._known = view, board

    def compared(self, view: BoardView) -> BoardView:
        """A later view, corrected by this one."""
        if self._known is None:
            return view
        before, board = self._known
        off = self._trays.off(view, before, board, self._orientation)
        return replace(recalled(view, before, physical_counts(board, self._orientation)), off=off)

    def take_in_part(self, view: BoardView, board: Board, contradicting: frozenset[int]) -> None:
        """Compare with this view from now on, but on south's points where it contradicts the board with what was known
        before, if anything was; such a point that has changed since says nothing.
        """
        if self._known is None:
            self.take(view, board)
            return
        before, known = self._known
        self._trays = self._trays.after(view, before, board, known, self._orientation)
        points = {physical_point(n, self._orientation) for n in contradicting}
        counts = [physical_counts(one, self._orientation) for one in (known, board)]
        rows = [
            row if n not in points else then if was == now else (0.0,) * len(row)
            for n, (row, then, was, now) in enumerate(
                zip(view.points, before.points, *counts, strict=True), 1
            )
        ]
        pictures = view.pictures and view.pictures.without(points)
        self._known = BoardView(tuple(rows), view.bar, view.covered, pictures, view.trays), board
