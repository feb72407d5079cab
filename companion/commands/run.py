"""`companion run`: the main job: camera, dice, ruling, turn, page."""

import argparse
from pathlib import Path
from typing import Any


def add(subparsers: Any) -> None:
    """Add the command to the parser."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "run", help="watch the board and keep the game (recorded throws where there is no camera)"
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="the settings, a TOML file")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run until stopped; the match goes on where it was left."""
    from companion.app import App, Wish
    from companion.settings import load_settings
    from companion.statefolder import state_folder

    settings = load_settings(args.config)
    App(settings, Wish(state_folder(settings.keep.folder))).run()
    return 0
