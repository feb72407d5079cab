"""Reading a single picture: dice lie only where something changed since the picture without dice."""

from pathlib import Path

import pytest

from vision.board.calibration import load_board
from vision.capture.picture import load_picture
from vision.change import stir, thumb
from vision.dice.reader import Reader

THROWS = Path(__file__).parents[3] / "companion" / "camera" / "recorded_throws"


def test_where_nothing_changed_there_is_no_die() -> None:
    folder = next(f for f in sorted(THROWS.iterdir()) if (f / "frame_02.jpg").exists())
    bgr, board = load_picture(folder / "frame_02.jpg"), load_board(folder / "board.json")
    reader = Reader()
    whole = reader.read(bgr, board)
    assert len(whole.dice) == 2
    assert reader.read(bgr, board, stir(thumb(bgr), thumb(bgr))).dice == ()
    x0, y0, x1, y1 = (round(v) for v in whole.dice[0].box_px)
    bare = bgr.copy()
    bare[y0 - 8 : y1 + 8, x0 - 8 : x1 + 8] = bgr[y0 - 8, x0 - 8]
    one, other = whole.dice
    places = [d.centre_px for d in reader.read(bgr, board, stir(thumb(bare), thumb(bgr))).dice]
    assert any(place == pytest.approx(one.centre_px, abs=0.01) for place in places)
    assert not any(place == pytest.approx(other.centre_px, abs=1.0) for place in places)
