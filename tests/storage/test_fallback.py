"""A state folder that takes nothing when the program starts: its matches are read, what happens is written later."""

import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from companion.game.table import Table
from companion.storage import fallback, recovery
from companion.storage.errors import JournalError
from companion.storage.fallback import AtStake, Backlog, FallbackFolder, opened_folder, opened_journal
from companion.storage.folder import FolderLock, StateFolder, StateFolderError, lacks
from companion.storage.journal import Journal
from companion.storage.lines import match_files
from companion.storage.pictures import Pictures
from tests.storage.test_recovery import full
from tests.support.records.evening import evening, ids, problems
from tests.support.records.former import write_former
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
    monkeypatch.setattr(fallback, "StateFolder", card)
    return card


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    with closing(StateFolder(folder)), closing(Journal(folder)) as journal:
        journal.append("one", began(3, match_id="one"))
    (folder / "roles.json").write_text("{}")
    return folder


class Started:
    """What a start has in its hands: what stands in for the folder, the table, what is said, the way to the disk."""

    def __init__(
        self, folder: Path, parts: ExitStack, taken: StateFolder | FallbackFolder | None = None
    ) -> None:
        self.state, journal, self.table, notices = opened_journal(taken or opened_folder(folder), folder)
        parts.enter_context(closing(self.state))
        parts.enter_context(closing(journal))
        self.said = [str(notice.text) for notice in notices]
        self.pictures = Pictures(
            self.state.pictures if isinstance(self.state.pictures, Path) else Path(), 1 << 20
        )
        assert isinstance(self.state, FallbackFolder)
        state = self.state
        self.backlog = Backlog(journal, open_late=lambda: state.open_late(journal, self.pictures))


@pytest.fixture
def parts() -> Iterator[ExitStack]:
    with ExitStack() as parts:
        yield parts


def test_what_happens_meanwhile_is_written_once_the_card_takes_it(
    folder: Path, card: Card, parts: ExitStack
) -> None:
    start = Started(folder, parts)
    assert (start.state.path / "roles.json").read_text() == "{}"
    assert (start.table.entries[0].event, start.said) == (began(3, match_id="one"), [])
    backlog = start.backlog
    name, _ = start.pictures.keep(JPEG)
    assert not backlog.keep("two", began(3, match_id="two"))
    assert "Read-only file system" in backlog.trouble
    assert not backlog.keep("three", began(3, match_id="three"))
    assert [row.number for row in backlog.rows("two")] == [1]
    waiting = [backlog.rows(match_id) for match_id in ("one", "two", "three")]
    assert ids(folder) == ["one"]
    assert not backlog.is_writable
    card.trouble = 0
    assert backlog.catch_up()
    assert backlog.is_writable
    assert [backlog.rows(match_id) for match_id in ("one", "two", "three")] == waiting
    assert ids(folder) == ["one", "two", "three"]
    assert (folder / "pictures" / name).read_bytes() == start.pictures.load(name) == JPEG
    with pytest.raises(StateFolderError, match="Another companion"):
        StateFolder(folder)  # held, as from any start
    assert backlog.close() == ""
    parts.close()
    assert not start.state.path.exists()
    StateFolder(folder).close()
    assert problems(folder) == []


def test_matches_are_not_copied(tmp_path: Path, card: Card, parts: ExitStack) -> None:
    folder = evening(tmp_path / "state").folder
    start = Started(folder, parts)
    assert len(start.table.entries) == 30
    assert len(start.backlog.rows("m1")) == 60
    assert not [file for file in start.state.path.rglob("*") if file.is_file()]


def test_former_journal_is_taken_over_once_the_card_takes_it(
    tmp_path: Path, card: Card, parts: ExitStack
) -> None:
    played, folder = evening(tmp_path / "evening"), tmp_path / "state"
    folder.mkdir()
    write_former(folder / "journal.sqlite", played.rows, killed=True)
    before = sorted(folder.iterdir())
    start = Started(folder, parts)
    assert len(start.table.entries) == 30
    assert not start.backlog.keep("new", began(1, match_id="new"))
    assert set(folder.iterdir()) - set(before) <= {folder / "lock"}
    card.trouble = 0
    assert start.backlog.catch_up()
    assert ids(folder) == ["m1", "m2", "m3", "new"]
    assert problems(folder) == []
    assert (folder / "journal.taken-over.sqlite").exists()


def test_folder_that_takes_nothing_is_held_all_the_same(folder: Path, card: Card) -> None:
    with closing(opened_folder(folder)) as first:
        assert isinstance(first, FallbackFolder)
        with pytest.raises(StateFolderError, match="Another companion"):
            opened_folder(folder)
        first.mark_lacking(True)
        assert lacks(folder)
    assert not lacks(folder)
    opened_folder(folder).close()


def test_journal_deleted_after_it_was_taken_up_is_written_anew(
    folder: Path, card: Card, parts: ExitStack
) -> None:
    backlog = Started(folder, parts).backlog
    assert backlog.is_in_place()
    card.trouble = 0
    assert backlog.keep("m2", began(1, match_id="m2"))
    shutil.rmtree(folder)
    assert not backlog.is_in_place()
    assert backlog.at_stake is AtStake.ALL_BY_POWER_CUT
    assert backlog.catch_up()
    assert backlog.at_stake is AtStake.LATEST
    assert backlog.close() == ""
    assert ids(folder) == ["one", "m2"]


def test_journal_that_has_changed_meanwhile_is_left_alone(folder: Path, card: Card, parts: ExitStack) -> None:
    backlog = Started(folder, parts).backlog
    with closing(Journal(folder)) as other:
        other.append("restored", began(3, match_id="restored"))
    card.trouble = 0
    assert not backlog.keep("two", began(3, match_id="two"))
    assert "has changed meanwhile" in backlog.trouble
    assert ids(folder) == ["one", "restored"]


def spoilt(folder: Path) -> bytes:
    """Cut the last match short; the file's content then."""
    file = match_files(folder)[-1]
    os.truncate(file, file.stat().st_size - 5)
    return file.read_bytes()


def test_match_damaged_on_a_full_disk_is_set_aside_once_the_disk_takes_it(
    tmp_path: Path, card: Card, parts: ExitStack
) -> None:
    folder = evening(tmp_path / "state").folder
    data, file = spoilt(folder), match_files(folder)[-1]
    start = Started(folder, parts)
    assert len(start.table.entries) == 29
    assert [text.partition(":")[0] for text in start.said] == ["The journal was damaged"]
    assert f"kept as {file.name}" in start.said[0], "no other file is in the folder"
    assert not start.backlog.keep("two", began(3, match_id="two"))
    assert file.read_bytes() == data
    assert list(folder.rglob("*damaged*")) == []
    card.trouble = 0
    assert start.backlog.catch_up()
    assert ids(folder) == ["m1", "m2", "m3", "two"]
    assert problems(folder) == []
    assert file.with_name(f"{file.stem}.damaged-1.jsonl").read_bytes() == data


def test_damaged_match_without_room_to_mend_it_goes_on_in_memory(tmp_path: Path, parts: ExitStack) -> None:
    folder = evening(tmp_path / "state").folder
    data = spoilt(folder)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(recovery, "put_durably", full)
        start = Started(folder, parts, StateFolder(folder))
        assert [text.partition(":")[0] for text in start.said] == ["The journal was damaged"]
        assert "is damaged, and what can be read of it cannot go on there (" in str(start.state.refusal)
        assert not start.backlog.keep("two", began(3, match_id="two"))
        assert str(start.state.refusal) == start.backlog.trouble
    assert start.backlog.catch_up()
    assert ids(folder)[-1] == "two"
    (aside,) = folder.glob("matches/*.damaged-1.jsonl")
    assert aside.read_bytes() == data


def test_match_of_which_nothing_holds_leaves_the_one_before_it(
    tmp_path: Path, card: Card, parts: ExitStack
) -> None:
    folder = evening(tmp_path / "state").folder
    match_files(folder)[-1].write_bytes(b"")
    start = Started(folder, parts)
    assert len(start.table.entries) == 60
    card.trouble = 0
    assert start.backlog.keep("two", began(3, match_id="two"))
    assert ids(folder) == ["m1", "m2", "two"]


def test_former_journal_that_has_no_room_in_memory_either_is_named(
    tmp_path: Path, card: Card, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    write_former(folder / "journal.sqlite", evening(tmp_path / "evening").rows)
    state = opened_folder(folder)
    with closing(state), monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        with pytest.raises(StateFolderError, match="cannot be written"):
            opened_journal(state, folder)


@pytest.mark.skipif(
    shutil.which("mount") is None or os.geteuid() != 0, reason="needs a small disk of its own"
)
@pytest.mark.parametrize("free_kb", [0, 8, 150])
def test_damaged_match_on_a_disk_that_is_really_full_goes_on(tmp_path: Path, free_kb: int) -> None:
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", small], check=False).returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        shutil.copytree(evening(tmp_path / "evening").folder, small / "state")
        data = spoilt(small / "state")
        (small / "ballast").write_bytes(bytes(shutil.disk_usage(small).free - free_kb * 1024))
        with ExitStack() as parts:
            state, journal, table, said = opened_journal(opened_folder(small / "state"), small / "state")
            parts.enter_context(closing(state))
            parts.enter_context(closing(journal))
            assert len(table.entries) == 29
            assert "The journal was damaged" in str(said[0].text)
            asides = list(small.glob("state/matches/*.damaged-1.jsonl"))
            kept = asides[0] if asides else match_files(small / "state")[-1]
            assert kept.read_bytes() == data
            assert isinstance(state, FallbackFolder) is not bool(asides)
    finally:
        subprocess.run(["umount", "--lazy", small], check=True)


def test_folder_that_must_not_be_written_is_refused(folder: Path, card: Card) -> None:
    card.trouble = errno.EACCES
    with pytest.raises(StateFolderError, match="cannot be written"):
        opened_folder(folder)


def test_without_room_for_a_copy_it_is_refused_in_the_same_words(
    folder: Path, card: Card, tmp_path: Path
) -> None:
    refusal = StateFolderError("The folder cannot be written.")
    with pytest.raises(StateFolderError) as refused:
        FallbackFolder(folder, refusal, {"RUNTIME_DIRECTORY": str(tmp_path / "none")})
    assert refused.value is refusal


def test_full_disk_is_told_from_a_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StateFolderError) as refused:
        StateFolder(tmp_path / "file" / "state")
    assert not refused.value.may_pass


def test_fresh_folder_on_a_card_that_takes_nothing_has_no_match(
    tmp_path: Path, card: Card, parts: ExitStack
) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    start = Started(folder, parts)
    assert (start.table, start.said) == (Table(), [])
    assert not start.backlog.keep("one", began(1, match_id="one"))
    with pytest.raises(JournalError, match="There is no match two"):
        start.backlog.journal.archive.rows("two")
    card.trouble = 0
    assert start.backlog.catch_up()
    assert ids(folder) == ["one"]
