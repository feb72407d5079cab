"""Dice put elsewhere in a rendered picture: where the truth says they are, and on what."""

from typing import Any

import cv2
import numpy as np
import pytest

from vision.training.samples.moved import moved
from vision.training.samples.sample import project

FIELD = {"W": 500.0, "H": 400.0, "bar_w": 30.0, "checker_d": 40.0, "checker_t": 9.0}
TURN = np.diag([1.0, -1, -1])
EYE = np.array([0.0, 0, 900])
CAMERA = {
    "R_world_to_cam": TURN.tolist(),
    "t_mm": (-TURN @ EYE).tolist(),
    "centre_mm": EYE.tolist(),
    "K": [[1500.0, 0, 500], [0, 1500, 400], [0, 0, 1]],
    "dist_k1k2p1p2k3": [0.0] * 5,
}
CHECKERS = [(x, y, 0.0) for x in (-200.0, -100, 100, 200) for y in (-150.0, 150)]
DIE_MM = 16.0


def die(x: float, y: float) -> dict[str, Any]:
    corners = np.array([(sx, sy, 1) for sx, sy in ((-1, 1), (1, 1), (1, -1), (-1, -1))]) * DIE_MM / 2
    face = project(CAMERA, np.add(corners, (x, y, DIE_MM / 2)))
    width = float(np.linalg.norm(face[0] - face[1]))
    return {
        **{"state": "flat", "in_view": True, "value": 3, "tilt_deg": 0.0, "value_margin_deg": 90.0},
        **{"centre_mm": [x, y, DIE_MM / 2], "size_mm": DIE_MM, "quat_wxyz": [1.0, 0, 0, 0]},
        **{"top_face_px": face.tolist(), "width_px": width},
    }


@pytest.fixture
def board() -> tuple[np.ndarray, dict[str, Any]]:
    dice = [die(-150, 60), die(60, -80), die(150, 90)]
    picture = np.full((800, 1000, 3), 40, np.uint8)
    for one in dice:
        cv2.fillConvexPoly(picture, np.round(one["top_face_px"]).astype(np.int32), (255, 255, 255))
    return picture, {"dice": dice, "checkers_mm": CHECKERS, "board_mm": FIELD, "camera": CAMERA}


@pytest.mark.parametrize("seed", range(12))
def test_moved_dice_are_where_the_truth_says(board: tuple[np.ndarray, dict[str, Any]], seed: int) -> None:
    picture, known = board
    changed, dice = moved(picture, known, np.random.default_rng(seed), 5)
    assert dice
    on_checkers = project(CAMERA, np.add(CHECKERS, (0, 0, FIELD["checker_t"] + DIE_MM)))
    radius = FIELD["checker_d"] / 2 * 1500 / 900
    for one in dice:
        x, y = one.centre_px
        assert changed[round(y), round(x)].min() > 200
        near = np.linalg.norm(on_checkers - (x, y), axis=1).min()
        if one.rest == "on_checker":
            assert near < 1.1 * radius
            assert one.width_px > known["dice"][0]["width_px"]
        elif one.rest == "flat":
            assert near > radius
            assert one.width_px == pytest.approx(known["dice"][0]["width_px"], rel=0.01)
        assert one.up is not None
        assert one.own_up == pytest.approx(one.up, abs=1e-6)


def test_the_picture_itself_stays_as_it_is(board: tuple[np.ndarray, dict[str, Any]]) -> None:
    picture, known = board
    before = picture.copy()
    moved(picture, known, np.random.default_rng(1), 5)
    assert (picture == before).all()


def test_without_a_flat_die_nothing_is_moved(board: tuple[np.ndarray, dict[str, Any]]) -> None:
    picture, known = board
    leaning = {**known, "dice": [{**one, "state": "tilted"} for one in known["dice"]]}
    changed, dice = moved(picture, leaning, np.random.default_rng(1), 5)
    assert not dice
    assert (changed == picture).all()
