"""Which of two sides a point's checkers belong to, by how they look beside the others on the board."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.checkers.reading import Colour

Array = NDArray[np.float64]

LEAST_APART = 2.0
"""Squared distance of two sides' looks below which they are taken for one: within a side looks are 0.2 apart."""
LEVELS_OF_DOUBT = 6.0
"""Two colours whose brightness differs by this many levels of 255 are told apart as light and dark 73 times in 100."""
STRONGEST = 0.35
"""The part of the strongest channel in the brightness."""
CALM = 2.5
"""Distances are divided by this: of the rendered boards' checkers that the net put far on the wrong side, one in three
thousand keeps a confidence of 0.99."""
DARKEST = 8.0
"""Added to each channel, of 0 to 255, before colours are compared by their logarithms."""
LEAST_SPREAD = 0.14
"""Added to the variance of a side's colours, as a standard deviation of logarithms: light wanders in a game."""
OF_COLOURS, MOST_OF_COLOURS = 1 / 3, 3.0
"""The part of the colours' logarithm of likelihoods that counts, and the most that they may say, in nats: shadows fall
on three channels at once, and a light checker in a shadow is as dark as a dark one in a lamp."""
NEVER = 1e-12
"""Least chance of a side."""
ROUNDS = 8
FARTHEST = 3
"""Pairs of places from which the two sides are looked for."""


@dataclass(frozen=True, slots=True, eq=False)
class Sides:
    """The two sides of one picture, the lighter first.

    Attributes:
        looks: (2, LOOK) float64, the mean look of each side's checkers.
        colours: of both.
        certain: the chance that the first is the lighter one, from 0.5.
    """

    looks: Array
    colours: tuple[Colour, Colour]
    certain: float


def brightness(colour: Array) -> float:
    """Of a colour (blue, green, red), 0 to 255: luminance, and a part of the strongest channel.

    A black checker's gloss is grey, and of a greater luminance than a red checker beside it.
    """
    return float((1 - STRONGEST) * (colour @ (0.0722, 0.7152, 0.2126)) + STRONGEST * colour.max())


def find_sides(looks: Array, colours: Array, weights: Array, trust: Array) -> Sides | None:
    """The two sides among places with checkers, None where all look the same or there are none.

    Arguments:
        looks: (N, LOOK), how the checkers of each place look.
        colours: (N, 3), their colours.
        weights: (N,) the chance that there are checkers at all, 0 for places to leave out.
        trust: (N,) how much each colour counts.
    """
    there = np.flatnonzero(weights > 0.5)
    if len(there) < 2:
        return None
    looks, colours, weights = looks[there], colours[there], weights[there]
    best: tuple[float, NDArray[np.bool_]] | None = None
    apart = ((looks[:, None] - looks[None]) ** 2).sum(2)
    for k in np.argsort(-np.triu(apart), None)[:FARTHEST]:
        one, other = divmod(int(k), len(there))
        second = np.asarray(apart[:, other] < apart[:, one], np.bool_)
        for _ in range(ROUNDS):
            if second.all() or not second.any():
                break
            means = _means(looks, weights, second)
            far = ((looks[:, None] - means) ** 2).sum(2)
            before, second = second, np.asarray(far[:, 1] < far[:, 0], np.bool_)
            if np.array_equal(before, second):
                break
        if second.all() or not second.any():
            continue
        means = _means(looks, weights, second)
        cost = float((weights * ((looks[:, None] - means) ** 2).sum(2).min(1)).sum())
        if best is None or cost < best[0]:
            best = (cost, second)
    if best is None:
        return None
    means = _means(looks, weights, best[1])
    if float(((means[0] - means[1]) ** 2).sum()) < LEAST_APART:
        return None
    return sides_of(means, _means(colours, trust[there], best[1]))


def sides_of(looks: Array, colours: Array) -> Sides:
    """The sides by the mean looks (2, LOOK) and colours (2, 3) of both, put into order."""
    gap = brightness(colours[0]) - brightness(colours[1])
    if gap < 0:
        looks, colours = looks[::-1], colours[::-1]
    first, second = ((float(b), float(g), float(r)) for b, g, r in colours)
    return Sides(looks, (first, second), float(1 / (1 + np.exp(-abs(gap) / LEVELS_OF_DOUBT))))


def chance_of_first(looks: Array, sides: Array, certain: float = 1.0) -> Array:
    """The chance (N,) that checkers that look so (N, LOOK) are of the first of two sides (2, LOOK)."""
    far = ((looks[:, None] - sides) ** 2).sum(2)
    first = 1 / (1 + np.exp(np.clip((far[:, 0] - far[:, 1]) / CALM, -50, 50)))
    return np.asarray(certain * first + (1 - certain) * (1 - first), np.float64)


def spread_of(colours: Array, second: NDArray[np.bool_]) -> Array:
    """How far the colours (N, 3) of one side lie apart, (3,); `second` (N,) says which are of the second one."""
    logs = _logs(colours)
    apart = logs - np.where(second[:, None], logs[second].mean(0), logs[~second].mean(0))
    return np.asarray(np.sqrt((apart**2).sum(0) / max(1, len(logs) - 2) + LEAST_SPREAD**2), np.float64)


def with_colours(first: Array, colours: Array, sides: tuple[Colour, Colour], spread: Array) -> Array:
    """The chances (N,) that checkers are of the first side, with what their colours say.

    Args:
        first: the chances without that.
        colours: (N, 3), their colours.
        sides: the colours of both sides, in the same light.
        spread: how far those of one side lie apart, see `spread_of`.
    """
    far = ((_logs(colours)[:, None] - _logs(np.array(sides))) / spread) ** 2
    said = OF_COLOURS * (far[:, 1].sum(1) - far[:, 0].sum(1)) / 2
    odds = log_odds(first) + np.clip(said, -MOST_OF_COLOURS, MOST_OF_COLOURS)
    return np.asarray(1 / (1 + np.exp(-odds)), np.float64)


def log_odds(chances: Array) -> Array:
    """The logarithms of odds."""
    chances = np.clip(chances, NEVER, 1 - NEVER)
    return np.asarray(np.log(chances / (1 - chances)), np.float64)


def _logs(colours: Array) -> Array:
    return np.asarray(np.log(colours + DARKEST), np.float64)


def _means(values: Array, weights: Array, second: NDArray[np.bool_]) -> Array:
    mine = weights * second
    shares = np.array([weights - mine, mine])
    return np.asarray(shares @ values / shares.sum(1, keepdims=True), np.float64)
