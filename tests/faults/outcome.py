"""What a fault did: one row of the table in docs/RELIABILITY.md."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.app.running import Visitor


@dataclass
class Outcome:
    """One kind of fault, tried some times.

    Attributes:
        fault: what went wrong.
        how: how it was injected.
        times: how often.
        lost: what was lost, "nothing" as it should be.
        worst: the slowest of what was timed, in words.
    """

    fault: str
    how: str
    times: int = 0
    lost: str = "nothing"
    worst: str = ""

    def row(self) -> str:
        """The row of the table."""
        return f"| {self.fault} | {self.how} | {self.times} | {self.lost} | {self.worst} |"


def seconds_until(visitor: Visitor, until: Callable[[dict[str, Any]], object]) -> float:
    """How long it takes until the state is like this."""
    began_s = time.monotonic()
    visitor.wait(until)
    return time.monotonic() - began_s
