"""The state folder: who has it, what others are told of it, and what becomes of it when its disk goes."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import pytest

from companion.storage.fallback import AtStake, Backlog
from companion.storage.folder import FolderLock, StateFolder, StateFolderError, is_held, lacks
from companion.storage.journal import Journal
from tests.support.records.evening import ids
from tests.support.selfplay import began


def seen_from_outside(folder: Path) -> str:
    ask = "import sys; from pathlib import Path; from companion.storage.folder import is_held, lacks; "
    ask += "print(is_held(Path(sys.argv[1])), lacks(Path(sys.argv[1])))"
    done = subprocess.run([sys.executable, "-c", ask, folder], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_other_programs_are_told_what_the_disk_lacks(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    assert (is_held(folder), lacks(folder)) == (False, False)
    with closing(StateFolder(folder)) as state:
        assert seen_from_outside(folder) == "True False"
        state.mark_lacking(True)
        assert seen_from_outside(folder) == "True True"
        shutil.rmtree(folder)
        assert state.hold() is False
        assert seen_from_outside(folder) == "True True", "the lock is another, what is told the same"
        state.mark_lacking(False)
        assert seen_from_outside(folder) == "True False"
        state.mark_lacking(True)
    assert seen_from_outside(folder) == "False False", "told by nobody"


def test_lock_lent_to_the_folder_stays_with_its_owner(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    StateFolder(folder).close()
    with closing(FolderLock(folder)) as lock:
        StateFolder(folder, lock).close()
        with pytest.raises(StateFolderError, match="Another companion"):
            StateFolder(folder)
    with closing(FolderLock(folder)) as lock:
        lock.close()
        with closing(StateFolder(folder, lock)):
            assert is_held(folder), "one that is closed is taken anew"


@pytest.fixture
def disk(tmp_path: Path):
    """A disk of its own, which can be taken away and put back."""
    if shutil.which("mount") is None or os.geteuid() != 0:
        pytest.skip("needs to mount a disk")
    at, elsewhere = tmp_path / "at", tmp_path / "elsewhere"
    at.mkdir()
    elsewhere.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", elsewhere], check=False).returncode:
        pytest.skip("no disk can be mounted here")

    def mount() -> None:
        subprocess.run(["mount", "--bind", elsewhere, at], check=True)

    def unmount() -> None:
        subprocess.run(["umount", "--lazy", at], check=True)

    with ExitStack() as parts:
        parts.callback(subprocess.run, ["umount", "--lazy", elsewhere], check=True)
        parts.callback(subprocess.run, ["umount", "--lazy", at], check=False, capture_output=True)
        mount()
        yield at, mount, unmount


@contextmanager
def written_in(folder: Path) -> Iterator[Backlog]:
    """The way to a journal in this folder; one event is in it."""
    with closing(StateFolder(folder)) as state:
        journal = Journal(folder)
        journal.hold = state.hold
        backlog = Backlog(journal, state.mark_lacking)
        assert backlog.keep("one", began(3, match_id="one"))
        yield backlog


@pytest.mark.parametrize("name", ["", "state"])
@pytest.mark.parametrize("comes_back", [True, False])
def test_nothing_is_made_in_the_place_of_a_disk_that_was_taken_away(
    disk, name: str, comes_back: bool
) -> None:
    at, mount, unmount = disk
    folder = at / name
    with written_in(folder) as backlog:
        unmount()
        assert not backlog.is_in_place()
        assert not backlog.keep("two", began(3, match_id="two"))
        assert backlog.trouble == f"The disk with {folder} is not there; put it back."
        assert backlog.at_stake is AtStake.LATEST
        assert list(at.iterdir()) == []
        if comes_back:
            mount()
            assert backlog.catch_up()
            assert backlog.close() == ""
        else:
            assert backlog.close() == f"{backlog.trouble} Events lost with this stop: 1."
            assert list(at.iterdir()) == []
            mount()
    assert ids(folder) == (["one", "two"] if comes_back else ["one"])


def test_stop_with_all_of_it_on_the_disk_that_is_away_loses_nothing(disk) -> None:
    at, _, unmount = disk
    with written_in(at) as backlog:
        unmount()
        assert not backlog.is_in_place()
        assert backlog.close() == ""
