"""The rules offered at the table are rules that a match takes."""

import pytest

from companion.protocol.rules_menu import rules_menu
from companion.rules.family.profiles import ALL_PROFILES
from companion.rules.profile import AT_TABLE, values_of
from companion.rules.profiles import PROFILES, with_own
from web.languages import wording_in


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


def test_each_game_offers_its_own_start_and_which_switches_belong_to_the_cube():
    menu = rules_menu({}, None)
    starts = {one["name"]: one["start"] for one in menu["profiles"]}
    assert starts["plakoto"]["points"][23] == 15
    assert starts["plakoto"]["points"][0] == -15
    assert starts["modern"]["points"][23] == 2
    assert {"beaver", "raccoon", "jacoby"} <= {one["name"] for one in menu["switches"] if one["of_cube"]}
    assert not next(one for one in menu["switches"] if one["name"] == "gammon")["of_cube"]


@pytest.mark.parametrize(("language", "checker"), [("en", "checker"), ("de", "Stein"), ("ja", "駒")])
def test_words_of_the_players_are_explained_in_the_visitors_language(language: str, checker: str) -> None:
    club = with_own("tapa", {"based_on": "plakoto", "pinned_mother_loses": False}, ALL_PROFILES)
    menu = rules_menu({}, None, club, lambda one: one.in_words(wording_in(language)))
    words = {one["name"]: one["words"] for one in menu["profiles"]}
    assert words["long_nardy"][1] == {"lang": "ru", "word": "шашка", "means": checker}
    assert words["tapa"] == words["plakoto"]
    assert words["modern"] == words["spielestart"] == []
