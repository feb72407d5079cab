"""The dossier of a match, and every format in which a match is exported.

The dossier is for a ruling committee and needs nothing but a browser: an HTML index with the score sheet and every
event in order, the rows of the record with their chain, the match in the field's formats, and the picture of each roll.
"""

import io
import json
import time
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.errors import GameError, UserError
from companion.game.state_machine import fold
from companion.game.table import Table
from companion.records.export import json_text, mat_text, sgf_text
from companion.records.ogxm.document import fits_mat
from companion.records.rows import Row, canonical, event_of, problems_of
from companion.service.dossier_page import Pictures, Shot, index_html, shots_of
from companion.storage.errors import reported_as
from companion.storage.signing import Signed, Statement, statements_of
from sentence import say

if TYPE_CHECKING:
    from companion.records.ogxm.signed import Signer

_README = """This is the dossier of one backgammon match, kept by a board companion.

index.html    everything in order, with the pictures; open it in a browser
events.json   the record: each row with the digest of the row before it
{further}
The record's head, the digest of its last row, is
  {head}
A row's digest is SHA-256 over the JSON list [match, number, at_ms, kind, body, previous], written without blanks, in
UTF-8. The body in it is a text: the row's body as JSON, keys sorted, without blanks. In Python, in this folder:

    import hashlib, json

    def text(value):
        return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    record = json.load(open("events.json", encoding="utf-8"))
    previous = record["rows"][0]["previous"]
    for row in record["rows"]:
        parts = [record["match"], row["number"], row["at_ms"], row["kind"], text(row["body"]), previous]
        previous = hashlib.sha256(text(parts).encode()).hexdigest()
        print(row["number"], previous == row["digest"])
    print("head", previous == record["head"])

What the table signed with its key (Ed25519) is in events.json as well. With the package cryptography:

    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    heads = [row["digest"] for row in record["rows"]]
    for one in record["signed"]:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(one["key"]))
        key.verify(bytes.fromhex(one.pop("signature")), text(one).encode())  # fails where it does not hold
        if one["about"] == "match":
            print("signed", heads[one["number"] - 1] == one["head"])

A signature shows which key signed: compare it with a key that left the table before, on a printed score sheet, say.
`companion verify FILE.zip --key KEY` checks all this and the pictures, whose digests are in their events. The pages and
match files beside them are made from the record and not checked.
"""
_FOR_PROGRAMS = """\
match.mat     the match for GNU Backgammon and other programs
match.sgf     the same with everything that a .mat file cannot say
"""
_SHOTS = "pictures/     the board at each roll, by game and roll\n"
_MOST_BYTES = 512 << 20
"""Most bytes that a dossier to be checked may unpack to; a long match with pictures has some 50 MB."""


def dossier(
    rows: Sequence[Row], table: Table, pictures: Pictures, signed: Sequence[Statement], language: str
) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file of the dossier."""
    shots = shots_of(table, pictures)
    yield "index.html", index_html(rows, table, shots, signed, language).encode()
    yield "events.json", _json_text(rows, table, shots, signed).encode()
    fits = table.state is not None and fits_mat(table.state)
    if fits:
        yield "match.mat", mat_text(table).encode()
        yield "match.sgf", sgf_text(table).encode()
    there = any(shot.state != "gone" for shot in shots)
    further = (_FOR_PROGRAMS if fits else "") + (_SHOTS if there else "")
    yield "README.txt", _README.format(head=rows[-1].digest, further=further).encode()
    for shot in shots:
        data = pictures(shot.kept)
        if data is not None:
            yield shot.name, data


def _json_text(rows: Sequence[Row], table: Table, shots: Sequence[Shot], signed: Sequence[Statement]) -> str:
    """The record as JSON, with the statements about it, about keys, and about pictures of it."""
    kept = {shot.kept for shot in shots}
    ours = [one.as_json() for one in signed if one.about != "pictures" or kept & {*one.pictures}]
    return json_text(rows, table, ours)


def read_dossier(file: Path) -> tuple[list[Row], str, list[Statement], dict[str, bytes]]:
    """The rows of a dossier, unchecked, its head, the statements in it, unchecked, and its files by name.

    UserError if it is no dossier.
    """
    text = f"{file} is no dossier of ours, or a damaged one."
    with reported_as(UserError, f"The dossier {file} cannot be read: {{why}}."):
        if file.exists() and not file.is_file():  # a pipe or a device may never end
            raise UserError(f"The dossier {file} cannot be read: it is no file.")
        try:
            with zipfile.ZipFile(file) as archive:
                members = archive.infolist()
                names = {member.filename for member in members}
                if sum(member.file_size for member in members) > _MOST_BYTES or len(names) < len(members):
                    raise UserError(text)
                files = {name: archive.read(name) for name in names}
            told = json.loads(files["events.json"])
            rows = [_row_of(told["match"], row) for row in told["rows"]]
            return rows, str(told["head"]), statements_of(told.get("signed", [])), files
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            raise UserError(text) from error
        except (ValueError, KeyError, TypeError) as error:  # its events are none
            raise UserError(text) from error


def _row_of(match_id: Any, row: dict[str, Any]) -> Row:
    body = canonical(row["body"])
    return Row(match_id, row["number"], row["at_ms"], row["kind"], body, row["previous"], row["digest"])


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of the check of a dossier: its rows, its problems, a sentence each, its pictures, what is signed."""

    rows: Sequence[Row]
    problems: list[str]
    shots: Sequence[Shot] = ()
    signed: Signed = field(default_factory=lambda: Signed(()))


def verify_dossier(file: Path, head: str | None = None, key: str | None = None) -> Checked:
    """Check a dossier by itself; UserError if it is no dossier.

    Args:
        file: the dossier.
        head: digest of the last row as on the score sheet.
        key: the table's public key as on the score sheet; None: any.
    """
    rows, own_head, statements, files = read_dossier(file)
    problems = problems_of(rows, head or own_head)
    if problems or not rows:
        return Checked(rows, problems or ["The record is empty."])
    try:
        table = fold(map(event_of, rows))
    except GameError as error:
        return Checked(rows, [f"The record cannot be replayed: {error}"])
    names = {shot.kept: shot.name for shot in shots_of(table, lambda kept: None)}
    shots = shots_of(table, lambda kept: files.get(names[kept]))
    held = [one for one in statements if one.holds]
    signed = Signed(held, len(statements) - len(held), key)
    return Checked(rows, signed.problems(rows, ended=False), shots, signed)


def exported(
    kind: str,
    rows: Sequence[Row],
    table: Table,
    pictures: Pictures,
    signed: Sequence[Statement] = (),
    language: str = "en",
    signer: "Signer | None" = None,
) -> bytes:
    """The match in one of the formats.

    Args:
        kind: "mat", "sgf", "ogxm", "json", or "zip" for the dossier.
        rows: the record as stored.
        table: the table that the rows lead to; it has a state.
        pictures: gives the bytes of a picture by its name, None if it is gone.
        signed: what the table has signed about the match, keys and pictures.
        language: of the dossier's index page.
        signer: the table's key, for "ogxm"; None: unsigned.

    Raises:
        UserError: the format cannot hold such a match.
    """
    assert table.state is not None
    profile = table.state.terms.profile
    if kind in ("mat", "sgf") and profile.start[25] > 0:
        title = table.state.title
        raise UserError(say("No .{kind} can hold {title}; export it as json or zip.", kind=kind, title=title))
    if kind in ("mat", "sgf") and not table.state.fits_files:
        raise UserError(
            say("No other program’s file can hold {title}; export it as json.", title=table.state.title)
        )
    if kind == "mat":
        return mat_text(table).encode()
    if kind == "sgf":
        return sgf_text(table).encode()
    if kind == "ogxm":
        from companion.records.ogxm.document import document
        from companion.records.ogxm.signed import ogxm_bytes

        return ogxm_bytes(document(table), signer, time.time_ns() // 1_000_000)
    if kind == "json":
        return (_json_text(rows, table, shots_of(table, pictures), signed) + "\n").encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in dossier(rows, table, pictures, signed, language):
            # pictures are compressed already
            how = zipfile.ZIP_STORED if name.endswith(".jpg") else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, how)
    return out.getvalue()
