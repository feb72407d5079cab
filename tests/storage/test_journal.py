"""The journal on disk: durable, whole or not at all, and telling when it was touched."""

import errno
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys

import pytest

from companion.errors import UserError
from companion.game.events import DirectorCalled, Lifted, Undone
from companion.records.rows import problems_of, text_of
from companion.storage.backlog import AtStake, Backlog
from companion.storage.journal import Journal, JournalError
from companion.storage.salvage import open_journal
from companion.storage.statefolder import StateFolder
from tests.support.often import TIMES
from tests.support.powercut import power_cut
from tests.support.selfplay import began, played_match

MATCH = list(played_match(random.Random(1), began(3)))


def filled(path, events=MATCH, match_id="m1"):
    journal = Journal(path)
    for event in events:
        journal.append(match_id, event)
    return journal


def test_what_was_kept_is_read_back(tmp_path):
    filled(tmp_path / "j.sqlite").close()
    again = Journal(tmp_path / "j.sqlite")
    assert again.events("m1") == MATCH
    assert again.last_match_id() == "m1"
    assert again.verify("m1") == again.verify() == []
    again.close()


def test_several_matches_follow_each_other_in_one_chain(tmp_path):
    path = tmp_path / "j.sqlite"
    filled(path).close()
    journal = filled(path, [began(5, match_id="m2"), Lifted()], "m2")
    assert [(m.match_id, m.events, m.began.length) for m in journal.matches()] == [
        ("m1", len(MATCH), 3),
        ("m2", 2, 5),
    ]
    assert journal.rows("m2")[0].previous == journal.rows("m1")[-1].digest
    assert journal.verify() == []
    assert journal.verify("m2", head=journal.matches()[1].head) == []
    assert journal.verify("m3") == ["There is no match m3."]
    journal.close()


def test_the_journal_refuses_to_change_or_delete(tmp_path):
    filled(tmp_path / "j.sqlite").close()
    with sqlite3.connect(tmp_path / "j.sqlite") as db:
        with pytest.raises(sqlite3.IntegrityError):
            db.execute("UPDATE event SET body = '{}' WHERE number = 2")
        with pytest.raises(sqlite3.IntegrityError):
            db.execute("DELETE FROM event WHERE number = 2")
    db.close()


@pytest.mark.parametrize(
    "deed",
    [
        pytest.param("UPDATE event SET body = body || ' ' WHERE number = 2", id="a space added"),
        pytest.param("UPDATE event SET at_ms = at_ms + 1 WHERE number = 5", id="a time changed"),
        pytest.param("DELETE FROM event WHERE number = 5", id="a row deleted"),
        pytest.param("UPDATE event SET number = 1000 WHERE number = 5", id="a row moved"),
    ],
)
def test_one_who_takes_the_guards_away_is_found_out(tmp_path, deed):
    filled(tmp_path / "j.sqlite").close()
    with sqlite3.connect(tmp_path / "j.sqlite") as db:
        db.execute("DROP TRIGGER event_is_never_changed")
        db.execute("DROP TRIGGER event_is_never_deleted")
        db.execute(deed)
    db.close()
    journal = Journal(tmp_path / "j.sqlite")
    assert journal.verify("m1")
    assert journal.verify()
    journal.close()


def test_a_first_match_cut_away_whole_is_found_out(tmp_path):
    filled(tmp_path / "j.sqlite").close()
    filled(tmp_path / "j.sqlite", [began(5, match_id="m2")], "m2").close()
    with sqlite3.connect(tmp_path / "j.sqlite") as db:
        db.execute("DROP TRIGGER event_is_never_deleted")
        db.execute("DELETE FROM event WHERE match_id = 'm1'")
    db.close()
    journal = Journal(tmp_path / "j.sqlite")
    assert journal.verify() == ["Match m2 does not follow the one before it."]
    journal.close()


def test_flipped_bytes_are_found_or_change_nothing(tmp_path):
    path = tmp_path / "j.sqlite"
    journal = filled(path, MATCH[:40])
    head = journal.rows("m1")[-1].digest
    journal.close()
    clean = path.read_bytes()
    rng = random.Random(2)
    found = 0
    for _ in range(150 * TIMES):
        at, other = rng.randrange(len(clean)), rng.randrange(1, 256)
        path.write_bytes(clean[:at] + bytes([clean[at] ^ other]) + clean[at + 1 :])
        for beside in ("-wal", "-shm"):
            (tmp_path / f"j.sqlite{beside}").unlink(missing_ok=True)
        try:
            touched = Journal(path)
        except JournalError:
            found += 1
            continue
        try:
            if touched.verify("m1", head):
                found += 1
            else:
                assert touched.events("m1") == MATCH[:40]
        except JournalError:
            found += 1
        finally:
            touched.close()
    assert found > 50


def test_a_row_whose_columns_have_become_of_another_kind_is_found(tmp_path):
    """The bytes before a row's texts say what kind each column is: text may come back as bytes, or not at all."""
    path = tmp_path / "j.sqlite"
    filled(path, MATCH[:12]).close()
    clean = path.read_bytes()
    row = clean.index(text_of(MATCH[6]).encode())
    kinds, said = 0, set()
    for at in range(row - 30, row):
        for other in (1, 12, 0x80, clean[at] ^ 1):
            path.write_bytes(clean[:at] + bytes([other]) + clean[at + 1 :])
            for beside in ("-wal", "-shm"):
                (tmp_path / f"j.sqlite{beside}").unlink(missing_ok=True)
            journal = Journal(path)
            try:
                problems = journal.verify("m1")
                kinds += any("has been altered" in problem for problem in problems)
                assert problems or journal.events("m1") == MATCH[:12]
                assert [one.match_id for one in journal.matches()] in (["m1"], [])
            except JournalError as error:
                said.add(str(error)[-1])
            finally:
                journal.close()
    assert kinds > 20
    assert said <= {"."}


WRITER = """
import random, sys
from companion.storage.journal import Journal
from companion.records.rows import problems_of, text_of
from pathlib import Path
from tests.support.selfplay import began, played_match
journal = Journal(Path(sys.argv[1]))
rng = random.Random(int(sys.argv[2]))
match_id = f"m{sys.argv[2]}"
for event in played_match(rng, began(25, match_id=match_id)):
    row = journal.append(match_id, event)
    print(row.number, row.digest, flush=True)
"""


def test_kill_9_loses_nothing_that_was_acknowledged(tmp_path):
    rng = random.Random(3)
    for run in range(8):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path / "j.sqlite"), str(run)],
            stdout=subprocess.PIPE,
            text=True,
        )
        acknowledged = [writer.stdout.readline() for _ in range(rng.randrange(1, 120))]
        writer.send_signal(signal.SIGKILL)
        acknowledged += writer.stdout.read().splitlines(keepends=True)
        writer.stdout.close()
        writer.wait()
        whole = [line.split() for line in acknowledged if line.endswith("\n")]
        journal = Journal(tmp_path / "j.sqlite")
        kept = {row.number: row.digest for row in journal.rows(f"m{run}")}
        assert {int(number): digest for number, digest in whole}.items() <= kept.items()
        assert len(kept) <= len(whole) + 2
        assert journal.verify() == []
        played = list(played_match(random.Random(run), began(25, match_id=f"m{run}")))
        assert journal.events(f"m{run}") == played[: len(kept)]
        journal.close()


class FullDisk:
    """A journal whose disk is full for a while: it refuses as the real one does."""

    def __init__(self, journal):
        self.journal, self.full = journal, False

    def __getattr__(self, name):
        return getattr(self.journal, name)

    def append(self, match_id, event, retry=False):
        if self.full:
            raise JournalError("The journal cannot be used: database or disk is full.")
        return self.journal.append(match_id, event, retry=retry)


def test_while_the_disk_is_full_events_wait_and_then_catch_up(tmp_path):
    disk = FullDisk(Journal(tmp_path / "j.sqlite"))
    backlog = Backlog(disk)
    assert backlog.keep("m1", MATCH[0])
    disk.full = True
    assert not backlog.keep("m1", MATCH[1])
    assert not backlog.keep("m1", MATCH[2])
    assert (backlog.durable, backlog.missing) == (False, 2)
    assert "full" in backlog.trouble
    disk.full = False
    assert backlog.keep("m1", MATCH[3])
    assert disk.journal.events("m1") == MATCH[:4]
    assert disk.journal.verify("m1", head=backlog.head) == []
    assert Backlog(disk).head == backlog.head
    disk.journal.close()


def test_rows_that_wait_are_told_as_they_are_written_later(tmp_path):
    disk = FullDisk(filled(tmp_path / "j.sqlite", MATCH[:3]))
    said = []
    backlog = Backlog(disk, said.append)
    disk.full = True
    for event in MATCH[3:6]:
        backlog.keep("m1", event)
    for event in MATCH[:4]:
        backlog.keep("m2", event)
    told = {match_id: backlog.rows(match_id) for match_id in ("m1", "m2", "none")}
    assert [len(rows) for rows in told.values()] == [6, 4, 0]
    assert problems_of(told["m1"]) == problems_of(told["m2"]) == []
    assert [len(disk.journal.rows(match_id)) for match_id in told] == [3, 0, 0]
    disk.full = False
    assert backlog.catch_up()
    assert {match_id: disk.journal.rows(match_id) for match_id in told} == told
    assert {match_id: backlog.rows(match_id) for match_id in told} == told
    assert said == [True, False]
    disk.journal.close()


def test_row_that_was_written_though_it_failed_is_told_once(tmp_path):
    disk = FullDisk(filled(tmp_path / "j.sqlite", MATCH[:5]))
    backlog = Backlog(disk)
    disk.full = True
    backlog.keep("m1", MATCH[4])
    backlog.keep("m1", MATCH[5])
    assert [row.number for row in backlog.rows("m1")] == [1, 2, 3, 4, 5, 6]
    disk.journal.close()


def test_an_event_that_reached_the_disk_though_it_failed_is_not_kept_twice(tmp_path):
    journal = filled(tmp_path / "j.sqlite", MATCH[:5])
    assert journal.append("m1", MATCH[4], retry=True).number == 5
    assert journal.append("m1", Undone(at_ms=7), retry=True).number == 6
    journal.close()


@pytest.mark.skipif(
    shutil.which("mount") is None or os.geteuid() != 0, reason="needs a small disk of its own"
)
def test_a_disk_that_is_really_full(tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", small], check=False).returncode:
        pytest.skip("no small disk can be mounted here")
    journal = Journal(small / "j.sqlite")
    try:
        backlog = Backlog(journal)
        backlog.keep("m1", MATCH[0])
        (small / "ballast").write_bytes(b"x" * 40_000)
        calls = [DirectorCalled(at_ms=n, over=bool(n % 2)) for n in range(800)]
        kept = [backlog.keep("m1", event) for event in calls]
        assert not all(kept)
        assert not backlog.durable
        assert journal.verify("m1") == []
        (small / "ballast").unlink()
        before = backlog.missing
        backlog.catch_up()
        assert backlog.missing < before
        assert journal.events("m1") == [MATCH[0], *calls[: len(calls) - backlog.missing]]
    finally:
        journal.close()
        subprocess.run(["umount", small], check=True)


def test_of_a_journal_deleted_while_the_disk_is_full_all_is_at_stake(tmp_path, monkeypatch):
    disk = FullDisk(Journal(tmp_path / "j.sqlite"))
    backlog = Backlog(disk)
    assert backlog.keep("m1", MATCH[0])
    disk.full = True
    assert not backlog.keep("m1", MATCH[1])
    assert backlog.at_stake is AtStake.LATEST
    for file in tmp_path.glob("j.sqlite*"):
        file.unlink()
    assert not backlog.catch_up()
    assert backlog.at_stake is AtStake.ALL

    def full(self):
        raise JournalError("The journal cannot be used: database or disk is full.")

    monkeypatch.setattr(Journal, "_write_anew", full)
    assert backlog.close() == (
        "The journal cannot be used: database or disk is full. The whole journal is lost with this stop; "
        "matches in it: 1, events: 1. Events never written: 1."
    )


def deleted(*ends):
    def deed(path):
        for end in ends:
            path.with_name(path.name + end).unlink()

    return deed


def replaced(path):
    filled(path.with_name("other.sqlite"), MATCH[:2], "other").close()
    path.with_name("other.sqlite").rename(path)


DEEDS = [
    pytest.param(deleted(""), id="the file"),
    pytest.param(deleted("-wal"), id="the log"),
    pytest.param(deleted("-shm"), id="the index"),
    pytest.param(deleted("", "-wal", "-shm"), id="all"),
    pytest.param(replaced, id="replaced"),
]


@pytest.mark.parametrize("deed", DEEDS)
def test_a_journal_deleted_in_use_is_said_and_written_anew(tmp_path, deed):
    path = tmp_path / "journal.sqlite"
    journal = Journal(path)
    backlog = Backlog(journal)
    assert all(backlog.keep("m1", event) for event in MATCH[:70])
    deed(path)
    assert not backlog.keep("m1", MATCH[70])
    assert backlog.trouble == f"The journal {path} was deleted or replaced while it was in use."
    assert all(backlog.keep("m1", event) for event in MATCH[71:])
    copy = tmp_path / "as a kill leaves it"
    copy.mkdir()
    for file in tmp_path.glob("journal.sqlite*"):
        shutil.copy(file, copy)
    journal.close()
    for left in (path, copy / path.name):
        again = Journal(left)
        assert again.events("m1") == MATCH
        assert again.verify("m1", head=backlog.head) == again.verify() == []
        again.close()
    aside = ["journal.damaged-1.sqlite"] if deed is replaced else []
    assert sorted(file.name for file in tmp_path.glob("*.sqlite*")) == [*aside, "journal.sqlite"]
    if aside:
        other = Journal(tmp_path / aside[0], read_only=True)
        assert other.match_ids() == ["other"]
        other.close()


@pytest.mark.parametrize("deed", DEEDS)
def test_a_journal_deleted_after_its_last_event_is_there_after_a_stop(tmp_path, deed):
    path = tmp_path / "journal.sqlite"
    journal = filled(path, MATCH[:70])
    deed(path)
    journal.close()
    journal.close()
    again = Journal(path)
    assert again.events("m1") == MATCH[:70]
    again.close()


@pytest.mark.parametrize("step", [1, 2])
def test_what_keeps_a_journal_from_being_written_anew_is_tried_again(tmp_path, monkeypatch, step):
    path = tmp_path / "journal.sqlite"
    journal = Journal(path)
    backlog = Backlog(journal)
    backlog.keep("m1", MATCH[0])
    path.unlink()
    assert not backlog.keep("m1", MATCH[1])
    steps, rename = [], type(path).rename

    def full(self, target):
        steps.append(target)
        if len(steps) == step:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return rename(self, target)

    monkeypatch.setattr(type(path), "rename", full)
    assert not backlog.catch_up()
    assert backlog.trouble == f"The journal {path} cannot be used: No space left on device."
    assert backlog.keep("m1", MATCH[2])
    journal.close()
    again = Journal(path)
    assert again.events("m1") == MATCH[:3]
    again.close()


def test_a_journal_killed_while_it_is_written_anew_goes_on(tmp_path, monkeypatch):
    path = tmp_path / "journal.sqlite"
    journal = filled(path, MATCH[:3])
    path.unlink()
    with pytest.raises(JournalError, match="was deleted"):
        journal.append("m1", MATCH[3])
    with power_cut(monkeypatch, 2):
        journal.append("m1", MATCH[3], retry=True)
    again, _, notices = open_journal(tmp_path)
    assert again.events("m1") == MATCH[:4]
    assert "damaged and is gone: 4 events had been read" in str(notices[0].text)
    again.close()


def test_a_journal_whose_folder_is_gone_says_so_until_it_is_back(tmp_path):
    folder = tmp_path / "state"
    folder.mkdir()
    journal = Journal(folder / "journal.sqlite")
    backlog = Backlog(journal)
    backlog.keep("m1", MATCH[0])
    shutil.rmtree(folder)
    assert not backlog.keep("m1", MATCH[1])
    assert not backlog.catch_up()
    assert "No such file or directory" in backlog.trouble
    folder.mkdir()
    assert backlog.catch_up()
    journal.close()
    again = Journal(folder / "journal.sqlite")
    assert again.events("m1") == MATCH[:2]
    again.close()


def test_a_journal_that_cannot_be_written_anew_at_the_stop_says_what_is_lost(tmp_path):
    folder = tmp_path / "state"
    folder.mkdir()
    journal = filled(folder / "journal.sqlite", MATCH[:5])
    journal.append("m2", MATCH[0])
    shutil.rmtree(folder)
    with pytest.raises(JournalError) as refusal:
        journal.close()
    assert str(refusal.value).endswith(
        "No such file or directory. The whole journal is lost with this stop; matches in it: 2, events: 6."
    )


@pytest.mark.parametrize(
    ("deed", "lost"),
    [
        (deleted("", "-wal"), "The whole journal is lost with this stop; matches in it: 1, events: 5."),
        (
            deleted(""),
            "The whole journal is lost with this stop, but for what its log still holds; matches in it: 1, events: 5.",
        ),
        (deleted("-wal"), "What stood in its log alone may be lost with this stop."),
    ],
    ids=["both", "the file", "the log"],
)
def test_what_is_left_of_a_journal_is_not_said_to_be_lost(tmp_path, deed, lost):
    journal = filled(tmp_path / "journal.sqlite", MATCH[:5])

    def full():
        raise UserError("The disk is full.")

    journal.hold = full
    deed(journal.path)
    with pytest.raises(JournalError, match=f"^The disk is full. {lost}$"):
        journal.close()


def test_a_journal_that_is_another_program_s_by_now_is_not_touched(tmp_path):
    state = StateFolder(tmp_path)
    journal = Journal(tmp_path / "journal.sqlite")
    journal.hold = state.hold
    backlog = Backlog(journal)
    assert backlog.keep("m1", MATCH[0])
    for file in tmp_path.glob("[jl]o*"):
        file.unlink()
    other = StateFolder(tmp_path)
    theirs = filled(tmp_path / "journal.sqlite", MATCH[:2], "theirs")
    before = sorted((file.name, file.stat().st_ino) for file in tmp_path.iterdir())
    assert not backlog.is_in_place()
    assert not backlog.keep("m1", MATCH[1])
    assert backlog.trouble.startswith(f"Another companion keeps its matches in {tmp_path};")
    assert backlog.at_stake is AtStake.ALL
    assert sorted((file.name, file.stat().st_ino) for file in tmp_path.iterdir()) == before
    theirs.close()
    other.close()
    assert backlog.catch_up()
    assert backlog.close() == ""
    state.close()
    again, aside = Journal(tmp_path / "journal.sqlite"), Journal(tmp_path / "journal.damaged-1.sqlite")
    assert (again.match_ids(), aside.match_ids()) == (["m1"], ["theirs"])
    assert again.events("m1") == MATCH[:2]
    again.close()
    aside.close()


@pytest.mark.parametrize("wrote", [False, True])
def test_a_journal_that_another_program_has_had_goes_on_where_it_is_as_it_was(tmp_path, wrote):
    state = StateFolder(tmp_path)
    journal = Journal(tmp_path / "journal.sqlite")
    journal.hold = state.hold
    backlog = Backlog(journal)
    assert backlog.keep("m1", MATCH[0])
    (tmp_path / "lock").unlink()
    other = StateFolder(tmp_path)
    assert not backlog.keep("m1", MATCH[1])
    assert backlog.at_stake is AtStake.LATEST
    if wrote:
        filled(tmp_path / "journal.sqlite", MATCH[1:2]).close()
    other.close()
    assert backlog.catch_up() is not wrote
    assert backlog.catch_up() is not wrote
    lost = f"Another program has written into the journal {journal.path}. Events lost with this stop: 1."
    assert backlog.close() == (lost if wrote else "")
    state.close()
    again = Journal(tmp_path / "journal.sqlite")
    assert again.events("m1") == MATCH[:2]
    again.close()


def test_a_journal_that_is_none_is_said_so(tmp_path):
    path = tmp_path / "j.sqlite"
    path.write_bytes(b"this is no database, only text that is long enough to look at" * 20)
    with pytest.raises(JournalError, match="cannot be used"):
        Journal(path)
    with pytest.raises(JournalError, match="no journal"):
        Journal(tmp_path / "missing.sqlite", read_only=True)


def test_a_journal_can_be_looked_at_while_it_is_written(tmp_path):
    writer = filled(tmp_path / "j.sqlite", MATCH[:3])
    reader = Journal(tmp_path / "j.sqlite", read_only=True)
    writer.append("m1", MATCH[3])
    assert reader.events("m1") == MATCH[:4]
    with pytest.raises(JournalError):
        reader.append("m1", MATCH[4])
    reader.close()
    writer.close()


def test_what_is_kept_at_once_is_there_as_a_whole_or_not_at_all(tmp_path):
    journal = filled(tmp_path / "j.sqlite", MATCH[:2])

    def broken_off():
        with journal.at_once():
            for event in MATCH[2:5]:
                journal.append("m1", event)
            raise KeyError("as a power cut")

    with pytest.raises(KeyError):
        broken_off()
    assert journal.events("m1") == MATCH[:2]
    with journal.at_once():
        for event in MATCH[2:]:
            journal.append("m1", event)
    assert journal.events("m1") == MATCH
    assert journal.verify() == []
    journal.close()
