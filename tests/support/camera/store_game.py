"""Store a recorded game as it is read, for `tests.support.camera.stored_game`.

    python -m tests.support.camera.store_game FOLDER OUT.json

FOLDER is a recording with its truth, as the shared renderer's `match.py` writes it.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.camera.checkers import start_in
from companion.commands._seeing import board_in
from companion.commands.watch import frames_of
from companion.rules.profiles import PROFILES
from vision.capture.camera import open_camera
from vision.checkers.reader import CheckerReader
from vision.checkers.reading import Look, PointChances
from vision.dice.reader import Reader, single_thread
from vision.frame import Frame
from vision.watch.watcher import Seeing, ThrowSeen, Watcher

LEAST = 0.0005
"""Chances below this are not stored."""
OF_A_TURN = ("player", "category", "roll", "legal", "after")


def frames(folder: Path, most: int) -> Iterator[dict[str, Any]]:
    """The quiet frames of a recording up to number `most`, as they are stored."""
    reader, watcher, look = CheckerReader(), None, None
    for frame in frames_of(open_camera(str(folder), fps=5.0)):
        if frame.number > most:
            return
        watcher = watcher or Watcher(board_in(frame.bgr), Reader())
        seen = [_seen(one) for one in watcher.feed(frame)]
        if not watcher.is_quiet or watcher.board is None:
            continue
        if look is None:
            begun = start_in(reader, frame.bgr, watcher.board, PROFILES["modern"].start_position)
            look = begun and begun[1]
        yield {"frame": frame.number, "quiet": True, "seen": seen, **_checkers(frame, watcher, reader, look)}


def _checkers(frame: Frame, watcher: Watcher, reader: CheckerReader, look: Look | None) -> dict[str, Any]:
    assert watcher.board is not None
    reading = reader.read(frame.bgr, watcher.board, look)
    return {"points": list(map(_chances, reading.points)), "bar": list(map(_chances, reading.bar))}


def _chances(one: PointChances) -> Any:
    if one.covered:
        return "covered"
    return {str(k): round(float(chance), 4) for k, chance in enumerate(one.chances) if chance >= LEAST}


def _seen(one: Seeing) -> Any:
    if not isinstance(one, ThrowSeen):
        return "lifted"
    dice = [
        {"value": die.value, "rest": die.rest, "half": die.half, "tilt_deg": die.tilt_deg}
        for die in one.reading.dice
    ]
    return {"dice": dice, "doubt": one.reading.doubt}


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    single_thread()
    truth = json.loads((args.folder / "match.json").read_text("utf-8"))
    turns = [{key: turn[key] for key in OF_A_TURN} for turn in truth["turns"]]
    stored = list(frames(args.folder, len(truth["frames"]) - 1))
    args.out.write_text(json.dumps({"turns": turns, "frames": stored}, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main()
