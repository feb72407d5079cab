"""A painted board under a camera: rims, checkers, dice, cube and cups with their sides, and their shadows."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.training.painted.field import FIELD_PX, Field, fill, grained, outline
from vision.training.painted.ornaments import OrnateField
from vision.training.painted.plan import Colour, Picture, Plan, Points, apart, random_colour, shaded

LARGEST_TILT_DEG = 35.0
FAR, FAR_AWAY = 0.5, (3.2, 12.0)
"""Share of the wider range's cameras that are far away, with a long lens, and how far, in widths of the board."""
ASLANT, ASLANT_DEG = 0.2, (25.0, 48.0)
"""Share of the wider range's cameras that look from the side, and how much."""
UPRIGHT_DEG, TURNED_DEG = 32.0, (52.0, 128.0)
"""Boards turned up to the one are found as they are; those turned by the other only in a turned picture."""

SHADOWS = (0.0, 0.6)
"""Least and greatest share of the light that is missing in a shadow on the board."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A camera: from millimetres (N, 3) to pixels (N, 2)."""

    tilt: np.ndarray
    away_mm: float
    onto: np.ndarray

    def see(self, mm: Points) -> Points:
        """Points (N, 3) of the board's space in the picture (N, 2)."""
        seen = np.asarray(mm, np.float64) @ self.tilt.T
        flat = seen[:, :2] * (1, -1) / (self.away_mm - seen[:, 2:])
        return np.asarray(flat @ self.onto[:, :2].T + self.onto[:, 2])

    def on(self, mm: Points, z: float = 0.0) -> Points:
        """Points (N, 2) at one height in the picture (N, 2)."""
        return self.see(np.c_[mm, np.full(len(mm), z)])


def random_shot(
    rng: np.random.Generator, plan: Plan, size: tuple[int, int], upright: bool, wider: bool = False
) -> Shot:
    """A camera from straight above to 35 degrees aslant; the board fills 30 to 105 % of the picture.

    `wider`: many are farther away than a camera above a table, some more aslant.
    """
    spread = float(rng.choice((4.0, 12.0, 24.0), p=(0.45, 0.33, 0.22)))
    tilt = np.radians(min(abs(rng.normal(0, spread)), LARGEST_TILT_DEG))
    if plan.surround == "deep" and rng.random() < 0.5:
        tilt = np.radians(rng.uniform(6, 24))
    if wider and rng.random() < ASLANT:
        tilt = np.radians(rng.uniform(*ASLANT_DEG))
    about = np.pi / 2 * rng.integers(4) + rng.normal(0, 0.35)
    axis = np.array([np.cos(about), np.sin(about), 0.0]) * tilt
    turn = np.asarray(cv2.Rodrigues(axis)[0])
    away = plan.size_mm[0] * rng.uniform(1.1, 3.2)
    if wider and rng.random() < FAR:
        away = plan.size_mm[0] * float(np.exp(rng.uniform(*np.log(FAR_AWAY))))
    roll = rng.normal(0, 3) if rng.random() < 0.6 else rng.uniform(-UPRIGHT_DEG, UPRIGHT_DEG)
    if not upright:
        roll = rng.uniform(*TURNED_DEG) * rng.choice((-1, 1))
    c, s = np.cos(np.radians(roll)), np.sin(np.radians(roll))
    spin = np.array([[c, -s], [s, c]])
    stretch = np.exp(rng.normal(0, 0.06)) if rng.random() < 0.75 else rng.uniform(0.72, 1.3)
    spin = np.diag((stretch, 1 / stretch)) @ spin
    raw = Shot(turn, away, np.c_[spin, np.zeros(2)])
    x0, y0, x1, y1 = plan.outer
    whole = np.array([(x0, y1), (x1, y1), (x1, y0), (x0, y0)])
    surface = raw.on(plan.marks[:4])
    seen = raw.on(whole, plan.deep_mm) if rng.random() < 0.6 else surface
    low, high = seen.min(0), seen.max(0)
    filled = 0.3 + 0.75 * rng.random() ** 0.45
    scale = filled * float(np.min(np.array(size) / (high - low)))
    slack = np.array(size) - scale * (high - low)
    place = np.where(slack > 0, rng.uniform(0.08, 0.92, 2), 0.5) if rng.random() < 0.5 else np.full(2, 0.5)
    shift = -scale * low + slack * place + rng.normal(0, 0.012, 2) * size
    return Shot(turn, away, np.c_[spin * scale, shift])


@dataclass(frozen=True, slots=True)
class Disc:
    """A checker or a cup on the board: the middle of its upper face, its radius and its thickness, in mm."""

    x: float
    y: float
    top: float
    radius: float
    thick: float


class Scene:
    """A board on a background, drawn from below to above.

    Arguments:
        dice: draw a few rough dice, too.
        field_px: width of the flat picture of the field.
        ornaments: draws ornaments where it is given.
        shadows: least and greatest share of the light that is missing in a shadow.

    Attributes:
        discs: the checkers and cups that were drawn.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        plan: Plan,
        shot: Shot,
        picture: Picture,
        dice: bool = True,
        field_px: int = FIELD_PX,
        ornaments: np.random.Generator | None = None,
        shadows: tuple[float, float] = SHADOWS,
    ) -> None:
        self.ornaments, self.shadows = ornaments, shadows
        self.rng, self.plan, self.shot, self.picture = rng, plan, shot, picture
        self.dice = dice
        self.discs: list[Disc] = []
        self.size = (picture.shape[1], picture.shape[0])
        self.lamp = rng.normal(0, 0.8, 2)
        self.sharp = float(rng.uniform(0, 6))
        self.field = OrnateField(rng, plan, field_px, ornaments) if ornaments else Field(rng, plan, field_px)
        edge = self.field.edge
        self.top = edge if rng.random() < 0.5 else random_colour(rng, "wood" if rng.random() < 0.6 else "any")
        self.sides: tuple[Colour, Colour] = (random_colour(rng), random_colour(rng))
        self.sides = (self.sides[0], apart(rng, self.sides[0], least=90))
        if ornaments and ornaments.random() < 0.35:  # one side of the field's own wood or cloth
            near = shaded(self.field.field, float(ornaments.uniform(0.35, 0.8)))
            self.sides = (near, apart(ornaments, near, least=90))

    def draw(self) -> Picture:
        """The picture with the board on it."""
        self._shadow([self._hull(self.plan.outer, -self.plan.body_mm, self.plan.deep_mm)], 25.0)
        self._case()
        self._inside()
        self._top()
        self._blocks()
        self._pieces()
        return self.picture

    def _box(self, rect: tuple[float, float, float, float], z: float) -> Points:
        x0, y0, x1, y1 = rect
        return self.shot.on(np.array([(x0, y1), (x1, y1), (x1, y0), (x0, y0)]), z)

    def _hull(self, rect: tuple[float, float, float, float], low: float, high: float) -> Points:
        both = np.concatenate([self._box(rect, low), self._box(rect, high)]).astype(np.float32)
        return np.asarray(cv2.convexHull(both)[:, 0], np.float64)

    def _shadow(self, shapes: Sequence[Points], tall_px: float) -> None:
        """Darken where these would throw a shadow on what is drawn so far."""
        mask = np.zeros(self.picture.shape[:2], np.uint8)
        for shape in shapes:
            fill(mask, shape + self.lamp * tall_px * 0.5, (255,) * 3)
        if self.sharp > 0.6:
            mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), self.sharp), np.uint8)
        deep = np.float32(self.rng.uniform(*self.shadows) / 255)
        self.picture = np.asarray(self.picture * (1 - mask[..., None] * deep), np.uint8)

    def _case(self) -> None:
        side = shaded(self.top, 0.6)
        fill(self.picture, self._hull(self.plan.outer, -self.plan.body_mm, self.plan.deep_mm), side)
        top = self._box(self.plan.outer, self.plan.deep_mm)
        if self.plan.surround == "sheet":
            return
        layer = self.picture.copy()
        fill(layer, top, self.top)
        wood = grained(self.rng, (self.size[1], self.size[0]))
        mask = np.zeros(self.picture.shape[:2], np.uint8)
        fill(mask, top, (255,) * 3)
        self.picture = np.where(mask[..., None] > 127, np.clip(layer * wood, 0, 255), layer).astype(np.uint8)
        if self.rng.random() < 0.4:
            outline(self.picture, top, shaded(self.top, 0.5))

    def _inside(self) -> None:
        """The floor and the inner sides of the rims, seen through the openings in them."""
        plan, flat = self.plan, self.field.paint()
        h, w = flat.shape[:2]
        corners = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32)
        onto = cv2.getPerspectiveTransform(corners, self._box(plan.outer, 0.0).astype(np.float32))
        layer = np.asarray(cv2.warpPerspective(flat, onto, self.size, flags=cv2.INTER_AREA), np.uint8)
        openings = [plan.outer] if plan.surround == "sheet" else plan.openings
        mask = np.zeros(self.picture.shape[:2], np.uint8)
        for rect in openings:
            fill(mask, self._box(rect, plan.deep_mm), (255,) * 3)
        kept = self.picture
        self.picture = layer
        if plan.deep_mm > 0:
            self._walls(openings)
        share = mask[..., None].astype(np.float32) / 255
        self.picture = np.asarray(self.picture * share + kept * (1 - share), np.uint8)

    def _walls(self, openings: Sequence[tuple[float, float, float, float]]) -> None:
        shades = np.clip(
            0.75 + 0.35 * np.array([self.lamp[1], self.lamp[0], -self.lamp[1], -self.lamp[0]]), 0.25, 1.25
        )
        bottoms = [self._box(rect, 0.0) for rect in openings]
        tops = [self._box(rect, self.plan.deep_mm) for rect in openings]
        lifted = self.plan.deep_mm / self.plan.size_mm[0] * self.size[0]
        strips = []
        for low in bottoms:  # the walls' shadows on the floor
            around = np.concatenate([low, low[:1]])
            for k in range(4):
                strips.append(np.stack([around[k], around[k + 1], around[k + 1] + 1, around[k] + 1]))
        self._shadow(strips, lifted * 1.5)
        for low, high in zip(bottoms, tops, strict=True):
            for k in range(4):
                j = (k + 1) % 4
                side = shaded(self.top, float(shades[k]))
                fill(self.picture, np.stack([low[k], low[j], high[j], high[k]]), side)

    def _top(self) -> None:
        """What is on the rims and the bar: the gap between the halves, hinges, pads, locks."""
        rng, plan = self.rng, self.plan
        if plan.bar not in ("raised", "frames") or plan.surround == "sheet":
            return
        b, (_, y0, _, y1) = plan.bar_mm / 2, plan.outer
        z = plan.deep_mm
        if plan.bar == "raised" and rng.random() < 0.5:
            other = random_colour(rng)
            fill(self.picture, self._box((-b, -plan.size_mm[1] / 2, b, plan.size_mm[1] / 2), z), other)
        if plan.bar == "frames":
            gap = b * rng.uniform(0.02, 0.5) if rng.random() < 0.8 else 1.0
            dark = random_colour(rng, "grey" if rng.random() < 0.8 else "any")
            fill(self.picture, self._box((-gap, y0, gap, y1), z), shaded(dark, 0.35))
        if rng.random() < 0.7:
            metal, tall = random_colour(rng), plan.size_mm[1] * rng.uniform(0.03, 0.13)
            wide = b * rng.uniform(0.4, 1.0)
            at = plan.size_mm[1] * rng.uniform(0.15, 0.4)
            for y in (-at, at):
                fill(self.picture, self._box((-wide, y - tall / 2, wide, y + tall / 2), z), metal)

    def _blocks(self) -> None:
        """Blocks and straps across the trays, in their middle or at their ends."""
        rng, plan = self.rng, self.plan
        if not plan.trays or rng.random() < 0.45:
            return
        half, tall = plan.size_mm[1] / 2, plan.size_mm[1] * rng.uniform(0.03, 0.22)
        top = (
            self.top if rng.random() < 0.5 else self.field.edge if rng.random() < 0.5 else random_colour(rng)
        )
        z = max(plan.deep_mm, 2.0) * rng.uniform(0.3, 1.0)
        at = 0.0 if rng.random() < 0.7 else half - tall
        for x0, _, x1, _ in plan.trays:
            for y in {at, -at}:
                rect = (x0, y - tall, x1, y + tall)
                fill(self.picture, self._hull(rect, 0.0, z), shaded(top, 0.6))
                fill(self.picture, self._box(rect, z), top)
                if rng.random() < 0.4:
                    outline(self.picture, self._box(rect, z), random_colour(rng))

    def _pieces(self) -> None:
        """Checkers, dice, the cube and cups."""
        rng, plan = self.rng, self.plan
        radius = (plan.size_mm[0] - plan.bar_mm) / 12 * rng.uniform(0.36, 0.5)
        thick = radius * rng.uniform(0.12, 0.6)
        places = self._checkers(radius, thick)
        if places:
            self._discs(places, radius, thick)
        self.discs = [Disc(x, y, z + thick, radius, thick) for x, y, z, _ in places]
        for _ in range(int(rng.choice((0, 2, 4), p=(0.3, 0.6, 0.1))) if self.dice else 0):
            x, y = self._spot()
            self._cube(x, y, 0.0, radius * rng.uniform(0.3, 0.5), True)
        if rng.random() < 0.35:
            x, y = self._spot()
            if rng.random() < 0.7:
                x = rng.choice((0.0, plan.outer[0] + plan.rim_mm, plan.outer[2] - plan.rim_mm))
            half = radius * rng.uniform(0.5, 0.9)
            self._cube(x, y, 0.0, half, False)
            self.discs.append(Disc(x, y, 2 * half, 1.5 * half, 2 * half))
        if rng.random() < 0.15:
            x, y = self._spot()
            colours = (random_colour(rng),) * 2
            tall, wide = rng.uniform(20, 90), radius * rng.uniform(1.2, 2)
            self._stack([(x, y, tall, 0)], wide, colours, True)
            self.discs.append(Disc(x, y, tall, wide, tall))

    def _spot(self) -> tuple[float, float]:
        w, h = self.plan.size_mm
        return float(self.rng.uniform(-w / 2, w / 2) * 0.95), float(self.rng.uniform(-h / 2, h / 2) * 0.95)

    def _checkers(self, radius: float, thick: float) -> list[tuple[float, float, float, int]]:
        """x, y, z and side of every checker."""
        rng, plan = self.rng, self.plan
        if rng.random() < 0.08:
            return []
        out: list[tuple[float, float, float, int]] = []
        crowd = rng.uniform(0.1, 0.7)
        slip = radius * rng.uniform(0, 0.12)
        for a, b in plan.halves:
            for k in range(6):
                for up in (1, -1):
                    if rng.random() > crowd:
                        continue
                    x, side = a + (k + 0.5) * (b - a) / 6, int(rng.integers(2))
                    for n in range(int(rng.choice((1, 2, 3, 4, 5, 7), p=(0.2, 0.25, 0.2, 0.1, 0.2, 0.05)))):
                        y = up * (plan.size_mm[1] / 2 - radius * (1 + 2.03 * (n % 5)))
                        spot = rng.normal(0, 1, 2) * slip + (x, y)
                        out.append((float(spot[0]), float(spot[1]), thick * (n // 5), side))
        if rng.random() < 0.3:
            for n in range(int(rng.integers(1, 5))):
                z = plan.deep_mm if plan.bar in ("raised", "frames") else 0.0
                out.append((0.0, float((n - 2) * 2.1 * radius), z, int(rng.integers(2))))
        if rng.random() < 0.2:
            for _ in range(int(rng.integers(1, 12))):
                out.append((*self._spot(), 0.0, int(rng.integers(2))))
        if rng.random() < 0.3 and any(plan.trays_mm):
            x = plan.outer[2] - plan.rim_mm - plan.trays_mm[1] / 2 if plan.trays_mm[1] else (
                plan.outer[0] + plan.rim_mm + plan.trays_mm[0] / 2)  # fmt: skip
            up, many = rng.choice((-1, 1)), int(rng.integers(1, 12))
            for n in range(many):
                y = up * (plan.size_mm[1] / 2 - radius - n * thick * rng.uniform(0.8, 1.6))
                out.append((float(x), float(y), thick, int(up > 0)))
        return out

    def _discs(self, places: list[tuple[float, float, float, int]], radius: float, thick: float) -> None:
        self._stack([(x, y, z + thick, side) for x, y, z, side in places], radius, self.sides, False)

    def _stack(
        self,
        tops: list[tuple[float, float, float, int]],
        radius: float,
        colours: tuple[Colour, Colour],
        cup: bool,
    ) -> None:
        """Discs by the middle of their upper faces, down to the surface or their own thickness."""
        turn = np.linspace(0, 2 * np.pi, 18, endpoint=False)
        ring = np.stack([np.cos(turn), np.sin(turn), 0 * turn], 1) * radius
        at = np.array([(x, y, z) for x, y, z, _ in tops])
        low = at.copy()
        low[:, 2] = 0 if cup else np.maximum(0, at[:, 2] - radius * 0.35)
        rounds = [
            self.shot.see((m[:, None] + ring).reshape(-1, 3)).reshape(len(at), -1, 2) for m in (low, at)
        ]
        self._shadow(list(rounds[0]), float(np.ptp(rounds[0][0][:, 0])) * 0.35)
        style = int(self.rng.integers(4))
        for bottom, top, (_, _, _, side) in zip(*rounds, tops, strict=True):
            colour = colours[side]
            dark = shaded(colour, 0.62)
            hull = cv2.convexHull(np.concatenate([bottom, top]).astype(np.float32))[:, 0]
            fill(self.picture, hull, dark)
            fill(self.picture, top, colour)
            middle = top.mean(0)
            if style == 1 or cup:
                fill(self.picture, (top - middle) * 0.66 + middle, shaded(colour, 0.8))
            elif style == 2:
                outline(self.picture, (top - middle) * 0.7 + middle, shaded(colour, 0.7))
            elif style == 3:
                fill(self.picture, (top - middle) * 0.3 + middle, colours[1 - side])

    def _cube(self, x: float, y: float, z: float, half: float, pips: bool) -> None:
        turn = self.rng.uniform(0, np.pi)
        square = np.stack(
            [np.cos(turn + np.arange(4) * np.pi / 2), np.sin(turn + np.arange(4) * np.pi / 2)], 1
        )
        square = square * half * 1.41 + (x, y)
        low, top = self.shot.on(square, z), self.shot.on(square, z + 2 * half)
        self._shadow([low], float(np.ptp(low[:, 0])) * 0.5)
        body = random_colour(self.rng, "grey" if self.rng.random() < 0.6 else "any")
        hull = cv2.convexHull(np.concatenate([low, top]).astype(np.float32))[:, 0]
        fill(self.picture, hull, shaded(body, 0.65))
        fill(self.picture, top, body)
        ink = apart(self.rng, body, least=150)
        middle = top.mean(0)
        if not pips:
            text, size = str(2 ** int(self.rng.integers(1, 7))), float(np.ptp(top[:, 0])) / 45
            spot = (int(middle[0] - size * 12), int(middle[1] + size * 10))
            cv2.putText(self.picture, text, spot, 0, max(0.2, size), ink, 1, cv2.LINE_AA)
            return
        for share in self.rng.permutation(5)[: int(self.rng.integers(1, 6))]:
            pip = middle if share == 4 else (top[share] - middle) * 0.55 + middle
            r = max(0.6, float(np.ptp(top[:, 0])) * 0.08)
            cv2.circle(
                self.picture, (round(pip[0] * 16), round(pip[1] * 16)), round(r * 16), ink, -1, cv2.LINE_AA, 4
            )
