"""How surely the sides of checkers are told in recordings with truth, with and without what the start teaches.

    python -m tests.bench.vision.sides GAME…      # folders with frames and match.json

The look is learned from the true position of the first frame. Counted are the points with checkers in the last frames
with dice and without them of every turn, where the reading sees checkers: those told wrongly, those told wrongly with
0.99, and the mean of minus the logarithm of the chance of the true side.
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.checkers.directions import NO_DIRECTIONS
from vision.checkers.hues import NO_HUES
from vision.checkers.reader import CheckerReader
from vision.checkers.reading import CHECKERS, Counts, Look, PointChances
from vision.checkers.sides import brightness
from vision.training.checkers.games import board_in, frames_of

SURELY = 0.99
LEAST_CHANCE = 1e-4
NO_COLOURS = np.full(3, 1e6)


def points_of(position: dict[str, Any], is_swapped: bool) -> list[Counts]:
    """The checkers of the lighter and of the darker side on each point."""
    first, second = ("B", "A") if is_swapped else ("A", "B")
    return list(zip(position[first], position[second], strict=True))


def looks_of(full: Look) -> dict[str, Look]:
    """The look that was learned, and what is left of it without directions, hues and colours."""
    no_directions = replace(full, directions=NO_DIRECTIONS)
    no_hues = replace(no_directions, hues=NO_HUES)
    net = replace(no_hues, spread=NO_COLOURS)
    return {"the net": net, "colours": no_hues, "hues": no_directions, "directions": full}


def told(game: Path, reader: CheckerReader) -> dict[str, list[float]]:
    """The chances that each look gives to the true sides of a game's points."""
    truth = json.loads((game / "match.json").read_text("utf-8"))
    frames = [
        (np.asarray(cv2.imread(str(game / image)), np.uint8), position)
        for image, position, _ in frames_of(truth)
    ]
    board = board_in(frames[0][0], game)
    full = reader.learn_look([frames[0][0]], board, points_of(truth["start"], False))
    is_swapped = brightness(np.array(full.colours[0])) < brightness(np.array(full.colours[1]))
    if is_swapped:
        full = reader.learn_look([frames[0][0]], board, points_of(truth["start"], True))
    found = defaultdict(list)
    for bgr, position in frames:
        counts = points_of(position, is_swapped)
        for name, look in looks_of(full).items():
            found[name] += _chances(reader.read(bgr, board, look).points, counts)
    return found


def _chances(points: Iterable[PointChances], counts: Iterable[Counts]) -> list[float]:
    """The chance of the true side of each point that has checkers and shows them."""
    out = []
    for point, (light, dark) in zip(points, counts, strict=True):
        first = float(point.chances[1 : CHECKERS + 1].sum())
        second = float(point.chances[CHECKERS + 1 :].sum())
        if (light or dark) and not point.covered and first + second > 0.5:
            out.append((first if light else second) / (first + second))
    return out


def _cells(chances: list[float]) -> str:
    """The numbers of points told wrongly and surely so, and the loss, as cells of a table."""
    right: NDArray[np.float64] = np.array(chances)
    loss = -np.log(np.maximum(right, LEAST_CHANCE)).mean()
    return f"{(right < 0.5).sum()}, {(right < 1 - SURELY).sum()}, {loss:.3f}"


def main() -> None:
    """Print the table of the games on the command line."""
    ask = argparse.ArgumentParser(prog="python -m tests.bench.vision.sides", description=__doc__)
    ask.add_argument("games", nargs="+", type=Path)
    reader, total = CheckerReader(), defaultdict[str, list[float]](list)
    print(
        "| game | points | the net | with colours | with hues | with directions |\n|---|---|---|---|---|---|"
    )
    for game in ask.parse_args().games:
        found = told(game, reader)
        print(f"| {game.name} | {len(found['the net'])} | " + " | ".join(map(_cells, found.values())) + " |")
        for name, chances in found.items():
            total[name] += chances
    print(f"| all | {len(total['the net'])} | " + " | ".join(map(_cells, total.values())) + " |")


if __name__ == "__main__":
    main()
