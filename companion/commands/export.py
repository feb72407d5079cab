"""`companion export`: a match as .mat, .sgf, JSON, or as a dossier that opens in any browser."""

import argparse
import sys
from functools import partial
from pathlib import Path
from typing import Any

from companion.commands._records import add_match, add_where, archive_of, folder_of, match_named, table_of
from companion.storage.wholefile import write_whole

FORMATS = ("mat", "sgf", "json", "zip")


def add(subparsers: Any) -> None:
    """Add the command to the command line."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "export", help="write a match in a format of the field, or as a dossier", description=__doc__
    )
    add_match(parser)
    add_where(parser)
    parser.add_argument("--format", choices=FORMATS, required=True, help="zip is the dossier")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to; standard output if left out")
    parser.set_defaults(run=run)


def run(args: Any) -> int:
    """Write the match; a dossier without --out goes into a file named after the match."""
    data, match_id = exported(args)
    out = args.out
    if out is None and args.format == "zip":
        out = Path(f"{match_id}.zip")
    if out is None:
        sys.stdout.write(data.decode())
        return 0
    write_whole(out, data)
    if args.out is None:
        print(out)
    return 0


def exported(args: Any) -> tuple[bytes, str]:
    """The file's content, and the match's id."""
    from companion.service.dossier import exported as written
    from companion.storage.folder import PICTURES, place_in
    from companion.storage.pictures import load_picture

    with archive_of(args) as archive:
        match_id = match_named(archive, args.match)
        table, rows = table_of(archive, match_id), archive.rows(match_id)
    pictures = place_in(folder_of(args), PICTURES)
    return written(args.format, rows, table, partial(load_picture, pictures)), match_id
