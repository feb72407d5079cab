"""The search for the exact place of a board that was found, by the starting position on it. Loads OpenCV."""

from companion.camera.checkers import Reader, alignment
from companion.inference.opening import StartSeen
from vision.board.calibration import Board
from vision.checkers.alignment import Alignment
from vision.frame import Bgr


class ExactPlace:
    """Looks once for the exact place of each board that was found by itself, one way to move it at a time.

    Attributes:
        was_found: whether the board in use was found by itself; where people have placed it, it stays.
    """

    def __init__(self) -> None:
        self.was_found = False
        self._search: tuple[Alignment, Board] | None = None  # and the board with which it began
        self._tried: Board | None = None
        self._exact: Board | None = None

    def begin(self, reader: Reader, bgr: Bgr, board: Board, start: StartSeen) -> None:
        """Begin to look for a board's place in a picture (H, W, 3) uint8 of the starting position, if that is due."""
        if not self.was_found or board is self._tried:
            return
        if self._search is None or self._search[1] is not board:
            self._search = alignment(reader, bgr, board, start), board

    def go_on(self, board: Board | None) -> Board | None:
        """Try one way more to move the board in use; its exact place, once all are tried and one is better."""
        if self._search is None:
            return None
        search, begun = self._search
        if begun is not board:
            self._search = None
            return None
        if not search.is_done:
            search.go_on()
            return None
        exact, self._search, self._tried = search.found(), None, board
        if exact is not None:
            self._tried = self._exact = exact
        return exact

    def is_sought_or_found(self, board: Board) -> bool:
        """Whether the exact place is being looked for, or this board lies there: a finder may put it elsewhere."""
        return self._search is not None or board is self._exact
