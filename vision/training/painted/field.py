"""The flat picture of a painted board's field, seen square from above, and what it is drawn with."""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.training.painted.plan import Colour, Picture, Plan, Points, apart, random_colour

FIELD_PX = 560
"""Usual width of the flat picture of the field."""


def _grain_bank() -> list[NDArray[np.float32]]:
    rng = np.random.default_rng(77)
    bank = []
    for stretch, cell in ((14, 3), (25, 5), (40, 8), (1, 2), (1, 5), (1, 60), (3, 12)):
        grain = np.zeros((512, 512), np.float32)
        for octave in range(3):
            c = max(1.0, cell / 2**octave)
            grid = rng.standard_normal((int(512 / c) + 2, int(512 / (c * stretch)) + 2)).astype(np.float32)
            grain += cv2.resize(grid, (512, 512), interpolation=cv2.INTER_CUBIC) * 0.6**octave
        bank.append(grain / grain.std())
    y, x = np.mgrid[:512, :512]
    bank.append((np.sin(x * 1.1) * np.sin(y * 1.1) * 1.5).astype(np.float32))
    return bank


GRAINS = _grain_bank()
"""Wood, cloth, leather and weave, (512, 512) float32 each, mean 0 and spread 1."""


def grained(rng: np.random.Generator, shape: tuple[int, int]) -> NDArray[np.float32]:
    """A factor for every pixel (h, w, 1): the grain of some material, turned, at some scale."""
    grain = GRAINS[int(rng.integers(len(GRAINS)))]
    if rng.random() < 0.5:
        grain = grain.T
    side = int(rng.integers(160, 513))
    x, y = (int(rng.integers(0, 513 - side)) for _ in range(2))
    cut = cv2.resize(np.ascontiguousarray(grain[y : y + side, x : x + side]), (shape[1], shape[0]))
    return np.asarray(1 + cut[..., None] * np.float32(rng.uniform(0, 0.13)), np.float32)


def fill(picture: Picture, points: Points, colour: Colour) -> None:
    """Fill a polygon (N, 2) given to a fraction of a pixel."""
    at = np.round(np.clip(points, -4000, 4000) * 16).astype(np.int32)
    cv2.fillPoly(picture, [at], colour, cv2.LINE_AA, 4)


def outline(picture: Picture, points: Points, colour: Colour, thick: int = 1, closed: bool = True) -> None:
    """Draw a line (N, 2) given to a fraction of a pixel."""
    at = np.round(np.clip(points, -4000, 4000) * 16).astype(np.int32)
    cv2.polylines(picture, [at], closed, colour, thick, cv2.LINE_AA, 4)


class Field:
    """The flat picture of everything on the board's plane, seen square from above."""

    def __init__(self, rng: np.random.Generator, plan: Plan, width_px: int = FIELD_PX) -> None:
        self.rng, self.plan = rng, plan
        x0, y0, x1, y1 = plan.outer
        self.scale = width_px / (x1 - x0)
        self.shape = (max(8, round((y1 - y0) * self.scale)), width_px)
        self.kind = str(rng.choice(("wood", "cloth", "grey", "any"), p=(0.4, 0.3, 0.15, 0.15)))
        self.field = random_colour(rng, self.kind)
        self.two = self._two()
        self.edge = apart(rng, self.field, least=25)
        self.picture = np.empty((*self.shape, 3), np.uint8)

    def _two(self) -> tuple[Colour, Colour]:
        rng = self.rng
        kind = self.kind if rng.random() < 0.5 else "any"
        one = apart(rng, self.field, kind, 45)
        two = self.field if rng.random() < 0.12 else apart(rng, one, kind, 45)
        if rng.random() < 0.05:
            two = one
        return one, two

    def at(self, mm: Points) -> Points:
        """Millimetres (N, 2) to pixels of the flat picture (N, 2)."""
        x0, _, _, y1 = self.plan.outer
        return np.asarray((np.asarray(mm, np.float64) - (x0, y1)) * (self.scale, -self.scale))

    def box(self, rect: tuple[float, float, float, float]) -> Points:
        """The corners (4, 2) of a rectangle in pixels of the flat picture."""
        x0, y0, x1, y1 = rect
        return self.at(np.array([(x0, y1), (x1, y1), (x1, y0), (x0, y0)]))

    def paint(self) -> Picture:
        """The whole of it, as large as the board with its rims."""
        rng, plan = self.rng, self.plan
        self.picture[:] = self.edge
        for k, opening in enumerate(plan.openings):
            tray = opening[0] >= plan.size_mm[0] / 2 or opening[2] <= -plan.size_mm[0] / 2
            other = self.edge if rng.random() < 0.5 else random_colour(rng)
            same = not tray or rng.random() < 0.55
            fill(self.picture, self.box(opening), self.field if same or k == 0 else other)
        self._middle()
        self._rows()
        self._bar()
        self._print()
        grain = grained(rng, self.shape)
        return np.clip(self.picture * grain, 0, 255).astype(np.uint8)

    def _rows(self) -> None:
        rng, plan = self.rng, self.plan
        long = plan.size_mm[1] * rng.uniform(0.3, 0.47)
        inset = rng.uniform(0, 0.035) * plan.size_mm[1] if rng.random() < 0.4 else 0.0
        side = rng.uniform(0, 0.03) if rng.random() < 0.3 else 0.0
        bend, wide = float(np.exp(rng.normal(0, 0.2))), rng.uniform(0.75, 1.0)
        phase = int(rng.integers(2))
        number = rng.random() < 0.12
        for half, (a, b) in enumerate(plan.halves):
            a, b = a + side * (b - a), b - side * (b - a)
            pitch = (b - a) / 6
            for k in range(6):
                for up in (1, -1):
                    base = np.array([a + (k + 0.5) * pitch, up * (plan.size_mm[1] / 2 - inset)])
                    which = (k + phase + (up > 0)) % 2
                    self._point(base, up, pitch * wide / 2, long, bend, which)
                    if number:
                        text = str(1 + k + 6 * half + 12 * (up > 0))
                        x, y = self.at(np.add(base, (0, up * 0.3 * plan.rim_mm))[None])[0]
                        cv2.putText(
                            self.picture, text, (int(x) - 4, int(y) + 4), 0, 0.3, self.two[0], 1, cv2.LINE_AA
                        )

    def _point(self, base: Points, up: int, half_mm: float, long: float, bend: float, which: int) -> None:
        form, colour = self.plan.form, self.two[which]
        t = np.linspace(0, 1, 7)
        share = (1 - t) ** bend
        if form == "blunt":
            share = 0.22 + 0.78 * share
        reach = long * (1 - (form == "dotted") * 0.08)
        left = np.stack([-half_mm * share, -up * t * reach], 1)
        right = np.stack([half_mm * share, -up * t * reach], 1)[::-1]
        shape = np.concatenate([left, right]) + base
        if form == "rounded":
            turn = np.linspace(0, np.pi, 8)
            arc = np.stack([half_mm * np.cos(turn), up * half_mm * 0.9 * np.sin(turn)], 1)
            shape = np.concatenate([left, right, arc]) + base - (0, up * half_mm * 0.9)
        ink = self.two[0] if form == "outlined" else colour
        at = self.at(shape)
        if form == "outlined" and which == 0:
            outline(self.picture, at, ink, 1 + int(half_mm * self.scale > 11))
        else:
            fill(self.picture, at, colour)
        if form == "dotted":
            x, y = self.at((base - (0, up * reach))[None])[0]
            r = max(1.5, half_mm * self.scale * 0.33)
            cv2.circle(
                self.picture, (round(x * 16), round(y * 16)), round(r * 16), colour, -1, cv2.LINE_AA, 4
            )
        if form == "inlaid":
            other = self.two[1 - which]
            for s in (0.62, 0.3):
                fill(self.picture, self.at((shape - base) * (s, s * 0.95 + 0.05) + base), other)
                other = colour if other != colour else self.field
        elif form in ("pointed", "blunt") and self.rng.random() < 0.003:
            outline(self.picture, at, self.edge)

    def _middle(self) -> None:
        """What many fields show between the rows: bands, medallions, stars, a logo, a seam."""
        rng, plan = self.rng, self.plan
        kind = int(rng.integers(9))
        h = plan.size_mm[1]
        ink, second = apart(rng, self.field, least=20), apart(rng, self.field, least=20)
        for a, b in plan.halves:
            middle, reach = (a + b) / 2, (b - a) / 2
            if kind == 0:
                tall = h * 0.08
                fill(self.picture, self.box((a, -tall, b, tall)), ink)
                outline(self.picture, self.box((a, -tall, b, tall)), second, 2)
            elif kind in (1, 2):
                for n, s in enumerate((0.62, 0.55, 0.4, 0.2)):
                    r = reach * s * 0.5
                    shape = np.array([(-r, r), (r, r), (r, -r), (-r, -r)])
                    if kind == 2 or n > 1:
                        shape = np.array([(-r, 0), (0, r * 1.3), (r, 0), (0, -r * 1.3)])
                    fill(self.picture, self.at(np.add(shape, (middle, 0))), (ink, second)[n % 2])
            elif kind == 3:
                x, y = self.at(np.array([(middle, 0.0)]))[0]
                for n, s in enumerate((0.5, 0.42, 0.3, 0.12)):
                    r = max(1, round(reach * s * 0.6 * self.scale))
                    cv2.circle(
                        self.picture, (round(x), round(y)), r, (ink, self.field)[n % 2], -1, cv2.LINE_AA
                    )
            elif kind == 4:
                self._text(middle, 0.0, ink)
        if kind == 5:
            self._text(0.0, 0.0, ink)
        elif kind == 6:
            (x0, y), (x1, _) = self.at(np.array([(plan.outer[0], 0.0), (plan.outer[2], 0.0)]))
            cv2.line(
                self.picture, (int(x0), int(y)), (int(x1), int(y)), ink, 1 + int(rng.integers(3)), cv2.LINE_AA
            )
        if rng.random() < 0.15:  # stitched seams round the halves
            for a, b in plan.halves:
                inside = self.box((a + 6, -h / 2 + 6, b - 6, h / 2 - 6))
                outline(self.picture, inside, ink)

    def _text(self, x_mm: float, y_mm: float, ink: Colour) -> None:
        letters = self.rng.choice(list("ABCDEFGHKLMNORSTUVaeinorstu &"), int(self.rng.integers(3, 12)))
        size = float(self.rng.uniform(0.4, 1.6))
        x, y = self.at(np.array([(x_mm, y_mm)]))[0]
        at = (int(x - size * 9 * len(letters)), int(y + size * 8))
        cv2.putText(
            self.picture, "".join(letters), at, int(self.rng.integers(0, 7)), size, ink,
            1 + int(self.rng.integers(3)), cv2.LINE_AA,
        )  # fmt: skip

    def _bar(self) -> None:
        rng, plan = self.rng, self.plan
        b, h = max(plan.bar_mm / 2, 0.4), plan.size_mm[1] / 2
        rect = (-b, -h, b, h)
        if plan.bar == "line":
            if plan.bar_mm or rng.random() < 0.6:
                fill(self.picture, self.box(rect), apart(rng, self.field, least=20))
            return
        fill(self.picture, self.box(rect), self.edge if rng.random() < 0.6 else apart(rng, self.field))
        if rng.random() < 0.5 or plan.bar == "frames":
            outline(self.picture, self.box(rect), apart(rng, self.field, least=20))

    def _print(self) -> None:
        """Lines round the whole surface and on its border."""
        rng, plan = self.rng, self.plan
        w, h = plan.size_mm[0] / 2, plan.size_mm[1] / 2
        x0, y0, x1, y1 = plan.outer
        if plan.surround == "sheet" and (plan.rim_mm < 6 or rng.random() < 0.6):
            outline(self.picture, self.box((-w, -h, w, h)), apart(rng, self.field), 1 + int(rng.integers(3)))
        if rng.random() < 0.3:
            grow = plan.rim_mm * rng.uniform(0.2, 0.9)
            rect = (x0 + grow, y0 + grow, x1 - grow, y1 - grow)
            outline(self.picture, self.box(rect), random_colour(rng), 1 + int(rng.integers(3)))
