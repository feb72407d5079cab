"""OGXM files: written and signed by the reference codec, and checked.

A file carries two signatures of the table's key. The format's own (`match_signatures`) says who played what, and any
program of the field can check it; it leaves out clock and annotations. Ours, an annotation, is over the
whole file without itself.
"""

import base64
import binascii
import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.errors import UserError
from companion.records.ogxm.document import PREFIX
from sentence import say

if TYPE_CHECKING:
    from companion.records.ogxm.document import Json

WHOLE = f"{PREFIX}signature"
"""The key of our annotation: public key and signature of the rest of the file, in hexadecimal, with a colon between."""


@dataclass(frozen=True, slots=True)
class Signer:
    """A table's key: the public half in hexadecimal, and the function that signs."""

    key: str
    sign: Callable[[bytes], bytes]


@dataclass(frozen=True, slots=True)
class Checked:
    """A file that was checked.

    Attributes:
        document: as the codec reads it, positions replayed; None if it cannot.
        key: the public key of our signature, in hexadecimal; "" without one.
        problems: what is wrong, a sentence each.
    """

    document: "Json | None"
    key: str = ""
    problems: tuple[str, ...] = ()


def ogxm_bytes(document: "Json", signer: Signer | None, at_ms: int) -> bytes:
    """The file of a document; `at_ms` is the time of signing, ms since 1970 UTC. None as `signer`: unsigned.

    Raises:
        UserError: the codec refuses the document, as it does a match without a turn when it is to be signed.
    """
    try:
        return _written(document, signer, at_ms)
    except RuntimeError as error:  # the codec's; its signing functions raise no class of their own
        raise UserError(say("No .ogxm can hold this match as it stands; export it as json.")) from error


def _written(document: "Json", signer: Signer | None, at_ms: int) -> bytes:
    import ogxm
    from ogxm.signature import match_payload

    if signer is None:
        return bytes(ogxm.json_to_binary(document))
    named = {
        "algorithm": "ed25519",
        "key_id": hashlib.sha256(bytes.fromhex(signer.key)).hexdigest()[:16],
        "signed_at": at_ms // 1000,
        "public_key": _base64(bytes.fromhex(signer.key)),
        "signature": _base64(bytes(64)),
    }
    document = document | {"match_signatures": [named]}
    named["signature"] = _base64(signer.sign(match_payload(document, 0)))
    whole = signer.sign(ogxm.json_to_binary(document)).hex()
    notes = sorted([_note(f"{signer.key}:{whole}"), *document["annotations"]], key=_place)
    return bytes(ogxm.json_to_binary(document | {"annotations": notes}))


def checked(data: bytes, holds: Callable[[str, str, bytes], bool], key: str | None = None) -> Checked:
    """Check a file.

    Args:
        data: its bytes.
        holds: whether a public key's signature, both in hexadecimal, is over these bytes.
        key: the public key that has to have signed, in hexadecimal; None: any.
    """
    import ogxm

    try:
        document = ogxm.binary_to_json(data)
        same = ogxm.json_to_binary(document) == data
    except (ogxm.OgxmError, ValueError) as error:
        return Checked(None, problems=(f"It is damaged, or no .ogxm file ({error}).",))
    if not document.get("replay_complete"):
        return Checked(document, problems=("Its plays cannot be replayed.",))
    notes = document.get("annotations", [])
    given = next((note for note in notes if note["key"] == WHOLE), None)
    found, _, signature = given["value"].partition(":") if given else ("", "", "")
    if given != _note(f"{found}:{signature}"):
        return Checked(document, problems=("It is not signed by a board companion.",))
    rest = document | {"annotations": [note for note in notes if note["key"] != WHOLE]}
    problems = []
    if not same or not holds(found, signature, ogxm.json_to_binary(rest)):
        problems.append("Its signature does not hold: it has been altered.")
    if not ogxm.verify_match(data, 0, [_bytes_of(found)]):
        problems.append("The signature over its match does not hold.")
    if key not in (None, found):
        problems.append(f"It is signed with another key than the table's: {found}.")
    return Checked(document, found, tuple(problems))


def _note(value: str) -> "Json":
    """Our signature as an annotation."""
    return {"key": WHOLE, "scope": "match", "ref": 0, "value": value}


def _place(note: "Json") -> tuple[bool, int, str]:
    """The order of annotations in a file: those of the match first, then by ply and key."""
    return note["scope"] != "match", note["ref"], note["key"]


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _bytes_of(text: str) -> bytes:
    """The bytes of a hexadecimal text; none if it is not one."""
    try:
        return binascii.unhexlify(text)
    except ValueError:
        return b""
