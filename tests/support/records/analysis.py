"""A made-up analysis, for tests without GNU Backgammon."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

from companion.game.state import State
from companion.records.gnubg_report import CubeError, Figures, Graded, Report, pictures_of
from companion.rules.board import Side

BEGINNING = "4HPwATDgc/ABMA:cAkAAAAAAAAA"
"""The starting position with nothing rolled, as a GNU id."""


class Study:
    """The analysis for `Analyst`: reports one game of three done, waits for `go_on`, then finds two errors.

    Attributes:
        begun: set when the first game is done.
        go_on: to be set by the test.
    """

    def __init__(self) -> None:
        self.begun, self.go_on = threading.Event(), threading.Event()

    def __call__(self, state: State, plies: int, progress: Callable[[int, int], None]) -> Report:
        """The report on a match; its worst play has the picture of the match's first throw with one."""
        progress(1, 3)
        self.begun.set()
        assert self.go_on.wait(60)
        names = (state.name(Side.SOUTH), state.name(Side.NORTH))
        pictures = [one for shown in pictures_of(state).values() for one in shown if one]
        return Report(
            names,
            plies,
            [Figures(31, 24, 0.194, 0.61), Figures(31, 27, 0.308, -0.35)],
            [
                Graded(1, 0, (6, 4), "24/14", "24/18 13/9", 0.124, BEGINNING, (), None),
                Graded(1, 1, (6, 4), "8/2 6/2", "24/18 13/9", 0.081, BEGINNING, (), None),
            ],
            [CubeError(2, 0, names[1], "wrong pass", 0.214)],
            pictures=dict(enumerate(pictures[:1])),
        )


def path_with_gnubg(folder: Path) -> str:
    """A PATH with a program called gnubg, which is never run but which `Analyst` needs to begin."""
    program = folder / "gnubg"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"
