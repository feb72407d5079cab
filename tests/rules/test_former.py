"""Settings that profiles used to have."""

from typing import Any

import pytest

from companion.errors import BadSettingError
from companion.rules.former import (
    FORMER_SETTINGS,
    FORMER_VALUES,
    former_sentence,
    is_former,
    without_former,
)
from companion.rules.profile import SETTINGS
from companion.rules.profiles import PROFILES


def test_no_former_setting_or_word_is_one_still() -> None:
    assert set(FORMER_SETTINGS).isdisjoint(SETTINGS)
    for name, words in FORMER_VALUES.items():
        standing = PROFILES["modern"].settings()[name]
        assert isinstance(standing, list)
        assert set(words).isdisjoint(standing)


@pytest.mark.parametrize(
    ("settings", "kept"),
    [
        ({"dice": "shared_pair", "beaver": "never"}, {"beaver": "never"}),
        ({"clock_stops_for": ["between_games", "dispute"]}, {"clock_stops_for": ["dispute"]}),
        ({"clock_stops_for": ("between_games",)}, {"clock_stops_for": []}),
        (
            {"clock_stops_for": "between_games"},
            {"clock_stops_for": "between_games"},
        ),  # no list: refused as such
        ({"beavers": 1, "crawford": [{}]}, {"beavers": 1, "crawford": [{}]}),
    ],
)
def test_only_what_is_former_is_left_out(settings: dict[str, Any], kept: dict[str, Any]) -> None:
    assert without_former(settings) == kept
    assert any(is_former(name, value) for name, value in settings.items()) is (settings != kept)


def test_every_former_setting_and_word_is_refused_with_what_holds_instead() -> None:
    asked: list[tuple[str, object]] = [(name, "x") for name in FORMER_SETTINGS]
    asked += [(name, [word]) for name, words in FORMER_VALUES.items() for word in words]
    for name, value in asked:
        with pytest.raises(BadSettingError) as refused:
            PROFILES["modern"].with_overrides({name: value})
        assert str(refused.value) == str(former_sentence(name, value))
        assert "no longer" in str(refused.value)
        assert str(refused.value).endswith(".")
