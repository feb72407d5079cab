"""GNU Backgammon at work beside the table: one analysis at a time, in the background, with its progress."""

import threading
from collections.abc import Callable
from typing import Any, TypeAlias

from companion.errors import GameError, UserError
from companion.game.state import GameOver, MatchOver, State
from companion.records.ids import position_of_id
from companion.rules.options import Aids
from companion.service.gnubg import analysed, find_gnubg

Json: TypeAlias = dict[str, Any]
Study: TypeAlias = Callable[[State, int, Callable[[int, int], None]], Any]

PLIES = 2
"""Some ten seconds a game on a PC, and about as good as a strong player."""
ENTRY_GAME = "GNU Backgammon does not know the entry game."
UNFINISHED = "The analysis is an aid: it is made when the match is over."
IN_PLAY = "The analysis is made between games, or when the match is over."
NOTHING = "No game has been finished yet."


def why_not(state: State | None) -> str:
    """Why a match is not analysed now, a sentence; "" when it may be."""
    if state is None or not state.games:
        return NOTHING
    if state.terms.profile.start[25] > 0:
        return ENTRY_GAME
    if isinstance(state.phase, MatchOver):
        return ""
    if state.terms.profile.aids is Aids.WITHHELD and not state.terms.money_play:
        return UNFINISHED
    return "" if isinstance(state.phase, GameOver) else IN_PLAY


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
            self._now = self._about(state, "failed", sentence=str(error))
            return
        except Exception as error:
            # Said on the page; the fault itself goes into the log with the thread's end.
            self._now = self._about(
                state, "failed", sentence=f"The analysis failed: {type(error).__name__}: {error}."
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
        return {**(now if mine else {"state": "none"}), "why": why_not(state)}


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
