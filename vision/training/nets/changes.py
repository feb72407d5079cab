"""Fits the weights by which two pictures of a point tell whether a checker came or left, for `checkers/pictures.py`.

    python -m vision.training.nets.changes GAME…      # folders with frames and match.json

Of each turn of the games the last frames before and after it are compared at every point: heaps, which held five
checkers or more of one colour in one of them, and those with few; the latter also in the last frames before it and with
its dice. Printed are the weights of both, and how much likelier a change is said to be where there was one and where
there was none, by weights that were fitted without that game.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

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
Points: TypeAlias = list[tuple[int, int]]
"""The checkers of both players on each point."""


@dataclass
class Compared:
    """Points of one game that were compared.

    Attributes:
        words: of each, what speaks for a change.
        changed: whether a checker came or left.
    """

    words: list[tuple[float, float]] = field(default_factory=list)
    changed: list[bool] = field(default_factory=list)


def compared(game: Path) -> dict[bool, Compared]:
    """The heaps (True) and the other points of a game; ValueError if no board is found in its first frame."""
    truth = json.loads((game / "match.json").read_text("utf-8"))
    cutter: QuadrantCutter | None = None
    found = {True: Compared(), False: Compared()}
    before: tuple[tuple[PointPicture, ...], Points] | None = None
    for image, points, is_left in _frames(truth):
        bgr = np.asarray(cv2.imread(str(game / image)), np.uint8)
        if cutter is None:
            cutter = QuadrantCutter(_board_in(bgr, game))
        now = pictures_of(cutter.cut(bgr), cutter.board), points
        for was, then, picture, there in zip(*before, *now, strict=True) if before is not None else ():
            is_heap = any(max(pair) >= HEAP for pair in (then, there))
            if is_left or not is_heap:
                found[is_heap].words.append(picture.words_since(was, is_heap))
                found[is_heap].changed.append(then != there)
        before = now if is_left else before
    return found


def _frames(truth: dict[str, Any]) -> Iterator[tuple[str, Points, bool]]:
    """The frames to compare with the last one that a turn left, their positions, and whether a turn left them."""
    last = {(frame["turn"], frame["phase"]): frame["image"] for frame in truth["frames"]}
    start = next(frame["image"] for frame in truth["frames"] if frame["phase"] == "start")
    yield start, _points(truth["start"]), True
    for turn in truth["turns"]:
        for phase, position in (("settled", "before"), ("lifted", "after")):
            if (turn["turn"], phase) in last:
                yield last[turn["turn"], phase], _points(turn[position]), phase == "lifted"


def _points(position: dict[str, Any]) -> Points:
    return list(zip(position["A"], position["B"], strict=True))


def _board_in(bgr: NDArray[np.uint8], game: Path) -> Board:
    board = BoardFinder().find(bgr)
    if board is None:
        raise ValueError(f"no board is found in the first frame of {game}")
    return board


def weights(games: Sequence[Compared]) -> tuple[NDArray[np.float64], float]:
    """The weights (2,) and the constant with which the sum is the likelihood ratio of a change, in nats."""
    words = np.array([one for game in games for one in game.words])
    changed = np.array([one for game in games for one in game.changed])
    factors, constant = fitted(words, changed)
    return factors, constant - float(np.log(changed.sum() / (~changed).sum()))


def table(games: Sequence[Compared]) -> Iterator[str]:
    """Quantiles of what is said where a point changed, and where not."""
    said: dict[bool, list[float]] = {True: [], False: []}
    for k, game in enumerate(games):
        factors, constant = weights([*games[:k], *games[k + 1 :]])
        for one, is_changed in zip(np.array(game.words) @ factors + constant, game.changed, strict=True):
            said[is_changed].append(float(one))
    for is_changed, values in said.items():
        name = "changed" if is_changed else "left alone"
        yield f"{len(values)} {name}: " + " ".join(f"{one:.1f}" for one in np.quantile(values, SHARES))


def main() -> None:
    """Fit the weights to games on disk."""
    ask = argparse.ArgumentParser(prog="python -m vision.training.nets.changes", description=__doc__)
    ask.add_argument("games", nargs="+", type=Path)
    found = [compared(game) for game in ask.parse_args().games]
    for name, is_heap in (("OF_HEAP", True), ("OF_FEW", False)):
        games = [game[is_heap] for game in found]
        factors, constant = weights(games)
        print(f"{name} = {factors[0]:.2f}, {factors[1]:.2f}, {constant:.2f}")
        print("\n".join(table(games)))


if __name__ == "__main__":
    main()
