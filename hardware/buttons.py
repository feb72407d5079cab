"""Buttons on pins: each change of a wire is an `Edge`, and edges that are no bounce make a `Press`, short or held.

A level counts once it has been stable for `bounce_s`, so neither a bouncing contact nor a spark on a long wire
is a press. The turn buttons and the director's act when they go down. A cube button acts when it comes up, or
as `held` once it has been down for `hold_s`, and then not again. Which event a press is:
companion/protocol/lamps_and_buttons.py.
"""

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, NamedTuple

from hardware.pins import Pins
from hardware.wiring import Wiring
from sentence import Sentence, say

HOLDABLE = ("south_cube", "north_cube")
"""Buttons whose held press has a meaning of its own."""


class Gesture(Enum):
    """Kind of press."""

    SHORT = "short"
    HELD = "held"


class Press(NamedTuple):
    """One press of one button. `since_s` is when it went down, in seconds of the edges' clock."""

    button: str
    gesture: Gesture = Gesture.SHORT
    since_s: float = 0.0


class Edge(NamedTuple):
    """A change of a wire: the button's new level, and when, in seconds of the machine's monotonic clock."""

    button: str
    down: bool
    at_s: float


@dataclass(frozen=True, slots=True)
class _Button:
    """State of one button: raw level, debounced level, and since when each."""

    raw: bool
    raw_since_s: float
    down: bool
    down_since_s: float
    spent: bool  # the press of this time down has been reported


class Gestures:
    """Turns edges and the time into presses. Starts no thread and reads no clock."""

    def __init__(self, holdable: Collection[str], bounce_s: float, hold_s: float) -> None:
        """Buttons in `holdable` have short and held presses; all others act when they go down."""
        self._holdable = frozenset(holdable)
        self._bounce_s = bounce_s
        self._hold_s = hold_s
        self._buttons: dict[str, _Button] = {}

    def settle(self, button: str, down: bool, at_s: float) -> None:
        """Set the level found at the start. A button that is down already (stuck) is no press."""
        self._buttons[button] = _Button(down, at_s, down, at_s, spent=True)

    def feed(self, edge: Edge) -> list[Press]:
        """Take an edge; return the presses due by its time."""
        presses = self.tick(edge.at_s)
        known = self._buttons.get(edge.button) or _Button(False, edge.at_s, False, edge.at_s, True)
        self._buttons[edge.button] = replace(known, raw=edge.down, raw_since_s=edge.at_s)
        return presses

    def tick(self, now_s: float) -> list[Press]:
        """The presses due by now, in the order of their due times."""
        due: list[tuple[float, Press]] = []
        for name in self._buttons:
            due += self._advance(name, now_s)
        return [press for _, press in sorted(due, key=lambda pair: pair[0])]

    def due_s(self) -> float | None:
        """Time of the next tick, on the clock of the edges; None while nothing is pending."""
        times = [self._due_s(name, button) for name, button in self._buttons.items()]
        return min((time_s for time_s in times if time_s is not None), default=None)

    def _due_s(self, name: str, button: _Button) -> float | None:
        if button.raw != button.down:
            return button.raw_since_s + self._bounce_s
        if button.down and not button.spent and name in self._holdable:
            return button.down_since_s + self._hold_s
        return None

    def _advance(self, name: str, now_s: float) -> list[tuple[float, Press]]:
        presses: list[tuple[float, Press]] = []
        button = self._buttons[name]
        while (due_s := self._due_s(name, button)) is not None and due_s <= now_s:
            press = None
            if button.raw == button.down:
                press = Press(name, Gesture.HELD, button.down_since_s)
                button = replace(button, spent=True)
            elif button.raw:
                # Count from the start of the stable level, so that debouncing does not lengthen the hold.
                button = replace(button, down=True, down_since_s=button.raw_since_s, spent=False)
                if name not in self._holdable:
                    press = Press(name, since_s=button.down_since_s)
                    button = replace(button, spent=True)
            else:
                if not button.spent:
                    held = button.raw_since_s - button.down_since_s >= self._hold_s
                    press = Press(name, Gesture.HELD if held else Gesture.SHORT, button.down_since_s)
                button = replace(button, down=False, spent=True)
            if press is not None:
                presses.append((due_s, press))
        self._buttons[name] = button
        return presses


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
