"""The part of the camera's frame that is kept as a throw's picture, and its dice in there."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from vision.board.calibration import Board
from vision.dice.reading import DiceReading, DieReading
from vision.frame import Frame
from vision.watch.crop import RIM, crop_box, cropped
from vision.watch.watcher import ThrowSeen

SIZE = (1280, 720)
CORNERS = ((200.0, 100.0), (1000.0, 100.0), (1010.0, 680.0), (190.0, 680.0))
BOARD = Board(SIZE, CORNERS, (560, 420), 40)
GREY = Frame(np.full((720, 1280, 3), 90, np.uint8), 2.0, 7)


def die(x: float, y: float, width: float = 30.0) -> DieReading:
    """A die with its upper left corner there."""
    box = (x, y, x + width, y + width)
    return DieReading(6, 1.0, box, (x + width / 2, y + width / 2), (10.0, 20.0), 1.0, "flat", "right")


def thrown(*dice: DieReading, frame: Frame = GREY) -> ThrowSeen:
    return ThrowSeen(DiceReading(dice, False, True), frame)


def test_board_with_its_rims_is_kept_and_no_more() -> None:
    x0, y0, x1, y1 = crop_box(SIZE, CORNERS, []) or (0, 0, 0, 0)
    margin = RIM * 820
    assert (x0, y0) == (int(190 - margin), int(100 - margin))
    assert (x1, y1) == (int(1010 + margin) + 1, 720)


def test_a_die_beside_the_board_is_kept_and_one_far_away_is_not() -> None:
    usual = crop_box(SIZE, CORNERS, [])
    assert usual is not None
    beside = crop_box(SIZE, CORNERS, [(1080, 300, 1110, 330)])
    assert beside is not None
    assert beside[2] > 1110 > usual[2]
    assert crop_box(SIZE, CORNERS, [(1240, 10, 1270, 40)]) == usual


def test_without_a_board_what_is_around_the_dice_is_kept() -> None:
    assert crop_box(SIZE, None, [(400, 300, 430, 330), (500, 320, 530, 350)]) == (310, 210, 621, 441)
    assert crop_box(SIZE, None, []) is None


def test_cropped_throw_fits_its_frame_and_says_the_same_of_the_dice() -> None:
    whole = thrown(die(500, 300), die(700, 400))
    part = cropped(whole, BOARD)
    x0, y0, x1, y1 = crop_box(SIZE, CORNERS, [one.box_px for one in whole.reading.dice]) or (0, 0, 0, 0)
    assert part is not None
    assert part.frame.size_px == (x1 - x0, y1 - y0)
    assert (part.frame.at_s, part.frame.number) == (GREY.at_s, GREY.number)
    assert [one.to_json() | {"box_px": 0, "centre_px": 0} for one in part.reading.dice] == [
        one.to_json() | {"box_px": 0, "centre_px": 0} for one in whole.reading.dice
    ]
    assert [one.centre_px for one in part.reading.dice] == [(515 - x0, 315 - y0), (715 - x0, 415 - y0)]


def test_board_in_pictures_of_half_the_size_crops_half_the_pixels() -> None:
    small = Frame(np.full((360, 640, 3), 90, np.uint8), 0.0, 0)
    x0, y0, x1, y1 = crop_box((640, 360), [(x / 2, y / 2) for x, y in CORNERS], []) or (0, 0, 0, 0)
    part = cropped(thrown(die(250, 150, 15), frame=small), BOARD)
    assert part is not None
    assert part.frame.size_px == (x1 - x0, y1 - y0)


def test_throw_of_which_nothing_may_be_kept_has_no_crop() -> None:
    assert cropped(thrown(), None) is None


@given(
    st.tuples(st.integers(0, 1200), st.integers(0, 650), st.integers(5, 200)),
    st.booleans(),
)
def test_pixels_of_a_die_go_with_its_box(place: tuple[int, int, int], with_board: bool) -> None:
    x, y, width = place
    frame = Frame(np.zeros((720, 1280, 3), np.uint8), 0.0, 0)
    frame.bgr[y : y + width, x : x + width] = 255
    part = cropped(thrown(die(x, y, width), frame=frame), BOARD if with_board else None)
    assert part is not None
    x0, y0, x1, y1 = (round(edge) for edge in part.reading.dice[0].box_px)
    assert (x1 - x0, y1 - y0) == (width, width)
    inside = part.frame.bgr[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)]
    assert bool((inside == 255).all())
    assert int((part.frame.bgr == 255).sum()) == inside.size


@given(
    st.tuples(st.floats(-50, 1200), st.floats(-50, 650), st.floats(5, 200), st.floats(5, 200)),
    st.lists(st.tuples(st.floats(-300, 1500), st.floats(-300, 1000)), min_size=4, max_size=4) | st.none(),
)
def test_crop_is_within_the_frame(
    box: tuple[float, float, float, float], corners: list[tuple[float, float]] | None
) -> None:
    part = crop_box(SIZE, corners, [(box[0], box[1], box[0] + box[2], box[1] + box[3])])
    if part is not None:
        assert 0 <= part[0] < part[2] <= SIZE[0]
        assert 0 <= part[1] < part[3] <= SIZE[1]
