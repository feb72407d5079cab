"""The camera keeps the board: its question on the scorekeeper's page, and the choice of what it reads."""

from companion.camera.checkers import CheckersSeen
from companion.game.events import Orientation
from companion.rules.board import Board, Position
from tests.support.camera.checker_views import clear_view, hidden, moved

START = Position.start().mine
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


def test_camera_that_reads_nothing_is_not_said_to_keep_the_board(tablet, house) -> None:
    house.table.wanted.reads = "dice and checkers"
    house.begin(south=3, north=1)
    tablet.open(house.link())
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
