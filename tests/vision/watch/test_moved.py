"""A bumped board is noticed; hands, dice and light are no bump."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.board.calibration import Board, load_board
from vision.change import thumb
from vision.dice.flat.camera import UNKNOWN
from vision.dice.reader import Reader
from vision.frame import Bgr, Frame
from vision.watch.moved import bumped
from vision.watch.watcher import BoardMoved, LiftedSeen, ThrowSeen, Watcher

THROWS = Path(__file__).parents[3] / "companion" / "camera" / "recorded_throws"


def shot(name: str = "frame_03", throw: str = "03_south") -> Bgr:
    return np.asarray(cv2.imread(str(THROWS / throw / f"{name}.jpg")), np.uint8)


def shifted(bgr: Bgr, x: float, y: float, turn_deg: float = 0.0) -> Bgr:
    h, w = bgr.shape[:2]
    m = cv2.getRotationMatrix2D((w / 2, h / 2), turn_deg, 1.0)
    m[:, 2] += (x, y)
    return np.asarray(cv2.warpAffine(bgr, m, (w, h), borderMode=cv2.BORDER_REPLICATE), np.uint8)


def with_arm(bgr: Bgr) -> Bgr:
    out = bgr.copy()
    cv2.line(out, (700, 540), (620, 300), (120, 150, 200), 70)
    return out


def darker(bgr: Bgr) -> Bgr:
    return np.asarray(bgr * 0.6, np.uint8)


@pytest.mark.parametrize(("x", "y"), [(8, 0), (0, -6), (-14, 9), (30, 20)])
def test_the_way_of_a_bump_is_measured(x: float, y: float) -> None:
    way = bumped(thumb(shot()), thumb(shifted(shot(), x, y)))
    assert way is not None
    assert (way.x, way.y) == pytest.approx((x, y), abs=1.5)


@pytest.mark.parametrize(
    "after", [shot(), shot("frame_02"), with_arm(shot()), darker(shot())], ids=["same", "dice", "arm", "dark"]
)
def test_what_is_no_bump(after: Bgr) -> None:
    assert bumped(thumb(shot()), thumb(after)) is None


def feed(watcher: Watcher, *shots: Bgr) -> list[object]:
    out: list[object] = []
    for k, bgr in enumerate(bgr for bgr in shots for _ in range(4)):
        out += watcher.feed(Frame(bgr, k * 0.2, k))
    return out


def test_reading_goes_on_with_the_board_where_it_lies_now() -> None:
    board = load_board(THROWS / "03_south" / "board.json")
    watcher = Watcher(board, Reader())
    seen = feed(watcher, shot(), shifted(shot(), 12, -8), shifted(shot("frame_02"), 12, -8))
    moved, thrown = seen
    assert isinstance(moved, BoardMoved)
    assert isinstance(thrown, ThrowSeen)
    assert moved.board is not None
    assert moved.board.corners_px[0] == pytest.approx(np.add(board.corners_px[0], (12, -8)), abs=1.5)
    truth = Reader().read(shot("frame_02"), board)
    assert [d.half for d in thrown.reading.dice] == [d.half for d in truth.dice]
    assert np.array([d.centre_mm for d in thrown.reading.dice]) == pytest.approx(
        np.array([d.centre_mm for d in truth.dice]), abs=2
    )


def test_dice_lifted_before_they_were_seen_again_are_lifted_all_the_same() -> None:
    watcher = Watcher(load_board(THROWS / "03_south" / "board.json"), Reader())
    seen = feed(watcher, shot(), shot("frame_02"), shifted(shot("frame_02"), 12, -8), shifted(shot(), 12, -8))
    assert [type(s) for s in seen] == [ThrowSeen, BoardMoved, LiftedSeen]


def test_dice_that_stay_through_a_bump_are_thrown_once_and_lifted_once() -> None:
    watcher = Watcher(load_board(THROWS / "03_south" / "board.json"), Reader())
    after = shifted(shot("frame_02"), 12, -8)
    played = after.copy()
    cv2.circle(played, (200, 270), 18, (40, 40, 200), -1)
    seen = feed(watcher, shot(), shot("frame_02"), after, played, after, shifted(shot(), 12, -8))
    assert [type(s) for s in seen] == [ThrowSeen, BoardMoved, LiftedSeen]


class BlindReader(Reader):
    def __init__(self) -> None:
        self.boards: list[Board | None] = []

    def read(self, bgr: Bgr, board: Board | None = None, since=None, evidence=None, camera=UNKNOWN):  # type: ignore[no-untyped-def]
        self.boards.append(board)
        from vision.dice.reading import DiceReading

        return DiceReading((), False, True)


def test_nothing_is_read_while_the_board_is_not_in_view() -> None:
    reader = BlindReader()
    watcher = Watcher(load_board(THROWS / "03_south" / "board.json"), reader)
    away = shifted(shot(), 330, 210)
    lost = [s.board for s in feed(watcher, shot(), away) if isinstance(s, BoardMoved)]
    assert lost == [None]
    read = len(reader.boards)
    assert feed(watcher, darker(away), shifted(away, 6, 0)) == []
    assert len(reader.boards) == read
    back = [s.board for s in feed(watcher, shot()) if isinstance(s, BoardMoved)]
    assert len(back) == 1
    assert back[0] is not None
