"""Compares the board's known place with the one found in the pictures, now and then. Loads OpenCV.

A bump in play is noticed by the watcher. This check notices what happened before the first picture, and another board
in the place of the first: corners of an earlier day, a camera mounted anew, another size.
"""

import numpy as np
from numpy.typing import NDArray

from companion.camera.board_place import NOT_BESIDE, Beside
from vision.board.calibration import Board
from vision.board.compared import recognised
from vision.board.findboard import BoardFinder
from vision.frame import Frame

AWAY = 0.025
"""Largest distance of a corner from its place, of the board's width: a board at its place is found within 0.0103 in
the 6 pictures of tests/data/vision and 0.0047 in the recorded throws; one shifted by 20 of 960 pixels is 0.035 away."""
SAME = 0.015
"""Largest distance between two findings of one board, of its width."""
FINDINGS = 3
"""Findings that have to agree, because an arm over the board can mislead one."""
IN_DOUBT_S = 3.0
"""Interval between checks until the place is confirmed, and while it is in doubt."""
CONFIRMED_S = 15.0
"""Interval afterwards; a finding takes a tenth of a second on a Pi."""


class BoardCheck:
    """Whether the board in the pictures is where it is known to be.

    Attributes:
        is_elsewhere: several findings agree on another place.
    """

    def __init__(self, beside: Beside | None = NOT_BESIDE) -> None:
        """Begin with a board from a file.

        Args:
            beside: where the finder has each corner beside its place, of the board's width; None: taken from the
                first finding.
        """
        self.is_elsewhere = False
        self._finder = BoardFinder()
        self._beside = None if beside is None else np.array(beside, np.float64)
        self._found: list[NDArray[np.float64]] = []
        self._is_confirmed = False
        self._looked_s = -np.inf

    def trust(self) -> None:
        """Take the place as right: a person has just placed the board, or it was just found.

        Where its finding lies beside the given corners, it may do so from now on.
        """
        self._beside, self._found, self.is_elsewhere = None, [], False
        self._looked_s = -np.inf

    def look(self, frame: Frame, board: Board) -> Board:
        """Check a frame with the board in pictures of its size, if a check is due.

        Returns:
            The board; familiar from the first check on that finds a familiar one in its place.
        """
        is_sure = self._is_confirmed and not self._found
        if frame.at_s - self._looked_s < (CONFIRMED_S if is_sure else IN_DOUBT_S):
            return board
        self._looked_s = frame.at_s
        seen = self._finder.find(frame.bgr)
        if seen is None:
            return board
        found, known = np.array(seen.corners_px), np.array(board.corners_px)
        width_px = float(np.ptp(known[:, 0]))
        if self._beside is None:
            self._beside = (found - known) / width_px
        if _apart(found, known + self._beside * width_px) <= AWAY * width_px:
            self._found, self._is_confirmed, self.is_elsewhere = [], True, False
            return recognised(board, seen)
        self._found = [one for one in self._found if _apart(found, one) <= SAME * width_px] + [found]
        self.is_elsewhere = self.is_elsewhere or len(self._found) >= FINDINGS
        return board


def _apart(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """The largest distance between two boards' corners, in pixels."""
    return float(np.linalg.norm(one - other, axis=1).max())
