"""The camera's thread: runs a `Look` and puts its reports into the inbox. It knows nothing of the game.

A live camera is followed frame by frame. A recorded throw is played when the table waits for one, and held at its
resting dice until the table has dealt with it. Both go through the same pipeline.
"""

import threading
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from companion.camera.board_place import BoardPlace
from companion.camera.checkers import CheckersSeen
from companion.game.state import Notice
from companion.rules.board import Board
from sentence import Sentence, say
from vision.errors import VisionError

if TYPE_CHECKING:
    from vision.board.calibration import Board as BoardPlaced
    from vision.capture.camera import Camera
    from vision.watch.watcher import LiftedSeen, ThrowSeen

CameraState: TypeAlias = Literal["live", "recorded", "lost", "none"]


@dataclass(frozen=True, slots=True)
class CameraReport:
    """The state of the camera, with a sentence for people; `board_found`: unless a board is looked for in vain."""

    state: CameraState
    text: Sentence
    board_found: bool = True


def lost(why: Sentence) -> CameraReport:
    """The report of a camera without readable pictures, with the reason as a sentence."""
    return CameraReport("lost", say("{why} Enter rolls by hand meanwhile.", why=why))


@dataclass(frozen=True, slots=True, eq=False)
class Saw:
    """A throw or a lifting.

    Attributes:
        seeing: the throw with its dice in pixels of its frame, or the lifting.
        jpeg: the picture of a throw to keep, as a JPEG; None if there is none.
        whole: the throw with its dice in pixels of the whole frame, which is not kept.
        board: the board in the whole frame; None if its place is unknown.
    """

    seeing: "ThrowSeen | LiftedSeen"
    jpeg: bytes | None
    whole: "ThrowSeen | None" = None
    board: "BoardPlaced | None" = None


@dataclass(frozen=True, slots=True)
class GameBegins:
    """A recorded game begins, and with it a match on the usual terms."""


@dataclass(frozen=True, slots=True)
class Played:
    """The board after a turn of a recorded game, where nobody says which play it was."""

    board: Board


Report: TypeAlias = CameraReport | Saw | CheckersSeen | GameBegins | Played | Notice
Look: TypeAlias = Callable[["Eye"], None]
"""The body of the camera's thread: returns when its source has ended or the eye's `stop` is set."""
HANGS_S = 10.0
"""Longest time between two beats before the eye counts as hanging: reading a throw takes a second on a slow Pi."""
STARTS_S = 60.0
"""The same before the first beat: OpenCV, the nets and the camera take long on a busy Pi with a slow card."""
SAW_WELL_S = 60.0
"""An eye that fails sooner would fail again: a restart would only disturb those who play by hand."""


class Eye:
    """Runs one `Look` in a thread of its own.

    The look runs in that thread; it calls `beat` and `report`, and may set `camera`. Everything else is called
    from other threads: `start` and `close` by the program's main thread, `turns` by the watchdog's.

    Attributes:
        stop: set to end the eye.
        board_place: takes the frames from the look.
        camera: the open camera; None while there is none, or throws are played.
        failed: an unexpected error has ended the thread.
        ended: the thread has ended, with its source or with an error.
    """

    def __init__(
        self, look: Look, put: Callable[[Report], None], board_place: BoardPlace | None = None
    ) -> None:
        """Prepare to look.

        Args:
            look: `follow(…)`, `play_throws(…)` or another.
            put: takes the reports.
            board_place: takes the frames; None: a new one that nobody reads.
        """
        self.stop = threading.Event()
        self.board_place = board_place or BoardPlace()
        self.ended = self.failed = False
        self.camera: Camera | None = None
        self.began_s = self.beat_s = time.monotonic()
        self._put = put
        self._thread = threading.Thread(target=self._run, args=(look,), name="eye", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """Stop looking and close the camera; waits up to 1.5 s for the thread."""
        self.stop.set()
        if self.camera is not None:
            self.camera.close()
        if self._thread.is_alive():
            self._thread.join(timeout=1.5)

    def beat(self) -> None:
        """Record that the loop is alive; called by the look."""
        self.beat_s = time.monotonic()

    def report(self, reports: Iterable[Report]) -> None:
        """Put reports into the inbox, in their order; called by the look. An eye that was stopped reports no more."""
        for one in reports:
            if not self.stop.is_set():
                self._put(one)

    def alive_s(self) -> float:
        """Time of the loop's last beat, seconds on the monotonic clock; also while the camera is lost."""
        return max(self.beat_s, getattr(self.camera, "looked_s", 0.0))

    def turns(self) -> bool:
        """Whether the loop is alive; False if it hangs or has failed and a restart of the program may help."""
        if self.failed:
            return self.alive_s() - self.began_s < SAW_WELL_S
        limit_s = HANGS_S if self.beat_s > self.began_s else STARTS_S
        return self.ended or time.monotonic() - self.alive_s() < limit_s

    def _run(self, look: Look) -> None:
        try:
            look(self)
        except VisionError as error:
            self.report([CameraReport("lost", error.sentence)])
        except BaseException as error:
            # Nothing above a thread handles its errors, and threading ignores a SystemExit silently: the page shows
            # that the game goes on by hand, the log shows the place of the error.
            traceback.print_exception(error)
            self.report([lost(say("The camera watcher has failed: {name__}.", name__=type(error).__name__))])
            self.failed = True  # after the report, so that it is not reported in other words first
        finally:
            self.ended = True
