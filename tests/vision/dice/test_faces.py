"""The reading net's places: a look that is off finds back to the die, and says the same of it."""

import csv
import itertools
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.board.calibration import load_board
from vision.dice.faces import PipReader
from vision.dice.finder import Spot
from vision.dice.reader import Reader
from vision.pyramid import Halves

THROWS = Path(__file__).parents[3] / "companion" / "camera" / "recorded_throws"
with (Path(__file__).parents[2] / "golden" / "throws.csv").open() as file:
    VALID = [row["throw"] for row in csv.DictReader(file) if row["category"] == "valid"]
AWAY = [(dx, dy, stretch) for dx, dy in itertools.product((-0.2, 0.2), repeat=2) for stretch in (0.87, 1.15)]


@pytest.fixture(scope="module")
def pips() -> PipReader:
    return PipReader()


@pytest.mark.parametrize("throw", VALID)
def test_a_spot_beside_the_die_finds_back_to_it(throw: str, pips: PipReader) -> None:
    board = load_board(THROWS / throw / "board.json")
    bgr = cv2.imread(str(THROWS / throw / "frame_02.jpg"))
    reading = Reader().read(bgr, board)
    assert len(reading.dice) == 2
    for die in reading.dice:
        (x, y), width = die.centre_px, die.box_px[2] - die.box_px[0]
        spots = [Spot(x + dx * width, y + dy * width, width * stretch, 0.9) for dx, dy, stretch in AWAY]
        up = board.for_picture((bgr.shape[1], bgr.shape[0])).up(np.array([(s.x, s.y) for s in spots]))
        for one in pips.look(Halves(bgr), spots, up):
            assert np.hypot(one.spot.x - x, one.spot.y - y) < 0.15 * width
            assert one.spot.width == pytest.approx(width, rel=0.12)
            assert one.look.die > 0.5
            if die.value is not None:
                assert int(np.argmax(one.look.values)) + 1 == die.value
