"""Detects blank, frozen, truncated and noise-only pictures of a live camera.

Black pictures and missing ones are detected by the camera itself (`vision.capture.live`).
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
"""White or noise for this long is no flash of light: detected within three seconds, like black pictures."""
STANDS_S = 2.0
"""Two pictures of a sensor differ in noise; a driver that repeats the same buffers for this long has frozen."""
STREAM_STANDS_S = 10.0
"""A stream may repeat a picture of a quiet board bit for bit until its next key frame, every few seconds (H.264 leaves
out unchanged parts)."""
BUFFERS = 8
"""A driver fills two or four in turn; a frozen one goes on handing them out in turn."""
COARSE = 16
"""Every sixteenth pixel of every sixteenth row usually shows that a picture is new, and whether a row is empty."""
LEAST_PX = 24
"""Shortest side of a picture in which a die could be seen."""
CELLS = 16
"""Number of cells along a picture's longer side: a board fills dozens of cells, and no grain is that large."""
LEAST_SIDE = 320
"""Least number of pixels sampled along the longer side: enough to average out the noise within a cell."""
FLAT = 1.5
"""Grey levels, the standard deviation of the cells. The dimmest board has 5.3 at a third of its light, the dimmest
photograph of dice 2.8; noise of 15 levels without a picture has 0.8."""
NOISE_SHARE = 0.06
"""Variance of the cells over the variance of all pixels. Boards have 0.25 and more, at a third of the light with noise
of 8 levels still 0.19, close-up photographs of dice 0.10; noise in blocks of 8 pixels, 640 to the row, has 0.05."""
DIM_LEVEL, LIGHT_LEVEL = 80, 200
"""A flat picture with a mean grey level below the one is black, above the other white."""
CUT_SHARE = 0.1
"""Share of rows at the bottom that have one colour other than black or white: the missing end of a truncated picture.
No picture of a board has a single such row."""
CUT_RANGE = 2
"""Largest variation, in grey levels, of the colour that fills a missing part."""
BAR_LEVELS = (16, 250)
"""Grey levels up to the one and from the other are a bar beside a picture of another shape, or a clipped table."""
FILLER = 128
"""Level that a JPEG decoder puts in the missing part, in all three colours."""
STEP_ROWS = 6
"""A JPEG is sent in blocks of 8 or 16 rows and columns, row after row; colours are smoothed a little at their edges."""


class Fault(Enum):
    """Reason for not reading the pictures of a live camera."""

    FROZEN = "frozen"
    """The same few pictures are repeated."""
    BLACK = "black"
    WHITE = "white"
    EMPTY = "empty"
    """Plain grey, or too small to show a die."""
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
        self._no_bar: tuple[int, ...] = ()  # shape of the pictures of which some do not end in a bar
        self._stands_s = STREAM_STANDS_S if "://" in source else STANDS_S
        self.forget()

    def forget(self) -> None:
        """Forget all pictures: the camera was lost."""
        self.fault = None
        self._last: deque[_Shown] = deque(maxlen=BUFFERS)
        self._since_s: float | None = None  # time since which only the last few pictures have come
        self._empty_since_s: float | None = None

    def passes(self, frame: "Frame") -> bool:
        """Whether a picture is worth reading."""
        fault = self._fault_of(frame.bgr)
        if fault is None:
            if self._empty_since_s is not None and self.fault is not None:
                self.forget()  # after a light has shone into the lens, the picture from before may come again
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
        """The reason why a picture is empty or incomplete; None if it is whole.

        Pictures that have ended in a bar from the first on, such as an app's caption, are whole.
        """
        fault = fault_of(bgr)
        if fault is not None:
            return fault
        bar = ends_in_bar(bgr)
        if not bar or ends_in_step(bgr):
            self._no_bar = bgr.shape
        return Fault.TRUNCATED if bar and self._no_bar == bgr.shape else None

    def _stands(self, frame: "Frame") -> bool:
        """Whether only the last few pictures have been repeated for `STANDS_S` or `STREAM_STANDS_S`."""
        if not self._came_before(frame.bgr):
            self._since_s = None
        elif self._since_s is None:
            self._since_s = frame.at_s
        return self._since_s is not None and frame.at_s - self._since_s >= self._stands_s

    def _came_before(self, bgr: "Bgr") -> bool:
        """Whether this is one of the last few different pictures, bit for bit.

        The checksum of all pixels is computed only if the coarse grid equals a former one's. Repeated pictures are
        therefore recognised in their second round, and a sensor's noise makes the checksum unnecessary.
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
    """Fingerprint of a picture: its coarse grid, and the CRC-32 of all pixels, None if it was not computed."""

    coarse: bytes
    whole: int | None


def fault_of(bgr: "Bgr") -> Fault | None:
    """The reason why a picture, (H, W, 3) uint8, shows nothing; None if it shows something."""
    if min(bgr.shape[:2]) < LEAST_PX:
        return Fault.EMPTY
    pixels, cells = green_of(bgr)
    if cells.std() < FLAT:
        level = float(cells.mean())
        return Fault.BLACK if level < DIM_LEVEL else Fault.WHITE if level > LIGHT_LEVEL else Fault.EMPTY
    return Fault.NOISE if cells.var() < NOISE_SHARE * pixels.var() else None


def green_of(bgr: "Bgr") -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The green of a picture, sampled, (h, w) float32, and the means of its cells, about `CELLS` on the longer side."""
    longer = max(bgr.shape[:2])
    step = max(1, longer // LEAST_SIDE)
    side = max(1, longer // step // CELLS)
    green = bgr[::step, ::step, 1].astype(np.float32)
    high, wide = (length // side for length in green.shape)
    green = green[: high * side, : wide * side]
    return green, green.reshape(high, side, wide, side).mean((1, 3))


def ends_in_bar(bgr: "Bgr") -> bool:
    """Whether the lower part of a picture, (H, W, 3) uint8, has one colour: a bar, or a missing part.

    If the upper edge has the same colour, it is a border around the picture.
    """
    rows = bgr[-max(1, round(CUT_SHARE * len(bgr))) :, ::COARSE]
    low, high = rows.min((0, 1)).astype(int), rows.max((0, 1)).astype(int)
    if (high - low).max() > CUT_RANGE or high.max() <= BAR_LEVELS[0] or low.min() >= BAR_LEVELS[1]:
        return False
    top = bgr[0, ::COARSE].astype(int)
    return bool((top < low - CUT_RANGE).any() or (top > high + CUT_RANGE).any())


def ends_in_step(bgr: "Bgr") -> bool:
    """Whether a picture, (H, W, 3) uint8, stops within a row of a JPEG's blocks: the filling is higher at the right.

    A picture that happens to stop at the end of such a row has the straight edge of a bar.
    """
    away = np.abs(bgr[::-1, ::COARSE].astype(np.int16) - FILLER).max((1, 2))  # for each row, from the bottom
    other = np.flatnonzero(away > CUT_RANGE)
    if not len(other):
        return False
    upper = len(bgr) - int(other[0])  # the first row that is filled from side to side
    step = bgr[max(0, upper - STEP_ROWS) : upper, -COARSE:]  # next to a bar not every pixel equals the filler
    return upper < len(bgr) and bool((step == FILLER).all())
