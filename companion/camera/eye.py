"""The camera's thread: frames in, reports to the inbox out. It knows no game.

A live camera is followed as it comes. Recorded throws are played when the table waits for one, and held at
the dice at rest until the table has dealt with them: the same pipeline sees both.
"""

import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from companion.camera.board_place import Sight
from companion.camera.cutting import Box, cut_of
from companion.camera.lying import Lying
from sentence import Sentence, say

if TYPE_CHECKING:
    from vision.capture.camera import Camera
    from vision.frame import Bgr, Frame
    from vision.watch.watcher import BoardMoved, Seeing, ThrowSeen, Watcher


CameraState: TypeAlias = Literal["live", "recorded", "lost", "none"]


JPEG_QUALITY = 80
"""About 150 kB for 1280 by 720: pips stay clear, and an evening's throws fit into 50 MB."""


@dataclass(frozen=True, slots=True)
class CameraSaid:
    """How the camera is doing, with a sentence for people."""

    state: CameraState
    text: Sentence


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
            why = say("The eye has failed: {kind}.", kind=type(error).__name__)
            self.put(CameraSaid("lost", say("{why} Dice can be typed in meanwhile.", why=why)))
            self.failed = True  # after it was told, so that it is not told in other words first
        finally:
            self.ended = True

    def _look(self, look: Look) -> None:
        from vision.errors import VisionError

        try:
            look(self)
        except VisionError as error:
            self.put(CameraSaid("lost", error.sentence))

    def see(self, watcher: "Watcher", frame: "Frame") -> int:
        """Feed a frame; how many seeings it brought."""
        self.beat_s = time.monotonic()
        self.frames += 1
        self.sight.show(frame)
        return self.tell(watcher.feed(frame))

    def tell(self, seeings: "list[Seeing]") -> int:
        """Put what was seen into the inbox; how many that were."""
        from vision.watch.watcher import BoardMoved, ThrowSeen

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


def _bump_said(seeing: "BoardMoved") -> CameraSaid:
    if seeing.board is None:
        return CameraSaid(
            "lost",
            say("The board or the camera has moved, and the board is not in view. Dice can be typed in."),
        )
    return CameraSaid("live", say("The board or the camera was bumped; the board has been found again."))


def _jpeg(bgr: "Bgr") -> bytes:
    import cv2

    done, data = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    assert done, "OpenCV encodes every picture of three channels"
    return data.tobytes()
