"""`make hall`: a hall on this machine: a Mosquitto of its own, the hub, and tables at which random players play."""

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
from tests.support.hall.tables import SimulatedTable, simulated
from tests.support.running import Running, companion

HALL = "show"
EACH_S = 2.0
"""Mean seconds between two events of a table."""
CATCH_UP_S = 30.0
"""Longest wait at the end for what is under way."""


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
        hub = parts.enter_context(companion("hall", "--config", str(file), home=folder / "hub"))
        print(hub.link, flush=True)
        print(f"{args.tables} tables play; the wall is {hub.link.partition('/join/')[0]}/wall.", flush=True)
        tables = [parts.enter_context(one) for one in simulated(folder, HALL, names, broker)]
        rng, end_s = random.Random(1), time.monotonic() + args.seconds
        while (
            not stop.wait(EACH_S / max(1, len(tables)) * rng.uniform(0.5, 1.5)) and time.monotonic() < end_s
        ):
            rng.choice(tables).play(round(time.time() * 1000))
        end_s = time.monotonic() + CATCH_UP_S
        while (behind := tables_behind(hub, names, tables)) and time.monotonic() < end_s:
            time.sleep(0.1)
        print(
            json.dumps({"events": sum(table.events for table in tables), "tables_behind": behind}), flush=True
        )


if __name__ == "__main__":
    main()
