"""Open the journal at a start: set damaged files aside, keep the valid rows, and note gaps in the chain."""

import json
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, nullcontext, suppress
from itertools import chain
from pathlib import Path

from companion.errors import GameError, UserError
from companion.game.state import Notice, alarm
from companion.game.state_machine import fold
from companion.game.table import Table
from companion.records.rows import event_of
from companion.storage.archive import breaks_in, deletions_in, known_gaps
from companion.storage.catalogue import Catalogue, Entry, entry_of
from companion.storage.errors import JournalError, UnsalvagedError, as_journal_error, reported_as
from companion.storage.folder import (
    DAMAGED,
    FORMER_FILES,
    GAPS,
    MATCHES,
    ROLES_FILE,
    SIGNED,
    STARTS_FILE,
    current_state,
    place_in,
)
from companion.storage.journal import Journal, free_name
from companion.storage.lines import Content, content_of, match_names, no_files
from companion.storage.takeover import damaged_notice, take_over, takes_over_damaged
from companion.storage.wholefile import put_durably, write_whole
from sentence import say
from web.roles import set_damaged_aside

CHECKED_BYTES = 2 << 20
"""Bytes of the newest matches, some thirty of them, checked before the page answers; the rest is checked later."""
_BEFORE_S = 5.0
"""Wait for the page."""
_REST = 4.0
"""Pause after each match checked in the background, as a multiple of its thread's CPU time."""


def open_journal(folder: Path) -> tuple[Journal, Table, list[Notice]]:
    """Open the journal of a state folder; also the table after its last match, and notices.

    A match file that is not as written (a card pulled out, a file cut short, a single altered byte) is copied under
    another name, and its valid rows are kept. A match that this version cannot replay stays as it is, and the table
    is empty.

    Raises:
        UnsalvagedError: a repair or a takeover is needed, and the disk cannot be written.
        JournalError: the journal cannot be read or written.
    """
    check_place(folder)
    notices = take_over(folder, folder)
    if not notices and (folder / STARTS_FILE).exists() and not (folder / MATCHES).exists():
        text = say(
            "The journal is gone, a new one begins. A backup can be put back with 'companion restore'."
        )
        notices = [alarm(text)]
    with closing(Catalogue(folder)) as catalogue, as_journal_error(folder / MATCHES):
        if catalogue.trouble:
            notices.append(Notice(catalogue.trouble))
        notices += _files_gone(catalogue, match_names(folder))
        for file in newest_within(folder, CHECKED_BYTES):
            notices += _check_file(file, catalogue)
        names = match_names(folder)
        is_known = len(catalogue.files()) == len(names)  # else once the others have been read, too
        if is_known and new_gaps(folder, catalogue.links(names))[0]:
            notices += note_gaps(folder, catalogue, quietly=bool(notices))
    return _with_table(Journal(folder), notices)


def open_read_only(folder: Path) -> tuple[Journal, Table, list[Notice]]:
    """The same without writing: damaged files stay in place, and only their valid rows are read."""
    notices = []
    with as_journal_error(folder / MATCHES):
        for file in newest_within(folder, CHECKED_BYTES):
            content = content_of(file.read_bytes())
            if not content.is_whole:
                notices.append(damaged_notice(len(content.rows), file.name))
    return _with_table(Journal(folder, read_only=True), notices)


def check_place(folder: Path) -> None:
    """Check that the folder of match files is a folder, and the files are files; JournalError if not."""
    state = current_state(folder)
    place = state / MATCHES
    with as_journal_error(place):
        if place.exists() and not place.is_dir():
            raise JournalError(f"The journal {place} cannot be used: it is no folder. Move it away.")
        former = (place_in(folder, name) for name in FORMER_FILES)
        for file in chain(former, map(place.joinpath, (*no_files(state), GAPS, SIGNED))):
            if not file.is_file() and os.path.lexists(file):  # a link to nothing or in a circle, too
                raise JournalError(f"The journal {file} cannot be used: it is no file. Move it away.")


def newest_within(folder: Path, most_bytes: int) -> list[Path]:
    """The last match file, and as many before it as fit into `most_bytes` together; in the order of writing."""
    chosen: list[Path] = []
    left = most_bytes
    for name in reversed(match_names(folder)):
        file = folder / MATCHES / name
        left -= file.stat().st_size
        if chosen and left < 0:
            break
        chosen.append(file)
    return chosen[::-1]


def is_damaged(folder: Path, most_bytes: int = 16 * CHECKED_BYTES) -> bool:
    """Whether the next start would find the newest matches or a former journal damaged, or matches missing.

    JournalError if they cannot be read, or are something else.
    """
    check_place(folder)
    with tempfile.TemporaryDirectory(prefix="companion-matches-") as scratch:
        if takes_over_damaged(folder, Path(scratch)):
            return True
    state = current_state(folder)
    with closing(Catalogue(state)) as catalogue, as_journal_error(state / MATCHES):
        if catalogue.gone(match_names(state)):
            return True
        newest = newest_within(state, most_bytes)
        known = catalogue.entries([file.name for file in newest])
        known_gaps(state)
        return any(
            not content.is_whole or _lost_events(content, known.get(file.name))
            for file in newest
            if (content := content_of(file.read_bytes()))
        )


def _files_gone(catalogue: Catalogue, names: list[str]) -> list[Notice]:
    """Report missing match files, once."""
    lost = sorted(catalogue.gone(names))
    catalogue.forget(lost)
    if not lost or not names:
        return []
    text = say(
        "Match files are gone: {number}, the first of them {file}. A backup can be put back with 'companion restore'.",
        number=len(lost),
        file=lost[0],
    )
    return [alarm(text)]


def _check_file(file: Path, catalogue: Catalogue, running: Journal | None = None) -> list[Notice]:
    """Check that a match file is as written, repair it if not, and catalogue it.

    While the program is `running` the catalogue also gets score and throws, for which there is no time at a start.
    """
    about, known = file.stat(), catalogue.entries([file.name]).get(file.name)
    content = content_of(file.read_bytes())
    notices = []
    if not content.is_whole:
        with running.alone(file) if running else nullcontext():
            aside = _repair(file, content)
        notices.append(damaged_notice(len(content.rows), aside.name))
        if not content.rows:
            catalogue.forget([file.name])
            return notices
        content = Content(content.rows, content.end, content.end)
    elif lacking := _lost_events(content, known):
        text = say(
            "The journal was damaged: {lacking} events are gone from the end of {file}, {events} go on. "
            "A backup can be put back with 'companion restore'.",
            lacking=lacking,
            file=file.name,
            events=len(content.rows),
        )
        notices.append(alarm(text))
    if notices or known is None or not known.is_of(about) or (running and not known.is_counted):
        catalogue.put([entry_of(file, content, counted=running is not None)])
    return notices


def _lost_events(content: Content, known: Entry | None) -> int:
    """Number of events missing at the end of a file of whole lines, by its catalogue entry."""
    if known is None or not content.rows or known.match_id != content.rows[0].match_id:
        return 0
    return max(0, known.events - len(content.rows))


def _repair(file: Path, content: Content) -> Path:
    """Copy a damaged file, then cut off its invalid rest; a power cut leaves it damaged or repaired.

    UnsalvagedError if there is no room for the copy.
    """
    aside = free_name(file)
    text = f"The journal {file} is damaged, and what can be read of it cannot go on there ({{why}})."
    with reported_as(UnsalvagedError, text):
        if not content.rows:
            file.rename(aside)
            return aside
        data = file.read_bytes()
        kept = [one for one in file.parent.glob(f"{file.stem}{DAMAGED}*") if one.read_bytes() == data]
        if kept:
            aside = kept[0]  # a power cut came before the next step
        else:
            put_durably(aside, data)
        with file.open("rb+") as out:
            out.truncate(content.end)
            os.fsync(out.fileno())
    return aside


def _with_table(journal: Journal, notices: list[Notice]) -> tuple[Journal, Table, list[Notice]]:
    """Add the table after the journal's last match; an empty one and a notice if this version cannot replay it."""
    match_id = journal.last_match_id
    try:
        rows = journal.rows(match_id) if match_id else []
        return journal, fold(map(event_of, rows)), notices
    except GameError as error:
        text = say(
            "The match {match_id} cannot be replayed ({why}). It is kept as it is, and the table is "
            "empty; if the program has been updated, return to the version before.",
            match_id=str(match_id),
            why=str(error).rstrip("."),
        )
        return journal, Table(), [*notices, alarm(text)]


def mend_codes(folder: Path) -> list[Notice]:
    """Set a damaged file of join codes aside, before any visitor; returns notices. RolesFileError if that fails."""
    aside = set_damaged_aside(folder / ROLES_FILE)
    if aside is None:
        return []
    text = say(
        "The join codes were damaged: new ones were made, earlier links no longer work; the file "
        "is kept as {name}. 'companion links' prints the new links.",
        name=aside.name,
    )
    return [alarm(text)]


# Gaps in the chain


def new_gaps(folder: Path, entries: Iterable[Entry]) -> tuple[list[str], bytes]:
    """The matches before which events are gone, those not reported yet; and the file of known breaks with them."""
    file, now_ms = folder / MATCHES / GAPS, time.time_ns() // 1_000_000
    known = known_gaps(folder)
    fresh = [gap for gap in breaks_in(entries, deletions_in(folder)) if gap not in known]
    before = file.read_bytes() if file.exists() else b""
    lines = [{"match": match_id, "noted_ms": now_ms, "previous": previous} for match_id, previous in fresh]
    return [match_id for match_id, _ in fresh], before + b"".join(
        json.dumps(line).encode() + b"\n" for line in lines
    )


def note_gaps(folder: Path, catalogue: Catalogue, *, quietly: bool) -> list[Notice]:
    """Record new breaks of the chain; returns notices, unless `quietly` (their cause is known).

    UnsalvagedError if they cannot be written.
    """
    matches, noted = new_gaps(folder, catalogue.all(counted=False))
    if not matches:
        return []
    try:
        write_whole(folder / MATCHES / GAPS, noted)
    except UserError as error:
        raise UnsalvagedError(str(error)) from error
    texts = [
        say(
            "Events before match {match_id} are gone. A backup can be put back with 'companion restore'.",
            match_id=one,
        )
        for one in matches
    ]
    return [] if quietly else list(map(alarm, texts))


# In the background


def check_rest(
    journal: Journal, folder: Path, is_ending: Callable[[float], bool], most_bytes: int = CHECKED_BYTES
) -> Iterator[Notice]:
    """Check and catalogue the matches left out by the start, slowly; yields notices of damage.

    The call `is_ending(seconds)` waits as long; it returns whether the program ends meanwhile. The newest matches, as
    many as fit into `most_bytes`, were checked at the start.
    """
    if is_ending(_BEFORE_S):
        return
    catalogue = journal.archive.catalogue
    checked = {file.name for file in newest_within(folder, most_bytes)}
    reported = False
    for name in match_names(folder)[:-1]:
        began_s = time.thread_time()
        known = catalogue.entries([name]).get(name)
        if name in checked and known is not None and known.is_counted:
            continue
        notices: list[Notice] = []
        with suppress(OSError):
            notices = _check_file(folder / MATCHES / name, catalogue, journal)
        reported = reported or bool(notices)
        yield from notices
        if is_ending(_REST * (time.thread_time() - began_s)):
            return
    with suppress(OSError):
        yield from note_gaps(folder, catalogue, quietly=reported)
