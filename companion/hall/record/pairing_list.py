"""The hall's pairings in its database: which table plays what, and the match that each became."""

import secrets
from collections.abc import Iterable
from typing import NamedTuple

from companion.hall.protocol.pairings import Offer, Pairing
from companion.hall.record.databases import Database
from companion.records.match_ids import original_of

PAIRINGS = (
    "CREATE TABLE IF NOT EXISTS pairing (id TEXT PRIMARY KEY, ordinal BIGINT NOT NULL, round TEXT NOT NULL, "
    "board TEXT NOT NULL, south TEXT NOT NULL, north TEXT NOT NULL, length BIGINT NOT NULL, rules TEXT NOT NULL, "
    "event TEXT NOT NULL, match TEXT NOT NULL)",
)
_LINE = "id, round, board, south, north, length, rules, event, match"
USUAL = -1
"""Stands for the usual length of the table."""
ID_BYTES = 12


class Paired(NamedTuple):
    """A pairing as kept.

    Attributes:
        board: its table; "" until one is chosen.
        length: `USUAL` as at the table.
        match: the match on that table; "" until it has begun.
    """

    id: str
    round: str
    board: str
    south: str
    north: str
    length: int
    rules: str
    event: str
    match: str


class PairingList:
    """The pairings in a database. What is written outside the record's transaction is on disk at once."""

    def __init__(self, database: Database) -> None:
        self._ask = database.ask

    def all(self) -> list[Paired]:
        """All pairings in the order of their lists."""
        return [Paired(*line) for line in self._ask(f"SELECT {_LINE} FROM pairing ORDER BY ordinal")]

    def waiting(self) -> list[Pairing]:
        """Those that have not begun."""
        return [
            Pairing(one.round, one.board, one.south, one.north, event=one.event)
            for one in self.all()
            if not one.match
        ]

    def put(self, pairings: Iterable[Pairing]) -> None:
        """Add pairings. One that is there already (event, round, players) and has not begun is changed instead.

        In a transaction: a list is taken as a whole.
        """
        known = {_named(one): one for one in self.all()}
        [(last,)] = self._ask("SELECT coalesce(max(ordinal), 0) FROM pairing")
        for ordinal, one in enumerate(pairings, last + 1):
            before = known.get(one.key)
            length = USUAL if one.length is None else one.length
            if before is None:
                self._ask(
                    "INSERT INTO pairing VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '')",
                    *(
                        _new_id(),
                        ordinal,
                        one.round,
                        one.table,
                        one.south,
                        one.north,
                        length,
                        one.rules,
                        one.event,
                    ),
                )
            elif not before.match:
                query = (
                    "UPDATE pairing SET id = ?, board = ?, length = ?, rules = ? WHERE id = ? AND match = ''"
                )
                self._ask(query, _new_id(), one.table, length, one.rules, before.id)

    def has(self, pairing: str) -> bool:
        """Whether there is a pairing of this id: each change gives it another one."""
        return bool(self._ask("SELECT 1 FROM pairing WHERE id = ?", pairing))

    def give(self, pairing: str, board: str) -> None:
        """Give a pairing to a table, "" to none, under a new id: what it had become is its match no more."""
        query = "UPDATE pairing SET id = ?, board = ?, match = '' WHERE id = ?"
        self._ask(query, _new_id(), board, pairing)

    def drop(self, pairing: str) -> None:
        """Delete a pairing; its match stays in the record."""
        self._ask("DELETE FROM pairing WHERE id = ?", pairing)

    def begin(self, pairing: str, board: str, match: str) -> None:
        """Note the match that a pairing has become: the first, or one of its table that goes on with it."""
        begun = self._ask("SELECT board, match FROM pairing WHERE id = ?", pairing)
        for on, known in begun:
            if not known or (on == board and original_of(known) == original_of(match)):
                self._ask("UPDATE pairing SET board = ?, match = ? WHERE id = ?", board, match, pairing)

    def of(self, board: str, match: str) -> tuple[str, str]:
        """Round and event of a match; "" if it is no pairing."""
        found = self._ask("SELECT round, event FROM pairing WHERE board = ? AND match = ?", board, match)
        return tuple(found[0]) if found else ("", "")

    def offers(self) -> dict[str, Offer]:
        """The next match of each table that has one."""
        query = f"SELECT {_LINE} FROM pairing WHERE match = '' AND board <> '' ORDER BY ordinal DESC"
        return {one.board: _offer(one) for one in (Paired(*line) for line in self._ask(query))}


def _named(one: Paired) -> tuple[str, str, str, str]:
    return one.event, one.round, one.south, one.north


def _offer(one: Paired) -> Offer:
    length = None if one.length == USUAL else one.length
    return Offer(one.id, one.south, one.north, length, one.rules or None, one.round, one.event)


def _new_id() -> str:
    return secrets.token_hex(ID_BYTES)
