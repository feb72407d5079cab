"""Pictures of a live camera that show nothing, or not all."""

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.support.collection import thinned
from vision.capture.picture import load_picture
from vision.frame import Bgr, Frame
from vision.watch.blank import BlankCheck, Fault, fault_of, green_of

THROWS = Path(__file__).parents[3] / "companion" / "camera" / "recorded_throws"
PHOTOGRAPHS = Path(__file__).parents[2] / "golden" / "photographs"
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
    return [load_picture(sorted(folder.glob("*.jpg"))[0]) for folder in sorted(THROWS.glob("*/"))]


def checked(
    check: BlankCheck, pictures: list[Bgr], begins_s: float = 0.0, fps: float = 8.0
) -> list[tuple[bool, Fault | None]]:
    """The outcome for each of these pictures: whether it is read, and the fault that is reported."""
    frames = [Frame(bgr, begins_s + number / fps, number) for number, bgr in enumerate(pictures)]
    return [(check.passes(frame), check.fault) for frame in frames]


@pytest.mark.parametrize("turns", [1, 2, 4, 8])
@pytest.mark.parametrize(("source", "limit_s"), [("0", 2), ("picamera", 2), ("rtsp://camera/live", 10)])
def test_few_pictures_in_turn_are_said_until_another_comes(source: str, limit_s: int, turns: int) -> None:
    """One is a driver that has frozen, several are the buffers of one that has."""
    check = BlankCheck(source)
    outcomes = checked(check, [noisy(THING) for _ in range(turns)] * (128 // turns))
    first = 2 * turns + 8 * limit_s  # twice round until they are known
    assert outcomes[:first] == [(True, None)] * first
    assert set(outcomes[first:]) == {(False, Fault.FROZEN)}
    assert checked(check, [noisy(THING)], 16.0) == [(True, None)]


def test_few_pictures_in_any_order_are_said() -> None:
    few = [noisy(THING) for _ in range(4)]
    outcomes = checked(BlankCheck("0"), [few[0], few[1], *few] * 3 + few[2:] + [few[0]] * 20 + [few[1]] * 20)
    assert outcomes[-30:] == [(False, Fault.FROZEN)] * 30


def test_quiet_board_before_a_sensor_does_not_stand_still() -> None:
    pictures = [THING.copy() for _ in range(60)]
    for number, bgr in enumerate(pictures):
        bgr[7, 11, number % 3] += number  # one pixel is enough, wherever it is
    assert set(checked(BlankCheck("0"), pictures)) == {(True, None)}


def test_lost_camera_begins_anew() -> None:
    check = BlankCheck("0")
    checked(check, [THING] * 15)
    check.forget()
    assert set(checked(check, [THING] * 15, 30.0)) == {(True, None)}


@pytest.mark.parametrize(
    ("picture", "fault"),
    [
        pytest.param(lambda: noise(254, 1), Fault.WHITE, id="white"),
        pytest.param(lambda: noise(246, 2), Fault.WHITE, id="nearly white"),
        pytest.param(lambda: noise(30, 4), Fault.BLACK, id="covered lens, gain up"),
        pytest.param(lambda: noise(12, 6), Fault.BLACK, id="nearly black"),
        pytest.param(lambda: noise(120, 15), Fault.EMPTY, id="grey"),
        pytest.param(lambda: noise(128, 128), Fault.NOISE, id="noise"),
        pytest.param(lambda: noisy(THING[40:60]), Fault.EMPTY, id="too small for a die"),
        pytest.param(lambda: noise(128, 128, 2), Fault.NOISE, id="noise in blocks of 2"),
        pytest.param(lambda: noise(128, 128, 2, smooth=True), Fault.NOISE, id="noise doubled smoothly"),
        pytest.param(lambda: noise(128, 128, 8), Fault.NOISE, id="noise in blocks of 8"),
        pytest.param(lambda: sent(noisy(boards()[0]), 0.5), Fault.TRUNCATED, id="half a picture"),
    ],
)
@pytest.mark.parametrize("as_sent", [False, True], ids=["raw", "jpeg"])
def test_picture_of_nothing_is_not_read_and_said_once_it_lasts(
    picture: Callable[[], Bgr], fault: Fault, as_sent: bool
) -> None:
    check = BlankCheck("0")
    outcomes = checked(check, [sent(picture()) if as_sent else picture() for _ in range(20)])
    assert outcomes[:16] == [(False, None)] * 16
    assert outcomes[16:] == [(False, fault)] * 4
    assert checked(check, [noisy(THING)], 4.0) == [(True, None)]


@pytest.mark.parametrize("source", ["0", "http://camera/video"])
def test_same_picture_after_white_ones_is_back_each_time(source: str) -> None:
    """A stream that repeats a quiet board to the last bit, and a light that is switched on and off before it."""
    check = BlankCheck(source)
    round_of = [noise(255, 0)] * 20 + [THING] * 4
    for number in range(8):
        outcomes = checked(check, round_of, 3.0 * number)
        assert outcomes[16:20] == [(False, Fault.WHITE)] * 4
        assert outcomes[20:] == [(True, None)] * 4


def test_buffers_in_turn_of_which_one_is_white_are_said() -> None:
    outcomes = checked(BlankCheck("0"), [noise(255, 0), THING, noisy(THING)] * 20)
    assert outcomes[-30:] == [(False, None), (False, Fault.FROZEN), (False, Fault.FROZEN)] * 10


def test_flash_of_light_is_not_worth_a_word() -> None:
    white = [noise(254, 1) for _ in range(5)]
    outcomes = checked(BlankCheck("0"), [*white, noisy(THING), *white, noisy(THING)])
    assert {fault for _, fault in outcomes} == {None}


def test_pictures_of_boards_show_something() -> None:
    for bgr in boards():
        bright = np.clip(bgr.astype(np.float32) * 2 + 60, 0, 255).astype(np.uint8)
        dim = np.clip(bgr / 3 + CHANCE.normal(0, 8, bgr.shape), 0, 255).astype(np.uint8)
        for one in (bgr, bright, dim, sent(dim)):
            assert fault_of(one) is None


def photographs(folder: Path) -> Sequence[Path]:
    """A few photographs of dice: of the whole collection, or those beside the readings that are checked."""
    return thinned(sorted(folder.glob("real/*.jpg")) or sorted(PHOTOGRAPHS.glob("*.jpg")), 12)


def test_pictures_at_hand_show_something_by_a_wide_margin(collection: Path) -> None:
    """The figures of `vision.watch.blank`, on a part of the pictures they were taken from."""
    folder = collection / "vision"
    rendered = thinned(sorted(folder.glob("rendered/*.jpg")), 11)
    real = photographs(folder)
    assert len(rendered) >= 6
    for file in [*rendered, *folder.glob("sequences/*/frame_00.jpg"), *real]:
        third = (load_picture(file) / 3).astype(np.uint8)
        pixels, cells = green_of(third)
        assert fault_of(third) is None
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
    ("edge", "level", "fault"),
    [
        pytest.param("bottom", 128, Fault.TRUNCATED, id="grey below"),
        pytest.param("bottom", 60, Fault.TRUNCATED, id="dark grey below"),
        pytest.param("bottom", 0, None, id="black below: a bar, or a dark room"),
        pytest.param("bottom", 255, None, id="white below: a clipped table"),
        pytest.param("both", 128, None, id="a grey frame around it"),
    ],
)
def test_only_a_missing_part_is_called_one(edge: str, level: int, fault: Fault | None) -> None:
    whole = noisy(boards()[0])
    outcomes = checked(BlankCheck("0"), [whole] + [with_edge(noisy(whole), edge, level) for _ in range(20)])
    assert outcomes[17:] == [(fault is None, fault)] * 4


@pytest.mark.parametrize("level", [60, 128, 200])
def test_bar_that_was_there_from_the_first_picture_on_is_an_apps_caption(
    level: int, collection: Path
) -> None:
    for file in photographs(collection / "vision"):
        photograph = load_picture(file)
        bar = np.full((len(photograph) // 8, *photograph.shape[1:]), level, np.uint8)
        shot = np.concatenate([photograph, bar])
        for one in (shot, sent(shot)):
            assert set(checked(BlankCheck("http://phone/video"), [one] * 4, fps=1.0)) == {(True, None)}


def test_break_is_known_by_its_step_until_pictures_come_in_another_shape() -> None:
    whole = boards()[0]
    check = BlankCheck("0")
    broken = [sent(noisy(whole), 0.4 + 0.01 * number) for number in range(20)]
    straight = [with_edge(noisy(whole), "bottom", 128) for _ in range(20)]
    assert checked(check, [*broken, *straight])[16:] == [(False, Fault.TRUNCATED)] * 24
    assert checked(check, [one[:, 100:] for one in straight], 5.0) == [(True, None)] * 20


def test_camera_whose_pictures_were_whole_before_it_was_lost_breaks_off_after_it() -> None:
    whole = noisy(boards()[0])
    check = BlankCheck("0")
    checked(check, [whole])
    check.forget()
    outcomes = checked(check, [with_edge(noisy(whole), "bottom", 60) for _ in range(20)], 1.0)
    assert outcomes[16:] == [(False, Fault.TRUNCATED)] * 4
