"""A live camera behind a child process that can be killed: losses are noticed, said and retried."""

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
    """How long a silence may last, in seconds, before it is called a loss."""

    start_s: float = 15.0  # the child imports OpenCV, which takes seconds from a Pi's cold card
    open_s: float = 6.0  # a Pi camera or an RTSP stream needs one to four
    stall_s: float = 2.0  # live, then silent; noticed within 3 s on a machine that is busy besides
    slow_s: float = 16.0  # the most that this grows to where a camera's pictures come far apart
    dark_s: float = 2.0
    settle_s: float = 3.0  # another reason is told once two attempts, 2 s apart at the most, have given it
    look_s: float = 0.25


class LiveCamera:
    """A camera number, `picamera` or a stream's URL; frames never pile up, the newest wins.

    `frames()` raises CameraLost once for each outage; called again, it waits in silence for the camera's
    return, so that the caller can say both once; another reason that comes to stay meanwhile is raised, once too.
    Iterate in one thread; `close` may come from any. `looked_s` is when `frames` last looked at its child,
    monotonic: it moves on during an outage too. `lock` is what the camera holds of its exposure, gain and white
    balance.
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
        self._told = ""  # the reason that was last told of this outage
        self._why, self._why_since_s = "", 0.0  # the newest reason, told or not
        self._dark_since_s: float | None = None
        self._numbered = 0  # frames of children that are gone
        self._respawn_s = 0.0

    @property
    def patience_s(self) -> float:
        """So long it may be silent now: longer than usual where its pictures come far apart."""
        return self._pace.limit_s

    @property
    def child_pid(self) -> int | None:
        """The capture process, while there is one."""
        child = self._child
        return child.pid if child else None

    def frames(self) -> Iterator[Frame]:
        """The newest frame, each time one is asked for, until `close`.

        Raises:
            CameraLost: no frames come; the text says why and what to do.
        """
        while not self._closed.is_set():
            try:
                frame = self._wait()
            except CameraLost as lost:
                if self._is_news(str(lost)):
                    raise
                continue
            if frame is not None:
                self._told = ""
                yield frame

    def close(self) -> None:
        """End the child; `frames` ends soon after."""
        self._closed.set()
        with self._mutex:
            self._drop()

    def _is_news(self, why: str) -> bool:
        """Is this to be told: an outage's first reason at once, another when it has stood for a while?

        So neither a camera that fails now thus, now otherwise, nor a child that is started anew fills the log.
        """
        now_s = time.monotonic()
        if why != self._why:
            self._why, self._why_since_s = why, now_s
        settled = now_s - self._why_since_s >= self._patience.settle_s
        if self._told and (why == self._told or not settled):
            return False
        self._told = why
        return True

    def _wait(self) -> Frame | None:
        """One look: a frame, nothing yet, or CameraLost."""
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
            told = child.reader.told()
            if told is not None:
                self.lock = _as_lock(told)
        except RingBroken as broken:
            self._replace()
            raise CameraLost(
                say("The camera process sent nonsense ({why}); it is started anew.", why=str(broken))
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
            raise CameraLost(say("The camera process has ended; it is started anew."))
        patience = self._patience
        limits = {GrabState.STARTING: patience.start_s, GrabState.LIVE: self._pace.limit_s}
        if time.monotonic() - child.heard_s > limits.get(state, patience.open_s):
            self._pace.silent()
            self._replace()
            raise CameraLost(say("The camera has stopped sending pictures; look at its cable and its power."))

    def _running(self) -> "_Child | None":
        """The child, started where there is none and the last failure lies long enough back."""
        with self._mutex:
            if self._child is None and not self._closed.is_set() and time.monotonic() >= self._respawn_s:
                self._child = _Child(self._wanted)
            return self._child

    def _replace(self) -> None:
        """Kill the child; the next starts after a moment, so that one that cannot live costs little."""
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
    """What the child says that the camera holds; RingBroken where it is nonsense."""
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
                    "-m",
                    "vision.capture.child",
                    wanted.to_json(),
                    str(ring_fd),
                    str(bell_end_fd),
                ],
                pass_fds=(ring_fd, bell_end_fd),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,  # FFmpeg's and the driver's chatter; what matters is in the ring
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
        """Wait for the bell; afterwards `gone` says whether the process has let go of it.

        Raises:
            ValueError: it was killed from another thread meanwhile.
        """
        # A descriptor that were closed while it is listened to might be somebody else's by then.
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

        Whoever listens hears it, as the bell's other end goes with the process, or has waited long enough soon.
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
