"""The exact place of a board that was found, looked for once by its starting position."""

from companion.camera.exact_place import ExactPlace
from companion.game.events import Orientation
from companion.inference.opening import StartSeen
from companion.inference.views import physical_counts
from companion.rules.board import Board, Position
from tests.support.camera.start_picture import farthest_px
from tests.vision.checkers.test_alignment import PICTURE, SQUARE, PointsAt
from vision.board.findboard import board_from_corners

START = StartSeen(Orientation(), Board(Position.start().mine, Position.start().theirs), (), 1.0)
PLACE = board_from_corners((1280, 720), [(212, 60), (1092, 60), (1092, 660), (212, 660)], 0.08)
"""Where the board lies that was found at SQUARE."""


def reader():
    return PointsAt(PLACE, tuple(physical_counts(START.board, START.orientation)))


def searched(place, board):
    """What the search gives for this board, with the number of ways that it tried."""
    for tried in range(200):
        if not place.is_sought_or_found(board):
            return None, tried
        if exact := place.go_on(board):
            return exact, tried
    raise AssertionError("the search does not end")


def test_board_that_was_found_is_placed_exactly_and_not_looked_for_again():
    place, reads = ExactPlace(), reader()
    place.was_found = True
    place.begin(reads, PICTURE, SQUARE, START)
    exact, tried = searched(place, SQUARE)
    assert tried > 10
    assert farthest_px(exact, PLACE) < farthest_px(SQUARE, PLACE) / 4
    assert place.is_sought_or_found(exact), "a finder may put it beside its place again"
    place.begin(reads, PICTURE, exact, START)
    assert place.go_on(exact) is None
    assert not place.is_sought_or_found(SQUARE)


def test_board_that_people_have_placed_stays():
    place, reads = ExactPlace(), reader()
    place.begin(reads, PICTURE, SQUARE, START)
    assert not place.is_sought_or_found(SQUARE)
    assert place.go_on(SQUARE) is None
    assert reads.readings == 0


def test_search_ends_with_its_board():
    place, reads = ExactPlace(), reader()
    place.was_found = True
    place.begin(reads, PICTURE, SQUARE, START)
    assert place.go_on(SQUARE) is None
    assert place.go_on(PLACE) is None
    assert not place.is_sought_or_found(PLACE)


def test_board_without_a_better_place_is_tried_once():
    place, reads = ExactPlace(), PointsAt(PLACE, ((0, 0),) * 24)
    place.was_found = True
    place.begin(reads, PICTURE, SQUARE, START)
    exact, _ = searched(place, SQUARE)
    assert exact is None
    readings = reads.readings
    place.begin(reads, PICTURE, SQUARE, START)
    assert reads.readings == readings
