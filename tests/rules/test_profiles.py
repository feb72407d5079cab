"""The rule profiles: each row of the rules table, overrides, refusals, and that the docs know every setting."""

import re
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

from companion.errors import BadSettingError
from companion.rules.board import Position, Problem, Roll, checkers_on
from companion.rules.notation import write_play
from companion.rules.options import SETTING_WORDS, Backgammon, ClockStop, Where
from companion.rules.plays import plays_for
from companion.rules.profile import STARTS
from companion.rules.profiles import PROFILES, SETTINGS, Profile, profile_named, profile_of
from companion.rules.referee import RollArea

DOCS = Path(__file__).resolve().parents[2] / "docs" / "PROFILES.md"
FIVE = ("modern", "vip", "tournament", "tavla", "spielestart")

ROWS: dict[str, tuple[object, ...]] = {
    "start": ("standard", "standard", "standard", "standard", "tray"),
    "who_begins": ("one_die_each", "one_die_each", "one_die_each", "one_die_each", "both_dice_each"),
    "opening_roll": ("played", "played", "winner_chooses", "played", "thrown_anew"),
    "direction": ("opposed",) * 5,
    "doublets": ("four_times",) * 4 + ("top_and_bottom",),
    "throw_again_after_doublet": (False,) * 4 + (True,),
    "use_of_numbers": ("as_many_as_possible",) * 4 + ("lower_first",),
    "forced_bear_off": (False,) * 5,
    "bear_off_with_more": ("highest_only",) * 4 + ("any_checker",),
    "gammon": (True, True, True, False, False),
    "backgammon": ("on_bar_or_in_home", "on_bar", "on_bar_or_in_home", "never", "never"),
    "cube": (True, True, True, False, False),
    "cube_beyond_64": (True, True, True, False, False),
    "declined_double": ("cube_as_before",) * 5,
    "beaver": ("never", "never", "everywhere", "never", "never"),
    "raccoon": ("never",) * 5,
    "jacoby": ("money_play", "never", "money_play", "never", "never"),
    "jacoby_ends_with": ("double_taken", "double_taken", "double_offered", "double_taken", "double_taken"),
    "crawford": (True, True, True, False, False),
    "roll_area": ("right_half", "right_half", "whole_surface", "right_half", "whole_surface"),
    "opening_area": ("right_half", "right_half", "home_half", "right_half", "whole_surface"),
    "die_on_checker": ("cocked",) * 5,
    "invalid_roll": ("both_thrown_again",) * 5,
    "dice": ("pair_each", "shared_pair", "pair_each", "shared_pair", "shared_pair"),
    "board_lies": ("any_way", "home_right", "home_right_light_near", "home_right", "any_way"),
    "end_of_turn": ("dice_picked_up",) * 5,
    "premature_roll": ("void",) * 5,
    "illegal_play_pointed_out_by": ("nobody",) * 5,
    "illegal_play_stands_after": (
        "valid_roll",
        "valid_roll",
        "valid_roll_or_double",
        "valid_roll",
        "valid_roll",
    ),
}


@pytest.mark.parametrize("setting", ROWS)
def test_each_row_of_the_rules_table(setting: str) -> None:
    assert tuple(PROFILES[name].settings()[setting] for name in FIVE) == ROWS[setting]


def test_the_five_keep_the_tournament_switches_at_rest() -> None:
    for name in FIVE:
        settings = PROFILES[name].settings()
        assert settings["clock"] == "off"
        assert settings["automatic_doubles"] == 0
        assert settings["cube_after_cocked"] == "free"
        assert settings["closed_out"] == "must_roll"


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        pytest.param("wbgf", {"illegal_play_pointed_out_by": "both", "aids": "withheld"}, id="wbgf"),
        pytest.param("usbgf", {"die_on_checker": "valid", "premature_roll": "opponent_chooses"}, id="usbgf"),
        pytest.param(
            "portes",
            {"cube": False, "gammon": True, "backgammon": "never", "opening_roll": "thrown_anew"},
            id="portes",
        ),
        pytest.param("nackgammon", {"start": "nackgammon", "cube": True}, id="nackgammon"),
        pytest.param("hypergammon", {"start": "hypergammon"}, id="hypergammon"),
    ],
)
def test_the_further_profiles(name: str, settings: dict[str, object]) -> None:
    assert {key: PROFILES[name].settings()[key] for key in settings} == settings


def test_every_profile_begins_with_a_position_that_can_stand() -> None:
    for profile in PROFILES.values():
        assert profile.start_position.problems(profile.checkers) == Problem(0)
    assert PROFILES["hypergammon"].checkers == 3
    assert PROFILES["modern"].start_position == Position.start()


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
    assert named == {*SETTINGS, *PROFILES}


def test_every_setting_has_words_of_its_own_that_can_stand_in_a_list() -> None:
    assert list(SETTING_WORDS) == list(SETTINGS)
    assert len(set(SETTING_WORDS.values())) == len(SETTINGS)
    assert [words for words in map(str, SETTING_WORDS.values()) if "," in words or "_" in words] == []


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
        pytest.param("modern", {"beavers": "never"}, "Did you mean «beaver»", id="a misspelt setting"),
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
