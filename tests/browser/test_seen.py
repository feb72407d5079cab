"""The camera keeps the board: its question on the scorekeeper's page, and the choice of what it reads."""

from itertools import pairwise

import pytest

from companion.camera.checkers import CheckersSeen
from companion.game.events import Orientation
from companion.rules.board import Board, Position, Side
from tests.support.camera.checker_views import clear_view, hidden, moved
from tests.support.camera.dice import lifted

START = Position.start().mine
PLACE = """
    const box = document.querySelector(arguments[0]).getBoundingClientRect();
    return [box.top, box.bottom];
"""
DOUBTFUL = hidden(clear_view(Board(moved(START, (13, 10), (6, 5)), START), Orientation()), {5, 6, 23, 24})


def test_play_that_the_camera_is_not_sure_of_takes_one_tap(tablet, house) -> None:
    table = house.table
    table.wanted.reads = "dice and checkers"
    house.begin(south=3, north=1)
    table.do("lift")
    table.handle(CheckersSeen(DOUBTFUL, again=True))
    tablet.open(house.link())
    tablet.sees("Which play was 3-1?", "#seen")
    assert len(tablet.all("#seen .mini")) >= 2
    tablet.tap("#seen-0")
    tablet.until(lambda: table.state()["on_roll"] == "north")
    assert table.acted[-1]["type"] == "play"
    tablet.until(lambda: tablet.all("#seen") == [], "the question to go")
    assert tablet.complaints() == []


def test_play_that_the_camera_entered_wrongly_is_corrected_by_two_taps(tablet, house) -> None:
    table = house.table
    table.wanted.reads = "dice and checkers"
    house.begin(south=3, north=1)
    table.do("lift")
    made = Board(moved(START, (8, 5), (6, 5)), START)
    table.handle(CheckersSeen(clear_view(made, Orientation())))
    tablet.open(house.link())
    tablet.sees("camera keeps the board", "header")
    assert table.state()["on_roll"] == "north"
    before = len(table.acted)
    tablet.tap("#undo")
    tablet.sees("Which play was 3-1?", "#seen")
    assert "8/5 6/5" not in tablet.text("#seen")
    assert len(tablet.all("#seen .mini")) == 3
    tablet.tap("#seen-0")
    tablet.until(lambda: table.state()["on_roll"] == "north")
    assert [one["type"] for one in table.acted[before:]] == ["undo", "play"]
    assert table.state()["dispute"] is None
    assert tablet.complaints() == []


@pytest.mark.parametrize("size", [(1180, 820), (1280, 800), (1024, 768), (1024, 600)], ids=str)
def test_question_lies_over_nothing_and_leaves_room_for_the_list_of_plays(tablet, house, size) -> None:
    table = house.table
    table.wanted.reads = "dice and checkers"
    house.begin(south=3, north=1)
    table.do("lift")
    made = Board(moved(START, (8, 5), (6, 5)), START)
    table.handle(CheckersSeen(clear_view(made, Orientation())))
    tablet.resize(*size)
    tablet.open(house.link())
    tablet.tap("#undo")
    tablet.sees("Which play was 3-1?", "#seen")
    parts = [
        tablet.script(PLACE, one) for one in (".verdict", "#seen", "#undo", "#typed-play", ".more", ".lamps")
    ]
    for (_, ends), (begins, _) in pairwise(parts):
        assert ends <= begins + 1, parts
    begins, ends = tablet.script(PLACE, ".panel .list")
    assert ends - begins >= 80
    assert all(one.text and one.is_displayed() for one in tablet.all("#seen button"))
    tablet.tap("#seen-2")
    tablet.until(lambda: table.state()["on_roll"] == "north")
    assert tablet.complaints() == []


@pytest.mark.parametrize("size", [(1180, 820), (1280, 800), (1024, 768)], ids=str)
def test_question_after_the_dice_were_lifted_fits_on_a_tablet(tablet, house, size) -> None:
    table = house.table
    table.wanted.reads = "dice and checkers"
    house.begin(south=3, north=1)
    table.do("lift")
    table.handle(CheckersSeen(DOUBTFUL, again=True))
    tablet.resize(*size)
    tablet.open(house.link())
    tablet.sees("Which play was 3-1?", "#seen")
    held, room = tablet.script(
        "const panel = document.querySelector('.panel'); return [panel.scrollHeight, panel.clientHeight];"
    )
    assert held <= room
    assert tablet.complaints() == []


def test_wrong_play_by_hand_is_replaced_by_one_tap(tablet, house) -> None:
    table = house.table
    table.wanted.reads = "dice and checkers"
    house.begin(south=3, north=1)
    table.do("play", moves=[[24, 21]])
    table.do("play", moves=[[24, 21], [6, 5]], made=True)
    table.do("lift")
    made = Board(moved(START, (8, 5), (6, 5)), START)
    table.handle(CheckersSeen(clear_view(made, Orientation()), again=True))
    tablet.open(house.link())
    tablet.sees("8/5 6/5", "#seen")
    tablet.tap("#seen-0")
    tablet.until(lambda: table.state()["position"]["board"]["points"][4] == 2)
    tablet.until(lambda: tablet.all("#seen") == [], "the question to go")
    tablet.until(lambda: table.state()["on_roll"] == "north")
    assert tablet.complaints() == []


def test_play_that_a_later_picture_contradicts_is_corrected_by_one_tap(tablet, house) -> None:
    table = house.table
    table.wanted.reads = "dice and checkers"
    house.begin(south=3, north=1)
    table.do("lift")
    for moves in (((8, 5), (6, 5)), ((24, 21), (6, 5))):
        table.handle(CheckersSeen(clear_view(Board(moved(START, *moves), START), Orientation())))
    tablet.open(house.link())
    tablet.sees("24/21 6/5", "#seen")
    tablet.tap("#seen-0")
    tablet.until(lambda: table.state()["position"]["board"]["points"][20] == 1)
    assert tablet.complaints() == []


def test_difference_from_the_record_stands_beside_the_roll_as_long_as_it_lasts(tablet, house) -> None:
    table = house.table
    table.wanted.reads = "dice and checkers"
    house.begin(south=3, north=1)
    table.do("lift")
    house.act("play", text="24/21 6/5")
    tablet.open(house.link())
    other = Board(moved(START, (24, 21), (6, 5)), moved(START, (13, 10), (8, 11)))
    table.handle(CheckersSeen(clear_view(other, Orientation()), again=True))
    tablet.sees("Camera and record differ at points 12, 14, 15, 17, as Anna counts them.", "#differs")
    made = Board(moved(START, (24, 21), (6, 5)), START)
    table.handle(CheckersSeen(clear_view(made, Orientation())))
    tablet.until(lambda: not tablet.all("#differs"), "the difference to be gone")
    tablet.sees("camera keeps the board", "header")
    assert tablet.complaints() == []


def test_card_of_an_illegal_play_shows_the_roll_and_corrects_it(tablet, house) -> None:
    table = house.table
    table.wanted.reads = "dice and checkers"
    house.to_roll()
    table.thrown(5, 2)
    house.act("rule", dice=[6, 2])
    table.handle(lifted())
    left = Board(table.keeper.table.state.board.south, moved(START, (13, 8), (13, 11)))
    table.handle(CheckersSeen(clear_view(left, Orientation()), again=True))
    tablet.open(house.link())
    tablet.sees("Illegal play", "#verdict h2")
    dice = "return [...document.querySelectorAll('#verdict .throw .face')].map((one) => one.ariaLabel)"
    tablet.gives(["6", "2"], dice)
    tablet.tap("#fix")  # the roll was right before
    tablet.tap("#die-0-5")
    tablet.sees("5-2", "#verdict h2")
    table.handle(CheckersSeen(clear_view(left, Orientation())))
    tablet.until(lambda: table.state()["on_roll"] == "south", "the play to be legal, and its turn over")
    assert table.state()["dispute"] is None
    assert table.state()["position"]["board"]["points"] == left.seen_by(Side.SOUTH).ints()[1:25]
    assert tablet.complaints() == []


def test_camera_that_reads_nothing_is_not_said_to_keep_the_board(tablet, house) -> None:
    house.table.wanted.reads = "dice and checkers"
    house.begin(south=3, north=1)
    tablet.open(house.link())
    tablet.sees("camera reads checkers", "header")
    tablet.tap("#camera")
    tablet.sees("The camera keeps the board", "#keeps-said")
    tablet.tap('[data-reads="off"]')
    tablet.until(
        lambda: tablet.script("return document.querySelector('#keeps-said').hidden"), "the sentence to go"
    )
    tablet.tap('[data-reads="dice and checkers"]')
    tablet.until(
        lambda: not tablet.script("return document.querySelector('#keeps-said').hidden"), "the sentence"
    )


@pytest.mark.parametrize("rolled", [False, True])
def test_position_is_set_as_it_is_seen_after_missed_turns(tablet, house, rolled) -> None:
    table = house.table
    table.wanted.reads = "dice and checkers"
    house.begin(south=3, north=1)
    table.do("lift")
    house.act("play", text="24/21 6/5")
    tablet.open(house.link())
    later = Board(moved(START, (24, 21), (6, 5), (13, 8)), moved(START, (13, 10), (8, 7), (24, 22)))
    table.handle(CheckersSeen(clear_view(later, Orientation()), again=True))
    if rolled:
        house.act("roll", dice=[5, 2])
        tablet.until(lambda: table.state()["phase"] == "rolled", "the roll")
    tablet.tap("#as-seen")
    tablet.tap("#setup-done")
    set_to = later.seen_by(Side.SOUTH).ints()[1:25]
    tablet.until(lambda: table.state()["position"]["board"]["points"] == set_to, "the position to be set")
    assert table.acted[-1]["type"] == "set_position"
    assert table.state()["roll"] == ([5, 2] if rolled else None)
    tablet.until(lambda: not tablet.all("#as-seen"), "the offer to go")
    assert tablet.complaints() == []
