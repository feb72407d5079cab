"""`companion doctor`: camera, GPIO, disk, clock, power, page; one line each, with the remedy."""

import argparse
import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sentence import verbatim

if TYPE_CHECKING:
    from companion.service.health import Finding

LAMP_S = 1.0


def add(subparsers: Any) -> None:
    """Add the command to the parser."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "doctor", help="look at camera, pins, disk, clock, power and page"
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="the settings, a TOML file")
    parser.add_argument(
        "--lamps", action="store_true", help="light each lamp for a second, one after the other"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print a line for each finding; returns 1 if one of them is bad."""
    from companion.service.health import Verdict
    from companion.settings import load_settings

    settings = load_settings(args.config)
    walk = _walk if args.lamps else None
    bad = False
    for finding in _findings(settings, walk):
        bad = bad or finding.verdict is Verdict.BAD
        if args.json:
            row = {name: value for name, value in finding.row().items() if name != "say"}
            print(json.dumps(row, ensure_ascii=False), flush=True)
        else:
            print(finding.line(), flush=True)
    return 1 if bad else 0


def _findings(settings: Any, walk: Callable[[str], None] | None) -> "Iterator[Finding]":
    from companion.service import doctor as examine
    from companion.service import health
    from companion.storage.folder import state_folder

    folder = state_folder(settings.keep.folder)
    found = examine.listener(settings, folder)

    def shared(finding: "Finding") -> "Finding":
        return examine.taken(finding) if found.is_ours else finding

    yield from map(examine.former_setting, settings.notices)
    yield examine.libraries()
    yield from map(shared, examine.camera(settings))
    yield examine.board(settings, folder)
    pins = examine.gpio(settings, walk)
    yield pins if pins.what == "lamps" else shared(pins)  # without pins, none can be in use elsewhere
    for finding in health.machine(folder):
        if finding.what == "disk":
            finding = examine.tried(finding, folder)
            if finding.verdict is health.Verdict.BAD:
                finding = replace(finding, text=verbatim(settings.named("keep.folder", str(finding.text))))
        yield finding
    if not found.is_ours:  # a running companion has its files open
        yield from examine.kept(folder)
    yield examine.page(settings, found, folder)
    yield from examine.https(settings, folder)


def _walk(name: str) -> None:
    import sys

    print(f"lamp {name}", file=sys.stderr, flush=True)
    time.sleep(LAMP_S)
