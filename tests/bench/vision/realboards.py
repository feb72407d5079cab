"""Real boards: pictures of other people's boards, for judging only (docs/RESULTS.md says where they come from).

`sources.csv` of the shared pictures and `more_boards.csv` here name them; they lie in `../boards` beside the checkout,
or where REAL_BOARDS says.
"""

import csv
import os
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.commands._seeing import answer, board_in
from vision.board.calibration import Board
from vision.board.findboard import BoardFinder, board_from_corners
from vision.dice.reader import Reader
from vision.errors import BadBoard

FOUND = 0.05
"""Of the picture's diagonal: with its worst corner nearer than this the board is found."""
CAUSES = ("no_board", "no_dice", "one_die", "more_than_two", "on_checker", "on_die", "leaning", "doubt")
"""Why a throw was not read: the first of these among the reasons, otherwise the first reason."""
MORE, OTHERS = Path(__file__).with_name("more_boards.csv"), "others (more_boards.csv)"
"""A picture or two each of further sources, counted together: most are of a maker's board, seen aslant; eight have two
pairs of dice."""
HOW = (
    "Real boards were not scored: their pictures are not at hand. Fetch the repositories that "
    "`../shared/vision/boards/sources.csv` and `tests/bench/vision/more_boards.csv` name, lay the pictures out with "
    "`../shared/vision/boards/collect.py MIRROR ../boards [TABLE]`, or say in REAL_BOARDS where they are."
)


def pictures_at(shared: Path) -> Path:
    """Where the pictures are to lie, for shared ones that lie here."""
    return Path(os.environ.get("REAL_BOARDS") or shared.parent / "boards")


def rows_of(table: Path, pictures: Path) -> list[dict[str, str]]:
    """The rows of a table and of MORE whose pictures are at hand."""
    shared = csv.DictReader(table.read_text("utf-8").splitlines())
    more = csv.DictReader(MORE.read_text("utf-8").splitlines())
    rows = [*shared, *(row | {"source_repo": OTHERS} for row in more)]
    return [row for row in rows if (pictures / row["file"]).is_file()]


def report(table: Path, pictures: Path) -> Iterator[str]:
    """The rows of the section, line by line."""
    rows = rows_of(table, pictures)
    if not rows:
        yield HOW
        return
    given, found = _scored(rows, pictures, True), _scored(rows, pictures, False)
    cells = (
        "throws", "exact", "unread", "called cocked", "wrong", "others", "others cocked", "others accepted",
    )  # fmt: skip
    yield (
        "| real boards | pictures | boards seen | right where known | elsewhere | " + " | ".join(cells) + " |"
    )
    yield "|---" * (len(cells) + 5) + "|"
    for name, score in (("board given", given), ("board not given", found)):
        for source, c in sorted(score.items()):
            known = f"{c['found']} of {c['known']}" if score is found else "–"
            seen, strays = (str(c[k]) if score is found else "–" for k in ("seen", "elsewhere"))
            counts = " | ".join(f"**{c[k]}**" if k == "wrong" else str(c[k]) for k in cells)
            yield f"| {source}, {name} | {c['pictures']} | {seen} | {known} | {strays} | {counts} |"
    yield ""
    yield "Throws on real boards that were not read, by cause:"
    yield ""
    causes = sorted(
        {k for score in (given, found) for c in score.values() for k in c if k.startswith("unread: ")}
    )
    yield "| | " + " | ".join(cause[8:].replace("_", " ") for cause in causes) + " |"
    yield "|---" * (len(causes) + 1) + "|"
    for name, score in (("board given", given), ("board not given", found)):
        for source, c in sorted(score.items()):
            yield f"| {source}, {name} | " + " | ".join(str(c[cause]) for cause in causes) + " |"


def _scored(rows: list[dict[str, str]], pictures: Path, given: bool) -> dict[str, Counter[str]]:
    """Counts by source; with the board given only pictures whose corners are known."""
    scores: dict[str, Counter[str]] = defaultdict(Counter)
    reader, args = Reader(), Namespace(profile="modern", config=None, roller=None, phase="turn")
    for row in rows:
        bgr, corners = cv2.imread(str(pictures / row["file"])), _corners(row)
        if given and corners is None:
            continue
        board = given_board(bgr, corners) if corners is not None and given else board_in(bgr)
        count = scores[row["source_repo"]]
        count["pictures"] += 1
        count["seen"] += board is not None
        if corners is not None and not given:
            count["known"] += 1
            if board is not None:
                count["found" if off_by(board, corners) < FOUND else "elsewhere"] += 1
        for verdict in verdicts(row, answer(reader.read(bgr, board), args)):
            count[verdict] += 1
    return scores


def off_by(board: Board, corners: np.ndarray) -> float:
    """How far the worst corner is off, in diagonals of the picture; either end of the board may be the first."""
    seen = np.array(board.corners_px)
    ways = (np.linalg.norm(seen - np.roll(corners, k, 0), axis=1).max() for k in (0, 2))
    return float(min(ways) / np.hypot(*board.image_size))


def _corners(row: dict[str, str]) -> np.ndarray | None:
    places = [[float(v) for v in pair.split(",")] for pair in row["corners_px"].split()]
    return np.array(places) if places else None


def given_board(bgr: np.ndarray, corners: np.ndarray) -> Board | None:
    """The board as `companion calibrate --corners` makes it; None where these are no board's."""
    try:
        return BoardFinder().with_bar(bgr, board_from_corners((bgr.shape[1], bgr.shape[0]), corners.tolist()))
    except BadBoard:
        return None


def verdicts(row: dict[str, str], said: dict[str, Any]) -> list[str]:
    """What became of one picture. Throws are two dice that an eye reads, flat and in one half; the rest are others.

    Of these none is accepted that has not just two dice, or one that is not flat.
    """
    values = row["values"].split()
    readable = row["n_dice"] == "2" and len(values) == 2 and "?" not in values
    whole = (
        "0" not in row["flat"]
        and "split halves" not in row["note"]
        and "across the middle" not in row["note"]
    )
    if not (readable and whole):
        outcome = {"valid": ["others accepted"], "cocked": ["others cocked"]}.get(said["ruling"], [])
        no_throw = row["n_dice"] != "2" or not whole
        return ["others", *(outcome if no_throw else [])]
    if said["ruling"] == "valid":
        right = sorted(said["roll"]) == sorted(map(int, values))
        return ["throws", "exact" if right else "wrong"]
    if said["ruling"] == "cocked":
        return ["throws", "called cocked"]
    reasons = said["reasons"]
    cause = next((one for one in CAUSES if one in reasons), reasons[0])
    return ["throws", "unread", f"unread: {cause}"]
