"""The entry game: the oracle's cases, a brute force, and the rows S2 to S11 of docs/rules/play.md."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules import plays as plays_module
from companion.rules.board import BAR, OFF, Position, Roll
from companion.rules.notation import write_play
from companion.rules.plays import Plays, plays_for
from companion.rules.profiles import PROFILES
from tests.support.collection import Row, read_rows
from tests.support.positions import pos
from tests.support.rules import brute_force
from tests.support.rules.rules_pages import PLAY, rows_of
from tests.support.rules.strategies import any_position, rolls

ENTRY = PROFILES["spielestart"]


def texts(plays: Plays) -> set[str]:
    return {write_play(play) for play in plays.values()}


def plays_of(case: Row) -> Plays:
    position = Position.of_ints(case["pos"])
    return plays_for(ENTRY, position, Roll.of(*case["dice"]), doublets=case["doublets"])


def test_all_cases_of_the_oracle(collection: Path) -> None:
    wrong = []
    for case in read_rows(collection / "oracle" / "spielestart_dev.jsonl.gz"):
        plays = plays_of(case)
        results = sorted(after.ints() for after in plays)
        if (results, 0 if plays.is_dance else len(plays)) != (case["results"], case["n_plays"]):
            wrong.append(case["id"])
    assert not wrong


def test_all_single_plays_of_the_oracle(collection: Path) -> None:
    cases = read_rows(collection / "oracle" / "spielestart_after_dev.jsonl.gz")
    wrong = []
    for case in cases:
        plays = plays_of(case)
        if (Position.of_ints(case["after"]) in plays) != case["legal"]:
            wrong.append(case["id"])
    assert not wrong


@given(any_position, rolls, st.integers(0, 2))
@settings(max_examples=200, deadline=None)
def test_as_a_brute_force_finds_them(position: Position, roll: Roll, doublets: int) -> None:
    if roll.is_doubles and doublets and sum(position.mine[1:]) > 4:
        doublets = 0  # a brute force takes minutes over the four-fold doublets of many checkers
    board = tuple(position.ints()), position.mine[OFF]
    most, boards = brute_force.spielestart(board, *roll, doublets)
    plays = plays_for(ENTRY, position, roll, doublets=doublets)
    assert plays.numbers_used == most
    assert {(tuple(after.ints()), after.mine[OFF]) for after in plays} == boards


@given(any_position, st.integers(1, 6), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_one_play_is_decided_as_the_list_would(
    position: Position, number: int, chance: random.Random
) -> None:
    roll = Roll.of(number, number)
    listed = plays_for(ENTRY, position, roll, doublets=1)
    some = list(listed)
    for after in chance.sample(some, min(len(some), 8)):
        alone = plays_for(ENTRY, position, roll, doublets=1)
        assert after in alone
        play = alone[after]
        mine = list(position.mine)
        for move in play:
            mine[move.source] -= 1
            mine[move.target] += 1
        assert tuple(mine) == after.mine
        assert sum(move.hits for move in play) == after.theirs[BAR] - position.theirs[BAR]
        assert sum(after.mine) == sum(after.theirs) == 15
        moved = list(after.mine)
        source = chance.choice([place for place in range(1, 26) if moved[place]] or [OFF])
        moved[source] -= 1
        moved[max(OFF, source - chance.randint(1, 6))] += 1
        other = Position(tuple(moved), after.theirs)
        assert (other in plays_for(ENTRY, position, roll, doublets=1)) == (other in listed)


def test_one_play_of_a_huge_doublet_is_decided_without_listing(monkeypatch: pytest.MonkeyPatch) -> None:
    def listing(*args: object) -> None:
        raise AssertionError("every play was listed")

    monkeypatch.setattr(plays_module, "one_number", listing)
    position = pos(dict.fromkeys(range(10, 25), 1))
    after = pos(
        {24: 1, 23: 1, 22: 1, 21: 1, 20: 1, 19: 1, 18: 1, 17: 1, 16: 1, 15: 1, 14: 1, 6: 1, 7: 1, 5: 1, 4: 1}
    )
    plays = plays_for(ENTRY, position, Roll.of(4, 4), doublets=1)
    assert position not in plays
    assert after not in plays
    fours_and_threes = pos({**dict.fromkeys(range(14, 21), 1), **dict.fromkeys(range(2, 10), 1)})
    assert fours_and_threes not in plays
    tops_only = pos({**dict.fromkeys(range(10, 21), 1), **dict.fromkeys(range(17, 21), 2)})
    assert tops_only in plays
    assert write_play(plays[tops_only]) == "24/20 23/19 22/18 21/17"


CASES = [
    pytest.param(pos({BAR: 15}), (4, 2), 0, {"bar/23 bar/21"}, id="S2: each number enters one checker"),
    pytest.param(pos({BAR: 13, 24: 2}, {23: 2}), (4, 2), 0, {"bar/21"}, id="S2: not against a band"),
    pytest.param(
        pos({BAR: 1, 12: 1}),
        (5, 2),
        0,
        {"bar/18", "bar/23 12/7", "bar/20 12/10"},
        id="S3: the tray empty, the other number advances at once",
    ),
    pytest.param(
        pos({BAR: 1, 12: 1}, {23: 2}),
        (5, 2),
        0,
        {"bar/18", "bar/20 12/10"},
        id="S4: a higher number that enters does not wait for the lower",
    ),
    pytest.param(pos({12: 1}, {10: 2}), (5, 2), 0, {""}, id="S4: not the higher without the lower"),
    pytest.param(pos({12: 1}, {5: 2}), (5, 2), 0, {"12/10"}, id="S4: only the lower, the higher is lost"),
    pytest.param(pos({20: 1}), (4, 4), 0, {"20/12", "20/9", "20/6"}, id="S6: bottoms as one likes"),
    pytest.param(
        pos({24: 1, 6: 1}, {20: 2}),
        (4, 4),
        0,
        {"6/2", "24/21 6/2", "24/18 6/2"},
        id="S6: bottoms after the only top that can be played",
    ),
    pytest.param(pos({12: 1}, {9: 2}), (3, 3), 5, {""}, id="S6: no top, so no bottom either"),
    pytest.param(pos({12: 1}), (6, 6), 0, {"12/off"}, id="S7: who has borne off all has won at once"),
    pytest.param(pos({BAR: 2, 24: 1}, {23: 1}), (4, 2), 0, {"bar/23* bar/21"}, id="S8: hits on entering"),
    pytest.param(
        pos({12: 1}, {9: 1, 3: 2, 5: 2, 2: 2}), (3, 3), 0, {"12/9*/6"}, id="S9: no landing on a band"
    ),
    pytest.param(pos({6: 1, 2: 1}), (5, 4), 0, {"6/off", "6/1 2/off"}, id="S10: any that it reaches"),
    pytest.param(pos({7: 1, 2: 1}), (3, 2), 0, {"7/2", "7/5 2/off"}, id="S10: all at home first"),
    pytest.param(
        pos({BAR: 1}, {18: 2}),
        (5, 2),
        0,
        {"bar/23", "bar/20"},
        id="S11: either but not both: the choice is free",
    ),
]
"""Positions with their plays; each id begins with its row of docs/rules/play.md."""


@pytest.mark.parametrize(("position", "dice", "doublets", "expected"), CASES)
def test_rules(position: Position, dice: tuple[int, int], doublets: int, expected: set[str]) -> None:
    assert texts(plays_for(ENTRY, position, Roll.of(*dice), doublets=doublets)) == expected


def test_s5_the_first_doublet_counts_two_of_each_and_later_ones_four() -> None:
    position = pos({BAR: 15})
    first = {write_play(play) for play in plays_for(ENTRY, position, Roll.of(3, 3), doublets=0).values()}
    later = {write_play(play) for play in plays_for(ENTRY, position, Roll.of(3, 3), doublets=1).values()}
    assert first == {"bar/22(2)", "bar/22(2) bar/21", "bar/22(2) bar/21(2)"}
    assert later == {"bar/22(4)", *(f"bar/22(4) bar/21({n})" for n in (2, 3, 4)), "bar/22(4) bar/21"}


def test_every_row_of_the_entry_game_has_its_test() -> None:
    """All but S1, which says how both sides number the points; row 4 has its test."""
    tested = {str(case.id).partition(":")[0] for case in CASES} | {"S5"}
    assert {row.number for row in rows_of(PLAY, "S")} - {"S1"} == tested
