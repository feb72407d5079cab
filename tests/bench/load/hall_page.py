"""How fast a table's own page is without a hall and with one, in turn (`page.py` says how it is measured).

Run as `python -m tests.bench.load.hall_page [--rounds N] [--viewers N] [--actions N]`. Mosquitto, hub and table are
processes of their own on the same machine.
"""

import argparse
import json
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from companion.hall.protocol.messages import encoded
from tests.bench.load import page
from tests.support.hall.broker import MISSING, PASSWORDS, PROGRAM, Broker, credentials, hub_settings
from tests.support.running import companion

NAME = "bench"
FIGURES = ("answer_median_ms", "reach_median_ms", "reach_p95_ms", "reach_max_ms", "streams_lost")


def beside_a_hall(rounds: int = 5, viewers: int = 100, actions: int = 60) -> dict[str, Any]:
    """The figures of each round, and how many events of the last match the hub holds."""
    if PROGRAM is None or PASSWORDS is None:
        raise SystemExit(f"{MISSING}.")
    found: dict[str, Any] = {"without": [], "with": []}
    server = [sys.executable, "-m", "tests.bench.load.house", "0"]
    with ExitStack() as parts:
        folder = Path(parts.enter_context(tempfile.TemporaryDirectory(prefix="companion-bench-")))
        broker = Broker(folder / "broker", NAME, ["1"], saves_each=False)
        broker.start()
        parts.callback(broker.kill)
        settings = hub_settings(folder, NAME, broker)
        hub = parts.enter_context(companion("hall", "--config", str(settings), home=folder / "hub"))
        for _ in range(rounds):
            for name, more in (("without", []), ("with", [str(_table_settings(folder, broker))])):
                figures = page.load(viewers, actions, seconds=0.1 * actions, server=[*server, *more])
                found[name].append({key: figures[key] for key in FIGURES})
        found["held"] = [one["held"]["number"] for one in hub.visitor().state()["tables"]]
    return found


def _table_settings(folder: Path, broker: Broker) -> Path:
    (folder / "table.json").write_bytes(encoded(credentials("1")))
    file = folder / "table.toml"
    file.write_text(
        f'[hall]\nbroker = "{broker.url}"\nname = "{NAME}"\ntable = "1"\n'
        f'credentials = "{folder / "table.json"}"\n'
    )
    return file


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--viewers", type=int, default=100)
    parser.add_argument("--actions", type=int, default=60)
    args = parser.parse_args()
    print(json.dumps(beside_a_hall(args.rounds, args.viewers, args.actions), indent=1))


if __name__ == "__main__":
    main()
