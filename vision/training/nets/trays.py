"""Fits the weights by which two pictures of a tray tell whether checkers were put there.

    python -m vision.training.nets.trays GAME…      # folders with frames and match.json, of boards with trays

Of each turn of the games the last frames before it, with its dice, and after it are compared with the last one that the
turn before left. Printed are the weights of `checkers/trays.py`, and how much likelier a change is said to be where
there was one and where there was none, by weights that were fitted without that game.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.checkers.trays import TrayCutter
from vision.training.checkers.games import PLAYERS, pictures_between_turns, truth_of
from vision.training.nets.witnesses import fitted

SHARES = (0.0, 0.02, 0.05, 0.25, 0.5, 0.75, 0.95, 0.98, 1.0)
"""Quantiles that are printed."""
CORNERS = {False: (1, 24), True: (12, 13)}
"""The ace points of both players where home is on the right, and where it is on the left."""


@dataclass
class Compared:
    """Trays of one game that were compared.

    Attributes:
        words: of each, what speaks for a change.
        changed: whether a checker came.
    """

    words: list[tuple[float, float]] = field(default_factory=list)
    changed: list[bool] = field(default_factory=list)


def compared(game: Path) -> Compared:
    """The trays of a game; ValueError if no board is found in its first frame."""
    corners = CORNERS[truth_of(game).get("mirror", False)]
    cutter: TrayCutter | None = None
    found, before, then = Compared(), None, None
    for bgr, board, position, is_left in pictures_between_turns(game):
        cutter = cutter or TrayCutter(board)
        trays = cutter.cut(bgr)
        if before is not None and then is not None:
            for player, corner in zip(PLAYERS, corners, strict=True):
                found.words.append(trays[corner].words_since(before[corner]))
                found.changed.append(position["off"][player] != then["off"][player])
        if is_left or before is None:
            before, then = trays, position
    return found


def weights(games: Sequence[Compared]) -> tuple[NDArray[np.float64], float]:
    """The weights (2,) and the constant with which the sum is the likelihood ratio of a change, in nats."""
    words = np.array([one for game in games for one in game.words])
    changed = np.array([one for game in games for one in game.changed])
    factors, constant = fitted(words, changed)
    return factors, constant - float(np.log(changed.sum() / (~changed).sum()))


def table(games: Sequence[Compared]) -> Iterator[str]:
    """Quantiles of what is said where a tray changed, and where not."""
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
    ask = argparse.ArgumentParser(prog="python -m vision.training.nets.trays", description=__doc__)
    ask.add_argument("games", nargs="+", type=Path)
    games = [compared(game) for game in ask.parse_args().games]
    factors, constant = weights(games)
    print(f"OF_TRAY = {factors[0]:.2f}, {factors[1]:.2f}, {constant:.2f}")
    print("\n".join(table(games)))


if __name__ == "__main__":
    main()
