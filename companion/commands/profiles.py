"""`companion profiles`: the rule profiles side by side."""

import argparse
import json
from typing import Any


def add(subparsers: "argparse._SubParsersAction[Any]") -> None:
    """Add the command to the parser."""
    parser = subparsers.add_parser(
        "profiles",
        help="show the rule profiles side by side",
        description="Shows every setting of every rule profile; docs/PROFILES.md explains them.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="show only these profiles")
    parser.add_argument("--describe", action="store_true", help="say of each where its facts were read")
    parser.add_argument("--json", action="store_true", help="one JSON object a profile and line")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the profiles."""
    from companion.profiles import PROFILES, SETTINGS, profile_named

    shown = [profile_named(name) for name in args.names] or list(PROFILES.values())
    if args.json:
        for profile in shown:
            described = {"name": profile.name, "description": profile.description}
            print(json.dumps({**described, **profile.settings()}))
    elif args.describe:
        for profile in shown:
            print(f"{profile.name}: {profile.description}\n")
    else:
        columns = [("setting", *SETTINGS)]
        columns += [(one.name, *map(_shown, one.settings().values())) for one in shown]
        widths = [max(map(len, column)) for column in columns]
        for row in zip(*columns, strict=True):
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    return 0


def _shown(value: object) -> str:
    """A setting's value in a cell of the table."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, dict):
        return " ".join(f"{point}:{count}" for point, count in value.items())
    if isinstance(value, list):
        return ",".join(map(str, value)) or "nothing"
    return str(value)
