"""Painted boards squared, with which way is up on them: what `vision/training/nets/verticals.py` learns from.

    python -m vision.training.painted.verticals --out DIR/verticals --seeds 1-1000 [--wider] [--held-out]

The picture of a flat surface does not say how high the camera stands, unless its lens is known: a board from near and
one from afar look alike. What stands on it does: a camera near by shows the sides of checkers and rims, the more of
them the further they are from right under it (docs/adr/0095-up-by-the-whole-board.md).

Most boards have a few dice on them, some none. The corners are off by a little, as a person or a net marks them. Writes
one file for all seeds, a fifth of a second a board: `picture` (N, HIGH, WIDE, 3) uint8, `usual` and `up`
(N, 2, rows, columns) float16, up with the usual focal length and as it is, in the net's picture; and `seed` (N,).
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board, Points
from vision.board.findboard import board_from_points
from vision.errors import BadBoard
from vision.frame import Bgr
from vision.pyramid import Halves
from vision.training.painted.scene import Shot
from vision.training.painted.throws import Throw, photographed

WIDE, HIGH, STRIDE = 320, 256, 8
"""Of the net's picture, and of a cell of its answer, in pixels."""
MARGIN = 0.12
"""Of the board's width or height, that is seen beyond each of its sides: the rims."""
GREY = (114, 114, 114)
"""Beyond the picture."""
DICE = (0, 2, 2, 2, 4, 10)
"""How many dice at most are laid on a board."""
MARKED_SD = (0.0, 0.002, 0.006)
"""Standard deviations of marked corners, in widths of the board."""

Sample = tuple[NDArray[np.uint8], NDArray[np.float16], NDArray[np.float16]]


@dataclass(frozen=True, eq=False)
class Squared:
    """A board as the net sees it: square from above, in the middle of the net's picture.

    Attributes:
        board: where the board lies in the picture.
    """

    board: Board

    @property
    def px_per_mm(self) -> float:
        """Scale of the net's picture."""
        w, h = self.board.surface_mm
        return min(WIDE / w, HIGH / h) / (1 + 2 * MARGIN)

    def mm(self, points: Points) -> Points:
        """Points (N, 2) of the net's picture, in pixels, to mm on the board."""
        return np.asarray((points - (WIDE / 2, HIGH / 2)) * (1, -1) / self.px_per_mm, np.float64)

    def cells_mm(self) -> Points:
        """The middles of the cells of the net's answer, row by row, in mm on the board: (N, 2)."""
        x, y = np.meshgrid(np.arange(STRIDE / 2, WIDE, STRIDE), np.arange(STRIDE / 2, HIGH, STRIDE))
        return self.mm(np.stack([x, y], -1).reshape(-1, 2))

    def usual_up(self) -> Points:
        """Up at the cells, (N, 2), y down, as the board's own focal length has it."""
        x, y, high = self.board.eye_mm
        return np.asarray((self.cells_mm() - (x, y)) / high * (1, -1), np.float64)

    def picture(self, picture: Halves) -> Bgr:
        """The net's picture, (HIGH, WIDE, 3) uint8."""
        times = max(0, round(np.log2(self.board.px_per_mm() / self.px_per_mm)))
        corners = np.array([(0, 0), (WIDE, 0), (WIDE, HIGH), (0, HIGH)], np.float64)
        there = self.board.to_px(self.mm(corners)) / 2**times - 0.5
        onto = cv2.getPerspectiveTransform(there.astype(np.float32), (corners - 0.5).astype(np.float32))
        small = picture.level(times)
        seen = cv2.warpPerspective(small, onto, (WIDE, HIGH), flags=cv2.INTER_LINEAR, borderValue=GREY)
        return np.asarray(seen, np.uint8)


def planes(up: Points) -> NDArray[np.float32]:
    """“Up” at the cells (N, 2) as planes (2, rows, columns)."""
    return np.asarray(up.T.reshape(2, HIGH // STRIDE, WIDE // STRIDE), np.float32)


def as_input(picture: Bgr, usual: NDArray[np.float32]) -> NDArray[np.float32]:
    """A net picture and the planes of the usual up as the net's input (5, HIGH, WIDE)."""
    shown = picture.transpose(2, 0, 1).astype(np.float32) / 255
    return np.concatenate([shown, usual.repeat(STRIDE, 1).repeat(STRIDE, 2)])


def true_up(shot: Shot, corners_mm: Points, squared: Squared) -> Points:
    """“Up” at the cells of a board's net picture, as the painter's camera sees it, in the net's picture: (N, 2).

    `corners_mm` are four places on the surface.
    """
    cells_px = squared.board.to_px(squared.cells_mm())
    flat = cv2.getPerspectiveTransform(
        shot.on(corners_mm).astype(np.float32), np.asarray(corners_mm, np.float32)
    )
    on = cv2.perspectiveTransform(cells_px[None], flat)[0]
    here, right, ahead = (shot.on(np.add(on, step)) for step in ((0, 0), (1, 0), (0, 1)))
    u, v = right - here, ahead - here
    scale = np.sqrt(np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]))
    return turned((shot.on(on, 1.0) - here) / scale[:, None], cells_px, squared)


def turned(up: Points, at_px: Points, squared: Squared) -> Points:
    """“Up” (N, 2) at these places (N, 2) of the picture, as `Board.up` gives it, in the net's picture."""
    on = squared.board.to_mm(at_px)
    seen = squared.board.to_px(np.concatenate([on, np.add(on, (1, 0)), np.add(on, (0, -1))]))
    here, right, below = seen.reshape(3, -1, 2)
    ways = np.stack([right - here, below - here], -1)
    ways /= np.sqrt(np.abs(np.linalg.det(ways)))[:, None, None]
    return np.asarray(np.linalg.solve(ways, up[..., None])[..., 0], np.float64)


def painted(seed: int, wider: bool, held_out: bool) -> tuple[Board, Throw, NDArray[np.uint8]]:
    """The board of a seed as it was marked, what was painted, and its picture.

    Raises:
        BadBoard: the marks describe no board.
    """
    rng = np.random.default_rng([seed, 20261130])
    throw = Throw(rng, held_out, wider)
    most = int(rng.choice(DICE))
    dice = throw.lay(most) if most else ()
    picture = photographed(rng, throw, dice, str(seed)).image
    marks = throw.shot.on(throw.plan.marks)
    width = float(np.hypot(*(marks[1] - marks[0])))
    marks = marks + rng.normal(0, float(rng.choice(MARKED_SD)) * width, marks.shape)
    return board_from_points((picture.shape[1], picture.shape[0]), marks), throw, picture


def sample(seed: int, wider: bool, held_out: bool) -> Sample:
    """A board's net picture, the usual up and the true one; errors as for `painted`."""
    board, throw, picture = painted(seed, wider, held_out)
    squared = Squared(board)
    return (
        squared.picture(Halves(picture)),
        planes(squared.usual_up()).astype(np.float16),
        planes(true_up(throw.shot, throw.plan.marks[:4], squared)).astype(np.float16),
    )


def main() -> None:
    """Write the samples."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seeds", required=True, metavar="A-B")
    parser.add_argument("--wider", action="store_true", help="see `painted/throws.py`")
    parser.add_argument("--held-out", action="store_true")
    args = parser.parse_args()
    cv2.setNumThreads(0)
    first, last = (int(v) for v in args.seeds.split("-"))
    args.out.mkdir(parents=True, exist_ok=True)
    found: list[Sample] = []
    seeds: list[int] = []
    for seed in range(first, last + 1):
        try:
            found.append(sample(seed, args.wider, args.held_out))
        except BadBoard:
            continue
        seeds.append(seed)
    pictures, usual, up = (np.stack(one) for one in zip(*found, strict=True))
    file = args.out / f"verticals_{first}-{last}.npz"
    np.savez(file, picture=pictures, usual=usual, up=up, seed=np.array(seeds))


if __name__ == "__main__":
    main()
