"""The service's units: checked by systemd itself where it is present, and against what the program needs."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.__main__ import main
from companion.__main__ import parser as companion_parser
from companion.commands.run import LOST, NOT_NOW
from companion.service.hall.preparing import PAGES_PORT
from companion.service.systemd import ANSWER_S

ROOT = Path(__file__).resolve().parents[2]
UNITS = ROOT / "systemd"
WORST = 3.0
"""The exposure level that the main unit may have at most; 0 is none, 10 is everything."""

needs_systemd = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")


def unit(name: str) -> configparser.RawConfigParser:
    """A unit's sections; of a key that stands several times the last counts, which is enough here."""
    parser = configparser.RawConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read(UNITS / name)
    return parser


@needs_systemd
def test_units_are_clean(tmp_path: Path) -> None:
    """As they will lie in the installed root, with the programs that they start in place."""
    for program in (
        "opt/board-companion/current/.venv/bin/companion",
        "opt/board-companion/current/scripts/kiosk",
    ):
        file = tmp_path / program
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("#!/bin/sh\n")
        file.chmod(0o755)
    there = tmp_path / "etc/systemd/system"
    there.mkdir(parents=True)
    for file in UNITS.glob("*.service"):
        # systemd-analyze looks for programs under /, so the units are pointed at the stand-ins.
        text = file.read_text().replace("=/opt/", f"={tmp_path}/opt/")
        (there / file.name).write_text(text)
    names = [str(file) for file in there.glob("*.service")]
    done = subprocess.run(["systemd-analyze", "verify", *names], capture_output=True, text=True, check=False)
    ours = [line for line in done.stderr.splitlines() if "board-companion" in line]
    assert (done.returncode, ours) == (0, [])


@needs_systemd
def test_main_unit_is_exposed_little() -> None:
    done = subprocess.run(
        [
            "systemd-analyze",
            "security",
            "--offline=true",
            "--no-pager",
            str(UNITS / "board-companion.service"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    level = re.search(r"Overall exposure level for board-companion\.service: ([\d.]+)", done.stdout)
    assert level is not None, done.stdout + done.stderr
    assert float(level[1]) <= WORST


def test_main_unit_starts_the_program_with_the_settings_that_are_installed() -> None:
    words = unit("board-companion.service")["Service"]["ExecStart"].split()
    asked = companion_parser().parse_args(words[1:])
    folder = re.search(r"^etc=(\S+)$", (ROOT / "scripts" / "install").read_text(), re.MULTILINE)
    assert folder is not None
    assert asked.config == Path(folder[1]) / "settings.toml"


def test_main_unit_tries_again_unless_the_settings_are_wrong(tmp_path: Path) -> None:
    """Exit status 2 is a bad settings file; the program's other statuses ask systemd to start it anew."""
    bad = tmp_path / "settings.toml"
    bad.write_text("[page]\nport = 'eight'\n")
    wrong_settings = main(["run", "--config", str(bad)])
    never_again = unit("board-companion.service")["Service"]["RestartPreventExitStatus"].split()
    assert never_again == [str(wrong_settings)]
    assert not {str(NOT_NOW), str(LOST)} & set(never_again)


def test_main_unit_waits_longer_for_the_watchdog_than_a_page_that_hangs_takes_to_be_noticed() -> None:
    """The program looks three times in that time."""
    assert int(unit("board-companion.service")["Service"]["WatchdogSec"]) / 3 > ANSWER_S


def test_main_unit_works_in_a_folder_that_it_may_write() -> None:
    """lgpio makes a pipe in the working directory and gives no pins where it cannot."""
    service = unit("board-companion.service")["Service"]
    assert service["WorkingDirectory"] == f"/run/{service['RuntimeDirectory']}"


def test_spectators_unit_starts_the_program_as_the_hub_is_started_and_is_as_well_fenced_in() -> None:
    """With the hub's settings, on a port of its own; whatever the hub's service may not do it may not, either."""
    hub, beside = (
        unit(f"board-companion-{name}.service")["Service"] for name in ("hall", "hall-spectators@")
    )
    text = (UNITS / "board-companion-hall-spectators@.service").read_text()
    port = re.search(r"^Environment=SPECTATORS_PORT=([0-9]+)$", text, re.MULTILINE)
    assert port is not None
    words = beside["ExecStart"].replace("${SPECTATORS_PORT}", port[1]).split()
    asked = companion_parser().parse_args(words[1:])
    of_hub = companion_parser().parse_args(hub["ExecStart"].split()[1:])
    assert (asked.spectators, asked.port, asked.config) == (True, int(port[1]), of_hub.config)
    assert asked.port != PAGES_PORT
    differs = {key for key in {*hub, *beside} if hub.get(key) != beside.get(key)}
    assert differs == {"ExecStart", "RestartSec", "RestartPreventExitStatus", "ReadWritePaths"}
    assert "board-companion-hall.service" in unit("board-companion-hall-spectators@.service")["Unit"]["After"]


def spectators(folder: Path, *options: str) -> tuple[int, str, list[str]]:
    """What the hall's installer says to these options, and the processes that are enabled then."""
    script = f"""
        set -euo pipefail
        etc=$1 units=$1/units home=$1 state=$1 user=nobody
        fail() {{ echo "$*" >&2; exit 2; }}
        running_systemd() {{ false; }}
        disable() {{ rm -f "$units/multi-user.target.wants/$1"; }}
        . "{ROOT}/scripts/install-hall"
        shift
        hall_options "$@"
        place_spectators
        spectators_there
    """
    told = ["bash", "-c", script, "bash", str(folder), *options]
    done = subprocess.run(told, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr.strip(), done.stdout.split()


def test_installer_enables_as_many_processes_for_spectators_as_are_wanted(tmp_path: Path) -> None:
    names = [f"board-companion-hall-spectators@{number}.service" for number in range(1, 4)]
    assert spectators(tmp_path) == (0, "", [])
    assert spectators(tmp_path, "--spectators", "3") == (0, "", names)
    (tmp_path / "hall.toml").touch()  # it is installed, and this is an update
    assert spectators(tmp_path) == (0, "", names)
    assert spectators(tmp_path, "--spectators", "08")[0] == 0
    assert spectators(tmp_path, "--spectators", "2") == (0, "", names[:2])
    assert (tmp_path / "units/multi-user.target.wants" / names[0]).readlink() == (
        tmp_path / "units/board-companion-hall-spectators@.service"
    )
    assert spectators(tmp_path, "--spectators", "0") == (0, "", [])


@pytest.mark.parametrize("count", ["", "many", "-1", "65", "1.5"])
def test_installer_refuses_a_number_of_processes_that_is_none(tmp_path: Path, count: str) -> None:
    said = "--spectators needs a number of processes, 0 to 64."
    assert spectators(tmp_path, "--spectators", count) == (2, said, [])


def test_settings_that_are_installed_are_settings() -> None:
    from companion.settings import load_settings

    assert load_settings(UNITS / "settings.toml").page.port == 8000


@pytest.mark.parametrize("name", ["install", "kiosk", "try-install", "try-hall"])
def test_script_that_is_asked_for_help_does_nothing_else(tmp_path: Path, name: str) -> None:
    tools = {tool: shutil.which(tool) for tool in ("bash", "sed")}
    for tool, path in tools.items():
        (tmp_path / tool).symlink_to(str(path))  # and nothing that could install or wait
    done = subprocess.run(
        [str(tools["bash"]), str(ROOT / "scripts" / name), "--help"],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": str(tmp_path)},
    )
    assert f"scripts/{name} " in done.stdout
    assert (done.stderr, "#" in done.stdout) == ("", False)


@pytest.mark.parametrize(
    "script",
    sorted(file for file in (ROOT / "scripts").iterdir() if file.is_file()),
    ids=lambda file: file.name,
)
def test_scripts_are_sound(script: Path) -> None:
    head = script.read_text("utf-8")
    if script.suffix == ".py" or head.startswith("#!/usr/bin/env python3\n"):
        compile(head, str(script), "exec")
        return
    assert head.startswith("#!/usr/bin/env bash\n")
    assert "set -euo pipefail" in head
    assert script.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", str(script)], check=True)
