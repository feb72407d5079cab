"""Shared by the commands about kept matches: the options for the state folder and a match, and reading its record."""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands._options import add_where, folder_of
from companion.errors import GameError, UserError

if TYPE_CHECKING:
    from companion.game.table import Table
    from companion.service.dossier_page import Pictures
    from companion.storage.archive import Archive
    from companion.storage.signing import Signed

NONE_YET = "There are no matches yet."


def add_match(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """Add the argument that names a match, and the options for the state folder."""
    text = "a match as `companion matches` lists it, the beginning of its name, or 'last'"
    if optional:
        text += "; all of them if left out"
    parser.add_argument("match", nargs="?" if optional else None, metavar="MATCH", help=text)
    add_where(parser)


@contextmanager
def archive_of(args: Any) -> "Iterator[Archive]":
    """The matches, for reading; UserError if there are none. Unsaved events of a running companion give a warning.

    A journal of an earlier version that no start has taken over yet is read from a temporary copy.
    """
    from companion.game.state import Level
    from companion.storage.archive import Archive
    from companion.storage.folder import LACKING, current_state, lacks, old_journal_in
    from companion.storage.takeover import take_over

    if is_fresh(args):
        raise UserError(NONE_YET)
    folder = folder_of(args)
    if lacks(folder):
        print(LACKING.format(folder=folder), file=sys.stderr)
    with ExitStack() as parts:
        place = current_state(folder)
        if old_journal_in(folder):
            place = Path(parts.enter_context(tempfile.TemporaryDirectory(prefix="companion-matches-")))
            for notice in take_over(folder, place):
                if notice.level is not Level.INFO:
                    print(notice.text, file=sys.stderr)
        archive = parts.enter_context(closing(Archive(place)))
        if archive.catalogue.trouble:
            print(archive.catalogue.trouble, file=sys.stderr)
        yield archive


def is_fresh(args: Any) -> bool:
    """Whether nothing has been kept yet, which is no error.

    Raises:
        UserError: the named folder does not exist, or the state folder cannot exist at its place.
    """
    from companion.storage.folder import has_matches

    folder = folder_of(args)
    if args.state is not None and not folder.is_dir():
        raise UserError(f"There is no folder {folder}.")
    if has_matches(folder):
        return False
    there = next(place for place in (folder, *folder.parents) if place.exists())
    if not there.is_dir():
        raise UserError(f"There can be no matches in {folder}: {there} is no folder.")
    return True


def match_named(archive: "Archive", name: str, *, unreadable_too: bool = False) -> str:
    """The match of this name; with `unreadable_too` also one with a lost or altered beginning.

    Raises:
        UserError: there is no such match, or more than one.
    """

    entries = archive.matches(counted=False)
    every = [match.match_id for match in entries if match.events or unreadable_too]
    if name == "last" and every:
        return every[-1]
    if name in every:
        return name
    fitting = [match_id for match_id in every if match_id.startswith(name)]
    if len(fitting) > 1:
        raise UserError(f"“{name}” can be {len(fitting)} matches: {', '.join(fitting[:5])}.")
    if not every:
        raise UserError(NONE_YET)
    if not fitting:
        raise UserError(f"There is no match “{name}”; `companion matches` lists those there are.")
    return fitting[0]


def table_of(archive: "Archive", match_id: str) -> "Table":
    """The table after replaying a match's record.

    Raises:
        UserError: the record is damaged, or this version does not understand it.
    """
    from companion.game.state_machine import fold

    try:
        return fold(archive.events(match_id))
    except GameError as error:
        raise UserError(f"The record of match {match_id} cannot be replayed: {error}") from None


def signed_in(archive: "Archive", match_id: str | None = None, key: str | None = None) -> "Signed":
    """What the table has signed, of one match or of all, by this key or the folder's; UserError if it is unreadable."""
    from companion.storage.errors import reported_as
    from companion.storage.folder import KEY_FILE, place_in
    from companion.storage.signing import Signed, public_key, read_statements

    with reported_as(UserError, "The list of signatures cannot be read: {why}."):
        statements, bad = read_statements(archive.folder, match_id)
    return Signed(statements, bad, key or public_key(place_in(archive.folder, KEY_FILE).parent))


def load_pictures(args: Any) -> "Pictures":
    """The function that loads a kept picture by its name."""
    from companion.storage.folder import PICTURES, place_in
    from companion.storage.pictures import load_picture

    return partial(load_picture, place_in(folder_of(args), PICTURES))
