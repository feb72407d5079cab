"""Matches of the other games tapped by a random player in a real Chromium: dice, moves, named doublets, Done.

A usual run taps the first turns of each; `TIMES=2 .venv/bin/python -m pytest tests/browser/test_whole_matches.py` taps
whole matches, in one to five minutes a game, TIMES=3 others of them.
"""

import random
from typing import Any

import pytest

from tests.browser.test_family import new_match
from tests.support.often import TIMES

TURNS = 2 if TIMES == 1 else 2000
MATCHES = {
    "plakoto": 1,
    "fevga": 1,
    "moultezim": 1,
    "long_nardy": 1,
    "gul_bara": 1,
    "jioul": 1,
    "acey_deucey": 1,
    "acey_europe": 1,
    "tavli": 5,
}
"""The length of the match tapped of each game."""


class Tapper:
    """A player of both sides who taps what the page offers."""

    def __init__(self, tablet, house, seed: str) -> None:
        self.tablet, self.house, self.rng = tablet, house, random.Random(seed)

    @property
    def state(self) -> dict[str, Any]:
        """The table's state, once the page shows it."""
        state = self.house.table.state()
        self.tablet.until(lambda: self.tablet.state()["seq"] == state["seq"], "the page's server")
        return state

    @property
    def turns(self) -> int:
        """The number of turns that were ended."""
        return sum(one["type"] == "done" for one in self.house.table.acted)

    def changed(self, before: dict[str, Any], what: str) -> None:
        """Wait until the table has taken a tap."""
        self.tablet.until(lambda: self.house.table.state()["seq"] != before["seq"], f"{what} to be taken")

    def throw(self, state: dict[str, Any]) -> None:
        """Tap two dice on the rows."""
        high, low = self.rng.randint(1, 6), self.rng.randint(1, 6)
        self.tablet.tap(f"#die-0-{high}")
        self.tablet.tap(f"#die-1-{low}")
        self.changed(state, f"{high} and {low}")

    def press(self, state: dict[str, Any], button: str) -> None:
        """Tap a button."""
        self.tablet.tap(button)
        self.changed(state, button)

    def move(self, state: dict[str, Any]) -> None:
        """Tap one of the moves that may come next."""
        one = self.rng.choice(state["making"]["next"])
        running = state["position"]["board"]["game"] == "running"
        self.tablet.move(state["on_roll"], one["from"], one["to"], running=running)
        self.changed(state, f"{one['from']}/{one['to']}")

    def step(self) -> bool:
        """Do what is due; False once the match is over."""
        state = self.state
        phase, may = state["phase"], state["may"]
        if phase == "match_over":
            return False
        if phase == "game_over":
            self.press(state, "#next-game")
        elif state["naming"]:
            self.press(state, f"#name-{self.rng.randint(1, 6)}")
        elif phase == "rolled" and state["making"]["next"]:
            self.move(state)
        elif "done" in may:
            self.press(state, "#done")
        else:
            self.throw(state)
        return True


@pytest.mark.timeout(400 if TIMES == 1 else 3600)
@pytest.mark.parametrize("profile", MATCHES)
def test_match_of_random_plays_by_tapping(tablet, house, profile: str) -> None:
    new_match(tablet, house, profile, MATCHES[profile])
    tapper = Tapper(tablet, house, f"{profile} {TIMES}")
    while tapper.turns < TURNS and tapper.step():
        pass
    state = house.table.state()
    assert state["dispute"] is None
    assert not any(entry["misfit"] for entry in state["history"])
    if TIMES > 1:
        tablet.sees("wins the match", "#verdict")
        assert max(state["match"]["score"].values()) >= MATCHES[profile]
    assert tablet.complaints() == []
