"""How soon Mosquitto takes a new password after a reload, and how many of its connections that costs.

Run as `python -m tests.bench.load.hall_reload [--connections N] [--reloads N]`.
"""

import argparse
import json
import statistics
import tempfile
import threading
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from companion.hall.broker import Credentials, Line
from companion.hall.broker_users import BrokerUsers
from companion.hall.protocol.invitation import new_password
from companion.hall.protocol.topics import HUB
from companion.service.hall.trial import Trial
from tests.support.hall.broker import MISSING, PASSWORDS, PROGRAM, Broker, credentials

HALL, NEW = "bench", "new"


def takes(broker: Broker, shown: Credentials) -> bool:
    """Whether the broker takes these credentials now."""
    answered, found = threading.Event(), list[bool]()

    def connected(_client: Client, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        found.append(not reason.is_failure)
        answered.set()

    client = Client(
        CallbackAPIVersion.VERSION2, protocol=MQTTProtocolVersion.MQTTv5, reconnect_on_failure=False
    )
    client.username_pw_set(shown.user, shown.password)
    client.on_connect = connected
    client.connect(broker.address.host, broker.address.port)
    client.loop_start()
    answered.wait(10)
    client.disconnect()
    client.loop_stop()
    return found == [True]


def measured(connections: int, reloads: int) -> dict[str, Any]:
    """Change a password and reload so many times, beside so many connections."""
    if PROGRAM is None or PASSWORDS is None:
        raise SystemExit(f"{MISSING}.")
    names, there, times_ms = [f"t{number}" for number in range(connections)], list[Trial](), list[float]()
    with ExitStack() as parts:
        folder = Path(parts.enter_context(tempfile.TemporaryDirectory(prefix="companion-bench-")))
        broker = Broker(folder, HALL, names)
        broker.start()
        parts.callback(broker.kill)
        for name in names:
            there.append(Trial())
            parts.enter_context(closing(Line(broker.address, credentials(name), there[-1]))).start()
        for talk in there:
            assert talk.done.wait(60)
            talk.done.clear()  # set again when the connection is lost
        users = BrokerUsers(folder / "passwords", HALL, credentials(HUB))
        for _ in range(reloads):
            shown = Credentials(NEW, new_password())
            users.give(NEW, shown.password)
            assert not takes(broker, shown)
            begun_s = time.monotonic()
            broker.reload()
            while not takes(broker, shown):
                pass
            times_ms.append(1000 * (time.monotonic() - begun_s))
        cut = sum(talk.done.is_set() for talk in there)
    return {
        "reloads": reloads,
        "taken_after_ms_median": round(statistics.median(times_ms), 1),
        "taken_after_ms_max": round(max(times_ms), 1),
        "connections": connections,
        "connections_cut": cut,
    }


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=100)
    parser.add_argument("--reloads", type=int, default=20)
    args = parser.parse_args()
    print(json.dumps(measured(args.connections, args.reloads), indent=1))


if __name__ == "__main__":
    main()
