"""A state folder with many matches, and how long lists, statistics and a start take with it.

    python -m tests.bench.load.archive --matches 5000 FOLDER

makes one: some dozens of matches are played by chance, and written again and again with names and days of their own.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.game.events import AnyEvent, MatchBegan
from companion.records.rows import GENESIS, Row, date_of, row_of
from companion.storage.catalogue import Catalogue, Entry, entry_of, with_result
from companion.storage.folder import MATCHES, NAME
from companion.storage.lines import Content, line_of
from tests.support.running import Running, Visitor, settings_file, start
from tests.support.selfplay import began, played_match

PLAYED = 40
"""So many matches are really played."""
NAMES = ("Amy", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gia", "Hugo")
FIRST_MS = 1_700_000_000_000
APART_MS = 3_600_000
FEW, MANY = 10, 5000
TIMES = 5


def make_archive(folder: Path, matches: int) -> None:
    """Write so many matches into a state folder, and catalogue them as the program does in its own time."""
    (folder / MATCHES).mkdir(parents=True)
    with closing(Catalogue(folder)) as catalogue:
        games = [_Game(number) for number in range(min(PLAYED, matches))]
        previous, entries = GENESIS, []
        for number in range(matches):
            entries.append(games[number % PLAYED].write(folder, number, previous))
            previous = entries[-1].head
        catalogue.put(entries)


class _Game:
    """A match that was played, to be written as many."""

    def __init__(self, number: int) -> None:
        self._events = list(played_match(random.Random(number), began(3 + 2 * (number % 4))))
        rows = [row_of(event, "m1", 1 + at, GENESIS) for at, event in enumerate(self._events)]
        self._result = with_result(Entry("", 0, 0, "m1", events=len(rows)), rows)

    def write(self, folder: Path, number: int, previous: str) -> Entry:
        """Write it with an id, players and a day of its own, behind the row with the digest `previous`."""
        at_ms = FIRST_MS + number * APART_MS
        match_id = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(at_ms / 1000))}-000"
        south = number % len(NAMES)
        names = NAMES[south], NAMES[(south + 1 + number // 8 % 7) % len(NAMES)]
        rows: list[Row] = []
        for place, event in enumerate(self._renamed(match_id, names, at_ms), start=1):
            rows.append(row_of(event, match_id, place, rows[-1].digest if rows else previous))
        lines = b"".join(map(line_of, rows))
        file = folder / MATCHES / f"{number + 1:04d}-{date_of(at_ms)}.jsonl"
        file.write_bytes(lines)
        entry = entry_of(file, Content(rows, len(lines), len(lines)), counted=False)
        known = self._result
        return replace(
            entry,
            south=names[0],
            north=names[1],
            length=known.length,
            profile=known.profile,
            south_points=known.south_points,
            north_points=known.north_points,
            over=known.over,
            winner=known.winner,
            rolls=known.rolls.replace('"Ann"', f'"{names[0]}"').replace('"Bob"', f'"{names[1]}"'),
            counted=len(rows),
        )

    def _renamed(self, match_id: str, names: tuple[str, str], at_ms: int) -> Iterator[AnyEvent]:
        first, *rest = self._events
        assert isinstance(first, MatchBegan), "a match begins with its first event"
        yield replace(first, match_id=match_id, south=names[0], north=names[1], at_ms=at_ms)
        for event in rest:
            yield replace(event, at_ms=at_ms + event.at_ms)


def measure(folder: Path, home: Path) -> dict[str, float]:
    """What each question takes, the median of some, in seconds and of processor time alone; memory in MB.

    Python keeps its compiled files, as it does where the program is installed.
    """
    os.environ |= {"PYTHONPYCACHEPREFIX": str(home / "compiled"), "PYTHONDONTWRITEBYTECODE": ""}
    where = ["--json", "--state", str(folder)]
    found = {
        **_command("companion matches", "matches", *where),
        **_command("companion stats", "stats", *where),
    }
    runs = [_run(folder, home) for _ in range(TIMES)]
    return found | {what: statistics.median(run[what] for run in runs) for what in runs[0]}


def _command(name: str, *words: str) -> dict[str, float]:
    took, cpu = [], []
    for _ in range(TIMES):
        before, began_s = os.times(), time.monotonic()
        subprocess.run([sys.executable, "-m", "companion", *words], check=True, stdout=subprocess.DEVNULL)
        took.append(time.monotonic() - began_s)
        after = os.times()
        cpu.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
    return {f"{name}, s": statistics.median(took), f"{name}, s of a processor": statistics.median(cpu)}


def _run(folder: Path, home: Path) -> dict[str, float]:
    """One start, the lists of the page, and the beginning of a match."""
    began_s = time.monotonic()
    running = start("run", "--config", str(settings_file(home)), home=_home_of(folder, home))
    try:
        visitor = running.visitor()
        visitor.state()
        first, first_cpu = time.monotonic() - began_s, _cpu_s(running)
        lists = [_listed(visitor, most) for most in (100, 1000)]
        newest = visitor.state()["match"]["id"]
        pages = {
            "all matches": "/matches",
            "a search": "/matches?player=am&since=2024-01-01",
            "the last page of the list": "/matches?page=999",
            "all players": "/players",
            f"the page of {NAMES[0]}": f"/players/{NAMES[0]}",
            "a replay": f"/matches/{newest}",
            "its steps": f"/api/matches/{newest}/replay",
            "its summary": f"/matches/{newest}/summary",
        }
        took = {f"{what}, s": _timed(visitor, address) for what, address in pages.items()}
        visitor.act("new_match", length=3)
        return took | {
            "first page after a start, s": first,
            "first page after a start, s of a processor": first_cpu,
            "the page's list, 100 matches, s": lists[0],
            "the page's list, 1,000 matches, s": lists[1],
            "memory while running, MB": _memory_mb(running),
        }
    finally:
        running.kill()


def _home_of(folder: Path, home: Path) -> Path:
    """A home in which the program takes this folder, whatever its name is, for its state folder."""
    link = home / NAME
    if not link.is_symlink():
        link.symlink_to(folder.resolve(), target_is_directory=True)
    return home


def _listed(visitor: Visitor, most: int) -> float:
    return _timed(visitor, f"/api/matches?most={most}")


def _timed(visitor: Visitor, address: str) -> float:
    """Seconds until the page is there; the second time, as the first one fills caches of the operating system."""
    for _ in range(2):
        began_s = time.monotonic()
        status, _content = visitor.get(address)
        assert status == 200, (address, status)
    return time.monotonic() - began_s


def _cpu_s(running: Running) -> float:
    words = Path(f"/proc/{running.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def _memory_mb(running: Running) -> float:
    text = Path(f"/proc/{running.process.pid}/status").read_text()
    return int(next(line.split()[1] for line in text.splitlines() if line.startswith("VmRSS:"))) / 1024


def report() -> str:
    """The table for docs/RESULTS.md."""
    found = {}
    for matches in (FEW, MANY):
        with TemporaryDirectory(prefix="companion-archive-") as name:
            folder = Path(name) / "board-companion"
            make_archive(folder, matches)
            size_mb = sum(file.stat().st_size for file in (folder / MATCHES).iterdir()) / 1e6
            found[matches] = {"all match files, MB": size_mb, **measure(folder, Path(name))}
    rows = [f"| {what} | {found[FEW][what]:.2f} | {found[MANY][what]:.2f} |" for what in found[FEW]]
    return "\n".join([f"| what | {FEW} matches | {MANY} matches |", "|---|---|---|", *rows])


def main() -> None:
    """Make a folder, or print what `measure` finds in one that was made."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--matches", type=int, default=MANY)
    parser.add_argument("--measure", action="store_true", help="measure a folder that is there")
    args = parser.parse_args()
    if not args.measure:
        make_archive(args.folder, args.matches)
        print(f"{args.matches} matches in {args.folder}.")
        return
    with TemporaryDirectory() as home:
        print(json.dumps(measure(args.folder, Path(home)), indent=1))


if __name__ == "__main__":
    main()
