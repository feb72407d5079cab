"""`companion matches`: the matches in the journal, oldest first."""

import argparse
import json
from typing import TYPE_CHECKING, Any

from companion.commands._records import NONE_YET, add_where, is_fresh, journal_of, table_of

if TYPE_CHECKING:
    from companion.storage.journal import Journal, MatchSummary


def add(subparsers: Any) -> None:
    """Add the command to the command line."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "matches", help="list the matches that were kept", description=__doc__
    )
    add_where(parser)
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=run)


def run(args: Any) -> int:
    """List them; 1 where one of them cannot be replayed."""
    from companion.errors import UserError

    if is_fresh(args):
        return _none_yet(args)
    journal, status = journal_of(args), 0
    every = journal.matches()
    if not every:
        _none_yet(args)
    for match in every:
        try:
            told = _told(journal, match)
        except UserError as error:
            told, status = {"match": match.match_id, "error": str(error)}, 1
        print(json.dumps(told, ensure_ascii=False) if args.json else in_words(told))
    journal.close()
    return status


def _none_yet(args: Any) -> int:
    if not args.json:
        print(NONE_YET)
    return 0


def _told(journal: "Journal", match: "MatchSummary") -> dict[str, Any]:
    from companion.game.state import MatchOver
    from companion.records.export import date_of, score_sheet

    table = table_of(journal, match.match_id)
    sheet = score_sheet(table)
    over = table.state is not None and isinstance(table.state.phase, MatchOver)
    return {
        "match": match.match_id,
        "date": date_of(table),
        "players": sheet["players"],
        "length": match.began.length,
        "profile": match.began.profile,
        "score": sheet["score"],
        "over": over,
        "events": match.events,
        "head": match.head,
    }


def in_words(told: dict[str, Any]) -> str:
    """A match for people, on one line."""
    if "error" in told:
        return f"{told['match']}  {told['error']}"
    length = f"{told['length']} points" if told["length"] else "money play"
    players, score = told["players"], told["score"]
    end = "" if told["over"] else ", not over"
    return (
        f"{told['match']}  {players['south']} - {players['north']}, {length}, {told['profile']}: "
        f"{score['south']}-{score['north']}{end}"
    )
