"""A hall under load: tables that play, spectators that look on, the wall and the desk, over a real Mosquitto.

Run as `python -m tests.bench.load.hall [--tables N] [--spectators N] [--seconds S] [--tls] [--postgresql]
[--processes N] [--at-once N] [--events N]`, N processes for spectators behind one address. The hub is the whole program
in a process of its own; the tables share one process, the spectators another. A time runs from the moment at which an
event is on the table's disk until the stream's message with it has been read. With `--events` each table plays so many,
as fast as the hub takes them: an evening in some minutes, for the hub's memory.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import re
import resource
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from companion.hall.record.databases import SQLITE, database_of
from companion.hall.record.store import Store
from companion.service.certificate import own_certificate
from companion.service.hall.hub import MOST_STREAMS
from companion.storage.folder import HALL, HALL_STORE, ROLES_FILE
from tests.support.hall.broker import HOST, MISSING, PASSWORDS, PROGRAM, Broker, free_port, hub_settings
from tests.support.hall.postgres import Postgres, missing
from tests.support.hall.tables import SimulatedTable, simulated
from tests.support.running import Running, companion
from web.roles import Role, Roles

NAME = "bench"
EACH_S = 2.0
"""Seconds between two events of a table."""
AHEAD = 40
"""Most events that a table which plays as fast as it can is ahead of the hub."""
LOOK_S, STUCK_S = 0.2, 60.0
"""Time between two looks at what the hub holds; so long after the last new event the hub is given up."""
SAID_S = 10.0
"""Seconds between two lines that say how far the hub is."""
TENTHS = 10
WALLS = 2
OPENED_AT_ONCE = 100
SEQ = re.compile(rb'"session":"[^"]*","seq":(\d+)')


@dataclass
class Crowd:
    """What the spectators have seen.

    Attributes:
        came: (table, seq, time) of each message of a spectator's stream; of a wall's each change.
        walls: the same of the walls.
        lost: streams that ended, or never began.
        refusals: how often each first line of an answer came that was not 200, "" for none, and each error.
    """

    came: list[tuple[str, int, float]] = field(default_factory=list)
    walls: list[tuple[str, int, float]] = field(default_factory=list)
    opened: int = 0
    lost: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    ends: bool = False

    async def look(self, port: int, cookie: str, path: str, n: int) -> None:
        """Read one stream until it ends."""
        try:
            here = (f"127.0.{n // 250 + 1}.{n % 250 + 1}", 0)  # each spectator has an address of his own
            reader, writer = await asyncio.open_connection(HOST, port, limit=2**20, local_addr=here)
            writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nCookie: {cookie}\r\n\r\n".encode())
            status = await reader.readline()
            if b" 200 " in status:
                self.opened += 1
                table = path.partition("=")[2]
                while line := await reader.readline():
                    if line.startswith(b"data: {"):
                        self._take(table, line, time.monotonic())
            else:
                self.refusals[status.decode().strip()] += 1
            writer.close()
        except (OSError, asyncio.LimitOverrunError) as error:
            self.refusals[f"{type(error).__name__}: {error}"[:80]] += not self.ends
        self.lost += not self.ends

    def _take(self, table: str, line: bytes, now_s: float) -> None:
        if table:
            if found := SEQ.search(line):
                self.came.append((table, int(found[1]), now_s))
            return
        for one in json.loads(line[6:])["tables"]:
            if one["state"]:
                self.walls.append((one["table"], one["state"]["seq"], now_s))


async def _watch(
    crowd: Crowd, port: int, cookie: str, tables: list[str], spectators: int, at_once: int, talk: Any
) -> None:
    """Open all streams, say so, and read them until the parent says that it is over."""
    paths = ["/api/events"] * WALLS
    paths += [f"/api/events?table={tables[n % len(tables)]}" for n in range(spectators)]
    tasks = []
    for n, path in enumerate(paths):
        tasks.append(asyncio.create_task(crowd.look(port, cookie, path, n)))
        if n % at_once == 0:
            await asyncio.sleep(0.25)
    end_s = time.monotonic() + 60
    while crowd.opened + crowd.lost < len(paths) and time.monotonic() < end_s:
        await asyncio.sleep(0.1)
    talk.send((crowd.opened, dict(crowd.refusals)))
    while not talk.poll():
        await asyncio.sleep(0.1)
    crowd.ends = True
    for task in tasks:
        task.cancel()


def _crowd(port: int, cookie: str, tables: list[str], spectators: int, at_once: int, talk: Any) -> None:
    """The spectators' process."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    crowd = Crowd()
    asyncio.run(_watch(crowd, port, cookie, tables, spectators, at_once, talk))
    talk.send((crowd.came, crowd.walls, crowd.opened, crowd.lost))


class Players(threading.Thread):
    """Plays an event at each table every `EACH_S`.

    Attributes:
        tables: by name.
        played: when an event of a table, by its seq, was on disk.
    """

    def __init__(self, tables: dict[str, SimulatedTable]) -> None:
        super().__init__()
        self.tables, self._over = tables, threading.Event()
        self.played: dict[tuple[str, int], float] = {}
        self.behind_s = 0.0

    def run(self) -> None:
        """Play until stopped."""
        names = list(self.tables)
        random.Random(1).shuffle(names)
        due_s = time.monotonic()
        while True:
            for name in names:
                due_s += EACH_S / len(names)
                if self._over.wait(max(0.0, due_s - time.monotonic())):
                    return
                table = self.tables[name]
                table.play(round(time.time() * 1000))
                self.played[name, table.events] = time.monotonic()
                self.behind_s = max(self.behind_s, time.monotonic() - due_s)

    def end(self) -> None:
        """Stop."""
        self._over.set()
        if self.is_alive():
            self.join()

    def lasts(self, seconds: float, begun_s: float) -> bool:
        """Whether there is more to measure."""
        return time.monotonic() < begun_s + seconds


class HurriedPlayers(Players):
    """Plays so many events at each table, as fast as the hub takes them.

    Attributes:
        held: how many events the hub holds of all tables.
        wanted: how many it is to hold.
    """

    def __init__(self, tables: dict[str, SimulatedTable], events: int, store: str) -> None:
        super().__init__(tables)
        self._events, self._store = events, store
        self.held, self.wanted = 0, events * len(tables)

    def run(self) -> None:
        """Play until the hub holds all of it, takes nothing any more, or this is stopped."""
        begun_s = new_s = said_s = time.monotonic()
        with closing(database_of(self._store, read_only=True)) as record:
            while self.held < self.wanted and time.monotonic() < new_s + STUCK_S:
                before, until_s = self.held, time.monotonic() + LOOK_S
                held = dict(record.ask("SELECT board, max(ordinal) FROM event GROUP BY board"))
                self.held = sum(held.values())
                new_s = time.monotonic() if self.held > before else new_s
                if time.monotonic() > said_s + SAID_S:
                    said_s = time.monotonic()
                    print(progress(self.held, self.wanted, said_s - begun_s), file=sys.stderr, flush=True)
                while self._play_on(held) and time.monotonic() < until_s:
                    pass
                if self._over.wait(max(0.0, until_s - time.monotonic())):
                    return

    def _play_on(self, held: dict[str, int]) -> bool:
        """Play an event at each table that is not too far ahead of what the hub holds; whether there is one."""
        ready = [
            (name, table)
            for name, table in self.tables.items()
            if table.events < min(self._events, held.get(name, 0) + AHEAD)
        ]
        for name, table in ready:
            table.play(round(time.time() * 1000))
            self.played[name, table.events] = time.monotonic()
        return bool(ready)

    def lasts(self, seconds: float, begun_s: float) -> bool:
        """Whether it goes on; however long it takes."""
        return self.is_alive()


def progress(held: int, wanted: int, lasted_s: float) -> str:
    """How far the hub is, and how long the rest takes at the rate so far."""
    rate = held / lasted_s
    rest = f"some {(wanted - held) / rate / 60:.0f} min to go" if held else "nothing held yet"
    return f"The hub holds {held:,} of {wanted:,} events, {rate:.0f} a second: {rest}."


def _memory_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(row for row in status.splitlines() if row.startswith("VmRSS")).split()[1]) / 1024


def _first_of_each(memory: Sequence[tuple[float, float]], step: float) -> list[float]:
    """The first value of each minute, or whatever the step is."""
    by_step: dict[int, float] = {}
    for at, size_mb in memory:
        by_step.setdefault(int(at // step), round(size_mb, 1))
    return list(by_step.values())


def _by_events(memory: list[tuple[int, float]], players: Players) -> dict[str, Any]:
    """The hub's memory by what it holds, if the tables play so many events and no more."""
    if not isinstance(players, HurriedPlayers):
        return {}
    over = [size_mb for held, size_mb in memory if 2 * held >= players.wanted]
    halves = [round(over[0], 1), round(over[-1], 1)] if over else []
    return {
        "hub_holds_events": players.held,
        "matches_begun": sum(table.matches for table in players.tables.values()),
        "hub_memory_each_tenth_of_events_mb": _first_of_each(memory, players.wanted / TENTHS),
        "hub_memory_after_each_half_mb": halves,
    }


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _p95_ms(times_s: list[float]) -> float:
    return round(1000 * statistics.quantiles(times_s, n=100)[94], 1) if len(times_s) > 1 else float("nan")


def load(
    tables: int = 100,
    spectators: int = 1000,
    seconds: float = 60.0,
    *,
    tls: bool = False,
    postgresql: bool = False,
    processes: int = 0,
    at_once: int = OPENED_AT_ONCE,
    events: int = 0,
) -> dict[str, Any]:
    """Let so many tables play and so many spectators look on for so long; the record in a file or in PostgreSQL.

    With `events` until each table has played so many, as fast as the hub takes them.
    """
    with ExitStack() as parts:
        folder = Path(parts.enter_context(tempfile.TemporaryDirectory(prefix="companion-bench-")))
        names = [str(number) for number in range(1, tables + 1)]
        certificate = own_certificate(folder / "tls", [HOST]) if tls else None
        broker = Broker(folder / "broker", NAME, names, certificate, saves_each=False)
        broker.start()
        parts.callback(broker.kill)
        settings = hub_settings(folder, NAME, broker)
        own = folder / "hub" / "board-companion" / HALL
        store = f"{SQLITE}{own / HALL_STORE}"
        if postgresql:
            store = _postgresql(folder, parts)
            with settings.open("a") as file:
                file.write(f'store = "{store}"\n')
        hub = parts.enter_context(companion("hall", "--config", str(settings), home=folder / "hub"))
        playing = {
            name: parts.enter_context(one)
            for name, one in zip(names, simulated(folder, NAME, names, broker), strict=True)
        }
        players = HurriedPlayers(playing, events, store) if events else Players(playing)
        if not events:
            players.start()
        parts.callback(players.end)
        watch = ("hall", "--spectators", "--port", str(free_port()), "--config", str(settings))
        beside = [parts.enter_context(companion(*watch, home=folder / "hub")) for _ in range(processes)]
        roles = Roles(own / ROLES_FILE)
        figures = _measured(hub, beside, roles, players, names, spectators, seconds, at_once)
        players.end()
        return {**figures, **_kept(store, playing)}


def _postgresql(folder: Path, parts: ExitStack) -> str:
    """A server of its own, with its usual settings, for as long as `parts`."""
    if missing():
        raise SystemExit(f"{missing()}.")
    folder.chmod(0o755)  # its user has to get in
    (folder / "postgresql").mkdir()
    server = Postgres(folder / "postgresql")
    parts.callback(server.kill)
    return server.store


def _measured(
    hub: Running,
    beside: list[Running],
    roles: Roles,
    players: Players,
    names: list[str],
    spectators: int,
    seconds: float,
    at_once: int,
) -> dict[str, Any]:
    """Open the streams, then measure for so long; at the processes beside the hub if there are any."""
    desk = hub.visitor()
    port = int(urlsplit(beside[0].link).port or 0) if beside else desk.port
    viewer = type(desk)(f"http://{desk.host}:{port}/join/{roles.standing(Role.VIEWER).code}")
    here, there = multiprocessing.get_context("spawn").Pipe()
    values = port, viewer.cookie, names, spectators, at_once, there
    crowd = multiprocessing.get_context("spawn").Process(target=_crowd, args=values)
    crowd.start()
    begun, refusals = here.recv()
    # a stream that is not refused does not end
    full = viewer.get("/api/events") if begun >= MOST_STREAMS and not beside else (0, b"{}")
    if not players.is_alive():
        players.start()  # those who hurry begin once everybody looks on
    pid, begun_s = hub.process.pid, time.monotonic()
    pids = [pid, *(one.process.pid for one in beside)]
    before = [_cpu_s(one) for one in pids]
    memory: list[tuple[float, float]] = []
    by_events: list[tuple[int, float]] = []
    asked = []
    while players.lasts(seconds, begun_s):
        memory.append((time.monotonic() - begun_s, _memory_mb(pid)))
        if isinstance(players, HurriedPlayers):
            by_events.append((players.held, memory[-1][1]))
        before_s = time.monotonic()
        assert desk.get("/api/state")[0] == 200
        assert desk.get("/desk")[0] == 200
        asked.append((time.monotonic() - before_s) / 2)
        time.sleep(1.0)
    spent_s = [_cpu_s(one) - former for one, former in zip(pids, before, strict=True)]
    lasted_s = time.monotonic() - begun_s
    here.send("over")
    came, walls, opened, lost = here.recv()
    crowd.join()
    played = dict(players.played)
    events = sum(begun_s <= at_s for at_s in played.values())
    wall_s = _first_seen(played, walls, begun_s)
    each_s = [
        at_s - played[table, seq]
        for table, seq, at_s in came
        if at_s > begun_s and played.get((table, seq), 0.0) >= begun_s
    ]
    return {
        "tables": len(names),
        "streams_open": opened,
        "streams_refused_at_the_begin": refusals,
        "streams_lost": lost,
        "events": events,
        "tables_process_behind_at_most_ms": round(1000 * players.behind_s),
        "event_to_wall_median_ms": round(1000 * statistics.median(wall_s), 1) if wall_s else None,
        "event_to_wall_p95_ms": _p95_ms(wall_s),
        "event_to_wall_max_ms": round(1000 * max(wall_s, default=float("nan")), 1),
        "event_to_spectator_p95_ms": _p95_ms(each_s),
        "desk_answer_p95_ms": _p95_ms(asked),
        "one_more_spectator": f"{full[0]} {json.loads(full[1]).get('detail', '')}"
        if full[0]
        else "not tried",
        "hub_cpu_cores": round(spent_s[0] / lasted_s, 2),
        "hub_cpu_ms_per_event": round(1000 * spent_s[0] / max(1, events), 2),
        "spectators_processes_cpu_cores": [round(one / lasted_s, 2) for one in spent_s[1:]],
        "messages_to_spectators": len(came),
        "cpu_us_per_message": round(1_000_000 * sum(spent_s) / max(1, len(came)), 1),
        "hub_memory_first_mb": round(memory[0][1], 1),
        "hub_memory_halfway_mb": round(memory[len(memory) // 2][1], 1),
        "hub_memory_last_mb": round(memory[-1][1], 1),
        "hub_memory_each_minute_mb": _first_of_each(memory, 60.0),
        **_by_events(by_events, players),
        "load_average": round(os.getloadavg()[0], 1),
    }


def _first_seen(
    played: dict[tuple[str, int], float], seen: list[tuple[str, int, float]], begun_s: float
) -> list[float]:
    """Seconds from each event to the first wall on which it, or a later one of its table, was seen."""
    by_table: dict[str, list[tuple[int, float]]] = {}
    for table, seq, at_s in sorted(seen, key=lambda one: one[2]):
        by_table.setdefault(table, []).append((seq, at_s))
    found = []
    for (table, seq), at_s in played.items():
        if at_s >= begun_s:
            found += [there_s - at_s for got, there_s in by_table.get(table, []) if got >= seq][:1]
    return found


def _kept(store: str, playing: dict[str, SimulatedTable]) -> dict[str, Any]:
    """What the hub has kept, once it has had time for all of it."""
    end_s = time.monotonic() + 30
    behind = playing
    with closing(Store(database_of(store))) as record:
        while behind and time.monotonic() < end_s:
            held = record.held()
            behind = {
                name: one
                for name, one in playing.items()
                if name not in held or held[name].digest != one.journal.last_digest
            }
            time.sleep(0.2)
        wrong = 0
        for name, one in playing.items():
            rows = [row for match in record.matches(name) for row in record.rows(name, match)]
            archive = one.journal.archive
            sent = [row for match in archive.matches(counted=False) for row in archive.rows(match.match_id)]
            wrong += rows != sent or bool(record.problems(name))
    return {"tables_behind_at_the_end": len(behind), "tables_whose_rows_differ": wrong}


def run() -> dict[str, Any]:
    """Everything that `make bench` writes about the hall, with 1,000 and with 5,000 spectators."""
    if PROGRAM is None or PASSWORDS is None:
        raise SystemExit(f"{MISSING}.")
    found = {count: load(spectators=count) for count in (1000, 4998)}
    return {
        f"{name}, {count:,} spectators": one
        for count, figures in found.items()
        for name, one in figures.items()
    }


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--spectators", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--tls", action="store_true", help="the tables and the hub reach the broker over TLS")
    parser.add_argument("--postgresql", action="store_true", help="keep the record in PostgreSQL")
    parser.add_argument("--processes", type=int, default=0, help="processes for spectators beside the hub")
    parser.add_argument(
        "--at-once",
        type=int,
        default=OPENED_AT_ONCE,
        metavar="N",
        help="spectators who come in the same quarter of a second",
    )
    parser.add_argument(
        "--events",
        type=int,
        default=0,
        metavar="N",
        help="events of each table, as fast as the hub takes them; instead of --seconds",
    )
    args = parser.parse_args()
    figures = load(
        args.tables,
        args.spectators,
        args.seconds,
        tls=args.tls,
        postgresql=args.postgresql,
        processes=args.processes,
        at_once=args.at_once,
        events=args.events,
    )
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
