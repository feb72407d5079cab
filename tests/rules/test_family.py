"""The other games: against a slow statement, counted from the start, and the rows of docs/rules/family.md."""

import ast
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import BadPositionError, BadSettingError, IllegalPlayError
from companion.rules.board import OFF, ROLLS, Board, Position, Problem, Roll, Side, checkers_on
from companion.rules.family.outcome import Outcome, outcome_of
from companion.rules.family.profiles import ALL_PROFILES, FAMILY
from companion.rules.moves import moved
from companion.rules.notation import find_play, write_play
from companion.rules.partial_play import RefusalReason
from companion.rules.play_legality import Turn
from companion.rules.plays import plays_for
from companion.rules.positions import PinningPosition, RunningPosition
from companion.rules.profiles import PROFILES
from tests.support.rules.family_boards import (
    PLAYED,
    counts,
    differs,
    random_positions,
    scattered,
)
from tests.support.rules.rules_pages import FAMILY as PAGE
from tests.support.rules.rules_pages import rows_of

TESTS = Path(__file__).resolve().parents[1]
TWO_DEEP = {
    "plakoto": [59, 3_474],
    "fevga": [22, 479],
    "moultezim": [22, 479],
    "long_nardy": [22, 484],
    "gul_bara": [53, 2_768],
    "jioul": [59, 3_405],
    "acey_deucey": [60, 3_604],
    "acey_europe": [60, 3_604],
}
"""Plays from the start, one and two deep, as docs/rules/family.md publishes them."""


def running(mine: dict[int, int], theirs: dict[int, int]) -> Position:
    """A position of a running game, both sides in the mover's numbering; what is missing has been borne off."""
    others = checkers_on({RunningPosition.OPPOSITE[point]: count for point, count in theirs.items()})
    return RunningPosition(_filled(checkers_on(mine)), _filled(others))


def pinning(mine: dict[int, int], theirs: dict[int, int], pinned: tuple[int, ...] = ()) -> Position:
    """The same for a pinning game; `pinned`: the mover's pinned checkers."""
    others = checkers_on({25 - point: count for point, count in theirs.items()})
    bits = sum(1 << point for point in pinned)
    return PinningPosition(_filled(checkers_on(mine)), _filled(others), bits)


def _filled(side: tuple[int, ...]) -> tuple[int, ...]:
    return (15 - sum(side), *side[1:])


def texts(name: str, position: Position, high: int, low: int) -> set[str]:
    assert not position.problems()
    return {write_play(play) for play in plays_for(FAMILY[name], position, Roll.of(high, low)).values()}


@pytest.mark.parametrize("name", PLAYED)
def test_as_the_slow_statement_finds_them(name: str) -> None:
    asked = random_positions(FAMILY[name], random.Random(name), 60)
    assert [fault for position, roll in asked if (fault := differs(FAMILY[name], position, roll))] == []


@pytest.mark.parametrize("name", PLAYED)
def test_counted_truth_from_the_start(name: str) -> None:
    assert counts(FAMILY[name], 2) == TWO_DEEP[name]


def test_portes_as_its_slow_statement_finds_it_and_counted_as_published() -> None:
    portes = ALL_PROFILES["portes"]
    asked = random_positions(portes, random.Random(22), 60)
    assert [fault for position, roll in asked if (fault := differs(portes, position, roll))] == []
    assert counts(portes, 2) == [447, 202_782]


@given(st.sampled_from(PLAYED), st.integers(0, 2**32), st.sampled_from(ROLLS))
@settings(max_examples=60, deadline=None)
def test_a_play_move_by_move_leads_to_the_listed_plays_only(name: str, seed: int, roll: Roll) -> None:
    chance = random.Random(seed)
    turn = Turn(FAMILY[name], scattered(FAMILY[name], chance), roll)
    partial = turn.partial_play()
    while partial.next:
        assert not partial.is_complete
        move = chance.choice(partial.next)
        partial = partial.with_move(move.source, move.target)
    assert partial.is_complete
    assert partial.now in turn.plays()
    assert turn.position.HITS or not any(move.hits for move in partial.made)


@given(st.sampled_from(PLAYED), st.integers(0, 2**32), st.sampled_from(ROLLS))
@settings(max_examples=60, deadline=None)
def test_laws_of_positions_and_plays(name: str, seed: int, roll: Roll) -> None:
    position = scattered(FAMILY[name], random.Random(seed))
    assert position.flipped().flipped() == position
    assert Board.of(Side.NORTH, position).seen_by(Side.NORTH) == position
    plays = plays_for(FAMILY[name], position, roll)
    for after in list(plays)[:20]:
        assert position.with_checkers(after.mine, after.theirs) == after
        assert after.problems() & ~Problem.NOBODY_CAN_EVER_MOVE == Problem(0)
        assert sum(after.mine) == sum(after.theirs) == 15
        assert find_play(write_play(plays[after]), plays) == plays[after]
        if isinstance(after, PinningPosition):
            off = (after.mine[OFF], after.theirs[OFF])
            assert PinningPosition.of_shown(after.ints(), after.under(), off) == after
        else:
            read = type(after).of_ints(after.ints(), (after.mine[OFF], after.theirs[OFF]))
            assert read.with_not_entered(after.not_entered) == after


@given(st.sampled_from(PLAYED), st.integers(0, 2**32), st.sampled_from(ROLLS))
@settings(max_examples=40, deadline=None)
def test_each_refused_move_has_a_reason_and_each_illegal_result_a_fault(
    name: str, seed: int, roll: Roll
) -> None:
    chance = random.Random(seed)
    turn = Turn(FAMILY[name], scattered(FAMILY[name], chance), roll)
    partial, plays = turn.partial_play(), turn.plays()
    for source in range(1, 25):
        for number in {roll.high, roll.low}:
            refusal = partial.refusal(source, max(OFF, source - number))
            assert refusal is None or str(refusal.sentence).endswith(".")
    other = scattered(FAMILY[name], chance)
    left = turn.position.with_checkers(other.mine, turn.position.theirs)
    assert bool(turn.fault_of(left)) is (left not in plays)


PRIME = dict.fromkeys(range(6, 12), 1)
"""The six points in front of the opponent's start."""
CORNERS = [
    pytest.param(
        "fevga",
        running({24: 14, 18: 1}, {14: 15}),
        (4, 3),
        {"18/11"},
        id="F1: not where one opposing checker is",
    ),
    pytest.param("fevga", running({9: 1}, {6: 1, 5: 1}), (4, 3), {""}, id="F1: nor on the way"),
    pytest.param(
        "plakoto",
        pinning({10: 1, 5: 14}, {4: 1}),
        (6, 1),
        {"10/4 5/4", "10/3"},
        id="F2: lands on a single one",
    ),
    pytest.param("plakoto", pinning({8: 1}, {7: 2, 2: 2}), (6, 1), {""}, id="F2: two hold a point"),
    pytest.param(
        "plakoto",
        pinning({8: 1, 7: 1}, {7: 1}, (7,)),
        (1, 1),
        {""},
        id="F2: one on top of a pinned one holds a point",
    ),
    pytest.param(
        "plakoto", pinning({8: 1}, {7: 1}), (1, 1), {"8/4"}, id="F2: what was pinned on the way is free again"
    ),
    pytest.param("plakoto", pinning({8: 2, 3: 1}, {3: 1}), (5, 4), {"8/4 8/3"}, id="F2: a second one on top"),
    pytest.param(
        "plakoto", pinning({9: 1, 4: 1}, {9: 1}, (9,)), (3, 2), {"4/1"}, id="F2: a pinned one stays"
    ),
    pytest.param(
        "plakoto",
        pinning({5: 1, 3: 1}, {5: 1}, (5,)),
        (3, 2),
        {"3/1"},
        id="F3: nobody bears off while pinned",
    ),
    pytest.param(
        "plakoto",
        pinning({6: 1, 3: 1}, {9: 1}),
        (6, 3),
        {"6/off 3/off", "6/off"},
        id="F3: free ones are borne off",
    ),
    pytest.param("fevga", running({24: 15}, {12: 15}), (6, 6), {"24/18"}, id="F5: after 6-6 one six"),
    pytest.param(
        "fevga", running({24: 14, 20: 1}, {12: 15}), (2, 1), {"20/17"}, id="F5: only the first checker moves"
    ),
    pytest.param(
        "fevga",
        running({24: 14, 14: 1}, {12: 15}),
        (3, 1),
        {"14/10", "24/23 14/11"},
        id="F5: the rest of the roll is free once it has passed",
    ),
    pytest.param(
        "long_nardy",
        running({24: 14, 20: 1}, {12: 15}),
        (2, 1),
        {"24/21", "24/23 20/18", "24/22 20/19", "20/17"},
        id="F8: one from the head",
    ),
    pytest.param(
        "long_nardy", running({24: 15}, {12: 15}), (6, 6), {"24/18(2)"}, id="F8: two with a first 6-6"
    ),
    pytest.param(
        "long_nardy", running({24: 15}, {12: 15}), (4, 4), {"24/16(2)"}, id="F8: two with a first 4-4"
    ),
    pytest.param(
        "long_nardy",
        running({24: 15}, {12: 15}),
        (3, 3),
        {"24/15 24/21", "24/18(2)"},
        id="F8: two with a first 3-3",
    ),
    pytest.param("long_nardy", running({24: 15}, {12: 15}), (5, 5), {"24/4"}, id="F8: one with a first 5-5"),
    pytest.param(
        "long_nardy",
        running({24: 14}, {12: 15}),
        (6, 6),
        {"24/18"},
        id="F8: one with a 6-6 that is not the first",
    ),
]
"""Positions with their plays; each id begins with its row of docs/rules/family.md."""


@pytest.mark.parametrize(("name", "position", "dice", "expected"), CORNERS)
def test_rules(name: str, position: Position, dice: tuple[int, int], expected: set[str]) -> None:
    assert texts(name, position, *dice) == expected


def refusal(name: str, position: Position, dice: tuple[int, int], source: int, target: int) -> str:
    """The reason against a first move; empty if it is allowed."""
    refused = Turn(FAMILY[name], position, Roll.of(*dice)).partial_play().refusal(source, target)
    return str(refused.sentence) if refused else ""


def test_f2_the_pinned_one_is_free_once_nothing_is_on_it() -> None:
    position = pinning({9: 1, 4: 14}, {9: 1}, (9,))
    assert "pinned" in refusal("plakoto", position, (2, 1), 9, 7)
    left = next(iter(plays_for(FAMILY["plakoto"], position.flipped(), Roll.of(6, 5)))).flipped()
    assert left.pinned == 0
    assert refusal("plakoto", left, (2, 1), 9, 7) == ""


def test_f2_with_one_checker_each_the_position_knows_whose_is_pinned() -> None:
    mine, theirs = pinning({9: 1, 4: 14}, {9: 1}, (9,)), pinning({9: 1, 4: 14}, {9: 1})
    assert mine != theirs
    assert (mine.ints()[9], theirs.ints()[9]) == (-1, 1)
    assert (mine.under()[9], theirs.under()[9]) == (1, -1)
    assert (mine.flipped().pinned, theirs.flipped().pinned) == (0, 1 << 16)


def test_f2_two_of_each_side_cannot_be_on_a_point() -> None:
    assert Problem.BOTH_ON_ONE_POINT in pinning({9: 2}, {9: 2}).problems()
    assert Problem.BOTH_ON_ONE_POINT in pinning({9: 2}, {9: 1}, (9,)).problems()
    assert Problem.BOTH_ON_ONE_POINT in pinning({9: 1}, {}, (9,)).problems()
    assert pinning({9: 2}, {9: 1}).problems() == Problem(0)


@pytest.mark.parametrize(
    ("ints", "under"),
    [
        ([0] * 26, [0] * 25),
        ([0] * 26, [2] + [0] * 25),
        ([0] * 26, [0, 1] + [0] * 24),
        ([0, 1, *[0] * 24], [0, 1, *[0] * 24]),
        ([-1, *[0] * 25], [1, *[0] * 25]),
        ([0, -15, *[0] * 24], [0, 1, *[0] * 23, True]),
    ],
)
def test_f2_pins_that_cannot_be_are_refused(ints: list[int], under: list[int]) -> None:
    with pytest.raises(BadPositionError):
        PinningPosition.of_shown(ints, under, None)


def test_f3_a_switch_lets_the_others_be_borne_off() -> None:
    lenient = FAMILY["plakoto"].with_overrides({"bear_off_while_pinned": True})
    position = pinning({5: 1, 3: 1}, {5: 1}, (5,))
    plays = plays_for(lenient, position, Roll.of(3, 2))
    assert {write_play(play) for play in plays.values()} == {"3/off"}
    with_six = plays_for(lenient, position, Roll.of(6, 4))
    assert with_six.is_dance, "the pinned checker is the highest, and does not move"


MOTHERS = [
    pytest.param(
        pinning({24: 1, 6: 14}, {24: 2, 13: 13}, (24,)), Outcome.MOTHER_LOST, id="F4: mine is pinned"
    ),
    pytest.param(
        pinning({24: 1, 6: 14}, {24: 2, 1: 1, 13: 12}, (24,)), None, id="F4: his start has a checker still"
    ),
    pytest.param(pinning({1: 2, 6: 13}, {1: 1, 13: 14}), Outcome.MOTHER_PINNED, id="F4: his is pinned"),
    pytest.param(pinning({1: 2, 24: 1, 6: 12}, {1: 1, 13: 14}), None, id="F4: my start has a checker still"),
    pytest.param(
        pinning({1: 1, 24: 1, 6: 13}, {1: 1, 24: 1, 13: 13}, (24,)), Outcome.TIE, id="F4: both are pinned"
    ),
    pytest.param(pinning({1: 1, 6: 14}, {1: 2, 13: 13}, (1,)), None, id="F4: only a start has a mother"),
    pytest.param(pinning({24: 2, 6: 13}, {13: 15}), None, id="F4: nobody is pinned"),
    pytest.param(pinning({}, {13: 15}), Outcome.BORNE_OFF, id="F4: all borne off"),
]


@pytest.mark.parametrize(("position", "outcome"), MOTHERS)
def test_the_end_of_plakoto(position: Position, outcome: Outcome | None) -> None:
    assert outcome_of(FAMILY["plakoto"], position) is outcome
    tapa = FAMILY["plakoto"].with_overrides({"pinned_mother_loses": False})
    assert outcome_of(tapa, position) is (outcome if outcome is Outcome.BORNE_OFF else None)


def test_f5_the_refusal_says_what_comes_first() -> None:
    position = running({24: 14, 20: 1}, {12: 15})
    assert "first checker" in refusal("fevga", position, (2, 1), 24, 22)
    assert refusal("fevga", running({24: 14, 11: 1}, {12: 15}), (2, 1), 24, 22) == ""


START_BUT_19 = {24: 9, 23: 1, 22: 1, 21: 1, 20: 1, 11: 2}


def test_f6_no_side_fills_its_own_start() -> None:
    position = running(START_BUT_19, {12: 15})
    assert "stay open" in refusal("fevga", position, (5, 4), 24, 19)
    assert refusal("moultezim", position, (5, 4), 24, 19) == ""
    for after in plays_for(FAMILY["fevga"], position, Roll.of(5, 4)):
        assert not all(after.mine[19:25])


def test_f6_not_between_two_moves_either() -> None:
    position = running({24: 1, 23: 1, 22: 1, 21: 1, 20: 2, 11: 9}, {14: 15})
    assert "20/13" in texts("moultezim", position, 6, 1)
    assert "20/13" not in texts("fevga", position, 6, 1)


def test_f6_a_prime_before_all_the_opponents_checkers_is_opened() -> None:
    position = running({**PRIME, 24: 9}, {12: 15})
    plays = plays_for(FAMILY["fevga"], position, Roll.of(5, 4))
    assert not any(all(after.mine[6:12]) for after in plays)
    assert "24/15" not in texts("fevga", position, 5, 4)
    turn = Turn(FAMILY["fevga"], position, Roll.of(5, 4))
    half = turn.partial_play([(24, 20)])
    assert "must be opened" in str(half.refusal(20, 15).sentence)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "theirs",
    [
        pytest.param({12: 14, 3: 1}, id="one is ahead"),
        pytest.param({12: 14}, id="one is borne off"),
        pytest.param({12: 14, 13: 1}, id="one is on another point"),
    ],
)
def test_f6_only_with_all_on_one_point(theirs: dict[int, int]) -> None:
    assert "24/15" in texts("fevga", running({**PRIME, 24: 9}, theirs), 5, 4)


def test_f7_no_fifth_point_in_the_opponents_start() -> None:
    position = running({11: 2, 10: 2, 9: 2, 8: 2, 13: 2, 1: 5}, {24: 15})
    assert "stay open" in refusal("moultezim", position, (6, 2), 13, 7)
    assert refusal("fevga", position, (6, 2), 13, 7) == ""


def test_f7_five_points_that_were_let_stand_keep_nothing_else_from_moving() -> None:
    position = running({11: 2, 10: 2, 9: 2, 8: 2, 7: 2, 24: 5}, {1: 15})
    assert "24/13" in texts("moultezim", position, 6, 5)
    sixth = running({11: 2, 10: 2, 9: 2, 8: 2, 7: 2, 14: 5}, {1: 15})
    assert "stay open" in refusal("moultezim", sixth, (2, 1), 14, 12)


def test_f8_the_refusal_names_the_head() -> None:
    partial = Turn(FAMILY["long_nardy"], running({24: 14, 20: 1}, {12: 15}), Roll.of(2, 1)).partial_play(
        [(24, 22)]
    )
    assert "head" in str(partial.refusal(24, 23).sentence)  # type: ignore[union-attr]


def six(points: dict[int, int], theirs: dict[int, int], source: int, target: int) -> bool:
    """Whether a move that makes a row of six is legal in Long Nardy, by a roll of its number and a one."""
    rest = {4: 15 - sum(points.values())} if sum(points.values()) < 15 else {}
    position = running({**points, **rest}, theirs)
    return not refusal("long_nardy", position, (source - target, 1), source, target)


def test_f9_six_in_a_row_need_an_opposing_checker_ahead() -> None:
    row = {10: 2, 9: 2, 8: 2, 7: 2, 6: 2, 16: 2}
    assert not six(row, {12: 15}, 16, 11)
    assert six(row, {12: 14, 5: 1}, 16, 11)
    assert six(row, {12: 14}, 16, 11), "one borne off is ahead"
    assert six(row, {12: 14, 13: 1}, 16, 11), "one at home is ahead"


def test_f9_the_opponents_way_leads_past_ones_own_start_and_ends_before_his() -> None:
    around = {24: 2, 23: 2, 22: 2, 2: 2, 1: 2, 6: 2}
    assert not six(around, {12: 15}, 6, 3)
    across = {15: 2, 14: 2, 13: 2, 11: 2, 10: 2, 17: 2}
    assert six(across, {9: 15}, 17, 12)


def test_portes_is_played_as_before_and_files_hold_no_other_game() -> None:
    assert not set(FAMILY) & set(PROFILES)
    assert set(ALL_PROFILES) == {*FAMILY, *PROFILES}
    assert all(profile.fits_files for profile in PROFILES.values())
    assert not any(profile.fits_files for profile in FAMILY.values())


SET_ELSEWHERE = (
    "start",
    "opening_roll",
    "doublets",
    "throw_again_after_doublet",
    "bear_off_with_more",
    "gammon",
)
"""Settings of these games that docs/rules/play.md states."""


def test_settings_of_a_family_differ_from_portes_in_its_rows_only() -> None:
    stated = {setting for row in rows_of(PAGE, "F") for setting in row.settings}
    for profile in FAMILY.values():
        portes = PROFILES["portes"].settings()
        differing = {key for key, value in profile.settings().items() if value != portes[key]}
        assert differing <= {*stated, *SET_ELSEWHERE}


@pytest.mark.parametrize(
    ("base", "overrides", "word"),
    [
        ("modern", {"leaving_start": "one_a_turn"}, "running"),
        ("plakoto", {"primes": "one_ahead"}, "running"),
        ("modern", {"pinned_mother_loses": True}, "pinning"),
        ("fevga", {"bear_off_while_pinned": True}, "pinning"),
        ("plakoto", {"start": "tray"}, "tray"),
        ("fevga", {"doublets": "top_and_bottom"}, "top and bottom"),
        ("fevga", {"start": {"24": 8, "12": 7}}, "same points"),
        ("portes", {"entering": "any_time"}, "with a tray"),
        ("spielestart", {"entering": "any_time"}, "with a tray"),
        ("acey_deucey", {"game_type": "blocking", "start": "all_on_24"}, "with a tray"),
        ("acey_deucey", {"end_of_turn": "clock_pressed"}, "throws again"),
        ("jioul", {"one_two": "names_doublet"}, "nobody throws again"),
        ("spielestart", {"unplayed_ends_turn": True}, "top and bottom"),
    ],
)
def test_settings_that_exclude_each_other(base: str, overrides: dict[str, object], word: str) -> None:
    with pytest.raises(BadSettingError, match=word):
        ALL_PROFILES[base].with_overrides(overrides)


@pytest.mark.parametrize("name", PLAYED)
def test_the_start_is_a_position_that_can_stand(name: str) -> None:
    assert FAMILY[name].start_position.problems() == Problem(0)
    assert sum(FAMILY[name].start_position.mine) == 15


def test_a_move_onto_a_held_point_is_refused_with_its_reason() -> None:
    with pytest.raises(IllegalPlayError, match="holds that point"):
        Turn(FAMILY["fevga"], running({24: 14, 18: 1}, {14: 15}), Roll.of(4, 3)).partial_play([(18, 14)])


def rows_with_tests() -> set[str]:
    """The rows that the names of tests and the ids of their cases begin with: `test_f18_…`, "F8: …"."""
    found = set()
    for path in (one for folder in ("rules", "game") for one in (TESTS / folder).glob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_f"):
                found |= set(re.findall(r"(?<=_)f\d+(?=_)", node.name))
            if isinstance(node, ast.keyword) and node.arg == "id" and isinstance(node.value, ast.Constant):
                found |= set(re.findall(r"^F\d+(?=: )", str(node.value.value)))
    return {row.upper() for row in found}


def test_every_row_of_the_page_has_its_test() -> None:
    assert rows_with_tests() == {row.number for row in rows_of(PAGE, "F")}


def test_words_of_the_players_are_those_of_the_page_and_two_name_their_rule() -> None:
    rows = re.findall(
        r"^\| (.+?) \| ([a-z]{2}) \| (.+?) \| (.+?) \| .+ \|$", PAGE.read_text("utf-8"), flags=re.MULTILINE
    )
    told = {(name, lang, word, means) for word, lang, names, means in rows for name in names.split(", ")}
    kept = {
        (profile.name, one.language, one.word, str(one.means))
        for profile in ALL_PROFILES.values()
        for one in profile.words
    }
    assert told == kept
    assert {name for name, *_ in kept} == {*FAMILY, "portes", "tavla"} - {"jioul"}
    for reason, profile, word in (
        (RefusalReason.MOTHER, "plakoto", "μάνα"),
        (RefusalReason.ONE_FROM_HEAD, "long_nardy", "голова"),
    ):
        assert word in {one.word for one in FAMILY[profile].words}
        assert f"({word})" in str(reason.value)


@pytest.mark.parametrize(
    ("name", "dice", "mine", "expected"),
    [
        (
            "long_nardy",
            (5, 2),
            {24: 13, 22: 1, 19: 1},
            "Only one checker may leave the head (голова) in a turn.",
        ),
        (
            "fevga",
            (5, 2),
            {24: 13, 22: 1, 19: 1},
            "The first checker must pass the opponent’s start before any other moves.",
        ),
    ],
)
def test_the_fault_of_a_position_names_the_rule_that_was_broken(
    name: str, dice: tuple[int, int], mine: dict[int, int], expected: str
) -> None:
    profile = FAMILY[name]
    before = profile.positions(profile.start, profile.start)
    left = profile.positions(checkers_on(mine), profile.start)
    assert str(Turn(profile, before, Roll(*dice)).fault_of(left)) == expected


@pytest.mark.parametrize(
    ("dice", "moves", "expected"),
    [
        pytest.param(
            (4, 1), [(24, 20), (10, 8)], "The opponent holds the 8 point.", id="held, not the numbers"
        ),
        pytest.param((2, 2), [(10, 8)], "The opponent holds the 8 point.", id="held, a doublet"),
        pytest.param((4, 1), [(10, 8), (24, 21)], "The opponent holds the 8 point.", id="held, of two"),
        pytest.param((4, 1), [(10, 15)], "Checkers moved backwards.", id="backwards"),
        pytest.param((4, 1), [(6, 8)], "The opponent holds the 8 point.", id="backwards onto a held point"),
        pytest.param(
            (4, 1), [(5, 2)], "The checker on the 5 point is pinned and cannot move.", id="a pinned checker"
        ),
        pytest.param(
            (4, 1), [(10, 5)], "The opponent holds that point.", id="onto the point of a pinned checker"
        ),
        pytest.param((4, 1), [(10, 2)], "The checkers moved 8 pips; 4-1 gives 5.", id="not the numbers"),
        pytest.param(
            (4, 1), [(3, 2), (3, 2)], "The checkers moved 2 pips; 4-1 gives 5.", id="off the pinned one"
        ),
    ],
)
def test_fault_of_a_play_of_plakoto_does_not_say_that_the_opponent_moved(
    dice: tuple[int, int], moves: list[tuple[int, int]], expected: str
) -> None:
    south = checkers_on({24: 2, 10: 9, 6: 1, 5: 1, 3: 2})
    north = checkers_on({17: 2, 20: 1, 22: 1, 24: 11})
    before = PinningPosition(south, north, 1 << 5)
    left = before.with_checkers(moved(before.mine, moves), before.theirs)
    assert str(Turn(FAMILY["plakoto"], before, Roll.of(*dice)).fault_of(left)) == expected


def test_opposing_checkers_that_moved_are_named_without_a_hit_where_nothing_is_hit() -> None:
    plakoto = FAMILY["plakoto"]
    before = plakoto.start_position
    left = before.with_checkers(before.mine, checkers_on({24: 14, 20: 1}))
    fault = Turn(plakoto, before, Roll.of(4, 1)).fault_of(left)
    assert str(fault) == "The opponent’s checkers are not where they stood."


@pytest.mark.parametrize(("name", "most"), [("plakoto", 2), ("fevga", 2), ("tavli", 2), ("long_nardy", 2)])
def test_nothing_counts_three(name: str, most: int) -> None:
    assert FAMILY[name].most_worth == most
