"""Rest and stir."""

import numpy as np
import pytest

from vision.change import stir, thumb
from vision.frame import Bgr, Frame
from vision.watch.stillness import Stillness


def table(noise: float, seed: int, die: tuple[int, int] | None = None, light: int = 0) -> Bgr:
    rng = np.random.default_rng(seed)
    picture = np.full((360, 640, 3), 90 + light, np.float32)
    if die:
        x, y = die
        picture[y : y + 14, x : x + 14] = 230
    return np.clip(picture + rng.normal(0, noise, picture.shape), 0, 255).astype(np.uint8)


def test_differences_do_not_wrap() -> None:
    dark, bright = np.zeros((40, 40, 3), np.uint8), np.full((40, 40, 3), 255, np.uint8)
    assert (thumb(bright) - thumb(dark)).max() == 255
    assert (thumb(dark) - thumb(bright)).min() == -255


@pytest.mark.parametrize("noise", [0, 2, 5, 9])
def test_noise_is_no_change(noise: float) -> None:
    assert not stir(thumb(table(noise, 1)), thumb(table(noise, 2))).any


@pytest.mark.parametrize("noise", [0, 2, 5])
def test_a_die_of_fourteen_pixels_is_a_change(noise: float) -> None:
    changed = stir(thumb(table(noise, 1)), thumb(table(noise, 2, die=(300, 200))))
    box = changed.box_px()
    assert box is not None
    assert box[0] - 12 <= 300 <= box[2]
    assert box[1] - 12 <= 200 <= box[3]


def test_an_even_change_of_the_light_is_none() -> None:
    assert not stir(thumb(table(2, 1)), thumb(table(2, 2, light=16))).any


@pytest.mark.parametrize(
    ("fps", "needs"), [(5, 2), (10, 4), (15, 6), (30, 11)], ids=["5 fps", "10 fps", "15 fps", "30 fps"]
)
def test_rest_takes_a_third_of_a_second_whatever_the_pace(fps: int, needs: int) -> None:
    stillness = Stillness()
    said = [stillness.feed(Frame(table(2, n, die=(300, 200)), n / fps, n)) for n in range(needs + 2)]
    assert said.index(True) == needs


def test_movement_begins_the_wait_anew() -> None:
    stillness = Stillness()
    places = [None, None, None, (100, 100), (140, 120), (140, 120), (140, 120)]
    said = [stillness.feed(Frame(table(2, n, die=d), n * 0.2, n)) for n, d in enumerate(places)]
    assert said == [False, False, True, False, False, False, True]


def test_a_change_of_size_is_a_change() -> None:
    stillness = Stillness()
    stillness.feed(Frame(np.zeros((360, 640, 3), np.uint8), 0.0, 0))
    assert not stillness.feed(Frame(np.zeros((720, 1280, 3), np.uint8), 9.0, 1))
