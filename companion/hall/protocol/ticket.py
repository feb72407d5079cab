"""A ticket by which the hall's director opens a table's own page in his role there; pure.

The hub signs it with what it keeps of the table's password, a hash with a salt; the ticket names the salt, and only
the table with this password computes the same hash.
"""

import binascii
import hashlib
import hmac
import secrets
import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit

from companion.hall.protocol.messages import BadMessageError, decoded, encoded
from sentence import Sentence, say

LIFE_MS = 120_000
"""A ticket is used at once; two minutes are for a slow network."""
CLOCKS_MS = 60_000
"""So far the clocks of hub and table may differ: a ticket that lives longer than both together is refused."""
MOST_LETTERS, MOST_ADDRESS = 2000, 200
FORGED = say("This link is not from the desk of this table’s hall.")
LATE = say("This link has been used or is too old; open the table from the hall’s desk again.")


@dataclass(frozen=True, slots=True)
class Ticket:
    """Who may enter where, and until when.

    Attributes:
        hall, table: their names.
        session: of the table's program, as in `About`.
        word: another one in each ticket.
        until_ms: end, milliseconds since 1970.
        by: who enters; "" without a name.
        salt: of the hash that signs it.
    """

    hall: str
    table: str
    session: str
    word: str
    until_ms: int
    by: str
    salt: str


def new_ticket(hall: str, table: str, session: str, by: str, salt: str, now_ms: int) -> Ticket:
    """A ticket for the next minutes."""
    return Ticket(hall, table, session, secrets.token_urlsafe(12), now_ms + LIFE_MS, by, salt)


def as_text(ticket: Ticket, key: str) -> str:
    """The ticket for an address, signed with a key."""
    body = urlsafe_b64encode(encoded(ticket)).decode().rstrip("=")
    return f"{body}.{_signature(body, key)}"


def _signature(body: str, key: str) -> str:
    return hmac.new(key.encode(), b"hall ticket " + body.encode(), hashlib.sha256).hexdigest()


class Door:
    """Lets each ticket of this start of the table's program in once.

    Args:
        hall, table, session: as in `Ticket`.
        key: the hash of the table's password with a salt; ValueError for a text that is no salt.
        now_ms: wall clock.
    """

    def __init__(
        self, hall: str, table: str, session: str, key: Callable[[str], str], now_ms: Callable[[], int]
    ) -> None:
        self._here = hall, table, session
        self._key, self._now_ms = key, now_ms
        self._used: set[str] = set()
        self._lock = threading.Lock()

    def enter(self, text: str) -> Ticket | Sentence:
        """The ticket in the text, which is used by this; a sentence why not."""
        ticket = self._signed(text)
        if ticket is None or (ticket.hall, ticket.table) != self._here[:2]:
            return FORGED
        left_ms = ticket.until_ms - self._now_ms()
        with self._lock:
            is_good = ticket.session == self._here[2] and 0 < left_ms <= LIFE_MS + CLOCKS_MS
            if not is_good or ticket.word in self._used:
                return LATE
            self._used.add(ticket.word)
        return ticket

    def _signed(self, text: str) -> Ticket | None:
        body, _, signature = text.partition(".")
        if len(text) > MOST_LETTERS or not text.isascii():
            return None
        try:
            ticket = decoded(urlsafe_b64decode(body + "=" * (-len(body) % 4)), Ticket)
            good = _signature(body, self._key(ticket.salt))
        except (binascii.Error, BadMessageError, ValueError):
            return None
        return ticket if hmac.compare_digest(signature, good) else None


def page_address(text: str) -> str:
    """Start of links to a table's own page, as the table told it; "" for what is none."""
    if (
        len(text) > MOST_ADDRESS
        or not text.isascii()
        or not text.isprintable()
        or " " in text
        or "\\" in text
    ):
        return ""
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return ""
    is_plain = parts.scheme in ("http", "https") and host and not (parts.query or parts.fragment)
    return text.rstrip("/") if is_plain and "@" not in parts.netloc else ""
