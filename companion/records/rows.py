"""Events as rows of text, and the chain of digests that binds them; docs/RECORD.md specifies both.

The text of an event is canonical JSON. Reading is strict: anything but an event, with the types that its class
declares, is refused, so that nothing half-understood is ever replayed.
"""

import hashlib
import json
import types
import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

from companion.errors import GameError
from companion.game.events import Amended, AnyEvent, PlainEvent
from sentence import verbatim

GENESIS = "0" * 64
"""The `previous` of the first match's first row."""
_KINDS: Mapping[str, type] = {kind.__name__: kind for kind in (*get_args(PlainEvent), Amended)}


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


def text_of(event: AnyEvent) -> str:
    """An event as canonical JSON."""
    return _canonical(plain(event))


def plain(event: AnyEvent) -> dict[str, Any]:
    """An event as plain JSON data: its class as `event`, then its fields."""
    return {"event": type(event).__name__, **_plain_fields(event)}


def event_in(text: str) -> AnyEvent:
    """Parse an event from JSON text; BadRecordError if the text holds no event."""
    try:
        data = json.loads(text)
    except ValueError:
        raise BadRecordError("A row of the record is not JSON.") from None
    return event_from(data)


def event_from(data: object) -> AnyEvent:
    """The event of plain JSON data; BadRecordError if the data hold no event."""
    if not isinstance(data, dict) or data.get("event") not in _KINDS:
        raise BadRecordError("A row of the record names no event that is known.")
    kind = _KINDS[data["event"]]
    event = _build(kind, {name: value for name, value in data.items() if name != "event"}, data["event"])
    return typing.cast(AnyEvent, event)


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


def chain_holds(rows: Iterable[Row], before: str = GENESIS) -> bool:
    """Whether the rows of a journal, in the order of writing, are as written; their events are not parsed.

    Args:
        rows: all rows, or all from some match on.
        before: digest of the row before the first one.
    """
    ends: dict[str, Row] = {}
    for row in rows:
        if is_altered(row):
            return False
        last = ends.get(row.match_id)
        number, previous = (last.number, last.digest) if last else (0, before)
        if (row.number, row.previous) != (number + 1, previous):
            return False
        ends[row.match_id] = row
        before = row.digest
    return True


def _unreadable(row: Row) -> list[str]:
    try:
        event_of(row)
    except BadRecordError as error:
        return [f"Event {row.number} cannot be read: {error}"]
    return []


_canonical = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
).encode
"""Canonical JSON: keys sorted, no spaces, UTF-8 as it is; ValueError for what JSON has no number for."""


def _plain_fields(value: Any) -> dict[str, Any]:
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}


def _plain(value: object) -> object:
    """Any value of an event as JSON data."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        if type(value).__name__ in _KINDS:
            return plain(typing.cast(AnyEvent, value))
        return _plain_fields(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


@cache
def _types_of(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _build(kind: type, data: object, where: str) -> object:
    """A dataclass from plain data; every field is checked against its declared type."""
    if not isinstance(data, dict):
        raise BadRecordError(f"{where} is not an object.")
    declared = _types_of(kind)
    for name in data:
        if name not in declared:
            raise BadRecordError(f"{where} has a field “{name}” that is not known.")
    values = {name: _value(declared[name], value, f"{where}.{name}") for name, value in data.items()}
    try:
        return kind(**values)
    except TypeError:
        raise BadRecordError(f"{where} lacks a field.") from None


def _value(declared: Any, data: object, where: str) -> object:
    """A field's value from plain data, checked against its declared type."""
    origin, args = get_origin(declared), get_args(declared)
    if origin in (typing.Union, types.UnionType):
        return _one_of(args, data, where)
    if origin is Literal and any(data == arg and type(data) is type(arg) for arg in args):
        return data
    if origin is tuple:
        return _tuple(args, data, where)
    if declared in (int, str, bool, float):
        return _simple(declared, data, where)
    if isinstance(declared, type):
        return _instance(declared, data, where)
    raise BadRecordError(f"{where} has a value that it cannot have.")


def _instance(declared: type, data: object, where: str) -> object:
    """A value of a class: None, a member of an enum, a named tuple or a dataclass."""
    if declared is types.NoneType and data is None:
        return None
    if issubclass(declared, Enum):
        return _enum(declared, data, where)
    if issubclass(declared, tuple):
        hints = tuple(_types_of(declared)[name] for name in declared._fields)  # type: ignore[attr-defined]
        return declared(*typing.cast(tuple[Any, ...], _tuple(hints, data, where)))
    if is_dataclass(declared):
        return _nested(declared, data, where)
    raise BadRecordError(f"{where} has a value that it cannot have.")


def _simple(declared: type, data: object, where: str) -> object:
    if declared is float and isinstance(data, (int, float)) and not isinstance(data, bool):
        return data
    if type(data) is declared:
        return data
    raise BadRecordError(f"{where} has a value that it cannot have.")


def _one_of(args: tuple[Any, ...], data: object, where: str) -> object:
    for arg in args:
        try:
            return _value(arg, data, where)
        except BadRecordError:
            continue
    raise BadRecordError(f"{where} has a value that it cannot have.")


def _tuple(args: tuple[Any, ...], data: object, where: str) -> tuple[object, ...]:
    if isinstance(data, list):
        if len(args) == 2 and args[1] is Ellipsis:
            return tuple(_value(args[0], item, where) for item in data)
        if len(args) == len(data):
            return tuple(_value(arg, item, where) for arg, item in zip(args, data, strict=True))
    raise BadRecordError(f"{where} is not a list of the right length.")


def _enum(declared: type[Enum], data: object, where: str) -> Enum:
    try:
        return declared(data)
    except ValueError:
        raise BadRecordError(f"{where} is none of {', '.join(str(one.value) for one in declared)}.") from None


def _nested(declared: type, data: object, where: str) -> object:
    """A dataclass inside an event; an event inside an event names its kind."""
    if declared.__name__ not in _KINDS:
        return _build(declared, data, where)
    if not isinstance(data, dict) or data.get("event") != declared.__name__:
        raise BadRecordError(f"{where} is not a {declared.__name__}.")
    return _build(declared, {name: value for name, value in data.items() if name != "event"}, where)
