"""The databases that can keep a hub's record: SQLite for one hall without a server, and PostgreSQL."""

import fcntl
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol

from companion.errors import UserError
from companion.hall.broker import HallError

if TYPE_CHECKING:
    from psycopg import Connection

SQLITE, POSTGRES = "sqlite:///", "postgresql://"
BUSY_S = 10.0
"""Longest wait for another connection's write."""
WRITER = 0x626F617264
"""The advisory lock of the one hub that writes a record in PostgreSQL."""
SILENCE = {"tcp_keepalives_idle": 5, "tcp_keepalives_interval": 2, "tcp_keepalives_count": 3}
"""When the server takes a connection for lost that is silent, in seconds; on the same machine it knows at once."""
NO_NUL = "\ufffd"
"""Stands for NUL, which no text in PostgreSQL has: what a visitor asks for with one is then not found."""
CONNECT_S = 5
"""Longest wait for a PostgreSQL server."""


class StoreError(UserError):
    """The hub's record cannot be opened, read or written.

    Attributes:
        is_final: whether waiting is of no use.
    """

    def __init__(self, text: str, *, is_final: bool = False) -> None:
        super().__init__(text)
        self.is_final = is_final


class AnotherHubError(StoreError):
    """Another hub writes this record now."""


class Database(Protocol):
    """One connection, safe for several threads. What is written outside a transaction is on disk at once.

    Attributes:
        is_read_only: whether the database refuses every change.
    """

    is_read_only: bool

    def ask(self, query: str, *values: object) -> list[Any]:
        """The rows of an answer; `?` in the query stands for a value. StoreError if it fails."""

    @property
    def in_transaction(self) -> bool:
        """Whether BEGIN was asked and neither COMMIT nor `rollback`."""

    def rollback(self) -> None:
        """Forget what was written since BEGIN; nothing happens if the connection is lost, which does so itself."""

    def close(self) -> None:
        """Close the connection."""


def database_of(store: str, *, read_only: bool = False, alone: bool = False) -> Database:
    """The database of `sqlite:///FILE` or `postgresql://…`.

    `alone`: by a connection that is held by one program at a time, until it ends.

    HallError for any other address; StoreError if the database cannot be opened, AnotherHubError if it is held.
    """
    if store.startswith(SQLITE) and store != SQLITE:
        return SqliteDatabase(Path(store.removeprefix(SQLITE)), read_only=read_only, alone=alone)
    if store.startswith(POSTGRES):
        return PostgresDatabase(store, read_only=read_only, alone=alone)
    raise HallError(f"hall.store is {store[:60]}, but must be {SQLITE}FILE or {POSTGRES}…")


class SqliteDatabase:
    """A file."""

    def __init__(self, file: Path, *, read_only: bool = False, alone: bool = False) -> None:
        """Open or create the file, to read only an existing one; StoreError if that fails."""
        self._file, self.is_read_only = file, read_only
        self._lock = threading.Lock()
        self._held: IO[bytes] | None = None
        with self._reported():
            if read_only:
                address = f"{file.absolute().as_uri()}?mode=ro"
                self._db = sqlite3.connect(
                    address, BUSY_S, isolation_level=None, check_same_thread=False, uri=True
                )
                return
            file.parent.mkdir(parents=True, exist_ok=True)
            if alone:
                self._hold(file.with_name(f"{file.name}.lock"))
            self._db = sqlite3.connect(file, BUSY_S, isolation_level=None, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            self._db.execute("PRAGMA foreign_keys = ON")

    def _hold(self, file: Path) -> None:
        """Lock a file beside the record; the system lets go of it at the program's end."""
        held = open(file, "ab")  # noqa: SIM115
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            held.close()
            raise AnotherHubError(
                f"Another hub writes the record {self._file}; stop it first.", is_final=True
            ) from None
        self._held = held

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"The hall's record {self._file} cannot be used: {error}.") from error

    def ask(self, query: str, *values: object) -> list[Any]:
        """The rows of an answer."""
        with self._reported(), self._lock:
            return self._db.execute("BEGIN IMMEDIATE" if query == "BEGIN" else query, values).fetchall()

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self._db.in_transaction

    def rollback(self) -> None:
        """Forget what was written since BEGIN."""
        with suppress(sqlite3.Error):  # a broken disk may have done so already
            self._db.rollback()

    def close(self) -> None:
        """Close the file."""
        self._db.close()
        if self._held is not None:
            self._held.close()


class PostgresDatabase:
    """A PostgreSQL server, connected to again when the connection is lost outside a transaction."""

    def __init__(self, address: str, *, read_only: bool = False, alone: bool = False) -> None:
        """Connect to `postgresql://[USER[:PASSWORD]@]HOST[:PORT]/DATABASE`; StoreError if that fails."""
        try:
            import psycopg
        except ImportError:
            raise StoreError(
                "PostgreSQL needs the package psycopg: pip install 'board-companion[hall]'.", is_final=True
            ) from None
        self._address, self._psycopg, self.is_read_only = address, psycopg, read_only
        self._lock, self._alone = threading.Lock(), alone
        self._begun = False
        # the last vain try to connect: when it ended, and why it failed
        self._failed: tuple[float, StoreError] | None = None
        self._db = self._connected()

    def _connected(self) -> "Connection[Any]":
        with self._reported():
            found = self._psycopg.connect(self._address, autocommit=True, connect_timeout=CONNECT_S)
            if self.is_read_only:
                found.execute("SET default_transaction_read_only = on")
            if self._alone:
                self._hold(found)
            return found

    def _hold(self, found: "Connection[Any]") -> None:
        """Hold the record by this connection, as long as it lasts: no other one writes, whatever becomes of this one.

        The server lets go of it at the program's end at once, and where the machine or the network is gone once it
        hears nothing any more.
        """
        for setting, value in SILENCE.items():
            found.execute(f"SET {setting} = {value}".encode())
        if not found.execute("SELECT pg_try_advisory_lock(%s)", (WRITER,)).fetchall()[0][0]:
            found.close()
            raise AnotherHubError("Another hub writes the hall's record in PostgreSQL.")

    @contextmanager
    def _reported(self) -> Iterator[None]:
        try:
            yield
        except (OSError, self._psycopg.Error) as error:
            why = str(error).strip().splitlines()[0] if str(error) else type(error).__name__
            # An address that cannot be read, or a query that is wrong, is so the next time as well.
            is_final = not isinstance(error, (OSError, self._psycopg.OperationalError))
            raise StoreError(
                f"The hall's record in PostgreSQL cannot be used: {why}", is_final=is_final
            ) from error

    def ask(self, query: str, *values: object) -> list[Any]:
        """The rows of an answer."""
        given = [value.replace("\0", NO_NUL) if isinstance(value, str) else value for value in values]
        asked_s = time.monotonic()
        with self._lock:
            if self._db.closed and not self._begun:
                self._connect_again(asked_s)
            try:
                return self._asked(query, given)
            except StoreError:
                # The server was started anew since the last question. The hub's own connection says so, as another hub
                # may have written meanwhile.
                is_again = self._db.closed and not self._begun and not self._alone
                if not is_again or not query.startswith("SELECT"):
                    raise
                self._connect_again(asked_s)
                return self._asked(query, given)

    def _asked(self, query: str, given: list[object]) -> list[Any]:
        with self._reported():
            answer = self._db.execute(query.replace("%", "%%").replace("?", "%s").encode(), given)
            self._begun = query == "BEGIN" or (self._begun and query != "COMMIT")
            return answer.fetchall() if answer.description else []

    def _connect_again(self, asked_s: float) -> None:
        """Connect once for all who wait: a server that does not answer takes `CONNECT_S` to say so."""
        if self._failed is not None and self._failed[0] > asked_s:
            error = self._failed[1]
            raise type(error)(str(error), is_final=error.is_final)
        try:
            self._db = self._connected()
        except StoreError as error:
            self._failed = time.monotonic(), error
            raise

    @property
    def in_transaction(self) -> bool:
        """Whether a transaction is open."""
        return self._begun

    def rollback(self) -> None:
        """Forget what was written since BEGIN."""
        with self._lock:
            self._begun = False
            with suppress(self._psycopg.Error):  # a lost connection has done so already
                self._db.execute("ROLLBACK")

    def close(self) -> None:
        """Close the connection."""
        self._db.close()
