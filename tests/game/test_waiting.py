"""What has to be settled first: what is refused meanwhile, and what waits where everybody can see it."""

import pytest

from companion.errors import GameError
from companion.rules.board import Side
from tests.support.script import Script

SEVENTEEN = [0, -2, *[0] * 22, 17, 0]
"""What somebody says lies on the board: too many checkers."""


def impossible():
    """South's play leaves what cannot be; the dice still lie there."""
    return Script().ready().roll(6, 4).do("play", result=SEVENTEEN, made=True)


def impossible_and_lifted():
    return impossible().do("lift")


def owed():
    """South has lifted the dice before his play was entered."""
    return Script().ready().roll(6, 4).do("lift")


def wrong_start():
    script = Script().opening(3, 1).play("8/5 6/5").do("done")
    position = script.state.board.seen_by(Side.NORTH).ints()
    return script.do("set_position", pos=position, on_roll="north", wrong_start=True)


def early(**more):
    """North has rolled while south still has the turn, whose play is legal or not."""
    script = Script(premature_roll="opponent_chooses").ready().roll(3, 1)
    return script.play(more.get("play", "8/5 6/5"), made="play" in more).thrown(6, 4, by=Side.NORTH)


def illegal_and_early():
    return early(play="13/7")


REFUSED = [
    (impossible, "done", {}, "First correct the checkers and enter the play."),
    (impossible, "done", {"side": "south"}, "First correct the checkers and enter the play."),
    (impossible, "roll", {"dice": [2, 1]}, "First correct the checkers and enter the play."),
    (
        impossible,
        "roll",
        {"dice": [2, 1], "side": "north"},
        "First correct the checkers and enter the play.",
    ),
    (impossible, "double", {}, "."),
    (impossible_and_lifted, "done", {}, "First correct the checkers and enter the play."),
    (impossible_and_lifted, "roll", {"dice": [2, 1]}, "First correct the checkers and enter the play."),
    (owed, "done", {}, "The turn is over; its play is still to be entered."),
    (owed, "double", {}, "."),
    (wrong_start, "roll", {"dice": [2, 1]}, "First settle the wrong starting position."),
    (wrong_start, "lift", {}, "First settle the wrong starting position."),
    (wrong_start, "double", {}, "First settle the wrong starting position."),
    (early, "done", {}, "First settle the early roll."),
    (early, "play", {"text": "13/7", "made": True}, "First settle the early roll."),
    (early, "play", {"result": SEVENTEEN, "made": True}, "First settle the early roll."),
    (illegal_and_early, "done", {}, "First settle the early roll."),
]


@pytest.mark.parametrize(
    ("begin", "kind", "more", "why"), REFUSED, ids=[f"{one[0].__name__}-{one[1]}-{one[2]}" for one in REFUSED]
)
def test_what_cannot_be_yet_is_refused_with_a_sentence(begin, kind, more, why):
    script = begin()
    before = script.table
    with pytest.raises(GameError) as refused:
        script.do(kind, **more)
    assert str(refused.value).endswith(why)
    assert script.table is before
    assert script.view["waiting"] is None


@pytest.mark.parametrize("begin", [impossible, impossible_and_lifted, wrong_start, early, illegal_and_early])
def test_what_is_refused_is_not_offered(begin):
    offered = set(begin().view["may"])
    refused = {kind for one, kind, more, _ in REFUSED if one is begin and kind != "play"}
    assert refused
    assert not offered & refused


@pytest.mark.parametrize("begin", [impossible, impossible_and_lifted])
def test_an_impossible_position_put_right_is_played_on(begin):
    script = begin().do("correct")
    assert script.view["dispute"] is None
    script.play("24/14")
    assert script.phase == ("on_roll" if begin is impossible_and_lifted else "played")
    directly = begin().play("24/14")
    assert directly.view["dispute"] is None
    assert directly.state.board.south[14] == 1


@pytest.mark.parametrize(
    "how",
    [
        lambda script: script.roll(2, 1),
        lambda script: script.roll(2, 1, side="north"),
        lambda script: script.thrown(2, 1, by=Side.NORTH),
    ],
    ids=["typed", "typed for its side", "seen"],
)
def test_the_next_roll_waits_visibly_for_a_play_that_is_owed(how):
    script = how(owed())
    assert script.view["waiting"] == {"side": "north", "roll": [2, 1]}
    assert script.view["roll"] == [6, 4]
    assert script.notice_texts == ["North’s 2-1 waits until this is settled."]
    script.play("24/14")
    assert (script.view["waiting"], script.turn_of, script.view["roll"]) == (None, "north", [2, 1])


def test_a_throw_seen_while_the_position_is_impossible_waits_visibly():
    script = impossible_and_lifted().thrown(2, 1, by=Side.NORTH)
    assert script.view["waiting"] == {"side": "north", "roll": [2, 1]}
    assert script.view["dispute"]["kind"] == "impossible_position"
    assert script.do("correct").play("24/14").view["roll"] == [2, 1]


def test_a_roll_thrown_while_the_double_is_answered_waits_visibly():
    script = Script().ready().do("double").thrown(2, 1)
    assert script.view["waiting"] == {"side": "south", "roll": [2, 1]}
    assert script.do("take").view["roll"] == [2, 1]
    assert script.view["waiting"] is None


def test_an_early_roll_that_is_void_leaves_the_illegal_play_to_be_answered():
    script = illegal_and_early()
    assert script.view["dispute"]["kind"] == "premature_roll"
    assert script.do("refuse").view["dispute"]["kind"] == "illegal_play"
    assert script.do("correct").view["roll"] == [3, 1]


def test_an_early_roll_that_stands_lets_the_illegal_play_stand_when_its_turn_comes():
    script = illegal_and_early().do("accept")
    assert script.view["dispute"]["kind"] == "illegal_play"
    assert script.view["waiting"] == {"side": "north", "roll": [6, 4]}
    script.do("done")
    assert (script.view["dispute"], script.view["roll"]) == (None, [6, 4])
    assert script.notice_texts[-1] == "North has rolled: the illegal play stands."


def test_an_early_roll_rolled_twice_still_leaves_the_illegal_play():
    script = illegal_and_early().thrown(5, 3, by=Side.NORTH).do("refuse")
    assert script.view["dispute"]["kind"] == "illegal_play"
