"""The camera fails: its process dies, stops, talks nonsense; its stream stalls, goes dark, goes away."""

import os
import signal
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from tests.faults.outcome import Outcome, seconds_until
from tests.support.camera.mjpeg_server import Stage, jpeg, mjpeg_server
from tests.support.camera.rtsp_server import rtsp_server
from tests.support.processes import capture_child
from tests.support.running import Running, companion, settings_file

NOTICED_S, BACK_S = 3.0, 5.0
SLACK_S = 0.5
"""What the looking itself may take: the state is asked for every 50 ms on a busy machine."""
AT_PACE_S = 0.5
"""One that is lost again after its very first picture may be slow, and is waited for longer: docs/RELIABILITY.md."""


def child_of(running: Running) -> int:
    """The process that the program has at its camera."""
    return capture_child(running.process.pid)


def spoil(pid: int) -> None:
    """Write garbage over the head of the frames in shared memory until its reader has had enough of it."""
    for fd in Path(f"/proc/{pid}/fd").iterdir():
        if "memfd:frames" in os.readlink(fd):
            break
    until_s = time.monotonic() + NOTICED_S
    with open(fd, "r+b", buffering=0) as memory:
        while Path(f"/proc/{pid}/fd").exists() and time.monotonic() < until_s:
            os.pwrite(memory.fileno(), os.urandom(64), 0)
            time.sleep(0.001)


def _stall(stage: Stage, running: Running) -> None:
    stage.flowing.clear()


class Fault(NamedTuple):
    """How a camera is harmed, in words and in deed, and what it is."""

    how: str
    harm: Callable[[Stage, Running], None]
    server: Callable[[], AbstractContextManager[Stage]] = mjpeg_server


FAULTS: dict[str, Fault] = {
    "the camera's process is killed": Fault(
        "SIGKILL to it", lambda stage, run: os.kill(child_of(run), signal.SIGKILL)
    ),
    "the camera's process hangs in its driver": Fault(
        "SIGSTOP to it", lambda stage, run: os.kill(child_of(run), signal.SIGSTOP)
    ),
    "the camera's process talks nonsense": Fault(
        "random bytes into its shared memory", lambda stage, run: spoil(child_of(run))
    ),
    "the stream stalls": Fault("a loopback MJPEG server that stops sending", _stall),
    "the RTSP stream stalls": Fault("a loopback RTSP server that stops sending", _stall, rtsp_server),
    "the stream sends garbage": Fault(
        "a loopback MJPEG server that sends random bytes as pictures",
        lambda stage, run: setattr(stage, "picture", os.urandom(5000)),
    ),
    "the lens is covered": Fault(
        "a loopback MJPEG server that sends black pictures",
        lambda stage, run: setattr(stage, "picture", jpeg(2)),
    ),
    "a light shines into the lens": Fault(
        "a loopback MJPEG server that sends white pictures",
        lambda stage, run: setattr(stage, "picture", jpeg(255)),
    ),
}


def camera_fault(folder: Path, name: str, times: int) -> Outcome:
    """Inject one kind of fault; it must be noticed, play must go on by hand, and the camera must come back."""
    fault = FAULTS[name]
    outcome = Outcome(name, fault.how, times)
    with fault.server() as stage:
        file = settings_file(folder, source=stage.url)
        with companion("run", "--config", str(file), home=folder) as running:
            visitor = running.visitor()
            visitor.wait(lambda state: state["camera"]["state"] == "live")
            for _ in range(times):
                visitor.act("new_match", length=1)
                lost_before = _told(visitor.state())
                began_s = time.monotonic()
                fault.harm(stage, running)
                # A killed process may be back before anybody asks: what was said about it counts.
                visitor.wait(lambda state, before=lost_before: _told(state) > before)
                outcome.timed("noticed after", time.monotonic() - began_s, NOTICED_S + SLACK_S)
                assert visitor.act("opening", south=5, north=2)["phase"] == "rolled", "play does not go on"
                stage.picture = jpeg()
                stage.flowing.set()
                back_s = seconds_until(visitor, lambda state: state["camera"]["state"] == "live")
                outcome.timed("back after", back_s, BACK_S + SLACK_S)
                time.sleep(AT_PACE_S)
    return outcome


def _told(state: dict) -> int:  # type: ignore[type-arg]
    """The number of the last notice about a lost camera; 0 before the first."""
    lost = [notice["n"] for notice in state["notices"] if "by hand meanwhile" in notice["text"]]
    return max(lost, default=0)
