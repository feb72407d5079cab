"""The camera's focal length, where the lens is not known, from the sides that its dice show.

A die that lies flat away from the middle of the picture shows more of its sides the closer the camera is. The reading
net says how much each die shows (`Look.own_up`), from the picture alone; the board, seen with a focal length, says how
much it should (`Board.up`). The focal length with which both agree best is the camera's: phones have 0.65 to 0.8
picture widths, webcams 0.8, cropped streams and pictures from afar 1.2 to 3.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.board.calibration import Board
from vision.dice.faces import Seen

FOCALS = tuple(float(f) for f in np.geomspace(0.4, 5.0, 26))
"""Focal lengths that are tried, in picture widths."""
MIDDLE, SPREAD = 0.85, 0.5
"""What is usual, and how far a camera is from it: a standard deviation of the logarithm."""
UP_SD, MOST = 0.06, 9.0
"""Standard deviation of a die's own up about the board's; and the square of how many of them are the most that count,
so that a die that leans does not decide for the others."""
PLAIN, NUMBERED = 0.9, 0.5
"""Least chances of a die, and of its number, that is asked."""


def with_focal(board: Board, seen: Sequence[Seen]) -> Board:
    """The board seen with the focal length that these looks say; as it is where they show no plain die.

    Args:
        board: a board whose lens is not known.
        seen: spots and looks.
    """
    dice = [one for one in seen if one.look.die >= PLAIN and max(one.look.values) >= NUMBERED]
    if not dice:
        return board
    at = np.array([(one.spot.x, one.spot.y) for one in dice])
    own = np.array([one.look.own_up for one in dice])

    off = ((own - board.up_by_focal(at, FOCALS)) ** 2).sum(2) / UP_SD**2
    unusual = (np.log(np.divide(FOCALS, MIDDLE)) / SPREAD) ** 2
    cost = np.minimum(off, MOST).sum(1) + unusual
    return replace(board, focal=FOCALS[int(np.argmin(cost))])


def away_from_others(board: Board, one: Seen, seen: Sequence[Seen]) -> float:
    """How far a die's own up is from the board's, seen with the focal length that the other looks say.

    A die that leans fits a focal length that it bends itself, hardly one that the other dice say: there its up is away
    by the sine of its lean.
    """
    found = with_focal(board, [other for other in seen if other.spot != one.spot])
    up = found.up(np.array([(one.spot.x, one.spot.y)]))[0]
    return float(np.hypot(*(np.array(one.look.own_up) - up)))
