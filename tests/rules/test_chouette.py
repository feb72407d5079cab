"""Chouette: rows F13 to F16 of docs/rules/family.md."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import GameError
from companion.rules.family.chouette import Party, answer, chouette_of, double, following, play_out

BOX, TEAM = Party.BOX, Party.TEAM
FIVE = ("Ann", "Bob", "Cem", "Dora", "Eva")


def game(rng, now):
    """A whole game of random doubles, answers and ends; gives each state."""
    while not now.is_over:
        by = rng.choice([*Party])
        can = [name for name in now.playing if now.stakes[name].owner in (None, by)]
        if now.doubled:
            now = answer(now, rng.choice(sorted(now.asked)), take=rng.random() < 0.6)
        elif can and rng.random() < 0.7:
            now = double(now, by, rng.choice([None, rng.sample(can, rng.randint(1, len(can)))]))
        else:
            now = play_out(now, by, rng.randint(1, 3), jacoby=rng.random() < 0.5)
        yield now


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_f16_accounts_sum_to_nought_after_each_of_fifty_games_of_five_players(seed) -> None:
    rng, now = random.Random(seed), chouette_of(FIVE)
    for _ in range(50):
        before = now.accounts
        states = list(game(rng, now))
        for state in states:
            assert sum(state.accounts.values()) == 0
            assert state.captain in state.queue[1:]
            assert state.is_over or state.asked or state.stakes[state.captain].is_open
        now = states[-1]
        won = {name: stake.won for name, stake in now.stakes.items()}
        assert {name: now.accounts[name] - before[name] for name in won} == won
        now = following(now)
        assert sorted(now.queue) == sorted(FIVE)
        assert not now.is_over


def test_f13_the_first_plays_alone_and_the_second_moves_for_the_others() -> None:
    now = chouette_of(FIVE)
    assert (now.box, now.captain, now.playing) == ("Ann", "Bob", FIVE[1:])


@pytest.mark.parametrize(
    "players", [("Ann", "Bob"), ("Ann", "Bob", "Ann"), ("Ann", "", "Bob"), tuple("ABCDEFGHI")]
)
def test_f13_a_chouette_has_three_to_eight_players_each_with_a_name(players) -> None:
    with pytest.raises(GameError, match="3 to 8 players"):
        chouette_of(players)


def test_f14_each_partner_takes_or_passes_for_himself() -> None:
    now = double(chouette_of(FIVE), BOX)
    for name in FIVE[1:]:
        now = answer(now, name, take=name in ("Cem", "Eva"))
    assert now.accounts == {"Ann": 2, "Bob": -1, "Cem": 0, "Dora": -1, "Eva": 0}
    assert now.captain == "Cem"
    now = play_out(now, TEAM, 2)
    assert now.accounts == {"Ann": -6, "Bob": -1, "Cem": 4, "Dora": -1, "Eva": 4}


def test_f14_the_box_answers_the_team_on_each_cube() -> None:
    now = double(chouette_of(FIVE[:3]), TEAM)
    now = answer(answer(now, "Bob", take=False), "Cem", take=True)
    assert (now.accounts["Bob"], now.captain, now.stakes["Cem"].owner) == (1, "Cem", BOX)
    with pytest.raises(GameError, match="cannot be turned"):
        double(now, TEAM)
    assert double(now, BOX).asked == {"Cem"}


@pytest.mark.parametrize(
    ("winner", "queue"),
    [(TEAM, ("Bob", "Cem", "Dora", "Eva", "Ann")), (BOX, ("Ann", "Cem", "Dora", "Eva", "Bob"))],
    ids=["the box lost", "the box won"],
)
def test_f15_the_loser_goes_to_the_end_of_the_queue(winner, queue) -> None:
    assert following(play_out(chouette_of(FIVE), winner, 1)).queue == queue


def test_f15_the_partner_who_plays_on_and_wins_becomes_the_box() -> None:
    now = double(chouette_of(FIVE[:3]), BOX)
    now = answer(answer(now, "Bob", take=False), "Cem", take=True)
    assert following(play_out(now, TEAM, 1)).queue == ("Cem", "Bob", "Ann")


def test_f16_jacoby_holds_for_each_cube() -> None:
    now = answer(double(chouette_of(FIVE[:3]), BOX, ["Cem"]), "Cem", take=True)
    now = play_out(now, BOX, 3, jacoby=True)
    assert now.accounts == {"Ann": 7, "Bob": -1, "Cem": -6}


def test_nothing_else_happens_while_an_answer_is_awaited() -> None:
    now = double(chouette_of(FIVE), BOX)
    for step in (lambda: double(now, TEAM), lambda: play_out(now, BOX, 1)):
        with pytest.raises(GameError, match="awaits its answer"):
            step()
    with pytest.raises(GameError, match="not over"):
        following(now)
    with pytest.raises(GameError, match="No answer"):
        answer(now, "Ann", take=True)


def test_f15_captain_whose_double_the_box_passes_is_the_next_box() -> None:
    for order in (("Bob", "Cem"), ("Cem", "Bob")):
        now = double(chouette_of(["Ann", "Bob", "Cem"]), Party.TEAM, ["Bob", "Cem"])
        for name in order:
            now = answer(now, name, take=False)
        assert following(now).queue == ("Bob", "Cem", "Ann")
