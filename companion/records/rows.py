"""Events as rows of text, and the chain of digests that binds them; docs/RECORD.md specifies both.

The text of an event is canonical JSON. Reading is strict: anything but an event, with the types that its class
declares, is refused, so that nothing half-understood is ever replayed.
"""

import hashlib
import json
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import fields as fields_of
from datetime import UTC, datetime
from typing import Any, TypeVar

import msgspec

from companion.errors import GameError
from companion.game.events import Amended, AnyEvent, Event, MatchBegan, PlainEvent, PlayEntered
from sentence import verbatim

GENESIS = "0" * 64
"""The `previous` of the first match's first row."""
_KINDS: Mapping[str, type] = {kind.__name__: kind for kind in (*typing.get_args(PlainEvent), Amended)}
_LATER = (
    "pairing",
    "chouette",
    "partners",
    "partner",
    "correction",
    "chances",
    "play",
    "in_step",
    "past_calls",
)
"""Fields that came to their events, or to the evidence in them, later."""
_Kind = TypeVar("_Kind")


class BadRecordError(GameError, ValueError):
    """A row, or a file, that is damaged or no record of ours; its text is English only."""

    def __init__(self, text: str) -> None:
        super().__init__(verbatim(text))


@dataclass(frozen=True, slots=True)
class Row:
    """One event as stored.

    Attributes:
        match_id: of the event's match.
        number: of the event in the match, from 1 without a gap.
        at_ms: wall time of the event, milliseconds since 1970 UTC.
        kind: the event's class.
        body: the whole event as canonical JSON.
        previous: digest of the row before; for a match's first row, of the journal's last row.
        digest: SHA-256 over all of the above.
    """

    match_id: str
    number: int
    at_ms: int
    kind: str
    body: str
    previous: str
    digest: str

    @property
    def is_whole(self) -> bool:
        """Whether each column has its type; a damaged file may yield bytes or None for a text."""
        texts = (self.match_id, self.kind, self.body, self.previous, self.digest)
        return all(type(text) is str for text in texts) and type(self.number) is type(self.at_ms) is int


def moment_of(at_ms: int) -> datetime | None:
    """A time in milliseconds since 1970 as a date in UTC; None outside the calendar."""
    try:
        return datetime.fromtimestamp(at_ms / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def date_of(at_ms: int) -> str:
    """The day (UTC) as 2026-11-21; "undated" for a time outside the calendar."""
    moment = moment_of(at_ms)
    return moment.date().isoformat() if moment else "undated"


def row_of(event: AnyEvent, match_id: str, number: int, previous: str) -> Row:
    """The row of an event that follows the row with the digest `previous`."""
    kind, body = type(event).__name__, text_of(event)
    digest = digest_of(match_id, number, event.at_ms, kind, body, previous)
    return Row(match_id, number, event.at_ms, kind, body, previous, digest)


def digest_of(match_id: str, number: int, at_ms: int, kind: str, body: str, previous: str) -> str:
    """SHA-256 over the row's fields as a canonical JSON list, in hexadecimal."""
    texts = (quoted(match_id), str(number), str(at_ms), quoted(kind), quoted(body), quoted(previous))
    return hashlib.sha256(f"[{','.join(texts)}]".encode()).hexdigest()


quoted = json.JSONEncoder(ensure_ascii=False).encode
"""A text as canonical JSON."""


def event_of(row: Row) -> AnyEvent:
    """The event of a row.

    Raises:
        BadRecordError: the row is damaged, holds no event, or contradicts its body.
    """
    if not row.is_whole:
        raise BadRecordError(f"Row {row.number} of match {row.match_id} is damaged.")
    event = event_in(row.body)
    if type(event).__name__ != row.kind or event.at_ms != row.at_ms:
        raise BadRecordError(f"Row {row.number} of match {row.match_id} contradicts itself.")
    return event


def pairing_of(row: Row) -> str:
    """The hall's pairing that a match is, by its first row; "" for none, or for a row that cannot be read."""
    try:
        began = event_of(row)
    except GameError:
        return ""
    return began.pairing if isinstance(began, MatchBegan) else ""


def text_of(event: AnyEvent) -> str:
    """An event as canonical JSON."""
    return canonical(_plain(event))


def event_in(text: str) -> AnyEvent:
    """Parse an event from JSON text; BadRecordError if the text holds no event."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise BadRecordError("A row of the record is not JSON.") from None
    return event_from(data)


def event_from(data: object) -> AnyEvent:
    """The event of plain JSON data; BadRecordError if the data hold no event."""
    named = data.get("event") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(named, str) or named not in _KINDS:
        raise BadRecordError("A row of the record names no event that is known.")
    fields = {name: value for name, value in data.items() if name != "event"}
    if named != Amended.__name__:
        return typing.cast(AnyEvent, _read(fields, _KINDS[named]))
    to = event_from(fields.pop("to", None))
    if isinstance(to, Amended):
        raise BadRecordError("An amendment cannot be amended.")
    amendment = _read(fields, _Amendment)
    return Amended(to=to, **{one.name: getattr(amendment, one.name) for one in fields_of(_Amendment)})


def problems_of(rows: "list[Row]", head: str | None = None) -> list[str]:
    """Faults in the rows of one match, a sentence each; empty if the chain holds.

    Args:
        rows: all rows of the match, in order.
        head: digest of the last row as on the score sheet, to detect a cut tail.
    """
    found: list[str] = []
    for at, row in enumerate(rows):
        if row.number != at + 1:
            found.append(f"Event {at + 1} is missing; the row in its place says {row.number}.")
            break
        if is_altered(row):
            found.append(f"Event {row.number} has been altered.")
        elif at and row.previous != rows[at - 1].digest:
            found.append(f"Event {row.number} does not follow the one before it.")
        else:
            found += _unreadable(row)
    if head is not None and (not rows or rows[-1].digest != head):
        at_head = [row.number for row in rows if row.digest == head]
        found.append(
            f"The head given belongs to event {at_head[0]}: {len(rows) - at_head[0]} more follow."
            if at_head
            else "The record does not end with the head given: its tail is cut, or it is another record."
        )
    return found


def is_altered(row: Row) -> bool:
    """Whether a row does not match its digest."""
    digested = (row.match_id, row.number, row.at_ms, row.kind, row.body, row.previous)
    return not row.is_whole or digest_of(*digested) != row.digest


def _unreadable(row: Row) -> list[str]:
    try:
        event_of(row)
    except BadRecordError as error:
        return [f"Event {row.number} cannot be read: {error}"]
    return []


canonical = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
).encode
"""Canonical JSON: keys sorted, no spaces, UTF-8 as it is; ValueError for what JSON has no number for."""


def _plain(event: AnyEvent) -> dict[str, Any]:
    """An event as plain data: its class as `event`, then its fields."""
    data = {"event": type(event).__name__, **msgspec.to_builtins(event)}
    for fields in (data, data.get("evidence")):  # without them an event is spelled as before there were any
        for name in _LATER:
            if fields and name in fields and not fields[name]:
                del fields[name]
    return {**data, "to": _plain(event.to)} if isinstance(event, Amended) else data


@dataclass(frozen=True, slots=True)
class _Amendment(Event):
    """The fields of `Amended` except `to`, which is an event of any kind."""

    number: int
    why: str = ""
    play: PlayEntered | None = None
    in_step: bool = False


def _read(fields: Mapping[str, object], kind: type[_Kind]) -> _Kind:
    """A dataclass from plain data; BadRecordError unless each field, nested ones included, is known and of its type."""
    try:
        read = msgspec.convert(fields, kind)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:  # half a surrogate pair is no text
        raise BadRecordError(f"{kind.__name__.strip('_')} cannot be read: {error}.") from None
    unknown = _unknown(fields, msgspec.to_builtins(read))
    if unknown is not None:
        raise BadRecordError(f"{kind.__name__.strip('_')} has a field “{unknown}” that is not known.")
    return read


def _unknown(data: object, read: Any) -> str | None:
    """Name of the first field in JSON data, at any depth, that what was read from them lacks; None if there is none."""
    if isinstance(data, Mapping):
        inside = [_unknown(value, read[name]) if name in read else name for name, value in data.items()]
    elif isinstance(data, list):
        inside = [_unknown(item, part) for item, part in zip(data, read, strict=True)]
    else:
        return None
    return next((name for name in inside if name is not None), None)
