"""Pairings of a hall: a list as text, and the match that a table is offered; pure."""

import csv
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from companion.errors import GameError
from companion.protocol.action_shapes import LONGEST_MATCH, LONGEST_NAME
from companion.protocol.shapes import HallOffer
from sentence import Sentence, say

COLUMNS = ("round", "table", "player", "player", "length", "rules", "event")
"""The columns of a list of pairings, in this order; those after the players may be missing or empty."""
MOST = 2000
"""Most pairings in one list."""
LONGEST_WORD = 40
LONGEST_EVENT = 80
_SEPARATORS = "\t;,"
_LENGTH = re.compile(r"[0-9]{1,4}")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class BadPairingsError(GameError, ValueError):
    """A list of pairings that cannot be used; the sentence names its line."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A line of a list of pairings.

    Attributes:
        table: that plays it; "" until one is chosen.
        length: points; 0 is money play, None as usual at the table.
        rules: a profile's name; "" as usual at the table.
    """

    round: str
    table: str
    south: str
    north: str
    length: int | None = None
    rules: str = ""
    event: str = ""

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What names it: a list that has it again changes it."""
        return self.event, self.round, self.south, self.north

    @property
    def folded(self) -> tuple[str, str]:
        """The players' names, to be compared."""
        return self.south.casefold(), self.north.casefold()


@dataclass(frozen=True, slots=True)
class Offer:
    """The match that a hub gives a table; the table begins it by one tap, and writes `pairing` into its record.

    Attributes:
        pairing: a word that the hub drew at random and shows this table only.
        length, profile: None as usual at the table.
    """

    pairing: str
    south: str
    north: str
    length: int | None
    profile: str | None
    round: str
    event: str

    def as_shown(self) -> HallOffer:
        """The offer in the page's state."""
        return {
            "pairing": self.pairing,
            "players": {"south": self.south, "north": self.north},
            "length": self.length,
            "profile": self.profile,
            "round": self.round,
            "event": self.event,
        }


def pairings_in(
    text: str, tables: Iterable[str], profiles: Iterable[str], waiting: Iterable[Pairing] = ()
) -> list[Pairing]:
    """The pairings in a text: a line each, with commas, semicolons or tabs between the columns.

    A first line that begins with "round" names the columns, and is passed over.

    Args:
        text: as pasted, or of a file.
        tables: names that a table can have.
        profiles: names that rules can have.
        waiting: pairings taken before that have not begun; those that the text has again are replaced by it.

    Raises:
        BadPairingsError: a line cannot be used, or there is none; the list is taken as a whole or not at all.
    """
    lines = [f"{line}\n" for line in text.lstrip("\ufeff").splitlines()]
    first = next((line for line in lines if line.strip()), "")
    separator = next((one for one in _SEPARATORS if one in first), ",")
    known, rules, found = frozenset(tables), frozenset(profiles), list[Pairing]()
    at = list[int]()
    reader, line = csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True), 1
    try:
        for cells in reader:
            cells = [in_one_line(cell) for cell in cells]
            if any(cells) and not (not found and cells[0].casefold() == COLUMNS[0]):
                found.append(_pairing(cells, line, known, rules))
                at.append(line)
            line = reader.line_num + 1
    except csv.Error:  # a quotation mark that is never closed is seen at the end of the text only
        raise BadPairingsError(
            say("Line {line}: write round, table, player, player, length, rules, event.", line=line)
        ) from None
    if not found or len(found) > MOST:
        raise BadPairingsError(say("A list has 1 to {most} pairings, one on each line.", most=MOST))
    _check_round(found, at, waiting)
    return found


def in_one_line(text: str) -> str:
    """A name without what no line has: control characters, and more than one space."""
    return " ".join(_CONTROL.sub(" ", text).split())


def _check_round(found: list[Pairing], at: list[int], waiting: Iterable[Pairing]) -> None:
    """Check that nobody has two matches at once: BadPairingsError names the line, and the one that it contradicts."""
    again = {one.key for one in found}
    before = defaultdict[tuple[str, str], list[tuple[Sentence, Pairing]]](list)  # by round and player

    def note(where: Sentence, one: Pairing) -> None:
        for name in one.folded:
            before[one.round.casefold(), name].append((where, one))

    for one in waiting:
        if one.key not in again:
            note(say("a pairing taken before"), one)
    for line, one in zip(at, found, strict=True):
        for name in one.folded:
            for where, other in before[one.round.casefold(), name]:
                _check_two(line, one, where, other)
        note(say("line {line}", line=line), one)


def _check_two(line: int, one: Pairing, where: Sentence, other: Pairing) -> None:
    names = [name for name in (one.south, one.north) if name.casefold() in other.folded]
    is_same_event = one.event.casefold() == other.event.casefold()
    if len(names) == 2 and is_same_event:
        raise BadPairingsError(
            say(
                "Line {line}: {south} and {north} are paired in this round already ({where}).",
                line=line,
                south=one.south,
                north=one.north,
                where=where,
            )
        )
    if one.round and is_same_event:
        raise BadPairingsError(
            say(
                "Line {line}: {name} plays in round {round} already ({where}).",
                line=line,
                name=names[0],
                round=one.round,
                where=where,
            )
        )
    if one.table and other.table and one.table != other.table:
        raise BadPairingsError(
            say(
                "Line {line}: {name} would be at the tables {table} and {other} at once ({where}); "
                "write different rounds.",
                line=line,
                name=names[0],
                table=one.table,
                other=other.table,
                where=where,
            )
        )


def _pairing(cells: list[str], line: int, tables: frozenset[str], profiles: frozenset[str]) -> Pairing:
    if not 4 <= len(cells) <= len(COLUMNS):
        raise BadPairingsError(
            say("Line {line}: write round, table, player, player, length, rules, event.", line=line)
        )
    cells = [*cells, *[""] * (len(COLUMNS) - len(cells))]
    turn, table, south, north, length, rules, event = cells
    if not south or not north or max(len(south), len(north)) > LONGEST_NAME:
        raise BadPairingsError(say("Line {line}: two players are needed.", line=line))
    if south.casefold() == north.casefold():
        raise BadPairingsError(say("Line {line}: both players are called {name}.", line=line, name=south))
    if table and table not in tables:
        raise BadPairingsError(
            say("Line {line}: no table “{table}” was invited.", line=line, table=table[:LONGEST_WORD])
        )
    if length and not (_LENGTH.fullmatch(length) and int(length) <= LONGEST_MATCH):
        raise BadPairingsError(
            say("Line {line}: “{length}” is no length of a match.", line=line, length=length[:LONGEST_WORD])
        )
    if rules and rules not in profiles:
        raise BadPairingsError(
            say("Line {line}: there are no rules “{rules}”.", line=line, rules=rules[:LONGEST_WORD])
        )
    if len(turn) > LONGEST_WORD or len(event) > LONGEST_EVENT:
        raise BadPairingsError(say("Line {line}: round or event is too long.", line=line))
    return Pairing(turn, table, south, north, int(length) if length else None, rules, event)
