"""`companion profiles`: the rule profiles side by side."""

import argparse
import json
import re
import shutil
import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeAlias

from companion.commands._options import FOR_PROFILES, add_config

if TYPE_CHECKING:
    from companion.rules.profile import Profile

HELP = "show the rule profiles side by side"
DESCRIPTION = "Shows every setting of every rule profile; docs/PROFILES.md explains them."
Column: TypeAlias = list[list[str]]
"""A table's column: its cells from top to bottom, each a list of lines."""
FOLD, FOLD_NAME = 13, 24
"""Widths at which cells fold, in letters: five profiles fit side by side in a hundred columns."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("names", nargs="*", metavar="NAME", help="show only these profiles")
    parser.add_argument("--describe", action="store_true", help="say of each where its facts were read")
    add_config(parser, FOR_PROFILES)
    parser.add_argument("--json", action="store_true", help="one JSON object a profile and line")


def run(args: argparse.Namespace) -> int:
    """Print the profiles."""
    from companion.rules.profiles import profile_named
    from companion.settings import load_settings

    known = load_settings(args.config).profiles
    shown = [profile_named(name, known) for name in args.names] or list(known.values())
    if args.json:
        for profile in shown:
            described = {"name": profile.name, "description": profile.description}
            print(json.dumps({**described, **profile.settings()}))
        return 0
    width = max(60, shutil.get_terminal_size((100, 24)).columns)
    if args.describe:
        for profile in shown:
            print(textwrap.fill(f"{profile.name}: {profile.description}", width), end="\n\n")
    else:
        print("\n\n".join("\n".join(table) for table in side_by_side(shown, width)))
    return 0


def side_by_side(profiles: "Sequence[Profile]", width: int) -> "Iterator[list[str]]":
    """The lines of tables with a column for each profile; as many tables as the width requires."""
    from companion.rules.profile import SETTINGS

    names: Column = [["setting"], *(_folded(name, FOLD_NAME) for name in SETTINGS)]
    rest: list[Column] = [
        [_folded(one.name, FOLD), *(_cell(value) for value in one.settings().values())] for one in profiles
    ]
    while rest:
        table, used = [names], _widest(names)
        while rest and (len(table) == 1 or used + 2 + _widest(rest[0]) <= width):
            used += 2 + _widest(rest[0])
            table.append(rest.pop(0))
        yield list(_lines(table))


def _lines(table: "Sequence[Column]") -> "Iterator[str]":
    widths = [_widest(column) for column in table]
    for row in zip(*table, strict=True):
        for line in zip_longest(*row, fillvalue=""):
            yield "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()


def _widest(column: "Column") -> int:
    return max(len(line) for cell in column for line in cell)


def _cell(value: object) -> list[str]:
    """A setting's value as a cell of the table, folded to `FOLD`."""
    if isinstance(value, bool):
        return ["yes" if value else "no"]
    if isinstance(value, dict):
        text = " ".join(f"{point}:{count}" for point, count in value.items())
    elif isinstance(value, list):
        text = ", ".join(map(str, value)) or "nothing"
    else:
        text = str(value)
    return _folded(text, FOLD)


def _folded(text: str, width: int) -> list[str]:
    """A text in lines of at most `width` letters, split after spaces and underscores."""
    lines = [""]
    for piece in re.findall(r"[^_ ]+[_ ]*", text):
        if lines[-1] and len(lines[-1]) + len(piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]
