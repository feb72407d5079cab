"""Reading a single picture: dice lie only where something changed, what is beside the surface hides none on it, and the
verdict stays when the picture is cut or scaled."""

from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.board.calibration import Board, load_board
from vision.board.findboard import board_from_points
from vision.capture.picture import load_picture
from vision.change import stir, thumb
from vision.dice.evidence import Evidence
from vision.dice.finder import MIN_SCORE, Finder, Spot
from vision.dice.flat.camera import UNKNOWN
from vision.dice.reader import LOOKED_AT_FIRST, LOOKED_AT_LONGER, Reader
from vision.dice.reading import same_place
from vision.pyramid import Halves
from vision.training.painted.pairs import pairs
from vision.training.samples.sample import Sample

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


PICTURES = sorted(f.parent for f in THROWS.glob("*/frame_02.jpg") if not f.parent.name.endswith("_unread"))


def read_without_lens(bgr: np.ndarray, board: Board, reader: Reader) -> list[tuple[int | None, str | None]]:
    reading = reader.read(bgr, replace(board, distortion=None))
    return [(die.value if die.rest == "flat" else None, die.rest) for die in reading.dice]


def cut(bgr: np.ndarray, board: Board, left: int, top: int) -> tuple[np.ndarray, Board]:
    """Picture and board without the first columns and rows."""
    corners = tuple((x - left, y - top) for x, y in board.corners_px)
    h, w = bgr.shape[:2]
    return bgr[top:, left:].copy(), replace(board, image_size=(w - left, h - top), corners_px=corners)


def scaled(bgr: np.ndarray, board: Board, share: float) -> tuple[np.ndarray, Board]:
    """Picture and board in another size."""
    small = cv2.resize(bgr, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    h, w = small.shape[:2]
    corners = tuple((x * w / bgr.shape[1], y * h / bgr.shape[0]) for x, y in board.corners_px)
    return np.asarray(small), replace(board, image_size=(w, h), corners_px=corners)


@pytest.mark.parametrize("folder", PICTURES, ids=lambda f: f.name)
def test_the_verdict_stays_when_the_picture_is_cut_or_scaled(folder: Path) -> None:
    bgr, board = load_picture(folder / "frame_02.jpg"), load_board(folder / "board.json")
    board, reader = replace(board, distortion=None), Reader()
    whole = read_without_lens(bgr, board, reader)
    assert read_without_lens(*cut(bgr, board, 3, 5), reader) == whole
    assert read_without_lens(*cut(bgr, board, 14, 9), reader) == whole
    assert read_without_lens(*scaled(bgr, board, 0.95), reader) == whole


def test_dots_beside_the_surface_hide_no_die_on_it() -> None:
    folder = PICTURES[0]
    bgr, board = load_picture(folder / "frame_02.jpg"), load_board(folder / "board.json")
    board, reader = replace(board, distortion=None), Reader()
    whole = read_without_lens(bgr, board, reader)
    assert len(whole) == 2
    band = np.full((120, bgr.shape[1], 3), 235, np.uint8)
    for x in range(30, bgr.shape[1], 40):
        cv2.rectangle(band, (x, 40), (x + 24, 64), (250, 250, 250), -1)
        cv2.circle(band, (x + 12, 52), 3, (20, 20, 20), -1)
    corners = tuple((x, y + 120) for x, y in board.corners_px)
    size = (bgr.shape[1], bgr.shape[0] + 120)
    printed = replace(board, image_size=size, corners_px=corners)
    assert read_without_lens(np.vstack([band, bgr]), printed, reader) == whole


@pytest.mark.parametrize(
    "ornaments",
    [LOOKED_AT_FIRST.most, LOOKED_AT_LONGER.most],
    ids=["more than the first looks", "more than the looks after them"],
)
def test_dice_that_ornaments_crowd_out_are_looked_for_longer(
    monkeypatch: pytest.MonkeyPatch, ornaments: int
) -> None:
    """Ornaments are spots beside each other on a bare part of the field that score higher than the dice."""
    bgr, board = (
        load_picture(THROWS / "03_south" / "frame_02.jpg"),
        replace(load_board(THROWS / "03_south" / "board.json"), distortion=None, unfamiliar=True),
    )
    dice = Reader().read(bgr, board).dice
    wide = dice[0].box_px[2] - dice[0].box_px[0]
    bare = board.to_px(np.array([(-150.0, 0.0)]))[0]
    crowd = [
        Spot(float(bare[0]) + 0.5 * wide * (k - 50) / 50, float(bare[1]), wide, 0.99)
        for k in range(ornaments)
    ]
    usual = Finder.find
    monkeypatch.setattr(Finder, "find", lambda *args, **kw: [*crowd, *usual(*args, **kw)])
    seen = Reader().read(bgr, board).dice
    assert [die.value for die in seen if any(same_place(die, known) for known in dice)] == [
        die.value for die in dice
    ]


def test_dice_that_hardly_look_like_dice_are_looked_for_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """The finder gives them a third of their scores, and a knot in the wood the best one."""
    bgr, board = (
        load_picture(THROWS / "03_south" / "frame_02.jpg"),
        replace(load_board(THROWS / "03_south" / "board.json"), distortion=None, unfamiliar=True),
    )
    usual, dice = Finder.find, Reader().read(bgr, board).dice

    def faint(
        finder: Finder, picture: Halves, scale: float, min_score: float = MIN_SCORE, near: float = 1.0
    ) -> list[Spot]:
        found = usual(finder, picture, scale, 0.1, near)
        found = [replace(spot, score=spot.score / 3) for spot in found]
        return [spot for spot in found if spot.score >= min_score]

    monkeypatch.setattr(Finder, "find", faint)
    seen = Reader().read(bgr, board).dice
    assert len(seen) == 2
    assert all(same_place(one, known) for one, known in zip(seen, dice, strict=True))
    monkeypatch.setattr("vision.dice.reader.HARDEST_SCORE", 0.9)
    assert Reader().read(bgr, board).dice == ()


def test_throws_on_a_strange_board_say_where_its_camera_is() -> None:
    """The lens that was measured is not told; how up is seen by it is what the throws have to say."""
    known, reader, lensed = UNKNOWN, Reader(), load_board(THROWS / "03_south" / "board.json")
    board = replace(lensed, distortion=None, unfamiliar=True)
    for folder in (folder for folder in PICTURES if load_board(folder / "board.json") == lensed):
        evidence = Evidence()
        reader.read(load_picture(folder / "frame_02.jpg"), board, evidence=evidence, camera=known)
        known = known.with_dice(board, evidence.looks)
    corners = np.array(lensed.corners_px)
    assert known.is_known
    assert np.hypot(*(known.as_read(board).up(corners) - lensed.up(corners)).T).mean() < 0.06


def read_rightly_twice(seed: int, throw: int, unfamiliar: bool) -> tuple[Sample, Board]:
    """A painted throw of flat dice and its board, once two pictures of it are read, the second as the first is."""
    kind, sample, marks = next(islice(pairs(seed), throw, None))
    h, w = sample.image.shape[:2]
    board = replace(board_from_points((w, h), marks), unfamiliar=unfamiliar)
    reader, evidence = Reader(), Evidence()
    assert kind == "flat"
    for said in [reader.read(sample.image, board, evidence=evidence) for _ in range(2)]:
        assert said.is_plain
        assert {die.value for die in said.dice} == {die.value for die in sample.dice}
    return sample, board


@pytest.mark.parametrize(("seed", "throw"), [(1070012, 0), (1070014, 3)])
def test_how_dice_rest_on_a_familiar_board_may_be_read_as_on_a_strange_one(
    seed: int, throw: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample, board = read_rightly_twice(seed, throw, unfamiliar=False)
    monkeypatch.setattr("vision.dice.reader.SURELY_STRANGE", 1.1)
    assert Reader().read(sample.image, board).is_open


@pytest.mark.parametrize(
    ("seed", "throw"), [(1160041, 3), (1160027, 5)], ids=["its number", "whether it lies flat"]
)
def test_brightened_picture_is_read_where_a_die_is_in_doubt(seed: int, throw: int) -> None:
    sample, board = read_rightly_twice(seed, throw, unfamiliar=True)
    assert Reader(brightens=False).read(sample.image, board).is_open
