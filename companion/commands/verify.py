"""`companion verify`: is the record of a match, of all, or in a dossier (FILE.zip) as it was written?"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands import _records as records
from companion.commands._options import folder_of
from companion.errors import UserError
from companion.records.rows import date_of

if TYPE_CHECKING:
    from companion.service.dossier import Shot
    from companion.storage.archive import Archive

HELP = "find any altered, missing or cut row of the record"
DESCRIPTION = __doc__


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    records.add_match(parser, optional=True)
    parser.add_argument("--head", metavar="HASH", help="the record's head as printed on the score sheet")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: Any) -> int:
    """Print the problems; returns 0 if there is none, else 1."""
    if args.head is not None and args.match is None:
        raise UserError("A head belongs to one match: name it.")
    if args.match is not None and args.match.endswith(".zip"):
        return _show(_verified_dossier(args), args)
    if args.match is None and records.is_fresh(args):
        result: dict[str, Any] = {"match": None, "problems": [], "heads": {}, "pictures": _number_of([])}
        print(json.dumps(result) if args.json else records.NONE_YET)
        return 0
    return _show(_verified(args), args)


def _show(result: dict[str, Any], args: Any) -> int:
    if args.json:
        print(json.dumps(result, ensure_ascii=False))
    else:
        print("\n".join(result["problems"] or in_words(result)))
    return 1 if result["problems"] else 0


def _verified(args: Any) -> dict[str, Any]:
    """The result of the check, as JSON; pictures are only checked where the rows hold."""
    from companion.storage.archive import verify, verify_all
    from companion.storage.deletions import deletions_in
    from companion.storage.recovery import check_place

    check_place(folder_of(args))
    with records.archive_of(args) as archive:
        deleted = [asdict(one) for one in deletions_in(archive.folder) if args.match in (None, one.deleted)]
        if args.match is None:
            match_id, problems = None, list(verify_all(archive))
        elif deleted:
            raise UserError(_deleted_in_words(deleted[-1]))
        else:
            match_id = records.match_named(archive, args.match, unreadable_too=True)
            problems = verify(archive, match_id, args.head)
        every = archive.matches(counted=False)
        meant = [match for match in every if match.events and match_id in (None, match.match_id)]
        heads = {match.match_id: match.head for match in meant}
        states: list[str] = []
        if not problems:
            problems, states = _pictures(archive, args, list(heads))
    checked = {"match": match_id, "problems": problems, "heads": heads, "pictures": _number_of(states)}
    return checked | ({"deleted": deleted} if deleted else {})


def _deleted_in_words(deletion: dict[str, Any]) -> str:
    """When and by whom a match was deleted."""
    return f"Match {deletion['deleted']} was deleted on {date_of(deletion['at_ms'])} by a {deletion['by']}."


def _verified_dossier(args: Any) -> dict[str, Any]:
    """The result of the check of a dossier, as JSON; of its own, whatever the state folder has."""
    from companion.service.dossier import verify_dossier

    rows, problems, shots = verify_dossier(Path(args.match), args.head)
    match_id, heads = (rows[0].match_id, {rows[0].match_id: rows[-1].digest}) if rows else (None, {})
    problems += _changed(shots)
    pictures = _number_of([shot.state for shot in shots])
    return {"match": match_id, "problems": problems, "heads": heads, "pictures": pictures}


def _changed(shots: "Sequence[Shot]") -> list[str]:
    changed = [shot for shot in shots if shot.state == "changed"]
    return [f"The picture {shot.kept} of event {shot.number} has been changed." for shot in changed]


def _pictures(archive: "Archive", args: Any, matches: list[str]) -> tuple[list[str], list[str]]:
    """Problems of the pictures, and the state of each; a picture deleted by the quota is no problem."""
    from companion.service.dossier import shots_of

    load = records.load_pictures(args)
    shots = [shot for name in matches for shot in shots_of(records.table_of(archive, name), load)]
    return _changed(shots), [shot.state for shot in shots]


def _number_of(states: list[str]) -> dict[str, int]:
    return {state: states.count(state) for state in ("there", "gone", "changed")}


def in_words(result: dict[str, Any]) -> list[str]:
    """The lines of a result without problems."""
    lines = [
        f"{match_id}: the record holds; its head is {head}." for match_id, head in result["heads"].items()
    ]
    lines += [f"{_deleted_in_words(one)} The chain goes on through it." for one in result.get("deleted", ())]
    pictures = result["pictures"]
    return [*lines, f"Pictures: {pictures['there']} there, {pictures['gone']} gone by the quota."]
