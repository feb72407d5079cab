"""The history's lines, their rows, what a director can correct of them, and what an undo takes back."""

import pytest

from companion.errors import GameError, OutOfTurnError
from companion.game.table import Table
from companion.protocol.history import MOST_LINES, game_history
from tests.support.script import Script


def lines(script: Script) -> list[tuple[int | None, str | None, str]]:
    return [(line["turn"], line["side"], line["text"]) for line in script.view["history"]]


def named(**match: object) -> Script:
    script = Script()
    return script.do("new_match", players={"south": "Anna", "north": "Mehmet"}, **match)


def test_rows_count_as_in_a_match_file_with_a_place_for_a_double_and_its_answer() -> None:
    script = named().opening(1, 3).play("8/5 6/5").do("done")
    script.turn(6, 4, "24/14").do("double").do("take").roll(2, 1)
    assert lines(script)[1:] == [
        (None, None, "opening: Anna 1, Mehmet 3"),
        (1, "north", "8/5 6/5"),
        (2, "south", "6-4 (entered)"),
        (2, "south", "24/14"),
        (2, "north", "doubles"),
        (3, "south", "take"),
        (3, "north", "2-1 (entered)"),
    ]


def test_rows_begin_anew_in_each_game() -> None:
    script = named().opening(3, 1).play("8/5 6/5").do("done").do("resign", side="north").do("accept")
    script.do("next_game").opening(3, 1).play("8/5 6/5")
    assert [(line["game"], line["turn"]) for line in script.view["history"] if line["text"] == "8/5 6/5"] == [
        (1, 1),
        (2, 1),
    ]


def test_a_long_game_is_whole_by_itself() -> None:
    script = named(length=3).ready()
    for _ in range(MOST_LINES):
        script.do("set_position", score={"south": 1})
    assert len(script.view["history"]) == MOST_LINES
    whole = game_history(script.table, 1, amendable=False)
    assert len(whole["history"]) == MOST_LINES + 2
    with pytest.raises(GameError, match="no such game"):
        game_history(script.table, 2, amendable=False)
    with pytest.raises(OutOfTurnError):
        game_history(Table(), 1, amendable=False)


def test_an_earlier_game_is_corrected_by_its_director() -> None:
    script = named().opening(3, 1).play("8/5 6/5").do("done").do("resign", side="north").do("accept")
    script.do("next_game").opening(3, 1)
    resigned = next(
        line
        for line in game_history(script.table, 1, amendable=True)["history"]
        if line["action"]["type"] == "resign"
    )
    script.do("amend", event=resigned["n"], to={"worth": 2, "side": "north"})
    assert script.score == (2, 0)


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ({}, {"type": "roll", "dice": [6, 4], "side": "south"}),
        ({"face": None}, {"type": "roll", "dice": [None, 4], "side": "south"}),
    ],
)
def test_a_cocked_or_unread_throw_can_be_amended(by: dict[str, object], expected: object) -> None:
    from companion.rules.referee import Rest

    script = Script().ready().thrown(6, 4, **({"rest": Rest.ON_CHECKER} | by))
    assert script.view["ruling"] in ("cocked", "unread")
    line = script.view["history"][-1]
    assert line["action"] == expected
    script.do("amend", event=line["n"], to={"dice": [6, 4]})
    assert (script.view["phase"], script.view["roll"]) == ("rolled", [6, 4])


def test_a_named_doublet_can_be_amended() -> None:
    script = Script("acey_deucey", length=1).south_begins().roll(2, 1).play("bar/23 bar/24")
    script.do("name", number=6)
    (line,) = (line for line in script.view["history"] if line["text"] == "names 6-6")
    assert line["action"] == {"type": "name", "number": 6}
    script.do("amend", event=line["n"], to={"number": 5})
    assert script.view["roll"] == [5, 5]


def test_a_throw_that_was_ruled_cocked_by_hand_can_be_amended() -> None:
    script = Script().ready().thrown(6, 4).do("rule", ruling="cocked")
    line = script.view["history"][-1]
    assert line["action"] == {"type": "rule", "dice": []}
    script.do("amend", event=line["n"], to={"dice": [5, 4]})
    assert (script.view["phase"], script.view["roll"]) == ("rolled", [5, 4])


def test_a_cocked_opening_throw_can_be_amended() -> None:
    from companion.game.events import Thrown
    from companion.rules.referee import DieAtRest, Half, Rest

    script = Script()
    dice = (DieAtRest(6, Rest.ON_RIM, Half.RIGHT, 0.0), DieAtRest(4, Rest.FLAT, Half.LEFT, 0.0))
    script.take(Thrown(dice, at_ms=1))
    line = script.view["history"][-1]
    assert line["action"] == {"type": "opening", "south": None, "north": None}
    script.do("amend", event=line["n"], to={"south": 4, "north": 6})
    assert (script.turn_of, script.view["roll"]) == ("north", [6, 4])


@pytest.mark.parametrize("side", ["south", "north"])
def test_an_opening_typed_as_a_roll_is_corrected_like_any_other(side: str) -> None:
    script = named().do("roll", dice=[5, 2], side=side)
    thrown = {"south": 5, "north": 2} if side == "south" else {"south": 2, "north": 5}
    line = script.view["history"][-1]
    assert (line["action"], line["turn"]) == ({"type": "opening", **thrown}, None)
    assert line["text"] == f"opening: Anna {thrown['south']}, Mehmet {thrown['north']}"
    script.play(script.view["plays"][0]["text"]).do("done")
    script.do("amend", event=line["n"], to={"south": 6, "north": 1})
    assert script.view["history"][1]["text"].startswith("opening: Anna 6, Mehmet 1 (corrected")


def test_an_opening_typed_as_a_roll_takes_new_dice_for_its_side() -> None:
    script = Script().do("roll", dice=[5, 2], side="north")
    script.do("amend", event=2, to={"dice": [4, 3]})
    assert (script.turn_of, script.view["roll"]) == ("north", [4, 3])


def test_both_dice_of_an_opening_are_corrected() -> None:
    script = Script("spielestart").do("roll", dice=[5, 2], side="south").do("opening", north=[6, 4])
    lines = script.view["history"]
    assert lines[1]["action"] == {"type": "opening", "south": [5, 2], "north": [None, None]}
    assert lines[2]["action"] == {"type": "opening", "south": [5, 2], "north": [6, 4]}
    assert script.turn_of == "north"
    script.do("amend", event=2, to={"south": [6, 6]})
    assert script.turn_of == "south"


def test_an_early_roll_keeps_its_side_when_it_is_corrected() -> None:
    script = Script(premature_roll="opponent_chooses").opening(3, 1).play("8/5 6/5").roll(6, 5, side="north")
    assert script.view["dispute"]["roll"] == [6, 5]
    script.do("amend", event=4, to={"dice": [6, 4]})
    assert script.view["dispute"]["roll"] == [6, 4]


def test_an_early_roll_may_be_entered_before_the_turn_is_over() -> None:
    script = Script(premature_roll="opponent_chooses").opening(3, 1)
    for _ in range(2):
        assert "roll" in script.view["may"]
        script.play("8/5 6/5")
    script.roll(6, 5, side="north")
    assert script.view["dispute"]["kind"] == "premature_roll"


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ([("opening", {"south": 3, "north": 1})], "Opening roll"),
        ([("play", {"moves": [[8, 5]]})], "8/5"),
        ([("play", {"moves": [[8, 5]]}), ("play", {"moves": [[8, 5], [6, 5]]})], "6/5"),
        ([("play", {"text": "8/5 6/5"})], "8/5 6/5"),
        ([("play", {"text": "8/5 6/5"}), ("done", {})], "end of the turn"),
        ([("lift", {})], "end of the turn"),
        ([("play", {"text": "8/5 6/5"}), ("done", {}), ("roll", {"dice": [6, 4]})], "6-4 (entered)"),
        ([("play", {"text": "8/5 6/5"}), ("done", {}), ("double", {})], "doubles"),
        ([("play", {"text": "8/5 6/5"}), ("done", {}), ("double", {}), ("take", {})], "take"),
        ([("resign", {"worth": 2})], "resigns a gammon"),
        ([("resign", {"worth": 2}), ("accept", {})], "accepts the resignation"),
        ([("resign", {"points": 2}), ("refuse", {"why": "too few"})], "refuses the settlement"),
        (
            [
                (
                    "settings",
                    {"overrides": {"aids": "withheld"}, "why": "both players asked for it, before the match"},
                )
            ],
            "settings: Aids (plays and pips)",
        ),
    ],
)
def test_undo_says_what_it_takes_back(steps: list[tuple[str, dict[str, object]]], text: str) -> None:
    script = Script(premature_roll="stands")
    for kind, more in ([] if steps[0][0] == "opening" else [("opening", {"south": 3, "north": 1})]) + steps:
        script.do(kind, **more)
    assert script.view["undo_text"] == text


def test_undo_goes_past_a_call_of_the_director_which_stands():
    script = Script().opening(3, 1).play("8/5 6/5").do("done").do("call_director", side="south")
    assert script.view["undo_text"] == "end of the turn"
    script.do("undo")
    assert script.view["phase"] == "played"
    assert script.view["match"]["director"], "nobody has come yet"
    script.do("call_director", over=True)
    assert script.view["undo_text"] == "8/5 6/5"
    script.do("undo").do("amend", event=2, to={"south": 6, "north": 5})
    assert script.view["phase"] == "rolled"
    assert not script.view["match"]["director"]
    calls = [line["undone"] for line in script.view["history"] if "director" in line["text"]]
    assert calls == [False, False]


def test_a_call_alone_is_no_step_for_undo():
    script = Script().ready().do("call_director")
    assert script.view["undo_text"] == Script().ready().view["undo_text"]
    assert "call_director" in script.view["may"]


def test_undo_says_nothing_where_nothing_can_be_undone() -> None:
    assert Script().view["undo_text"] == ""
    assert Script().ready().seen_by("viewer")["undo_text"] == ""


def test_numbers_of_turns_stay_in_order_when_the_waiting_side_resigns():
    """South, who begins, resigns while north is on roll, and the other way round."""
    south = Script().opening(3, 1).play("8/5 6/5").do("done").do("resign", side="south", worth=1).do("accept")
    north = Script().opening(3, 1).do("resign", side="north", worth=1).do("accept")
    for script in (south, north):
        numbers = [turn for turn, _side, _text in lines(script) if turn is not None]
        assert numbers == sorted(numbers)
        assert [side for _turn, side, _text in lines(script)[-2:]] == (
            ["south", "north"] if script is south else ["north", "south"]
        )


@pytest.mark.parametrize("on_roll", ["south", "north"])
@pytest.mark.parametrize("resigning", ["south", "north"])
def test_a_refused_resignation_stands_in_the_row_of_the_turn_that_goes_on(
    on_roll: str, resigning: str
) -> None:
    script = Script().opening(3, 1).play("8/5 6/5").do("done")
    if on_roll == "south":
        script.turn(6, 2, "24/18 13/11")
    script.do("resign", side=resigning, worth=1).do("refuse").roll(4, 2).play("8/4 6/4").do("done")
    numbers = [turn for turn, _side, _text in lines(script) if turn is not None]
    assert numbers == sorted(numbers)
    assert numbers[-1] == (2 if on_roll == "south" else 1)


def test_a_resignation_instead_of_an_answer_to_a_double_stands_in_the_answers_row() -> None:
    script = Script().opening(3, 1).play("8/5 6/5").do("done").do("double")
    script.do("resign", side="south", worth=1).do("refuse").do("take").roll(4, 2)
    numbers = [turn for turn, _side, _text in lines(script) if turn is not None]
    assert numbers == [1, 1, 2, 2, 2, 2]


def test_calls_and_answers_of_the_waiting_side_stand_in_the_row_of_the_turn() -> None:
    script = Script("modern").opening(3, 1).play("8/5 6/5").do("done").roll(6, 2)
    script.do("call_director", side="south").do("call_director", over=True)
    script.do("play", moves=[[24, 18], [13, 10]], made=True).do("correct").play("24/18 13/11")
    numbers = [turn for turn, _side, _text in lines(script) if turn is not None]
    assert set(numbers) == {1}


def test_answers_of_a_chouettes_partners_take_one_place_together() -> None:
    script = Script().do("new_match", chouette=["Ann", "Bob", "Cem", "Dora"])
    script.opening(3, 1).play("8/5 6/5").do("done").turn(6, 2, "24/18 13/11").do("double")
    script.do("take", partner="Bob").do("pass", partner="Cem").do("take", partner="Dora").roll(4, 2)
    script.play("8/4 6/4").do("done").do("double", partners=["Bob", "Dora"])
    script.do("take", partner="Bob").do("take", partner="Dora").roll(3, 1)
    rows = [(turn, side) for turn, side, _text in lines(script) if turn]
    assert list(dict.fromkeys(rows)) == [
        (1, "south"),
        (1, "north"),
        (2, "south"),  # doubles; the partners' answers are the place after it
        (3, "south"),
        (3, "north"),  # doubles
        (4, "south"),
        (4, "north"),
    ]


def test_parts_of_a_doublet_that_runs_on_take_one_place_and_what_is_left_is_of_the_opponents_turn() -> None:
    script = Script("jioul").opening(3, 1).set({24: 1, 23: 1, 2: 13}, {14: 2, 7: 1, 6: 12})
    script.roll(4, 4).play("24/8").play("8/3").do("done")
    script.play("14/9(2) 9/4").play("9/3 7/1 6/off(2)").roll(2, 1).play("6/3").do("done").roll(3, 2)
    assert script.turn_of == "south"
    assert [(turn, side, text) for turn, side, text in lines(script) if turn] == [
        (1, "south", "4-4 (entered)"),
        (1, "south", "24/8"),
        (1, "south", "5-5: 8/3"),
        (1, "north", "5-5: 14/4 14/9"),
        (1, "north", "6-6: 9/3 7/1 6/off(2)"),
        (1, "north", "2-1 (entered)"),
        (1, "north", "6/3"),
        (2, "south", "3-2 (entered)"),
    ]


def test_named_doublet_is_of_the_turn_of_its_roll_and_the_next_throw_has_its_own_place() -> None:
    script = Script("acey_europe").opening(3, 1).roll(2, 1).play("bar/24 bar/23").do("name", number=4)
    script.play("bar/21(4)").play("bar/22(4)").do("done").roll(6, 5)
    rows = [(turn, side) for turn, side, _text in lines(script) if turn]
    assert list(dict.fromkeys(rows)) == [(1, "south"), (2, "south")]
    assert rows.count((1, "south")) == 5
