"""Search in the catalogue: matches by player, event and date, and the players with their figures."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from companion.storage.archive import Archive
from companion.storage.catalogue import Entry
from companion.storage.errors import as_journal_error
from companion.storage.folder import LABELS, MATCHES
from companion.storage.lines import match_names
from companion.storage.wholefile import put

PAGE = 50
"""Matches on one page of a list."""
READ_AT_ONCE = 60
"""Most files that one search reads; a program that runs reads the others in its own time."""
_SEATS = "('South', 'North', '')"
"""Names of players who gave none."""
_WHERE = """
    (:player = '' OR instr(folded(south), :player) OR instr(folded(north), :player))
    AND (:since = '' OR date >= :since) AND (:until = '' OR date <= :until)
    AND (:state = '' OR (:state = 'over') = over)
    AND (:event = '' OR match_id IN (SELECT value FROM json_each(:labelled)))
"""
_NEWEST_FIRST = "ORDER BY CAST(file AS INTEGER) DESC"


@dataclass(frozen=True, slots=True)
class Search:
    """What a list is limited to; an empty text is no limit.

    Attributes:
        player, event: a part of the name, in any case.
        since, until: days as 2026-11-21, both included.
        state: "over" or "open".
        page: from 1.
    """

    player: str = ""
    event: str = ""
    since: str = ""
    until: str = ""
    state: str = ""
    page: int = 1


class Found(NamedTuple):
    """A page of matches, their number on all pages, and the number of files not read yet."""

    entries: list[Entry]
    total: int
    unread: int


class PlayerLine(NamedTuple):
    """A player in the list: matches, finished ones, won ones, the day of the last, and errors where analysed."""

    name: str
    matches: int
    over: int
    won: int
    last: str
    decisions: int
    error: float
    luck: float
    analysed: int


class Listing:
    """Searches over an archive; safe for several threads."""

    def __init__(self, archive: Archive) -> None:
        self._archive, self._catalogue = archive, archive.catalogue

    def refresh(self) -> int:
        """Bring the catalogue up to date; returns how many files are not read yet. JournalError if unreadable."""
        with as_journal_error(self._archive.folder):
            return self._catalogue.refresh(READ_AT_ONCE)

    def find(self, search: Search) -> Found:
        """One page of the matches that fit, newest first; JournalError if the folder cannot be read."""
        unread = self.refresh()
        event = search.event.casefold()
        labelled = [
            match for match, label in labels_in(self._archive.folder).items() if event in label.casefold()
        ]
        values = {
            "player": search.player.casefold(),
            "event": event,
            "labelled": json.dumps(labelled if event else []),
            "since": search.since,
            "until": search.until,
            "state": search.state,
        }
        total = self._catalogue.query(f"SELECT count(*) FROM match WHERE {_WHERE}", values)[0][0]
        files = self._catalogue.query(
            f"SELECT file FROM match WHERE {_WHERE} {_NEWEST_FIRST} LIMIT :most OFFSET :first",
            {**values, "most": PAGE, "first": PAGE * (max(1, search.page) - 1)},
        )
        names = [name for (name,) in files]
        known = self._catalogue.entries(names)
        return Found([known[name] for name in names if name in known], total, unread)

    def entry(self, match_id: str) -> Entry:
        """The entry of a match, up to date; JournalError if there is none."""
        file = self._archive.file_of(match_id)
        with as_journal_error(file):
            return next(iter(self._catalogue.current([file.name])))

    def players(self) -> list[PlayerLine]:
        """Every player with a name, the one with most matches first."""
        rows = self._catalogue.query(
            f"""
            SELECT player.name, count(*), sum(over), sum(over AND points > against), max(date),
                total(decisions), total(error), total(luck), count(decisions)
            FROM player LEFT JOIN figures ON (figures.match_id, figures.name) = (player.match_id, player.name)
            WHERE player.name NOT IN {_SEATS}
            GROUP BY player.name ORDER BY count(*) DESC, player.name
            """
        )
        return [PlayerLine(*row) for row in rows]

    def names(self, like: str, most: int) -> list[str]:
        """At most so many players' names that begin with a text or have a word that does, most matches first."""
        text = like.casefold()
        rows = self._catalogue.query(
            f"""
            SELECT name FROM player
            WHERE name NOT IN {_SEATS} AND (:text = '' OR instr(' ' || folded(name), ' ' || :text))
            GROUP BY name ORDER BY count(*) DESC, name LIMIT :most
            """,
            {"text": text, "most": most},
        )
        return [name for (name,) in rows]

    def matches_of(self, name: str) -> list[Mapping[str, Any]]:
        """Every match of a player, newest first: id, day, opponent, points of both, whether over, and figures."""
        columns = (
            "match",
            "date",
            "opponent",
            "length",
            "points",
            "against",
            "over",
            "decisions",
            "error",
            "luck",
        )
        rows = self._catalogue.query(
            f"""
            SELECT match.match_id, date, iif(south = :name, north, south), length,
                iif(south = :name, south_points, north_points), iif(south = :name, north_points, south_points),
                over, decisions, error, luck
            FROM match LEFT JOIN figures ON figures.match_id = match.match_id AND figures.name = :name
            WHERE south = :name OR north = :name {_NEWEST_FIRST}
            """,
            {"name": name},
        )
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def results(self) -> Iterator[tuple[str, str, str, int]]:
        """Every finished match to a length, oldest first: its id, winner, loser and length."""
        names = iter(match_names(self._archive.folder))
        while some := list(islice(names, READ_AT_ONCE)):
            yield from self._catalogue.query(
                f"""
                SELECT match_id, iif(south_points > north_points, south, north),
                    iif(south_points > north_points, north, south), length
                FROM match WHERE file IN (SELECT value FROM json_each(:files))
                    AND over AND length > 0 AND south_points <> north_points
                    AND south NOT IN {_SEATS} AND north NOT IN {_SEATS} AND south <> north
                ORDER BY CAST(file AS INTEGER)
                """,
                {"files": json.dumps(some)},
            )

    def throws_of(self, name: str) -> Iterator[Entry]:
        """The entries of a player's matches with nobody else's throws, for `tallies_of`."""
        rows = self._catalogue.query(
            """
            SELECT throws.value FROM match, json_each(match.rolls) AS throws
            WHERE throws.key = :name AND (south = :name OR north = :name)
            """,
            {"name": name},
        )
        return (Entry("", 0, 0, "", rolls=f"{{{json.dumps(name)}: {throws}}}") for (throws,) in rows)


def labels_in(folder: Path) -> dict[str, str]:
    """The event of each match that has one, such as "Club evening", by match."""
    with suppress(OSError, ValueError):
        found = json.loads((folder / MATCHES / LABELS).read_bytes())
        return {str(match): str(label) for match, label in found.items()}
    return {}


def label(folder: Path, match_ids: Sequence[str], text: str) -> None:
    """Name the event of some matches; "" takes the name away. OSError if it cannot be written."""
    labels = labels_in(folder)
    for match_id in match_ids:
        labels.pop(match_id, None)
        if text:
            labels[match_id] = text
    put(folder / MATCHES / LABELS, json.dumps(labels, ensure_ascii=False, sort_keys=True, indent=0).encode())
