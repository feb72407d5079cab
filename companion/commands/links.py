"""`companion links`: print the valid join links."""

import argparse
import sys
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
    """Print the links; missing join codes are created.

    If no program has used the folder, a running service has another folder and other links.
    """
    from companion.service.network import base_url, join_links
    from companion.settings import load_settings
    from companion.storage.folder import STARTS_FILE, state_folder

    settings = load_settings(args.config)
    base, folder = base_url(settings.page, settings.page.port), state_folder(settings.keep.folder)
    links = join_links(folder, base)
    if not (folder / STARTS_FILE).exists():
        hint = f"No companion has been started with {folder} yet: one that keeps its matches elsewhere has other links."
        print(hint, file=sys.stderr)
    for role, link in links.items():
        if args.role is None:
            print(f"{role:12} {link}")
        elif args.role == role:
            print(link)
    return 0
