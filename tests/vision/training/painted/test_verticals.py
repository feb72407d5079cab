"""Which way is up on painted boards is what a camera of their place sees."""

import cv2
import numpy as np
import pytest

from vision.board.calibration import Board
from vision.board.findboard import board_from_points
from vision.pyramid import Halves
from vision.training.painted.plan import random_plan
from vision.training.painted.scene import Shot, random_shot
from vision.training.painted.verticals import HIGH, STRIDE, WIDE, Squared, as_input, planes, sample, true_up

SURFACE = (520.0, 400.0)
CORNERS = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * SURFACE / 2
CELLS = (HIGH // STRIDE, WIDE // STRIDE)


def seen_by(focal: float, tilt_deg: tuple[float, float], away_mm: float) -> tuple[Shot, Board]:
    """A camera of this focal length, in picture widths, and the board as it sees it."""
    size = (1280, 720)
    tilt = np.asarray(cv2.Rodrigues(np.radians([*tilt_deg, 0.0]))[0])
    onto = np.array([(focal * size[0], 0, size[0] / 2), (0, focal * size[0], size[1] / 2)])
    shot = Shot(tilt, away_mm, onto)
    corners = tuple((float(x), float(y)) for x, y in shot.on(CORNERS))
    return shot, Board(size, corners, SURFACE, 40.0, focal=focal)


@pytest.mark.parametrize("focal", [0.6, 0.8, 2.0])
@pytest.mark.parametrize("tilt_deg", [(0.0, 0.0), (20.0, 0.0), (-10.0, 25.0)])
def test_the_right_focal_length_has_up_where_the_camera_sees_it(
    focal: float, tilt_deg: tuple[float, float]
) -> None:
    shot, board = seen_by(focal, tilt_deg, 1100 * focal)
    squared = Squared(board)
    assert np.allclose(true_up(shot, CORNERS, squared), squared.usual_up(), atol=2e-3)


def test_a_wrong_focal_length_has_it_elsewhere() -> None:
    shot, board = seen_by(2.0, (20.0, 0.0), 2200)
    squared = Squared(Board(board.image_size, board.corners_px, SURFACE, 40.0, focal=0.8))
    assert np.abs(true_up(shot, CORNERS, squared) - squared.usual_up()).max() > 0.1


@pytest.mark.parametrize("seed", range(6))
def test_up_is_a_plane_over_a_painted_board(seed: int) -> None:
    rng = np.random.default_rng(seed)
    plan = random_plan(rng, False)
    shot = random_shot(rng, plan, (1280, 720), upright=True, wider=seed % 2 > 0)
    squared = Squared(board_from_points((1280, 720), shot.on(plan.marks)))
    up, at = true_up(shot, plan.marks[:4], squared), squared.cells_mm() * (1, -1)
    off = at - at.mean(0)
    slope = (off * (up - up.mean(0))).sum() / (off**2).sum()
    assert np.abs(up - up.mean(0) - slope * off).max() < 2e-3
    assert slope > 0


def test_the_net_sees_the_board_in_the_middle_of_its_picture() -> None:
    _, board = seen_by(0.8, (15.0, 5.0), 900)
    bgr = np.zeros((720, 1280, 3), np.uint8)
    cv2.fillConvexPoly(bgr, np.array(board.corners_px).round().astype(np.int32), (255, 255, 255))
    seen = Squared(board).picture(Halves(bgr))[..., 0] > 127
    rows, columns = np.flatnonzero(seen.any(1)), np.flatnonzero(seen.any(0))
    assert abs(rows[0] + rows[-1] - (HIGH - 1)) <= 3
    assert abs(columns[0] + columns[-1] - (WIDE - 1)) <= 3
    assert (columns[-1] - columns[0]) / (rows[-1] - rows[0]) == pytest.approx(
        SURFACE[0] / SURFACE[1], rel=0.03
    )


def test_a_sample_is_what_the_net_is_given() -> None:
    picture, usual, up = sample(3, wider=False, held_out=False)
    assert usual.shape == up.shape == (2, *CELLS)
    x = as_input(picture, usual.astype(np.float32))
    assert x.shape == (5, HIGH, WIDE)
    assert np.array_equal(x[3:, STRIDE - 1 :: STRIDE, ::STRIDE], usual.astype(np.float32))
    assert np.array_equal(planes(up.reshape(2, -1).T.astype(np.float64)), up.astype(np.float32))


def test_the_plane_that_fits_is_found() -> None:
    torch = pytest.importorskip("torch")
    from vision.training.nets.verticals import plane

    rows, columns = CELLS
    y, x = torch.meshgrid(torch.linspace(-0.4, 0.4, rows), torch.linspace(-0.5, 0.5, columns), indexing="ij")
    up = torch.stack([0.3 * x * 40 / 39 - 0.1, 0.3 * y * 32 / 31 + 0.05])
    unweighted = torch.cat([up, torch.zeros(1, rows, columns)])
    spoiled = unweighted.clone()
    spoiled[:2, :, :10], spoiled[2, :, :10] = 5.0, -20.0
    for out in (unweighted, spoiled):
        assert float((plane(out[None])[0] - up.flatten(1)).abs().max()) < 0.03
