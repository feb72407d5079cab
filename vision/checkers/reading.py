"""The checkers of a picture, as chances for each point and for the bar: facts and doubt, no game.

Points have the physical numbers of docs/COMMANDS.md: 1 bottom right, 6 right of the bar, 12 bottom left, 13 top left,
24 top right. Colour a is the lighter one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board
from vision.checkers.directions import NO_DIRECTIONS, Directions
from vision.checkers.hues import Hues
from vision.checkers.pictures import PointPictures
from vision.checkers.trays import TrayPicture

CHECKERS = 15
STATES = 2 * CHECKERS + 1
Colour: TypeAlias = tuple[float, float, float]
"""Blue, green, red, 0 to 255."""
Counts: TypeAlias = tuple[int, int]
"""Checkers of colour a and of colour b."""


@dataclass(frozen=True, slots=True, eq=False)
class PointChances:
    """What is on one point.

    Attributes:
        chances: (31,) float64, its sum is 1. Index 0: empty; 1 to 15: so many checkers of colour a; 16 to 30: 1 to 15
            of colour b. Uniform where the point is covered.
        covered: a hand or an arm hides the point.
    """

    chances: NDArray[np.float64]
    covered: bool = False

    @property
    def counts(self) -> Counts:
        """The most likely numbers of checkers of colours a and b."""
        return counts_of(int(self.chances.argmax()))

    @property
    def confidence(self) -> float:
        """The chance of `counts`, 0 where the point is covered."""
        return 0.0 if self.covered else float(self.chances.max())


@dataclass(frozen=True, slots=True, eq=False)
class BoardReading:
    """All points and the bar of one picture.

    Attributes:
        points: 24, point 1 first.
        bar: of colour a (only indices 0 to 15 have chances) and of colour b (0 and 16 to 30), over the whole bar.
        colours: of the checkers a and b as the picture shows them; equal where no two colours were seen.
        board: where the board lies in the picture.
        pictures: of the points; None in a reading that no picture was kept of.
        trays: pictures of what lies beside the corner points, by point; {} likewise.
    """

    points: tuple[PointChances, ...]
    bar: tuple[PointChances, PointChances]
    colours: tuple[Colour, Colour]
    board: Board
    pictures: PointPictures | None = None
    trays: Mapping[int, TrayPicture] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What was learned from pictures of one known position: this board, these checkers, this light.

    Attributes:
        sides: (2, D) float64, how checkers of colours a and b look to the net.
        colours: of the checkers a and b.
        spread: (3,) float64, how far the colours of one side lie apart in this light, as a factor's natural logarithm.
        hues: of both sides.
        directions: of both sides.
    """

    sides: NDArray[np.float64]
    colours: tuple[Colour, Colour]
    spread: NDArray[np.float64]
    hues: Hues
    directions: Directions = NO_DIRECTIONS


def counts_of(state: int) -> Counts:
    """Checkers of colours a and b of an index of `PointChances.chances`."""
    return (state, 0) if state <= CHECKERS else (0, state - CHECKERS)


def state_of(a: int, b: int) -> int:
    """The index of `PointChances.chances` for so many checkers of colours a and b.

    Raises:
        ValueError: both colours, or more than fifteen.
    """
    if (a and b) or not 0 <= a <= CHECKERS or not 0 <= b <= CHECKERS:
        raise ValueError(f"{a} and {b} checkers are no state of a point")
    return a or (b and CHECKERS + b)
