"""The keeper's inbox: its messages, and the time of events."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, TypeAlias

from companion.camera.eye import Report
from companion.game.events import AnyEvent
from companion.game.state import Notice
from companion.hall.protocol.pairings import Offer
from companion.protocol.action_shapes import Action
from companion.rules.board import Roll
from companion.service.health import Finding
from sentence import Sentence
from web.page import Answer
from web.roles import Visitor

if TYPE_CHECKING:
    from companion.service.twelve_throws import Order
    from hardware.buttons import Edge


@dataclass(frozen=True, slots=True, eq=False)
class ActionRequest:
    """A visitor's action, and the queue for its answer."""

    visitor: Visitor
    action: Action
    answer: "SimpleQueue[Answer]"


@dataclass(frozen=True, slots=True, eq=False)
class Resumption:
    """The order to go on with an earlier match, given by all its events, and the queue for its answer."""

    visitor: Visitor
    events: Sequence[AnyEvent]
    answer: "SimpleQueue[Answer]"


@dataclass(frozen=True, slots=True, eq=False)
class ThrowsOrder:
    """An order to the check with twelve throws, and the queue for the reason why not, empty if it is done.

    Attributes:
        order: what is to be done, or what people say of a throw.
        about: the id of the throw, 0 for none.
        roll: the numbers that they say.
    """

    order: "Order"
    about: int
    roll: Roll | None
    answer: "SimpleQueue[Sentence]"


@dataclass(frozen=True, slots=True, eq=False)
class Ping:
    """The watchdog's question whether the keeper answers."""

    answer: "SimpleQueue[bool]"


@dataclass(frozen=True, slots=True)
class HealthReport:
    """New findings on the machine's condition."""

    findings: Sequence[Finding]


@dataclass(frozen=True, slots=True)
class Offered:
    """The match that the hall gives this table next; None: none."""

    offer: Offer | None


@dataclass(frozen=True, slots=True)
class Stop:
    """The order to end the program."""


Message: TypeAlias = (
    "ActionRequest | Resumption | ThrowsOrder | Report | Edge | HealthReport | Ping | Notice | Offered | Stop"
)
"""A notice comes from outside the game and is only shown; an edge is a button's."""
JUMP_MS = 2_000
"""A machine's two clocks drift apart by milliseconds; a larger difference means that one was set."""


class WallTime:
    """Time of events: milliseconds since 1970 that advance with the monotonic clock; never back within a match."""

    def __init__(
        self,
        wall_s: Callable[[], float] = time.time,
        steady_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """Begin at the wall clock's time."""
        self._wall_s, self._steady_s = wall_s, steady_s
        self._began_s = steady_s()
        self._began_ms = self.wall_ms()

    def wall_ms(self) -> int:
        """The wall clock's time, at which a new match begins whatever the times in the one before."""
        return round(self._wall_s() * 1000)

    def now_ms(self, not_before_ms: int = 0, free_to_jump: bool = True) -> int:
        """The time now; with `free_to_jump` it follows a wall clock that was set, back no further than allowed.

        Args:
            not_before_ms: time of the match's last event, perhaps of a wrong clock in the future.
            free_to_jump: whether no chess clock is running, so that a jump costs no player time.
        """
        steady_s = self._steady_s()
        steady_ms = self._began_ms + round((steady_s - self._began_s) * 1000)
        wall_ms = self.wall_ms()
        was_set = free_to_jump and abs(wall_ms - steady_ms) > JUMP_MS and wall_ms >= not_before_ms
        now_ms = wall_ms if was_set else max(steady_ms, not_before_ms)
        if now_ms != steady_ms:
            self._began_s, self._began_ms = steady_s, now_ms
        return now_ms
