"""Where a kept picture is cut out of the camera's frame."""

from hypothesis import given
from hypothesis import strategies as st

from vision.watch.crop import RIM, cut_of, moved

SIZE = (1280, 720)
CORNERS = ((200.0, 100.0), (1000.0, 100.0), (1010.0, 680.0), (190.0, 680.0))


def test_board_with_its_rims_is_kept_and_no_more() -> None:
    x0, y0, x1, y1 = cut_of(SIZE, CORNERS, []) or (0, 0, 0, 0)
    margin = RIM * 820
    assert (x0, y0) == (int(190 - margin), int(100 - margin))
    assert (x1, y1) == (int(1010 + margin) + 1, 720)


def test_a_die_beside_the_board_is_kept_and_one_far_away_is_not() -> None:
    usual = cut_of(SIZE, CORNERS, [])
    assert usual is not None
    beside = cut_of(SIZE, CORNERS, [(1080, 300, 1110, 330)])
    assert beside is not None
    assert beside[2] > 1110 > usual[2]
    assert cut_of(SIZE, CORNERS, [(1240, 10, 1270, 40)]) == usual


def test_without_a_board_what_lies_around_the_dice_is_kept() -> None:
    assert cut_of(SIZE, None, [(400, 300, 430, 330), (500, 320, 530, 350)]) == (310, 210, 621, 441)
    assert cut_of(SIZE, None, []) is None


@given(
    st.tuples(st.floats(-50, 1200), st.floats(-50, 650), st.floats(5, 200), st.floats(5, 200)),
    st.lists(st.tuples(st.floats(-300, 1500), st.floats(-300, 1000)), min_size=4, max_size=4) | st.none(),
)
def test_cut_lies_within_the_frame_and_boxes_move_with_it(box, corners) -> None:
    die = (box[0], box[1], box[0] + box[2], box[1] + box[3])
    cut = cut_of(SIZE, corners, [die])
    if cut is None:
        return
    assert 0 <= cut[0] < cut[2] <= SIZE[0]
    assert 0 <= cut[1] < cut[3] <= SIZE[1]
    there = moved(die, cut)
    assert abs(there[0] + cut[0] - die[0]) < 0.11
    assert abs(there[3] + cut[1] - die[3]) < 0.11
