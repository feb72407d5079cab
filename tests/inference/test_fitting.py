"""Whether a view shows a turn: heaps in the bear-off, of which an illegal play may have borne one off."""

from dataclasses import replace
from math import exp, log

import pytest

from companion.game.events import Orientation
from companion.inference.decisions import Decisions
from companion.inference.explaining.weighing import Weighing
from companion.inference.findings import Kind, Made
from companion.inference.fitting import Fitting
from companion.inference.views import BoardView
from companion.rules.board import Board, Roll, Side, checkers_on
from companion.rules.profiles import PROFILES
from tests.support.camera.checker_views import clear_view, moved

SEATS = Orientation()
BEFORE = Board(checkers_on({1: 6, 2: 3, 6: 1, 0: 5}), checkers_on({3: 5, 0: 10}))
"""South bears off and has a heap of six."""
AFTER = Board(moved(BEFORE.south, (6, 2)), BEFORE.north)
"""South played four points of a 3-2."""


def with_doubt(board: Board, n: int, share: float) -> BoardView:
    """A clear view of a board, but for south's n-point, where one checker fewer has this share of the chance."""
    fewer = clear_view(Board(moved(board.south, (n, 0)), board.north), SEATS)
    points = [
        [(1 - share) * exp(one) + share * exp(two) for one, two in zip(row, other, strict=True)]
        for row, other in zip(clear_view(board, SEATS).points, fewer.points, strict=True)
    ]
    return BoardView.of(points)


def illegal(after: Board, before: Board = BEFORE) -> Made:
    return Made(0, Side.SOUTH, Roll(3, 2), Kind.ILLEGAL, before, after)


@pytest.mark.parametrize(("heap", "counted"), [(6, False), (4, True)])
def test_illegal_play_in_the_bear_off_counts_only_where_no_heap_is_in_doubt(heap, counted):
    before = Board(checkers_on({1: heap, 2: 3, 6: 1, 0: 11 - heap}), BEFORE.north)
    after = Board(moved(before.south, (6, 2)), before.north)
    fitting = Fitting(Weighing(PROFILES["modern"], SEATS), Decisions(before))
    assert fitting.counts_heaps(illegal(after, before), with_doubt(after, 1, 0.02)) is counted


def test_heap_that_is_read_clearly_counts():
    fitting = Fitting(Weighing(PROFILES["modern"], SEATS), Decisions(BEFORE))
    view = clear_view(AFTER, SEATS)
    points = tuple(tuple(0.0 if one == max(row) else -20.0 for one in row) for row in view.points)
    sharp = BoardView(points, view.bar)
    assert fitting.counts_heaps(illegal(AFTER), sharp)


def test_legal_play_is_told_by_its_roll_and_one_outside_the_bear_off_by_the_checkers():
    fitting = Fitting(Weighing(PROFILES["modern"], SEATS), Decisions(BEFORE))
    doubtful = with_doubt(AFTER, 1, 0.02)
    legal = Made(0, Side.SOUTH, Roll(4, 3), Kind.LEGAL, BEFORE, AFTER, play=())
    assert fitting.counts_heaps(legal, doubtful)
    outside = Board(checkers_on({1: 6, 2: 4, 9: 1, 0: 4}), BEFORE.north)
    assert fitting.counts_heaps(illegal(outside), with_doubt(outside, 1, 0.02))


@pytest.mark.parametrize(("share", "shown"), [(0.0, True), (0.2, False)])
def test_fault_is_shown_only_by_points_that_are_read_clearly(share, shown):
    # 13/11 6/2 of a 4-2, where the heap hides the checker that left it, looks like 6/2 alone but for the 11-point.
    before = PROFILES["modern"].start_board
    alone = Board(moved(before.south, (6, 2)), before.north)
    more = Board((*alone.south[:11], 1, *alone.south[12:]), before.north)
    points = [
        [(1 - share) * exp(one) + share * exp(two) for one, two in zip(row, other, strict=True)]
        for row, other in zip(clear_view(alone, SEATS).points, clear_view(more, SEATS).points, strict=True)
    ]
    fitting = Fitting(Weighing(PROFILES["modern"], SEATS), Decisions(before))
    made = Made(0, Side.SOUTH, Roll(4, 2), Kind.ILLEGAL, before, alone)
    assert fitting.shows_fault(made, BoardView.of(points)) is shown


@pytest.mark.parametrize(("heap", "lifted", "shown"), [(6, 12.0, True), (6, 4.0, False), (11, 12.0, False)])
def test_fault_that_a_heap_alone_shows_needs_two_pictures_of_it_and_no_pile(heap, lifted, shown):
    # 4/off with a 2 looks like 4/2 but for the 2-point, which holds a heap.
    before = Board(checkers_on({2: heap, 4: 2, 0: 13 - heap}), checkers_on({6: 5, 0: 10}))
    off, legal = (Board(moved(before.south, (4, goal)), before.north) for goal in (0, 2))
    clear = clear_view(off, SEATS)
    row = tuple(
        log(0.7 if count == heap else 0.25 if count == heap + 1 else 0.001)
        - (lifted if count != heap else 0.0)
        for count in range(len(clear.points[1]))
    )
    view = replace(clear, points=(clear.points[0], row, *clear.points[2:]))
    fitting = Fitting(Weighing(PROFILES["modern"], SEATS), Decisions(before))
    assert legal.south[2] == heap + 1
    assert fitting.shows_fault(Made(0, Side.SOUTH, Roll(2, 2), Kind.ILLEGAL, before, off), view) is shown


@pytest.mark.parametrize(("share", "shown"), [(0.0, True), (0.2, False)])
def test_checker_that_stayed_on_the_bar_is_shown_only_by_a_clear_bar(share, shown):
    # South enters with a 6-2 and has a heap of ten, which hardly tells that one of nine would be missing.
    before = Board(
        checkers_on({25: 1, 1: 10, 4: 2, 7: 1, 11: 1}), checkers_on({24: 2, 23: 2, 22: 2, 20: 4, 13: 5})
    )
    entered = Board(moved(before.south, (25, 17)), before.north)
    seen = Board(moved(before.south, (1, 17)), before.north)
    clear, other = clear_view(seen, SEATS), clear_view(entered, SEATS)
    bars = [
        tuple(log((1 - share) * exp(one) + share * exp(two)) for one, two in zip(row, rival, strict=True))
        for row, rival in zip(clear.bar, other.bar, strict=True)
    ]
    view = replace(clear, bar=tuple(bars))
    fitting = Fitting(Weighing(PROFILES["modern"], SEATS), Decisions(before))
    assert fitting.shows_fault(Made(0, Side.SOUTH, Roll(6, 2), Kind.ILLEGAL, before, seen), view) is shown


@pytest.mark.parametrize(("pile", "told"), [(12, False), (10, False), (9, True), (6, True)])
def test_play_that_only_a_pile_tells_from_another_legal_one_is_not_told(pile, told):
    # A 3-2 is played 3/off 2/off, or 3/1 2/off with one checker more on the ace point.
    before = Board(checkers_on({1: pile, 2: 1, 3: 1, 0: 13 - pile}), checkers_on({6: 5, 0: 10}))
    off = Board(moved(before.south, (3, 0), (2, 0)), before.north)
    fitting = Fitting(Weighing(PROFILES["modern"], SEATS), Decisions(before))
    made = Made(0, Side.SOUTH, Roll(3, 2), Kind.LEGAL, before, off, play=())
    assert fitting.is_told_without_piles(made) is told
    assert fitting.fits(made, clear_view(off, SEATS)) is told


def test_play_of_a_pile_is_told_by_another_point():
    # 13/11 13/10 of a 3-2 and 13/8 differ on points with one checker.
    before = Board(checkers_on({6: 11, 13: 2, 0: 2}), checkers_on({6: 5, 0: 10}))
    after = Board(moved(before.south, (13, 11), (13, 10)), before.north)
    fitting = Fitting(Weighing(PROFILES["modern"], SEATS), Decisions(before))
    assert fitting.is_told_without_piles(Made(0, Side.SOUTH, Roll(3, 2), Kind.LEGAL, before, after, play=()))


@pytest.mark.parametrize(("pile", "told"), [(10, False), (9, True)])
def test_checker_put_on_a_pile_in_the_bear_off_may_have_been_borne_off(pile, told):
    before = Board(checkers_on({1: pile, 4: 1, 5: 1, 0: 13 - pile}), checkers_on({6: 5, 0: 10}))
    after = Board(moved(before.south, (4, 1), (5, 3)), before.north)
    fitting = Fitting(Weighing(PROFILES["modern"], SEATS), Decisions(before))
    made = Made(0, Side.SOUTH, Roll(3, 2), Kind.LEGAL, before, after, play=())
    assert fitting.is_told_without_piles(made) is told
