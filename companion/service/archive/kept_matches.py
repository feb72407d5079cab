"""The program's services for the pages about kept matches and players (web/services.py)."""

import csv
import io
import re
import time
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from companion.errors import GameError, UserError
from companion.game.events import AnyEvent, MatchBegan
from companion.game.state import MatchOver, State
from companion.game.state_machine import fold
from companion.game.table import Table
from companion.protocol.match_summary import match_summary
from companion.protocol.replay import course_of, replay_of
from companion.records.export import score_sheet
from companion.records.match_ids import continuation_of, original_of
from companion.records.ogxm.document import formats_of
from companion.records.rows import Row, event_of
from companion.rules.profile import Profile
from companion.rules.profiles import title_of
from companion.rules.setting_values import Aids
from companion.service.archive.opened import Kept, OpenedFiles, is_opened
from companion.service.archive.players import Players
from companion.service.archive.sheet import sheet_from, sheet_of
from companion.service.archive.studies import Studies, missing
from companion.service.dossier import exported
from companion.service.dossier_page import local_moment
from companion.service.gnubg import unknown_game
from companion.storage.archive import Archive, Deletion, note_deletion
from companion.storage.catalogue import Entry
from companion.storage.errors import JournalError, as_journal_error
from companion.storage.fallback import Backlog
from companion.storage.listing import PAGE, Found, Listing, Search, label, labels_in
from companion.storage.pictures import Pictures
from sentence import NOTHING, Sentence, say
from web.roles import Visitor
from web.services import KeptMatches, Record

CONTENT_TYPES = {
    "mat": "text/plain; charset=utf-8",
    "sgf": "application/x-go-sgf; charset=utf-8",
    "ogxm": "application/octet-stream",
    "json": "application/json",
    "zip": "application/zip",
}
MOST_IN_ZIP = 500
"""Most records in one zip, some ten megabytes: the page's server holds an answer in memory."""
MOST_NAMES = 12
"""Most names offered while one types."""
MOST_LETTERS = 80
_PICTURE = re.compile(rb'"picture":"([0-9a-f]{32}\.jpg)"')
AT_TABLE = say("This match is on the table; begin another one first.")


@dataclass(frozen=True, slots=True)
class KeptServices:
    """The parts of the program that serve these pages.

    Attributes:
        table: gives the present table; callable from any thread.
        backlog: has the record of every match.
        pictures: the pictures of throws.
        studies: the analyses.
        former: gives the id of the match that the table can return to, or "".
        opened: match files of other programs.
        take_up: lets the keeper go on with a match of these events; a sentence why not, else an empty one.
        profiles: the rules there are.
    """

    table: Callable[[], Table]
    backlog: Backlog
    pictures: Pictures
    studies: Studies
    former: Callable[[], str]
    opened: OpenedFiles
    take_up: Callable[[Visitor, Sequence[AnyEvent]], Sentence]
    profiles: Mapping[str, Profile]

    def services(self) -> KeptMatches:
        """The services in the page's own type."""
        return KeptMatches(
            running=self.running,
            find=self.find,
            about=self.about,
            kinds=self.kinds,
            export=self.export,
            export_found=self.export_found,
            delete=self.delete,
            resume=self.resume,
            label=self.label,
            sheet=self.sheet,
            replay=self.replay,
            summary=self.summary,
            analyse=self.analyse,
            names=self.names,
            players=self.players,
            player=self.player,
            join_names=self.join_names,
            forget=self.forget,
            opened=self.opened_files,
            open=self.open,
        )

    @property
    def _archive(self) -> Archive:
        return self.backlog.journal.archive

    @property
    def _listing(self) -> Listing:
        return Listing(self._archive)

    def running(self) -> str:
        """The id of the match on the table; "" without one."""
        state = self.table().state
        return state.terms.match_id if state else ""

    # The list

    def find(self, wanted: Mapping[str, str]) -> Mapping[str, Any]:
        """One page of the matches that fit a search, newest first."""
        search = _search_of(wanted)
        found = self._listing.find(search)
        labels = labels_in(self._archive.folder)
        return {
            "matches": [self._line(entry, labels) for entry in found.entries],
            "total": found.total,
            "page": search.page,
            "pages": max(1, -(-found.total // PAGE)),
            "unread": found.unread,
            "parts": max(1, -(-found.total // MOST_IN_ZIP)),
        }

    def _line(self, entry: Entry, labels: Mapping[str, str]) -> dict[str, Any]:
        match_id = entry.match_id
        running = match_id == self.running()
        continued = self._continued(match_id)
        return {
            "date": entry.date,
            "began": _local_time(entry.began_ms),
            "rules": say("Chouette") if entry.is_chouette else title_of(entry.profile, self.profiles),
            "untouched": bool(entry.untouched),
            "won": _won(entry),
            **entry.as_json(),
            "event": labels.get(match_id, ""),
            "running": running,
            "may_resume": not (entry.problem or running or continued),
            "continued": continued,
            "may_delete": match_id not in (self.running(), self.former(), self.backlog.journal.last_match_id),
        }

    def _continued(self, match_id: str) -> str:
        """The id of the match that goes on with this one; "" if there is none."""
        following = continuation_of(match_id)
        known = self._archive.catalogue.query("SELECT 1 FROM match WHERE match_id = ?", following)
        return following if known else ""

    def about(self, match_id: str) -> Mapping[str, Any] | None:
        """A match as in the list; None if there is none."""
        if is_opened(match_id):
            kept = self.opened.one(match_id)
            return self._opened_line(kept) if kept else None
        try:
            entry = self._listing.entry(match_id)
        except JournalError:
            return None
        return self._line(entry, labels_in(self._archive.folder))

    def opened_files(self) -> Sequence[Mapping[str, Any]]:
        """The match files of other programs, as in the list, the one opened last first."""
        return [self._opened_line(kept) for kept in self.opened.all()]

    def _opened_line(self, kept: Kept) -> dict[str, Any]:
        entry = kept.entry
        return {
            "date": entry.date,
            "began": _local_time(kept.at_ms),
            "rules": title_of(entry.profile, self.profiles),
            "untouched": False,
            "won": _won(entry),
            **entry.as_json(),
            "event": kept.name,
            "running": False,
            "may_resume": False,
            "continued": "",
            "may_delete": True,
            "opened": True,
        }

    def open(self, name: str, data: bytes) -> str | Sentence:
        """Keep a match file of another program; the id of its match, or a sentence why it is not taken."""
        return self.opened.add(name, data)

    def label(self, match_id: str, text: str) -> Sentence:
        """Name the event of a match."""
        if self.about(match_id) is None or is_opened(match_id):
            return say("There is no match {match}.", match=match_id)
        try:
            with as_journal_error(self.backlog.journal.path):
                label(self._archive.folder, [match_id], " ".join(text.split())[:MOST_LETTERS])
        except JournalError as error:
            return error.sentence
        return NOTHING

    # Files

    def kinds(self, match_id: str) -> Sequence[str]:
        """The formats that can hold a match; none if there is no such match, or it is unreadable."""
        table = self._table_of(match_id)
        return formats_of(_state(table)) if table else ()

    def export(self, match_id: str, kind: str, language: str) -> Record | Sentence | None:
        """A match as a file, or the reason why the format cannot hold it; None: no such match or format."""
        table = self._table_of(match_id)
        if table is None:
            return None
        if is_opened(match_id):  # not signed: it was not played here
            return _file(table, kind, lambda: exported(kind, self._rows(match_id), table, _no_picture))
        return file_of(table, kind, language, self.backlog, self.pictures.load)

    def export_found(self, wanted: Mapping[str, str]) -> Record:
        """The record files of the matches that fit a search, and a table of contents, as one zip."""
        search, part = _search_of(wanted), max(1, _search_of(wanted).page)
        first = (part - 1) * MOST_IN_ZIP // PAGE + 1
        entries: list[Entry] = []
        for page in range(first, first + MOST_IN_ZIP // PAGE):
            found: Found = self._listing.find(replace(search, page=page))
            entries += found.entries
            if len(found.entries) < PAGE:
                break
        labels, out, contents = labels_in(self._archive.folder), io.BytesIO(), io.StringIO()
        lines = csv.writer(contents)
        lines.writerow(
            [
                "file",
                "match",
                "date",
                "event",
                "south",
                "north",
                "length",
                "south_points",
                "north_points",
                "winner",
            ]
        )
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for entry in entries:
                names = (entry.match_id, entry.date, labels.get(entry.match_id, ""), entry.south, entry.north)
                points = (entry.south_points, entry.north_points)
                lines.writerow([entry.file, *names, entry.length, *points, entry.winner])
                archive.writestr(entry.file, (self.backlog.journal.path / entry.file).read_bytes())
            archive.writestr("contents.csv", contents.getvalue())
        return Record(f"matches-{part}.zip", out.getvalue(), CONTENT_TYPES["zip"])

    # Changes

    def delete(self, visitor: Visitor, match_id: str) -> Sentence:
        """Delete a match, its analysis and its pictures; the deletion is recorded first."""
        about = self.about(match_id)
        if about is None:
            return say("There is no match {match}.", match=match_id)
        if not about["may_delete"]:
            return AT_TABLE
        if is_opened(match_id):
            trouble = self.opened.delete(match_id)
            self.studies.delete(match_id)
            return trouble
        journal, folder = self.backlog.journal, self._archive.folder
        try:
            with as_journal_error(journal.path):
                file = self._archive.file_of(match_id)
                entry, data = self._listing.entry(match_id), file.read_bytes()
                shared = self._pictures_of_continuations(match_id)
                note_deletion(folder, _deletion_of(entry, visitor.role.value))
                journal.delete(file)
                label(folder, [match_id], "")
                self.pictures.delete({name.decode() for name in _PICTURE.findall(data)} - shared)
        except JournalError as error:
            return error.sentence
        self.studies.delete(match_id)
        return NOTHING

    def _pictures_of_continuations(self, match_id: str) -> set[str]:
        """The pictures that other matches with the same beginning have too."""
        base = original_of(match_id)
        files = self._archive.catalogue.query(
            "SELECT file FROM match WHERE match_id <> ? AND substr(match_id, 1, ?) = ?",
            match_id,
            len(base),
            base,
        )
        datas = ((self.backlog.journal.path / name).read_bytes() for (name,) in files)
        return {name.decode() for data in datas for name in _PICTURE.findall(data)}

    def resume(self, visitor: Visitor, match_id: str) -> Sentence:
        """Put a match on the table again, as a new one of the record that begins with the same events.

        An unfinished one goes on; one that is over can be corrected as it could before the next one began.
        """
        about = self.about(match_id)
        if about is None:
            return say("There is no match {match}.", match=match_id)
        if not about.get("may_resume"):
            return say("This match cannot be continued.")
        try:
            events = self._archive.events(match_id)
        except (UserError, GameError) as error:
            return error.sentence
        began = events[0]
        assert isinstance(began, MatchBegan), "a match begins with its first event"
        return self.take_up(visitor, [replace(began, match_id=continuation_of(match_id)), *events[1:]])

    # One match

    def _table_of(self, match_id: str) -> Table | None:
        events = self._events_of(match_id)
        return fold(events) if events else None

    def _events_of(self, match_id: str) -> list[AnyEvent]:
        """The events of a match, of the running one those that wait for the disk too; none if unreadable."""
        try:
            return [event_of(row) for row in self._rows(match_id)]
        except (JournalError, GameError):
            return []

    def _rows(self, match_id: str) -> Sequence[Row]:
        """The rows of a match's record, or of an opened file's own."""
        return self.opened.rows(match_id) if is_opened(match_id) else self.backlog.rows(match_id)

    def sheet(self, match_id: str) -> Mapping[str, Any] | None:
        """The score sheet of a match; None if there is no such match, or it is unreadable."""
        table = self._table_of(match_id)
        if table and is_opened(match_id):
            return sheet_from(table, self._rows(match_id), None, self.profiles)
        return sheet_of(table, self.backlog, self.profiles) if table else None

    def replay(self, match_id: str, keeps: bool) -> Mapping[str, Any] | None:
        """The match step by step, with an analysis' verdicts, as far as aids are shown to this visitor now.

        Args:
            match_id: the match.
            keeps: the visitor keeps score, and sees pips also where aids are withheld.
        """
        events = self._events_of(match_id)
        if not events:
            return None
        course = course_of(events)
        replay, shows_aids = replay_of(course), _may_show(course.table.state)
        made = self.studies.kept(match_id) if shows_aids else None
        if made:
            replay["verdicts"] = made["plays"]
        for step in replay["steps"]:
            step["pips"] = step["pips"] if keeps or shows_aids else None
        return replay

    def summary(self, match_id: str) -> Mapping[str, Any] | None:
        """Result, analysis and its progress."""
        events, about = self._events_of(match_id), self.about(match_id)
        if not events or about is None:
            return None
        self._listing.refresh()
        course = course_of(events)
        status, made = self.studies.status(match_id), self.studies.kept(match_id)
        shown: dict[str, Any] = {
            "about": about,
            "sheet": score_sheet(course.table),
            "kinds": formats_of(_state(course.table)),
            "knows": not unknown_game(_state(course.table)),
            "over": isinstance(_state(course.table).phase, MatchOver),
            "status": status,
            "missing": missing(),
            "ratings": self._players().rating_change(match_id),
        }
        # While it runs, what is kept is of the games before: no figures of half a match for those of the whole.
        if made and status["state"] != "running" and _may_show(course.table.state):
            rows = self._rows(match_id)
            shown |= {
                "report": made["report"],
                "stale": made["head"] != rows[-1].digest,
                "replay": (replay := replay_of(course)),
                **match_summary(replay, made["plays"], made.get("cube", ())),
            }
        return shown

    def analyse(self, match_id: str) -> Sentence:
        """Begin an analysis; a sentence why not, else an empty one."""
        table = self._table_of(match_id)
        if table is None:
            return say("There is no match {match}.", match=match_id)
        try:
            self.studies.begin(_state(table))
        except UserError as error:
            return error.sentence
        return NOTHING

    # Players

    def names(self, like: str) -> Sequence[str]:
        """Players' names that begin with a text, or have a word that does."""
        self._listing.refresh()
        return self._listing.names(like, MOST_NAMES)

    def players(self) -> Sequence[Mapping[str, Any]]:
        """Every player with matches, results, error rate and rating."""
        self._refresh()
        return self._players().all()

    def player(self, name: str) -> Mapping[str, Any] | None:
        """One player; None if nobody has this name."""
        self._refresh()
        return self._players().one(name)

    def join_names(self, old: str, new: str) -> Sentence:
        """Count a player's name as another one; a sentence why not, else an empty one."""
        return self._players().join(old, new)

    def forget(self, visitor: Visitor, name: str) -> Sentence:
        """Delete all matches of a player; a sentence about the first that cannot be."""
        self._refresh()
        return self._players(visitor).forget(name)

    def _players(self, visitor: Visitor | None = None) -> Players:
        def delete(match_id: str) -> Sentence:
            assert visitor is not None, "somebody deletes"
            return self.delete(visitor, match_id)

        return Players(self._listing, self.studies.kept, delete)

    def _refresh(self) -> None:
        self._listing.refresh()
        self.studies.catalogue_all()


def _state(table: Table) -> State:
    assert table.state is not None, "a match that has begun has a state"
    return table.state


def _may_show(state: State | None) -> bool:
    """Whether an analysis may be shown: after the match, or where the rules show aids (row T17)."""
    if state is None:
        return False
    is_withheld = state.terms.profile.aids is Aids.WITHHELD and not state.terms.money_play
    return isinstance(state.phase, MatchOver) or not is_withheld


def _search_of(wanted: Mapping[str, str]) -> Search:
    """The search in a request's fields; what is no day, number or state is no limit."""
    page = wanted.get("page", "1")
    state = wanted.get("state", "")
    return Search(
        player=wanted.get("player", "").strip()[:MOST_LETTERS],
        event=wanted.get("event", "").strip()[:MOST_LETTERS],
        since=_day(wanted.get("since", "")),
        until=_day(wanted.get("until", "")),
        state=state if state in ("over", "open") else "",
        page=int(page) if page.isascii() and page.isdigit() and 0 < len(page) < 7 else 1,
    )


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        return ""


def _won(entry: Entry) -> Sentence:
    """Who won the match, whatever the points; empty for nobody."""
    names = {"south": entry.south, "north": entry.north}
    return say("{name} wins the match.", name=names[entry.winner]) if entry.winner else NOTHING


def _local_time(at_ms: int) -> str:
    """Day and time as 2026-11-21 19:30, in this machine's zone; "undated" outside the calendar."""
    moment = local_moment(at_ms)
    return moment.strftime("%Y-%m-%d %H:%M") if moment else "undated"


def _deletion_of(entry: Entry, by: str) -> Deletion:
    return Deletion(entry.match_id, entry.previous, entry.head, entry.events, time.time_ns() // 1_000_000, by)


def file_of(
    table: Table, kind: str, language: str, backlog: Backlog, pictures: Callable[[str], bytes | None]
) -> Record | Sentence | None:
    """A match as a file with what this machine signed about it, or the reason why the format cannot hold it.

    Args:
        table: the match.
        kind: the format, see CONTENT_TYPES.
        language: of a dossier's page.
        backlog: the record and its signatures.
        pictures: gives the bytes of a picture by its name, None if it is gone.

    Returns:
        None if there is no match or no such format.
    """
    if table.state is None or kind not in CONTENT_TYPES:
        return None
    match_id, signing = table.state.terms.match_id, backlog.signing
    signed, signer = (signing.of_match(match_id), signing.signer()) if signing else ([], None)
    return _file(
        table,
        kind,
        lambda: exported(kind, backlog.rows(match_id), table, pictures, signed, language, signer),
    )


def _file(table: Table, kind: str, made: Callable[[], bytes]) -> Record | Sentence | None:
    """The file of a match, or the reason why the format cannot hold it; None if there is no such format."""
    if kind not in CONTENT_TYPES:
        return None
    try:
        content = made()
    except UserError as error:
        return error.sentence
    return Record(f"{_state(table).terms.match_id}.{kind}", content, CONTENT_TYPES[kind])


def _no_picture(name: str) -> bytes | None:
    """An opened file has no pictures."""
    return None
