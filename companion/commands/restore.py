"""`companion restore`: put a backup back; the former state is moved aside."""

import argparse
from pathlib import Path
from typing import Any


def add(subparsers: Any) -> None:
    """Add the command to the parser."""
    parser: argparse.ArgumentParser = subparsers.add_parser("restore", help="put a backup back")
    parser.add_argument("--config", type=Path, metavar="FILE", help="the settings, a TOML file")
    parser.add_argument("file", type=Path, metavar="FILE", help="the backup")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Restore the backup, and print the place of the former state."""
    from companion.settings import load_settings
    from companion.storage.backup import restore
    from companion.storage.folder import state_folder

    folder = state_folder(load_settings(args.config).keep.folder)
    matches, before = restore(args.file, folder)
    aside = f" What was there lies in {before}." if before else ""
    print(f"{matches} match{'' if matches == 1 else 'es'} restored into {folder}.{aside}")
    return 0
