"""The catalogue is a cache: what it says is what the files say, whatever becomes of it."""

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.game.events import OpeningThrown, TurnEnded
from companion.game.state_machine import fold
from companion.records.dice_stats import statistics, tallies
from companion.records.rows import event_of
from companion.storage import catalogue as module
from companion.storage.archive import Archive
from companion.storage.catalogue import Catalogue, Entry, tallies_of
from companion.storage.folder import CATALOGUE, CATALOGUE_FILES
from companion.storage.journal import Journal
from companion.storage.lines import match_files
from companion.storage.listing import Listing, Search
from tests.support.records.evening import Evening, evening
from tests.support.selfplay import began


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    made = evening(tmp_path_factory.mktemp("evening") / "state")
    with closing(Catalogue(made.folder)) as catalogue:
        list(catalogue.all())
    return made


def listed(folder: Path) -> tuple[list[Entry], str]:
    with closing(Catalogue(folder)) as catalogue:
        return list(catalogue.all()), str(catalogue.trouble)


def test_it_says_what_the_matches_lead_to(played: Evening) -> None:
    found, trouble = listed(played.folder)
    assert trouble == ""
    tables = []
    for entry in found:
        rows = [row for row in played.rows if row.match_id == entry.match_id]
        table = fold([event_of(row) for row in rows])
        tables.append(table)
        assert table.state is not None
        assert (entry.events, entry.head) == (len(rows), rows[-1].digest)
        assert (entry.south_points, entry.north_points) == (table.state.score.south, table.state.score.north)
        assert (entry.south, entry.north, entry.length, entry.profile) == ("Ann", "Bob", 5, "modern")
        assert entry.date == "2026-09-21"
    assert statistics(tallies_of(found)) == statistics(tallies(tables))


def test_other_programs_can_ask_it(played: Evening) -> None:
    with closing(sqlite3.connect(played.folder / CATALOGUE)) as db:
        assert db.execute("SELECT count(*) FROM match").fetchone() == (3,)
        names = db.execute("SELECT DISTINCT name FROM player ORDER BY name").fetchall()
        assert names == [("Ann",), ("Bob",)]
        rolls = db.execute("SELECT sum(times) FROM roll WHERE player = 'Ann'").fetchone()[0]
    assert rolls == sum(tallies_of(listed(played.folder)[0])["Ann"].rolls.values())


def test_only_what_has_changed_is_read_again(
    played: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(played.folder, tmp_path / "state")
    listed(folder)
    read: list[str] = []
    read_match = module.read_match
    monkeypatch.setattr(module, "read_match", lambda file: read.append(file.name) or read_match(file))
    with closing(Journal(folder)) as journal:
        assert len(listed(folder)[0]) == 3
        assert read == []
        journal.append("m4", began(1, match_id="m4"))
        found, _ = listed(folder)
    assert read == [match_files(folder)[3].name]
    assert [entry.match_id for entry in found] == ["m1", "m2", "m3", "m4"]
    match_files(folder)[0].unlink()
    assert [entry.match_id for entry in listed(folder)[0]] == ["m2", "m3", "m4"]


def test_list_has_names_and_score_of_a_match_that_goes_on_meanwhile(
    played: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An event written between the look for changes and the answer leaves no line without players."""
    folder = shutil.copytree(played.folder, tmp_path / "state")
    with closing(Journal(folder)) as journal:
        journal.append("m4", began(1, match_id="m4"))
        refresh = Catalogue.refresh

        def and_then_an_event(catalogue: Catalogue, most: int) -> int:
            left = refresh(catalogue, most)
            journal.append("m4", OpeningThrown(south=(3,), north=(1,)))
            return left

        monkeypatch.setattr(Catalogue, "refresh", and_then_an_event)
        newest = Listing(journal.archive).find(Search()).entries[0]
    assert (newest.match_id, newest.events, newest.south, newest.is_counted) == ("m4", 2, "Ann", True)


def test_copy_of_all_files_is_not_read_again(
    played: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = shutil.copytree(played.folder, tmp_path / "state")
    for file in match_files(folder):
        os.utime(file, ns=(1, 1))
    monkeypatch.setattr(module, "read_match", lambda file: pytest.fail(f"{file} is read"))
    for _ in range(2):
        assert [entry.match_id for entry in listed(folder)[0]] == ["m1", "m2", "m3"]


def test_newest_come_first_and_by_the_page(played: Evening) -> None:
    with closing(Archive(played.folder)) as archive:
        names = [[entry.match_id for entry in archive.newest(2, before)] for before in ("", "m3", "m1", "m9")]
    assert names == [["m3", "m2"], ["m2", "m1"], [], ["m3", "m2"]]


def test_long_list_is_read_in_parts_and_is_the_same(played: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = listed(played.folder)[0]
    monkeypatch.setattr(module, "_AT_ONCE", 2)
    asked: list[int] = []
    entries = Catalogue.entries
    monkeypatch.setattr(
        Catalogue, "entries", lambda self, files: asked.append(len(files)) or entries(self, files)
    )
    assert listed(played.folder)[0] == whole
    assert asked == [2, 1]


HARMS: dict[str, Callable[[bytes], bytes]] = {
    "emptied": lambda data: b"",
    "zeros": lambda data: bytes(len(data)),
    "garbage": lambda data: random.Random(1).randbytes(len(data)),
    "cut short": lambda data: data[: len(data) // 2],
    "a name altered": lambda data: data.replace(b"modern", b"modesn", 1),
    "a number altered": lambda data: data.replace(b'"cocked": 0', b'"cocked": 7', 1),
    "another version's": lambda data: data[:60] + b"\0\0\0\xff" + data[64:],
}


@pytest.mark.parametrize("harm", HARMS)
def test_damaged_one_is_made_anew_and_said(played: Evening, tmp_path: Path, harm: str) -> None:
    folder = shutil.copytree(played.folder, tmp_path / "state")
    before = listed(folder)[0]
    data = (folder / CATALOGUE).read_bytes()
    (folder / CATALOGUE).write_bytes(HARMS[harm](data))
    assert (folder / CATALOGUE).read_bytes() != data
    found, trouble = listed(folder)
    assert found == before
    assert "was damaged and is made anew" in trouble
    assert listed(folder) == (before, "")


def test_any_altered_byte_changes_nothing_that_is_said(played: Evening, tmp_path: Path) -> None:
    folder = shutil.copytree(played.folder, tmp_path / "state")
    before, chance = listed(folder)[0], random.Random(5)
    data = (folder / CATALOGUE).read_bytes()
    for _ in range(60):
        at = chance.randrange(len(data))
        for name in CATALOGUE_FILES:
            (folder / name).unlink(missing_ok=True)
        (folder / CATALOGUE).write_bytes(
            data[:at] + bytes([data[at] ^ chance.randrange(1, 256)]) + data[at + 1 :]
        )
        assert listed(folder)[0] == before


def test_deleted_one_is_made_anew_without_a_word(played: Evening, tmp_path: Path) -> None:
    folder = played.copy(tmp_path / "state")
    assert not (folder / CATALOGUE).exists()
    found, trouble = listed(folder)
    assert [entry.match_id for entry in found] == ["m1", "m2", "m3"]
    assert trouble == ""
    assert (folder / CATALOGUE).exists()


def test_locked_one_is_read_and_not_waited_for(played: Evening, tmp_path: Path) -> None:
    folder = shutil.copytree(played.folder, tmp_path / "state")
    with (
        closing(sqlite3.connect(folder / CATALOGUE, isolation_level=None)) as other,
        closing(Journal(folder)) as journal,
    ):
        other.execute("BEGIN IMMEDIATE")
        journal.append("m4", began(1, match_id="m4"))
        found, trouble = listed(folder)
        assert [entry.events for entry in found] == [60, 60, 30, 1]
        assert trouble == ""
        other.execute("ROLLBACK")
        assert listed(folder)[0] == found


@pytest.mark.parametrize("there", ["a folder", "a pipe"])
def test_something_else_in_its_place_is_done_without_and_left(
    played: Evening, tmp_path: Path, there: str
) -> None:
    folder = played.copy(tmp_path / "state")
    (folder / CATALOGUE).mkdir() if there == "a folder" else (folder / CATALOGUE).symlink_to("/dev/full")
    found, trouble = listed(folder)
    assert [entry.match_id for entry in found] == ["m1", "m2", "m3"]
    assert "cannot be used" in trouble or "made anew" in trouble
    with closing(Journal(folder)) as journal:
        assert journal.append("m4", began(1, match_id="m4")).number == 1


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files to others")
def test_one_that_root_makes_belongs_to_the_service(played: Evening, tmp_path: Path) -> None:
    folder = played.copy(tmp_path / "state")
    os.chown(folder, 12345, 12345)
    with closing(Catalogue(folder)) as catalogue:
        list(catalogue.all())
        assert {(folder / name).stat().st_uid for name in CATALOGUE_FILES if (folder / name).exists()} == {
            12345
        }


def test_match_that_cannot_be_replayed_says_why(played: Evening, tmp_path: Path) -> None:
    folder = played.copy(tmp_path / "state")
    with closing(Journal(folder)) as journal:
        journal.append("m4", began(1, match_id="m4"))
        journal.append("m4", TurnEnded())
    found, _ = listed(folder)
    assert found[-1].as_json()["error"].startswith("The record of match m4 cannot be replayed: ")
    assert listed(folder)[0] == found


def test_a_refresh_drops_what_was_deleted_and_reads_what_is_new(played: Evening, tmp_path: Path) -> None:
    folder = shutil.copytree(played.folder, tmp_path / "state")
    first, *others = match_files(folder)
    with closing(Catalogue(folder)) as catalogue:
        copy = first.with_name("0009" + first.name[4:])
        shutil.copy(first, copy)
        first.unlink()
        assert catalogue.gone([file.name for file in match_files(folder)]) == [first.name]
        assert catalogue.refresh(most=0) == 1
        assert catalogue.files() == {file.name for file in others}
        assert catalogue.refresh(most=1) == 0
        assert catalogue.files() == {file.name for file in (*others, copy)}
        assert [entry.file for entry in catalogue.newest(2)] == [copy.name, others[-1].name]
        assert [entry.file for entry in catalogue.newest(9, "m3")] == [others[0].name]
