"""A state folder that takes nothing when the program starts: its copy stands in, and what happens is written later."""

import errno
from contextlib import closing
from pathlib import Path

import pytest

from companion import stopgap
from companion.journal import FILE_NAME, Backlog, Journal
from companion.pictures import Pictures
from companion.salvage import open_journal
from companion.statefolder import StateFolder, StateFolderError
from companion.stopgap import LateJournal, Stopgap, opened_folder
from tests.selfplay import began

JPEG = b"\xff\xd8 a picture \xff\xd9"


class Card:
    """A card that may be read-only; it stands in for StateFolder's way to the disk."""

    def __init__(self) -> None:
        self.trouble = errno.EROFS

    def __call__(self, folder: Path) -> StateFolder:
        if not self.trouble:
            return StateFolder(folder)
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
    with closing(state), closing(copy), closing(LateJournal(copy, folder, pictures)) as journal:
        backlog = Backlog(journal)
        name, _ = pictures.keep(JPEG)
        assert not backlog.keep("two", began(3, match_id="two"))
        assert "Read-only file system" in backlog.trouble
        assert not backlog.keep("three", began(3, match_id="three"))
        assert matches(folder) == ["one"]
        card.trouble = 0
        assert backlog.catch_up()
        assert matches(folder) == matches(state.path) == ["one", "two", "three"]
        assert (folder / "pictures" / name).read_bytes() == pictures.load(name) == JPEG
        with pytest.raises(StateFolderError, match="Another companion"):
            StateFolder(folder)  # held, as from any start
    assert not state.path.exists()
    StateFolder(folder).close()


def test_journal_that_has_changed_meanwhile_is_left_alone(folder: Path, card: Card) -> None:
    state = opened_folder(folder)
    copy, _, _ = open_journal(state.path)
    pictures = Pictures(state.pictures, 1 << 20)
    with closing(state), closing(copy), closing(LateJournal(copy, folder, pictures)) as journal:
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
    assert "The journal was damaged" in said[0].text
    assert "kept as journal.sqlite" in said[0].text, "no other file is in the folder"
    with (
        closing(state),
        closing(copy),
        closing(LateJournal(copy, folder, Pictures(state.pictures, 1 << 20))) as journal,
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
