"""The command line's manners: quick help, and one sentence for every mistake."""

import argparse
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.__main__ import main, parser
from companion.commands._words import counted
from tests.support.running import one_command


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["juggle"], id="unknown command"),
        pytest.param(["doctor", "--colour"], id="unknown option"),
        pytest.param(["doctor", "--config"], id="option without its value"),
        pytest.param(["doctor", "--config", ""], id="settings without a name"),
        pytest.param(["doctor", "--config", "/nowhere/x.toml"], id="missing settings"),
        pytest.param(["run", "--config", "/nowhere/x.toml"], id="missing settings for run"),
        pytest.param(["demo", "--port", "many"], id="port that is no number"),
        pytest.param(["demo", "--port", "70000"], id="port that does not exist"),
        pytest.param(["demo", "--speed", "0"], id="speed that is none"),
    ],
)
def test_mistake_is_one_sentence_and_status_2(arguments: list[str]) -> None:
    done = one_command(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr
    assert done.stderr.rstrip().endswith(".")


def test_without_a_command_there_is_help_with_every_command() -> None:
    done = one_command()
    assert (done.returncode, done.stderr) == (0, "")
    assert all(f"    {name} " in done.stdout for name in ("run", "demo", "read", "doctor", "replay"))


def test_version_is_that_of_the_project() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    assert one_command("--version").stdout == f"companion {project['version']}\n"


@pytest.mark.parametrize("option", ["--out", "--config"])
def test_empty_name_is_not_the_folder_one_is_in(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"^2$"):
        main(["backup", option, ""])
    said = capsys.readouterr().err
    assert said == f"Argument {option}: the name is empty; see 'companion backup --help'.\n"


def test_unknown_option_names_the_help_of_its_command(capsys) -> None:
    with pytest.raises(SystemExit):
        main(["run", "--prot", "8130"])
    assert capsys.readouterr().err == "Unrecognized arguments: --prot 8130; see 'companion run --help'.\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a device that is always full")
def test_full_disk_behind_the_output_is_one_sentence() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "companion", "profiles"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 2
    assert done.stderr == "The output cannot be written: No space left on device.\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has a device that is always full")
@pytest.mark.parametrize("command", ["run", "doctor", "juggle"])
def test_mistake_that_nobody_can_be_told_keeps_its_status(command: str, tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("[page]\nport = 70000\n")
    with open("/dev/full", "w") as full:
        told = [sys.executable, "-m", "companion", command, "--config", str(tmp_path / "settings.toml")]
        done = subprocess.run(told, stdout=full, stderr=full, check=False, timeout=60)
    assert done.returncode == 2


def test_demo_without_a_folder_to_write_in_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tempfile._candidate_tempdir_list", lambda: ["/proc/nowhere"])
    monkeypatch.setattr("tempfile.tempdir", None)
    assert main(["demo", "--port", "0"]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert len(out.err.splitlines()) == 1


def imported_by(built: str) -> list[str]:
    """The modules that a program has which builds this parser."""
    code = f"import json, sys; from companion.__main__ import parser; {built}; print(json.dumps(list(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    return list(json.loads(done.stdout))


def test_help_imports_nothing_heavy() -> None:
    """Time is not measured here; what costs time is not imported."""
    heavy = {"cv2", "numpy", "flask", "gpiozero", "sqlite3", "h11"}
    assert heavy & set(imported_by("parser().format_help()")) == set()


def test_only_the_version_reads_what_is_installed() -> None:
    """`importlib.metadata` and the mail package under it took a tenth of the time of `companion stats`."""
    assert "importlib.metadata" not in imported_by("parser('stats')")


def test_a_command_imports_nothing_for_the_others() -> None:
    """The rest of the parser took a third of the time of `companion matches`."""
    others = ("companion.hall", "companion.rules", "vision")
    assert [name for name in imported_by("parser('matches')") if name.startswith(others)] == []


def test_every_command_has_a_line_of_help() -> None:
    commands = next(action for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
    helped = {action.dest: action.help for action in commands._choices_actions}
    folder = Path(__file__).resolve().parents[2] / "companion" / "commands"
    assert set(helped) == {file.stem.replace("_", "-") for file in folder.glob("[a-z]*.py")}
    assert all(helped.values()), helped


def options_of(top: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.Action]]:
    """Every option and argument of every command."""
    for action in top._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from options_of(command)
        else:
            yield top.prog, action


def test_every_option_and_argument_is_described() -> None:
    every = list(options_of(parser()))
    assert len(every) > 80
    assert [(prog, action.dest) for prog, action in every if not (action.help or "").strip()] == []


def test_commands_about_the_state_folder_take_another_one() -> None:
    found = {prog.split()[1] for prog, action in options_of(parser()) if action.dest == "state"}
    about = {"analyse", "backup", "doctor", "export", "links", "matches", "restore", "stats", "verify"}
    assert found == about


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 matches"), (1, "1 match"), (2, "2 matches"), (11, "11 matches")]
)
def test_number_has_its_noun(number: int, text: str) -> None:
    assert counted(number, "match", "matches") == text
    assert counted(number, "game") == text.replace("matches", "games").replace("match", "game")


def test_fault_of_the_program_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(args: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr("companion.commands.doctor.run", broken)
    with pytest.raises(ZeroDivisionError):
        main(["doctor"])
