"""The composition root: builds the parts, connects them, runs, stops. Nobody else knows them all."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

from companion.camera.board_place import board_of_settings, sight_of
from companion.camera.eye import CameraSaid, Eye, Look
from companion.camera.recorded import Waiting, play_throws, recorded_throws, throws_folder
from companion.camera.sources import open_as_set, wait_for_camera
from companion.game.events import Orientation
from companion.game.state import Level, Notice
from companion.game.step import Table
from companion.protocol.match_setup import Usual
from companion.service.gnubg import Analyst
from companion.service.health import Finding, Verdict, exposure, frames, machine
from companion.service.inbox import (
    Asked,
    Looked,
    Message,
    Ping,
    Said,
    Stop,
    WallTime,
)
from companion.service.keeper import Desk, Keeper
from companion.service.network import base_url, check_address, join_links, own_host, safe_url, served
from companion.service.page_services import Behind, wiring_of
from companion.service.systemd import Notify, Watchdog, page_answers
from companion.settings import Settings
from companion.storage.backlog import Backlog
from companion.storage.join_codes import mend_codes
from companion.storage.pictures import Pictures
from companion.storage.statefolder import STARTS_FILE, FolderUnusableError
from companion.storage.stopgap import LateJournal, Stopgap, opened_folder, opened_journal
from companion.storage.wholefile import write_whole
from sentence import Sentence, say
from vision.capture.source import find_camera, is_live
from vision.errors import BadSource, CameraLost
from web.page import Answer, Page, refused
from web.views import Visitor

if TYPE_CHECKING:
    from vision.capture.camera import Camera

ANSWER_S = 10.0
"""An action is answered in milliseconds; a disk that hangs may make it wait."""
LOOK_S = 0.1
"""How often somebody who waits for an answer looks whether the program is ending."""
HEALTH_S = 30.0
"""How often the machine's own health is looked at; heat and disks change slowly."""
POLL_S, COUNT_S = 1.0, 3.0
"""So often it is looked whether the first pictures have come; so long they are counted before it is told how many."""
SEQ_STEP = 1_000_000
"""Each start counts from a new million, so that no page mistakes a new state for one it has seen."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How the program is to run, besides its settings.

    Attributes:
        folder: where the state lies.
        speed: recorded throws go so many times as fast.
        say: prints a line for whoever started the program.
    """

    folder: Path
    speed: float = 1.0
    say: Callable[[str], None] = lambda text: print(text, flush=True)


class App:
    """The running companion."""

    def __init__(self, settings: Settings, wish: Wish) -> None:
        """Build everything up to the page that answers; what cannot be built is said in one sentence.

        Raises:
            UserError, VisionError, HardwareError, WebError: the user has to put something right.
        """
        self._settings, self._wish = settings, wish
        self._inbox: SimpleQueue[Message] = SimpleQueue()
        self._waiting = Waiting()
        self._untold: list[str] | None = []  # until everything is built: whoever cannot start says that alone
        self._closing = threading.Event()
        with ExitStack() as parts:
            board = board_of_settings(settings)
            with settings.blaming("keep.folder", FolderUnusableError):
                state = parts.enter_context(closing(opened_folder(wish.folder)))
            check_address(settings)
            codes = mend_codes(state.path)
            self._links = join_links(state.path, "")
            state, journal, table, notices = opened_journal(state, wish.folder)
            parts.enter_context(closing(state))
            parts.enter_context(closing(journal))
            for notice in codes + notices:
                self._warn(notice)
            self._late: LateJournal | None = None
            pictures = Pictures(state.pictures, settings.keep.pictures_mb << 20)
            if isinstance(state, Stopgap):
                journal = self._late = LateJournal(journal, wish.folder, pictures, state.lock)
                parts.enter_context(closing(journal))
                why = str(state.refusal).rstrip(".")
                text = say(
                    "{why}. Play goes on, but a power cut or a stop would lose what happens now.", why=why
                )
                self._warn(Notice(text, Level.ALARM))
            self._sight = sight_of(settings.camera, board, state.path)
            self._sight.whole = settings.keep.whole_pictures
            looks = settings.camera.source != "none"
            behind = Behind(
                lambda: self.keeper.table,
                lambda match_id: self._backlog.rows(match_id),
                pictures.load,
                self._sight if looks else None,
                Analyst(),
                settings.match,
                settings.profiles,
            )
            page = Page(self._act, pictures.load, behind.doors())
            self._backlog = Backlog(journal, state.tell)
            desk = Desk(
                self._inbox,
                self._backlog,
                pictures,
                page,
                WallTime(_last_ms(table)),
                _usual(settings),
                settings.profiles,
                self._waiting,
            )
            self._panel(desk, parts)
            look, said = self._way()
            started = _count_start(state.path, fresh=not table.entries)
            findings = [*self._machine(), frames("none", None, 0.0)]
            self.keeper = Keeper(desk, table, SEQ_STEP * started, said, findings)
            self.keeper.resume()
            self._server = served(page, state.path, settings)
            parts.callback(self._server.close)
            self._parts = parts.pop_all()
        self._eye = Eye(look, self._inbox.put, self._sight)
        self._counted = (0, time.monotonic())
        self._notify = Notify()
        self._watchdog = Watchdog(
            self._notify, {"keeper": self._keeper_turns, "eye": self._eye.turns, "page": self._page_answers}
        )

    @property
    def port(self) -> int:
        """Where the page answers."""
        return self._server.port

    def run(self) -> bool:
        """Print the link and work until SIGTERM, SIGINT or a closed terminal; whether all that happened is on disk."""
        stops = [signal.SIGTERM, signal.SIGINT]
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as under nohup
            stops.append(signal.SIGHUP)
        for number in stops:
            signal.signal(number, lambda number, frame: self._inbox.put(Stop()))
        untold, self._untold = self._untold or [], None
        for text in untold:
            self._wish.say(text)
        here = own_host(self._settings.page.host)
        link = self._links["scorekeeper"]
        leave_link(f"http://{f'[{here}]' if ':' in here else here}:{self.port}{link}")
        self._wish.say(base_url(self._settings.page, self.port) + link)
        if self._server.tls is not None:
            self._wish.say(safe_url(self._settings.page, self._server.tls.port) + link)
        self._eye.start()
        self._notify("READY=1", "STATUS=The page answers.")
        self._watchdog.start()
        threading.Thread(target=self._look_after_machine, name="health", daemon=True).start()
        try:
            self.keeper.run()
        finally:
            self._notify("STOPPING=1")
            self.close()
        return not self.keeper.lost

    def stop(self) -> None:
        """End `run`, from any thread."""
        self._inbox.put(Stop())

    def close(self) -> None:
        """Let go of everything, the page first."""
        self._closing.set()
        self._watchdog.close()
        self._eye.stop.set()
        with self._parts:
            self._eye.close()

    def _look_after_machine(self) -> None:
        """Look at heat, power, disk, clock and camera now and then; logged is what turns bad, and what is locked.

        That no pictures come is written down by the keeper, in the eye's words and sooner.
        """
        bad: set[str] = set()
        locked = ""
        while self._next_look():
            lock = self._exposure()
            findings = [*self._machine(), self._frames(), *lock]
            self._inbox.put(Looked(findings))
            now_bad = {finding.what for finding in findings if finding.verdict is Verdict.BAD}
            for finding in findings:
                if finding.what in now_bad - bad - {"frames"}:
                    print(finding.line(), file=sys.stderr, flush=True)
            bad = now_bad
            for finding in lock:
                if finding.line() != locked:
                    locked = finding.line()
                    print(locked, file=sys.stderr, flush=True)

    def _next_look(self) -> bool:
        """Wait until it is time to look again, the first time until pictures come; False where the program ends."""
        begun, until_s = self._counted[0] > 0, time.monotonic() + HEALTH_S
        while not begun and not self._eye.frames and time.monotonic() < until_s:
            if self._closing.wait(POLL_S):
                return False
        if not begun and self._eye.frames:
            self._counted = (self._eye.frames, time.monotonic())
            return not self._closing.wait(COUNT_S)
        return not self._closing.wait(max(0.0, until_s - time.monotonic()))

    def _machine(self) -> list[Finding]:
        """How the machine is doing; whether its disk takes anything, as the journal last met with it."""
        takes = not self._backlog.trouble and (self._late is None or self._late.is_open)
        return machine(self._wish.folder, takes=takes)

    def _exposure(self) -> list[Finding]:
        """What a live camera that has given a picture holds of exposure, gain and white balance."""
        from vision.capture.live import LiveCamera

        camera = self._eye.camera
        if not isinstance(camera, LiveCamera) or not self._eye.frames:
            return []
        return [exposure(camera.lock.state.value, camera.lock.held, camera.lock.unkept)]

    def _frames(self) -> Finding:
        from vision.capture.live import LiveCamera

        eye, now_s = self._eye, time.monotonic()
        before, since_s = self._counted
        self._counted = (eye.frames, now_s)
        state = "failed" if eye.failed else "live" if eye.camera is not None and eye.camera.live else "none"
        age_s = now_s - eye.beat_s if eye.frames else None
        patience_s = eye.camera.patience_s if isinstance(eye.camera, LiveCamera) else 0.0
        return frames(state, age_s, (eye.frames - before) / max(0.001, now_s - since_s), patience_s)

    # What the page and the watchdog ask

    def _act(self, visitor: Visitor, body: Any) -> Answer:
        answer: SimpleQueue[Answer] = SimpleQueue()
        self._inbox.put(Asked(visitor, body, answer))
        until_s = time.monotonic() + ANSWER_S
        while not self._closing.is_set() and time.monotonic() < until_s:
            try:
                return answer.get(timeout=LOOK_S)
            except Empty:
                continue
        return refused(
            503, "Busy", say("The table does not answer; look whether this was done, then try again.")
        )

    def _keeper_turns(self) -> bool:
        answer: SimpleQueue[bool] = SimpleQueue()
        self._inbox.put(Ping(answer))
        try:
            return answer.get(timeout=ANSWER_S)
        except Empty:
            return False

    def _page_answers(self) -> bool:
        here, safe = own_host(self._settings.page.host), self._server.tls
        return page_answers(here, self.port) and (safe is None or page_answers(here, safe.port, https=True))

    # Parts

    def _panel(self, desk: Desk, parts: ExitStack) -> None:
        """Lamps and buttons; what is missing of them is said once."""
        from hardware.buttons import Buttons
        from hardware.errors import HardwareError
        from hardware.lamps import Lamps
        from hardware.pins import find_pins

        wiring = wiring_of(self._settings)
        with self._settings.blaming("lamps.pins", HardwareError):
            pins = find_pins(self._settings.lamps.pins)
        lamps = parts.enter_context(closing(Lamps(wiring, pins)))
        buttons = parts.enter_context(closing(Buttons(wiring, pins, self._inbox.put)))
        desk.lamps, desk.gestures = lamps, buttons.gestures
        if pins.notice:
            self._tell(pins.notice)
        for problem in lamps.problems + buttons.problems:
            self._warn(Notice(problem, Level.WARN))

    def _tell(self, text: str) -> None:
        """A line for whoever started the program."""
        if self._untold is None:
            self._wish.say(text)
        else:
            self._untold.append(text)

    def _warn(self, notice: Notice) -> None:
        """Say something to whoever started the program, and on the page."""
        self._tell(str(notice.text))
        self._inbox.put(Said(notice))

    def _way(self) -> tuple[Look, CameraSaid]:
        """The way to see that the settings name, and what is said of it until there is more to say."""
        source = self._settings.camera.source
        if source == "none":
            return _not_looking, CameraSaid("none", say("Dice are typed in."))
        if source == "recorded":
            return self._recorded(say("Recorded throws are played."))
        if source == "plugged":
            look = wait_for_camera(lambda pi: find_camera(pi=pi), self._through)
            return look, CameraSaid("none", say("The camera is being looked for."))
        if source != "auto":
            return self._through(source), CameraSaid("none", say("The camera is being opened."))
        if find_spec("picamera2") is not None:
            # Asking picamera2 takes seconds, for which the page need not wait.
            return self._look_for_camera, CameraSaid("none", say("The camera is being looked for."))
        return self._found()

    def _found(self) -> tuple[Look, CameraSaid]:
        """The camera that is plugged in, else recorded throws, which is said aloud."""
        source = find_camera()
        if source is not None:
            return self._through(source), CameraSaid("none", say("The camera is being opened."))
        text = say("There is no camera: recorded throws are played.")
        self._tell(str(text))
        return self._recorded(text)

    def _look_for_camera(self, eye: Eye) -> None:
        look, said = self._found()
        eye.put(said)
        look(eye)

    def _recorded(self, text: Sentence) -> tuple[Look, CameraSaid]:
        self._sight.refusal = say("Recorded throws come with a board of their own.")
        throws = recorded_throws(throws_folder())
        return play_throws(throws, self._waiting, self._wish.speed), CameraSaid("recorded", text)

    def _through(self, source: str) -> Look:
        """Through a source, which is opened here; a live one by the eye: the page need not wait for OpenCV."""
        with self._settings.blaming("camera.source", BadSource, CameraLost):
            camera = None if is_live(source) else open_as_set(source, self._settings.camera)
        if camera is not None:
            return lambda eye: self._follow(eye, camera)
        return lambda eye: self._follow(eye, open_as_set(source, self._settings.camera))

    def _follow(self, eye: Eye, camera: "Camera") -> None:
        from companion.camera.live import follow  # loads OpenCV, for which the page need not wait

        trouble = self._sight.recall()
        if trouble:
            self._warn(Notice(trouble, Level.WARN))
        follow(camera, self._sight.board, self._wish.speed, bool(self._settings.camera.board))(eye)


def leave_link(link: str, environment: Mapping[str, str] = os.environ) -> None:
    """Leave the link for a screen on this machine, in the service's runtime folder, readable by its group alone."""
    folder = environment.get("RUNTIME_DIRECTORY", "").split(":")[0]
    if folder:
        file = Path(folder) / "link"
        file.touch(0o640)
        file.chmod(0o640)
        file.write_text(link + "\n")


def _not_looking(eye: Eye) -> None:
    """Everything is typed in."""


def _usual(settings: Settings) -> Usual:
    match = settings.match
    lies = Orientation(match.home, match.south_checkers)
    return Usual(match.profile, match.length, match.south, match.north, match.overrides, lies)


def _count_start(folder: Path, *, fresh: bool, now_s: Callable[[], float] = time.time) -> int:
    """How often the program has been started with this folder, this time included; never fewer than at the last start.

    Where the file that counts is damaged, or gone from beside a journal, the seconds since 1970 are more than enough.

    Raises:
        UserError: it cannot be written.
    """
    file = folder / STARTS_FILE
    before = 0 if fresh and not file.exists() else int(now_s())
    if file.is_file():  # a pipe would be read for ever, and is not written over either
        with suppress(OSError, ValueError):
            before = max(0, int(file.read_bytes().decode("ascii")))
    write_whole(file, str(before + 1).encode())
    return before + 1


def _last_ms(table: Table) -> int:
    return max((entry.event.at_ms for entry in table.entries), default=0)
