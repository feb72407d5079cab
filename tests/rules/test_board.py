"""Where the checkers stand: the laws of the two numberings, and what is wrong with a position."""

import pytest
from hypothesis import given, settings

from companion.errors import BadPositionError
from companion.rules.board import (
    BAR,
    OFF,
    PROBLEM_TEXTS,
    Position,
    Problem,
    checkers_on,
    positions_of,
    problem_sentence,
)
from tests.support.rules.strategies import any_position

START = [0, -2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2, 0]


def test_the_start_is_the_usual_one() -> None:
    assert Position.start().ints() == START
    assert Position.of_ints(START) == Position.start()
    assert Position.start().pip_count() == 167


@given(any_position)
@settings(max_examples=100, deadline=None)
def test_laws(position: Position) -> None:
    assert position.flipped().flipped() == position
    assert Position.of_ints(position.ints(), [position.mine[OFF], position.theirs[OFF]]) == position
    assert Position.of_ints(position.ints()) == position
    flipped = position.flipped().ints()
    assert flipped == [-n for n in reversed(position.ints())]
    assert positions_of([position.mine], [position.theirs], position) == [position]


@given(any_position)
@settings(max_examples=50, deadline=None)
def test_positions_that_can_stand_have_no_problem_but_those_of_the_end(position: Position) -> None:
    late = Problem.BOTH_WON | Problem.NOBODY_CAN_EVER_MOVE
    assert not position.problems() & ~late


@pytest.mark.parametrize(
    ("mine", "theirs", "found"),
    [
        pytest.param({6: 15}, {6: 15}, Problem(0), id="nothing wrong"),
        pytest.param({6: 16}, {6: 15}, Problem.MINE_TOO_MANY, id="sixteen of mine"),
        pytest.param({6: 14}, {6: 15}, Problem.MINE_TOO_FEW, id="fourteen of mine"),
        pytest.param({6: 15}, {6: 16}, Problem.THEIRS_TOO_MANY, id="sixteen of theirs"),
        pytest.param({6: 15}, {6: 14}, Problem.THEIRS_TOO_FEW, id="fourteen of theirs"),
        pytest.param({6: 15}, {19: 15}, Problem.BOTH_ON_ONE_POINT, id="my 6-point is their 19-point"),
        pytest.param({6: 16, 5: -1}, {6: 15}, Problem.BELOW_ZERO, id="minus one"),
        pytest.param({OFF: 15}, {OFF: 15}, Problem.BOTH_WON, id="both have won"),
        pytest.param(
            {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, BAR: 3},
            {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, BAR: 3},
            Problem.NOBODY_CAN_EVER_MOVE,
            id="both closed out",
        ),
        pytest.param(
            {6: 16},
            {19: 14},
            Problem.MINE_TOO_MANY | Problem.THEIRS_TOO_FEW | Problem.BOTH_ON_ONE_POINT,
            id="three at once",
        ),
    ],
)
def test_problems(mine: dict[int, int], theirs: dict[int, int], found: Problem) -> None:
    position = Position(checkers_on(mine), checkers_on(theirs))
    assert position.problems() == found
    sentence = str(problem_sentence(found))
    assert all(str(PROBLEM_TEXTS[problem]) in sentence for problem in found)
    assert bool(sentence) == bool(found)


def test_three_checkers_a_side_are_enough_where_the_profile_says_so() -> None:
    three = Position.symmetric({24: 1, 23: 1, 22: 1})
    assert three.problems(3) == Problem(0)
    assert Position.of_ints(three.ints(), checkers=3) == three


@pytest.mark.parametrize(
    ("ints", "off", "word"),
    [
        pytest.param(START[:25], None, "26", id="25 ints"),
        pytest.param("x" * 26, None, "26", id="a text"),
        pytest.param([0.0, *START[1:]], None, "whole", id="a float"),
        pytest.param([False, *START[1:]], None, "whole", id="a boolean"),
        pytest.param([2, *START[1:]], None, "bar", id="my checkers on their bar"),
        pytest.param([*START[:25], -1], None, "bar", id="their checkers on my bar"),
        pytest.param([*START[:25], 1], None, "16", id="sixteen of mine"),
        pytest.param([-1, *START[1:]], None, "16", id="sixteen of theirs"),
        pytest.param(START, [0], "two", id="one off count"),
        pytest.param(START, [0, True], "two", id="a boolean off"),
        pytest.param(START, [-1, 0], "two", id="minus one off"),
    ],
)
def test_ints_that_are_no_position_are_refused(ints: list[int], off: list[int] | None, word: str) -> None:
    with pytest.raises(BadPositionError, match=word):
        Position.of_ints(ints, off)
