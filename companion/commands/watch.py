"""`companion watch`: report the throws in the frames of a camera, a stream, a video or a folder."""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any

from companion.commands import _seeing
from vision.capture.quiet import libraries_silent

if TYPE_CHECKING:
    from vision.capture.camera import Camera
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
    """Print each throw at rest and each lifting; a live camera that is lost meanwhile is waited for."""
    from vision.capture.camera import open_camera
    from vision.dice.reader import Reader, single_thread
    from vision.watch.watcher import Watcher

    single_thread()
    _seeing.rolling_rules(args.profile, args.config)
    board, watcher = _seeing.board_of(args), None
    with closing(open_camera(args.source, fps=args.fps)) as camera:
        reader = Reader()
        for frame in frames_of(camera):
            watcher = watcher or Watcher(board or _seeing.board_in(frame.bgr), reader)
            for seeing in watcher.feed(frame):
                _print(seeing, args)
        for seeing in watcher.finish() if watcher else []:
            _print(seeing, args)
    return 0


def frames_of(camera: "Camera") -> "Iterator[Frame]":
    """A camera's frames; after the first one, a loss is printed on standard error and the return is waited for.

    Raises:
        CameraLost: there was no frame at all.
    """
    from vision.errors import CameraLost

    seen = False
    while True:
        try:
            for frame in camera.frames():
                seen = True
                yield frame
            return
        except CameraLost as lost:
            if not seen:
                raise
            print(f"{lost} It is waited for.", file=sys.stderr, flush=True)


def _print(seeing: "Seeing", args: argparse.Namespace) -> None:
    from vision.watch.watcher import BoardMoved, ThrowSeen

    if isinstance(seeing, BoardMoved):
        where = "found again" if seeing.board else "not in view"
        print(f"The board or the camera has moved; the board is {where}.", file=sys.stderr)
        return
    event, words, known = "lifted", "lifted", dict[str, Any]()
    if isinstance(seeing, ThrowSeen):
        known = _seeing.answer(seeing.reading, args)
        event, words = "roll", _seeing.in_words(known)
    frame: Frame = seeing.frame
    line = {"event": event, "frame": frame.number, "t": round(frame.at_s, 3), **known}
    print(json.dumps(line) if args.json else f"{frame.at_s:8.2f} s  {words}", flush=True)
