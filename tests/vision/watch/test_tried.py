"""The conditions in pictures that were made worse on purpose, and what is said of board, lamp and camera by them."""

import math
from collections.abc import Callable, Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.camera.recorded import THROWS as RECORDED
from vision.board.calibration import Board, Distortion, load_board
from vision.dice.reader import Reader
from vision.dice.reading import DieReading
from vision.frame import Bgr
from vision.watch.conditions import Conditions, conditions_of
from vision.watch.tried import (
    EARLY,
    GOOD,
    MOST_SLANT_DEG,
    PLAIN,
    SHOWN,
    THROWS,
    Change,
    Outcome,
    Shortcoming,
    Tried,
    changes_of,
    shortcomings,
    verdict_of,
)

S = Shortcoming
Worse = Callable[[Bgr, Board], tuple[Bgr, Board]]
NAMES = ("03_south", "04_north", "06_south")


def recorded(name: str) -> tuple[Bgr, Board]:
    """A recorded throw at rest, and its board."""
    folder = RECORDED / name
    frame = sorted(folder.glob("frame_*.jpg"))[-2]
    bgr = cv2.imread(str(frame))
    assert bgr is not None
    return np.asarray(bgr, np.uint8), load_board(folder / "board.json")


def levels(plane: NDArray[np.floating]) -> Bgr:
    return np.clip(np.round(plane), 0, 255).astype(np.uint8)


def coarse(bgr: Bgr, board: Board) -> tuple[Bgr, Board]:
    """The same view with fewer pixels."""
    size = round(board.image_size[0] * 0.35), round(board.image_size[1] * 0.35)
    return np.asarray(cv2.resize(bgr, size, interpolation=cv2.INTER_AREA), np.uint8), board.for_picture(size)


def far(bgr: Bgr, board: Board) -> tuple[Bgr, Board]:
    """The same board from further away: small in the middle of a table."""
    small, there = coarse(bgr, board)
    w, h = board.image_size
    table = np.full((h, w, 3), (60, 80, 90), np.uint8)
    x, y = (w - small.shape[1]) // 2, (h - small.shape[0]) // 2
    table[y : y + small.shape[0], x : x + small.shape[1]] = small
    corners = tuple((a + x, b + y) for a, b in there.corners_px)
    return table, Board((w, h), corners, board.surface_mm, board.bar_mm)


def cut(bgr: Bgr, board: Board) -> tuple[Bgr, Board]:
    """The camera turned aside: a tenth of the board is out of the picture."""
    off = round(0.1 * (board.corners_px[1][0] - board.corners_px[0][0]) + board.corners_px[0][0])
    corners = tuple((x - off, y) for x, y in board.corners_px)
    part = np.ascontiguousarray(bgr[:, off:])
    return part, Board((part.shape[1], part.shape[0]), corners, board.surface_mm, board.bar_mm)


def blurred(bgr: Bgr, board: Board) -> tuple[Bgr, Board]:
    return np.asarray(cv2.GaussianBlur(bgr, (0, 0), 2.0), np.uint8), board


def shaken(turn_deg: float) -> Worse:
    """A picture taken while the camera moved by nine pixels in a direction."""

    def worse(bgr: Bgr, board: Board) -> tuple[Bgr, Board]:
        line = np.zeros((9, 9), np.float32)
        x, y = 4 * math.cos(math.radians(turn_deg)), 4 * math.sin(math.radians(turn_deg))
        cv2.line(line, (round(4 - x), round(4 - y)), (round(4 + x), round(4 + y)), 1.0)
        return np.asarray(cv2.filter2D(bgr, -1, line / line.sum()), np.uint8), board

    return worse


def dark(bgr: Bgr, board: Board) -> tuple[Bgr, Board]:
    return levels(bgr * 0.06), board


def grainy(bgr: Bgr, board: Board) -> tuple[Bgr, Board]:
    return levels(bgr + np.random.default_rng(1).normal(0, 70, bgr.shape)), board


def glaring(bgr: Bgr, board: Board) -> tuple[Bgr, Board]:
    """A lamp that mirrors in a third of the board."""
    h, w = bgr.shape[:2]
    y, x = np.mgrid[:h, :w]
    middle = np.mean(board.corners_px, 0)
    lamp = 400 * np.exp(-((x - middle[0]) ** 2 + (y - middle[1]) ** 2) / (2 * (0.12 * w) ** 2))
    return levels(bgr + lamp[..., None]), board


def overexposed(bgr: Bgr, board: Board) -> tuple[Bgr, Board]:
    return levels(bgr * 5.0), board


WORSE: dict[str, tuple[Worse, Shortcoming]] = {
    "fewer pixels": (coarse, S.COARSE),
    "far away": (far, S.FAR),
    "turned aside": (cut, S.OUTSIDE),
    "out of focus": (blurred, S.UNSHARP),
    "shaken sideways": (shaken(0), S.SMEARED),
    "shaken aslant": (shaken(45), S.SMEARED),
    "dark": (dark, S.DARK),
    "grainy": (grainy, S.NOISY),
    "a lamp's mirror": (glaring, S.BLOWN_OUT),
    "overexposed": (overexposed, S.BLOWN_OUT),
}


@pytest.mark.parametrize("name", NAMES)
def test_a_good_picture_has_no_shortcoming(name: str) -> None:
    bgr, board = recorded(name)
    assert shortcomings(conditions_of(bgr, board)) == {}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("way", WORSE)
def test_what_was_made_worse_is_named_and_nothing_else(way: str, name: str) -> None:
    worse, what = WORSE[way]
    assert set(shortcomings(conditions_of(*worse(*recorded(name))))) == {what}


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def is_read(reader: Reader, bgr: Bgr, board: Board) -> bool:
    reading = reader.read(bgr, board)
    return (
        not reading.doubt and len(reading.dice) == 2 and all(die.value and die.rest for die in reading.dice)
    )


def test_what_is_named_does_keep_throws_from_being_read(reader: Reader) -> None:
    """Of three throws all are read as they are, and one at most in each worse way that spoils the whole picture."""
    throws = [recorded(name) for name in NAMES]
    assert all(is_read(reader, *throw) for throw in throws)
    for way in set(WORSE) - {"turned aside", "a lamp's mirror"}:  # these spoil the throws that lie there
        worse, _ = WORSE[way]
        assert sum(is_read(reader, *worse(*throw)) for throw in throws) <= 1, way


@pytest.mark.parametrize("blur_px", [1.0, 1.5, 2.0, 3.0])
def test_blur_is_measured_whatever_the_contrast(blur_px: float) -> None:
    bgr, board = recorded("03_south")
    own_px = conditions_of(bgr, board).blur_px
    assert own_px is not None
    for contrast in (1.0, 0.4):
        soft = cv2.GaussianBlur(levels(bgr * contrast), (0, 0), blur_px)
        measured = conditions_of(np.asarray(soft, np.uint8), board).blur_px
        assert measured == pytest.approx(math.hypot(own_px, blur_px), rel=0.1)


@pytest.mark.parametrize("sd", [5.0, 10.0, 20.0])
def test_noise_is_measured(sd: float) -> None:
    bgr, board = recorded("03_south")
    grey = np.random.default_rng(2).normal(0, sd, bgr.shape[:2])[..., None]
    assert conditions_of(levels(bgr + grey), board).noise == pytest.approx(sd, rel=0.15)


def test_the_size_is_that_of_the_dice_that_were_read() -> None:
    bgr, board = recorded("03_south")
    dice = [_die(x, 21.0) for x in (300.0, 500.0)]
    assert conditions_of(bgr, board, dice).die_px == pytest.approx(21.0)
    assert conditions_of(bgr, board).die_px == pytest.approx(14.5 * board.px_per_mm())


def test_dice_without_contrast_are_named() -> None:
    bgr, board = recorded("03_south")
    dice = [_die(400.0, 16.0)]
    bgr[260:290, 400:420] = (90, 100, 110)
    assert set(shortcomings(conditions_of(bgr, board, dice))) == {S.FAINT}


def _die(x: float, width: float) -> DieReading:
    return DieReading(4, 0.99, (x, 265.0, x + width, 265.0 + width), (x + width / 2, 265 + width / 2))


@pytest.mark.parametrize("slant_deg", [0.0, 20.0, 34.0, 36.0, 45.0])
def test_slant_is_that_of_the_camera(slant_deg: float) -> None:
    board = seen_from(slant_deg)
    assert board.slant_deg() == pytest.approx(slant_deg, abs=1.0)
    bgr = np.full((720, 1280, 3), 128, np.uint8)
    assert (S.SLANTED in shortcomings(conditions_of(bgr, board))) is (slant_deg > MOST_SLANT_DEG)


def seen_from(slant_deg: float) -> Board:
    """The board as a camera with a known lens sees it, 900 mm away and so much aslant."""
    turn = math.radians(slant_deg)
    k = np.array([[1024.0, 0, 640], [0, 1024.0, 360], [0, 0, 1]])
    w, h = 540.0, 420.0
    corners = np.array([(-w, h, 0), (w, h, 0), (w, -h, 0), (-w, -h, 0)]) / 2
    look = np.array([[1, 0, 0], [0, -math.cos(turn), -math.sin(turn)], [0, math.sin(turn), -math.cos(turn)]])
    seen = (corners @ look.T + (0, 0, 900)) @ k.T
    points = tuple((float(x / z), float(y / z)) for x, y, z in seen)
    lens = Distortion(tuple(tuple(row) for row in k.tolist()), (0, 0, 0, 0, 0))
    return Board((1280, 720), points, (w, h), 40.0, lens)


def test_without_a_board_only_that_is_named() -> None:
    bgr, board = recorded("03_south")
    upright = np.ascontiguousarray(np.rot90(bgr))
    for unknown in (conditions_of(bgr, None), conditions_of(upright, board)):
        assert unknown == Conditions()
        assert set(shortcomings(unknown)) == {S.NO_BOARD}


# The verdict

FINE = Conditions(20.0, 0.9, 0.8, 1.2, 230.0, 180.0, 2.0, 0.01, 0.0, 150.0, 10.0, 0.0)
DARK = Conditions(20.0, 0.9, 0.8, 1.2, 25.0, 20.0, 1.0, 0.0, 0.0, 15.0, 10.0, 0.0)
DARK_AND_BLURRED = Conditions(20.0, 0.9, 8.0, 1.2, 25.0, 20.0, 1.0, 0.0, 0.0, 15.0, 10.0, 0.0)


def tried(outcomes: str, conditions: Conditions = FINE) -> list[Tried]:
    """Throws by a letter each: r right, u unread, m missed, c falsely called cocked, w wrong."""
    names = {outcome.value[0]: outcome for outcome in Outcome}
    return [Tried(conditions, names[letter]) for letter in outcomes]


@pytest.mark.parametrize(
    ("outcomes", "is_good"),
    [
        ("r" * THROWS, True),
        ("r" * GOOD + "u" * (THROWS - GOOD), True),
        ("u" * (THROWS - GOOD + 1) + "r" * (GOOD - 1), False),
        ("r" * (THROWS - 1) + "w", False),
        ("r" * (THROWS - 1) + "m", True),
        ("r" * (THROWS - 1) + "c", True),
        ("rruuuu", False),
        ("uuuu", False),
        ("umcw", False),
    ],
)
def test_verdict(outcomes: str, is_good: bool) -> None:
    verdict = verdict_of(tried(outcomes))
    assert verdict is not None
    assert verdict.is_good is is_good
    assert verdict.right == outcomes.count("r")


@pytest.mark.parametrize(
    "outcomes", ["", "r" * (THROWS - 1), "u" * (PLAIN - 1), "r" * EARLY + "u" * (THROWS - EARLY - 1)]
)
def test_no_verdict_before_it_is_plain(outcomes: str) -> None:
    assert verdict_of(tried(outcomes)) is None


def test_what_failed_throws_show_is_named_and_not_what_others_do() -> None:
    throws = [*tried("uuuuu", DARK), *tried("rrrrrrr")]
    assert changes_of(throws) == (Change(S.DARK, (0, 1, 2)),)
    few = [*tried("u", DARK), *tried("uuurrrrrrrr")]
    assert changes_of(few) == ()


def test_the_worst_is_named_first_and_shown_by_its_worst_pictures() -> None:
    throws = [*tried("uu", DARK), *tried("uu", DARK_AND_BLURRED)]
    assert [change.what for change in changes_of(throws)] == [S.UNSHARP, S.DARK]
    assert changes_of(throws)[0].throws == (2, 3)
    assert all(len(change.throws) <= SHOWN for change in changes_of(throws))


def test_what_might_be_better_is_said_of_good_conditions_too() -> None:
    verdict = verdict_of(tried("r" * THROWS, DARK))
    assert verdict is not None
    assert verdict.is_good
    assert [change.what for change in verdict.changes] == [S.DARK]


def test_missing_facts_name_nothing() -> None:
    facts: Sequence[float | None] = (20.0, None, None, None, None, None, None, None, None, None, None, None)
    assert shortcomings(Conditions(*facts)) == {}
