"""`companion read`: read the dice in pictures."""

import argparse
from typing import TYPE_CHECKING, Any

from companion.commands._seeing import (
    BoardSought,
    add_reading_options,
    answer,
    board_in,
    board_of,
    in_words,
    print_answers,
    rolling_rules,
)
from vision.capture.quiet import libraries_silent

if TYPE_CHECKING:
    from vision.frame import Bgr

HELP = "read the dice in pictures"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_reading_options(parser)
    parser.add_argument("image", nargs="+", metavar="IMAGE", help="a JPEG, PNG or BMP file")


@libraries_silent()
def run(args: argparse.Namespace) -> int:
    """Read each picture; a file that is no picture gives an error, and the rest are read.

    Returns:
        0, or 2 if a file was no picture.
    """
    from vision.dice.reader import Reader, single_thread

    single_thread()
    rolling_rules(args.profile, args.config)
    board, reader = board_of(args), Reader()
    sought = BoardSought(board, args.board)

    def known(bgr: "Bgr") -> dict[str, Any]:
        return answer(reader.read(bgr, sought.board or board_in(bgr)), args)

    before = sought.seek if board else lambda _: None
    return print_answers(args.image, known, in_words, as_json=args.json, before=before)
