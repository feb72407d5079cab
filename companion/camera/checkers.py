"""Reads the checkers of quiet pictures in the eye's thread, and learns their look from a starting position."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from companion.game.events import Shade
from companion.inference.opening import StartSeen, start_seen
from companion.inference.views import MOST, BoardView, physical_counts
from companion.rules.board import Position
from sentence import NOTHING, Sentence

if TYPE_CHECKING:
    from vision.board.calibration import Board
    from vision.checkers.alignment import Alignment
    from vision.checkers.reading import BoardReading, Counts, Look
    from vision.frame import Bgr, Frame

Reads: TypeAlias = Literal["off", "dice", "dice and checkers"]
"""What the camera reads: nothing, the dice, or the dice and the checkers."""
AGAIN_S = 3.0
"""A board at rest is read a second time after so long: what is open then is asked."""


class Reader(Protocol):
    """A reader of checkers: `vision.checkers.reader.CheckerReader`, or stored readings in a test."""

    def read(self, bgr: "Bgr", board: "Board", look: "Look | None" = None) -> "BoardReading":
        """Read a picture, (H, W, 3) uint8."""
        ...

    def learn_look(self, pictures: "Sequence[Bgr]", board: "Board", points: "Sequence[Counts]") -> "Look":
        """What the checkers look like, from pictures of a known position."""
        ...


@dataclass(slots=True)
class Wanted:
    """What is to be read: set in the keeper's and the server's threads, read in the eye's.

    Attributes:
        reads: the setting.
        start: the starting position, while a game waits for its opening throw and has checkers on the board; None
            otherwise.
        south: south's checkers in the match's settings.
        refusal: why the setting cannot be changed, empty if it can.
        changes: how often people have changed the record; the board at rest is read anew after each time.
    """

    reads: Reads = "dice"
    start: Position | None = None
    south: Shade = "light"
    refusal: Sentence = NOTHING
    changes: int = 0


@dataclass(frozen=True, slots=True)
class CheckersSeen:
    """The checkers in one quiet picture.

    Attributes:
        view: the reading.
        start: the starting position that it shows, while one is awaited; None for another position.
        at_throw: dice of a new throw have just come to rest in it.
        again: the board has been at rest for some time.
    """

    view: BoardView
    start: StartSeen | None = None
    at_throw: bool = False
    again: bool = False


class CheckerEye:
    """Decides which pictures are read, and reads them.

    Attributes:
        reader: None before the first picture.
    """

    def __init__(self, wanted: Wanted, reader: Reader | None = None) -> None:
        """Read what is wanted; the nets are loaded with the first picture."""
        self._wanted, self.reader = wanted, reader
        self._look: Look | None = None
        self._quiet_s: float | None = None
        self._again = False
        self._changes = wanted.changes
        self._board: Board | None = None

    def see(
        self, frame: "Frame", board: "Board | None", quiet: bool, stirred: bool, throw: bool
    ) -> list[CheckersSeen]:
        """The reading of a frame, if one is due: once when it comes to rest, and once more after a while.

        Both are due anew where people have changed the record meanwhile, or the board is known at another place.

        Args:
            frame: the frame.
            board: the board's place, None while it is unknown.
            quiet: nothing moves in the frame.
            stirred: the watcher has reported something of this frame.
            throw: it has reported a throw.
        """
        if not quiet or board is None or self._wanted.reads != "dice and checkers":
            self._quiet_s = None
            return []
        changes, self._changes = self._changes, self._wanted.changes
        place, self._board = self._board, board
        if self._quiet_s is None or stirred or changes != self._changes or place is not board:
            self._quiet_s, self._again = frame.at_s, False
            return [self._read(frame, board, throw, again=False)]
        if self._again or frame.at_s - self._quiet_s < AGAIN_S:
            return []
        self._again = True
        return [self._read(frame, board, throw=False, again=True)]

    def _read(self, frame: "Frame", board: "Board", throw: bool, again: bool) -> CheckersSeen:
        from vision.checkers.reader import CheckerReader

        reader = self.reader = self.reader or CheckerReader()
        if self._wanted.start is not None and not throw:
            begun = start_in(reader, frame.bgr, board, self._wanted.start, self._wanted.south)
            if begun is not None:
                start, self._look, view = begun
                return CheckersSeen(view, start, again=again)
        return CheckersSeen(checkers_of(reader.read(frame.bgr, board, self._look)), None, throw, again)


def start_in(
    reader: Reader, bgr: "Bgr", board: "Board", start: Position, south: Shade | None = None
) -> "tuple[StartSeen, Look, BoardView] | None":
    """The starting position in a picture, the look learned from it, and the view with that look.

    The look is learned on the points that fit at first sight; with it the position is checked once more. None if the
    picture shows another position, or no point of a side that fits. South's colour counts as for `start_seen`.
    """
    first = start_seen([checkers_of(reader.read(bgr, board))], start, south)
    if not first.is_sure:
        return None
    counts = [
        (0, 0) if n in first.wrong else pair
        for n, pair in enumerate(physical_counts(first.board, first.orientation), 1)
    ]
    if not all(map(any, zip(*counts, strict=True))):
        return None
    look = reader.learn_look([bgr], board, counts)
    view = checkers_of(reader.read(bgr, board, look))
    again = start_seen([view], start, south)
    if again.orientation != first.orientation or not again.is_sure:
        return None
    return again, look, view


def alignment(reader: Reader, bgr: "Bgr", board: "Board", start: StartSeen) -> "Alignment":
    """The search for the exact place of a board that was found in a picture of the starting position."""
    from vision.checkers.alignment import Alignment

    return Alignment(reader, bgr, board, physical_counts(start.board, start.orientation))


def place_by_start(reader: Reader, bgr: "Bgr", board: "Board", start: Position) -> "Board | None":
    """The exact place of a board that was found, if the picture shows the starting position; None: it is left there."""
    view = checkers_of(reader.read(bgr, board))
    seen = start_seen([view], start)
    if not seen.is_sure or view.covered:
        return None
    search = alignment(reader, bgr, board, seen)
    while not search.is_done:
        search.go_on()
    return search.found()


def checkers_of(reading: "BoardReading") -> BoardView:
    """A reading of the checkers in the type of the inference."""
    a, b = (None if one.covered else [float(chance) for chance in one.chances] for one in reading.bar)
    points = [None if one.covered else [float(chance) for chance in one.chances] for one in reading.points]
    return BoardView.of(
        points, (a and a[: MOST + 1], b and [b[0], *b[MOST + 1 :]]), reading.pictures, reading.trays
    )
