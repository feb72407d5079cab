"""Every legal play and no other: the oracle's cases, a brute force, counted truth, and the laws."""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings

from companion.errors import BadPositionError
from companion.rules.board import BAR, OFF, ROLLS, Position, Roll, checkers_on
from companion.rules.moves import MovingRules, Play
from companion.rules.notation import write_play
from companion.rules.plays import legal_plays, plays_for
from companion.rules.profiles import PROFILES
from tests.support.collection import read_rows, thinned
from tests.support.positions import pos
from tests.support.rules import brute_force
from tests.support.rules.strategies import any_position, positions, rolls

LEGAL = Path("oracle", "legal_dev.jsonl.gz")


def as_board(position: Position) -> brute_force.Board:
    return tuple(position.ints()), position.mine[OFF]


def carried_out(position: Position, play: Play) -> Position:
    """The play made by hand, move by move; it fails where a move takes or hits what is not there."""
    mine, theirs = list(position.mine), list(position.theirs)
    for move in play:
        assert mine[move.source] > 0
        mine[move.source] -= 1
        mine[move.target] += 1
        if move.hits:
            assert theirs[25 - move.target] == 1
            theirs[25 - move.target] = 0
            theirs[BAR] += 1
        assert move.target == OFF or theirs[25 - move.target] == 0
    return Position(tuple(mine), tuple(theirs))


def test_all_cases_of_the_oracle(collection: Path) -> None:
    wrong = []
    for case in read_rows(collection / LEGAL):
        position = Position.of_ints(case["pos"], case["off"])
        plays = legal_plays(position, Roll.of(*case["dice"]))
        results = sorted(after.ints() for after in plays)
        if (results, plays.numbers_used) != (case["results"], case["dice_used"]):
            wrong.append(case["id"])
    assert not wrong


def test_every_play_of_the_oracle_can_be_made_and_leaves_what_it_is_listed_under(collection: Path) -> None:
    for case in thinned(read_rows(collection / LEGAL), 500):
        position = Position.of_ints(case["pos"], case["off"])
        plays = legal_plays(position, Roll.of(*case["dice"]))
        for after, play in plays.items():
            assert carried_out(position, play) == after


def test_counted_truth_from_the_opening() -> None:
    first: Counter[Position] = Counter()
    for roll in ROLLS:
        first.update(after.flipped() for after in legal_plays(Position.start(), roll))
    second = sum(times * len(legal_plays(one, roll)) for one, times in first.items() for roll in ROLLS)
    assert (first.total(), second) == (447, 202_782)


@given(any_position, rolls)
@settings(max_examples=300, deadline=None)
def test_as_a_brute_force_finds_them(position: Position, roll: Roll) -> None:
    most, boards = brute_force.modern(as_board(position), *roll)
    plays = legal_plays(position, roll)
    assert plays.numbers_used == most
    assert {as_board(after) for after in plays} == boards


@given(positions(highest=8), rolls)
@settings(max_examples=150, deadline=None)
def test_other_ways_of_bearing_off_as_a_brute_force_finds_them(position: Position, roll: Roll) -> None:
    for any_checker, forced in ((True, False), (False, True), (True, True)):
        most, boards = brute_force.modern(as_board(position), *roll, any_checker=any_checker, forced=forced)
        plays = legal_plays(position, roll, MovingRules(any_checker=any_checker, forced=forced))
        assert plays.numbers_used == most
        assert {as_board(after) for after in plays} == boards
        for after, play in plays.items():
            assert carried_out(position, play) == after


@given(any_position, rolls)
@settings(max_examples=100, deadline=None)
def test_laws(position: Position, roll: Roll) -> None:
    plays = legal_plays(position, roll)
    assert len(plays) == len(set(plays))
    for after, play in list(plays.items())[:40]:
        assert sum(after.mine) == sum(after.theirs) == 15
        assert len(play) == plays.numbers_used
        assert carried_out(position, play) == after
        paid = [move.source - move.target for move in play]
        assert position.pip_count() - after.pip_count() == sum(paid)
        numbers = list(roll.numbers)
        exact = Counter(paid) - Counter(numbers)
        borne_off = Counter(move.source for move in play if move.target == OFF)
        assert exact <= borne_off
        assert after in plays


@given(any_position, rolls)
@settings(max_examples=60, deadline=None)
def test_a_position_that_is_no_result_is_not_in_the_plays(position: Position, roll: Roll) -> None:
    plays = legal_plays(position, roll)
    legal = set(plays)
    tried = {
        *legal_plays(position, ROLLS[0]),
        *legal_plays(position, ROLLS[-1]),
        position,
        position.flipped(),
    }
    assert {after for after in tried if after in plays} == tried & legal
    for after in tried - legal:
        with pytest.raises(KeyError):
            plays[after]


@pytest.mark.parametrize(
    ("position", "dice", "expected"),
    [
        pytest.param(pos({25: 1, 6: 1}, {24: 2, 21: 2}), (1, 4), {""}, id="closed out by both: a dance"),
        pytest.param(pos({25: 1, 3: 1}, {19: 2, 17: 2}), (6, 2), {"bar/23"}, id="enters where it is open"),
        pytest.param(pos({25: 2, 3: 1}, {19: 2}), (6, 2), {"bar/23"}, id="two on the bar, one can enter"),
        pytest.param(pos({25: 1, 1: 2}, {19: 2, 23: 1}), (6, 2), {"bar/23*/17"}, id="hits while entering"),
        pytest.param(pos({12: 1}, {1: 2}), (6, 5), {"12/6"}, id="either but not both: the higher"),
        pytest.param(pos({12: 1}, {1: 2, 6: 2}), (6, 5), {"12/7"}, id="only the lower can be played"),
        pytest.param(pos({6: 1}, {4: 1}), (6, 2), {"6/4*/off"}, id="both can be played only over the blot"),
        pytest.param(pos({13: 1, 7: 1}, {1: 2, 4: 2}), (3, 3), {"13/7"}, id="two of four threes"),
        pytest.param(pos({4: 1, 2: 1}), (6, 5), {"4/off 2/off"}, id="gaps: from the highest point"),
        pytest.param(pos({5: 1, 3: 1}), (4, 1), {"5/1 3/2", "5/off"}, id="not forced to bear off"),
        pytest.param(pos({2: 2}), (6, 6), {"2/off(2)"}, id="who has borne off all has won at once"),
        pytest.param(pos({7: 1, 1: 1}), (6, 1), {"7/off"}, id="bears off once all are home"),
        pytest.param(pos({7: 1, 5: 2}, {1: 2}), (6, 6), {""}, id="not while one is outside"),
    ],
)
def test_corners(position: Position, dice: tuple[int, int], expected: set[str]) -> None:
    assert {write_play(play) for play in legal_plays(position, Roll.of(*dice)).values()} == expected


def test_a_dance_leaves_everything_and_is_one_play() -> None:
    position = pos({25: 1}, {24: 2, 23: 2, 22: 2, 21: 2, 20: 2, 19: 2})
    plays = legal_plays(position, Roll.of(5, 5))
    assert dict(plays) == {position: ()}
    assert plays.is_dance


def test_the_modern_kin_play_alike() -> None:
    kin = ("modern", "vip", "tournament", "tavla", "wbgf", "usbgf", "portes", "nackgammon", "hypergammon")
    for roll in ROLLS:
        expected = set(legal_plays(Position.start(), roll))
        for name in kin:
            assert set(plays_for(PROFILES[name], Position.start(), roll, doublets=3)) == expected


def test_a_count_below_zero_is_refused() -> None:
    with pytest.raises(BadPositionError, match="fewer"):
        legal_plays(Position(checkers_on({6: 16, 5: -1}), checkers_on({6: 15})), Roll.of(3, 1))
