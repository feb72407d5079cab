"""Pictures of throws: which of them the hub wants, and the message that brings one; pure."""

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal, NamedTuple

from companion.errors import GameError
from companion.game.events import Evidence, Thrown
from companion.hall.protocol.messages import BadMessageError, decoded, encoded
from companion.records.rows import Row, event_of

PicturesWord = Literal["never", "asked", "disputes"]
"""When a hall has pictures: never, when its director asks for one, and without being asked with each dispute."""
MOST_JPEG_BYTES = 2 << 20
"""Limit of a picture; the board in a picture of 12 megapixels has some 1.5 MB."""
MOST_WANTED = 8
"""Pictures that a table is asked for at once."""
_MOST_HEAD_BYTES = 1000
_JPEG = re.compile(rb"\xff\xd8\xff.*\xff\xd9", re.DOTALL)


class ThrowAt(NamedTuple):
    """A throw in a table's record, by its match and the number of its event."""

    match: str
    number: int


@dataclass(frozen=True, slots=True)
class PicturesWanted:
    """What the hub wants of a table's pictures.

    Attributes:
        wanted: those that its director has asked for and that have not come.
        disputes: the table sends that of each dispute by itself.
        kept: the last ones that the hub has.
    """

    wanted: tuple[ThrowAt, ...] = ()
    disputes: bool = False
    kept: tuple[ThrowAt, ...] = ()


@dataclass(frozen=True, slots=True)
class PictureHead:
    """What a table says of a picture, on the first line of the message; the JPEG follows.

    Attributes:
        match, number: of its throw.
        missing: why no picture follows: it is not on the table's disk, too large, or the table keeps its pictures.
    """

    match: str
    number: int
    missing: Literal["", "gone", "large", "kept"] = ""

    @property
    def throw(self) -> ThrowAt:
        """The throw."""
        return ThrowAt(self.match, self.number)


def picture_message(head: PictureHead, jpeg: bytes = b"") -> bytes:
    """The message that brings a picture."""
    return encoded(head) + b"\n" + jpeg


def picture_in(payload: bytes) -> tuple[PictureHead, bytes]:
    """What a message says of a picture, and the JPEG, empty if it is missing; BadMessageError for anything else."""
    line, _, jpeg = payload[: _MOST_HEAD_BYTES + 1].partition(b"\n")
    if len(line) > _MOST_HEAD_BYTES:
        raise BadMessageError("A picture does not say of which throw it is.")
    head, jpeg = decoded(line, PictureHead), payload[len(line) + 1 :]
    if len(jpeg) > MOST_JPEG_BYTES:
        raise BadMessageError(f"A picture has more than {MOST_JPEG_BYTES} bytes.")
    if bool(jpeg) == bool(head.missing) or (jpeg and not _JPEG.fullmatch(jpeg)):
        raise BadMessageError("A picture is no JPEG.")
    return head, jpeg


def evidence_of(row: Row) -> Evidence | None:
    """The evidence of a row that is a throw with a picture; None for any other row."""
    if row.kind != Thrown.__name__:
        return None
    try:
        event = event_of(row)
    except GameError:
        return None
    if not isinstance(event, Thrown) or event.evidence.picture is None or event.evidence.sha256 is None:
        return None
    return event.evidence


def is_picture_of(row: Row, jpeg: bytes) -> bool:
    """Whether these are the very bytes whose digest a throw's row has."""
    evidence = evidence_of(row)
    return evidence is not None and sha256(jpeg).hexdigest() == evidence.sha256
