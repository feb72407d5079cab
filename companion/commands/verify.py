"""`companion verify`: is a record (a match, all, FILE.zip, FILE.ogxm) as it was written and signed?"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands import _records as records
from companion.commands._options import folder_of
from companion.errors import UserError
from companion.records.rows import date_of

if TYPE_CHECKING:
    from companion.records.rows import Row
    from companion.service.dossier_page import Shot
    from companion.storage.archive import Archive
    from companion.storage.signing import Signed

HELP = "find any altered, missing or cut row of the record"
DESCRIPTION = __doc__


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    records.add_match(parser, optional=True)
    parser.add_argument("--head", metavar="HASH", help="the record's head as printed on the score sheet")
    parser.add_argument(
        "--key", metavar="KEY", help="the table's key as printed on the score sheet; else the state folder's"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object")


def run(args: Any) -> int:
    """Print the problems; returns 0 if there is none, else 1."""
    if args.head is not None and args.match is None:
        raise UserError("A head belongs to one match: name it.")
    if args.key is not None and not re.fullmatch("[0-9a-f]{64}", args.key):
        raise UserError("A key is 64 digits 0 to 9 and a to f, as on the score sheet.")
    if args.match is not None and args.match.endswith(".zip"):
        return _show(_verified_dossier(args), args)
    if args.match is not None and args.match.endswith(".ogxm"):
        return _show(_verified_ogxm(args), args)
    if args.match is None and records.is_fresh(args):
        result: dict[str, Any] = {
            "match": None,
            "problems": [],
            "heads": {},
            "pictures": _number_of(Counter()),
        }
        print(json.dumps(result) if args.json else records.NONE_YET)
        return 0
    return _show(_verified(args), args)


_EMPTY: dict[str, Any] = {"match": None, "problems": [], "heads": {}, "signed": []}


def _show(result: dict[str, Any], args: Any) -> int:
    if args.json:
        print(json.dumps(result, ensure_ascii=False))
    else:
        print("\n".join(result["problems"] or in_words(result)))
    return 1 if result["problems"] else 0


def _verified(args: Any) -> dict[str, Any]:
    """The result of the check, as JSON; signatures and pictures are only checked where the rows hold."""
    from companion.storage.archive import deletions_in, verify, verify_all
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
        order = [match.match_id for match in archive.matches(counted=False) if match.events]
        meant = [name for name in order if match_id in (None, name)]
        result: dict[str, Any] = {"match": match_id, "problems": problems, "heads": {}, "signed": []}
        states: Counter[str] = Counter()
        signed = records.signed_in(archive, match_id, args.key)
        if signed.bad:
            problems.append(f"Lines of the list of signatures that do not hold: {signed.bad}.")
        if not problems:
            for name in meant:
                states += _check_match(archive, args, result, signed, order, name)
        else:
            entries = archive.matches(counted=False)
            result["heads"] = {one.match_id: one.head for one in entries if one.match_id in meant}
    checked = {**result, "key": signed.key, "pictures": _number_of(states)}
    return checked | ({"deleted": deleted} if deleted else {})


def _deleted_in_words(deletion: dict[str, Any]) -> str:
    """When and by whom a match was deleted."""
    return f"Match {deletion['deleted']} was deleted on {date_of(deletion['at_ms'])} by a {deletion['by']}."


def _check_match(
    archive: "Archive", args: Any, result: dict[str, Any], signed: "Signed", order: Sequence[str], name: str
) -> Counter[str]:
    """Add head, signature and problems of a match whose rows hold to the result; returns its pictures by state."""
    from companion.game.state import GameOver, MatchOver
    from companion.service.dossier_page import shots_of

    rows = archive.rows(name)
    covered, shots = signed.covers(rows, order), []
    problems = signed.problems(rows, ended=False)
    if not problems:  # else it may be one that cannot be replayed
        table = records.table_of(archive, name)
        over = table.state is not None and isinstance(table.state.phase, (GameOver, MatchOver))
        problems = signed.problems(rows, ended=covered and (over or name != order[-1]))
        shots = shots_of(table, records.load_pictures(args))
        problems += _picture_problems(shots, signed, covered)
    prefix = "" if result["match"] else f"Match {name}: "
    result["problems"] += [f"{prefix}{problem}" for problem in problems]
    _add_head(result, rows, signed)
    return _states_of(shots, signed, covered)


def _verified_dossier(args: Any) -> dict[str, Any]:
    """The result of the check of a dossier, as JSON; of its own, whatever the state folder has."""
    from companion.service.dossier import verify_dossier

    checked = verify_dossier(Path(args.match), args.head, args.key)
    rows, signed, problems = checked.rows, checked.signed, checked.problems
    result: dict[str, Any] = {"match": None, "problems": problems, "heads": {}, "signed": []}
    if signed.bad:
        problems.append(f"Signatures in the dossier that do not hold: {signed.bad}.")
    covered = False
    if rows:
        result["match"] = rows[0].match_id
        covered = signed.covers(rows, [rows[0].match_id])
        if args.key is not None and not signed.about(rows[0].match_id):
            problems.append("Nothing in the dossier is signed with this key.")
        _add_head(result, rows, signed)
    problems += _picture_problems(checked.shots, signed, covered)
    return {**result, "key": args.key, "pictures": _number_of(_states_of(checked.shots, signed, covered))}


def _verified_ogxm(args: Any) -> dict[str, Any]:
    """The result of the check of an OGXM file, as JSON; of its own, whatever the state folder has."""
    from companion.records.ogxm.document import PREFIX
    from companion.records.ogxm.signed import checked
    from companion.storage.errors import reported_as
    from companion.storage.signing import holds

    if args.head is not None:
        raise UserError("An .ogxm carries no head; check it with --key.")
    with reported_as(UserError, f"{args.match} cannot be read: {{why}}."):
        found = checked(Path(args.match).read_bytes(), holds, args.key)
    notes = (found.document or {}).get("annotations", [])
    match_id = next((note["value"] for note in notes if note["key"] == f"{PREFIX}match"), None)
    result: dict[str, Any] = {"match": match_id, "problems": list(found.problems), "heads": {}, "signed": []}
    return {**result, "file": args.match, "key": found.key or None, "pictures": _number_of(Counter())}


def _add_head(result: dict[str, Any], rows: "Sequence[Row]", signed: "Signed") -> None:
    """Add the head of a match, and the newest statement about it, to the result."""
    match_id = rows[0].match_id
    result["heads"][match_id] = rows[-1].digest
    about = signed.about(match_id)
    last = about[-1] if about else None
    result["signed"].append(
        {
            "match": match_id,
            "events": len(rows),
            "number": last and last.number,
            "key": last and last.key,
            "at_ms": last and last.at_ms,
            "late": last and last.late,
        }
    )


def _state_of(shot: "Shot", signed: "Signed", covered: bool) -> str:
    """The state of a picture: one that is gone was `removed` by the quota, is `missing`, or just `gone`."""
    if shot.state != "gone":
        return shot.state
    if shot.kept in signed.removed:
        return "removed"
    return "missing" if covered else "gone"


def _states_of(shots: "Sequence[Shot]", signed: "Signed", covered: bool) -> Counter[str]:
    return Counter(_state_of(shot, signed, covered) for shot in shots)


def _picture_problems(shots: "Sequence[Shot]", signed: "Signed", covered: bool) -> list[str]:
    texts = {
        "changed": "The picture {kept} of event {number} has been changed.",
        "missing": "The picture {kept} of event {number} is missing, and the quota did not remove it.",
    }
    states = [(shot, _state_of(shot, signed, covered)) for shot in shots]
    return [
        texts[state].format(kept=shot.kept, number=shot.number) for shot, state in states if state in texts
    ]


def _number_of(states: Counter[str]) -> dict[str, int]:
    """Numbers of pictures; `gone` are all that are no problem, `removed` those of them that the quota removed."""
    found = {state: states[state] for state in ("there", "changed", "missing", "removed")}
    return {**found, "gone": states["gone"] + states["removed"]}


def in_words(result: dict[str, Any]) -> list[str]:
    """The lines of a result without problems."""
    if "file" in result:
        return [f"{result['match']}: the file is as it was signed, with the key {result['key']}."]
    lines = []
    for signed in result["signed"]:
        match_id = signed["match"]
        lines.append(f"{match_id}: the record holds; its head is {result['heads'][match_id]}.")
        lines.append(f"{match_id}: {_signed_words(signed, result['key'])}")
    lines += [f"{_deleted_in_words(one)} The chain goes on through it." for one in result.get("deleted", ())]
    pictures = result["pictures"]
    unknown = pictures["gone"] - pictures["removed"]
    line = f"Pictures: {pictures['there']} there, {pictures['gone']} gone"
    line += f", {pictures['removed']} of them removed by the quota." if pictures["removed"] else "."
    if unknown:
        line += f" The record cannot show whether the quota or somebody removed {unknown} of them."
    return [*lines, line]


def _signed_words(signed: dict[str, Any], key: str | None) -> str:
    if signed["number"] is None:
        return "it is not signed; a table signs at the end of each game."
    whole = signed["number"] == signed["events"]
    part = "signed" if whole else f"signed up to event {signed['number']} of {signed['events']}"
    whose = "the table's key" if key == signed["key"] else "a key to be compared with the score sheet"
    late = ", at a start after it" if signed["late"] else ""
    return f"{part}{late} with {whose}, {signed['key']}."
