"""`companion verify`: is the record of a match, or of all, as it was written?"""

import argparse
import json
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.commands._records import (
    NONE_YET,
    add_match,
    add_where,
    archive_of,
    folder_of,
    is_fresh,
    match_named,
)

if TYPE_CHECKING:
    from companion.storage.archive import Archive


def add(subparsers: Any) -> None:
    """Add the command to the command line."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "verify", help="find any altered, missing or cut row of the record", description=__doc__
    )
    add_match(parser, optional=True)
    add_where(parser)
    parser.add_argument("--head", metavar="HASH", help="the record's head as printed on the score sheet")
    parser.add_argument("--json", action="store_true", help="one JSON object")
    parser.set_defaults(run=run)


def run(args: Any) -> int:
    """Print the problems; returns 0 if there is none, else 1."""
    from companion.errors import UserError
    from companion.storage.archive import verify, verify_all
    from companion.storage.recovery import check_place

    if args.head is not None and args.match is None:
        raise UserError("A head belongs to one match: name it.")
    none: dict[str, int] = {"there": 0, "gone": 0, "changed": 0}
    if args.match is None and is_fresh(args):
        result: dict[str, Any] = {"match": None, "problems": [], "heads": {}, "pictures": none}
        print(json.dumps(result) if args.json else NONE_YET)
        return 0
    check_place(folder_of(args))
    with archive_of(args) as archive:
        match_id = None if args.match is None else match_named(archive, args.match, unreadable_too=True)
        problems = list(verify_all(archive)) if match_id is None else verify(archive, match_id, args.head)
        every = archive.matches(counted=False)
        meant = [match for match in every if match.events and match_id in (None, match.match_id)]
        heads = {match.match_id: match.head for match in meant}
        pictures = none
        if not problems:
            problems, pictures = _pictures(archive, args, list(heads))
    if args.json:
        result = {"match": match_id, "problems": problems, "heads": heads, "pictures": pictures}
        print(json.dumps(result, ensure_ascii=False))
    else:
        _print(problems, heads, pictures)
    return 1 if problems else 0


def _pictures(archive: "Archive", args: Any, matches: list[str]) -> tuple[list[str], dict[str, int]]:
    """Problems of the pictures, and their number by state; a picture deleted by the quota is no problem."""
    from companion.commands._records import table_of
    from companion.service.dossier import shots_of
    from companion.storage.folder import PICTURES, place_in
    from companion.storage.pictures import load_picture

    folder = place_in(folder_of(args), PICTURES)
    problems, counted = [], {"there": 0, "gone": 0, "changed": 0}
    for match_id in matches:
        for shot in shots_of(table_of(archive, match_id), partial(load_picture, folder)):
            counted[shot.state] += 1
            if shot.state == "changed":
                problems.append(f"The picture {shot.kept} of event {shot.number} has been changed.")
    return problems, counted


def _print(problems: list[str], heads: dict[str, str], pictures: dict[str, int]) -> None:
    for problem in problems:
        print(problem)
    if not problems:
        for match_id, head in heads.items():
            print(f"{match_id}: the record holds; its head is {head}.")
        print(f"Pictures: {pictures['there']} there, {pictures['gone']} gone by the quota.")
