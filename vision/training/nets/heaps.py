"""Fits the weights by which two pictures of a heap tell whether a checker came or left, for `checkers/pictures.py`.

    python -m vision.training.nets.heaps GAME…      # folders with frames and match.json

Of each turn of the games the last frames before and after it are compared, at every point that held five checkers or
more of one colour both times. Printed are the weights, and how much likelier a change is said to be where there was one
and where there was none, by weights that were fitted without that game.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board
from vision.board.findboard import BoardFinder
from vision.checkers.pictures import PointPicture, pictures_of
from vision.checkers.quadrants import QuadrantCutter
from vision.training.nets.witnesses import fitted

HEAP = 5
"""Fewest checkers of which some may lie on others."""
SHARES = (0.0, 0.02, 0.05, 0.25, 0.5, 0.75, 0.95, 0.98, 1.0)
"""Quantiles that are printed."""
Heaps = tuple[NDArray[np.float64], NDArray[np.bool_]]
"""What was said of heaps (N, 2), and whether they changed (N,)."""


def heaps_of(game: Path) -> Heaps:
    """The heaps of a game and their changes; ValueError if no board is found in its first frame."""
    truth = json.loads((game / "match.json").read_text("utf-8"))
    last: dict[int, str] = {}
    for frame in truth["frames"]:
        if frame["phase"] in ("start", "lifted"):
            last[-1 if frame["phase"] == "start" else frame["turn"]] = frame["image"]
    cut: QuadrantCutter | None = None
    words, changed = [], []
    before: tuple[tuple[PointPicture, ...], list[tuple[int, int]]] | None = None
    for number, position in [(-1, truth["start"]), *((t["turn"], t["after"]) for t in truth["turns"])]:
        if number not in last:
            continue
        bgr = np.asarray(cv2.imread(str(game / last[number])), np.uint8)
        if cut is None:
            cut = QuadrantCutter(_board_in(bgr, game))
        now = pictures_of(cut.cut(bgr), cut.board), list(zip(position["A"], position["B"], strict=True))
        for was, then, picture, there in zip(*before, *now, strict=True) if before is not None else ():
            if any(min(pair) >= HEAP for pair in zip(then, there, strict=True)):
                words.append(picture.words_since(was))
                changed.append(then != there)
        before = now
    return np.array(words).reshape(-1, 2), np.array(changed, np.bool_)


def _board_in(bgr: NDArray[np.uint8], game: Path) -> Board:
    board = BoardFinder().find(bgr)
    if board is None:
        raise ValueError(f"no board is found in the first frame of {game}")
    return board


def weights(heaps: Sequence[Heaps]) -> tuple[NDArray[np.float64], float]:
    """The weights (2,) and the constant with which the sum is the likelihood ratio of a change, in nats."""
    words, changed = (np.concatenate(column) for column in zip(*heaps, strict=True))
    factors, constant = fitted(words, changed)
    return factors, constant - float(np.log(changed.sum() / (~changed).sum()))


def table(heaps: Sequence[Heaps]) -> Iterator[str]:
    """Quantiles of what is said where a heap changed, and where not."""
    said: dict[bool, list[float]] = {True: [], False: []}
    for k, (words, changed) in enumerate(heaps):
        factors, constant = weights([*heaps[:k], *heaps[k + 1 :]])
        for one, is_changed in zip(words @ factors + constant, changed.tolist(), strict=True):
            said[is_changed].append(float(one))
    for is_changed, values in said.items():
        name = "changed" if is_changed else "left alone"
        yield f"{len(values)} {name}: " + " ".join(f"{one:.1f}" for one in np.quantile(values, SHARES))


def main() -> None:
    """Fit the weights to games on disk."""
    ask = argparse.ArgumentParser(prog="python -m vision.training.nets.heaps", description=__doc__)
    ask.add_argument("games", nargs="+", type=Path)
    heaps = [heaps_of(game) for game in ask.parse_args().games]
    factors, constant = weights(heaps)
    print(f"SOMEWHERE, ON_THE_WHOLE, EITHER = {factors[0]:.2f}, {factors[1]:.2f}, {constant:.2f}")
    print("\n".join(table(heaps)))


if __name__ == "__main__":
    main()
