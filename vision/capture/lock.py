"""Locking of a camera's exposure, gain and white balance: metered freely, then held, so that only the board changes.

A camera that goes on metering turns a hand into a change of every pixel, and a white checker into a darker cloth. The
settings are read back from the camera and travel to the parent process as a `Lock`.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from math import isfinite
from typing import Protocol

from vision.frame import Bgr, is_dark

METER_S = 2.0
"""Time of free metering: webcams need one to two seconds to come to rest, a Pi camera less."""
SETTLE_S = 0.7
"""Time until a setting shows: libcamera's comes up to ten frames late, 0.67 s at 15 frames a second."""
ALIKE = 0.75
"""Least ratio of mean grey levels at which the locked picture is as bright as the metered one: an exposure moved to a
multiple of the lamp's flicker may cost a third of the light, which is 0.83 in grey levels."""
MOST_TRIES = 3
"""Corrections of an exposure by the picture's brightness: some webcams report another exposure than they used."""
MOST_STEP = 4.0
"""Largest factor of one correction of the exposure: a picture near black or white measures little."""
GAMMA = 2.2
"""Exponent that makes a grey level proportional to light."""
FAR = 0.45
"""Far too dark: below this part of the metered grey level; far too bright: below this part of the distance to white. A
hand and a sleeve take at most a third of the picture."""
FAR_S = 4.0
"""Time after which a change of the light counts as lasting; an arm above the board has gone by then."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 10.0, 120.0
"""Least time from a lock to the next metering. It doubles each time, so that a restless light does not make the picture
restless, too; after a lock that held for twice the longest it starts again with the first."""
CHECK_S = 30.0
"""Interval at which the held settings are read back."""


class LockState(Enum):
    """Progress of a camera's lock."""

    LEFT = "left"  # not wanted: the camera keeps its own settings
    OUT_OF_REACH = "unreachable"  # a stream: its camera can be set only at the camera itself
    METERING = "metering"
    LOCKED = "locked"  # as far as the camera can be locked


PARTS = ("exposure", "gain", "white_balance", "focus")
"""Settings that are held: exposure in seconds, gain in the camera's unit, white balance as gains of red and blue or in
kelvin, focus in the camera's unit."""


@dataclass(frozen=True, slots=True)
class Lock:
    """Settings that a live camera holds, as read back from it.

    Attributes:
        state: progress; the rest is known once it is LOCKED.
        held: each held part, with the numbers read back; empty if the camera reports none.
        unkept: parts that the camera has but does not hold. It does not have the parts that are in neither.
    """

    state: LockState
    held: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    unkept: tuple[str, ...] = ()

    def to_json(self) -> str:
        """Serialize for the other process."""
        return json.dumps([self.state.value, dict(self.held), self.unkept])

    @staticmethod
    def from_json(text: str) -> "Lock":
        """Parse the text that `to_json` writes; ValueError if malformed, of an unknown state or part, or not finite."""
        try:
            state, held, unkept = json.loads(text)
            lock = Lock(
                LockState(state),
                {part: tuple(float(number) for number in numbers) for part, numbers in held.items()},
                tuple(unkept),
            )
            strange = {*lock.held, *lock.unkept} - {*PARTS}
        except (TypeError, AttributeError, RecursionError) as error:
            raise ValueError(f"this is no lock: {error}") from None
        if strange:
            raise ValueError("a lock of something that no camera has")
        if not all(isfinite(number) for numbers in lock.held.values() for number in numbers):
            raise ValueError("a lock at a value that is no number")
        return lock


class Controls(Protocol):
    """Controls of a camera."""

    def meter(self) -> None:
        """Let the camera find exposure, gain, white balance and focus by itself."""

    def hold(self, scale: float) -> None:
        """Hold them at the metered values, the exposure `scale` times as long; a second call corrects it."""

    def read(self) -> Lock:
        """The settings held now, read from the camera."""


def steady_s(exposure_s: float, mains_hz: float) -> float:
    """The exposure, in seconds, nearest to this one that covers whole pulses of a lamp.

    A lamp on the mains pulses twice a period: every 1/100 s at 50 Hz, 1/120 s at 60 Hz. An exposure shorter than a
    pulse stays as it is: lengthened it would be too bright.
    """
    pulse_s = 1 / (2 * mains_hz)
    return exposure_s if exposure_s < pulse_s else round(exposure_s / pulse_s) * pulse_s


class Locker:
    """Decides from a camera's pictures when to meter, when to hold, and when the light has changed."""

    def __init__(self, controls: Controls | None, wanted: bool, report: Callable[[Lock], object]) -> None:
        """Start metering.

        Args:
            controls: the camera's controls; None where they are out of reach.
            wanted: False: leave the camera as it is.
            report: takes the lock after each change.
        """
        self._controls = controls if wanted else None
        self._report = report
        self._reported: Lock | None = None
        self._since_s: float | None = None  # start of this step; while holding, when the light was last right
        self._held_s = self._checked_s = 0.0
        self._pause_s = FIRST_PAUSE_S
        self._level = 0.0  # mean grey level of the metered picture
        self._tries = 0
        self._scale = 1.0
        self._step = self._metering
        if self._controls is not None:
            self._meter(self._controls)
        else:
            self._publish(Lock(LockState.OUT_OF_REACH if wanted else LockState.LEFT))

    def see(self, bgr: Bgr, at_s: float) -> None:
        """Take a picture, (H, W, 3) uint8, taken at `at_s`; a black one restarts the step, as it cannot be metered."""
        if self._controls is None:
            return
        if self._since_s is None or is_dark(bgr):
            self._since_s = at_s
        else:
            self._step(self._controls, float(bgr[::16, ::16].mean()), at_s, at_s - self._since_s)

    def _meter(self, controls: Controls) -> None:
        controls.meter()
        self._since_s, self._step = None, self._metering
        self._publish(Lock(LockState.METERING))

    def _metering(self, controls: Controls, level: float, at_s: float, for_s: float) -> None:
        if for_s >= METER_S:
            self._level, self._tries, self._scale = level, 0, 1.0
            self._hold(controls, at_s)

    def _hold(self, controls: Controls, at_s: float) -> None:
        controls.hold(self._scale)
        self._since_s, self._step = at_s, self._settling

    def _settling(self, controls: Controls, level: float, at_s: float, for_s: float) -> None:
        if for_s < SETTLE_S:
            return
        if min(level, self._level) < ALIKE * max(level, self._level) and self._tries < MOST_TRIES:
            self._tries += 1
            self._scale *= min(max((self._level / level) ** GAMMA, 1 / MOST_STEP), MOST_STEP)
            self._hold(controls, at_s)
            return
        self._since_s = self._held_s = self._checked_s = at_s
        self._step = self._holding
        self._publish(controls.read())

    def _holding(self, controls: Controls, level: float, at_s: float, for_s: float) -> None:
        if at_s - self._checked_s >= CHECK_S:
            self._checked_s = at_s
            self._publish(controls.read())
        held_s = at_s - self._held_s
        if level >= FAR * self._level and 255 - level >= FAR * (255 - self._level):
            self._since_s = at_s
        elif for_s >= FAR_S and held_s >= self._pause_s:
            calm = held_s >= 2 * LONGEST_PAUSE_S
            self._pause_s = FIRST_PAUSE_S if calm else min(2 * self._pause_s, LONGEST_PAUSE_S)
            self._meter(controls)

    def _publish(self, lock: Lock) -> None:
        if lock != self._reported:
            self._reported = lock
            self._report(lock)
