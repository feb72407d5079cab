"""Fits the weights by which two pictures of a point or a tray tell whether a checker came or left.

    python -m vision.training.nets.changes GAME… [--no-trays GAME…]      # folders with frames and match.json

Of each turn of the games the last frames before and after it are compared at every point: heaps, which held five
checkers or more of one colour in one of them, and those with few; the latter also in the last frames before it and with
its dice, and so are the trays of both players, but of games whose boards have none. Printed are the weights of
`checkers/pictures.py` and `checkers/trays.py`, and how much likelier a change is said to be where there was one and
where there was none, by weights that were fitted without that game.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
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
from vision.checkers.trays import TrayCutter, TrayPicture
from vision.training.nets.witnesses import fitted

HEAP = 5
"""Fewest checkers of which some may lie on others."""
SHARES = (0.0, 0.02, 0.05, 0.25, 0.5, 0.75, 0.95, 0.98, 1.0)
"""Quantiles that are printed."""
Points: TypeAlias = list[tuple[int, int]]
"""The checkers of both players on each point."""
PLAYERS = "AB"
CORNERS = {False: (1, 24), True: (12, 13)}
"""The ace points of both players where home is on the right, and where it is on the left."""


@dataclass
class Compared:
    """Points or trays of one game that were compared.

    Attributes:
        words: of each, what speaks for a change.
        changed: whether a checker came or left.
    """

    words: list[tuple[float, float]] = field(default_factory=list)
    changed: list[bool] = field(default_factory=list)

    def take(self, words: tuple[float, float], is_changed: bool) -> None:
        """Add a point or a tray."""
        self.words.append(words)
        self.changed.append(is_changed)


def compared(game: Path, has_trays: bool) -> dict[str, Compared]:
    """The heaps, the other points and the trays of a game, by the names of their weights; ValueError if no board is
    found in its first frame.
    """
    truth = json.loads((game / "match.json").read_text("utf-8"))
    corners = CORNERS[truth.get("mirror", False)] if has_trays else ()
    cutters: tuple[QuadrantCutter, TrayCutter] | None = None
    found = {name: Compared() for name in ("OF_HEAP", "OF_FEW", "OF_TRAY")}
    before: _Shown | None = None
    for image, position, is_left in frames_of(truth):
        bgr = np.asarray(cv2.imread(str(game / image)), np.uint8)
        if cutters is None:
            board = board_in(bgr, game)
            cutters = QuadrantCutter(board), TrayCutter(board)
        quadrants, trays = cutters
        now = _Shown(pictures_of(quadrants.cut(bgr), quadrants.board), trays.cut(bgr), position)
        if before is not None:
            _compare_points(before, now, is_left, found)
            for player, corner in zip(PLAYERS, corners, strict=False):
                words = now.trays[corner].words_since(before.trays[corner])
                changed = position["off"][player] != before.position["off"][player]
                found["OF_TRAY"].take(words, changed)
        before = now if is_left or before is None else before
    return found


def _compare_points(before: "_Shown", now: "_Shown", is_left: bool, found: dict[str, Compared]) -> None:
    points = zip(before.points, _points(before.position), now.points, _points(now.position), strict=True)
    for was, then, picture, there in points:
        is_heap = any(max(pair) >= HEAP for pair in (then, there))
        if is_left or not is_heap:
            kind = found["OF_HEAP" if is_heap else "OF_FEW"]
            kind.take(picture.words_since(was, is_heap), then != there)


@dataclass(frozen=True)
class _Shown:
    """The pictures of a frame's points and trays, and its true position."""

    points: tuple[PointPicture, ...]
    trays: Mapping[int, TrayPicture]
    position: dict[str, Any]


def frames_of(truth: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """The frames to compare with the last one that a turn left, their positions, and whether a turn left them."""
    last = {(frame["turn"], frame["phase"]): frame["image"] for frame in truth["frames"]}
    start = next(frame["image"] for frame in truth["frames"] if frame["phase"] == "start")
    yield start, truth["start"], True
    for turn in truth["turns"]:
        for phase, position in (("settled", "before"), ("lifted", "after")):
            if (turn["turn"], phase) in last:
                yield last[turn["turn"], phase], turn[position], phase == "lifted"


def _points(position: dict[str, Any]) -> Points:
    return list(zip(position["A"], position["B"], strict=True))


def board_in(bgr: NDArray[np.uint8], game: Path) -> Board:
    """The board in the first frame of a game; ValueError if none is found."""
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
    ask.add_argument("--no-trays", nargs="*", default=[], type=Path, metavar="GAME")
    given = ask.parse_args()
    found = [compared(game, True) for game in given.games]
    found += [compared(game, False) for game in given.no_trays]
    for name in found[0]:
        games = [game[name] for game in found if game[name].words]
        factors, constant = weights(games)
        print(f"{name} = {factors[0]:.2f}, {factors[1]:.2f}, {constant:.2f}")
        print("\n".join(table(games)))


if __name__ == "__main__":
    main()
