"""The camera's thread: frames in, what was seen out into the inbox. It knows no game, only whom to tell.

A live camera is followed as it comes. Recorded throws are played when the table waits for one, and held at
the dice at rest until the table has dealt with them: the same pipeline sees both.
"""

import threading
import time
import traceback
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from companion.camera.board_place import Sight
from companion.camera.cutting import Box, cut_of
from companion.camera.lying import Lying
from companion.camera.throws import Awaited, RecordedThrow, Waiting

if TYPE_CHECKING:
    from companion.settings import CameraSettings
    from vision.board.calibration import Board
    from vision.capture.camera import Camera
    from vision.dice.pipeline import BoardMoved, Seeing, ThrowSeen, Watcher
    from vision.frame import Bgr, Frame

CameraState: TypeAlias = Literal["live", "recorded", "lost", "none"]

JPEG_QUALITY = 80
"""About 150 kB for 1280 by 720: pips stay clear, and an evening's throws fit into 50 MB."""


@dataclass(frozen=True, slots=True)
class CameraSaid:
    """How the camera is doing, with a sentence for people."""

    state: CameraState
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Saw:
    """Something the pipeline saw.

    Attributes:
        seeing: what it was.
        jpeg: the picture of a throw that is to be kept; None where there is none.
        cut: which part of the frame that picture shows; None: all of it.
    """

    seeing: "Seeing"
    jpeg: bytes | None
    cut: Box | None = None


Put: TypeAlias = Callable[[CameraSaid | Saw], None]
Look: TypeAlias = Callable[["Eye"], None]
"""A way to see: it returns once its source has ended or the eye's `stop` is set."""

FIND_CAMERA_S = 2.0
"""So often a camera is looked for while none is plugged in; found and opened it gives pictures within 5 s."""
ASK_PI = 3
"""So many times the Pi's own is asked for: it cannot be plugged in later, but may be late when the Pi starts."""
HANGS_S = 10.0
"""An eye that has not turned for so long hangs: reading a throw takes a second on a slow Pi."""
STARTS_S = 60.0
"""Before its first turn it loads OpenCV and the nets and looks for a camera: long on a busy Pi with a slow card."""
SAW_WELL_S = 60.0
"""An eye that fails sooner would fail again: starting anew would only disturb those who play by hand."""


class Eye:
    """Runs one of the ways to see in a thread of its own."""

    def __init__(self, look: Look, put: Put, sight: Sight | None = None) -> None:
        """`look` is `follow(…)`, `play_throws(…)` or another; `put` takes what was seen, `sight` shows the frames."""
        self.stop = threading.Event()
        self.put = put
        self.sight = sight or Sight()
        self.ended = self.failed = False
        self.frames = 0
        self.camera: Camera | None = None
        self.lying = Lying()
        self.began_s = self.beat_s = time.monotonic()
        self._thread = threading.Thread(target=self._run, args=(look,), name="eye", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """Stop looking and let go of the camera."""
        self.stop.set()
        if self.camera is not None:
            self.camera.close()
        self._thread.join(timeout=1.5)

    def alive_s(self) -> float:
        """When the loop last turned, on the monotonic clock; also while the camera is lost."""
        return max(self.beat_s, getattr(self.camera, "looked_s", 0.0))

    def turns(self) -> bool:
        """False where it stands still and starting the program anew may mend it."""
        if self.failed:
            return self.alive_s() - self.began_s < SAW_WELL_S
        limit_s = HANGS_S if self.beat_s > self.began_s else STARTS_S
        return self.ended or time.monotonic() - self.alive_s() < limit_s

    def _run(self, look: Look) -> None:
        try:
            self._look(look)
        except BaseException as error:
            # Above a thread there is nobody, and threading passes over a SystemExit in silence: the page says
            # that the game goes on by hand, the log where the fault lies.
            traceback.print_exception(error)
            why = f"The eye has failed: {type(error).__name__}."
            self.put(CameraSaid("lost", f"{why} Dice can be typed in meanwhile."))
            self.failed = True  # after it was told, so that it is not told in other words first
        finally:
            self.ended = True

    def _look(self, look: Look) -> None:
        from vision.errors import VisionError

        try:
            look(self)
        except VisionError as error:
            self.put(CameraSaid("lost", str(error)))

    def see(self, watcher: "Watcher", frame: "Frame") -> int:
        """Feed a frame; how many seeings it brought."""
        self.beat_s = time.monotonic()
        self.frames += 1
        self.sight.show(frame)
        return self.tell(watcher.feed(frame))

    def tell(self, seeings: "list[Seeing]") -> int:
        """Put what was seen into the inbox; how many that were."""
        from vision.dice.pipeline import BoardMoved, ThrowSeen

        for seeing in seeings:
            if isinstance(seeing, BoardMoved):
                if seeing.board is not None:
                    self.sight.found(seeing.board)
                self.lying.bumped()
                self.put(_bump_said(seeing))
                continue
            for news in self.lying.news(seeing):
                self.put(self._saw(news) if isinstance(news, ThrowSeen) else Saw(news, None))
        return len(seeings)

    def _saw(self, seeing: "ThrowSeen") -> Saw:
        """A throw with its picture, cut to the board unless whole pictures are to be kept."""
        frame = seeing.frame
        if self.sight.whole:
            return Saw(seeing, _jpeg(frame.bgr))
        cut = cut_of(frame.size_px, self.sight.corners(), [one.box_px for one in seeing.reading.dice])
        if cut is None:
            return Saw(seeing, None)
        x0, y0, x1, y1 = cut
        return Saw(seeing, _jpeg(frame.bgr[y0:y1, x0:x1]), cut)


def open_as_set(source: str, wanted: "CameraSettings") -> "Camera":
    """The named source, a live one with the size, pace and lock that the settings ask for.

    Raises:
        BadSource: the name means nothing that is there.
    """
    from vision.capture.camera import open_camera

    return open_camera(
        source,
        width=wanted.width,
        height=wanted.height,
        live_fps=wanted.fps,
        lock=wanted.lock,
        mains_hz=wanted.mains_hz,
    )


def wait_for_camera(find: Callable[[bool], str | None], through: Callable[[str], Look]) -> Look:
    """Look for a camera until one is plugged in, then look through it; meanwhile the game goes on by hand.

    Args:
        find: names a camera that is plugged in; True: ask for the Pi's own as well, which takes seconds.
        through: the way to look through it.
    """

    def look(eye: Eye) -> None:
        from vision.errors import CameraLost

        said, asked = "", 0
        while not eye.stop.is_set():
            why = "No camera is plugged in."
            try:
                source = find(asked < ASK_PI)
            except CameraLost as lost:
                source, why = None, str(lost)
            if source is not None:
                through(source)(eye)
                return
            if why != said:
                said = why
                eye.put(CameraSaid("lost", f"{why} Dice can be typed in meanwhile."))
            asked += 1
            eye.beat_s = time.monotonic()
            eye.stop.wait(FIND_CAMERA_S)

    return look


def follow(camera: "Camera", board: "Board | None", speed: float = 1.0, fixed: bool = False) -> Look:
    """Look through a camera until stopped; each loss and each return is said once.

    Args:
        camera: the source; a recorded one is played at its own pace.
        board: where the board lies; None: it is looked for in the picture.
        speed: a recorded source goes so many times as fast.
        fixed: the settings say where the board lies; it is not looked for anew when the pictures change their shape.
    """

    def look(eye: Eye) -> None:
        from companion.camera.watching import Watching
        from vision.capture.camera import paced
        from vision.errors import CameraLost

        eye.camera = camera
        watching = Watching(eye, camera, board, fixed)
        with closing(camera):
            while not eye.stop.is_set():
                try:
                    frames = camera.frames()
                    for frame in frames if camera.live else paced(frames, eye.stop, speed):
                        watching.see(frame)
                except CameraLost as lost:
                    watching.lost(str(lost))
                    continue
                if not camera.live:
                    watching.end()
                    return

    return look


@dataclass(frozen=True, slots=True)
class Pauses:
    """How long recorded throws let people look, in seconds."""

    before_s: float = 1.5  # after the table began to wait, so that there is time to double
    again_s: float = 0.5  # the same where there is nothing to decide: in the opening, or after a cocked throw
    cocked_s: float = 2.5  # dice that do not count lie before they are picked up
    unread_s: float = 5.0  # somebody may want to tell what they show
    played_s: float = 2.0  # after the play was made, so that a slip can be taken back


def play_throws(
    throws: "list[RecordedThrow]", waiting: Waiting, speed: float = 1.0, pauses: Pauses | None = None
) -> Look:
    """Play a recorded throw whenever the table waits for one, over and over."""
    pauses = pauses or Pauses()

    def look(eye: Eye) -> None:
        from vision.dice.pipeline import Reader, single_thread

        single_thread()
        reader = Reader()
        played = 0
        while not eye.stop.is_set():
            eye.beat_s = time.monotonic()
            awaited = waiting.now()
            throw = choose(throws, awaited, played)
            if throw is None:
                eye.stop.wait(0.05)
                continue
            nothing_to_decide = awaited.kind == "opening" or awaited.ruling in ("cocked", "unread")
            pause_s = pauses.again_s if nothing_to_decide else pauses.before_s
            if eye.stop.wait(pause_s / speed) or waiting.now() != awaited:
                continue
            played += 1
            _play(eye, throw, reader, waiting, speed, pauses)

    return look


def choose(throws: "list[RecordedThrow]", awaited: Awaited, played: int) -> "RecordedThrow | None":
    """The next throw that fits what the table waits for, each in its turn; None when it waits for none."""
    if awaited.kind is None:
        return None
    fitting = [throw for throw in throws if throw.fits(awaited)]
    return fitting[played % len(fitting)] if fitting else None


def _play(
    eye: Eye, throw: "RecordedThrow", reader: object, waiting: Waiting, speed: float, pauses: Pauses
) -> None:
    """One recorded throw through the pipeline, held where the dice lie still."""
    from vision.board.calibration import load_board
    from vision.capture.camera import FolderCamera, paced
    from vision.dice.pipeline import Reader, Watcher

    assert isinstance(reader, Reader)
    board = load_board(throw.board)
    eye.sight.found(board)
    watcher = Watcher(board, reader)
    frames = FolderCamera(throw.folder, throw.fps).frames()
    seen = 0
    for frame in paced(frames, eye.stop, speed):
        handled = waiting.handled
        told = eye.see(watcher, frame)
        seen += told
        if told:
            _hold(eye, waiting, handled + told, speed, pauses)
    seen += eye.tell(watcher.finish())
    if not seen and not eye.stop.is_set():
        eye.put(CameraSaid("recorded", f"The recorded throw {throw.folder.name} was not seen."))


def _hold(eye: Eye, waiting: Waiting, handled: int, speed: float, pauses: Pauses) -> None:
    """Let the dice lie until the table has made of them what it will."""
    while waiting.handled < handled and not eye.stop.wait(0.02):
        eye.beat_s = time.monotonic()
    pause_s = {"cocked": pauses.cocked_s, "unread": pauses.unread_s}.get(waiting.now().ruling or "", 0.0)
    until_s = time.monotonic() + pause_s / speed
    was_played = False
    while waiting.now().busy or (waiting.now().kind is not None and time.monotonic() < until_s):
        eye.beat_s = time.monotonic()
        was_played = was_played or waiting.now().busy
        if eye.stop.wait(0.05):
            return
    if was_played:
        eye.stop.wait(pauses.played_s / speed)


def _bump_said(seeing: "BoardMoved") -> CameraSaid:
    if seeing.board is None:
        return CameraSaid(
            "lost", "The board or the camera has moved, and the board is not in view. Dice can be typed in."
        )
    return CameraSaid("live", "The board or the camera was bumped; the board has been found again.")


def _jpeg(bgr: "Bgr") -> bytes:
    import cv2

    done, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    assert done, "OpenCV encodes every picture of three channels"
    return data.tobytes()


def throws_folder() -> Path:
    """Where the recorded throws lie that come with the program."""
    return Path(__file__).parent / "recorded_throws"
