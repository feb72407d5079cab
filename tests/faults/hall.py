"""A hall is cut: its tables, its cables, its broker, its hub and its database, at random and several at a time.

Tables and hub are processes of their own that are ended with SIGKILL; Mosquitto and PostgreSQL are the real ones.
"""

import multiprocessing
import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing, suppress
from functools import partial
from itertools import count
from multiprocessing.context import ForkServerProcess
from pathlib import Path

from companion.game.events import AnyEvent, RollTyped
from companion.hall.broker import Address, Line
from companion.hall.hub import Hub
from companion.hall.journal_rows import JournalRows
from companion.hall.protocol.messages import About
from companion.hall.protocol.topics import HUB, Topics
from companion.hall.record.databases import AnotherHubError, StoreError, database_of
from companion.hall.record.store import Store
from companion.hall.signatures import SignedLines
from companion.hall.table_link import OFFLINE, TableLink
from companion.records.rows import Row
from companion.rules.board import Roll
from companion.storage.journal import Journal
from companion.storage.lines import content_of, match_files
from tests.faults.outcome import Outcome
from tests.support.hall.broker import MISSING, PASSWORDS, PROGRAM, Broker, Cable, credentials
from tests.support.hall.postgres import Postgres
from tests.support.hall.postgres import missing as no_postgres
from tests.support.selfplay import began

HALL = "faults"
TABLES = ("1", "2", "3", "4")
HUBS = ("hub 1", "hub 2")
"""One writes, the other one waits to take its place."""
LAST_LINES = 60
"""Of the log, when a hall has not caught up."""
KINDS = ("table", "network", "broker", "hub", "database")
ROUND = 100
"""Cuts of one hall; after them everything is mended, and the record compared."""
BREATH_S = 0.1
"""Longest time between two cuts, and from a cut until it is mended."""
EACH_S = 0.1
"""Mean seconds between two events of a table."""
CAUGHT_UP_S = 300.0
WEEK_MS = 7 * 24 * 3_600_000
AWAY = 2_000
"""Events of a week at a table that is used each evening."""


def missing() -> str:
    """What a cut hall needs and this machine lacks; empty for nothing."""
    return MISSING if PROGRAM is None or PASSWORDS is None else no_postgres()


_starter = multiprocessing.get_context("forkserver")
_starter.set_forkserver_preload([__name__])


def _events(journal: Journal, rng: random.Random, name: str, at_ms: Callable[[], int]) -> Iterable[None]:
    """Write events for ever, each on disk when this yields: the last match goes on, then come new ones."""
    match, left = journal.last_match_id, rng.randint(0, 60)
    for number in count(len(journal.archive.matches(counted=False)) + 1):
        if match is None or not left:
            match, left = f"{name}-{number:05d}", rng.randint(1, 120)
            begun: AnyEvent = began(1, at_ms=at_ms(), match_id=match)
            journal.append(match, begun)
            yield
        for _ in range(left):
            roll = Roll.of(rng.randint(1, 6), rng.randint(1, 6))
            journal.append(match, RollTyped(roll, at_ms=at_ms(), by="scorekeeper"))
            yield
        left = 0


def _now_ms() -> int:
    return round(time.time() * 1000)


def _linked(journal: Journal, folder: Path, name: str, address: Address, log: Path) -> Line:
    topics = Topics(HALL, name)
    link = TableLink(
        topics,
        JournalRows(lambda: journal, folder, HALL),
        SignedLines(folder),
        lambda: None,
        About("0", str(time.monotonic())),
        partial(_note, log, f"table {name}"),
    )
    return Line(address, credentials(name), link, (topics.availability, OFFLINE))


def _table(folder: Path, name: str, address: Address, log: Path, seed: int, *, plays: bool) -> None:
    """A table's process: plays, and tells the hall, until it is killed."""
    journal, rng = Journal(folder), random.Random(seed)
    line = _linked(journal, folder, name, address, log)
    line.start()
    events = iter(_events(journal, rng, name, _now_ms))
    while True:
        time.sleep(rng.uniform(0, 2 * EACH_S))
        if plays:
            next(events)
            line.wake()


def _hub(store: str, address: Address, log: Path, name: str) -> None:
    """A hub's process: waits for its database and the end of the other hub, writes, and waits again if replaced."""
    note = partial(_note, log, name)
    while True:
        with ExitStack() as begun:
            try:
                record = begun.enter_context(closing(Store(database_of(store, alone=True))))
                hub = Hub(HALL, record, lambda tables: None, note)
            except StoreError:
                time.sleep(0.1)
                continue
            begun.pop_all()
        note("writes")
        line = Line(address, credentials(HUB), hub)
        line.start()
        while not _is_replaced(record):
            time.sleep(0.2)
        note("is replaced")
        line.close()
        with suppress(StoreError):
            record.close()


def _is_replaced(record: Store) -> bool:
    """Whether the other hub has the record; a database that is away comes back."""
    try:
        record.check()
    except AnotherHubError:
        return True
    except StoreError:
        pass
    return False


def _note(log: Path, who: str, text: str) -> None:
    with log.open("a") as file:
        file.write(f"{time.strftime('%H:%M:%S')} {who}: {text}\n")


class Program:
    """A process that is started and killed at will."""

    def __init__(self, run: Callable[..., None], *values: object, **more: object) -> None:
        self._run, self._values, self._more = run, values, more
        self._process: ForkServerProcess | None = None

    def start(self, **more: object) -> None:
        """Start it."""
        kwargs = {**self._more, **more}
        self._process = _starter.Process(target=self._run, args=self._values, kwargs=kwargs, daemon=True)
        self._process.start()

    def kill(self) -> None:
        """End it at once."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None


class CutHall:
    """A hall of which each part can be cut and mended."""

    def __init__(self, folder: Path, parts: ExitStack, rng: random.Random) -> None:
        self.folder, self._rng = folder, rng
        self.broker = Broker(folder / "broker", HALL, TABLES, saves_each=False)
        self.broker.start()
        parts.callback(self.broker.kill)
        folder.chmod(0o755)  # PostgreSQL's user has to get in
        (folder / "postgresql").mkdir()
        self.server = Postgres(folder / "postgresql")
        parts.callback(self.server.kill)
        self.cables = {
            name: parts.enter_context(closing(Cable(self.broker.address))) for name in (*TABLES, HUB)
        }
        self.log = folder / "log"
        self.hubs = {
            name: Program(_hub, self.server.store, self.cables[HUB].address, self.log, name) for name in HUBS
        }
        for hub in self.hubs.values():
            hub.start()
            parts.callback(hub.kill)
        self.tables = {}
        for name in TABLES:
            (folder / name).mkdir()
            self.tables[name] = Program(_table, folder / name, name, self.cables[name].address, self.log)
            self._start_table(name)
            parts.callback(self.tables[name].kill)

    def _start_table(self, name: str, *, plays: bool = True) -> None:
        self.tables[name].start(seed=self._rng.randrange(2**32), plays=plays)

    def parts(self) -> dict[str, tuple[Callable[[], object], Callable[[], object]]]:
        """What can be cut, with what mends it."""
        found: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
            "broker": (self.broker.kill, self.broker.start),
            "database": (self.server.kill, self.server.start),
        }
        for name, hub in self.hubs.items():
            found[name] = (hub.kill, hub.start)
        for name, cable in self.cables.items():
            found[f"network of {name}"] = (cable.cut, cable.mend)
        for name, table in self.tables.items():
            found[f"table {name}"] = (table.kill, partial(self._start_table, name))
        return found

    def cut_some(self) -> Counter[str]:
        """Cut up to three parts at random moments, mend them in another order; returns what was cut, by kind."""
        parts = self.parts()
        kinds = self._rng.sample(KINDS, self._rng.randint(1, 3))
        chosen = [self._rng.choice([name for name in parts if name.startswith(kind)]) for kind in kinds]
        for name in chosen:
            time.sleep(self._rng.uniform(0, BREATH_S))
            parts[name][0]()
        for name in self._rng.sample(chosen, len(chosen)):
            time.sleep(self._rng.uniform(0, BREATH_S))
            parts[name][1]()
        time.sleep(self._rng.choice((0.0, BREATH_S, 4 * BREATH_S)))
        return Counter(kinds)

    def settle(self) -> None:
        """Let nobody play any more, and wait until the hub has caught up."""
        for name, table in self.tables.items():
            table.kill()
            self._start_table(name, plays=False)
        last = {name: rows_in(self.folder / name)[-1].digest for name in TABLES}
        end_s = time.monotonic() + CAUGHT_UP_S
        with closing(Store(database_of(self.server.store))) as store:
            while behind := sorted(
                set(last.items()) - {(name, one.digest) for name, one in store.held().items()}
            ):
                assert time.monotonic() < end_s, (
                    f"the hub has not all of the tables {behind}; {self._said(store)}"
                )
                time.sleep(0.2)

    def _said(self, store: Store) -> str:
        """What is held, and the end of the log."""
        end = "\n".join(self.log.read_text().splitlines()[-LAST_LINES:])
        return f"held {store.held()}, faults {store.faults()}, log:\n{end}"

    def compare(self) -> int:
        """Compare the hub's record with the tables' files, row by row; returns how many rows there are."""
        found = 0
        with closing(Store(database_of(self.server.store))) as store:
            for name in TABLES:
                found += compared(store, self.server.store, name, rows_in(self.folder / name))
        return found


def rows_in(folder: Path) -> list[Row]:
    """The rows of a table's files."""
    return [row for file in match_files(folder) for row in content_of(file.read_bytes()).rows]


def compared(store: Store, address: str, name: str, sent: list[Row]) -> int:
    """Hold that the hub took these rows of a table, each once and in this order, and that they verify; how many."""
    with closing(database_of(address)) as database:
        query = "SELECT match, number, at_ms, kind, body, previous, digest FROM event WHERE board = ? ORDER BY ordinal"
        held = [Row(*row) for row in database.ask(query, name)]
    hold_same(name, sent, held)
    problems, fault = store.problems(name), store.faults().get(name)
    assert not problems, f"table {name}: {problems[0]}"
    assert not fault, f"table {name}: {fault}"
    return len(held)


def hold_same(name: str, sent: list[Row], held: list[Row]) -> None:
    """Hold that two lists of rows are the same; AssertionError with what differs."""
    lost, more = set(sent) - set(held), set(held) - set(sent)
    assert not lost, f"table {name}: {len(lost)} events are lost"
    assert not more, f"table {name}: {len(more)} events were never played"
    assert len(held) == len(sent), f"table {name}: {len(held) - len(sent)} events are doubled"
    assert held == sent, f"table {name}: events are out of order"


def cut_at_random(folder: Path, times: int, seed: int = 1) -> Outcome:
    """Cut a hall at least so many times while its tables play; at the end of each round all rows are there."""
    outcome = Outcome(
        "tables, network, broker, hub and database of a hall are cut",
        "kill -9 to a table, to one of two hubs on one record, to Mosquitto, PostgreSQL ended without a checkpoint, a "
        "connection cut; at random, up to three at a time, while four tables play; all rows compared after each "
        f"{ROUND}",
    )
    rng, rows, cuts = random.Random(seed), 0, Counter[str]()
    folder.chmod(0o755)  # PostgreSQL's user has to get in
    for number in count():
        left = times - cuts.total()
        if left <= 0:
            break
        with ExitStack() as parts:
            own = folder / f"hall{number}"
            own.mkdir()
            hall = CutHall(own, parts, rng)
            before = cuts.total()
            while cuts.total() - before < min(ROUND, left):
                cuts += hall.cut_some()
            began_s = time.monotonic()
            hall.settle()
            outcome.timed("caught up after", time.monotonic() - began_s, CAUGHT_UP_S)
            rows += hall.compare()
        print(f"{cuts.total():,} cuts, {rows:,} rows: {dict(cuts)}", file=sys.stderr, flush=True)
        shutil.rmtree(own, ignore_errors=True)
    outcome.times = cuts.total()
    outcome.how += f"; {rows:,} rows"
    return outcome


def away_for_a_week(folder: Path, times: int, seed: int = 2) -> Outcome:
    """Let a table play for a week of its own clock without the hall, and be started each day; then the hall is back."""
    outcome = Outcome(
        "a table of a hall is away for a week",
        f"{AWAY:,} events over seven days of its own clock, its program started anew each day, then connected",
        times,
    )
    rng = random.Random(seed)
    folder.chmod(0o755)
    for number in range(times):
        with ExitStack() as parts:
            own = folder / f"week{number}"
            own.mkdir()
            hall = CutHall(own, parts, rng)
            name = TABLES[0]
            time.sleep(1.0)
            hall.tables[name].kill()
            clock = count(_now_ms(), WEEK_MS // AWAY)
            for _ in range(7):
                journal = Journal(own / name)
                events = iter(_events(journal, rng, name, clock.__next__))
                for _ in range(AWAY // 7):
                    next(events)
                journal.close()
            began_s = time.monotonic()
            hall.settle()
            outcome.timed("caught up after", time.monotonic() - began_s, CAUGHT_UP_S)
            hall.compare()
    return outcome
