"""Pictures that come and show nothing."""

import numpy as np
import pytest

from companion.eye import throws_folder
from companion.showing import NOISE, STANDS_STILL, WHITE, Showing, is_noise, is_white
from companion.throws import recorded_throws
from vision.camera import FolderCamera
from vision.frame import Bgr, Frame

CHANCE = np.random.default_rng(7)
GREY = np.full((120, 160, 3), 120, np.uint8)


def noisy(bgr: Bgr) -> Bgr:
    """A picture as a sensor takes it: a grey level here or there."""
    return np.clip(bgr.astype(np.int16) + CHANCE.integers(-1, 2, bgr.shape), 0, 255).astype(np.uint8)


def shown(
    showing: Showing, pictures: list[Bgr], begins_s: float = 0.0, fps: float = 10.0
) -> list[tuple[bool, str]]:
    """What is made of each of these pictures: whether it is read, and what is said."""
    frames = [Frame(bgr, begins_s + number / fps, number) for number, bgr in enumerate(pictures)]
    return [(showing.look(frame), showing.why) for frame in frames]


@pytest.mark.parametrize(("source", "limit_s"), [("0", 2.0), ("picamera", 2.0), ("rtsp://camera/live", 10.0)])
def test_picture_that_stands_still_is_said_until_another_comes(source: str, limit_s: float) -> None:
    showing = Showing(source)
    told = shown(showing, [GREY] * 150)
    first = int(limit_s * 10)
    assert told[:first] == [(True, "")] * first
    assert told[first:] == [(False, STANDS_STILL)] * (150 - first)
    assert shown(showing, [noisy(GREY)], 15.0) == [(True, "")]


def test_quiet_board_before_a_sensor_does_not_stand_still() -> None:
    pictures = [GREY.copy() for _ in range(60)]
    for number, bgr in enumerate(pictures):
        bgr[7, 11, number % 3] += number % 2 + 1  # one pixel is enough, wherever it is
    assert set(shown(Showing("0"), pictures)) == {(True, "")}


def test_lost_camera_begins_anew() -> None:
    showing = Showing("0")
    shown(showing, [GREY] * 15)
    showing.forget()
    assert set(shown(showing, [GREY] * 15, 30.0)) == {(True, "")}


@pytest.mark.parametrize(
    ("picture", "why"),
    [
        (lambda: noisy(np.full((120, 160, 3), 254, np.uint8)), WHITE),
        (lambda: CHANCE.integers(0, 256, (120, 160, 3), np.uint8), NOISE),
    ],
)
def test_picture_of_nothing_is_not_read_and_said_once_it_lasts(picture: object, why: str) -> None:
    showing = Showing("0")
    told = shown(showing, [picture() for _ in range(40)])  # type: ignore[operator]
    assert told[:20] == [(False, "")] * 20
    assert told[20:] == [(False, why)] * 20
    assert shown(showing, [noisy(GREY)], 4.0) == [(True, "")]


def test_flash_of_light_is_not_worth_a_word() -> None:
    white = [noisy(np.full((120, 160, 3), 254, np.uint8)) for _ in range(5)]
    told = shown(Showing("0"), [*white, noisy(GREY), *white, noisy(GREY)])
    assert {why for _, why in told} == {""}


def test_pictures_of_boards_are_neither_white_nor_noise() -> None:
    for throw in recorded_throws(throws_folder()):
        frame = next(iter(FolderCamera(throw.folder, throw.fps).frames()))
        bright = np.clip(frame.bgr.astype(np.float32) * 2 + 60, 0, 255).astype(np.uint8)
        dim = np.clip(frame.bgr * 0.4 + CHANCE.normal(0, 8, frame.bgr.shape), 0, 255).astype(np.uint8)
        for bgr in (frame.bgr, bright, dim):
            assert not is_white(bgr)
            assert not is_noise(bgr)
