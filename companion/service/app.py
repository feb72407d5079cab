"""The composition root: builds the parts, connects them, runs and stops them. No other module knows them all."""

import os
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeVar
from uuid import uuid4

from companion.camera.board_place import BoardPlace, board_of_settings, board_place_of
from companion.camera.checkers import Wanted
from companion.camera.exchange import CHANGEABLE, EyeHolder, Loops
from companion.camera.recorded import Waiting
from companion.camera.recorded_game import Film
from companion.errors import BadShapeError
from companion.game.events import AnyEvent, Orientation
from companion.game.state import GameOver, Level, MatchOver, Notice
from companion.game.table import Table
from companion.protocol.action_shapes import read_action
from companion.protocol.match_setup import Usual
from companion.rules.board import Roll
from companion.service.archive.kept_matches import KeptServices
from companion.service.archive.opened import OpenedFiles, is_opened
from companion.service.archive.studies import Studies
from companion.service.checkers.board_keeping import read_from_now
from companion.service.gnubg import Analyst, analysed
from companion.service.hall.link import door_of_hall, link_to_hall
from companion.service.hall.orders import HallDirector
from companion.service.health import HealthWatch
from companion.service.inbox import (
    ActionRequest,
    HealthReport,
    Message,
    Offered,
    Ping,
    Resumption,
    Stop,
    ThrowsOrder,
    WallTime,
)
from companion.service.keeper import Desk, Keeper, disk_alarm
from companion.service.lights import strip_of
from companion.service.network import (
    base_url,
    check_address,
    invitation,
    join_links,
    own_host,
    safe_url,
    served,
    shows_drawings,
    url,
)
from companion.service.page_services import PageServices, page_shapes, wiring_of
from companion.service.systemd import Notify, Watchdog, is_logged, page_answers
from companion.service.twelve_throws import Order, ThrowOrders, TwelveThrowsCheck
from companion.settings import MatchSettings, Settings
from companion.storage.fallback import AtStake, Backlog, FallbackFolder, opened_folder, opened_journal
from companion.storage.folder import (
    SCREEN_LINK,
    STARTS_FILE,
    TABLE_FILE,
    FolderUnusableError,
    StateFolder,
    leave_port,
)
from companion.storage.journal import Journal
from companion.storage.pictures import Pictures
from companion.storage.recovery import check_rest, mend_codes
from companion.storage.signing import Signed, Signing
from companion.storage.wholefile import write_whole
from sentence import NOTHING, Sentence, say, verbatim
from vision.errors import BadSource, CameraLost
from web.page import Answer, Page, refused
from web.roles import Visitor
from web.services import Services
from web.setup.table_setup import SetupFile

ANSWER_S = 10.0
"""Most seconds to wait for an action's answer, which takes milliseconds unless the disk hangs."""
LOOK_S = 0.1
"""Seconds between checks, while waiting for an answer, whether the program is ending."""
SEQ_STEP = 1_000_000
"""Each start counts states from a new million, so that no page mistakes a new state for one it has seen."""
NO_ANSWER = say("The table does not answer; check whether this was done, then try again.")
_Answered = TypeVar("_Answered")


class App:
    """The running companion."""

    def __init__(
        self,
        settings: Settings,
        folder: Path,
        speed: float = 1.0,
        to_user: Callable[[str], None] = lambda text: print(text, flush=True),
        *,
        first_run: bool = True,
        film: Film | None = None,
    ) -> None:
        """Build all parts and start the page's server.

        Args:
            settings: everything that can be set.
            folder: the state folder.
            speed: factor by which recorded throws play faster.
            to_user: prints a line for the user who started the program.
            first_run: whether the table can be set up on the page.
            film: a recorded game to play in the place of a camera's pictures; None: as the settings say.

        Raises:
            UserError, VisionError, HardwareError, WebError: the user has to correct something, named in one sentence.
        """
        self._settings, self._folder, self._speed, self._to_user = settings, folder, speed, to_user
        self._film = film
        self._inbox: SimpleQueue[Message] = SimpleQueue()
        self._waiting, self._wanted = Waiting(), Wanted(settings.camera.reads)
        self._twelve_throws = TwelveThrowsCheck(lambda: self._eyes.eye.board_place.newest())
        self._unprinted: list[str] = []
        self._print = self._unprinted.append  # until `run`: a failed start prints its error only
        self._closing = threading.Event()
        with ExitStack() as parts:
            board = board_of_settings(settings)
            state, table = self._open_storage(parts)
            self._setup = SetupFile(state.path / TABLE_FILE, fresh=not table.entries) if first_run else None
            fixed = self._fixed_camera(settings)
            self._settings = settings = self._with_setup(settings)
            page = Page(self._act, self._pictures.load, shapes=page_shapes)
            desk = Desk(
                self._inbox,
                self._backlog,
                self._pictures,
                page,
                WallTime(),
                _usual(settings.match),
                settings.profiles,
                self._waiting,
                self._wanted,
                twelve_throws=self._twelve_throws,
            )
            self._add_panel(desk, parts)
            self._eyes = self._eye_holder(partial(board_place_of, settings.camera, board, state.path), fixed)
            self._health = HealthWatch(
                folder,
                lambda: not self._backlog.trouble and self._backlog.is_writable,
                lambda: self._eyes.eye,
                lambda findings: self._inbox.put(HealthReport(findings)),
            )
            started = _count_start(state.path, fresh=not table.entries)
            self.keeper = Keeper(desk, table, SEQ_STEP * started, self._eyes.report, self._health.at_start())
            self.keeper.resume()
            page.services = self._services()
            if page.services.kept is not None:
                desk.label = page.services.kept.label
            session = uuid4().hex
            hall_director = HallDirector(
                settings.hall.name,
                settings.hall.rulings,
                self._act,
                self._inbox.put,
                door_of_hall(settings, session),
            )
            self._hall = link_to_hall(
                settings,
                state.path,
                lambda: self._backlog.journal,
                page,
                offered=lambda offer: self._inbox.put(Offered(offer)),
                carry_out=hall_director.carry_out,
                address=lambda: base_url(settings.page, self.port),
                session=session,
                picture=self._pictures.load,
            )
            if self._hall is not None:
                page.services = replace(page.services, visit=hall_director.visit)
                parts.callback(self._hall.close)
            page.on_change(lambda: self._studies.follow(self.keeper.table.state))
            # A demo begins anew each time: a name of its table's own would leave one more cookie at every start.
            mark = "" if first_run else f"demo{settings.page.port}"
            self._server = served(page, state.path, settings, setup=self._setup, mark=mark)
            parts.callback(self._server.close)
            leave_port(folder, self.port)
            self._parts = parts.pop_all()
        self._notify = Notify()
        self._watchdog = Watchdog(
            self._notify, {"keeper": self._keeper_turns, "eye": self._eyes.turns, "page": self._page_answers}
        )

    def _open_storage(self, parts: ExitStack) -> tuple[StateFolder | FallbackFolder, Table]:
        """Open the state folder, join codes and journal, or their substitutes; returns the table as it was left."""
        settings, folder = self._settings, self._folder
        with settings.blaming("keep.folder", FolderUnusableError):
            state = parts.enter_context(closing(opened_folder(folder)))
        check_address(settings)
        codes = mend_codes(state.path)
        self._links = join_links(state.path, "")
        state, journal, table, notices = opened_journal(state, folder)
        parts.enter_context(closing(state))
        parts.enter_context(closing(journal))
        for notice in codes + notices:
            self._warn(notice)
        signing = Signing(folder)
        signing.begin(journal.last_match_id)
        self._pictures = Pictures(state.pictures, settings.keep.pictures_mb << 20, signing.note_removed)
        open_late = None
        if isinstance(state, FallbackFolder):
            open_late = partial(state.open_late, journal, self._pictures)
            self._warn(Notice(disk_alarm(AtStake.LATEST, str(state.refusal)), Level.ALARM))
        self._backlog = Backlog(journal, state.mark_lacking, open_late, signing)
        self._sign_late(journal, signing, table)
        self._opened = OpenedFiles(state.path)
        self._studies = Studies(state.path, lambda: self._backlog.journal.archive.catalogue, self._head_of)
        parts.enter_context(closing(self._studies))
        return state, table

    def _with_setup(self, settings: Settings) -> Settings:
        """The settings with what was set on the page, which a settings file overrides."""
        if self._setup is None:
            return settings
        if self._setup.damaged:
            text = say("{file} is damaged: the director has to set up the table again.", file=TABLE_FILE)
            self._warn(Notice(text, Level.WARN))
        chosen = self._setup.now.camera
        if settings.camera.source not in CHANGEABLE or chosen == "auto":
            return settings
        return replace(settings, camera=replace(settings.camera, source=chosen))

    def _fixed_camera(self, settings: Settings) -> Sentence:
        """Why the page cannot change the camera; empty if it can, or has no page for it."""
        if settings.camera.source in CHANGEABLE:
            return NOTHING
        return say("The settings file names the camera (camera.source); change it there.")

    def _eye_holder(self, place: Callable[[], BoardPlace], fixed: Sentence) -> EyeHolder:
        """The eye for the camera of the settings, or for the film, and its loops."""
        settings = self._settings
        loops = Loops(
            settings.camera,
            self._waiting,
            self._wanted,
            self._warn,
            lambda text: self._print(text),
            self._speed,
            settings.keep.whole_pictures,
        )
        if self._film is not None:
            begun = loops.of_film(self._film)
        else:
            with settings.blaming("camera.source", BadSource, CameraLost):
                begun = loops.of_settings()
        return EyeHolder(loops, begun, place, self._wanted, self._inbox.put, fixed=fixed)

    def _head_of(self, match_id: str) -> str:
        files = self._opened if is_opened(match_id) else self._backlog
        rows = files.rows(match_id)
        return rows[-1].digest if rows else ""

    def _sign_late(self, journal: Journal, signing: Signing, table: Table) -> None:
        """Sign the end of the last match if the program ended before that; warn where something else was signed."""
        rows = journal.rows(journal.last_match_id) if journal.last_match_id else []
        if not rows:
            return
        if Signed(signing.statements).problems(rows, ended=False):
            text = say("The record of match {match} is not the one that was signed.", match=rows[0].match_id)
            self._warn(Notice(text, Level.ALARM))
        elif table.state is not None and isinstance(table.state.phase, (GameOver, MatchOver)):
            signing.sign(rows[-1], late=True)
        if signing.trouble:
            self._warn(Notice(say("Matches cannot be signed ({why}).", why=signing.trouble), Level.WARN))

    def _services(self) -> Services:
        settings = self._settings
        has_camera = settings.camera.source != "none" or (self._setup is not None and not self._eyes.fixed)
        return PageServices(
            lambda: self.keeper.table,
            self._backlog,
            self._pictures.load,
            (lambda: self._eyes.eye.board_place) if has_camera else None,
            Analyst(lambda state, plies, progress: analysed(state, plies, progress, self._studies.run)),
            settings.match,
            settings.profiles,
            KeptServices(
                lambda: self.keeper.table,
                self._backlog,
                self._pictures,
                self._studies,
                lambda: self.keeper.former_match,
                self._opened,
                self._take_up,
                settings.profiles,
            ),
            partial(read_from_now, self._wanted, self._inbox.put) if has_camera else None,
            self._eyes.change if self._setup is not None else None,
            self._eyes.fixed,
            ThrowOrders(self._twelve_throws, self._try_throws) if has_camera and self._film is None else None,
        ).services()

    @property
    def port(self) -> int:
        """TCP port of the page over plain HTTP."""
        return self._server.port

    def run(self) -> bool:
        """Print the link and run until SIGTERM, SIGINT or a closed terminal; returns whether all events are on disk."""
        stops = [signal.SIGTERM, signal.SIGINT]
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # ignored under nohup
            stops.append(signal.SIGHUP)
        for number in stops:
            signal.signal(number, lambda number, frame: self._inbox.put(Stop()))
        self._print = self._to_user
        for text in self._unprinted:
            self._print(text)
        page, link = self._settings.page, self._links["scorekeeper"]
        leave_link(url(own_host(page.host), self.port) + link)
        if is_logged(1):  # whoever reads the log must not become the scorekeeper by that
            link = "; 'companion links' prints the join links."
        self._print(base_url(page, self.port) + link)
        if self._server.tls is not None:
            self._print(safe_url(page, self._server.tls.port) + link)
        if self._film is not None:
            self._print("A recorded game plays there by itself; Ctrl+C ends it.")
        if shows_drawings(1):
            is_open = self._setup is not None and self._setup.now.open
            self._print(invitation(base_url(page, self.port) + link, is_first=is_open))
        self._eyes.start()
        if self._hall is not None:
            self._hall.start()
        self._notify("READY=1", "STATUS=The page answers.")
        self._watchdog.start()
        self._health.start()
        threading.Thread(target=self._look_over_matches, name="archive", daemon=True).start()
        try:
            self.keeper.run()
        finally:
            self._notify("STOPPING=1")
            self.close()
        return not self.keeper.lost

    def close(self) -> None:
        """Close all parts, the page first."""
        self._closing.set()
        self._health.close()
        self._watchdog.close()
        self._eyes.stop()
        with self._parts:
            self._eyes.close()

    def _look_over_matches(self) -> None:
        """Check and catalogue the matches that the start left out, once and slowly."""
        if self._backlog.is_writable:
            for notice in check_rest(self._backlog.journal, self._folder, self._closing.wait):
                self._warn(notice)

    # Calls from the page and the watchdog

    def _act(self, visitor: Visitor, body: object) -> Answer:
        """Check the shape of a visitor's action, put it into the inbox and wait for the answer."""
        try:
            action = read_action(body)
        except BadShapeError as error:
            return refused(400, "Bad request", str(error))
        answer: SimpleQueue[Answer] = SimpleQueue()
        self._inbox.put(ActionRequest(visitor, action, answer))
        return self._awaited(answer) or refused(503, "Busy", NO_ANSWER)

    def _take_up(self, visitor: Visitor, events: Sequence[AnyEvent]) -> Sentence:
        """Let the keeper go on with an earlier match; a sentence why not, else an empty one."""
        answer: SimpleQueue[Answer] = SimpleQueue()
        self._inbox.put(Resumption(visitor, events, answer))
        sentence = (self._awaited(answer) or refused(503, "Busy", NO_ANSWER)).sentence
        return verbatim(sentence) if isinstance(sentence, str) else sentence

    def _try_throws(self, order: Order, about: int, roll: Roll | None) -> Sentence:
        """Let the keeper carry out an order to the check with twelve throws; a sentence why not, else an empty one."""
        answer: SimpleQueue[Sentence] = SimpleQueue()
        self._inbox.put(ThrowsOrder(order, about, roll, answer))
        sentence = self._awaited(answer)
        return NO_ANSWER if sentence is None else sentence

    def _awaited(self, answer: "SimpleQueue[_Answered]") -> "_Answered | None":
        """The keeper's answer; None if it does not come in time."""
        until_s = time.monotonic() + ANSWER_S
        while not self._closing.is_set() and time.monotonic() < until_s:
            with suppress(Empty):
                return answer.get(timeout=LOOK_S)
        return None

    def _keeper_turns(self) -> bool:
        answer: SimpleQueue[bool] = SimpleQueue()
        self._inbox.put(Ping(answer))
        with suppress(Empty):
            return answer.get(timeout=ANSWER_S)
        return False

    def _page_answers(self) -> bool:
        here, safe = own_host(self._settings.page.host), self._server.tls
        cookie = self._server.check_cookie
        return page_answers(here, self.port, cookie=cookie) and (
            safe is None or page_answers(here, safe.port, https=True, cookie=cookie)
        )

    # Parts

    def _add_panel(self, desk: Desk, parts: ExitStack) -> None:
        """Connect lamps and buttons, and report missing ones once."""
        from hardware.buttons import Buttons
        from hardware.errors import HardwareError
        from hardware.lamps import Lamps
        from hardware.pins import find_pins

        wiring = wiring_of(self._settings)
        with self._settings.blaming("lamps.pins", HardwareError):
            pins = find_pins(self._settings.lamps.pins)
        lamps = parts.enter_context(closing(Lamps(wiring, pins)))
        buttons = parts.enter_context(closing(Buttons(wiring, pins, self._inbox.put)))
        desk.show_lamps, desk.gestures = lamps.show, buttons.gestures
        if pins.notice:
            self._print(pins.notice)
        for problem in lamps.problems + buttons.problems:
            self._warn(Notice(problem, Level.WARN))
        strip = strip_of(self._settings, lambda text: self._warn(Notice(text, Level.WARN)))
        if strip is not None:
            desk.show_lights = parts.enter_context(closing(strip)).show

    def _warn(self, notice: Notice) -> None:
        """Show a notice to the user who started the program, and on the page."""
        self._print(str(notice.text))
        self._inbox.put(notice)


def leave_link(link: str, environment: Mapping[str, str] = os.environ) -> None:
    """Write the link for a screen on this machine into the service's runtime folder, readable by its group only."""
    folder = environment.get("RUNTIME_DIRECTORY", "").split(":")[0]
    if folder:
        file = Path(folder) / SCREEN_LINK
        file.touch(0o640)
        file.chmod(0o640)
        file.write_text(link + "\n")


def _usual(match: MatchSettings) -> Usual:
    orientation = Orientation(match.home, match.south_checkers)
    return Usual(match.profile, match.length, match.south, match.north, match.overrides, orientation)


def _count_start(folder: Path, *, fresh: bool, now_s: Callable[[], float] = time.time) -> int:
    """Count and write the starts with this folder, this one included; the number never falls.

    If the file is damaged, or missing beside a journal, the count goes on from the seconds since 1970, which is more.

    Raises:
        UserError: the file cannot be written.
    """
    file = folder / STARTS_FILE
    before = 0 if fresh and not file.exists() else int(now_s())
    if file.is_file():  # reading a pipe may never end; it is not overwritten either
        with suppress(OSError, ValueError):
            before = max(0, int(file.read_bytes().decode("ascii")))
    write_whole(file, str(before + 1).encode())
    return before + 1
