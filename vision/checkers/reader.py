"""Reading of the checkers of a picture: `read_board` and `learn_look`."""

from collections.abc import Sequence

from vision.board.calibration import Board
from vision.checkers.reading import BoardReading, Counts, Look
from vision.frame import Bgr


class CheckerReader:
    """Reads the checkers of single pictures; loaded once, used by one thread."""

    def read(self, bgr: Bgr, board: Board, look: Look | None = None) -> BoardReading:
        """Read a picture (H, W, 3) uint8.

        Args:
            bgr: the picture.
            board: the board's place in it.
            look: what was learned from this board's starting position; without it the two colours are found by themselves.

        Raises:
            BadBoard: the board belongs to pictures of other proportions.
        """
        raise NotImplementedError

    def learn_look(self, pictures: Sequence[Bgr], board: Board, points: Sequence[Counts]) -> Look:
        """What the checkers look like, from pictures of a known position.

        Args:
            pictures: one or a few, (H, W, 3) uint8 each, of the same position.
            board: the board's place in them.
            points: 24 numbers of checkers of colours a and b, point 1 first, as PointChances.counts has them.

        Raises:
            ValueError: one of the colours is nowhere in the position.
        """
        raise NotImplementedError
