"""The hub's record: the rows of all tables as they wrote them and what they signed; nothing but additions, and matches
that the director deletes as a whole."""

import json
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace

from companion.hall.protocol.messages import NOTHING_HELD, Held
from companion.hall.protocol.orders import Answers
from companion.hall.protocol.pairings import Pairing
from companion.hall.record.databases import Database, StoreError
from companion.hall.record.deletion_list import DELETIONS, DeletionList
from companion.hall.record.draw_list import DRAWS, DrawList
from companion.hall.record.hook_list import HOOKS, HookList
from companion.hall.record.match_list import CATALOGUE, MatchList
from companion.hall.record.order_list import ORDERS, OrderList
from companion.hall.record.pairing_list import PAIRINGS, PairingList
from companion.hall.record.picture_list import PICTURES, PictureList
from companion.records.rows import Row, pairing_of, problems_of
from companion.storage.signing import Signed, Statement, statements_of

__all__ = ["Store", "StoreError"]

_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS event (board TEXT NOT NULL, ordinal BIGINT NOT NULL, match TEXT NOT NULL, "
    "number BIGINT NOT NULL, at_ms BIGINT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, "
    "previous TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (board, ordinal), UNIQUE (board, match, number))",
    "CREATE TABLE IF NOT EXISTS fault (board TEXT PRIMARY KEY, sentence TEXT NOT NULL, refused TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS statement (board TEXT NOT NULL, match TEXT NOT NULL, number BIGINT NOT NULL, "
    "head TEXT NOT NULL, line TEXT NOT NULL, PRIMARY KEY (board, match, number, head))",
    "CREATE TABLE IF NOT EXISTS signer (board TEXT PRIMARY KEY, key TEXT NOT NULL, latest TEXT NOT NULL)",
)
_ROW = "match, number, at_ms, kind, body, previous, digest"


class Store:
    """An open record; one writer in one thread. Rows added are on disk after `commit`.

    Attributes:
        listed: the list of its matches.
        pairings: the matches that tables are to play.
        orders: what the director orders at the tables.
        pictures: pictures of throws.
        draws: how events are drawn.
        hooks: what is posted to what runs the event.
        deletions: the matches that were deleted.
    """

    def __init__(self, database: Database) -> None:
        """Create the tables that are missing, unless the database is to read only; StoreError if that fails."""
        self._db, self._ask, self.listed = database, database.ask, MatchList(database)
        self.pairings, self.orders, self.hooks = (
            PairingList(database),
            OrderList(database),
            HookList(database),
        )
        self.draws, self.pictures = DrawList(database), PictureList(database)
        self.deletions = DeletionList(database)
        if database.is_read_only:
            return
        for statement in (*_SCHEMA, *CATALOGUE, *PAIRINGS, *ORDERS, *HOOKS, *DRAWS, *PICTURES, *DELETIONS):
            self._ask(statement)
        if not self._ask("SELECT 1 FROM match_list LIMIT 1"):
            self._list_all()

    def _list_all(self) -> None:
        """List the matches of a record that was kept before there was a list."""
        self.begin()
        for board, *row in self._ask(f"SELECT board, {_ROW} FROM event WHERE number = 1"):
            self.listed.grow(board, Row(*row))
        self._ask(
            "UPDATE match_list SET events = (SELECT max(number) FROM event "
            "WHERE event.board = match_list.board AND event.match = match_list.match)"
        )
        self._ask("COMMIT")

    def held(self) -> dict[str, Held]:
        """The last row of each table, with the matches refused and what it signed last."""
        refused = {
            board: tuple(json.loads(text)) for board, text in self._ask("SELECT board, refused FROM fault")
        }
        signed = dict(self._ask("SELECT board, latest FROM signer"))
        found = self._ask(
            "SELECT board, match, number, digest FROM event "
            "WHERE (board, ordinal) IN (SELECT board, max(ordinal) FROM event GROUP BY board)"
        )
        last = {board: Held(*row) for board, *row in found}
        return {
            board: replace(
                last.get(board, NOTHING_HELD), refused=refused.get(board, ()), signed=signed.get(board, "")
            )
            for board in {*refused, *signed, *last}
        }

    def faults(self) -> dict[str, str]:
        """What does not hold of a table's record, a sentence by table."""
        return dict(self._ask("SELECT board, sentence FROM fault"))

    def digest_at(self, table: str, match: str, number: int) -> str | None:
        """The digest of a row; None if it is not held."""
        found = self._ask(
            "SELECT digest FROM event WHERE board = ? AND match = ? AND number = ?", table, match, number
        )
        return found[0][0] if found else None

    def rows(self, table: str, match: str) -> list[Row]:
        """The rows of a match in order."""
        return [
            Row(*row)
            for row in self._ask(
                f"SELECT {_ROW} FROM event WHERE board = ? AND match = ? ORDER BY number", table, match
            )
        ]

    def rows_between(self, table: str, match: str, first: int, last: int) -> list[Row]:
        """The rows of a match from one number to another, both included, in order."""
        query = f"SELECT {_ROW} FROM event WHERE board = ? AND match = ? AND number BETWEEN ? AND ? ORDER BY number"
        return [Row(*row) for row in self._ask(query, table, match, first, last)]

    def matches(self, table: str) -> list[str]:
        """The matches of a table in the order of their first rows."""
        return [
            match
            for (match,) in self._ask(
                "SELECT match FROM event WHERE board = ? AND number = 1 ORDER BY ordinal", table
            )
        ]

    def delete(self, table: str, match: str, now_ms: int) -> bool:
        """Delete a match with pictures, signatures and pairing, but for the line that says so; on disk at once.

        False if there is none. StoreError if it could not be done, and then nothing was.
        """
        self.begin()
        try:
            is_gone = self.deletions.put(table, match, now_ms)
            self.hooks.forget(table, match)
        except StoreError:
            self.rollback()
            raise
        self.commit()
        return is_gone

    def signer(self, table: str) -> str:
        """The key that the table signs with; "" until it has signed, or after a new invitation."""
        found = self._ask("SELECT key FROM signer WHERE board = ?", table)
        return str(found[0][0]) if found else ""

    def statements(self, table: str, match: str) -> list[Statement]:
        """What the table has signed of a match, in the order of its events."""
        lines = self._ask(
            "SELECT line FROM statement WHERE board = ? AND match = ? ORDER BY number", table, match
        )
        return statements_of([json.loads(line) for (line,) in lines])

    def heads_at(self, table: str, match: str, number: int) -> list[str]:
        """The digests that the table has signed for an event."""
        query = "SELECT head FROM statement WHERE board = ? AND match = ? AND number = ?"
        return [head for (head,) in self._ask(query, table, match, number)]

    def problems(self, table: str) -> list[str]:
        """What does not hold of a table's stored chains and signatures, a sentence each."""
        return [
            f"Match {match}: {problem}" for match in self.matches(table) for problem in self._of(table, match)
        ]

    def _of(self, table: str, match: str) -> list[str]:
        rows, statements = self.rows(table, match), self.statements(table, match)
        forged = [f"Event {one.number} has a signature that is none." for one in statements if not one.holds]
        return problems_of(rows) + forged + Signed(statements).problems(rows, ended=False)

    def add(self, table: str, row: Row) -> None:
        """Add a table's next row, to be committed."""
        self.begin()
        self._ask(
            f"INSERT INTO event (board, ordinal, {_ROW}) VALUES "
            "(?, (SELECT coalesce(max(ordinal), 0) + 1 FROM event WHERE board = ?), ?, ?, ?, ?, ?, ?, ?)",
            *(
                table,
                table,
                row.match_id,
                row.number,
                row.at_ms,
                row.kind,
                row.body,
                row.previous,
                row.digest,
            ),
        )
        self.listed.grow(table, row)
        if row.number == 1 and (pairing := pairing_of(row)):
            self.pairings.begin(pairing, table, row.match_id)

    def pair(self, pairings: Iterable[Pairing]) -> None:
        """Take a list of pairings, on disk at once; StoreError if it could not be done, and then nothing was."""
        self.begin()
        try:
            self.pairings.put(pairings)
        except StoreError:
            self.rollback()
            raise
        self.commit()

    def answer(self, table: str, answers: Answers) -> None:
        """Add a table's answers to the director's orders, to be committed."""
        self.begin()
        self.orders.take(table, answers)

    def sign(self, table: str, statement: Statement, line: str) -> None:
        """Add what the table signed of a match, to be committed."""
        self.begin()
        self._ask(
            "INSERT INTO statement VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            table,
            statement.match,
            statement.number,
            statement.head,
            line,
        )

    def note_signer(self, table: str, key: str, latest: str) -> None:
        """Note the key of a table, and the signature that it sent last, to be committed."""
        self.begin()
        self._put_signer(table, key, latest)

    def forget_signer(self, table: str) -> None:
        """Accept another key than before from a table, as one with a new invitation has; on disk at once."""
        self._ask("UPDATE signer SET key = '' WHERE board = ?", table)

    def _put_signer(self, table: str, key: str, latest: str) -> None:
        self._ask(
            "INSERT INTO signer VALUES (?, ?, ?) "
            "ON CONFLICT (board) DO UPDATE SET key = excluded.key, latest = excluded.latest",
            table,
            key,
            latest,
        )

    def refuse(self, table: str, sentence: str, matches: tuple[str, ...]) -> None:
        """Note what does not hold of a table's record, to be committed."""
        self.begin()
        self._ask(
            "INSERT INTO fault VALUES (?, ?, ?) "
            "ON CONFLICT (board) DO UPDATE SET sentence = excluded.sentence, refused = excluded.refused",
            table,
            sentence,
            json.dumps(matches),
        )

    def commit(self) -> None:
        """Put what was added on disk; StoreError if it could not be, and then nothing of it was added."""
        if self._db.in_transaction:
            try:
                self._ask("COMMIT")
            except StoreError:
                self.rollback()
                raise

    def rollback(self) -> None:
        """Forget what was added since the last commit."""
        self._db.rollback()

    def close(self) -> None:
        """Close the database; what was not committed is not added."""
        with closing(self._db):
            self.rollback()

    def check(self) -> None:
        """Ask the database for nothing; StoreError if it is gone, AnotherHubError if it is another hub's now."""
        self._ask("SELECT 1")

    def begin(self) -> None:
        """Begin what is to be committed, unless it has begun."""
        if not self._db.in_transaction:
            self._ask("BEGIN")
