"""`companion watch`: report the throws in the frames of a camera, a stream, a video or a folder."""

import argparse
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from companion.commands._seeing import (
    add_options,
    answer,
    board_in,
    board_of,
    in_words,
    positive,
    rolling_rules,
)

if TYPE_CHECKING:
    from vision.capture.camera import Camera
    from vision.frame import Frame
    from vision.watch.watcher import Seeing


def add(subparsers: Any) -> None:
    """Add the command."""
    parser = subparsers.add_parser("watch", help="follow a source and say each throw once")
    add_options(parser)
    parser.add_argument("source", metavar="SOURCE", help="camera number, picamera, URL, video file or folder")
    parser.add_argument("--fps", type=positive, help="the pace of a folder's frames, 5 if left out")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print each throw at rest and each lifting; a live camera that is lost meanwhile is waited for."""
    from vision.capture.camera import open_camera
    from vision.capture.quiet import libraries_silent
    from vision.dice.reader import Reader, single_thread
    from vision.watch.watcher import Watcher

    with libraries_silent():
        single_thread()
        rolling_rules(args.profile, args.config)
        board = board_of(args)
        camera = open_camera(args.source, fps=args.fps)
        reader = Reader()
        watcher: Watcher | None = None
        try:
            for frame in frames_of(camera):
                if watcher is None:
                    watcher = Watcher(board or board_in(frame.bgr), reader)
                for seeing in watcher.feed(frame):
                    _say(seeing, args)
            for seeing in watcher.finish() if watcher else []:
                _say(seeing, args)
        finally:
            camera.close()
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


def _say(seeing: "Seeing", args: argparse.Namespace) -> None:
    from vision.watch.watcher import BoardMoved, ThrowSeen

    frame: Frame = seeing.frame
    head = {"frame": frame.number, "t": round(frame.at_s, 3)}
    if isinstance(seeing, ThrowSeen):
        known = answer(seeing.reading, args)
        line = {"event": "roll", **head, **known}
        words = f"{frame.at_s:8.2f} s  {in_words(known)}"
    elif isinstance(seeing, BoardMoved):
        where = "found again" if seeing.board else "not in view"
        print(f"The board or the camera has moved; the board is {where}.", file=sys.stderr)
        return
    else:
        line = {"event": "lifted", **head}
        words = f"{frame.at_s:8.2f} s  lifted"
    print(json.dumps(line) if args.json else words, flush=True)
