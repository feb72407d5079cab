"""The camera's focal length, where the lens is not known, from the sides that its dice show.

A die that lies flat away from the middle of the picture shows more of its sides the closer the camera is. The reading
net says how much each die shows (`Look.own_up`), from the picture alone; the board, seen with a focal length, says how
much it should (`Board.up`). The focal length with which both agree best is the camera's: phones have 0.65 to 0.8
picture widths, webcams 0.8, cropped streams and pictures from afar 1.2 to 3. One throw says it badly, and a die that
leans bends it; the throws of a game, most of which lie flat, say it to a few per cent.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board, Distortion
from vision.dice.faces import Seen

FOCALS = tuple(float(f) for f in np.geomspace(0.4, 5.0, 51))
"""Focal lengths that are tried, in picture widths."""
MIDDLE, SPREAD = 0.85, 0.5
"""What is usual, and how far a camera is from it: a standard deviation of the logarithm."""
UP_SD, MOST = 0.06, 9.0
"""Standard deviation of a die's own up about the board's; and the square of how many of them are the most that count,
so that a die that leans does not decide for the others. Of 306 flat dice on rendered boards it is 0.025."""
PLAIN, NUMBERED = 0.9, 0.5
"""Least chances of a die, and of its number, that is asked."""
KNOWN_SD, LEAST_DICE = 0.08, 8
"""The length is known once its logarithm has no larger standard deviation, most often after four or five throws, and so
many dice have said it: one that leans may not decide. Readings change little with lengths that are off by a fifth."""


@dataclass(frozen=True, eq=False)
class FocalEstimate:
    """What is known of a camera's focal length; at first what is usual.

    Attributes:
        cost: for each of FOCALS, (51,), twice the negative logarithm of its chance, up to a constant.
        dice: how many dice have said it.
    """

    cost: NDArray[np.float64]
    dice: int = 0

    def with_dice(self, board: Board, seen: Sequence[Seen]) -> "FocalEstimate":
        """What is known with these looks at one more throw, on a board whose lens is not known."""
        dice = _plain(seen)
        return FocalEstimate(self.cost + _cost(board, dice), self.dice + len(dice))

    @cached_property
    def _middle_and_sd(self) -> tuple[float, float]:
        chances, logs = np.exp((self.cost.min() - self.cost) / 2), np.log(FOCALS)
        middle = float(np.average(logs, weights=chances))
        return middle, float(np.sqrt(np.average((logs - middle) ** 2, weights=chances)))

    @property
    def is_known(self) -> bool:
        """Whether the dice have said it well enough."""
        return self.dice >= LEAST_DICE and self._middle_and_sd[1] <= KNOWN_SD

    @property
    def focal(self) -> float:
        """The length, in picture widths."""
        return float(np.exp(self._middle_and_sd[0]))


USUAL = FocalEstimate((np.log(np.divide(FOCALS, MIDDLE)) / SPREAD) ** 2)
"""What is known of a camera of which nothing was seen."""


def _plain(seen: Sequence[Seen]) -> list[Seen]:
    """The plain dice among these looks."""
    return [one for one in seen if one.look.die >= PLAIN and max(one.look.values) >= NUMBERED]


def _cost(board: Board, dice: Sequence[Seen]) -> NDArray[np.float64]:
    """What these dice add to `FocalEstimate.cost`."""
    at = np.array([(one.spot.x, one.spot.y) for one in dice]).reshape(-1, 2)
    own = np.array([one.look.own_up for one in dice]).reshape(-1, 2)
    off = ((own - board.up_by_focal(at, FOCALS)) ** 2).sum(2) / UP_SD**2
    return np.asarray(np.minimum(off, MOST).sum(1), np.float64)


def with_focal(board: Board, seen: Sequence[Seen]) -> Board:
    """The board seen with the focal length that these looks say; as it is with a lens, or where they show no plain die.

    Args:
        board: the board.
        seen: spots and looks.
    """
    dice = _plain(seen)
    if board.distortion is not None or not dice:
        return board
    return replace(board, focal=FOCALS[int(np.argmin(USUAL.cost + _cost(board, dice)))])


def with_lens(board: Board, focal: float) -> Board:
    """The board seen through a lens of this focal length, which bends no line."""
    w, h = board.image_size
    matrix = ((focal * w, 0.0, w / 2), (0.0, focal * w, h / 2), (0.0, 0.0, 1.0))
    return replace(board, distortion=Distortion(matrix, (0.0,) * 5))


def away_from_others(board: Board, one: Seen, seen: Sequence[Seen]) -> float:
    """How far a die's own up is from the board's, seen with the focal length that the other looks say.

    A die that leans fits a focal length that it bends itself, hardly one that the other dice say: there its up is away
    by the sine of its lean.
    """
    found = with_focal(board, [other for other in seen if other.spot != one.spot])
    up = found.up(np.array([(one.spot.x, one.spot.y)]))[0]
    return float(np.hypot(*(np.array(one.look.own_up) - up)))
