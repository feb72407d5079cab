"""The capture process: opens the camera, hands frames over, reopens the camera after a loss.

It runs as `python -m vision.capture.child WANTED RING BELL`: the `Wanted` as JSON, the descriptor of the ring of
frames, and the descriptor of a pipe to which it writes a byte after each frame and each change. A driver that
freezes freezes only this process, and the parent kills it.
"""

import ctypes
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from sentence import Sentence, say, verbatim
from vision.capture.devices import Device, open_device
from vision.capture.lock import Lock, Locker
from vision.capture.ring import TEXT_MOST, GrabState, RingWriter
from vision.errors import CameraLost

FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 2.0
"""Time between attempts, doubled each time; the longest keeps the promise to be back within 5 s. An attempt that
itself waited that long for an answer is repeated at once."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A live source and the settings requested of it.

    Attributes:
        source: its name.
        width, height: in pixels.
        fps: maximum frame rate, per second.
        lock: hold exposure, gain and white balance once they have been metered.
        mains_hz: frequency of the mains that feed the lamps.
    """

    source: str
    width: int = 1280
    height: int = 720
    fps: float = 15.0
    lock: bool = True
    mains_hz: float = 50.0

    def to_json(self) -> str:
        """Serialize for the command line."""
        return json.dumps(asdict(self))


def pump(device: Device, put: Callable[[float], object], fps: float, clock: Callable[[], float]) -> None:
    """Pass frames on at no more than `fps` until the device is lost; drop the others undecoded.

    Raises:
        CameraLost: from the device.
    """
    due_s = clock()
    while True:
        device.grab()
        now_s = clock()
        # Accept a frame a tenth of a period early: a 15 Hz camera must not lose every other frame to jitter.
        if now_s >= due_s - 0.1 / fps:
            put(now_s)
            due_s = max(due_s + 1 / fps, now_s)


def serve(wanted: Wanted, ring: RingWriter, bell: Callable[[], None]) -> None:
    """Open the device, pass frames on, and reopen it after each loss; never returns."""
    wait_s = FIRST_WAIT_S

    def publish(lock: Lock) -> None:
        ring.tell(lock.to_json())

    while True:
        ring.say(GrabState.OPENING)
        bell()
        tried_s = time.monotonic()
        try:
            device = open_device(wanted.source, wanted.width, wanted.height, wanted.fps, wanted.mains_hz)
            try:
                locker = Locker(device.controls, wanted.lock, publish)

                def put(at_s: float, device: Device = device, locker: Locker = locker) -> None:
                    nonlocal wait_s
                    bgr = device.retrieve()
                    ring.put(bgr, at_s)
                    bell()
                    wait_s = FIRST_WAIT_S
                    locker.see(bgr, at_s)

                pump(device, put, wanted.fps, time.monotonic)
            finally:
                device.close()
        except CameraLost as lost:
            ring.say(GrabState.LOST, written(lost.sentence))
            bell()
        time.sleep(max(0.0, tried_s + wait_s - time.monotonic()))
        wait_s = min(2 * wait_s, LONGEST_WAIT_S)


def written(sentence: Sentence) -> str:
    """A sentence as the ring carries it; one with values too long for the ring as its English text, cut."""
    text = json.dumps(sentence.to_json())
    if len(text) <= TEXT_MOST:
        return text
    return json.dumps(verbatim(str(sentence)[: TEXT_MOST // 8]).to_json())


def die_with_parent() -> None:
    """Make Linux kill this process when its parent ends, in whatever way."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def main(arguments: Sequence[str]) -> int:
    """Run until the parent is gone; return the exit status."""
    die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    wanted = Wanted(**json.loads(arguments[0]))
    ring = RingWriter(int(arguments[1]))
    bell_fd = int(arguments[2])
    os.set_blocking(bell_fd, False)

    def bell() -> None:
        try:
            os.write(bell_fd, b".")
        except BlockingIOError:
            return  # enough unread bytes wake the parent already

    try:
        serve(wanted, ring, bell)
    except BrokenPipeError:
        return 0
    except Exception as error:  # the parent shows it; nobody would read a child's traceback
        why = say("The camera process failed: {kind}: {why}.", kind=type(error).__name__, why=str(error))
        ring.say(GrabState.LOST, written(why))
        bell()
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
