"""Lamps on pins: off, on or blinking."""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from hardware.pins import Pins
from hardware.wiring import Wiring
from sentence import Sentence, say

LampState: TypeAlias = Literal["off", "on", "blink"]

BEEP_S = 0.08
"""Long enough to be heard across a table, short enough not to disturb."""
_BEEPING = ("valid", "again", "look")


class Lamps:
    """The lamps of the wiring; `problems` names each lamp that cannot be used."""

    def __init__(self, wiring: Wiring, pins: Pins) -> None:
        from gpiozero import LED, Buzzer

        self.problems: list[Sentence] = []
        self._blink_s = wiring.blink_s
        self._shown: dict[str, LampState] = {}
        self._lamps: dict[str, Any] = {}
        for name, pin in wiring.lamps.items():
            try:
                lamp = LED(pin, active_high=wiring.lamps_active_high, pin_factory=pins.factory)
            except Exception as error:  # each backend raises its own kind; report it, keep the others
                self.problems.append(
                    say(
                        "The lamp {name} on pin {pin} cannot be used: {why}.",
                        name=name,
                        pin=pin,
                        why=str(error),
                    )
                )
                continue
            self._lamps[name] = lamp
        self._buzzer: Any = None
        if wiring.buzzer is not None:
            try:
                self._buzzer = Buzzer(wiring.buzzer, pin_factory=pins.factory)
            except Exception as error:
                self.problems.append(
                    say(
                        "The buzzer on pin {pin} cannot be used: {why}.",
                        pin=wiring.buzzer,
                        why=str(error),
                    )
                )

    @property
    def names(self) -> list[str]:
        """Names of the usable lamps."""
        return list(self._lamps)

    @property
    def has_buzzer(self) -> bool:
        """Whether there is a usable buzzer."""
        return self._buzzer is not None

    def show(self, states: Mapping[str, LampState]) -> None:
        """Set the lamps; one not in `states` goes out. Lamps whose state is unchanged are not touched."""
        beep = False
        for name, lamp in self._lamps.items():
            state = states.get(name, "off")
            if self._shown.get(name, "off") == state:
                continue
            self._shown[name] = state
            beep = beep or (name in _BEEPING and state != "off")
            if state == "on":
                lamp.on()
            elif state == "off":
                lamp.off()
            else:
                lamp.blink(on_time=self._blink_s, off_time=self._blink_s)
        if beep:
            self.sound()

    def sound(self) -> None:
        """Beep once if there is a buzzer."""
        if self._buzzer is not None:
            self._buzzer.beep(on_time=BEEP_S, off_time=BEEP_S, n=1)

    def close(self) -> None:
        """Switch all lamps off and release the pins."""
        for device in [*self._lamps.values(), *([self._buzzer] if self._buzzer else [])]:
            device.off()
            device.close()
        self._lamps.clear()
        self._buzzer = None
