"""Painted games: the dice show the roll, and what is not moved looks the same."""

import random
from itertools import islice

import numpy as np
import pytest

from companion.rules.board import Side
from tests.bench.vision.painted_game import GameThrow, PaintedGame, counts_of, turned_to
from tests.support.camera.checker_views import random_game

SEED = 3


def test_a_play_changes_the_picture_only_at_its_points() -> None:
    game = PaintedGame(SEED, illegal=0.0)
    first = next(turn for turn in game.game if turn.before != turn.after)
    before, after = (game.table.scene(board) for board in (first.before, first.after))
    changed = np.abs(before.picture.astype(int) - after.picture).max(-1) > 24
    assert 0 < changed.mean() < 0.05
    moved = np.flatnonzero((counts_of(first.before) != counts_of(first.after)).any(-1))
    plan, px = game.table.plan, game.table.shot
    point = (plan.size_mm[0] - plan.bar_mm) / 12
    for k in set(range(24)) - set(moved):
        n = k + 1 if k < 12 else 24 - k
        x = plan.bar_mm / 2 + (6.5 - n) * point if n <= 6 else -plan.bar_mm / 2 - (n - 6.5) * point
        (u, v) = px.on(np.array([(x, (1 if k >= 12 else -1) * plan.size_mm[1] / 2 * 0.85)]))[0].astype(int)
        assert not changed[v - 2 : v + 3, u - 2 : u + 3].any(), f"point {k + 1}"


@pytest.mark.parametrize("face", range(1, 7))
def test_a_die_is_turned_to_the_wanted_face(face: int) -> None:
    game = PaintedGame(SEED, illegal=0.0)
    throw = GameThrow(game.table, [game.table.scene(game.game[0].before).scene], 0, Side.SOUTH)
    for die in throw.throw((1.0, 1.0), cocked=True):
        assert throw._truth(turned_to(throw, die, face), throw.looks[0]).value == face


def test_the_truth_is_that_of_the_game() -> None:
    game = PaintedGame(SEED, illegal=0.0)
    shown = list(islice(game.phases(), 7))
    assert [phase.name for phase in shown[:6]] == ["start", "settled", "arm", "moved", "arm", "lifted"]
    first = random_game(random.Random(SEED))[0]
    assert game.turns[0]["roll"] == list(first.roll)
    assert game.turns[0]["after"]["A"] == counts_of(first.after)[:24, 0].tolist()
