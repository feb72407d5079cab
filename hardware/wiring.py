"""Pins of the lamps and buttons, as BCM numbers, in one place.

The default pins avoid those that other devices on a Pi need: 2 and 3 (clock chips on I2C, and the power-off
button on 3), 14 and 15 (the serial console), 7 to 11 (displays on SPI).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from hardware.errors import BadWiring

LAMPS: Mapping[str, int] = MappingProxyType(
    {
        "south_turn": 17,
        "north_turn": 27,
        "cube_south": 22,
        "cube_north": 23,
        "valid": 24,
        "again": 25,
        "look": 5,
    }
)
"""Default pin of each lamp, under its name in the page's `lamps`."""

BUTTONS: Mapping[str, int] = MappingProxyType(
    {"south_turn": 6, "north_turn": 19, "south_cube": 13, "north_cube": 26, "director": 16}
)
"""Default pin of each button."""

PINS = range(2, 28)
"""BCM numbers on a Pi's 40-pin header that may be used."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """Pins, polarities and times of lamps, buttons and buzzer.

    Attributes:
        lamps: pin of each lamp; one not named does not exist.
        buttons: pin of each button; one not named does not exist.
        buzzer: pin of a buzzer that sounds when a lamp of the ruling changes, None without one.
        lamps_active_high: True: a lamp is lit when its pin is high; False: when low (a sinking driver).
        buttons_pull_up: a pressed button connects its pin to ground, not to 3.3 V.
        bounce_s: time for which a level must be stable; a switch bounces for 1 to 20 ms, a bad one for 50.
        hold_s: a cube button held for this long means pass.
        blink_s: half the period of a blinking lamp.
    """

    lamps: Mapping[str, int] = field(default_factory=lambda: LAMPS)
    buttons: Mapping[str, int] = field(default_factory=lambda: BUTTONS)
    buzzer: int | None = None
    lamps_active_high: bool = True
    buttons_pull_up: bool = True
    bounce_s: float = 0.06
    hold_s: float = 1.5
    blink_s: float = 0.4

    def __post_init__(self) -> None:
        """Check the wiring; BadWiring: an unknown name, a pin not in PINS or used twice, a time not in (0, 10] s."""
        _check_names("lamp", self.lamps, LAMPS)
        _check_names("button", self.buttons, BUTTONS)
        users: dict[int, str] = {}
        for use, pin in self._uses():
            if pin not in PINS:
                raise BadWiring(f"The {use} cannot be on pin {pin}: a Pi has the BCM pins 2 to 27.")
            if pin in users:
                raise BadWiring(f"Pin {pin} is given to the {users[pin]} and to the {use}.")
            users[pin] = use
        for name in ("bounce_s", "hold_s", "blink_s"):
            if not 0 < getattr(self, name) <= 10:
                raise BadWiring(f"{name} is {getattr(self, name):g}, but must be more than 0 and at most 10.")

    def _uses(self) -> list[tuple[str, int]]:
        uses = [(f"lamp {name}", pin) for name, pin in self.lamps.items()]
        uses += [(f"button {name}", pin) for name, pin in self.buttons.items()]
        return uses if self.buzzer is None else [*uses, ("buzzer", self.buzzer)]


def _check_names(kind: str, given: Mapping[str, int], known: Mapping[str, int]) -> None:
    for name in given:
        if name not in known:
            raise BadWiring(f"There is no {kind} {name}; the {kind}s are {', '.join(known)}.")
