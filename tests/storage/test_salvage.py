"""A damaged journal: what can be read goes on, and the damaged file is kept."""

import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.game.events import MatchBegan, OpeningThrown, PlayEntered, RollTyped, TurnEnded
from companion.game.step import Table, fold
from companion.rules.board import Roll
from companion.storage.journal import FILE_NAME, SALVAGED, Journal, JournalError
from companion.storage.salvage import open_journal
from companion.storage.soundness import is_sound
from tests.support.powercut import power_cut

EVENTS = [
    MatchBegan(match_id="m", south="Ann", north="Ben", length=3, profile="modern"),
    OpeningThrown((5,), (2,)),
    PlayEntered(((13, 8), (13, 11))),
    TurnEnded(),
    RollTyped(Roll.of(6, 1)),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with closing(Journal(tmp_path / FILE_NAME)) as journal:
        for event in EVENTS:
            journal.append("m", event)
    return tmp_path


def states(count: int) -> object:
    return fold(EVENTS[:count]).state


def test_sound_journal_is_opened_as_it_is(folder: Path) -> None:
    journal, table, notices = open_journal(folder)
    journal.close()
    assert table.state == states(5)
    assert notices == []
    assert [file.name for file in folder.glob("*damaged*")] == []


def test_empty_folder_begins_a_journal(tmp_path: Path) -> None:
    journal, table, notices = open_journal(tmp_path)
    journal.close()
    assert (table, notices) == (Table(), [])


@pytest.mark.parametrize(
    "harm",
    [
        pytest.param(lambda data: b"\0" * len(data), id="zeros"),
        pytest.param(lambda data: b"not a database, but quite long " * 400, id="another file"),
        pytest.param(lambda data: data[:100] + b"\xff" * (len(data) - 100), id="only the header is left"),
        pytest.param(lambda data: data[: len(data) // 2], id="cut in half"),
        pytest.param(lambda data: data[:4096] + b"\x7f" * 4096 + data[8192:], id="one page spoilt"),
    ],
)
def test_damaged_journal_is_set_aside_and_play_goes_on(folder: Path, harm: object) -> None:
    file = folder / FILE_NAME
    file.write_bytes(harm(file.read_bytes()))  # type: ignore[operator]
    journal, table, notices = open_journal(folder)
    with closing(journal):
        if notices:
            assert [notice.level.value for notice in notices] == ["alarm"]
            aside = next(folder.glob("*damaged-1.sqlite"))
            assert aside.name in str(notices[0].text)
        # Whatever is there is a beginning of what was, and it can be gone on from.
        assert table.state in [None, *(states(count) for count in range(1, 6))]
        journal.append("n", MatchBegan(match_id="n", south="", north="", length=1, profile="modern"))
        assert journal.verify() == []


def test_lost_tail_keeps_the_events_before_it(folder: Path) -> None:
    journal, _, _ = open_journal(folder)
    for number in range(400):
        journal.append(
            f"x{number}",
            MatchBegan(match_id=f"x{number}", south="A" * 50, north="", length=1, profile="modern"),
        )
    journal.close()
    file = folder / FILE_NAME
    data = file.read_bytes()
    file.write_bytes(data[: int(len(data) * 0.6) // 4096 * 4096])
    journal, _, notices = open_journal(folder)
    with closing(journal):
        assert len(notices) == 1
        assert journal.events("m") == EVENTS
        assert 50 < len(journal.matches()) < 401
        assert journal.verify() == []


@pytest.mark.parametrize("share", [0.0, 0.02, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999])
def test_file_cut_short_anywhere_is_noticed(folder: Path, share: float) -> None:
    journal, _, _ = open_journal(folder)
    for number in range(40):
        journal.append(
            "m",
            RollTyped(Roll.of(1 + number % 6, 1), at_ms=number) if number % 2 else TurnEnded(at_ms=number),
        )
    journal.close()
    file = folder / FILE_NAME
    data = file.read_bytes()
    file.write_bytes(data[: int(len(data) * share)])
    assert not is_sound(file)


def half_folded(folder: Path) -> int:
    """Leave a journal as a disk does that filled up while SQLite folded its log into the file: a page of it arrived.

    Returns:
        How many events are in it.
    """
    file, left = folder / FILE_NAME, folder / "left"
    with closing(Journal(file)) as journal:
        for number in range(200):
            journal.append("m", TurnEnded(at_ms=number))
    with closing(Journal(file)) as journal:
        for number in range(40):
            journal.append("m", TurnEnded(at_ms=number))
        shutil.copytree(folder, left, ignore=lambda *_: ["left"])
        journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    first_page = file.read_bytes()[:4096]
    for part in left.iterdir():
        part.rename(folder / part.name)
    left.rmdir()
    short = file.read_bytes()
    file.write_bytes(first_page + short[4096:])
    assert int.from_bytes(first_page[28:32], "big") * 4096 > len(short), "nothing is left to be folded in"
    return len(EVENTS) + 240


def test_journal_whose_log_was_half_folded_in_is_sound(folder: Path) -> None:
    events = half_folded(folder)
    assert is_sound(folder / FILE_NAME)
    journal, _, notices = open_journal(folder)
    with closing(journal):
        assert not [str(notice.text) for notice in notices if "damaged" in str(notice.text)]
        assert len(journal.rows("m")) == events
        assert journal.verify() == []
    assert list(folder.glob("*damaged*")) == []


@pytest.mark.parametrize(
    "harm", ["its log is gone", "its log is spoilt", "more of it is gone than its log has"]
)
def test_half_folded_journal_without_the_rest_is_damaged(folder: Path, harm: str) -> None:
    half_folded(folder)
    file, log = folder / FILE_NAME, folder / f"{FILE_NAME}-wal"
    if harm == "its log is gone":
        log.unlink()
    elif harm == "its log is spoilt":
        log.write_bytes(bytes(log.stat().st_size))
    else:
        os.truncate(file, 4096)
    assert not is_sound(file)


def test_look_at_a_journal_leaves_it_as_it_is(folder: Path) -> None:
    """A look is not an opening: `companion doctor` looks as well."""
    half_folded(folder)
    before = {name: (folder / name).read_bytes() for name in (FILE_NAME, f"{FILE_NAME}-wal")}
    is_sound(folder / FILE_NAME)
    assert {name: (folder / name).read_bytes() for name in before} == before


def test_journal_emptied_is_not_taken_for_a_fresh_one(folder: Path) -> None:
    (folder / FILE_NAME).write_bytes(b"")
    journal, table, notices = open_journal(folder)
    journal.close()
    assert table == Table()
    assert len(notices) == 1
    assert "was damaged: 0 events" in str(notices[0].text)
    assert "companion restore" in str(notices[0].text)
    assert (folder / "journal.damaged-1.sqlite").read_bytes() == b""


@pytest.mark.parametrize("left", ["empty", "missing"])
def test_what_only_the_log_beside_an_emptied_journal_holds_goes_on(tmp_path: Path, left: str) -> None:
    new, copy = tmp_path / "new", tmp_path / "copy"
    new.mkdir()
    with closing(Journal(new / FILE_NAME)) as journal:
        for event in EVENTS:
            journal.append("m", event)
        shutil.copytree(new, copy)  # as a kill leaves it
    if left == "empty":
        (copy / FILE_NAME).write_bytes(b"")
    else:
        (copy / FILE_NAME).unlink()
    journal, _, notices = open_journal(copy)
    with closing(journal):
        assert "was damaged: 5 events" in str(notices[0].text)
        assert journal.events("m") == EVENTS
        assert journal.verify() == []


def test_journal_comes_to_be_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a power cut at the very first start would look like a journal that was emptied."""
    monkeypatch.setattr(Path, "rename", lambda self, target: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        Journal(tmp_path / FILE_NAME)
    monkeypatch.undo()
    assert not (tmp_path / FILE_NAME).exists()
    journal, _, notices = open_journal(tmp_path)
    journal.close()
    assert notices == []
    assert {file.name for file in tmp_path.iterdir()} == {FILE_NAME}


@pytest.mark.parametrize("step", range(1, 7))
def test_power_cut_while_a_journal_is_salvaged_loses_nothing_and_is_made_up_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    new, folder = tmp_path / "new", tmp_path / "copy"
    new.mkdir()
    with closing(Journal(new / FILE_NAME)) as journal:
        for event in EVENTS:
            journal.append("m", event)
        shutil.copytree(new, folder)
    (folder / FILE_NAME).write_bytes(b"")
    with power_cut(monkeypatch, step):
        open_journal(folder)
    journal, _, notices = open_journal(folder)
    with closing(journal):
        assert journal.events("m") == EVENTS
    assert len(notices) == 1
    assert "was damaged: 5 events" in str(notices[0].text)
    assert "kept as journal.damaged-1.sqlite" in str(notices[0].text)
    left = {file.name for file in folder.iterdir() if not file.name.endswith(("-wal", "-shm"))}
    assert left == {FILE_NAME, "journal.damaged-1.sqlite"}
    assert (folder / "journal.damaged-1.sqlite-wal").exists()


def test_with_the_state_folder_alone_to_write_in_a_journal_is_salvaged(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read-only root may have no place for passing files."""
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/nowhere"])
    data = (folder / FILE_NAME).read_bytes()
    (folder / FILE_NAME).write_bytes(data[:-4096])
    journal, _, notices = open_journal(folder)
    journal.close()
    assert len(notices) == 1
    assert {file.name for file in folder.iterdir()} == {FILE_NAME, "journal.damaged-1.sqlite"}


def test_disk_without_room_for_salvaging_leaves_the_damaged_journal_where_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (folder / FILE_NAME).write_bytes(b"junk" * 1000)
    with monkeypatch.context() as patched:
        patched.setattr(tempfile, "mkdtemp", full)
        with pytest.raises(JournalError, match=r"is damaged, and .*\(No space left on device\)"):
            open_journal(folder)
    assert (folder / FILE_NAME).read_bytes() == b"junk" * 1000


def test_journal_that_is_gone_is_said_where_there_was_one(tmp_path: Path) -> None:
    (tmp_path / "starts").write_text("3")
    journal, table, notices = open_journal(tmp_path)
    journal.close()
    assert table == Table()
    assert ["gone" in str(notice.text) for notice in notices] == [True]


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
def test_what_is_no_file_is_said_and_left_there(tmp_path: Path, make: Callable[[Path], object]) -> None:
    make(tmp_path / FILE_NAME)
    with pytest.raises(JournalError, match=r"journal\.sqlite cannot be used: it is no file"):
        open_journal(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == [FILE_NAME]


@pytest.mark.parametrize("salvaged", [False, True], ids=["", "salvaged"])
def test_link_to_a_journal_that_is_not_there_is_said_and_left(folder: Path, salvaged: bool) -> None:
    path = folder / FILE_NAME
    if salvaged:
        shutil.copy(path, folder / SALVAGED)
    path.unlink()
    path.symlink_to(folder.parent / "a disk" / FILE_NAME)
    (folder / f"{FILE_NAME}-wal").write_bytes(bytes(4200))
    before = {file.name for file in folder.iterdir()}
    with pytest.raises(
        JournalError, match=r"journal\.sqlite leads to .*a disk/journal\.sqlite, which is not there"
    ):
        open_journal(folder)
    assert before <= {file.name for file in folder.iterdir()}


def test_another_program_s_file_is_said_and_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / FILE_NAME
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TABLE recipe (name TEXT)")
    before = file.read_bytes()
    with pytest.raises(JournalError, match="is no journal: it is a SQLite file of something else"):
        open_journal(tmp_path)
    assert file.read_bytes() == before
    assert [left.name for left in tmp_path.iterdir()] == [FILE_NAME]


def test_journal_that_this_user_may_not_read_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> object:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "open", forbidden)
    with pytest.raises(JournalError, match="cannot be used: Permission denied"):
        open_journal(folder)


def test_second_damage_does_not_overwrite_the_first(folder: Path) -> None:
    for number in (1, 2):
        (folder / FILE_NAME).write_bytes(b"junk%d" % number * 1000)
        open_journal(folder)[0].close()
    assert {file.name for file in folder.glob("*damaged*.sqlite")} == {
        "journal.damaged-1.sqlite",
        "journal.damaged-2.sqlite",
    }


def test_match_that_this_version_cannot_replay_stays_and_another_can_be_begun(tmp_path: Path) -> None:
    """An update that went wrong must not keep the table from being played on."""
    with closing(Journal(tmp_path / FILE_NAME)) as journal:
        journal.append("m", EVENTS[0])
        journal.append("m", TurnEnded())
    journal, table, notices = open_journal(tmp_path)
    with closing(journal):
        assert table == Table()
        assert [notice.level.value for notice in notices] == ["alarm"]
        assert "The match m cannot be replayed" in str(notices[0].text)
        assert "return to the version before" in str(notices[0].text)
        journal.append("n", MatchBegan(match_id="n", south="", north="", length=1, profile="modern"))
        assert journal.events("m") == [EVENTS[0], TurnEnded()]
        assert journal.verify() == []
    journal, table, notices = open_journal(tmp_path)
    journal.close()
    assert (table.state is None, notices) == (False, [])
