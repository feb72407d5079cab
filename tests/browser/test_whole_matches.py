"""Matches of the other games tapped by a random player in a real Chromium: dice, moves, named doublets, cubes, Done.

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
    "portes": 1,
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
CHOUETTE = ("Anna", "Mehmet", "Cem", "Dora")
GAMES = 3
"""The games tapped of a chouette, which has no end of its own."""


class Tapper:
    """A player of both sides who taps what the page offers."""

    def __init__(self, tablet, house, seed: str) -> None:
        self.tablet, self.house, self.rng = tablet, house, random.Random(seed)

    @property
    def partners(self) -> bool:
        """Whether a chouette is played."""
        return self.house.table.state()["chouette"] is not None

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

    def offers(self, deed: str) -> list[str]:
        """The buttons of the players of a chouette for this deed."""
        buttons = (
            f".chouette tr[data-name={name}] button[data-act={deed}]" for name in CHOUETTE if self.partners
        )
        return [one for one in buttons if self.tablet.all(one)]

    def answer(self, state: dict[str, Any]) -> None:
        """Take or pass a double; in a chouette on one of the cubes."""
        deed = self.rng.choice(("take", "take", "pass"))
        self.press(state, self.rng.choice(self.offers(deed)) if self.partners else f"#{deed}")

    def doubles(self, state: dict[str, Any]) -> str:
        """The button of a double that is offered now, now and then; else nothing."""
        if "double" not in state["may"] or self.rng.random() > 0.2:
            return ""
        return self.rng.choice([*self.offers("double"), *(["#double"] if self.tablet.all("#double") else [])])

    def step(self) -> bool:
        """Do what is due; False once the match is over."""
        state = self.state
        phase, may = state["phase"], state["may"]
        if phase == "match_over":
            return False
        if phase == "game_over":
            self.press(state, "#next-game")
        elif phase == "doubled":
            self.answer(state)
        elif phase == "on_roll" and not state["naming"] and (button := self.doubles(state)):
            self.press(state, button)
        elif state["naming"]:
            self.press(state, f"#name-{self.rng.randint(1, 6)}")
        elif phase == "rolled" and state["making"]["next"]:
            self.move(state)
        elif "done" in may:
            self.press(state, "#done")
        else:
            self.throw(state)
        return True


@pytest.mark.timeout(240 if TIMES == 1 else 3600)
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


@pytest.mark.timeout(240 if TIMES == 1 else 3600)
def test_chouette_of_random_plays_by_tapping(tablet, house) -> None:
    tablet.open(house.link())
    tablet.tap("#new-match")
    tablet.tap("input[name=chouette]")
    for field, name in zip(("south", "north", "player-3", "player-4"), CHOUETTE, strict=True):
        tablet.find(f"input[name={field}]").send_keys(name)
    tablet.tap("#start-match")
    tablet.sees("Opening roll", "#verdict h2")
    tapper = Tapper(tablet, house, f"chouette {TIMES}")
    while tapper.turns < TURNS and house.table.state()["match"]["game"] <= GAMES:
        tapper.step()
        players = house.table.state()["chouette"]
        assert sum(one["account"] for one in players) == 0
        for one in players:
            row = f".chouette tr[data-name={one['name']}] .points"
            shown = f"{one['account']:+d}".replace("-", "−") if one["account"] else "0"
            tablet.until(lambda row=row, shown=shown: tablet.text(row) == shown, f"{one['name']} at {shown}")
    state = house.table.state()
    assert state["dispute"] is None
    assert not any(entry["misfit"] for entry in state["history"])
    if TIMES > 1:
        assert state["match"]["game"] == GAMES + 1
        assert any(one["account"] for one in state["chouette"])
    assert tablet.complaints() == []
