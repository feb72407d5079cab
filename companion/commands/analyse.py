"""`companion analyse`: have GNU Backgammon look at a match: error rates, luck, and the plays that cost most."""

import argparse
import json
import sys
from typing import Any

from companion.commands._records import add_match, archive_of, match_named, table_of
from companion.commands._words import counted
from companion.errors import UserError

HELP = "analyse a match with GNU Backgammon"
DESCRIPTION = __doc__


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_match(parser)
    parser.add_argument(
        "--plies", type=int, choices=(0, 1, 2, 3), default=2, help="how far it looks ahead (2 if left out)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: Any) -> int:
    """Print the analysis; progress goes to standard error."""
    from companion.service.gnubg import analysed, find_gnubg, unknown_game

    with archive_of(args) as archive:
        state = table_of(archive, match_named(archive, args.match)).state
    assert state is not None
    unknown = unknown_game(state)
    if unknown:
        raise UserError(unknown)
    find_gnubg()
    report = analysed(state, args.plies, _progress if not args.json else None)
    print(json.dumps(report.to_json(), ensure_ascii=False) if args.json else "\n".join(report.lines()))
    return 0


def _progress(done: int, games: int) -> None:
    print(f"{done} of {counted(games, 'game')} analysed.", file=sys.stderr, flush=True)
