"""What the page may see of the camera, and where the board lies in its picture.

The eye shows every frame here; the page asks for the newest one, and may say where the board lies. What it says is
used from the next frame on, and kept in the board file.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import UserError
from companion.settings import CameraSettings, Settings
from companion.storage.wholefile import write_whole
from sentence import NOTHING, Sentence, say

if TYPE_CHECKING:
    from vision.board.calibration import Board
    from vision.frame import Frame

BOARD_FILE = "board.json"
"""Where the board's place is kept in the state folder, unless the settings name another file."""
JPEG_QUALITY = 80
"""About 150 kB for 1280 by 720, once a second while somebody places the board."""


class UnplacedError(UserError):
    """The board could not be put there; the text says why."""


class Sight:
    """The newest frame and the board's place, handed between the eye's thread and the server's."""

    def __init__(self, board: "Board | None" = None, file: Path | None = None) -> None:
        """Begin with a known board, or with None: it is looked for.

        `refusal` says why the board cannot be placed, empty where it can; with `whole` pictures of throws are kept
        uncut.

        Args:
            board: where the board lies, as the settings say.
            file: where a place told on the page is kept; None: it lasts as long as the program.
        """
        self.board = board
        self.placed: Board | None = None
        self.refusal = NOTHING
        self.whole = False
        self._file = file
        self._frame: Frame | None = None

    def recall(self) -> Sentence:
        """Take the board's place from the file, where nothing else has told it.

        Returns:
            Empty when there is none, or it can be used; a sentence when it cannot.
        """
        if self.board is not None or self._file is None or not self._file.exists():
            return NOTHING
        from vision.board.calibration import load_board
        from vision.errors import BadBoard

        try:
            self.board = load_board(self._file)
        except BadBoard as error:
            return say("{why} The board is looked for in the picture.", why=error.sentence)
        return NOTHING

    def show(self, frame: "Frame") -> None:
        """A frame that the eye has seen."""
        self._frame = frame

    def found(self, board: "Board") -> None:
        """The eye has found the board, or knows it from the recording."""
        self.board = board

    def look(self) -> bytes | None:
        """The newest frame as a JPEG; None before the first."""
        import cv2

        if self._frame is None:
            return None
        done, data = cv2.imencode(".jpg", self._frame.bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
        assert done, "OpenCV encodes every picture of three channels"
        return data.tobytes()

    def corners(self) -> tuple[tuple[float, float], ...] | None:
        """Where the playing surface lies in the newest frame, in its pixels; None where that is not known."""
        from vision.errors import BadBoard

        if self.board is None or self._frame is None:
            return None
        try:
            return self.board.for_picture(self._frame.size_px).corners_px
        except BadBoard:
            return None  # a board file for pictures of another shape says nothing about this one

    def place(self, corners: Sequence[Sequence[float]] | None) -> Sentence:
        """Put the board at these corners of the newest frame, or with None look for it there.

        Returns:
            Empty when it is used and kept; a sentence when it is used but could not be kept.

        Raises:
            UnplacedError: it stays where it was.
        """
        if self.refusal:
            raise UnplacedError(self.refusal)
        frame = self._frame
        if frame is None:
            raise UnplacedError(say("The camera shows no picture now."))
        self.board = self.placed = self._board_in(frame, corners)
        if self._file is None:
            return NOTHING
        try:
            save_board(self._file, self.board)
        except UserError as error:
            return say(
                "The board is used as placed, but will not be known after the next start: {why}",
                why=error.sentence,
            )
        return NOTHING

    def _board_in(self, frame: "Frame", corners: Sequence[Sequence[float]] | None) -> "Board":
        """The board at these corners, or found; what was measured of it before is kept."""
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
            raise UnplacedError(str(error)) from error
        if self.board is None:
            return board
        try:
            known = self.board.for_picture(frame.size_px)
        except BadBoard:
            return board  # the camera was turned: what was measured is of pictures of another shape
        return Board(frame.size_px, board.corners_px, known.surface_mm, known.bar_mm, known.distortion)


def board_of_settings(settings: Settings) -> "Board | None":
    """The board file that the settings name, read early so that a bad one is said before anything runs.

    Raises:
        BadBoard: it is missing or describes no board; named is the line of the settings, too.
    """
    if not settings.camera.board:
        return None
    from vision.board.calibration import load_board
    from vision.errors import BadBoard

    with settings.blaming("camera.board", BadBoard):
        return load_board(Path(settings.camera.board))


def sight_of(wanted: CameraSettings, board: "Board | None", folder: Path) -> Sight:
    """Where the board lies as the settings say, else as it was last placed on the page, to be recalled by the eye.

    Args:
        wanted: what the settings say of the camera; a new place is kept in their file.
        board: from `board_of_settings`.
        folder: the state folder.
    """
    return Sight(board, Path(wanted.board) if wanted.board else folder / BOARD_FILE)


def save_board(file: Path, board: "Board") -> None:
    """Write the board file, on disk whole or not at all; UserError where it cannot be written."""
    write_whole(file, (json.dumps(board.to_json(), indent=1) + "\n").encode())
