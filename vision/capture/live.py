"""Live camera behind a child process that can be killed: detects losses, reports each once, and reopens the camera."""

import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

from sentence import NOTHING, Sentence, say
from vision.capture.child import Wanted
from vision.capture.lock import Lock, LockState
from vision.capture.patience import Pace
from vision.capture.ring import GrabState, RingBroken, RingReader, new_ring
from vision.errors import CameraLost
from vision.frame import Frame, is_dark


@dataclass(frozen=True, slots=True)
class Patience:
    """Longest silence, in seconds, in each state before it counts as a loss."""

    start_s: float = 15.0  # importing OpenCV in the child takes seconds from a Pi's cold card
    open_s: float = 6.0  # a Pi camera or an RTSP stream takes one to four
    stall_s: float = 2.0  # live, then silent; detected within 3 s even on a busy machine
    slow_s: float = 16.0  # upper limit of `stall_s` for a camera with long intervals between pictures
    dark_s: float = 2.0
    settle_s: float = 3.0  # report another reason once two attempts, at most 2 s apart, have given it
    look_s: float = 0.25


class LiveCamera:
    """A camera number, `picamera` or a stream's URL; frames never pile up, the newest wins.

    `frames()` raises CameraLost once for each outage, so that the caller can report its start and its end; called
    again, it waits in silence for the camera's return. A different reason that persists meanwhile is raised once too.
    Iterate in one thread; `close` may come from any. `looked_s` is the monotonic time when `frames` last checked its
    child, during an outage too. `lock` is the camera's hold on exposure, gain and white balance.
    """

    live = True

    def __init__(self, wanted: Wanted, patience: Patience | None = None) -> None:
        self.name = wanted.source
        self._wanted = wanted
        self._patience = patience or Patience()
        self._pace = Pace(self._patience.stall_s, self._patience.slow_s)
        self._closed = threading.Event()
        self._child: _Child | None = None
        self._mutex = threading.Lock()
        self.lock = Lock(LockState.METERING)
        self._began_s = self.looked_s = time.monotonic()
        self._reported = ""  # reason of this outage that was reported last
        self._why, self._why_since_s = "", 0.0  # newest reason, reported or not
        self._dark_since_s: float | None = None
        self._numbered = 0  # frames from former children
        self._respawn_s = 0.0

    @property
    def patience_s(self) -> float:
        """The silence allowed now, in seconds: longer than usual for a camera with long intervals between pictures."""
        return self._pace.limit_s

    def frames(self) -> Iterator[Frame]:
        """The newest frame at each step, until `close`.

        Raises:
            CameraLost: no frames arrive; the text says why and what to do.
        """
        while not self._closed.is_set():
            try:
                frame = self._wait()
            except CameraLost as lost:
                if self._is_news(str(lost)):
                    raise
                continue
            if frame is not None:
                self._reported = ""
                yield frame

    def close(self) -> None:
        """End the child; `frames` ends soon after."""
        self._closed.set()
        with self._mutex:
            self._drop()

    def _is_news(self, why: str) -> bool:
        """Whether to report this reason: the first of an outage at once, a different one after `settle_s`.

        So neither a camera that fails for alternating reasons nor a restarted child fills the log.
        """
        now_s = time.monotonic()
        if why != self._why:
            self._why, self._why_since_s = why, now_s
        settled = now_s - self._why_since_s >= self._patience.settle_s
        if self._reported and (why == self._reported or not settled):
            return False
        self._reported = why
        return True

    def _wait(self) -> Frame | None:
        """Check the child once: a frame, None if there is none yet, or CameraLost."""
        self.looked_s = time.monotonic()
        child = self._running()
        if child is None:
            self._closed.wait(self._patience.look_s)
            return None
        try:
            child.listen(self._patience.look_s)
            taken = child.reader.newest(child.taken)
            state, text = child.reader.state()
            why = _as_sentence(text) if state is GrabState.LOST else NOTHING
            note = child.reader.told()
            if note is not None:
                self.lock = _as_lock(note)
        except RingBroken as broken:
            self._replace()
            raise CameraLost(
                say("The camera process sent invalid data ({why}); it is being restarted.", why=str(broken))
            ) from None
        except ValueError:  # closed from another thread between two lines
            return None
        if taken is not None:
            child.taken = taken.number
            self._pace.took(taken.number, taken.at_s)
            at_s = max(0.0, taken.at_s - self._began_s)
            return self._unless_dark(Frame(taken.bgr, at_s, self._numbered + taken.number - 1))
        if state is GrabState.LOST:
            self._pace.begin()
            if child.gone:
                self._replace()
            raise CameraLost(why)
        self._check_silence(child, state)
        return None

    def _unless_dark(self, frame: Frame) -> Frame | None:
        if not is_dark(frame.bgr):
            self._dark_since_s = None
            return frame
        now_s = time.monotonic()
        if self._dark_since_s is None:
            self._dark_since_s = now_s
        if now_s - self._dark_since_s > self._patience.dark_s:
            raise CameraLost(
                say("The camera sends only black pictures; is the lens covered or the light off?")
            )
        return None

    def _check_silence(self, child: "_Child", state: GrabState) -> None:
        if child.gone:
            self._replace()
            raise CameraLost(say("The camera process has ended; it is being restarted."))
        patience = self._patience
        limits = {GrabState.STARTING: patience.start_s, GrabState.LIVE: self._pace.limit_s}
        if time.monotonic() - child.heard_s > limits.get(state, patience.open_s):
            self._pace.silent()
            self._replace()
            raise CameraLost(say("The camera has stopped sending pictures; check its cable and power."))

    def _running(self) -> "_Child | None":
        """The child, started if there is none and the pause after the last failure is over."""
        with self._mutex:
            if self._child is None and not self._closed.is_set() and time.monotonic() >= self._respawn_s:
                self._child = _Child(self._wanted)
            return self._child

    def _replace(self) -> None:
        """Kill the child; the next one starts after a pause, so that a child that keeps failing costs little."""
        self._pace.begin()
        with self._mutex:
            lived = self._child is not None and self._child.taken > 0
            self._drop()
            self._respawn_s = time.monotonic() + (0.2 if lived else 2.0)

    def _drop(self) -> None:
        if self._child is not None:
            self._numbered += self._child.taken
            self._child.kill()
            self._child = None


def _as_lock(text: str) -> Lock:
    """Parse the lock that the child published; RingBroken if it is malformed."""
    try:
        return Lock.from_json(text)
    except ValueError as error:
        raise RingBroken(str(error)) from None


def _as_sentence(text: str) -> Sentence:
    """What the child says is wrong; RingBroken where it is nonsense."""
    try:
        return Sentence.of_json(json.loads(text))
    except ValueError as error:
        raise RingBroken(str(error)) from None


class _Child:
    """A running capture process with its ring and its bell."""

    def __init__(self, wanted: Wanted) -> None:
        ring_fd = new_ring()
        self._bell_fd, bell_end_fd = os.pipe()
        try:
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    "-P",  # no code from the current folder, which may be anybody's
                    "-m",
                    "vision.capture.child",
                    wanted.to_json(),
                    str(ring_fd),
                    str(bell_end_fd),
                ],
                pass_fds=(ring_fd, bell_end_fd),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,  # messages of FFmpeg and the driver; the ring carries all we need
            )
            self.reader = RingReader(ring_fd)
        finally:
            os.close(ring_fd)
            os.close(bell_end_fd)
        os.set_blocking(self._bell_fd, False)
        self._at_bell = threading.Lock()
        self._closed = False
        self.taken = 0
        self.heard_s = time.monotonic()
        self.gone = False
        self.pid = self._process.pid

    def listen(self, for_s: float) -> None:
        """Wait for the bell; afterwards `gone` says whether the process has closed it.

        Raises:
            ValueError: another thread killed the child meanwhile.
        """
        # A descriptor closed during `select` could already belong to another file.
        with self._at_bell:
            if self._closed:
                raise ValueError("the child has been killed")
            if select.select([self._bell_fd], [], [], for_s)[0]:
                if os.read(self._bell_fd, 65536):
                    self.heard_s = time.monotonic()
                else:
                    self.gone = True

    def kill(self) -> None:
        """End the process at once; one that hangs in its driver is left to the kernel.

        A thread in `listen` wakes, as the bell's other end closes with the process, or its wait soon times out.
        """
        self._process.kill()
        try:
            self._process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            self._process.returncode = -9  # uninterruptible: it ends when its driver lets go
        with self._at_bell:
            self._closed = True
            os.close(self._bell_fd)
        self.reader.close()
