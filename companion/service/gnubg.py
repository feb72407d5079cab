"""GNU Backgammon as a child process with low priority, and analyses in the background."""

import os
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from companion.errors import GameError, UserError
from companion.game.state import GameOver, MatchOver, State
from companion.protocol.shapes import BoardMap
from companion.protocol.view import board_map
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
from companion.records.to_transcript import transcribe
from companion.records.transcript import Transcript
from companion.rules.board import BAR, Board, Side
from companion.rules.setting_values import Aids
from sentence import NOTHING, Sentence, say, spoken

PLACES = ("/usr/games/gnubg", "/usr/local/bin/gnubg", "/usr/bin/gnubg")
NICENESS = 15
PLIES = 2
"""Search depth of analyses: some ten seconds a game on a PC, about the strength of a strong player."""
ENTRY_GAME = say("GNU Backgammon does not know the entry game.")
UNFINISHED = say("Analysis is an aid: it is available when the match is over.")
IN_PLAY = say("Analysis is available between games or after the match.")
NO_GAME = say("No game has been finished yet.")
LOOK_S = 0.25
"""How often a running one is asked whether it is to end."""
_REFUSAL = re.compile(
    r"WARNING:|^Unrecogni[sz]ed move|^Error[: ](?!total|rate|based)|^Unknown keyword|^No such file"
)
Json: TypeAlias = dict[str, Any]
Exported: TypeAlias = tuple[str, list[str]]
"""GNU Backgammon's text export of a game, and the lines of its statistics."""
Study: TypeAlias = Callable[[State, int, Callable[[int, int], None]], Any]


class GnubgError(UserError):
    """GNU Backgammon is missing, failed, or refused a command."""


def find_gnubg() -> str:
    """Path of the program; GnubgError, with the command that installs it, if there is none."""
    found = shutil.which("gnubg") or next((place for place in PLACES if os.access(place, os.X_OK)), None)
    if found is None:
        raise GnubgError(say("GNU Backgammon is not installed; 'sudo apt install gnubg' installs it."))
    return found


def run_gnubg(
    commands: Sequence[str], folder: Path, *, timeout_s: float = 120.0, over: threading.Event | None = None
) -> list[str]:
    """Run commands in GNU Backgammon; returns the printed lines.

    Args:
        commands: GNU Backgammon's own commands; file names are relative to the folder.
        folder: working folder, also for its settings, so that the user's stay unchanged.
        timeout_s: seconds after which it is killed.
        over: set when nobody waits for it any more: it is killed.

    Raises:
        GnubgError: it is missing, failed, took too long, was killed, or refused a command or move.
    """
    program = find_gnubg()
    script = folder / "commands.txt"
    script.write_text("\n".join(commands) + "\n", "utf-8")
    try:
        process = subprocess.Popen(
            [program, "-t", "-q", "-r", "-c", str(script)],
            cwd=folder,
            env={**os.environ, "HOME": str(folder), "LC_ALL": "C.UTF-8", "DISPLAY": ""},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            preexec_fn=lambda: os.nice(NICENESS),
        )
    except OSError as error:
        text = say("GNU Backgammon could not be started: {why}.", why=error.strerror or str(error))
        raise GnubgError(text) from None
    printed = _printed(process, timeout_s, over)
    if process.returncode != 0:
        raise GnubgError(say("GNU Backgammon ended with status {status}.", status=process.returncode))
    lines = printed.decode("utf-8", errors="replace").split("\n")
    dropped = [line for line in lines if _REFUSAL.search(line)]
    if dropped:
        raise GnubgError(say("GNU Backgammon did not take everything: {line}.", line=dropped[0].strip()))
    return lines


def _printed(process: "subprocess.Popen[bytes]", timeout_s: float, over: threading.Event | None) -> bytes:
    """What a process prints until it ends; GnubgError if it had to be killed."""
    began_s = time.monotonic()
    with process:
        while True:
            try:
                return process.communicate(timeout=min(LOOK_S, timeout_s))[0]
            except subprocess.TimeoutExpired:
                lasted_s = time.monotonic() - began_s
                if lasted_s < timeout_s and (over is None or not over.is_set()):
                    continue
            process.kill()
            text = say("GNU Backgammon was stopped after {seconds} s.", seconds=f"{lasted_s:.0f}")
            raise GnubgError(text)


def run_game(single: Transcript, plies: int, cores: int = 1, over: threading.Event | None = None) -> Exported:
    """GNU Backgammon's text export of one game, and the lines of its statistics; arguments and GnubgError as for
    `run_gnubg`.
    """
    with TemporaryDirectory(prefix="board-companion-") as name:
        folder = Path(name)
        (folder / "game.sgf").write_text(write_sgf(single), "utf-8")
        lines = run_gnubg(commands(plies, cores), folder, timeout_s=1800, over=over)
        return (folder / "game.txt").read_text("utf-8", errors="replace"), lines


def analysed(
    state: State,
    plies: int = PLIES,
    progress: Callable[[int, int], None] | None = None,
    run: Callable[[Transcript, int], Exported] = run_game,
    at_once: int = 1,
) -> Report:
    """Analyse every game of a match with GNU Backgammon.

    Args:
        state: the table after the match, or in the middle of it.
        plies: search depth; 0 takes a second, 2 some ten seconds a game.
        progress: called with (games done, games in all) at the beginning and after each game.
        run: analyses one game.
        at_once: games that are analysed at the same time, the longest first; it finishes or fails as with one.

    Raises:
        GnubgError: it is missing, failed, or could not read a game.
    """
    progress = progress or (lambda done, games: None)
    match = transcribe(state, placing=True, grading=True).transcript
    report = Report(match.players, plies, illegal=left_out(state))
    games, pictures = single_games(match), pictures_of(state)
    progress(0, len(games))
    order = sorted(games, key=_rolls, reverse=True) if at_once > 1 else games
    pool = ThreadPoolExecutor(at_once, thread_name_prefix="gnubg")
    try:
        running = {pool.submit(run, single, plies): single.games[0].number for single in order}
        found: dict[int, Exported] = {}
        for done, one in enumerate(as_completed(running), 1):
            found[running[one]] = one.result()
            progress(done, len(games))
    finally:
        pool.shutdown(cancel_futures=True)
    for single in games:
        _add(single, found[single.games[0].number], report, pictures)
    return report


def _rolls(single: Transcript) -> int:
    """The length of a game, in actions."""
    return len(single.games[0].actions)


def _add(
    single: Transcript, exported: Exported, report: Report, pictures: Mapping[int, Sequence[str | None]]
) -> None:
    """Add the analysis of one game to the report."""
    game = single.games[0]
    text, lines = exported
    shown = pictures.get(game.number, ())
    for at, graded in graded_in(text, game, single.players):
        picture = shown[at] if at < len(shown) else None
        if picture:
            report.pictures[len(report.graded)] = picture
        report.graded.append(graded)
    report.cube += cube_errors_in(text, game, single.players)
    report.figures = [one.plus(other) for one, other in zip(report.figures, figures_in(lines), strict=True)]


def unknown_game(state: State) -> Sentence:
    """A sentence about a game that GNU Backgammon does not know; empty for those that it knows."""
    if not state.fits_files:
        return say("GNU Backgammon does not know {title}.", title=state.title)
    return ENTRY_GAME if state.terms.profile.start[BAR] else NOTHING


def why_not(state: State | None) -> Sentence:
    """The reason why a match cannot be analysed now; empty if it can."""
    if state is None or not state.games:
        return NO_GAME
    unknown = unknown_game(state)
    if unknown:
        return unknown
    if isinstance(state.phase, MatchOver):
        return NOTHING
    if state.terms.profile.aids is Aids.WITHHELD and not state.terms.money_play:
        return UNFINISHED
    return NOTHING if isinstance(state.phase, GameOver) else IN_PLAY


class Analyst:
    """The running or last analysis and its result; used from several threads."""

    def __init__(self, study: Study = analysed) -> None:
        """Set the function that analyses: study(state, plies, progress), where progress takes (games done, games)."""
        self._study = study
        self._lock = threading.Lock()
        self._now: Json = {"state": "none"}

    def begin(self, state: State | None) -> None:
        """Begin to analyse this match; an analysis that is running goes on.

        Raises:
            UserError: it cannot be analysed now, or GNU Backgammon is missing; the text has the command to install it.
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
        def progress(done: int, games: int) -> None:
            self._now = self._about(state, "running", done=done, games=games)

        try:
            report = self._study(state, PLIES, progress).to_json()
        except (UserError, GameError) as error:
            self._now = self._about(state, "failed", sentence=error.sentence)
            return
        except Exception as error:
            # Shown on the page; the traceback goes into the log when the thread ends.
            text = say("The analysis failed: {kind}: {why}.", kind=type(error).__name__, why=str(error))
            self._now = self._about(state, "failed", sentence=text)
            raise
        for play in report["worst"]:
            play["board"] = board_of(play["gnubgid"])
        self._now = self._about(state, "done", report=report)

    def status(self, state: State | None) -> Json:
        """The progress and result of the running match's analysis.

        Returns:
            {"state": "none", "running", "failed" or "done"}; with "why" if none can begin now, "done" and "games"
            while it runs, "sentence" if it failed, "report" if it is done (docs/PROTOCOL.md).
        """
        now = self._now
        mine = state is not None and now.get("match") == state.terms.match_id
        about: Json = dict(now) if mine else {"state": "none"}
        sentences = {"why": why_not(state)}
        if "sentence" in about:
            sentences["sentence"] = about.pop("sentence")
        return {**about, **spoken(**sentences)}


def board_of(gnubg_id: str) -> BoardMap | None:
    """The board of a GNU id in the page's shape, with the mover as south; None for an empty id."""
    if not gnubg_id:
        return None
    return board_map(Board.of(Side.SOUTH, position_of_id(gnubg_id.partition(":")[0])))
