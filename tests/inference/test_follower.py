"""The follower of a game, given random whole games by a camera that misreads, and the scenes of a real table."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.game.events import Orientation
from companion.inference.findings import Answer, GameEnded, Kind, Made, TurnOpen, TurnSeen
from companion.inference.follower import Follower
from companion.inference.opening import ORIENTATIONS
from companion.rules.board import BAR, Board, Position, Roll, Side, checkers_on
from companion.rules.notation import write_play
from companion.rules.profiles import PROFILES
from companion.rules.referee import Cocked, Reason, Unread, Valid
from tests.support.camera.checker_views import (
    FakeReader,
    clear_view,
    followed,
    hidden,
    moved,
    pictured,
    random_game,
    with_checker_aside,
)

START = Board(Position.start().mine, Position.start().theirs)
SEATS = Orientation()
SOUTH_3_1 = Valid(Roll(3, 1), 3, 1)
CLOSED = Board(
    checkers_on({**dict.fromkeys(range(1, 7), 2), 14: 1, 13: 2}), checkers_on({BAR: 1, 6: 7, 5: 7})
)
"""South's home board is closed, and a checker of North is on the bar."""
BEAR_OFF = Board(checkers_on({6: 2, 0: 13}), checkers_on({3: 2, 2: 1, 1: 2, 0: 10}))


def seen(board):
    return clear_view(board, SEATS)


def after(board, side, *moves):
    """The board after these moves of a side, hits included."""
    position = board.seen_by(side)
    hit = [(25 - target, BAR) for _, target in moves if target and position.theirs[25 - target] == 1]
    return Board.of(side, Position(moved(position.mine, *moves), moved(position.theirs, *hit)))


def begun(*opening):
    """A follower after the opening throw; south's play is on the board if it is given."""
    follower = Follower(PROFILES["modern"], SEATS)
    follower.before_throw(seen(START), (3, 1))
    follower.thrown(SOUTH_3_1, (3, 1))
    board = after(START, Side.SOUTH, *opening)
    if opening:
        follower.lifted()
        follower.settled(seen(board))
    return follower, board


def plays(findings):
    return [(one.made.kind, write_play(one.made.play or ())) for one in findings if isinstance(one, TurnSeen)]


@settings(max_examples=6, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.sampled_from(ORIENTATIONS), st.sampled_from([0.0, 0.005, 0.01, 0.02]))
def test_game_of_a_camera_that_misreads_is_never_accepted_wrongly(seed, orientation, error):
    rng = random.Random(seed)
    game = random_game(rng, illegal=0.05, most=20)
    reader = FakeReader(rng, error, covered=0.01, least=0.7, wild=0.3)
    follower, findings = followed(game, reader, orientation)
    decided = {one.made.number: one.made for one in findings if isinstance(one, TurnSeen)}
    for number, made in decided.items():
        turn = game[number]
        assert (made.side, made.roll, made.after) == (turn.side, turn.roll, turn.after)
        assert (made.kind is Kind.LEGAL) is turn.legal
    assert follower.over or follower.roller is game[-1].side.other


@settings(max_examples=4, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.sampled_from([0.01, 0.02]))
def test_game_whose_heaps_are_shaken_is_never_accepted_wrongly(seed, error):
    rng = random.Random(seed)
    game = random_game(rng, illegal=0.05, most=20)
    _, findings = followed(game, FakeReader(rng, error, least=0.7, shaken=0.04), SEATS)
    for one in findings:
        if isinstance(one, TurnSeen):
            turn = game[one.made.number]
            assert (one.made.after, one.made.kind is Kind.LEGAL) == (turn.after, turn.legal)


@pytest.mark.parametrize(
    ("moves", "heap", "made"), [(((4, 1), (3, 0)), 6, "4/1 3/off"), (((4, 0), (3, 0)), 5, "4/off 3/off")]
)
def test_plays_that_differ_in_a_heap_are_told_apart_by_its_pictures(moves, heap, made):
    before = Board(checkers_on({1: 5, 3: 3, 4: 1, 0: 6}), checkers_on({5: 5, 0: 10}))
    follower = Follower.taken_up(PROFILES["modern"], SEATS, before, Side.SOUTH, pictured(before, 5))
    follower.before_throw(pictured(before, 5), (4, 3))
    follower.thrown(Valid(Roll(4, 3)), (4, 3))
    follower.lifted()
    view = pictured(after(before, Side.SOUTH, *moves), heap)
    found = [one for _ in range(3) for one in follower.settled(view)]
    assert plays([*found, *follower.before_throw(view, (6, 5))]) == [(Kind.LEGAL, made)]


@settings(max_examples=3, deadline=None, derandomize=True)
@given(st.integers(0, 10**6))
def test_few_turns_stay_open_where_one_point_in_two_hundred_is_misread(seed):
    rng = random.Random(seed)
    game = random_game(rng, illegal=0.05, most=20)
    _, findings = followed(game, FakeReader(rng, 0.005, least=0.7, wild=0.3), SEATS)
    assert len({one.made.number for one in findings if isinstance(one, TurnSeen)}) >= len(game) - 3


@pytest.mark.parametrize(
    ("seed", "error", "wild", "turns"),
    [(0, 0.005, 0.0, 40), (7, 0.005, 0.0, 80), (8, 0.02, 0.3, 40)],
    ids=["two illegal plays", "four checkers taken off", "the same misreading for ten turns"],
)
def test_game_that_was_once_accepted_wrongly(seed, error, wild, turns):
    rng = random.Random(seed)
    orientation = Orientation(rng.choice(["right", "left"]), rng.choice(["light", "dark"]))
    reader = FakeReader(rng, error, least=0.7, wild=wild)
    game = random_game(rng, illegal=0.04, most=120)
    _, findings = followed(game[:turns], reader, orientation)
    for one in findings:
        if isinstance(one, TurnSeen):
            turn = game[one.made.number]
            assert one.made.after == turn.after
            assert (one.made.kind is Kind.LEGAL) is turn.legal


def test_illegal_play_is_not_called_by_points_that_were_misread_at_the_start():
    """A board found badly: the 8-point always looks like five checkers, and a heap never like more than five."""

    def misread(board):
        south = [min(count, 5) for count in board.south]
        south[8] = 5
        return seen(Board(tuple(south), board.north))

    follower = Follower(PROFILES["modern"], SEATS, misread(START))
    follower.before_throw(misread(START), (3, 2))
    follower.thrown(Valid(Roll(3, 2), 3, 2), (3, 2))
    follower.lifted()
    shown = misread(after(START, Side.SOUTH, (24, 21), (8, 6)))
    found = [*follower.settled(shown), *follower.before_throw(shown, (5, 1))]
    assert [type(one) for one in found] == [TurnOpen]


@settings(max_examples=1, deadline=None, derandomize=True)
@given(st.integers(0, 10**6))
def test_game_goes_to_its_end(seed):
    rng = random.Random(seed)
    game = random_game(rng)
    _, findings = followed(game, FakeReader(rng, 0.0), Orientation("left", "dark"))
    assert [one.made.after for one in findings if isinstance(one, TurnSeen)] == [one.after for one in game]
    assert findings[-1] == GameEnded(game[-1].side)


def test_play_is_accepted_once_the_dice_are_lifted():
    follower, _ = begun()
    board = after(START, Side.SOUTH, (8, 5), (6, 5))
    assert follower.settled(seen(board)) == []
    follower.lifted()
    assert plays(follower.settled(seen(board))) == [(Kind.LEGAL, "8/5 6/5")]
    assert follower.before_throw(seen(board), (6, 4)) == []
    assert follower.roller is Side.NORTH


def test_play_tried_and_taken_back_does_not_count():
    follower, _ = begun()
    tried, made = after(START, Side.SOUTH, (24, 20)), after(START, Side.SOUTH, (8, 5), (6, 5))
    assert follower.settled(seen(tried)) == []
    assert follower.settled(seen(START)) == []
    assert follower.settled(seen(made)) == []
    follower.lifted()
    assert plays(follower.settled(seen(made))) == [(Kind.LEGAL, "8/5 6/5")]


def test_play_that_is_finished_after_the_dice_were_lifted():
    follower, _ = begun()
    follower.lifted()
    assert follower.settled(seen(after(START, Side.SOUTH, (8, 5)))) == []
    board = after(START, Side.SOUTH, (8, 5), (6, 5))
    found = follower.settled(seen(board)) + follower.before_throw(seen(board), (6, 4))
    assert [one.made.after for one in found] == [board]


def test_play_changed_before_the_next_throw_is_corrected():
    follower, _ = begun((8, 5), (6, 5))
    board = after(START, Side.SOUTH, (24, 21), (6, 5))
    found = follower.before_throw(seen(board), (6, 4))
    assert [(one.made.after, one.corrected) for one in found] == [(board, True)]


def test_illegal_play_is_called_with_its_position_before_the_next_roll():
    follower, _ = begun()
    follower.lifted()
    board = after(START, Side.SOUTH, (8, 5), (6, 4))
    assert follower.settled(seen(board)) == []
    (found,) = follower.before_throw(seen(board), (6, 4))
    assert (found.made.kind, found.made.after) == (Kind.ILLEGAL, board)
    assert "6 pips" not in str(found.made.fault)
    assert "5 pips; 3-1 gives 4" in str(found.made.fault)


@pytest.mark.parametrize("lifted", [False, True])
def test_half_a_play_at_the_end_of_a_recording_is_illegal_only_once_the_dice_are_lifted(lifted):
    follower, _ = begun()
    board = after(START, Side.SOUTH, (8, 5))
    if lifted:
        follower.lifted()
    assert follower.settled(seen(board)) == []
    (found,) = follower.finish()
    if lifted:
        assert (found.made.kind, found.made.after) == (Kind.ILLEGAL, board)
    else:
        assert str(found.why) == "The recording ended before the dice were lifted."
        assert found.candidates[0][0].after == board


def test_play_made_before_the_dice_are_at_rest_belongs_to_that_throw():
    follower, board = begun((8, 5), (6, 5))
    left = after(board, Side.NORTH, (24, 14))
    assert follower.before_throw(seen(left), (6, 4)) == []
    follower.thrown(Valid(Roll(6, 4)), (6, 4))
    follower.lifted()
    assert plays(follower.settled(seen(left))) == [(Kind.LEGAL, "24/14")]


def test_hit_checker_beside_the_board_is_taken_for_on_the_bar():
    follower, _ = begun()
    south = after(START, Side.SOUTH, (13, 10), (6, 5))
    follower.lifted()
    follower.settled(seen(south))
    follower.before_throw(seen(south), (4, 1))
    follower.thrown(Valid(Roll(4, 1)), (4, 1))
    hit = after(south, Side.NORTH, (24, 20), (6, 5))
    assert hit.south[BAR] == 1
    follower.lifted()
    found = follower.settled(seen(with_checker_aside(hit, Side.SOUTH)))
    assert [one.made.after for one in found] == [hit]


def test_cocked_throw_is_thrown_again_by_the_same_side():
    follower, board = begun((8, 5), (6, 5))
    follower.before_throw(seen(board), (6, 4))
    follower.thrown(Cocked((Reason.LEANING,)), (6, 4))
    follower.lifted()
    assert follower.settled(seen(board)) == []
    assert follower.before_throw(seen(board), (5, 2)) == []
    assert follower.roller is Side.NORTH


@pytest.mark.parametrize(
    ("ruling", "faces"),
    [
        (Cocked((Reason.LEANING,)), (4, 1)),
        (Unread((Reason.DOUBT,)), (4, 1)),
        (Unread((Reason.DOUBT,)), (None, 1)),
    ],
    ids=["cocked", "unread", "one die unread"],
)
@pytest.mark.parametrize(("thrower", "dances"), [(Side.NORTH, False), (Side.SOUTH, True)], ids=str)
def test_cocked_throw_is_no_dance_where_its_side_throws_again(ruling, faces, thrower, dances):
    follower = Follower.taken_up(PROFILES["modern"], SEATS, CLOSED, Side.NORTH, seen(CLOSED))
    follower.thrown(ruling, faces, Side.NORTH)
    follower.lifted()
    follower.settled(seen(CLOSED))
    found = follower.before_throw(seen(CLOSED), (4, 3), thrower)
    assert [type(one) for one in found] == ([TurnOpen] if dances else [])
    assert follower.roller is thrower


@pytest.mark.parametrize(
    ("ruling", "dances"),
    [
        (Cocked((Reason.LEANING,)), False),
        (Cocked((Reason.LEANING, Reason.SPLIT_HALVES)), False),
        (Cocked((Reason.WRONG_HALF,)), True),
        (Unread((Reason.DOUBT,)), True),
    ],
    ids=["leaning", "in both halves", "wrong half", "unread"],
)
def test_cocked_throw_is_no_dance_where_the_next_one_does_not_tell_its_side(ruling, dances):
    follower = Follower.taken_up(PROFILES["modern"], SEATS, CLOSED, Side.NORTH, seen(CLOSED))
    follower.thrown(ruling, (4, 1), Side.NORTH)
    follower.lifted()
    follower.settled(seen(CLOSED))
    found = follower.before_throw(seen(CLOSED), (5, 3), None)
    assert [type(one) for one in found] == ([TurnOpen] if dances else [])
    assert follower.roller is (Side.SOUTH if dances else Side.NORTH)


def test_throw_that_was_not_read_at_the_end_is_no_dance():
    follower = Follower.taken_up(PROFILES["modern"], SEATS, CLOSED, Side.NORTH, seen(CLOSED))
    follower.thrown(Unread((Reason.DOUBT,)), (4, 1), Side.NORTH)
    follower.lifted()
    follower.settled(seen(CLOSED))
    assert follower.finish() == []
    assert follower.turns == []


def test_throw_that_people_did_not_count_is_dropped_when_its_side_throws_again():
    follower, board = begun((8, 5), (6, 5))
    assert follower.before_throw(seen(board), (5, 4), Side.NORTH) == []
    follower.thrown(Valid(Roll(5, 4)), (5, 4), Side.NORTH)
    follower.lifted()
    follower.settled(seen(board))
    assert follower.before_throw(seen(board), (3, 3), Side.NORTH) == []
    assert follower.roller is Side.NORTH
    follower.thrown(Valid(Roll(3, 3)), (3, 3), Side.NORTH)
    played = after(board, Side.NORTH, (8, 5), (8, 5), (6, 3), (6, 3))
    follower.lifted()
    assert plays(follower.settled(seen(played))) == [(Kind.LEGAL, "8/5(2) 6/3(2)")]


def test_turns_that_got_out_of_step_are_told_by_the_checkers():
    follower, board = begun((8, 5), (6, 5))
    follower.before_throw(seen(board), (5, 4))
    follower.thrown(Valid(Roll(5, 4)), (5, 4))  # north's, which did not count; nobody says who throws next
    follower.lifted()
    follower.settled(seen(board))
    follower.before_throw(seen(board), (3, 3))
    assert follower.roller is Side.SOUTH
    follower.thrown(Cocked((Reason.WRONG_HALF,)), (3, 3), Side.NORTH)
    played = after(board, Side.NORTH, (8, 5), (8, 5), (6, 3), (6, 3))
    follower.lifted()
    follower.settled(seen(played))
    found = follower.before_throw(seen(played), (6, 5), Side.SOUTH)
    assert [type(one) for one in found] == [TurnOpen]
    assert follower.roller is Side.SOUTH
    assert follower.best.board == played


def test_turn_after_one_of_the_same_side_stays_open_because_one_was_missed_between():
    follower, board = begun((8, 5), (6, 5))
    follower.before_throw(seen(board), (6, 4), Side.SOUTH)
    follower.thrown(Cocked((Reason.WRONG_HALF,)), (6, 4), Side.SOUTH)  # north's turn before it was not seen
    board = after(board, Side.SOUTH, (24, 18), (13, 9))
    follower.lifted()
    follower.settled(seen(board))
    found = follower.before_throw(seen(board), (3, 1), Side.NORTH)
    assert [type(one) for one in found] == [TurnOpen]
    follower.thrown(Valid(Roll(3, 1)), (3, 1), Side.NORTH)
    board = after(board, Side.NORTH, (8, 5), (6, 5))
    follower.lifted()
    found = [*follower.settled(seen(board)), *follower.before_throw(seen(board), (6, 5), Side.SOUTH)]
    assert {one.made.side for one in found if isinstance(one, TurnSeen)} == {Side.NORTH}


def unread(*faces, opening=((8, 5), (6, 5))):
    """A follower in which north's throw after the opening was not read surely."""
    follower, board = begun(*opening)
    follower.before_throw(seen(board), faces, Side.NORTH)
    follower.thrown(Unread((Reason.DOUBT,)), faces, Side.NORTH)
    follower.lifted()
    return follower, board


@pytest.mark.parametrize("faces", [(6, None), (6, 4)], ids=["one die read", "rest in doubt"])
def test_roll_with_a_die_in_doubt_is_told_by_its_play(faces):
    follower, board = unread(*faces)
    left = after(board, Side.NORTH, (24, 14))
    assert follower.settled(seen(left)) == []
    (found,) = follower.before_throw(seen(left), (2, 1), Side.SOUTH)
    assert isinstance(found, TurnSeen)
    assert (found.made.roll, found.made.kind, found.made.side) == (Roll(6, 4), Kind.LEGAL, Side.NORTH)
    assert follower.roller is Side.SOUTH


@pytest.mark.parametrize(
    ("faces", "moves", "thrower"),
    [
        ((None, None), [(24, 14)], Side.SOUTH),
        ((6, None), [(24, 14)], Side.NORTH),
        ((6,), [(24, 14)], Side.SOUTH),
        ((6, None), [(24, 18)], Side.SOUTH),
        ((6, None), [(24, 18), (24, 17)], Side.SOUTH),
        ((6, 4), [(24, 18), (24, 21)], Side.SOUTH),
    ],
    ids=[
        "no die read",
        "same side again",
        "one die seen",
        "half a play",
        "two illegal moves",
        "another roll",
    ],
)
def test_roll_in_doubt_is_not_told(faces, moves, thrower):
    follower, board = unread(*faces)
    left = after(board, Side.NORTH, *moves)
    follower.settled(seen(left))
    found = follower.before_throw(seen(left), (2, 1), thrower)
    assert not any(isinstance(one, TurnSeen) for one in found)


@pytest.mark.parametrize(
    ("moves", "told"),
    [([(24, 18), (13, 9)], Roll(6, 4)), ([(24, 18), (24, 18), (13, 7), (13, 7)], None)],
    ids=["6-4", "6-6"],
)
@pytest.mark.parametrize("side", Side)
def test_opening_throw_with_a_die_in_doubt_is_told_by_the_first_play(side, moves, told):
    follower = Follower(PROFILES["modern"], SEATS, seen(START))
    follower.before_throw(seen(START), (6, None))
    follower.thrown(Unread((Reason.DOUBT,)), (6, None))
    follower.lifted()
    left = after(START, side, *moves)
    follower.settled(seen(left))
    (found,) = follower.before_throw(seen(left), (2, 1), side.other)
    assert isinstance(found, TurnSeen) is (told is not None)
    if isinstance(found, TurnSeen):
        assert (found.made.roll, found.made.side, follower.roller) == (told, side, side.other)


@pytest.mark.parametrize(
    ("faces", "chances", "is_told"),
    [
        ((6, None), ((), (0, 0, 0, 0.2, 0.8, 0)), True),
        ((6, None), ((), (0, 0, 0, 0.01, 0, 0.99)), False),
        ((None, None), ((0, 0, 0, 0.95, 0.05, 0), (0, 0, 0, 0, 0.02, 0.98)), True),
        ((None, None), ((0, 0, 0, 0.6, 0.4, 0), (0, 0, 0, 0, 0.02, 0.98)), False),
        ((None, None), ((0, 0, 0, 0, 0.95, 0.05), (0, 0, 0, 0, 0.02, 0.98)), False),
        ((None, None), (), False),
    ],
    ids=["may show it", "hardly shows it", "both show it", "one is unsure", "one shows another", "not known"],
)
def test_play_tells_a_roll_that_the_dice_may_show(faces, chances, is_told):
    follower, board = begun((8, 5), (6, 5))
    follower.before_throw(seen(board), faces, Side.NORTH)
    follower.thrown(Unread((Reason.DOUBT,)), faces, Side.NORTH, chances)
    follower.lifted()
    left = after(board, Side.NORTH, (24, 14))
    follower.settled(seen(left))
    (found,) = follower.before_throw(seen(left), (2, 1), Side.SOUTH)
    assert isinstance(found, TurnSeen) is is_told
    assert found.made.roll == Roll(6, 4) if isinstance(found, TurnSeen) else found.roll is None


def test_play_that_two_rolls_explain_tells_neither():
    follower = Follower.taken_up(PROFILES["modern"], SEATS, BEAR_OFF, Side.NORTH, seen(BEAR_OFF))
    follower.thrown(Unread((Reason.DOUBT,)), (1, None), Side.NORTH)
    follower.lifted()
    left = after(BEAR_OFF, Side.NORTH, (3, 0), (1, 0))  # 3-1, 4-1, 5-1 or 6-1
    follower.settled(seen(left))
    (found,) = follower.before_throw(seen(left), (2, 1), Side.SOUTH)
    assert isinstance(found, TurnOpen)
    assert (found.candidates[0][0].after, found.roll) == (left, None)


@pytest.mark.parametrize(
    ("north", "moves", "is_decided"),
    [
        ({24: 2, 13: 5, 8: 3, 6: 5}, ((13, 7), (8, 6)), True),
        ({24: 2, 13: 6, 8: 2, 6: 5}, ((24, 18), (8, 6)), False),
        ({6: 5, 2: 3, 1: 7}, ((6, 0), (2, 1)), False),
    ],
    ids=["no other heap", "two heaps", "one borne off"],
)
def test_heap_of_an_open_turn_counts_if_the_other_points_leave_so_many(north, moves, is_decided):
    board = Board(checkers_on({13: 5, 8: 3, 7: 5, 10: 2}), checkers_on(north))
    follower = Follower.taken_up(PROFILES["modern"], SEATS, board, Side.NORTH, seen(board))
    follower.thrown(Unread((Reason.DOUBT,)), (None, None), Side.NORTH)
    follower.lifted()
    board = after(board, Side.NORTH, *moves)
    follower.settled(seen(board))
    follower.before_throw(seen(board), (5, 2))
    follower.thrown(Valid(Roll(5, 2)), (5, 2))
    follower.lifted()
    left = after(board, Side.SOUTH, (13, 8), (13, 11))
    found = [*follower.settled(seen(left)), *follower.before_throw(seen(left), (6, 4))]
    assert [isinstance(one, TurnSeen) for one in found] == [is_decided]


def test_turn_whose_throw_was_not_seen_is_open():
    follower, board = begun((8, 5), (6, 5))
    left = after(board, Side.NORTH, (24, 15))
    (found,) = follower.before_throw(seen(left), (2, 2))
    assert isinstance(found, TurnOpen)
    assert found.side is Side.NORTH
    assert follower.roller is Side.SOUTH


def test_equal_opening_dice_are_thrown_again():
    follower = Follower(PROFILES["modern"], SEATS)
    follower.thrown(Valid(Roll(4, 4), 4, 4), (4, 4))
    follower.lifted()
    assert follower.settled(seen(START)) == []
    assert follower.roller is None


def test_covered_difference_is_not_guessed():
    follower, _ = begun()
    follower.lifted()
    board = after(START, Side.SOUTH, (13, 10), (6, 5))
    view = seen(board)
    hidden = frozenset({5, 6, 23, 24})
    points = tuple((0.0,) * 31 if n in hidden else row for n, row in enumerate(view.points, 1))
    covered = type(view)(points, view.bar, hidden)
    assert follower.settled(covered) == []
    (found,) = follower.before_throw(covered, (6, 4))
    assert isinstance(found, TurnOpen)
    assert {write_play(made.play or ()) for made, _ in found.candidates[:2]} == {"13/10 6/5", "24/23 13/10"}


def test_open_turn_is_decided_by_the_next_one():
    follower, _ = begun()
    follower.lifted()
    board = after(START, Side.SOUTH, (13, 10), (6, 5))
    view = seen(board)
    hidden = frozenset({5, 6, 23, 24})
    points = tuple((0.0,) * 31 if n in hidden else row for n, row in enumerate(view.points, 1))
    follower.before_throw(type(view)(points, view.bar, hidden), (4, 1))
    follower.thrown(Valid(Roll(4, 1)), (4, 1))
    follower.lifted()
    left = after(board, Side.NORTH, (24, 20), (6, 5))
    found = follower.settled(seen(left)) + follower.before_throw(seen(left), (6, 2))
    assert {one.made.number: one.made.after for one in found if isinstance(one, TurnSeen)} == {
        0: board,
        1: left,
    }


def test_open_turns_are_decided_by_a_later_picture_that_tells_them_apart():
    follower, _ = begun()
    board, found, covered = START, [], frozenset({5, 6, 23, 24})
    turns = [
        (Side.SOUTH, ((13, 10), (6, 5)), (6, 2)),  # or 13/10 24/23
        (Side.NORTH, ((13, 7), (13, 11)), (5, 2)),
        (Side.SOUTH, ((13, 8), (13, 11)), (6, 5)),
        (Side.NORTH, ((24, 18), (18, 13)), (2, 1)),
    ]
    boards = []
    for side, moves, following in turns:
        board = after(board, side, *moves)
        boards.append(board)
        follower.lifted()
        view = seen(board)
        if len(boards) < len(turns):
            rows = tuple((0.0,) * 31 if n in covered else row for n, row in enumerate(view.points, 1))
            view = type(view)(rows, view.bar, covered)
        found.append([*follower.settled(view), *follower.before_throw(view, following)])
        follower.thrown(Valid(Roll.of(*following)), following)
    *early, last = found
    assert all(isinstance(one, TurnOpen) for some in early for one in some)
    assert {one.made.number: one.made.after for one in last} == dict(enumerate(boards))
    assert [made.after for made in follower.turns if not made.is_open] == boards


def test_moved_checkers_of_the_opponent_leave_the_turn_open():
    follower, _ = begun()
    follower.lifted()
    south = after(START, Side.SOUTH, (8, 5), (6, 5))
    board = Board(south.south, moved(south.north, (13, 10), (8, 11), (6, 2)))
    (found,) = follower.before_throw(seen(board), (6, 4))
    assert isinstance(found, TurnOpen)
    assert found.candidates[0][0].after == board
    assert follower.best.board == board


@pytest.mark.parametrize("lying", [True, False])
def test_end_of_the_recording_settles_the_last_turn(lying):
    follower, _ = begun()
    board = after(START, Side.SOUTH, (8, 5), (6, 5))
    if not lying:
        follower.lifted()
    found = follower.settled(seen(board)) + follower.finish()
    assert [one.made.after for one in found] == [board]
    assert follower.best.board == board


def followed_with(answers, *pictures):
    """A game that begins with 3-1 for south: `pictures` are those after each turn, followed by north's 4-1, 6-2, …"""
    follower, found = Follower(PROFILES["modern"], SEATS, seen(START), answers), []
    rolls = [(3, 1), (4, 1), (6, 2), (5, 3)]
    follower.before_throw(seen(START), rolls[0])
    follower.thrown(SOUTH_3_1, rolls[0])
    for picture, following in zip(pictures, rolls[1:], strict=False):
        follower.lifted()
        found += follower.settled(picture)
        found += follower.before_throw(picture, following)
        follower.thrown(Valid(Roll.of(*following)), following)
    return follower, found


class TestAnswers:
    """What people say of a game that is followed once more."""

    COVERED = frozenset({5, 6, 23, 24})
    PLAYED = after(START, Side.SOUTH, (24, 23), (13, 10))
    LEFT = after(PLAYED, Side.NORTH, (24, 20), (24, 23))

    @classmethod
    def pictures(cls):
        return [hidden(seen(board), cls.COVERED) for board in (cls.PLAYED, cls.LEFT)]

    def said(self, board):
        """The answer that south's first play left this board."""
        _, found = followed_with({}, *self.pictures())
        asked = next(one for one in found if isinstance(one, TurnOpen) and one.number == 0)
        (made,) = (made for made, _ in asked.candidates if made.after == board)
        return {0: Answer(made)}

    def test_turn_without_an_answer_stays_open_and_so_does_the_next(self):
        _, found = followed_with({}, *self.pictures())
        assert {one.number for one in found if isinstance(one, TurnOpen)} == {0, 1}

    @pytest.mark.parametrize("moves", [((24, 23), (13, 10)), ((13, 10), (6, 5))], ids=["likelier", "other"])
    def test_turn_is_decided_as_people_say(self, moves):
        board = after(START, Side.SOUTH, *moves)
        follower, found = followed_with(self.said(board), *self.pictures())
        first = found[0]
        assert isinstance(first, TurnSeen)
        assert (first.made.after, first.chance) == (board, 1.0)
        assert follower.best.turns[0].after == board
        assert follower.best.turns[1].before == board

    def test_answer_is_not_corrected_by_a_later_picture(self):
        board = after(START, Side.SOUTH, (13, 10), (6, 5))
        later = [hidden(seen(board), self.COVERED), seen(self.LEFT), seen(self.LEFT)]
        follower, found = followed_with(self.said(board), *later)
        assert follower.best.turns[0].after == board
        assert not [one for one in found if isinstance(one, TurnSeen) and one.corrected]

    def test_answer_whose_board_no_explanation_has_is_left_out(self):
        made = Made(0, Side.SOUTH, Roll(3, 1), Kind.LEGAL, self.LEFT, self.PLAYED)
        _, found = followed_with({0: Answer(made)}, seen(self.PLAYED))
        assert [one.made.before for one in found if isinstance(one, TurnSeen)] == [START]

    def test_turn_whose_throw_was_not_seen_is_as_people_say(self):
        board = after(START, Side.SOUTH, (8, 5), (6, 5))
        left = after(board, Side.NORTH, (24, 15))
        (asked,) = self.unseen({}, board, left)
        made = next(made for made, _ in asked.candidates if made.after == left and made.roll == Roll(6, 3))
        (found,) = self.unseen({1: Answer(made, unseen=True)}, board, left)
        assert (found.made, found.chance) == (made, 1.0)
        (asked,) = self.unseen({1: Answer(made)}, board, left)  # an answer to a throw that was seen
        assert isinstance(asked, TurnOpen)
        assert self.unseen({}, board, left, complete=True) == []

    @staticmethod
    def unseen(answers, board, left, complete=False):
        follower = Follower(PROFILES["modern"], SEATS, seen(START), answers)
        follower.before_throw(seen(START), (3, 1))
        follower.thrown(SOUTH_3_1, (3, 1))
        follower.lifted()
        follower.settled(seen(board))
        follower.before_throw(seen(board), (6, 3))  # its throw is not seen
        return follower.before_throw(seen(left), (2, 2), complete=complete)
