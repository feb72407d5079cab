"""The film of `companion demo`: the record it makes through the real keeper, and what it waits for."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from queue import SimpleQueue

import pytest

from companion.camera.checkers import Wanted
from companion.camera.eye import CameraReport, Eye, GameBegins, Report, Saw
from companion.camera.recorded import Awaited, Waiting
from companion.camera.recorded_game import ENDS, FILM, LEFT, NOT_RULED, film_in, play_film
from companion.game.events import Orientation, PlayEntered
from companion.game.state import Notice, State, TurnMade
from companion.game.table import Table
from companion.protocol.action_shapes import read_action
from companion.protocol.match_setup import Usual
from companion.protocol.view import board_map
from companion.service.inbox import ActionRequest, WallTime
from companion.service.keeper import Desk, Keeper
from companion.storage.fallback import Backlog
from companion.storage.journal import Journal
from companion.storage.pictures import Pictures
from sentence import verbatim
from tests.support.camera.stored_game import GAMES, StoredGame, map_of
from vision.watch.watcher import ThrowSeen
from web.page import Answer, Page
from web.roles import Role, Visitor

GAME = film_in(FILM)
TRUTH = [one for one in StoredGame(GAMES / "rendered_990002.json").turns if one["category"] != "cocked"]
SCOREKEEPER = Visitor(Role.SCOREKEEPER)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    (tmp_path / "pictures").mkdir()
    match = GAME.match
    usual = Usual(
        length=match.length,
        south=match.south,
        north=match.north,
        orientation=Orientation(match.home, match.south_checkers),
    )
    with closing(Journal(tmp_path)) as journal:
        yield Desk(
            SimpleQueue(),
            Backlog(journal),
            Pictures(tmp_path / "pictures", 1 << 28),
            Page(lambda visitor, body: Answer(500)),
            WallTime(lambda: 1_000.0, lambda: 1_000.0),
            usual,
            wanted=Wanted("dice and checkers"),
        )


def test_record_of_the_film_is_the_game_that_was_recorded(desk: Desk) -> None:
    """With nobody at the page: a cocked throw is thrown again, both illegal plays are called, and the film ends."""
    keeper = Keeper(desk, Table(), 100, CameraReport("recorded", verbatim("")))
    keeper.resume()
    said: list[str] = []
    disputed: set[int] = set()
    rulings: set[str] = set()

    def put(report: Report) -> None:
        keeper.handle(report)
        state = state_of(keeper)
        if state.throw is not None:
            rulings.add(state.throw.ruling.word)
        if desk.waiting.awaited.disputed:
            disputed.add(len(turns_of(state)))
        if isinstance(report, Notice):
            said.append(str(report.text))
            if report.text == ENDS:
                eye.stop.set()

    look = play_film(GAME, desk.waiting, desk.wanted, speed=1e6)
    eye = Eye(look, put)
    look(eye)
    state = state_of(keeper)
    assert [(one.side.value, list(one.roll or ())) for one in turns_of(state)] == [
        (one["player"], one["roll"]) for one in TRUTH
    ]
    for made, turn in zip(turns_of(state), TRUTH, strict=True):
        assert bool(made.fault) is not turn["legal"]
        assert board_map(made.after) == map_of(turn, state.terms.orientation)
    assert {play.by for play in plays_of(keeper)} == {"camera"}
    assert rulings == {"valid", "cocked"}
    assert len(disputed) == 2
    assert said == [str(NOT_RULED), str(NOT_RULED), str(ENDS)]


def test_play_that_a_viewer_enters_first_stands_and_the_camera_goes_on(desk: Desk) -> None:
    keeper = Keeper(desk, Table(), 100, CameraReport("recorded", verbatim("")))
    keeper.resume()

    def put(report: Report) -> None:
        keeper.handle(report)
        if desk.waiting.awaited.busy and not plays_of(keeper):
            seq = desk.page.state(SCOREKEEPER)["seq"]
            answer: SimpleQueue[Answer] = SimpleQueue()
            action = read_action({"type": "play", "text": "8/2 6/2", "seq": seq})
            keeper.handle(ActionRequest(SCOREKEEPER, action, answer))
            assert answer.get_nowait().status == 200
        if len(turns_of(state_of(keeper))) == 3:
            eye.stop.set()

    look = play_film(GAME, desk.waiting, desk.wanted, speed=1e6)
    eye = Eye(look, put)
    look(eye)
    assert [play.by for play in plays_of(keeper)] == ["scorekeeper", "camera", "camera"]
    assert [list(one.roll or ()) for one in turns_of(state_of(keeper))] == [one["roll"] for one in TRUTH[:3]]


def test_film_waits_for_its_throw_and_begins_anew_where_the_table_does_not_come_to_it() -> None:
    waiting = Waiting(Awaited("opening"))
    reports: list[Report] = []

    def put(report: Report) -> None:
        reports.append(report)
        if isinstance(report, GameBegins):
            waiting.awaited = Awaited("opening")
            eye.stop.set()
        if isinstance(report, Notice):
            assert report.text == LEFT
            waiting.awaited = Awaited()

    look = play_film(GAME, waiting, Wanted("dice"), speed=1e6)
    eye = Eye(look, put)
    look(eye)
    assert sum(isinstance(one, Saw) and isinstance(one.seeing, ThrowSeen) for one in reports) == 1
    assert isinstance(reports[-1], GameBegins)


def state_of(keeper: Keeper) -> State:
    assert keeper.table.state is not None
    return keeper.table.state


def turns_of(state: State) -> list[TurnMade]:
    return [one for one in state.log if isinstance(one, TurnMade)]


def plays_of(keeper: Keeper) -> list[PlayEntered]:
    return [entry.event for entry in keeper.table.entries if isinstance(entry.event, PlayEntered)]
