"""Change between two pictures in colour."""

import numpy as np
import pytest

from vision.change import colour_thumb, stir, thumb
from vision.frame import Bgr

FELT = (34, 30, 120)
"""Blue, green, red."""


def felt(seed: int, die: tuple[int, int, int] | None = None, noise: float = 2.0, light: int = 0) -> Bgr:
    """Red felt with noise, in another light, with a die of this colour."""
    picture = np.full((360, 640, 3), FELT, np.float32)
    if die is not None:
        picture[200:228, 300:328] = die
    picture += np.random.default_rng(seed).normal(light, noise, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("die", [(40, 36, 190), (90, 34, 125)], ids=["red", "violet"])
def test_die_that_hardly_changes_the_green_is_a_change_of_colour(die: tuple[int, int, int]) -> None:
    before, after = felt(1), felt(2, die)
    assert not stir(thumb(before), thumb(after)).any
    box = stir(colour_thumb(before), colour_thumb(after)).box_px()
    assert box is not None
    assert abs(np.array(box) - (300, 200, 328, 228)).max() <= 8


@pytest.mark.parametrize("noise", [0.0, 2.0, 5.0, 9.0])
def test_noise_and_an_even_change_of_the_light_change_no_colour(noise: float) -> None:
    assert not stir(colour_thumb(felt(1, noise=noise)), colour_thumb(felt(2, noise=noise, light=6))).any
