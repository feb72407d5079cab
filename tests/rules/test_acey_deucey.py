"""Acey-Deucey's positions, plays and parts of a turn: rows F20 to F23 of docs/rules/family.md, without a table."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.errors import IllegalPlayError
from companion.rules.board import BAR, OFF, ROLLS, Board, Problem, Roll, Side, checkers_on
from companion.rules.family.bonus import complement_of, names_next, throws_again
from companion.rules.family.profiles import FAMILY
from companion.rules.family.running_on import Onward, Part
from companion.rules.notation import write_play
from companion.rules.partial_play import RefusalReason
from companion.rules.play_legality import Turn
from companion.rules.plays import plays_for
from companion.rules.positions import EnteringPosition
from companion.rules.profile import Profile
from companion.rules.restrictions import restrictions
from tests.support.rules.family_boards import scattered

SOUTH = Side.SOUTH
NAVY, EUROPEAN = FAMILY["acey_deucey"], FAMILY["acey_europe"]
ALL_FIRST = NAVY.with_overrides({"entering": "before_moving"})
AFTER_DOUBLETS = NAVY.with_overrides({"throw_again_after_doublet": True})
PLAYED_OR_NOT = EUROPEAN.with_overrides({"unplayed_ends_turn": False})
NAMED = Part(SOUTH, named=True)


def board(
    mine: dict[int, int], theirs: dict[int, int], waiting: tuple[int, int] = (0, 0)
) -> EnteringPosition:
    """A position of both sides' {point: count}, each in its owner's numbering; what is missing has been borne off."""
    sides = (checkers_on(mine), checkers_on(theirs))
    full = [(15 - sum(side), *side[1:]) for side in sides]
    return EnteringPosition(full[0], full[1], waiting)


FREE = board({24: 15}, {3: 15})
"""Every doublet can be played."""
BARRED = board({24: 1, 2: 14}, {7: 2, 3: 13})
"""The opponent holds my 18 and my 22: no six, one three, and of 2-1 the 1 first."""


def texts(profile: Profile, position: EnteringPosition, high: int, low: int) -> set[str]:
    assert not position.problems()
    return {write_play(play) for play in plays_for(profile, position, Roll.of(high, low)).values()}


@pytest.mark.parametrize(
    ("profile", "position", "roll", "plays"),
    [
        pytest.param(
            NAVY,
            EnteringPosition.at_start(NAVY.start),
            (6, 5),
            {"bar/20 bar/19", "bar/14"},
            id="F20: one that has entered may move on",
        ),
        pytest.param(
            NAVY,
            board({25: 14, 10: 1}, {1: 15}, (14, 0)),
            (6, 5),
            {"bar/20 bar/19", "bar/14", "bar/20 10/4", "bar/19 10/5"},
            id="F20: others may move before all have entered",
        ),
        pytest.param(
            NAVY,
            board({25: 2, 10: 13}, {6: 2, 5: 2, 1: 11}, (1, 0)),
            (6, 5),
            {""},
            id="F20: but for one that was hit and cannot enter",
        ),
        pytest.param(
            NAVY,
            board({25: 2, 10: 13}, {6: 2, 5: 2, 1: 11}, (2, 0)),
            (6, 5),
            {"10/5 10/4"},
            id="F20: what was not hit can wait",
        ),
        pytest.param(
            NAVY,
            board({25: 3, 10: 1, 6: 11}, {5: 2, 1: 13}, (2, 0)),
            (6, 5),
            {"bar/19 6/1", "bar/19 10/5", "bar/14"},
            id="F20: once it has entered others may move",
        ),
        pytest.param(
            ALL_FIRST,
            board({25: 14, 10: 1}, {1: 15}),
            (6, 5),
            {"bar/20 bar/19"},
            id="F20: all enter first under the other texts",
        ),
        pytest.param(
            NAVY, board({5: 1, 2: 14}, {1: 15}), (6, 4), {"5/1 2/off", "5/off 2/off"}, id="F22: navy"
        ),
        pytest.param(EUROPEAN, board({5: 1, 2: 14}, {1: 15}), (6, 4), {"5/1"}, id="F22: the exact number"),
        pytest.param(EUROPEAN, board({3: 1}, {1: 15}), (6, 5), {""}, id="F22: nothing with a higher one"),
    ],
)
def test_corners_of_the_sources(
    profile: Profile, position: EnteringPosition, roll: tuple[int, int], plays: set[str]
) -> None:
    assert texts(profile, position, *roll) == plays


@pytest.mark.parametrize(
    ("position", "move", "why"),
    [
        (board({25: 2, 10: 13}, {1: 15}, (1, 0)), (10, 4), RefusalReason.ENTER_FIRST),
        (board({5: 15}, {1: 15}), (5, 0), RefusalReason.EXACT),
        (board({25: 2, 10: 13}, {1: 15}, (2, 0)), (10, 4), None),
    ],
)
def test_a_refused_move_has_its_reason(
    position: EnteringPosition, move: tuple[int, int], why: RefusalReason | None
) -> None:
    refusal = Turn(EUROPEAN, position, Roll.of(6, 4)).partial_play().refusal(*move)
    assert (refusal and refusal.why) is why


def test_the_card_says_that_a_hit_checker_enters_first() -> None:
    """The board shows one stack, in which nobody sees what was hit."""
    hit = board({25: 3, 10: 5, 6: 7}, {1: 15}, (2, 0))
    partial = Turn(NAVY, hit, Roll.of(6, 5)).partial_play()
    assert restrictions(partial) == {RefusalReason.ENTER_FIRST: [10, 6]}
    assert restrictions(partial.with_move(25, 19)) == {}


@pytest.mark.parametrize(
    ("profile", "position", "roll", "part", "names", "complement", "again"),
    [
        pytest.param(NAVY, FREE, (2, 1), None, True, None, True, id="F21: 2-1"),
        pytest.param(NAVY, FREE, (4, 4), None, False, None, False, id="F22: a doublet of the navy's form"),
        pytest.param(NAVY, FREE, (4, 4), NAMED, False, None, True, id="F21: after the named doublet"),
        pytest.param(AFTER_DOUBLETS, FREE, (4, 4), None, False, None, True, id="F22: as a setting"),
        pytest.param(NAVY, FREE, (6, 5), None, False, None, False, id="F21: any other roll"),
        pytest.param(
            EUROPEAN, FREE, (4, 4), None, False, Part(SOUTH, complement=True), True, id="F22: European"
        ),
        pytest.param(
            EUROPEAN,
            FREE,
            (4, 4),
            NAMED,
            False,
            Part(SOUTH, named=True, complement=True),
            True,
            id="F22: European, named",
        ),
        pytest.param(
            EUROPEAN,
            FREE,
            (3, 3),
            Part(SOUTH, complement=True),
            False,
            None,
            True,
            id="F22: after the complement",
        ),
        pytest.param(NAVY, BARRED, (2, 1), None, True, None, True, id="F23: 2-1 in one order"),
        pytest.param(EUROPEAN, BARRED, (6, 6), None, False, None, False, id="F23: no six"),
        pytest.param(EUROPEAN, BARRED, (3, 3), NAMED, False, None, False, id="F23: not all threes"),
        pytest.param(
            PLAYED_OR_NOT,
            BARRED,
            (6, 6),
            None,
            False,
            Part(SOUTH, complement=True),
            True,
            id="F23: a setting",
        ),
    ],
)
def test_what_follows_a_roll(
    profile: Profile,
    position: EnteringPosition,
    roll: tuple[int, int],
    part: Part | None,
    names: bool,
    complement: Part | None,
    again: bool,
) -> None:
    rolled = Roll.of(*roll)
    opposite = Roll.of(7 - rolled.high, 7 - rolled.high)
    follows = Onward(SOUTH, opposite, complement) if complement else None
    goes_on = Turn(profile, position, rolled).goes_on
    assert (goes_on and names_next(profile, rolled)) is names
    assert (complement_of(profile, SOUTH, rolled, part) if goes_on else None) == follows
    assert (goes_on and throws_again(profile, rolled, part)) is again


def test_f23_2_1_that_cannot_be_played_in_full_ends_the_turn() -> None:
    held = board({24: 1}, {2: 2, 3: 13})  # the opponent holds my 23 and my 22
    assert plays_for(NAVY, held, Roll.of(2, 1)).is_dance
    assert not Turn(NAVY, held, Roll.of(2, 1)).goes_on


@given(st.integers(0, 2**32), st.sampled_from(ROLLS), st.booleans())
def test_laws_of_entering(seed: int, roll: Roll, european: bool) -> None:
    """Checkers are kept; what was hit enters first; nobody who was not entered comes back; the other's counts stay."""
    profile = EUROPEAN if european else NAVY
    position = scattered(profile, random.Random(seed))
    assert Board.of(Side.NORTH, position).seen_by(Side.NORTH) == position
    plays = plays_for(profile, position, roll)
    for after, play in plays.items():
        assert sum(after.mine) == sum(after.theirs) == 15
        assert after.problems() & ~Problem.NOBODY_CAN_EVER_MOVE == Problem(0)
        entered = position.mine[BAR] - after.mine[BAR]
        others = sum(move.source != BAR for move in play)
        if entered < position.must_enter:
            assert not others
        assert after.must_enter == max(0, position.must_enter - entered)
        hits = sum(move.hits for move in play)
        assert after.theirs[BAR] == position.theirs[BAR] + hits
        assert after.flipped().must_enter == position.flipped().must_enter + hits
        if european:
            assert all(move.target != OFF or move.source in roll for move in play)


def test_a_position_that_cannot_follow_is_no_play() -> None:
    position = board({25: 14, 10: 1}, {1: 15}, (14, 0))
    plays = plays_for(NAVY, position, Roll.of(6, 5))
    after = next(iter(plays))
    assert after in plays
    assert after.with_not_entered((0, 0)) not in plays
    with pytest.raises(IllegalPlayError, match="no 4 in this roll"):
        Turn(NAVY, position, Roll.of(6, 5)).partial_play([(25, 21)])
