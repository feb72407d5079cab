"""The orders of the hall's director in its database, with the tables' answers."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from companion.hall.protocol.messages import BadMessageError
from companion.hall.protocol.orders import Answers, Order, Orders
from companion.hall.record.databases import Database
from sentence import Sentence

ORDERS = (
    "CREATE TABLE IF NOT EXISTS ruling (board TEXT NOT NULL, number BIGINT NOT NULL, session TEXT NOT NULL, "
    "seq BIGINT NOT NULL, teller TEXT NOT NULL, action TEXT NOT NULL, answer TEXT NOT NULL, "
    "PRIMARY KEY (board, number))",
    "CREATE TABLE IF NOT EXISTS ruling_match (board TEXT NOT NULL, number BIGINT NOT NULL, match TEXT NOT NULL, "
    "PRIMARY KEY (board, number))",
)
_LINE = "number, session, seq, teller, action, answer, coalesce(match, '')"
_FROM = "ruling LEFT JOIN ruling_match USING (board, number)"
LAST = 20
"""Orders of a table that its page lists."""
MOST_WAITING = 20
"""Orders that wait for one table's answer."""
DONE = "null"


class Ordered(NamedTuple):
    """An order as kept; `answer` is "" until there is one, then the refusal as JSON, or `DONE`.

    `match` was on the table then; "" for none, or if it is not known.
    """

    number: int
    session: str
    seq: int
    by: str
    action: str
    answer: str
    match: str

    @property
    def refusal(self) -> Sentence | None:
        """Why the table refused it; None if it did not."""
        return None if self.answer in ("", DONE) else Sentence.of_json(json.loads(self.answer))


class OrderList:
    """The orders in a database. What is written outside the record's transaction is on disk at once."""

    def __init__(self, database: Database) -> None:
        self._ask = database.ask

    def give(
        self,
        board: str,
        session: str,
        seq: int,
        by: str,
        action: Mapping[str, Any],
        now_ms: int,
        match: str = "",
    ) -> int | None:
        """Note an order to a table with this match; its number, None if too many wait for an answer.

        Numbers follow the time, so that a hub that has lost its record does not begin again with small ones.
        """
        if len(self._waiting(board)) >= MOST_WAITING:
            return None
        last = self._ask("SELECT coalesce(max(number), 0) FROM ruling WHERE board = ?", board)[0][0]
        number = max(now_ms, last + 1)
        self._ask(
            "INSERT INTO ruling VALUES (?, ?, ?, ?, ?, ?, '')",
            *(board, number, session, seq, by, json.dumps(action, ensure_ascii=False)),
        )
        self._ask("INSERT INTO ruling_match VALUES (?, ?, ?)", board, number, match)
        return int(number)

    def last(self, board: str) -> list[Ordered]:
        """The last orders to a table, newest first."""
        query = f"SELECT {_LINE} FROM {_FROM} WHERE board = ? ORDER BY number DESC LIMIT ?"
        return [Ordered(*line) for line in self._ask(query, board, LAST)]

    def take(self, board: str, answers: Answers) -> None:
        """Note a table's answers, the first one to each order. BadMessageError for a refusal without a sentence."""
        for one in answers.answers:
            try:
                Sentence.of_json({"t": ""} if one.refusal is None else one.refusal)
            except (ValueError, AttributeError, TypeError):
                raise BadMessageError("An answer has no sentence.") from None
            query = "UPDATE ruling SET answer = ? WHERE board = ? AND number = ? AND answer = ''"
            self._ask(query, json.dumps(one.refusal, ensure_ascii=False), board, one.number)

    def waiting(self) -> dict[str, Orders]:
        """The orders that have no answer, by their table."""
        boards = [board for (board,) in self._ask("SELECT DISTINCT board FROM ruling WHERE answer = ''")]
        return {board: Orders(tuple(map(_order, self._waiting(board)))) for board in boards}

    def _waiting(self, board: str) -> list[Ordered]:
        query = f"SELECT {_LINE} FROM {_FROM} WHERE board = ? AND answer = '' ORDER BY number"
        return [Ordered(*line) for line in self._ask(query, board)]


def _order(one: Ordered) -> Order:
    return Order(one.number, one.session, one.seq, one.by, json.loads(one.action))
