"""`companion stats`: the dice of a match, or of all, and what they do and do not show."""

import argparse
import json
from typing import Any

from companion.commands._records import NONE_YET, add_match, archive_of, is_fresh, match_named, table_of
from companion.commands._words import counted
from companion.errors import UserError

HELP = "how often each face and roll came"
DESCRIPTION = __doc__


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_match(parser, optional=True)
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: Any) -> int:
    """Print the statistics."""
    from companion.records.dice_stats import statistics, tallies
    from companion.storage.catalogue import tallies_of

    fresh, number = args.match is None and is_fresh(args), 1
    if fresh:
        counted, number = {}, 0
    elif args.match is not None:
        with archive_of(args) as archive:
            counted = tallies([table_of(archive, match_named(archive, args.match))])
    else:
        with archive_of(args) as archive:
            every = archive.matches()
        for match in every:
            if match.problem:
                raise UserError(match.problem)
        earlier = {match.earlier for match in every}
        last = [match for match in every if match.match_id not in earlier]
        counted, number = tallies_of(last), len(last)
    figures = {**statistics(counted), "matches": number}
    if args.json:
        print(json.dumps(figures, ensure_ascii=False))
    else:
        print(NONE_YET if fresh else in_words(figures))
    return 0


def in_words(figures: dict[str, Any]) -> str:
    """The statistics for people."""
    every = figures["all"]
    matches = counted(figures["matches"], "match", "matches")
    lines = [
        f"{matches}, {counted(every['rolls'], 'roll')}, {every['seen']} of them seen by the camera.",
        "Faces: " + ", ".join(f"{face}: {count}" for face, count in every["faces"].items()),
        "Rolls: " + ", ".join(f"{roll}: {count}" for roll, count in every["pairs"].items()),
        every["faces_test"]["sentence"],
        every["pairs_test"]["sentence"],
    ]
    for name, one in figures["players"].items():
        share = "" if one["cocked_share"] is None else f" ({100 * one['cocked_share']:.1f} of 100 throws)"
        lines.append(
            f"{name}: {counted(one['rolls'], 'roll')}, {one['doubles']} doubles, {one['cocked']} cocked{share}, "
            f"{one['unread']} unread. {one['faces_test']['sentence']}"
        )
    return "\n".join(lines)
