"""The check with twelve throws: what is asked, what becomes of it, and that the match never hears of it."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from companion.camera.recorded import Awaited
from companion.service.twelve_throws import ABANDONED_S, OF, WORDS, Order
from tests.support.camera import dice
from tests.support.published import faults
from tests.support.real_page import RealTable
from vision.watch.tried import THROWS, Shortcoming
from web.bodies import TryThrows


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RealTable]:
    """A table with a camera, on which nothing has happened."""
    one = RealTable(tmp_path / "table")
    yield one
    one.close()


def order(table: RealTable, word: Order, throw: int = 0, roll: list[int] | None = None) -> str:
    """Give an order; returns why it was refused, else an empty text."""
    throws = table.page.services.throws
    assert throws is not None
    return str(throws.order(TryThrows(word, throw, roll)))


def told(table: RealTable) -> Any:
    return table.check.look()


def outcomes(table: RealTable) -> list[str | None]:
    return [one["outcome"] for one in told(table)["throws"]]


def begun(table: RealTable) -> None:
    assert order(table, "begin") == ""


def throw(table: RealTable, *faces: int | None, why: str = "") -> None:
    table.lifted()
    table.thrown(*faces, why=why)


def test_the_words_are_for_every_shortcoming_and_the_number_is_the_same() -> None:
    assert set(WORDS) == {one.value for one in Shortcoming}
    assert OF == THROWS
    (words,) = (field for field in msgspec.structs.fields(TryThrows) if field.name == "order")
    assert set(get_args(words.type)) == set(get_args(Order))


ANSWERS: dict[str, tuple[tuple[int | None, int | None], str, Order, list[int] | None, str]] = {
    "read right": ((6, 4), "", "right", None, "right"),
    "the numbers that were read": ((6, 4), "", "dice", [4, 6], "right"),
    "other numbers": ((6, 4), "", "dice", [5, 4], "wrong"),
    "cocked dice taken for flat": ((6, 4), "", "cocked", None, "wrong"),
    "rightly cocked": ((6, 4), "leaning", "right", None, "right"),
    "rightly cocked, in other words": ((6, 4), "leaning", "cocked", None, "right"),
    "falsely cocked": ((6, 4), "leaning", "dice", [6, 4], "cocked"),
    "not read": ((6, None), "", "dice", [6, 2], "unread"),
    "not read, and cocked": ((6, None), "", "cocked", None, "unread"),
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_what_becomes_of_a_throw_by_what_people_say(table: RealTable, answer: str) -> None:
    faces, why, word, roll, outcome = ANSWERS[answer]
    begun(table)
    throw(table, *faces, why=why)
    assert told(table)["state"] == "asking"
    assert order(table, word, 1, roll) == ""
    assert told(table)["state"] == "waiting"
    assert outcomes(table) == [outcome]


def test_nothing_that_was_not_read_can_be_right(table: RealTable) -> None:
    begun(table)
    throw(table, 6, None)
    assert order(table, "right", 1) == "Nothing was read that could be right; tap what lies there."
    assert outcomes(table) == [None]


def test_dice_may_lie_anywhere_on_the_board(table: RealTable) -> None:
    begun(table)
    throw(table, 6, 4, why="split_halves")
    throw(table, 6, 4, why="wrong_half")
    assert told(table)["throws"][0]["ruling"] == "valid"


def test_an_answer_is_for_its_throw_only(table: RealTable) -> None:
    assert order(table, "right", 1) == "No throws are being tried now."
    begun(table)
    assert order(table, "right", 1) != ""
    throw(table, 6, 4)
    assert order(table, "missed", 1) != "", "first it is answered"
    assert order(table, "right", 2) != ""
    assert order(table, "right", 1) == ""
    assert order(table, "right", 1) != "", "a second tap answers nothing"
    assert outcomes(table) == ["right"]


def test_a_throw_that_was_not_answered_is_replaced(table: RealTable) -> None:
    begun(table)
    throw(table, 6, 4)
    throw(table, 3, 1)
    (only,) = told(table)["throws"]
    assert [die["value"] for die in only["dice"]] == [3, 1]
    assert (only["n"], only["id"]) == (1, 2)
    assert order(table, "cocked", 1) != "", "the tap was meant for the dice before"
    assert order(table, "right", 2) == ""
    assert outcomes(table) == ["right"]


def test_a_throw_that_was_not_seen_is_told_with_the_newest_picture(table: RealTable) -> None:
    begun(table)
    assert order(table, "missed", 0) == ""
    assert told(table)["throws"][0]["picture"] is None
    table.shows_board()
    assert order(table, "missed", 0) != "", "a second tap tells of no other throw"
    assert order(table, "missed", 1) == ""
    assert outcomes(table) == ["missed", "missed"]
    picture = table.check.picture(2)
    assert picture is not None
    assert picture.startswith(b"\xff\xd8")
    for nothing in (0, 1, 3, -1):
        assert table.check.picture(nothing) is None


def test_twelve_good_throws_are_good_enough(table: RealTable) -> None:
    begun(table)
    for number in range(1, OF + 1):
        assert told(table)["verdict"] is None
        throw(table, 6, 4)
        assert order(table, "right", number) == ""
    check = told(table)
    assert (check["state"], check["verdict"]["good"]) == ("done", True)
    assert check["verdict"]["text"] == "Good enough: 12 of 12 throws were read right."
    assert not table.check.is_running


def test_it_ends_as_soon_as_it_is_plain_and_says_why(table: RealTable) -> None:
    table.shows_board()
    known = table.board_place.newest()
    assert known is not None
    frame, board = known
    assert board is not None
    dark = dice.in_picture((6, None), (frame.bgr * 0.06).astype("uint8"), board)
    begun(table)
    for number in range(1, 5):
        table.lifted()
        table.handle(dark)
        assert order(table, "dice", number, [6, 2]) == ""
    verdict = told(table)["verdict"]
    assert verdict["text"] == "Not good enough yet: 0 of 4 throws were read right."
    assert verdict["changes"][0]["what"] == "dark"
    assert verdict["changes"][0]["title"] == "Light"
    assert verdict["changes"][0]["throws"] == [1, 2, 3]


def test_where_the_pictures_show_nothing_wrong_that_is_said(table: RealTable) -> None:
    table.shows_board()
    known = table.board_place.newest()
    assert known is not None
    fine = dice.in_picture((6, None), known[0].bgr, known[1])
    begun(table)
    for number in range(1, 5):
        table.handle(fine)
        assert order(table, "dice", number, [6, 2]) == ""
    (only,) = told(table)["verdict"]["changes"]
    assert only["what"] == "unexplained"
    assert only["throws"] == [1, 2, 3]


# The match


def test_no_tried_throw_touches_the_match_or_its_record(table: RealTable, tmp_path: Path) -> None:
    table.begin()
    table.do("play", moves=[[24, 18], [13, 9]])
    table.do("done")
    match_id = table.state()["match"]["id"]
    before, rows = table.state(), table.journal.rows(match_id)
    pictures = sorted(one.name for one in (tmp_path / "table" / "pictures").iterdir())
    begun(table)
    for number in range(1, 5):
        throw(table, 6, 4)
        order(table, "right", number)
    assert order(table, "stop") == ""
    table.lifted()  # the last tried dice
    after = table.state()
    same = set(before) - {"seq", "notices"}
    assert {key: after[key] for key in same} == {key: before[key] for key in same}
    assert table.journal.rows(match_id) == rows
    assert sorted(one.name for one in (tmp_path / "table" / "pictures").iterdir()) == pictures
    table.thrown(3, 1)
    assert table.state()["roll"] == [3, 1], "from now on throws count"


def test_dice_of_the_match_are_lifted_for_the_match(table: RealTable) -> None:
    table.begin()
    table.do("play", moves=[[24, 18], [13, 9]])
    assert table.state()["phase"] == "played"
    begun(table)
    table.lifted()
    assert table.state()["phase"] == "on_roll", "the match's dice lay there when the check began"
    table.thrown(6, 4)
    table.lifted()
    assert table.state()["phase"] == "on_roll"


def test_what_keeps_the_check_from_beginning(table: RealTable) -> None:
    table.wanted.reads = "off"
    assert order(table, "begin") == "Nothing is read from the camera now; choose the dice first."
    table.wanted.reads = "dice"
    table.camera("none")
    assert order(table, "begin") == "No camera is used: there is nothing to try."
    table.camera("live")
    table.begin(overrides={"clock": "simple_delay"})
    table.do("clock", order="start")
    assert order(table, "begin") == "The clock is running; stop it before you try throws."
    assert not table.check.is_running


def test_its_begin_and_end_are_said_and_a_lost_camera_in_it(table: RealTable) -> None:
    begun(table)
    order(table, "stop")
    texts = [notice["text"] for notice in table.state()["notices"]]
    assert texts == [
        "Throws are being tried: they do not count in the match.",
        "No more throws are tried: from now on they count.",
    ]
    table.camera("lost", "The camera sends only noise.")
    assert told(table)["trouble"] == "The camera sends only noise."


def test_a_check_at_which_nobody_looks_is_stopped(table: RealTable, monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = time.monotonic()
    monkeypatch.setattr(table.check, "_steady_s", lambda: now_s)
    begun(table)
    now_s += ABANDONED_S - 1
    told(table)
    now_s += ABANDONED_S - 1
    table.keeper.tick()
    assert table.check.is_running
    now_s += 2
    table.keeper.tick()
    assert not table.check.is_running


def test_recorded_throws_of_both_sides_are_played_in_turn(table: RealTable) -> None:
    begun(table)
    assert table.check.awaited() == Awaited("turn", "south")
    throw(table, 6, 4)
    assert table.check.awaited() == Awaited(busy=True), "they lie until the throw is answered"
    order(table, "right", 1)
    assert table.check.awaited() == Awaited("turn", "north")


def test_it_is_shown_as_published(table: RealTable) -> None:
    table.shows_board()
    begun(table)
    for number in range(1, 5):
        table.handle(dice.throw((6, None), ("right", "right"), chances={3: 0.5, 5: 0.3}))
        assert faults(told(table), "TwelveThrows") == []
        order(table, "dice", number, [6, 3])
    assert told(table)["state"] == "done"
    assert faults(told(table), "TwelveThrows") == []
