"""The newest frame of the camera and the board's place in it, shared by the eye's thread and the page's.

The eye shows every frame here; the page reads the newest one, and may place the board in it. That place is used from
the next frame on, and kept in the board file.
"""

import json
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import msgspec
from msgspec import Meta

from companion.errors import UserError
from companion.settings import CameraSettings, Settings
from companion.storage.folder import BOARD_FILE
from companion.storage.wholefile import write_whole
from sentence import NOTHING, Sentence, say

if TYPE_CHECKING:
    from vision.board.calibration import Board
    from vision.frame import Frame


Beside: TypeAlias = Sequence[Sequence[float]]
"""For each corner, clockwise from the top left, where the finder has it: x and y beside its place, in board widths."""
NOT_BESIDE: Beside = ((0.0, 0.0),) * 4


class UnplacedError(UserError):
    """The board could not be placed there; the text gives the reason."""


class BoardPlace:
    """The newest frame and the board's place, handed between the eye's thread and the server's.

    What belongs together is read and written under one lock. The eye's thread calls `recall` once, `take_placed` and
    `show` with each frame, and `refuse` if it plays recorded throws; the server's threads call `jpeg`, `corners` and
    `place`; the health loop reads `frames` and `seen_s`. A place from the page takes precedence: until the eye has
    taken it, the place given with a frame is ignored.

    Attributes:
        board: the board, None while its place is unknown.
        refusal: why it cannot be placed, empty if it can.
        beside: where the finder had the board when a person placed it; None: it had none.
        frames: number of frames shown.
        seen_s: time of the newest frame, seconds on the monotonic clock.
    """

    def __init__(self, board: "Board | None" = None, file: Path | None = None) -> None:
        """Begin with a known board, or with None: it is looked for.

        Args:
            board: the board of the settings.
            file: the board file for a place given on the page; None: the place lasts as long as the program.
        """
        self._lock = threading.Lock()
        self._placing = threading.Lock()  # held while a place is computed and written, one at a time
        self.board = board
        self._placed: Board | None = None
        self.refusal = NOTHING
        self._file = file
        self._frame: Frame | None = None
        self.beside: Beside | None = NOT_BESIDE if file is None else _beside_in(file)
        self.frames, self.seen_s = 0, time.monotonic()

    def recall(self) -> Sentence:
        """Take the board's place from the file, unless it is known; returns a sentence if the file cannot be used."""
        if self.board is not None or self._file is None or not self._file.exists():
            return NOTHING
        from vision.board.calibration import load_board
        from vision.errors import BadBoard

        try:
            board = load_board(self._file)
        except BadBoard as error:
            return say("{why} Looking for the board in the picture.", why=error.sentence)
        with self._lock:
            self.board = self.board or board
        return NOTHING

    def refuse(self, why: Sentence) -> None:
        """Refuse every placing of the board, for this reason."""
        with self._lock:
            self.refusal = why

    def show(self, frame: "Frame", board: "Board | None") -> None:
        """Take the newest frame, with the board at its place known to the eye."""
        with self._lock:
            self._frame, self.frames, self.seen_s = frame, self.frames + 1, time.monotonic()
            if self._placed is None:
                self.board = board

    def take_placed(self) -> "Board | None":
        """The board as placed on the page since the last call; None if it was not placed."""
        with self._lock:
            placed, self._placed = self._placed, None
            return placed

    def jpeg(self) -> bytes | None:
        """The newest frame as a JPEG; None before the first."""
        from vision.capture.picture import jpeg_of

        frame = self._frame
        return jpeg_of(frame.bgr) if frame else None

    def newest(self) -> "tuple[Frame, Board | None] | None":
        """The newest frame with the board's place; None before the first."""
        with self._lock:
            return None if self._frame is None else (self._frame, self.board)

    def corners(self) -> tuple[tuple[float, float], ...] | None:
        """The corners of the playing surface in the newest frame, x and y in its pixels; None if they are unknown."""
        from vision.errors import BadBoard

        with self._lock:
            frame, board = self._frame, self.board
        if board is None or frame is None:
            return None
        try:
            return board.for_picture(frame.size_px).corners_px
        except BadBoard:
            return None  # a board file for pictures of another shape does not apply to this one

    def place(self, corners: Sequence[Sequence[float]] | None) -> Sentence:
        """Place the board at these corners of the newest frame, in its pixels, or with None look for it there.

        Returns:
            Empty if the place is used and kept; a sentence if it is used but could not be kept.

        Raises:
            UnplacedError: the board keeps its former place.
        """
        with self._placing:
            with self._lock:
                refusal, frame, known = self.refusal, self._frame, self.board
            if refusal:
                raise UnplacedError(refusal)
            if frame is None:
                raise UnplacedError(say("The camera shows no picture at the moment."))
            board = _board_in(frame, corners, known)
            beside = _beside(frame, board)
            with self._lock:
                self.board, self._placed, self.beside = board, board, beside
            try:
                if self._file is not None:
                    save_board(self._file, board, beside)
            except UserError as error:
                return say(
                    "The board is used as placed, but will not be known after the next start: {why}",
                    why=error.sentence,
                )
            return NOTHING


def _board_in(frame: "Frame", corners: Sequence[Sequence[float]] | None, known: "Board | None") -> "Board":
    """The board at these corners, or the one found; lengths and lens are those of the board known before.

    Raises:
        UnplacedError: no board was found, or the corners describe none.
    """
    from vision.board.calibration import Board
    from vision.board.findboard import BoardFinder, board_from_corners
    from vision.errors import BadBoard

    if corners is None:
        found = BoardFinder().find(frame.bgr)
        if found is None:
            raise UnplacedError(say("No board was found in the picture; put the marks on its corners."))
        return found
    try:
        board = board_from_corners(frame.size_px, corners)
    except BadBoard as error:
        raise UnplacedError(error.sentence) from error
    try:
        known = known and known.for_picture(frame.size_px)
    except BadBoard:
        known = None  # the camera was turned: lengths and lens were measured in pictures of another shape
    if known is None:
        return BoardFinder().with_bar(frame.bgr, board)
    return Board(
        frame.size_px,
        board.corners_px,
        known.surface_mm,
        known.bar_mm,
        known.distortion,
        unfamiliar=known.distortion is None,
    )


def board_of_settings(settings: Settings) -> "Board | None":
    """The board in the file named by the settings, read early so that a bad file is reported before anything runs.

    Raises:
        BadBoard: the file is missing or describes no board; the text names the line of the settings, too.
    """
    if not settings.camera.board:
        return None
    from vision.board.calibration import load_board
    from vision.errors import BadBoard

    with settings.blaming("camera.board", BadBoard):
        return load_board(Path(settings.camera.board))


def board_place_of(wanted: CameraSettings, board: "Board | None", folder: Path) -> BoardPlace:
    """The board's place by the settings, else as last placed on the page, which the eye recalls.

    Args:
        wanted: the settings of the camera; a new place is kept in their board file.
        board: from `board_of_settings`.
        folder: the state folder.
    """
    return BoardPlace(board, Path(wanted.board) if wanted.board else folder / BOARD_FILE)


def save_board(file: Path, board: "Board", beside: Beside | None = NOT_BESIDE) -> None:
    """Write the board file, on disk whole or not at all; UserError if it cannot be written."""
    kept = board.to_json() | ({} if beside == NOT_BESIDE else {_BESIDE: beside})
    write_whole(file, (json.dumps(kept, indent=1) + "\n").encode())


_Corners: TypeAlias = Annotated[
    list[Annotated[list[float], Meta(min_length=2, max_length=2)]], Meta(min_length=4, max_length=4)
]
_BESIDE = "found_beside"
"""The field of the board file that keeps `BoardPlace.beside`; files from `companion calibrate` have none."""


def _beside(frame: "Frame", board: "Board") -> Beside | None:
    """Where the finder has a board in this frame that a person has placed there; None if it finds none."""
    from vision.board.findboard import BoardFinder

    found = BoardFinder().find(frame.bgr)
    if found is None:
        return None
    across = [x for x, _ in board.corners_px]
    width_px = max(across) - min(across)
    pairs = zip(found.corners_px, board.corners_px, strict=True)
    return [
        [round((x - known_x) / width_px, 4), round((y - known_y) / width_px, 4)]
        for (x, y), (known_x, known_y) in pairs
    ]


def _beside_in(file: Path) -> Beside | None:
    """The field of a board file; a file that cannot be read, or has none, has its board where it is found."""
    try:
        kept = json.loads(file.read_bytes())[_BESIDE] if file.is_file() else NOT_BESIDE
        return None if kept is None else msgspec.convert(kept, _Corners)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return NOT_BESIDE
