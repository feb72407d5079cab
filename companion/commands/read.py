"""`companion read`: read the dice in pictures."""

import argparse
import json
import sys
import time

from companion.commands._seeing import (
    add_reading_options,
    answer,
    board_in,
    board_of,
    in_words,
    rolling_rules,
)
from vision.capture.quiet import libraries_silent

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
    from vision.capture.picture import load_picture
    from vision.dice.reader import Reader, single_thread
    from vision.errors import VisionError

    single_thread()
    rolling_rules(args.profile, args.config)
    board, reader, status, warm = board_of(args), Reader(), 0, False
    for name in args.image:
        try:
            bgr = load_picture(name)
            if not warm:  # a net's first run builds its buffers, the first ruling loads the rules
                answer(reader.read(bgr, board or board_in(bgr)), args)
                warm = True
            start = time.perf_counter()
            known = answer(reader.read(bgr, board or board_in(bgr)), args)
            took_ms = (time.perf_counter() - start) * 1000
        except VisionError as error:
            status = 2
            if args.json:
                print(json.dumps({"image": name, "error": str(error)}), flush=True)
            print(error if name in str(error) else f"{name}: {error}", file=sys.stderr, flush=True)
            continue
        row = {"image": name, **known, "ms": round(took_ms, 2)}
        print(json.dumps(row) if args.json else f"{name}: {in_words(known)}", flush=True)
    return status
