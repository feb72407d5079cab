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
from vision.watch.stillness import Stillness


@dataclass(frozen=True, slots=True, eq=False)
class ThrowSeen:
    """Dice have come to rest. `frame` is the picture they were read in."""

    reading: DiceReading
    frame: Frame


@dataclass(frozen=True, slots=True, eq=False)
class LiftedSeen:
    """The dice of the last throw have been picked up."""

    frame: Frame


@dataclass(frozen=True, slots=True, eq=False)
class BoardMoved:
    """Board or camera have been bumped: nothing is read until the board is found again.

    `board` is where it lies now, None while it is not found.
    """

    frame: Frame
    board: Board | None


Seeing: TypeAlias = ThrowSeen | LiftedSeen | BoardMoved


INTRUDER_SHARE = 0.015
"""Part of the picture; an arm over the board covers more, a checker that was moved less."""


BUMP_SHARE = 0.02
"""Part of the picture that must have changed before a bump is thought of."""


BLANK = 3.0
"""Of 255: what differs by less from place to place shows no board and says nothing of the dice."""


INTRUDER_PATIENCE_S = 15.0
"""After so long it is no hand but a changed light or a coat on the table, and the picture is taken as it is."""


class Watcher:
    """Turns frames into throws and liftings, each reported once. Time is the frames' own."""

    def __init__(
        self,
        board: Board | None,
        reader: Reader | None = None,
        still_s: float = 0.35,
        dice_lay: bool = False,
    ) -> None:
        """Begin to watch; with `dice_lay` another has reported dice whose lifting is still to be reported."""
        self._board = board
        self._lost = False
        self._finder: BoardFinder | None = None
        self._reader = reader or Reader()
        self._stillness = Stillness(still_s)
        self._rest: list[Frame] = []
        self._settled = False
        self._thrown: tuple[DieReading, ...] = ()
        self._lay_before_bump = dice_lay
        self._quiet: NDArray[np.int16] | None = None
        self._quiet_at_s = 0.0
        self._bare: NDArray[np.int16] | None = None
        """The last quiet picture without dice."""

    @property
    def board(self) -> Board | None:
        """Where the board lies, as it was given or found again after a bump."""
        return self._board

    def feed(self, frame: Frame) -> list[Seeing]:
        """What this frame brings to light: mostly nothing."""
        still = self._stillness.feed(frame)
        if self._stillness.stirred:
            self._rest, self._settled = [], False
        self._rest = [*self._rest[-1:], frame]
        if not still or self._settled:
            return []
        return self._settle(frame)

    def finish(self) -> list[Seeing]:
        """What is pending when a source ends: its last picture counts as quiet."""
        if self._settled or not self._rest:
            return []
        return self._settle(self._rest[-1])

    def _settle(self, frame: Frame) -> list[Seeing]:
        now = thumb(frame.bgr)
        if now.std() < BLANK:
            return []
        change = None if self._quiet is None or self._quiet.shape != now.shape else stir(self._quiet, now)
        if change is not None:
            bump = self._look_for_bump(now, frame, change)
            if bump is not None:
                return bump
            patient = frame.at_s - self._quiet_at_s < INTRUDER_PATIENCE_S
            if patient and _reaches_in(change):
                return []
            if len(self._thrown) >= 2 and not self._touched(change):
                self._settled = True
                self._quiet_at_s = frame.at_s
                return []
        self._settled = True
        self._quiet, self._quiet_at_s = now, frame.at_s
        bare = self._bare
        reading = self._vote(None if bare is None or bare.shape != now.shape else stir(bare, now))
        if not reading.dice:
            self._bare = now
        return self._compare(reading, frame)

    def _look_for_bump(self, now: NDArray[np.int16], frame: Frame, change: Stir) -> list[Seeing] | None:
        """What to say of a bumped board; None if there was no bump. A lost board is looked for at every rest."""
        if self._board is None or self._quiet is None:
            return None
        way = bumped(self._quiet, now) if change.share > BUMP_SHARE else None
        if way is None and not self._lost:
            return None
        self._finder = self._finder or BoardFinder()
        board = found_again(frame.bgr, self._board, None if self._lost else way, self._finder)
        said_before, self._lost = self._lost, board is None
        self._settled = True
        if board is None:
            return [] if said_before else [BoardMoved(frame, None)]
        self._lay_before_bump = self._lay_before_bump or bool(self._thrown)
        self._board, self._quiet, self._bare, self._thrown = board, None, None, ()
        return [BoardMoved(frame, board)]

    def _vote(self, since: Stir | None) -> DiceReading:
        """One reading out of up to two quiet pictures: where they differ there is doubt."""
        last, *before = [self._reader.read(f.bgr, self._board, since) for f in reversed(self._rest)]
        for reading in before:
            last = agreed(last, reading)
        return last

    def _compare(self, reading: DiceReading, frame: Frame) -> list[Seeing]:
        """The new reading against the throw that was reported last."""
        stay = [d for d in self._thrown if any(_same_place(d, n) for n in reading.dice)]
        fresh = [n for n in reading.dice if not any(_same_place(d, n) for d in self._thrown)]
        lay_before_bump, self._lay_before_bump = self._lay_before_bump, False
        if not reading.dice:
            lifted = bool(self._thrown) or lay_before_bump
            self._thrown = ()
            return [LiftedSeen(frame)] if lifted else []
        if not fresh:
            return []  # some of the dice are gone, or none: picking up has begun at most
        out: list[Seeing] = []
        if self._thrown and not stay:
            out.append(LiftedSeen(frame))
        self._thrown = reading.dice
        return [*out, ThrowSeen(reading, frame)]

    def _touched(self, change: Stir) -> bool:
        """Whether anything changed where the reported dice lie."""
        for die in self._thrown:
            x0, y0, x1, y1 = (round(v / 4) for v in die.box_px)
            if change.moved[max(0, y0 - 1) : y1 + 2, max(0, x0 - 1) : x1 + 2].any():
                return True
        return False


def agreed(last: DiceReading, before: DiceReading) -> DiceReading:
    """The last reading without what the one before saw otherwise; other dice altogether are a doubt."""
    pairs = [(die, next((b for b in before.dice if _same_place(die, b)), None)) for die in last.dice]
    same = len(last.dice) == len(before.dice) and all(other is not None for _, other in pairs)
    dice = tuple(_agreed(die, other) if other else die for die, other in pairs)
    return DiceReading(dice, last.doubt or before.doubt or not same, last.board_found)


def _agreed(die: DieReading, other: DieReading) -> DieReading:
    if die.value != other.value:
        die = replace(die, value=None)
    return die if die.rest == other.rest else replace(die, rest=None, tilt_deg=None)


def _same_place(one: DieReading, other: DieReading) -> bool:
    width = one.box_px[2] - one.box_px[0]
    away = np.hypot(one.centre_px[0] - other.centre_px[0], one.centre_px[1] - other.centre_px[1])
    return bool(away < 0.35 * width)


def _reaches_in(change: Stir) -> bool:
    """Whether something large comes in over the picture's edge: a hand, an arm, a head."""
    count, _labels, stats, _ = cv2.connectedComponentsWithStats(change.moved.astype(np.uint8), connectivity=8)
    high, wide = change.moved.shape
    for k in range(1, count):
        x, y, w, h, area = (int(v) for v in stats[k])
        at_edge = x <= 1 or y <= 1 or x + w >= wide - 1 or y + h >= high - 1
        if at_edge and area > INTRUDER_SHARE * high * wide:
            return True
    return False
