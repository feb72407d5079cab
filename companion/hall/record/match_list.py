"""The list of a hall's matches, beside its record and made from it: a search reads no match."""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import NamedTuple

from companion.errors import GameError
from companion.game.events import MatchBegan
from companion.hall.record.databases import Database
from companion.records.rows import Row, date_of, event_of

PAGE = 50
"""Matches on one page of the list."""
LONGEST = 1_000_000
"""Most points of a match in the list, whatever its table wrote."""
CATALOGUE = (
    "CREATE TABLE IF NOT EXISTS match_list (board TEXT NOT NULL, match TEXT NOT NULL, at_ms BIGINT NOT NULL, "
    "day TEXT NOT NULL, south TEXT NOT NULL, north TEXT NOT NULL, names TEXT NOT NULL, length BIGINT NOT NULL, "
    "events BIGINT NOT NULL, counted BIGINT NOT NULL, south_points BIGINT NOT NULL, north_points BIGINT NOT NULL, "
    "ended BIGINT NOT NULL, winner TEXT NOT NULL, PRIMARY KEY (board, match))",
    "CREATE INDEX IF NOT EXISTS match_list_newest ON match_list (at_ms)",
    "DROP TABLE IF EXISTS played",  # the list without winners: the new one is made from the record
)
_WHERE = "(? = '' OR board = ?) AND names LIKE ? ESCAPE '!' AND (? = '' OR day >= ?) AND (? = '' OR day <= ?)"
_LINE = "board, match, at_ms, day, south, north, length, events, counted, south_points, north_points, ended, winner"


class Listed(NamedTuple):
    """A match in the list.

    Attributes:
        board: its table.
        at_ms, day: its begin, in milliseconds since 1970 and as 2026-11-21 (UTC).
        length: points played for; 0 is money play.
        events: number of its rows; `counted`: of those that the points are counted from.
        ended: 1 if the match is over as of the rows counted, else 0.
        winner: "south" or "north", whoever won it; "" for nobody.
    """

    board: str
    match: str
    at_ms: int
    day: str
    south: str
    north: str
    length: int
    events: int
    counted: int
    south_points: int
    north_points: int
    ended: int
    winner: str


class MatchList:
    """The list in a database."""

    def __init__(self, database: Database) -> None:
        self._ask, self._is_read_only = database.ask, database.is_read_only

    def grow(self, board: str, row: Row) -> None:
        """Count a new row; the first one of a match lists it, if it can be read."""
        if row.number > 1:
            query = "UPDATE match_list SET events = ? WHERE board = ? AND match = ?"
            self._ask(query, row.number, board, row.match_id)
            return
        try:
            began = event_of(row)
        except GameError:  # of another version; the rows are kept, and cannot be shown
            return
        if isinstance(began, MatchBegan):
            south, north = (
                name.replace("\0", "") for name in (began.south, began.north)
            )  # PostgreSQL has no NUL
            names, length = f"{south}\n{north}".casefold(), min(began.length, LONGEST)
            self._ask(
                "INSERT INTO match_list VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, 0, 0, 0, 0, '') ON CONFLICT DO NOTHING",
                *(board, row.match_id, row.at_ms, date_of(row.at_ms)),
                *(south, north, names, length),
            )

    def find(self, wanted: Mapping[str, str], page: int) -> tuple[list[Listed], int]:
        """The matches that fit `table`, `player`, `since` and `until`: a page from 1 on, newest first; their number."""
        table, since, until = (wanted.get(key, "") for key in ("table", "since", "until"))
        player = wanted.get("player", "").strip().casefold()
        for sign in "!%_":
            player = player.replace(sign, f"!{sign}")
        values = (table, table, f"%{player}%", since, since, until, until)
        total = self._ask(f"SELECT count(*) FROM match_list WHERE {_WHERE}", *values)[0][0]
        found = self._ask(
            f"SELECT {_LINE} FROM match_list WHERE {_WHERE} "
            "ORDER BY at_ms DESC, board DESC, match DESC LIMIT ? OFFSET ?",
            *(*values, PAGE, PAGE * (page - 1)),
        )
        return [Listed(*line) for line in found], total

    def all(self, wanted: Mapping[str, str]) -> Iterator[Listed]:
        """All matches that fit, newest first."""
        for page in count(1):
            found, _ = self.find(wanted, page)
            yield from found
            if len(found) < PAGE:
                return

    def get(self, board: str, match: str) -> Listed | None:
        """A match; None if it is not listed."""
        found = self._ask(f"SELECT {_LINE} FROM match_list WHERE board = ? AND match = ?", board, match)
        return Listed(*found[0]) if found else None

    def at(self, board: str, at_ms: int) -> Listed | None:
        """The match that was played at a table at this moment, between its first event and its last."""
        query = (
            f"SELECT {_LINE} FROM match_list WHERE board = ? AND at_ms <= ? AND ? <= (SELECT max(at_ms) FROM event "
            "WHERE event.board = match_list.board AND event.match = match_list.match) ORDER BY at_ms DESC LIMIT 1"
        )
        found = self._ask(query, board, at_ms, at_ms)
        return Listed(*found[0]) if found else None

    def count(self, line: Listed) -> None:
        """Note the points of a match, and the number of rows that they are counted from; on disk at once.

        Where the database is to read only they are counted again the next time.
        """
        if self._is_read_only:
            return
        self._ask(
            "UPDATE match_list SET counted = ?, south_points = ?, north_points = ?, ended = ?, winner = ? "
            "WHERE board = ? AND match = ?",
            *(line.counted, line.south_points, line.north_points, line.ended, line.winner),
            *(line.board, line.match),
        )
