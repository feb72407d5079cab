"""The pictures of throws that a hub has, beside the rows of their matches, and what its director has asked for."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from companion.hall.protocol.pictures import MOST_WANTED, PictureHead, PicturesWanted, ThrowAt
from companion.hall.record.databases import Database

PICTURES = (
    "CREATE TABLE IF NOT EXISTS picture (board TEXT NOT NULL, match TEXT NOT NULL, number BIGINT NOT NULL, "
    "at_ms BIGINT NOT NULL, size BIGINT NOT NULL, jpeg BYTEA NOT NULL, PRIMARY KEY (board, match, number), "
    "FOREIGN KEY (board, match, number) REFERENCES event (board, match, number) ON DELETE CASCADE)",
    "CREATE TABLE IF NOT EXISTS picture_asked (board TEXT NOT NULL, match TEXT NOT NULL, number BIGINT NOT NULL, "
    "at_ms BIGINT NOT NULL, teller TEXT NOT NULL, answer TEXT NOT NULL, PRIMARY KEY (board, match, number), "
    "FOREIGN KEY (board, match, number) REFERENCES event (board, match, number) ON DELETE CASCADE)",
)
MOST_OF_MATCH = 60
"""Pictures of one match; of a long one with a dispute in each game a third of that."""
TOLD_KEPT = 200
"""Newest pictures of all tables that these are told of, so that they do not send them again."""
WAITING, CAME = "", "came"
"""Answers to what was asked; any other one is why no picture came, as `PictureHead.missing` says it."""


class Asked(NamedTuple):
    """A picture that the director has asked for; `answer` is `WAITING`, `CAME`, or why it is missing."""

    number: int
    by: str
    answer: str


class PictureList:
    """The pictures in a database. What is written outside the record's transaction is on disk at once."""

    def __init__(self, database: Database) -> None:
        self._ask = database.ask

    def ask(self, board: str, throw: ThrowAt, by: str, now_ms: int) -> bool:
        """Note that a picture is asked for, once more if it had not come; whether there is room for it."""
        waiting = self._ask("SELECT count(*) FROM picture_asked WHERE board = ? AND answer = ''", board)
        if waiting[0][0] >= MOST_WANTED and not self.is_asked(board, throw):
            return False
        self._ask(
            "INSERT INTO picture_asked VALUES (?, ?, ?, ?, ?, '') ON CONFLICT (board, match, number) "
            "DO UPDATE SET at_ms = excluded.at_ms, teller = excluded.teller, answer = ''",
            *(board, *throw, now_ms, by),
        )
        return True

    def is_asked(self, board: str, throw: ThrowAt) -> bool:
        """Whether a picture was asked for, and has not come."""
        query = "SELECT 1 FROM picture_asked WHERE board = ? AND match = ? AND number = ? AND answer = ''"
        return bool(self._ask(query, board, *throw))

    def asked(self, board: str, match: str) -> list[Asked]:
        """What was asked for of a match, newest first."""
        query = "SELECT number, teller, answer FROM picture_asked WHERE board = ? AND match = ? ORDER BY at_ms DESC"
        return [Asked(*line) for line in self._ask(query, board, match)]

    def answer(self, board: str, head: PictureHead) -> None:
        """Note what became of a picture that was asked for."""
        query = (
            "UPDATE picture_asked SET answer = ? WHERE board = ? AND match = ? AND number = ? AND answer = ''"
        )
        self._ask(query, head.missing or CAME, board, *head.throw)

    def keep(self, board: str, throw: ThrowAt, jpeg: bytes, now_ms: int, quota_bytes: int) -> bool:
        """Keep a picture, unless its match has too many; the oldest ones beyond the quota are deleted.

        The quota counts all tables' pictures.
        """
        held = self.numbers(board, throw.match)
        if throw.number in held:
            return True
        if len(held) >= MOST_OF_MATCH or len(jpeg) > quota_bytes:
            return False
        self._make_room(quota_bytes - len(jpeg))
        self._ask(
            "INSERT INTO picture VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            *(board, *throw, now_ms, len(jpeg), jpeg),
        )
        return True

    def _make_room(self, left_bytes: int) -> None:
        """Delete the oldest pictures until so many bytes are left."""
        held = self._ask("SELECT coalesce(sum(size), 0) FROM picture")[0][0]
        while held > left_bytes:
            [(board, match, number, size)] = self._ask(
                "SELECT board, match, number, size FROM picture ORDER BY at_ms, board, match, number LIMIT 1"
            )
            self._ask(
                "DELETE FROM picture WHERE board = ? AND match = ? AND number = ?", board, match, number
            )
            held -= size

    def numbers(self, board: str, match: str) -> Sequence[int]:
        """The numbers of the throws of a match of which there are pictures, in order."""
        query = "SELECT number FROM picture WHERE board = ? AND match = ? ORDER BY number"
        return [number for (number,) in self._ask(query, board, match)]

    def load(self, board: str, throw: ThrowAt) -> bytes | None:
        """A picture; None if there is none."""
        query = "SELECT jpeg FROM picture WHERE board = ? AND match = ? AND number = ?"
        found = self._ask(query, board, *throw)
        return bytes(found[0][0]) if found else None

    def newest(self) -> dict[str, ThrowAt]:
        """Of each table the newest picture of the match that came last."""
        query = "SELECT board, match, number FROM picture ORDER BY at_ms, number"
        return {board: ThrowAt(match, number) for board, match, number in self._ask(query)}

    def delete(self, board: str, match: str) -> None:
        """Delete the pictures of a match, and what was asked for of it; on disk at once."""
        for table in ("picture", "picture_asked"):
            self._ask(f"DELETE FROM {table} WHERE board = ? AND match = ?", board, match)

    def wanted(self, disputes: bool) -> dict[str, PicturesWanted]:
        """What is wanted of each table; `disputes`: those of disputes as well, of each table that has some."""
        wanted, kept = defaultdict[str, list[ThrowAt]](list), defaultdict[str, list[ThrowAt]](list)
        query = "SELECT board, match, number FROM picture_asked WHERE answer = '' ORDER BY at_ms"
        for board, match, number in self._ask(query):
            wanted[board].append(ThrowAt(match, number))
        if disputes:
            query = "SELECT board, match, number FROM picture ORDER BY at_ms DESC LIMIT ?"
            for board, match, number in self._ask(query, TOLD_KEPT):
                kept[board].append(ThrowAt(match, number))
        boards = {*wanted, *kept}
        return {board: PicturesWanted(tuple(wanted[board]), disputes, tuple(kept[board])) for board in boards}
