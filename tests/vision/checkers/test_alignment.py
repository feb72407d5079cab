"""The place of a board that was found, made exact by the position on it."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.camera.start_picture import farthest_px
from tests.vision.checkers.test_reader import boards, load
from vision.board.calibration import Board
from vision.board.findboard import board_from_corners
from vision.checkers.alignment import Alignment
from vision.checkers.reader import CheckerReader
from vision.checkers.reading import STATES, BoardReading, PointChances, state_of

SQUARE = board_from_corners((1280, 720), [(200, 60), (1080, 60), (1080, 660), (200, 660)], 0.08)
START = [(2, 0), *[(0, 0)] * 4, (0, 5), (0, 0), (0, 3), *[(0, 0)] * 3, (5, 0)]
START += [(b, a) for a, b in START[::-1]]
PICTURE = np.zeros((720, 1280, 3), np.uint8)
WIDTH = 880.0


class PointsAt:
    """A reader that sees, where a point is looked for, what stands there on a board at another place."""

    def __init__(self, place: Board, shown=tuple(START)) -> None:
        self._place, self._shown, self.readings = place, shown, 0

    def read(self, bgr, board: Board, look=None) -> BoardReading:
        self.readings += 1
        on = self._place.to_mm(board.to_px(middles(board)))
        points = []
        for nearest, away in map(self._nearest, on):
            chances = np.full(STATES, 0.001 / STATES)
            certain = 0.999 / (1 + np.exp((away - 0.3) / 0.04))
            chances[state_of(*self._shown[nearest])] += certain
            chances += (0.999 - certain) / STATES
            points.append(PointChances(chances))
        return BoardReading(tuple(points), (points[0], points[0]), ((0.0, 0.0, 0.0),) * 2, board)

    def _nearest(self, place):
        """The nearest point, and how far away its middle is, in widths of a point."""
        known = middles(self._place)
        away = np.abs(known - place) / (known[0, 0] - known[1, 0], self._place.surface_mm[1] / 4)
        far = away.max(1)
        return int(far.argmin()), float(far.min())


def middles(board: Board) -> np.ndarray:
    """The middles of the points' bases, point 1 first, in millimetres."""
    (w, h), bar = board.surface_mm, board.bar_mm
    wide = (w - bar) / 12
    right = [(w / 2 - (n + 0.5) * wide - (bar if n >= 6 else 0), -h / 2 + wide) for n in range(12)]
    return np.array([*right, *((x, -y) for x, y in right[::-1])])


def aside(board: Board, *away: tuple[float, float]) -> Board:
    """The board with its corners so far from their places, in pixels."""
    corners = np.array(board.corners_px) + away
    return board_from_corners(board.image_size, corners.tolist(), board.bar_mm / board.surface_mm[0])


def searched(reader, bgr, board: Board, known) -> Board | None:
    search = Alignment(reader, bgr, board, known)
    while not search.is_done:
        search.go_on()
    return search.found()


@pytest.mark.parametrize(
    "away",
    [
        ((45, 0), (0, 0), (0, 0), (40, 0)),
        ((-35, 0), (30, 0), (30, 0), (-35, 0)),
        ((50, 10), (-20, 0), (10, 0), (-30, 5)),
        ((0, 0), (45, 20), (40, -10), (0, 0)),
    ],
    ids=["left edge", "too wide", "crooked", "right edge"],
)
def test_board_is_moved_to_where_the_position_is_seen(away):
    reader, found = PointsAt(SQUARE), aside(SQUARE, *away)
    exact = searched(reader, PICTURE, found, START)
    assert exact is not None
    across = np.abs(np.array(exact.corners_px) - SQUARE.corners_px)[:, 0].max()
    assert across < 0.4 * np.abs(np.array(away))[:, 0].max()
    assert reader.readings <= 27 * 9 + 2


def test_board_on_which_the_position_is_clear_is_left_as_it_is():
    reader = PointsAt(SQUARE)
    search = Alignment(reader, PICTURE, aside(SQUARE, (4, 0), (-3, 0), (2, 2), (0, 3)), START)
    assert search.is_done
    assert search.found() is None
    assert reader.readings == 1


def test_board_with_another_position_is_left_as_it_is():
    other = [(0, 0)] * 24
    other[4], other[18], other[10] = (9, 0), (0, 12), (6, 0)
    assert searched(PointsAt(SQUARE, tuple(other)), PICTURE, aside(SQUARE, *[(20, 0)] * 4), START) is None


def test_board_is_moved_although_one_point_is_set_up_wrongly():
    reader = PointsAt(SQUARE, (*START[:5], (0, 4), *START[6:]))
    exact = searched(reader, PICTURE, aside(SQUARE, (45, 0), (0, 0), (0, 0), (40, 0)), START)
    assert exact is not None
    assert farthest_px(exact, SQUARE) < 20


def test_unfamiliar_board_stays_one():
    found = replace(aside(SQUARE, (45, 0), (0, 0), (0, 0), (40, 0)), unfamiliar=True)
    exact = searched(PointsAt(SQUARE), PICTURE, found, START)
    assert exact is not None
    assert exact.unfamiliar


@pytest.mark.parametrize("name", boards()[2:4])
def test_picture_of_a_board_tells_its_place(name):
    bgr, board, truth = load(name)
    (left, _), (right, _), *_ = board.corners_px
    found = aside(board, (0, 0), (0.05 * (left - right), 0), (0.05 * (left - right), 0), (0, 0))
    reader = CheckerReader()
    assert sum(map(differs, reader.read(bgr, found).points, truth)) >= 3
    exact = searched(reader, bgr, found, truth)
    assert exact is not None
    assert farthest_px(exact, board) < 0.7 * farthest_px(found, board)
    assert not any(map(differs, reader.read(bgr, exact).points, truth))


def differs(point: PointChances, known) -> bool:
    return point.counts != known
