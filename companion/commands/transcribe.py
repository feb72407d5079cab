"""`companion transcribe`: follow a recorded game by its pictures, and write its record."""

import argparse
import json
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands import _seeing
from companion.commands._frames import ReadableFrames
from companion.commands._options import FOR_PROFILES, add_config, port, profile_of
from companion.commands._stopping import Stoppable
from companion.errors import UserError
from vision.capture.quiet import libraries_silent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.service.checkers.following import GameFollower
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
    parser.add_argument(
        "--doubts", type=Path, metavar="FOLDER", help="list what it was not sure of there, with the pictures"
    )
    parser.add_argument(
        "--review", action="store_true", help="then serve a page on which the turns in doubt are answered"
    )
    parser.add_argument(
        "--port", type=port, default=8000, metavar="N", help="the page's port, 8000; 0: any free one"
    )


def _length(text: str) -> int:
    """The length of a match; argparse.ArgumentTypeError if it is no whole number from 0 up."""
    if not text.isdecimal() or len(text) > 6:
        raise argparse.ArgumentTypeError(f"a whole number from 0 up is wanted, not {text[:40]}.")
    return int(text)


@libraries_silent()
def run(args: argparse.Namespace) -> int:
    """Print each event and write the record.

    Raises:
        UserError: the record has another ending or cannot be written, the profile's opening cannot be followed, the
            recording shows no starting position, a review has no record to save, there is something in the folder of
            the doubts.
        WebError: the port of the page is taken.
    """
    from companion.commands._review import check_page, reviewed
    from companion.commands._transcript import Transcriber
    from companion.service.checkers.following import GameFollower
    from companion.service.checkers.tape import Tape
    from companion.storage.wholefile import check_place
    from vision.capture.camera import open_camera
    from vision.checkers.reader import CheckerReader
    from vision.dice.reader import Reader, single_thread
    from vision.watch.watcher import Watcher

    if args.out is not None and args.out.suffix.lower() not in ENDINGS:
        raise UserError(
            f"The record ends in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}, not as {args.out} does."
        )
    if args.out is not None:
        check_place(args.out)
    profile = profile_of(args.profile, args.config)
    _check(profile)
    _check_review(args)
    if args.review:
        check_page(args.port)
    single_thread()
    board, tape = _seeing.board_of(args), None
    transcriber = Transcriber(profile, args.length, int(time.time() * 1000))
    with ExitStack() as parts:
        camera = parts.enter_context(closing(open_camera(args.source, fps=args.fps)))
        frames = ReadableFrames(camera, board.image_size if board else None)
        sought = _seeing.BoardSought(board, args.board)

        def begin(first: "Frame") -> GameFollower | None:
            nonlocal tape
            sought.seek(first.bgr)
            if sought.board is None:
                return None
            watcher = Watcher(sought.board, Reader())
            checkers = CheckerReader()
            if args.review or args.doubts:
                tape = Tape(watcher, checkers, _scratch(parts))
            return GameFollower(tape or watcher, tape or checkers, profile, was_found=board is None)

        def take(game: GameFollower, frame: "Frame") -> None:
            start_s = time.perf_counter()
            _print(transcriber.lines(game.feed(frame), frame, game.turns), args, frame, start_s)

        game, frame = _follow(frames, begin, take)
        start_s = time.perf_counter()
        _print(transcriber.lines(game.finish(frame), frame, game.turns), args, frame, start_s)
        if not transcriber.has_begun:
            pace = f" Its frames are taken as {args.fps or 5:g} a second; --fps says otherwise."
            is_folder = Path(args.source).is_dir()
            raise UserError(f"The recording shows no starting position.{pace if is_folder else ''}")
        if args.out is not None:
            _keep_former(args.out)
            transcriber.write(args.out)
        if tape is not None:
            transcriber = reviewed(tape, transcriber, args)
    return 2 if frames.has_faults else 1 if transcriber.has_findings else 0


def _follow(
    frames: "Iterable[Frame]",
    begin: "Callable[[Frame], GameFollower | None]",
    take: "Callable[[GameFollower, Frame], None]",
) -> "tuple[GameFollower, Frame]":
    """Follow frames to their end, or to Ctrl-C.

    Args:
        frames: of a source.
        begin: makes the follower at the first frame that shows a board.
        take: gives it each frame from that one on.

    Returns:
        The follower and its last frame.

    Raises:
        UserError: there was no frame, or none with a board.
        KeyboardInterrupt: before such a frame.
    """
    game = frame = None
    try:
        with Stoppable() as stoppable:
            for frame in frames:
                with stoppable.step():
                    game = game or begin(frame)
                    if game is not None:
                        take(game, frame)
    except KeyboardInterrupt:
        if game is None:
            raise
    if frame is None:
        raise UserError("The recording has no pictures.")
    if game is None:
        raise UserError("No board was found in the recording.")
    return game, frame


def _keep_former(out: Path) -> None:
    """Keep a record that is there already under its name with a `~` behind it: it may hold people's answers."""
    from companion.storage.wholefile import write_whole

    if out.is_file():
        kept = out.with_name(f"{out.name}~")
        write_whole(kept, out.read_bytes())
        print(f"{out} was there already; that record is kept as {kept}.", file=sys.stderr)


def _check_review(args: argparse.Namespace) -> None:
    """Raise UserError for a review without a record to save, and for a folder of doubts that holds something."""
    if args.review and args.out is None:
        raise UserError("A review saves the record after each answer: name its file with --out.")
    if args.review and args.out.exists():
        raise UserError(
            f"{args.out} is there, with people's answers perhaps: a review is saved to a new file."
        )
    folder = args.doubts
    if folder is not None and folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise UserError(f"The list of doubts is written to a new or empty folder, which {folder} is not.")


def _scratch(parts: ExitStack) -> Path:
    """A folder for the pictures, as long as the parts live; UserError if none can be made."""
    try:
        return Path(parts.enter_context(tempfile.TemporaryDirectory(prefix="companion-transcribe-")))
    except OSError as error:
        raise UserError(f"There is no folder for the pictures ({error.strerror or error}).") from None


def _check(profile: Any) -> None:
    """Raise UserError for a profile whose opening is not one die of each side."""
    from companion.rules.board import BAR
    from companion.rules.setting_values import OpeningRoll, WhoBegins

    ways = profile.who_begins is WhoBegins.ONE_DIE_EACH and profile.opening_roll is OpeningRoll.PLAYED
    if not ways or profile.start[BAR]:
        raise UserError(f"A game of {profile.name} cannot be followed yet: its opening is another one.")


def _print(lines: "list[dict[str, Any]]", args: argparse.Namespace, frame: "Frame", start_s: float) -> None:
    from companion.commands._transcript import in_words

    for line in lines:
        if "warning" in line:
            print(line["warning"], file=sys.stderr)
        else:
            if line["event"] == "roll":
                line |= {"image": args.source, "ms": _seeing.since_ms(start_s)}
            print(json.dumps(line) if args.json else f"{frame.at_s:8.2f} s  {in_words(line)}", flush=True)
