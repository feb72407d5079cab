"""Ratings by the formula of FIBS."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.records.ratings import BEGINNING, Result, ratings


@pytest.mark.parametrize(
    ("length", "change"),
    [(1, 10.0), (4, 20.0), (9, 30.0)],
    ids=["one point", "four points", "nine points"],
)
def test_first_match_between_beginners(length: int, change: float) -> None:
    # FIBS's help: 4 * K * sqrt(N) * P with K = 5 and P = 1/2
    found = ratings([Result("m", "Ann", "Bob", length)])
    assert found["Ann"].value == pytest.approx(BEGINNING + change)
    assert found["Bob"].value == pytest.approx(BEGINNING - change)


def test_favourite_of_hundred_points_wins_less_than_he_loses() -> None:
    before = [Result("m", "Ann", "Bob", 25)]
    ann, bob = ratings(before)["Ann"], ratings(before)["Bob"]
    chance = 1 - 1 / (10 ** ((ann.value - bob.value) * 5 / 2000) + 1)  # of the favourite, to 25 points
    won, lost = (
        ratings([*before, Result("n", *pair, 25)])["Ann"].value for pair in (("Ann", "Bob"), ("Bob", "Ann"))
    )
    assert won - ann.value == pytest.approx(4 * 4.75 * 5 * (1 - chance))
    assert ann.value - lost == pytest.approx(4 * 4.75 * 5 * chance)


names = st.sampled_from(["Ann", "Bob", "Cleo", "Dan"])
matches = st.tuples(names, names, st.integers(1, 25)).filter(lambda one: one[0] != one[1])


@given(st.lists(matches, max_size=40))
def test_winner_gains_loser_loses_and_experience_is_the_points_played(
    played: list[tuple[str, str, int]],
) -> None:
    results = [Result(str(n), *one) for n, one in enumerate(played)]
    for n in range(len(results)):
        before, after = ratings(results[:n]), ratings(results[: n + 1])
        for name, sign in ((results[n].winner, 1), (results[n].loser, -1)):
            former = before[name].value if name in before else BEGINNING
            assert sign * (after[name].value - former) > 0
    for name, rating in ratings(results).items():
        assert rating.experience == sum(one.length for one in results if name in (one.winner, one.loser))
        course = ratings(results, name)[name].course
        assert len(course) == sum(name in (one.winner, one.loser) for one in results)
        assert course[-1] == rating.value
