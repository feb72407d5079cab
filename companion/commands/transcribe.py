"""`companion transcribe`: follow a recorded game by its pictures, and write its record."""

import argparse
import json
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands import _seeing
from companion.commands._options import FOR_PROFILES, add_config, profile_of
from companion.errors import UserError
from vision.capture.quiet import libraries_silent

if TYPE_CHECKING:
    from vision.frame import Frame

HELP = "follow a recording of a game, and write its record"
DESCRIPTION = (
    "Follows a recording from the starting position on: the dice and the checkers give each play. Exit status 1 if a "
    "turn stayed open or a play was illegal."
)
ENDINGS = (".mat", ".sgf", ".json")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("source", metavar="SOURCE", help="URL, video file or folder of frames")
    parser.add_argument("--board", type=Path, metavar="FILE", help="the board file `calibrate` wrote")
    parser.add_argument("--fps", type=_seeing.positive, help="the pace of a folder's frames, 5 if left out")
    parser.add_argument("--profile", default="modern", metavar="NAME", help="the rules, modern if left out")
    add_config(parser, FOR_PROFILES)
    parser.add_argument("--length", type=_length, default=0, help="points of the match, 0 for money play")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.add_argument("--out", type=Path, metavar="FILE", help="the record: .mat, .sgf or .json")


def _length(text: str) -> int:
    """The length of a match; argparse.ArgumentTypeError if it is no whole number from 0 up."""
    if not text.isdecimal() or len(text) > 6:
        raise argparse.ArgumentTypeError(f"a whole number from 0 up is wanted, not {text[:40]}.")
    return int(text)


@libraries_silent()
def run(args: argparse.Namespace) -> int:
    """Print each event and write the record.

    Raises:
        UserError: the record has another ending, the profile's opening cannot be followed, or the recording shows no
            starting position.
    """
    from companion.commands._transcript import Transcriber
    from companion.commands.watch import frames_of
    from companion.service.checkers.following import GameFollower
    from vision.capture.camera import open_camera
    from vision.checkers.reader import CheckerReader
    from vision.dice.reader import Reader, single_thread
    from vision.watch.watcher import Watcher

    if args.out is not None and args.out.suffix.lower() not in ENDINGS:
        raise UserError(
            f"The record ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}, not as {args.out} does."
        )
    profile = profile_of(args.profile, args.config)
    _check(profile)
    single_thread()
    board, game, frame = _seeing.board_of(args), None, None
    transcriber = Transcriber(profile, args.length, int(time.time() * 1000))
    with closing(open_camera(args.source, fps=args.fps)) as camera:
        for frame in frames_of(camera):
            if game is None:
                watcher = Watcher(board or _seeing.board_in(frame.bgr), Reader())
                game = GameFollower(watcher, CheckerReader(), profile)
            _print(transcriber.lines(game.feed(frame), frame, game.turns), args, frame)
    if game is None or frame is None:
        raise UserError("The recording has no pictures.")
    _print(transcriber.lines(game.finish(frame), frame, game.turns), args, frame)
    if not transcriber.has_begun:
        raise UserError("The recording shows no starting position.")
    if args.out is not None:
        transcriber.write(args.out)
    return 1 if transcriber.has_findings else 0


def _check(profile: Any) -> None:
    """Raise UserError for a profile whose opening is not one die of each side."""
    from companion.rules.board import BAR
    from companion.rules.setting_values import OpeningRoll, WhoBegins

    ways = profile.who_begins is WhoBegins.ONE_DIE_EACH and profile.opening_roll is OpeningRoll.PLAYED
    if not ways or profile.start[BAR]:
        raise UserError(f"A game of {profile.name} cannot be followed yet: its opening is another one.")


def _print(lines: "list[dict[str, Any]]", args: argparse.Namespace, frame: "Frame") -> None:
    from companion.commands._transcript import in_words

    for line in lines:
        if "warning" in line:
            print(line["warning"], file=sys.stderr)
        else:
            print(json.dumps(line) if args.json else f"{frame.at_s:8.2f} s  {in_words(line)}", flush=True)
