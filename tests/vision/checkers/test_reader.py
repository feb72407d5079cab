"""The golden boards: no point is wrong."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.board.calibration import Board
from vision.checkers.fifteen import settled
from vision.checkers.reader import CheckerReader
from vision.checkers.reading import BoardReading
from vision.errors import BadBoard
from vision.frame import Bgr
from vision.training.checkers.quadrants import covered_share
from vision.training.painted.checkers import with_arms

BOARDS = Path(__file__).parents[2] / "data" / "vision" / "rendered"
HIDDEN_CALLED, FREE_CALLED = 0.9, 0.01
"""Shares of points called covered: of those of which an arm hides two fifths, and of those it does not touch."""


@pytest.fixture(scope="module")
def reader() -> CheckerReader:
    return CheckerReader()


def boards() -> list[str]:
    return sorted(path.stem for path in BOARDS.glob("*.json"))


def load(name: str) -> tuple[Bgr, Board, list[tuple[int, int]]]:
    """The picture, the board and the checkers of both sides by point, the lighter first."""
    known: dict[str, Any] = json.loads((BOARDS / f"{name}.json").read_text("utf-8"))
    bgr = np.asarray(cv2.imread(str(BOARDS / f"{name}.jpg")), np.uint8)
    made = known["board_mm"]
    corners = tuple((x, y) for x, y in known["playing_corners_px_TL_TR_BR_BL"])
    board = Board(tuple(known["image_size"]), corners, (made["W"], made["H"]), made["bar_w"])
    light = [
        sum(int(colour[k : k + 2], 16) * w for k, w in ((0, 2), (2, 7), (4, 1)))
        for colour in known["checker_A_B"]
    ]
    sides = (known["position"]["A"], known["position"]["B"])
    first, second = sides if light[0] > light[1] else sides[::-1]
    return bgr, board, list(zip(first, second, strict=True))


def faults(reading: BoardReading, truth: list[tuple[int, int]]) -> list[tuple[int, float]]:
    return [
        (n, point.confidence)
        for n, (point, want) in enumerate(zip(reading.points, truth, strict=True), 1)
        if point.counts != want
    ]


def test_no_golden_point_is_wrong(reader: CheckerReader) -> None:
    wrong = {}
    for name in boards():
        bgr, board, truth = load(name)
        for n, confidence in faults(settled(reader.read(bgr, board)), truth):
            wrong[f"{name} point {n}"] = confidence
    assert not wrong


@pytest.mark.parametrize("name", boards())
def test_a_look_learned_from_the_position_tells_the_sides(name: str, reader: CheckerReader) -> None:
    bgr, board, truth = load(name)
    look = reader.learn_look([bgr], board, truth)
    dimmed = np.asarray(bgr * 0.7, np.uint8)
    assert len(faults(reader.read(dimmed, board, look), truth)) <= 1


def test_a_look_needs_both_colours(reader: CheckerReader) -> None:
    bgr, board, _ = load(boards()[0])
    with pytest.raises(ValueError, match="both colours"):
        reader.learn_look([bgr], board, [(2, 0)] + [(0, 0)] * 23)


def test_a_board_of_other_proportions_is_refused(reader: CheckerReader) -> None:
    bgr, board, _ = load(boards()[0])
    with pytest.raises(BadBoard):
        reader.read(bgr[:, :500], board)


def test_a_point_behind_an_arm_is_left_open_and_no_other(reader: CheckerReader) -> None:
    hidden, free = [], []
    for seed, name in enumerate(boards()):
        bgr, board, _ = load(name)
        for again in range(2):
            under, mask = with_arms(np.random.default_rng((seed, again)), bgr)
            share = covered_share(mask, board)[:24]
            called = np.array([point.covered for point in reader.read(under, board).points])
            hidden += called[share > 0.4].tolist()
            free += called[share < 0.02].tolist()
    assert np.mean(hidden) > HIDDEN_CALLED
    assert np.mean(free) < FREE_CALLED
