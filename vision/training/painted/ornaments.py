"""Ornaments of a painted board: mosaic and bands at the bases, arrows over the tips, rosettes, uneven places of points.

Boards of marquetry and mother-of-pearl look like this. What is drawn comes from a generator of its own, so that a
board without ornaments stays the same for the same seed.
"""

from collections.abc import Callable

import cv2
import numpy as np

from vision.training.painted.field import Field, fill, outline
from vision.training.painted.plan import Colour, Plan, Points, apart, random_colour, shaded


class OrnateField(Field):
    """A field with ornaments, which `chance` draws."""

    def __init__(
        self, rng: np.random.Generator, plan: Plan, width_px: int, chance: np.random.Generator
    ) -> None:
        super().__init__(rng, plan, width_px)
        self.chance, rng = chance, chance
        self.inks: tuple[Colour, ...] = (
            self.two[0],
            self.two[1],
            apart(rng, self.field, least=60),
            random_colour(rng, "wood"),
        )
        self.mosaic = rng.random() < 0.5
        self.lined = rng.random() < 0.4
        self.inner = rng.random() < 0.25
        self.motif = MOTIFS[int(rng.integers(len(MOTIFS)))]
        self.tip = int(rng.integers(6))
        self.aside = rng.uniform(0.02, 0.08) if rng.random() < 0.4 else 0.0

    def _rows(self) -> None:
        under = self.picture.copy()
        super()._rows()
        if self.aside:  # the points lie closer together than the checkers, which stand along the walls
            self._draw_together(under)
        if self.chance.random() < 0.55:
            self._bands()
        if self.chance.random() < 0.3:
            self._scallops()

    def _draw_together(self, under: np.ndarray) -> None:
        drawn = self.picture.copy()
        for a, b in self.plan.halves:
            h = self.plan.size_mm[1] / 2
            (x0, y0), (x1, y1) = (np.round(self.at(np.array([p]))[0]).astype(int) for p in ((a, h), (b, -h)))
            part = drawn[max(y0, 0) : y1, max(x0, 0) : x1]
            if part.size == 0:
                continue
            slim = max(4, round(part.shape[1] * (1 - 2 * self.aside)))
            at = x0 + round((x1 - x0 - slim) * self.chance.uniform(0.3, 0.7))
            self.picture[max(y0, 0) : y1, max(x0, 0) : x1] = under[max(y0, 0) : y1, max(x0, 0) : x1]
            small = cv2.resize(part, (slim, part.shape[0]), interpolation=cv2.INTER_AREA)
            self.picture[max(y0, 0) : y1, max(at, 0) : max(at, 0) + slim] = small

    def _point(self, base: Points, up: int, half_mm: float, long: float, bend: float, which: int) -> None:
        super()._point(base, up, half_mm, long, bend, which)
        rng, tip = self.chance, base - (0, up * long)
        shape = np.array([(-half_mm, 0.0), (half_mm, 0.0), (0.0, -up * long)]) + base
        if self.mosaic:
            self._tiles(base, up, half_mm, long, which)
        if self.lined:
            outline(self.picture, self.at(shape), self.inks[2], 1 + int(half_mm * self.scale > 12))
        if self.inner:
            middle = base - (0, up * long * 0.36)
            fill(self.picture, self.at((shape - middle) * 0.5 + middle), self.inks[3 - which])
        if self.tip == 0:  # arrows over the tip
            for k in range(int(2 + self.aside * 20)):
                at = tip - (0, up * half_mm * (0.5 + 0.6 * k))
                arrow = np.array(
                    [(-half_mm * 0.5, up * half_mm * 0.4), (0, 0), (half_mm * 0.5, up * half_mm * 0.4)]
                )
                outline(self.picture, self.at(arrow + at), self.inks[2], 2, closed=False)
        elif self.tip == 1:
            self.motif(self, tip, half_mm * 0.6, self.inks[2], self.inks[1 - which])
        elif self.tip == 2:
            self._ring(tip - (0, up * half_mm), half_mm * 0.7, self.inks[which])
        elif self.tip == 3 and rng.random() < 0.5:
            self._ring(base - (0, up * half_mm), half_mm * 0.8, self.inks[3])

    def _tiles(self, base: Points, up: int, half_mm: float, long: float, which: int) -> None:
        """Small pieces along the point, smaller towards its tip."""
        at, k = half_mm * 0.4, 0
        while at < long * 0.92:
            half = half_mm * (1 - at / long)
            size = max(1.5, half * 0.75)
            for side in (-0.5, 0.5) if half > 0.55 * half_mm and k % 2 else (0.0,):
                ink, second = self.inks[(k + which) % 4], self.inks[(k + which + 2) % 4]
                spot = base + np.array([side * half, -up * at])
                self.motif(self, spot, size * (0.5 if side else 0.8), ink, second)
            at, k = at + size * 1.25, k + 1

    def _bands(self) -> None:
        """A band of motifs along the bases, over the points, or a row of rosettes."""
        rng, h = self.chance, self.plan.size_mm[1]
        tall = h * rng.uniform(0.03, 0.13)
        plain, ink, second = (self.inks[int(k)] for k in rng.permutation(4)[:3])
        ground = shaded(self.field if rng.random() < 0.4 else plain, rng.uniform(0.5, 1.1))
        for a, b in self.plan.halves:
            for up in (1, -1):
                edge = up * h / 2
                low, high = sorted((edge, edge - up * tall))
                if rng.random() < 0.8:
                    fill(self.picture, self.box((a, low, b, high)), ground)
                    outline(self.picture, self.box((a, low, b, high)), second)
                many = max(3, round((b - a) / tall * rng.uniform(0.6, 1.1)))
                for k in range(many):
                    x = a + (k + 0.5) * (b - a) / many
                    self.motif(self, np.array([x, edge - up * tall / 2]), tall * 0.42, ink, second)

    def _scallops(self) -> None:
        """Arcs from point to point along the bases."""
        h, turn = self.plan.size_mm[1] / 2, np.linspace(0, np.pi, 12)
        for a, b in self.plan.halves:
            r = (b - a) / 12
            for up in (1, -1):
                for k in range(6):
                    arc = np.stack([np.cos(turn) * r, -up * np.sin(turn) * r * 0.6], 1)
                    outline(
                        self.picture,
                        self.at(arc + np.array([a + (2 * k + 1) * r, up * h])),
                        self.inks[2],
                        2,
                        closed=False,
                    )

    def _middle(self) -> None:
        super()._middle()
        rng = self.chance
        if rng.random() < 0.45:  # one rosette in each half, as far as over the tips
            reach = self.plan.size_mm[1] * rng.uniform(0.06, 0.2)
            petals = int(rng.integers(6, 17))
            for a, b in self.plan.halves:
                middle = np.array([(a + b) / 2, 0.0])
                for n, share in enumerate((1.0, 0.75, 0.5, 0.28)):
                    self._ring(middle, reach * share, self.inks[n % 4], filled=True)
                    for k in range(petals):
                        turn = 2 * np.pi * k / petals
                        at = middle + reach * share * 0.86 * np.array([np.cos(turn), np.sin(turn)])
                        self.motif(
                            self,
                            at,
                            reach * share * 2.2 / petals,
                            self.inks[(n + 1) % 4],
                            self.inks[(n + 2) % 4],
                        )

    def _ring(self, middle: Points, r_mm: float, ink: Colour, filled: bool = False) -> None:
        turn = np.linspace(0, 2 * np.pi, 20, endpoint=False)
        shape = self.at(np.stack([np.cos(turn), np.sin(turn)], 1) * r_mm + middle)
        if filled:
            fill(self.picture, shape, ink)
        else:
            outline(self.picture, shape, ink, 1 + int(r_mm * self.scale > 9))


Motif = Callable[[OrnateField, Points, float, Colour, Colour], None]
"""Draws a small piece at a place, so large in mm, in two colours."""


def _polygon(turns: Points, share: Points) -> Motif:
    def draw(field: OrnateField, at: Points, size: float, ink: Colour, second: Colour) -> None:
        shape = np.stack([np.cos(turns) * share, np.sin(turns) * share], 1)
        fill(field.picture, field.at(shape * size + at), ink)
        fill(field.picture, field.at(shape * size * 0.5 + at), second)

    return draw


def _even(corners: int, first: float = 0.0) -> Motif:
    turns = np.linspace(0, 2 * np.pi, corners, endpoint=False) + first
    return _polygon(turns, np.ones(corners))


def _star(rays: int, inner: float) -> Motif:
    turns = np.linspace(0, 2 * np.pi, 2 * rays, endpoint=False)
    return _polygon(turns, np.where(np.arange(2 * rays) % 2, inner, 1.0))


MOTIFS: tuple[Motif, ...] = (
    _even(4),
    _even(4, np.pi / 4),
    _even(3, np.pi / 2),
    _even(6),
    _even(14),
    _star(8, 0.55),
    _star(6, 0.5),
    _star(12, 0.7),
)
