"""What each button means in each phase."""

from typing import Any

import pytest

from companion.presses import action_of


def shown(
    phase: str, on_roll: str | None, asked: str | None = None, may_double: bool = False
) -> dict[str, Any]:
    return {"phase": phase, "on_roll": on_roll, "asked": asked, "cube": {"may_double": may_double}}


@pytest.mark.parametrize(
    ("button", "held", "state", "action"),
    [
        ("south_turn", False, shown("played", "south"), "done"),
        ("south_turn", False, shown("rolled", "south"), "done"),
        ("north_turn", False, shown("played", "south"), None),
        ("south_turn", False, shown("on_roll", "south"), None),
        ("south_turn", False, shown("no_match", None), None),
        ("south_turn", False, shown("doubled", "south", "north"), None),
        ("south_cube", False, shown("on_roll", "south", may_double=True), "double"),
        ("south_cube", False, shown("on_roll", "south", may_double=False), None),
        ("south_cube", True, shown("on_roll", "south", may_double=True), None),
        ("north_cube", False, shown("on_roll", "south", may_double=True), None),
        ("north_cube", False, shown("doubled", "south", "north"), "take"),
        ("north_cube", True, shown("doubled", "south", "north"), "pass"),
        ("south_cube", False, shown("doubled", "south", "north"), None),
        ("south_cube", True, shown("doubled", "south", "north"), None),
        ("director", False, shown("no_match", None), "call_director"),
        ("director", True, shown("rolled", "north"), "call_director"),
    ],
)
def test_press_means(button: str, held: bool, state: dict[str, Any], action: str | None) -> None:
    meant = action_of(button, held, state)
    assert (meant["type"] if meant else None) == action
