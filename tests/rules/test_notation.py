"""Plays as text: one style in writing, every usual spelling in reading."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from companion.errors import BadTextError, IllegalPlayError
from companion.rules.board import BAR, OFF, Position, Roll, checkers_on
from companion.rules.moves import Move
from companion.rules.notation import Hop, carry_out, find_play, read_hops, write_hops, write_play
from companion.rules.plays import legal_plays, plays_for
from companion.rules.profiles import PROFILES
from tests.support.collection import read_rows, thinned
from tests.support.positions import pos
from tests.support.rules.strategies import any_position, rolls

START = Position.start()


@pytest.mark.parametrize(
    ("play", "text"),
    [
        pytest.param((), "", id="dance"),
        pytest.param((Move(6, 5), Move(8, 5)), "8/5 6/5", id="highest first"),
        pytest.param((Move(24, 18), Move(18, 16)), "24/16", id="one checker joined"),
        pytest.param((Move(24, 18, True), Move(18, 16)), "24/18*/16", id="a hit on the way shown"),
        pytest.param((Move(25, 20, True),), "bar/20*", id="bar and hit"),
        pytest.param((Move(6, 0), Move(6, 0)), "6/off(2)", id="off, counted"),
        pytest.param((Move(8, 4), Move(8, 4), Move(6, 2), Move(6, 2)), "8/4(2) 6/2(2)", id="doubles"),
        pytest.param((Move(24, 22), Move(24, 22), Move(22, 20), Move(22, 20)), "24/20(2)", id="both joined"),
        pytest.param((Move(8, 5, True), Move(8, 5)), "8/5*(2)", id="one hit for two"),
        pytest.param((Move(13, 11), Move(13, 8)), "13/11 13/8", id="the higher target first"),
    ],
)
def test_writing(play: tuple[Move, ...], text: str) -> None:
    assert write_play(play) == text


def test_written_as_gnu_backgammon_writes_them(collection: Path) -> None:
    """The oracle's `moves` are its spelling."""
    for case in thinned(read_rows(collection / "oracle" / "legal_dev.jsonl.gz"), 1000):
        plays = legal_plays(Position.of_ints(case["pos"], case["off"]), Roll.of(*case["dice"]))
        for result, text in zip(case["results"], case["moves"], strict=False):
            after = Position.of_ints(result)
            assert write_play(plays[after]) == text
            assert find_play(text, plays) == plays[after]


@given(any_position, rolls)
@settings(max_examples=60, deadline=None)
def test_what_is_written_is_read_back(position: Position, roll: Roll) -> None:
    for name in ("modern", "spielestart"):
        plays = plays_for(PROFILES[name], position, roll)
        for after in list(plays)[:15]:
            text = write_play(plays[after])
            if text:
                found = find_play(text, plays)
                assert write_play(found) == text
                left = carry_out(position, read_hops(text))
                assert left.mine == after.mine
                assert find_play(text.upper(), plays) == found
                assert find_play(text.replace("bar", "25").replace("off", "0"), plays) == found


@pytest.mark.parametrize(
    ("position", "dice", "said", "text"),
    [
        pytest.param(START, (3, 1), "6/5 8/5", "8/5 6/5", id="any order"),
        pytest.param(START, (3, 1), " 31: 8/5, 6/5 ", "8/5 6/5", id="the roll in front, a comma"),
        pytest.param(START, (3, 1), "8-5 6-5", "8/5 6/5", id="hyphens"),
        pytest.param(START, (3, 1), "31 8/5 6/5", "8/5 6/5", id="the roll in front, no colon"),
        pytest.param(START, (3, 1), "8–5 6—5", "8/5 6/5", id="dashes"),
        pytest.param(START, (3, 1), "8 / 5  6/ 5.", "8/5 6/5", id="spaces round the stroke, a full stop"),
        pytest.param(START, (1, 1), "８／７（２）　６／５ (2)", "8/7(2) 6/5(2)", id="a Japanese keyboard"),
        pytest.param(START, (3, 1), "8/5* 6/5", "8/5 6/5", id="a star too many"),
        pytest.param(START, (6, 5), "24/13", "24/13", id="abbreviated run"),
        pytest.param(START, (6, 5), "24/18/13", "24/13", id="every stop"),
        pytest.param(START, (4, 4), "24/20(2) 13/9 (2)", "24/20(2) 13/9(2)", id="a space before the count"),
        pytest.param(START, (4, 4), "24/20 24/20 13/9 13/9", "24/20(2) 13/9(2)", id="written out"),
        pytest.param(START, (4, 4), "24/16(2)", "24/16(2)", id="two runs"),
        pytest.param(pos({BAR: 1, 6: 2}, {20: 1}), (5, 3), "25/20 6/3", "bar/20* 6/3", id="25, no star"),
        pytest.param(pos({BAR: 1, 6: 2}, {20: 1}), (5, 3), "Bar/20* 6/3", "bar/20* 6/3", id="Bar"),
        pytest.param(pos({BAR: 1, 6: 2}, {20: 1}), (5, 3), "B/20*/17", "bar/20*/17", id="B, and on"),
        pytest.param(pos({6: 2}), (6, 6), "6/0(2)", "6/off(2)", id="0 is off"),
        pytest.param(pos({6: 2}), (6, 6), "6/Off 6/OFF", "6/off(2)", id="Off and OFF"),
        pytest.param(pos({6: 2}), (6, 6), "6/o(2)", "6/off(2)", id="o"),
        pytest.param(pos({3: 1, 2: 1}), (6, 5), "3/-3 2/-3", "3/off 2/off", id="beyond off"),
        pytest.param(pos({24: 1}, {18: 1}), (6, 2), "24/18*/16", "24/18*/16", id="the star says which way"),
        pytest.param(pos({24: 1}, {18: 1}), (6, 2), "24/16", "24/16", id="without it, the other way"),
        pytest.param(pos({24: 1}, {18: 1, 22: 2}), (6, 2), "24/16", "24/18*/16", id="only one way is open"),
        pytest.param(pos({24: 1}, {18: 1, 16: 1}), (6, 2), "24/18*/16*", "24/18*/16*", id="two hits"),
        pytest.param(pos({BAR: 1}, {24: 2, 23: 2}), (2, 1), "cannot move", "", id="a dance in words"),
        pytest.param(pos({BAR: 1}, {24: 2, 23: 2}), (2, 1), "", "", id="a dance by saying nothing"),
    ],
)
def test_reading(position: Position, dice: tuple[int, int], said: str, text: str) -> None:
    assert write_play(find_play(said, legal_plays(position, Roll.of(*dice)))) == text


@pytest.mark.parametrize(
    "said",
    ["8", "8/5/", "x/5", "8/26", "5/8", "8/5(9)", "8/5 hello", "8//5", "bar", "8/5*(x)", "1e3/2", "²/1"],
)
def test_what_is_no_play_is_refused(said: str) -> None:
    with pytest.raises(BadTextError, match="no play"):
        read_hops(said)


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        pytest.param("13/8", "is no legal play", id="not a number of the roll"),
        pytest.param("8/5", "is only a part of a play: enter the whole one, such as", id="half a play"),
        pytest.param("", "has to be made", id="no play where there is one"),
        pytest.param("12/9 6/5", "no such checker", id="nobody there"),
    ],
)
def test_what_is_not_legal_is_refused(said: str, sentence: str) -> None:
    with pytest.raises(IllegalPlayError, match=sentence):
        find_play(said, legal_plays(START, Roll.of(3, 1)))


def test_carrying_out_asks_nobody_whether_it_is_legal() -> None:
    left = carry_out(pos({24: 2, 6: 1}, {20: 1, 16: 1}), read_hops("24/20*/16 6/1"))
    both_hit = checkers_on({OFF: 13, BAR: 2})
    assert left == Position(checkers_on({OFF: 12, 24: 1, 16: 1, 1: 1}), both_hit)


def test_what_was_said_is_given_back_in_its_own_order() -> None:
    said = (Hop((6, 5)), Hop((24, 18, 16), frozenset({18})))
    assert write_hops(said) == "6/5 24/18*/16"
    assert read_hops(write_hops(said)) == said
