"""The rules offered at the table are rules that a match takes."""

import pytest

from companion.protocol.match_setup import rules_menu
from companion.rules.profile import AT_TABLE, values_of
from companion.rules.profiles import PROFILES


def test_every_profile_says_how_each_switch_stands() -> None:
    menu = rules_menu({"length": 5}, None)
    assert [one["name"] for one in menu["profiles"]] == list(PROFILES)
    for one in menu["profiles"]:
        assert set(one["settings"]) == set(AT_TABLE)
    assert (menu["usual"], menu["now"]) == ({"length": 5}, None)


@pytest.mark.parametrize("name", AT_TABLE)
def test_values_of_a_switch_are_taken(name: str) -> None:
    values = values_of(name)
    if values is None:
        assert getattr(PROFILES["modern"].with_overrides({name: 3}), name) == 3
        return
    assert PROFILES["modern"].settings()[name] in values
    pressed = {"end_of_turn": "clock_pressed"} if name == "closed_out" else {}
    beavers = {"beaver": "everywhere"} if name == "raccoon" else {}
    single = {"backgammon": "never"} if name == "gammon" else {}
    for value in values:
        changed = PROFILES["modern"].with_overrides({**pressed, **beavers, **single, name: value})
        assert changed.settings()[name] == value


def test_the_running_match_says_how_it_is_played() -> None:
    now = PROFILES["modern"].with_overrides({"aids": "withheld"})
    assert rules_menu({}, now)["now"]["aids"] == "withheld"
