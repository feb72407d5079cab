"""`make faults`: every fault, often, against the real process; writes its rows into docs/RELIABILITY.md."""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.faults import arm64, disk, eye, hall, plug
from tests.faults.outcome import Outcome

PAGE = Path(__file__).resolve().parents[2] / "docs" / "RELIABILITY.md"
BEGIN, END = "<!-- begin: make faults -->", "<!-- end: make faults -->"
Try = Callable[[Path], Outcome]


def tries(share: float) -> Iterator[tuple[str, Try]]:
    """Every fault with the number of times it is tried; `share` makes them fewer."""

    def times(full: int) -> int:
        return max(1, round(full * share))

    yield "kill", lambda folder: plug.kill_at_random(folder, times(300))
    yield "stop", lambda folder: plug.stop_under_load(folder, times(20))
    for name in eye.FAULTS:
        yield name, lambda folder, name=name: eye.camera_fault(folder, name, times(10))  # type: ignore[misc]
    yield "takeover", lambda folder: plug.kill_in_takeover(folder, times(20))
    yield "catalogue", lambda folder: disk.damaged_catalogue(folder, times(10))
    yield "locked", lambda folder: disk.locked_catalogue(folder, times(10))
    yield "damaged", lambda folder: disk.damaged_journal(folder, times(10))
    yield "emptied", lambda folder: disk.emptied_journal(folder, times(10))
    yield "codes", lambda folder: disk.damaged_codes(folder, times(10))
    yield "worn", lambda folder: disk.failing_writes(folder, times(10))
    if disk.can_mount():
        yield "full", lambda folder: disk.full_disk(folder, times(10))
        yield "read-only", lambda folder: disk.read_only_journal(folder, times(10))
    if not hall.missing():
        yield "hall", lambda folder: hall.cut_at_random(folder, times(10_000))
        yield "week", lambda folder: hall.away_for_a_week(folder, times(5))
    if arm64.can_emulate():
        yield "arm64", lambda folder: arm64.emulated()
    if disk.FAKETIME is not None:
        yield "clock", lambda folder: disk.clock_set_back(folder, times(5))


def circumstances() -> str:
    """Day, commit, processor and Python of a row, so that rows of different runs may stand in one table."""
    said = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    ).stdout.strip()
    return (
        f"{time.strftime('%Y-%m-%d')}, {said or 'unknown'}, {processor()}, Python {platform.python_version()}"
    )


def processor() -> str:
    """The processor's name and how many of them there are."""
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{len(os.sched_getaffinity(0))} × {names[0] if names else platform.machine()}"


def with_row(page: str, outcome: Outcome, where: str) -> str:
    """The page with the row of a fault put anew, in its place; behind the others where it has none yet."""
    head, begin, rest = page.partition(BEGIN)
    table, end, tail = rest.partition(END)
    assert begin, f"there is no {BEGIN} in {PAGE.name}"
    assert end, f"there is no {END} in {PAGE.name}"
    rows = table.strip().splitlines()
    fresh = f"{outcome.row()} {where} |"
    place = next((n for n, row in enumerate(rows) if row.startswith(f"| {outcome.fault} |")), len(rows))
    rows[place : place + 1] = [fresh]
    return head + begin + "\n" + "\n".join(rows) + "\n" + end + tail


def main() -> int:
    """Try them all; 1 when one of them lost something."""
    parser = argparse.ArgumentParser(prog="make faults")
    parser.add_argument("--share", type=float, default=1.0, help="try each so much less often")
    parser.add_argument("--only", nargs="+", help="faults whose name contains one of these")
    args = parser.parse_args()
    failed, where = False, circumstances()
    chosen = [
        (name, attempt)
        for name, attempt in tries(args.share)
        if not args.only or any(part in name for part in args.only)
    ]
    if not chosen:
        parser.error(f"no fault's name contains {' or '.join(args.only)}")
    for name, attempt in chosen:
        with tempfile.TemporaryDirectory(prefix="companion-fault-") as folder:
            began_s = time.monotonic()
            try:
                outcome = attempt(Path(folder))
            except AssertionError as error:
                failed = True
                print(f"FAILED: {name}: {error}", file=sys.stderr, flush=True)
                continue
        print(f"{time.monotonic() - began_s:6.1f} s  {outcome.row()}", flush=True)
        late = outcome.late()
        for sentence in late:
            print(f"TOO LATE: {sentence}", file=sys.stderr, flush=True)
        failed = failed or bool(late) or outcome.lost != outcome.may_lose
        PAGE.write_text(with_row(PAGE.read_text("utf-8"), outcome, where), "utf-8")
    if disk.FAKETIME is None or not disk.can_mount():
        print("Left out: the faults that need libfaketime, or root to mount.", file=sys.stderr)
    if not arm64.can_emulate():
        print("Left out: arm64, which needs root, mmdebstrap and qemu-user-static.", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
