"""Whose checkers lie on a point, by their hue: what is left of a colour when its brightness is taken away.

A lamp that a red checker mirrors makes it as light as a white one, but for its edge, where some of the red is left; and
shadows change the hue of a checker less than its brightness.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checkers.quadrants import POINT_PX, RIM_PX, Quadrants, of_places

Array = NDArray[np.float64]

DISC_PX = 9
"""Radius of what is looked at of the checker at the rim, a little less than the checker."""
MIDDLE_PX = RIM_PX + POINT_PX // 2 + 1
"""Where the middle of that checker is in the picture of a place."""
ROWS = slice(MIDDLE_PX - DISC_PX, MIDDLE_PX + DISC_PX + 1)
"""Rows of the picture of a place that show it."""
DISC = np.zeros((2 * DISC_PX + 1, 2 * POINT_PX), np.uint8)
cv2.circle(DISC, (POINT_PX, DISC_PX), DISC_PX, 1, cv2.FILLED)
DISC = DISC.astype(bool)
"""Its pixels in these rows."""
DARKEST = 8.0
"""Added to each channel, of 0 to 255, before logarithms are taken."""
SHARE = 0.85
"""The part of a checker's pixels that are less like the second side than what is taken for its hue: gloss hides
others."""
LEAST_SPREAD = 0.02
"""Least standard deviation of one side's hues, in logarithms of channels."""
LEAST_APART = 0.05
"""Hues of two sides that are nearer tell nothing."""
ELSEWHERE = 0.01
"""Chance that a hue of the first side lies anywhere."""
GLOSSY = 0.3
"""Chance that a hue of the second, darker side lies anywhere, mostly between both, as gloss makes it."""
EDGE_ONLY = 2.5
"""The most that hues may say for the second side, in nats, where half of the pixels have the hue of the first: that may
be gloss on a checker of the second, or a dark edge of one of the first, or the board beside it."""
LIKE_FIRST = 2.0
"""Standard deviations within which that half has the hue of the first side."""
MOST = 6.0
"""The most that hues may say, in nats. These numbers were chosen on the sides of 85,000 points of 29 games of two
renderers, among three to five values each."""
CERTAIN = 0.99
"""Least chance of the first side of places whose hue tells how the light has changed since."""
FEW = 3
"""Fewest of these places for that."""


@dataclass(frozen=True, slots=True, eq=False)
class Hues:
    """The hues of two sides, as pictures of a known position showed them.

    Attributes:
        first: (3,), the hue of the first side: logarithms of the channels, their mean taken away.
        towards: (3,), from there to the hue of the second one.
        middles: (2,), how far each side's checkers lie on that way, 0 the first side and 1 the second.
        spreads: (2,), their standard deviations there.
        half, half_spread: the same of the half of the first side's pixels that is more like it.
    """

    first: Array
    towards: Array
    middles: Array
    spreads: Array
    half: float = 0.0
    half_spread: float = 1.0

    @classmethod
    def learned(cls, discs: NDArray[np.uint8], second: NDArray[np.bool_], sides: Array) -> "Hues":
        """The hues of a known position.

        Args:
            discs: (N, pixels, 3), the checkers of both sides.
            second: (N,) which of them are of the second side.
            sides: (2, 3) the colours of both.
        """
        first, other = _hues(sides)
        along = _along(discs, first, other - first)
        at, half = np.quantile(along, SHARE, 1), np.quantile(along[~second], 0.5, 1)
        both = at[~second], at[second]
        middles, spreads = (np.array([one.mean() for one in both]), np.array([one.std() for one in both]))
        return cls(first, other - first, middles, spreads, float(half.mean()), float(half.std()))

    def said(self, discs: NDArray[np.uint8], first: Array, there: NDArray[np.bool_]) -> Array:
        """How much likelier the first side is than the second by the hues of checkers, (N,), in nats.

        Args:
            discs: (N, pixels, 3), what lies at the rim of each place.
            first: (N,) the chance of the first side by all else.
            there: (N,) whether there are checkers.
        """
        apart = float(np.linalg.norm(self.towards))
        way = float(self.middles[1] - self.middles[0])
        if apart < LEAST_APART or way <= 0:
            return np.zeros(len(discs))
        along = _along(discs, self.first, self.towards)
        at, half = np.quantile(along, (SHARE, 0.5), 1)
        known = there & (first > CERTAIN)
        drift = float(np.median(at[known]) - self.middles[0]) if known.sum() >= FEW else 0.0
        at, half, least = at - drift, half - self.half - drift, LEAST_SPREAD / apart
        spreads = np.hypot(self.spreads, least)
        bells = np.exp(-0.5 * ((at[:, None] - self.middles) / spreads) ** 2) / spreads / np.sqrt(2 * np.pi)
        of_first = (1 - ELSEWHERE) * bells[:, 0] + ELSEWHERE / way
        of_second = (1 - GLOSSY) * bells[:, 1] + GLOSSY / way
        is_light = half < LIKE_FIRST * np.hypot(self.half_spread, least)
        return np.asarray(np.clip(np.log(of_first / of_second), np.where(is_light, -EDGE_ONLY, -MOST), MOST))


NO_HUES = Hues(np.zeros(3), np.zeros(3), np.zeros(2), np.ones(2))
"""Tell nothing."""


def _along(discs: NDArray[np.uint8], first: Array, towards: Array) -> Array:
    """How far each pixel lies on the way from the first side's hue to the second's, (N, pixels)."""
    square = max(float(towards @ towards), 1e-9)
    return np.asarray((_hues(discs.astype(np.float64)) - first) @ towards / square, np.float64)


def discs_of(quadrants: Quadrants) -> NDArray[np.uint8]:
    """The checkers at the rim of points 1 to 24 and of the bar's halves, each (pixels, 3)."""
    return of_places(quadrants[:, ROWS])[:, DISC]


def _hues(colours: Array) -> Array:
    logs = np.log(colours + DARKEST)
    return np.asarray(logs - logs.mean(-1, keepdims=True), np.float64)
