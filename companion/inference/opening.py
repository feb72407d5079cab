"""The starting position in a picture: which colour sits where, which way the board lies, and a wrong start by point."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log

from companion.game.events import Orientation, Shade
from companion.inference.views import BoardView, combined, physical_point, seen_by
from companion.rules.board import Board, Position, Side

ORIENTATIONS = tuple(Orientation(home, south) for home in ("right", "left") for south in ("light", "dark"))
SURE_SHARE = 0.999
"""Chance at which a side is taken for that of the home boards; with the other one a dozen points differ."""
SURE_COLOURS = 0.99
"""Chance at which the picture tells which colour is south's. Which of two equally light colours is the lighter one is
hardly seen, and only names them: their look is learned from the position either way."""
WRONG = log(20)
"""A point is wrong if another class is this much more likely, in nats."""
MOST_WRONG = 6
"""With more wrong points the board does not show a starting position at all: a game is already under way."""


@dataclass(frozen=True, slots=True)
class StartSeen:
    """The starting position as seen.

    Attributes:
        orientation: the most likely one.
        board: the starting position of the profile.
        wrong: physical points that differ from it; () for a correct start.
        chance: of the side of the home boards, whichever colour is south's.
    """

    orientation: Orientation
    board: Board
    wrong: tuple[int, ...]
    chance: float

    @property
    def is_sure(self) -> bool:
        """Whether the views show a starting position, be it with some points wrong."""
        return self.chance >= SURE_SHARE and len(self.wrong) <= MOST_WRONG


def start_seen(views: Sequence[BoardView], start: Position, south: Shade | None = None) -> StartSeen:
    """The starting position in these views, in the orientation that fits best.

    Args:
        views: of one position.
        start: the starting position, which is the same for both sides.
        south: south's colour, if that is known; it counts where the views hardly tell which one is the lighter.

    Raises:
        ValueError: there is no view.
    """
    view, kind = combined(views), type(start)
    fits = {one: seen_by(view, Side.SOUTH, one, kind).fit(start) for one in ORIENTATIONS}
    best = max(fits, key=fits.__getitem__)
    shares = {one: exp(fit - fits[best]) for one, fit in fits.items()}
    same = sum(share for one, share in shares.items() if one.home == best.home)
    orientation = best if south is None or 1 / same >= SURE_COLOURS else replace(best, south=south)
    wrong = _wrong(view, orientation, start)
    return StartSeen(orientation, Board.of(Side.SOUTH, start), wrong, same / sum(shares.values()))


def _wrong(view: BoardView, orientation: Orientation, start: Position) -> tuple[int, ...]:
    mover = seen_by(view, Side.SOUTH, orientation, type(start))
    found = [n for n in range(1, 25) if mover.surprise(n, start) > WRONG]
    return tuple(sorted(physical_point(n, orientation) for n in found))
