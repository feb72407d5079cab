"""`companion watch`: report the throws in the frames of a camera, a stream, a video or a folder."""

import argparse
import json
import sys
import time
from contextlib import closing
from typing import TYPE_CHECKING, Any

from companion.commands import _seeing
from companion.commands._frames import ReadableFrames
from vision.capture.quiet import libraries_silent

if TYPE_CHECKING:
    from vision.frame import Frame
    from vision.watch.watcher import Seeing

HELP = "follow a source and say each throw once"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    _seeing.add_reading_options(parser)
    parser.add_argument("source", metavar="SOURCE", help="camera number, picamera, URL, video file or folder")
    parser.add_argument("--fps", type=_seeing.positive, help="the pace of a folder's frames, 5 if left out")


@libraries_silent()
def run(args: argparse.Namespace) -> int:
    """Print each throw at rest and each lifting; a live camera that is lost meanwhile is waited for.

    Returns:
        0, or 2 if a picture was damaged or of another shape, or a video is cut off; the others are watched.
    """
    from vision.capture.camera import open_camera
    from vision.dice.reader import Reader, single_thread
    from vision.watch.watcher import Watcher

    single_thread()
    _seeing.rolling_rules(args.profile, args.config)
    board, watcher = _seeing.board_of(args), None
    sought = _seeing.BoardSought(board, args.board)
    with closing(open_camera(args.source, fps=args.fps)) as camera:
        reader, frames = Reader(), ReadableFrames(camera, board.image_size if board else None)
        for frame in frames:
            is_new = sought.seek_if_due(frame)
            if watcher is None:
                watcher = Watcher(sought.board, reader)
            elif is_new and sought.board is not None:
                watcher.place(sought.board)
            start_s = time.perf_counter()
            for seeing in watcher.feed(frame):
                _print(seeing, args, start_s)
        start_s = time.perf_counter()
        for seeing in watcher.finish() if watcher else []:
            _print(seeing, args, start_s)
    return 2 if frames.has_faults else 0


def _print(seeing: "Seeing", args: argparse.Namespace, start_s: float) -> None:
    from vision.watch.watcher import BoardMoved, ThrowSeen

    if isinstance(seeing, BoardMoved):
        where = "found again" if seeing.board else "not in view"
        print(f"The board or the camera has moved; the board is {where}.", file=sys.stderr)
        return
    event, words, known = "lifted", "lifted", dict[str, Any]()
    if isinstance(seeing, ThrowSeen):
        known = _seeing.answer(seeing.reading, args)
        event, words = "roll", _seeing.in_words(known)
        known |= {"image": args.source, "ms": _seeing.since_ms(start_s)}
    frame: Frame = seeing.frame
    line = {"event": event, "frame": frame.number, "t": round(frame.at_s, 3), **known}
    print(json.dumps(line) if args.json else f"{frame.at_s:8.2f} s  {words}", flush=True)
