"""A journal as versions before the match files kept it: one SQLite file of all rows."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from companion.records.rows import Row

SCHEMA = """
CREATE TABLE IF NOT EXISTS event (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    match_id TEXT    NOT NULL,
    number   INTEGER NOT NULL,
    at_ms    INTEGER NOT NULL,
    kind     TEXT    NOT NULL,
    body     TEXT    NOT NULL,
    previous TEXT    NOT NULL,
    digest   TEXT    NOT NULL UNIQUE,
    UNIQUE (match_id, number)
) STRICT;
CREATE TRIGGER IF NOT EXISTS event_is_never_changed BEFORE UPDATE ON event
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER IF NOT EXISTS event_is_never_deleted BEFORE DELETE ON event
    BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
PRAGMA user_version = 1;
"""


def write_former(path: Path, rows: Iterable[Row], *, killed: bool = False) -> None:
    """Write one; where its program was `killed` all rows are in the log beside it alone."""
    there = path if not killed else path.with_name("live.sqlite")
    with closing(sqlite3.connect(there, isolation_level=None)) as db:
        db.execute("PRAGMA page_size = 4096")
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA wal_autocheckpoint = 0")
        db.executescript(f"BEGIN IMMEDIATE; {SCHEMA} COMMIT; PRAGMA wal_checkpoint(TRUNCATE);")
        db.execute("BEGIN IMMEDIATE")
        for row in rows:
            values = (row.match_id, row.number, row.at_ms, row.kind, row.body, row.previous, row.digest)
            columns = "match_id, number, at_ms, kind, body, previous, digest"
            db.execute(f"INSERT INTO event ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?)", values)
        db.execute("COMMIT")
        if killed:
            for end in ("", "-wal"):
                path.with_name(path.name + end).write_bytes(there.with_name(there.name + end).read_bytes())
    if killed:
        there.unlink()
