"""What trays tell of checkers borne off, against the last known view."""

from dataclasses import replace

import pytest

from companion.game.events import Orientation
from companion.inference.findings import Kind, TurnOpen, TurnSeen
from companion.inference.known_view import BEFORE_BEARING_OFF, KnownView
from companion.inference.live import Known, Owed, Pictures, judged
from companion.inference.views import NOT_TOLD, combined
from companion.rules.board import Board, Roll, Side, checkers_on
from companion.rules.family.profiles import ALL_PROFILES
from tests.support.camera.checker_views import clear_view, pictured, with_trays

SEATS = Orientation()
BEFORE = Board(checkers_on({1: 5, 2: 2, 0: 8}), checkers_on({1: 3, 0: 12}))
LATER = Board(checkers_on({1: 5, 2: 1, 0: 9}), checkers_on({1: 3, 0: 12}))
LAST = Board(checkers_on({1: 5, 2: 1, 0: 9}), checkers_on({1: 2, 0: 13}))


def after(*shown):
    """A known view after these boards, each with so many checkers in the trays below and above."""
    known = KnownView(SEATS)
    for board, below, above in shown:
        known.take(with_trays(clear_view(board, SEATS), below, above), board)
    return known


def told(known, below, above, board=LATER):
    """What a view with so many checkers in the trays says of one more borne off, of south and of north, in nats."""
    view = known.compared(with_trays(clear_view(board, SEATS), below, above))
    light, dark = view.off
    return light[10] - light[9], dark[13] - dark[12]


def test_first_view_tells_nothing_of_trays():
    assert told(KnownView(SEATS), 0, 0) == (0, 0)


@pytest.mark.parametrize(
    ("below", "above", "south", "north"), [(9, 12, -1, -1), (10, 12, 1, -1), (9, 13, -1, 1), (10, 13, 1, 1)]
)
def test_each_tray_tells_of_its_side(below, above, south, north):
    signs = told(after((LATER, 9, 12)), below, above)
    assert [one > 0 for one in signs] == [south > 0, north > 0]
    assert min(map(abs, signs)) > 1


def test_trays_that_are_seen_in_use_are_trusted_more():
    new, used = after((LATER, 9, 12)), after((BEFORE, 8, 12), (LATER, 9, 12))
    assert told(used, 9, 12)[1] < told(new, 9, 12)[1] - 1


def test_trays_that_stay_empty_are_not_asked():
    unused = after((BEFORE, 0, 0), (LATER, 0, 0), (LAST, 0, 0))
    assert max(map(abs, told(unused, 0, 0, LAST))) < 0.2


def test_trays_of_a_view_taken_in_part_are_compared_with():
    known = after((BEFORE, 8, 12))
    known.take_in_part(with_trays(clear_view(LATER, SEATS), 9, 12), LATER, frozenset({1}))
    assert told(known, 9, 12)[0] < -2
    assert told(known, 10, 12)[0] > 2


def test_pictures_without_trays_tell_nothing():
    known = after((LATER, 9, 12))
    assert known.compared(clear_view(LATER, SEATS)).off == (NOT_TOLD, NOT_TOLD)


def test_what_several_views_tell_of_trays_is_combined():
    known = after((LATER, 9, 12))
    views = [known.compared(with_trays(clear_view(LATER, SEATS), 10, 12)) for _ in range(4)]
    (first, _), (all_, _) = views[0].off, combined(views).off
    assert all_[10] == pytest.approx(2 * first[10])


HEAP = Board(checkers_on({1: 6, 2: 3, 3: 2, 5: 2, 6: 1, 0: 1}), checkers_on({2: 5, 0: 10}))
"""South plays 3-2 as 6/2 and bears off an ace: illegal."""
LEFT = Board(checkers_on({1: 5, 2: 4, 3: 2, 5: 2, 0: 2}), HEAP.north)


@pytest.mark.parametrize(("below", "decided"), [(1, False), (2, True)], ids=["none came", "one came"])
def test_tray_tells_which_illegal_play_a_heap_hides(below, decided):
    known = Known(with_trays(pictured(HEAP, 6), 1, 10), HEAP, replace(BEFORE_BEARING_OFF, used=4.0))
    view = with_trays(pictured(LEFT, 5), below, 10)
    found = judged(
        ALL_PROFILES["modern"],
        SEATS,
        Owed(HEAP, Side.SOUTH, Roll(3, 2)),
        Pictures(None, (view,) * 3, view),
        known,
        final=True,
    )
    assert isinstance(found, TurnSeen if decided else TurnOpen)
    if isinstance(found, TurnSeen):
        assert found.made.kind is Kind.ILLEGAL
        assert found.made.after == LEFT


def test_known_view_at_the_table_learns_whether_trays_are_used():
    first = Known(with_trays(clear_view(BEFORE, SEATS), 8, 12), BEFORE)
    used = first.then(with_trays(clear_view(LATER, SEATS), 9, 12), LATER, SEATS)
    unused = first.then(with_trays(clear_view(LATER, SEATS), 8, 12), LATER, SEATS)
    assert unused.trays.used < BEFORE_BEARING_OFF.used < used.trays.used
