"""`companion backup`: all matches, pictures and join codes as one file."""

import argparse
import sys
import time
from pathlib import Path
from typing import Any


def add(subparsers: Any) -> None:
    """Add the command to the parser."""
    parser: argparse.ArgumentParser = subparsers.add_parser("backup", help="write all matches into one file")
    parser.add_argument("--config", type=Path, metavar="FILE", help="the settings, a TOML file")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to; a name with the date if left out")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write the backup and print its name; returns 1 if it may lack a part of the matches."""
    from companion.settings import load_settings
    from companion.storage.backup import back_up
    from companion.storage.folder import LACKING, lacks, state_folder

    folder = state_folder(load_settings(args.config).keep.folder)
    out = args.out or Path(time.strftime("board-companion-%Y%m%d-%H%M%S.tar.gz"))
    matches, left_out, damage = back_up(folder, out)
    lacking = LACKING.format(folder=folder) if lacks(folder) else ""
    for trouble in filter(None, (left_out, damage, lacking)):
        print(trouble, file=sys.stderr)
    print(f"{out}: {matches} match{'' if matches == 1 else 'es'}.")
    return 1 if damage or lacking else 0
