"""A state folder that takes nothing when the program starts: its copy stands in, and what happens is written later."""

import errno
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.storage import salvage, stopgap
from companion.storage.backlog import AtStake, Backlog
from companion.storage.folderlock import FolderLock, lacks
from companion.storage.journal import FILE_NAME, Journal, JournalError
from companion.storage.pictures import Pictures
from companion.storage.salvage import open_journal
from companion.storage.statefolder import StateFolder, StateFolderError
from companion.storage.stopgap import LateJournal, Stopgap, opened_folder, opened_journal
from tests.support.evening import evening
from tests.support.selfplay import began

JPEG = b"\xff\xd8 a picture \xff\xd9"


class Card:
    """A card that may be read-only; it stands in for StateFolder's way to the disk."""

    def __init__(self) -> None:
        self.trouble = errno.EROFS

    def __call__(self, folder: Path, lock: FolderLock | None = None) -> StateFolder:
        if not self.trouble:
            return StateFolder(folder, lock)
        refusal = StateFolderError(f"The folder {folder} cannot be written (Read-only file system).")
        refusal.may_pass = self.trouble == errno.EROFS
        raise refusal


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> Card:
    card = Card()
    monkeypatch.setattr(stopgap, "StateFolder", card)
    return card


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    with closing(StateFolder(folder)), closing(Journal(folder / FILE_NAME)) as journal:
        journal.append("one", began(3, match_id="one"))
    (folder / "roles.json").write_text("{}")
    return folder


def matches(folder: Path) -> list[str]:
    with closing(Journal(folder / FILE_NAME, read_only=True)) as journal:
        assert journal.verify() == []
        return [found.match_id for found in journal.matches()]


def test_what_happens_meanwhile_is_written_once_the_card_takes_it(folder: Path, card: Card) -> None:
    state = opened_folder(folder)
    assert isinstance(state, Stopgap)
    assert (state.path / "roles.json").read_text() == "{}"
    copy, table, said = open_journal(state.path)
    assert (table.entries[0].event, said) == (began(3, match_id="one"), [])
    pictures = Pictures(state.pictures, 1 << 20)
    with closing(state), closing(copy), closing(LateJournal(copy, folder, pictures, state.lock)) as journal:
        backlog = Backlog(journal)
        name, _ = pictures.keep(JPEG)
        assert not backlog.keep("two", began(3, match_id="two"))
        assert "Read-only file system" in backlog.trouble
        assert not backlog.keep("three", began(3, match_id="three"))
        assert matches(folder) == ["one"]
        assert not journal.is_open
        card.trouble = 0
        assert backlog.catch_up()
        assert journal.is_open
        assert matches(folder) == matches(state.path) == ["one", "two", "three"]
        assert (folder / "pictures" / name).read_bytes() == pictures.load(name) == JPEG
        with pytest.raises(StateFolderError, match="Another companion"):
            StateFolder(folder)  # held, as from any start
    assert not state.path.exists()
    StateFolder(folder).close()


def test_folder_that_takes_nothing_is_held_all_the_same(folder: Path, card: Card) -> None:
    with closing(opened_folder(folder)) as first:
        assert isinstance(first, Stopgap)
        with pytest.raises(StateFolderError, match="Another companion"):
            opened_folder(folder)
        first.tell(True)
        assert lacks(folder)
    assert not lacks(folder)
    opened_folder(folder).close()


def test_journal_deleted_after_it_was_taken_up_is_written_anew(folder: Path, card: Card) -> None:
    state = opened_folder(folder)
    state, copy, _, _ = opened_journal(state, folder)
    with closing(state), closing(copy):
        backlog = Backlog(LateJournal(copy, folder, Pictures(state.pictures, 1 << 20), state.lock))
        assert backlog.is_in_place()
        card.trouble = 0
        assert backlog.keep("m2", began(1))
        shutil.rmtree(folder)
        assert not backlog.is_in_place()
        assert backlog.at_stake is AtStake.ALL_BY_POWER_CUT
        assert backlog.catch_up()
        assert backlog.at_stake is AtStake.LATEST
        assert backlog.close() == ""
    assert "m2" in matches(folder)


def test_journal_that_has_changed_meanwhile_is_left_alone(folder: Path, card: Card) -> None:
    state = opened_folder(folder)
    copy, _, _ = open_journal(state.path)
    pictures = Pictures(state.pictures, 1 << 20)
    with closing(state), closing(copy), closing(LateJournal(copy, folder, pictures, state.lock)) as journal:
        with closing(Journal(folder / FILE_NAME)) as other:
            other.append("restored", began(3, match_id="restored"))
        card.trouble = 0
        backlog = Backlog(journal)
        assert not backlog.keep("two", began(3, match_id="two"))
        assert "has changed meanwhile" in backlog.trouble
        assert matches(folder) == ["one", "restored"]


def test_journal_damaged_on_a_full_disk_is_set_aside_once_the_disk_takes_it(folder: Path, card: Card) -> None:
    data = (folder / FILE_NAME).read_bytes()
    (folder / FILE_NAME).write_bytes(data[:-4096])
    state = opened_folder(folder)
    assert isinstance(state, Stopgap)
    copy, _, said = open_journal(state.path, is_copy=True)
    assert "The journal was damaged" in str(said[0].text)
    assert "kept as journal.sqlite" in str(said[0].text), "no other file is in the folder"
    with (
        closing(state),
        closing(copy),
        closing(LateJournal(copy, folder, Pictures(state.pictures, 1 << 20), state.lock)) as journal,
    ):
        backlog = Backlog(journal)
        assert not backlog.keep("two", began(3, match_id="two"))
        assert (folder / FILE_NAME).read_bytes() == data[:-4096]
        assert list(folder.glob("*damaged*")) == []
        card.trouble = 0
        assert backlog.catch_up()
        assert matches(folder) == matches(state.path)
        assert matches(folder)[-1] == "two"
        assert (folder / "journal.damaged-1.sqlite").read_bytes() == data[:-4096]


def full_for_salvaging(patched: pytest.MonkeyPatch) -> None:
    made = tempfile.mkdtemp

    def full(suffix: str | None = None, prefix: str | None = None, dir: Path | None = None) -> str:
        if prefix == ".salvage-" and dir is not None and not dir.parent.name.startswith("stopgap-"):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return made(suffix, prefix, dir)

    patched.setattr(tempfile, "mkdtemp", full)


def full_after_salvaging(patched: pytest.MonkeyPatch) -> None:
    opened = salvage._opened

    def full(path: Path) -> object:
        if not path.parent.parent.name.startswith("stopgap-"):
            raise JournalError("full") from sqlite3.OperationalError("database or disk is full")
        return opened(path)

    patched.setattr(salvage, "_opened", full)


@pytest.mark.parametrize("full", [full_for_salvaging, full_after_salvaging])
def test_damaged_journal_without_room_to_salvage_it_goes_on_in_memory(
    folder: Path, full: Callable[[pytest.MonkeyPatch], None]
) -> None:
    data = (folder / FILE_NAME).read_bytes()
    (folder / FILE_NAME).write_bytes(data[:-4096])
    with pytest.MonkeyPatch.context() as patched, closing(StateFolder(folder)) as taken:
        full(patched)
        state, copy, _, said = opened_journal(taken, folder)
        assert isinstance(state, Stopgap)
        assert [str(text.text).split(":")[0] for text in said] == ["The journal was damaged"]
        assert "is damaged, and what can be read of it cannot go on there (" in str(state.refusal)
        late = LateJournal(copy, folder, Pictures(state.pictures, 1 << 20), state.lock)
        with closing(state), closing(copy), closing(late) as journal:
            backlog = Backlog(journal)
            assert not backlog.keep("two", began(3, match_id="two"))
            assert str(state.refusal) == backlog.trouble or full is full_after_salvaging
            patched.undo()
            assert backlog.catch_up()
            assert matches(folder) == matches(state.path)
            assert matches(folder)[-1] == "two"
        assert (folder / "journal.damaged-1.sqlite").read_bytes() == data[:-4096]


def test_damaged_journal_that_has_no_room_in_memory_either_is_named(
    folder: Path, card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / FILE_NAME).write_bytes(b"junk" * 1000)
    state = opened_folder(folder)
    assert isinstance(state, Stopgap)

    def full(*_: object, **__: object) -> str:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with closing(state), monkeypatch.context() as patched:
        patched.setattr(tempfile, "mkdtemp", full)
        with pytest.raises(JournalError, match=r"journal\.sqlite is damaged, and .*No space left on device"):
            opened_journal(state, folder)
    card.trouble = 0
    with closing(StateFolder(folder)) as taken, monkeypatch.context() as patched:
        patched.setattr(tempfile, "mkdtemp", full)
        with pytest.raises(
            StateFolderError, match=r"journal\.sqlite is damaged, and .*No space left on device"
        ):
            opened_journal(taken, folder)
        StateFolder(folder).close()  # it lets others in


@pytest.mark.skipif(
    shutil.which("mount") is None or os.geteuid() != 0, reason="needs a small disk of its own"
)
@pytest.mark.parametrize("free_kb", [150, 180, 210])
def test_damaged_journal_on_a_disk_that_is_really_full_goes_on(tmp_path: Path, free_kb: int) -> None:
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small], check=False).returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        shutil.copytree(evening(tmp_path / "evening").stopped, small / "state")
        journal = small / "state" / FILE_NAME
        data = bytearray(journal.read_bytes())
        data[len(data) // 2] ^= 3
        journal.write_bytes(data)
        (small / "ballast").write_bytes(bytes(shutil.disk_usage(small).free - free_kb * 1024))
        state, copy, _, said = opened_journal(opened_folder(small / "state"), small / "state")
        with closing(state), closing(copy):
            assert isinstance(state, Stopgap)
            assert "The journal was damaged" in str(said[0].text)
            assert journal.read_bytes() == data
    finally:
        subprocess.run(["umount", small], check=True)


def test_folder_that_must_not_be_written_is_refused(folder: Path, card: Card) -> None:
    card.trouble = errno.EACCES
    with pytest.raises(StateFolderError, match="cannot be written"):
        opened_folder(folder)


def test_without_room_for_a_copy_it_is_refused_in_the_same_words(
    folder: Path, card: Card, tmp_path: Path
) -> None:
    refusal = StateFolderError("The folder cannot be written.")
    with pytest.raises(StateFolderError) as refused:
        Stopgap(folder, refusal, {"RUNTIME_DIRECTORY": str(tmp_path / "none")})
    assert refused.value is refusal


def test_full_disk_is_told_from_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StateFolderError) as refused:
        StateFolder(tmp_path / "file" / "state")
    assert not refused.value.may_pass
