"""Frames become throws: each once, hands and fidgeting none. The reader is scripted, the frames are drawn."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from vision.board.calibration import Board, Pinhole
from vision.change import Stir
from vision.dice.evidence import Evidence
from vision.dice.faces import Look, Seen
from vision.dice.finder import Spot
from vision.dice.flat.camera import UNKNOWN, CameraEstimate
from vision.dice.reader import Reader
from vision.dice.reading import DiceReading, DieReading
from vision.frame import Bgr, Frame
from vision.watch.watcher import LiftedSeen, ThrowSeen, Watcher

Places = tuple[tuple[int, int], ...]


class DrawnReader(Reader):
    """Reads the white squares that `picture` draws, each as a six."""

    def __init__(self) -> None:
        self.reads = 0

    def read(
        self,
        bgr: Bgr,
        board: Board | None = None,
        since: Stir | None = None,
        evidence: Evidence | None = None,
        camera: CameraEstimate = UNKNOWN,
    ) -> DiceReading:
        self.reads += 1
        found = []
        white = bgr[..., 1] > 240
        for x, y in sorted(places_in(white)):
            box = (float(x), float(y), x + 16.0, y + 16.0)
            found.append(DieReading(6, 1.0, box, (x + 8.0, y + 8.0), rest="flat", half="right"))
        return DiceReading(tuple(found), False, True)


def places_in(white: np.ndarray) -> list[tuple[int, int]]:
    rows, columns = np.nonzero(white)
    left = set(zip(columns.tolist(), rows.tolist(), strict=True))
    found = []
    while left:
        x, y = min(left, key=lambda p: (p[1], p[0]))
        found.append((x, y))
        left -= {(a, b) for a in range(x - 2, x + 20) for b in range(y - 2, y + 20)}
    return found


@dataclass(frozen=True)
class Shot:
    """What lies in view for so many frames."""

    dice: Places = ()
    frames: int = 4
    hand: bool = False
    blank: int | None = None
    checker: tuple[int, int] = (40, 40)


def picture(shot: Shot, seed: int) -> Bgr:
    rng = np.random.default_rng(seed)
    if shot.blank is not None:
        return np.full((360, 640, 3), shot.blank, np.uint8)
    out = np.full((360, 640, 3), 90.0)
    x, y = shot.checker
    out[y : y + 40, x : x + 40] = 160
    if shot.hand:
        out[200:360, 380:470] = 190
    out += rng.normal(0, 2, out.shape)
    for x, y in shot.dice:
        out[y : y + 16, x : x + 16] = 255
    return np.clip(out, 0, 255).astype(np.uint8)


def watched(*shots: Shot, fps: float = 10.0) -> list[str]:
    """What a watcher makes of it: R with the number of dice, L for lifted."""
    watcher, seen, number = Watcher(None, DrawnReader()), [], 0
    for shot in shots:
        for _ in range(shot.frames):
            seen += watcher.feed(Frame(picture(shot, number), number / fps, number))
            number += 1
    seen += watcher.finish()
    return [f"R{len(s.reading.dice)}" if isinstance(s, ThrowSeen) else "L" for s in seen]


EMPTY = Shot(frames=6)
FLY = [Shot(((100 + 60 * k, 100), (120 + 50 * k, 200)), frames=1) for k in range(4)]
PAIR: Places = ((420, 120), (470, 180))
OTHER: Places = ((430, 250), (520, 200))
COVERED = [Shot((), 8, hand=True), Shot((), 8, hand=True, checker=(200, 40))]
BORNE_OFF = [Shot((), 8, hand=True), Shot(((120, 100), (170, 200)), 8, hand=True), Shot((), 8, hand=True)]


@pytest.mark.parametrize(
    ("shots", "events"),
    [
        ([EMPTY], []),
        ([EMPTY, *FLY], ["R2"]),  # the source ends in flight: its last picture counts
        ([EMPTY, *FLY, Shot(PAIR, 8)], ["R2"]),
        ([EMPTY, *FLY, Shot(PAIR, 40)], ["R2"]),
        ([EMPTY, *FLY, Shot(PAIR, 8), EMPTY], ["R2", "L"]),
        ([EMPTY, *FLY, Shot(PAIR, 8), EMPTY, *FLY, Shot(OTHER, 8), EMPTY], ["R2", "L", "R2", "L"]),
        ([Shot(PAIR, 8)], ["R2"]),
        ([EMPTY, Shot(PAIR, 8), Shot(OTHER, 8)], ["R2", "L", "R2"]),
        ([EMPTY, Shot(PAIR[:1], 8), Shot(PAIR, 8), EMPTY], ["R1", "R2", "L"]),
        ([EMPTY, Shot(PAIR, 8), Shot(PAIR[:1], 8), EMPTY], ["R2", "L"]),
        ([EMPTY, Shot(PAIR, 8), Shot(PAIR, 8, checker=(200, 40)), EMPTY], ["R2", "L"]),
        ([EMPTY, Shot(PAIR, 8), Shot(PAIR, 8, hand=True), Shot(PAIR, 8), EMPTY], ["R2", "L"]),
        ([EMPTY, Shot(PAIR, 8), Shot((), 8, hand=True), Shot(PAIR, 8), EMPTY], ["R2", "L"]),
        ([EMPTY, Shot(OTHER, 8), *COVERED, Shot(OTHER, 8), EMPTY], ["R2", "L"]),
        ([EMPTY, Shot(PAIR, 8), Shot(PAIR, 8, hand=True), *BORNE_OFF], ["R2", "L", "R2", "L"]),
        ([EMPTY, Shot(PAIR, 8), Shot(frames=12, blank=0), Shot(PAIR, 8), EMPTY], ["R2", "L"]),
        ([EMPTY, Shot(PAIR, 8), Shot(frames=12, blank=255), Shot(PAIR, 8), EMPTY], ["R2", "L"]),
        ([EMPTY, Shot(frames=12, blank=128), EMPTY], []),
        ([EMPTY, Shot((), 8, hand=True), EMPTY, Shot((), 3, hand=True), EMPTY], []),
        ([EMPTY, Shot(checker=(200, 40), frames=8), Shot(checker=(90, 200), frames=8)], []),
    ],
    ids=[
        "an empty board",
        "ends in flight",
        "a throw",
        "a throw that lies long",
        "thrown and lifted",
        "two throws",
        "dice from the first frame on",
        "thrown again at once",
        "one die, then the other",
        "picked up one by one",
        "a checker moved while the dice lie",
        "a hand beside the dice",
        "a hand over the dice",
        "a hand over the dice while a checker moves",
        "checkers put beside the board stay there",
        "black pictures while the dice lie",
        "white pictures while the dice lie",
        "grey pictures of an empty board",
        "hands over an empty board",
        "checkers moved without dice",
    ],
)
def test_each_throw_and_each_lifting_is_reported_once(shots: list[Shot], events: list[str]) -> None:
    assert watched(*shots) == events


@pytest.mark.parametrize("fps", [5.0, 15.0, 30.0])
def test_the_pace_does_not_matter(fps: float) -> None:
    rest = round(fps)
    shots = [Shot(frames=rest), *FLY, Shot(PAIR, rest), Shot(frames=rest)]
    assert watched(*shots, fps=fps) == ["R2", "L"]


def test_a_quiet_picture_is_read_once() -> None:
    reader = DrawnReader()
    watcher = Watcher(None, reader)
    for n in range(60):
        watcher.feed(Frame(picture(Shot(PAIR), n), n / 10, n))
    assert reader.reads <= 2


WIDE, DOUBLE, SQUARE = (
    Board(size, ((40.0, 30.0), (600.0, 30.0), (600.0, 330.0), (40.0, 330.0)), (560, 420), 40)
    for size in ((640, 360), (1280, 720), (640, 640))
)


class Settling(DrawnReader):
    """Sees nothing of the numbers until it has looked so many times."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self._looks = looks

    def read(
        self,
        bgr: Bgr,
        board: Board | None = None,
        since: Stir | None = None,
        evidence: Evidence | None = None,
        camera: CameraEstimate = UNKNOWN,
    ) -> DiceReading:
        reading = super().read(bgr)
        values = 6 if self.reads >= self._looks else None
        dice = tuple(replace(die, value=values) for die in reading.dice)
        return DiceReading(dice, doubt=False, board_found=True)


@pytest.mark.parametrize(
    ("looks", "shots", "events"),
    [
        (2, [EMPTY, Shot(PAIR, 30), EMPTY], ["10 R66", "40 L"]),
        (6, [EMPTY, Shot(PAIR, 30), EMPTY], ["12 R66", "40 L"]),
        (99, [EMPTY, Shot(PAIR, 30), EMPTY], ["26 R??", "40 L"]),
        (99, [EMPTY, Shot(PAIR, 8), EMPTY], ["12 R??", "18 L"]),
        (99, [EMPTY, Shot(PAIR, 8), Shot(OTHER, 8)], ["12 R??", "18 L", "20 R??"]),
        (99, [EMPTY, Shot(PAIR, 8), Shot(PAIR, 8, hand=True), Shot(PAIR, 20), EMPTY], ["12 R??", "46 L"]),
    ],
    ids=["at once", "later", "never", "lifted before", "thrown again before", "a hand before"],
)
def test_throw_in_doubt_is_read_again_while_it_is_at_rest(
    looks: int, shots: list[Shot], events: list[str]
) -> None:
    reader = Settling(looks)
    watcher, seen, number = Watcher(WIDE, reader), [], 0
    for shot in shots:
        for _ in range(shot.frames):
            seen += watcher.feed(Frame(picture(shot, number), number / 10, number))
            number += 1
    seen += watcher.finish()
    assert [event_of(one) for one in seen] == events


def event_of(seeing: object) -> str:
    """The frame of a report, L for a lifting, R with the numbers of a throw."""
    if isinstance(seeing, ThrowSeen):
        return f"{seeing.frame.number} R" + "".join(str(die.value or "?") for die in seeing.reading.dice)
    assert isinstance(seeing, LiftedSeen)
    return f"{seeing.frame.number} L"


def test_nothing_is_reported_where_more_pictures_show_no_dice_after_all() -> None:
    class Phantom(DrawnReader):
        def read(
            self,
            bgr: Bgr,
            board: Board | None = None,
            since: Stir | None = None,
            evidence: Evidence | None = None,
            camera: CameraEstimate = UNKNOWN,
        ) -> DiceReading:
            reading = super().read(bgr)
            return DiceReading(reading.dice if self.reads <= 6 else (), doubt=True, board_found=True)

    watcher, seen = Watcher(WIDE, Phantom()), []
    for n in range(60):
        seen += watcher.feed(Frame(picture(Shot(PAIR), n), n / 10, n))
    assert seen + watcher.finish() == []


def test_a_mark_on_an_empty_board_is_no_die_later() -> None:
    since: list[bool] = []

    class Asked(DrawnReader):
        def read(
            self,
            bgr: Bgr,
            board: Board | None = None,
            since_: Stir | None = None,
            evidence: Evidence | None = None,
            camera: CameraEstimate = UNKNOWN,
        ) -> DiceReading:
            since.append(since_ is not None and bool(since_.moved.any()))
            return super().read(bgr, board)

    watcher = Watcher(None, Asked())
    for n in range(24):
        watcher.feed(Frame(picture(Shot(PAIR if n >= 10 else ()), n), n / 10, n))
    assert since[0] is False
    assert since[-1] is True


class Seat:
    """A watcher whose board is placed while it watches; what it reports, as R and L."""

    def __init__(self, board: Board | None) -> None:
        self.reader = DrawnReader()
        self.watcher = Watcher(board, self.reader)
        self._number = 0

    def show(self, shot: Shot, rows: int = 360) -> list[str]:
        """The reports while this lies in view, in pictures of so many rows."""
        seen: list[object] = []
        for _ in range(shot.frames):
            bgr = picture(shot, self._number)
            bgr = np.concatenate([bgr, np.full((rows - 360, 640, 3), 60, np.uint8)])
            seen += self.watcher.feed(Frame(bgr, self._number / 10, self._number))
            self._number += 1
        return [f"R{len(s.reading.dice)}" if isinstance(s, ThrowSeen) else type(s).__name__[0] for s in seen]


@pytest.mark.parametrize("board", [WIDE, None], ids=["known", "unknown"])
def test_settled_throw_is_reported_once_though_the_board_is_placed_anew(board: Board | None) -> None:
    seat = Seat(board)
    assert seat.show(Shot(PAIR, 8)) == ["R2"]
    for _ in range(2):
        seat.watcher.place(WIDE)
        assert seat.show(Shot(PAIR, 8)) == []
    assert seat.show(EMPTY) == ["L"]
    assert seat.show(Shot(OTHER, 8)) == ["R2"]


def test_dice_are_read_once_more_where_the_board_is_placed() -> None:
    seat = Seat(None)
    seat.show(Shot(PAIR, 8))
    before = seat.reader.reads
    seat.show(Shot(PAIR, 8))
    assert seat.reader.reads == before
    seat.watcher.place(WIDE)
    seat.show(Shot(PAIR, 8))
    assert seat.reader.reads > before


def test_throw_without_a_board_is_reported_again_once_the_board_is_placed() -> None:
    class Boardless(DrawnReader):
        def read(
            self,
            bgr: Bgr,
            board: Board | None = None,
            since: Stir | None = None,
            evidence: Evidence | None = None,
            camera: CameraEstimate = UNKNOWN,
        ) -> DiceReading:
            return DiceReading(super().read(bgr).dice, False, board is not None)

    watcher, seen = Watcher(None, Boardless()), []
    for n in range(16):
        if n == 8:
            watcher.place(WIDE)
        seen += watcher.feed(Frame(picture(Shot(PAIR), n), n / 10, n))
    assert [s.reading.board_found for s in seen if isinstance(s, ThrowSeen)] == [False, True]
    assert not any(isinstance(s, LiftedSeen) for s in seen)


def test_dice_lifted_while_the_board_is_placed_are_reported_as_lifted() -> None:
    seat = Seat(WIDE)
    seat.show(Shot(PAIR, 8))
    seat.watcher.place(WIDE)
    assert seat.show(EMPTY) == ["L"]
    seat.watcher.place(WIDE)
    assert seat.show(EMPTY) == []


def test_pictures_of_another_shape_and_back_neither_repeat_a_throw_nor_its_lifting() -> None:
    seat = Seat(WIDE)
    assert seat.show(Shot(PAIR, 8)) == ["R2"]
    assert not seat.watcher.go_back((640, 640))
    seat.watcher.place(SQUARE)
    assert seat.show(EMPTY, rows=640) == ["L"]
    assert seat.watcher.go_back((640, 360))
    assert seat.watcher.board == WIDE
    assert seat.show(EMPTY) == []
    assert seat.watcher.go_back((640, 640))
    assert seat.watcher.board == SQUARE
    assert seat.show(Shot(OTHER, 8), rows=640) == ["R2"]


def test_placing_the_board_in_pictures_of_the_same_size_leaves_none_to_go_back_to() -> None:
    seat = Seat(WIDE)
    seat.watcher.place(WIDE)
    assert not seat.watcher.go_back((640, 360))
    seat.watcher.place(DOUBLE)
    assert seat.watcher.go_back((640, 360))


class Telling(DrawnReader):
    """Sees on each die the sides that a camera of focal length 1.2 shows, and keeps what it was told of that length."""

    def __init__(self) -> None:
        super().__init__()
        self.told: list[CameraEstimate] = []

    def read(
        self,
        bgr: Bgr,
        board: Board | None = None,
        since: Stir | None = None,
        evidence: Evidence | None = None,
        camera: CameraEstimate = UNKNOWN,
    ) -> DiceReading:
        reading = super().read(bgr)
        self.told.append(camera)
        assert board is not None
        board = board.for_picture((bgr.shape[1], bgr.shape[0]))
        ups = replace(board, camera=Pinhole(1.2)).up(
            np.array([die.centre_px for die in reading.dice]).reshape(-1, 2)
        )
        looks = [
            Look(1.0, (0.95, *[0.01] * 5), 0.0, (1.0, 0.0, 0.0, 0.0), 1.0, own_up=(float(x), float(y)))
            for x, y in ups
        ]
        if evidence is not None and looks:
            spots = [Spot(*die.centre_px, 16.0, 0.9) for die in reading.dice]
            evidence.reading([Seen(*one) for one in zip(spots, looks, strict=True)], board)
        return reading


def test_throws_say_where_the_camera_is_in_pictures_of_another_size_than_the_board_s() -> None:
    reader = Telling()
    watcher = Watcher(WIDE.for_picture((1280, 720)), reader)
    thrown = Shot(((40, 200), (560, 300)), 8)
    shots = [*[thrown] * thrown.frames, *[EMPTY] * EMPTY.frames] * 12
    for number, shot in enumerate(shots):
        watcher.feed(Frame(picture(shot, number), number / 10, number))
    assert reader.told[-1].is_known
    assert reader.told[-1].camera.focal == pytest.approx(1.2, rel=0.05)


def test_throws_tell_the_focal_length_to_later_readings_of_the_same_pictures() -> None:
    reader, number = Telling(), 0
    watcher = Watcher(WIDE, reader)

    def show(*shots: Shot) -> CameraEstimate:
        nonlocal number
        for shot in shots:
            for _ in range(shot.frames):
                watcher.feed(Frame(picture(shot, number), number / 10, number))
                number += 1
        return reader.told[-1]

    far: Places = ((40, 200), (560, 300))
    assert not show(EMPTY, Shot(far, 8), EMPTY).is_known
    known = show(*[Shot(far, 8), EMPTY] * 12)
    assert known.is_known
    assert known.camera.focal == pytest.approx(1.2, rel=0.05)
    watcher.place(replace(WIDE, bar_mm=WIDE.bar_mm + 1))
    assert show(EMPTY, Shot(far, 8)).is_known
    watcher.place(replace(WIDE, image_size=(1280, 720)))
    assert not show(EMPTY, Shot(far, 8)).is_known
    assert watcher.go_back(WIDE.image_size)
    assert show(EMPTY, Shot(far, 8)).is_known
    watcher.place(replace(WIDE, corners_px=tuple((x * 0.9, y * 0.9) for x, y in WIDE.corners_px)))
    assert not show(EMPTY, Shot(far, 8)).is_known
