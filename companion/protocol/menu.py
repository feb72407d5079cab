"""The rules that people choose from at the table: the profiles, and the switches that one would change there."""

from collections.abc import Mapping
from enum import Enum
from typing import Any

from companion.rules.profile import Profile
from companion.rules.profiles import PROFILES

AT_TABLE = (
    "aids",
    "clock",
    "clock_delay_s",
    "clock_reserve_s_per_point",
    "reserve_used_up",
    "cube",
    "crawford",
    "jacoby",
    "beaver",
    "raccoon",
    "automatic_doubles",
    "cube_after_cocked",
    "gammon",
    "backgammon",
    "roll_area",
    "die_on_checker",
    "premature_roll",
    "end_of_turn",
    "closed_out",
    "illegal_play_pointed_out_by",
    "illegal_play_stands_after",
)
"""The others are for the settings file: they make another game of it, or nobody changes them at a table."""


def rules_menu(
    usual: Mapping[str, Any], now: Profile | None, profiles: Mapping[str, Profile] = PROFILES
) -> dict[str, Any]:
    """What a page offers when a match is begun or its rules are changed.

    Args:
        usual: what a new match begins with where nobody says otherwise; handed on as it is.
        now: the rules of the running match; None without one.
        profiles: the rules there are.

    Returns:
        {"profiles": [{"name", "settings": {switch: value}}], "switches": [{"name", "values": words, true and
        false, or null for a number}], "usual", "now": {switch: value} or null}.
    """
    return {
        "profiles": [{"name": one.name, "settings": _at_table(one)} for one in profiles.values()],
        "switches": [{"name": name, "values": values_of(name)} for name in AT_TABLE],
        "usual": dict(usual),
        "now": _at_table(now) if now else None,
    }


def _at_table(profile: Profile) -> dict[str, Any]:
    every = profile.settings()
    return {name: every[name] for name in AT_TABLE}


def values_of(name: str) -> list[str | bool] | None:
    """The values a switch can have, as a settings file writes them; None: a whole number."""
    now = getattr(PROFILES["modern"], name)
    if isinstance(now, bool):
        return [True, False]
    return [member.value for member in type(now)] if isinstance(now, Enum) else None
