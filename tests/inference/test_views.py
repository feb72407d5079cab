import math
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game.events import Orientation
from companion.inference.opening import ORIENTATIONS
from companion.inference.views import (
    CLASSES,
    OF_PILE,
    SURPRISE,
    BoardView,
    combined,
    physical_counts,
    physical_point,
    recalled,
    seen_by,
)
from companion.rules.board import Board, Position, Side, checkers_on
from tests.support.camera.checker_views import FakePictures, FakeReader, clear_view, hidden, moved
from tests.support.rules.strategies import positions

SEATS = Orientation()
EVEN = [1 / CLASSES] * CLASSES
START = Board(Position.start().mine, Position.start().theirs)


@pytest.mark.parametrize(
    ("home", "point", "physical"),
    [("right", 1, 1), ("right", 24, 24), ("left", 1, 12), ("left", 6, 7), ("left", 13, 24), ("left", 24, 13)],
)
def test_physical_points_of_south(home, point, physical):
    assert physical_point(point, Orientation(home=home)) == physical


def test_starting_position_by_colour_and_physical_point():
    counts = physical_counts(START, Orientation(home="left", south="dark"))
    seen = {n: pair for n, pair in enumerate(counts, 1) if pair != (0, 0)}
    dark = {7: (0, 5), 5: (0, 3), 24: (0, 5), 13: (0, 2)}
    light = {18: (5, 0), 20: (3, 0), 1: (5, 0), 12: (2, 0)}
    assert seen == dark | light


@settings(deadline=None, max_examples=50)
@given(positions(), st.sampled_from(ORIENTATIONS), st.integers(0, 99))
def test_both_sides_see_one_likelihood_and_the_true_position_has_the_highest(position, orientation, seed):
    reader = FakeReader(random.Random(seed), error=0.0)
    board = Board.of(Side.SOUTH, position)
    view = reader.view(board, orientation)
    south, north = (seen_by(view, side, orientation) for side in Side)
    assert math.isclose(south.fit(position), north.fit(position.flipped()), abs_tol=1e-9)
    assert south.misfit(position) == 0
    assert south.fit(position) >= south.fit(Position.start())


def test_covered_points_say_nothing():
    view = BoardView.of([None] * 24)
    mover = seen_by(view, Side.NORTH, Orientation())
    assert mover.fit(Position.start()) == 0
    assert mover.covered == frozenset(range(1, 25))


def test_several_views_count_for_less_than_so_many_independent_ones():
    view = clear_view(START, Orientation())
    one, four = (seen_by(combined([view] * n), Side.SOUTH, Orientation()) for n in (1, 4))
    assert math.isclose(four.fit(Position.start()), 2 * one.fit(Position.start()))


def test_view_covered_in_one_picture_counts_from_the_other():
    clear = clear_view(START, Orientation())
    assert combined([BoardView.of([None] * 24), clear]).points == clear.points


@pytest.mark.parametrize(
    ("points", "bar"),
    [
        ([EVEN] * 23, (None, None)),
        ([EVEN[1:]] * 24, (None, None)),
        ([EVEN] * 24, ([1.0], None)),
        ([EVEN] * 24, ()),
    ],
)
def test_reading_of_another_shape_is_refused(points, bar):
    with pytest.raises(ValueError, match=r"has|bar"):
        BoardView.of(points, bar)


@pytest.mark.parametrize(
    ("now", "told"), [(3, False), (5, False), (7, True)], ids=["a few", "a row", "a tall heap"]
)
def test_point_that_looks_as_it_did_may_hold_one_more_only_where_it_is_a_tall_heap(now, told):
    before, after = (with_count_on_ace_point(count) for count in (now, now + 1))
    view = clear_view(before, Orientation())
    mover = seen_by(recalled(view, view, physical_counts(before, Orientation())), Side.SOUTH, Orientation())
    assert (mover.surprise(1, after.seen_by(Side.SOUTH)) <= SURPRISE - 2) is told
    assert mover.surprise(1, before.seen_by(Side.SOUTH)) == 0


@pytest.mark.parametrize(
    ("held", "looks", "least", "most"),
    [(5, 6, 3.0, 6.0), (6, 5, 3.0, 6.0), (4, 3, 3.0, 6.0), (0, 1, 3.0, 6.0), (5, 5, -4.0, -4.0)],
    ids=["one came to a heap", "one left a heap", "one left a few", "one came", "heap left alone"],
)
def test_pictures_of_a_point_tell_what_came_or_left(held, looks, least, most):
    """Where they tell that one did, that the heap is read as it was says nothing against it any more."""
    view = clear_view(with_count_on_ace_point(held), SEATS)
    earlier, now = (replace(view, pictures=FakePictures.of([count])) for count in (held, looks))
    other = looks if looks != held else held + 1
    told = told_for(other, now, earlier, held) - told_for(other, view, view, held)
    assert least - 1e-6 <= told <= most + 1e-6


@pytest.mark.parametrize(
    ("read", "is_counted"), [(6, False), (11, True)], ids=["misread before", "read before"]
)
def test_heap_that_was_misread_is_not_counted_later(read, is_counted):
    """From above eleven checkers in three layers look like six, and so do the ten that are left of them."""
    board = with_count_on_ace_point(11)
    clear = clear_view(board, SEATS)
    earlier, now = (replace(clear, points=(heap_read_as(one), *clear.points[1:])) for one in (read, 6))
    row = recalled(now, earlier, physical_counts(board, SEATS)).points[0]
    assert (row[6] - row[10] > SURPRISE) is is_counted


def heap_read_as(count):
    return tuple(math.log(0.99 if k == count else 0.01 / CLASSES) for k in range(CLASSES))


def test_pictures_of_points_that_are_left_out_tell_nothing():
    view = clear_view(with_count_on_ace_point(5), SEATS)
    earlier, now = (replace(view, pictures=FakePictures.of([count]).without({1})) for count in (5, 6))
    assert told_for(6, now, earlier, 5) == told_for(6, view, view, 5)


def test_tall_heap_that_looks_as_it_did_holds_no_more():
    view = clear_view(with_count_on_ace_point(8), SEATS)
    same = replace(view, pictures=FakePictures.of([8]))
    assert told_for(9, same, same, 8) < -SURPRISE < told_for(9, view, view, 8)


@pytest.mark.parametrize(("held", "is_pile"), [(11, True), (10, True), (9, False)])
def test_pictures_of_a_pile_hardly_tell_whether_one_more_lies_in_its_third_layer(held, is_pile):
    view = clear_view(with_count_on_ace_point(held), SEATS)
    same, now = (replace(view, pictures=FakePictures.of([count])) for count in (held, held + 1))
    assert (told_for(held + 1, same, same, held) >= -OF_PILE - 1e-9) is is_pile
    assert told_for(held + 1, now, same, held) <= OF_PILE + 1e-9
    assert told_for(0, same, same, held) < -OF_PILE  # that there is a heap is told


@pytest.mark.parametrize(("changed", "is_told"), [(10, True), (11, False)])
def test_pictures_in_which_more_changed_than_a_turn_changes_tell_no_change(changed, is_told):
    view = clear_view(with_count_on_ace_point(6), SEATS)
    earlier, now = (replace(view, pictures=FakePictures.of([count] * changed)) for count in (6, 5))
    told = told_for(5, now, earlier, 6) - told_for(5, view, view, 6)
    assert told > 2 if is_told else told == 0


def told_for(count, view, before, held):
    """How much likelier so many checkers on the ace point are than those that it held, in nats."""
    row = recalled(view, before, physical_counts(with_count_on_ace_point(held), SEATS)).points[0]
    return row[count] - row[held]


def with_count_on_ace_point(count):
    mine = [0] * 26
    mine[1], mine[6] = count, 15 - count
    return Board(tuple(mine), moved(Position.start().theirs, (24, 13), (24, 13)))


def test_nothing_to_combine():
    with pytest.raises(ValueError, match="no view"):
        combined([])


@pytest.mark.parametrize(("shown", "is_known"), [(3, True), (2, False)], ids=["as it was", "otherwise"])
def test_point_under_a_hand_that_looks_as_it_did_holds_what_it_held(shown, is_known):
    board = with_count_on_ace_point(3)
    before = replace(clear_view(board, SEATS), pictures=FakePictures.of([3] * 24))
    covered = replace(hidden(clear_view(board, SEATS), {1}), pictures=FakePictures.of([shown] * 24))
    row = recalled(covered, before, physical_counts(board, SEATS)).points[0]
    if is_known:
        assert row.index(max(row)) == 3
        assert sorted(row)[-2] < row[3] - 2
    else:
        assert not any(row)


@pytest.mark.parametrize(
    ("south", "read", "is_surprising"),
    [
        ({1: 8, 2: 4, 20: 3}, 5, False),
        ({1: 8, 2: 4, 20: 3}, 3, True),
        ({1: 8, 2: 5, 20: 2}, 5, True),
        ({1: 8, 2: 4, 6: 3}, 5, True),
    ],
    ids=["one heap", "read as no heap", "another heap", "some may be borne off"],
)
def test_heap_that_must_hold_the_rest_is_no_surprise(south, read, is_surprising):
    """From above two rows of checkers look like one."""
    board = Board(checkers_on(south), checkers_on({6: 15}))
    view = clear_view(board, SEATS)
    mover = seen_by(replace(view, points=(heap_read_as(read), *view.points[1:])), Side.SOUTH, SEATS)
    position = board.seen_by(Side.SOUTH)
    assert (mover.surprise(1, position) > SURPRISE) is is_surprising
    assert bool(mover.otherwise(position)) is is_surprising
