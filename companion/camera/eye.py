"""The camera's thread: runs a way to look and puts its reports into the inbox. It knows no game.

A live camera is followed as it comes. Recorded throws are played when the table waits for one, and held at
the dice at rest until the table has dealt with them: the same pipeline sees both.
"""

import threading
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from companion.camera.board_place import Sight
from sentence import Sentence, say

if TYPE_CHECKING:
    from vision.capture.camera import Camera
    from vision.watch.watcher import LiftedSeen, ThrowSeen


CameraState: TypeAlias = Literal["live", "recorded", "lost", "none"]


@dataclass(frozen=True, slots=True)
class CameraSaid:
    """How the camera is doing, with a sentence for people."""

    state: CameraState
    text: Sentence


@dataclass(frozen=True, slots=True, eq=False)
class Saw:
    """A throw or a lifting.

    Attributes:
        seeing: the throw with its dice in pixels of its frame, or the lifting.
        jpeg: the frame of a throw as it is to be kept; None where there is none.
    """

    seeing: "ThrowSeen | LiftedSeen"
    jpeg: bytes | None


Report: TypeAlias = CameraSaid | Saw


Put: TypeAlias = Callable[[Report], None]


Look: TypeAlias = Callable[["Eye"], None]
"""A way to look: it returns once its source has ended or the eye's `stop` is set."""


HANGS_S = 10.0
"""An eye that has not turned for so long hangs: reading a throw takes a second on a slow Pi."""


STARTS_S = 60.0
"""Before its first turn it loads OpenCV and the nets and looks for a camera: long on a busy Pi with a slow card."""


SAW_WELL_S = 60.0
"""An eye that fails sooner would fail again: starting anew would only disturb those who play by hand."""


class Eye:
    """Runs one way to look in a thread of its own.

    The way to look runs in that thread; it calls `beat` and `report`, and may set `camera`. Everything else is called
    from other threads: `start` and `close` by the program's main thread, `turns` by the watchdog's.

    Attributes:
        stop: set when the eye is to end.
        sight: where the way to look shows its frames.
        camera: the camera that is looked through; None while there is none, or throws are played.
        failed: an unexpected fault has ended the thread.
        ended: the thread has ended, with its source or with a fault.
    """

    def __init__(self, look: Look, put: Put, sight: Sight | None = None) -> None:
        """Prepare to look.

        Args:
            look: `follow(…)`, `play_throws(…)` or another.
            put: takes the reports.
            sight: takes the frames; None: nobody looks at them.
        """
        self.stop = threading.Event()
        self.sight = sight or Sight()
        self.ended = self.failed = False
        self.camera: Camera | None = None
        self.began_s = self.beat_s = time.monotonic()
        self._put = put
        self._thread = threading.Thread(target=self._run, args=(look,), name="eye", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def close(self) -> None:
        """Stop looking and let go of the camera."""
        self.stop.set()
        if self.camera is not None:
            self.camera.close()
        if self._thread.is_alive():
            self._thread.join(timeout=1.5)

    def beat(self) -> None:
        """Note that the loop has turned; for the way to look."""
        self.beat_s = time.monotonic()

    def report(self, reports: Iterable[Report]) -> None:
        """Put reports into the inbox, in their order; for the way to look."""
        for one in reports:
            self._put(one)

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
            why = say("The eye has failed: {name__}.", name__=type(error).__name__)
            self.report([CameraSaid("lost", say("{why} Dice can be typed in meanwhile.", why=why))])
            self.failed = True  # after the report, so that it is not reported in other words first
        finally:
            self.ended = True

    def _look(self, look: Look) -> None:
        from vision.errors import VisionError

        try:
            look(self)
        except VisionError as error:
            self.report([CameraSaid("lost", error.sentence)])
