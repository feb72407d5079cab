"""`make faults`: every fault, often, against the real process; writes the table in docs/RELIABILITY.md."""

import argparse
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.faults import disk, eye, plug
from tests.faults.outcome import Outcome

PAGE = Path(__file__).resolve().parents[2] / "docs" / "RELIABILITY.md"
Try = Callable[[Path], Outcome]


def tries(share: float) -> Iterator[tuple[str, Try]]:
    """Every fault with the number of times it is tried; `share` makes them fewer."""

    def times(full: int) -> int:
        return max(1, round(full * share))

    yield "kill", lambda folder: plug.kill_at_random(folder, times(300))
    yield "stop", lambda folder: plug.stop_under_load(folder, times(20))
    for name in eye.FAULTS:
        yield name, lambda folder, name=name: eye.camera_fault(folder, name, times(10))  # type: ignore[misc]
    yield "locked", lambda folder: disk.locked_journal(folder, times(10))
    yield "damaged", lambda folder: disk.damaged_journal(folder, times(10))
    yield "worn", lambda folder: disk.failing_writes(folder, times(10))
    if disk.can_mount():
        yield "full", lambda folder: disk.full_disk(folder, times(10))
    if disk.FAKETIME is not None:
        yield "clock", lambda folder: disk.clock_set_back(folder, times(5))


def table(outcomes: list[Outcome]) -> str:
    """The table with where and when it was made."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    head = (
        f"Run on {time.strftime('%Y-%m-%d')} on {platform.machine()} with {platform.system()}, "
        f"Python {platform.python_version()}, commit {commit or 'unknown'}.\n\n"
        "| fault | how it was injected | times | what was lost | slowest |\n|---|---|---|---|---|\n"
    )
    return head + "\n".join(outcome.row() for outcome in outcomes)


def put_between(page: Path, name: str, text: str) -> None:
    """Put a table between its marks; at the page's end where it has none yet."""
    begin, end = f"<!-- begin: {name} -->", f"<!-- end: {name} -->"
    known = page.read_text("utf-8") if page.exists() else "# Results\n"
    if begin not in known:
        known = f"{known.rstrip()}\n\n{begin}\n{end}\n"
    before, _, rest = known.partition(begin)
    _, _, after = rest.partition(end)
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}", "utf-8")


def main() -> int:
    """Try them all; 1 when one of them lost something."""
    parser = argparse.ArgumentParser(prog="make faults")
    parser.add_argument("--share", type=float, default=1.0, help="try each so much less often")
    parser.add_argument("--only", help="faults whose name contains this")
    args = parser.parse_args()
    outcomes, failed = [], False
    for name, attempt in tries(args.share):
        if args.only and args.only not in name:
            continue
        with tempfile.TemporaryDirectory(prefix="companion-fault-") as folder:
            began_s = time.monotonic()
            try:
                outcome = attempt(Path(folder))
            except AssertionError as error:
                outcome = Outcome(name, "", 0, f"FAILED: {error}")
            failed = failed or not outcome.lost.startswith(("nothing", "only what was cut off"))
            outcomes.append(outcome)
            print(f"{time.monotonic() - began_s:6.1f} s  {outcome.row()}", flush=True)
    if not args.only and not failed:
        put_between(PAGE, "make faults", table(outcomes))
    if disk.FAKETIME is None or not disk.can_mount():
        print("Left out: the faults that need libfaketime, or root to mount.", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
