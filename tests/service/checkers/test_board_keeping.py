"""The board kept by camera: recorded and scripted readings through the real keeper."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from companion.camera.checkers import CheckerEye, CheckersSeen, Wanted
from companion.camera.eye import CameraReport
from companion.camera.reports import seen_in
from companion.game.events import Orientation, Overruled, PlayEntered
from companion.game.state import Notice, OnRoll, Rolled, State, TurnMade
from companion.game.table import Table
from companion.inference.opening import StartSeen
from companion.inference.views import BoardView
from companion.protocol.action_shapes import read_action
from companion.protocol.match_setup import Usual
from companion.protocol.view import board_map
from companion.rules.board import BAR, Board, Position, Roll, Side
from companion.service.inbox import ActionRequest, WallTime
from companion.service.keeper import Desk, Keeper
from companion.storage.fallback import Backlog
from companion.storage.journal import Journal
from companion.storage.pictures import Pictures
from sentence import verbatim
from tests.support.camera.checker_views import clear_view, hidden, moved, with_checker_aside
from tests.support.camera.dice import lifted, throw
from tests.support.camera.stored_game import GAMES, StoredGame, map_of
from web.page import Answer, Page
from web.roles import Role, Visitor

SCOREKEEPER = Visitor(Role.SCOREKEEPER)
START = Board(Position.start().mine, Position.start().theirs)
SEATS = Orientation()


class House:
    """A keeper whose camera reads dice and checkers."""

    def __init__(self, journal: Journal, pictures: Path) -> None:
        self.wanted = Wanted("dice and checkers")
        page = Page(lambda visitor, body: Answer(500))
        wall = WallTime(lambda: 1_000.0, lambda: 1_000.0)
        self.desk = Desk(
            SimpleQueue(),
            Backlog(journal),
            Pictures(pictures, 1 << 20),
            page,
            wall,
            Usual(),
            wanted=self.wanted,
        )
        self.keeper = Keeper(self.desk, Table(), 100, CameraReport("none", verbatim("")))

    @property
    def state(self) -> State:
        assert self.keeper.table.state is not None
        return self.keeper.table.state

    def page(self, visitor: Visitor = SCOREKEEPER) -> dict[str, Any]:
        return dict(self.desk.page.state(visitor))

    def ask(self, **body: object) -> None:
        answer: SimpleQueue[Answer] = SimpleQueue()
        action = read_action({"seq": self.page()["seq"], **body})
        self.keeper.handle(ActionRequest(SCOREKEEPER, action, answer))
        assert answer.get_nowait().status == 200

    def show(self, board: Board, again: bool = False, at_throw: bool = False) -> None:
        """A quiet picture of a board."""
        self.show_view(clear_view(board, SEATS), again=again, at_throw=at_throw)

    def show_view(self, view: BoardView, again: bool = False, at_throw: bool = False) -> None:
        self.keeper.handle(CheckersSeen(view, None, at_throw, again))

    def begin(self, lift: bool = True) -> None:
        """South begins with 3-1, and has picked up the dice, if they are lifted."""
        self.ask(type="new_match", length=3)
        self.keeper.handle(CheckersSeen(clear_view(START, SEATS), StartSeen(SEATS, START, (), 1.0)))
        self.ask(type="opening", south=3, north=1)
        if lift:
            self.ask(type="lift")

    def question(self) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self.page()["checkers"]["question"]
        return found


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    (tmp_path / "pictures").mkdir()
    with closing(Journal(tmp_path)) as journal:
        yield House(journal, tmp_path / "pictures")


def after(board: Board, side: Side, *moves: tuple[int, int]) -> Board:
    position = board.seen_by(side)
    hit = [(25 - target, BAR) for _, target in moves if target and position.theirs[25 - target] == 1]
    return Board.of(side, Position(moved(position.mine, *moves), moved(position.theirs, *hit)))


MADE = after(START, Side.SOUTH, (8, 5), (6, 5))
OTHER = after(START, Side.SOUTH, (24, 21), (6, 5))


AMBIGUOUS = after(START, Side.SOUTH, (13, 10), (6, 5))
DOUBTFUL = hidden(clear_view(AMBIGUOUS, SEATS), {5, 6, 23, 24})
"""South's 13/10 6/5, or 24/23 13/10: what tells them apart is covered."""


@pytest.mark.parametrize(("name", "home"), [("rendered_990001", "right"), ("rendered_990002", "left")])
def test_record_of_a_rendered_game_is_the_game_with_no_tap_for_a_play(
    house: House, name: str, home: str
) -> None:
    """One die of the first game's opening throw is in doubt: that throw is entered by hand."""
    game = StoredGame(GAMES / f"{name}.json")
    played = [turn for turn in game.turns if turn["category"] != "cocked"]
    house.ask(type="new_match", length=5, orientation={"home": home, "south": "dark"})
    checkers = CheckerEye(house.wanted, game)
    for frame in game.frames():
        for report in seen_in(frame, game, checkers, whole=True):  # type: ignore[arg-type]
            house.keeper.handle(report)
        if house.page()["ruling"] == "unread":
            assert not turns_of(house)
            first, second = played[0]["roll"]
            other = "south" if played[0]["player"] == "north" else "north"
            house.ask(type="opening", **{played[0]["player"]: first, other: second})
        assert house.question() is None
    assert [(one.side.value, list(one.roll or ())) for one in turns_of(house)] == [
        (turn["player"], turn["roll"]) for turn in played
    ]
    for made, turn in zip(turns_of(house), played, strict=True):
        assert bool(made.fault) is not turn["legal"]
        assert board_map(made.after) == map_of(turn, house.state.terms.orientation)
    plays = [entry.event for entry in house.keeper.table.entries if isinstance(entry.event, PlayEntered)]
    assert all(play.by == "camera" for play in plays)


def texts_of(house: House) -> list[str]:
    return [str(line["text"]) for line in house.page()["history"]]


def turns_of(house: House) -> list[TurnMade]:
    return [one for one in house.state.log if isinstance(one, TurnMade)]


def test_clear_play_is_entered_as_the_cameras_once_the_dice_are_lifted(house: House) -> None:
    house.begin()
    house.show(MADE)
    assert house.state.board == MADE
    assert house.page()["on_roll"] == "north"
    assert house.keeper.table.entries[-1].event.by == "camera"


def test_play_made_while_the_dice_lie_is_entered_once_they_are_lifted(house: House) -> None:
    house.begin(lift=False)
    for _ in range(2):
        house.show(MADE, again=True)
    assert (house.state.board, house.question()) == (START, None)
    house.ask(type="lift")
    house.show(MADE)
    assert house.state.board == MADE


def test_play_tried_and_taken_back_is_not_entered(house: House) -> None:
    house.begin(lift=False)
    house.show(OTHER)
    house.show(START)
    house.show(MADE)
    house.ask(type="lift")
    house.show(MADE)
    assert [one.after for one in turns_of(house)] == [MADE]


def test_play_made_before_the_dice_are_at_rest_belongs_to_their_throw(house: House) -> None:
    house.begin()
    house.show(MADE)
    left = after(MADE, Side.NORTH, (24, 14))
    house.show(left, at_throw=True)
    assert (house.state.board, house.question()) == (MADE, None)
    house.ask(type="roll", dice=[6, 4])
    house.ask(type="lift")
    house.show(left)
    assert [one.after for one in turns_of(house)] == [MADE, left]


NORTH_6_4 = after(MADE, Side.NORTH, (24, 14))


def thrown_in_doubt(house: House, *faces: int | None, lift: bool = True) -> None:
    """North's throw after south's 3-1, with a die that was not read."""
    house.begin()
    house.show(MADE)
    house.show(MADE, at_throw=True)
    house.keeper.handle(throw(faces, ("left", "left")))
    assert house.page()["ruling"] == "unread"
    if lift:
        house.keeper.handle(lifted())


def test_roll_with_a_die_in_doubt_is_told_by_its_play(house: House) -> None:
    thrown_in_doubt(house, 6, None)
    house.show(NORTH_6_4)
    assert house.page()["ruling"] == "unread"
    house.show(NORTH_6_4, again=True)
    assert house.state.board == NORTH_6_4
    assert [one.roll for one in turns_of(house)] == [Roll(3, 1), Roll(6, 4)]
    assert (house.page()["on_roll"], house.page()["ruling"]) == ("south", None)
    assert (house.page()["checkers"]["keeps"], house.question()) == (True, None)
    lines = [entry.event for entry in house.keeper.table.entries if isinstance(entry.event, Overruled)]
    assert [(one.roll, one.by) for one in lines] == [(Roll(6, 4), "camera")]
    assert "the play tells the roll: 6-4" in texts_of(house)


def test_play_of_a_roll_in_doubt_is_told_by_the_picture_of_the_next_throw(house: House) -> None:
    thrown_in_doubt(house, 6, None)
    house.show(NORTH_6_4, at_throw=True)
    assert house.page()["on_roll"] == "south"
    house.keeper.handle(throw((2, 1), ("right", "right")))
    assert (house.page()["on_roll"], house.page()["roll"]) == ("south", [2, 1])


def test_roll_told_by_its_play_is_taken_back_like_any_other(house: House) -> None:
    thrown_in_doubt(house, 6, None)
    house.show(NORTH_6_4, again=True)
    house.ask(type="undo")
    assert house.page()["owed"]
    asked = house.question()
    assert asked is not None
    assert "24/14" not in [one["text"] for one in asked["plays"]]


@pytest.mark.parametrize(
    ("faces", "board"),
    [
        ((None, None), NORTH_6_4),
        ((6, None), MADE),
        ((6, None), after(MADE, Side.NORTH, (24, 18))),
        ((5, None), NORTH_6_4),
        ((6, None), after(MADE, Side.SOUTH, (13, 3))),
    ],
    ids=["no die read", "nothing played", "half a play", "another roll", "the other side's checkers"],
)
def test_roll_in_doubt_is_not_told_by_another_board(
    house: House, faces: tuple[int | None, ...], board: Board
) -> None:
    thrown_in_doubt(house, *faces)
    for _ in range(3):
        house.show(board, again=True)
    assert (house.state.board, house.page()["ruling"]) == (MADE, "unread")


@pytest.mark.parametrize(
    ("faces", "side", "moves", "opening"),
    [
        ((None, 6), Side.SOUTH, [(24, 18), (13, 9)], ("south", Roll(6, 4))),
        ((6, None), Side.NORTH, [(24, 18), (13, 9)], ("north", Roll(6, 4))),
        ((None, 4), Side.NORTH, [(24, 18), (13, 9)], ("north", Roll(6, 4))),
        ((None, 6), Side.NORTH, [(24, 18), (13, 9)], None),
        ((None, None), Side.SOUTH, [(24, 18), (13, 9)], None),
    ],
    ids=["south's own", "north's own", "north by south's lower", "south's die is no north's", "no die read"],
)
def test_opening_throw_with_a_die_in_doubt_is_told_by_the_first_play(
    house: House,
    faces: tuple[int | None, ...],
    side: Side,
    moves: list[tuple[int, int]],
    opening: tuple[str, Roll] | None,
) -> None:
    """The left die is north's, the right one south's."""
    house.ask(type="new_match", length=3)
    house.keeper.handle(CheckersSeen(clear_view(START, SEATS), StartSeen(SEATS, START, (), 1.0)))
    house.keeper.handle(throw(faces, ("left", "right")))
    assert house.page()["ruling"] == "unread"
    house.keeper.handle(lifted())
    board = after(START, side, *moves)
    house.show(board, again=True)
    assert [(one.side.value, one.roll) for one in turns_of(house)] == ([opening] if opening else [])
    assert house.state.board == (board if opening else START)


def test_board_of_a_roll_in_doubt_may_change_while_its_dice_lie(house: House) -> None:
    thrown_in_doubt(house, 6, None, lift=False)
    for _ in range(2):
        house.show(NORTH_6_4, again=True)
    assert (house.state.board, house.page()["checkers"]["keeps"]) == (MADE, True)
    house.keeper.handle(lifted())
    house.show(NORTH_6_4, again=True)
    assert house.state.board == NORTH_6_4


def test_hit_checker_laid_beside_the_board_is_on_the_bar(house: House) -> None:
    house.begin()
    house.show(AMBIGUOUS)
    house.ask(type="roll", dice=[4, 1])
    house.ask(type="lift")
    hit = after(AMBIGUOUS, Side.NORTH, (24, 20), (6, 5))
    assert hit.south[BAR] == 1
    house.show(with_checker_aside(hit, Side.SOUTH))
    assert house.state.board == hit


def test_doubtful_play_is_asked_and_one_answer_goes_on(house: House) -> None:
    house.begin()
    house.show_view(DOUBTFUL)
    assert house.question() is None
    house.show_view(DOUBTFUL, again=True)
    asked = house.question()
    assert asked is not None
    assert {one["text"] for one in asked["plays"]} >= {"13/10 6/5", "24/23 13/10"}
    assert house.page(Visitor(Role.VIEWER))["checkers"]["question"] is None
    (choice,) = (one for one in asked["plays"] if one["text"] == "13/10 6/5")
    house.ask(type="play", result=choice["result"], made=True)
    assert house.state.board == AMBIGUOUS
    assert house.question() is None


def test_throw_that_comes_before_the_answer_waits(house: House) -> None:
    house.begin()
    house.show_view(DOUBTFUL, at_throw=True)
    house.ask(type="roll", dice=[6, 4])
    asked = house.question()
    assert asked is not None
    assert house.page()["waiting"] == {"side": "north", "roll": [6, 4]}
    house.ask(type="play", result=asked["plays"][0]["result"], made=True)
    assert (house.page()["on_roll"], house.page()["roll"]) == ("north", [6, 4])


def test_illegal_play_at_rest_opens_its_card(house: House) -> None:
    house.begin()
    wrong = after(START, Side.SOUTH, (8, 5), (6, 4))
    house.show(wrong)
    assert house.page()["dispute"] is None
    house.show(wrong, again=True)
    assert house.page()["dispute"]["kind"] == "illegal_play"
    assert house.state.board == wrong


def test_play_that_was_taken_back_is_asked_and_not_entered_again(house: House) -> None:
    house.begin()
    house.show(MADE)
    house.ask(type="undo")
    asked = house.question()
    assert asked is not None
    assert "8/5 6/5" not in [one["text"] for one in asked["plays"]]
    assert all(one["legal"] for one in asked["plays"])
    house.show(MADE)
    house.show(MADE, again=True)
    assert house.page()["owed"]
    house.show(OTHER)
    assert house.state.board == OTHER


def test_play_of_a_roll_that_was_taken_back_is_said_at_once_by_point(house: House) -> None:
    house.begin()
    house.show(MADE)
    house.ask(type="roll", dice=[6, 4])
    house.ask(type="lift")
    house.ask(type="undo")
    house.ask(type="undo")
    assert isinstance(house.state.phase, OnRoll)
    played = after(MADE, Side.NORTH, (24, 14))
    house.show(played)
    assert house.question() is None
    shown = house.page()["checkers"]["text"]
    assert "The roll was taken back, but points 1, 11 show its play, as South counts them" in shown
    house.show(MADE)
    assert house.page()["checkers"]["keeps"]
    house.ask(type="roll", dice=[6, 4])
    house.ask(type="lift")
    house.show(played)
    assert house.state.board == played


def thrown_and_lifted(house: House, *faces: int) -> None:
    """North's throw after South's first play, whose dice were picked up again."""
    house.begin()
    house.show(MADE)
    house.keeper.handle(throw(faces, ("left", "left")))
    house.keeper.handle(lifted())


def test_play_of_a_roll_entered_again_after_its_dice_were_lifted_is_entered(house: House) -> None:
    thrown_and_lifted(house, 6, 4)
    while isinstance(house.state.phase, Rolled):
        house.ask(type="undo")
    house.show(NORTH_6_4)
    assert house.page()["checkers"]["differs"]
    house.ask(type="roll", dice=[6, 4])
    assert not house.page()["checkers"]["differs"]
    house.show(NORTH_6_4)
    assert house.state.board == NORTH_6_4
    assert house.page()["checkers"]["keeps"]


def test_play_taken_back_with_its_roll_is_entered_again_with_it(house: House) -> None:
    thrown_and_lifted(house, 6, 4)
    house.show(NORTH_6_4)
    assert house.state.board == NORTH_6_4
    while not isinstance(house.state.phase, OnRoll) or house.state.phase.side is Side.SOUTH:
        house.ask(type="undo")
    house.ask(type="roll", dice=[6, 4])
    assert house.question() is None
    house.show(NORTH_6_4)
    assert house.state.board == NORTH_6_4
    assert house.page()["checkers"]["keeps"]


def test_play_of_a_roll_entered_by_hand_after_an_unread_throw_was_lifted_is_entered(house: House) -> None:
    thrown_in_doubt(house, None, None)
    house.ask(type="rule", dice=[6, 4])
    house.show(NORTH_6_4)
    assert house.state.board == NORTH_6_4


def test_roll_whose_dice_the_camera_never_saw_waits_for_them_to_be_lifted(house: House) -> None:
    house.begin()
    house.show(MADE)
    house.ask(type="roll", dice=[6, 4])
    house.show(NORTH_6_4)
    house.show(NORTH_6_4, again=True)
    assert house.state.board == MADE
    house.ask(type="lift")
    house.show(NORTH_6_4)
    assert house.state.board == NORTH_6_4


def test_lifting_that_was_taken_back_is_not_told_again(house: House) -> None:
    thrown_and_lifted(house, 6, 4)
    house.ask(type="undo")
    phase = house.state.phase
    assert isinstance(phase, Rolled)
    assert not phase.lifted
    house.show(MADE)
    assert house.state.phase == phase


def test_play_tapped_before_it_is_made_is_no_difference(house: House) -> None:
    house.begin()
    house.ask(type="play", text="24/21 6/5")
    for again in (False, True):
        house.show(START, again=again)
        shown = house.page()["checkers"]
        assert (shown["keeps"], shown["differs"]) == (False, False)
    assert not [one for one in house.page()["notices"] if "differ" in one["text"]]


def test_board_that_turns_missed_have_left_is_offered_and_kept_once_it_is_set(house: House) -> None:
    house.begin()
    house.show(MADE)
    assert house.page()["checkers"]["board"] is None
    later = Board(moved(MADE.south, (13, 8), (24, 23)), moved(MADE.north, (24, 14), (13, 11)))
    house.show(later, at_throw=True)
    shown = house.page()["checkers"]
    assert shown["differs"]
    assert shown["board"] == board_map(later)
    house.ask(type="roll", dice=[5, 2])
    shown = house.page()["checkers"]
    assert (shown["differs"], shown["board"]) == (True, board_map(later))
    house.ask(type="set_position", pos=later.seen_by(Side.NORTH).ints(), on_roll="north")
    assert house.state.board == later
    assert house.page()["checkers"]["board"] is None
    house.show(later, again=True)
    shown = house.page()["checkers"]
    assert (shown["keeps"], shown["differs"], shown["board"]) == (True, False, None)


def test_board_that_is_offered_is_that_of_the_newest_picture_while_a_roll_lies_too(house: House) -> None:
    house.begin()
    house.show(MADE)
    later = Board(moved(MADE.south, (13, 8), (24, 23)), moved(MADE.north, (24, 14), (13, 11)))
    house.show(later, at_throw=True)
    house.ask(type="roll", dice=[5, 2])
    house.ask(type="lift")
    latest = after(later, Side.NORTH, (13, 8), (6, 4))
    for board in (later, latest):
        house.show(board)
        house.show(board, again=True)
        shown = house.page()["checkers"]
        assert shown["board"] == board_map(board)
        assert "Camera and record differ at points" in shown["text"]


def test_after_a_wrong_correction_the_play_that_is_seen_comes_first(house: House) -> None:
    house.begin()
    house.show(MADE)
    house.ask(type="undo")
    house.ask(type="play", text="24/21 6/5", made=True)
    assert house.state.board == OTHER
    house.ask(type="undo")
    asked = house.question()
    assert asked is not None
    assert asked["plays"][0]["text"] == "8/5 6/5"
    assert "24/21 6/5" not in [one["text"] for one in asked["plays"]]


def test_each_action_of_people_has_the_board_read_anew(house: House) -> None:
    house.begin()
    before = house.wanted.changes
    house.ask(type="play", text="24/21 6/5")
    assert house.wanted.changes == before + 1
    house.show(OTHER)
    assert house.wanted.changes == before + 1


def test_later_picture_of_another_play_asks_before_the_next_throw(house: House) -> None:
    house.begin()
    house.show(MADE)
    house.show(OTHER)
    asked = house.question()
    assert asked is not None
    assert asked["instead"]
    assert [one["text"] for one in asked["plays"]] == ["24/21 6/5"]
    assert house.state.board == MADE


def test_taps_win_and_the_camera_goes_on_from_them(house: House) -> None:
    house.begin()
    house.ask(type="play", text="24/21 6/5")
    house.show(OTHER)
    assert house.page()["checkers"]["keeps"]
    house.ask(type="roll", dice=[6, 4])
    house.ask(type="lift")
    left = after(OTHER, Side.NORTH, (24, 14))
    house.show(left)
    assert house.state.board == left


def test_difference_from_the_record_is_said_once_and_play_goes_on(house: House) -> None:
    house.begin()
    house.show(MADE)
    strange = Board(MADE.south, moved(MADE.north, (13, 10), (8, 11)))
    for _ in range(3):
        house.show(strange, again=True)
    said = [one["text"] for one in house.page()["notices"] if "Camera and record differ" in one["text"]]
    assert len(said) == 1
    assert not house.page()["checkers"]["keeps"]
    house.ask(type="roll", dice=[6, 4])
    assert house.page()["roll"] == [6, 4]


def test_wrong_play_by_hand_is_asked_about_once_the_board_is_at_rest(house: House) -> None:
    house.begin()
    house.ask(type="play", moves=[[24, 21]])
    house.ask(type="play", moves=[[24, 21], [6, 5]], made=True)
    assert house.state.board == OTHER
    house.show(MADE)  # perhaps people tap before they move the checkers
    assert house.question() is None
    assert not house.page()["checkers"]["keeps"]
    house.show(MADE, again=True)
    asked = house.question()
    assert asked is not None
    assert (asked["instead"], [one["text"] for one in asked["plays"]]) == (True, ["8/5 6/5"])
    house.ask(type="undo")
    house.ask(type="play", result=asked["plays"][0]["result"], made=True)
    assert house.state.board == MADE
    assert house.question() is None
    house.show(MADE)
    assert house.page()["checkers"]["keeps"]


def test_difference_in_the_picture_of_the_throw_is_said_by_point(house: House) -> None:
    house.begin()
    house.ask(type="play", text="24/21 6/5")
    strange = Board(OTHER.south, moved(OTHER.north, (13, 10), (8, 11)))
    house.show(strange, at_throw=True)
    shown = house.page()["checkers"]
    assert (shown["keeps"], "differ at points 12, 14, 15, 17" in shown["text"]) == (False, True)


def test_wrong_starting_position_is_said_by_point(house: House) -> None:
    house.ask(type="new_match", length=3)
    house.keeper.handle(CheckersSeen(clear_view(START, SEATS), StartSeen(SEATS, START, (8, 24), 1.0)))
    shown = house.page()["checkers"]
    assert (shown["keeps"], "points 8, 24" in shown["text"]) == (False, True)


def test_one_wrong_point_is_said_as_the_player_counts_it(house: House) -> None:
    house.ask(type="new_match", length=3, players={"south": "Ann", "north": "Bea"})
    house.keeper.handle(CheckersSeen(clear_view(START, SEATS), StartSeen(SEATS, START, (8,), 1.0)))
    assert house.page()["checkers"]["text"].endswith("not right on point 8, as Ann counts.")


def test_follower_question_names_the_player_who_counts_the_points(house: House) -> None:
    house.ask(type="new_match", length=3, players={"south": "Ann", "north": "Bea"})
    house.keeper.handle(CheckersSeen(clear_view(START, SEATS), StartSeen(SEATS, START, (), 1.0)))
    house.ask(type="opening", south=3, north=1)
    house.ask(type="lift")
    house.show(Board(MADE.south, moved(MADE.north, (13, 12))), again=True)
    text = str(house.page()["checkers"])
    assert "Board and record differ at point" in text
    assert "as Ann counts" in text


def test_nothing_is_entered_while_only_dice_are_read(house: House) -> None:
    house.begin()
    house.wanted.reads = "dice"
    house.keeper.handle(Notice(verbatim("")))
    house.show(MADE, again=True)
    assert house.page()["owed"]
    assert house.page()["checkers"] is None


class TestOtherGames:
    """Games that the camera keeps where they differ from backgammon."""

    @staticmethod
    def begin(house: House, profile: str, roll: list[int], seen: bool = True) -> Board:
        """South throws this roll first and has picked up the dice; returns the board of the start."""
        house.ask(type="new_match", length=3, profile=profile)
        board = house.state.board
        if seen:
            house.keeper.handle(CheckersSeen(clear_view(board, SEATS), StartSeen(SEATS, board, (), 1.0)))
        house.ask(type="opening", south=6, north=1)
        if isinstance(house.state.phase, OnRoll):
            house.ask(type="roll", dice=roll)
        house.ask(type="lift")
        return board

    @pytest.mark.parametrize("profile", ["plakoto", "fevga", "moultezim", "gul_bara", "jioul"])
    def test_clear_play_is_entered(self, house: House, profile: str) -> None:
        board = self.begin(house, profile, [5, 4])
        south = board.seen_by(Side.SOUTH)
        left = Board.of(Side.SOUTH, south.with_checkers(moved(south.mine, (24, 15)), south.theirs))
        house.show(left)
        assert house.state.board == left
        assert house.page()["checkers"]["keeps"]

    def test_starting_position_is_awaited_as_the_game_has_it(self, house: House) -> None:
        house.ask(type="new_match", length=3, profile="fevga")
        assert house.wanted.start == house.state.board.seen_by(Side.SOUTH)
        house.ask(type="new_match", length=3, profile="acey_deucey")
        assert house.wanted.start is None

    def test_game_whose_checkers_are_not_followed_says_so(self, house: House) -> None:
        house.ask(type="new_match", length=3, profile="spielestart")
        shown = house.page()["checkers"]
        assert (shown["keeps"], "does not follow" in shown["text"]) == (False, True)

    def test_answer_in_plakoto_keeps_the_pinned_checker(self, house: House) -> None:
        self.begin(house, "plakoto", [5, 4])
        house.ask(type="play", text="24/15")
        house.ask(type="roll", dice=[6, 4])
        house.ask(type="lift")
        north = house.state.board.seen_by(Side.NORTH)
        left = north.with_checkers(moved(north.mine, (24, 14)), north.theirs)
        pin = Board.of(Side.NORTH, left.with_checkers(moved(left.mine, (14, 10)), left.theirs))
        house.show_view(hidden(clear_view(pin, SEATS), {11, 15, 10, 14}), again=True)
        asked = house.question()
        assert asked is not None
        for one in asked["plays"]:
            assert len(one["under"]) == 26
        choice = asked["plays"][0]
        house.ask(type="play", result=choice["result"], under=choice["under"], made=True)
        assert house.page()["position"]["board"] == choice["board"]

    def test_doublet_that_runs_on_is_tapped_and_the_camera_goes_on_from_it(self, house: House) -> None:
        board = self.begin(house, "jioul", [5, 5])
        assert "entered by taps" in house.page()["checkers"]["text"]
        south = board.seen_by(Side.SOUTH)
        half = Board.of(Side.SOUTH, south.with_checkers(moved(south.mine, *[(24, 19)] * 4), south.theirs))
        house.show(half, again=True)
        assert (house.state.board, house.question()) == (board, None)
        for play in ("24/19(4)", "24/18(4)"):
            house.ask(type="play", text=play)
        assert house.page()["on_roll"] == "north"
        house.show(house.state.board)
        assert house.page()["checkers"]["keeps"]

    def test_acey_deucey_is_tapped_and_other_rolls_are_kept(self, house: House) -> None:
        board = self.begin(house, "acey_deucey", [6, 4], seen=False)
        south = board.seen_by(Side.SOUTH)
        left = Board.of(Side.SOUTH, south.with_checkers(moved(south.mine, (25, 19), (25, 21)), south.theirs))
        house.show(left)
        assert house.state.board == left
        house.ask(type="roll", dice=[2, 1])
        assert "entered by taps" in house.page()["checkers"]["text"]

    def test_first_play_of_acey_deucey_that_looks_illegal_is_asked(self, house: House) -> None:
        """Nothing has shown yet that the board lies as the match says."""
        board = self.begin(house, "acey_deucey", [6, 4], seen=False)
        south = board.seen_by(Side.SOUTH)
        mirrored = Board.of(
            Side.SOUTH, south.with_checkers(moved(south.mine, (25, 18), (25, 16)), south.theirs)
        )
        for _ in range(2):
            house.show(mirrored, again=True)
        assert house.state.board == board
        assert house.page()["dispute"] is None
