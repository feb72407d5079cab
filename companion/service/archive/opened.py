"""Match files of other programs, opened on the page: kept beside the record, never part of it.

Each is two files in `opened/`, named by their content: the bytes as they came, and what the list shows of them. Its
events are made anew when they are asked for (companion/records/analysers/to_events.py): what reads them may get better.
They are no match of this table: they count for no player's figures, change no ratings, and nothing of them is signed.
"""

import json
import os
import re
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from companion.errors import GameError
from companion.game.events import FROM_FILE, AnyEvent, MatchBegan
from companion.protocol.match_setup import settings_of
from companion.records.analysers.match_files import BGF, XG, program_of, transcript_of
from companion.records.analysers.ogxm_files import MARK, ogxm_transcript
from companion.records.analysers.to_events import SeveralMatchesError, events_of
from companion.records.rows import GENESIS, Row, date_of, row_of
from companion.records.transcript import Transcript
from companion.rules.profile import Profile
from companion.rules.profiles import PROFILES
from companion.storage.catalogue import Entry, with_result
from companion.storage.folder import OPENED
from companion.storage.wholefile import put
from sentence import NOTHING, Sentence, say

MOST_BYTES = 960 * 1024
"""Most bytes of a file: a match of 25 points has 50 kB as `.mat`, some hundred with its analysis as `.xg`."""
MOST_FILES = 100
"""Most files kept, each of some ten kilobytes."""
MOST_LETTERS = 80
NO_MATCH = say("This is no match file that can be read here: .mat, .sgf, .ogxm, .xg or .bgf.")
ABOUT = (
    "events",
    "head",
    "south",
    "north",
    "length",
    "profile",
    "south_points",
    "north_points",
    "over",
    "winner",
)
"""The fields of an entry of the catalogue that are kept."""
_ID = re.compile(r"opened-[0-9a-f]{16}")
_KEPT = 4
"""So many are kept in memory: a page asks for the same one several times."""
_UNSAFE = re.compile(r"[^\w .,()+-]+")


class Kept(NamedTuple):
    """An opened file: its match as in the list, its name as it came, and when it came (ms since 1970, UTC)."""

    entry: Entry
    name: str
    at_ms: int


def is_opened(match_id: str) -> bool:
    """Whether a match's id is that of an opened file."""
    return _ID.fullmatch(match_id) is not None


class OpenedFiles:
    """The opened files of a state folder; safe for several threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / OPENED
        self._rows: OrderedDict[str, Sequence[Row]] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, name: str, data: bytes) -> str | Sentence:
        """Keep a file if it holds one match; the match's id, or a sentence why it is not taken."""
        if len(data) > MOST_BYTES:
            return say(
                "This file is larger than {most} kB, more than any match has.", most=MOST_BYTES // 1024
            )
        if not data.strip():
            return say("This file is empty.")
        match_id = f"opened-{sha256(data).hexdigest()[:16]}"
        if self._file(match_id).exists():
            return match_id
        at_ms = time.time_ns() // 1_000_000
        try:
            rows = list(_chained(match_id, _events_of(match_id, data, at_ms)))
        except SeveralMatchesError:
            return say("This file has several matches; save each one as a file of its own, and open that.")
        except GameError as error:
            return _why(data, error)
        if len(rows) < 2:
            return NO_MATCH
        if len(self._names()) >= MOST_FILES:
            return say("{most} files are open here; delete some first.", most=MOST_FILES)
        head = rows[-1].digest
        entry = with_result(Entry("", 0, 0, match_id, head=head, events=len(rows)), rows)
        made = {"name": _plain(name), "at_ms": at_ms, "about": _about(entry)}
        try:
            self._folder.mkdir(exist_ok=True)
            put(self._data(match_id), data)
            put(self._file(match_id), json.dumps(made, ensure_ascii=False).encode())
        except OSError as error:
            return say("The file cannot be kept: {why}.", why=error.strerror or str(error))
        return match_id

    def all(self) -> list[Kept]:
        """All files, the one opened last first; what cannot be read is left out."""
        found = [kept for name in self._names() if (kept := self.one(name)) is not None]
        return sorted(found, key=lambda kept: (-kept.at_ms, kept.entry.match_id))

    def one(self, match_id: str) -> Kept | None:
        """A file; None if there is none."""
        if not is_opened(match_id):
            return None
        with suppress(OSError, ValueError, KeyError, TypeError):
            made: Mapping[str, Any] = json.loads(self._file(match_id).read_bytes())
            at_ms = int(made["at_ms"])
            entry = Entry("", 0, 0, match_id, date=date_of(at_ms), began_ms=at_ms, **made["about"])
            return Kept(entry, str(made["name"]), at_ms)
        return None

    def rows(self, match_id: str) -> Sequence[Row]:
        """The events of a file as rows of a record of their own, a chain from its beginning; none if it is gone."""
        with self._lock:
            found = self._rows.get(match_id)
        if found is not None:
            return found
        kept = self.one(match_id)
        with suppress(OSError, GameError):
            if kept is not None:
                data = self._data(match_id).read_bytes()
                rows = list(_chained(match_id, _events_of(match_id, data, kept.at_ms)))
                with self._lock:
                    self._rows[match_id] = rows
                    while len(self._rows) > _KEPT:
                        self._rows.popitem(last=False)
                return rows
        return ()

    def delete(self, match_id: str) -> Sentence:
        """Delete a file; a sentence why not, else an empty one."""
        with self._lock:
            self._rows.pop(match_id, None)
        try:
            self._file(match_id).unlink(missing_ok=True)
            self._data(match_id).unlink(missing_ok=True)
        except OSError as error:
            return say("The file cannot be deleted: {why}.", why=error.strerror or str(error))
        return NOTHING

    def _names(self) -> list[str]:
        with suppress(OSError):
            return [file.stem for file in self._folder.glob("*.json") if is_opened(file.stem)]
        return []

    def _file(self, match_id: str) -> Path:
        return self._folder / f"{match_id}.json"

    def _data(self, match_id: str) -> Path:
        return self._folder / f"{match_id}.match"


def _about(entry: Entry) -> dict[str, Any]:
    """The fields of an entry that come of the match itself."""
    return {name: getattr(entry, name) for name in ABOUT}


def _plain(name: str) -> str:
    """A file's name without its folders and anything that is no letter, digit or usual sign."""
    bare = name.replace("\\", "/").rpartition("/")[2]
    return _UNSAFE.sub("_", bare).strip()[:MOST_LETTERS] or "match"


def _events_of(match_id: str, data: bytes, at_ms: int) -> list[AnyEvent]:
    """The events of a file; GameError, with the reason, if it holds no match."""
    match = ogxm_transcript(data) if data.startswith(MARK) else transcript_of(data)
    south, north = (" ".join(name.split())[:MOST_LETTERS] for name in match.players)
    profile = _profile_of(match)
    first = MatchBegan(
        match_id,
        south or "South",
        north or "North",
        match.length,
        profile.name,
        settings_of(profile),
        at_ms=at_ms,
        by=FROM_FILE,
    )
    return events_of(match, first)


def _profile_of(match: Transcript) -> Profile:
    """Rules that let everything stand that a match of the field may have."""
    name = match.start if match.start in PROFILES else "modern"
    rules = match.headers.get("rules")
    jacoby = {} if rules is None else {"jacoby": "money_play" if "jacoby" in rules.lower() else "never"}
    cube = {"cube_beyond_64": True, "beaver": "everywhere", "raccoon": "everywhere", **jacoby}
    return PROFILES[name].with_overrides(cube)


def _chained(match_id: str, events: Sequence[AnyEvent]) -> Iterator[Row]:
    previous = GENESIS
    for number, event in enumerate(events, start=1):
        row = row_of(event, match_id, number, previous)
        previous = row.digest
        yield row


def _install_command() -> str:
    """The command that installs the library for the Python that runs this program."""
    needs_root = not os.access(sys.prefix, os.W_OK)
    return f"{'sudo ' if needs_root else ''}{sys.executable} -m pip install 'gammonview>=3.1,<4'"


def _why(data: bytes, error: GameError) -> Sentence:
    """The reason why a file is not taken, in the page's languages as far as it is one of the usual ones."""
    program = program_of(data)
    if program in (XG, BGF) and find_spec("gvformat") is None:
        return say(
            "This is a file of {program}. To read it, this table needs the package gammonview: {command}. "
            "Or save the match as .mat there, and open that.",
            program=program,
            command=_install_command(),
        )
    if program or data.startswith(MARK) or b"\x00" not in data[:1000]:
        return say("This file cannot be read: {why}", why=str(error))
    return NO_MATCH
