"""`companion export`: a match as .mat, .sgf, .ogxm, JSON, or as a dossier that opens in any browser."""

import argparse
import sys
from pathlib import Path
from typing import Any

from companion.commands._records import (
    add_match,
    archive_of,
    load_pictures,
    match_named,
    signed_in,
    table_of,
)
from companion.storage.wholefile import write_whole

HELP = "write a match in a format of the field, or as a dossier"
DESCRIPTION = __doc__
LANGUAGES = ("de", "en", "fi", "ja", "tr")
"""The page's languages; its own list is slow to load."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add_match(parser)
    formats = ("mat", "sgf", "ogxm", "json", "zip")
    parser.add_argument("--format", choices=formats, required=True, help="zip is the dossier")
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="of the dossier")
    parser.add_argument("--out", type=Path, metavar="FILE", help="where to; standard output if left out")


def run(args: Any) -> int:
    """Write the match; a dossier or .ogxm without --out goes into a file named after the match."""
    from companion.service.dossier import exported
    from companion.storage.folder import KEY_FILE, place_in
    from companion.storage.signing import signer_of

    with archive_of(args) as archive:
        match_id = match_named(archive, args.match)
        table, rows = table_of(archive, match_id), archive.rows(match_id)
        signed = signed_in(archive, match_id).statements
        signer = signer_of(place_in(archive.folder, KEY_FILE).parent)
    data = exported(args.format, rows, table, load_pictures(args), signed, args.language, signer)
    if args.format == "ogxm" and signer is None:
        print("There is no key of this table that can be read here: the file is not signed.", file=sys.stderr)
    if args.out is not None:
        write_whole(args.out, data)
    elif args.format in ("zip", "ogxm"):
        write_whole(Path(f"{match_id}.{args.format}"), data)
        print(f"{match_id}.{args.format}")
    else:
        sys.stdout.write(data.decode())
    return 0
