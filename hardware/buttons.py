"""Buttons on pins: every change of a wire is handed on as an Edge, and nothing else happens here."""

import time
from collections.abc import Callable
from typing import Any

from hardware.gestures import Edge, Gestures
from hardware.pins import Pins
from hardware.wiring import Wiring
from sentence import Sentence, say

HOLDABLE = ("south_cube", "north_cube")


class Buttons:
    """The buttons that the wiring names; one that cannot be had is named in `problems`.

    gpiozero calls back on a thread of its own; `put` must do no more than put the edge into a queue.
    """

    def __init__(self, wiring: Wiring, pins: Pins, put: Callable[[Edge], object]) -> None:
        from gpiozero import Button

        self.problems: list[Sentence] = []
        self.gestures = Gestures(HOLDABLE, wiring.bounce_s, wiring.hold_s)
        self._buttons: dict[str, Any] = {}
        for name, pin in wiring.buttons.items():
            try:
                button = Button(pin, pull_up=wiring.buttons_pull_up, pin_factory=pins.factory)
            except (
                Exception
            ) as error:  # each backend raises its own kind; the button is named, the rest go on
                self.problems.append(
                    say(
                        "The button {name} on pin {pin} cannot be used: {why}.",
                        name=name,
                        pin=pin,
                        why=str(error),
                    )
                )
                continue
            self._buttons[name] = button
            self.gestures.settle(name, button.is_pressed, time.monotonic())
            button.when_pressed = _handing_on(put, name, down=True)
            button.when_released = _handing_on(put, name, down=False)

    def down(self) -> list[str]:
        """The buttons that are down at this moment."""
        return [name for name, button in self._buttons.items() if button.is_pressed]

    def close(self) -> None:
        """Let go of the pins."""
        for button in self._buttons.values():
            button.close()
        self._buttons.clear()


def _handing_on(put: Callable[[Edge], object], name: str, down: bool) -> Callable[[], None]:
    def hand_on() -> None:
        put(Edge(name, down, time.monotonic()))

    return hand_on
