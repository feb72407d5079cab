"""`make hall`: a hall on this machine: a Mosquitto of its own, the hub, and tables at which random players play.

What runs the event answers 500 at first, which the desk says, and takes the results later. The first table plays its
first match to its end at once, and then corrects it.
"""

import argparse
import json
import random
import signal
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

from tests.support.hall.broker import MISSING, PASSWORDS, PROGRAM, Broker, hub_settings
from tests.support.hall.receiver import Receiver
from tests.support.hall.tables import SimulatedTable, simulated
from tests.support.running import Running, companion

HALL = "show"
EACH_S = 2.0
"""Mean seconds between two events of a table."""
CATCH_UP_S = 30.0
"""Longest wait at the end for what is under way."""
FAILURES = 4
"""Posts that what runs the event answers with 500 at first: some 15 s."""


def tables_behind(hub: Running, names: list[str], tables: list[SimulatedTable]) -> int:
    """How many tables have rows that the hub does not hold."""
    held = {table["table"]: table["held"] for table in hub.visitor().state()["tables"]}
    return sum(
        table.journal.last_digest is not None
        and (
            name not in held
            or table.journal.end_of(held[name]["match"])[0] != held[name]["number"]
            or held[name]["match"] != table.journal.last_match_id
        )
        for name, table in zip(names, tables, strict=True)
    )


class FirstTable:
    """The table that plays its first match to its end at once, and corrects it once the result has been taken."""

    def __init__(self, table: SimulatedTable, receiver: Receiver) -> None:
        self._table, self._receiver = table, receiver
        self._is_corrected = self._is_said = False
        self._finish()

    def _finish(self) -> None:
        while not self._table.is_over:
            self._table.play(round(time.time() * 1000))

    @property
    def waits(self) -> bool:
        """Whether it stays where it is; after the first result its correction is played."""
        if not self._is_corrected and self._receiver.got:
            self._table.corrects = self._is_corrected = True
            self._table.play(round(time.time() * 1000))
            self._finish()
        is_taken = any(one.get("replaces") for one in self._receiver.got)
        if is_taken and not self._is_said:
            print("What runs the event has the result of the first table, and its correction.", flush=True)
        self._is_said = is_taken
        return not is_taken


def main() -> None:
    """Run until interrupted, and say at the end what arrived."""
    parser = argparse.ArgumentParser(prog="make hall", description=__doc__)
    parser.add_argument("--tables", type=int, default=8, help="number of tables, 8 if left out")
    parser.add_argument("--port", type=int, default=8100, help="port of the pages, 8100; 0: any free one")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="end by itself after so long")
    args = parser.parse_args()
    if PROGRAM is None or PASSWORDS is None:
        raise SystemExit(f"{MISSING}.")
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, frame: stop.set())
    with ExitStack() as parts:
        folder = Path(parts.enter_context(tempfile.TemporaryDirectory(prefix="companion-hall-")))
        names = [str(number) for number in range(1, args.tables + 1)]
        broker = Broker(folder / "broker", HALL, names, saves_each=False)
        broker.start()
        parts.callback(broker.kill)
        file = hub_settings(folder, HALL, broker, port=args.port)
        receiver = Receiver(0, *[500] * FAILURES)
        parts.callback(receiver.end)
        with file.open("a") as settings:
            settings.write(f'webhook = "http://127.0.0.1:{receiver.server_port}/results"\n')
        hub = parts.enter_context(companion("hall", "--config", str(file), home=folder / "hub"))
        print(hub.link, flush=True)
        print(f"{args.tables} tables play; the wall is {hub.link.partition('/join/')[0]}/wall.", flush=True)
        tables = [parts.enter_context(one) for one in simulated(folder, HALL, names, broker)]
        first = FirstTable(tables[0], receiver)
        rng, end_s = random.Random(1), time.monotonic() + args.seconds
        while (
            not stop.wait(EACH_S / max(1, len(tables)) * rng.uniform(0.5, 1.5)) and time.monotonic() < end_s
        ):
            rng.choice(tables[1:] if first.waits and len(tables) > 1 else tables).play(
                round(time.time() * 1000)
            )
        end_s = time.monotonic() + CATCH_UP_S
        while (behind := tables_behind(hub, names, tables)) and time.monotonic() < end_s:
            time.sleep(0.1)
        print(
            json.dumps(
                {
                    "events": sum(table.events for table in tables),
                    "tables_behind": behind,
                    "posts": len(receiver.asked),
                    "results_taken": sum(one["kind"] == "result" for one in receiver.got),
                    "results_corrected": sum(bool(one.get("replaces")) for one in receiver.got),
                }
            ),
            flush=True,
        )


if __name__ == "__main__":
    main()
