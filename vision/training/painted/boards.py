"""Painted boards: pictures of boards of every make, tens of them a second, with the eight points the corner net learns.

    python -m vision.training.painted.boards --out SHEET.png --seed 1 [--held-out] [--photos DIR]

A plan (`plan.py`, `field.py`) is put under a camera and drawn from polygons (`scene.py`), with lamps,
hands, clutter, and a video camera's faults (`surroundings.py`). The command writes a sheet to look at.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.training.painted.plan import Picture, Points, random_plan
from vision.training.painted.scene import Scene, random_shot
from vision.training.painted.surroundings import background, cover, light, spoil


@dataclass(frozen=True, slots=True)
class Painted:
    """A picture (H, W, 3) uint8 and the eight points (8, 2) in its pixels, None where there is no upright board."""

    picture: Picture
    points: Points | None


def paint(
    rng: np.random.Generator,
    size: tuple[int, int],
    photographs: Sequence[Picture] = (),
    held_out: bool = False,
    upright: bool = True,
    board: bool = True,
) -> Painted:
    """One picture (width, height) from a generator.

    Arguments:
        rng: everything is drawn from it.
        size: of the picture, in pixels.
        photographs: pieces of them are taken for some backgrounds.
        held_out: paint a family that is not learned from.
        upright: False for a board turned too far to be found without turning the picture.
        board: False for a picture without one.
    """
    picture = background(rng, size, photographs)
    points: Points | None = None
    if board:
        plan = random_plan(rng, held_out)
        shot = random_shot(rng, plan, size, upright)
        picture = Scene(rng, plan, shot, picture).draw()
        points = shot.on(plan.marks)
        if not upright:
            points = None
    picture = cover(rng, light(rng, picture))
    return Painted(spoil(rng, picture), points)


def sheet(seed: int, held_out: bool, photographs: Sequence[Picture] = ()) -> Picture:
    """Forty-two pictures with their points, to look at."""
    rng = np.random.default_rng(seed)
    tiles = []
    for _ in range(42):
        kind = rng.random()
        painted = paint(rng, (320, 240), photographs, held_out, upright=kind > 0.1, board=kind > 0.05)
        tile = painted.picture.copy()
        for x, y in [] if painted.points is None else painted.points:
            cv2.circle(tile, (int(x), int(y)), 3, (0, 255, 255), 1, cv2.LINE_AA)
        tiles.append(tile)
    return np.vstack([np.hstack(tiles[k : k + 7]) for k in range(0, 42, 7)])


def main() -> None:
    """Write the sheet."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--held-out", action="store_true")
    args = parser.parse_args()
    cv2.imwrite(str(args.out), sheet(args.seed, args.held_out))


if __name__ == "__main__":
    main()
