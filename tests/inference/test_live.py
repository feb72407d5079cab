"""The turn of a running game in every game of the family: what is entered, asked, and never entered."""

import random

import pytest

from companion.game.events import Orientation
from companion.inference.findings import Kind, TurnSeen
from companion.inference.live import (
    Known,
    Owed,
    Pictures,
    board_shown,
    can_be_kept,
    differing,
    judged,
    likely,
)
from companion.inference.opening import start_seen
from companion.inference.views import BoardView, physical_counts, seen_by
from companion.rules.board import BAR, Board, Position, Roll, Side, checkers_on
from companion.rules.family.outcome import outcome_of
from companion.rules.family.profiles import ALL_PROFILES, FAMILY
from companion.rules.plays import plays_for
from companion.rules.positions import BlockingPosition, EnteringPosition, PinningPosition, RunningPosition
from tests.support.camera.checker_views import FakeReader, clear_view, moved, pictured

SEATS = Orientation()
KEPT = sorted(name for name in FAMILY if name != "tavli")


def test_every_game_is_kept_but_those_that_enter_before_they_move():
    not_kept = {name for name, profile in ALL_PROFILES.items() if not can_be_kept(profile)}
    assert not_kept == {name for name, one in ALL_PROFILES.items() if one.start[BAR]} - {
        "acey_deucey",
        "acey_europe",
    }


def turns(name, seed, count=24):
    """Owed turns of a game of random plays, each with the board after it."""
    rng, profile = random.Random(seed), ALL_PROFILES[name]
    position, side = profile.start_position, Side.SOUTH
    for _ in range(count):
        roll = Roll.of(rng.randint(1, 6), rng.randint(1, 6))
        after = rng.choice(list(plays_for(profile, position, roll)))
        yield Owed(Board.of(side, position), side, roll), Board.of(side, after)
        if outcome_of(profile, after):
            return
        position, side = after.flipped(), side.other


def pins(board):
    """Whether a checker is pinned, so that one above it more or less is a question."""
    return any(board.seen_by(Side.SOUTH).under() or ())


@pytest.mark.parametrize("home", ["left", "right"])
@pytest.mark.parametrize("name", KEPT)
def test_board_after_missed_turns_is_shown(name, home):
    """However many turns were missed, with checkers on the bar and borne off; none where pictures do not count all."""
    seats = Orientation(home=home)
    boards = [after for _, after in turns(name, seed=4, count=60)]
    known = Known(clear_view(boards[0], seats), boards[0])
    counted = boards[0].kind.HITS and not any(boards[0].not_entered)
    for later in boards[2::5]:
        told = board_shown(clear_view(later, seats), boards[0], seats, known)
        assert told == (later if counted else None)


BEARING_OFF = checkers_on({1: 3, 4: 2, 6: 3, 0: 7})


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        pytest.param({1: 3, 4: 2, 6: 2, 0: 8}, {1: 3, 4: 2, 6: 2, 0: 8}, id="borne off"),
        pytest.param(
            {1: 3, 4: 2, 6: 2, 25: 1, 0: 7}, {1: 3, 4: 2, 6: 2, 25: 1, 0: 7}, id="hit in the bear-off"
        ),
        pytest.param({1: 3, 4: 2, 6: 2, 20: 1, 0: 7}, {1: 3, 4: 2, 6: 2, 20: 1, 0: 7}, id="entered"),
        pytest.param({1: 4, 4: 5, 6: 8}, None, id="more than there are"),
    ],
)
def test_missing_checkers_are_on_the_bar_or_borne_off(now, expected):
    theirs = checkers_on({13: 5, 8: 3, 6: 7})
    before = Board(BEARING_OFF, theirs)
    view = clear_view(Board(checkers_on(now), theirs), SEATS)
    told = board_shown(view, before, SEATS, None)
    assert told == (None if expected is None else Board(checkers_on(expected), theirs))


@pytest.mark.parametrize("home", ["left", "right"])
@pytest.mark.parametrize("name", KEPT)
def test_each_play_that_is_seen_clearly_is_entered(name, home):
    seats = Orientation(home=home)
    for owed, after in turns(name, seed=4):
        known = Known(clear_view(owed.board, seats), owed.board)
        view = clear_view(after, seats)
        found = judged(ALL_PROFILES[name], seats, owed, Pictures(None, (view,)), known)
        assert differing(view, after, seats, known) == ()
        if pins(after) and found is None:
            continue
        assert isinstance(found, TurnSeen)
        assert (found.made.after, found.made.kind) == (after, Kind.LEGAL)


@pytest.mark.parametrize("name", KEPT)
def test_misread_points_and_hands_bring_questions_but_no_wrong_play(name):
    entered = asked = 0
    for seed in range(2):
        reader = FakeReader(random.Random(seed), error=0.03, covered=0.03, stubborn=0.0)
        for owed, after in turns(name, seed):
            known = Known(reader.view(owed.board, SEATS), owed.board)
            views = tuple(reader.view(after, SEATS) for _ in range(2))
            found = judged(ALL_PROFILES[name], SEATS, owed, Pictures(None, views), known)
            entered += isinstance(found, TurnSeen)
            asked += found is None
            assert not isinstance(found, TurnSeen) or found.made.after == after
    assert entered > asked


def reading(board: Board, changed: dict[int, int]) -> BoardView:
    """A clear view in which these points of south's show so many checkers of his colour (minus: of the other)."""
    shown = list(clear_view(board, SEATS).points)
    for point, count in changed.items():
        south = count if count > 0 else 0
        checkers = checkers_on({point: south, 0: 15 - south}), checkers_on({25 - point: max(0, -count)})
        shown[point - 1] = clear_view(Board(*checkers), SEATS).points[point - 1]
    return BoardView(tuple(shown), clear_view(board, SEATS).bar)


def pinning(mine: dict[int, int], theirs: dict[int, int]) -> PinningPosition:
    """A position of Plakoto; a single checker under several is pinned."""
    return PinningPosition(checkers_on({}), checkers_on({})).with_checkers(
        checkers_on(mine), checkers_on(theirs)
    )


PINS = pinning({24: 13, 20: 1, 18: 1}, {24: 14, 8: 1})
"""The opponent's 8-point is the mover's 17-point."""


@pytest.mark.parametrize("read_as", [1, 2], ids=["alone", "with the one under it"])
def test_checker_that_pins_another_is_seen_above_it(read_as):
    board = Board.of(Side.SOUTH, PINS)
    (after,) = (
        one
        for one in plays_for(ALL_PROFILES["plakoto"], PINS, Roll.of(3, 1))
        if one.mine[17] == 1 and one.mine[18] == 0 and one.mine[21] == 1
    )
    shown = Board.of(Side.SOUTH, after)
    assert physical_counts(shown, SEATS)[16] == (1, 0)
    view = reading(shown, {17: read_as})
    known = Known(clear_view(board, SEATS), board)
    owed = Owed(board, Side.SOUTH, Roll.of(3, 1))
    found = judged(ALL_PROFILES["plakoto"], SEATS, owed, Pictures(None, (view,)), known)
    assert isinstance(found, TurnSeen)
    assert found.made.after.seen_by(Side.SOUTH).under() == after.under()


def test_checker_that_was_pinned_is_seen_again_when_those_above_it_leave():
    position = pinning({24: 13, 17: 1, 2: 1}, {24: 14, 8: 1})
    board = Board.of(Side.SOUTH, position)
    assert seen_by(clear_view(board, SEATS), Side.SOUTH, SEATS, PinningPosition).misfit(position) < 1
    profile, roll = ALL_PROFILES["plakoto"], Roll.of(5, 3)
    (after,) = (one for one in plays_for(profile, position, roll) if one.mine[9] == 1)
    view = clear_view(Board.of(Side.SOUTH, after), SEATS)
    found = judged(profile, SEATS, Owed(board, Side.SOUTH, roll), Pictures(None, (view,)), None)
    assert isinstance(found, TurnSeen)
    assert found.made.after.north[8] == 1
    assert found.made.after.seen_by(Side.SOUTH).under() == [0] * 26


@pytest.mark.parametrize("name", ["plakoto", "fevga", "jioul"])
def test_heap_at_the_start_is_known_whatever_number_is_read(name):
    start = ALL_PROFILES[name].start_position
    board = Board.of(Side.SOUTH, start)
    theirs = 25 - start.OPPOSITE[24]
    for orientation in (SEATS, Orientation(home="left", south="dark")):
        seen = start_seen([clear_view(board, orientation)], start)
        assert (seen.orientation, seen.wrong) == (orientation, ())
    assert start_seen([reading(board, {24: 7, 25 - theirs: -6})], start).wrong == ()
    assert start_seen([reading(board, {24: 2})], start).wrong == (24,)


def test_illegal_play_of_a_side_with_a_heap_is_asked_and_never_entered():
    profile = ALL_PROFILES["gul_bara"]
    before = RunningPosition(checkers_on({24: 11, 23: 1, 16: 1, 13: 1, 2: 1}), checkers_on({24: 15}))
    board, roll = Board.of(Side.SOUTH, before), Roll.of(6, 5)
    true = before.with_checkers(moved(before.mine, (24, 18), (16, 11)), before.theirs)
    view = reading(Board.of(Side.SOUTH, true), {11: 0})
    known = Known(clear_view(board, SEATS), board)
    owed = Owed(board, Side.SOUTH, roll)
    found = judged(profile, SEATS, owed, Pictures(None, (view, view)), known, final=True)
    assert found is not None
    assert not isinstance(found, TurnSeen)
    assert likely(profile, SEATS, owed, (view,), known)


def test_second_checker_from_a_heap_is_not_passed_over():
    profile = ALL_PROFILES["gul_bara"]
    before = RunningPosition(
        checkers_on({24: 10, 20: 3, 11: 1, 9: 1}), checkers_on({24: 12, 22: 1, 17: 1, 2: 1})
    )
    board, roll = Board.of(Side.SOUTH, before), Roll.of(2, 1)
    shown = before.with_checkers(moved(before.mine, (24, 21), (24, 18)), before.theirs)
    view = clear_view(Board.of(Side.SOUTH, shown), SEATS)
    owed, known = Owed(board, Side.SOUTH, roll), Known(clear_view(board, SEATS), board)
    for final in (False, True):
        found = judged(profile, SEATS, owed, Pictures(None, (view, view)), known, final=final)
        assert not isinstance(found, TurnSeen)


def test_illegal_play_of_counted_checkers_is_entered_at_rest():
    profile = ALL_PROFILES["fevga"]
    before = RunningPosition(checkers_on({6: 4, 5: 4, 10: 4, 9: 3}), checkers_on({6: 5, 4: 5, 2: 5}))
    board = Board.of(Side.SOUTH, before)
    wrong = Board.of(Side.SOUTH, before.with_checkers(moved(before.mine, (10, 4), (9, 3)), before.theirs))
    view = clear_view(wrong, SEATS)
    owed, known = Owed(board, Side.SOUTH, Roll.of(5, 4)), Known(clear_view(board, SEATS), board)
    found = judged(profile, SEATS, owed, Pictures(None, (view, view)), known, final=True)
    assert isinstance(found, TurnSeen)
    assert (found.made.kind, found.made.after) == (Kind.ILLEGAL, wrong)


@pytest.mark.parametrize("kind", [RunningPosition, BlockingPosition], ids=lambda one: one.GAME)
def test_both_sides_see_one_likelihood(kind):
    position = kind(checkers_on({24: 9, 20: 1, 5: 5}), checkers_on({24: 8, 23: 2, 3: 5}))
    view = clear_view(Board.of(Side.SOUTH, position), SEATS)
    south, north = (seen_by(view, side, SEATS, kind) for side in Side)
    assert south.fit(position) == pytest.approx(north.fit(position.flipped()))
    assert south.misfit(position) == 0


def test_bar_says_nothing_while_checkers_wait_to_enter():
    waits = EnteringPosition(checkers_on({25: 12, 20: 3}), checkers_on({6: 15}), (12, 0))
    one_hit = EnteringPosition(checkers_on({25: 12, 20: 3}), checkers_on({6: 15}), (11, 0))
    view = seen_by(clear_view(Board.of(Side.SOUTH, waits), SEATS), Side.SOUTH, SEATS, EnteringPosition)
    assert view.fit(waits) == view.fit(one_hit)
    all_hit = EnteringPosition(checkers_on({25: 2, 20: 13}), checkers_on({6: 15}))
    view = seen_by(clear_view(Board.of(Side.SOUTH, all_hit), SEATS), Side.SOUTH, SEATS, EnteringPosition)
    none = EnteringPosition(checkers_on({0: 2, 20: 13}), checkers_on({6: 15}))
    assert view.fit(all_hit) > view.fit(none)


def test_usual_start_is_another_position_than_a_heap():
    view = clear_view(Board.of(Side.SOUTH, Position.start()), SEATS)
    assert len(start_seen([view], ALL_PROFILES["fevga"].start_position).wrong) > 6


@pytest.mark.parametrize(("left", "heap"), [({1: 6, 3: 2, 0: 7}, 6), ({1: 5, 3: 2, 0: 8}, 5)])
def test_play_is_told_by_pictures_of_a_heap(left, heap):
    """4/1 3/off, or 4/off 3/off."""
    before = Board(checkers_on({1: 5, 3: 3, 4: 1, 0: 6}), checkers_on({5: 5, 0: 10}))
    owed, known = Owed(before, Side.SOUTH, Roll(4, 3)), Known(pictured(before, 5), before)
    view = pictured(Board(checkers_on(left), before.north), heap)
    found = judged(ALL_PROFILES["modern"], SEATS, owed, Pictures(None, (view,) * 3, view), known)
    assert isinstance(found, TurnSeen)
    assert found.made.after.south == checkers_on(left)
