"""Search in the catalogue: matches by player, event and date, and the players with their figures."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from companion.storage.archive import Archive
from companion.storage.catalogue import Entry
from companion.storage.errors import as_journal_error
from companion.storage.folder import ALIASES, LABELS, MATCHES
from companion.storage.lines import match_names
from companion.storage.wholefile import put

PAGE = 50
"""Matches on one page of a list."""
READ_AT_ONCE = 60
"""Most files that one search reads; a program that runs reads the others in its own time."""
_SEATS = "('South', 'North', '')"
"""Names of players who gave none."""
_WHERE = """
    (:player = '' OR instr(folded(south), :player) OR instr(folded(north), :player)
        OR south IN (SELECT value FROM json_each(:renamed)) OR north IN (SELECT value FROM json_each(:renamed))
        OR EXISTS (SELECT 1 FROM json_each(accounts) AS who WHERE instr(folded(who.key), :player)
            OR who.key IN (SELECT value FROM json_each(:renamed))))
    AND (:since = '' OR date >= :since) AND (:until = '' OR date <= :until)
    AND (:state = '' OR (:state = 'over') = over)
    AND (:event = '' OR match_id IN (SELECT value FROM json_each(:labelled)))
"""
_NEWEST_FIRST = "ORDER BY CAST(file AS INTEGER) DESC"


@dataclass(frozen=True, slots=True)
class Search:
    """What a list is limited to; an empty text is no limit.

    Attributes:
        player, event: a part of the name, in any case; of a player also of the name that his counts as.
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


class MatchLine(NamedTuple):
    """A match on a player's page: day, opponent, points of both, whether it is over and won, and, where analysed,
    decisions, errors and luck.

    Of a chouette `opponent` names all the others, `points` is the player's account and `against` None.
    """

    match: str
    date: str
    opponent: str
    length: int
    points: int
    against: int | None
    over: int
    won: int
    decisions: int | None
    error: float | None
    luck: float | None


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
        player = search.player.casefold()
        renamed = [old for old, new in aliases_in(self.folder).items() if player in new.casefold()]
        values = {
            "player": player,
            "renamed": json.dumps(renamed if player else []),
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
        found = [self._counted(known[name]) for name in names if name in known]
        return Found(found, total, unread)

    def _counted(self, entry: Entry) -> Entry:
        """The entry with players and score, which an event written after `refresh` has taken from it."""
        if entry.is_counted:
            return entry
        with as_journal_error(self._archive.folder):
            return next(iter(self._catalogue.current([entry.file])))

    def entry(self, match_id: str) -> Entry:
        """The entry of a match, up to date; JournalError if there is none."""
        file = self._archive.file_of(match_id)
        with as_journal_error(file):
            return next(iter(self._catalogue.current([file.name])))

    def players(self) -> list[PlayerLine]:
        """Every player with a name, the one with most matches first."""
        rows = self._catalogue.query(
            f"""
            SELECT coalesce(alias.value, player.name) AS who, count(*), sum(over), sum(won),
                max(date), total(decisions), total(error), total(luck), count(decisions)
            FROM player LEFT JOIN figures ON (figures.match_id, figures.name) = (player.match_id, player.name)
                LEFT JOIN json_each(:aliases) AS alias ON alias.key = player.name
            WHERE player.name NOT IN {_SEATS}
            GROUP BY who ORDER BY count(*) DESC, who
            """,
            {"aliases": self._aliases()},
        )
        return [PlayerLine(*row) for row in rows]

    def names(self, like: str, most: int) -> list[str]:
        """At most so many players' names that begin with a text or have a word that does, most matches first."""
        text = like.casefold()
        rows = self._catalogue.query(
            f"""
            SELECT coalesce(alias.value, name) AS who
            FROM player LEFT JOIN json_each(:aliases) AS alias ON alias.key = name
            WHERE name NOT IN {_SEATS}
            GROUP BY who HAVING :text = '' OR instr(' ' || folded(who), ' ' || :text)
            ORDER BY count(*) DESC, who LIMIT :most
            """,
            {"text": text, "most": most, "aliases": self._aliases()},
        )
        return [name for (name,) in rows]

    def matches_of(self, name: str, *, continued: bool = False) -> list[MatchLine]:
        """The matches of a player, newest first; those that another one goes on with only if `continued`."""
        source = "match" if continued else "counted_match"
        rows = self._catalogue.query(
            f"""
            WITH own(name) AS (SELECT value FROM json_each(:own)),
            alias(key, value) AS (SELECT key, value FROM json_each(:aliases)), named AS (
                SELECT one.*, decisions, error, luck, iif(south IN own, north, south) AS opponent,
                    iif(south IN own, south_points, north_points) AS points,
                    iif(south IN own, north_points, south_points) AS against,
                    winner = iif(south IN own, 'south', 'north') AS won
                FROM {source} AS one LEFT JOIN figures ON figures.match_id = one.match_id
                    AND figures.name = iif(south IN own, south, north)
                WHERE accounts = '{{}}' AND (south IN own OR north IN own) UNION ALL
                SELECT one.*, NULL, NULL, NULL,
                    (SELECT group_concat(coalesce(alias.value, who.key), ', ')
                        FROM json_each(accounts) AS who LEFT JOIN alias ON alias.key = who.key
                        WHERE who.key NOT IN own),
                    (SELECT sum(who.value) FROM json_each(accounts) AS who WHERE who.key IN own), NULL, 0
                FROM {source} AS one WHERE EXISTS (SELECT 1 FROM json_each(accounts) AS who WHERE who.key IN own)
            )
            SELECT match_id, date, coalesce(alias.value, opponent), length, points, against, over, won,
                decisions, error, luck
            FROM named LEFT JOIN alias ON alias.key = opponent {_NEWEST_FIRST}
            """,
            {"own": json.dumps(self._own_names(name)), "aliases": self._aliases()},
        )
        return [MatchLine(*row) for row in rows]

    def results(self) -> Iterator[tuple[str, str, str, int]]:
        """Every finished match to a length that no other goes on with, oldest first: its id, winner, loser, length."""
        aliases, names = aliases_in(self.folder), iter(match_names(self.folder))
        while some := list(islice(names, READ_AT_ONCE)):
            rows = self._catalogue.query(
                f"""
                SELECT match_id, iif(winner = 'south', south, north), iif(winner = 'south', north, south), length
                FROM counted_match WHERE file IN (SELECT value FROM json_each(:files))
                    AND length > 0 AND winner <> ''
                    AND south NOT IN {_SEATS} AND north NOT IN {_SEATS} AND south <> north
                ORDER BY CAST(file AS INTEGER)
                """,
                {"files": json.dumps(some)},
            )
            for match, winner, loser, length in rows:
                won, lost = aliases.get(winner, winner), aliases.get(loser, loser)
                if won != lost:
                    yield match, won, lost, length

    def throws_of(self, name: str) -> Iterator[Entry]:
        """The entries of a player's matches with nobody else's throws, for `tallies_of`."""
        rows = self._catalogue.query(
            """
            SELECT throws.value FROM counted_match AS match, json_each(match.rolls) AS throws
            WHERE throws.key IN (SELECT value FROM json_each(:own)) AND (throws.key IN (south, north)
                    OR throws.key IN (SELECT key FROM json_each(accounts)))
            """,
            {"own": json.dumps(self._own_names(name))},
        )
        return (Entry("", 0, 0, "", rolls=f"{{{json.dumps(name)}: {throws}}}") for (throws,) in rows)

    @property
    def folder(self) -> Path:
        """The folder whose matches these are."""
        return self._archive.folder

    def _aliases(self) -> str:
        return json.dumps(aliases_in(self.folder))

    def _own_names(self, name: str) -> list[str]:
        """All names that count as this player's."""
        return [name, *(old for old, new in aliases_in(self.folder).items() if new == name)]


def aliases_in(folder: Path) -> dict[str, str]:
    """The player that each name counts as, where that is another name."""
    return _texts_in(folder / MATCHES / ALIASES)


def join_names(folder: Path, old: str, new: str) -> None:
    """Count a name as another player's, or by itself if both are the same; OSError if it cannot be written.

    The journal stays as it is. Names that counted as the old one follow it.
    """
    aliases = aliases_in(folder)
    new = new if old == new else aliases.get(new, new)
    aliases = {one: new if other == old else other for one, other in aliases.items()} | {old: new}
    plain = {one: other for one, other in aliases.items() if one != other}
    put(folder / MATCHES / ALIASES, json.dumps(plain, ensure_ascii=False, sort_keys=True, indent=0).encode())


def labels_in(folder: Path) -> dict[str, str]:
    """The event of each match that has one, such as "Club evening", by match."""
    return _texts_in(folder / MATCHES / LABELS)


def _texts_in(file: Path) -> dict[str, str]:
    """The texts by key in a file; none if there is no such file."""
    with suppress(OSError, ValueError, AttributeError):
        return {str(key): str(text) for key, text in json.loads(file.read_bytes()).items()}
    return {}


def label(folder: Path, match_ids: Sequence[str], text: str) -> None:
    """Name the event of some matches; "" takes the name away. OSError if it cannot be written."""
    labels = labels_in(folder)
    for match_id in match_ids:
        labels.pop(match_id, None)
        if text:
            labels[match_id] = text
    put(folder / MATCHES / LABELS, json.dumps(labels, ensure_ascii=False, sort_keys=True, indent=0).encode())
