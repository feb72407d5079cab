"""`companion backup`: all matches, pictures, join codes and the table's setup as one file."""

import argparse
import sys
import time
from pathlib import Path

from companion.commands._options import add_where, folder_of
from companion.commands._words import counted

HELP = "write all matches into one file"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_where(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to; a name with the date if left out")


def run(args: argparse.Namespace) -> int:
    """Write the backup and print its name; returns 1 if it may lack a part of the matches."""
    from companion.storage.backup import back_up
    from companion.storage.folder import LACKING, lacks

    folder = folder_of(args)
    out = args.out or Path(time.strftime("board-companion-%Y%m%d-%H%M%S.tar.gz"))
    matches, left_out, damage = back_up(folder, out)
    lacking = LACKING.format(folder=folder) if lacks(folder) else ""
    for trouble in filter(None, (left_out, damage, lacking)):
        print(trouble, file=sys.stderr)
    print(f"{out}: {counted(matches, 'match', 'matches')}.")
    return 1 if damage or lacking else 0
