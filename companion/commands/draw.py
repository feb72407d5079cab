"""`companion draw`: the next round of an event in a hall, as a list of pairings."""

import argparse
from pathlib import Path
from typing import get_args

HELP = "draw the next round of an event"
DESCRIPTION = (
    "Reads the players of an event, a name on each line, the strongest first, and prints the matches that can be "
    "played now, as a list that the hall's page /pairings takes (docs/HALL.md). Results are those of the hall's page "
    "/results.json; a name with a comma and a number plays from that round on."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    from companion.hall.protocol.draw import Kind

    parser.add_argument("players", type=Path, metavar="FILE", help="the players, a name on each line")
    parser.add_argument("--kind", choices=get_args(Kind), required=True, help="how the event is played")
    parser.add_argument("--event", default="", help="its name, by which results are found")
    parser.add_argument("--results", type=Path, metavar="FILE", help="what has been played, results.json")
    parser.add_argument("--round", type=int, metavar="N", help="only this one; left out: the next, or all")
    parser.add_argument("--length", default="", metavar="POINTS", help="left out: as usual at the table")
    parser.add_argument("--rules", default="", metavar="PROFILE", help="left out: as usual at the table")


def run(args: argparse.Namespace) -> int:
    """Draw, and print the list."""
    import sys

    from companion.hall.protocol.draw import draw, entrants_in, list_of, results_in

    entrants = entrants_in(_text(args.players))
    results = results_in(_text(args.results), args.event) if args.results else []
    drawn = draw(args.kind, args.event, entrants, results, args.round)
    sys.stdout.write(list_of(drawn, args.length, args.rules))
    return 0


def _text(file: Path) -> str:
    from companion.hall.protocol.draw import DrawError

    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DrawError(
            f"{file} cannot be read: {getattr(error, 'strerror', None) or 'it is no text'}."
        ) from None
