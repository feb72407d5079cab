"""A table's invitation to its hall: broker, names and password, as a JSON file or as one code; pure."""

import base64
import binascii
import secrets
import zlib
from dataclasses import dataclass

from companion.hall.protocol.messages import BadMessageError, decoded, encoded

CODE = "hall1."
"""Begin of a code; the number is that of its form."""
MOST_BYTES = 1 << 15
"""Longest invitation; one with a certificate has some 2 kB."""
PASSWORD_BYTES = 18


@dataclass(frozen=True, slots=True)
class Invitation:
    """What a table needs to be one of a hall's tables.

    Attributes:
        broker: as in `hall.broker`.
        name: of the hall.
        table: of the table, and its user at the broker.
        authority: certificate (PEM) of the broker's authority; "" if the system knows it.
    """

    broker: str
    name: str
    table: str
    password: str
    authority: str = ""

    def as_file(self) -> bytes:
        """The content of a file."""
        return encoded(self) + b"\n"

    def as_code(self) -> str:
        """One word of letters, digits, `-`, `_` and `.`, for a QR code or a terminal."""
        packed = base64.urlsafe_b64encode(zlib.compress(encoded(self), 9))
        return CODE + packed.decode().rstrip("=")


def new_password() -> str:
    """A password for a table, drawn at random."""
    return secrets.token_urlsafe(PASSWORD_BYTES)


def invitation_in(data: bytes) -> Invitation:
    """The invitation in a file's content or in a code; BadMessageError if there is none."""
    data = data.strip()
    if data.startswith(CODE.encode()):
        data = _unpacked(data.removeprefix(CODE.encode()))
    return decoded(data[: MOST_BYTES + 1], Invitation)


def _unpacked(code: bytes) -> bytes:
    try:
        packed = base64.b64decode(code + b"=" * (-len(code) % 4), b"-_", validate=True)
        reader = zlib.decompressobj()
        data = reader.decompress(packed, MOST_BYTES)
    except (binascii.Error, zlib.error):
        raise BadMessageError("The code is damaged or not complete.") from None
    if not reader.eof:
        raise BadMessageError("The code is damaged or not complete.")
    return data
