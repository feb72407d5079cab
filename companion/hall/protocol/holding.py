"""Whether the hub takes a row: each one once, in the table's order, and none whose chain does not hold."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from companion.hall.protocol.messages import Held
from companion.records.rows import Row, is_altered


@dataclass(frozen=True, slots=True)
class Taken:
    """The row is new and follows the last one held."""

    row: Row


@dataclass(frozen=True, slots=True)
class Known:
    """The very same row is held already."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Rows between the last one held and this one have not arrived: the table has to send again."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The row is not as a table wrote it, or contradicts one that is held; `match` is one to take no more of."""

    why: str
    match: str | None = None


Judgement: TypeAlias = Taken | Known | Missing | Refused


def judge(
    row: Row, after: str, held: Held, last: str, digest_at: Callable[[str, int], str | None]
) -> Judgement:
    """Judge a row that arrived.

    Args:
        row: as it arrived.
        after: the digest of the row that the table sent before, or of the one it was told that the hub holds.
        held: the table's last row in the hub.
        last: the digest of the row of this table that was taken or known last.
        digest_at: the digest of a held row of this table by match and number, or None.
    """
    if "\0" in row.match_id:  # a text that PostgreSQL cannot keep
        return Refused("A match has a name that cannot be.")
    if is_altered(row):
        return Refused(f"Event {row.number} of match {row.match_id} has been altered on its way.")
    there = digest_at(row.match_id, row.number)
    if there == row.digest:
        return Known()
    if there is not None or row.match_id in held.refused:
        why = f"Match {row.match_id} differs from event {row.number} on from what the hub holds of it."
        return Refused(why, row.match_id)
    if after not in (held.digest, last):
        return Missing()
    if row.number > 1 and row.previous != digest_at(row.match_id, row.number - 1):
        why = f"Event {row.number} of match {row.match_id} does not follow the one before it."
        return Refused(why, row.match_id)
    return Taken(row)
