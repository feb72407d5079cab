"""Dice on painted boards: the truth fits the picture, and nothing leans on nothing."""

import cv2
import numpy as np
import pytest

from vision.training.painted.film import filmed
from vision.training.painted.throws import Throw, painted_throw

SEEDS = (900031, 900032, 900033)


@pytest.mark.parametrize("wider", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_dice_are_where_the_truth_says(seed: int, wider: bool) -> None:
    sample = painted_throw(seed, held_out=True, wider=wider)
    h, w = sample.image.shape[:2]
    assert sample.dice
    for die in sample.dice:
        x, y = die.centre_px
        assert 0 < x < w
        assert 0 < y < h
        assert 1 <= die.value <= 6
        assert (die.tilt_deg > 5) == (die.rest == "leaning")
        if die.rest != "leaning":
            assert die.own_up == pytest.approx(die.up, abs=1e-6)


def test_a_seed_paints_the_same_picture_again() -> None:
    one, other = (painted_throw(SEEDS[0], held_out=True) for _ in range(2))
    assert np.array_equal(one.image, other.image)
    assert one.dice == other.dice


def test_the_wider_range_has_far_cameras_low_lamps_and_round_dice() -> None:
    some = {
        wider: [Throw(np.random.default_rng(seed), held_out=True, wider=wider) for seed in range(12)]
        for wider in (False, True)
    }
    for measure in (
        lambda throw: throw.shot.away_mm / throw.plan.size_mm[0],
        lambda throw: np.hypot(*throw.scene.lamp),
        lambda throw: max(look.rounding for look in throw.looks),
    ):
        usual, wide = (max(measure(throw) for throw in some[wider]) for wider in (False, True))
        assert wide > 1.25 * usual


def test_hard_light_makes_darker_shadows_on_the_same_board() -> None:
    for seed in SEEDS:
        usual, hard = (Throw(np.random.default_rng(seed), held_out=True, hard=hard) for hard in (False, True))
        assert hard.strength > usual.strength
        assert hard.shadow > usual.shadow
        assert hard.picture.mean() < usual.picture.mean()
        assert np.array_equal(hard.plan.marks, usual.plan.marks)


def test_some_dice_in_hard_light_are_of_wood() -> None:
    grains = {
        hard: [
            look.grain
            for seed in range(12)
            for look in Throw(np.random.default_rng(seed), held_out=True, hard=hard).looks
        ]
        for hard in (False, True)
    }
    assert not any(grains[False])
    assert 0 < sum(grain > 0 for grain in grains[True]) < len(grains[True]) / 2


@pytest.mark.parametrize("wider", [False, True])
def test_what_leans_has_something_near_it(wider: bool) -> None:
    leaning = 0
    for seed in SEEDS:
        throw = Throw(np.random.default_rng(seed), held_out=True, wider=wider)
        throw.lay()
        (w, h), s = throw.plan.size_mm, throw.edge_mm
        for die in throw.laid:
            if die.rest != "leaning":
                continue
            leaning += 1
            x, y, _ = die.at_mm
            discs = (np.hypot(x - d.x, y - d.y) - d.radius for d in throw.scene.discs)
            dice = (
                np.hypot(*(die.at_mm - other.at_mm)[:2]) - s / 2 for other in throw.laid if other is not die
            )
            rims = (w / 2 - abs(x), h / 2 - abs(y))
            assert min(*discs, *dice, *rims) < 1.1 * s
    assert leaning


def test_faults_keep_a_small_die_readable() -> None:
    picture = np.full((64, 64, 3), 200, np.uint8)
    cv2.circle(picture, (32, 32), 4, (20, 20, 20), -1)
    for seed in range(20):
        out = filmed(np.random.default_rng(seed), picture, 12.0)
        assert int(out[60, 60].mean()) - int(out[32, 32].mean()) > 40


def test_an_overexposed_picture_is_white_where_others_are_bright() -> None:
    grey = np.tile(np.arange(256, dtype=np.uint8)[:, None, None], (1, 32, 3))
    usual, bright = (
        filmed(np.random.default_rng(3), grey, edge_px=20.0, bright=bright).mean((1, 2))
        for bright in (1.0, 1.8)
    )
    assert (bright > 250).sum() > 1.5 * (usual > 250).sum()
    assert bright.mean() > usual.mean()
