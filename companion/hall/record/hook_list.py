"""What the hub posts to what runs the event, in its database until it has been taken."""

from typing import NamedTuple

from companion.hall.record.databases import Database

HOOKS = (
    "CREATE TABLE IF NOT EXISTS hook (id TEXT PRIMARY KEY, ordinal BIGINT NOT NULL, at_ms BIGINT NOT NULL, "
    "body TEXT NOT NULL)",
)
MOST_WAITING = 1000
"""Messages that wait; of more the oldest are given up."""
LONGEST_MS = 24 * 3_600_000
"""A message that nobody took for a day is given up."""


DIGITS = 16
"""Of a digest, in the id of a message."""
_OF_MATCH = "substr(id, 1, ?) = ? AND length(id) = ?"


def result_id(board: str, match: str, head: str) -> str:
    """The id of the message with a match's result as of the event with this digest."""
    return f"result.{board}.{match}.{head[:DIGITS]}"


def _begin_of(board: str, match: str) -> tuple[int, str, int]:
    """The values of `_OF_MATCH`; a match's name may have a dot in it, a digest has none."""
    begin = result_id(board, match, "")
    return len(begin), begin, len(begin) + DIGITS


class Waiting(NamedTuple):
    """A message; `body` is JSON."""

    id: str
    body: str


class HookList:
    """The messages in a database; one that was posted or given up keeps its id, and is not put again."""

    def __init__(self, database: Database) -> None:
        self._ask = database.ask

    def put(self, name: str, body: str, at_ms: int) -> None:
        """Add a message, unless there was one with this id."""
        self._ask(
            "INSERT INTO hook VALUES (?, (SELECT coalesce(max(ordinal), 0) + 1 FROM hook), ?, ?) "
            "ON CONFLICT DO NOTHING",
            *(name, at_ms, body),
        )

    def first(self) -> Waiting | None:
        """The oldest message that waits; None for none."""
        found = self._ask("SELECT id, body FROM hook WHERE body <> '' ORDER BY ordinal LIMIT 1")
        return Waiting(*found[0]) if found else None

    def done(self, name: str) -> None:
        """Note that a message was posted or given up."""
        self._ask("UPDATE hook SET body = '' WHERE id = ?", name)

    def forget(self, board: str, match: str) -> None:
        """Post nothing more of a match."""
        self._ask(f"UPDATE hook SET body = '' WHERE {_OF_MATCH}", *_begin_of(board, match))

    def last_result(self, board: str, match: str, but: str) -> str:
        """The id of the message with a match's result that was put last, but for this one; "" for none."""
        query = f"SELECT id FROM hook WHERE {_OF_MATCH} AND id <> ? ORDER BY ordinal DESC LIMIT 1"
        found = self._ask(query, *_begin_of(board, match), but)
        return str(found[0][0]) if found else ""

    def count(self) -> int:
        """How many messages wait."""
        return int(self._ask("SELECT count(*) FROM hook WHERE body <> ''")[0][0])

    def give_up(self, now_ms: int) -> int:
        """Give up what is too old or too much; how many."""
        old = self._ask("SELECT id FROM hook WHERE body <> '' AND at_ms < ?", now_ms - LONGEST_MS)
        many = self._ask(
            "SELECT id FROM hook WHERE body <> '' ORDER BY ordinal DESC LIMIT 100000 OFFSET ?", MOST_WAITING
        )
        names = {name for (name,) in (*old, *many)}
        for name in names:
            self.done(name)
        return len(names)
