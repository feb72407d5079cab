"""The inbox: every message the keeper gets, and the time that events carry."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, TypeAlias

from companion.camera.eye import CameraSaid, Saw
from companion.game.state import Notice
from companion.protocol.action_shapes import Action
from companion.service.health import Finding
from web.page import Answer
from web.roles import Visitor

if TYPE_CHECKING:
    from hardware.gestures import Edge


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A visitor's action, and where its answer is waited for."""

    visitor: Visitor
    action: Action
    answer: "SimpleQueue[Answer]"


@dataclass(frozen=True, slots=True, eq=False)
class Ping:
    """Are you there? For the watchdog."""

    answer: "SimpleQueue[bool]"


@dataclass(frozen=True, slots=True)
class Said:
    """Something the shell wants people to read."""

    notice: Notice


@dataclass(frozen=True, slots=True)
class Looked:
    """How the machine itself is doing."""

    findings: Sequence[Finding]


@dataclass(frozen=True, slots=True)
class Stop:
    """The program is to end."""


Message: TypeAlias = "Asked | Saw | CameraSaid | Edge | Looked | Ping | Said | Stop"


JUMP_MS = 2_000
"""Two clocks of one machine drift apart by milliseconds; more is somebody setting one of them."""


class WallTime:
    """Milliseconds since 1970 that run like the monotonic clock and never run backwards."""

    def __init__(
        self,
        not_before_ms: int = 0,
        wall_s: Callable[[], float] = time.time,
        steady_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin at the wall clock's time, or at the last event's where that lies later."""
        self._wall_s, self._steady_s = wall_s, steady_s
        self._began_s = steady_s()
        self._began_ms = max(not_before_ms, round(wall_s() * 1000))

    def now_ms(self, free_to_jump: bool = True) -> int:
        """The time now; with `free_to_jump` it follows a wall clock that has been set forward.

        Args:
            free_to_jump: no chess clock is running, so a jump takes nobody's time.
        """
        steady_s = self._steady_s()
        now_ms = self._began_ms + round((steady_s - self._began_s) * 1000)
        wall_ms = round(self._wall_s() * 1000)
        if free_to_jump and wall_ms - now_ms > JUMP_MS:
            self._began_s, self._began_ms = steady_s, wall_ms
            return wall_ms
        return now_ms
