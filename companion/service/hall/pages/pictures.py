"""The pictures that the hub has, for its pages, and asking the tables for more."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.hall.protocol.pictures import ThrowAt, evidence_of
from companion.hall.record.picture_list import CAME, WAITING
from companion.hall.record.store import Store
from companion.service.hall.pages.matches import parts_of
from companion.service.hall.pages.rulings import LOOK_S, PATIENCE_S
from companion.settings import HallSettings
from sentence import NOTHING, Sentence, say
from web.roles import Visitor

_MISSING = {
    "gone": say("The table does not have this picture any more."),
    "large": say(
        "The picture is too large for the hall, or its match has too many; look at it at the table."
    ),
    "kept": say("This table gives its hall no pictures; look at them at the table."),
}
_OPEN = say("The table has not answered yet; the picture comes as soon as it does.")


class HallPictures:
    """Pictures of throws; callable from any thread.

    Args:
        store: the hall's record.
        settings: those of the hall.
        changed: called after each change of what is wanted.
        now_ms: wall clock.
        patience_s: longest wait for a picture.
    """

    def __init__(
        self,
        store: Store,
        settings: HallSettings,
        changed: Callable[[], None] = lambda: None,
        now_ms: Callable[[], int] = lambda: round(time.time() * 1000),
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._store, self._pictures, self._changed = store, store.pictures, changed
        self._now_ms, self._patience_s = now_ms, patience_s
        self._may_ask = settings.pictures != "never"
        self.for_spectators = settings.pictures_for_spectators

    def here(self, match: str) -> Sequence[int]:
        """The throws of a match whose pictures are here."""
        return self._pictures.numbers(*parts_of(match))

    def taken(self, match: str) -> Sequence[int]:
        """The throws of a match of which its table has taken pictures."""
        return [row.number for row in self._store.rows(*parts_of(match)) if evidence_of(row)]

    def asked(self, match: str) -> Sequence[Mapping[str, Any]]:
        """What was asked for of a match, newest first."""
        words: Mapping[str, str | Sentence] = {WAITING: "waiting", CAME: "came", **_MISSING}
        return [
            {"number": one.number, "by": one.by, "answer": words[one.answer]}
            for one in self._pictures.asked(*parts_of(match))
        ]

    def load(self, match: str, number: int) -> bytes | None:
        """A picture; None if there is none here."""
        board, name = parts_of(match)
        return self._pictures.load(board, ThrowAt(name, number))

    def ask(self, visitor: Visitor, match: str, number: int) -> Sentence:
        """Ask the table for a picture, and wait shortly for it."""
        if not self._may_ask:
            return say("This hall has no pictures of its tables.")
        taken = self.taken(match)
        number = number or max(taken, default=0)
        if number not in taken:
            return say("There is no throw with a picture.")
        board, name = parts_of(match)
        if number in self.here(match):
            return NOTHING
        if not self._pictures.ask(board, ThrowAt(name, number), visitor.label, self._now_ms()):
            return say("Too much waits for this table’s answer already.")
        self._changed()
        return self._awaited(match, number)

    def _awaited(self, match: str, number: int) -> Sentence:
        until_s = time.monotonic() + self._patience_s
        while (answer := self._answer(match, number)) == WAITING:
            if time.monotonic() >= until_s:
                return _OPEN
            time.sleep(LOOK_S)
        return _MISSING.get(answer, NOTHING)

    def _answer(self, match: str, number: int) -> str:
        return next(one.answer for one in self._pictures.asked(*parts_of(match)) if one.number == number)

    def delete(self, match: str) -> None:
        """Delete the pictures of a match."""
        self._pictures.delete(*parts_of(match))
        self._changed()
