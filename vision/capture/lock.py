"""A camera's exposure, gain and white balance: metered freely, then held fast, so that only the board changes.

A camera that meters on and on turns a hand into a change of every pixel, and a white checker into a darker cloth. What
a camera holds is read back from it and travels to the parent process as a `Lock`.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from math import isfinite
from typing import Protocol

from vision.frame import Bgr, is_dark

METER_S = 2.0
"""A camera meters freely for so long: webcams need one to two seconds to come to rest, a Pi camera less."""
SETTLE_S = 0.7
"""A setting shows after so long: libcamera's comes up to ten frames late, 0.67 s at 15 frames a second."""
ALIKE = 0.75
"""The locked picture is as bright as the metered one where one mean grey level is at least so much of the other:
an exposure moved to a multiple of the lamp's flicker may cost a third of the light, which is 0.83 in grey levels."""
MOST_TRIES = 3
"""Some webcams name another exposure than they used while metering; so often it is put right by what is seen."""
MOST_STEP = 4.0
"""An exposure is put right by at most so much at a time: a picture near black or white tells little."""
GAMMA = 2.2
"""A grey level's power that is proportional to light."""
FAR = 0.45
"""Far too dark: less than this part of the metered grey level is left; far too bright: of the way up to white. A hand
and a sleeve take at most a third of the picture."""
FAR_S = 4.0
"""The light has changed for good when it has been so for this long; an arm above the board has gone by then."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 10.0, 120.0
"""So long after a lock it is not metered again; twice as long each time, so that a restless light does not make the
picture restless, too. After a lock that has held for twice the longest it begins with the first again."""
CHECK_S = 30.0
"""So often what is held is read back again."""


class LockState(Enum):
    """How far a camera is."""

    LEFT = "left"  # nobody asked for it: the camera does as it is set
    OUT_OF_REACH = "unreachable"  # a stream: its camera can be set at the camera alone
    METERING = "metering"
    LOCKED = "locked"  # as far as the camera lets itself be locked


PARTS = ("exposure", "gain", "white_balance", "focus")
"""What is held: the exposure in seconds, the gain as a camera counts it, the white balance as gains of red and blue
or as kelvin, the focus as a camera counts it."""


@dataclass(frozen=True, slots=True)
class Lock:
    """What a live camera holds, as it was read back from it.

    Attributes:
        state: how far it is; the rest is known when it is locked.
        held: each part that is held, with the numbers read back, none where the camera tells none.
        unkept: the parts that the camera has but does not hold. What is in neither it does not have.
    """

    state: LockState
    held: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    unkept: tuple[str, ...] = ()

    def to_json(self) -> str:
        """As it travels between two processes."""
        return json.dumps([self.state.value, dict(self.held), self.unkept])

    @staticmethod
    def from_json(text: str) -> "Lock":
        """Back again; ValueError where it is not what `to_json` writes."""
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
    """The dials of a camera."""

    def meter(self) -> None:
        """Let the camera find exposure, gain, white balance and focus by itself."""

    def hold(self, scale: float) -> None:
        """Hold them at the values reached, the exposure `scale` times as long; may be called again to correct it."""

    def read(self) -> Lock:
        """What is held now, from the camera."""


def steady_s(exposure_s: float, mains_hz: float) -> float:
    """The exposure, in seconds, nearest to this one that takes in whole pulses of a lamp.

    A lamp on the mains pulses twice a period: every 1/100 s at 50 Hz, 1/120 s at 60 Hz. One that is shorter than a
    pulse stays as it is: lengthened it would be too bright.
    """
    pulse_s = 1 / (2 * mains_hz)
    return exposure_s if exposure_s < pulse_s else round(exposure_s / pulse_s) * pulse_s


class Locker:
    """Looks at a camera's pictures and decides when to meter, when to hold, and when the light is another."""

    def __init__(self, controls: Controls | None, wanted: bool, tell: Callable[[Lock], object]) -> None:
        """Begin to meter.

        Args:
            controls: the camera's dials; None where they are out of reach.
            wanted: False: the camera is left as it is.
            tell: takes the lock each time that it changes.
        """
        self._controls = controls if wanted else None
        self._say = tell
        self._told: Lock | None = None
        self._since_s: float | None = None  # when this step began; of holding, when the light was last right
        self._held_s = self._checked_s = 0.0
        self._pause_s = FIRST_PAUSE_S
        self._level = 0.0  # the mean grey level that was metered
        self._tries = 0
        self._scale = 1.0
        self._step = self._metering
        if self._controls is not None:
            self._meter(self._controls)
        else:
            self._tell(Lock(LockState.OUT_OF_REACH if wanted else LockState.LEFT))

    def see(self, bgr: Bgr, at_s: float) -> None:
        """A picture, (H, W, 3) uint8, taken at `at_s`; on a black one nothing can be metered."""
        if self._controls is None:
            return
        if self._since_s is None or is_dark(bgr):
            self._since_s = at_s
        else:
            self._step(self._controls, float(bgr[::16, ::16].mean()), at_s, at_s - self._since_s)

    def _meter(self, controls: Controls) -> None:
        controls.meter()
        self._since_s, self._step = None, self._metering
        self._tell(Lock(LockState.METERING))

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
        self._tell(controls.read())

    def _holding(self, controls: Controls, level: float, at_s: float, for_s: float) -> None:
        if at_s - self._checked_s >= CHECK_S:
            self._checked_s = at_s
            self._tell(controls.read())
        held_s = at_s - self._held_s
        if level >= FAR * self._level and 255 - level >= FAR * (255 - self._level):
            self._since_s = at_s
        elif for_s >= FAR_S and held_s >= self._pause_s:
            calm = held_s >= 2 * LONGEST_PAUSE_S
            self._pause_s = FIRST_PAUSE_S if calm else min(2 * self._pause_s, LONGEST_PAUSE_S)
            self._meter(controls)

    def _tell(self, lock: Lock) -> None:
        if lock != self._told:
            self._told = lock
            self._say(lock)
