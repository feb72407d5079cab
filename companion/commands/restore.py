"""`companion restore`: put a backup back; the former state is moved aside."""

import argparse
from pathlib import Path

from companion.commands._options import add_where, folder_of
from companion.commands._words import counted

HELP = "put a backup back"


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_where(parser)
    parser.add_argument("file", type=Path, metavar="FILE", help="the backup")


def run(args: argparse.Namespace) -> int:
    """Restore the backup, and print the place of the former state."""
    from companion.storage.backup import restore

    folder = folder_of(args)
    matches, before = restore(args.file, folder)
    aside = f" The former content is in {before}." if before else ""
    print(f"{counted(matches, 'match', 'matches')} restored into {folder}.{aside}")
    return 0
