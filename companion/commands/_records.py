"""What the commands about kept matches share: where the journal lies, and which match is meant."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.game.step import Table
    from companion.storage.journal import Journal

LAST = "last"
NONE_YET = "There are no matches yet."


def add_where(parser: argparse.ArgumentParser) -> None:
    """Add the options for the state folder."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="the settings, a TOML file")
    parser.add_argument("--state", type=Path, metavar="FOLDER", help="the state folder, where it is another")


def add_match(parser: argparse.ArgumentParser, *, optional: bool = False) -> None:
    """Add the argument that names a match."""
    text = "a match as `companion matches` lists it, the beginning of its name, or 'last'"
    if optional:
        parser.add_argument("match", nargs="?", metavar="MATCH", help=f"{text}; all of them if left out")
    else:
        parser.add_argument("match", metavar="MATCH", help=text)


def folder_of(args: Any) -> Path:
    """The state folder named by the options, else by the settings."""
    from companion.settings import load_settings
    from companion.storage.statefolder import state_folder

    if args.state is not None:
        return Path(args.state)
    return state_folder(load_settings(args.config).keep.folder)


def journal_of(args: Any) -> "Journal":
    """The journal, for reading; UserError where there is none. What a running companion has besides is said."""
    from companion.errors import UserError
    from companion.storage.folderlock import LACKING, lacks
    from companion.storage.journal import FILE_NAME, Journal
    from companion.storage.restoring import place_in

    if is_fresh(args):
        raise UserError(NONE_YET)
    path = place_in(folder_of(args), FILE_NAME)
    if not path.exists():
        raise UserError(damaged_text(path))
    if lacks(folder_of(args)):
        print(LACKING.format(folder=folder_of(args)), file=sys.stderr)
    return Journal(path, read_only=True)


def damaged_text(path: Path) -> str:
    """What is said of a journal that SQLite must not be let at."""
    return (
        f"The journal {path}, or the log beside it, is damaged; the next start goes on with what can be read."
    )


def is_fresh(args: Any) -> bool:
    """Whether nothing has been kept yet, which is no error.

    Raises:
        UserError: the named folder does not exist, or the state folder cannot exist at its place.
    """
    from companion.errors import UserError
    from companion.storage.restoring import is_there

    folder = folder_of(args)
    if args.state is not None and not folder.is_dir():
        raise UserError(f"There is no folder {folder}.")
    if is_there(folder):
        return False
    there = next(place for place in (folder, *folder.parents) if place.exists())
    if not there.is_dir():
        raise UserError(f"There can be no matches in {folder}: {there} is no folder.")
    return True


def match_named(journal: "Journal", name: str, *, unreadable_too: bool = False) -> str:
    """The match that is meant, also one whose beginning is gone or altered if it is to be examined.

    Raises:
        UserError: there is no such match, or more than one.
    """
    from companion.errors import UserError

    readable = (match.match_id for match in journal.matches())
    every = journal.match_ids() if unreadable_too else list(readable)
    if name == LAST and every:
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


def table_of(journal: "Journal", match_id: str) -> "Table":
    """The table that a match's record leads to.

    Raises:
        UserError: the record is damaged, or this version does not understand it.
    """
    from companion.errors import GameError, UserError
    from companion.game.step import fold

    try:
        return fold(journal.events(match_id))
    except GameError as error:
        raise UserError(f"The record of match {match_id} cannot be replayed: {error}") from None
