"""The rows of the pages in docs/rules, and their settings."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

RULES = Path(__file__).resolve().parents[3] / "docs" / "rules"
PLAY, TOURNAMENTS, FAMILY = RULES / "play.md", RULES / "tournaments.md", RULES / "family.md"

ELSEWHERE = "elsewhere"
"""The pages' word for all profiles that a row does not name."""


@dataclass(frozen=True)
class Row:
    """A row of a page of rules.

    Attributes:
        number: `12`, `S5` or `T4`, as cited in code.
        name: its title in the form of a test's name, `premature_roll`.
        settings: each of its settings, with the value by profile or under ELSEWHERE.
    """

    number: str
    name: str
    settings: Mapping[str, Mapping[str, str]]


def rows_of(page: Path, prefix: str = "") -> list[Row]:
    """The rows of a page with this prefix (C, S, R, T or none) and digits as their number."""
    rows = []
    for section in re.split("^### ", page.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        number, _, title = section.splitlines()[0].partition(". ")
        if re.fullmatch(f"{prefix}[0-9]+", number):
            listed = re.findall(r"^- `(\w+)`: (.+)$", section, flags=re.MULTILINE)
            rows.append(Row(number, _name(title), {setting: _values(text) for setting, text in listed}))
    return rows


def in_profiles(values: Mapping[str, str], profiles: Iterable[str]) -> dict[str, str]:
    """The value of each profile, and of all other names in the row."""
    named = {profile: value for profile, value in values.items() if profile != ELSEWHERE}
    return {**dict.fromkeys(profiles, values[ELSEWHERE]), **named}


def as_stated(value: object) -> str:
    """A setting's value in the pages' notation."""
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _name(title: str) -> str:
    return "_".join(re.findall("[a-z]+", title.lower()))


def _values(text: str) -> dict[str, str]:
    """The values in "`a` in modern and vip; `b` elsewhere", by profile."""
    values: dict[str, str] = {}
    for clause in text.split("; "):
        found = re.fullmatch(r"`([^`]+)` (?:in ([\w, ]+)|elsewhere)", clause)
        assert found, f"not a list of values: {clause}"
        names = re.split(r", | and ", found[2]) if found[2] else [ELSEWHERE]
        assert not values.keys() & names, f"a profile has two values: {text}"
        values |= dict.fromkeys(names, found[1])
    return values
