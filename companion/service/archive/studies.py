"""Analyses that are kept beside the matches: made in the background as games end, so that a match's is soon there."""

import json
import os
import threading
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from itertools import count
from pathlib import Path
from queue import PriorityQueue
from typing import Any

from companion.errors import GameError, UserError
from companion.game.state import GameOver, MatchOver, State
from companion.records.gnubg_report import Report, single_games
from companion.records.sgf import write_sgf
from companion.records.to_transcript import transcribe
from companion.records.transcript import Transcript
from companion.service.archive.opened import is_opened
from companion.service.gnubg import PLIES, Exported, analysed, find_gnubg, run_game, why_not
from companion.storage.catalogue import Catalogue
from companion.storage.folder import ANALYSES
from companion.storage.wholefile import put
from sentence import Sentence, say

_GAMES = 40
"""Most games kept in memory between their end and the match's."""
_AT_ONCE = 4
"""Most games that are analysed at the same time: each takes GNU Backgammon some 60 MB."""


class _LaterError(Exception):
    """An analysis that gives way to one that people wait for; what it has is remembered."""


@dataclass(frozen=True, slots=True)
class _Order:
    """A match to be analysed; `is_awaited`: it is the running one, or has just ended."""

    is_awaited: bool
    number: int
    state: State

    def __lt__(self, other: "_Order") -> bool:
        """Those awaited first, of each kind the oldest."""
        return (not self.is_awaited, self.number) < (not other.is_awaited, other.number)


class Studies:
    """The analyses of a state folder: one file for each match, made by one thread, the match that is awaited first."""

    def __init__(
        self,
        folder: Path,
        catalogue: Callable[[], Catalogue],
        head: Callable[[str], str],
        run: Callable[[Transcript, int, int], Exported] | None = None,
    ) -> None:
        """Keep analyses in a state folder.

        Args:
            folder: the state folder.
            catalogue: gives the catalogue that takes the figures.
            head: gives the digest of a match's last row.
            run: analyses one game to a depth on so many cores; None: GNU Backgammon does.
        """
        self._over = threading.Event()
        self._folder, self._catalogue, self._head = folder / ANALYSES, catalogue, head
        self._run = run or partial(run_game, over=self._over)
        self._games: dict[str, Exported] = {}
        self._unsaved: dict[str, Mapping[str, Any]] = {}
        self._status: dict[str, dict[str, Any]] = {}
        self._orders: PriorityQueue[_Order] = PriorityQueue()
        self._numbers = count()
        self._newest: dict[str, State] = {}
        self._followed: tuple[str, int, bool] = ("", 0, False)
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def close(self) -> None:
        """End what is being analysed, so that the program can end; nothing is begun any more."""
        self._over.set()

    # Beginning

    def begin(self, state: State) -> None:
        """Analyse a match in the background and keep the result; nothing happens while it is waiting already.

        Raises:
            UserError: it cannot be analysed now, or GNU Backgammon is missing.
        """
        reason = why_not(state)
        if reason:
            raise UserError(reason)
        find_gnubg()
        self._order(state)

    def follow(self, state: State | None) -> None:
        """Analyse each game of the running match once it is over, the match at its end; does not block."""
        if state is None or not isinstance(state.phase, (GameOver, MatchOver)):
            return
        now = (state.terms.match_id, len(state.games), isinstance(state.phase, MatchOver))
        profile = state.terms.profile
        if now == self._followed or profile.start[25] > 0 or not state.fits_files:
            return
        self._followed = now
        with suppress(UserError):
            find_gnubg()
            self._order(state, is_awaited=True)

    def _order(self, state: State, *, is_awaited: bool = False) -> None:
        match_id = state.terms.match_id
        with self._lock:
            if self._status.get(match_id, {}).get("state") != "running":
                self._status[match_id] = {"state": "running", "done": 0, "games": len(state.games)}
            self._newest[match_id] = state
            self._orders.put(_Order(is_awaited, next(self._numbers), state))
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="studies", daemon=True)
                self._thread.start()

    # In the background

    def _work(self) -> None:
        while True:
            order = self._orders.get()
            if self._over.is_set():
                return
            state = order.state
            match_id = state.terms.match_id
            if self._newest.get(match_id) is not state:
                continue  # more of the match has been played since, and that is ordered
            try:
                at_once, cores = self._shares(order)
                report = analysed(
                    state,
                    PLIES,
                    partial(self._progress, match_id),
                    partial(self._run_for, order, cores=cores),
                    at_once,
                )
                if why_not(state):
                    self._status.pop(match_id, None)  # only prepared: the match goes on
                    continue
                self.keep(match_id, report)
                with self._lock:
                    if self._newest.get(match_id) is state:
                        self._status[match_id] = {"state": "done"}
            except _LaterError:
                self._orders.put(order)
            except (UserError, GameError) as error:
                self._status[match_id] = {"state": "failed", "sentence": error.sentence}
            except (
                Exception
            ) as error:  # shown on the page, and logged; other matches are analysed all the same
                traceback.print_exc()
                text = say("The analysis failed: {kind}: {why}.", kind=type(error).__name__, why=str(error))
                self._status[match_id] = {"state": "failed", "sentence": text}

    def _progress(self, match_id: str, done: int, games: int) -> None:
        self._status[match_id] = {"state": "running", "done": done, "games": games}

    def _shares(self, order: "_Order") -> tuple[int, int]:
        """Games that are analysed at the same time, and cores for each.

        After a match nobody is playing, and the camera's work has precedence by its priority: all cores are used. Games
        beside each other use them better than one game on several; only the match that is awaited has them so, as the
        others give way to it after each game.
        """
        if not isinstance(order.state.phase, MatchOver):
            return 1, 1
        cores = len(os.sched_getaffinity(0))
        match = transcribe(order.state, placing=True, grading=True).transcript
        left = sum(_key(single, PLIES) not in self._games for single in single_games(match))
        at_once = max(1, min(cores, left, _AT_ONCE)) if order.is_awaited else 1
        return at_once, max(1, cores // at_once)

    def _run_for(self, order: "_Order", single: Transcript, plies: int, *, cores: int) -> Exported:
        """The analysis of a game of a match, unless one that is awaited has been ordered since (_LaterError)."""
        if not order.is_awaited and any(other.is_awaited for other in list(self._orders.queue)):
            raise _LaterError
        return self.run(single, plies, cores)

    def run(self, single: Transcript, plies: int, cores: int = 1) -> Exported:
        """GNU Backgammon's analysis of one game, remembered for the end of the match."""
        key = _key(single, plies)
        found = self._games.get(key)
        if found is None:
            found = self._run(single, plies, cores)
            with self._lock:
                self._games[key] = found
                while len(self._games) > _GAMES:
                    self._games.pop(next(iter(self._games)))
        return found

    # Results

    def keep(self, match_id: str, report: Report) -> None:
        """Keep a match's analysis; in memory only, while the disk does not take it."""
        made = {
            "match": match_id,
            "head": self._head(match_id),
            "report": report.to_json(),
            "plays": report.plays(),
            "cube": report.cube_errors(),
        }
        try:
            self._folder.mkdir(exist_ok=True)
            put(self._file(match_id), json.dumps(made, ensure_ascii=False).encode())
            self._unsaved.pop(match_id, None)
        except OSError:
            self._unsaved[match_id] = made
        if not is_opened(match_id):  # nobody's figures
            self._catalogue().put_figures(match_id, _figures(made))

    def kept(self, match_id: str) -> Mapping[str, Any] | None:
        """A match's analysis: its id, the record's head then, the report and every play; None without one."""
        if match_id in self._unsaved:
            return self._unsaved[match_id]
        with suppress(OSError, ValueError):
            made: Mapping[str, Any] = json.loads(self._file(match_id).read_bytes())
            return made
        return None

    def status(self, match_id: str) -> Mapping[str, Any]:
        """The state of a match's analysis: "none", "running" with done and games, "failed" with sentence, or "done"."""
        now = self._status.get(match_id)
        if now is None:
            return {"state": "done" if self.kept(match_id) else "none"}
        return now

    def delete(self, match_id: str) -> None:
        """Delete a match's analysis."""
        self._unsaved.pop(match_id, None)
        self._status.pop(match_id, None)
        with suppress(OSError):
            self._file(match_id).unlink(missing_ok=True)
        self._catalogue().put_figures(match_id, [])

    def catalogue_all(self) -> None:
        """Put the figures of analyses into the catalogue that it lacks, after it was rebuilt for instance."""
        known = {
            _name(match) for (match,) in self._catalogue().query("SELECT DISTINCT match_id FROM figures")
        }
        with suppress(OSError):
            for file in self._folder.glob("*.json"):
                if file.name not in known:
                    with suppress(OSError, ValueError, KeyError):
                        made = json.loads(file.read_bytes())
                        if is_opened(made["match"]):
                            continue
                        self._catalogue().put_figures(made["match"], _figures(made))

    def _file(self, match_id: str) -> Path:
        return self._folder / _name(match_id)


def _key(single: Transcript, plies: int) -> str:
    """The name of a game's analysis to this depth."""
    return f"{plies} {sha256(write_sgf(single).encode()).hexdigest()}"


def _name(match_id: str) -> str:
    """File name of a match's analysis; ids of foreign records may hold anything."""
    return f"{sha256(match_id.encode()).hexdigest()[:32]}.json"


def _figures(made: Mapping[str, Any]) -> list[tuple[str, int, float, float]]:
    """Each player's name, decisions, error and luck."""
    report = made["report"]
    return [
        (name, one["decisions"], one["error_total"], one["luck_total"])
        for name, one in zip(report["players"], report["figures"], strict=True)
    ]


def missing() -> Sentence | None:
    """The sentence that says that GNU Backgammon is missing; None if it is there."""
    try:
        find_gnubg()
    except UserError as error:
        return error.sentence
    return None
