"""From pixels to millimetres and back."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.board.calibration import Board, Distortion, board_of_json, load_board
from vision.board.findboard import board_from_corners
from vision.errors import BadBoard

SQUARE = ((100.0, 50.0), (1180.0, 60.0), (1190.0, 670.0), (90.0, 660.0))
LENS = Distortion(((950.0, 0.0, 640.0), (0.0, 950.0, 360.0), (0.0, 0.0, 1.0)), (-0.03, 0.004, 0.0, 0.0, 0.0))
FILE = {
    "image_size": [1280, 720],
    "corners_px": [list(p) for p in SQUARE],
    "surface_mm": [520, 390],
    "bar_mm": 36,
    "distortion": None,
}


def board(lens: Distortion | None = None) -> Board:
    return Board((1280, 720), SQUARE, (520.0, 390.0), 36.0, lens)


@pytest.mark.parametrize("lens", [None, LENS], ids=["straight", "bent"])
def test_the_corners_are_the_surface_s_corners(lens: Distortion | None) -> None:
    corners = board(lens).to_mm(np.array(SQUARE))
    assert corners == pytest.approx(np.array([[-260, 195], [260, 195], [260, -195], [-260, -195]]), abs=0.01)


@settings(max_examples=60, deadline=None)
@given(st.floats(-250, 250), st.floats(-190, 190), st.booleans())
def test_there_and_back_again_is_the_same_place(x: float, y: float, bent: bool) -> None:
    where = board(LENS if bent else None)
    assert where.to_mm(where.to_px(np.array([[x, y]])))[0] == pytest.approx((x, y), abs=0.05)


def test_a_file_says_the_same_when_written_and_read(tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    file.write_text(json.dumps(board(LENS).to_json()))
    assert load_board(file) == board(LENS)


def test_a_board_follows_a_smaller_picture_of_the_same_shape() -> None:
    half = board(LENS).for_picture((640, 360))
    assert half.to_mm(np.array([[320.0, 180.0]]))[0] == pytest.approx(
        board(LENS).to_mm(np.array([[640.0, 360.0]]))[0], abs=0.01
    )


@pytest.mark.parametrize(("lens", "widths"), [(None, 0.8), (LENS, 950 / 1280)], ids=["unknown", "known"])
def test_the_focal_length_is_told_in_picture_widths(lens: Distortion | None, widths: float) -> None:
    assert board(lens).focal_widths == pytest.approx(widths)
    assert board(lens).for_picture((640, 360)).focal_widths == pytest.approx(widths)


def test_a_board_is_refused_for_a_picture_of_another_shape() -> None:
    with pytest.raises(BadBoard, match="1280x720"):
        board().for_picture((1280, 960))


@pytest.mark.parametrize(
    "change",
    [
        {"corners_px": [[100, 50], [1190, 670], [1180, 60], [90, 660]]},
        {"corners_px": [[100, 50], [90, 660], [1190, 670], [1180, 60]]},
        {"corners_px": [[100, 50]] * 4},
        {"corners_px": [[100, 50], [1180, 60], [1190, 670]]},
        {"corners_px": [[100, 50], [110, 50], [110, 60], [100, 60]]},
        {"corners_px": [[100, 50], [1180, "x"], [1190, 670], [90, 660]]},
        {"corners_px": "none"},
        {"image_size": [0, 0]},
        {"surface_mm": [-1, 5]},
        {"surface_mm": None},
        {"bar_mm": 900},
        {"bar_mm": True},
        {"bar_mm": float("nan")},
        {"distortion": 7},
        {"distortion": {"K": [[1, 2], [3]], "k1k2p1p2k3": [0] * 5}},
        {"distortion": {"K": [[0, 0, 640], [0, 0, 360], [0, 0, 1]], "k1k2p1p2k3": [0] * 5}},
        {"distortion": {"K": [[-950, 0, 640], [0, 950, 360], [0, 0, 1]], "k1k2p1p2k3": [0] * 5}},
        {"distortion": {"K": [[9, 0, 640], [0, 9, 360], [0, 0, 1]], "k1k2p1p2k3": [0] * 5}},
        {"distortion": {"K": [[95000, 0, 640], [0, 95000, 360], [0, 0, 1]], "k1k2p1p2k3": [0] * 5}},
        {"distortion": {"K": [list(row) for row in LENS.matrix], "k1k2p1p2k3": [-3, 0, 0, 0, 0]}},
    ],
    ids=lambda c: str(c)[:60],
)
def test_a_bad_board_file_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(BadBoard):
        board_of_json({**FILE, **change})


@pytest.mark.parametrize("text", ["", "[]", "{", "\x00\xff"])
def test_a_file_that_is_no_board_is_refused_in_one_sentence(tmp_path: Path, text: str) -> None:
    file = tmp_path / "board.json"
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(BadBoard) as error:
        load_board(file)
    assert "\n" not in str(error.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadBoard, match=r"no-board\.json"):
        load_board(tmp_path / "no-board.json")


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(os.mkfifo, id="pipe"),
        pytest.param(Path.mkdir, id="folder"),
        pytest.param(lambda path: path.symlink_to("/dev/zero"), id="device"),
        pytest.param(lambda path: os.mknod(path, stat.S_IFSOCK | 0o600), id="socket"),
    ],
)
def test_what_is_no_file_is_refused_instead_of_waited_for(
    tmp_path: Path, make: Callable[[Path], object]
) -> None:
    make(tmp_path / "board.json")
    with pytest.raises(BadBoard, match=r"board\.json cannot be read: it is no file\.$"):
        load_board(tmp_path / "board.json")


@pytest.mark.parametrize("lens", [None, LENS], ids=["no lens", "a lens"])
def test_a_board_file_without_a_lens_says_nothing_of_the_board_s_make(lens: Distortion | None) -> None:
    assert board_of_json(board(lens).to_json()).unfamiliar == (lens is None)


def test_corners_that_a_person_gives_say_nothing_of_the_board_s_make() -> None:
    assert board_from_corners((1280, 720), SQUARE).unfamiliar


def test_corners_that_begin_with_the_opposite_one_are_taken_from_the_top_left() -> None:
    assert board_from_corners((1280, 720), [*SQUARE[2:], *SQUARE[:2]]).corners_px == SQUARE


def test_four_taps_make_a_board_of_usual_size() -> None:
    found = board_from_corners((1280, 720), SQUARE)
    assert 480 < found.surface_mm[0] < 580
    assert found.surface_mm[1] / found.surface_mm[0] == pytest.approx(610 / 1090, rel=0.02)
