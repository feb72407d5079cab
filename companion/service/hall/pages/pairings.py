"""The hall's pairings for the director's page: taken from a list, given to tables, with their results."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from companion.errors import GameError, UserError
from companion.hall.protocol.pairings import pairings_in
from companion.hall.record.pairing_list import USUAL, Paired
from companion.hall.record.store import Store, StoreError
from companion.service.hall.pages.matches import HallMatches
from sentence import NOTHING, Sentence, say

CHANGED = say("This pairing has changed in the meantime; look at the list again.")


class HallPairings:
    """The pairings; callable from any thread.

    Args:
        store: the hall's record.
        matches: those of the record.
        tables: names the tables that were invited.
        profiles: names of the rules.
        changed: called after each change.
        writer: opens the record by another connection, in which a list is taken as a whole.
    """

    def __init__(
        self,
        store: Store,
        matches: HallMatches,
        tables: Callable[[], Sequence[str]],
        profiles: Iterable[str],
        changed: Callable[[], None] = lambda: None,
        writer: Callable[[], AbstractContextManager[Store]] | None = None,
    ) -> None:
        self._pairings, self._matches, self._tables = store.pairings, matches, tables
        self._profiles, self._changed = tuple(profiles), changed
        self._writer = writer or (lambda: nullcontext(store))

    def all(self) -> list[Mapping[str, Any]]:
        """All pairings in the order of their lists, each with `about`, its match as in the list of matches, or None."""
        return [self._as_json(one) for one in self._pairings.all()]

    def take(self, text: str) -> Sentence:
        """Take a list of pairings; a sentence why not, else an empty one."""
        return self._done(lambda: self._take(text))

    def _take(self, text: str) -> None:
        found = pairings_in(text, self._tables(), self._profiles, self._pairings.waiting())
        with self._writer() as record:
            record.pair(found)

    def give(self, pairing: str, table: str) -> Sentence:
        """Give a pairing to a table, or to none; a sentence why not, else an empty one."""
        if table and table not in self._tables():
            return say("No table “{table}” was invited.", table=table)
        if not self._pairings.has(pairing):
            return CHANGED
        return self._done(lambda: self._pairings.give(pairing, table))

    def drop(self, pairing: str) -> Sentence:
        """Delete a pairing; a sentence why not, else an empty one."""
        if not self._pairings.has(pairing):
            return CHANGED
        return self._done(lambda: self._pairings.drop(pairing))

    def _done(self, act: Callable[[], None]) -> Sentence:
        try:
            act()
        except StoreError:
            raise  # the database is away: that is no fault of what was asked
        except (GameError, UserError) as error:
            return error.sentence
        self._changed()
        return NOTHING

    def _as_json(self, one: Paired) -> Mapping[str, Any]:
        length = None if one.length == USUAL else one.length
        about = self._matches.about(f"{one.board}.{one.match}", None) if one.match else None
        return {**one._asdict(), "length": length, "about": about}
