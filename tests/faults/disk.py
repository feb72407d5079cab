"""The disk fails: full, read-only, locked, damaged; and the clock is set."""

import json
import os
import random
import resource
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from companion.storage.folder import CATALOGUE
from companion.storage.lines import match_files
from tests.faults.outcome import Outcome
from tests.support.running import (
    Running,
    Visitor,
    companion,
    lasting,
    next_act,
    one_command,
    settings_file,
)

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
                during = play(
                    visitor, 16 if number % 2 else 40, number + 5
                )  # the last page begun still has room
                assert during["durable"] is False, "a full disk is not said"
                (disk / "filler").unlink()
                after = visitor.wait(lambda state: state["durable"])
                running.kill()
            if number % 2:  # else the next start is the one on the full disk
                _same_after_start(file, disk, after)
            _fill(disk / "filler")
            with companion("run", "--config", str(file), home=disk) as running:
                visitor = running.visitor()
                begun = visitor.state()
                assert lasting(begun) == lasting(after), "the table stands elsewhere"
                assert not _noticed(begun, "damaged"), "a sound journal is called damaged"
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
                    assert lasting(begun) == lasting(before), "the table stands elsewhere"
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


def locked_catalogue(folder: Path, times: int) -> Outcome:
    """Another program holds the catalogue locked for a while: the record does not need it."""
    outcome = Outcome("the catalogue is locked", "another process in a write transaction on it", times)
    file = settings_file(folder)
    with companion("run", "--config", str(file), home=folder) as running:
        visitor = running.visitor()
        play(visitor, 3, 0)
        for number in range(times):
            catalogue = folder / "board-companion" / CATALOGUE
            with closing(sqlite3.connect(catalogue, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                after = play(visitor, 4, 3 + 4 * number)
                assert after["durable"], "the record waits for the catalogue"
                assert len(_listed(folder)) == 1, "the match is not listed"
                other.execute("ROLLBACK")
        running.kill()
    _same_after_start(file, folder, after)
    return outcome


def damaged_catalogue(folder: Path, times: int) -> Outcome:
    """The catalogue is deleted, emptied, cut, overwritten or altered between two runs; it is made anew."""
    outcome = Outcome(
        "the catalogue is damaged",
        "deleted, emptied, cut short, zeros or random bytes in it, or one byte altered, between two runs",
        times,
    )
    file, chance = settings_file(folder), random.Random(3)
    for number in range(times):
        with companion("run", "--config", str(file), home=folder) as running:
            after = play(running.visitor(), 10, 10 * number)
            assert running.stop() == 0
        before = _listed(folder)
        catalogue = folder / "board-companion" / CATALOGUE
        whole = catalogue.read_bytes()
        catalogue.unlink()
        if number % 5:
            catalogue.write_bytes(SPOILS[number % 5 - 1](whole, chance))
        assert _listed(folder) == before, "the list is another one"
        _same_after_start(file, folder, after)
    return outcome


def _listed(folder: Path) -> list[str]:
    """What `companion matches` says of the matches."""
    told = one_command("matches", "--json", "--state", str(folder / "board-companion"))
    assert told.returncode == 0, told.stderr
    return told.stdout.splitlines()


def damaged_journal(folder: Path, times: int) -> Outcome:
    """The file of the last match is cut short while the program is down; it must start, say so, and keep the file."""
    outcome = Outcome(
        "a match file is cut short",
        "the file truncated at ten places, 5 to 95 %, between two runs",
        times,
        lost=CUT_OFF,
        may_lose=CUT_OFF,
    )
    file = settings_file(folder)
    with companion("run", "--config", str(file), home=folder) as running:
        play(running.visitor(), 40, 0)
        assert running.stop() == 0
    (played,) = match_files(folder / "board-companion")
    whole = played.read_bytes()
    for number in range(times):
        home = folder / f"cut{number}"
        place = home / "board-companion" / "matches"
        place.mkdir(parents=True)
        share = 0.05 + 0.9 * number / max(1, times - 1)
        cut = whole[: int(len(whole) * share)]
        (place / played.name).write_bytes(cut)
        with companion("run", "--config", str(file), home=home) as running:
            visitor = running.visitor()
            state = visitor.wait(
                lambda state: any("was damaged" in notice["text"] for notice in state["notices"])
            )
            (aside,) = place.glob("*.damaged-1.jsonl")
            assert aside.read_bytes() == cut, "the damaged file is gone"
            play(visitor, 3, number)
            assert state["durable"]
        assert whole.startswith(cut[: cut.rfind(b"\n") + 1])
        held = b"".join(match.read_bytes() for match in match_files(home / "board-companion"))
        assert held.startswith(cut[: cut.rfind(b"\n") + 1]), "events that were whole are lost"
    return outcome


CUT_OFF = "only what was cut off; the damaged file is kept"


def emptied_journal(folder: Path, times: int) -> Outcome:
    """The file of the last match has no length any more."""
    outcome = Outcome(
        "a match file is emptied",
        "the file cut to 0 bytes after a kill -9",
        times,
        lost=EMPTIED,
        may_lose=EMPTIED,
    )
    file = settings_file(folder)
    for number in range(times):
        home = folder / f"emptied{number}"
        with companion("run", "--config", str(file), home=home) as running:
            play(running.visitor(), 5 + number, 0)
            running.kill()
        (played,) = match_files(home / "board-companion")
        os.truncate(played, 0)
        with companion("run", "--config", str(file), home=home) as running:
            visitor = running.visitor()
            state = visitor.wait(lambda state: _noticed(state, "journal was damaged", "companion restore"))
            assert state["phase"] == "no_match", "an emptied file holds a match"
            assert played.with_name(f"{played.stem}.damaged-1.jsonl").exists(), "the emptied file is gone"
            assert play(visitor, 3, number)["durable"]
    return outcome


EMPTIED = "what was in the file; the file is kept"


def damaged_codes(folder: Path, times: int) -> Outcome:
    """The file of join codes is spoilt between two runs: nobody who was in stays in, nobody else comes in."""
    outcome = Outcome(
        "the join codes are damaged",
        "roles.json emptied, cut short, overwritten with zeros or random bytes, or one byte of it altered",
        times,
        lost=NEW_CODES,
        may_lose=NEW_CODES,
    )
    file, chance = settings_file(folder), random.Random(1)
    roles = folder / "board-companion" / "roles.json"
    with companion("run", "--config", str(file), home=folder) as running:
        before = play(running.visitor(), 5, 0)
        assert running.stop() == 0
    for number in range(times):
        whole = roles.read_bytes()
        spoilt = SPOILS[number % len(SPOILS)](whole, chance)
        roles.write_bytes(spoilt)
        with companion("run", "--config", str(file), home=folder) as running:
            visitor = running.visitor()
            state = visitor.wait(lambda state: _noticed(state, "join codes were damaged", "companion links"))
            assert lasting(state) == lasting(before), "the table stands elsewhere"
            for code in (row["code"] for row in json.loads(whole)["codes"]):
                assert _answered(running, f"/join/{code}") == 404, "an old code lets somebody in"
            assert _answered(running, "/api/state") == 403, "a stranger is let in"
            aside = roles.with_name(f"roles.damaged-{number + 1}.json")
            assert aside.read_bytes() == spoilt, "the damaged file is gone"
            assert running.stop() == 0
    return outcome


NEW_CODES = "the links and cookies in force, new ones are made; the file is kept"
SPOILS: "list[Callable[[bytes, random.Random], bytes]]" = [
    lambda whole, chance: b"",
    lambda whole, chance: whole[: chance.randrange(1, len(whole) - 2)],
    lambda whole, chance: bytes(len(whole)),
    lambda whole, chance: chance.randbytes(len(whole)),
    lambda whole, chance: whole.replace(b'"scorekeeper"', b'"scorekeeqer"'),
]
"""What may become of a small file on a card whose power is cut."""


def _answered(running: Running, path: str) -> int:
    """The status that a stranger's request is answered with."""
    parts = urlsplit(running.link)
    with closing(HTTPConnection(str(parts.hostname), int(parts.port or 80))) as talk:
        talk.request("GET", path)
        return talk.getresponse().status


def _noticed(state: dict, *parts: str) -> bool:  # type: ignore[type-arg]
    """Whether a notice holds all of this."""
    return any(all(part in notice["text"] for part in parts) for notice in state["notices"])


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
            assert lasting(running.visitor().state())["position"] == lasting(after)["position"]
    return outcome


def _same_after_start(file: Path, home: Path, before: dict) -> None:  # type: ignore[type-arg]
    """The table stands where it stood, and nothing is called damaged that is not."""
    with companion("run", "--config", str(file), home=home) as running:
        state = running.visitor().state()
        assert lasting(state) == lasting(before), "the table stands elsewhere"
        assert not _noticed(state, "damaged"), "a sound journal is called damaged"
        assert not list(home.glob("**/*.damaged-*")), "a sound journal is set aside"
