"""The camera's focal length, where the lens is not known, from the sides that its dice show.

A die that lies flat away from the middle of the picture shows more of its sides the closer the camera is. The reading
net says how much each die shows (`Look.own_up`); the board, seen with a focal length, says how much it should
(`Board.up`). The focal length with which both agree best is the camera's: phones have 0.65 to 0.8 picture widths,
webcams 0.8, cropped streams and pictures from afar 1.2 to 3. One throw says it badly, and a die that leans bends it;
the throws of a game, most of which lie flat, say it better.

The net is told the board's up, and what is wrong with that is found again in part in what it says. On boards that are
not familiar that part is taken off first (docs/adr/0100-what-the-net-was-told-is-taken-off.md).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board, Distortion
from vision.dice.faces import Seen

FOCALS = tuple(float(f) for f in np.geomspace(0.4, 5.0, 51))
"""Focal lengths that are tried, in picture widths."""


class Saying(NamedTuple):
    """How dice say the focal length.

    Attributes:
        middle: the usual one, in picture widths.
        spread: how far a camera is from it: a standard deviation of the logarithm.
        up_sd: standard deviation of a die's own up about the board's.
        told: the part of what the board's up is off by that is found again in the own up of its dice.
    """

    middle: float
    spread: float
    up_sd: float
    told: float

    @property
    def usual(self) -> NDArray[np.float64]:
        """Twice the negative logarithm of the chance of each of FOCALS, up to a constant, before a die says it."""
        return np.asarray((np.log(np.divide(FOCALS, self.middle)) / self.spread) ** 2, np.float64)


FAMILIAR = Saying(middle=0.85, spread=0.5, up_sd=0.06, told=0.0)
"""Of 306 flat dice on rendered boards the own up is off by 0.025."""
UNFAMILIAR = Saying(middle=1.1, spread=0.7, up_sd=0.12, told=0.4)
"""Of flat dice on painted boards of families held out (seeds 1080000-1080029, 1095000-1095015, 1130000-1130024;
1200000-1200029 of the wider range) the told part is 0.44 and 0.39, and the own up, with that taken off, is off by 0.09
and 0.15 in each direction."""
MOST = 9.0
"""The square of how many standard deviations are the most that count, so that a die that leans does not decide for the
others."""
PLAIN, NUMBERED = 0.9, 0.5
"""Least chances of a die, and of its number, that is asked."""
KNOWN_SD, LEAST_DICE = 0.12, 8
"""The length is known once its logarithm has no larger standard deviation and so many dice have said it: one that leans
may not decide. Readings change little with lengths that are off by a fifth."""


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
        """What is known with these looks at one more throw, on a board whose lens is not known, read with `self`."""
        dice = _plain(seen)
        return FocalEstimate(self.cost + _cost(self.as_read(board), dice), self.dice + len(dice))

    def as_read(self, board: Board) -> Board:
        """The board as it is read: through a lens of this focal length once that is known."""
        return with_lens(board, self.focal) if self.is_known else board

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


USUAL = FocalEstimate(FAMILIAR.usual)
"""What is known of a camera of which nothing was seen."""


def _plain(seen: Sequence[Seen]) -> list[Seen]:
    """The plain dice among these looks."""
    return [one for one in seen if one.look.die >= PLAIN and max(one.look.values) >= NUMBERED]


def _saying(board: Board) -> Saying:
    return UNFAMILIAR if board.unfamiliar else FAMILIAR


def _own_ups(board: Board, dice: Sequence[Seen]) -> NDArray[np.float64]:
    """Own up of dice, (N, 2), less what the net was told of it: the up of the board with which they were looked at."""
    own = np.array([one.look.own_up for one in dice]).reshape(-1, 2)
    told = _saying(board).told
    return np.asarray((own - told * board.up(_places(dice))) / (1 - told), np.float64) if told else own


def _places(dice: Sequence[Seen]) -> NDArray[np.float64]:
    return np.array([(one.spot.x, one.spot.y) for one in dice]).reshape(-1, 2)


def _cost(board: Board, dice: Sequence[Seen]) -> NDArray[np.float64]:
    """What these dice add to `FocalEstimate.cost`; they were looked at with this board's up."""
    if not dice:
        return np.zeros(len(FOCALS))
    away = _own_ups(board, dice) - board.up_by_focal(_places(dice), FOCALS)
    off = (away**2).sum(2) / _saying(board).up_sd ** 2
    return np.asarray(np.minimum(off, MOST).sum(1), np.float64)


def with_focal(board: Board, seen: Sequence[Seen]) -> Board:
    """The board seen with the focal length that these looks say; as it is with a lens, or where they show no plain die.

    Args:
        board: the board, with whose up the dice were looked at.
        seen: spots and looks.
    """
    dice = _plain(seen)
    if board.distortion is not None or not dice:
        return board
    return replace(board, focal=FocalEstimate(_saying(board).usual + _cost(board, dice)).focal)


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
    return float(np.hypot(*(_own_ups(board, [one]) - found.up(_places([one])))[0]))
