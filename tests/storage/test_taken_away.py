"""The state folder is deleted or moved away while the program plays, and another program may have it by then."""

import shutil
import signal
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest

from companion.commands.run import LOST
from companion.storage.lines import match_files
from tests.support.records.evening import problems
from tests.support.running import Running, Visitor, companion, lasting, settings_file


def begun(running: Running) -> tuple[Visitor, dict[str, Any]]:
    visitor = running.visitor()
    visitor.act("new_match", length=1)
    return visitor, visitor.act("opening", south=3, north=1)


def alarms(state: dict[str, Any]) -> list[str]:
    return [notice["text"] for notice in state["notices"] if notice["level"] == "alarm"]


@pytest.mark.parametrize("moved", [False, True], ids=["deleted", "moved"])
def test_folder_taken_away_in_play_is_there_again_within_seconds(tmp_path: Path, moved: bool) -> None:
    file, folder = settings_file(tmp_path), tmp_path / "board-companion"
    with companion("run", "--config", str(file), home=tmp_path) as running:
        visitor, state = begun(running)
        if moved:
            folder.rename(tmp_path / "moved")
        else:
            shutil.rmtree(folder)
        visitor.wait(lambda now: not now["durable"])
        visitor.wait(lambda now: now["durable"])
        assert folder.stat().st_mode & 0o777 == 0o700
        running.kill()
    with companion("run", "--config", str(file), home=tmp_path) as again:
        assert lasting(again.visitor().state()) == lasting(state)
        assert urlsplit(again.link).path == urlsplit(running.link).path


def test_folder_deleted_just_before_a_stop_is_there_after_it(tmp_path: Path) -> None:
    file = settings_file(tmp_path)
    with companion("run", "--config", str(file), home=tmp_path) as running:
        _, state = begun(running)
        shutil.rmtree(tmp_path / "board-companion")
        assert running.stop() == 0
    with companion("run", "--config", str(file), home=tmp_path) as running:
        assert lasting(running.visitor().state()) == lasting(state)


def test_stop_that_loses_the_journal_says_so_and_fails(tmp_path: Path) -> None:
    file = settings_file(tmp_path)
    home = tmp_path / "a disk"
    with companion("run", "--config", str(file), home=home) as running:
        begun(running)
        home.rename(tmp_path / "taken away")
        assert running.stop() == LOST
    assert "Matches lost with this stop: 1, events in them: 2." in running.lines[-1]
    assert not home.exists()


def test_two_programs_on_one_folder_leave_each_other_s_journal_alone(tmp_path: Path) -> None:
    file, folder = settings_file(tmp_path), tmp_path / "board-companion"
    with companion("run", "--config", str(file), home=tmp_path) as first:
        _, state = begun(first)
        first.process.send_signal(signal.SIGSTOP)  # else it might be the first to make the folder anew
        shutil.rmtree(folder)
        with companion("run", "--config", str(file), home=tmp_path) as second:
            first.process.send_signal(signal.SIGCONT)
            other, theirs = begun(second)
            visitor = Visitor(urljoin(first.link, urlsplit(second.link).path))  # the folder's codes are new
            said = alarms(visitor.wait(lambda now: any("Another companion" in text for text in alarms(now))))
            other.act("play", moves=theirs["plays"][0]["moves"])
            visitor.act("play", moves=state["plays"][0]["moves"])
            assert alarms(visitor.state()) == said
            assert other.state()["durable"]
            assert not visitor.state()["durable"]
            assert list(folder.rglob("*.damaged-*")) == []
            assert second.stop() == 0
        visitor.wait(lambda now: now["durable"])
        assert first.stop() == 0
    assert problems(folder) == []
    (ours,) = match_files(folder)
    (aside,) = folder.glob("matches/*.damaged-1.jsonl")
    assert [file.read_bytes().count(b"\n") for file in (ours, aside)] == [3, 3]
