"""The starting position in a picture: which colour sits where, which way the board lies, and a wrong start by point."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

from companion.game.events import Orientation
from companion.inference.views import BoardView, combined, physical_point, seen_by
from companion.rules.board import Board, Position, Side

ORIENTATIONS = tuple(Orientation(home, south) for home in ("right", "left") for south in ("light", "dark"))
SURE_SHARE = 0.999
"""Chance at which one orientation is taken; the others differ from it on a dozen points."""
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
        chance: of the orientation, among all of them.
    """

    orientation: Orientation
    board: Board
    wrong: tuple[int, ...]
    chance: float


def start_seen(views: Sequence[BoardView], start: Position) -> StartSeen:
    """The starting position in these views, in the orientation that fits best.

    Args:
        views: of one position.
        start: the starting position, which is the same for both sides.

    Raises:
        ValueError: there is no view.
    """
    view, kind = combined(views), type(start)
    fits = [seen_by(view, Side.SOUTH, one, kind).fit(start) for one in ORIENTATIONS]
    best = max(range(len(fits)), key=fits.__getitem__)
    chance = 1 / sum(exp(fit - fits[best]) for fit in fits)
    orientation = ORIENTATIONS[best]
    return StartSeen(orientation, Board.of(Side.SOUTH, start), _wrong(view, orientation, start), chance)


def _wrong(view: BoardView, orientation: Orientation, start: Position) -> tuple[int, ...]:
    mover = seen_by(view, Side.SOUTH, orientation, type(start))
    found = [n for n in range(1, 25) if mover.surprise(n, start) > WRONG]
    return tuple(sorted(physical_point(n, orientation) for n in found))
