"""Whether a live camera's pictures show anything: not where the same one comes over and over, all white ones, or noise.

That they are black, or do not come at all, the camera notices itself (`vision.capture`).
"""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from vision.frame import Bgr, Frame

LASTS_S = 2.0
"""White or noise for so long is no flash of light: it is noticed within three seconds, as black pictures are."""
STANDS_S = 2.0
"""Two pictures of a sensor differ in noise; a driver that hands out the same buffer for so long has frozen."""
STREAM_STANDS_S = 10.0
"""A stream may repeat a picture of a quiet board to the last bit until its next whole one (H.264 leaves out what
stays), every few seconds."""
WHITE_LEVEL = 250
"""Nothing that dice could be seen on is so bright everywhere, the shadows of checkers and bar included."""
COARSE = 16
"""Every sixteenth pixel of every sixteenth row tells white, as it tells black."""
NOISE_CONTRAST, NOISE_STEP = 20.0, 1.2
"""Grey levels (standard deviation), and how the steps between neighbours vary against the levels themselves: twice as
much where each pixel is drawn by lot, a tenth in a picture of things."""

STANDS_STILL = (
    "The camera sends the same picture over and over; plug it out and in again, or start its app anew."
)
WHITE = "The camera sends only white pictures; is a light shining into it?"
NOISE = "The camera sends only noise; look at its cable and its power."


class Showing:
    """Looks at each picture of one live camera; `why` is a sentence while there is something to say, else ""."""

    def __init__(self, source: str) -> None:
        """Look at the pictures of a source, by its name in the settings."""
        self.why = ""
        self._stands_s = STREAM_STANDS_S if "://" in source else STANDS_S
        self.forget()

    def forget(self) -> None:
        """The camera was lost: what comes next begins anew."""
        self.why = ""
        self._last: Bgr | None = None
        self._since_s = 0.0  # of the last picture that was another than the one before
        self._empty_since_s: float | None = None

    def look(self, frame: "Frame") -> bool:
        """Whether a picture is worth reading."""
        empty = WHITE if is_white(frame.bgr) else NOISE if is_noise(frame.bgr) else ""
        if not empty:
            self._empty_since_s = None
        elif self._empty_since_s is None:
            self._empty_since_s = frame.at_s
        stands = self._stands(frame)
        if self._empty_since_s is not None:
            self.why = empty if frame.at_s - self._empty_since_s >= LASTS_S else ""
            return False
        self.why = STANDS_STILL if stands else ""
        return not stands

    def _stands(self, frame: "Frame") -> bool:
        """Whether nothing at all has changed for so long."""
        last, self._last = self._last, frame.bgr
        if last is None or not is_same(last, frame.bgr):
            self._since_s = frame.at_s
        return frame.at_s - self._since_s >= self._stands_s


def is_same(one: "Bgr", other: "Bgr") -> bool:
    """Whether two pictures, (H, W, 3) uint8, are the same to the last bit; mostly a few pixels tell."""
    few = np.array_equal(one[::COARSE, ::COARSE], other[::COARSE, ::COARSE])
    return bool(few and np.array_equal(one, other))


def is_white(bgr: "Bgr") -> bool:
    """Nothing but white in a picture, (H, W, 3) uint8, looked at on a coarse grid."""
    return int(bgr[::COARSE, ::COARSE].min()) >= WHITE_LEVEL


def is_noise(bgr: "Bgr") -> bool:
    """Whether neighbours in a picture, (H, W, 3) uint8, have nothing to do with each other; by some of its rows."""
    green = bgr[::COARSE, :, 1].astype(np.float32)
    contrast = float(green.std())
    return contrast > NOISE_CONTRAST and float(np.diff(green).var()) > NOISE_STEP * contrast**2
