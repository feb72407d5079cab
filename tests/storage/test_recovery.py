"""Whatever becomes of a match file: it starts, loses as little as can be, keeps the file, and says so."""

import errno
import os
import random
import shutil
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.game.events import MatchBegan, OpeningThrown, TurnEnded
from companion.game.table import Table
from companion.storage import recovery
from companion.storage.archive import known_gaps
from companion.storage.backup import back_up, restore
from companion.storage.catalogue import Catalogue
from companion.storage.errors import JournalError, UnsalvagedError
from companion.storage.folder import CATALOGUE_FILES
from companion.storage.journal import Journal
from companion.storage.lines import match_files, match_names
from companion.storage.recovery import check_rest, is_damaged, newest_within, open_journal
from tests.support.often import TIMES
from tests.support.records.evening import EVENTS, Evening, evening, ids, problems
from tests.support.records.powercut import power_cut
from tests.support.running import companion, settings_file
from tests.support.selfplay import began

SHARES = (0.001, 0.05, 0.15, 0.25, 0.35, 0.5, 0.75, 0.95, 0.999)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    return evening(tmp_path_factory.mktemp("evening") / "state")


def started(folder: Path) -> tuple[Table, list[str]]:
    """The table that a start finds, and what it says."""
    journal, table, notices = open_journal(folder)
    journal.close()
    return table, [str(notice.text) for notice in notices]


def test_evening_that_nobody_harmed_goes_on_without_a_word(played: Evening, tmp_path: Path) -> None:
    folder = played.copy(tmp_path / "state")
    assert not is_damaged(folder)
    table, said = started(folder)
    assert (len(table.entries), said) == (30, [])
    assert played.lost(folder) == (0, 0)
    assert not list(folder.rglob("*damaged*"))


def test_start_asks_the_disk_about_the_newest_matches_only(
    played: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of earlier ones would hold the first page up; they are looked over in the background."""
    folder = played.copy(tmp_path / "state")
    started(folder)
    monkeypatch.setattr(recovery, "CHECKED_BYTES", 1)
    asked, stat = set[str](), os.stat
    monkeypatch.setattr(os, "stat", lambda path, **more: asked.add(Path(path).name) or stat(path, **more))
    with closing(open_journal(folder)[0]):
        oldest, *_, newest = match_names(folder)
        assert (oldest in asked, newest in asked) == (False, True)


def test_empty_folder_begins_a_journal(tmp_path: Path) -> None:
    assert started(tmp_path) == (Table(), [])
    (tmp_path / "starts").write_text("1")
    assert started(tmp_path) == (Table(), []), "no match has been played yet"


def test_single_altered_byte_is_said_and_loses_what_comes_behind_it_in_its_match(
    played: Evening, tmp_path: Path
) -> None:
    chance = random.Random(1)
    for number in range(40 * TIMES):
        match = number % 3
        data = match_files(played.folder)[match].read_bytes()
        at, other = chance.randrange(len(data)), chance.randrange(1, 256)
        folder = played.harmed(
            match,
            lambda data, at=at, other=other: data[:at] + bytes([data[at] ^ other]) + data[at + 1 :],
            tmp_path / "state",
        )
        assert is_damaged(folder)
        behind = data.count(b"\n") - data[:at].count(b"\n")
        assert played.lost(folder) == (behind, 1)
        assert not is_damaged(folder)


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("match", [0, 2])
@pytest.mark.parametrize("rest", ["", "zeros", "garbage"])
def test_match_cut_short_or_overwritten_from_some_place_on_keeps_what_is_before(
    played: Evening, tmp_path: Path, share: float, match: int, rest: str
) -> None:
    def cut(data: bytes) -> int:
        end = int(len(data) * share)
        return end + (data[:end].endswith(b"\n"))  # between two lines is another test

    def harm(data: bytes) -> bytes:
        end = cut(data)
        left = len(data) - end
        return data[:end] + {"": b"", "zeros": bytes(left), "garbage": random.Random(1).randbytes(left)}[rest]

    whole = match_files(played.folder)[match].read_bytes()
    folder = played.harmed(match, harm, tmp_path / "state")
    spoilt = match_files(folder)[match].read_bytes()
    kept = whole[: cut(whole)].count(b"\n")
    assert played.lost(folder) == (whole.count(b"\n") - kept, 1)
    (aside,) = folder.glob("matches/*.damaged-1.jsonl")
    assert aside.read_bytes() == spoilt


def test_match_cut_between_two_lines_is_noticed_where_the_catalogue_knows_more(
    played: Evening, tmp_path: Path
) -> None:
    folder = shutil.copytree(played.folder, tmp_path / "state")
    last = match_files(folder)[-1]
    lines = last.read_bytes().splitlines(keepends=True)
    last.write_bytes(b"".join(lines[:-7]))
    assert is_damaged(folder)
    table, (said,) = started(folder)
    assert len(table.entries) == len(lines) - 7
    assert f"7 events are gone from the end of {last.name}" in said
    assert started(folder)[1] == []


def test_emptied_file_is_not_taken_for_a_match(played: Evening, tmp_path: Path) -> None:
    folder = played.harmed(2, lambda data: b"", tmp_path / "state")
    table, (said,) = started(folder)
    assert "The journal was damaged: 0 events could be read" in said
    assert "companion restore" in said
    assert len(table.entries) == 60, "the match before it"
    assert started(folder)[1] == []


def test_second_damage_does_not_overwrite_the_first(played: Evening, tmp_path: Path) -> None:
    folder = played.copy(tmp_path / "state")
    for end in (2000, 1000):
        os.truncate(match_files(folder)[-1], end)
        started(folder)
    assert len(list(folder.glob("matches/*.damaged-*.jsonl"))) == 2


# What is gone


def test_journal_that_is_gone_is_said_where_there_was_one(tmp_path: Path) -> None:
    (tmp_path / "starts").write_text("3")
    table, (said,) = started(tmp_path)
    assert table == Table()
    assert "The journal is gone, a new one begins" in said
    assert started(tmp_path)[1] == []


@pytest.mark.parametrize("catalogued", [True, False])
def test_match_that_is_gone_is_said_once_and_known_from_then_on(
    played: Evening, tmp_path: Path, catalogued: bool
) -> None:
    folder = shutil.copytree(played.folder, tmp_path / "state")
    gone = match_files(folder)[1]
    gone.unlink()
    if not catalogued:
        for name in CATALOGUE_FILES:
            (folder / name).unlink(missing_ok=True)
    assert problems(folder) == ["Match m3 does not follow the one before it."]
    _, (said,) = started(folder)
    assert (gone.name if catalogued else "Events before match m3 are gone") in said
    assert {match_id for match_id, _ in known_gaps(folder)} == {"m3"}
    assert (started(folder)[1], problems(folder)) == ([], [])
    back_up(folder, tmp_path / "b.tar.gz")
    assert restore(tmp_path / "b.tar.gz", tmp_path / "new") == (2, None)
    assert problems(tmp_path / "new") == []


# Power cuts, and disks that take nothing


@pytest.mark.parametrize("match", [0, 2])
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_power_cut_at_each_step_of_mending_loses_nothing(
    played: Evening, tmp_path: Path, match: int, share: float
) -> None:
    lost = played.lost(played.harmed(match, lambda data: data[: int(len(data) * share)], tmp_path / "whole"))
    steps = 0
    for step in range(1, 5):
        folder = played.harmed(match, lambda data: data[: int(len(data) * share)], tmp_path / f"cut{step}")
        with pytest.MonkeyPatch.context() as patched:
            try:
                with power_cut(patched, step):
                    open_journal(folder)[0].close()
            except pytest.fail.Exception:
                break
        steps += 1
        back_up(folder, tmp_path / "b.tar.gz")
        restore(tmp_path / "b.tar.gz", tmp_path / f"new{step}")
        assert played.lost(folder) == lost
    assert steps


def test_power_cut_between_copy_and_cut_makes_no_second_copy(played: Evening, tmp_path: Path) -> None:
    folder = played.harmed(2, lambda data: data[:-5], tmp_path / "state")
    file = match_files(folder)[2]
    shutil.copy(file, file.with_name(f"{file.stem}.damaged-1.jsonl"))
    assert played.lost(folder) == (1, 1)


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_disk_without_room_for_mending_leaves_the_damaged_file_as_it_is(
    played: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = played.harmed(2, lambda data: data[:-5], tmp_path / "state")
    before = match_files(folder)[2].read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(recovery, "put_durably", full)
        with pytest.raises(UnsalvagedError, match=r"is damaged, and .*\(No space left on device\)"):
            open_journal(folder)
    assert match_files(folder)[2].read_bytes() == before
    assert not list(folder.rglob("*damaged*"))


def test_with_the_state_folder_alone_to_write_in_it_is_mended(
    played: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read-only root may have no place for passing files."""
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_candidate_tempdir_list", lambda: ["/nowhere"])
    assert played.lost(played.harmed(2, lambda data: data[:-5], tmp_path / "state")) == (1, 1)


# What is something else


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo])
@pytest.mark.parametrize("name", ["0004-2026-01-01.jsonl", "matches"])
def test_what_is_no_file_or_no_folder_is_said_and_left_there(
    played: Evening, tmp_path: Path, make: Callable[[Path], object], name: str
) -> None:
    folder = played.copy(tmp_path / "state")
    if name == "matches":
        shutil.rmtree(folder / "matches")
        os.mkfifo(folder / "matches")
    else:
        make(folder / "matches" / name)
    before = sorted(folder.rglob("*"))
    for look in (open_journal, is_damaged):
        with pytest.raises(JournalError, match=r"cannot be used: it is no (file|folder)\. Move it away\."):
            look(folder)
    assert sorted(folder.rglob("*")) == before


def test_journal_that_this_user_may_not_read_is_said(
    played: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = played.copy(tmp_path / "state")

    def forbidden(*_: object) -> bytes:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "read_bytes", forbidden)
    with pytest.raises(JournalError, match="cannot be used: Permission denied"):
        open_journal(folder)


def test_match_that_this_version_cannot_replay_stays_and_another_can_be_begun(tmp_path: Path) -> None:
    """An update that went wrong must not keep the table from being played on."""
    with closing(Journal(tmp_path)) as journal:
        journal.append("m", MatchBegan(match_id="m", south="", north="", length=3, profile="modern"))
        journal.append("m", TurnEnded())
    table, (said,) = started(tmp_path)
    assert table == Table()
    assert "The match m cannot be replayed" in said
    assert "return to the version before" in said
    journal, _, _ = open_journal(tmp_path)
    with closing(journal):
        journal.append("n", began(1, match_id="n"))
        journal.append("n", OpeningThrown((5,), (2,)))
    table, said_then = started(tmp_path)
    assert (len(table.entries), said_then) == (2, [])
    assert (ids(tmp_path), problems(tmp_path)) == (["m", "n"], [])


# Afterwards


def test_what_the_start_left_out_is_checked_and_counted_afterwards(
    played: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = played.harmed(0, lambda data: data[:-5], tmp_path / "state")
    monkeypatch.setattr(recovery, "CHECKED_BYTES", 1)
    journal, _, said = open_journal(folder)
    with closing(journal):
        assert said == []
        assert journal.archive.catalogue.files() == {match_files(folder)[2].name}
        (notice,) = check_rest(journal, folder, lambda seconds: False, 1)
        assert "The journal was damaged: 59 events could be read" in str(notice.text)
        assert journal.is_in_place()
        known = journal.archive.catalogue.entries(match_names(folder)[:2]).values()
        assert [(entry.events, entry.is_counted) for entry in known] == [(59, True), (60, True)]
    assert problems(folder) == []


def test_match_of_which_nothing_is_left_is_held_no_more(played: Evening, tmp_path: Path) -> None:
    folder = played.harmed(0, lambda data: b"!" + data, tmp_path / "state")
    with closing(Journal(folder)) as journal:
        (notice,) = check_rest(journal, folder, lambda seconds: False, 1)
        assert "0 events could be read" in str(notice.text)
        assert journal.is_in_place()
    assert ids(folder) == ["m2", "m3"]
    assert problems(folder) == []


def test_looking_over_ends_with_the_program(played: Evening, tmp_path: Path) -> None:
    folder = played.copy(tmp_path / "state")
    with closing(Journal(folder)) as journal:
        asked: list[float] = []

        def ending(seconds: float) -> bool:
            asked.append(seconds)
            return True

        assert list(check_rest(journal, folder, ending, 1)) == []
        assert len(asked) == 1
    assert list(check_rest(journal, folder, lambda seconds: False, 1)) == [], "after it was closed"


def test_the_newest_files_are_chosen_by_their_size(tmp_path: Path) -> None:
    (tmp_path / "matches").mkdir()
    assert newest_within(tmp_path, 10) == []
    files = [tmp_path / "matches" / f"000{number}-2026-01-01.jsonl" for number in range(5)]
    for file in files:
        file.write_bytes(bytes(10))
    assert newest_within(tmp_path, 25) == files[3:]
    assert newest_within(tmp_path, 0) == files[4:]


# The commands


def test_tools_say_what_is_damaged(
    played: Evening, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = played.harmed(
        1, lambda data: data.replace(b'"RollTyped"', b'"RollTyqed"', 1), tmp_path / "state"
    )
    where = ["--state", str(folder)]
    assert main(["verify", *where]) == 1
    assert "has been altered" in capsys.readouterr().out
    assert main(["matches", *where]) == 1
    assert "m2  The record of match m2 is damaged; 'companion verify' says where." in capsys.readouterr().out
    assert main(["export", "m2", "--format", "json", *where]) == 2
    assert "is damaged" in capsys.readouterr().err
    assert main(["stats", *where]) == 2
    assert main(["export", "m3", "--format", "json", *where]) == 0


def test_real_process_goes_on_from_a_damaged_match_and_says_so(played: Evening, tmp_path: Path) -> None:
    state = tmp_path / "board-companion"
    played.harmed(2, lambda data: data[:-5], state)
    with companion("run", "--config", str(settings_file(tmp_path)), home=tmp_path) as running:
        visitor = running.visitor()
        shown = visitor.wait(lambda state: any("was damaged" in one["text"] for one in state["notices"]))
        assert shown["durable"]
        visitor.act("new_match", length=3)
        assert running.stop() == 0
    assert ids(state)[:3] == ["m1", "m2", "m3"]
    assert problems(state) == []
    with closing(Catalogue(state)) as catalogue:
        assert [entry.events for entry in catalogue.all()] == [60, 60, EVENTS - 121, 1]
