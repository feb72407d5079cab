"""How surely the checkers of a point are told in recordings with truth, by one picture and by two.

    python -m tests.bench.vision.changes GAME…      # folders with frames and match.json

The look is learned from the true position of the first frame. Each last frame that a turn left is compared with the one
of the turn before, whose position is taken as known. Counted are the points, covered ones and those with both sides
apart: how many are told wrongly, and the mean of minus the logarithm of the chance of the truth, by the reading alone
and by the pictures, too.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.camera.checkers import checkers_of
from companion.inference.views import BoardView, recalled
from tests.bench.vision.sides import points_of
from vision.checkers.reader import CheckerReader
from vision.checkers.reading import Counts, Look, state_of
from vision.checkers.sides import brightness
from vision.training.checkers.games import pictures_between_turns

HEAP = 4
"""Fewest checkers of a row on which others may lie."""
HEAD = "| game | points | left alone | few, changed | heaps, changed |\n|---|---|---|---|---|"
KINDS = ("left alone", "few, changed", "heaps, changed")


@dataclass(frozen=True, slots=True)
class Told:
    """A point: the chance of the truth and whether something else is likelier, by the reading and by pictures, too."""

    read: tuple[float, bool]
    compared: tuple[float, bool]


def told(game: Path, reader: CheckerReader) -> Iterator[tuple[str, Told]]:
    """The points of a game with their kinds."""
    look: Look | None = None
    before: tuple[BoardView, list[Counts]] | None = None
    is_swapped = False
    for bgr, board, position, is_left in pictures_between_turns(game):
        if look is None:
            look = reader.learn_look([bgr], board, points_of(position, False))
            is_swapped = brightness(np.array(look.colours[0])) < brightness(np.array(look.colours[1]))
            if is_swapped:
                look = reader.learn_look([bgr], board, points_of(position, True))
        if not is_left:
            continue
        view, counts = checkers_of(reader.read(bgr, board, look)), points_of(position, is_swapped)
        if before is not None:
            yield from _points(view, counts, *before)
        before = view, counts


def _points(
    view: BoardView, counts: list[Counts], before: BoardView, then: list[Counts]
) -> Iterator[tuple[str, Told]]:
    compared = recalled(view, before, then)
    for n, (now, was) in enumerate(zip(counts, then, strict=True), 1):
        if n in view.covered | before.covered or all(now) or all(was):
            continue
        state = state_of(*now)
        kind = "left alone" if now == was else KINDS[1 + (max(was) >= HEAP)]
        rows = (one.points[n - 1] for one in (view, compared))
        yield kind, Told(*(_chance(row, state) for row in rows))


def _chance(row: tuple[float, ...], state: int) -> tuple[float, bool]:
    logs = np.array(row) - np.logaddexp.reduce(row)
    return float(logs[state]), int(logs.argmax()) != state


def _cell(found: list[Told]) -> str:
    """Wrong points and loss, by the reading, and by pictures, too; of so many points."""
    if not found:
        return "–"
    both = [
        f"{sum(one[1] for one in kind)}, {-np.mean([one[0] for one in kind]):.3f}"
        for kind in ([one.read for one in found], [one.compared for one in found])
    ]
    return f"{both[0]} → {both[1]} of {len(found)}"


def main() -> None:
    """Print the table of the games on the command line."""
    ask = argparse.ArgumentParser(prog="python -m tests.bench.vision.changes", description=__doc__)
    ask.add_argument("games", nargs="+", type=Path)
    reader, total = CheckerReader(), defaultdict[str, list[Told]](list)
    print(HEAD)
    for game in ask.parse_args().games:
        found = defaultdict[str, list[Told]](list)
        for kind, one in told(game, reader):
            found[kind].append(one)
            total[kind].append(one)
        print(_row(game.name, found), flush=True)
    print(_row("all", total))


def _row(name: str, found: dict[str, list[Told]]) -> str:
    many = sum(map(len, found.values()))
    return f"| {name} | {many} | " + " | ".join(_cell(found[kind]) for kind in KINDS) + " |"


if __name__ == "__main__":
    main()
