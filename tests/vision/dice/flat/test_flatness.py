"""Chances that a die lies flat, and their odds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.dice.flat.flatness import with_odds

CHANCES = st.floats(0.001, 0.999)
ODDS = st.floats(0.01, 100.0)


@given(CHANCES, ODDS)
def test_odds_are_so_many_times_what_they_were(chance: float, odds: float) -> None:
    told = with_odds(chance, odds)
    assert 0 < told < 1
    assert told / (1 - told) == pytest.approx(odds * chance / (1 - chance))


@pytest.mark.parametrize("chance", [0.0, 1.0])
def test_what_is_certain_stays_so(chance: float) -> None:
    assert with_odds(chance, 0.1) == chance
