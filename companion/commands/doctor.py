"""`companion doctor`: camera, GPIO, disk, clock, power, page; one line each, with the remedy."""

import argparse
import json
import sys
import time

from companion.commands._options import add_where, folder_of

HELP = "look at camera, pins, disk, clock, power and page"
LAMP_S = 1.0


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_where(parser)
    parser.add_argument(
        "--lamps", action="store_true", help="light each lamp for a second, one after the other"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: argparse.Namespace) -> int:
    """Print a line for each finding; returns 1 if one of them is bad."""
    from companion.service.doctor import findings
    from companion.service.health import Verdict
    from companion.service.network import as_running
    from companion.settings import load_settings

    folder = folder_of(args)
    settings = as_running(load_settings(args.config), folder)
    bad = False
    for finding in findings(settings, folder, _walk if args.lamps else None):
        bad = bad or finding.verdict is Verdict.BAD
        if args.json:
            row = {name: value for name, value in finding.row().items() if name != "say"}
            print(json.dumps(row, ensure_ascii=False), flush=True)
        else:
            print(finding.line(), flush=True)
    return 1 if bad else 0


def _walk(name: str) -> None:
    print(f"lamp {name}", file=sys.stderr, flush=True)
    time.sleep(LAMP_S)
