import random

import pytest

from companion.inference.opening import MOST_WRONG, ORIENTATIONS, SURE_SHARE, start_seen
from companion.rules.board import Board, Position
from tests.support.camera.checker_views import FakeReader, clear_view, moved

START = Position.start().mine
BOARD = Board(START, START)


@pytest.mark.parametrize("orientation", ORIENTATIONS, ids=lambda one: f"{one.home}-{one.south}")
def test_orientation_is_read_from_the_starting_position(orientation):
    for seed in range(5):
        reader = FakeReader(random.Random(seed), error=0.03, covered=0.05)
        seen = start_seen([reader.view(BOARD, orientation) for _ in range(2)], Position.start())
        assert seen.orientation == orientation
        assert seen.chance >= SURE_SHARE


def test_correct_start_has_no_wrong_points():
    view = clear_view(BOARD, ORIENTATIONS[0])
    assert start_seen([view], Position.start()).wrong == ()


def test_wrong_start_is_shown_by_point():
    orientation = ORIENTATIONS[0]
    board = Board(moved(START, (8, 7)), START)
    seen = start_seen([clear_view(board, orientation)], Position.start())
    assert (seen.orientation, seen.wrong) == (orientation, (7, 8))


def test_game_under_way_shows_no_start():
    board = Board(
        moved(START, (24, 10), (24, 9), (13, 7), (13, 5), (8, 3), (6, 2)), moved(START, (13, 1), (8, 2))
    )
    view = clear_view(board, ORIENTATIONS[0])
    assert len(start_seen([view], Position.start()).wrong) > MOST_WRONG
