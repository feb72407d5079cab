"""The completion scripts: bash's is run, the others are checked for what they name."""

import argparse
import shutil
import subprocess
from pathlib import Path

import pytest

from companion.__main__ import main, parser

BASH = shutil.which("bash")


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["completion", shell]) == 0
    return capsys.readouterr().out


@pytest.mark.skipif(BASH is None, reason="bash is not installed")
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        (["re"], {"read", "replay", "restore"}),
        (["export", "--f"], {"--format"}),
        (["export", "--format", ""], {"mat", "sgf", "ogxm", "json", "zip"}),
        (["read", "--roller", "n"], {"north"}),
        (["completion", ""], {"bash", "zsh", "fish"}),
        (["matches", "--state", "sta"], {"state"}),
        (["replay", "rec"], {"record.mat"}),
    ],
    ids=lambda one: " ".join(sorted(one)),
)
def test_bash_completes(typed, completed, capsys, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "record.mat").write_text("")
    (tmp_path / "companion.bash").write_text(script("bash", capsys))
    ask = """
        source companion.bash
        COMP_WORDS=(companion "$@"); COMP_CWORD=$#; COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
        entry=$(complete -p companion); entry=${entry#*-F }
        "${entry%% *}" companion "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    done = subprocess.run(
        [str(BASH), "--norc", "-c", ask, "bash", *typed],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert {word.strip().rstrip("/") for word in done.stdout.split("\n") if word.strip()} == completed


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_script_names_every_command_and_option(shell, capsys) -> None:
    text = script(shell, capsys)
    commands = next(action for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
    for name, command in commands.choices.items():
        assert name in text
        for option in command._option_string_actions:
            assert option.lstrip("-") in text


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_shell_understands_its_script(shell, capsys, tmp_path: Path) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "script").write_text(script(shell, capsys))
    subprocess.run([program, "--no-execute", str(tmp_path / "script")], check=True, timeout=60)
