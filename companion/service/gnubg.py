"""GNU Backgammon beside ours: a child process with low priority, and analyses in the background."""

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from companion.errors import GameError, UserError
from companion.game.state import GameOver, MatchOver, State
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
from companion.records.ids import position_of_id
from companion.records.sgf import write_sgf
from companion.records.transcribe import scribed
from companion.records.transcript import Transcript
from companion.rules.options import Aids
from sentence import NOTHING, Sentence, say, spoken

PLACES = ("/usr/games/gnubg", "/usr/local/bin/gnubg", "/usr/bin/gnubg")


NICENESS = 15


_REFUSAL = re.compile(r"WARNING:|^Error[: ](?!total|rate|based)|^Unknown keyword|^No such file")


class GnubgError(UserError):
    """GNU Backgammon is missing, or did not do what it was told."""


def find_gnubg() -> str:
    """The program; GnubgError, saying how to install it, when there is none."""
    found = shutil.which("gnubg") or next((place for place in PLACES if os.access(place, os.X_OK)), None)
    if found is None:
        raise GnubgError(say("GNU Backgammon is not installed; 'sudo apt install gnubg' installs it."))
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
        raise GnubgError(
            say("GNU Backgammon could not be started: {why}.", why=error.strerror or str(error))
        ) from None
    lines = _lines_of(done, timeout_s, told)
    if done.returncode != 0:
        raise GnubgError(say("GNU Backgammon ended with status {status}.", status=done.returncode))
    dropped = [line for line in lines if _REFUSAL.search(line)]
    if dropped:
        raise GnubgError(say("GNU Backgammon did not take everything: {line}.", line=dropped[0].strip()))
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
        raise GnubgError(say("GNU Backgammon was stopped after {seconds} s.", seconds=f"{timeout_s:.0f}"))
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


Json: TypeAlias = dict[str, Any]


Study: TypeAlias = Callable[[State, int, Callable[[int, int], None]], Any]


PLIES = 2
"""Some ten seconds a game on a PC, and about as good as a strong player."""


ENTRY_GAME = say("GNU Backgammon does not know the entry game.")


UNFINISHED = say("The analysis is an aid: it is made when the match is over.")


IN_PLAY = say("The analysis is made between games, or when the match is over.")


NO_GAME = say("No game has been finished yet.")


def why_not(state: State | None) -> Sentence:
    """Why a match is not analysed now, a sentence; empty when it may be."""
    if state is None or not state.games:
        return NO_GAME
    if state.terms.profile.start[25] > 0:
        return ENTRY_GAME
    if isinstance(state.phase, MatchOver):
        return NOTHING
    if state.terms.profile.aids is Aids.WITHHELD and not state.terms.money_play:
        return UNFINISHED
    return NOTHING if isinstance(state.phase, GameOver) else IN_PLAY


class Analyst:
    """What is being analysed, and what came of it; used from several threads."""

    def __init__(self, study: Study = analysed) -> None:
        """`study` analyses a match and tells the games done and all games as it goes on."""
        self._study = study
        self._lock = threading.Lock()
        self._now: Json = {"state": "none"}

    def begin(self, state: State | None) -> None:
        """Begin to analyse this match; one that is being analysed already goes on.

        Raises:
            UserError: it cannot be analysed now, or GNU Backgammon is missing: the text says how to install it.
        """
        reason = why_not(state)
        if reason:
            raise UserError(reason)
        assert state is not None
        find_gnubg()
        with self._lock:
            if self._now["state"] == "running":
                return
            self._now = self._about(state, "running", done=0, games=len(state.games))
        threading.Thread(target=self._run, args=(state,), name="analysis", daemon=True).start()

    def _about(self, state: State, word: str, **more: Any) -> Json:
        return {"state": word, "match": state.terms.match_id, **more}

    def _run(self, state: State) -> None:
        def told(done: int, games: int) -> None:
            self._now = self._about(state, "running", done=done, games=games)

        try:
            report = self._study(state, PLIES, told).to_json()
        except (UserError, GameError) as error:
            self._now = self._about(state, "failed", sentence=error.sentence)
            return
        except Exception as error:
            # Said on the page; the fault itself goes into the log with the thread's end.
            self._now = self._about(
                state,
                "failed",
                sentence=say(
                    "The analysis failed: {kind}: {why}.", kind=type(error).__name__, why=str(error)
                ),
            )
            raise
        for play in report["worst"]:
            play["board"] = board_of(play["gnubgid"])
        self._now = self._about(state, "done", report=report)

    def told(self, state: State | None) -> Json:
        """How the analysis of the running match stands.

        Returns:
            {"state": "none", "running", "failed" or "done"}; with "why" when it cannot be begun now, "done" and
            "games" while it runs, "sentence" when it failed, "report" when it is done (docs/PROTOCOL.md).
        """
        now = self._now
        mine = state is not None and now.get("match") == state.terms.match_id
        about: dict[str, Any] = dict(now) if mine else {"state": "none"}
        sentences: dict[str, Sentence] = {"why": why_not(state)}
        if "sentence" in about:
            sentences["sentence"] = about.pop("sentence")
        return {**about, **spoken(**sentences)}


def board_of(gnubg_id: str) -> Json | None:
    """The board behind a GNU id as the page draws it, the mover in south's place; None where there is no id."""
    if not gnubg_id:
        return None
    position = position_of_id(gnubg_id.partition(":")[0])
    mine, theirs = position.mine, position.theirs
    return {
        "points": [mine[n] - theirs[25 - n] for n in range(1, 25)],
        "bar": {"south": mine[25], "north": theirs[25]},
        "off": {"south": mine[0], "north": theirs[0]},
    }
