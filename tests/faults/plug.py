"""The plug is pulled: kill -9 at random, SIGTERM under load."""

import random
import sqlite3
import threading
import time
from contextlib import closing
from http.client import HTTPException
from pathlib import Path

from companion.storage.journal import FILE_NAME
from tests.faults.outcome import Outcome
from tests.support.running import Running, Visitor, companion, next_act, settings_file, start, told

FIRST_PAGE_S = 5.0
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
            if under_way not in (0, 1) or (under_way == 0 and told(after) != told(last)):
                lost += 1
    finally:
        running.kill()
    outcome.lost = "nothing" if not lost else f"{lost} times the table stood elsewhere"
    return outcome


def _events(folder: Path) -> int:
    """How many events are on disk."""
    with closing(sqlite3.connect(folder / "board-companion" / FILE_NAME)) as db:
        return int(db.execute("SELECT count(*) FROM event").fetchone()[0])


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
