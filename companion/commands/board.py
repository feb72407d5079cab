"""`companion board`: read the checkers in pictures."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands._seeing import BoardSought, board_in, board_of, print_answers
from vision.capture.quiet import libraries_silent

if TYPE_CHECKING:
    from vision.board.calibration import Board
    from vision.checkers.reader import CheckerReader
    from vision.checkers.reading import BoardReading, PointChances
    from vision.frame import Bgr

HELP = "read the checkers in pictures"
POINTS, CHECKERS = 24, 15
DOUBTFUL = 0.9
"""Confidence below which a point is named as doubtful for people."""
SIDES = ("a", "b")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--board", type=Path, metavar="FILE", help="the board file `calibrate` wrote")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("image", nargs="+", metavar="IMAGE", help="a JPEG, PNG or BMP file")


@libraries_silent()
def run(args: argparse.Namespace) -> int:
    """Read each picture; a file that is no picture gives an error, and the rest are read.

    Returns:
        0, or 2 if a file was no picture.
    """
    from vision.checkers.reader import CheckerReader
    from vision.dice.reader import single_thread

    single_thread()
    board, reader = board_of(args), CheckerReader()
    sought = BoardSought(board, args.board)

    def read(bgr: "Bgr") -> dict[str, Any]:
        return answer(bgr, sought.board, reader)

    before = sought.seek if board else lambda _: None
    return print_answers(args.image, read, in_words, as_json=args.json, before=before)


def answer(bgr: "Bgr", board: "Board | None", reader: "CheckerReader") -> dict[str, Any]:
    """The checkers of a picture (H, W, 3) uint8 in the form of docs/COMMANDS.md; without a board it is looked for."""
    from vision.checkers.fifteen import settled

    board = board or board_in(bgr)
    if board is None:
        nothing = {"a": None, "b": None}
        points = [{"n": n, **nothing, "confidence": 0.0} for n in range(1, POINTS + 1)]
        return {"points": points, "bar": nothing, "off": nothing, "colours": nothing, "board_found": False}
    return as_json(settled(reader.read(bgr, board)))


def as_json(reading: "BoardReading") -> dict[str, Any]:
    """A reading in the form of docs/COMMANDS.md."""
    points = [{"n": n, **_point(point)} for n, point in enumerate(reading.points, 1)]
    both = zip(SIDES, reading.bar, strict=True)
    bar = {side: None if one.covered else one.counts[SIDES.index(side)] for side, one in both}
    off = {side: _off([point[side] for point in points] + [bar[side]]) for side in SIDES}
    colours = {
        side: "#{2:02x}{1:02x}{0:02x}".format(*(round(v) for v in colour))
        for side, colour in zip(SIDES, reading.colours, strict=True)
    }
    return {"points": points, "bar": bar, "off": off, "colours": colours, "board_found": True}


def in_words(known: dict[str, Any]) -> str:
    """An answer for people, on one line: the points of each colour with their numbers, and those in doubt."""
    if not known["board_found"]:
        return "no board"
    parts = []
    for side in SIDES:
        there = [f"{p['n']}:{p[side]}" for p in known["points"] if p[side]]
        there += [f"bar:{known['bar'][side]}"] if known["bar"][side] else []
        parts.append(f"{known['colours'][side]} {' '.join(there) or 'none'}")
    unseen = [str(p["n"]) for p in known["points"] if p["a"] is None]
    doubtful = [str(p["n"]) for p in known["points"] if p["a"] is not None and p["confidence"] < DOUBTFUL]
    notes = (("not seen", unseen), ("doubtful", doubtful))
    return "; ".join(parts + [f"{note}: {' '.join(points)}" for note, points in notes if points])


def _point(point: "PointChances") -> dict[str, Any]:
    if point.covered:
        return {"a": None, "b": None, "confidence": 0.0}
    a, b = point.counts
    return {"a": a, "b": b, "confidence": round(point.confidence, 4)}


def _off(counts: list[int | None]) -> int | None:
    """What is missing of the fifteen, None where not all is seen, or more than fifteen."""
    seen = [count for count in counts if count is not None]
    return CHECKERS - sum(seen) if len(seen) == len(counts) and sum(seen) <= CHECKERS else None
