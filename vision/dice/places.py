"""Where dice are on the board, how wide they seem there, and how far apart they are."""

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from vision.board.calibration import Board
from vision.dice.faces import Seen
from vision.dice.finder import DIE_MM, Spot
from vision.dice.reading import DieReading

Place: TypeAlias = tuple[float, float]
"""On the board, in millimetres."""


WallKind: TypeAlias = Literal["short rim", "long rim", "bar"]
"""At the left and right, at the points' bases, and either side of the bar."""
WALL_KINDS: tuple[WallKind, ...] = ("short rim", "long rim", "bar")


class Wall(NamedTuple):
    """The wall nearest to a place on the surface.

    Attributes:
        away_mm: distance of the place from it, below 0 beyond a rim.
        off: the direction off it at that place, of length 1, in the board's axes.
        kind: which wall it is.
    """

    away_mm: float
    off: tuple[float, float]
    kind: WallKind


def place_mm(spot: Spot, board: Board) -> Place:
    """Where on the board a die is that lies flat."""
    x, y = board.lowered(board.to_mm(np.array([(spot.x, spot.y)])), DIE_MM)[0].tolist()
    return x, y


def nearest_wall(mm: Place, board: Board) -> Wall:
    """The rim or side of the bar that is nearest to a place on the surface."""
    (x, y), (w, h), half_bar = mm, board.surface_mm, board.bar_mm / 2
    right, up = math.copysign(1.0, x), math.copysign(1.0, y)
    return min(
        Wall(w / 2 - abs(x), (-right, 0.0), "short rim"),
        Wall(h / 2 - abs(y), (0.0, -up), "long rim"),
        Wall(abs(abs(x) - half_bar), (right if abs(x) > half_bar else -right, 0.0), "bar"),
        key=lambda wall: wall.away_mm,
    )


def wall_mm_of(mm: Place, board: Board) -> float:
    """Distance of a place on the surface from the nearest rim or side of the bar."""
    return nearest_wall(mm, board).away_mm


def width_mm(spot: Spot, board: Board) -> float:
    """How wide a face would be that lies on the board there."""
    x, y, half = spot.x, spot.y, spot.width / 2
    left, right, above, below = board.to_mm(
        np.array([(x - half, y), (x + half, y), (x, y - half), (x, y + half)])
    )
    return float(np.sqrt(np.hypot(*(right - left)) * np.hypot(*(below - above))))


def lowered(seen: Sequence[Seen], board: Board, height_mm: float) -> list[Place]:
    """Places of these dice in the board's plane, if their upper faces are `height_mm` above it."""
    if not seen:
        return []
    at_px = np.array([(one.spot.x, one.spot.y) for one in seen])
    return [(float(x), float(y)) for x, y in board.lowered(board.to_mm(at_px), height_mm)]


def away(one: Seen, other: Seen) -> float:
    """Pixels between the two places."""
    return float(np.hypot(one.spot.x - other.spot.x, one.spot.y - other.spot.y))


def width_px(die: DieReading) -> float:
    """How wide its upper face is in the picture."""
    return die.box_px[2] - die.box_px[0]
