"""What a power cut, or anybody, left beside a journal: nothing older takes its place, and every tool knows it."""

import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.storage.backup import back_up, restore
from companion.storage.journal import FILE_NAME, SALVAGED, Journal, JournalError
from companion.storage.salvage import is_damaged, open_journal
from tests.support.evening import EVENTS, LOG, Evening, evening
from tests.support.powercut import power_cut


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    return evening(tmp_path_factory.mktemp("evening"))


def leave_salvaged(played: Evening, folder: Path, events: int) -> None:
    """As an earlier start left it: sound, with the first events of the evening."""
    with closing(Journal(folder / SALVAGED)) as journal:
        for row in played.rows[:events]:
            journal.adopt(row)
        journal.fold()


def start(folder: Path) -> tuple[int, list[str]]:
    """How many events go on, and what is said."""
    journal, _, notices = open_journal(folder)
    with closing(journal):
        assert journal.verify() == []
        return journal.count(), [str(notice.text) for notice in notices]


def spoil(played: Evening, folder: Path, event: int) -> None:
    body = played.rows[event].body.encode()
    data = (folder / FILE_NAME).read_bytes()
    assert body in data
    (folder / FILE_NAME).write_bytes(data.replace(body, b"!" + body[1:]))


@pytest.mark.parametrize("source", ["stopped", "killed", "unfolded"])
def test_sound_journal_goes_on_whatever_was_salvaged_before(
    played: Evening, tmp_path: Path, source: str
) -> None:
    folder = shutil.copytree(getattr(played, source), tmp_path / "state")
    leave_salvaged(played, folder, 20)
    assert not is_damaged(folder)
    assert start(folder) == (EVENTS, [])
    assert not list(folder.glob("*salvaged*")), "all of it is in the journal"
    assert not list(folder.glob("*damaged*"))


def test_salvaged_journal_with_events_that_are_nowhere_else_is_kept(played: Evening, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    with closing(Journal(folder / FILE_NAME)) as journal:
        journal.adopt(played.rows[0])
    leave_salvaged(played, folder, 20)
    assert start(folder) == (1, [])
    with closing(Journal(folder / "journal.salvaged.damaged-1.sqlite", read_only=True)) as kept:
        assert kept.count() == 20


def test_damaged_journal_of_which_more_can_be_read_is_salvaged_anew(played: Evening, tmp_path: Path) -> None:
    folder = shutil.copytree(played.stopped, tmp_path / "state")
    spoil(played, folder, EVENTS - 1)
    leave_salvaged(played, folder, 20)
    assert is_damaged(folder)
    back_up(folder, tmp_path / "b.tar.gz")
    assert restore(tmp_path / "b.tar.gz", tmp_path / "new")[0] == 3
    events, said = start(folder)
    assert events == EVENTS - 1
    assert f"{EVENTS - 1} events could be read" in said[0]
    assert not list(folder.glob("*salvaged*"))


def test_damaged_journal_of_which_less_can_be_read_by_now_gives_way(played: Evening, tmp_path: Path) -> None:
    folder = shutil.copytree(played.stopped, tmp_path / "state")
    leave_salvaged(played, folder, EVENTS)
    spoil(played, folder, 5)
    told = back_up(folder, tmp_path / "b.tar.gz")
    assert f"the {EVENTS} events of it that can be read" in told.damage
    events, said = start(folder)
    assert events == EVENTS
    assert "kept as journal.damaged-1.sqlite" in said[0]
    assert not list(folder.glob("*salvaged*"))


def test_log_that_holds_more_than_what_was_salvaged_before_goes_on(played: Evening, tmp_path: Path) -> None:
    folder = shutil.copytree(played.unfolded, tmp_path / "state")
    shutil.copy(played.stopped / FILE_NAME, folder / "journal.damaged-1.sqlite")
    leave_salvaged(played, folder, 20)
    (folder / FILE_NAME).unlink()
    events, said = start(folder)
    assert events == EVENTS
    assert "kept as journal.damaged-2.sqlite" in said[0]
    assert (folder / "journal.damaged-2.sqlite-wal").exists()


@pytest.mark.parametrize("asides", [0, 2])
def test_where_only_the_salvaged_journal_is_left_it_goes_on_and_no_file_is_named_that_is_not_there(
    played: Evening, tmp_path: Path, asides: int
) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    leave_salvaged(played, folder, 20)
    for number in range(1, asides + 1):
        (folder / f"journal.damaged-{number}.sqlite").write_bytes(b"junk")
    events, (said,) = start(folder)
    assert events == 20
    assert ("kept as journal.damaged-2.sqlite" if asides else "damaged and is gone: 20 events") in said


def lose_the_file(folder: Path) -> None:
    (folder / FILE_NAME).unlink()


def damage_the_log(folder: Path) -> None:
    data = bytearray((folder / LOG).read_bytes())
    data[len(data) * 3 // 4] ^= 1
    (folder / LOG).write_bytes(data)


def damage_the_file(folder: Path) -> None:
    data = bytearray((folder / FILE_NAME).read_bytes())
    data[len(data) * 3 // 4] ^= 1
    (folder / FILE_NAME).write_bytes(data)


HARMS = [("stopped", damage_the_file), ("unfolded", damage_the_log), ("unfolded", lose_the_file)]


def cuts(played: Evening, tmp_path: Path, source: str, harm: Callable[[Path], None]) -> list[Path]:
    """The folder as a power cut at each step of salvaging leaves it."""
    found: list[Path] = []
    for step in range(1, 10):
        folder = shutil.copytree(getattr(played, source), tmp_path / f"{source}-{step}")
        harm(folder)
        (folder / "starts").write_text("3")
        with pytest.MonkeyPatch.context() as patched:
            try:
                with power_cut(patched, step):
                    open_journal(folder)[0].close()
            except pytest.fail.Exception:
                return found
        found.append(folder)
    return found


@pytest.mark.parametrize(("source", "harm"), HARMS)
def test_cut_short_anywhere_salvaging_loses_nothing_and_is_known_to_all(
    played: Evening,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    source: str,
    harm: Callable[[Path], None],
) -> None:
    whole = shutil.copytree(getattr(played, source), tmp_path / "whole")
    harm(whole)
    events, (said,) = start(whole)
    folders = cuts(played, tmp_path, source, harm)
    assert len(folders) >= 4
    for folder in folders:
        assert is_damaged(folder)
        assert main(["verify", "--state", str(folder)]) == 1
        assert "been altered" in (said_by := capsys.readouterr().out) or "damaged" in said_by
        out = tmp_path / f"{folder.name}.tar.gz"
        told = back_up(folder, out)
        assert f"the {events} events of it that can be read" in told.damage
        assert restore(out, tmp_path / f"{folder.name}-again")[0] == told.matches > 0
        assert start(folder) == (events, [said])
        assert {file.name.removesuffix("-shm") for file in folder.iterdir()} <= {
            *(file.name.removesuffix("-shm") for file in whole.iterdir()),
            "starts",
        }


@pytest.mark.parametrize(("source", "harm"), HARMS)
def test_backup_put_back_in_the_middle_of_it_goes_on(
    played: Evening, tmp_path: Path, source: str, harm: Callable[[Path], None]
) -> None:
    begun = tmp_path / "begun"
    begun.mkdir()
    with closing(Journal(begun / FILE_NAME)) as journal:
        for row in played.rows[:7]:
            journal.adopt(row)
    back_up(begun, tmp_path / "b.tar.gz")
    for folder in cuts(played, tmp_path, source, harm):
        there = {file.name for file in folder.iterdir() if file.name.startswith(FILE_NAME[:7])}
        _, before = restore(tmp_path / "b.tar.gz", folder)
        assert start(folder) == (7, [])
        kept = {file.name for place in (folder, before) if place for file in place.iterdir()}
        assert there <= kept


@pytest.mark.parametrize("left", [LOG, SALVAGED])
def test_tools_do_not_take_what_is_left_for_nothing(
    played: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str], left: str
) -> None:
    folder = shutil.copytree(played.unfolded, tmp_path / "state")
    leave_salvaged(played, folder, EVENTS)
    for file in folder.iterdir():
        if file.name != left:
            file.unlink()
    assert is_damaged(folder)
    assert main(["verify", "--state", str(folder)]) == 1
    assert main(["matches", "--state", str(folder)]) == 2
    said = capsys.readouterr()
    assert "damaged; the next start" in said.out
    assert "damaged; the next start" in said.err
    assert back_up(folder, tmp_path / "b.tar.gz").matches == 3


# A file that SQLite would take for what is to be undone


STRAY = f"{FILE_NAME}-journal"


@pytest.mark.parametrize("content", [b"garbage" * 1000, bytes.fromhex("d9d505f920a163d7") + bytes(4000)])
def test_journal_of_a_journal_is_moved_away_before_sqlite_sees_it(
    played: Evening, tmp_path: Path, content: bytes
) -> None:
    folder = shutil.copytree(played.unfolded, tmp_path / "state")
    (folder / STRAY).write_bytes(content)
    with pytest.raises(
        JournalError, match=f"{STRAY} does not belong to the journal; the next start moves it"
    ):
        is_damaged(folder)
    assert back_up(folder, tmp_path / "b.tar.gz").matches == 3
    assert start(folder) == (EVENTS, [])
    assert (folder / f"{STRAY}.damaged-1").read_bytes() == content


def test_empty_one_is_nothing(played: Evening, tmp_path: Path) -> None:
    folder = shutil.copytree(played.stopped, tmp_path / "state")
    (folder / STRAY).touch()
    assert not is_damaged(folder)
    assert start(folder) == (EVENTS, [])


def test_it_is_moved_away_before_a_damaged_journal_is_read(played: Evening, tmp_path: Path) -> None:
    folder = shutil.copytree(played.stopped, tmp_path / "state")
    data = b"no header at all" + (folder / FILE_NAME).read_bytes()[16:18] + b"!!"
    (folder / FILE_NAME).write_bytes(data + (folder / FILE_NAME).read_bytes()[20:])
    (folder / STRAY).write_bytes(b"garbage")
    assert start(folder)[0] == EVENTS
    assert (folder / f"{STRAY}.damaged-1").read_bytes() == b"garbage"
    assert not (folder / STRAY).exists()


def test_that_of_a_backup_which_has_no_log_yet_is_sqlite_s(played: Evening, tmp_path: Path) -> None:
    """A power cut at the first opening after a restore leaves one."""
    back_up(played.stopped, tmp_path / "b.tar.gz")
    restore(tmp_path / "b.tar.gz", tmp_path / "state")
    (tmp_path / "state" / STRAY).write_bytes(b"garbage")
    assert not is_damaged(tmp_path / "state")
    assert start(tmp_path / "state") == (EVENTS, [])
    assert not (tmp_path / "state" / STRAY).exists()
