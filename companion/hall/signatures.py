"""What tables sign, on its way to the hub: the lines that a table sends, and how the hub checks them."""

import json
from contextlib import suppress
from itertools import dropwhile
from pathlib import Path

from companion.hall.protocol.messages import BadMessageError
from companion.hall.record.store import Store
from companion.records.rows import canonical, quoted
from companion.storage.folder import MATCHES, SIGNED
from companion.storage.signing import Statement, statements_of

OTHER_KEY = "with another key than the table's; a new invitation would let it in."
"""End of a fault that is over once a new invitation has let the key in."""
AT_ONCE = 50
"""Statements in one message, some 25 kB."""


class SignedLines:
    """A table's list of statements, read while the program writes it; statements about pictures stay at the table."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / MATCHES / SIGNED
        self._lines: list[bytes] = []
        self._read: object = None

    def after(self, signature: str, first_match: str) -> list[Statement]:
        """The next statements after the one with this signature.

        If the list does not have that one: those about keys, then those from the first match of the hall on.
        OSError if the list cannot be read.
        """
        lines, marker = self._current(), f'"signature":"{signature}"'.encode()
        at = next((at for at, line in enumerate(lines) if signature and marker in line), None)
        if at is None:
            keys = [line for line in lines if b'"about":"key"' in line]
            wanted = f'"match":{quoted(first_match)}'.encode()
            rest = [line for line in lines if b'"about":"match"' in line]
            lines = keys + (list(dropwhile(lambda line: wanted not in line, rest)) or rest)
        else:
            lines = lines[at + 1 :]
        return _parsed(lines[:AT_ONCE])

    def _current(self) -> list[bytes]:
        try:
            about = self._file.stat()
        except FileNotFoundError:
            return []
        stamp = about.st_size, about.st_mtime_ns, about.st_ino
        if stamp != self._read:
            lines = self._file.read_bytes().split(b"\n")[:-1]
            self._lines, self._read = [line for line in lines if b'"about":"pictures"' not in line], stamp
        return self._lines


def _parsed(lines: list[bytes]) -> list[Statement]:
    found: list[Statement] = []
    for line in lines:
        with suppress(
            ValueError, RecursionError
        ):  # a damaged line is the table's business (`companion verify`)
            found += statements_of([json.loads(line)])
    return found


def message_of(statements: list[Statement]) -> bytes:
    """The message that carries the statements."""
    return canonical([one.as_json() for one in statements]).encode()


def take_signed(store: Store, table: str, payload: bytes) -> tuple[str, list[str]]:
    """Add what a table signed of the matches held.

    Returns:
        The signature of the last statement, and what does not hold, a sentence each.

    Raises:
        BadMessageError: these are no statements.
    """
    try:
        statements = statements_of(json.loads(payload))
    except (ValueError, RecursionError):
        raise BadMessageError("What a table signed cannot be read.") from None
    if not statements:
        raise BadMessageError("A table sent a list of nothing.")
    key, faults = store.signer(table), list[str]()
    for one in statements:
        if not one.holds:
            faults.append(f"Event {one.number} of match {one.match} has a signature that is none.")
            continue
        key = key or one.key
        if one.key != key:
            of = f"Event {one.number} of match {one.match} is signed" if one.about == "match" else "It signs"
            faults.append(f"{of} {OTHER_KEY}")
        elif one.about == "match" and store.digest_at(table, one.match, 1) is not None:
            there = store.digest_at(table, one.match, one.number)
            if there not in (None, one.head):
                faults.append(f"Event {one.number} of match {one.match} is not the one that was signed.")
            store.sign(table, one, canonical(one.as_json()))
    store.note_signer(table, key, statements[-1].signature)
    return statements[-1].signature, faults
