"""The events that were drawn on the page, in the hall's database: the next round is drawn from the same names."""

from typing import NamedTuple

from companion.hall.record.databases import Database

DRAWS = (
    "CREATE TABLE IF NOT EXISTS event_draw (event TEXT PRIMARY KEY, ordinal BIGINT NOT NULL, kind TEXT NOT NULL, "
    "names TEXT NOT NULL, length TEXT NOT NULL, rules TEXT NOT NULL)",
)
_LINE = "event, kind, names, length, rules"
LAST = 20
"""Events that the page offers to draw on with."""


class KeptDraw(NamedTuple):
    """How an event is drawn, as it was given on the page; `names` has a player on each line, the strongest first."""

    event: str
    kind: str
    names: str
    length: str
    rules: str


class DrawList:
    """The draws in a database, on disk at once."""

    def __init__(self, database: Database) -> None:
        self._ask = database.ask

    def put(self, one: KeptDraw) -> None:
        """Keep how an event is drawn, in place of what was kept of it before."""
        self._ask(
            "INSERT INTO event_draw VALUES (?, (SELECT coalesce(max(ordinal), 0) + 1 FROM event_draw), ?, ?, ?, ?) "
            "ON CONFLICT (event) DO UPDATE SET ordinal = excluded.ordinal, kind = excluded.kind, "
            "names = excluded.names, length = excluded.length, rules = excluded.rules",
            *one,
        )

    def last(self) -> list[KeptDraw]:
        """The last events, newest first."""
        query = f"SELECT {_LINE} FROM event_draw ORDER BY ordinal DESC LIMIT ?"
        return [KeptDraw(*line) for line in self._ask(query, LAST)]
