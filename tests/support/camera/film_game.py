"""Make the film of `companion demo` from a recorded game with its truth.

    python -m tests.support.camera.film_game FOLDER --home right --south light

FOLDER is a recording as the shared renderer writes it (`match.py --seed 990017 --split w --turns 72 --illegal 0`), its
south below. Each quiet phase becomes one picture that stays for some seconds; the arm's pictures are blurred, because
nobody reads them. Needs the program `ffmpeg`.
"""

import argparse
import json
import subprocess
from itertools import groupby
from pathlib import Path
from typing import Any

import cv2

from companion.camera.recorded_game import FILM, GAME, VIDEO
from companion.game.events import Orientation
from companion.inference.views import physical_point
from companion.rules.board import Side

SECONDS = {"start": 3.0, "settled": 3.0, "arm": 0.2, "moved": 1.6, "lifted": 2.4}
COARSENESS = 22
"""VP9's constant quality, from 0 to 63: at 36 heaps of six checkers are no longer counted."""
ARM_BLUR_PX = 2.0
TRUTH = ("player", "category", "roll", "legal", "after")
"""What is kept of each turn's truth."""
PLAYERS = {"south": "Anna", "north": "Mehmet"}


def board_after(turn: dict[str, Any], seats: Orientation) -> dict[str, list[int]] | None:
    """Each side's checkers after a turn in its own numbering, borne off first and the bar last; None without a play."""
    if turn["category"] == "cocked":
        return None
    after, found = turn["after"], {}
    for side, name in ((Side.SOUTH, "A"), (Side.NORTH, "B")):
        own = [physical_point(n if side is Side.SOUTH else 25 - n, seats) for n in range(1, 25)]
        points = [after[name][physical - 1] for physical in own]
        found[side.value] = [after["off"][name], *points, after["bar"][name]]
    return found


def shots_of(truth: dict[str, Any], seats: Orientation, throws: int) -> list[tuple[str, dict[str, Any]]]:
    """The shots of a film up to so many throws, each with its picture's name: of each quiet phase the last frame, of an
    arm all.
    """
    shots = []
    for (turn, phase), group in groupby(truth["frames"], lambda frame: (frame["turn"], frame["phase"])):
        frames = list(group)
        if turn >= throws:
            break
        for frame in frames if phase == "arm" else frames[-1:]:
            shot: dict[str, Any] = {"seconds": SECONDS[phase]}
            if phase == "settled":
                shot["roller"] = None if turn == 0 else truth["turns"][turn]["player"]
                shot["after"] = board_after(truth["turns"][turn], seats)
            shots.append((frame["image"], shot))
    return shots


def write_film(folder: Path, match: dict[str, Any], out: Path, throws: int) -> None:
    """Write the video, the list of shots, and the truth as `truth.json` beside the recording."""
    out.mkdir(exist_ok=True)
    truth = json.loads((folder / "match.json").read_text("utf-8"))
    shots = shots_of(truth, Orientation(match["home"], match["south_checkers"]), throws)
    first = cv2.imread(str(folder / shots[0][0]))
    assert first is not None, shots[0][0]
    high, wide = first.shape[:2]
    raw = ["-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{wide}x{high}", "-r", "5", "-i", "-"]
    how = ["-c:v", "libvpx-vp9", "-crf", str(COARSENESS), "-b:v", "0", "-g", "9999", "-pix_fmt", "yuv420p"]
    slow = ["-deadline", "good", "-cpu-used", "1", "-auto-alt-ref", "0", "-lag-in-frames", "0"]
    command = ["ffmpeg", "-y", "-loglevel", "error", *raw, *how, *slow, str(out / VIDEO)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as encoder:
        assert encoder.stdin is not None, "a pipe was asked for"
        for name, shot in shots:
            bgr = cv2.imread(str(folder / name))
            assert bgr is not None, name
            if shot["seconds"] == SECONDS["arm"]:
                bgr = cv2.GaussianBlur(bgr, (0, 0), ARM_BLUR_PX)
            encoder.stdin.write(bgr.tobytes())
    assert encoder.returncode == 0, "ffmpeg says why"
    lines = ",\n".join(f"  {json.dumps(shot)}" for _, shot in shots)
    (out / GAME).write_text(f'{{"match": {json.dumps(match)},\n "shots": [\n{lines}\n]}}\n', "utf-8")


def write_truth(folder: Path, out: Path) -> None:
    """Write what the record of the film has to be."""
    turns = json.loads((folder / "match.json").read_text("utf-8"))["turns"]
    lines = ",\n".join(f"  {json.dumps({name: turn[name] for name in TRUTH})}" for turn in turns)
    out.write_text(f'{{"turns": [\n{lines}\n]}}\n', "utf-8")


def main() -> None:
    """Write the film."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--home", choices=("left", "right"), default="left", help="south's home board")
    parser.add_argument("--south", choices=("dark", "light"), default="dark", help="south's checkers")
    parser.add_argument("--length", type=int, default=1, help="points of the match")
    parser.add_argument("--throws", type=int, default=9999, help="only the first so many")
    parser.add_argument("--out", type=Path, default=FILM, help="the film's folder")
    parser.add_argument("--truth", type=Path, help="a file for the turns as they were played")
    args = parser.parse_args()
    match = {"home": args.home, "south_checkers": args.south, "length": args.length, **PLAYERS}
    write_film(args.folder, match, args.out, args.throws)
    if args.truth:
        write_truth(args.folder, args.truth)


if __name__ == "__main__":
    main()
