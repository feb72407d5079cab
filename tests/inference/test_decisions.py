"""What is decided of a game, and the boards that are guessed until it is."""

import pytest

from companion.inference.decisions import SURE, SURE_OTHERWISE, Decisions
from companion.inference.findings import Kind, Line, Made
from companion.inference.views import TALL
from companion.rules.board import BAR, Board, Position, Roll, Side, checkers_on
from tests.support.camera.checker_views import moved

START = Board(Position.start().mine, Position.start().theirs)
HEAPED = Board(checkers_on({6: TALL, 8: 8}), checkers_on({6: 5, 13: 10}))
"""A board with tall heaps."""
ONE_HEAP = Board(checkers_on({6: TALL, 8: 4, 13: 4}), Position.start().theirs)
"""The other points tell how many lie in the heap."""
BEAR_OFF = Board(checkers_on({1: TALL, 3: 4, 4: 4}), Position.start().theirs)
"""How many lie in the heap is not told: checkers may have been borne off."""


def turn(number, before=START, kind=Kind.LEGAL, after=None):
    side = Side.SOUTH if number % 2 == 0 else Side.NORTH
    return Made(number, side, Roll(3, 1), kind, before, after or before, play=())


def line(*turns):
    return Line(turns[-1].after, 0.0, {one.number: one for one in turns})


def test_board_is_certain_after_the_last_decided_turn():
    decisions, after = Decisions(START), Board(moved(START.south, (8, 5), (6, 5)), START.north)
    decisions.turns = {0: turn(0, after=after), 1: None, 2: None}
    assert [decisions.certain(number) for number in range(4)] == [START, after, after, after]


def test_turn_after_an_open_one_has_to_be_surer():
    decisions = Decisions(START)
    decisions.turns = {0: turn(0), 1: None}
    assert [decisions.needed(number) for number in range(3)] == [SURE, SURE, SURE_OTHERWISE]
    assert [decisions.is_open(number) for number in range(3)] == [False, True, False]


def test_explanation_is_contradicted_by_the_last_turn_it_has_otherwise():
    decisions, other = Decisions(START), turn(1, kind=Kind.ILLEGAL)
    decisions.turns = {0: turn(0), 1: turn(1), 2: None}
    agreeing, otherwise = line(turn(0), turn(1)), line(turn(0), other)
    assert decisions.contradicted(agreeing) is None
    assert decisions.contradicted(otherwise) == 1
    assert decisions.agreeing((agreeing, otherwise), 1) == (agreeing,)
    assert decisions.agreeing((otherwise,), 1) == (otherwise,), "one explanation is always left"


@pytest.mark.parametrize(
    ("kind", "board", "decided", "guessed"),
    [
        (Kind.DISORDER, HEAPED, False, True),
        (Kind.ILLEGAL, HEAPED, False, True),
        (Kind.LEGAL, HEAPED, False, False),
        (Kind.UNMOVED, HEAPED, False, False),
        (Kind.DISORDER, START, False, False),
        (Kind.ILLEGAL, HEAPED, True, False),
        (Kind.ILLEGAL, ONE_HEAP, False, False),
        (Kind.ILLEGAL, BEAR_OFF, False, True),
    ],
)
def test_board_is_guessed_after_an_open_change_with_a_tall_heap(kind, board, decided, guessed):
    decisions, changed = Decisions(board), turn(0, board, kind)
    decisions.turns = {0: changed if decided else None}
    assert decisions.is_guessed_before(line(changed, turn(1, board)), 1) is guessed


@pytest.mark.parametrize(
    ("board", "changes", "guessed"), [(ONE_HEAP, 2, True), (START, 2, False), (START, 3, True)]
)
def test_board_is_guessed_after_several_open_changes(board, changes, guessed):
    decisions, changed = Decisions(board), [turn(n, board, Kind.ILLEGAL) for n in range(changes)]
    decisions.turns = dict.fromkeys(range(changes))
    assert decisions.is_guessed_before(line(*changed, turn(changes, board)), changes) is guessed


def test_board_that_no_play_explains_is_guessed_for_the_next_turn_only():
    decisions = Decisions(START)
    decisions.turns, decisions.guessed = {0: None, 1: None}, {0}
    whole = line(turn(0), turn(1), turn(2))
    assert [decisions.is_guessed_before(whole, number) for number in (1, 2)] == [True, False]


def test_open_turn_has_no_roll_that_no_dice_told():
    decisions = Decisions(START)
    decisions.turns, decisions.rolls = {0: turn(0), 1: None, 2: None}, {0: Roll(3, 1), 1: Roll(3, 1), 2: None}
    recorded = [decisions.for_record(turn(number)) for number in range(3)]
    assert [(one.is_open, one.roll, one.kind) for one in recorded] == [
        (False, Roll(3, 1), Kind.LEGAL),
        (True, Roll(3, 1), Kind.LEGAL),
        (True, None, Kind.DISORDER),
    ]


HIT = Board(moved(START.south, (24, 20)), moved(START.north, (6, BAR)))
"""One of south's checkers went, one of north's was put on the bar."""


@pytest.mark.parametrize(
    ("kind", "before", "after", "keeps"),
    [
        (Kind.UNMOVED, START, START, False),
        (Kind.LEGAL, START, Board(moved(START.south, (24, 20)), START.north), True),
        (Kind.ILLEGAL, START, HIT, True),
        (Kind.DISORDER, START, HIT, False),
        (Kind.DISORDER, HIT, START, True),
        (Kind.DISORDER, START, Board(moved(START.south, (6, 0)), START.north), False),
    ],
)
def test_change_keeps_the_checkers_on_the_board(kind, before, after, keeps):
    assert turn(0, before, kind, after).keeps_checkers is keeps


@pytest.mark.parametrize(
    ("south", "north", "only"),
    [
        ([(24, 20)], [], (True, False)),
        ([], [(24, 20)], (False, True)),
        ([(24, 20)], [(24, 20)], (False, False)),
        ([], [], (False, False)),
    ],
)
def test_change_by_one_side_only(south, north, only):
    after = Board(moved(START.south, *south), moved(START.north, *north))
    changed = turn(0, START, Kind.DISORDER, after)
    assert (changed.moves_only(Side.SOUTH), changed.moves_only(Side.NORTH)) == only


def test_a_hit_blot_was_not_moved_by_its_side():
    blot = Board(START.south, moved(START.north, (6, 5)))
    hit = Board(moved(START.south, (24, 20)), moved(blot.north, (5, BAR)))
    assert turn(0, blot, Kind.ILLEGAL, hit).moves_only(Side.SOUTH)
    assert not turn(0, START, Kind.ILLEGAL, HIT).moves_only(Side.SOUTH), "no hit takes one of five"
