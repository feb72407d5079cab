"""Doublets that run on: rows F17 to F19 of docs/rules/family.md, without a table."""

import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.board import Position, Roll, Side, checkers_on
from companion.rules.family.profiles import FAMILY
from companion.rules.family.running_on import Onward, Part, onward
from companion.rules.moves import DOUBLET_TIMES
from companion.rules.notation import write_play
from companion.rules.play_legality import Turn
from companion.rules.plays import plays_for
from companion.rules.positions import BlockingPosition
from tests.support.rules.family_boards import differs, scattered

SOUTH, NORTH = Side.SOUTH, Side.NORTH
GUL_BARA, JIOUL = FAMILY["gul_bara"], FAMILY["jioul"]
LOST = JIOUL.with_overrides({"rest_of_doublet": "lost"})
FOUR, FIVE, SIX = Roll(4, 4), Roll(5, 5), Roll(6, 6)


@pytest.mark.parametrize(
    ("profile", "side", "number", "part", "left", "follows"),
    [
        pytest.param(
            GUL_BARA, SOUTH, 4, Part(SOUTH), 0, Onward(SOUTH, FIVE, Part(SOUTH)), id="the next number"
        ),
        pytest.param(JIOUL, SOUTH, 6, Part(SOUTH), 0, None, id="up to six"),
        pytest.param(
            JIOUL, SOUTH, 5, Part(SOUTH), 3, Onward(NORTH, FIVE, Part(SOUTH, 3)), id="the rest passes"
        ),
        pytest.param(JIOUL, SOUTH, 6, Part(SOUTH), 4, Onward(NORTH, SIX, Part(SOUTH)), id="all sixes pass"),
        pytest.param(LOST, SOUTH, 5, Part(SOUTH), 3, None, id="the rest is lost, and the turn over"),
        pytest.param(
            JIOUL, NORTH, 5, Part(SOUTH, 3), 2, Onward(NORTH, SIX, Part(SOUTH)), id="he goes on regardless"
        ),
        pytest.param(JIOUL, NORTH, 6, Part(SOUTH), 4, None, id="nobody can play the sixes"),
    ],
)
def test_f18_and_f19_what_follows_a_number(profile, side, number, part, left, follows) -> None:
    assert onward(profile, side, number, part, left) == follows


def test_f17_one_checker_holds_a_point_and_the_sides_meet() -> None:
    start = Position.symmetric({24: 15})
    jioul = BlockingPosition(start.mine, start.theirs)
    plays = {write_play(play) for play in plays_for(JIOUL, jioul, Roll.of(6, 5)).values()}
    assert plays == {"24/13", "24/19 24/18"}
    held = BlockingPosition(checkers_on({24: 15}), checkers_on({7: 1, 6: 14}))  # my 18-point and my 19-point
    assert plays_for(JIOUL, held, Roll.of(6, 5)).is_dance
    assert held.blots() == set()
    assert plays_for(JIOUL, held.flipped(), Roll.of(6, 5)).numbers_used == 2


@given(st.integers(1, 6), st.lists(st.integers(0, 4), min_size=12, max_size=12), st.booleans())
def test_each_number_is_played_or_passed_in_full_and_the_numbers_rise(
    number: int, could: list[int], passes: bool
) -> None:
    """`could`: how often a side could play its next number."""
    profile, side, part = (JIOUL if passes else LOST), SOUTH, Part(SOUTH)
    seen: list[tuple[Side, int, int]] = []
    for most in could:
        seen.append((side, number, part.times))
        coming = onward(profile, side, number, part, max(0, part.times - most))
        if coming is None:
            break
        side, number, part = coming.side, coming.roll.high, coming.part
    assert [one[1] for one in seen] == sorted(one[1] for one in seen)
    assert part.thrower is SOUTH
    sides = [one[0] for one in seen]
    assert sides == sorted(sides, key=[SOUTH, NORTH].index), "what has passed does not come back"
    for (by, old, times), (then, new, rest) in pairwise(seen):
        if by is then:
            assert (new, rest) == (old + 1, DOUBLET_TIMES)
        else:
            assert new == old
            assert 0 < rest <= times


@given(st.sampled_from(["gul_bara", "jioul"]), st.integers(0, 2**32), st.integers(1, 6), st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_a_rest_is_played_as_the_slow_statement_has_it(name: str, seed: int, number: int, times: int) -> None:
    position, roll = scattered(FAMILY[name], random.Random(seed)), Roll.of(number, number)
    assert differs(FAMILY[name], position, roll, times) == ""
    turn = Turn(FAMILY[name], position, roll, times=times)
    assert turn.plays().numbers_used <= times
    partial = turn.partial_play()
    while partial.next:
        partial = partial.with_move(*random.Random(seed).choice(partial.next)[:2])
    assert partial.now in plays_for(FAMILY[name], position, roll, times=times)
    assert len(partial.made) == turn.plays().numbers_used
