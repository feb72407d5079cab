"""How well whole games are followed by their pictures: recordings with truth, rendered by the shared renderer.

`COMPANION_GAMES` names the folder with the recordings (`match.py --out DIR`, or painted ones by `painted_game.py`);
without it the section says so.
"""

import contextlib
import io
import json
import os
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from companion.__main__ import main
from tests.bench.vision import peak

FOLDER = "COMPANION_GAMES"
NEAR = 3
"""Turns, cocked throws among them, after which a turn may be told."""
SEEN = (
    "Games named w were seen while the thresholds were set, those named u were looked at once; painted ones are "
    "hundreds of turns on boards of families that no net learned from, with heaps of ten (`painted_game.py`). Lines "
    "name what went wrong."
)


def report() -> str:
    """The table of all recordings in the folder."""
    folder = Path(os.environ.get(FOLDER, "games"))
    found = sorted(file.parent for file in folder.glob("*/match.json"))
    if not found:
        return f"No recordings: {FOLDER} names no folder with any."
    rows, total = [], defaultdict[bool, Counter[str]](Counter)
    for game in found:
        boards = (None, game / "board.json")
        for board in boards if (game / "board.json").exists() else (None,):
            counts, wrong = score(game, board)
            total[board is not None] += counts
            rows.append(_row(f"{game.name}{', board given' if board else ''}", counts))
            rows += [f"| | {line} | | | | | | | |" for line in wrong]
    totals = [_row(f"all, board {'' if given else 'not '}given", counts) for given, counts in total.items()]
    head = (
        "| game | frames | turns | right by themselves | open | accepted wrongly | illegal called | "
        "illegal passed | missed or made up | film ÷ time |"
    )
    return "\n".join([SEEN, "", head, "|---" * 10 + "|", *rows, *totals, *_memory(found)])


def _memory(games: list[Path]) -> list[str]:
    """A line with the most memory that following the longest game takes; () where there is no Linux."""
    if not peak.STATUS.exists():
        return []
    longest = max(games, key=lambda game: len(list(game.glob("*.jpg"))))
    most_mb, _ = peak.of_command("transcribe", "--json", str(longest), ends=(0, 1, 2))
    return [
        "",
        f"Memory of the whole process while {longest.name} is followed, dice and checkers: {most_mb:.0f} MB at most.",
    ]


def _row(name: str, c: Counter[str]) -> str:
    share = f"{c['right'] / max(1, c['turns']):.3f} ({c['right']})"
    speed = f"{c['film ms'] / max(1, c['ms']):.1f}"
    cells = [name, c["frames"], c["turns"], share, c["open"], c["wrong"], f"{c['called']}/{c['illegal']}"]
    return "| " + " | ".join(map(str, [*cells, c["passed"], c["missed"], speed])) + " |"


def score(game: Path, board: Path | None = None) -> tuple[Counter[str], list[str]]:
    """Counts of one recording, with this board file or none, and a line for each turn that went wrong."""
    truth = json.loads((game / "match.json").read_text())
    began, out = time.perf_counter(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        main(["transcribe", "--json", *(["--board", str(board)] if board else []), str(game)])
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    counts = Counter[str]({"frames": len(truth["frames"]), "ms": round(1000 * (time.perf_counter() - began))})
    counts["film ms"] = round(1000 * truth["frames"][-1]["t_s"])
    played = [turn for turn in truth["turns"] if turn["category"] != "cocked"]
    south = next((line["south"] for line in lines if line["event"] == "start"), "a")
    first: dict[int, int] = {}
    for line in lines:
        if line["event"] in ("play", "illegal", "open"):
            first.setdefault(line["turn"], line["frame"])
    last = {line["turn"]: line for line in lines if line["event"] in ("play", "illegal", "open")}
    counts |= {
        "turns": len(played),
        "illegal": sum(not turn["legal"] for turn in played),
        "missed": abs(len(played) - len(last)),
    }
    wrong, found = [], set()
    for number, line in last.items():
        if line["event"] != "open":
            shown = truth["frames"][min(first[number], len(truth["frames"]) - 1)]["turn"]
            near = [turn for turn in played if 0 <= shown - turn["turn"] <= NEAR]
            verdict, turn = _verdict(line, near, south)
            counts[verdict] += 1
            found.add(turn["turn"])
            if verdict not in ("right", "called"):
                wrong.append(f"turn {turn['turn']}, {turn['player']} {turn['roll']}: {verdict}")
    counts["right"] += counts["called"]
    counts["open"] = sum(turn["turn"] not in found for turn in played)
    return counts, wrong


def _verdict(line: dict[str, Any], near: list[dict[str, Any]], south: str) -> tuple[str, dict[str, Any]]:
    """What a decided turn is, and the truth that it is about: right, wrong, or, for an illegal play, called,
    with its position, or passed, as another play.

    Turns are found by when they were seen and not by their number, which is another after a turn that was missed.
    """
    alike = [
        turn
        for turn in near
        if line["player"] == turn["player"]
        and line["roll"] == turn["roll"]
        and _same(turn, line["after"], south)
    ]
    if alike:
        right = (line["event"] == "play") is alike[-1]["legal"]
        return ("right" if alike[-1]["legal"] else "called") if right else "wrong", alike[-1]
    his = [turn for turn in near if turn["player"] == line["player"]] or near
    return "passed" if line["event"] == "play" and not his[-1]["legal"] else "wrong", his[-1]


def _same(turn: dict[str, Any], after: dict[str, Any], south: str) -> bool:
    """Whether the position is the truth's, in which A is south."""
    north = "b" if south == "a" else "a"
    return all(
        [*after[mine]] == turn["after"][whose] and after["bar"][mine] == turn["after"]["bar"][whose]
        for mine, whose in ((south, "A"), (north, "B"))
    )
