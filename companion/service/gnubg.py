"""GNU Backgammon as a program beside ours: run without a window, with low priority, in a folder of its own."""

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.errors import UserError
from companion.game.state import State
from companion.records.gnubg_report import (
    Report,
    commands,
    cube_errors_in,
    figures_in,
    graded_in,
    left_out,
    pictures_of,
    single_games,
)
from companion.records.sgf import write_sgf
from companion.records.transcribe import scribed
from companion.records.transcript import Transcript

PLACES = ("/usr/games/gnubg", "/usr/local/bin/gnubg", "/usr/bin/gnubg")
NICENESS = 15
_REFUSAL = re.compile(r"WARNING:|^Error[: ](?!total|rate|based)|^Unknown keyword|^No such file")


class GnubgError(UserError):
    """GNU Backgammon is missing, or did not do what it was told."""


def find_gnubg() -> str:
    """The program; GnubgError, saying how to install it, when there is none."""
    found = shutil.which("gnubg") or next((place for place in PLACES if os.access(place, os.X_OK)), None)
    if found is None:
        raise GnubgError("GNU Backgammon is not installed; 'sudo apt install gnubg' installs it.")
    return found


def run_gnubg(
    commands: Sequence[str],
    folder: Path,
    *,
    timeout_s: float = 120.0,
    told: Callable[[str], None] | None = None,
) -> list[str]:
    """Have GNU Backgammon carry out some commands.

    Args:
        commands: its own commands, one a line; file names are relative to the folder.
        folder: where it works; its own settings go there too, so that the user's are left alone.
        timeout_s: after this it is stopped.
        told: called with each line as it comes, for showing progress.

    Returns:
        The lines it printed.

    Raises:
        GnubgError: it is missing, failed, took too long, or dropped a move.
    """
    program = find_gnubg()
    script = folder / "commands.txt"
    script.write_text("\n".join(commands) + "\n", "utf-8")
    environment = {**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8", "DISPLAY": ""}
    try:
        done = subprocess.Popen(
            [program, "-t", "-q", "-r", "-c", str(script)],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            preexec_fn=_lower_priority,
        )
    except OSError as error:
        raise GnubgError(f"GNU Backgammon could not be started: {error.strerror}.") from None
    lines = _lines_of(done, timeout_s, told)
    if done.returncode != 0:
        raise GnubgError(f"GNU Backgammon ended with status {done.returncode}.")
    dropped = [line for line in lines if _REFUSAL.search(line)]
    if dropped:
        raise GnubgError(f"GNU Backgammon did not take everything: {dropped[0].strip()}.")
    return lines


def _lower_priority() -> None:
    os.nice(NICENESS)


def _lines_of(
    running: "subprocess.Popen[bytes]", timeout_s: float, told: Callable[[str], None] | None
) -> list[str]:
    """Everything it prints until it ends; it is killed when it takes too long."""
    stopped = threading.Timer(timeout_s, running.kill)
    stopped.start()
    lines = []
    try:
        assert running.stdout is not None
        for raw in running.stdout:
            line = raw.decode("utf-8", errors="replace").rstrip("\n")
            lines.append(line)
            if told is not None:
                told(line)
        running.wait()
    finally:
        late = not stopped.is_alive()
        stopped.cancel()
        running.stdout.close() if running.stdout else None
    if late and running.returncode != 0:
        raise GnubgError(f"GNU Backgammon was stopped after {timeout_s:.0f} s.")
    return lines


def analysed(state: State, plies: int = 2, told: Callable[[int, int], None] | None = None) -> Report:
    """Have GNU Backgammon analyse every game of a match.

    Args:
        state: the table after the match, or in the middle of it.
        plies: how far it looks ahead; 0 takes a second, 2 some ten seconds a game.
        told: called with (games done, games in all) as it goes on.

    Raises:
        GnubgError: it is missing, failed, or could not take a game.
    """
    page = scribed(state, placing=True, grading=True)
    report = Report(page.transcript.players, plies, illegal=left_out(state))
    games, pictures = single_games(page), pictures_of(state)
    for at, single in enumerate(games):
        if told is not None:
            told(at, len(games))
        _analyse(single, plies, report, pictures)
    if told is not None:
        told(len(games), len(games))
    return report


def _analyse(
    single: Transcript, plies: int, report: Report, pictures: Mapping[int, Sequence[str | None]]
) -> None:
    game = single.games[0]
    with TemporaryDirectory(prefix="board-companion-") as name:
        folder = Path(name)
        (folder / "game.sgf").write_text(write_sgf(single), "utf-8")
        lines = run_gnubg(commands(plies), folder, timeout_s=1800)
        text = (folder / "game.txt").read_text("utf-8", errors="replace")
    shown = pictures.get(game.number, ())
    for at, graded in graded_in(text, game, single.players):
        picture = shown[at] if at < len(shown) else None
        if picture:
            report.pictures[len(report.graded)] = picture
        report.graded.append(graded)
    report.cube += cube_errors_in(text, game.number)
    report.figures = [one.plus(other) for one, other in zip(report.figures, figures_in(lines), strict=True)]
