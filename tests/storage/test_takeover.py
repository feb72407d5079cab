"""The journal of earlier versions is taken over with every digest as it was, and kept."""

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.storage.backup import back_up, restore
from companion.storage.errors import JournalError, UnsalvagedError
from companion.storage.folder import old_journal_in
from companion.storage.lines import content_of, match_files
from companion.storage.recovery import is_damaged, open_journal
from tests.storage.test_recovery import full, started
from tests.support.often import TIMES
from tests.support.records.evening import EVENTS, Evening, evening, ids, problems
from tests.support.records.former import write_former
from tests.support.records.powercut import power_cut

OLD, KEPT = "journal.sqlite", "journal.taken-over.sqlite"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    return evening(tmp_path_factory.mktemp("evening") / "state")


@pytest.fixture(scope="module")
def stopped(played: Evening, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stopped")
    write_former(folder / OLD, played.rows)
    return folder


@pytest.fixture(scope="module")
def killed(played: Evening, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("killed")
    write_former(folder / OLD, played.rows, killed=True)
    return folder


def rows_in(folder: Path) -> list[object]:
    return [row for file in match_files(folder) for row in content_of(file.read_bytes()).rows]


@pytest.mark.parametrize("source", ["stopped", "killed"])
def test_every_row_is_taken_over_as_it_was_and_the_file_is_kept(
    played: Evening, tmp_path: Path, source: str, request: pytest.FixtureRequest
) -> None:
    folder = shutil.copytree(request.getfixturevalue(source), tmp_path / "state")
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    table, (said,) = started(folder)
    assert f"the former journal is kept as {KEPT}" in said
    assert len(table.entries) == 30
    assert rows_in(folder) == played.rows
    assert problems(folder) == []
    assert {name: (folder / name.replace(OLD, KEPT)).read_bytes() for name in before} == before
    assert not old_journal_in(folder)
    assert started(folder)[1] == []


def test_power_cut_at_each_step_loses_nothing(played: Evening, killed: Path, tmp_path: Path) -> None:
    steps = 0
    for step in range(1, 12):
        folder = shutil.copytree(killed, tmp_path / f"cut{step}")
        with pytest.MonkeyPatch.context() as patched:
            try:
                with power_cut(patched, step):
                    open_journal(folder)[0].close()
            except pytest.fail.Exception:
                break
        steps += 1
        started(folder)
        assert rows_in(folder) == played.rows
        assert problems(folder) == []
        assert (folder / KEPT).read_bytes() == (killed / OLD).read_bytes()
        assert (folder / f"{KEPT}-wal").exists()
        assert not [file for file in folder.iterdir() if file.name.startswith(".")]
    assert steps == 5


def test_what_a_version_before_has_kept_after_a_way_back_comes_behind(
    played: Evening, stopped: Path, tmp_path: Path
) -> None:
    folder = shutil.copytree(stopped, tmp_path / "state")
    started(folder)
    later = evening(tmp_path / "later", 10)
    rows = [row for row in later.rows if row.number == 1]
    write_former(folder / OLD, [*played.rows[:60], *_as_match(rows[0])])
    _, said = started(folder)
    assert "journal.taken-over-2.sqlite" in said[0]
    assert ids(folder) == ["m1", "m2", "m3", "m9"]
    assert problems(folder) == []


def _as_match(row):
    from companion.records.rows import event_of, row_of

    yield row_of(event_of(row), "m9", 1, "0" * 64)


@pytest.mark.parametrize("command", ["matches", "verify", "stats", "export"])
def test_commands_read_a_journal_that_no_start_has_taken_over(
    stopped: Path, killed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    for source in (stopped, killed):
        folder = shutil.copytree(source, tmp_path / source.name)
        before = sorted(folder.iterdir())
        more = ["last", "--format", "json"] if command == "export" else []
        assert main([command, *more, "--state", str(folder)]) == 0
        assert "m3" in capsys.readouterr().out or command == "stats"
        assert sorted(folder.iterdir()) == before, "nothing was written"


def test_backup_of_an_earlier_version_is_put_back(played: Evening, killed: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(killed, tmp_path / "state")
    assert back_up(folder, tmp_path / "b.tar.gz") == (3, "", "")
    assert sorted(file.name for file in folder.iterdir()) == sorted(file.name for file in killed.iterdir())
    assert restore(tmp_path / "b.tar.gz", tmp_path / "new") == (3, None)
    assert rows_in(tmp_path / "new") == played.rows


# Damaged


def test_damaged_page_takes_what_is_on_it_and_is_said(played: Evening, stopped: Path, tmp_path: Path) -> None:
    whole, chance, lost = (stopped / OLD).read_bytes(), random.Random(4), 0
    for number in range(25 * TIMES):
        folder = tmp_path / str(number)
        folder.mkdir()
        at = chance.randrange(len(whole) // 4096) * 4096
        spoilt = whole[:at] + chance.randbytes(4096) + whole[at + 4096 :]
        (folder / OLD).write_bytes(spoilt)
        _, (said, *_) = started(folder)
        kept = rows_in(folder)
        assert kept == [row for row in played.rows if row in kept]
        assert problems(folder) == []
        assert ("The journal was damaged" in said) or len(kept) == EVENTS
        assert f"{len(kept)} events could be read" in said or len(kept) == EVENTS
        assert (folder / KEPT).read_bytes() == spoilt
        lost += len(kept) < EVENTS
    assert lost > 5


@pytest.mark.parametrize("share", [0.0, 0.001, 0.3, 0.9])
def test_file_cut_short_is_kept_and_said(stopped: Path, tmp_path: Path, share: float) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    whole = (stopped / OLD).read_bytes()
    (folder / OLD).write_bytes(whole[: int(len(whole) * share)])
    _, (said, *_) = started(folder)
    assert "The journal was damaged" in said
    assert f"kept as {KEPT}" in said
    assert (folder / KEPT).stat().st_size == int(len(whole) * share)
    assert started(folder)[1] == []


def test_log_without_its_file_is_kept_and_said(killed: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(killed, tmp_path / "state")
    (folder / OLD).unlink()
    _, (said,) = started(folder)
    assert "was damaged: 0 events" in said
    assert (folder / f"{KEPT}-wal").read_bytes() == (killed / f"{OLD}-wal").read_bytes()


def test_row_that_was_altered_ends_its_match(played: Evening, stopped: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(stopped, tmp_path / "state")
    with closing(sqlite3.connect(folder / OLD)) as db:
        db.execute("DROP TRIGGER event_is_never_changed")
        db.execute("UPDATE event SET at_ms = at_ms + 1 WHERE match_id = 'm2' AND number = 20")
        db.commit()
    _, (said,) = started(folder)
    assert f"{EVENTS - 41} events could be read" in said
    assert rows_in(folder) == [row for row in played.rows if row.match_id != "m2" or row.number < 20]
    assert not is_damaged(folder)


def test_what_an_earlier_start_had_salvaged_goes_on_where_more_of_a_match_is_in_it(
    played: Evening, stopped: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "state"
    folder.mkdir()
    (folder / OLD).write_bytes(b"")
    write_former(folder / "journal.salvaged.sqlite", played.rows[:70])
    _, (said,) = started(folder)
    assert "70 events could be read" in said
    assert rows_in(folder) == played.rows[:70]
    assert (folder / "journal.salvaged.taken-over.sqlite").exists()


# Something else


def test_another_program_s_file_is_said_and_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / OLD
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TABLE recipe (name TEXT)")
    before = file.read_bytes()
    with pytest.raises(JournalError, match="is no journal: it is a SQLite file of something else"):
        open_journal(tmp_path)
    assert file.read_bytes() == before
    assert [left.name for left in tmp_path.iterdir()] == [OLD]


def test_journal_with_another_version_s_number_is_taken_over_all_the_same(
    played: Evening, stopped: Path, tmp_path: Path
) -> None:
    """There will be no later version of this format: only damage or a hand changes the number."""
    folder = shutil.copytree(stopped, tmp_path / "state")
    with closing(sqlite3.connect(folder / OLD)) as db:
        db.execute("PRAGMA user_version = 2")
    started(folder)
    assert rows_in(folder) == played.rows


def test_text_that_is_no_utf_8_ends_its_match(played: Evening, stopped: Path, tmp_path: Path) -> None:
    """SQLite's own check does not find such a byte."""
    folder = shutil.copytree(stopped, tmp_path / "state")
    data = (folder / OLD).read_bytes()
    at = data.index(b'"event":"', len(data) // 2) + 9
    (folder / OLD).write_bytes(data[:at] + b"\xff" + data[at + 1 :])
    _, (said,) = started(folder)
    assert "The journal was damaged" in said
    kept = rows_in(folder)
    assert 0 < len(kept) < EVENTS
    assert kept == [row for row in played.rows if row in kept]


def test_disk_without_room_leaves_the_former_journal_in_its_place(
    stopped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(stopped, tmp_path / "state")
    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_bytes", full)
        with pytest.raises(UnsalvagedError, match=r"cannot be taken over \(No space left on device\)"):
            open_journal(folder)
    assert [left.name for left in folder.iterdir()] == [OLD]
