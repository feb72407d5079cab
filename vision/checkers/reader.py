"""Reading of the checkers of single pictures: cut the quadrants, count on each point, tell the sides."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board
from vision.checkers.directions import Directions
from vision.checkers.hues import Hues, discs_of
from vision.checkers.net import COVERED, LEVELS, LOOK, CountNet
from vision.checkers.pictures import pictures_of
from vision.checkers.quadrants import (
    PLACES,
    POINT_PX,
    POINTS,
    RIM_PX,
    QuadrantCutter,
    Quadrants,
    of_places,
)
from vision.checkers.reading import CHECKERS, STATES, BoardReading, Colour, Counts, Look, PointChances
from vision.checkers.sides import Sides, chance_of_first, find_sides, log_odds, spread_of, with_colours
from vision.checkers.trays import TrayCutter
from vision.frame import Bgr

Array = NDArray[np.float64]

CALM = 1.0
"""The net's logits are divided by this, so that a confidence of 0.99 is right 99 times in 100."""
NEVER_SURE = 1e-4
"""The chance left to everything else where the net is as sure as can be."""
HIDDEN = 0.95
"""A point that is covered with a greater chance is not read. Of arms painted over the golden boards it leaves none out;
clocks, cups and grain that nobody covered anything with stay below it more often than below 0.7."""
FIRST_ROWS, FIRST_COLUMNS = slice(RIM_PX + 6, RIM_PX + 19), slice(POINT_PX - 6, POINT_PX + 6)
"""Where in the picture of a place the upper face of the checker at the rim is."""
GLOSS_ABOVE = 30
"""The percentile there that is their colour: gloss adds to it, on black ones more than there is without."""
TRUST = np.array([1.0] * POINTS + [1e-3] * (PLACES - POINTS))
"""How much the colours count: on the bar a checker may be anywhere."""
HUES_TELL = 1.0
"""Nats from which on hues are asked instead of colours: gloss and shadow change these more."""


class CheckerReader:
    """Reads the checkers of single pictures; loaded once, used by one thread."""

    def __init__(self) -> None:
        self._net = CountNet()
        self._cutter: QuadrantCutter | None = None
        self._trays: TrayCutter | None = None

    def read(self, bgr: Bgr, board: Board, look: Look | None = None) -> BoardReading:
        """Read a picture (H, W, 3) uint8. Each point speaks for itself; `fifteen.settled` weighs them together.

        Args:
            bgr: the picture.
            board: the board's place in it.
            look: what was learned from this board's starting position; without it the two sides are found among the
                checkers of the picture.

        Raises:
            BadBoard: the board belongs to pictures of other proportions.
        """
        board = board.for_picture((bgr.shape[1], bgr.shape[0]))
        seen = self._look_at(bgr, board)
        there = np.where(seen.covered, 0, 1 - seen.levels[:, 0])
        found = find_sides(seen.looks, seen.colours, there, TRUST)
        if look is not None:
            found = Sides(look.sides, look.colours, 1.0)
        first = np.full(len(seen.looks), 0.5)
        colours = _one_colour(seen)
        if found is not None:
            first, colours = chance_of_first(seen.looks, found.looks, found.certain), found.colours
        if look is not None:
            first[:POINTS] = _with_look(first, seen, look)[:POINTS]
        points = tuple(
            _point(level, float(of_first), bool(covered))
            for level, of_first, covered in zip(seen.levels, first, seen.covered, strict=True)
        )
        if self._trays is None or self._trays.board != board:
            self._trays = TrayCutter(board)
        pictures, trays = pictures_of(seen.quadrants, board), self._trays.cut(bgr)
        return BoardReading(points[:POINTS], _bar(seen, first), colours, board, pictures, trays)

    def learn_look(self, pictures: Sequence[Bgr], board: Board, points: Sequence[Counts]) -> Look:
        """What the checkers look like, from pictures of a known position.

        Args:
            pictures: one or a few, (H, W, 3) uint8 each, of the same position.
            board: the board's place in them.
            points: 24 numbers of checkers of colours a and b, point 1 first.

        Raises:
            ValueError: one of the colours is nowhere in the position.
            BadBoard: the board belongs to pictures of other proportions.
        """
        mine = [np.flatnonzero([counts[side] > 0 for counts in points]) for side in (0, 1)]
        if not all(len(places) for places in mine):
            raise ValueError("both colours must be in the known position")
        seen = [self._look_at(bgr, board.for_picture((bgr.shape[1], bgr.shape[0]))) for bgr in pictures]
        looks, colours = (
            np.array([np.mean([rows[places] for rows in kind], (0, 1)) for places in mine])
            for kind in ([s.looks for s in seen], [s.colours for s in seen])
        )
        a, b = ((float(c[0]), float(c[1]), float(c[2])) for c in colours)
        shown = np.concatenate([s.colours[np.concatenate(mine)] for s in seen])
        second = np.tile(np.repeat([False, True], [len(places) for places in mine]), len(seen))
        discs = np.concatenate([discs_of(s.quadrants)[np.concatenate(mine)] for s in seen])
        hues = Hues.learned(discs, second, colours)
        return Look(looks, (a, b), spread_of(shown, second), hues, Directions.learned(discs, second))

    def _look_at(self, bgr: Bgr, board: Board) -> "_Seen":
        if self._cutter is None or self._cutter.board != board:
            self._cutter = QuadrantCutter(board)
        quadrants = self._cutter.cut(bgr)
        out = self._net.answers(quadrants).astype(np.float64)
        logits = out[:, :LEVELS] / CALM
        levels = np.exp(logits - logits.max(1, keepdims=True))
        levels = levels / levels.sum(1, keepdims=True) * (1 - NEVER_SURE) + NEVER_SURE / LEVELS
        rims = of_places(quadrants[:, FIRST_ROWS])[:, :, FIRST_COLUMNS]
        colours = np.percentile(rims.reshape(PLACES, -1, 3), GLOSS_ABOVE, 1)
        covered = out[:, COVERED] > np.log(HIDDEN / (1 - HIDDEN))
        return _Seen(levels, out[:, COVERED + 1 : COVERED + 1 + LOOK], colours, covered, quadrants)


class _Seen:
    """What the net sees at each place: chances of numbers (26, 16), looks, colours (26, 3), covered (26,).

    `quadrants` are the pictures in which it sees this.
    """

    __slots__ = ("colours", "covered", "levels", "looks", "quadrants")

    def __init__(
        self,
        levels: Array,
        looks: Array,
        colours: Array,
        covered: NDArray[np.bool_],
        quadrants: Quadrants,
    ) -> None:
        self.levels, self.looks, self.colours, self.covered = levels, looks, colours, covered
        self.quadrants = quadrants


def _with_look(first: Array, seen: _Seen, look: Look) -> Array:
    """The chances (26,) that the checkers of each place are of the first side, with the directions of their colours
    where these tell, otherwise with their hues, and where these do not tell either with their colours.
    """
    there = ~seen.covered & (seen.levels[:, 0] < 0.5)
    there[POINTS:] = False
    discs = discs_of(seen.quadrants)
    directions = look.directions.said(discs, first, there)
    hues = np.where(np.isnan(directions), look.hues.said(discs, first, there), directions)
    by_hues = 1 / (1 + np.exp(-(log_odds(first) + hues)))
    by_colours = with_colours(first, seen.colours, look.colours, look.spread)
    return np.where(np.abs(hues) > HUES_TELL, by_hues, by_colours)


def _one_colour(seen: _Seen) -> tuple[Colour, Colour]:
    """The mean colour of all checkers, twice."""
    weights = TRUST * (1 - seen.levels[:, 0] + 1e-9)
    b, g, r = np.average(seen.colours, 0, weights)
    return ((float(b), float(g), float(r)),) * 2


def _point(levels: Array, first: float, covered: bool) -> PointChances:
    if covered:
        return PointChances(np.full(STATES, 1 / STATES), covered=True)
    return PointChances(np.concatenate([levels[:1], levels[1:] * first, levels[1:] * (1 - first)]))


def _bar(seen: _Seen, first: Array) -> tuple[PointChances, PointChances]:
    """Both colours on the bar: the sum of what its halves show of each."""
    hidden = bool(seen.covered[POINTS:].any())
    out = []
    for share in (first, 1 - first):
        sums = np.ones(1)
        for levels, mine in zip(seen.levels[POINTS:], share[POINTS:], strict=True):
            sums = np.convolve(sums, np.concatenate([[1 - (1 - levels[0]) * mine], levels[1:] * mine]))
        sums[CHECKERS] += sums[CHECKERS + 1 :].sum()
        out.append(sums[: CHECKERS + 1])
    states = np.zeros((2, STATES))
    states[0, : CHECKERS + 1] = out[0] if not hidden else 1 / (CHECKERS + 1)
    states[1, [0, *range(CHECKERS + 1, STATES)]] = out[1] if not hidden else 1 / (CHECKERS + 1)
    return PointChances(states[0], hidden), PointChances(states[1], hidden)
