"""Dice that nobody should read: how they are made, and that the reader says no number of theirs."""

import csv
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.board.calibration import load_board
from vision.dice.reader import Reader
from vision.training.samples import spoiled
from vision.training.samples.spoiled import Face, spoil

SIZE, EDGE, SCALE = 64, 22.0, 0.5
MIDDLE = np.array([34.0, 30.0])
THROWS = Path(__file__).parents[4] / "companion" / "camera" / "recorded_throws"
with (Path(__file__).parents[3] / "golden" / "throws.csv").open() as file:
    VALID = [row for row in csv.DictReader(file) if row["category"] == "valid"]


def face() -> Face:
    return Face(MIDDLE, EDGE, SCALE, SIZE)


def looks() -> tuple[np.ndarray, np.ndarray]:
    """Grain everywhere, nowhere the same, so that whatever is done to them shows."""
    rng = np.random.default_rng(1)
    one, other = rng.integers(40, 210, (2, SIZE, SIZE, 3), np.uint8)
    return one, other


def away(which: int) -> np.ndarray:
    """How far each pixel is from the face's middle, in edges; in the look (0) or the surroundings (1)."""
    y, x = np.mgrid[:SIZE, :SIZE]
    middle, scale = face().places[which]
    return np.asarray(np.hypot(x - middle[0], y - middle[1]) / (EDGE * scale))


def changed(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    return np.asarray(np.abs(after.astype(int) - before.astype(int)).max(-1) > 8)


def test_the_face_is_at_one_place_in_both() -> None:
    (at, one), (small, half) = face().places
    assert (one, half) == (1.0, SCALE)
    assert small - 31.5 == pytest.approx((at - 31.5) * SCALE)


@pytest.mark.parametrize("seed", range(40))
def test_a_cover_hides_part_of_a_spoiled_face_and_none_of_a_spared_one(seed: int) -> None:
    before = looks()
    over = spoiled._covered(np.random.default_rng(seed), before, face(), True)
    beside = spoiled._covered(np.random.default_rng(seed), before, face(), False)
    for which in (0, 1):
        upper = away(which) < 0.5
        assert changed(before[which], over[which])[upper].mean() > 0.05
        assert not changed(before[which], beside[which])[upper].any()
        assert over[which].shape == before[which].shape
        assert over[which].dtype == np.uint8


@pytest.mark.parametrize("seed", range(20))
def test_dirt_of_a_spoiled_face_is_as_large_as_a_pip(seed: int) -> None:
    before = looks()
    for is_spoiled in (True, False):
        after = spoiled._spotted(np.random.default_rng(seed), before, face(), is_spoiled)
        px = changed(before[0], after[0]).sum()
        assert (px > 3) if is_spoiled else (px < 12)
        assert not changed(before[0], after[0])[away(0) > 1.4].any()


@pytest.mark.parametrize("way", [spoiled._blurred, spoiled._smeared])
@pytest.mark.parametrize("seed", range(10))
def test_what_is_spared_keeps_more_of_what_is_there(way: spoiled.Way, seed: int) -> None:
    before = looks()
    hard = way(np.random.default_rng(seed), before, face(), True)[0]
    soft = way(np.random.default_rng(seed), before, face(), False)[0]
    assert soft.std() > hard.std()


def test_so_many_are_spoiled_so_many_spared_and_the_rest_are_as_they_were() -> None:
    rng, before, count = np.random.default_rng(3), looks(), 1500
    said, touched = 0, 0
    for _ in range(count):
        after, is_spoiled = spoil(rng, before, face())
        said += is_spoiled
        touched += not np.array_equal(after[0], before[0])
    assert said / count == pytest.approx(spoiled.SPOILED, abs=0.03)
    assert spoiled.SPOILED < touched / count < spoiled.SPOILED + spoiled.SPARED + 0.03


@pytest.mark.parametrize("row", VALID, ids=lambda row: row["throw"])
def test_no_number_is_made_up_for_a_die_half_covered(row: dict[str, str]) -> None:
    folder = THROWS / row["throw"]
    bgr, board, reader = cv2.imread(str(folder / "frame_02.jpg")), load_board(folder / "board.json"), Reader()
    plain = reader.read(bgr, board)
    paper = np.full_like(bgr, 225)
    for die in plain.dice:
        width = die.box_px[2] - die.box_px[0]
        for turn in np.linspace(0, 2 * np.pi, 6, endpoint=False):
            way = np.array([np.cos(turn), np.sin(turn)])
            side = np.array([-way[1], way[0]])
            corners = np.array(die.centre_px) + width * np.array(
                [-2 * side, 2 * side, 2 * side + 4 * way, -2 * side + 4 * way]
            )
            over = np.zeros(bgr.shape[:2], np.uint8)
            cv2.fillConvexPoly(over, np.round(corners).astype(np.int32), 255)
            seen = reader.read(np.where(over[..., None] > 0, paper, bgr), board)
            for one in seen.dice:
                if np.hypot(*np.subtract(one.centre_px, die.centre_px)) < 0.6 * width:
                    assert one.value in (None, die.value)
