"""This table's key, and what it signs: heads of matches at the ends of games, and pictures that the quota removes.

The list of statements is `matches/signed.jsonl`; docs/RECORD.md specifies it, and says what a signature proves.
"""

import json
import os
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

import msgspec
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)

from companion.protocol.shapes import SignedHead
from companion.records.ogxm.signed import Signer
from companion.records.rows import Row, canonical, quoted
from companion.storage.folder import KEY_FILE, MATCHES, SIGNED
from companion.storage.wholefile import put, put_durably


@dataclass(frozen=True, slots=True)
class Statement:
    """One signed line.

    Attributes:
        about: "key": the list begins, after `match`; "match": a head; "pictures": the quota removes some.
        at_ms: time of signing, milliseconds since 1970 UTC.
        key: the public key, in hexadecimal.
        match: the match; for a new list the last one before it, "" without one.
        number: number of the event with the digest `head`.
        late: signed by a start, because the program had ended between the event and its signature.
        pictures: their names.
        signature: Ed25519 over the canonical JSON of all other fields, in hexadecimal.
    """

    about: Literal["key", "match", "pictures"]
    at_ms: int
    key: str
    match: str = ""
    number: int = 0
    head: str = ""
    late: bool = False
    pictures: tuple[str, ...] = ()
    signature: str = ""

    @property
    def signed_text(self) -> str:
        """The text that the signature is over."""
        fields = self.as_json()
        del fields["signature"]
        return canonical(fields)

    @property
    def holds(self) -> bool:
        """Whether the signature is this key's over this statement."""
        return holds(self.key, self.signature, self.signed_text.encode())

    def as_json(self) -> dict[str, Any]:
        """All fields, as in a line of the list."""
        return {**asdict(self), "pictures": list(self.pictures)}

    def as_head(self) -> SignedHead:
        """A statement about a head, for the page."""
        return {
            "number": self.number,
            "head": self.head,
            "key": self.key,
            "statement": canonical(self.as_json()),
        }


def statements_of(data: Any) -> list[Statement]:
    """Statements from plain JSON data, their signatures unchecked; ValueError if they are none."""
    return msgspec.convert(data, list[Statement])


def read_statements(folder: Path, match_id: str | None = None) -> tuple[list[Statement], int]:
    """The statements of a state folder, and the number of lines that are none or not signed by the key they name.

    Of one match: those about it, about keys and about pictures. OSError if the list cannot be read. The remains of a
    write that a power cut ended are no line.
    """
    try:
        lines = (folder / MATCHES / SIGNED).read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return [], 0
    if match_id is not None:  # of thousands of matches
        wanted = (b'"about":"key"', b'"about":"pictures"', f'"match":{quoted(match_id)}'.encode())
        lines = [line for line in lines if any(part in line for part in wanted)]
    found = [one for line in lines for one in _in(line) if one.holds]
    return found, len(lines) - len(found)


def _in(line: bytes) -> list[Statement]:
    """The statement in a line of the list, its signature unchecked; none in a line that holds none."""
    with suppress(ValueError, RecursionError):
        return statements_of([json.loads(line)])
    return []


def public_key(folder: Path) -> str | None:
    """This table's public key in hexadecimal; None without a key that this user can read."""
    with suppress(OSError, ValueError):
        return _public(_loaded(folder / KEY_FILE))
    return None


def signer_of(folder: Path) -> Signer | None:
    """This table's key for signing files; None without a key that this user can read."""
    with suppress(OSError, ValueError):
        key = _loaded(folder / KEY_FILE)
        return Signer(_public(key), key.sign)
    return None


def holds(key: str, signature: str, data: bytes) -> bool:
    """Whether an Ed25519 signature is this key's over the data; key and signature in hexadecimal."""
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), data)
    except (ValueError, InvalidSignature):
        return False
    return True


def key_trouble(folder: Path) -> str:
    """Why the folder's key cannot sign, empty if it can or a start makes one.

    Raises:
        PermissionError: this user may not read it.
    """
    try:
        _loaded(folder / KEY_FILE)
    except FileNotFoundError:
        pass
    except PermissionError:
        raise
    except (OSError, ValueError) as error:
        return str(error)
    return ""


def _loaded(file: Path) -> Ed25519PrivateKey:
    """The key in a file.

    Raises:
        OSError: the file cannot be read.
        ValueError: it holds no such key.
    """
    pem = file.read_bytes()
    with suppress(ValueError, TypeError, UnsupportedAlgorithm):
        key = load_pem_private_key(pem, None)
        if isinstance(key, Ed25519PrivateKey):
            return key
    raise ValueError(f"{file} holds no key that this table could sign with.")


def _public(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()


class Signing:
    """Signs for a state folder; what cannot be written waits in memory. Callable from any thread.

    Attributes:
        statements: those about keys, and about the match that was the last one at the start.
        trouble: the reason why statements wait, or ""; the program goes on without.
    """

    def __init__(self, folder: Path, now_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000) -> None:
        self._folder, self._now_ms = folder, now_ms
        self._lock = threading.Lock()
        self._key: Ed25519PrivateKey | None = None
        self._waiting: list[Statement] = []
        self._latest: dict[str, Statement] = {}
        self.statements: list[Statement] = []
        self.trouble = ""

    def begin(self, last_match: str | None) -> None:
        """Make the key and the list, if there is none; `last_match`: the last match in the journal."""
        try:
            found = read_statements(self._folder, last_match or "")[0]
            self.statements = [one for one in found if one.about != "pictures"]
        except OSError as error:
            self.trouble = _text_of(error)
            return
        self._latest = {one.match: one for one in self.statements if one.about == "match"}
        own = public_key(self._folder)
        if not any(one.about == "key" and one.key == own for one in self.statements):
            self._add(Statement("key", self._now_ms(), "", match=last_match or ""))

    def signer(self) -> Signer | None:
        """This table's key for signing files; None without a usable one."""
        return signer_of(self._folder)

    def sign(self, row: Row, *, late: bool = False) -> None:
        """Sign the head of a match: the row that is its last; once."""
        latest = self._latest.get(row.match_id)
        if latest is None or latest.head != row.digest:
            at_ms = self._now_ms()
            self._add(Statement("match", at_ms, "", row.match_id, row.number, row.digest, late))

    def note_removed(self, pictures: Sequence[str]) -> None:
        """Note pictures that the quota is about to remove."""
        self._add(Statement("pictures", self._now_ms(), "", pictures=tuple(pictures)))

    def withdraw(self, match_ids: Collection[str]) -> None:
        """Take back what was signed about matches that were begun by mistake; `trouble` is the reason if not."""
        with self._lock:
            self._waiting = [one for one in self._waiting if not _is_about(one, match_ids)]
            self.statements = [one for one in self.statements if not _is_about(one, match_ids)]
            self._latest = {name: one for name, one in self._latest.items() if name not in match_ids}
            file = self._folder / MATCHES / SIGNED
            try:
                lines = file.read_bytes().splitlines(keepends=True)
                kept = [line for line in lines if not any(_is_about(one, match_ids) for one in _in(line))]
                if kept != lines:
                    put(file, b"".join(kept))
            except FileNotFoundError:
                return
            except OSError as error:
                self.trouble = _text_of(error)

    def latest(self, match_id: str) -> Statement | None:
        """The newest statement about a match's head."""
        return self._latest.get(match_id)

    def newest_of(self, match_id: str) -> Statement | None:
        """As `latest`, read from the list for a match that was over when the program started."""
        about = (one for one in reversed(self.of_match(match_id)) if one.about == "match")
        return self.latest(match_id) or next(about, None)

    def of_match(self, match_id: str) -> list[Statement]:
        """The statements about a match, keys and pictures; none if the list cannot be read."""
        with suppress(OSError):
            return read_statements(self._folder, match_id)[0]
        return []

    def _add(self, statement: Statement) -> None:
        with self._lock:
            self._waiting.append(statement)
        self.catch_up()

    def catch_up(self) -> None:
        """Sign and write the waiting statements; `trouble` is the reason if that is not possible."""
        with self._lock:
            try:
                if self._waiting:
                    self._write(list(map(self._signed, self._waiting)))
                self._waiting, self.trouble = [], ""
            except (OSError, ValueError) as error:
                self.trouble = _text_of(error)

    def _signed(self, statement: Statement) -> Statement:
        """The statement with key and signature; OSError or ValueError without a usable key."""
        self._key = self._key or self._own_key()
        statement = replace(statement, key=_public(self._key))
        return replace(statement, signature=self._key.sign(statement.signed_text.encode()).hex())

    def _own_key(self) -> Ed25519PrivateKey:
        """The folder's key; made if there is none."""
        file = self._folder / KEY_FILE
        with suppress(FileNotFoundError):
            return _loaded(file)
        key = Ed25519PrivateKey.generate()
        put_durably(file, key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()), mode=0o600)
        return key

    def _write(self, statements: Sequence[Statement]) -> None:
        """Append lines, each whole, after any remains of a write that a power cut ended.

        A list that was deleted in use begins again with the statements known here.
        """
        with open(self._folder / MATCHES / SIGNED, "ab+") as out:
            out.seek(0)
            end = out.read().rfind(b"\n") + 1
            lines = statements if end else [*self.statements, *statements]
            out.truncate(end)
            out.write(b"".join(canonical(one.as_json()).encode() + b"\n" for one in lines))
            out.flush()
            os.fsync(out.fileno())
        self.statements += [one for one in statements if one.about == "key"]
        self._latest |= {one.match: one for one in statements if one.about == "match"}


def _is_about(statement: Statement, match_ids: Collection[str]) -> bool:
    """Whether a statement is about the head of one of these matches."""
    return statement.about == "match" and statement.match in match_ids


def _text_of(error: Exception) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error)


# Checks


@dataclass(frozen=True, slots=True)
class Signed:
    """What is signed of the matches.

    Attributes:
        statements: those whose signatures hold.
        bad: number of lines in the list whose signature does not hold.
        key: the public key that has to have signed; None: any.
    """

    statements: Sequence[Statement]
    bad: int = 0
    key: str | None = None

    @property
    def removed(self) -> frozenset[str]:
        """The pictures that the quota removed."""
        return frozenset(name for one in self._trusted for name in one.pictures)

    @property
    def _trusted(self) -> Iterator[Statement]:
        return (one for one in self.statements if self.key in (None, one.key))

    def about(self, match_id: str) -> list[Statement]:
        """The statements about a match's heads, oldest first."""
        return [one for one in self.statements if one.about == "match" and one.match == match_id]

    def covers(self, rows: Sequence[Row], matches: Sequence[str]) -> bool:
        """Whether a match began after the list, so that it has to be signed.

        Args:
            rows: its rows, at least one.
            matches: all matches in order of writing.
        """
        begun = next((one for one in self._trusted if one.about == "key"), None)
        if begun is None:
            return False
        match_id = rows[0].match_id
        if begun.match in matches and match_id in matches:
            return matches.index(match_id) > matches.index(begun.match)
        return not begun.match or rows[0].at_ms > begun.at_ms

    def problems(self, rows: Sequence[Row], *, ended: bool) -> list[str]:
        """Contradictions between a match's rows and what was signed, a sentence each.

        Args:
            rows: all rows of the match.
            ended: whether the last of them has to be signed.
        """
        found = []
        about = self.about(rows[0].match_id) if rows else []
        for one in about:
            if self.key is not None and one.key != self.key:
                found.append(f"Event {one.number} is signed with another key than the table's: {one.key}.")
            if one.number > len(rows):
                found.append(f"{one.number} events were signed, {len(rows)} are there: the tail is cut.")
            elif rows[one.number - 1].digest != one.head:
                found.append(
                    f"Event {one.number} is not the one that was signed: the record has been replaced."
                )
        if ended and not any(one.head == rows[-1].digest for one in about):
            found.append("The end of the match is not signed, or its signature was removed.")
        return found
