"""Painted boards between turns: what nobody touched looks the same, and what was moved shows."""

import numpy as np
import pytest

from vision.checkers.quadrants import HALF_PX, POINT_PX, POINTS
from vision.training.checkers.moves import HELD_OUT, PICTURES, after_moves, load, main, painted, seed_of
from vision.training.painted.checkers import random_counts

SEEDS = range(2, 8)


@pytest.fixture(scope="module")
def boards():
    return [painted(seed) for seed in SEEDS]


def test_points_counts_and_covered_shares_are_of_one_board(boards):
    for one in boards:
        assert one.points.shape == (PICTURES, POINTS, HALF_PX, POINT_PX, 3)
        assert one.counts.shape == (PICTURES, POINTS, 2)
        assert one.covered.shape == (PICTURES, POINTS)


def test_points_that_checkers_came_to_or_left_differ_more_than_the_others(boards):
    changed, alone = [], []
    for one in boards:
        for before, now in zip(range(PICTURES - 1), range(1, PICTURES), strict=True):
            free = (one.covered[[before, now]] == 0).all(0)
            is_moved = (one.counts[before] != one.counts[now]).any(1)
            change = np.abs(one.points[now].astype(float) - one.points[before])
            change -= np.median(change)
            most = change.max(3).reshape(POINTS, -1)
            each = np.quantile(most, 0.9, axis=1)
            changed += each[free & is_moved].tolist()
            alone += each[free & ~is_moved].tolist()
    assert np.median(changed) > 3 * np.median(alone)


def test_moves_make_no_checkers_and_leave_one_side_on_a_point():
    rng = np.random.default_rng(5)
    for _ in range(50):
        counts = random_counts(rng)
        after, touched = after_moves(rng, counts, np.zeros(POINTS, np.int64))
        assert (after >= 0).all()
        assert (after.sum(0) <= counts.sum(0)).all()
        assert not (after[:POINTS] > 0).all(1).any()
        assert (touched >= 0).all()


def test_file_holds_the_board_of_its_seed(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["moves", "--out", str(tmp_path), "--seeds", f"{HELD_OUT}-{HELD_OUT}"])
    main()
    [file] = tmp_path.iterdir()
    assert seed_of(file) == HELD_OUT
    for name in ("points", "counts", "covered"):
        assert (getattr(load(file), name) == getattr(painted(HELD_OUT), name)).all()
