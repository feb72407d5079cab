"""`make soak`: half an hour of recorded play at full pace, then a live stream at 15 frames a second.

Watches memory, processor time and throws; writes its table into docs/RESULTS.md.
"""

import argparse
import itertools
import json
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean
from typing import Any

import cv2
import numpy as np

from companion.storage.lines import match_files
from tests.bench.__main__ import write
from tests.support.running import Running, Visitor, companion, settings_file
from vision.watch.blank import BUFFERS

THROWS = Path(__file__).resolve().parents[1] / "companion" / "camera" / "recorded_throws"
GROWTH = 0.05
"""So much may the memory grow from the first settled minutes to the last ones."""


@dataclass
class Watch:
    """Memory and processor time of a program and its children, sampled while it runs."""

    pid: int
    began_s: float = field(default_factory=time.monotonic)
    rss_kb: list[tuple[float, int]] = field(default_factory=list)
    cpu_s: float = 0.0

    def look(self) -> None:
        """Take a sample."""
        pids = [self.pid, *children(self.pid)]
        self.rss_kb.append((time.monotonic() - self.began_s, sum(map(_rss_kb, pids))))
        self.cpu_s = sum(map(_cpu_s, pids))

    def growth(self) -> float:
        """From the second sixth of the time to the last, as a share; the first sixth is warming up."""
        whole_s = self.rss_kb[-1][0]
        early = [kb for at_s, kb in self.rss_kb if whole_s / 6 <= at_s < whole_s / 3]
        late = [kb for at_s, kb in self.rss_kb if at_s >= whole_s * 5 / 6]
        return mean(late) / mean(early) - 1

    def cpu_share(self) -> float:
        """Of one core."""
        return self.cpu_s / self.rss_kb[-1][0]


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return [
        int(word)
        for file in Path(f"/proc/{pid}/task").glob("*/children")
        for word in file.read_text().split()
    ]


def _rss_kb(pid: int) -> int:
    """Resident memory; what two processes share counts twice, but never differently from one sample to the next."""
    text = Path(f"/proc/{pid}/status").read_text()
    return int(next(line.split()[1] for line in text.splitlines() if line.startswith("VmRSS:")))


def _cpu_s(pid: int) -> float:
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def answer(visitor: Visitor, state: dict[str, Any], number: int) -> None:
    """Do what the table waits for, except throwing."""
    phase = state["phase"]
    body: dict[str, Any] | None = None
    if phase == "rolled":
        plays = state["plays"]
        body = {"type": "play", "moves": plays[number % len(plays)]["moves"] if plays else []}
    elif phase in ("game_over", "match_over"):
        body = {"type": "next_game" if phase == "game_over" else "new_match"}
    elif (
        phase == "opening"
        and state["ruling"] == "valid"
        and "opening" in state["may"]
        and state["reason_text"]
    ):
        dice = [die["value"] for die in state["throw"]["dice"]]
        body = {"type": "opening", "south": dice[0], "north": dice[1]}
    if body is not None:
        visitor.post({**body, "seq": state["seq"]})


def recorded_play(minutes: float, speed: float) -> tuple[Watch, dict[str, int], list[str]]:
    """Play recorded throws for so many minutes; what was watched, what was thrown, what was missed."""
    with tempfile.TemporaryDirectory(prefix="companion-soak-") as scratch:
        home = Path(scratch)
        demo = ("demo", "--throws", "--port", "0", "--speed", str(speed))
        with companion(*demo, home=home, TMPDIR=scratch) as running:
            watch = Watch(running.process.pid)
            missed = _play(running, watch, minutes)
            lines = b"".join(file.read_bytes() for file in match_files(next(home.glob("companion-demo-*"))))
            kinds = Counter(json.loads(line)["kind"] for line in lines.splitlines())
            assert running.stop() == 0
    return watch, kinds, missed


def _play(running: Running, watch: Watch, minutes: float) -> list[str]:
    visitor = running.visitor()
    end_s = watch.began_s + 60 * minutes
    number, missed, next_look_s = 0, [], watch.began_s
    while time.monotonic() < end_s:
        state = visitor.state()
        answer(visitor, state, number)
        number += 1
        if "was not seen" in state["camera"]["text"]:
            missed.append(state["camera"]["text"])
        if time.monotonic() >= next_look_s:
            watch.look()
            next_look_s += 5.0
        time.sleep(0.05)
    return missed


@contextmanager
def still_stream(fps: float) -> Iterator[str]:
    """A stream of one still board as a sensor sees it, from a process of its own, so that its cost is not counted."""
    there, here = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_stream, args=(there, fps), daemon=True)
    process.start()
    try:
        yield here.recv()
    finally:
        process.terminate()
        process.join()


def _stream(pipe: Any, fps: float) -> None:
    from tests.support.camera.mjpeg_server import mjpeg_server

    picture = cv2.imread(str(next(THROWS.glob("*/frame_00.jpg"))))
    picture = cv2.resize(picture, (1280, 720))
    chance = np.random.default_rng(1)
    noisy = [
        np.clip(picture + chance.normal(0, 1.5, picture.shape), 0, 255).astype(np.uint8)
        for _ in range(2 * BUFFERS)
    ]
    jpegs = [cv2.imencode(".jpg", one)[1].tobytes() for one in noisy]
    with mjpeg_server(pause_s=1 / fps) as stage:
        pipe.send(stage.url)
        for jpeg in itertools.cycle(jpegs):  # fewer in turn would be a frozen camera
            stage.picture = jpeg
            time.sleep(1 / fps)


def idle(minutes: float, fps: float) -> Watch:
    """A live stream with nothing thrown, for so many minutes."""
    with tempfile.TemporaryDirectory(prefix="companion-soak-") as scratch, still_stream(fps) as url:
        home = Path(scratch)
        file = settings_file(home, source=url, fps=fps)
        with companion("run", "--config", str(file), home=home) as running:
            running.visitor().wait(lambda state: state["camera"]["state"] == "live")
            time.sleep(10)  # the nets are loaded and the board has been looked for
            watch = Watch(running.process.pid)
            watch.look()
            before_s = watch.cpu_s
            while time.monotonic() - watch.began_s < 60 * minutes:
                time.sleep(5.0)
                watch.look()
            watch.cpu_s -= before_s
    return watch


def main() -> int:
    """Soak; 1 when memory grew or a throw was missed."""
    parser = argparse.ArgumentParser(prog="make soak")
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--speed", type=float, default=50.0, help="how much faster the recordings go")
    args = parser.parse_args()
    watch, kinds, missed = recorded_play(args.minutes, args.speed)
    throws = kinds.get("Thrown", 0)
    seconds = watch.rss_kb[-1][0]
    frames = throws * len(list(next(THROWS.glob("*/")).glob("frame_*.jpg")))
    still = idle(min(5.0, args.minutes / 3), 15.0)
    rows = [
        ("recorded play", f"{seconds / 60:.0f} min, {throws} throws, {sum(kinds.values())} events"),
        ("throws not seen", str(len(missed))),
        ("frames a second, read and ruled", f"{frames / seconds:.1f}"),
        ("memory", f"{watch.rss_kb[-1][1] / 1024:.0f} MB, growth {100 * watch.growth():+.1f} %"),
        ("processor, of one core", f"{100 * watch.cpu_share():.0f} %"),
        ("idle at 15 frames a second, 1280 by 720, of one core", f"{100 * still.cpu_share():.0f} %"),
        ("memory while idle", f"{still.rss_kb[-1][1] / 1024:.0f} MB"),
    ]
    text = "| measured | |\n|---|---|\n" + "\n".join(f"| {what} | {value} |" for what, value in rows)
    print(write("Endurance", text))
    return 1 if missed or watch.growth() > GROWTH else 0


if __name__ == "__main__":
    sys.exit(main())
