"""Points of painted boards in pictures between which checkers were moved, for the net that compares pictures.

    python -m vision.training.checkers.moves --out DIR --seeds 1-3400

Each seed becomes a file of `Moved`. A file that is there is not made again.
"""

import argparse
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checkers.pictures import pictures_of
from vision.checkers.quadrants import POINTS, QuadrantCutter
from vision.training.checkers.quadrants import SIZES, covered_share, moved
from vision.training.painted.checkers import CheckerScene, Counts, near_shot, random_counts, with_arms
from vision.training.painted.field import fill
from vision.training.painted.plan import Picture, Plan, random_plan
from vision.training.painted.scene import Shot
from vision.training.painted.surroundings import background, light, spoil
from vision.training.samples.sample import NOISE

PICTURES = 4
"""Pictures of each board."""
STRAIGHT = 0.05
"""Chance that the checkers of a point that was left alone were put straight."""
HELD_OUT = 8
"""Boards whose seed is a multiple of this are of families that are held out."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The points of one board in several pictures, between which checkers were moved, put straight or left alone.

    Attributes:
        points: (N, 24, HALF_PX, POINT_PX, 3) uint8, see `vision.checkers.pictures`.
        counts: (N, 24, 2), the checkers of both sides.
        covered: (N, 24), the share of each point that an arm hides.
    """

    points: NDArray[np.uint8]
    counts: NDArray[np.int64]
    covered: NDArray[np.float64]


def load(file: Path) -> Moved:
    """The content of a file."""
    with np.load(file) as known:
        return Moved(known["points"], known["counts"], known["covered"])


def seed_of(file: Path) -> int:
    """The seed of which a file was made."""
    return int(file.stem[1:])


class MovedScene(CheckerScene):
    """A board with the checkers of a position; what nobody touched looks the same in every picture."""

    def __init__(
        self,
        seed: int,
        plan: Plan,
        shot: Shot,
        size: tuple[int, int],
        counts: Counts,
        touched: Counts,
        ornate: bool,
    ) -> None:
        """`touched` (24,) says how often the checkers of each point were put straight."""
        self.seed, self.given, self.touched = seed, counts, touched
        rng = np.random.default_rng([seed, 2])
        ornaments = np.random.default_rng([seed, 3]) if ornate else None
        super().__init__(
            rng, plan, shot, background(rng, size), dice=False, field_px=700, ornaments=ornaments
        )

    def chance(self, *key: int) -> np.random.Generator:
        """The chance of a point, or of a checker at its place."""
        again = int(self.touched[key[0] - 1]) if len(key) == 1 and key[0] <= POINTS else 0
        return np.random.default_rng([self.seed, 4, again, *key])

    def _some_counts(self) -> Counts:
        return self.given

    def _others(self) -> None:
        """Dice and a cube, which lie elsewhere in every picture."""
        own, self.rng = (
            self.rng,
            np.random.default_rng([self.seed, 5, int(self.given.sum()), int(self.touched.sum())]),
        )
        super()._others()
        self.rng = own


def after_moves(rng: np.random.Generator, counts: Counts, touched: Counts) -> tuple[Counts, Counts]:
    """A position after a few moves of any checkers to any points, and how often each point was put straight by then."""
    counts, touched = counts.copy(), touched + (rng.random(POINTS) < STRAIGHT)
    for _ in range(int(rng.choice((1, 2, 4, 8), p=(0.2, 0.4, 0.25, 0.15)))):
        side = int(rng.integers(2))
        held = np.flatnonzero(counts[:, side])
        if not len(held):
            continue
        origin = int(rng.choice(held))
        counts[origin, side] -= 1
        room = np.flatnonzero(counts[:POINTS, 1 - side] < 2)
        if rng.random() < 0.1 or not len(room):
            continue
        mine = room[counts[room, side] > 0]
        goal = int(rng.choice(mine if len(mine) and rng.random() < 0.5 else room))
        if counts[goal, 1 - side]:
            counts[goal, 1 - side] = 0
            half = 24 if not counts[24, side] else 25
            if not counts[half, side]:
                counts[half, 1 - side] += 1
        counts[goal, side] += 1
        for n in (origin, goal):
            if n < POINTS and rng.random() < 0.2:
                touched[n] += 1
    return counts, touched


def drifted(rng: np.random.Generator, picture: Picture) -> Picture:
    """A picture in light that has changed a little, with a shadow in it or moved by less than a pixel, with noise."""
    h, w = picture.shape[:2]
    out = picture.astype(np.float32) * np.exp(
        rng.normal(0, 0.04, 3) * (rng.random() < 0.5) + rng.normal(0, 0.04)
    )
    if rng.random() < 0.2:
        mask = np.zeros((h, w), np.uint8)
        fill(mask, rng.uniform(-0.2, 1.2, (int(rng.integers(3, 6)), 2)) * (w, h), (255,) * 3)
        soft = cv2.GaussianBlur(mask, (0, 0), float(rng.uniform(2, 25))).astype(np.float32) / 255
        out *= 1 - np.float32(rng.uniform(0.05, 0.4)) * soft[..., None]
    if rng.random() < 0.25:
        shift = rng.normal(0, 0.4, 2)
        out = cv2.warpAffine(
            out, np.array([[1, 0, shift[0]], [0, 1, shift[1]]]), (w, h), borderMode=cv2.BORDER_REPLICATE
        )
    start = int(rng.integers(len(NOISE) // 2))
    out += np.resize(NOISE[start:], out.shape) * np.float32(rng.uniform(0.5, 6))
    return np.asarray(np.clip(out, 0, 255), np.uint8)


def painted(seed: int) -> Moved:
    """The board of a seed; one in eight is of a family that is held out."""
    rng = np.random.default_rng([seed, 1])
    size, held_out, ornate = (
        SIZES[int(rng.integers(len(SIZES)))],
        seed % HELD_OUT == 0,
        bool(rng.random() < 0.5),
    )
    plan = random_plan(rng, held_out)
    shot, board = near_shot(rng, plan, size)
    if rng.random() < 0.6:
        board = moved(rng, board, 0.04 * board.px_per_mm() * 41)
    cutter = QuadrantCutter(board)
    counts, touched = random_counts(rng), np.zeros(POINTS, np.int64)
    points, known, covered = [], [], []
    for _ in range(PICTURES):
        picture = MovedScene(seed, plan, shot, size, counts, touched, ornate).draw()
        picture = light(np.random.default_rng([seed, 6]), picture)
        shown, hidden = (
            with_arms(rng, picture) if rng.random() < 0.12 else (picture, np.zeros(size[::-1], np.uint8))
        )
        filmed = spoil(np.random.default_rng([seed, 7]), drifted(rng, shown))
        points.append(pictures_of(cutter.cut(filmed), board).bgr)
        known.append(counts[:POINTS])
        covered.append(covered_share(hidden, board)[:POINTS])
        counts, touched = after_moves(rng, counts, touched)
    return Moved(np.stack(points), np.stack(known), np.stack(covered))


def main() -> None:
    """Make the files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", default="1-2000")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    first, last = (int(v) for v in args.seeds.split("-"))
    for seed in range(first, last + 1):
        if not (file := args.out / f"m{seed:06d}.npz").exists():
            np.savez(file, **asdict(painted(seed)))


if __name__ == "__main__":
    main()
