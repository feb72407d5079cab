"""How well whole games are followed by their pictures: recordings with truth, rendered by the shared renderer.

`COMPANION_GAMES` names the folder with the recordings (`match.py --out DIR`, or painted ones by `painted_game.py`);
without it the section says so.
"""

import contextlib
import io
import json
import os
import time
from collections import Counter
from pathlib import Path
from typing import Any

from companion.__main__ import main

FOLDER = "COMPANION_GAMES"
SEEN = (
    "Games named w were seen while the thresholds were set, those named u were looked at once; painted ones are "
    "hundreds of turns on boards of families that no net learned from, with heaps of ten (`painted_game.py`). Lines "
    "name what went wrong; a turn after a missed one has another number than the truth's, and counts as wrong."
)


def report() -> str:
    """The table of all recordings in the folder."""
    folder = Path(os.environ.get(FOLDER, "games"))
    found = sorted(file.parent for file in folder.glob("*/match.json"))
    if not found:
        return f"No recordings: {FOLDER} names no folder with any."
    rows, total = [], Counter[str]()
    for game in found:
        counts, wrong = score(game)
        total += counts
        rows.append(_row(game.name, counts))
        rows += [f"| | {line} | | | | | | | |" for line in wrong if not line.endswith(": open")]
    head = (
        "| game | frames | turns | right by themselves | open | accepted wrongly | illegal called | "
        "illegal passed | missed or made up | film ÷ time |"
    )
    return "\n".join([SEEN, "", head, "|---" * 10 + "|", *rows, _row("all", total)])


def _row(name: str, c: Counter[str]) -> str:
    share = f"{c['right'] / max(1, c['turns']):.3f} ({c['right']})"
    speed = f"{c['film ms'] / max(1, c['ms']):.1f}"
    cells = [name, c["frames"], c["turns"], share, c["open"], c["wrong"], f"{c['called']}/{c['illegal']}"]
    return "| " + " | ".join(map(str, [*cells, c["passed"], c["missed"], speed])) + " |"


def score(game: Path) -> tuple[Counter[str], list[str]]:
    """Counts of one recording, and a line for each turn that went wrong."""
    truth = json.loads((game / "match.json").read_text())
    began, out = time.perf_counter(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        main(["transcribe", "--json", str(game)])
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    counts = Counter[str]({"frames": len(truth["frames"]), "ms": round(1000 * (time.perf_counter() - began))})
    counts["film ms"] = round(1000 * truth["frames"][-1]["t_s"])
    played = [turn for turn in truth["turns"] if turn["category"] != "cocked"]
    last = {line["turn"]: line for line in lines if line["event"] in ("play", "illegal", "open")}
    south = next((line["south"] for line in lines if line["event"] == "start"), "a")
    counts["missed"] = abs(len(played) - len(last))
    wrong = []
    for number, turn in enumerate(played):
        verdict = _verdict(turn, last.get(number), south)
        counts["turns"] += 1
        counts["illegal"] += not turn["legal"]
        counts.update([verdict, *(["right"] if verdict == "called" else [])])
        if verdict not in ("right", "called"):
            wrong.append(f"turn {number}, {turn['player']} {turn['roll']}: {verdict}")
    return counts, wrong


def _verdict(turn: dict[str, Any], line: dict[str, Any] | None, south: str) -> str:
    """right, open or wrong; for an illegal play called, with its position, or passed, as another play."""
    if line is None or line["event"] == "open":
        return "open"
    same = (
        line["player"] == turn["player"]
        and line["roll"] == turn["roll"]
        and _same(turn, line["after"], south)
    )
    if line["event"] == "play":
        return "right" if same and turn["legal"] else "wrong" if turn["legal"] else "passed"
    return "called" if same and not turn["legal"] else "wrong"


def _same(turn: dict[str, Any], after: dict[str, Any], south: str) -> bool:
    """Whether the position is the truth's, in which A is south."""
    north = "b" if south == "a" else "a"
    return all(
        [*after[mine]] == turn["after"][whose] and after["bar"][mine] == turn["after"]["bar"][whose]
        for mine, whose in ((south, "A"), (north, "B"))
    )
