"""The placing net: what is a die is put in its middle, and what is none goes no further."""

import csv
from pathlib import Path

import numpy as np
import pytest

from vision.board.calibration import load_board
from vision.capture.picture import load_picture
from vision.dice.finder import Spot
from vision.dice.reader import Reader
from vision.dice.refine import Placer
from vision.pyramid import Halves

THROWS = Path(__file__).parents[3] / "companion" / "camera" / "recorded_throws"
with (Path(__file__).parents[2] / "golden" / "throws.csv").open() as file:
    VALID = [row["throw"] for row in csv.DictReader(file) if row["category"] == "valid"]


@pytest.fixture(scope="module")
def placer() -> Placer:
    return Placer()


def _off(spot: Spot, die: tuple[float, float, float]) -> tuple[float, float]:
    """How far a place is from the die's, in widths, and its size, as a natural logarithm."""
    x, y, width = die
    return float(np.hypot(spot.x - x, spot.y - y)) / width, abs(float(np.log(spot.width / width)))


@pytest.mark.parametrize("throw", VALID)
def test_places_on_dice_are_mended_and_the_others_are_few(throw: str, placer: Placer) -> None:
    board = load_board(THROWS / throw / "board.json")
    bgr = load_picture(THROWS / throw / "frame_02.jpg")
    board = board.for_picture((bgr.shape[1], bgr.shape[0]))
    dice = [(*d.centre_px, d.box_px[2] - d.box_px[0]) for d in Reader().read(bgr, board).dice]
    assert len(dice) == 2
    rng = np.random.default_rng(4)
    spots = [
        Spot(x + dx * width, y + dy * width, width * stretch, 0.9)
        for x, y, width in dice
        for (dx, dy), stretch in zip(
            rng.uniform(-0.25, 0.25, (10, 2)), rng.uniform(0.8, 1.25, 10), strict=True
        )
    ]
    bare = [
        Spot(float(x), float(y), dice[0][2], 0.9)
        for x, y in rng.uniform((0, 0), board.image_size, (60, 2))
        if all(np.hypot(x - at[0], y - at[1]) > 2.5 * at[2] for at in dice)
    ]
    everywhere = [*spots, *bare]
    up = board.up(np.array([(s.x, s.y) for s in everywhere]))
    placed = placer.place(Halves(bgr), everywhere, up)
    assert set(range(20)) <= set(placed)
    before = np.array([_off(spots[k], dice[k // 10]) for k in range(20)])
    after = np.array([_off(placed[k], dice[k // 10]) for k in range(20)])
    assert (after.mean(0) < 0.5 * before.mean(0)).all()
    assert after.max() < 0.2
    assert len(placed) - 20 <= 0.1 * len(bare)
    assert (
        set(placed)
        <= set(placer.place(Halves(bgr), everywhere, up, maybe=-100.0))
        == set(range(len(everywhere)))
    )


def test_nothing_to_place_is_nothing_placed(placer: Placer) -> None:
    assert placer.place(Halves(np.zeros((90, 160, 3), np.uint8)), [], None) == {}
