"""`companion matches`: the matches in the journal, oldest first."""

import argparse
import json
import sys
from typing import Any

from companion.commands._options import add_where
from companion.commands._records import NONE_YET, archive_of, is_fresh
from companion.commands._words import counted

HELP = "list the matches that were kept"
DESCRIPTION = __doc__


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_where(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: Any) -> int:
    """List the matches; returns 1 if one of them cannot be replayed."""
    every = []
    if not is_fresh(args):
        with archive_of(args) as archive:
            every = archive.matches()
    if not every and not args.json:
        print(NONE_YET)
    rows = (match.as_json() for match in every)
    written = json.JSONEncoder(ensure_ascii=False).encode if args.json else in_words
    sys.stdout.write("".join(f"{written(row)}\n" for row in rows))
    return 1 if any(match.problem for match in every) else 0


def in_words(row: dict[str, Any]) -> str:
    """A match for people, on one line."""
    if "error" in row:
        return f"{row['match']}  {row['error']}"
    length = counted(row["length"], "point") if row["length"] else "money play"
    players, score = row["players"], row["score"]
    end = f", won by {players[row['winner']]}" if row["winner"] else ", not over"
    return (
        f"{row['match']}  {players['south']} - {players['north']}, {length}, {row['profile']}: "
        f"{score['south']}-{score['north']}{end}"
    )
