"""Detects blank, frozen, truncated and noise-only pictures of a live camera.

Black pictures, and pictures that do not come at all, are noticed by the camera itself (`vision.capture.live`).
"""

import zlib
from collections import deque
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vision.frame import Bgr, Frame

LASTS_S = 2.0
"""White or noise for this long is no flash of light: it is noticed within three seconds, as black pictures are."""
STANDS_S = 2.0
"""Two pictures of a sensor differ in noise; a driver that hands out the same buffers for this long has frozen."""
STREAM_STANDS_S = 10.0
"""A stream may repeat a picture of a quiet board to the last bit until its next whole one (H.264 leaves out what
stays), every few seconds."""
BUFFERS = 8
"""A driver has two or four that it fills in turn, and hands out in turn where it fills them no more."""
COARSE = 16
"""Every sixteenth pixel of every sixteenth row tells mostly that a picture is another, and whether a row is empty."""
LEAST_PX = 24
"""In a picture with a shorter side no die could be seen."""
CELLS = 16
"""A picture's longer side in so many cells: a board in the picture fills dozens, and no grain is so large."""
LEAST_SIDE = 320
"""So many pixels of the longer side are looked at, or some more: enough to average out the noise within a cell."""
FLAT = 1.5
"""Grey levels, the standard deviation of the cells. In a third of its light the dimmest board keeps 5.3, the dimmest
photograph of dice 2.8; noise of 15 levels without a picture has 0.8."""
NOISE_SHARE = 0.06
"""What the cells have of the variance of all pixels. Boards have 0.25 and more, in a third of the light with noise of
8 levels still 0.19, photographs of dice from close by 0.10; noise in blocks of 8 pixels, 640 to the row, has 0.05."""
DIM_LEVEL, LIGHT_LEVEL = 80, 200
"""A flat picture below and above these grey levels on the average is called black, or white."""
CUT_SHARE = 0.1
"""Rows from the bottom that have one colour, and not black or white: those of a picture that was never sent to its end.
No picture of a board has a single such row."""
CUT_RANGE = 2
"""Grey levels by which what fills a missing part varies at most."""
BAR_LEVELS = (16, 250)
"""Up to the one and from the other on it is a bar beside a picture of another shape, or a clipped table."""
FILLER = 128
"""What a JPEG's reader puts where nothing came, in all three colours."""
STEP_ROWS = 6
"""A JPEG comes in blocks of 8 or 16 rows and columns, row after row; at their edges colours are smoothed a little."""


class Fault(Enum):
    """Why the pictures of a live camera are not read."""

    FROZEN = "frozen"
    """The same few pictures come over and over."""
    BLACK = "black"
    WHITE = "white"
    EMPTY = "empty"
    """Grey without anything in it, or too small for a die."""
    NOISE = "noise"
    TRUNCATED = "truncated"
    """The lower part is missing."""


class BlankCheck:
    """Checks each picture of one live camera.

    `fault` is the fault that has lasted long enough to be reported, None while there is none.
    """

    def __init__(self, source: str) -> None:
        """Check the pictures of a source, given by its name in the settings."""
        self.fault: Fault | None = None
        self._no_bar: tuple[int, ...] = ()  # the shape of pictures that do not all end in a bar
        self._stands_s = STREAM_STANDS_S if "://" in source else STANDS_S
        self.forget()

    def forget(self) -> None:
        """Begin anew: the camera was lost."""
        self.fault = None
        self._last: deque[_Shown] = deque(maxlen=BUFFERS)
        self._since_s: float | None = None  # since when no other picture has come than the last few
        self._empty_since_s: float | None = None

    def passes(self, frame: "Frame") -> bool:
        """Whether a picture is worth reading."""
        fault = self._fault_of(frame.bgr)
        if fault is None:
            if self._empty_since_s is not None and self.fault is not None:
                self.forget()  # the picture from before a light shone into the lens may come again after it
            self._empty_since_s = None
        elif self._empty_since_s is None:
            self._empty_since_s = frame.at_s
        stands = self._stands(frame)
        if self._empty_since_s is not None:
            self.fault = fault if frame.at_s - self._empty_since_s >= LASTS_S else None
            return False
        self.fault = Fault.FROZEN if stands else None
        return not stands

    def _fault_of(self, bgr: "Bgr") -> Fault | None:
        """Why a picture shows nothing, or not all of it; None where it is whole.

        One that has ended in a bar from the first on, as under an app's caption, is whole.
        """
        fault = fault_of(bgr)
        if fault is not None:
            return fault
        bar = ends_in_bar(bgr)
        if not bar or ends_in_step(bgr):
            self._no_bar = bgr.shape
        return Fault.TRUNCATED if bar and self._no_bar == bgr.shape else None

    def _stands(self, frame: "Frame") -> bool:
        """Whether nothing has come for so long but the last few pictures once more."""
        if not self._came_before(frame.bgr):
            self._since_s = None
        elif self._since_s is None:
            self._since_s = frame.at_s
        return self._since_s is not None and frame.at_s - self._since_s >= self._stands_s

    def _came_before(self, bgr: "Bgr") -> bool:
        """Whether this is one of the last few different pictures, to the last bit.

        The sum of all of one is taken only where the coarse grid is one's that came before; so it takes a second
        round until they are known, and nothing while a sensor's noise makes each another.
        """
        coarse = bgr[::COARSE, ::COARSE].tobytes()
        alike = any(one.coarse == coarse for one in self._last)
        shown = _Shown(coarse, zlib.crc32(np.ascontiguousarray(bgr).data) if alike else None)
        before = shown.whole is not None and shown in self._last
        if before:
            self._last.remove(shown)
        self._last.append(shown)
        return before


class _Shown(NamedTuple):
    """A picture that came: some of its pixels, and a sum of all, None where it was not taken."""

    coarse: bytes
    whole: int | None


def fault_of(bgr: "Bgr") -> Fault | None:
    """Why a picture, (H, W, 3) uint8, shows nothing; None where it shows something."""
    if min(bgr.shape[:2]) < LEAST_PX:
        return Fault.EMPTY
    pixels, cells = green_of(bgr)
    if cells.std() < FLAT:
        level = float(cells.mean())
        return Fault.BLACK if level < DIM_LEVEL else Fault.WHITE if level > LIGHT_LEVEL else Fault.EMPTY
    return Fault.NOISE if cells.var() < NOISE_SHARE * pixels.var() else None


def green_of(bgr: "Bgr") -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Some of the green of a picture, (h, w) float32, and the means of its cells, at most 16 by 16."""
    longer = max(bgr.shape[:2])
    step = max(1, longer // LEAST_SIDE)
    side = max(1, longer // step // CELLS)
    green = bgr[::step, ::step, 1].astype(np.float32)
    high, wide = (length // side for length in green.shape)
    green = green[: high * side, : wide * side]
    return green, green.reshape(high, side, wide, side).mean((1, 3))


def ends_in_bar(bgr: "Bgr") -> bool:
    """Whether the lower part of a picture, (H, W, 3) uint8, has one colour: a bar, or nothing came for it.

    The same colour along the upper edge as well belongs to a frame around the picture.
    """
    rows = bgr[-max(1, round(CUT_SHARE * len(bgr))) :, ::COARSE]
    low, high = rows.min((0, 1)).astype(int), rows.max((0, 1)).astype(int)
    if (high - low).max() > CUT_RANGE or high.max() <= BAR_LEVELS[0] or low.min() >= BAR_LEVELS[1]:
        return False
    top = bgr[0, ::COARSE].astype(int)
    return bool((top < low - CUT_RANGE).any() or (top > high + CUT_RANGE).any())


def ends_in_step(bgr: "Bgr") -> bool:
    """Whether a picture, (H, W, 3) uint8, stops within a row of a JPEG's blocks: what fills it is higher at the right.

    One in so many stops at the end of such a row, and has the straight edge of a bar.
    """
    away = np.abs(bgr[::-1, ::COARSE].astype(np.int16) - FILLER).max((1, 2))  # of each row, from the bottom
    other = np.flatnonzero(away > CUT_RANGE)
    if not len(other):
        return False
    upper = len(bgr) - int(other[0])  # the first row that is filled from side to side
    step = bgr[max(0, upper - STEP_ROWS) : upper, -COARSE:]  # around a bar it is not the same to the last bit
    return upper < len(bgr) and bool((step == FILLER).all())
