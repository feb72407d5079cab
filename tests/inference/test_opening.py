import random
from math import exp

import pytest

from companion.game.events import Orientation
from companion.inference.opening import MOST_WRONG, ORIENTATIONS, SURE_SHARE, start_seen
from companion.inference.views import MOST, BoardView
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


def equally_light(view, share):
    """The view with so much of each point's chances for the other colour as if the two were hardly told apart."""
    rows = [[exp(one) for one in row] for row in view.points]
    swapped = [[row[0], *row[1 + MOST :], *row[1 : 1 + MOST]] for row in rows]
    return BoardView.of(
        [
            [(1 - share) * one + share * other for one, other in zip(*pair, strict=True)]
            for pair in zip(rows, swapped, strict=True)
        ]
    )


@pytest.mark.parametrize("share", [0.3, 0.45, 0.5])
@pytest.mark.parametrize("south", ["light", "dark"])
@pytest.mark.parametrize("home", ["right", "left"])
def test_start_of_equally_light_colours_is_seen_and_the_setting_names_them(home, south, share):
    view = equally_light(clear_view(BOARD, Orientation(home, "light")), share)
    seen = start_seen([view], Position.start(), south)
    assert (seen.is_sure, seen.orientation.home, seen.wrong) == (True, home, ())
    assert seen.orientation.south == ("light" if share == 0.3 else south)
    assert start_seen([view], Position.start()).is_sure


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
    seen = start_seen([view], Position.start())
    assert (len(seen.wrong) > MOST_WRONG, seen.is_sure) == (True, False)
