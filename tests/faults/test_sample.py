"""A small sample of `make faults`: every kind of fault once, the kill a few times. Times do not count."""

import json
import math
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.game.events import RollTyped
from companion.records.rows import GENESIS, row_of
from companion.rules.board import Roll
from tests.faults import __main__ as faults
from tests.faults import arm64, disk, eye, hall, plug
from tests.faults.outcome import Outcome
from tests.support.running import Running, start


def test_killed_at_random_nothing_that_was_answered_is_lost(tmp_path: Path) -> None:
    assert plug.kill_at_random(tmp_path, 4).lost == "nothing"


def test_trial_that_breaks_off_leaves_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Running] = []

    def noted(*arguments: str, home: Path) -> Running:
        started.append(start(*arguments, home=home))
        return started[-1]

    def fails(*_: object) -> int:
        raise AssertionError("as a trial may")

    monkeypatch.setattr(plug, "start", noted)
    monkeypatch.setattr(plug, "play_on", fails)
    with pytest.raises(AssertionError, match="as a trial may"):
        plug.kill_at_random(tmp_path, 1)
    assert [running.process.poll() for running in started] == [-9]


def test_stopped_under_load_it_ends_in_order(tmp_path: Path) -> None:
    assert plug.stop_under_load(tmp_path, 1).lost == "nothing"


@pytest.mark.parametrize("name", eye.FAULTS)
def test_failing_camera_is_said_and_comes_back(tmp_path: Path, name: str) -> None:
    assert eye.camera_fault(tmp_path, name, 1).lost == "nothing"


def test_writes_that_fail_are_said_and_made_later(tmp_path: Path) -> None:
    assert disk.failing_writes(tmp_path, 1).lost == "nothing"


def test_damaged_journal_does_not_keep_it_from_starting(tmp_path: Path) -> None:
    assert disk.damaged_journal(tmp_path, 2).times == 2


def test_emptied_journal_is_said_and_what_its_log_holds_goes_on(tmp_path: Path) -> None:
    assert disk.emptied_journal(tmp_path, 2).times == 2


def test_damaged_join_codes_let_nobody_in_and_are_made_anew(tmp_path: Path) -> None:
    assert disk.damaged_codes(tmp_path, len(disk.SPOILS)).times == 5


@pytest.mark.skipif(disk.FAKETIME is None, reason="libfaketime is not installed")
def test_clock_set_back_takes_no_players_time(tmp_path: Path) -> None:
    assert disk.clock_set_back(tmp_path, 1).lost == "nothing"


def test_locked_catalogue_holds_nobody_up(tmp_path: Path) -> None:
    assert disk.locked_catalogue(tmp_path, 1).lost == "nothing"


def test_damaged_catalogue_is_made_anew(tmp_path: Path) -> None:
    assert disk.damaged_catalogue(tmp_path, 1).lost == "nothing"


@pytest.mark.skipif(not disk.can_mount(), reason="small file systems need root and leave to mount")
def test_full_disk_is_said_and_play_goes_on(tmp_path: Path) -> None:
    assert disk.full_disk(tmp_path, 2).lost == "nothing"


@pytest.mark.skipif(not disk.can_mount(), reason="small file systems need root and leave to mount")
def test_read_only_journal_is_said_and_play_goes_on(tmp_path: Path) -> None:
    assert disk.read_only_journal(tmp_path, 1).lost == "nothing"


PAGE = "# What happens\n\n{begin}\n| fault | times |\n|---|---|\n| a | 1 |\n| b | 1 |\n{end}\n\nafter\n"


@pytest.mark.parametrize(
    ("fault", "rows"),
    [("a", ["| a |", "| b |"]), ("b", ["| a |", "| b |"]), ("c", ["| a |", "| b |", "| c |"])],
)
def test_row_of_a_fault_is_put_anew_in_its_place(fault: str, rows: list[str]) -> None:
    page = PAGE.format(begin=faults.BEGIN, end=faults.END)
    after = faults.with_row(page, Outcome(fault, "how", 7), "here")
    assert f"| {fault} | how | 7 | nothing |  | here |\n" in after
    assert [line[:5] for line in after.splitlines() if line[:3] in ("| a", "| b", "| c")] == rows
    assert after.startswith("# What happens\n")
    assert after.endswith("\n\nafter\n")


def test_slowest_of_several_times_is_told_and_judged() -> None:
    outcome = Outcome("a", "how", 2)
    for took_s in (1.0, 4.0, 2.0):
        outcome.timed("back after", took_s, 3.0)
    assert "back after 4.0 s" in outcome.row()
    assert outcome.late() == ["back after 4.0 s, more than 3 s"]


@pytest.mark.skipif(bool(hall.missing()), reason=hall.missing())
def test_hall_that_is_cut_loses_nothing() -> None:
    with TemporaryDirectory(prefix="companion-fault-") as folder:  # PostgreSQL's user has to get in
        outcome = hall.cut_at_random(Path(folder), 12)
    assert outcome.lost == "nothing"
    assert outcome.times >= 12


def test_record_of_a_hall_that_differs_is_named() -> None:
    rows = [row_of(RollTyped(Roll(5, number)), "m1", number, GENESIS) for number in (1, 2, 3)]
    for held, said in (
        (rows[:2], "1 events are lost"),
        ([*rows, row_of(RollTyped(Roll(6, 6)), "m1", 4, GENESIS)], "1 events were never played"),
        ([*rows, rows[0]], "1 events are doubled"),
        ([rows[1], rows[0], rows[2]], "events are out of order"),
    ):
        with pytest.raises(AssertionError, match=said):
            hall.hold_same("1", rows, held)
    hall.hold_same("1", rows, list(rows))


def test_two_processors_are_held_against_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here, there = tmp_path / "here.json", tmp_path / "there.json"
    assert arm64.write(here) == 0
    there.write_text(here.read_text())
    assert arm64.compare(here, there) == 0
    many = len(list((Path(__file__).parents[2] / "vision" / "models").glob("*.onnx")))
    assert f"{many} nets" in capsys.readouterr().out
    said = json.loads(here.read_text())
    assert {one["ruling"] for one in said["readings"].values()} >= {"valid", "unread"}
    said["nets"]["faces"][5] += 2 * arm64.SAME
    said["readings"]["03_south"]["dice"][0]["value"] = 5
    there.write_text(json.dumps(said))
    assert arm64.compare(here, there) == 1
    assert [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()] == [
        "net faces 5",
        "reading 03_south dice 0 value",
    ]


def test_number_that_is_none_differs_from_any() -> None:
    assert list(arm64.differences([1.0, math.nan], [1.00005, 1.0], arm64.SAME)) == ["1: nan and 1"]
