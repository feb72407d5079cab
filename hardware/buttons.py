"""Buttons on pins. Each change of a wire becomes an `Edge`; nothing else happens here."""

import time
from collections.abc import Callable
from typing import Any

from hardware.gestures import HOLDABLE, Edge, Gestures
from hardware.pins import Pins
from hardware.wiring import Wiring
from sentence import Sentence, say


class Buttons:
    """The buttons of the wiring; `problems` names each button that cannot be used.

    gpiozero calls back on its own thread. `put` must do no more than queue the edge.
    """

    def __init__(self, wiring: Wiring, pins: Pins, put: Callable[[Edge], object]) -> None:
        from gpiozero import Button

        self.problems: list[Sentence] = []
        self.gestures = Gestures(HOLDABLE, wiring.bounce_s, wiring.hold_s)
        self._buttons: dict[str, Any] = {}
        for name, pin in wiring.buttons.items():
            try:
                button = Button(pin, pull_up=wiring.buttons_pull_up, pin_factory=pins.factory)
            except Exception as error:  # each backend raises its own kind; report it, keep the others
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
            button.when_pressed = _queueing(put, name, down=True)
            button.when_released = _queueing(put, name, down=False)

    def down(self) -> list[str]:
        """Names of the buttons that are down now."""
        return [name for name, button in self._buttons.items() if button.is_pressed]

    def close(self) -> None:
        """Release the pins."""
        for button in self._buttons.values():
            button.close()
        self._buttons.clear()


def _queueing(put: Callable[[Edge], object], name: str, down: bool) -> Callable[[], None]:
    def queue() -> None:
        put(Edge(name, down, time.monotonic()))

    return queue
