"""A small sample of `make faults`: every kind of fault once, the kill a few times."""

from pathlib import Path

import pytest

from tests.faults import disk, eye, plug


def test_killed_at_random_nothing_that_was_answered_is_lost(tmp_path: Path) -> None:
    assert plug.kill_at_random(tmp_path, 4).lost == "nothing"


def test_stopped_under_load_it_ends_in_order(tmp_path: Path) -> None:
    assert plug.stop_under_load(tmp_path, 1).lost == "nothing"


@pytest.mark.parametrize("name", eye.FAULTS)
def test_failing_camera_is_said_and_comes_back(tmp_path: Path, name: str) -> None:
    assert eye.camera_fault(tmp_path, name, 1).lost == "nothing"


def test_writes_that_fail_are_said_and_made_later(tmp_path: Path) -> None:
    assert disk.failing_writes(tmp_path, 1).lost == "nothing"


def test_damaged_journal_does_not_keep_it_from_starting(tmp_path: Path) -> None:
    assert disk.damaged_journal(tmp_path, 2).lost.startswith("only what was cut off")


@pytest.mark.skipif(not disk.can_mount(), reason="small file systems need root and leave to mount")
def test_full_disk_is_said_and_play_goes_on(tmp_path: Path) -> None:
    assert disk.full_disk(tmp_path, 1).lost == "nothing"
