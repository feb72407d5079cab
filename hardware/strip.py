"""An LED strip behind a WLED controller, set over HTTP by a thread of its own (docs/adr/0061-lights-by-wled.md).

Each side has one half of the strip. Every light has a colour and a movement of its own, so that nobody has to tell
colours apart. The numbers of the movements are WLED's effects.
"""

import json
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from types import MappingProxyType
from typing import Any, Literal, TypeAlias
from urllib.parse import urlsplit

from hardware.errors import StripNotReached
from sentence import Sentence, say

Light: TypeAlias = Literal["off", "turn", "roll", "cocked", "unread", "cube", "winner"]

ANSWER_S = 2.0
"""Longest wait for each part of an answer; a controller in the same network takes some milliseconds."""
RETRY_S = 5.0
"""Seconds between attempts while the controller is away."""
ANSWER_BYTES = 1 << 16
"""Several times the length of a controller's description of itself."""


@dataclass(frozen=True, slots=True)
class Look:
    """A light's colour, 0 to 255 each, and WLED's number of its movement."""

    rgb: tuple[int, int, int]
    effect: int


LOOKS: Mapping[Light, Look] = MappingProxyType(
    {
        "turn": Look((255, 255, 255), 0),  # solid
        "roll": Look((0, 200, 60), 15),  # running
        "cocked": Look((255, 100, 0), 1),  # blink
        "unread": Look((90, 40, 255), 2),  # breathe
        "cube": Look((255, 190, 0), 13),  # theater
        "winner": Look((255, 255, 255), 9),  # rainbow
    }
)
"""How each light looks; "off" is dark."""


class Strip:
    """A strip of LEDs whose first half belongs to one side, and the second to the other.

    Args:
        url: the controller, http://NAME; with a path it is another receiver of the same messages.
        leds: number of LEDs.
        brightness: 1 to 255.
        south_first: the first half is south's.
        report: called from the strip's thread with a sentence when the controller is away, and when it is back.
        retry_s: seconds between attempts while it is away.
    """

    def __init__(
        self,
        url: str,
        leds: int,
        brightness: int,
        south_first: bool,
        report: Callable[[Sentence], None],
        retry_s: float = RETRY_S,
    ) -> None:
        self._url, self._leds, self._brightness, self._south_first = url, leds, brightness, south_first
        self._report, self._retry_s = report, retry_s
        self._wanted: dict[str, Any] | None = None
        self._news, self._closing = threading.Event(), threading.Event()
        self._is_away = False
        self._thread = threading.Thread(target=self._run, name="strip", daemon=True)
        self._thread.start()

    def show(self, lights: Mapping[str, Light]) -> None:
        """Set the lights of `south` and `north`; returns at once, and only the newest are sent."""
        message = self._message(lights)
        if message != self._wanted:
            self._wanted = message
            self._news.set()

    def close(self) -> None:
        """Switch the strip off, if the controller answers at once."""
        self.show({})
        self._closing.set()
        self._news.set()
        self._thread.join(timeout=ANSWER_S)

    def _run(self) -> None:
        while True:
            self._news.wait(self._retry_s if self._is_away else None)
            self._news.clear()
            self._send()
            if self._closing.is_set() and not self._news.is_set():
                return

    def _send(self) -> None:
        try:
            asked(self._url, self._wanted)
        except StripNotReached as error:
            if not self._is_away and not self._closing.is_set():
                self._report(error.sentence)
            self._is_away = True
            return
        if self._is_away:
            self._report(say("The lights answer again."))
        self._is_away = False

    def _message(self, lights: Mapping[str, Light]) -> dict[str, Any]:
        """The state in WLED's JSON, with the lights' names for other receivers."""
        half = self._leds // 2
        sides = ("south", "north") if self._south_first else ("north", "south")
        shown = [lights.get(side, "off") for side in sides]
        places = ((0, half), (half, self._leds))
        return {
            "on": True,
            "bri": self._brightness,
            "seg": [
                _segment(number, *place, light)
                for number, (place, light) in enumerate(zip(places, shown, strict=True))
            ],
            "board": {side: lights.get(side, "off") for side in ("south", "north")},
        }


def _segment(number: int, start: int, stop: int, light: Light) -> dict[str, Any]:
    """A part of the strip in WLED's JSON; its second and third colour are dark."""
    place = {"id": number, "start": start, "stop": stop, "on": light != "off"}
    if light == "off":
        return place
    look = LOOKS[light]
    return {**place, "fx": look.effect, "sx": 128, "pal": 0, "col": [list(look.rgb), [0, 0, 0], [0, 0, 0]]}


def asked(url: str, message: Mapping[str, Any] | None = None) -> bytes:
    """The receiver's answer to a message, or its description of itself without one.

    Raises:
        StripNotReached: it is away, hangs or refuses.
    """
    parts = urlsplit(url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    talk = kind(parts.hostname or "", parts.port, timeout=ANSWER_S)
    path = parts.path.rstrip("/") or ("/json/info" if message is None else "/json/state")
    try:
        if message is None:
            talk.request("GET", path)
        else:
            talk.request("POST", path, json.dumps(message), {"Content-Type": "application/json"})
        answer = talk.getresponse()
        body = answer.read(ANSWER_BYTES)
    except (OSError, HTTPException, UnicodeError) as error:  # a name that cannot be encoded
        why = getattr(error, "strerror", None) or str(error) or "it does not answer"
        raise StripNotReached(_away(url, why)) from error
    finally:
        with suppress(OSError):
            talk.close()
    if answer.status >= 400:
        raise StripNotReached(_away(url, f"{answer.status} {answer.reason}"))
    return body


def _away(url: str, why: str) -> Sentence:
    return say("The lights at {url} are not reached ({why}). Play goes on without them.", url=url, why=why)
