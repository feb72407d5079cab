"""A play as it is made: what may come next keeps the whole legal, and a refusal says why."""

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import IllegalPlayError
from companion.rules.board import BAR, OFF, Position, Roll
from companion.rules.notation import write_play
from companion.rules.partial_play import PartialPlay, Refusal, RefusalReason
from companion.rules.play_legality import Turn
from companion.rules.plays import plays_for
from companion.rules.profile import Profile
from companion.rules.profiles import PROFILES
from tests.support.positions import pos
from tests.support.rules.strategies import any_position, rolls

MODERN, ENTRY = PROFILES["modern"], PROFILES["spielestart"]
FORCED = MODERN.with_overrides({"forced_bear_off": True})
START = Position.start()


def every_end(partial: PartialPlay) -> set[Position]:
    """Every position in which the play may be left, move by move and in every order."""
    ends, seen, waiting = set(), set(), [partial]
    while waiting:
        one = waiting.pop()
        key = one.now, tuple(sorted(one.made))
        if key in seen:
            continue
        seen.add(key)
        if one.is_complete:
            ends.add(one.now)
        assert one.next or one.is_complete
        waiting += [one.with_move(move.source, move.target) for move in one.next]
    return ends


@pytest.mark.parametrize("profile", [MODERN, FORCED, ENTRY], ids=["modern", "forced bear-off", "spielestart"])
@given(position=any_position, roll=rolls, doublets=st.integers(0, 1))
@settings(max_examples=60, deadline=None)
def test_what_can_be_made_is_what_is_legal(
    profile: Profile, position: Position, roll: Roll, doublets: int
) -> None:
    plays = plays_for(profile, position, roll, doublets=doublets)
    if len(plays) > 60:
        return
    assert every_end(Turn(profile, position, roll, doublets).partial_play()) == set(plays)


@pytest.mark.parametrize("profile", [MODERN, FORCED, ENTRY], ids=["modern", "forced bear-off", "spielestart"])
@given(position=any_position, roll=rolls, doublets=st.integers(0, 1))
@settings(max_examples=60, deadline=None)
def test_every_listed_play_can_be_made_in_the_order_in_which_it_is_listed(
    profile: Profile, position: Position, roll: Roll, doublets: int
) -> None:
    plays = plays_for(profile, position, roll, doublets=doublets)
    for after in list(plays)[:10]:
        play = plays[after]
        partial = Turn(profile, position, roll, doublets).partial_play(move[:2] for move in play)
        assert partial.made == play
        assert partial.is_complete
        assert partial.now == after


@given(any_position, rolls, st.sampled_from([MODERN, ENTRY]), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_every_move_is_either_allowed_or_refused_with_a_sentence(
    position: Position, roll: Roll, profile: Profile, chance: random.Random
) -> None:
    partial = Turn(profile, position, roll).partial_play()
    for _ in range(2):
        allowed = {(move.source, move.target) for move in partial.next}
        for source in range(26):
            for number in {*roll, 3}:
                target = max(OFF, source - number)
                refused = partial.refusal(source, target)
                if (source, target) in allowed:
                    assert refused is None
                elif refused is not None:
                    assert str(refused.sentence).endswith(".")
                    with pytest.raises(IllegalPlayError, match=str(refused.sentence)[:12]):
                        partial.with_move(source, target)
        if allowed:
            partial = partial.with_move(*chance.choice(sorted(allowed)))


@pytest.mark.parametrize(
    ("position", "dice", "made", "move", "why"),
    [
        pytest.param(START, (6, 1), [], (12, 6), "There is no checker to move there.", id="nobody there"),
        pytest.param(
            pos({BAR: 1, 6: 5}),
            (6, 1),
            [],
            (6, 5),
            "A checker on the bar must enter first.",
            id="enter first",
        ),
        pytest.param(
            START, (3, 2), [], (13, 15), "Checkers move from higher points to lower ones.", id="back"
        ),
        pytest.param(START, (3, 2), [], (24, 20), "There is no 4 in this roll.", id="no such number"),
        pytest.param(
            START, (6, 1), [(24, 18)], (24, 18), "The 6 has been played already.", id="number used up"
        ),
        pytest.param(START, (6, 1), [], (24, 17), "The opponent holds that point.", id="point held"),
        pytest.param(START, (5, 5), [], (24, 19), "The opponent holds that point.", id="five fives"),
        pytest.param(START, (5, 5), [], (24, 14), "The opponent holds the points on the way.", id="way held"),
        pytest.param(
            pos({8: 1, 3: 2}),
            (3, 1),
            [],
            (3, 0),
            "Checkers are borne off only when all of them are at home.",
            id="not all home",
        ),
        pytest.param(
            pos({5: 1, 3: 1}),
            (4, 1),
            [],
            (3, 0),
            "With a 4 the checker on the highest point is borne off first.",
            id="highest first",
        ),
        pytest.param(
            pos({9: 1, 7: 1}, {1: 2}),
            (6, 2),
            [],
            (9, 7),
            "With this 2 the 6 could no longer be played.",
            id="spoils the other number",
        ),
        pytest.param(
            pos({12: 1}, {1: 2}),
            (6, 5),
            [],
            (12, 7),
            "Only one of the two numbers can be played, and it must be the 6.",
            id="must be the higher",
        ),
        pytest.param(
            pos({13: 1, 9: 1}, {1: 2, 4: 2}),
            (3, 3),
            [(13, 10), (10, 7)],
            (7, 4),
            "The opponent holds that point.",
            id="held on the way with doubles",
        ),
        pytest.param(
            START, (6, 1), [(13, 7), (8, 7)], (6, 5), "The whole roll has been played.", id="all played"
        ),
        pytest.param(
            pos({BAR: 1}, {24: 2, 23: 2}),
            (2, 1),
            [],
            (25, 24),
            "The opponent holds that point.",
            id="dance",
        ),
        pytest.param(
            pos({3: 1, 2: 1}), (6, 5), [(3, 0), (2, 0)], (1, 0), "The whole roll has been played.", id="won"
        ),
    ],
)
def test_refusals_of_the_modern_game(
    position: Position, dice: tuple[int, int], made: list[tuple[int, int]], move: tuple[int, int], why: str
) -> None:
    partial = Turn(MODERN, position, Roll.of(*dice)).partial_play(made)
    refused = partial.refusal(*move)
    assert refused is not None
    assert str(refused.sentence) == why


@pytest.mark.parametrize(
    ("position", "dice", "made", "move", "why"),
    [
        pytest.param(
            pos({BAR: 1, 12: 1}),
            (5, 2),
            [],
            (12, 10),
            "The checkers in the tray must be brought in first.",
            id="tray first",
        ),
        pytest.param(
            pos({12: 1}), (5, 2), [], (12, 7), "The lower number comes first: the 2.", id="lower first"
        ),
        pytest.param(
            pos({12: 1, 6: 1}, {10: 2, 4: 2}),
            (5, 2),
            [],
            (12, 7),
            "The 2 cannot be played, so the 5 may not be played either.",
            id="lower blocked",
        ),
        pytest.param(
            pos({20: 1}),
            (4, 4),
            [],
            (20, 17),
            "The top number comes first: a 4 can still be played.",
            id="top first",
        ),
        pytest.param(
            pos({20: 1}),
            (4, 4),
            [(20, 16), (16, 12), (12, 9)],
            (9, 5),
            "The 4 has been played already.",
            id="two tops were all",
        ),
        pytest.param(
            pos({12: 1}, {9: 2}),
            (3, 3),
            [],
            (12, 8),
            "No 3 could be played, so no 4 may be played either.",
            id="no top played",
        ),
        pytest.param(
            pos({24: 1, 6: 1}, {20: 2}),
            (4, 4),
            [(6, 2), (24, 21)],
            (21, 17),
            "After a bottom number no top number may follow.",
            id="top is over",
        ),
    ],
)
def test_refusals_of_the_entry_game(
    position: Position, dice: tuple[int, int], made: list[tuple[int, int]], move: tuple[int, int], why: str
) -> None:
    partial = Turn(ENTRY, position, Roll.of(*dice)).partial_play(made)
    refused = partial.refusal(*move)
    assert refused is not None
    assert str(refused.sentence) == why


def test_a_forced_bear_off_is_named() -> None:
    partial = Turn(FORCED, pos({6: 1, 4: 1}), Roll.of(4, 1)).partial_play()
    assert partial.refusal(6, 2) == Refusal(RefusalReason.MUST_BEAR_OFF, 4)


def test_a_play_is_made_move_by_move() -> None:
    partial = Turn(MODERN, START, Roll.of(3, 1)).partial_play()
    assert not partial.is_complete
    partial = partial.with_move(8, 5)
    assert write_play(partial.made) == "8/5"
    assert {(move.source, move.target, move.number) for move in partial.next} >= {(6, 5, 1), (5, 4, 1)}
    partial = partial.with_move(6, 5)
    assert partial.is_complete
    assert partial.is_over
    assert write_play(partial.made) == "8/5 6/5"
    assert partial.now in plays_for(MODERN, START, Roll.of(3, 1))


def test_one_checker_may_take_several_numbers_in_one_go_past_a_blot_rather_than_over_it() -> None:
    assert write_play(Turn(MODERN, START, Roll.of(6, 5)).partial_play().with_move(24, 13).made) == "24/13"
    assert Turn(MODERN, START, Roll.of(3, 3)).partial_play().with_move(13, 4).is_complete is False
    hit = Turn(MODERN, pos({24: 1, 6: 2}, {18: 1}), Roll.of(6, 2)).partial_play().with_move(24, 16)
    assert write_play(hit.made) == "24/16"


def test_in_the_entry_game_a_complete_play_may_go_on() -> None:
    partial = Turn(ENTRY, pos({20: 1}), Roll.of(4, 4)).partial_play([(20, 16), (16, 12)])
    assert partial.is_complete
    assert not partial.is_over
    assert partial.with_move(12, 9).with_move(9, 6).is_over


def test_a_hit_is_told_beforehand() -> None:
    partial = Turn(MODERN, pos({24: 1, 6: 2}, {18: 1}), Roll.of(6, 2)).partial_play()
    assert {(move.target, move.hits) for move in partial.next if move.source == 24} == {
        (18, True),
        (22, False),
    }


def test_bearing_off_may_have_used_either_number() -> None:
    partial = Turn(MODERN, pos({2: 2, 1: 1}), Roll.of(6, 2)).partial_play().with_move(2, 0)
    assert {(move.source, move.target) for move in partial.next} == {(2, 0)}
    assert partial.with_move(2, 0).is_complete


@pytest.mark.parametrize("why", RefusalReason, ids=lambda why: why.name)
def test_a_refusal_is_the_same_for_both_players(why: RefusalReason) -> None:
    """The opponent reads it too, in a dispute about the play."""
    assert not re.search(r"\byour?\b", why.value.template, re.IGNORECASE)
