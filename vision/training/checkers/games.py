"""Games with truth, by `match.py` of the renderer or painted: their frames between turns and the checkers then."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board
from vision.board.findboard import BoardFinder
from vision.checkers.pictures import pictures_of
from vision.checkers.quadrants import POINTS, QuadrantCutter
from vision.frame import Bgr
from vision.training.checkers.moves import Moved

PLAYERS = "AB"


def truth_of(game: Path) -> dict[str, Any]:
    """The truth of a folder with frames and match.json."""
    known: dict[str, Any] = json.loads((game / "match.json").read_text("utf-8"))
    return known


def frames_of(truth: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any], bool]]:
    """The frames to compare with the last one that a turn left, their positions, and whether a turn left them."""
    last = {(frame["turn"], frame["phase"]): frame["image"] for frame in truth["frames"]}
    start = next(frame["image"] for frame in truth["frames"] if frame["phase"] == "start")
    yield start, truth["start"], True
    for turn in truth["turns"]:
        for phase, position in (("settled", "before"), ("lifted", "after")):
            if (turn["turn"], phase) in last:
                yield last[turn["turn"], phase], turn[position], phase == "lifted"


def board_in(bgr: NDArray[np.uint8], game: Path) -> Board:
    """The board in the first frame of a game; ValueError if none is found."""
    board = BoardFinder().find(bgr)
    if board is None:
        raise ValueError(f"no board is found in the first frame of {game}")
    return board


def pictures_between_turns(game: Path) -> Iterator[tuple[Bgr, Board, dict[str, Any], bool]]:
    """The pictures of `frames_of` a game, with the board of the first, their positions, and whether a turn left them.

    ValueError if no board is found in its first frame.
    """
    board: Board | None = None
    for image, position, is_left in frames_of(truth_of(game)):
        bgr = np.asarray(cv2.imread(str(game / image)), np.uint8)
        board = board or board_in(bgr, game)
        yield bgr, board, position, is_left


def moved_in(game: Path) -> Moved:
    """The points of a game between its turns, of which none is covered; ValueError as in `pictures_between_turns`."""
    points, counts = [], []
    cutter: QuadrantCutter | None = None
    for bgr, board, position, _ in pictures_between_turns(game):
        cutter = cutter or QuadrantCutter(board)
        points.append(pictures_of(cutter.cut(bgr), board).bgr)
        counts.append(np.stack([position[player] for player in PLAYERS], 1))
    return Moved(np.stack(points), np.stack(counts), np.zeros((len(points), POINTS)))
