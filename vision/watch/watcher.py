"""Turns frames into throws and liftings, each reported once."""

from dataclasses import dataclass, replace
from typing import TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board.calibration import Board
from vision.board.findboard import BoardFinder
from vision.change import Stir, stir, thumb
from vision.dice.reader import Reader
from vision.dice.reading import DiceReading, DieReading
from vision.frame import Frame
from vision.watch.moved import bumped, found_again
from vision.watch.reported import ReportedDice, same_place
from vision.watch.stillness import Stillness


@dataclass(frozen=True, slots=True, eq=False)
class ThrowSeen:
    """Dice have come to rest. `frame` is the picture in which they were read."""

    reading: DiceReading
    frame: Frame


@dataclass(frozen=True, slots=True, eq=False)
class LiftedSeen:
    """The dice of the last throw have been picked up."""

    frame: Frame


@dataclass(frozen=True, slots=True, eq=False)
class BoardMoved:
    """The board or the camera was bumped: nothing is read until the board is found again.

    `board` is the board at its new place, None until it is found.
    """

    frame: Frame
    board: Board | None


Seeing: TypeAlias = ThrowSeen | LiftedSeen | BoardMoved


INTRUDER_SHARE = 0.015
"""Part of the picture; an arm over the board covers more, a moved checker less."""


BUMP_SHARE = 0.02
"""Least part of the picture that has changed after a bump."""


BLANK = 3.0
"""Grey levels out of 255: a thumb with a smaller standard deviation shows neither board nor dice."""


INTRUDER_PATIENCE_S = 15.0
"""After this time the change is no hand but a new light or a coat on the table, and the picture is read as it is."""


@dataclass(slots=True, eq=False)
class _Scene:
    """Everything known about pictures of one size.

    Attributes:
        board: the board as given, or as found after a bump; None while its place is unknown.
        lost: the board was bumped and has not been found again.
        quiet: the thumb of the last quiet picture.
        quiet_at_s: its time.
        bare: the thumb of the last quiet picture without dice.
    """

    board: Board | None
    lost: bool = False
    quiet: NDArray[np.int16] | None = None
    quiet_at_s: float = 0.0
    bare: NDArray[np.int16] | None = None


class Watcher:
    """Turns frames into throws and liftings, each reported once. Times are those of the frames."""

    def __init__(self, board: Board | None, reader: Reader | None = None, still_s: float = 0.35) -> None:
        """Begin to watch.

        Args:
            board: the board in the pictures; None: dice are read without one.
            reader: reads the dice in quiet pictures.
            still_s: seconds without change after which a picture is quiet.
        """
        self._reader = reader or Reader()
        self._stillness = Stillness(still_s)
        self._rest: list[Frame] = []
        self._settled = False
        self._reported = ReportedDice()
        self._finder: BoardFinder | None = None
        self._scene = _Scene(board)
        self._former: _Scene | None = None

    @property
    def board(self) -> Board | None:
        """The board as given, or as found after a bump; None while its place is unknown."""
        return self._scene.board

    @property
    def is_quiet(self) -> bool:
        """Whether the last picture was quiet, with nothing reaching into it."""
        return self._settled

    def place(self, board: Board) -> None:
        """Use the board at this place. The reported dice stay reported and are read once more.

        For a board in pictures of another size, the knowledge about the present ones is kept for `go_back`.
        """
        before = self._scene.board
        if before is not None and before.image_size != board.image_size:
            self._former = self._scene
            self._reported.board_moved()
        self._use(_Scene(board))

    def go_back(self, size_px: tuple[int, int]) -> bool:
        """Resume with former pictures of this size (width, height); a bump since then is detected.

        Returns:
            False if no board is known from former pictures of this size.
        """
        former = self._former
        if former is None or former.board is None or former.board.image_size != size_px:
            return False
        self._former = self._scene
        self._reported.board_moved()
        self._use(former)
        return True

    def _use(self, scene: _Scene) -> None:
        self._scene, self._settled = scene, False
        self._reported.lose_places()

    def feed(self, frame: Frame) -> list[Seeing]:
        """Take the next frame; returns the reports that it completes, usually none."""
        still = self._stillness.feed(frame)
        if self._stillness.stirred:
            self._rest, self._settled = [], False
        self._rest = [*self._rest[-1:], frame]
        if not still or self._settled:
            return []
        return self._settle(frame)

    def finish(self) -> list[Seeing]:
        """The pending reports at the end of a source: its last picture counts as quiet."""
        if self._settled or not self._rest:
            return []
        return self._settle(self._rest[-1])

    def _settle(self, frame: Frame) -> list[Seeing]:
        now, scene = thumb(frame.bgr), self._scene
        if now.std() < BLANK:
            return []
        change = None if scene.quiet is None or scene.quiet.shape != now.shape else stir(scene.quiet, now)
        if change is not None:
            bump = self._look_for_bump(now, frame, change)
            if bump is not None:
                return bump
            patient = frame.at_s - scene.quiet_at_s < INTRUDER_PATIENCE_S
            if patient and _reaches_in(change):
                return []
            if len(self._reported.seen) >= 2 and not self._reported.touched(change):
                self._settled = True
                scene.quiet_at_s = frame.at_s
                return []
        self._settled = True
        scene.quiet, scene.quiet_at_s = now, frame.at_s
        bare = scene.bare
        reading = self._vote(None if bare is None or bare.shape != now.shape else stir(bare, now))
        if not reading.dice:
            scene.bare = now
        lifted, thrown = self._reported.compare(reading)
        out: list[Seeing] = [LiftedSeen(frame)] if lifted else []
        return [*out, ThrowSeen(reading, frame)] if thrown else out

    def _look_for_bump(self, now: NDArray[np.int16], frame: Frame, change: Stir) -> list[Seeing] | None:
        """The reports of a bump; None if there was none. A lost board is looked for in every quiet picture."""
        scene = self._scene
        if scene.board is None or scene.quiet is None:
            return None
        way = bumped(scene.quiet, now) if change.share > BUMP_SHARE else None
        if way is None and not scene.lost:
            return None
        self._finder = self._finder or BoardFinder()
        board = found_again(frame.bgr, scene.board, None if scene.lost else way, self._finder)
        was_lost, scene.lost = scene.lost, board is None
        self._settled = True
        self._reported.board_moved()
        if board is None:
            return [] if was_lost else [BoardMoved(frame, None)]
        self._reported.lose_places()
        scene.board, scene.quiet, scene.bare = board, None, None
        return [BoardMoved(frame, board)]

    def _vote(self, since: Stir | None) -> DiceReading:
        """One reading from up to two quiet pictures: a difference between them is doubt."""
        board = self._scene.board
        last, *before = [self._reader.read(f.bgr, board, since) for f in reversed(self._rest)]
        for reading in before:
            last = agreed(last, reading)
        return last


def agreed(last: DiceReading, before: DiceReading) -> DiceReading:
    """The last reading without the values that differ from the one before; a different set of dice is doubt."""
    pairs = [(die, next((b for b in before.dice if same_place(die, b)), None)) for die in last.dice]
    same = len(last.dice) == len(before.dice) and all(other is not None for _, other in pairs)
    dice = tuple(_agreed(die, other) if other else die for die, other in pairs)
    return DiceReading(dice, last.doubt or before.doubt or not same, last.board_found)


def _agreed(die: DieReading, other: DieReading) -> DieReading:
    if die.value != other.value:
        die = replace(die, value=None)
    return die if die.rest == other.rest else replace(die, rest=None, tilt_deg=None)


def _reaches_in(change: Stir) -> bool:
    """Whether something large reaches in over the picture's edge: a hand, an arm, a head."""
    count, _labels, stats, _ = cv2.connectedComponentsWithStats(change.moved.astype(np.uint8), connectivity=8)
    high, wide = change.moved.shape
    for k in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[k])
        at_edge = x <= 1 or y <= 1 or x + w >= wide - 1 or y + h >= high - 1
        if at_edge and area > INTRUDER_SHARE * high * wide:
            return True
    return False
