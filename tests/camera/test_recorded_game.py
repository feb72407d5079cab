"""The film of `companion demo`: the record it makes through the real keeper, and what it waits for."""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from companion.camera.checkers import Reads, Wanted
from companion.camera.eye import CameraReport, Eye, GameBegins, Report, Saw
from companion.camera.eye import Played as PlayedInFilm
from companion.camera.recorded import Awaited, Waiting
from companion.camera.recorded_game import ENDS, FILM, LEFT, NOT_RULED, NOT_SAID, Film, film_in, play_film
from companion.game.events import Orientation, PlayEntered
from companion.game.state import MatchOver, Notice, State, TurnMade
from companion.game.table import Table
from companion.protocol.action_shapes import read_action
from companion.protocol.match_setup import Usual
from companion.protocol.view import board_map
from companion.rules.board import Board
from companion.service.inbox import ActionRequest, WallTime
from companion.service.keeper import Desk, Keeper
from companion.storage.fallback import Backlog
from companion.storage.journal import Journal
from companion.storage.pictures import Pictures
from sentence import verbatim
from tests.support.camera.checker_views import moved
from tests.support.camera.film_recording import WITH_AN_ILLEGAL_PLAY
from tests.support.camera.stored_game import GAMES, StoredGame, map_of
from vision.watch.watcher import ThrowSeen
from web.page import Answer, Page
from web.roles import Role, Visitor

SHORT = film_in(WITH_AN_ILLEGAL_PLAY)
WHOLE = film_in(FILM)
PLAYED = [
    one for one in json.loads((GAMES / "film.json").read_text())["turns"] if one["category"] != "cocked"
]
"""The turns of the program's film, as they were played."""
TRUTH = [one for one in StoredGame(GAMES / "rendered_990002.json").turns if one["category"] != "cocked"][:8]
SCOREKEEPER = Visitor(Role.SCOREKEEPER)


@contextmanager
def keeping(folder: Path, film: Film, reads: Reads = "dice and checkers") -> Iterator[tuple[Keeper, Desk]]:
    """A keeper whose match is that of a film, and its tools."""
    (folder / "pictures").mkdir()
    match = film.match
    usual = Usual(
        length=match.length,
        south=match.south,
        north=match.north,
        orientation=Orientation(match.home, match.south_checkers),
    )
    with closing(Journal(folder)) as journal:
        desk = Desk(
            SimpleQueue(),
            Backlog(journal),
            Pictures(folder / "pictures", 1 << 28),
            Page(lambda visitor, body: Answer(500)),
            WallTime(lambda: 1_000.0, lambda: 1_000.0),
            usual,
            wanted=Wanted(reads),
        )
        keeper = Keeper(desk, Table(), 100, CameraReport("recorded", verbatim("")))
        keeper.resume()
        yield keeper, desk


@dataclass
class Played:
    """What a film that was played to its end has led to, with nobody at the page."""

    state: State
    turns: list[TurnMade]
    plays: list[PlayEntered]
    said: list[str]
    rulings: set[str]
    disputed: set[int]
    is_kept: bool


def played(folder: Path, film: Film, reads: Reads = "dice and checkers") -> Played:
    said: list[str] = []
    disputed: set[int] = set()
    rulings: set[str] = set()
    with keeping(folder, film, reads) as (keeper, desk):

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

        look = play_film(film, desk.waiting, desk.wanted, speed=1e6)
        eye = Eye(look, put)
        look(eye)
        state, is_kept = state_of(keeper), desk.backlog.journal.last_row is not None
        return Played(state, turns_of(state), plays_of(keeper), said, rulings, disputed, is_kept)


def is_the_truth(found: Played, truth: Sequence[dict[str, Any]]) -> None:
    assert [(one.side.value, list(one.roll or ())) for one in found.turns] == [
        (one["player"], one["roll"]) for one in truth
    ]
    for made, turn in zip(found.turns, truth, strict=True):
        assert bool(made.fault) is not turn["legal"]
        assert board_map(made.after) == map_of(turn, found.state.terms.orientation)


def test_record_of_the_film_is_the_whole_game_that_was_recorded(tmp_path: Path) -> None:
    """With nobody at the page: cocked throws are thrown again, rolls in doubt are told by their plays, nothing is
    asked, and the match ends with the last checker.
    """
    found = played(tmp_path, WHOLE)
    is_the_truth(found, PLAYED)
    assert isinstance(found.state.phase, MatchOver)
    assert found.is_kept, "its summary is looked at"
    assert (found.said, found.disputed) == ([str(ENDS)], set())
    assert {play.by for play in found.plays} == {"camera"}
    assert found.rulings == {"valid", "cocked", "unread"}


def test_play_of_the_recording_is_entered_where_nobody_says_which_it_was(tmp_path: Path) -> None:
    found = played(tmp_path, SHORT, reads="dice")
    assert (found.plays[0].by, list(found.turns[0].roll or ())) == ("recording", TRUTH[0]["roll"])
    assert found.said[0] == str(NOT_SAID)


def test_illegal_play_of_a_film_is_called_and_stands_where_nobody_rules_on_it(tmp_path: Path) -> None:
    found = played(tmp_path, SHORT)
    is_the_truth(found, TRUTH)
    assert {play.by for play in found.plays} == {"camera"}
    assert len(found.disputed) == 1
    assert not found.is_kept, "it was nobody's, and has no end"
    assert found.said == [str(NOT_RULED), str(ENDS)]


def test_play_that_a_viewer_enters_first_stands_and_the_camera_goes_on(tmp_path: Path) -> None:
    with keeping(tmp_path, SHORT) as (keeper, desk):

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

        look = play_film(SHORT, desk.waiting, desk.wanted, speed=1e6)
        eye = Eye(look, put)
        look(eye)
        assert [play.by for play in plays_of(keeper)] == ["scorekeeper", "camera", "camera"]
        assert [list(one.roll or ()) for one in turns_of(state_of(keeper))] == [
            one["roll"] for one in TRUTH[:3]
        ]


def test_film_waits_while_nothing_is_read(tmp_path: Path) -> None:
    with keeping(tmp_path, SHORT) as (keeper, desk):
        beats = 0

        def put(report: Report) -> None:
            keeper.handle(report)
            if turns_of(state_of(keeper)):
                desk.wanted.reads = "off"

        def beat() -> None:
            nonlocal beats
            beats += desk.wanted.reads == "off"
            if beats > 5:
                eye.stop.set()

        look = play_film(SHORT, desk.waiting, desk.wanted, speed=1e6)
        eye = Eye(look, put)
        eye.beat = beat  # type: ignore[method-assign]
        look(eye)
        assert len(turns_of(state_of(keeper))) == 1
        assert desk.waiting.awaited.kind == "turn"


def test_play_of_the_recording_is_not_entered_on_another_board(tmp_path: Path) -> None:
    with keeping(tmp_path, SHORT, reads="dice") as (keeper, desk):
        start = state_of(keeper).board
        seq = desk.page.state(SCOREKEEPER)["seq"]
        opening = read_action({"type": "opening", "south": 6, "north": 2, "seq": seq})
        keeper.handle(ActionRequest(SCOREKEEPER, opening, SimpleQueue()))
        strange = Board(start.south, moved(start.north, (24, 20)))
        keeper.handle(PlayedInFilm(strange))
        assert plays_of(keeper) == []
        legal = Board(moved(start.south, (24, 16)), start.north)
        keeper.handle(PlayedInFilm(legal))
        assert [play.by for play in plays_of(keeper)] == ["recording"]


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

    look = play_film(SHORT, waiting, Wanted("dice"), speed=1e6)
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
