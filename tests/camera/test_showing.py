"""Pictures that come and show nothing."""

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.camera.recorded import recorded_throws, throws_folder
from companion.camera.showing import (
    BLACK,
    CUT,
    EMPTY,
    NOISE,
    STANDS_STILL,
    WHITE,
    Showing,
    green_of,
    what_is_missing,
)
from tests.support.collection import thinned
from vision.capture.camera import FolderCamera
from vision.capture.picture import load_picture
from vision.frame import Bgr, Frame

PHOTOGRAPHS = Path(__file__).parents[1] / "golden" / "photographs"
CHANCE = np.random.default_rng(7)
HIGH, WIDE = 360, 640
THING = np.full((120, 160, 3), 120, np.uint8)
THING[40:80, 60:100] = 160


def noisy(bgr: Bgr) -> Bgr:
    """A picture as a sensor takes it: a grey level here or there."""
    return np.clip(bgr.astype(np.int16) + CHANCE.integers(-1, 2, bgr.shape), 0, 255).astype(np.uint8)


def noise(level: float, most: float, block: int = 1, smooth: bool = False) -> Bgr:
    """Noise around a grey level, each block of pixels drawn by lot."""
    few = CHANCE.uniform(-most, most, (HIGH // block, WIDE // block, 3))
    way = cv2.INTER_LINEAR if smooth else cv2.INTER_NEAREST
    return np.clip(level + cv2.resize(few, (WIDE, HIGH), interpolation=way), 0, 255).astype(np.uint8)


def sent(bgr: Bgr, part: float = 1.0) -> Bgr:
    """A picture as a stream sends it, or only its beginning and the mark of its end."""
    data = cv2.imencode(".jpg", bgr)[1].tobytes()
    data = data[: round(part * len(data))] + b"\xff\xd9"
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def boards() -> list[Bgr]:
    """The first picture of each recorded throw."""
    throws = recorded_throws(throws_folder())
    return [next(iter(FolderCamera(throw.folder, throw.fps).frames())).bgr for throw in throws]


def shown(
    showing: Showing, pictures: list[Bgr], begins_s: float = 0.0, fps: float = 8.0
) -> list[tuple[bool, str]]:
    """What is made of each of these pictures: whether it is read, and what is said."""
    frames = [Frame(bgr, begins_s + number / fps, number) for number, bgr in enumerate(pictures)]
    return [(showing.look(frame), showing.why) for frame in frames]


@pytest.mark.parametrize("turns", [1, 2, 4, 8])
@pytest.mark.parametrize(("source", "limit_s"), [("0", 2), ("picamera", 2), ("rtsp://camera/live", 10)])
def test_few_pictures_in_turn_are_said_until_another_comes(source: str, limit_s: int, turns: int) -> None:
    """One is a driver that has frozen, several are the buffers of one that has."""
    showing = Showing(source)
    told = shown(showing, [noisy(THING) for _ in range(turns)] * (128 // turns))
    first = 2 * turns + 8 * limit_s  # twice round until they are known
    assert told[:first] == [(True, "")] * first
    assert set(told[first:]) == {(False, STANDS_STILL)}
    assert shown(showing, [noisy(THING)], 16.0) == [(True, "")]


def test_few_pictures_in_any_order_are_said() -> None:
    few = [noisy(THING) for _ in range(4)]
    told = shown(Showing("0"), [few[0], few[1], *few] * 3 + few[2:] + [few[0]] * 20 + [few[1]] * 20)
    assert told[-30:] == [(False, STANDS_STILL)] * 30


def test_quiet_board_before_a_sensor_does_not_stand_still() -> None:
    pictures = [THING.copy() for _ in range(60)]
    for number, bgr in enumerate(pictures):
        bgr[7, 11, number % 3] += number  # one pixel is enough, wherever it is
    assert set(shown(Showing("0"), pictures)) == {(True, "")}


def test_lost_camera_begins_anew() -> None:
    showing = Showing("0")
    shown(showing, [THING] * 15)
    showing.forget()
    assert set(shown(showing, [THING] * 15, 30.0)) == {(True, "")}


@pytest.mark.parametrize(
    ("picture", "why"),
    [
        pytest.param(lambda: noise(254, 1), WHITE, id="white"),
        pytest.param(lambda: noise(246, 2), WHITE, id="nearly white"),
        pytest.param(lambda: noise(30, 4), BLACK, id="covered lens, gain up"),
        pytest.param(lambda: noise(12, 6), BLACK, id="nearly black"),
        pytest.param(lambda: noise(120, 15), EMPTY, id="grey"),
        pytest.param(lambda: noise(128, 128), NOISE, id="noise"),
        pytest.param(lambda: noisy(THING[40:60]), EMPTY, id="too small for a die"),
        pytest.param(lambda: noise(128, 128, 2), NOISE, id="noise in blocks of 2"),
        pytest.param(lambda: noise(128, 128, 2, smooth=True), NOISE, id="noise doubled smoothly"),
        pytest.param(lambda: noise(128, 128, 8), NOISE, id="noise in blocks of 8"),
        pytest.param(lambda: sent(noisy(boards()[0]), 0.5), CUT, id="half a picture"),
    ],
)
@pytest.mark.parametrize("as_sent", [False, True], ids=["raw", "jpeg"])
def test_picture_of_nothing_is_not_read_and_said_once_it_lasts(
    picture: Callable[[], Bgr], why: str, as_sent: bool
) -> None:
    showing = Showing("0")
    told = shown(showing, [sent(picture()) if as_sent else picture() for _ in range(20)])
    assert told[:16] == [(False, "")] * 16
    assert told[16:] == [(False, why)] * 4
    assert shown(showing, [noisy(THING)], 4.0) == [(True, "")]


@pytest.mark.parametrize("source", ["0", "http://camera/video"])
def test_same_picture_after_white_ones_is_back_each_time(source: str) -> None:
    """A stream that repeats a quiet board to the last bit, and a light that is switched on and off before it."""
    showing = Showing(source)
    round_of = [noise(255, 0)] * 20 + [THING] * 4
    for number in range(8):
        told = shown(showing, round_of, 3.0 * number)
        assert told[16:20] == [(False, WHITE)] * 4
        assert told[20:] == [(True, "")] * 4


def test_buffers_in_turn_of_which_one_is_white_are_said() -> None:
    told = shown(Showing("0"), [noise(255, 0), THING, noisy(THING)] * 20)
    assert told[-30:] == [(False, ""), (False, STANDS_STILL), (False, STANDS_STILL)] * 10


def test_flash_of_light_is_not_worth_a_word() -> None:
    white = [noise(254, 1) for _ in range(5)]
    told = shown(Showing("0"), [*white, noisy(THING), *white, noisy(THING)])
    assert {why for _, why in told} == {""}


def test_pictures_of_boards_show_something() -> None:
    for bgr in boards():
        bright = np.clip(bgr.astype(np.float32) * 2 + 60, 0, 255).astype(np.uint8)
        dim = np.clip(bgr / 3 + CHANCE.normal(0, 8, bgr.shape), 0, 255).astype(np.uint8)
        for one in (bgr, bright, dim, sent(dim)):
            assert what_is_missing(one) == ""


def photographs(folder: Path) -> Sequence[Path]:
    """A few photographs of dice: of the whole collection, or those beside the readings that are checked."""
    return thinned(sorted(folder.glob("real/*.jpg")) or sorted(PHOTOGRAPHS.glob("*.jpg")), 12)


def test_pictures_at_hand_show_something_by_a_wide_margin(collection: Path) -> None:
    """The figures of `companion.camera.showing`, on a part of the pictures they were taken from."""
    folder = collection / "vision"
    rendered = thinned(sorted(folder.glob("rendered/*.jpg")), 11)
    real = photographs(folder)
    assert len(rendered) >= 6
    for file in [*rendered, *folder.glob("sequences/*/frame_00.jpg"), *real]:
        third = (load_picture(file) / 3).astype(np.uint8)
        pixels, cells = green_of(third)
        assert what_is_missing(third) == ""
        assert cells.std() > (2.7 if file in real else 5.3)
        assert cells.var() > 0.16 * pixels.var()


def with_edge(bgr: Bgr, edge: str, level: int) -> Bgr:
    """A picture whose lower quarter, or upper and lower one, is painted in a grey level."""
    painted, high = bgr.copy(), len(bgr) // 4
    painted[-high:] = level
    if edge == "both":
        painted[:high] = level
    return painted


@pytest.mark.parametrize(
    ("edge", "level", "why"),
    [
        pytest.param("bottom", 128, CUT, id="grey below"),
        pytest.param("bottom", 60, CUT, id="dark grey below"),
        pytest.param("bottom", 0, "", id="black below: a bar, or a dark room"),
        pytest.param("bottom", 255, "", id="white below: a clipped table"),
        pytest.param("both", 128, "", id="a grey frame around it"),
    ],
)
def test_only_a_missing_part_is_called_one(edge: str, level: int, why: str) -> None:
    whole = noisy(boards()[0])
    told = shown(Showing("0"), [whole] + [with_edge(noisy(whole), edge, level) for _ in range(20)])
    assert told[17:] == [(not why, why)] * 4


@pytest.mark.parametrize("level", [60, 128, 200])
def test_bar_that_was_there_from_the_first_picture_on_is_an_apps_caption(
    level: int, collection: Path
) -> None:
    for file in photographs(collection / "vision"):
        photograph = load_picture(file)
        bar = np.full((len(photograph) // 8, *photograph.shape[1:]), level, np.uint8)
        shot = np.concatenate([photograph, bar])
        for one in (shot, sent(shot)):
            assert set(shown(Showing("http://phone/video"), [one] * 4, fps=1.0)) == {(True, "")}


def test_break_is_known_by_its_step_until_pictures_come_in_another_shape() -> None:
    whole = boards()[0]
    showing = Showing("0")
    broken = [sent(noisy(whole), 0.4 + 0.01 * number) for number in range(20)]
    straight = [with_edge(noisy(whole), "bottom", 128) for _ in range(20)]
    assert shown(showing, [*broken, *straight])[16:] == [(False, CUT)] * 24
    assert shown(showing, [one[:, 100:] for one in straight], 5.0) == [(True, "")] * 20


def test_camera_whose_pictures_were_whole_before_it_was_lost_breaks_off_after_it() -> None:
    whole = noisy(boards()[0])
    showing = Showing("0")
    shown(showing, [whole])
    showing.forget()
    told = shown(showing, [with_edge(noisy(whole), "bottom", 60) for _ in range(20)], 1.0)
    assert told[16:] == [(False, CUT)] * 4
