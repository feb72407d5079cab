"""The analysis beside the table: when it may be begun, its progress, and what it leaves."""

import threading
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from companion.errors import UserError
from companion.game.games import first_game
from companion.game.state import GameOver, MatchOver, Terms
from companion.rules.board import Side
from companion.rules.cube_and_score import Ending, Result, Score, Worth
from companion.rules.profiles import PROFILES
from companion.service import gnubg as module
from companion.service.gnubg import Analyst, board_of, why_not

RESULT = Result(Side.SOUTH, Worth.SINGLE, 1, 1, Ending.BORNE_OFF)
WORST = {"gnubgid": "4HPwATDgc/ABMA:cAkAAAAAAAAA"}


def after(phase: Any, profile: str = "modern", length: int = 5, games: int = 1) -> Any:
    """A match with so many games behind it, in this phase."""
    terms = Terms("m1", "Ann", "Ben", length, PROFILES[profile])
    begun = first_game(terms)
    logs: Any = (object(),) * games
    return replace(begun, phase=phase, games=logs, score=Score(1, 0))


OVER, WON = GameOver(RESULT), MatchOver(Side.SOUTH, Ending.BORNE_OFF, RESULT)


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (None, module.NO_GAME),
        (after(OVER, games=0), module.NO_GAME),
        (after(OVER, "spielestart"), module.ENTRY_GAME),
        (after(object()), module.IN_PLAY),
        (after(OVER, "wbgf"), module.UNFINISHED),
        (after(OVER, "wbgf", length=0), ""),
        (after(OVER), ""),
        (after(WON, "wbgf"), ""),
    ],
    ids=["no match", "no game", "entry game", "in play", "no aids", "no aids, money", "between games", "won"],
)
def test_when_it_may_be_begun(state: Any, reason: object) -> None:
    assert str(why_not(state)) == str(reason)


class Study:
    """An analysis that waits to be let on."""

    def __init__(self, fault: Exception | None = None) -> None:
        self.go_on, self.begun = threading.Event(), threading.Event()
        self.runs, self._fault = 0, fault

    def __call__(self, state: Any, plies: int, progress: Any) -> Any:
        self.runs += 1
        progress(1, 3)
        self.begun.set()
        assert self.go_on.wait(20)
        if self._fault:
            raise self._fault
        return SimpleNamespace(to_json=lambda: {"worst": [dict(WORST)]})


@pytest.fixture(autouse=True)
def gnubg(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "find_gnubg", lambda: "gnubg")


def finished(analyst: Analyst, state: Any) -> Any:
    for thread in threading.enumerate():
        if thread.name == "analysis":
            thread.join(20)
    return analyst.status(state)


def test_progress_and_result() -> None:
    study, state = Study(), after(WON)
    analyst = Analyst(study)
    assert analyst.status(state) == {"state": "none", "why": ""}
    analyst.begin(state)
    assert study.begun.wait(20)
    assert analyst.status(state) == {"state": "running", "match": "m1", "done": 1, "games": 3, "why": ""}
    analyst.begin(state)  # a second tap begins nothing
    study.go_on.set()
    done = finished(analyst, state)
    assert (done["state"], study.runs) == ("done", 1)
    assert sum(done["report"]["worst"][0]["board"]["points"]) == 0
    other = replace(after(WON), terms=Terms("m2", "Ann", "Ben", 5, PROFILES["modern"]))
    assert analyst.status(other)["state"] == "none"


def test_failure_is_a_sentence() -> None:
    study, state = Study(UserError("GNU Backgammon ended with status 1.")), after(WON)
    analyst = Analyst(study)
    analyst.begin(state)
    study.go_on.set()
    assert finished(analyst, state)["sentence"] == "GNU Backgammon ended with status 1."


def test_without_gnubg_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.service.gnubg import GnubgError

    def missing() -> str:
        raise GnubgError("GNU Backgammon is not installed; 'sudo apt install gnubg' installs it.")

    monkeypatch.setattr(module, "find_gnubg", missing)
    with pytest.raises(UserError, match="apt install gnubg"):
        Analyst(Study()).begin(after(WON))


def test_board_of_an_id_has_the_mover_in_souths_place() -> None:
    board = board_of("4HPwATDgc/ABMA")  # the starting position
    assert board is not None
    assert [board["points"][n - 1] for n in (24, 13, 8, 6, 1)] == [2, 5, 3, 5, -2]
    assert board_of("") is None
