"""`companion calibrate`: find the board in a picture and write the board file."""

import argparse
import re
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands._frames import ReadableFrames
from companion.commands._seeing import positive, say_elsewhere
from vision.capture.quiet import libraries_silent

if TYPE_CHECKING:
    from vision.board.calibration import Board

HELP = "find the board, or take its corners, and write the board file"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "source", metavar="SOURCE", help="camera number, picamera, URL, video, folder or picture"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="the board file to write")
    parser.add_argument(
        "--corners", metavar='"x,y x,y x,y x,y"', help="of the playing surface, clockwise from the top left"
    )
    parser.add_argument("--surface", metavar="WxH", help="the playing surface in mm, if it has been measured")
    parser.add_argument(
        "--bar", type=positive, metavar="MM", help="the bar's width in mm, if it has been measured"
    )


@libraries_silent()
def run(args: argparse.Namespace) -> int:
    """Write the board file, whole or not at all; raises BadBoard (exit status 2) if no board is found."""
    from companion.camera.board_place import save_board
    from vision.board.calibration import Board
    from vision.board.findboard import BoardFinder, board_from_corners
    from vision.errors import BadBoard

    bgr = _picture(args.source)
    size = (bgr.shape[1], bgr.shape[0])
    corners = _corners(args.corners) if args.corners is not None else None
    finder = BoardFinder()
    found = finder.find(bgr)
    board = found if corners is None else finder.with_bar(bgr, board_from_corners(size, corners))
    if board is None:
        raise BadBoard(
            "No board was found in the picture; give its corners with --corners, or put the whole board into view."
        )
    surface = board.surface_mm if args.surface is None else _surface(args.surface)
    bar = args.bar if args.bar is not None else board.bar_mm * surface[0] / board.surface_mm[0]
    save_board(args.out, Board(size, board.corners_px, surface, bar, board.distortion))
    print(f"Board found, written to {args.out}.")
    if corners is not None and found is not None:
        _say_otherwise(board, found)
    return 0


def _say_otherwise(given: "Board", found: "Board") -> None:
    """Say on standard error where the board found lies otherwise than the corners given say, which count."""
    from vision.board.compared import is_elsewhere, is_turned

    if is_turned(given, found):
        print(
            "The board seems to lie turned by a quarter against the corners given: they should begin at the one that "
            "is at the top left when the bar stands upright.",
            file=sys.stderr,
        )
    elif is_elsewhere(given, found):
        say_elsewhere(given, found, "the corners given say")


def _picture(source: str) -> Any:
    """A picture of the board, (H, W, 3) uint8: the file itself, or a frame of the source after 2 s of warming up."""
    from vision.capture.camera import open_camera
    from vision.capture.picture import SUFFIXES, load_picture
    from vision.errors import BadSource

    if Path(source).suffix.lower() in SUFFIXES and not Path(source).is_dir():
        return load_picture(source)
    frame = None
    with closing(open_camera(source)) as camera:
        for frame in ReadableFrames(camera, None):
            if not camera.live or frame.at_s > 2.0:
                break
    if frame is None:
        raise BadSource(f"{source} gave no picture.")
    return frame.bgr


def _corners(text: str) -> tuple[tuple[float, float], ...]:
    from vision.errors import BadBoard

    number = r"-?[0-9]{1,6}(?:\.[0-9]{1,9})?"
    points = re.findall(rf"({number})\s*,\s*({number})", text)
    if len(points) != 4 or re.sub(rf"{number}|[\s,;]", "", text):
        raise BadBoard(f'--corners takes four points "x,y x,y x,y x,y", not "{text[:60]}".')
    return tuple((float(x), float(y)) for x, y in points)


def _surface(text: str) -> tuple[float, float]:
    from vision.errors import BadBoard

    match = re.fullmatch(r"([0-9]{1,5}(?:\.[0-9]{1,9})?)x([0-9]{1,5}(?:\.[0-9]{1,9})?)", text)
    if not match or not (float(match[1]) and float(match[2])):
        raise BadBoard(f'--surface takes width x height in mm such as 530x400, not "{text[:60]}".')
    return float(match[1]), float(match[2])
