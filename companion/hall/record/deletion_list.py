"""The matches that the hall's director has deleted: what the record still says of each, without a name."""

from typing import NamedTuple

from companion.hall.record.databases import Database

DELETIONS = (
    "CREATE TABLE IF NOT EXISTS deletion (board TEXT NOT NULL, match TEXT NOT NULL, previous TEXT NOT NULL, "
    "head TEXT NOT NULL, events BIGINT NOT NULL, at_ms BIGINT NOT NULL, PRIMARY KEY (board, match))",
)
_OF_MATCH = ("picture", "picture_asked", "statement", "match_list", "pairing", "ruling_match", "event")
"""The tables that have lines of a match, those that point at others first."""


class Deleted(NamedTuple):
    """A match that was deleted.

    Attributes:
        previous, head: the digests before its first event and of its last one.
        events: number of its events.
        at_ms: when it was deleted.
    """

    match: str
    previous: str
    head: str
    events: int
    at_ms: int


class DeletionList:
    """The deletions in a database; a line of it is written in the transaction in which its match goes."""

    def __init__(self, database: Database) -> None:
        self._ask = database.ask

    def of(self, board: str) -> list[Deleted]:
        """The matches of a table that were deleted, in the order of their deletion."""
        query = (
            "SELECT match, previous, head, events, at_ms FROM deletion WHERE board = ? ORDER BY at_ms, match"
        )
        return [Deleted(*line) for line in self._ask(query, board)]

    def has(self, board: str, match: str) -> bool:
        """Whether a match was deleted."""
        return bool(self._ask("SELECT 1 FROM deletion WHERE board = ? AND match = ?", board, match))

    def put(self, board: str, match: str, now_ms: int) -> bool:
        """Delete a match with all that the record says of it; whether there was one. In a transaction."""
        ends = self._ask(
            "SELECT previous, digest, number FROM event WHERE board = ? AND match = ? ORDER BY number",
            board,
            match,
        )
        if not ends:
            return False
        (previous, _, _), (_, head, events) = ends[0], ends[-1]
        self._ask(
            "INSERT INTO deletion VALUES (?, ?, ?, ?, ?, ?)", board, match, previous, head, events, now_ms
        )
        for table in _OF_MATCH:
            self._ask(f"DELETE FROM {table} WHERE board = ? AND match = ?", board, match)
        return True
