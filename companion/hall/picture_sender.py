"""A table's pictures on their way to its hub: those asked for, and those of disputes where the hall wants them."""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from companion.hall.journal_rows import JournalRows
from companion.hall.protocol.messages import decoded
from companion.hall.protocol.outbox import RETRY_S
from companion.hall.protocol.pictures import (
    MOST_JPEG_BYTES,
    MOST_WANTED,
    PictureHead,
    PicturesWanted,
    ThrowAt,
    evidence_of,
    picture_message,
)

TRIES = 3
"""So often a picture is sent after what the hub said last."""


class PictureSender:
    """Says which messages with pictures are due; the table's link sends them.

    Args:
        rows: the table's rows.
        load: the bytes of a picture by its name, None if it is gone.
        gives: whether this table gives its hall pictures at all.
        now_s: monotonic clock in seconds.
    """

    def __init__(
        self,
        rows: JournalRows,
        load: Callable[[str], bytes | None],
        gives: bool = True,
        now_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rows, self._load, self._gives, self._now_s = rows, load, gives, now_s
        self._hub = PicturesWanted()
        self._disputed: ThrowAt | None = None
        self._is_open = False
        self._sent: dict[ThrowAt, tuple[int, float]] = {}  # how often since the hub spoke, and when last

    def connected(self) -> None:
        """Forget what was sent, and what another hub may have wanted."""
        self._hub, self._sent = PicturesWanted(), {}

    def take(self, payload: bytes) -> None:
        """Take what the hub wants now; BadMessageError if it cannot be read."""
        self._hub = decoded(payload, PicturesWanted) if payload else PicturesWanted()
        wanted = {*self._hub.wanted[:MOST_WANTED], self._disputed}
        self._sent = {throw: (0, at_s) for throw, (_, at_s) in self._sent.items() if throw in wanted}

    def due(self, view: Mapping[str, Any] | None) -> Iterator[bytes]:
        """The messages to be sent now, once the hub holds all rows; `view` is the page's state.

        UserError or OSError if the rows cannot be read.
        """
        self._note_dispute(view)
        wanted = dict.fromkeys(self._hub.wanted[:MOST_WANTED])
        if self._hub.disputes and self._gives and self._disputed and self._disputed not in self._hub.kept:
            wanted[self._disputed] = None
        for throw in wanted:
            tries, at_s = self._sent.get(throw, (0, float("-inf")))
            if tries < TRIES and self._now_s() - at_s >= RETRY_S:
                self._sent[throw] = tries + 1, self._now_s()
                yield self._message(throw)

    def _note_dispute(self, view: Mapping[str, Any] | None) -> None:
        """Note the throw of a dispute as it opens: the last one with a picture."""
        was_open, self._is_open = self._is_open, view is not None and view["dispute"] is not None
        if self._is_open and not was_open and view is not None and view["match"]:
            match = view["match"]["id"]
            number = next((row.number for row in reversed(self._rows.of(match)) if evidence_of(row)), None)
            self._disputed = ThrowAt(match, number) if number is not None else None

    def _message(self, throw: ThrowAt) -> bytes:
        head = PictureHead(*throw)
        if not self._gives:
            return picture_message(PictureHead(*throw, missing="kept"))
        row = next((row for row in self._rows.of(throw.match) if row.number == throw.number), None)
        evidence = evidence_of(row) if row else None
        jpeg = self._load(evidence.picture) if evidence and evidence.picture else None
        if not jpeg:
            return picture_message(PictureHead(*throw, missing="gone"))
        if len(jpeg) > MOST_JPEG_BYTES:
            return picture_message(PictureHead(*throw, missing="large"))
        return picture_message(head, jpeg)
