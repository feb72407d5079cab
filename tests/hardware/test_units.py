"""The service's units: checked by systemd itself where it is present, and against what the program needs."""

import configparser
import re
import shutil
import subprocess
from pathlib import Path

import pytest

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


def test_main_unit_says_what_the_program_needs() -> None:
    service = unit("board-companion.service")["Service"]
    assert service["Type"] == "notify"
    assert int(service["WatchdogSec"]) >= 12  # three looks, each of which may wait for a slow disk
    assert service["RestartPreventExitStatus"] == "2"
    assert set(service["SupplementaryGroups"].split()) == {"video", "gpio"}
    assert service["StateDirectory"] == "board-companion"
    # lgpio makes a pipe in the working directory, and no pins can be had where it may not.
    assert service["WorkingDirectory"] == f"/run/{service['RuntimeDirectory']}"
    assert "--config /etc/board-companion/settings.toml" in service["ExecStart"]


def test_settings_that_are_installed_are_settings() -> None:
    from companion.settings import load_settings

    assert load_settings(UNITS / "settings.toml").page.port == 8000


@pytest.mark.parametrize("name", ["install", "kiosk", "try-install"])
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
