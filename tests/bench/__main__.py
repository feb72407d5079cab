"""`make bench`: every measurement into docs/RESULTS.md, with the machine and the commit beside it.

    python -m tests.bench [dice] [carried] [bound] [checkers] [games] [plays] [page] [siege] [archive] [hall]
        [page-long]

Without names all are run but the ten minutes of page-long, the quarter of an hour of bound, games, which needs
recordings, and hall, which needs a Mosquitto. What was not run keeps its section as it stands.
"""

import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

# As in `companion`, before numpy comes: threads that spin would count as processor time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "docs" / "RESULTS.md"
WRONG_POINTS = ROOT / "docs" / "img" / "checkers-wrong.webp"
HEAD = """# Results

Every number here comes from `make bench` (or `make bench ARGS=dice`), or from the commands named beside it, on the
machine and commit named with it.
Times are ratios wherever they can be; the machines that run this are shared and noisy.
"""


def _dice() -> str:
    from tests.bench.vision import dice

    return "\n".join(dice.report(ROOT.parent / "shared", ROOT / "build" / "bench" / "wrong.jpg"))


def _carried() -> str:
    from tests.bench.vision import carried

    return carried.report()


def _bound() -> str:
    from tests.bench.vision import bound

    return bound.report(ROOT / "build" / "bench" / "bound")


def _checkers() -> str:
    from tests.bench.vision import checkers

    return "\n".join(
        checkers.report(ROOT.parent / "shared", ROOT / "build" / "bench" / "checkers", WRONG_POINTS)
    )


def _plays() -> str:
    from tests.bench import plays

    return plays.report()


def _page() -> str:
    from tests.bench.load import page

    return _table(page.run())


def _page_long() -> str:
    from tests.bench.load import page

    return _table(page.run_long())


def _siege() -> str:
    from tests.bench.load import siege

    return siege.report()


def _table(figures: dict[str, object]) -> str:
    rows = (f"| {name.replace('_', ' ')} | {value} |" for name, value in figures.items())
    return "\n".join(["| figure | value |", "|---|---|", *rows])


def _archive() -> str:
    from tests.bench.load import archive

    return archive.report()


def _hall() -> str:
    from tests.bench.load import hall

    return _table(hall.run())


def _games() -> str:
    from tests.bench.vision import games

    return games.report()


SECTIONS: dict[str, tuple[str, Callable[[], str]]] = {
    "dice": ("Reading the dice", _dice),
    "carried": ("Telling dice that something carries", _carried),
    "bound": ("The bound of wrong rolls", _bound),
    "checkers": ("Reading the checkers", _checkers),
    "games": ("Following whole games", _games),
    "plays": ("Listing the plays", _plays),
    "page": ("The page under load", _page),
    "siege": ("The page besieged", _siege),
    "archive": ("Ten matches and five thousand", _archive),
    "hall": ("A hall under load", _hall),
    "page-long": ("The page under load for ten minutes", _page_long),
}
LONG = {"bound", "games", "hall", "page-long"}
"""Run only when named."""


def main() -> int:
    """Run the sections asked for and write the file."""
    asked = sys.argv[1:] or [name for name in SECTIONS if name not in LONG]
    unknown = [name for name in asked if name not in SECTIONS]
    if unknown:
        print(f"There is no bench {unknown[0]!r}; there are {', '.join(SECTIONS)}.", file=sys.stderr)
        return 2
    for name in asked:
        title, run = SECTIONS[name]
        print(write(title, run()), flush=True)
    return 0


def write(title: str, text: str) -> str:
    """Put a section into the file, and leave the others as they stand; the section as it was written."""
    kept = _kept()
    kept[title] = f"{_circumstances()}\n\n{text.strip()}\n"
    known = [one for one, _ in SECTIONS.values()]
    order = [one for one in known if one in kept] + [one for one in kept if one not in known]
    RESULTS.write_text("\n".join([HEAD, *(f"## {one}\n\n{kept[one].strip()}\n" for one in order)]))
    return kept[title]


def _kept() -> dict[str, str]:
    """The sections as they stand in the file."""
    if not RESULTS.exists():
        return {}
    parts = re.split(r"^## (.+)\n", RESULTS.read_text(), flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _circumstances() -> str:
    """Machine, versions, commit and day, on one line."""
    import cv2
    import numpy

    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()
    return (
        f"*{_processor()}, {platform.system()} {platform.machine()}; Python {platform.python_version()}, "
        f"OpenCV {cv2.__version__}, numpy {numpy.__version__}; commit {commit or 'unknown'}; "
        f"{time.strftime('%Y-%m-%d')}.*"
    )


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    text = info.read_text() if info.exists() else ""
    name = re.search(r"^(?:model name|Model)\s*:\s*(.+)$", text, re.MULTILINE)
    return name[1] if name else platform.processor() or "unknown processor"


if __name__ == "__main__":
    raise SystemExit(main())
