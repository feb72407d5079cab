"""The plug is pulled: kill -9 at random, SIGTERM under load."""

import os
import random
import subprocess
import sys
import threading
import time
from http.client import HTTPException
from pathlib import Path

from companion.records.rows import GENESIS, Row, row_of
from companion.storage.lines import content_of, match_files
from tests.faults.outcome import Outcome
from tests.support.records.former import write_former
from tests.support.running import Running, Visitor, companion, lasting, next_act, settings_file, start
from tests.support.selfplay import began, played_match

FIRST_PAGE_S = 5.0
TAKEOVER_S = 30.0
"""Once in the life of a journal: every row of it is read, proved and written."""
STOP_S = 2.0


def play_on(visitor: Visitor, number: int, acknowledged: list[dict]) -> int:  # type: ignore[type-arg]
    """Play until the program is gone; every acknowledged state is noted."""
    while True:
        try:
            state = visitor.state()
            act = next_act(state, number)
            status, after = visitor.post({**act, "seq": state["seq"]})
        except (OSError, HTTPException, ValueError):
            return number
        number += 1
        if status == 200:
            acknowledged.append({"before": state, "act": act, "after": after})


def kill_at_random(folder: Path, times: int, seed: int = 1) -> Outcome:
    """Play through the page, kill the program at a random moment, start it, and compare.

    The table must stand where the last answer left it, or where the action that was under way leads to: what was
    answered is never lost, and what was not answered has either happened as a whole or not at all.
    """
    outcome = Outcome(
        "the program is killed at any moment", "kill -9, at random while the page is being played on", times
    )
    chance = random.Random(seed)
    file = settings_file(folder)
    number, lost = 0, 0
    running, _ = _timed_start(file, folder)
    try:
        for _ in range(times):
            acknowledged: list[dict] = []  # type: ignore[type-arg]
            visitor = running.visitor()
            begun, on_disk = visitor.state(), _events(folder)
            killer = threading.Timer(chance.uniform(0.0, 0.6), running.process.kill)
            killer.start()
            number = play_on(visitor, number, acknowledged)
            killer.join()
            running.kill()
            running, took_s = _timed_start(file, folder)
            outcome.timed("first page after", took_s, FIRST_PAGE_S)
            after = running.visitor().state()
            last = acknowledged[-1]["after"] if acknowledged else begun
            under_way = _events(folder) - on_disk - len(acknowledged)
            if under_way not in (0, 1) or (under_way == 0 and lasting(after) != lasting(last)):
                lost += 1
    finally:
        running.kill()
    outcome.lost = "nothing" if not lost else f"{lost} times the table stood elsewhere"
    return outcome


def _events(folder: Path) -> int:
    """How many events are on disk."""
    return sum(file.read_bytes().count(b"\n") for file in match_files(folder / "board-companion"))


def _timed_start(file: Path, folder: Path) -> tuple[Running, float]:
    began_s = time.monotonic()
    running = start("run", "--config", str(file), home=folder)
    try:
        running.visitor().state()
    except BaseException:
        running.kill()  # whoever waits for it never gets it
        raise
    return running, time.monotonic() - began_s


def stop_under_load(folder: Path, times: int) -> Outcome:
    """SIGTERM while four browsers play and look as fast as they can."""
    outcome = Outcome(
        "the system stops it (power-off button)", "SIGTERM while four clients play as fast as they can", times
    )
    file = settings_file(folder)
    on_disk, answered = 0, 0
    for _ in range(times):
        with companion("run", "--config", str(file), home=folder) as running:
            notes: list[list[dict]] = [[] for _ in range(4)]  # type: ignore[type-arg]
            players = [
                threading.Thread(target=play_on, args=(running.visitor(), number, note), daemon=True)
                for number, note in enumerate(notes)
            ]
            for player in players:
                player.start()
            time.sleep(0.5)
            began_s = time.monotonic()
            status = running.stop()
            assert status == 0, f"it ended with {status} and said {running.lines[-3:]}"
            outcome.timed("ended after", time.monotonic() - began_s, STOP_S)
            for player in players:
                player.join()
            assert any(notes), f"nobody could play; it said {running.lines[-3:]}"
            answered += sum(map(len, notes))
            on_disk = _events(folder)
            # An action that was under way for each client may be on disk although its answer did not arrive.
            assert answered <= on_disk <= answered + 4, (
                f"{answered} actions were answered, {on_disk} are on disk"
            )
            answered = on_disk
    return outcome


def kill_in_takeover(folder: Path, times: int, seed: int = 2) -> Outcome:
    """Kill the program while it takes the journal of an earlier version over, until it comes through.

    Every row must be there with the digest it had, and the former journal as it was.
    """
    outcome = Outcome(
        "the program is killed while it takes over an earlier version's journal",
        "kill -9, at random in the first start with 40 matches in journal.sqlite, every second time in its log alone",
        times,
    )
    chance, file = random.Random(seed), settings_file(folder)
    rows = former_rows(40)
    for number in range(times):
        state = folder / f"taken{number}" / "board-companion"
        state.mkdir(parents=True)
        write_former(state / "journal.sqlite", rows, killed=bool(number % 2))
        before = (state / "journal.sqlite").read_bytes()
        for _ in range(3):
            _kill_while_starting(file, state.parent, chance.uniform(0.2, 1.2))
        running, took_s = _timed_start(file, state.parent)
        outcome.timed("first page after", took_s, TAKEOVER_S)
        assert running.stop() == 0
        found = [row for match in match_files(state) for row in content_of(match.read_bytes()).rows]
        assert found == rows, "rows are missing, or have other digests"
        assert (state / "journal.taken-over.sqlite").read_bytes() == before, "the former journal is not kept"
        assert not list(state.rglob("*damaged*")), "a sound journal is called damaged"
    return outcome


def former_rows(matches: int) -> list[Row]:
    """The rows of so many matches, one after the other in one chain."""
    rows: list[Row] = []
    for number in range(matches):
        match_id = f"20260101-{number:06d}-000"
        first = began(3, match_id=match_id, at_ms=1_767_225_600_000 + 1_000_000 * number)
        for place, event in enumerate(played_match(random.Random(number), first), start=1):
            rows.append(row_of(event, match_id, place, rows[-1].digest if rows else GENESIS))
    return rows


def _kill_while_starting(file: Path, home: Path, after_s: float) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "companion", "run", "--config", str(file)],
        env={**os.environ, "XDG_STATE_HOME": str(home), "STATE_DIRECTORY": ""},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(after_s)
    process.kill()
    process.wait()
