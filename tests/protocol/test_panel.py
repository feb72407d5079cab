"""What each button means at each moment."""

from typing import Any

import pytest

from companion.protocol.panel import action_of

TURN = ("done", "lift", "rule")
ROLL = ("roll", "double")
ANSWER = ("take", "pass", "beaver")


def shown(phase: str, on_roll: str | None, may: tuple[str, ...], asked: str | None = None) -> dict[str, Any]:
    return {"phase": phase, "on_roll": on_roll, "asked": asked, "may": list(may)}


@pytest.mark.parametrize(
    ("button", "held", "state", "action"),
    [
        ("south_turn", False, shown("played", "south", TURN), "done"),
        ("south_turn", False, shown("rolled", "south", TURN), "done"),
        ("north_turn", False, shown("played", "south", TURN), None),
        ("south_turn", False, shown("on_roll", "south", ROLL), None),
        ("south_turn", False, shown("on_roll", "south", ("roll", "done")), "done"),
        ("south_turn", False, shown("no_match", None, ("new_match",)), None),
        ("south_turn", False, shown("doubled", "south", ANSWER, "north"), None),
        ("south_turn", False, shown("dispute", "south", (*TURN, "correct"), "north"), "done"),
        ("south_turn", False, shown("dispute", "south", ("correct",), "north"), None),
        ("south_cube", False, shown("on_roll", "south", ROLL), "double"),
        ("south_cube", False, shown("on_roll", "south", ("roll",)), None),
        ("south_cube", True, shown("on_roll", "south", ROLL), None),
        ("north_cube", False, shown("on_roll", "south", ROLL), None),
        ("south_cube", False, shown("dispute", "south", (*ROLL, "condone"), "south"), "double"),
        ("north_cube", False, shown("doubled", "south", ANSWER, "north"), "take"),
        ("north_cube", True, shown("doubled", "south", ANSWER, "north"), "pass"),
        ("south_cube", False, shown("doubled", "south", ANSWER, "north"), None),
        ("south_cube", True, shown("doubled", "south", ANSWER, "north"), None),
        ("north_cube", False, shown("dispute", "south", ANSWER, "south"), "take"),
        ("director", False, shown("no_match", None, ()), "call_director"),
        ("director", True, shown("rolled", "north", TURN), "call_director"),
    ],
)
def test_press_means(button: str, held: bool, state: dict[str, Any], action: str | None) -> None:
    meant = action_of(button, held, state)
    assert (meant["type"] if meant else None) == action
