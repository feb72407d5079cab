"""The disk fails: full, read-only, locked, damaged; and the clock is set."""

import os
import resource
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from companion.journal import FILE_NAME
from tests.app.running import Visitor, companion, next_act, settings_file, told
from tests.faults.outcome import Outcome

FAKETIME = next(iter(Path("/usr/lib").glob("*/faketime/libfaketime.so.1")), None)


def can_mount() -> bool:
    """Small file systems can be made here: root, and allowed to mount."""
    if os.geteuid() != 0:
        return False
    return subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode == 0


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[Path]:
    """A file system of so many kilobytes, in memory."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def play(visitor: Visitor, steps: int, number: int) -> dict:  # type: ignore[type-arg]
    """So many actions; the state after them."""
    for step in range(steps):
        state = visitor.state()
        status, answer = visitor.post({**next_act(state, number + step), "seq": state["seq"]})
        assert status == 200, answer
    return visitor.state()


def full_disk(folder: Path, times: int) -> Outcome:
    """The disk fills up in the middle of a game and is freed again; it is full at a start and freed afterwards."""
    outcome = Outcome(
        "the disk is full",
        "a file system of 3 MB, filled by another program, in play and at the start",
        times,
    )
    for number in range(times):
        with small_disk(folder / f"disk{number}", 3000) as disk:
            file = settings_file(folder)
            with companion("run", "--config", str(file), home=disk) as running:
                visitor = running.visitor()
                play(visitor, 5, number)
                _fill(disk / "filler")
                during = play(visitor, 40, number + 5)
                assert during["durable"] is False, "a full disk is not said"
                (disk / "filler").unlink()
                after = visitor.wait(lambda state: state["durable"])
                running.kill()
            _fill(disk / "filler")
            with companion("run", "--config", str(file), home=disk) as running:
                visitor = running.visitor()
                assert told(visitor.state()) == told(after), "the table stands elsewhere"
                during = play(visitor, 5, number)
                assert during["durable"] is False, "a disk that is full at the start is not said"
                (disk / "filler").unlink()
                after = visitor.wait(lambda state: state["durable"])
                running.kill()
            _same_after_start(file, disk, after)
    return outcome


def _fill(file: Path) -> None:
    with open(file, "wb", buffering=0) as out:
        for size in (65536, 512, 1):
            try:
                while True:
                    out.write(b"x" * size)
            except OSError:
                continue


def failing_writes(folder: Path, times: int) -> Outcome:
    """Every write fails from some moment on, as on a card that has worn out and gone read-only."""
    outcome = Outcome(
        "every write fails (a worn card)", "a file size limit of 0 on the running process", times
    )
    file = settings_file(folder)
    for number in range(times):
        home = folder / f"worn{number}"
        home.mkdir()
        with companion("run", "--config", str(file), home=home) as running:
            visitor, pid = running.visitor(), running.process.pid
            play(visitor, 5, number)
            _, most = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, most))
            during = play(visitor, 10, number + 5)
            assert during["durable"] is False, "a disk that takes nothing is not said"
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, most))
            after = visitor.wait(lambda state: state["durable"])
            running.kill()
        _same_after_start(file, home, after)
    return outcome


def read_only_journal(folder: Path, times: int) -> Outcome:
    """The card has gone read-only between two runs; play goes on where it was, and is written once it takes it."""
    outcome = Outcome(
        "the journal is read-only", "its file system mounted read-only between two runs, and back", times
    )
    file = settings_file(folder)
    for number in range(times):
        with small_disk(folder / f"card{number}", 8000) as card:
            with companion("run", "--config", str(file), home=card) as running:
                before = play(running.visitor(), 20, number)
                assert running.stop() == 0
            subprocess.run(["mount", "-o", "remount,ro", str(card)], check=True)
            try:
                with companion("run", "--config", str(file), home=card) as running:
                    visitor = running.visitor()
                    begun = visitor.state()
                    assert told(begun) == told(before), "the table stands elsewhere"
                    visitor.wait(
                        lambda state: any("cannot be written" in said["text"] for said in state["notices"])
                    )
                    during = play(visitor, 10, number + 20)
                    assert during["durable"] is False, "a read-only journal is not said"
                    subprocess.run(["mount", "-o", "remount,rw", str(card)], check=True)
                    after = visitor.wait(lambda state: state["durable"])
                    running.kill()
            finally:
                subprocess.run(["mount", "-o", "remount,rw", str(card)], check=True)
            _same_after_start(file, card, after)
    return outcome


def locked_journal(folder: Path, times: int) -> Outcome:
    """Another program holds the journal locked for a while."""
    outcome = Outcome("the journal is locked", "another process in a write transaction on it", times)
    file = settings_file(folder)
    with companion("run", "--config", str(file), home=folder) as running:
        visitor = running.visitor()
        play(visitor, 3, 0)
        for number in range(times):
            journal = folder / "board-companion" / FILE_NAME
            with closing(sqlite3.connect(journal, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                during = play(visitor, 4, 3 + 4 * number)
                assert during["durable"] is False, "a locked journal is not said"
                other.execute("ROLLBACK")
            after = visitor.wait(lambda state: state["durable"])
        running.kill()
    _same_after_start(file, folder, after)
    return outcome


def damaged_journal(folder: Path, times: int) -> Outcome:
    """The journal file is cut short while the program is down; it must start, say so, and keep the file."""
    outcome = Outcome(
        "the journal is cut short", "the file truncated at ten places, 5 to 95 %, between two runs", times
    )
    file = settings_file(folder)
    with companion("run", "--config", str(file), home=folder) as running:
        play(running.visitor(), 40, 0)
        assert running.stop() == 0
    whole = (folder / "board-companion" / FILE_NAME).read_bytes()
    for number in range(times):
        home = folder / f"cut{number}"
        (home / "board-companion").mkdir(parents=True)
        share = 0.05 + 0.9 * number / max(1, times - 1)
        (home / "board-companion" / FILE_NAME).write_bytes(whole[: int(len(whole) * share)])
        with companion("run", "--config", str(file), home=home) as running:
            visitor = running.visitor()
            state = visitor.wait(
                lambda state: any("was damaged" in notice["text"] for notice in state["notices"])
            )
            assert list((home / "board-companion").glob("*damaged-1.sqlite")), "the damaged file is gone"
            play(visitor, 3, number)
            assert state["durable"]
    outcome.lost = "only what was cut off; the damaged file is kept"
    return outcome


def clock_set_back(folder: Path, times: int) -> Outcome:
    """The wall clock is set back an hour while a chess clock runs."""
    outcome = Outcome(
        "the clock is set back an hour", "libfaketime on the process, the machine's clock untouched", times
    )
    assert FAKETIME is not None
    file = settings_file(folder)
    for number in range(times):
        home = folder / f"clock{number}"
        home.mkdir()
        offset = home / "offset"
        offset.write_text("+0")
        faked = {
            "LD_PRELOAD": str(FAKETIME),
            "FAKETIME_TIMESTAMP_FILE": str(offset),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        with companion("run", "--config", str(file), home=home, **faked) as running:
            visitor = running.visitor()
            visitor.act("new_match", length=3, overrides={"clock": "simple_delay"})
            before = visitor.act("opening", south=5, north=2)
            offset.write_text("-3600")
            after = play(visitor, 6, number)
            assert after["clock"]["at_ms"] >= before["clock"]["at_ms"], "time ran backwards"
            for side in ("south", "north"):
                spent_ms = before["clock"][side]["reserve_ms"] - after["clock"][side]["reserve_ms"]
                assert spent_ms < 60_000, "the jump took a player's time"
            running.kill()
        with companion("run", "--config", str(file), home=home, **faked) as running:
            assert told(running.visitor().state())["position"] == told(after)["position"]
    return outcome


def _same_after_start(file: Path, home: Path, before: dict) -> None:  # type: ignore[type-arg]
    with companion("run", "--config", str(file), home=home) as running:
        assert told(running.visitor().state()) == told(before), "the table stands elsewhere"
