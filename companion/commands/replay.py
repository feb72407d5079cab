"""`companion replay`: is every play of a match record legal?"""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def add(subparsers: Any) -> None:
    """Add the command to the command line."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "replay", help="check .mat, Jellyfish text or .sgf records", description=__doc__
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a match record")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")
    parser.set_defaults(run=run)


def run(args: Any) -> int:
    """Replay every file.

    Returns:
        0 all legal, 1 an illegal play was found, 2 a file could not be read; the other files are replayed.
    """
    status = 0
    for path in args.files:
        result = _replayed(path)
        if "error" in result:
            status = 2
        elif result["illegal"] and status == 0:
            status = 1
        if args.json:
            print(json.dumps(result, ensure_ascii=False))
        if "error" in result:
            print(f"{path}: {result['error']}", file=sys.stderr)
        elif not args.json:
            print(in_words(result))
    return status


def _replayed(path: Path) -> Mapping[str, Any]:
    from companion.errors import GameError
    from companion.records.replay import summary, transcript_in

    try:
        return summary(str(path), transcript_in(_text(path.read_bytes())))
    except OSError as error:
        return {"file": str(path), "error": f"It cannot be read: {error.strerror or error}."}
    except GameError as error:
        return {"file": str(path), "error": str(error)}


def _text(data: bytes) -> str:
    """The file's text, UTF-8 or else Latin-1, in which older programs wrote names."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def in_words(result: Mapping[str, Any]) -> str:
    """A file's result for people."""
    length = f"{result['match_length']} points" if result["match_length"] else "money play"
    left, right = result["players"]
    lines = [
        f"{result['file']}: {left or 'left'} against {right or 'right'}, {length}, {result['games']} games, "
        f"{result['plays']} plays, {result['score'][0]}-{result['score'][1]}"
    ]
    for one in result["illegal"]:
        dice = "-".join(map(str, one["dice"]))
        lines.append(
            f"  game {one['game']}, move {one['move']}, {one['side']}, {dice}: {one['play']} is not legal: {one['why']}"
        )
    lines += [f"  {remark}" for remark in result["remarks"]]
    return "\n".join(lines)
