"""The rules offered at the table are rules that a match takes."""

import pytest

from companion.protocol.match_setup import rules_menu
from companion.rules.profile import AT_TABLE, values_of
from companion.rules.profiles import PROFILES, with_own
from tests.support.script import Script


@pytest.mark.parametrize("name", PROFILES)
def test_switches_of_a_profile_are_offered_as_it_takes_them(name: str) -> None:
    offered = {one["name"]: one["settings"] for one in rules_menu({}, None)["profiles"]}[name]
    assert PROFILES[name].with_overrides(offered) == PROFILES[name]


def test_profile_of_the_settings_file_is_offered_with_its_own_switches() -> None:
    club = with_own("club", {"based_on": "tavla", "gammon": True, "aids": "withheld"}, PROFILES)
    offered = {one["name"]: one["settings"] for one in rules_menu({}, None, club)["profiles"]}
    assert list(offered) == [*PROFILES, "club"]
    assert offered["club"] == {**offered["tavla"], "gammon": True, "aids": "withheld"}
    assert (offered["tavla"]["gammon"], offered["tavla"]["aids"]) == (False, "shown")


def test_what_a_new_match_begins_with_is_handed_on() -> None:
    menu = rules_menu({"length": 5}, None)
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


@pytest.mark.parametrize(
    ("given", "name"),
    [
        pytest.param("👩\u200d🔬 Ann", "👩\u200d🔬 Ann", id="a joined emoji stays whole"),
        pytest.param("نمی\u200cخواهم", "نمی\u200cخواهم", id="letters that are not joined"),
        pytest.param("\u200d\u200c", "", id="nothing but joiners"),
        pytest.param("Ann\u200d \u202eBob\n", "Ann Bob", id="other invisible characters go"),
    ],
)
def test_a_name_keeps_what_joins_its_letters(given, name):
    script = Script().do("new_match", length=1, players={"south": given, "north": "x"})
    assert script.state.terms.south == name
