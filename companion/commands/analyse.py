"""`companion analyse`: have GNU Backgammon look at a match: error rates, luck, and the plays that cost most."""

import argparse
import json
import sys
from typing import Any

from companion.commands._records import add_match, add_where, archive_of, match_named, table_of


def add(subparsers: Any) -> None:
    """Add the command to the command line."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "analyse", help="analyse a match with GNU Backgammon", description=__doc__
    )
    add_match(parser)
    add_where(parser)
    parser.add_argument(
        "--plies", type=int, choices=(0, 1, 2, 3), default=2, help="how far it looks ahead (2 if left out)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=run)


def run(args: Any) -> int:
    """Print the analysis; progress goes to standard error."""
    from companion.errors import UserError
    from companion.service.gnubg import analysed, find_gnubg

    find_gnubg()
    with archive_of(args) as archive:
        table = table_of(archive, match_named(archive, args.match))
    assert table.state is not None
    profile = table.state.terms.profile
    if profile.start[25] > 0:
        raise UserError("GNU Backgammon does not know the entry game.")
    report = analysed(table.state, args.plies, _progress if not args.json else None)
    print(json.dumps(report.to_json(), ensure_ascii=False) if args.json else "\n".join(report.lines()))
    return 0


def _progress(done: int, games: int) -> None:
    print(f"{done} of {games} games analysed.", file=sys.stderr, flush=True)
