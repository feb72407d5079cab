"""The rules offered at the table are rules that a match takes."""

from dataclasses import replace

import pytest

from companion.game.table import Table
from companion.protocol.match_setup import rules_menu
from companion.protocol.permissions import Asker
from companion.records.export import score_sheet
from companion.records.rows import event_in, text_of
from companion.rules.profile import AT_TABLE, values_of
from companion.rules.profiles import PROFILES, with_own
from tests.support.script import Script, event_from


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


def test_title_of_a_profile_of_ones_own_is_recorded() -> None:
    own = with_own("club", {"based_on": "modern", "title": "The club's own"}, PROFILES)
    began = event_from({"type": "new_match", "profile": "club"}, Table(), Asker(), profiles=own)
    script = Script().take(event_in(text_of(began)))
    assert str(script.state.terms.profile.title) == "The club's own"
    assert script.view["history"][0]["text"].endswith("The club's own")
    assert score_sheet(script.table)["rules"] == "The club's own"
    untitled = event_in(text_of(replace(began, title="")))  # as recorded before
    assert score_sheet(Script().take(untitled).table)["rules"] == "club"


def test_title_of_a_shipped_profile_is_not_recorded_so_that_it_can_be_translated() -> None:
    began = event_from({"type": "new_match", "profile": "vip"}, Table(), Asker())
    assert began.title == ""
    assert Script().take(began).state.terms.profile.title == PROFILES["vip"].title


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


def test_each_game_offers_its_own_start_and_which_switches_belong_to_the_cube():
    menu = rules_menu({}, None)
    starts = {one["name"]: one["start"] for one in menu["profiles"]}
    assert starts["plakoto"]["points"][23] == 15
    assert starts["plakoto"]["points"][0] == -15
    assert starts["modern"]["points"][23] == 2
    assert {"beaver", "raccoon", "jacoby"} <= {one["name"] for one in menu["switches"] if one["of_cube"]}
    assert not next(one for one in menu["switches"] if one["name"] == "gammon")["of_cube"]
