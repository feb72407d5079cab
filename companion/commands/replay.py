"""`companion replay`: is every play of a match record legal?"""

import argparse
import errno
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.commands._words import counted

HELP = "check .mat, Jellyfish text, .sgf, .xg or .bgf records"
DESCRIPTION = __doc__
MOST_BYTES = 8 << 20
"""Many times the size of the longest records: a match of 25 points has some 50 kB."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a match record")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(args: Any) -> int:
    """Replay every file.

    Returns:
        0 all legal, 1 an illegal play was found, 2 a file could not be read; the other files are replayed.
    """
    status = 0
    for path in args.files:
        result = _replayed(path)
        if args.json:
            print(json.dumps(result, ensure_ascii=False))
        if "error" in result:
            status = 2
            print(f"{path}: {result['error']}", file=sys.stderr)
            continue
        status = max(status, 1 if result["illegal"] else 0)
        if not args.json:
            print(in_words(result))
    return status


def _replayed(path: Path) -> Mapping[str, Any]:
    from companion.errors import GameError
    from companion.records.analysers.match_files import transcript_of
    from companion.records.replay import summary

    try:
        return summary(str(path), transcript_of(_read(path)))
    except OSError as error:
        return {"file": str(path), "error": f"It cannot be read: {error.strerror or error}."}
    except GameError as error:
        return {"file": str(path), "error": str(error)}


def _read(path: Path) -> bytes:
    """The content of a file; OSError if it is none, or larger than any match record."""
    if path.exists() and not path.is_file() and not path.is_dir():  # a pipe or a device may never end
        raise OSError(errno.EINVAL, "it is no file")
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise OSError(errno.EFBIG, f"it is larger than {MOST_BYTES >> 20} MB")
    return data


def in_words(result: Mapping[str, Any]) -> str:
    """A file's result for people."""
    length = counted(result["match_length"], "point") if result["match_length"] else "money play"
    left, right = result["players"]
    games, plays = counted(result["games"], "game"), counted(result["plays"], "play")
    lines = [
        f"{result['file']}: {left or 'left'} against {right or 'right'}, {length}, {games}, {plays}, "
        f"{result['score'][0]}-{result['score'][1]}"
    ]
    for one in result["illegal"]:
        dice = "-".join(map(str, one["dice"]))
        lines.append(
            f"  game {one['game']}, move {one['move']}, {one['side']}, {dice}: {one['play']} is not legal: {one['why']}"
        )
    lines += [f"  {remark}" for remark in result["remarks"]]
    return "\n".join(lines)
