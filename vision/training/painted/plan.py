"""Plans of painted boards: the measures and the make of a board, and the colours there are.

A plan belongs to a family: the form of its points, the make of its bar and its surround. One family in six is held out:
never learned from, kept for scoring.
"""

import zlib
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Colour = tuple[float, float, float]
"""Blue, green, red, 0 to 255."""
Points = NDArray[np.float64]
Picture = NDArray[np.uint8]

FORMS = ("pointed", "blunt", "rounded", "dotted", "outlined", "inlaid")
BARS = ("line", "strip", "raised", "frames")
SURROUNDS = ("sheet", "flat", "rim", "deep")
POINT_MM = 41.0


@dataclass(frozen=True, slots=True)
class Plan:
    """A board in mm: origin in the middle of the surface, X right, Y up, Z towards the camera.

    Attributes:
        form: of the points, one of FORMS.
        bar: its make, one of BARS.
        surround: one of SURROUNDS.
        size_mm: width and height of the playing surface, the bar included.
        bar_mm: width of the bar, 0 for a surface without one.
        rim_mm: width of the rim or of the printed border.
        deep_mm: height of the rim and of a raised bar over the surface.
        trays_mm: widths of the trays to the left and right, 0 for none.
        divider_mm: width of what parts a tray from the surface.
        body_mm: thickness of the case below the surface.
    """

    form: str
    bar: str
    surround: str
    size_mm: tuple[float, float]
    bar_mm: float
    rim_mm: float
    deep_mm: float
    trays_mm: tuple[float, float]
    divider_mm: float
    body_mm: float

    @property
    def held_out(self) -> bool:
        """Whether the family is kept for scoring."""
        return zlib.crc32(f"{self.form} {self.bar} {self.surround}".encode()) % 6 == 0

    @property
    def halves(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """From where to where the two halves reach along X."""
        w = self.size_mm[0] / 2
        return (-w, -self.bar_mm / 2), (self.bar_mm / 2, w)

    @property
    def outer(self) -> tuple[float, float, float, float]:
        """The board with rims and trays: least X, least Y, largest X, largest Y."""
        w, h = self.size_mm[0] / 2, self.size_mm[1] / 2
        left, right = (t + self.divider_mm if t else 0.0 for t in self.trays_mm)
        return -w - left - self.rim_mm, -h - self.rim_mm, w + right + self.rim_mm, h + self.rim_mm

    @property
    def openings(self) -> list[tuple[float, float, float, float]]:
        """The rectangles inside the rims, as `outer`: the surface or its halves first, then the trays."""
        w, h = self.size_mm[0] / 2, self.size_mm[1] / 2
        parted = self.bar in ("raised", "frames") and self.deep_mm > 0
        spans = list(self.halves) if parted else [(-w, w)]
        return [(a, -h, b, h) for a, b in spans] + self.trays

    @property
    def trays(self) -> list[tuple[float, float, float, float]]:
        """The rectangles of the trays, as `outer`."""
        w, h = self.size_mm[0] / 2 + self.divider_mm, self.size_mm[1] / 2
        left, right = self.trays_mm
        out = [(-w - left, -h, -w, h)] if left else []
        return [*out, (w, -h, w + right, h)] if right else out

    @property
    def marks(self) -> Points:
        """The eight points to be found (8, 2): the surface's corners, then the bar's, clockwise from the top left."""
        w, h, b = self.size_mm[0] / 2, self.size_mm[1] / 2, self.bar_mm / 2
        return np.array([(-w, h), (w, h), (w, -h), (-w, -h), (-b, h), (b, h), (b, -h), (-b, -h)])


def random_plan(rng: np.random.Generator, held_out: bool = False) -> Plan:
    """A board of a family that is learned from, or of one held out."""
    while True:
        plan = _any_plan(rng)
        if plan.held_out == held_out:
            return plan


def _any_plan(rng: np.random.Generator) -> Plan:
    bar = str(rng.choice(BARS, p=(0.22, 0.22, 0.28, 0.28)))
    surround = str(rng.choice(SURROUNDS, p=(0.2, 0.2, 0.35, 0.25)))
    width = 12 * POINT_MM
    share = {
        "line": 0.0 if rng.random() < 0.5 else rng.uniform(0.003, 0.03),
        "strip": rng.uniform(0.03, 0.15),
        "raised": rng.uniform(0.04, 0.16),
        "frames": rng.uniform(0.03, 0.12),
    }[bar]
    if share and rng.random() < 0.06:
        share = rng.uniform(0.12, 0.24)
    bar_mm = width * share / (1 - share)
    deep_mm = {
        "sheet": 0.0, "flat": rng.uniform(0, 6), "rim": rng.uniform(8, 25), "deep": rng.uniform(25, 85)
    }[surround]  # fmt: skip
    rim_mm = 0.0 if surround == "sheet" and rng.random() < 0.25 else rng.uniform(4, 55)
    trays = [0.0, 0.0]
    if rng.random() < 0.55:
        both = rng.uniform(20, 75)
        trays = [both * (rng.random() < 0.85), both * (rng.random() < 0.85)]
    divider_mm = rim_mm if rng.random() < 0.35 else rng.uniform(1.5, 25)
    height = (width + bar_mm) * float(np.clip(rng.normal(0.8, 0.11), 0.55, 1.2))
    return Plan(
        str(rng.choice(FORMS)), bar, surround, (width + bar_mm, height), bar_mm, rim_mm, deep_mm,
        (trays[0], trays[1]), divider_mm, rng.uniform(0, 30) * (surround != "sheet"),
    )  # fmt: skip


def random_colour(rng: np.random.Generator, kind: str = "any") -> Colour:
    """A colour of wood, of cloth and leather, of no hue, or any."""
    if kind == "any":
        kind = str(rng.choice(("wood", "cloth", "grey", "wild"), p=(0.35, 0.3, 0.2, 0.15)))
    hue, full, light = {
        "wood": (rng.uniform(3, 20), rng.uniform(50, 210), rng.uniform(40, 245)),
        "cloth": (rng.uniform(0, 180), rng.uniform(40, 220), rng.uniform(25, 210)),
        "grey": (rng.uniform(0, 180), rng.uniform(0, 30), 255 * rng.random() ** 0.8),
        "wild": (rng.uniform(0, 180), rng.uniform(0, 255), rng.uniform(30, 255)),
    }[kind]
    b, g, r = cv2.cvtColor(np.array([[[hue, full, light]]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    return float(b), float(g), float(r)


def apart(rng: np.random.Generator, from_colour: Colour, kind: str = "any", least: float = 40.0) -> Colour:
    """A colour that can be told from another one; `least` in levels, over the three channels."""
    for _ in range(12):
        colour = random_colour(rng, kind)
        if float(np.linalg.norm(np.subtract(colour, from_colour))) > least:
            break
    return colour


def shaded(colour: Colour, share: float) -> Colour:
    """The colour in another light."""
    b, g, r = (min(255.0, v * share) for v in colour)
    return b, g, r
