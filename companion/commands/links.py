"""`companion links`: the join links in force."""

import argparse
from pathlib import Path
from typing import Any

ROLES = ("scorekeeper", "director", "south", "north", "viewer")


def add(subparsers: Any) -> None:
    """Add the command to the parser."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "links", help="print the join links for each role"
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="the settings, a TOML file")
    parser.add_argument("--role", choices=ROLES, help="only this one, and nothing but the link")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the links; codes that do not exist yet are made."""
    from companion.links import base_url, join_links
    from companion.settings import load_settings
    from companion.statefolder import state_folder

    settings = load_settings(args.config)
    base = base_url(settings.page, settings.page.port)
    for role, link in join_links(state_folder(settings.keep.folder), base).items():
        if args.role is None:
            print(f"{role:12} {link}")
        elif args.role == role:
            print(link)
    return 0
