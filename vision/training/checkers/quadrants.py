"""Quadrants with known checkers, from the renderer's boards and from painted ones, for the net that counts checkers.

    python -m vision.training.checkers.quadrants --out DIR --painted --seeds 1-1500
    python -m vision.training.checkers.quadrants --out DIR --painted --ornate --seeds 20001-24000
    python -m vision.training.checkers.quadrants --out DIR --rendered DIR [DIR ...] [--repeat 3]

Each picture becomes a file: `quadrants` (5, 160, 168, 3) uint8, `counts` (26, 2), `covered` (26,), which is the share
of a point that an arm hides, `name`, `family`. A file that is there is not made again. Of a rendered picture the first
has the exact board; the others have corners that are off, half of them no lens, and some a painted arm.
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board, Distortion
from vision.board.findboard import board_from_points
from vision.checkers.quadrants import HALF_PX, POINT_PX, RIM_PX, QuadrantCutter, Quadrants, of_places
from vision.errors import BadBoard
from vision.frame import Bgr
from vision.training.painted.checkers import Counts, paint_board, with_arms
from vision.training.painted.plan import Picture

SIZES = ((800, 500), (800, 600), (960, 540), (720, 540))
HELD_OUT_CHECKERS = ("amber_olive", "grey_burgundy")
HELD_OUT_BOARDS = ("black_grey",)
"""Palettes of the renderer that are never learned from: their boards judge."""


@dataclass(frozen=True, slots=True)
class Known:
    """The quadrants of one board with the truth; see the module."""

    quadrants: Quadrants
    counts: Counts
    covered: NDArray[np.float64]
    name: str
    family: str


def is_held_out(family: str) -> bool:
    """Whether a family, a painted one or `checkers/board` of a rendered one, is kept for scoring."""
    checkers, _, board = family.partition("/")
    return family == "held out" or checkers in HELD_OUT_CHECKERS or board in HELD_OUT_BOARDS


def family_of(known: dict[str, Any]) -> str:
    """The family of one of the renderer's boards, by its truth file: its palettes, which an empty one may lack."""
    palettes = known.get("palettes", {})
    return f"{palettes.get('checkers', '')}/{palettes.get('board', '')}"


def rendered_board(known: dict[str, Any]) -> Board:
    """The board file's content for one of the renderer's truth files."""
    camera, made = known["camera"], known["board_mm"]
    k, bent = camera["K"], camera["dist_k1k2p1p2k3"]
    lens = Distortion((tuple(k[0]), tuple(k[1]), tuple(k[2])), (*bent,))
    corners = tuple((float(x), float(y)) for x, y in known["playing_corners_px_TL_TR_BR_BL"])
    w, h = known["image_size"]
    return Board((w, h), corners, (made["W"], made["H"]), made["bar_w"], lens)


def rendered_counts(position: dict[str, Any]) -> Counts:
    """(26, 2) checkers of the lighter and the darker side of a truth file's `position`, A's first.

    The renderer puts A's checkers on the bar's upper half, B's on its lower one.
    """
    counts = np.zeros((26, 2), np.int64)
    counts[:24, 0], counts[:24, 1] = position["A"], position["B"]
    counts[24, 0], counts[25, 1] = position["bar"]["A"], position["bar"]["B"]
    return counts


def covered_share(mask: Picture, board: Board) -> NDArray[np.float64]:
    """Which part of each point is hidden by a mask (H, W) of 0 and 255: (26,)."""
    places = of_places(QuadrantCutter(board).cut_mask(mask))
    point = places[:, RIM_PX : RIM_PX + HALF_PX, POINT_PX // 2 : -POINT_PX // 2]
    return np.asarray((point > 127).mean((1, 2)), np.float64)


def moved(rng: np.random.Generator, board: Board, spread_px: float) -> Board:
    """The board as a person or the corner net would place it; half of them without a lens."""
    w, h, b = board.surface_mm[0] / 2, board.surface_mm[1] / 2, board.bar_mm / 2
    for _ in range(20):
        marks = np.array([(-w, h), (w, h), (w, -h), (-w, -h), (-b, h), (b, h), (b, -h), (-b, -h)])
        points = board.to_px(marks) + rng.normal(0, spread_px, (8, 2))
        try:
            if rng.random() < 0.5:
                return board_from_points(board.image_size, points)
            corners = tuple((float(x), float(y)) for x, y in points[:4])
            return Board(board.image_size, corners, board.surface_mm, board.bar_mm, board.distortion)
        except BadBoard:
            continue
    return board


def painted(seed: int, ornate: bool = False) -> Known:
    """A painted board, with ornaments or without; one in eight is of a family that is held out."""
    rng = np.random.default_rng(seed)
    held_out = seed % 8 == 0
    size = SIZES[int(rng.integers(len(SIZES)))]
    made = paint_board(rng, size, held_out, ornate)
    board = moved(rng, made.board, 0.04 * made.board.px_per_mm() * 41) if rng.random() < 0.6 else made.board
    return Known(
        QuadrantCutter(board).cut(made.picture), made.counts, covered_share(made.covered, board), f"p{seed:06d}",
        "held out" if held_out else "painted",
    )  # fmt: skip


def rendered(bgr: Bgr, known: dict[str, Any], again: int) -> Known:
    """A rendered board; `again` counts from 0, the exact one."""
    board, rng = rendered_board(known), np.random.default_rng((known["seed"], again))
    covered = np.zeros(bgr.shape[:2], np.uint8)
    if again:
        board = moved(rng, board, 0.03 * board.px_per_mm() * 41)
        if rng.random() < 0.35:
            bgr, covered = with_arms(rng, bgr)
    return Known(
        QuadrantCutter(board).cut(bgr), rendered_counts(known["position"]), covered_share(covered, board),
        f"{Path(known['image']).stem}_{again}", family_of(known),
    )  # fmt: skip


def save(known: Known, folder: Path) -> None:
    """Write one file."""
    np.savez(
        folder / f"{known.name}.npz", quadrants=known.quadrants, counts=known.counts, covered=known.covered,
        name=known.name, family=known.family,
    )  # fmt: skip


def load(folder: Path) -> Iterator[Known]:
    """The files of a folder in the order of their names."""
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as file:
            yield Known(
                file["quadrants"], file["counts"], file["covered"], str(file["name"]), str(file["family"])
            )


def main() -> None:
    """Make the files."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--painted", action="store_true")
    parser.add_argument("--ornate", action="store_true", help="the painted boards have ornaments")
    parser.add_argument("--seeds", default="1-1500")
    parser.add_argument("--rendered", type=Path, nargs="*", default=[])
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    args.out.mkdir(parents=True, exist_ok=True)
    first, last = (int(v) for v in args.seeds.split("-"))
    for seed in range(first, last + 1) if args.painted else ():
        if not (args.out / f"p{seed:06d}.npz").exists():
            save(painted(seed, args.ornate), args.out)
    for folder in args.rendered:
        for path in sorted(folder.glob("*.json")):
            known = json.loads(path.read_text("utf-8"))
            bgr = cv2.imread(str(path.with_suffix(".jpg")))
            for again in range(args.repeat):
                if bgr is not None and not (args.out / f"{path.stem}_{again}.npz").exists():
                    save(rendered(np.asarray(bgr, np.uint8), known, again), args.out)


if __name__ == "__main__":
    main()
