"""The rule profiles: held against docs/rules, overrides, refusals, and that the docs know every setting."""

import re
import tomllib
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from companion.errors import BadSettingError
from companion.rules.board import Position, Problem, Roll, checkers_on
from companion.rules.family.profiles import ALL_PROFILES
from companion.rules.notation import write_play
from companion.rules.plays import plays_for
from companion.rules.profile import (
    AT_TABLE,
    LABELS,
    SETTINGS,
    STARTS,
    Profile,
    labels_of,
    value_of,
    values_of,
)
from companion.rules.profiles import PROFILES, profile_named, profile_of
from companion.rules.setting_values import Backgammon, ClockStop, RollArea, Where
from tests.support.rules.rules_pages import FAMILY, PLAY, TOURNAMENTS, as_stated, in_profiles, rows_of

DOCS = Path(__file__).resolve().parents[2] / "docs" / "PROFILES.md"
STATED = {
    setting: values
    for page, prefix in ((PLAY, ""), (TOURNAMENTS, "T"), (FAMILY, "F"))
    for row in rows_of(page, prefix)
    for setting, values in row.settings.items()
}
"""Each setting as docs/rules states it: its value by profile."""


def test_every_setting_stands_in_one_row_of_the_rules() -> None:
    rows = [*rows_of(PLAY), *rows_of(TOURNAMENTS, "T"), *rows_of(FAMILY, "F")]
    assert sorted(setting for row in rows for setting in row.settings) == sorted(SETTINGS)


@pytest.mark.parametrize("setting", SETTINGS)
def test_shipped_profiles_are_as_the_rules_state_them(setting: str) -> None:
    of_family = setting in {one for row in rows_of(FAMILY, "F") for one in row.settings}
    profiles = ALL_PROFILES if of_family else PROFILES
    shipped = {name: as_stated(profile.settings()[setting]) for name, profile in profiles.items()}
    assert shipped == in_profiles(STATED[setting], profiles)


def test_every_profile_begins_with_a_position_that_can_stand() -> None:
    for profile in PROFILES.values():
        assert Position(profile.start, profile.start).problems(profile.checkers) == Problem(0)
    assert PROFILES["hypergammon"].checkers == 3
    assert PROFILES["modern"].start == Position.start().mine


def test_every_game_tells_players_its_difference_in_a_line() -> None:
    told = [str(profile.about) for profile in ALL_PROFILES.values()]
    assert len(set(told)) == len(ALL_PROFILES)
    assert all(line.endswith(".") and len(line) <= 110 for line in told)
    own = profile_of("club", {"based_on": "portes", "description": "As on Tuesdays."})
    assert str(own.about) == "As on Tuesdays."
    assert profile_of("plain", {"based_on": "portes"}).about == PROFILES["portes"].about


@pytest.mark.parametrize(
    ("table", "about", "description"),
    [
        (
            {"based_on": "plakoto", "pinned_mother_loses": False},
            "As Plakoto, but with “Pinned mother loses: no”.",
            "Based on plakoto, with pinned_mother_loses = false.",
        ),
        (
            {"based_on": "portes", "gammon": False, "clock_delay_s": 10, "start": {24: 1, 6: 1}},
            "As Portes, but with “Starting position: another value”, “Gammon counts two: no”, "
            "“Delay of the clock in seconds: 10”.",
            "Based on portes, with start = { 6 = 1, 24 = 1 }, gammon = false, clock_delay_s = 10.",
        ),
        (
            {"based_on": "long_nardy", "primes": "free"},
            "As Long Nardy, but with “Forbidden primes: another value”.",
            'Based on long_nardy, with primes = "free".',
        ),
        (
            {"cube": False},
            "As Modern backgammon, but with “Doubling cube: no”.",
            "Based on modern, with cube = false.",
        ),
    ],
)
def test_a_derived_profile_is_told_by_what_it_changes(table, about, description) -> None:
    own = profile_of("club", table, ALL_PROFILES)
    assert (str(own.about), own.description) == (about, description)
    stated = description.partition("with ")[2].rstrip(".")
    for line in re.split(r", (?=\w+ = )(?![^{]*})", stated):
        key, value = next(iter(tomllib.loads(line).items()))
        assert getattr(own, key) == value_of(key, value), "a settings file holds it"


@pytest.mark.parametrize("base", ALL_PROFILES)
def test_no_derived_profile_repeats_a_line_that_a_setting_of_its_may_contradict(base) -> None:
    changed = profile_of("club", {"based_on": base, "late_penalty_after_min": 9}, ALL_PROFILES)
    assert str(ALL_PROFILES[base].about) not in str(changed.about)
    assert ALL_PROFILES[base].description not in changed.description


def test_federations_say_what_was_read_and_what_was_not() -> None:
    for name in ("wbgf", "usbgf"):
        said = PROFILES[name].description
        assert "Read in" in said
        assert "Second-hand" in said
        assert "no claim" in said


def test_the_settings_come_back_as_they_went_out() -> None:
    for profile in PROFILES.values():
        same = PROFILES["modern"].with_overrides(profile.settings())
        assert same.settings() == profile.settings()


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_value_of_every_setting_is_documented(setting: str) -> None:
    rows = {
        line.split("|")[1].strip(" `"): line for line in DOCS.read_text("utf-8").splitlines() if "|" in line
    }
    assert setting in rows
    value = getattr(PROFILES["modern"], setting)
    kind = RollArea if setting == "opening_area" else type(value)
    if isinstance(value, Enum) and setting != "opening_area":
        assert {f"`{one.value}`" for one in kind} <= set(re.findall(r"`\w+`", rows[setting]))


def test_the_docs_know_no_setting_and_no_profile_that_is_not_there() -> None:
    named = set(re.findall(r"^\| `(\w+)` \|", DOCS.read_text("utf-8"), flags=re.MULTILINE))
    assert named == {*SETTINGS, *ALL_PROFILES}


def test_every_setting_has_a_label_of_its_own_that_can_stand_in_a_list() -> None:
    assert list(LABELS) == list(SETTINGS)
    assert len(set(LABELS.values())) == len(SETTINGS)
    assert [words for words in map(str, LABELS.values()) if "," in words or "_" in words] == []


@pytest.mark.parametrize("setting", AT_TABLE)
def test_every_value_that_the_page_offers_has_a_label_of_its_own(setting: str) -> None:
    values, labels = values_of(setting), labels_of(setting)
    if values is None or labels is None:
        assert values is labels
        assert isinstance(getattr(PROFILES["modern"], setting), int)
        return
    assert len(values) == len(set(labels))
    assert "" not in labels


def test_one_setting_is_changed_and_the_others_stay() -> None:
    modern = PROFILES["modern"]
    changed = modern.with_overrides({"beaver": "money_play"})
    assert changed.beaver is Where.MONEY_PLAY
    assert {key: value for key, value in changed.settings().items() if key != "beaver"} == {
        key: value for key, value in modern.settings().items() if key != "beaver"
    }
    assert changed.beaver.holds(money_play=True)
    assert not changed.beaver.holds(money_play=False)


def test_taking_the_cube_away_takes_away_what_only_a_cube_can_have() -> None:
    bare = PROFILES["tournament"].with_overrides({"cube": False})
    assert (bare.beaver, bare.jacoby, bare.crawford) == (Where.NEVER, Where.NEVER, False)


def test_lists_and_starts() -> None:
    changed = PROFILES["modern"].with_overrides(
        {"clock_stops_for": ["break", "dispute"], "start": {"24": 2, "13": 5, "8": 3, "6": 4}}
    )
    assert changed.clock_stops_for == {ClockStop.BREAK, ClockStop.DISPUTE}
    assert changed.start == checkers_on({24: 2, 13: 5, 8: 3, 6: 4})
    assert changed.checkers == 14
    assert changed.settings()["start"] == {"6": 4, "8": 3, "13": 5, "24": 2}
    assert PROFILES["modern"].with_overrides({"start": list(STARTS["tray"])}).start == STARTS["tray"]


@pytest.mark.parametrize(
    ("base", "overrides", "word"),
    [
        pytest.param(
            "modern", {"cube": False, "beaver": "everywhere"}, "beaver", id="a beaver without a cube"
        ),
        pytest.param("modern", {"cube": False, "jacoby": "money_play"}, "Jacoby", id="Jacoby without a cube"),
        pytest.param("tavla", {"crawford": True}, "Crawford", id="Crawford without a cube"),
        pytest.param("tavla", {"automatic_doubles": 1}, "automatic", id="automatic doubles without a cube"),
        pytest.param("modern", {"raccoon": "money_play"}, "raccoon", id="a raccoon without a beaver"),
        pytest.param(
            "modern",
            {"beaver": "money_play", "raccoon": "everywhere"},
            "raccoon",
            id="raccoons wider than beavers",
        ),
        pytest.param("modern", {"gammon": False}, "backgammon", id="triple without double"),
        pytest.param(
            "modern", {"who_begins": "both_dice_each"}, "throws anew", id="two dice each and played"
        ),
        pytest.param("modern", {"closed_out": "need_not_roll"}, "clock", id="no roll and dice picked up"),
        pytest.param("spielestart", {"end_of_turn": "clock_pressed"}, "clock", id="throw again and clock"),
        pytest.param("spielestart", {"forced_bear_off": True}, "forced", id="forced by top and bottom"),
        pytest.param("modern", {"start": {"24": 2, "1": 2}}, "same points", id="both sides on one point"),
        pytest.param("modern", {"start": {}}, "1 to 15", id="nobody"),
        pytest.param("modern", {"start": {"6": 15, "8": 1}}, "1 to 15", id="sixteen"),
        pytest.param("modern", {"start": {"26": 1}}, "points 1 to 24", id="no such point"),
        pytest.param("modern", {"start": {"6": True}}, "0 to 15", id="a boolean count"),
        pytest.param("modern", {"start": "acey"}, "start", id="an unknown start"),
        pytest.param("modern", {"beavers": "never"}, "Did you mean “beaver”", id="a misspelt setting"),
        pytest.param("modern", {"name": "x"}, "no setting", id="the name is no setting"),
        pytest.param("modern", {"beaver": "always"}, "one of never", id="a value it cannot have"),
        pytest.param("modern", {"cube": 1}, "true or false", id="one is not true"),
        pytest.param("modern", {"clock_delay_s": True}, "whole number", id="true is not one"),
        pytest.param("modern", {"clock_delay_s": -1}, "whole number", id="below zero"),
        pytest.param("modern", {"clock_delay_s": 2.5}, "whole number", id="a half"),
        pytest.param("modern", {"clock_stops_for": "break"}, "list", id="no list"),
        pytest.param("modern", {"clock_stops_for": ["cocked"]}, "one of", id="cocked dice stop no clock"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(base: str, overrides: dict[str, Any], word: str) -> None:
    with pytest.raises(BadSettingError, match=word) as refused:
        PROFILES[base].with_overrides(overrides)
    assert str(refused.value).endswith((".", "?"))


def test_a_profile_of_ones_own_needs_no_change_to_the_engine() -> None:
    club = profile_of(
        "club",
        {
            "based_on": "portes",
            "description": "Ours.",
            "use_of_numbers": "lower_first",
            "bear_off_with_more": "any_checker",
            "backgammon": "on_bar",
        },
    )
    assert (club.name, club.description, club.backgammon) == ("club", "Ours.", Backgammon.ON_BAR)
    position = Position(checkers_on({0: 13, 6: 1, 2: 1}), checkers_on({0: 13, 12: 2}))
    assert {write_play(play) for play in plays_for(club, position, Roll.of(5, 4)).values()} == {
        "6/off",
        "6/1 2/off",
    }
    further = profile_of("club2", {"based_on": "club"}, {**PROFILES, "club": club})
    assert further.use_of_numbers is club.use_of_numbers


@pytest.mark.parametrize(
    "table", [{"based_on": "nobody"}, {"based_on": 3}, {"description": 3}, {"based_on": "modern", "x": 1}]
)
def test_a_profile_of_ones_own_that_cannot_be(table: dict[str, Any]) -> None:
    with pytest.raises(BadSettingError):
        profile_of("club", table)


def test_unknown_names_are_refused_with_those_there_are() -> None:
    with pytest.raises(BadSettingError, match="modern"):
        profile_named("moderne")
    assert isinstance(profile_named("modern"), Profile)
