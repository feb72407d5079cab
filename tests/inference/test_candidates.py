import pytest

from companion.game.events import Orientation
from companion.inference.explaining.candidates import candidates, chances
from companion.inference.explaining.search import any_position
from companion.inference.views import BoardView, seen_by
from companion.rules.board import Board, Position, Roll, Side
from companion.rules.notation import write_play
from companion.rules.plays import legal_plays
from tests.support.camera.checker_views import clear_view, moved

START, ORIENTATION = Position.start(), Orientation()


def view_of(after, covered=()):
    """A clear view of a position of south's, as he sees it, with some of his points covered."""
    view = clear_view(Board.of(Side.SOUTH, after), ORIENTATION)
    points = [((0.0,) * len(row) if n in covered else row) for n, row in enumerate(view.points, 1)]
    return seen_by(BoardView(tuple(points), view.bar, frozenset(covered)), Side.SOUTH, ORIENTATION)


def weighed(view, before, *rolls):
    found = candidates(view, before, rolls, legal_plays)
    return list(zip(found, chances([one.weight for one in found]), strict=True))


def after(*moves):
    return Position(moved(START.mine, *moves), START.theirs)


@pytest.mark.parametrize(
    ("roll", "moves", "text"),
    [
        (Roll(3, 1), [(8, 5), (6, 5)], "8/5 6/5"),
        (Roll(6, 5), [(24, 13)], "24/13"),
        (Roll(4, 4), [(24, 16), (13, 5)], "24/16 13/5"),
    ],
)
def test_legal_play_comes_first_and_clear(roll, moves, text):
    (best, chance), *_ = weighed(view_of(after(*moves)), START, roll)
    assert (write_play(best.play), best.after) == (text, after(*moves))
    assert chance > 0.999


def test_unchanged_board_is_no_play():
    (best, chance), *_ = weighed(view_of(START), START, Roll(3, 1))
    assert (best.after, best.play) == (START, None)
    assert chance > 0.99


@pytest.mark.parametrize(
    "moves",
    [[(8, 5), (6, 4)], [(13, 10)], [(6, 8)], [(13, 11), (13, 11), (6, 5)]],
    ids=["a pip too many", "a number short", "backwards", "three checkers"],
)
def test_illegal_play_comes_first_with_its_position(moves):
    (best, chance), *_ = weighed(view_of(after(*moves)), START, Roll(3, 1))
    assert (best.after, best.play, best.roll) == (after(*moves), None, Roll(3, 1))
    assert chance > 0.99


def test_blot_hit_by_an_illegal_play_goes_to_the_bar():
    before = Position(START.mine, moved(START.theirs, (24, 21), (24, 22)))
    left = Position(moved(before.mine, (6, 3)), moved(before.theirs, (22, 25)))
    (best, _), *_ = weighed(view_of(left), before, Roll(4, 1))
    assert (best.after, best.play) == (left, None)


def test_plays_that_differ_on_covered_points_only_are_equally_likely():
    (one, first), (other, second), *_ = weighed(
        view_of(after((13, 10), (6, 5)), covered=(5, 6, 23, 24)), START, Roll(3, 1)
    )
    assert {write_play(one.play), write_play(other.play)} == {"13/10 6/5", "24/23 13/10"}
    assert abs(first - second) < 1e-9


def test_unread_roll_is_open_among_the_rolls_that_explain_it():
    found = weighed(view_of(after((24, 15))), START)
    assert {one.roll for one, chance in found if chance > 0.1} >= {Roll(6, 3), Roll(5, 4)}


def test_moved_checkers_of_the_opponent_are_no_play_at_all():
    left = Position(moved(START.mine, (8, 5), (6, 5)), moved(START.theirs, (13, 10), (8, 11), (6, 2)))
    (best, _), *_ = weighed(view_of(left), START, Roll(3, 1))
    assert (best.after, best.play, best.roll) == (left, None, None)


def with_a_heap(heap):
    """Fifteen checkers or fewer of south's, so many of them on his ace point, others far back; nothing borne off."""
    mine = [0] * 26
    mine[1], mine[24], mine[16], mine[7], mine[5] = heap, 1, 1, 1, 4
    return Position(tuple(mine), START.theirs)


def test_checker_that_a_heap_hides_is_not_taken_off():
    before = with_a_heap(7)
    played = Position(moved(before.mine, (16, 15), (7, 1)), before.theirs)
    seen = Position(moved(played.mine, (1, 0)), before.theirs)  # seven on the heap, as before
    found = candidates(view_of(seen), before, (Roll(6, 1),), legal_plays)
    assert all(one.after.mine[0] == 0 for one in found)


def test_checker_may_be_borne_off_too_much_once_all_others_are_home():
    mine = [0] * 26
    mine[7], mine[6], mine[5], mine[4], mine[2] = 1, 4, 4, 4, 2
    before = Position(tuple(mine), START.theirs)
    late, early = (
        Position(moved(mine, *moves), before.theirs) for moves in ([(7, 4), (6, 0)], [(6, 3), (6, 0)])
    )
    found = {one.after: chance for one, chance in weighed(view_of(late), before, Roll(2, 1))}
    assert found[late] > 0.3
    found = {one.after: chance for one, chance in weighed(view_of(early), before, Roll(2, 1))}
    assert found.get(early, 0.0) < 0.01  # the last one is not home yet: rather a misread point


def test_heap_of_which_three_are_hidden_lays_none_of_them_off_or_on_the_bar():
    before = with_a_heap(8)
    seen = Position(moved(before.mine, (1, 0), (1, 0), (1, 0), (24, 14), (16, 4), (5, 3)), before.theirs)
    free = any_position(view_of(seen), before)
    assert (free.mine[0], free.mine[25]) == (0, 0)


def test_chances_of_nothing():
    assert chances([]) == []
