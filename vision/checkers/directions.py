"""Whose checkers lie on a point, by the direction in which their colour lies from grey, where both sides are coloured.

A lamp or a window that a checker mirrors adds white to its colour, and a shadow takes light away; neither turns that
direction (the dichromatic model: S. A. Shafer, "Using color to separate reflection components", 1985).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LEAST_COLOURED = 8.0
"""Least distance from grey, of 0 to 255, at which a colour has a direction."""
LEAST_SATURATED = 0.1
"""Least share of that distance in the brightest channel of a side: colours nearer to grey are turned by any lamp."""
LEAST_APART = float(np.radians(40.0))
"""Least angle between the directions of two sides for them to tell: a lamp that is not white turns them, too."""
WITHIN = 2.0
"""Standard deviations within which the directions of each side must stay."""
UNEVEN = float(np.radians(6.0))
"""Least standard deviation of one side's directions."""
NOISE = 4.0
"""Standard deviation of a colour's distance from grey, of 0 to 255."""
ELSEWHERE = 0.02
"""Chance that a checker of either side shows any direction."""
MOST = 6.0
"""The most that directions say, in nats. These numbers were chosen on the sides of 86,000 points of 30 games of two
renderers, among two to five values each."""
FULL = 250
"""Level from which on a channel does not say how bright it is."""
LEAST_SHARE = 0.1
"""Least share of a checker's pixels below that level for the others to be left out."""
CERTAIN, FEW = 0.99, 3
"""Least chance of the first side of places whose direction tells how the light has changed since, and the fewest such
places for that."""


@dataclass(frozen=True, slots=True)
class Directions:
    """The directions of two sides, as pictures of a known position showed them.

    Attributes:
        angles: of both sides, in radians; None where they do not tell the sides.
        spreads: their standard deviations.
    """

    angles: tuple[float, float] | None
    spreads: tuple[float, float] = (UNEVEN, UNEVEN)

    @classmethod
    def learned(cls, discs: NDArray[np.uint8], second: NDArray[np.bool_]) -> "Directions":
        """The directions of a known position.

        Args:
            discs: (N, pixels, 3), the checkers of both sides.
            second: (N,) which of them are of the second side.
        """
        sides = [discs[~second], discs[second]]
        colours = [_from_grey(side) for side in sides]
        middles = np.array([one.mean(0) for one in colours])
        far, bright = np.linalg.norm(middles, axis=1), np.array([side.max(2).mean() for side in sides])
        angles = _angle(middles)
        first, other = (
            max(UNEVEN, float(_turn(_angle(one) - middle).std()))
            for one, middle in zip(colours, angles, strict=True)
        )
        apart = abs(float(_turn(angles[1] - angles[0])))
        is_grey = bool((far < np.maximum(LEAST_COLOURED, LEAST_SATURATED * bright)).any())
        if is_grey or apart < max(LEAST_APART, WITHIN * (first + other)):
            return NO_DIRECTIONS
        return cls((float(angles[0]), float(angles[1])), (first, other))

    def said(self, discs: NDArray[np.uint8], first: Array, there: NDArray[np.bool_]) -> Array:
        """How much likelier the first side is than the second by the directions of checkers, (N,), in nats; nan where
        they do not tell.

        Args:
            discs: (N, pixels, 3), what lies at the rim of each place.
            first: (N,) the chance of the first side by all else.
            there: (N,) whether there are checkers.
        """
        if self.angles is None:
            return np.full(len(discs), np.nan)
        colours = _from_grey(discs)
        far, known = np.linalg.norm(colours, axis=1), there & (first > CERTAIN)
        apart = [_turn(_angle(colours) - angle) for angle in self.angles]
        drift = float(np.median(apart[0][known])) if known.sum() >= FEW else 0.0
        of_first, of_second = (
            _bell(_turn(one - drift), np.hypot(spread, NOISE / np.maximum(far, 1.0)))
            for one, spread in zip(apart, self.spreads, strict=True)
        )
        said = np.clip(np.log(of_first / of_second), -MOST, MOST)
        return np.asarray(np.where(far > LEAST_COLOURED, said, np.nan), np.float64)


NO_DIRECTIONS = Directions(None)
"""Tell nothing."""


def _from_grey(discs: NDArray[np.uint8]) -> Array:
    """How far each checker's colour lies from grey, (N, 2): red less green, and green less blue."""
    full = discs.max(2) >= FULL
    shown = np.where((~full).mean(1, keepdims=True) > LEAST_SHARE, ~full, True)
    mean = (discs * shown[..., None]).sum(1, dtype=np.float64) / shown.sum(1)[:, None]
    return np.asarray(mean[:, [2, 1]] - mean[:, [1, 0]], np.float64)


def _angle(colours: Array) -> Array:
    return np.asarray(np.arctan2(colours[:, 1], colours[:, 0]), np.float64)


def _turn(angles: Array) -> Array:
    """Angles from -pi to pi."""
    return np.asarray((angles + np.pi) % (2 * np.pi) - np.pi, np.float64)


def _bell(apart: Array, spread: Array) -> Array:
    bell = np.exp(-0.5 * (apart / spread) ** 2) / spread / np.sqrt(2 * np.pi)
    return np.asarray((1 - ELSEWHERE) * bell + ELSEWHERE / (2 * np.pi), np.float64)
