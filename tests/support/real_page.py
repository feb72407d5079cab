"""The real table behind the page: the program's keeper, journal and services, without camera, network and threads.

`companion.service.app` connects the same parts. Here each call returns after its action or throw has been handled,
and a test chooses the dice.
"""

import threading
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from companion.camera.board_place import BoardPlace
from companion.camera.checkers import Wanted
from companion.camera.eye import CameraReport, CameraState
from companion.camera.recorded import THROWS
from companion.errors import BadShapeError
from companion.game.events import AnyEvent
from companion.game.state import Level, Notice
from companion.game.table import Table
from companion.protocol.action_shapes import read_action
from companion.protocol.match_setup import Usual
from companion.records.rows import Row
from companion.rules.board import Roll
from companion.rules.family.profiles import ALL_PROFILES
from companion.service.archive.kept_matches import KeptServices
from companion.service.archive.opened import OpenedFiles, is_opened
from companion.service.archive.studies import Studies
from companion.service.checkers.board_keeping import read_from_now
from companion.service.gnubg import Analyst
from companion.service.inbox import ActionRequest, Message, Resumption, ThrowsOrder, WallTime
from companion.service.keeper import Desk, Keeper
from companion.service.page_services import PageServices, page_shapes
from companion.service.twelve_throws import Order, ThrowOrders, TwelveThrowsCheck
from companion.settings import MatchSettings
from companion.storage.errors import JournalError
from companion.storage.fallback import Backlog
from companion.storage.folder import BOARD_FILE
from companion.storage.journal import Journal
from companion.storage.pictures import Pictures
from companion.storage.signing import Signing
from sentence import NOTHING, Sentence, verbatim
from tests.support.camera import dice
from tests.support.records.analysis import Study
from vision.board.calibration import load_board
from vision.capture.camera import FolderCamera
from web.page import Answer, Page, refused
from web.roles import Role, Visitor

DIRECTOR = Visitor(Role.DIRECTOR)
START = {24: 2, 13: 5, 8: 3, 6: 5}


class Disk(Journal):
    """A journal on a disk that can be full."""

    full = False

    def append(self, match_id: str, event: AnyEvent) -> Row:
        """Write an event; JournalError while the disk is full."""
        if self.full:
            raise JournalError("The journal cannot be used: database or disk is full.")
        return super().append(match_id, event)


class RealTable:
    """A table in a folder, with the page that shows it.

    Attributes:
        page: for `web.app.create_app`.
        acted: the actions of visitors that were done, oldest first.
        journal: the matches on disk; with `full` it takes nothing.
        wanted: what the camera is to read.
        check: the check with twelve throws.
        board_place: the camera's newest frame and the board's place in it.
        cameras: the cameras that the page has changed to, oldest first.
        refused_cameras: the cameras that do not open, and what is said of them.
        opened: match files of other programs.
        studies: the analyses kept beside the matches, by GNU Backgammon itself.
        study: the analysis in the place of GNU Backgammon's.
    """

    def __init__(self, folder: Path) -> None:
        """Begin without a match, in a folder that does not exist yet."""
        (folder / "pictures").mkdir(parents=True)
        self.acted: list[dict[str, object]] = []
        self.journal, self.study = Disk(folder), Study()
        self.board_place = BoardPlace(file=folder / BOARD_FILE)
        signing = Signing(folder)
        signing.begin(None)
        self._backlog, self._lock = Backlog(self.journal, signing=signing), threading.RLock()
        pictures, usual = Pictures(folder / "pictures", 50 << 20), MatchSettings(length=7)
        self.opened = OpenedFiles(folder)
        self.studies = Studies(
            folder,
            lambda: self.journal.archive.catalogue,
            lambda match_id: (self.opened if is_opened(match_id) else self.journal).rows(match_id)[-1].digest,
        )
        self.wanted = Wanted()
        self.check = TwelveThrowsCheck(self.board_place.newest)
        self.cameras: list[str] = []
        self.refused_cameras: dict[str, Sentence] = {}
        services = PageServices(
            lambda: self.keeper.table,
            self._backlog,
            pictures.load,
            lambda: self.board_place,
            Analyst(self.study),
            usual,
            ALL_PROFILES,
            KeptServices(
                lambda: self.keeper.table,
                self._backlog,
                pictures,
                self.studies,
                lambda: self.keeper.former_match,
                self.opened,
                self.take_up,
                ALL_PROFILES,
            ),
            partial(read_from_now, self.wanted, self.handle),
            self._use_camera,
            throws=ThrowOrders(self.check, self._try_throws),
        )
        self.page = Page(self.act, pictures.load, services.services(), page_shapes)
        terms = Usual(usual.profile, usual.length, usual.south, usual.north)
        desk = Desk(
            SimpleQueue(),
            self._backlog,
            pictures,
            self.page,
            WallTime(),
            terms,
            wanted=self.wanted,
            twelve_throws=self.check,
            log=lambda text: None,
        )
        self.keeper = Keeper(desk, Table(), 1, CameraReport("live", verbatim("The camera watches.")))

    def close(self) -> None:
        """Close the journal."""
        self.journal.full = False
        assert self._backlog.close() == ""

    def _try_throws(self, order: Order, about: int, roll: Roll | None) -> Sentence:
        answer: SimpleQueue[Sentence] = SimpleQueue()
        self.handle(ThrowsOrder(order, about, roll, answer))
        return answer.get_nowait()

    def _use_camera(self, choice: str) -> Sentence:
        """Look through another camera, unless it is one of `refused_cameras`."""
        if choice in self.refused_cameras:
            return self.refused_cameras[choice]
        self.cameras.append(choice)
        return NOTHING

    # What the page asks, and how the table stands

    def act(self, visitor: Visitor, body: Mapping[str, object]) -> Answer:
        """Let the keeper handle a visitor's action; one at a time."""
        answer: SimpleQueue[Answer] = SimpleQueue()
        try:
            request = ActionRequest(visitor, read_action(body), answer)
        except BadShapeError as error:
            return refused(400, "Bad request", str(error))
        with self._lock:
            self.acted.append(dict(body))  # before the page can show what was done
            self.handle(request)
            done = answer.get_nowait()
            if done.state is None or body.get("dry_run"):
                self.acted.pop()
        return done

    def take_up(self, visitor: Visitor, events: Sequence[AnyEvent]) -> Sentence:
        """Let the keeper go on with an earlier match."""
        answer: SimpleQueue[Answer] = SimpleQueue()
        self.handle(Resumption(visitor, events, answer))
        sentence = answer.get_nowait().sentence
        return verbatim(sentence) if isinstance(sentence, str) else sentence

    def handle(self, message: Message) -> None:
        """Let the keeper handle a message, as if from the inbox."""
        with self._lock:
            self.keeper.handle(message)

    def state(self, visitor: Visitor = DIRECTOR) -> Any:
        """The state as this visitor sees it."""
        return self.page.state(visitor)

    @property
    def seq(self) -> int:
        """The newest state's seq."""
        return int(self.state()["seq"])

    @property
    def moves(self) -> list[tuple[int, int]]:
        """The moves entered so far of the present play."""
        making = self.state()["making"]
        return [(source, target) for source, target in making["moves"]] if making else []

    # Events of a test

    def do(self, kind: str, **body: object) -> None:
        """Carry out an action of the director, which has to succeed."""
        answer = self.page.act(DIRECTOR, {"type": kind, "seq": self.seq, **body})
        assert answer.status == 200, answer.sentence

    def begin(self, south: int = 6, north: int = 4, **match: Any) -> None:
        """Begin a match between Anna, south, and Mehmet, with its opening thrown."""
        self.do("new_match", **{"players": {"south": "Anna", "north": "Mehmet"}, **match})
        self.do("opening", south=south, north=north)

    def stand(
        self,
        south: Mapping[int, int] = START,
        north: Mapping[int, int] = START,
        on_roll: str = "south",
        **more: Any,
    ) -> None:
        """Set up checkers as {point: number}, each side in its own numbering; the rest is borne off.

        `more` may be the cube, the score or crawford, as in the action set_position.
        """
        mine, theirs = (south, north) if on_roll == "south" else (north, south)
        points = [mine.get(n, 0) - theirs.get(25 - n, 0) for n in range(1, 25)]
        self.do("set_position", pos=[-theirs.get(25, 0), *points, mine.get(25, 0)], on_roll=on_roll, **more)

    def thrown(self, *faces: int | None, why: str = "", chances: Mapping[int, float] | None = None) -> None:
        """Report a throw of the side on roll, or of both in the opening; arguments as in `camera.dice.throw`."""
        state = self.state()
        half = dice.RIGHT_HAND[state["on_roll"] or "south"]
        second = dice.OTHER_HALF[half] if state["phase"] == "opening" else half
        self.handle(dice.throw(faces, (half, second), why, chances))

    def lifted(self) -> None:
        """Report that the dice were lifted."""
        self.handle(dice.lifted())

    def camera(self, state: CameraState, text: str = "", board_found: bool = True) -> None:
        """Change the camera's state."""
        self.handle(CameraReport(state, verbatim(text), board_found))

    def notice(self, text: Sentence | str, level: Level = Level.INFO) -> None:
        """Show a notice; a str is not translated."""
        self.handle(Notice(text if isinstance(text, Sentence) else verbatim(text), level))

    def shows_board(self) -> None:
        """Show a recorded frame, with the board at the place in its file."""
        throw = THROWS / "03_south"
        self.board_place.show(next(iter(FolderCamera(throw, 5.0).frames())), load_board(throw / "board.json"))

    def analysed(self) -> None:
        """Finish the analysis of the match."""
        self.study.go_on.set()
        assert self.page.services.analyse
        assert not self.page.services.analyse()
        for thread in threading.enumerate():
            if thread.name == "analysis":
                thread.join()
