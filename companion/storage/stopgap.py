"""Playing on where the state folder takes nothing from the start: a card gone read-only, a full disk.

A copy in memory stands in for the folder. The folder itself is tried again and again, and as soon as it takes something
what has happened meanwhile is written there.
"""

import os
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack, closing
from pathlib import Path

from companion.game.events import AnyEvent
from companion.game.state import Notice
from companion.game.step import Table
from companion.records.rows import Row
from companion.storage.folderlock import FolderLock
from companion.storage.journal import FILE_NAME, Journal, JournalError
from companion.storage.pictures import Pictures
from companion.storage.restoring import finish
from companion.storage.salvage import UnsalvagedError, open_journal
from companion.storage.statefolder import StateFolder, StateFolderError, held_by_another

LEFT_OUT = ("pictures", "before-*", "*.damaged-*", ".*")
"""What is not copied: it is large, and nothing that goes on needs it."""


class Stopgap:
    """A copy of a state folder, thrown away when it is closed; old pictures are left where they are."""

    def __init__(
        self, folder: Path, refusal: StateFolderError, environment: Mapping[str, str] = os.environ
    ) -> None:
        """Copy the folder to where the service may write, in memory, or to the system's place for such things.

        The folder itself is locked meanwhile, but where no lock's file lies there and none can be made.

        Raises:
            FolderHeldError: another program has it.
            StateFolderError: the refusal, where there is no room for a copy either.
        """
        self.refusal = refusal
        try:
            self.lock: FolderLock | None = FolderLock(folder)
        except BlockingIOError:
            raise held_by_another(folder) from None
        except OSError:
            self.lock = None
        place = environment.get("RUNTIME_DIRECTORY", "").split(":")[0] or None
        try:
            self._made = tempfile.TemporaryDirectory(prefix="stopgap-", dir=place)
            self.path = Path(self._made.name) / folder.name
            shutil.copytree(folder, self.path, ignore=shutil.ignore_patterns(*LEFT_OUT))
            finish(self.path)
            self.pictures = self.path / "pictures"
            self.pictures.mkdir()
        except (OSError, shutil.Error):
            self._let_go()
            raise refusal from None

    def tell(self, lacking: bool) -> None:
        """Let other programs know whether something is not in the folder that belongs there."""
        if self.lock is not None:
            self.lock.tell(lacking)

    def close(self) -> None:
        """Forget the copy."""
        self._let_go()
        self._made.cleanup()

    def _let_go(self) -> None:
        if self.lock is not None:
            self.lock.close()


def opened_folder(folder: Path) -> StateFolder | Stopgap:
    """The state folder, or its copy where its disk takes nothing.

    Raises:
        StateFolderError: it is missing, another program has it, or it must not be written.
    """
    try:
        return StateFolder(folder)
    except StateFolderError as refusal:
        if not refusal.may_pass or not folder.is_dir():
            raise
        return Stopgap(folder, refusal)


def opened_journal(
    state: StateFolder | Stopgap, folder: Path
) -> tuple[StateFolder | Stopgap, Journal, Table, list[Notice]]:
    """The journal of an opened folder, or of its copy where it is damaged and its disk has no room to salvage it.

    Args:
        state: the folder as `opened_folder` gave it; closed where a copy takes its place.
        folder: the state folder itself.

    Raises:
        JournalError: it belongs to a later version, or cannot be written.
        StateFolderError: there is no room for a copy either.
    """
    try:
        journal, table, said = open_journal(state.path, is_copy=isinstance(state, Stopgap))
        if not isinstance(state, Stopgap):
            journal.hold = state.hold
        return state, journal, table, said
    except UnsalvagedError as error:
        if isinstance(state, Stopgap):
            raise
        state.close()
        copy = Stopgap(folder, StateFolderError(str(error)))
        try:
            journal, table, said = open_journal(copy.path, is_copy=True)
        except BaseException:
            copy.close()
            raise
        return copy, journal, table, [*error.said, *said]


class LateJournal(Journal):
    """The journal's copy, in which an event counts as kept only once it is in the journal itself as well."""

    def __init__(self, copy: Journal, folder: Path, pictures: Pictures, lock: FolderLock | None) -> None:
        """Stand in for the journal in `folder`, which cannot be written now; `pictures` move there with it.

        `lock` is the folder's, where it could be had.
        """
        super().__init__(copy.path)
        self._folder, self._pictures, self._lock_of_folder = folder, pictures, lock
        self._begins = copy.last_digest()
        self._held = ExitStack()
        self._real: Journal | None = None

    @property
    def is_open(self) -> bool:
        """Whether the journal itself takes events by now."""
        return self._real is not None

    def close(self) -> None:
        """Let go of both files and of the folder."""
        try:
            self._held.close()
        finally:
            super().close()

    def is_in_place(self) -> bool:
        """Of the journal itself, as soon as that is open; so are the next two."""
        return self._real.is_in_place() if self._real else super().is_in_place()

    def put_in_place(self) -> None:
        """Write it anew if it was seen to be deleted or replaced in use."""
        if self._real:
            self._real.put_in_place()
        else:
            super().put_in_place()

    @property
    def is_astray(self) -> bool:
        """Whether it was, and has not been written anew."""
        return self._real.is_astray if self._real else super().is_astray

    def append(self, match_id: str, event: AnyEvent, *, retry: bool = False) -> Row:
        """Keep an event in the journal itself, which is opened as soon as that can be, and then in the copy.

        Raises:
            JournalError: it could not be written into the journal itself.
        """
        if self._real is None:
            self._real = self._open()
        row = self._real.append(match_id, event, retry=retry)
        super().append(match_id, event, retry=retry)
        return row

    def _open(self) -> Journal:
        """The journal itself, as it was when the copy was made; the folder is held from now on.

        One that is damaged is set aside now, as its copy was at the start.
        """
        path = self._folder / FILE_NAME
        with ExitStack() as held:
            try:
                state = held.enter_context(closing(StateFolder(self._folder, self._lock_of_folder)))
                real = held.enter_context(closing(open_journal(self._folder)[0]))
                real.hold = state.hold
                if real.last_digest() != self._begins:
                    raise _unusable(path, "it has changed meanwhile")
                self._pictures.move_to(state.pictures)
            except StateFolderError as error:
                raise JournalError(str(error)) from error
            except JournalError:
                raise
            except OSError as error:
                raise _unusable(path, error.strerror or str(error)) from error
            self._held = held.pop_all()
            return real


def _unusable(path: Path, why: str) -> JournalError:
    return JournalError(f"The journal {path} cannot be used: {why}.")
