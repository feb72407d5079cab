"""Painted boards with checkers of known number: rows, heaps, overlaps and disorder, on boards of every make.

python -m vision.training.painted.checkers --out SHEET.png --seed 1
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board
from vision.training.painted.field import GRAINS, fill, outline
from vision.training.painted.plan import Colour, Picture, Plan, Points, random_plan, shaded
from vision.training.painted.scene import Scene, Shot, random_shot
from vision.training.painted.surroundings import _arm, background, light, spoil

LEAST_POINT_PX = 19.0
"""Points that are narrower in the picture are not painted: a camera over a board shows them twice as wide or more."""
Counts = NDArray[np.int64]
"""(26, 2): checkers of both sides on the points 1 to 24, on the bar's upper and its lower half."""


@dataclass(frozen=True, slots=True)
class PaintedBoard:
    """A picture (H, W, 3) uint8, the board in it, the truth, and where something covers the board, (H, W) 0 or 255."""

    picture: Picture
    board: Board
    counts: Counts
    covered: Picture


def random_counts(rng: np.random.Generator) -> Counts:
    """Fifteen checkers a side or fewer, on points of one colour each, with more heaps than in play."""
    counts = np.zeros((26, 2), np.int64)
    if rng.random() < 0.08:  # the starting position, one way or the other
        start = {1: (2, 0), 6: (0, 5), 8: (0, 3), 12: (5, 0), 13: (0, 5), 17: (3, 0), 19: (5, 0), 24: (0, 2)}
        turn = int(rng.integers(2))
        for n, (a, b) in start.items():
            at = n if rng.random() < 0 or turn == 0 else (13 - n if n <= 12 else 37 - n)
            counts[at - 1] = (a, b)
        return counts[:, ::-1].copy() if rng.random() < 0.5 else counts
    free = [int(n) for n in rng.permutation(24)]
    for side in (0, 1):
        left = 15 if rng.random() < 0.7 else int(rng.integers(1, 15))
        for half in (24, 25):
            if left and rng.random() < 0.16:
                many = min(left, int(rng.choice((1, 2, 3, 4), p=(0.6, 0.25, 0.1, 0.05))))
                if counts[half].sum() == 0:
                    counts[half, side] = many
                    left -= many
        heap = rng.random() < 0.35
        while left and free:
            share = (0.24, 0.26, 0.18, 0.11, 0.09, 0.05, 0.03, 0.02, 0.01, 0.01)
            many = int(rng.choice(np.arange(1, 11), p=share))
            if heap:
                many, heap = int(rng.integers(6, 13)), rng.random() < 0.3
            many = min(many, left)
            counts[free.pop(), side] = many
            left -= many
    return counts


class CheckerScene(Scene):
    """A painted board whose checkers stand as `counts` says.

    Attributes:
        counts: the truth.
    """

    counts: Counts

    def chance(self, *key: int) -> np.random.Generator:
        """The chance of a part of the picture: here one for all; a game needs the same for what stays in its place."""
        return self.rng

    def _some_counts(self) -> Counts:
        return random_counts(self.rng)

    def _pieces(self) -> None:
        """Checkers of known number, then dice, the cube and cups between them."""
        rng, plan = self.rng, self.plan
        self.counts = self._some_counts()
        point = (plan.size_mm[0] - plan.bar_mm) / 12
        self.radius = min(point * rng.uniform(0.38, 0.497), plan.size_mm[1] / rng.uniform(20.1, 23))
        thick = self.radius * rng.uniform(0.16, 0.6)
        self._draw_discs(self._places(thick), thick)
        self.discs = []
        self._others()

    def _others(self) -> None:
        rng, plan, r = self.rng, self.plan, self.radius
        for _ in range(int(rng.choice((0, 2, 4), p=(0.3, 0.6, 0.1)))):
            x, y = self._spot()
            self._cube(x, y, 0.0, r * rng.uniform(0.3, 0.5), True)
        if rng.random() < 0.4:
            x, y = self._spot()
            if rng.random() < 0.8:
                x, y = (
                    float(rng.choice((0.0, plan.outer[0] + plan.rim_mm, plan.outer[2] - plan.rim_mm))),
                    y * 0.2,
                )
            self._cube(x, y, 0.0, r * rng.uniform(0.5, 0.9), False)

    def _places(self, thick: float) -> list[tuple[float, float, float, int]]:
        """x, y, height of the lower face and side of every checker."""
        rng, plan = self.rng, self.plan
        half = plan.size_mm[1] / 2
        slip = self.radius * float(rng.choice((0.015, 0.05, 0.12), p=(0.5, 0.3, 0.2)))
        inset = self.radius * float(rng.choice((0.0, 0.15, 0.4), p=(0.6, 0.3, 0.1)))
        room = max(3, int((half - inset) / (2.04 * self.radius)))
        per_row = min(5, room) if rng.random() < 0.75 else room
        overlap = rng.random() < 0.15
        point = (plan.size_mm[0] - plan.bar_mm) / 12
        out: list[tuple[float, float, float, int]] = []
        for n in range(1, 25):
            many, side = int(self.counts[n - 1].max()), int(self.counts[n - 1].argmax())
            if not many:
                continue
            k = n if n <= 12 else 25 - n
            x = plan.bar_mm / 2 + (6.5 - k) * point if k <= 6 else -plan.bar_mm / 2 - (k - 6.5) * point
            up = -1 if n <= 12 else 1
            column = self._column(self.chance(n), many, slip, per_row, overlap and many > per_row, thick)
            for dx, t, z in column:
                out.append((x + dx, up * (half - inset - t), z, side))
        return out + self._on_bar(thick, slip) + self._in_trays(thick)

    def _column(
        self, rng: np.random.Generator, many: int, slip: float, per_row: int, overlap: bool, thick: float
    ) -> list[tuple[float, float, float]]:
        """Offset, way from the rim and height of the checkers of one point."""
        r = self.radius
        gap = abs(rng.normal(0.02, 0.02)) * r + (rng.random() < 0.1) * rng.uniform(0, 0.3) * r
        if overlap:
            step = (2 * r * per_row - 2 * r) / (many - 1)
            return [
                (
                    float(rng.normal(0, slip)),
                    r + step * i + float(rng.normal(0, slip / 3)),
                    thick * min(i, 1) * 0.6,
                )
                for i in range(many)
            ]
        out: list[tuple[float, float, float]] = []
        for i in range(many):
            layer, k = divmod(i, per_row)
            if layer:
                dx, t, _ = out[k]
                dx, t = (v + float(rng.normal(0, 0.03 * r + slip / 2)) for v in (dx, t))
            else:
                dx, t = float(rng.normal(0, slip)), r + k * (2 * r + gap) + abs(float(rng.normal(0, slip)))
            out.append((dx, t, thick * layer))
        spare = self.plan.size_mm[1] / 2 - max(t for _, t, _ in out) - r
        return out if spare > -0.3 * r else [(dx, r + (t - r) * 0.96, z) for dx, t, z in out]

    def _on_bar(self, thick: float, slip: float) -> list[tuple[float, float, float, int]]:
        rng, plan, r = self.rng, self.plan, self.radius
        high = plan.deep_mm if plan.bar in ("raised", "frames") else 0.0
        out = []
        for half, up in ((24, 1), (25, -1)):
            side, many = int(self.counts[half].argmax()), int(self.counts[half].max())
            begin = rng.uniform(1.05 * r, 0.5 * plan.size_mm[1] / 2)
            row = max(1, int((plan.size_mm[1] / 2 - begin - r) / (2.05 * r)) + 1)
            if rng.random() < 0.3:
                row = max(1, row // 2)
            chance = self.chance(half + 1)
            for i in range(many):
                layer, k = divmod(i, row)
                x = float(chance.normal(0, slip + 0.06 * r))
                out.append((x, up * (begin + k * 2.06 * r), high + layer * thick, side))
        return out

    def _in_trays(self, thick: float) -> list[tuple[float, float, float, int]]:
        rng, plan = self.rng, self.plan
        if not any(plan.trays_mm) or rng.random() < 0.6:
            return []
        right = plan.trays_mm[1] > 0
        x = plan.outer[2] - plan.rim_mm - plan.trays_mm[1] / 2 if right else (
            plan.outer[0] + plan.rim_mm + plan.trays_mm[0] / 2)  # fmt: skip
        out = []
        for side, up in ((0, -1), (1, 1)):
            for n in range(int(rng.integers(0, 12))):
                y = up * (plan.size_mm[1] / 2 - self.radius * (1 + 2.05 * (n // 4)))
                out.append((float(x), float(y), thick * (n % 4), side))
        return out

    def _draw_discs(self, places: list[tuple[float, float, float, int]], thick: float) -> None:
        """Layer by layer, each with its shadow; every set has one material, ring, dimple or gloss."""
        rng = self.rng
        styles = [_Style(rng, colour, self.sides[1 - k]) for k, colour in enumerate(self.sides)]
        if rng.random() < 0.85:
            styles[1].ring, styles[1].dark, styles[1].gloss = styles[0].ring, styles[0].dark, styles[0].gloss
        if self.ornaments and self.ornaments.random() < 0.5:
            rings, petals = (int(k) for k in self.ornaments.integers((0, 0), (7, 13)))
            for style in styles:
                style.rings, style.petals = rings, petals * (petals > 4)
        turn = np.linspace(0, 2 * np.pi, 26, endpoint=False)
        circle = np.stack([np.cos(turn), np.sin(turn), 0 * turn], 1)
        for level in sorted({round(z, 3) for _, _, z, _ in places}):
            layer = [p for p in places if round(p[2], 3) == level]
            lows = [self.shot.see(circle * self.radius + (x, y, z)) for x, y, z, _ in layer]
            tops = [self.shot.see(circle * self.radius + (x, y, z + thick)) for x, y, z, _ in layer]
            self._shadow(lows, float(np.ptp(lows[0][:, 0])) * 0.3 * min(1.0, thick / self.radius / 0.3))
            for low, top, (x, y, _, side) in zip(lows, tops, layer, strict=True):
                own = self.chance(side, *(int(abs(v) * 8) + (v < 0) for v in (x, y)))
                styles[side].draw(own, self.picture, low, top, self.lamp)


class _Style:
    """The make of one side's checkers."""

    def __init__(self, rng: np.random.Generator, colour: Colour, other: Colour) -> None:
        self.colour, self.other = colour, other
        self.ring = int(rng.integers(5))
        self.dark = float(rng.uniform(0.4, 0.8))
        self.gloss = float(rng.uniform(0, 0.6)) if rng.random() < 0.5 else 0.0
        self.uneven = float(rng.uniform(0, 0.07))
        self.grain = GRAINS[int(rng.integers(len(GRAINS)))] * (
            rng.uniform(0, 0.2) if rng.random() < 0.4 else 0.0
        )
        self.rings = self.petals = 0

    def draw(
        self, rng: np.random.Generator, picture: Picture, low: Points, top: Points, lamp: Points
    ) -> None:
        """One checker by the outlines (N, 2) of its faces."""
        colour = shaded(self.colour, 1 + float(rng.normal(0, self.uneven)))
        hull = cv2.convexHull(np.concatenate([low, top]).astype(np.float32))[:, 0]
        fill(picture, np.asarray(hull, np.float64), shaded(colour, self.dark))
        middle = top.mean(0)
        fill(picture, top, shaded(colour, 0.5 + self.dark / 2))
        fill(picture, (top - middle) * 0.92 + middle, colour)
        if self.ring == 1:
            fill(picture, (top - middle) * 0.66 + middle, shaded(colour, 0.86))
        elif self.ring == 2:
            outline(picture, (top - middle) * 0.7 + middle, shaded(colour, 0.7))
        elif self.ring == 3:
            fill(picture, (top - middle) * 0.3 + middle, self.other)
        elif self.ring == 4:
            fill(picture, (top - middle) * 0.68 + middle, shaded(colour, 0.75))
            fill(picture, (top - middle) * 0.6 + middle, shaded(colour, 1.06))
        for k in range(self.rings):
            outline(picture, (top - middle) * (0.15 + 0.78 * k / self.rings) + middle, shaded(colour, 0.7))
        for k in range(self.petals):
            at = top[(k * len(top)) // self.petals] - middle
            outline(picture, np.stack([at * 0.3, at * 0.85]) + middle, shaded(colour, 0.65), closed=False)
        self._finish(rng, picture, top, lamp)

    def _finish(self, rng: np.random.Generator, picture: Picture, top: Points, lamp: Points) -> None:
        """Grain and a spot of gloss on the upper face."""
        if not self.gloss and not self.grain.any():
            return
        x0, y0 = np.floor(top.min(0)).astype(int).clip(0)
        x1, y1 = np.ceil(top.max(0)).astype(int) + 1
        part = picture[y0:y1, x0:x1]
        if part.size == 0:
            return
        h, w = part.shape[:2]
        mask = np.zeros((h, w), np.uint8)
        fill(mask, top - (x0, y0), (255.0,) * 3)
        u, v = (int(k) for k in rng.integers(0, 512 - 200, 2))
        grain = self.grain[v : v + min(h, 200), u : u + min(w, 200)]
        change = np.zeros((h, w), np.float32)
        change[: grain.shape[0], : grain.shape[1]] = 128 * grain
        if self.gloss:
            yy, xx = np.mgrid[:h, :w].astype(np.float32)
            at = (np.array([w, h]) / 2 - np.asarray(lamp) * np.array([w, h]) * 0.2).astype(np.float32)
            change += 160 * self.gloss * np.exp(-((xx - at[0]) ** 2 + (yy - at[1]) ** 2) / (0.04 * w * h + 1))
        part[:] = np.clip(part + (change * (mask / 255))[..., None], 0, 255).astype(np.uint8)


def near_shot(rng: np.random.Generator, plan: Plan, size: tuple[int, int]) -> tuple[Shot, Board]:
    """A camera with the whole surface in its picture (width, height), its points wide enough, and the board in it."""
    while True:
        shot = random_shot(rng, plan, size, upright=True)
        corners = shot.on(plan.marks[:4])
        inside = np.all((corners > -0.03 * size[0]) & (corners < np.array(size) + 0.03 * size[0]))
        board = Board(size, tuple((float(x), float(y)) for x, y in corners), plan.size_mm, plan.bar_mm)
        if inside and board.px_per_mm() * (plan.size_mm[0] - plan.bar_mm) / 12 > LEAST_POINT_PX:
            return shot, board


def paint_board(
    rng: np.random.Generator, size: tuple[int, int], held_out: bool = False, ornate: bool = False
) -> PaintedBoard:
    """One picture (width, height), the board in it as a board file has it."""
    ornaments = rng.spawn(1)[0] if ornate else None
    plan = random_plan(rng, held_out)
    shot, board = near_shot(rng, plan, size)
    scene = CheckerScene(rng, plan, shot, background(rng, size), field_px=700, ornaments=ornaments)
    picture = light(rng, scene.draw())
    picture, covered = (
        with_arms(rng, picture) if rng.random() < 0.25 else (picture, np.zeros(picture.shape[:2], np.uint8))
    )
    return PaintedBoard(spoil(rng, picture), board, scene.counts, covered)


def with_arms(rng: np.random.Generator, picture: Picture) -> tuple[Picture, Picture]:
    """The picture with one or two arms over it, and where they are, (H, W) 0 or 255."""
    out = picture.copy()
    for _ in range(int(rng.choice((1, 2), p=(0.8, 0.2)))):
        _arm(rng, out)
    return out, np.where((out != picture).any(-1), 255, 0).astype(np.uint8)


def sheet(seed: int, ornate: bool) -> Picture:
    """Twelve pictures to look at."""
    rng = np.random.default_rng(seed)
    tiles = [paint_board(rng, (640, 400), ornate=ornate).picture for _ in range(12)]
    return np.vstack([np.hstack(tiles[k : k + 3]) for k in range(0, 12, 3)])


def main() -> None:
    """Write the sheet."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ornate", action="store_true")
    args = parser.parse_args()
    cv2.imwrite(str(args.out), sheet(args.seed, args.ornate))


if __name__ == "__main__":
    main()
