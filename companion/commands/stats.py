"""`companion stats`: the dice of a match, or of all, and what they do and do not show."""

import argparse
import json
from typing import Any

from companion.commands._records import (
    NONE_YET,
    add_match,
    add_where,
    archive_of,
    is_fresh,
    match_named,
    table_of,
)


def add(subparsers: Any) -> None:
    """Add the command to the command line."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "stats", help="how often each face and roll came", description=__doc__
    )
    add_match(parser, optional=True)
    add_where(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=run)


def run(args: Any) -> int:
    """Print the statistics."""
    from companion.errors import UserError
    from companion.records.dice_stats import statistics, tallies
    from companion.storage.catalogue import tallies_of

    if args.match is None and is_fresh(args):
        figures = {**statistics({}), "matches": 0}
        print(json.dumps(figures) if args.json else NONE_YET)
        return 0
    with archive_of(args) as archive:
        if args.match is not None:
            table = table_of(archive, match_named(archive, args.match))
            figures = {**statistics(tallies([table])), "matches": 1}
        else:
            every = archive.matches()
            for match in every:
                if match.problem:
                    raise UserError(match.problem)
            figures = {**statistics(tallies_of(every)), "matches": len(every)}
    print(json.dumps(figures, ensure_ascii=False) if args.json else in_words(figures))
    return 0


def in_words(figures: dict[str, Any]) -> str:
    """The statistics for people."""
    every = figures["all"]
    lines = [
        f"{figures['matches']} matches, {every['rolls']} rolls, {every['seen']} of them seen by the camera."
    ]
    lines.append("Faces: " + ", ".join(f"{face}: {count}" for face, count in every["faces"].items()))
    lines.append("Rolls: " + ", ".join(f"{roll}: {count}" for roll, count in every["pairs"].items()))
    lines += [every["faces_test"]["sentence"], every["pairs_test"]["sentence"]]
    for name, one in figures["players"].items():
        share = "" if one["cocked_share"] is None else f" ({100 * one['cocked_share']:.1f} of 100 throws)"
        lines.append(
            f"{name}: {one['rolls']} rolls, {one['doubles']} doubles, {one['cocked']} cocked{share}, "
            f"{one['unread']} unread. {one['faces_test']['sentence']}"
        )
    return "\n".join(lines)
