"""Why a play that lies there is not legal: one sentence, and none where it is legal."""

import pytest
from hypothesis import given, settings

from companion.rules.board import BAR, Position, Roll, checkers_on
from companion.rules.notation import carry_out, read_hops
from companion.rules.play_legality import Turn
from companion.rules.plays import plays_for
from companion.rules.profile import Profile
from companion.rules.profiles import PROFILES
from tests.support.positions import pos
from tests.support.rules.strategies import any_position, rolls

MODERN, ENTRY = PROFILES["modern"], PROFILES["spielestart"]
START = Position.start()


@pytest.mark.parametrize(
    ("profile", "position", "dice", "made", "sentence"),
    [
        pytest.param(MODERN, START, (6, 1), "13/7 8/7", "", id="legal"),
        pytest.param(
            MODERN, START, (6, 1), "13/7", "Only 1 of the 2 numbers that can be played was played.", id="half"
        ),
        pytest.param(
            MODERN,
            START,
            (3, 3),
            "8/5(2) 6/3",
            "Only 3 of the 4 numbers that can be played were played.",
            id="three",
        ),
        pytest.param(MODERN, START, (3, 1), "", "Nothing was played, but 2 numbers can be.", id="nothing"),
        pytest.param(
            MODERN, START, (6, 1), "24/18(2)", "The checkers moved 12 pips; 6-1 gives 7.", id="twice"
        ),
        pytest.param(
            MODERN,
            START,
            (5, 5),
            "24/19 13/8",
            "This cannot stand on a board: both sides stand on one point.",
            id="on a held point",
        ),
        pytest.param(
            MODERN,
            pos({BAR: 1, 6: 5}),
            (6, 1),
            "6/5",
            "A checker waits on the bar, and it must enter first.",
            id="bar",
        ),
        pytest.param(
            MODERN,
            pos({BAR: 1, 6: 5}, {24: 2, 19: 2}),
            (6, 1),
            "6/5",
            "Nothing can be played with this roll. All checkers stay where they are.",
            id="a dance not danced",
        ),
        pytest.param(
            MODERN,
            pos({12: 1}, {1: 2}),
            (6, 5),
            "12/7",
            "Only one of the two numbers can be played, and it must be the 6.",
            id="must be the higher",
        ),
        pytest.param(
            MODERN,
            pos({9: 1, 7: 1}, {1: 2}),
            (6, 2),
            "9/7",
            "With this 2 the 6 could no longer be played.",
            id="spoils the six",
        ),
        pytest.param(
            ENTRY, pos({12: 2}), (5, 2), "12/7", "The lower number comes first: the 2.", id="lower first"
        ),
        pytest.param(
            ENTRY,
            pos({20: 2}),
            (4, 4),
            "20/16 20/17",
            "The top number comes first: a 4 can still be played.",
            id="a bottom before the tops",
        ),
    ],
)
def test_sentences(
    profile: Profile, position: Position, dice: tuple[int, int], made: str, sentence: str
) -> None:
    left = carry_out(position, read_hops(made))
    assert str(Turn(profile, position, Roll.of(*dice)).fault_of(left)) == sentence


def test_opposing_checkers_that_moved_are_named() -> None:
    left = Position(START.mine, checkers_on({24: 2, 13: 5, 8: 4, 6: 4}))
    assert "opponent’s checkers" in str(Turn(MODERN, START, Roll.of(3, 1)).fault_of(left))


@given(any_position, any_position, rolls)
@settings(max_examples=80, deadline=None)
def test_a_sentence_exactly_where_it_is_not_legal(position: Position, other: Position, roll: Roll) -> None:
    for profile in (MODERN, ENTRY):
        plays = plays_for(profile, position, roll)
        tried = [other, position, *list(plays)[:2]]
        for left in tried:
            assert bool(Turn(profile, position, roll).fault_of(left)) == (left not in plays)
