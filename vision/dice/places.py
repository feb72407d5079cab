"""Where dice are on the board, how wide they seem there, and how far apart they are."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from vision.board.calibration import Board
from vision.dice.faces import Seen
from vision.dice.finder import DIE_MM, Spot
from vision.dice.reading import DieReading

Place: TypeAlias = tuple[float, float]
"""On the board, in millimetres."""


def place_mm(spot: Spot, board: Board) -> Place:
    """Where on the board a die is that lies flat."""
    x, y = board.lowered(board.to_mm(np.array([(spot.x, spot.y)])), DIE_MM)[0].tolist()
    return x, y


def wall_mm_of(mm: Place, board: Board) -> float:
    """Distance of a place on the surface from the nearest rim or side of the bar."""
    w, h = board.surface_mm
    return min(w / 2 - abs(mm[0]), h / 2 - abs(mm[1]), abs(abs(mm[0]) - board.bar_mm / 2))


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
