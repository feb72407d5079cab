"""The board is found by itself, and where there is none, none is found."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.support.collection import thinned
from vision.board.calibration import load_board
from vision.board.findboard import BoardFinder, agreeing, board_from_points
from vision.errors import BadBoard

THROWS = Path(__file__).parents[3] / "companion" / "camera" / "recorded_throws"
PHOTOGRAPHS = Path(__file__).parents[2] / "golden" / "photographs"

CORNERS = np.array([[100.0, 50], [1100, 50], [1100, 850], [100, 850]])
BAR = np.array([[560.0, 50], [640, 50], [640, 850], [560, 850]])


@pytest.fixture(scope="module")
def finder() -> BoardFinder:
    return BoardFinder()


def test_the_recorded_board_is_found_within_a_die(finder: BoardFinder) -> None:
    folder = THROWS / "03_south"
    bgr = cv2.imread(str(folder / "frame_03.jpg"))
    truth = load_board(folder / "board.json")
    found = finder.find(bgr)
    assert found is not None
    away = np.abs(np.array(found.corners_px) - np.array(truth.corners_px)).max()
    assert away < 15 * truth.px_per_mm()
    assert found.bar_mm / found.surface_mm[0] == pytest.approx(truth.bar_mm / truth.surface_mm[0], rel=0.2)


@pytest.mark.parametrize("photograph", sorted(PHOTOGRAPHS.glob("*.jpg")), ids=lambda p: p.stem)
def test_no_board_is_found_where_there_is_none(photograph: Path, finder: BoardFinder) -> None:
    assert finder.find(cv2.imread(str(photograph))) is None


def test_a_black_picture_has_no_board(finder: BoardFinder) -> None:
    assert finder.find(np.zeros((720, 1280, 3), np.uint8)) is None


def test_most_rendered_boards_are_found(collection: Path, finder: BoardFinder) -> None:
    truths = thinned(sorted((collection / "vision" / "rendered").glob("*.json")), 18)
    assert len(truths) >= 6
    away = []
    for truth in truths:
        known = json.loads(truth.read_text())
        bgr = cv2.imread(str(truth.with_suffix(".jpg")))
        found = finder.find(bgr)
        assert found is not None, truth.name
        corners = np.array(known["playing_corners_px_TL_TR_BR_BL"])
        away.append(np.abs(np.array(found.corners_px) - corners).max() / bgr.shape[1])
    assert np.median(away) < 0.01  # of the picture's width: 12 px of 1280


@pytest.mark.parametrize(
    ("corners", "bar"),
    [
        (CORNERS, np.add(BAR, (0, 120))),
        (CORNERS, np.add(BAR, (150, 0))),
        (CORNERS, np.array([[450.0, 50], [750, 50], [750, 850], [450, 850]])),
        (CORNERS, np.array([[598.0, 50], [602, 50], [602, 850], [598, 850]])),
        (CORNERS[[1, 0, 2, 3]], BAR),
        (CORNERS * [1, 0.3], BAR * [1, 0.3]),
    ],
    ids=["bar too low", "bar off the middle", "bar too wide", "no bar", "corners crossed", "too flat"],
)
def test_points_that_are_no_board_s_are_refused(corners: np.ndarray, bar: np.ndarray) -> None:
    with pytest.raises(BadBoard):
        board_from_points((1280, 960), np.concatenate([corners, bar]))


def test_points_that_are_a_board_s_make_one() -> None:
    board = board_from_points((1280, 960), np.concatenate([CORNERS, BAR]))
    assert board.bar_mm / board.surface_mm[0] == pytest.approx(0.08)
    assert board.surface_mm[1] / board.surface_mm[0] == pytest.approx(0.8)


@pytest.mark.parametrize("wrong", range(8))
def test_one_point_is_put_where_the_others_say(wrong: int) -> None:
    truth = np.concatenate([CORNERS, BAR])
    seen = truth.copy()
    seen[wrong] += (70, -45)
    assert np.abs(agreeing(seen, 25.0) - truth).max() < 6


def test_points_a_lens_has_bent_stay_nearly_where_they_are() -> None:
    bent = np.concatenate([CORNERS, BAR])
    bent[4:, 1] += (-8, -8, 8, 8)
    assert np.abs(agreeing(bent, 25.0) - bent).max() < 8


def test_two_points_that_are_off_are_no_board() -> None:
    seen = np.concatenate([CORNERS, BAR])
    seen[0] += (70, -45)
    seen[6] += (-60, 90)
    with pytest.raises(BadBoard):
        agreeing(seen, 25.0)
