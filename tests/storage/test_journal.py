"""The journal on disk: durable, whole or not at all, and telling when it was touched."""

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import UserError
from companion.game.events import AnyEvent, DirectorCalled, Lifted
from companion.records.rows import event_of, problems_of
from companion.storage import journal as module
from companion.storage.archive import Archive, verify
from companion.storage.errors import JournalError
from companion.storage.fallback import AtStake, Backlog
from companion.storage.folder import StateFolder
from companion.storage.journal import Journal
from companion.storage.lines import match_files
from companion.storage.recovery import open_journal
from tests.support.records.evening import ids, problems
from tests.support.records.powercut import power_cut
from tests.support.selfplay import began, played_match

MATCH = list(played_match(random.Random(1), began(3)))


def filled(folder: Path, events: list[AnyEvent] = MATCH, match_id: str = "m1") -> Journal:
    folder.mkdir(exist_ok=True)
    journal = Journal(folder)
    for event in events:
        journal.append(match_id, event)
    return journal


def events_in(folder: Path, match_id: str = "m1") -> list[AnyEvent]:
    with closing(Archive(folder)) as archive:
        return archive.events(match_id)


def test_what_was_kept_is_read_back(tmp_path: Path) -> None:
    filled(tmp_path).close()
    with closing(Journal(tmp_path)) as again:
        assert [event_of(row) for row in again.rows("m1")] == MATCH
        assert again.last_match_id == "m1"
        assert again.rows("m2") == []
    assert problems(tmp_path) == []


def test_several_matches_follow_each_other_in_one_chain(tmp_path: Path) -> None:
    filled(tmp_path).close()
    with closing(filled(tmp_path, [began(5, match_id="m2"), Lifted()], "m2")) as journal:
        assert journal.rows("m2")[0].previous == journal.rows("m1")[-1].digest
        head = journal.last_digest
    assert [(file.name, len(file.read_bytes().splitlines())) for file in match_files(tmp_path)] == [
        ("0001-1970-01-01.jsonl", len(MATCH)),
        ("0002-1970-01-01.jsonl", 2),
    ]
    assert problems(tmp_path) == []
    with closing(Archive(tmp_path)) as archive:
        assert verify(archive, "m2", head) == []
        with pytest.raises(JournalError, match="There is no match m3"):
            archive.rows("m3")


def test_match_that_is_gone_or_another_s_in_its_place_is_found_out(tmp_path: Path) -> None:
    for match_id in ("m1", "m2", "m3"):
        filled(tmp_path, [began(5, match_id=match_id), Lifted()], match_id).close()
    match_files(tmp_path)[1].unlink()
    assert problems(tmp_path) == ["Match m3 does not follow the one before it."]
    match_files(tmp_path)[0].unlink()
    assert problems(tmp_path) == ["Match m3 does not follow the one before it."]


WRITER = """
import random, sys
from companion.storage.journal import Journal
from pathlib import Path
from tests.support.selfplay import began, played_match
journal = Journal(Path(sys.argv[1]))
rng = random.Random(int(sys.argv[2]))
match_id = f"m{sys.argv[2]}"
for event in played_match(rng, began(25, match_id=match_id)):
    row = journal.append(match_id, event)
    print(row.number, row.digest, flush=True)
"""


def test_kill_9_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    rng = random.Random(3)
    for run in range(8):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), str(run)], stdout=subprocess.PIPE, text=True
        )
        assert writer.stdout is not None
        acknowledged = [writer.stdout.readline() for _ in range(rng.randrange(1, 120))]
        writer.send_signal(signal.SIGKILL)
        acknowledged += writer.stdout.read().splitlines(keepends=True)
        writer.stdout.close()
        writer.wait()
        whole = [line.split() for line in acknowledged if line.endswith("\n")]
        with closing(open_journal(tmp_path)[0]) as journal:  # as a start does, which cuts off a torn line
            kept = {row.number: row.digest for row in journal.rows(f"m{run}")}
        assert {int(number): digest for number, digest in whole}.items() <= kept.items()
        assert len(kept) <= len(whole) + 2
        played = list(played_match(random.Random(run), began(25, match_id=f"m{run}")))
        assert events_in(tmp_path, f"m{run}") == played[: len(kept)]
    assert problems(tmp_path) == []


class FullDisk:
    """A journal whose disk is full for a while: it refuses as the real one does."""

    def __init__(self, journal: Journal) -> None:
        self.journal, self.full = journal, False

    def __getattr__(self, name: str) -> object:
        return getattr(self.journal, name)

    def append(self, match_id: str, event: AnyEvent) -> object:
        if self.full:
            raise JournalError("The journal cannot be used: No space left on device.")
        return self.journal.append(match_id, event)


def test_while_the_disk_is_full_events_wait_and_then_catch_up(tmp_path: Path) -> None:
    disk = FullDisk(Journal(tmp_path))
    backlog = Backlog(disk)  # type: ignore[arg-type]
    assert backlog.keep("m1", MATCH[0])
    disk.full = True
    assert not backlog.keep("m1", MATCH[1])
    assert not backlog.keep("m1", MATCH[2])
    assert backlog.missing == 2
    assert "No space left" in backlog.trouble
    disk.full = False
    assert backlog.keep("m1", MATCH[3])
    assert backlog.head == disk.journal.last_digest
    assert backlog.close() == ""
    assert events_in(tmp_path) == MATCH[:4]
    assert problems(tmp_path) == []


def test_rows_that_wait_are_given_as_they_are_written_later(tmp_path: Path) -> None:
    disk = FullDisk(filled(tmp_path, MATCH[:3]))
    said: list[bool] = []
    backlog = Backlog(disk, said.append)  # type: ignore[arg-type]
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


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A disk of 256 kB."""
    small = tmp_path / "small"
    small.mkdir()
    if shutil.which("mount") is None or os.geteuid() != 0:
        pytest.skip("needs a small disk of its own")
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", small], check=False).returncode:
        pytest.skip("no small disk can be mounted here")
    yield small
    subprocess.run(["umount", "--lazy", small], check=True)


def test_disk_that_is_really_full(small: Path) -> None:
    backlog = Backlog(Journal(small))
    backlog.keep("m1", MATCH[0])
    (small / "ballast").write_bytes(b"x" * 60_000)
    calls = [DirectorCalled(at_ms=n, over=bool(n % 2)) for n in range(900)]
    kept = [backlog.keep("m1", event) for event in calls]
    assert not all(kept)
    assert "No space left" in backlog.trouble
    assert problems(small) == [], "nothing half-written is left"
    (small / "ballast").unlink()
    before = backlog.missing
    backlog.catch_up()
    assert backlog.missing < before
    assert events_in(small) == [MATCH[0], *calls[: len(calls) - backlog.missing]]
    backlog.journal.close()


@pytest.mark.parametrize("takes", [0, 1, 200, 10_000])
@pytest.mark.parametrize("cut_at_once", [True, False])
def test_half_a_line_is_cut_off_before_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, takes: int, cut_at_once: bool
) -> None:
    """Whether write or fsync fails, and whether or not the disk lets it be cut off at that moment."""
    with closing(filled(tmp_path, MATCH[:5])) as journal:

        def full(*_: object) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        write = os.write
        with monkeypatch.context() as patched:
            patched.setattr(os, "write", lambda handle, data: write(handle, data[:takes]))
            patched.setattr(os, "fsync", full)
            if not cut_at_once:
                patched.setattr(os, "ftruncate", full)
            for _ in range(2):
                with pytest.raises(JournalError, match="No space left"):
                    journal.append("m1", MATCH[5])
        for event in MATCH[5:9]:
            journal.append("m1", event)
    assert events_in(tmp_path) == MATCH[:9]
    assert problems(tmp_path) == []


@pytest.mark.parametrize("step", ["open", "fsync", "rename"])
def test_match_that_cannot_begin_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    with closing(filled(tmp_path, MATCH[:2])) as journal:

        def full(*_: object, **__: object) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patched:
            patched.setattr(
                *{"open": (os, "open"), "fsync": (os, "fsync"), "rename": (Path, "rename")}[step], full
            )
            with pytest.raises(JournalError, match="No space left"):
                journal.append("m2", began(3, match_id="m2"))
        assert [file.name for file in (tmp_path / "matches").iterdir()] == ["0001-1970-01-01.jsonl"]
        assert journal.append("m2", began(3, match_id="m2")).number == 1
    assert ids(tmp_path) == ["m1", "m2"]
    assert problems(tmp_path) == []


def test_power_cut_when_a_match_begins_leaves_it_whole_or_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = filled(tmp_path, MATCH[:2])
    with power_cut(monkeypatch, 1):
        journal.append("m2", began(3, match_id="m2"))
    with closing(Journal(tmp_path)) as again:
        again.append("m2", began(3, match_id="m2"))
    assert ids(tmp_path) == ["m1", "m2"]


# Deleted or replaced in play


def delete_the_file(folder: Path) -> None:
    match_files(folder)[-1].unlink()


def delete_an_older_file(folder: Path) -> None:
    match_files(folder)[0].unlink()


def delete_all(folder: Path) -> None:
    shutil.rmtree(folder / "matches")


def move_all_away(folder: Path) -> None:
    (folder / "matches").rename(folder / "elsewhere")


def replace(folder: Path) -> None:
    file = match_files(folder)[-1]
    file.rename(file.with_suffix(".bak"))
    file.write_bytes(b"another file\n")


def cut_short(folder: Path) -> None:
    os.truncate(match_files(folder)[-1], 100)


def write_into(folder: Path) -> None:
    with match_files(folder)[-1].open("ab") as file:
        file.write(b"somebody's line\n")


DEEDS = [delete_the_file, delete_all, move_all_away, replace, cut_short, write_into]
LEAVES_SOMETHING = (replace, cut_short, write_into)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    filled(folder, MATCH[:3], "m0").close()
    return folder


@pytest.mark.parametrize("deed", DEEDS)
def test_what_is_deleted_or_changed_in_use_is_said_and_written_anew(
    folder: Path, tmp_path: Path, deed: Callable[[Path], None]
) -> None:
    journal = Journal(folder)
    backlog = Backlog(journal)
    assert all(backlog.keep("m1", event) for event in MATCH[:70])
    deed(folder)
    assert not backlog.keep("m1", MATCH[70])
    assert backlog.trouble == f"The journal {journal.path} was deleted or replaced while it was in use."
    assert backlog.at_stake is AtStake.ALL_BY_POWER_CUT
    assert all(backlog.keep("m1", event) for event in MATCH[71:])
    shutil.copytree(folder, tmp_path / "as a kill leaves it")
    assert backlog.close() == ""
    for left in (folder, tmp_path / "as a kill leaves it"):
        assert events_in(left) == MATCH
        assert events_in(left, "m0") == MATCH[:3]
        assert problems(left) == []
    assert len(list(folder.glob("matches/*.damaged-1.jsonl"))) == (deed in LEAVES_SOMETHING)


@pytest.mark.parametrize("deed", [*DEEDS, delete_an_older_file])
@pytest.mark.parametrize("looked", [True, False])
def test_what_is_deleted_after_its_last_event_is_there_after_a_stop(
    folder: Path, deed: Callable[[Path], None], looked: bool
) -> None:
    journal = filled(folder, MATCH[:70])
    deed(folder)
    assert not looked or not journal.is_in_place()
    journal.close()
    journal.close()
    assert events_in(folder) == MATCH[:70]
    assert events_in(folder, "m0") == MATCH[:3]


@pytest.mark.parametrize("step", [1, 2])
def test_what_keeps_files_from_being_written_anew_is_tried_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    journal = filled(folder, MATCH[:1])
    backlog = Backlog(journal)
    delete_all(folder)
    assert not backlog.is_in_place()
    steps, rename = [], Path.rename

    def full(self: Path, target: Path) -> Path:
        steps.append(target)
        if len(steps) == step:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", full)
    assert not backlog.catch_up()
    assert backlog.trouble == f"The journal {journal.path} cannot be used: No space left on device."
    assert backlog.at_stake is AtStake.ALL
    assert backlog.keep("m1", MATCH[1])
    assert backlog.close() == ""
    assert events_in(folder) == MATCH[:2]
    assert events_in(folder, "m0") == MATCH[:3]


def test_more_matches_than_are_held_open_leave_the_older_ones_alone(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "HELD", 3)
    journal = Journal(folder)
    for number in range(1, 6):
        journal.append(f"m{number}", began(1, match_id=f"m{number}"))
    assert journal.is_in_place()
    delete_all(folder)
    assert not journal.is_in_place()
    journal.put_in_place()
    journal.close()
    assert ids(folder) == ["m3", "m4", "m5"]


def test_folder_that_is_gone_is_said_until_it_is_back(folder: Path) -> None:
    journal = filled(folder, MATCH[:1])
    backlog = Backlog(journal)
    shutil.rmtree(folder)
    assert not backlog.keep("m1", MATCH[1])
    assert not backlog.catch_up()
    assert "No such file or directory" in backlog.trouble
    folder.mkdir()
    assert backlog.catch_up()
    assert backlog.close() == ""
    assert events_in(folder) == MATCH[:2]


def test_what_cannot_be_written_anew_at_the_stop_is_said_to_be_lost(folder: Path) -> None:
    journal = filled(folder, MATCH[:5])
    shutil.rmtree(folder)
    with pytest.raises(JournalError) as refusal:
        journal.close()
    assert str(refusal.value).endswith(
        "No such file or directory. Matches lost with this stop: 2, events in them: 8."
    )


@pytest.mark.parametrize(
    ("deed", "lost"), [(delete_the_file, (1, 5)), (delete_an_older_file, (1, 3)), (delete_all, (2, 8))]
)
def test_what_is_left_is_not_said_to_be_lost(
    folder: Path, deed: Callable[[Path], None], lost: tuple[int, int]
) -> None:
    journal = filled(folder, MATCH[:5])

    def full() -> bool:
        raise UserError("The disk is full.")

    journal.hold = full
    deed(folder)
    text = f"The disk is full. Matches lost with this stop: {lost[0]}, events in them: {lost[1]}."
    with pytest.raises(JournalError, match=f"^{text}$"):
        journal.close()


def test_journal_that_is_another_program_s_by_now_is_not_touched(tmp_path: Path) -> None:
    state = StateFolder(tmp_path)
    journal = Journal(tmp_path)
    journal.hold = state.hold
    backlog = Backlog(journal)
    assert backlog.keep("m1", MATCH[0])
    shutil.rmtree(tmp_path / "matches")
    (tmp_path / "lock").unlink()
    other = StateFolder(tmp_path)
    theirs = filled(tmp_path, MATCH[:2], "theirs")
    before = sorted((file, file.stat().st_ino) for file in (tmp_path / "matches").iterdir())
    assert not backlog.is_in_place()
    assert not backlog.keep("m1", MATCH[1])
    assert backlog.trouble.startswith(f"Another companion keeps its matches in {tmp_path};")
    assert backlog.at_stake is AtStake.ALL
    assert sorted((file, file.stat().st_ino) for file in (tmp_path / "matches").iterdir()) == before
    theirs.close()
    other.close()
    assert backlog.catch_up()
    assert backlog.close() == ""
    state.close()
    assert ids(tmp_path) == ["m1"]
    assert events_in(tmp_path) == MATCH[:2]
    (aside,) = (tmp_path / "matches").glob("*.damaged-1.jsonl")
    assert aside.read_bytes().count(b'"match":"theirs"') == 2


@pytest.mark.parametrize("wrote", [False, True])
def test_journal_that_another_program_has_had_goes_on_where_it_is_as_it_was(
    tmp_path: Path, wrote: bool
) -> None:
    state = StateFolder(tmp_path)
    journal = Journal(tmp_path)
    journal.hold = state.hold
    backlog = Backlog(journal)
    assert backlog.keep("m1", MATCH[0])
    (tmp_path / "lock").unlink()
    other = StateFolder(tmp_path)
    assert not backlog.keep("m1", MATCH[1])
    assert backlog.at_stake is AtStake.LATEST
    if wrote:
        filled(tmp_path, MATCH[1:2]).close()
    other.close()
    assert backlog.catch_up() is not wrote
    assert backlog.catch_up() is not wrote
    lost = f"Another program has written into the journal {journal.path}. Events lost with this stop: 1."
    assert backlog.close() == (lost if wrote else "")
    state.close()
    assert events_in(tmp_path) == MATCH[:2]


def test_journal_can_be_looked_at_while_it_is_written(tmp_path: Path) -> None:
    writer = filled(tmp_path, MATCH[:3])
    with closing(Journal(tmp_path, read_only=True)) as reader, closing(Archive(tmp_path)) as archive:
        writer.append("m1", MATCH[3])
        assert archive.events("m1") == MATCH[:4]
        with pytest.raises(JournalError, match="Read-only"):
            reader.append("m1", MATCH[4])
    writer.close()


def test_last_match_is_withdrawn_and_the_one_before_goes_on(tmp_path: Path) -> None:
    filled(tmp_path).close()
    with closing(filled(tmp_path, [began(5, match_id="m2")], "m2")) as journal:
        assert [event_of(row) for row in journal.rows_before("m2")] == MATCH
        assert journal.rows_before("m1") == []
        head = journal.rows("m1")[-1].digest
        journal.withdraw("m2")
        assert (journal.last_match_id, journal.last_digest) == ("m1", head)
        assert journal.rows("m2") == []
        journal.append("m1", Lifted())
        journal.append("m3", began(5, match_id="m3"))
    assert problems(tmp_path) == []
    assert events_in(tmp_path) == [*MATCH, Lifted()]


def test_only_the_last_of_several_matches_is_withdrawn(tmp_path: Path) -> None:
    with closing(filled(tmp_path)) as journal:
        with pytest.raises(JournalError, match="no match before"):
            journal.withdraw("m1")
        journal.append("m2", began(5, match_id="m2"))
        with pytest.raises(JournalError):
            journal.withdraw("m1")
    assert [len(file.read_bytes().splitlines()) for file in match_files(tmp_path)] == [len(MATCH), 1]


def test_match_after_a_damaged_one_is_not_withdrawn(tmp_path: Path) -> None:
    filled(tmp_path).close()
    first = match_files(tmp_path)[0]
    with closing(filled(tmp_path, [began(5, match_id="m2")], "m2")) as journal:
        data = bytearray(first.read_bytes())
        data[len(data) // 2] ^= 1
        first.write_bytes(data)
        assert journal.rows_before("m2") == []
        with pytest.raises(JournalError, match="damaged"):
            journal.withdraw("m2")
    assert len(match_files(tmp_path)) == 2
